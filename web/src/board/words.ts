/** Boards in words, for those who listen. */
import type { Geometry, Piece, Side, View } from '../api/types';
import type { Texts } from '../texts/texts';
import type { Phrase } from '../api/types';
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

/** One sentence for the whole board. */
export function boardWords(view: View, gameName: string, t: Texts, say: Say): string {
  const count = (side: Side) => view.pieces.filter((piece) => piece.side === side).length;
  const state = view.verdict ? say(view.verdict.reason.text) : t.toMove(say(view.sides[sideIndex(view.to_move)]));
  return t.boardWords(gameName, view.plies, state, count('black'), count('white'), say(view.sides[0]), say(view.sides[1]));
}
