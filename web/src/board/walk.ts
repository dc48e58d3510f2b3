/** Walking a tree of clicks: which spots may be clicked now, what was clicked so far, which ply is complete. */
import type { Click, Clicks, Geometry, Piece, Side } from '../api/types';
import { bySpot } from './scene';
import { isEdge } from './geometry';
import type { Drawn } from './tokens';

/** Clicks made so far, and what may follow each of them; there is one level more than clicks. */
export interface Walk {
  readonly path: readonly Click[];
  readonly levels: readonly (readonly Click[])[];
  readonly complete: boolean;
}

export const start = (clicks: Clicks): Walk => ({ path: [], levels: [clicks.tree], complete: clicks.complete });

/** What may be clicked now. */
export const options = (walk: Walk): readonly Click[] => walk.levels[walk.path.length] ?? [];

/** The ply the clicks so far make, if they make one. */
export const ply = (walk: Walk): string | null => walk.path.at(-1)?.ply ?? null;

/** True when what follows this click has to be asked for. */
export const unknown = (walk: Walk, click: Click): boolean => !walk.complete && click.next === undefined;

/** One click further; `next` is what was asked for where the tree does not say. */
export const forward = (walk: Walk, click: Click, next?: readonly Click[]): Walk => ({
  ...walk,
  path: [...walk.path, click],
  levels: [...walk.levels.slice(0, walk.path.length + 1), next ?? click.next ?? []],
});

/** One click back. */
export const back = (walk: Walk): Walk =>
  walk.path.length === 0
    ? walk
    : { ...walk, path: walk.path.slice(0, -1), levels: walk.levels.slice(0, walk.path.length) };

export const spotsOf = (walk: Walk): number[] => walk.path.map((click) => click.spot);

/** Every complete ply of the tree, as far as it is known. */
export function plies(tree: readonly Click[], most: number): string[] {
  const found: string[] = [];
  const visit = (clicks: readonly Click[]) => {
    for (const click of clicks) {
      if (found.length >= most) return;
      if (click.ply !== undefined) found.push(click.ply);
      if (click.next) visit(click.next);
    }
  };
  visit(tree);
  return found;
}

/**
 * A picture of a ply that is being composed: a piece that is clicked is lifted, the next click sets it down, any other click
 * puts something new on the spot. The server draws the true result; this only has to look right for a moment.
 */
export function preview(
  geometry: Geometry,
  pieces: readonly Piece[],
  spots: readonly number[],
  mover: Side,
): { pieces: Drawn[]; lifted: Drawn | null } {
  const board = new Map<number, Drawn>(bySpot(pieces));
  let lifted: Drawn | null = null;
  let moved: Drawn | null = null;
  for (const spot of spots) {
    const kind = geometry.spots[spot]?.kind;
    if (kind === undefined || kind === 'button') continue;
    const standing = board.get(spot);
    if (lifted) {
      board.delete(lifted.spot);
      moved = { ...lifted, spot };
      board.set(spot, moved);
      lifted = null;
    } else if (standing && !moved) {
      lifted = standing;
    } else if (moved?.figure === 'amazon') {
      board.set(spot, { spot, figure: 'arrow', side: null, ghost: true });
    } else if (isEdge(kind)) {
      board.set(spot, { spot, figure: 'line', side: null, ghost: true });
    } else {
      board.set(spot, { spot, figure: 'stone', side: mover, ghost: true });
    }
  }
  return { pieces: [...board.values()], lifted };
}

/**
 * Whether a complete ply waits for a confirmation when the visitor left that to us: always on touch screens, where fingers hide
 * the spot, and for plies of several clicks, except the plain "this piece to there".
 */
export function wantsConfirmation(walk: Walk, pieces: readonly Piece[], touch: boolean): boolean {
  if (touch) return true;
  if (options(walk).length > 0) return true;
  const [first] = walk.path;
  if (walk.path.length === 2 && first) return !bySpot(pieces).has(first.spot);
  return walk.path.length > 1;
}
