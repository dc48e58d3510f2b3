/** A player's own notes on pieces of which he sees the back. They stay in this browser and go where the piece goes. */
import type { Phrase, Piece } from '../api/types';
import { recall, remember } from '../settings.svelte';
import { bySpot, type Moment } from './scene';

/** Where the piece on each spot was first seen: what it is known by, whatever it does later. */
export function origins(moments: readonly Moment[]): ReadonlyMap<number, number> {
  let known = new Map<number, number>();
  let before = new Map<number, Piece>();
  for (const { scene } of moments) {
    const now = bySpot(scene.pieces);
    const left = [...before.values()].filter((piece) => now.get(piece.spot)?.side !== piece.side);
    const next = new Map<number, number>();
    for (const { spot, side } of now.values()) {
      const stayed = before.get(spot)?.side === side;
      // A ply moves one piece, so the one that came is the one of its side that left.
      const from = stayed ? spot : left.filter((piece) => piece.side === side);
      const origin = typeof from === 'number' ? known.get(from) : from.length === 1 ? known.get(from[0]!.spot) : undefined;
      next.set(spot, origin ?? spot);
    }
    [known, before] = [next, now];
  }
  return known;
}

const KEY = 'boyi-notes';
/** The notes of more games than this are not kept. */
const MOST_GAMES = 30;

type Kept = Record<string, Record<string, Phrase>>;

function kept(): Kept {
  try {
    return (JSON.parse(recall(KEY) ?? '{}') as Kept | null) ?? {};
  } catch {
    return {};
  }
}

export class Notes {
  readonly #room: string;
  #by = $state.raw<Readonly<Record<string, Phrase>>>({});

  constructor(room: string) {
    this.#room = room;
    this.#by = kept()[room] ?? {};
  }

  /** The notes by the spots where their pieces stand now. */
  on(origins: ReadonlyMap<number, number>, pieces: readonly Piece[]): Map<number, Phrase> {
    const found = new Map<number, Phrase>();
    for (const { spot, figure } of pieces) {
      const note = figure === 'back' ? this.#by[origins.get(spot) ?? spot] : undefined;
      if (note) found.set(spot, note);
    }
    return found;
  }

  /** Writes a note on the piece that began there, or takes it away. */
  write(origin: number, note: Phrase | null): void {
    const { [origin]: _, ...others } = this.#by;
    this.#by = note ? { ...others, [origin]: note } : others;
    const { [this.#room]: __, ...games } = kept();
    const last = Object.entries(games).slice(1 - MOST_GAMES);
    remember(KEY, JSON.stringify(Object.fromEntries([...last, [this.#room, this.#by]])));
  }
}
