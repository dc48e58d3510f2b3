import { expect, test } from 'vitest';
import { en } from '../../src/texts/en';
import { zh } from '../../src/texts/zh';

const chinese = /[\u4e00-\u9fff]/;
/** Texts that are the same in both languages. */
const same = new Set(['engineCode', 'seatBuiltin']);

test('both dictionaries have the same keys, of the same kind', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof typeof en)[]) expect(typeof zh[key], key).toBe(typeof en[key]);
});

test('Chinese is Chinese and English is English', () => {
  for (const [key, text] of Object.entries(en)) expect(chinese.test(String(text)), key).toBe(false);
  for (const [key, text] of Object.entries(zh)) {
    if (!same.has(key) && key !== 'comma' && key !== 'versus' && key !== 'spot' && key !== 'ownedFigure' && key !== 'timeChartWords' && key !== 'nextClick') {
      expect(chinese.test(String(text)), key).toBe(true);
    }
  }
});

test('no text is empty', () => {
  for (const text of [...Object.values(en), ...Object.values(zh)]) expect(String(text).trim()).not.toBe('');
});
