import { afterEach, expect, test, vi } from 'vitest';
import { type News, Session } from '../../src/api/session.svelte';

/** A connection on which the test says what the server sends. */
class Source {
  static readonly CLOSED = 2;
  static last: Source;
  readonly #listeners = new Map<string, (event: unknown) => void>();

  constructor(readonly address: string) {
    Source.last = this;
  }

  addEventListener(name: string, listener: (event: unknown) => void): void {
    this.#listeners.set(name, listener);
  }

  close(): void {}

  send(name: string, id: string, data: unknown): void {
    this.#listeners.get(name)!({ data: JSON.stringify(data), lastEventId: id });
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('who watches a hidden game sees its clocks and plies go on, and no board', async () => {
  const clock = { left_ms: 60_000, turn_ms: null, used_ms: 0 };
  const room = { id: 'r', game: 'phantom-go', state: 'live', eyes: 'none', you: null, view: null, seq: 0, steps: [], plies: 0, clocks: [clock, clock], running: 'black', since: 1000, now: 1000 };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(room))));
  vi.stubGlobal('EventSource', Source);
  const session = new Session('r');
  const heard: News[] = [];
  session.onnews = (news) => heard.push(news);
  await session.open();
  const step = { mover: 'black', ply: null, end: 'played', ms: 4000 };
  const frame = { n: 1, plies: 1, to_move: 'white', set: [], clear: [], marks: [], last: [], notes: [], step };
  const clocks = [{ ...clock, left_ms: 56_000, used_ms: 4000 }, clock];
  Source.last.send('frame', 'none.1', { frame, clocks, running: 'white', since: 5000, now: 5000, seq: 1 });
  expect(session.room).toMatchObject({ view: null, plies: 1, seq: 1, clocks, running: 'white', since: 5000, steps: [{ ...step, n: 1 }] });
  expect(session.clicks).toBeNull();
  expect(heard).toMatchObject([{ kind: 'frame', taken: false }]);
  session.close();
});

test('a server that cannot be reached is asked until it answers, and then that is said', async () => {
  vi.useFakeTimers();
  const clock = { left_ms: null, turn_ms: null, used_ms: 0 };
  const room = { id: 'r', game: 'gomoku', state: 'live', eyes: 'all', you: null, view: null, seq: 0, steps: [], plies: 0, clocks: [clock, clock], running: null, since: 0, now: 0 };
  let asked = 0;
  vi.stubGlobal('fetch', () => (++asked < 4 ? Promise.reject(new TypeError('offline')) : Promise.resolve(new Response(JSON.stringify(room)))));
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const session = new Session('r');
  await session.open();
  expect(session.failure?.status).toBe(0);
  // However often it is asked to, it asks once at a time.
  session.recover();
  for (let waits = 0; waits < 40 && session.reached === 0; waits++) await vi.advanceTimersByTimeAsync(500);
  expect([asked, session.reached, session.failure, session.room?.id]).toEqual([4, 1, null, 'r']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toBe(4);
  session.close();
});

test('what the room that was asked for anew told already is not taken in twice', async () => {
  const clock = { left_ms: null, turn_ms: null, used_ms: 0 };
  const step = { mover: 'black', ply: 'AA', end: 'played', n: 1 };
  const room = { id: 'r', game: 'nogo', state: 'live', eyes: 'all', you: null, view: null, seq: 3, steps: [step], plies: 1, clocks: [clock, clock], running: null, since: 0, now: 0, chat: [] };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(room))));
  vi.stubGlobal('EventSource', Source);
  const session = new Session('r');
  await session.open();
  const frame = (n: number) => ({ frame: { n, plies: n, to_move: 'white', set: [], clear: [], marks: [], last: [], notes: [], step }, clocks: [clock, clock], running: null, since: 0, now: 0 });
  Source.last.send('frame', 'all.3', frame(1));
  expect(session.room?.steps).toHaveLength(1);
  Source.last.send('frame', 'all.4', frame(2));
  expect([session.room?.steps.length, session.room?.seq]).toEqual([2, 4]);
  session.close();
});
