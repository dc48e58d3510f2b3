/** A set-up as text: the pieces in the order of the places, the same for either side of the board. */
import type { Setup } from '../api/types';

export const writePlacement = (setup: Setup, placement: ReadonlyMap<number, string>): string =>
  setup.spots.map(({ spot }) => placement.get(spot) ?? '').join('');

/** The set-up of a text, if it has every piece as often as it should be, where it may stand. */
export function readPlacement(setup: Setup, text: string): Map<number, string> | null {
  const found = new Map<number, string>();
  const left = new Map(setup.tiles.map(({ id, count }) => [id, count]));
  let rest = text.trim().toLowerCase();
  for (const { spot, allowed } of setup.spots) {
    const tile = [...left.keys()].find((id) => rest.startsWith(id.toLowerCase()));
    if (tile === undefined || !allowed.includes(tile) || left.get(tile) === 0) return null;
    left.set(tile, (left.get(tile) ?? 0) - 1);
    found.set(spot, tile);
    rest = rest.slice(tile.length);
  }
  return rest === '' ? found : null;
}
