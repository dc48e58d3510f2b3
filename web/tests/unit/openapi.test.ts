import { expect, test } from 'vitest';
import { operations } from '../../src/parts/openapi';

test('a path is described in both languages, and in English where there is no other', () => {
  const parameters = [{ name: 'ply', in: 'query', description: 'after so many plies', 'x-zh': '若干步之后' }];
  const document = {
    tags: [{ name: 'rooms', 'x-zh': '房间' }],
    paths: { '/api/rooms': { get: { tags: ['rooms'], summary: 'Lists rooms.', 'x-zh': '列出房间。', parameters }, post: { summary: 'Makes a room.' } } },
  };
  const [list, make] = operations(document);
  expect(list?.summary).toEqual({ en: 'Lists rooms.', zh: '列出房间。' });
  expect(list?.tag).toEqual({ en: 'rooms', zh: '房间' });
  expect(list?.parameters[0]?.text).toEqual({ en: 'after so many plies', zh: '若干步之后' });
  expect(make?.summary).toEqual({ en: 'Makes a room.', zh: 'Makes a room.' });
  expect(make?.tag).toEqual({ en: 'api', zh: 'api' });
});
