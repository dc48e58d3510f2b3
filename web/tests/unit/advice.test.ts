import { expect, test } from 'vitest';
import type { Geometry, Piece } from '../../src/api/types';
import { marksOf } from '../../src/board/advice';

const geometry: Geometry = {
  spots: [0, 1, 2, 3].map((x) => ({ name: `S${x}`, kind: 'light-cell', x, y: 0 })),
  strokes: [],
  pips: [],
  labels: [],
};
const amazon: Piece = { spot: 0, figure: 'amazon', side: 'black' };

test('a stone that is recommended is a pale stone, nobody’s while colours may be exchanged', () => {
  const { figures, ways } = marksOf(geometry, { spots: [1, 2], mover: 'white', pieces: [amazon] });
  expect(figures.map(({ spot, figure, side }) => [spot, figure, side])).toEqual([[1, 'stone', 'white'], [2, 'stone', 'white']]);
  expect(ways).toEqual([]);
  expect(marksOf(geometry, { spots: [1], mover: null, pieces: [amazon] }).figures[0]!.side).toBeNull();
});

test('what moves has a way, and what it throws another one', () => {
  const { figures, ways } = marksOf(geometry, { spots: [0, 2, 3], mover: 'black', pieces: [amazon] });
  expect(figures.map(({ spot, figure }) => [spot, figure])).toEqual([[2, 'amazon'], [3, 'arrow']]);
  expect(ways.map(({ places, thrown }) => [places.map(({ x }) => x), thrown])).toEqual([[[0, 2], false], [[2, 3], true]]);
});
