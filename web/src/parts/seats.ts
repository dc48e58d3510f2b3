/** Who sits there, in words. */
import type { Seat } from '../api/types';
import type { Texts } from '../texts/texts';

export function seatName(seat: Seat, t: Texts): string {
  if (seat.kind === 'open') return t.seatOpen;
  if (seat.kind === 'builtin') return t.seatBuiltin(seat.level ?? seat.name);
  if (seat.you) return seat.name ? t.seatYouNamed(seat.name) : t.seatYou;
  return seat.name || t.seatGuest;
}
