import { expect, test } from 'vitest';
import { dictionaries } from '../../src/course/dictionaries';
import { levelName, levelOption } from '../../src/parts/seats';
import { en } from '../../src/texts/en';
import { zh } from '../../src/texts/zh';

const chinese = /[\u4e00-\u9fff]/;
/** Texts that are the same in both languages. */
const same = new Set(['engineCode']);

test('both dictionaries have the same keys, of the same kind', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof typeof en)[]) expect(typeof zh[key], key).toBe(typeof en[key]);
});

test('Chinese is Chinese and English is English', () => {
  for (const [key, text] of Object.entries(en)) expect(chinese.test(String(text)), key).toBe(false);
  for (const [key, text] of Object.entries(zh)) {
    if (!same.has(key) && !['comma', 'semicolon', 'ruleOf', 'aside', 'toldPly'].includes(key) && key !== 'versus' && key !== 'spot' && key !== 'ownedFigure' && key !== 'timeChartWords' && key !== 'nextClick') {
      expect(chinese.test(String(text)), key).toBe(true);
    }
  }
});

test('no text is empty', () => {
  for (const text of [...Object.values(en), ...Object.values(zh)]) expect(String(text).trim()).not.toBe('');
});

test('the course pages speak both languages too', () => {
  const { en: courseEn, zh: courseZh } = dictionaries;
  expect(Object.keys(courseZh).sort()).toEqual(Object.keys(courseEn).sort());
  for (const [key, text] of Object.entries(courseEn)) expect(chinese.test(String(text)), key).toBe(false);
  for (const [key, text] of Object.entries(courseZh)) {
    if (!['playing', 'timeOfPly', 'languageMissing'].includes(key)) expect(chinese.test(String(text)), key).toBe(true);
  }
});

test('built-in players are named by what they are', () => {
  const words = (phrase: { en: string; zh: string }) => phrase.en;
  expect(levelOption({ id: '3', text: { en: 'level 3: a casual player', zh: '3 级：业余爱好者' } }, words)).toBe('Level 3: a casual player');
  expect(levelOption({ id: 'greedy', text: { en: 'no look-ahead', zh: '贪心' } }, words)).toBe('greedy · no look-ahead');
  expect(levelName('3', zh)).toBe('boyi 3 级');
  expect(levelName('max', en)).toBe('boyi max');
  expect([levelName('greedy', zh), levelName('greedy', en)]).toEqual(['boyi 贪心', 'boyi greedy']);
});
