import { describe, expect, test } from 'vitest';
import type { Opinion, Side } from '../../src/api/types';
import { judge, percent, settled, type Played } from '../../src/parts/judgement';

const opinion = (to_move: Side, chance: number | null, ply: string | null, spots: number[] = []): Opinion => ({
  plies: 0,
  to_move,
  ply,
  spots,
  chance,
  wins: null,
  line: ply === null ? [] : [ply],
});
const played = (mover: Side, ply: string, spots: number[] = []): Played => ({ mover, ply, spots });

describe('what plies cost', () => {
  const game = [played('black', 'A1'), played('white', 'B2'), played('black', 'C3')];

  test('is counted for the one who played, and the better ply is named', () => {
    const found = judge(game, [opinion('black', 0.6, 'A2'), opinion('white', 0.55, 'B1'), opinion('black', 0.9, 'C1')], 0);
    expect(found.map(({ sign }) => sign)).toEqual(['', '??', '??']);
    expect(found[0]!.loss).toBeCloseTo(0.05);
    expect(found[1]!.loss).toBeCloseTo(0.35);
    expect(found[1]!.better?.ply).toBe('B1');
    expect(found[2]!.loss).toBeCloseTo(0.9);
    expect(found.map(({ chance }) => chance)).toEqual([0.55, 0.9, 0]);
  });

  test('is nothing when a ply made things better, or was the one the player would have played', () => {
    const better = judge([played('black', 'A1')], [opinion('black', 0.5, 'A2'), opinion('white', 0.8, 'B1')], null);
    expect(better[0]).toMatchObject({ loss: 0, sign: '', better: null });
    const own = judge([played('black', 'A1')], [opinion('black', 0.9, 'A1'), opinion('white', 0.2, 'B1')], null);
    expect(own[0]!.sign).toBe('');
    // Two stones named in the other order are the same ply.
    const turned = judge([played('white', 'H8G7', [3, 2])], [opinion('white', 0.1, 'G7H8', [2, 3]), opinion('black', 0.9, 'A1')], null);
    expect(turned[0]!.sign).toBe('');
  });

  test('is not told where something is not known yet', () => {
    const found = judge(game, [opinion('black', 0.6, 'A2')], null);
    expect(found.map(({ chance, sign }) => [chance, sign])).toEqual([[null, ''], [null, ''], [null, '']]);
    expect(judge(game, [opinion('black', null, 'A2'), opinion('white', 0.1, 'B1')], 1)[0]!.sign).toBe('');
  });
});

test('certainty is kept for what is certain', () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual([0, 1, 50, 99, 100]);
  expect([settled('black'), settled('white'), settled(null)]).toEqual([1, 0, 0.5]);
});
