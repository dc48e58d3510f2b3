import { afterEach, expect, test, vi } from 'vitest';
import { ContestSession } from '../../src/course/contest.svelte';

afterEach(() => vi.unstubAllGlobals());

test('a change that is told while a table is on its way brings another table', async () => {
  const answers: ((players: number) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise((resolve) => answers.push((players) => resolve(new Response(JSON.stringify({ players }))))));
  const session = new ContestSession('c');
  const first = session.table();
  // Told twice: both are in the next table.
  void session.table();
  void session.table();
  expect(answers.length).toBe(1);
  answers[0]!(1);
  await vi.waitFor(() => expect(answers.length).toBe(2));
  answers[1]!(2);
  await first;
  expect(session.scoreboard?.players).toBe(2);
  expect(answers.length).toBe(2);
});
