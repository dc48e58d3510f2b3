/** A ply somebody else would play, as marks on the board: what would stand where, and which way it goes. Knows no game. */
import type { Geometry, Piece, Side, Variant } from '../api/types';
import { route, type Place } from './route';
import { bySpot } from './scene';
import type { Drawn } from './tokens';
import { preview } from './walk';

export interface Advice {
  /** The clicks of the ply. */
  spots: readonly number[];
  /** Whose new pieces are; nobody's as long as the colours may still be exchanged. */
  mover: Side | null;
  /** The board it was given for. */
  pieces: readonly Piece[];
}

/** Whether the colours may still be exchanged in games of this kind. */
export const exchanged = (variant: Variant): boolean => variant['opening'] === 'swap2';

export interface Way {
  places: Place[];
  /** Something thrown, not something that goes. */
  thrown: boolean;
}

/** What would come to stand where it does not stand yet, and the ways of what moves. */
export function marksOf(geometry: Geometry, { spots, mover, pieces }: Advice): { figures: Drawn[]; ways: Way[] } {
  const before = bySpot(pieces);
  const { pieces: after } = preview(geometry, pieces, spots, mover ?? 'black');
  const figures = after.filter((piece) => piece !== before.get(piece.spot)).map((piece) => (piece.ghost && mover === null ? { ...piece, side: null } : piece));
  const [from, to, ...rest] = spots;
  if (from === undefined || to === undefined || !before.has(from)) return { figures, ways: [] };
  const place = (spot: number): Place[] => geometry.spots.slice(spot, spot + 1).map(({ x, y }) => ({ x, y }));
  const straight = [...place(from), ...place(to)];
  const [start, end] = straight;
  // A piece that takes another far away runs around loops; a neighbour is reached by a step.
  const far = start && end && before.has(to) && Math.hypot(start.x - end.x, start.y - end.y) > 1.5;
  const around = far ? route(geometry, new Set(before.keys()), from, to) : null;
  const ways = [{ places: around ?? straight, thrown: false }, ...rest.map((spot) => ({ places: [...place(to), ...place(spot)], thrown: true }))];
  return { figures, ways };
}
