/**
 * A small course with the real judge, for pictures: students whose programs win, lose, crash, break the rules and do not
 * compile. Nobody runs out of time: on a machine that does other things as well the judge rightly plays such games again.
 */
import { readFileSync } from 'node:fs';
import { Visitor } from './browser.mjs';
import { Server } from './server.mjs';

const starter = readFileSync(new URL('../../../sdk/c/tiaojia.c', import.meta.url), 'utf8');
const search = 'search(&board, me, 3, &best);';
const thinking = (depth, first = '') => starter.replace(search, `static int plies; plies++; ${first} printf("DEBUG ply %d\\n", plies); search(&board, me, ${depth}, &best);`);
const broken = starter.replace('int main(void) {', 'int main(void) {\n    int depth = "three"\n    unknown_function();');

/** Name, nickname, and what was handed in, the last one counting. */
const students = [
  ['2026001001', '陈一鸣', '深蓝', [thinking(3)]],
  ['2026001002', '赵子涵', 'AlphaBeta', [thinking(2)]],
  ['2026001003', '王小明', '小明的棋', [broken, thinking(2, 'if (plies > 14) abort();')]],
  ['2026001004', '李小红', '<b>kim</b>', [thinking(1)]],
  ['2026001005', '孙浩然', '一步三回头', [thinking(1)]],
  ['2026001006', '周雨桐', '不服再战', [thinking(2, 'if (plies > 16) { printf("9 9 9\\n"); fflush(stdout); continue; }')]],
];
const password = 'a quite long password';

/** Does what a page would do, as whoever is signed in there. */
const post = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
    [path, body],
  );

const get = (page, path) => page.evaluate((path) => fetch(path).then((answer) => answer.json()), path);

async function comes(browser, server, name, code, nickname) {
  const visitor = await Visitor.come(browser, server.base, { lang: 'zh' });
  await visitor.page.goto('/about');
  await post(visitor.page, '/api/sign-in/code', { name, code, password, nickname });
  return visitor;
}

/** The server, the cookies of teacher and student, and the addresses worth a picture; nothing where no judge runs. */
export async function courseScene(browser) {
  const server = await Server.start({ judge: true });
  const teacher = await comes(browser, server, 'admin', await server.adminCode(), '张老师');
  let compiler = null;
  for (let tries = 0; tries < 600 && !compiler; tries++) {
    compiler = (await server.get('/api/languages')).find((one) => one.id === 'c17' && (one.compiler || one.missing));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (!compiler?.compiler) {
    await teacher.leave();
    await server.stop();
    return null;
  }
  const { page } = teacher;
  const contest = 'tiaojia-2026';
  const day = 24 * 3600 * 1000;
  await post(page, '/api/contests', {
    id: contest,
    title: '挑夹棋大作业',
    game: 'tiaojia',
    about: '每人提交一个程序，互相对局，按积分排名。\n规则见棋种页面。',
    opens: Date.now() - 7 * day,
    closes: Date.now() + 7 * day,
    rules: { interval_s: 0 },
  });
  await post(page, `/api/contests/${contest}/announce`, { text: '周日 22:00 截止，请不要卡点提交。' });
  let shown = null;
  let failed = null;
  for (const [name, person, nickname, sources] of students) {
    const { code } = await post(page, '/api/accounts', { name, person, group: '计科 2601', role: 'student' });
    console.log(`the course: ${nickname} hands in`);
    const student = await comes(browser, server, name, code, nickname);
    for (const source of sources) {
      const { id } = await post(student.page, `/api/contests/${contest}/submissions`, { language: 'c17', file_name: 'brain.c', source_base64: Buffer.from(source).toString('base64') });
      if (source === broken) failed = id;
      for (let state = ''; !['ranked', 'failed', 'playing'].includes(state); ) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        ({ state } = await get(student.page, `/api/submissions/${id}`));
      }
    }
    if (nickname === '小明的棋') shown = student;
    else await student.leave();
  }
  // Until everything is played.
  for (let left = Infinity; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { matches_done, matches_all } = await get(page, `/api/contests/${contest}/scoreboard`);
    if (matches_all - matches_done < left) console.log(`the course: ${matches_done} of ${matches_all} matches are played`);
    left = matches_all - matches_done;
  }
  const { groups } = await get(shown.page, `/api/contests/${contest}/losses`);
  const [lost] = groups.flatMap((group) => group.games);
  const cookies = { student: await shown.context.cookies(), admin: await teacher.context.cookies() };
  await shown.leave();
  await teacher.leave();
  return { server, cookies, contest, failed, game: `/matches/${lost.match}/games/${lost.number}` };
}
