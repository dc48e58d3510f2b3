/** The analysis of the game a page shows. What it needs is loaded when somebody wants it. */
import { ApiError } from '../api/client';
import type { GameInfo } from '../api/types';
import type { Advice } from '../board/advice';
import type { Moment } from '../board/scene';
import { dictionaries } from '../texts/language.svelte';
import type { Analysis, Ask } from './analysis.svelte';
import type AnalysisPanel from './AnalysisPanel.svelte';
import type { Judged } from './judgement';

/** Whether the games of a kind can be looked at: somebody strong plays it, and nothing is hidden. */
export const analysable = (game: GameInfo | undefined): boolean => game !== undefined && !game.hidden && game.levels.some((level) => level.id === 'max');

export class Analyst {
  analysis = $state.raw<Analysis | null>(null);
  Panel = $state.raw<typeof AnalysisPanel | null>(null);
  /** What went wrong before it could begin. */
  trouble = $state.raw<ApiError | null>(null);
  readonly #moments: () => readonly Moment[];

  constructor(moments: () => readonly Moment[]) {
    this.#moments = moments;
  }

  /** Loads the part that analyses and begins; whether that could be had. */
  async begin(ask: (parts: typeof import('./analysis.svelte')) => Ask): Promise<boolean> {
    this.trouble = null;
    const moments = this.#moments();
    try {
      const [parts, panel] = await Promise.all([import('./analysis.svelte'), import('./AnalysisPanel.svelte')]);
      // Another game may have come meanwhile.
      if (this.#moments() !== moments) return false;
      this.Panel = panel.default;
      this.analysis = new parts.Analysis(ask(parts), moments);
    } catch {
      this.trouble = new ApiError(0, 'unreachable', { en: dictionaries.en.pageLost, zh: dictionaries.zh.pageLost });
      return false;
    }
    void this.analysis.run();
    return true;
  }

  /** Ends it: the page is left, or shows another game. */
  end(): void {
    this.analysis?.stop();
    this.analysis = null;
    this.trouble = null;
  }

  get judged(): readonly Judged[] {
    return this.analysis?.judged ?? [];
  }

  /** What would have been better than the ply that led here, to be drawn on the board. */
  better(at: number, uncertain: boolean): Advice | null {
    const better = this.judged[at - 1]?.better;
    const before = this.#moments()[at - 1]?.scene;
    return better && before ? { spots: better.spots, mover: uncertain ? null : better.to_move, pieces: before.pieces } : null;
  }
}
