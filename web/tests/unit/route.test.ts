import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { View } from '../../src/api/types';
import { route } from '../../src/board/route';

const { geometry } = (JSON.parse(readFileSync(new URL('../fixtures/views.json', import.meta.url), 'utf8')) as Record<string, View>)['surakarta']!;
const spot = (x: number, y: number) => geometry.spots.findIndex((one) => one.x === x && one.y === y);

test('a piece runs around the corner loop between the two lines it joins', () => {
  const way = route(geometry, new Set([spot(0, 2), spot(2, 0)]), spot(0, 2), spot(2, 0))!;
  expect(way[0]).toMatchObject({ x: 0, y: 2 });
  expect(way.at(-1)).toMatchObject({ x: 2, y: 0 });
  // The loop lies outside the board.
  expect(Math.min(...way.map(({ x }) => x))).toBeLessThan(-1.9);
  expect(Math.min(...way.map(({ y }) => y))).toBeLessThan(-1.9);
  for (const { x, y } of way) expect(x < 0.01 || y < 0.01).toBe(true);
});

test('a piece in the way closes the way; the other way round is taken', () => {
  const near = route(geometry, new Set(), spot(1, 2), spot(2, 1))!;
  const far = route(geometry, new Set([spot(0, 2)]), spot(1, 2), spot(2, 1))!;
  expect(far.length).toBeGreaterThan(near.length);
});

test('corners and plain neighbours have no way around', () => {
  expect(route(geometry, new Set(), spot(0, 0), spot(2, 0))).toBeNull();
  const others = new Set(geometry.spots.map((_, index) => index));
  expect(route(geometry, others, spot(1, 2), spot(4, 4))).toBeNull();
});
