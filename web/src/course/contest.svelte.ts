/** One contest as this page knows it, kept up to date by its events. */
import { ApiError } from '../api/client';
import { contestEvents, course } from './api';
import type { Contest, Scoreboard, Submission } from './types';

export class ContestSession {
  contest = $state.raw<Contest | null>(null);
  scoreboard = $state.raw<Scoreboard | null>(null);
  /** The states that came since the page was opened, by submission. */
  fresh = $state.raw<ReadonlyMap<string, Submission>>(new Map());
  failure = $state.raw<ApiError | null>(null);
  /** Whether the staff's live table is wanted while the public one is frozen. */
  live = $state(false);

  /** How often a connection was made: what changed before it was open came with no event. */
  connections = $state(0);

  #source: EventSource | null = null;
  /** A table is on its way; and something has changed since it was asked for. */
  #coming = false;
  #stale = false;

  constructor(readonly id: string) {}

  async open(): Promise<void> {
    await this.reload();
    if (!this.contest) return;
    const source = new EventSource(contestEvents(this.id));
    this.#source = source;
    source.onopen = () => {
      this.connections++;
      if (this.scoreboard || this.#coming) void this.table();
    };
    const on = <T>(name: string, act: (data: T) => void) =>
      source.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data) as T));
    on<Contest>('contest', (contest) => (this.contest = contest));
    on<unknown>('scoreboard', () => void this.table());
    on<{ submission: Submission }>('submission', ({ submission }) => {
      this.fresh = new Map(this.fresh).set(String(submission.id), submission);
      const mine = this.contest?.mine;
      if (this.contest && mine && submission.mine && submission.version >= (mine.submission?.version ?? 0)) {
        this.contest = { ...this.contest, mine: { ...mine, submission } };
      }
      // What one may do next changes when a submission comes to rest.
      if (submission.mine && ['ranked', 'failed', 'playing'].includes(submission.state)) void this.reload();
    });
  }

  close(): void {
    this.#source?.close();
  }

  /** The newest known state of a submission. */
  newest<T extends Submission>(one: T): T {
    const fresh = this.fresh.get(String(one.id));
    return fresh ? { ...one, ...fresh } : one;
  }

  async reload(): Promise<void> {
    try {
      this.contest = await course.contest(this.id);
      this.failure = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!this.contest) this.failure = error;
    }
  }

  /** Fetches the table. One that is on its way may have been made before what just changed: then another one is fetched. */
  async table(): Promise<void> {
    this.#stale = true;
    if (this.#coming) return;
    this.#coming = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        this.scoreboard = await course.scoreboard(this.id, this.live);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      this.#coming = false;
    }
  }
}
