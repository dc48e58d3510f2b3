import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Frame, Piece, View } from '../../src/api/types';
import { extent, nearest, neighbour, wood } from '../../src/board/geometry';
import { after, moments } from '../../src/board/scene';
import { carry, type Token } from '../../src/board/tokens';

const views = JSON.parse(readFileSync(new URL('../fixtures/views.json', import.meta.url), 'utf8')) as Record<string, View>;
const games = Object.keys(views);

const stone = (spot: number, side: 'black' | 'white'): Piece => ({ spot, figure: 'stone', side });

describe('tokens', () => {
  const first = () => {
    let id = 0;
    const next = () => ++id;
    return { next, tokens: carry([], [stone(0, 'black'), stone(5, 'white')], next) };
  };
  const ids = (tokens: Token[]) => Object.fromEntries(tokens.map((token) => [token.spot, token.id]));

  test('keep their identity when they move, and lose it when they are taken', () => {
    const { next, tokens } = first();
    const moved = carry(tokens, [stone(5, 'black')], next);
    expect(ids(moved)).toEqual({ 5: ids(tokens)[0] });
  });

  test('new stones are new, old ones stay', () => {
    const { next, tokens } = first();
    const more = carry(tokens, [stone(0, 'black'), stone(5, 'white'), stone(9, 'black')], next);
    expect(ids(more)).toEqual({ 0: 1, 5: 2, 9: 3 });
  });

  test('a stone that changes its owner is another one', () => {
    const { next, tokens } = first();
    expect(ids(carry(tokens, [stone(0, 'black'), stone(5, 'black')], next))[5]).toBe(3);
  });

  test('a piece that is turned over stays the same', () => {
    const { next } = first();
    const back = carry([], [{ spot: 1, figure: 'back', side: 'white' }], next);
    const face = carry(back, [{ spot: 1, figure: 'tile', side: 'white', label: { en: 'Flag', zh: '军旗' } }], next);
    expect(face[0]!.id).toBe(back[0]!.id);
  });
});

describe('frames', () => {
  const frame = (n: number, part: Partial<Frame>): Frame => ({ n, plies: n, to_move: 'white', set: [], clear: [], marks: [], last: [], notes: [], ...part });

  test('clear first, then set', () => {
    const view = { ...views['nogo']!, pieces: [stone(0, 'black'), stone(5, 'white')] };
    const scene = after(view, frame(1, { clear: [0, 5], set: [stone(5, 'black')] }));
    expect(scene.pieces).toEqual([stone(5, 'black')]);
    expect(scene.verdict).toBeNull();
  });

  test('give every moment, the first view included', () => {
    const view = { ...views['nogo']!, pieces: [] };
    const all = moments({ view, frames: [frame(1, { set: [stone(1, 'black')] }), frame(2, { set: [stone(2, 'white')] })] });
    expect(all.map((moment) => moment.scene.pieces.length)).toEqual([0, 1, 2]);
  });
});

describe.each(games)('the board of %s', (game) => {
  const { geometry } = views[game]!;
  const spots = geometry.spots.map((spot, index) => ({ spot, index })).filter(({ spot }) => spot.kind !== 'button' && spot.kind !== 'box');

  test('holds every spot, and room for coordinates', () => {
    const inner = wood(geometry);
    const outer = extent(geometry, true);
    for (const { spot } of spots) {
      expect(spot.x).toBeGreaterThan(inner.left);
      expect(spot.y).toBeLessThan(inner.bottom);
    }
    expect(outer.left).toBeLessThan(inner.left);
    expect(outer.top).toBeLessThan(inner.top);
  });

  test('a click on a spot means that spot', () => {
    const all = spots.map(({ index }) => index);
    for (const { spot, index } of spots) expect(nearest(geometry.spots, all, spot.x, spot.y)).toBe(index);
    expect(nearest(geometry.spots, all, -50, -50)).toBeNull();
  });

  test('every spot can be reached with the arrow keys', () => {
    const reached = new Set([spots[0]!.index]);
    const queue = [...reached];
    while (queue.length > 0) {
      const from = queue.pop()!;
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const to = neighbour(geometry.spots, from, direction);
        if (!reached.has(to)) {
          reached.add(to);
          queue.push(to);
        }
      }
    }
    expect(reached.size).toBe(spots.length);
  });
});
