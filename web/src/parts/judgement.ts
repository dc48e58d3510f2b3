/** What each ply of a game cost, by what a strong player thought before and after it. Knows no game. */
import type { Opinion, Side } from '../api/types';

/** A ply as it was played, and the spots it was played on. */
export interface Played {
  mover: Side;
  ply: string | null;
  spots: readonly number[];
}

export type Sign = '' | '?' | '??';

export interface Judged {
  /** The first mover's chance after the ply; nothing as long as it is not known. */
  chance: number | null;
  /** How much of his chance to win the mover gave away, from 0 to 1. */
  loss: number;
  sign: Sign;
  /** What would have been better, where that is much. */
  better: Opinion | null;
}

/** From which loss on a ply is called a mistake, and a blunder: a quarter of a second a ply sees no finer. */
const MISTAKE = 0.12;
const BLUNDER = 0.25;

const same = (one: readonly number[], two: readonly number[]) => one.length > 0 && one.length === two.length && one.every((spot) => two.includes(spot));

/** Who won, as a chance. */
export const settled = (winner: Side | null): number => (winner === null ? 0.5 : winner === 'black' ? 1 : 0);

/**
 * Judges every ply. `opinions[n]` is what was thought after `n` plies, as far as it is known; `end` is what the last board is
 * worth, where the rules say so.
 */
export function judge(played: readonly Played[], opinions: readonly (Opinion | undefined)[], end: number | null): Judged[] {
  return played.map(({ mover, ply, spots }, index) => {
    const before = opinions[index];
    const chance = opinions[index + 1]?.chance ?? (index + 1 === played.length ? end : null);
    const known = before?.chance ?? null;
    if (!before || known === null || chance === null) return { chance, loss: 0, sign: '', better: null };
    // A ply the player itself would have chosen is no mistake, whatever it sees one ply later.
    const alike = before.ply === null || before.ply === ply || same(before.spots, spots);
    const loss = alike ? 0 : Math.max(0, mover === 'black' ? known - chance : chance - known);
    const sign = loss >= BLUNDER ? '??' : loss >= MISTAKE ? '?' : '';
    return { chance, loss, sign, better: sign ? before : null };
  });
}

/** A chance as people read it; certainty is kept for what is certain. */
export const percent = (chance: number): number => (chance <= 0 || chance >= 1 ? chance * 100 : Math.min(99, Math.max(1, Math.round(chance * 100))));
