/** Pieces with an identity, so that a move is drawn as a move and not as one piece vanishing and another appearing. */
import type { Figure, Phrase, Piece, Side } from '../api/types';

export interface Token {
  id: number;
  spot: number;
  figure: Figure;
  side: Side | null;
  label: Phrase | undefined;
  /** Not played yet: part of a ply that is being composed. */
  ghost: boolean;
}

export type Drawn = Piece & { ghost?: boolean };

const alike = (token: Token, piece: Drawn) =>
  token.figure === piece.figure && token.side === piece.side && token.label?.en === piece.label?.en;

/** A turned or named piece is still the same thing on the same spot. */
const fits = (token: Token, piece: Drawn) => token.side === piece.side && family(token.figure) === family(piece.figure);

const family = (figure: Figure) => (figure === 'back' ? 'tile' : figure);

/** Carries identities from the tokens shown to the pieces to be shown; `next` gives new identities. */
export function carry(shown: readonly Token[], pieces: readonly Drawn[], next: () => number): Token[] {
  const free = new Map(shown.map((token) => [token.spot, token]));
  const result: (Token | null)[] = pieces.map((piece) => {
    const token = free.get(piece.spot);
    if (!token || !fits(token, piece)) return null;
    free.delete(piece.spot);
    return made(token.id, piece);
  });
  const left = [...free.values()];
  return pieces.map((piece, index) => {
    const kept = result[index];
    if (kept) return kept;
    // A piece that appeared is the one that left elsewhere, if there is exactly such a one.
    let from = left.findIndex((token) => alike(token, piece));
    if (from < 0) from = left.findIndex((token) => fits(token, piece));
    if (from < 0 || piece.figure === 'line' || piece.figure === 'owned' || piece.figure === 'arrow') return made(next(), piece);
    const [token] = left.splice(from, 1);
    return made(token!.id, piece);
  });
}

const made = (id: number, piece: Drawn): Token => ({
  id,
  spot: piece.spot,
  figure: piece.figure,
  side: piece.side,
  label: piece.label,
  ghost: piece.ghost ?? false,
});
