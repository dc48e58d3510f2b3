import { expect, test } from 'vitest';
import { marksOf } from '../../src/board/advice';
import { amazon, geometry } from './row';

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
