/** Starting games. */
import { api } from '../api/client';
import type { GameInfo, NewRoom, SeatWish } from '../api/types';
import { go } from '../router.svelte';
import { remember } from '../settings.svelte';
import { usualVariant } from './rules';

/** The built-in player nobody had to choose: a casual player where there are levels, else the strongest there is. */
export const usual = (game: GameInfo): string => (game.levels.find((level) => level.id === '3') ?? game.levels.at(-1))?.id ?? 'random';

/** Makes a room and goes there; whoever waits for a friend finds the link in the room. */
export async function begin(wish: NewRoom): Promise<void> {
  const { room, join } = await api.create(wish);
  if (wish.private && join) sessionStorage.setItem(`boyi-join-${room.id}`, join);
  if (room.you) remember(UNFINISHED, room.id);
  go(`/room/${room.id}`);
}

/** Where this browser keeps the game it is playing, for a way back from the first page. */
export const UNFINISHED = 'boyi-room';

/** One click: the visitor moves first against the usual built-in player, without a clock. */
export const playNow = (game: GameInfo): Promise<void> =>
  begin({ game: game.id, variant: usualVariant(game), time: null, seats: { black: { kind: 'me' }, white: builtin(usual(game)) }, public: true });

/** One click: two built-in players, to watch. */
export const watchNow = (game: GameInfo): Promise<void> =>
  begin({ game: game.id, variant: usualVariant(game), time: null, seats: { black: builtin(usual(game)), white: builtin(usual(game)) }, public: true });

export const builtin = (level: string): SeatWish => ({ kind: 'builtin', level });
