import { expect, test } from 'vitest';
import { base64, compilerName, languageOf } from '../../src/course/source';
import { readStarts, writeStarts } from '../../src/course/starts';

test('starting positions are written and read again', () => {
  const starts = [{ plies: [] }, { plies: ['4 0 1', '4 7 6'] }, { plies: ['A7D7G7'] }, { plies: [], position: '8/8/8 b 0' }];
  expect(readStarts(writeStarts(starts))).toEqual(starts);
  expect(readStarts('\n  \nstart\n')).toEqual([{ plies: [] }]);
});

test('bytes survive, whatever they are and however many', () => {
  const bytes = Uint8Array.from({ length: 300_001 }, (_, index) => (index * 7) & 255);
  expect(base64(bytes) === Buffer.from(bytes).toString('base64')).toBe(true);
  expect(base64(new Uint8Array())).toBe('');
});

test('a file name tells its language, unless that is missing here', () => {
  const languages = [
    { id: 'c', name: { en: 'C', zh: 'C' }, endings: ['c'], compiler: 'gcc', missing: null },
    { id: 'cpp', name: { en: 'C++', zh: 'C++' }, endings: ['.cpp', '.cc'], compiler: 'g++', missing: null },
    { id: 'java', name: { en: 'Java', zh: 'Java' }, endings: ['java'], compiler: null, missing: { en: 'not here', zh: '没有' } },
  ];
  expect(languageOf('Brain.CPP', languages)).toBe('cpp');
  expect(languageOf('a.b.c', languages)).toBe('c');
  expect(languageOf('Main.java', languages)).toBe(null);
  expect(languageOf('Makefile', languages)).toBe(null);
});

test('a compiler is named without its packager', () => {
  expect(compilerName('gcc (Debian 12.2.0-14+deb12u1) 12.2.0')).toBe('gcc 12.2.0');
  expect(compilerName(null)).toBe('');
});
