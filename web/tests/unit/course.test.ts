import { expect, test } from 'vitest';
import { base64, languageOf } from '../../src/course/source';
import { readStarts, writeStarts } from '../../src/course/starts';

test('starting positions are written and read again', () => {
  const starts = [
    { position: null, plies: [] },
    { position: null, plies: ['4 0 1', '4 7 6'] },
    { position: 'b 3/3/3', plies: ['A1'] },
  ];
  expect(readStarts(writeStarts(starts))).toEqual(starts);
  expect(readStarts('\n  \nstart\n')).toEqual([{ position: null, plies: [] }]);
});

test('bytes survive, whatever they are and however many', () => {
  const bytes = Uint8Array.from({ length: 300_001 }, (_, index) => (index * 7) & 255);
  expect(base64(bytes) === Buffer.from(bytes).toString('base64')).toBe(true);
  expect(base64(new Uint8Array())).toBe('');
});

test('a file name tells its language, unless that is missing here', () => {
  const languages = [
    { id: 'c', name: 'C', endings: ['c'], compiler: 'gcc', missing: null },
    { id: 'cpp', name: 'C++', endings: ['.cpp', '.cc'], compiler: 'g++', missing: null },
    { id: 'java', name: 'Java', endings: ['java'], compiler: null, missing: { en: 'not here', zh: '没有' } },
  ];
  expect(languageOf('Brain.CPP', languages)).toBe('cpp');
  expect(languageOf('a.b.c', languages)).toBe('c');
  expect(languageOf('Main.java', languages)).toBe(null);
  expect(languageOf('Makefile', languages)).toBe(null);
});
