import { describe, expect, test } from 'vitest';
import type { Clicks, Geometry, Piece } from '../../src/api/types';
import { back, forward, options, plies, ply, preview, start, unknown, wantsConfirmation } from '../../src/board/walk';
import { amazon, geometry } from './row';

const tree: Clicks = {
  complete: true,
  tree: [
    { spot: 0, next: [{ spot: 1, next: [{ spot: 0, ply: 'A' }, { spot: 2, ply: 'B' }] }] },
    { spot: 3, ply: 'C' },
  ],
};

describe('a walk', () => {
  test('goes forward and back, level by level', () => {
    let walk = start(tree);
    expect(options(walk).map((click) => click.spot)).toEqual([0, 3]);
    expect(ply(walk)).toBeNull();
    walk = forward(walk, tree.tree[0]!);
    expect(options(walk).map((click) => click.spot)).toEqual([1]);
    walk = forward(walk, options(walk)[0]!);
    walk = forward(walk, options(walk)[1]!);
    expect(ply(walk)).toBe('B');
    expect(options(walk)).toEqual([]);
    walk = back(back(walk));
    expect(options(walk).map((click) => click.spot)).toEqual([1]);
    expect(back(back(back(walk))).path).toEqual([]);
  });

  test('asks for what an incomplete tree does not say, even where a ply is complete', () => {
    const walk = start({ complete: false, tree: [{ spot: 0, ply: 'A' }] });
    expect(unknown(walk, walk.levels[0]![0]!)).toBe(true);
    expect(unknown(start(tree), tree.tree[1]!)).toBe(false);
    const further = forward(walk, walk.levels[0]![0]!, [{ spot: 1, ply: 'AB' }]);
    expect(ply(further)).toBe('A');
    expect(options(further)).toHaveLength(1);
  });

  test('lists the plies, but not more than wanted', () => {
    expect(plies(tree.tree, 10)).toEqual(['A', 'B', 'C']);
    expect(plies(tree.tree, 2)).toEqual(['A', 'B']);
  });
});

describe('a preview', () => {
  test('lifts, moves and shoots, also at the square that was left', () => {
    expect(preview(geometry, [amazon], [0], 'black').lifted).toEqual(amazon);
    const { pieces, lifted } = preview(geometry, [amazon], [0, 1, 0], 'black');
    expect(lifted).toBeNull();
    expect(pieces).toEqual([
      { spot: 1, figure: 'amazon', side: 'black' },
      { spot: 0, figure: 'arrow', side: null, ghost: true },
    ]);
  });

  test('puts stones of the mover and lines where edges are', () => {
    expect(preview(geometry, [], [2, 3], 'white').pieces.map((piece) => [piece.spot, piece.figure, piece.side])).toEqual([
      [2, 'stone', 'white'],
      [3, 'stone', 'white'],
    ]);
    const edges: Geometry = { ...geometry, spots: [{ name: 'E', kind: 'vertical-edge', x: 0, y: 0 }] };
    expect(preview(edges, [], [0], 'white').pieces[0]).toMatchObject({ figure: 'line' });
  });

  test('moves onto an enemy', () => {
    const enemy: Piece = { spot: 2, figure: 'stone', side: 'white' };
    const mine: Piece = { spot: 0, figure: 'stone', side: 'black' };
    expect(preview(geometry, [mine, enemy], [0, 2], 'black').pieces).toEqual([{ spot: 2, figure: 'stone', side: 'black' }]);
  });
});

describe('a confirmation', () => {
  const walked = (...spots: number[]) => ({ path: spots.map((spot) => ({ spot, ply: 'X' })), levels: [...spots.map(() => []), []], complete: true });
  test('is asked for on touch, for placements of several stones and for three clicks', () => {
    expect(wantsConfirmation(walked(1), [], false)).toBe(false);
    expect(wantsConfirmation(walked(1), [], true)).toBe(true);
    expect(wantsConfirmation(walked(1, 2), [], false)).toBe(true);
    expect(wantsConfirmation(walked(0, 2), [amazon], false)).toBe(false);
    expect(wantsConfirmation(walked(0, 2, 0), [amazon], false)).toBe(true);
  });
  test('is asked for where the ply could go on', () => {
    expect(wantsConfirmation({ ...walked(1), levels: [[], [{ spot: 2 }]] }, [], false)).toBe(true);
  });
});
