/** The one door to the server. */
import type {
  Click,
  Frames,
  GameInfo,
  LoadedRecord,
  Me,
  NewRoom,
  Opinion,
  Page,
  Phrase,
  Room,
  Setup,
  Summary,
  Variant,
} from './types';

/** A refusal with the server's own sentence. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly phrase: Phrase,
    readonly body: Record<string, unknown> = {},
  ) {
    super(phrase.en);
  }
}

const unreachable: Phrase = {
  en: 'The server cannot be reached. Check the connection and try again.',
  zh: '连接不上服务器，请检查网络后再试。',
};
const strange: Phrase = {
  en: 'The server gave an answer this page does not understand.',
  zh: '服务器的回答无法识别。',
};

/** Asks and gives back whatever came, refusals included. */
export async function raw(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Response> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = type !== 'application/json' && (typeof body === 'string' || body instanceof Blob) ? body : JSON.stringify(body);
    init.headers = { 'Content-Type': type };
  }
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiError(0, 'unreachable', unreachable);
  }
}

/** Asks; a refusal is thrown with the server's sentence. */
export async function ask<T>(method: string, path: string, body?: unknown, type?: string): Promise<T> {
  const answer = await raw(method, path, body, type);
  const text = await answer.text();
  let value: unknown;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(answer.status, 'strange', strange);
  }
  if (answer.ok) return value as T;
  const error = (value as { error?: { code?: string; message?: Phrase } } | null)?.error;
  throw new ApiError(answer.status, error?.code ?? 'unknown', error?.message ?? strange, (error ?? {}) as Record<string, unknown>);
}

export const get = <T>(path: string) => ask<T>('GET', path);
export const post = <T>(path: string, body: unknown = {}) => ask<T>('POST', path, body);
const room = (id: string) => `/api/rooms/${encodeURIComponent(id)}`;

let games: Promise<GameInfo[]> | undefined;

export const api = {
  /** The nine games; asked once, since they do not change while the server runs. */
  games(): Promise<GameInfo[]> {
    games ??= get<GameInfo[]>('/api/games').catch((error: unknown) => {
      games = undefined;
      throw error;
    });
    return games;
  },
  guide: (game: string, lang: string) => get<{ html: string }>(`/api/games/${encodeURIComponent(game)}/guide?lang=${lang}`),
  rooms: (query: string) => get<Page<Summary>>(`/api/rooms?${query}`),
  /** Rooms that are not finished, those where somebody is first. */
  live: (query: string) => get<Page<Summary>>(`/api/live?${query}`),
  players: (beginning: string) => get<string[]>(`/api/players?name=${encodeURIComponent(beginning)}`),
  create: (wish: NewRoom) => post<{ room: Room; join?: string }>('/api/rooms', wish),
  room: (id: string) => get<Room>(room(id)),
  frames: (id: string, eyes?: string) => get<Frames>(`${room(id)}/frames${eyes ? `?eyes=${eyes}` : ''}`),
  clicks: (id: string, path: number[]) => get<Click[]>(`${room(id)}/clicks?path=${path.join(',')}`),
  join: (id: string, token: string) => post<unknown>(`${room(id)}/join`, { token }),
  ply: (id: string, ply: string, seq: number) => post<{ ok: boolean; end: string }>(`${room(id)}/ply`, { ply, seq }),
  resign: (id: string) => post<unknown>(`${room(id)}/resign`),
  draw: (id: string, act: 'offer' | 'accept' | 'decline') => post<{ answer: 'offered' | 'agreed' | 'declined'; message?: Phrase }>(`${room(id)}/draw`, { do: act }),
  takeback: (id: string, act: 'ask' | 'accept' | 'decline') => post<unknown>(`${room(id)}/takeback`, { do: act }),
  hint: (id: string) => post<Opinion>(`${room(id)}/hint`),
  /** What a strong player thinks of a finished game after so many steps. */
  analysis: (id: string, step: number) => get<Opinion>(`${room(id)}/analysis?ply=${step}`),
  /** The same of any position of an open game, by the plies that led there. */
  opinion: (game: string, position: { variant: Variant; position?: string; plies: string[] }) => post<Opinion>(`/api/games/${encodeURIComponent(game)}/analysis`, position),
  chat: (id: string, text: string) => post<unknown>(`${room(id)}/chat`, { text }),
  rematch: (id: string) => post<{ room: Room }>(`${room(id)}/rematch`),
  abort: (id: string) => post<unknown>(`${room(id)}/abort`),
  setup: (id: string) => get<Setup>(`${room(id)}/setup`),
  compose: (id: string, placement: Record<string, string>) => post<{ ply: string }>(`${room(id)}/setup`, { placement }),
  /** Reads a record file without keeping it; files go as bytes, for not all of them are UTF-8. */
  record: (file: string | Blob, game: string) => ask<LoadedRecord>('POST', `/api/records${game ? `?game=${encodeURIComponent(game)}` : ''}`, file, 'text/plain'),
  me: () => get<Me>('/api/me'),
  rename: (name: string) => post<{ name: string }>('/api/me', { name }),
  version: () => get<Record<string, unknown>>('/api/version'),
  openapi: () => get<Record<string, unknown>>('/api/openapi.json'),
};

/** Where a finished or running game's record is downloaded. */
export const recordAddress = (id: string, format: string) => `${room(id)}/record?format=${format}`;
/** Where a game's picture is downloaded. */
export const pictureAddress = (id: string, ply: number, lang: string) => `${room(id)}/picture.svg?ply=${ply}&lang=${lang}`;
/** Where a game's events come from. */
export const eventsAddress = (id: string) => `${room(id)}/events`;
