/** Boards in words, for those who listen. */
import type { Geometry, Piece, Side, Step, View } from '../api/types';
import type { Texts } from '../texts/texts';
import type { Phrase } from '../api/types';
import { isEdge } from './geometry';
import { sideIndex } from './scene';

type Say = (phrase: Phrase) => string;

/** What a piece is called. */
export function pieceWords(piece: Piece, sides: [Phrase, Phrase], t: Texts, say: Say): string {
  const figure = piece.label ? say(piece.label) : t[`figure_${piece.figure}`];
  return piece.side ? t.ownedFigure(say(sides[sideIndex(piece.side)]), figure) : figure;
}

/** A spot's name and what stands there. */
export function spotWords(
  geometry: Geometry,
  pieces: ReadonlyMap<number, Piece>,
  sides: [Phrase, Phrase],
  index: number,
  t: Texts,
  say: Say,
): string {
  const name = geometry.spots[index]?.name ?? '';
  const piece = pieces.get(index);
  return t.spot(name, piece ? pieceWords(piece, sides, t, say) : t.empty);
}

/** What came of a step: "both are gone (Red Capt)", "takes stones (AB AC)"; nothing where there is nothing to tell. */
export function toldWords(step: Step, geometry: Geometry | undefined, sides: [Phrase, Phrase], t: Texts, say: Say): string {
  const remarks = (step.remarks ?? []).map((remark) => say(remark.text)).join(t.comma);
  const named = (step.gone ?? []).flatMap((piece) => {
    if (piece.label) return [pieceWords(piece, sides, t, say)];
    return piece.figure === 'back' ? [] : (geometry?.spots[piece.spot]?.name ?? []);
  });
  return remarks && named.length > 0 ? t.aside(remarks, named.join(' ')) : remarks;
}

/** The names of a board's spots, and whether they are lines: those are played in chains. */
export type SpotNames = ReadonlyMap<string, boolean>;

export const spotNames = (geometry: Geometry | undefined): SpotNames =>
  new Map(geometry?.spots.flatMap((spot) => (spot.kind === 'button' ? [] : [[spot.name, isEdge(spot.kind)] as const])));

/** So many spots of a chain are read as they stand. */
const MOST_PARTS = 6;

/** A ply as people read it: a chain of spots is cut into its parts, and the middle of a long one left out. */
export function readable(ply: string, names: SpotNames): string {
  const parts = plyParts(ply, names);
  if (parts.length <= 3 && !names.get(parts[0] ?? '')) return ply;
  return parts.length <= MOST_PARTS ? parts.join(' ') : `${parts.slice(0, 3).join(' ')} … ${parts.at(-1)} ×${parts.length}`;
}

/** The spots a ply names one after the other; the ply itself where it is written in another way. */
function plyParts(ply: string, names: SpotNames): string[] {
  const longest = Math.max(0, ...[...names.keys()].map((name) => name.length));
  const parts: string[] = [];
  for (let at = 0; at < ply.length; ) {
    let length = Math.min(longest, ply.length - at);
    while (length > 0 && !names.has(ply.slice(at, at + length))) length--;
    if (length === 0) return [ply];
    parts.push(ply.slice(at, at + length));
    at += length;
  }
  return parts;
}

/** One sentence for the whole board. */
export function boardWords(view: View, gameName: string, t: Texts, say: Say): string {
  const count = (side: Side) => view.pieces.filter((piece) => piece.side === side).length;
  const state = view.verdict ? say(view.verdict.reason.text) : t.toMove(say(view.sides[sideIndex(view.to_move)]));
  return t.boardWords(gameName, view.plies, state, count('black'), count('white'), say(view.sides[0]), say(view.sides[1]));
}
