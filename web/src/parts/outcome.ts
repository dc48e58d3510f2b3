/** How a game ended, in words. */
import type { Phrase, Verdict } from '../api/types';
import { sideIndex } from '../board/scene';
import type { Texts } from '../texts/texts';

/** "Black wins: six in a row". */
export function outcome(verdict: Verdict | null, sides: [Phrase, Phrase] | undefined, t: Texts, say: (phrase: Phrase) => string): string {
  if (!verdict) return '';
  const reason = say(verdict.reason.text);
  if (verdict.winner === null) return t.drawn(reason);
  const side = sides?.[sideIndex(verdict.winner)];
  return t.won(side ? say(side) : verdict.winner, reason);
}
