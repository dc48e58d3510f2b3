/** Which side of a room's board is below: one's own, until one turns the board by hand. */
import type { Room, Side, View } from '../api/types';
import { turned } from '../board/geometry';
import { other } from '../board/scene';
import { recall, remember } from '../settings.svelte';

export class Facing {
  readonly #room: () => Room | null;
  #byHand = $state<boolean | null>(null);

  constructor(room: () => Room | null) {
    this.#room = room;
  }

  /** Kept for each game. */
  get #key(): string {
    return `boyi-flip-${this.#room()?.game}`;
  }

  get flipped(): boolean {
    return this.#byHand ?? recall(this.#key) === '1';
  }

  get bottom(): Side {
    const own = this.#room()?.you ?? 'black';
    return this.flipped ? other(own) : own;
  }

  /** The view as it is to be drawn. */
  of(view: View): View {
    const { geometry } = view;
    const turn = geometry.below ? geometry.below !== this.bottom : this.flipped;
    return turn ? { ...view, geometry: turned(geometry) } : view;
  }

  turn(): void {
    this.#byHand = !this.flipped;
    remember(this.#key, this.#byHand ? '1' : '0');
  }
}
