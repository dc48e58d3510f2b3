/** One room as this page knows it: a snapshot, kept up to date by the room's events. */
import { after } from '../board/scene';
import { ApiError, api, eventsAddress } from './client';
import type { ChatLine, Clicks, Frame, FrameEvent, Frames, Offers, Result, Room, Seat, Side } from './types';

export type Connection = 'connecting' | 'open' | 'lost';

/** What just happened, for sounds and for those who listen. */
export type News = { kind: 'frame'; frame: Frame; taken: boolean } | { kind: 'declined'; by: Side } | { kind: 'over' };

/** The number of an event; its name may say whose eyes it is for: `black.12`. */
function sequence(id: string): number | null {
  const number = Number(id.slice(id.lastIndexOf('.') + 1));
  return id !== '' && Number.isInteger(number) ? number : null;
}

export class Session {
  room = $state.raw<Room | null>(null);
  clicks = $state.raw<Clicks | null>(null);
  frames = $state.raw<Frames | null>(null);
  connection = $state<Connection>('connecting');
  failure = $state.raw<ApiError | null>(null);
  /** A new room for the same two, once one of them wants it. */
  rematch = $state.raw<{ by: Side } | null>(null);
  /** Server time minus this machine's. */
  offset = $state(0);
  /** How often the server was reached again after it could not be. */
  reached = $state(0);
  onnews: (news: News) => void = () => {};

  readonly id: string;
  #source: EventSource | null = null;
  #closed = false;
  #loading: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #probe: ReturnType<typeof setTimeout> | undefined;
  #probing = false;
  #lost = false;
  #stopProbing: () => void = () => {};

  constructor(id: string) {
    this.id = id;
  }

  /** Loads the room and follows it. */
  async open(): Promise<void> {
    await this.reload();
    if (this.room) this.#listen();
    else if (this.failure?.status === 0) this.recover();
  }

