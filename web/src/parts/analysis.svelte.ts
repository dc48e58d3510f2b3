/** The analysis of a finished game: one question a ply, one after the other, until all are answered or somebody stops it. */
import { ApiError, api } from '../api/client';
import type { Opinion, Variant } from '../api/types';
import type { Moment } from '../board/scene';
import { judge, settled, type Played } from './judgement';

/** The most plies of one game that are looked at: the last ones, where games are decided. */
export const MOST_PLIES = 300;

/** Asks what a strong player thinks after so many steps. */
export type Ask = (step: number) => Promise<Opinion>;

/** Asks about a game that is no room's: a record, or a game that was judged. */
export function byPlies(game: string, variant: Variant, position: string | null | undefined, moments: readonly Moment[]): Ask {
  const plies = moments.slice(1).map(({ step }) => step?.ply ?? '');
  return (step) => api.opinion(game, { variant, ...(position ? { position } : {}), plies: plies.slice(0, step) });
}

export class Analysis {
  opinions = $state.raw<readonly (Opinion | undefined)[]>([]);
  running = $state(false);
  trouble = $state.raw<ApiError | null>(null);

  readonly played: readonly Played[];
  /** What the last board is worth, where the rules say so. */
  readonly #end: number | null;
  readonly #ask: Ask;
  readonly #open: readonly number[];

  judged = $derived.by(() => judge(this.played, this.opinions, this.#end));
  done = $derived(this.opinions.filter(Boolean).length);

  /** Of a game, given all its moments. */
  constructor(ask: Ask, moments: readonly Moment[]) {
    this.#ask = ask;
    this.played = moments.slice(1).map(({ step, scene }) => ({ mover: step?.mover ?? 'black', ply: step?.ply ?? null, spots: scene.last }));
    const count = this.played.length;
    const verdict = moments.at(-1)?.scene.verdict ?? null;
    this.#end = verdict ? settled(verdict.winner) : null;
    // Whoever resigned or ran out of time left a board that can be looked at.
    const last = verdict ? count - 1 : count;
    const first = Math.max(0, last - MOST_PLIES);
    this.#open = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }

  /** How many questions there are. */
  get all(): number {
    return this.#open.length;
  }

  get complete(): boolean {
    return this.done === this.all;
  }

  /** Where it begins: longer games are looked at from here on. */
  get first(): number {
    return this.#open[0] ?? 0;
  }

  /** Asks what is not answered yet. */
  async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.trouble = null;
    try {
      for (const step of this.#open) {
        if (this.opinions[step]) continue;
        const opinion = await this.#ask(step);
        const known = [...this.opinions];
        known[step] = opinion;
        this.opinions = known;
        if (!this.running) return;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
    } finally {
      this.running = false;
    }
  }

  /** What is known stays known. */
  stop(): void {
    this.running = false;
  }
}
