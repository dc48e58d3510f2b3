/** Where things are on any board: frames around it, the nearest spot, the next spot in a direction. */
import type { Geometry, Spot, SpotKind, Stroke } from '../api/types';

/** Pixels of the drawing per unit of the board. */
export const UNIT = 40;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const include = (box: Box, x: number, y: number, around: number) => {
  box.left = Math.min(box.left, x - around);
  box.right = Math.max(box.right, x + around);
  box.top = Math.min(box.top, y - around);
  box.bottom = Math.max(box.bottom, y + around);
};

const nothing = (): Box => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

export const isCell = (kind: SpotKind) => kind === 'light-cell' || kind === 'dark-cell';
export const isEdge = (kind: SpotKind) => kind === 'horizontal-edge' || kind === 'vertical-edge';
export const isStation = (kind: SpotKind) => kind === 'station' || kind === 'camp' || kind === 'headquarters';

/** Boards whose dots carry the game; elsewhere dots only help the eye. */
export const hasBoxes = (geometry: Geometry) => geometry.spots.some((spot) => spot.kind === 'box');

/** The wooden board itself. */
export function wood(geometry: Geometry): Box {
  const box = nothing();
  for (const spot of geometry.spots) {
    if (spot.kind === 'button') continue;
    include(box, spot.x, spot.y, isCell(spot.kind) ? 0.62 : isStation(spot.kind) ? 0.72 : isEdge(spot.kind) ? 0.3 : 0.62);
  }
  for (const [x, y] of geometry.pips) include(box, x, y, 0.3);
  for (const stroke of geometry.strokes) {
    if (stroke.shape === 'corner-loop') include(box, stroke.x, stroke.y, stroke.radius + 0.32);
  }
  return box;
}

/** Everything that is drawn; coordinates only where they are wanted, and only the rows of some spots where just these matter. */
export function extent(geometry: Geometry, coordinates: boolean, within?: readonly number[]): Box {
  const box = wood(geometry);
  include(box, box.left, box.top, 0.12);
  include(box, box.right, box.bottom, 0.12);
  const left = coordinates ? labelColumn(geometry, wood(geometry)) : [];
  if (left.length > 0) box.left -= 0.1 + gap(geometry);
  if (coordinates && geometry.labels.length > left.length) box.top -= gap(geometry);
  const rows = (within ?? []).flatMap((index) => geometry.spots[index]?.y ?? []);
  if (rows.length > 0) {
    box.top = Math.max(box.top, Math.min(...rows) - 0.6);
    box.bottom = Math.min(box.bottom, Math.max(...rows) + 0.84);
  }
  return box;
}

const turns = new WeakMap<Geometry, Geometry>();

/** The same board turned by 180°: spots keep their numbers and names, coordinates stay above and on the left. */
export function turned(geometry: Geometry): Geometry {
  const known = turns.get(geometry);
  if (known) return known;
  const box = wood(geometry);
  const [width, height] = [box.left + box.right, box.top + box.bottom];
  const rows = new Set(labelColumn(geometry, box));
  const made: Geometry = {
    ...geometry,
    spots: geometry.spots.map((spot) => (spot.kind === 'button' ? spot : { ...spot, x: width - spot.x, y: height - spot.y })),
    strokes: geometry.strokes.map((stroke) =>
      stroke.shape === 'line'
        ? { ...stroke, x1: width - stroke.x1, y1: height - stroke.y1, x2: width - stroke.x2, y2: height - stroke.y2 }
        : { ...stroke, x: width - stroke.x, y: height - stroke.y, outward_x: -stroke.outward_x, outward_y: -stroke.outward_y },
    ),
    pips: geometry.pips.map(([x, y]) => [width - x, height - y]),
    labels: geometry.labels.map((label) => (rows.has(label) ? { ...label, y: height - label.y } : { ...label, x: width - label.x })),
  };
  turns.set(geometry, made);
  return made;
}

/** How much wider than high the drawing is. */
export function ratio(geometry: Geometry, coordinates: boolean, within?: readonly number[]): number {
  const box = extent(geometry, coordinates, within);
  return (box.right - box.left) / (box.bottom - box.top);
}

/** Room for coordinates: letters grow with the board. */
const gap = (geometry: Geometry) => (geometry.labels.length > 26 ? 0.56 : 0.42);

/** Labels of rows: those left of every spot. */
function labelColumn(geometry: Geometry, box: Box) {
  const least = Math.min(...geometry.spots.filter((spot) => spot.kind !== 'button').map((spot) => spot.x));
  return geometry.labels.filter((label) => label.x < Math.min(least, box.left + 1));
}

/** Coordinates, brought close to the wood whatever distance the game gave them. */
export function labels(geometry: Geometry): { text: string; x: number; y: number }[] {
  const box = wood(geometry);
  const rows = new Set(labelColumn(geometry, box));
  return geometry.labels.map((label) =>
    rows.has(label) ? { text: label.text, x: box.left - gap(geometry) * 0.75, y: label.y } : { text: label.text, x: label.x, y: box.top - gap(geometry) * 0.7 },
  );
}

/** The path of a stroke, in pixels. */
export function path(stroke: Stroke): string {
  if (stroke.shape === 'line') {
    return `M${stroke.x1 * UNIT} ${stroke.y1 * UNIT}L${stroke.x2 * UNIT} ${stroke.y2 * UNIT}`;
  }
  const { x, y, radius, outward_x, outward_y } = stroke;
  const sweep = outward_x * outward_y < 0 ? 1 : 0;
  const reach = radius * UNIT;
  return `M${(x - outward_x * radius) * UNIT} ${y * UNIT}A${reach} ${reach} 0 1 ${sweep} ${x * UNIT} ${(y - outward_y * radius) * UNIT}`;
}

/** How far a point is from what a click on this spot would hit, in units. */
export function distance(spot: Spot, x: number, y: number): number {
  const dx = Math.abs(spot.x - x);
  const dy = Math.abs(spot.y - y);
  // Along an edge every place is as good as its middle.
  if (spot.kind === 'horizontal-edge') return Math.hypot(Math.max(0, dx - 0.34), dy);
  if (spot.kind === 'vertical-edge') return Math.hypot(dx, Math.max(0, dy - 0.34));
  return Math.hypot(dx, dy);
}

/** The spot a click there means: the nearest of these, if it is near enough. */
export function nearest(spots: readonly Spot[], among: Iterable<number>, x: number, y: number, reach = 0.72): number | null {
  let best: number | null = null;
  let least = reach;
  for (const index of among) {
    const spot = spots[index];
    if (!spot || spot.kind === 'button') continue;
    const far = distance(spot, x, y);
    if (far < least) {
      least = far;
      best = index;
    }
  }
  return best;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const vectors: Record<Direction, [number, number]> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** The next spot in a direction: near, and little aside. */
export function neighbour(spots: readonly Spot[], from: number, direction: Direction): number {
  const start = spots[from];
  if (!start) return from;
  const [dx, dy] = vectors[direction];
  let best = from;
  let least = Infinity;
  spots.forEach((spot, index) => {
    if (index === from || spot.kind === 'button' || spot.kind === 'box') return;
    const along = (spot.x - start.x) * dx + (spot.y - start.y) * dy;
    const aside = Math.abs((spot.x - start.x) * dy) + Math.abs((spot.y - start.y) * dx);
    if (along < 0.05 || aside > along * 2 + 0.05) return;
    const cost = along + aside * 2;
    if (cost < least) {
      least = cost;
      best = index;
    }
  });
  return best;
}
