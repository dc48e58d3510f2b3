import { expect, test } from 'vitest';
import { base64, compilerName, languageOf } from '../../src/course/source';
import { codesFile, isLocal, offers, onPaper, plainMoment } from '../../src/course/slips';
import { readNames, readStarts, writeStarts } from '../../src/course/starts';

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

test('no slip names an address that only this computer reaches', () => {
  for (const address of ['http://127.0.0.1:8931', 'localhost:8080', 'http://boyi.localhost/', 'http://[::1]:8080', 'http://0.0.0.0:8080']) {
    expect(isLocal(address), address).toBe(true);
  }
  for (const address of ['http://192.168.1.7:8080', 'https://games.example', '10.0.0.127:80', 'localhost.example']) expect(isLocal(address), address).toBe(false);
  const found = { public: null, network: ['http://192.168.1.7:8080', 'http://10.0.0.2:8080'], local_only: false };
  expect(offers(found, 'http://127.0.0.1:8080')).toEqual(found.network);
  expect(offers(found, 'http://10.0.0.2:8080')[0]).toBe('http://10.0.0.2:8080');
  expect(offers({ ...found, public: 'https://games.example' }, 'http://localhost:8080')[0]).toBe('https://games.example');
  expect(offers(null, 'http://localhost:8080')).toEqual([]);
  expect(onPaper('http://192.168.1.7:8080/')).toBe('192.168.1.7:8080/welcome');
  expect(onPaper('https://games.example')).toBe('https://games.example/welcome');
});

test('the file of codes is in one language and a spreadsheet reads it', () => {
  const codes = [{ name: '2351001', person: '张三', group: '一班; 竞赛队', code: 'abcd-efgh', expires: 0 }, { name: '2', person: 'A, "B"', group: null, code: 'x', expires: 0 }];
  const text = codesFile(codes, ['学号', '姓名', '班级', '登录码', '有效期至', '网址'], () => '2026-12-02 20:37', '192.168.1.7:8080/welcome');
  expect(text.split('\r\n')).toEqual([
    '\ufeff学号,姓名,班级,登录码,有效期至,网址',
    '2351001,张三,一班; 竞赛队,abcd-efgh,2026-12-02 20:37,192.168.1.7:8080/welcome',
    '2,"A, ""B""",,x,2026-12-02 20:37,192.168.1.7:8080/welcome',
    '',
  ]);
  expect(plainMoment(Date.UTC(2026, 0, 2, 3, 4) + new Date(Date.UTC(2026, 0, 2)).getTimezoneOffset() * 60_000)).toBe('2026-01-02 03:04');
});

test('student numbers are read as somebody pastes them', () => {
  expect(readNames(' 2351001, 2351002\n2351003；2351001、x ')).toEqual(['2351001', '2351002', '2351003', 'x']);
  expect(readNames('\n')).toEqual([]);
});
