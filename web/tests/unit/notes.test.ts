import { beforeEach, expect, test, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import type { Piece, Scene, Setup, Side, Step, View } from '../../src/api/types';
import { turned } from '../../src/board/geometry';
import { Notes, origins } from '../../src/board/notes.svelte';
import { plyNumbers, type Moment } from '../../src/board/scene';
import { readable, spotNames, toldWords } from '../../src/board/words';
import { readPlacement, writePlacement } from '../../src/parts/placement';
import { en } from '../../src/texts/en';

const views = JSON.parse(readFileSync(new URL('../fixtures/views.json', import.meta.url), 'utf8')) as Record<string, View>;

const back = (spot: number, side: Side = 'white'): Piece => ({ spot, figure: 'back', side });
const moment = (...pieces: Piece[]): Moment => ({
  scene: { to_move: 'black', plies: 0, verdict: null, pieces, marks: [], last: [], notes: [] } satisfies Scene,
  step: null,
});

/** The browser's storage. */
const kept = vi.hoisted(() => new Map<string, string>());
vi.mock('../../src/settings.svelte', () => ({
  recall: (key: string) => kept.get(key) ?? null,
  remember: (key: string, value: string) => void kept.set(key, value),
}));
beforeEach(() => kept.clear());

test('a piece keeps its origin while it moves, takes and others are taken around it', () => {
  const game = [
    moment(),
    moment(back(1), back(2), back(3), back(9, 'black')),
    // 2 moves to 5, and on to take the piece on 9.
    moment(back(1), back(5), back(3), back(9, 'black')),
    moment(back(1), back(9), back(3)),
    // What stood on 1 moves to where 2 began: it is still the piece from 1.
    moment(back(2), back(9), back(3)),
  ];
  expect([...origins(game)]).toEqual([[2, 1], [9, 2], [3, 3]]);
  // An enemy of it takes it: the place is another piece's now.
  const taken = [...game.slice(0, 3), moment(back(1), back(5), back(3), back(9, 'black')), moment(back(1), back(3), back(5, 'black'))];
  expect(origins(taken).get(5)).toBe(9);
});

test('notes are kept by room, follow their piece, and are shown on backs only', () => {
  const marshal = { en: 'FM', zh: '司令' };
  const notes = new Notes('a');
  notes.write(2, marshal);
  const where = new Map([[9, 2], [3, 3]]);
  expect([...new Notes('a').on(where, [back(9), back(3)])]).toEqual([[9, marshal]]);
  expect(new Notes('b').on(where, [back(9)]).size).toBe(0);
  expect(new Notes('a').on(where, [{ ...back(9), figure: 'tile' }]).size).toBe(0);
  new Notes('a').write(2, null);
  expect(new Notes('a').on(where, [back(9)]).size).toBe(0);
});

test('the notes of old games are forgotten, those of this one never', () => {
  for (let room = 0; room < 50; room++) new Notes(`r${room}`).write(1, { en: '?', zh: '?' });
  const rooms = Object.keys(JSON.parse(kept.get('boyi-notes') ?? '{}') as object);
  expect(rooms).toHaveLength(30);
  expect(rooms.at(-1)).toBe('r49');
});

test('a board that is turned twice is the same board, and its spots keep their names', () => {
  for (const [game, { geometry }] of Object.entries(views)) {
    const once = turned(geometry);
    const twice = turned(once);
    const close = (one: number, two: number) => expect(Math.abs(one - two), game).toBeLessThan(1e-4);
    geometry.spots.forEach((spot, index) => {
      expect(once.spots[index]!.name).toBe(spot.name);
      close(twice.spots[index]!.x, spot.x);
      close(twice.spots[index]!.y, spot.y);
    });
    // What was at the top left is at the bottom right, and every place has a spot again.
    const places = (spots: typeof geometry.spots) => spots.filter(({ kind }) => kind !== 'button').map(({ x, y }) => `${Math.round(x * 100)} ${Math.round(y * 100)}`).sort();
    expect(places(once.spots), game).toEqual(places(geometry.spots));
    expect(once.labels.map((label) => label.text), game).toEqual(geometry.labels.map((label) => label.text));
  }
});

test('chains are cut into their lines, other plies stay as they are written', () => {
  const names = spotNames(views['dots']!.geometry);
  const lines = [...names.keys()].filter((name) => names.get(name));
  expect(readable(lines.slice(0, 2).join(''), names)).toBe(lines.slice(0, 2).join(' '));
  expect(readable(lines.slice(0, 9).join(''), names)).toBe(`${lines.slice(0, 3).join(' ')} … ${lines[8]} ×9`);
  const amazons = spotNames(views['amazons']!.geometry);
  expect(readable('GJGCHC', amazons)).toBe('GJGCHC');
  expect(readable('pass', amazons)).toBe('pass');
  expect(readable('7,7', new Map())).toBe('7,7');
});

test('what came of a step is said with the pieces these eyes know', () => {
  const sides: View['sides'] = [{ en: 'Red', zh: '红方' }, { en: 'Black', zh: '黑方' }];
  const step: Step = {
    mover: 'black',
    ply: 'G0F0',
    end: 'played',
    remarks: [{ code: 'both-gone', text: { en: 'both are gone', zh: '同归于尽' } }],
    gone: [{ spot: 1, figure: 'tile', side: 'black', label: { en: 'Capt', zh: '连长' } }, back(2)],
  };
  const words = (one: Step) => toldWords(one, views['amazons']!.geometry, sides, en, (phrase) => phrase.en);
  expect(words(step)).toBe('both are gone (Red Capt)');
  expect(words({ ...step, gone: [back(2)] })).toBe('both are gone');
  expect(words({ ...step, gone: [{ spot: 0, figure: 'stone', side: 'white' }] })).toBe('both are gone (AA)');
  expect(words({ mover: 'black', ply: 'G0F0', end: 'played' })).toBe('');
});

test('a set-up is written as text and read again, and nothing else is', () => {
  const label = { en: 'x', zh: 'x' };
  const setup: Setup = {
    tiles: [{ id: 'a', label, count: 2 }, { id: 'l', label, count: 1 }],
    spots: [{ spot: 7, allowed: ['a'] }, { spot: 3, allowed: ['a', 'l'] }, { spot: 5, allowed: ['a', 'l'] }],
    suggestion: {},
  };
  const placement = new Map([[3, 'l'], [5, 'a'], [7, 'a']]);
  expect(writePlacement(setup, placement)).toBe('ala');
  expect(readPlacement(setup, ' ALA\n')).toEqual(placement);
  for (const wrong of ['', 'al', 'alaa', 'laa', 'aaa', 'axa']) expect(readPlacement(setup, wrong), wrong).toBeNull();
});

test('tries that were refused are no plies, wherever a game began', () => {
  const step = (end: Step['end']): Step => ({ mover: 'black', ply: 'AA', end });
  const steps = [step('played'), step('refused'), step('refused'), step('played')];
  expect(plyNumbers(steps, 2)).toEqual([0, 1, 1, 1, 2]);
  expect(plyNumbers(steps, 17)).toEqual([15, 16, 16, 16, 17]);
  expect(plyNumbers([], 4)).toEqual([4]);
});
