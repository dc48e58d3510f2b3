/** Views and frames: what stands on the board at each step. Knows no game. */
import type { Frame, Frames, Piece, Scene, Side, Step, View } from '../api/types';

/** The scene after a frame: first what is cleared, then what is set; a spot holds one piece. */
export function after(scene: Scene, frame: Frame): Scene {
  const pieces = new Map(scene.pieces.map((piece) => [piece.spot, piece]));
  for (const spot of frame.clear) pieces.delete(spot);
  for (const piece of frame.set) pieces.set(piece.spot, piece);
  return {
    to_move: frame.to_move,
    plies: frame.plies,
    verdict: frame.verdict ?? null,
    pieces: [...pieces.values()],
    marks: frame.marks,
    last: frame.last,
    notes: frame.notes,
  };
}

/** A moment of a game: what is drawn, and the step that led there. */
export interface Moment {
  scene: Scene;
  step: Step | null;
}

/** Every moment of a game from its first view on. */
export function moments({ view, frames }: Frames): Moment[] {
  const all: Moment[] = [{ scene: view, step: null }];
  let scene: Scene = view;
  for (const frame of frames) {
    scene = after(scene, frame);
    all.push({ scene, step: frame.step ?? null });
  }
  return all;
}

/** The view with another scene drawn on the same board. */
export const shown = (view: View, scene: Scene): View => ({
  ...view,
  ...scene,
  clicks: { tree: [], complete: true },
});

export const other = (side: Side): Side => (side === 'black' ? 'white' : 'black');

export const sideIndex = (side: Side): 0 | 1 => (side === 'black' ? 0 : 1);

/** Pieces by their spot. */
export const bySpot = (pieces: readonly Piece[]): Map<number, Piece> => new Map(pieces.map((piece) => [piece.spot, piece]));

/**
 * How many plies were played after so many steps, from none on: tries that were refused are steps and no plies, and a game may
 * have begun in the middle. `plies` is the number after the last step.
 */
export function plyNumbers(steps: readonly Step[], plies: number): number[] {
  let count = plies - steps.filter((step) => step.end !== 'refused').length;
  return [count, ...steps.map((step) => (step.end === 'refused' ? count : ++count))];
}
