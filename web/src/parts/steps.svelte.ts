/** Which moment of a game is shown; `null` follows the game. */
import type { Frames } from '../api/types';
import { moments, type Moment } from '../board/scene';

export class Steps {
  #frames: () => Frames | null;
  chosen = $state<number | null>(null);
  all = $derived.by((): Moment[] => {
    const frames = this.#frames();
    return frames ? moments(frames) : [];
  });

  constructor(frames: () => Frames | null) {
    this.#frames = frames;
  }

  get count(): number {
    return Math.max(0, this.all.length - 1);
  }

  /** The moment that was stepped to, if one was. */
  get moment(): Moment | null {
    return this.chosen === null ? null : (this.all[Math.min(this.chosen, this.count)] ?? null);
  }
}
