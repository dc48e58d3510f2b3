/** Who sits there, in words. */
import type { Level, Phrase, Seat } from '../api/types';
import type { Texts } from '../texts/texts';

const isNumber = (level: string) => /^\d+$/.test(level);

/** A built-in player by its level. */
export function levelName(level: string, t: Texts): string {
  if (isNumber(level)) return t.seatLevel(level);
  return level === 'max' ? t.seatMax : t.seatBuiltin(level);
}

/** A level to choose: what it is like; levels that are only a number say it in their own words. */
export function levelOption(level: Level, say: (phrase: Phrase) => string): string {
  const text = say(level.text);
  return isNumber(level.id) ? text.charAt(0).toUpperCase() + text.slice(1) : `${level.id} · ${text}`;
}

export function seatName(seat: Seat, t: Texts): string {
  if (seat.kind === 'open') return t.seatOpen;
  if (seat.kind === 'builtin') return levelName(seat.level ?? seat.name, t);
  if (seat.you) return seat.name ? t.seatYouNamed(seat.name) : t.seatYou;
  return seat.name || t.seatGuest;
}
