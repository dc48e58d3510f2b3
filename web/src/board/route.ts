/** The way a piece takes along drawn circuits and their corner loops, so that it is seen to run there. Only for the eye. */
import type { Geometry, Stroke } from '../api/types';

export interface Place {
  x: number;
  y: number;
}

type Line = Extract<Stroke, { shape: 'line' }>;
type Loop = Extract<Stroke, { shape: 'corner-loop' }>;

const same = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y) < 0.01;
const ends = (line: Line): [Place, Place] => [
  { x: line.x1, y: line.y1 },
  { x: line.x2, y: line.y2 },
];
const mouths = (loop: Loop): [Place, Place] => [
  { x: loop.x - loop.outward_x * loop.radius, y: loop.y },
  { x: loop.x, y: loop.y - loop.outward_y * loop.radius },
];

/** Places along three quarters of a circle, from one mouth to the other. */
function around(loop: Loop, from: Place): Place[] {
  const start = Math.atan2(from.y - loop.y, from.x - loop.x);
  const [one, two] = mouths(loop);
  const to = same(from, one) ? two : one;
  const short = Math.atan2(to.y - loop.y, to.x - loop.x) - start;
  // The quarter the board lies in is the one that is not drawn.
  const turn = Math.abs(short) > Math.PI ? -Math.sign(short) * (2 * Math.PI - Math.abs(short)) : short;
  const sweep = turn - Math.sign(turn) * 2 * Math.PI;
  return Array.from({ length: 18 }, (_, index) => {
    const angle = start + (sweep * (index + 1)) / 18;
    return { x: loop.x + Math.cos(angle) * loop.radius, y: loop.y + Math.sin(angle) * loop.radius };
  });
}

/** The shortest way from one spot to another through at least one loop over empty spots; nothing if there is none. */
export function route(geometry: Geometry, occupied: ReadonlySet<number>, from: number, to: number): Place[] | null {
  const loops = geometry.strokes.filter((stroke): stroke is Loop => stroke.shape === 'corner-loop');
  const lines = geometry.strokes.filter((stroke): stroke is Line => stroke.shape === 'line' && loops.some((loop) => loop.ink === stroke.ink));
  let best: Place[] | null = null;
  const onto = (line: Line) => {
    const [a, b] = ends(line);
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    return geometry.spots
      .map((spot, index) => ({ index, spot, far: ((spot.x - a.x) * (b.x - a.x) + (spot.y - a.y) * (b.y - a.y)) / long, aside: Math.abs((spot.x - a.x) * (b.y - a.y) - (spot.y - a.y) * (b.x - a.x)) / long }))
      .filter(({ spot, far, aside }) => spot.kind !== 'button' && aside < 0.01 && far > -0.01 && far < long + 0.01)
      .sort((one, two) => one.far - two.far);
  };
  for (const first of lines) {
    for (const direction of [1, -1]) {
      let line = first;
      let row = onto(line);
      let at = row.findIndex(({ index }) => index === from);
      if (at < 0) continue;
      let step = direction;
      let looped = 0;
      const way: Place[] = [geometry.spots[from]!];
      const free = () => {
        const here = row[at]!;
        way.push(here.spot);
        if (here.index === to && looped > 0) {
          if (!best || way.length < best.length) best = [...way];
          return false;
        }
        return here.index === from || !occupied.has(here.index);
      };
      for (let moves = 0; moves < 80; moves++) {
        const next = row[at + step];
        if (next) {
          at += step;
          if (!free()) break;
          continue;
        }
        const mouth = row[at]!.spot;
        const loop = loops.find((one) => one.ink === line.ink && mouths(one).some((place) => same(place, mouth)));
        if (!loop) break;
        way.push(...around(loop, mouth));
        const out = way.at(-1)!;
        const other = lines.find((one) => one !== line && one.ink === line.ink && ends(one).some((place) => same(place, out)));
        if (!other || ++looped > 4) break;
        line = other;
        row = onto(line);
        at = row.findIndex(({ spot }) => same(spot, out));
        if (at < 0) break;
        step = at === 0 ? 1 : -1;
        if (!free()) break;
      }
    }
  }
  return best;
}