  /** The server could not be reached: asks until it answers again, and soon when the machine is back on its network. */
  recover(): void {
    if (this.#probing || this.#closed) return;
    this.#probing = true;
    let pause = 500;
    const ask = async () => {
      clearTimeout(this.#probe);
      try {
        const room = await api.room(this.id);
        if (!this.#probing || this.#closed) return;
        this.#probing = false;
        removeEventListener('online', ask);
        this.#take(room);
        this.failure = null;
        this.reached++;
        if (!this.#source) this.#listen();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!this.#probing || this.#closed) return;
        if (error.status >= 400 && error.status < 500) {
          // It answers, and there is nothing more to ask for.
          this.#probing = false;
          if (!this.room) this.failure = error;
          return;
        }
        pause = Math.min(4000, pause * 1.6);
        this.#probe = setTimeout(ask, pause);
      }
    };
    addEventListener('online', ask);
    this.#stopProbing = () => removeEventListener('online', ask);
    this.#probe = setTimeout(ask, pause);
  }

  close(): void {
    this.#closed = true;
    this.#probing = false;
    this.#stopProbing();
    clearTimeout(this.#probe);
    clearTimeout(this.#retry);
    this.#source?.close();
  }

  /** Asks for the whole room again: at the start, and whenever what this page knows turned out to be stale. */
  async reload(): Promise<void> {
    try {
      this.#take(await api.room(this.id));
      this.failure = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!this.room) this.failure = error;
    }
  }

  /** Follows the events anew, as somebody else: after taking a seat. */
  async restart(): Promise<void> {
    this.#source?.close();
    this.#source = null;
    await this.open();
  }

  /** The moments of the game so far; asked for when somebody wants to step back. */
  history(eyes?: string): Promise<void> {
    if (eyes !== undefined) return this.#load(eyes);
    // Whoever else asks meanwhile waits for the same answer.
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load(eyes?: string): Promise<void> {
    let frames = await api.frames(this.id, eyes);
    // A ply may have come by event while the answer was on its way.
    if (eyes === undefined && frames.frames.length < (this.room?.steps.length ?? 0)) frames = await api.frames(this.id);
    this.frames = frames;
  }

  /** Plays a ply. A page that was behind catches up and tries once more, for the ply was chosen for this position. */
  async play(text: string): Promise<void> {
    const room = this.room;
    if (!room) return;
    const plies = room.view?.plies;
    try {
      await api.ply(this.id, text, room.seq);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      await this.reload();
      const fresh = this.room;
      if (!fresh?.view || fresh.view.plies !== plies || fresh.view.to_move !== fresh.you) throw error;
      await api.ply(this.id, text, fresh.seq);
    }
  }

  #take(room: Room): void {
    const before = this.room;
    this.room = room;
    this.offset = room.now - Date.now();
    this.clicks = this.#mine(room, room.view?.clicks ?? null);
    // Another past (a takeback) or other eyes: what was loaded before is no longer true.
    if (before && (before.eyes !== room.eyes || before.steps.length > room.steps.length || this.#behind(room))) this.frames = null;
  }

  #behind(room: Room): boolean {
    return this.frames !== null && this.frames.frames.length !== room.steps.length;
  }

  #mine(room: Room, clicks: Clicks | null): Clicks | null {
    if (!room.you || room.state !== 'live' || !room.view || room.view.verdict || room.view.to_move !== room.you) return null;
    return clicks;
  }

  #listen(): void {
    if (this.#closed || !this.room) return;
    this.connection = 'connecting';
    const source = new EventSource(`${eventsAddress(this.id)}?after=${this.room.seq}`);
    this.#source = source;
    source.onopen = () => {
      if (this.#lost) this.reached++;
      this.#lost = false;
      this.connection = 'open';
    };
    source.onerror = () => {
      this.connection = 'lost';
      this.#lost = true;
      // The browser comes back by itself with Last-Event-ID, unless the server refused outright.
      if (source.readyState !== EventSource.CLOSED || this.#closed) return;
      this.#retry = setTimeout(() => {
        void this.reload().then(() => this.#listen());
      }, 2000);
    };
    const on = <T>(name: string, act: (data: T) => void) =>
      source.addEventListener(name, (event) => {
        if (this.#source !== source) return;
        this.connection = 'open';
        const seq = sequence((event as MessageEvent<string>).lastEventId);
        // What a room that was asked for in between told already is not told twice.
        if (name !== 'room' && seq !== null && this.room && seq <= this.room.seq) return;
        act(JSON.parse((event as MessageEvent<string>).data) as T);
        if (this.room && seq !== null) this.room = { ...this.room, seq };
      });
    on<Room>('room', (room) => this.#take(room));
    on<FrameEvent>('frame', (event) => this.#frame(event));
    on<{ offers: Offers }>('offers', ({ offers }) => this.#change({ offers }));
    on<{ offer: string; by: Side }>('declined', ({ by }) => this.onnews({ kind: 'declined', by }));
    on<ChatLine>('chat', (line) => this.#change({ chat: [...(this.room?.chat ?? []), line] }));
    on<{ seats: [Seat, Seat] }>('seats', ({ seats }) => this.#change({ seats }));
    on<{ result: Result }>('over', ({ result }) => {
      this.#change({ result, state: 'finished', verdict: result.verdict, running: null });
      this.clicks = null;
      // The whole room follows: the end opens what was hidden.
      this.onnews({ kind: 'over' });
    });
    on<{ by: Side }>('rematch', ({ by }) => (this.rematch = { by }));
  }

  #change(part: Partial<Room>): void {
    if (this.room) this.room = { ...this.room, ...part };
  }

  #frame(event: FrameEvent): void {
    const room = this.room;
    if (!room) return;
    const { frame, clicks, ...timing } = event;
    // Whoever may not see the board still sees the clocks and how far the game is.
    const view = room.view && { ...room.view, ...after(room.view, frame), clicks: clicks ?? { tree: [], complete: true } };
    // A frame without a step goes back to an earlier one: plies were taken back.
    const steps = frame.step ? [...room.steps, { ...frame.step, n: frame.n }] : room.steps.slice(0, frame.n);
    this.offset = event.now - Date.now();
    this.room = { ...room, ...timing, steps, plies: frame.plies, view };
    this.clicks = this.#mine(this.room, clicks ?? null);
    if (this.frames) {
      const frames = frame.step ? [...this.frames.frames, frame] : this.frames.frames.slice(0, frame.n);
      this.frames = { ...this.frames, frames };
    }
    this.onnews({ kind: 'frame', frame, taken: (view?.pieces.length ?? 0) < (room.view?.pieces.length ?? 0) });
    // A click may name a spot that was not there before: a swap button.
    const spots = room.view?.geometry.spots.length ?? 0;
    if (clicks?.tree.some((click) => click.spot >= spots)) void this.reload();
  }

  /** True when it is this visitor's turn. */
  get mine(): boolean {
    return this.clicks !== null || (this.room?.you != null && this.room.view?.to_move === this.room.you && this.room.state === 'live' && !this.room.view.verdict);
  }

  seat(side: Side): Seat | undefined {
    return this.room?.seats[side === 'black' ? 0 : 1];
  }
}
