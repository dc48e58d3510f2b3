import { expect, test } from 'vitest';
import type { GameInfo } from '../../src/api/types';
import { carried, carry } from '../../src/parts/carried';
import { presetOf, ruleWords, timeWords, usualVariant } from '../../src/parts/rules';
import { en } from '../../src/texts/en';
import { zh } from '../../src/texts/zh';

const same = (text: string) => ({ en: text, zh: text });
const game = {
  board: same('9×9'),
  defaults: { variant: { size: 0, tie: 'white' } },
  options: [
    { key: 'size', values: '', name: { en: 'Board', zh: '棋盘' }, text: same(''), control: { kind: 'number', least: 5, most: 9, step: 1, zero: same('as usual') } },
    { key: 'tie', values: '', name: { en: 'Ties', zh: '平分' }, text: same(''), control: { kind: 'choice', values: [{ value: 'white', name: same('W') }, { value: 'draw', name: { en: 'a draw', zh: '和棋' } }] } },
  ],
  presets: [{ id: 'small', name: { en: 'small', zh: '小棋盘' }, variant: { size: 7, tie: 'white' } }],
} as unknown as GameInfo;

test('a variant is told by its name, or by what is not as usual', () => {
  const say = (phrase: { en: string; zh: string }) => phrase.zh;
  expect(usualVariant(game)).toEqual({ size: 7, tie: 'white' });
  expect(presetOf(game, { tie: 'white', size: 7 })?.id).toBe('small');
  expect(ruleWords(game, { size: 7, tie: 'white' }, say, zh)).toBe('小棋盘');
  expect(ruleWords(game, { size: 8, tie: 'draw' }, say, zh)).toBe('棋盘：8；平分：和棋');
  expect(ruleWords(game, { size: 0, tie: 'white' }, say, zh)).toBe('9×9');
});

test('a clock is told in words', () => {
  expect(timeWords(null, zh)).toBe('不限时');
  expect(timeWords({ ply_ms: null, game_ms: null, increment_ms: null }, en)).toBe('No clock');
  expect(timeWords({ game_ms: 600_000, increment_ms: 5000 }, en)).toBe('10 min + 5 s a ply');
  expect(timeWords({ game_ms: 90_000 }, zh)).toBe('每方 1.5 分钟');
  expect(timeWords({ ply_ms: 30_000 }, en)).toBe('30 s for each ply');
});

test('a link carries a record and gives it back; a cut one gives nothing', async () => {
  const record = { game: 'gomoku', plies: Array.from({ length: 60 }, (_, at) => ({ ply: `${at % 15},${at % 7}`, ms: at })), names: '安 & Bob' };
  const hash = await carry(record);
  expect(hash).toMatch(/^#record=[\w-]+$/);
  expect(hash.length).toBeLessThan(1200);
  expect(JSON.parse((await carried(hash))!)).toEqual(record);
  expect(await carried(hash.slice(0, -40))).toBe(null);
  expect(await carried('#bring')).toBe(null);
  expect(await carry({ long: Array.from({ length: 40_000 }, () => Math.random()) })).toBe('');
});
