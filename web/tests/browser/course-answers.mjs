/** Answers of a course judge as the contract words them, for looking at the pages of a course without waiting for compilers and games. */

const at = Date.UTC(2026, 10, 16, 2, 0, 0);
const minute = 60_000;
const names = ['深蓝', 'AlphaBeta', '小明的棋', '<b>kim</b>', '不服再战', 'greedy++', '一步三回头', 'Monte Carlo'];
const phrase = (en, zh) => ({ en, zh });

/** The last of them is a built-in player. */
const kind = (index) => (index === names.length - 1 ? 'reference' : 'student');
const rank = (index) => (kind(index) === 'student' ? index + 1 : null);

const brain = (index, version = 1) => ({ account: index + 1, nickname: names[index], kind: kind(index), submission: 100 + index, version });

const account = (role) =>
  ({
    guest: null,
    student: { id: 3, name: '2026001003', person: '王小明', group: '计科 2601', nickname: names[2], role: 'student' },
    assistant: { id: 90, name: 'ta', person: '李助教', group: null, nickname: '助教', role: 'assistant' },
    admin: { id: 91, name: 'teacher', person: '张老师', group: null, nickname: '张老师', role: 'admin' },
  })[role];

const submission = (index, state, more = {}) => ({
  id: 100 + index,
  contest: 'tiaojia-2026',
  account: index + 1,
  nickname: names[index],
  kind: 'student',
  version: 2,
  language: 'cpp',
  file_name: 'brain.cpp',
  bytes: 5321,
  submitted: at - 40 * minute,
  state,
  state_text: phrase('in the ladder', '已进入排行'),
  ahead: null,
  playing: null,
  counts: state === 'ranked',
  failure: null,
  disqualified: null,
  mine: index === 2,
  ...more,
});

const uncompiled = phrase('the program does not compile; the compiler says where', '程序没有通过编译，错误位置见编译器的提示');

const failed = submission(2, 'failed', {
  id: 120,
  version: 1,
  counts: false,
  failure: { code: 'compile', text: uncompiled },
});

const contest = (role) => ({
  id: 'tiaojia-2026',
  title: '挑夹棋大作业',
  game: 'tiaojia',
  variant: {},
  opens: at - 7 * 24 * 60 * minute,
  closes: at + 7 * 24 * 60 * minute,
  phase: 'open',
  locked: null,
  frozen: false,
  players: names.length - 1,
  restricted: true,
  references: ['greedy'],
  audience: role === 'assistant' || role === 'admin' ? { groups: ['计科 2601'], students: ['2026001009'] } : null,
  leader: { nickname: names[0] },
  about: '每人提交一个程序，互相对局，按积分排名。\n规则见棋种页面。',
  rules: {
    positions: [{ plies: [] }, { plies: ['4 0 1'] }],
    rounds: 1,
    games_per_match: 4,
    protocol: null,
    start_ms: 52_000,
    ply_ms: 2000,
    game_ms: 180_000,
    memory_mb: 350,
    cores: 1,
    points: [3, 1, 0],
    languages: ['c', 'cpp', 'python'],
    source_bytes: 1_000_000,
    interval_s: 60,
    machine_s_per_day: 3600,
  },
  visibility: { source: 'own', logs: 'own', games: 'all' },
  scoreboard_minutes: 0,
  announcements: [{ id: 1, at: at - 90 * minute, by: '张老师', text: '周日 22:00 截止，<b>不要</b>卡点提交。' }],
  judge: { level: 'A', workers: 2, building: 1, queued_builds: 2, queued_games: 14, playing: 2 },
  mine:
    role === 'student'
      ? { submission: submission(2, 'playing', { id: 121, version: 3, playing: { done: 5, all: 7 } }), ranked: submission(2, 'ranked'), may_submit: true, why_not: null, next_at: null, machine_ms_today: 600_000, machine_ms_left: 3_000_000 }
      : null,
});

const scoreboard = (role) => ({
  as_of: at,
  live: true,
  frozen: false,
  players: names.length - 1,
  matches_done: 26,
  matches_all: 28,
  rows: names.map((nickname, index) => ({
    rank: rank(index),
    kind: kind(index),
    builtin: kind(index) === 'reference' ? 'greedy' : null,
    against: kind(index) === 'reference' ? [] : [{ reference: 100 + names.length - 1, match: 7, won: 3 - (index % 3), drawn: 0, lost: 1 + (index % 3) }],
    account: index + 1,
    nickname,
    person: role === 'assistant' || role === 'admin' ? `学生${index + 1}` : null,
    group: role === 'assistant' || role === 'admin' ? '计科 2601' : null,
    submission: 100 + index,
    version: (index % 3) + 1,
    language: index % 2 ? 'python' : 'cpp',
    points: 21 - index * 2.5,
    matches: { won: 7 - index, drawn: index % 2, lost: index, left: index === 2 ? 2 : 0 },
    games: { won: 20 - index * 2, drawn: 2, lost: index * 3 },
    difference: 20 - index * 5,
    elo: index === 7 ? { value: -420, lower: null, upper: -180 } : { value: 260 - index * 70, lower: 160 - index * 75, upper: 380 - index * 65 },
    submitted: at - index * minute,
    you: role === 'student' && index === 2,
  })),
});

const match = (state = 'done') => ({
  id: 7,
  contest: 'tiaojia-2026',
  kind: 'ladder',
  state,
  ahead: null,
  one: brain(2, 2),
  two: brain(0, 1),
  games: 4,
  played: 4,
  won: 1,
  drawn: 0,
  lost: 3,
  points: [0, 3],
  created: at - 30 * minute,
  finished: at - 29 * minute,
  trouble: null,
});

const late = { code: 'time-ply', text: phrase('the loser took too long for a ply', '负方一步超时') };
const blocked = { code: 'no-legal-ply', text: phrase('the side to move has no legal ply', '轮到行棋的一方无合法着法') };

const games = [late, blocked, blocked, blocked].map((reason, number) => ({
  match: 7,
  number,
  position: number >> 1,
  black: number % 2 ? brain(0, 1) : brain(2, 2),
  white: number % 2 ? brain(2, 2) : brain(0, 1),
  winner: number === 3 ? 'white' : number % 2 ? 'black' : 'white',
  reason,
  plies: 12 + number,
  ms: 4200,
  at: at - 29 * minute,
  seen: true,
}));

const log = ['0.000 > START 0', '0.004 < OK', '0.010 > TURN', '0.012 < DEBUG depth 4 score -12', '2.013 ! still thinking', ''].join('\n');

let known = null;
/** Frames of a real game, asked of the server that is under test, once. */
const realFrames = (server) => (known ??= playForFrames(server));

async function playForFrames(server) {
  const played = { game: 'tiaojia', seats: { black: { kind: 'builtin', level: 'greedy' }, white: { kind: 'builtin', level: 'random' } }, public: false, time: null };
  const answer = await fetch(`${server.base}/api/rooms`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(played) });
  const { room } = await answer.json();
  for (let tries = 0; tries < 600; tries++) {
    if ((await server.get(`/api/rooms/${room.id}`)).state === 'finished') break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return server.get(`/api/rooms/${room.id}/frames?eyes=all`);
}

/** Puts a course judge before the server, for everybody of this browser context. Gives what was sent to it. */
export async function judge(visitor, server, role) {
  const sent = [];
  const state = { role, contest: contest(role), submitted: false };
  const frames = await realFrames(server);
  const page = (items) => ({ items, next: null });
  const routes = [
    ['GET', /\/api\/me$/, () => ({ guest: state.role === 'guest', name: null, account: account(state.role), course: true })],
    ['POST', /\/api\/sign-in$/, (_, body) => (body.password === 'right password' ? ((state.role = 'student'), (state.contest = contest('student')), { account: account('student') }) : [401, { error: { code: 'wrong-sign-in', message: phrase('The name or the password is wrong.', '账号或密码不对。') } }])],
    ['POST', /\/api\/sign-in\/code$/, (_, body) => (body.code === 'ABCD-EFGH' ? ((state.role = 'student'), (state.contest = contest('student')), { account: account('student') }) : [401, { error: { code: 'wrong-code', message: phrase('The code is wrong, used or too old.', '登录码不对、已用过或已过期。') } }])],
    ['POST', /\/api\/sign-out$/, () => ((state.role = 'guest'), { ok: true })],
    ['GET', /\/api\/account\/sessions$/, () => page([{ id: 1, created: at, seen: at, address: '10.1.2.3', agent: 'Chromium · Linux', current: true }, { id: 2, created: at, seen: at - minute, address: '10.1.2.9', agent: 'Firefox · Windows', current: false }])],
    ['GET', /\/api\/accounts$/, () => page(names.map((nickname, index) => ({ id: index + 1, name: `202600100${index + 1}`, person: `学生${index + 1}`, group: '计科 2601', nickname, role: index === 7 ? 'assistant' : 'student', active: index !== 5, signed_in: index < 4, code_expires: index < 4 ? null : at + 7 * 24 * 60 * minute, created: at })))],
    ['POST', /\/api\/accounts\/import$/, (url) => (url.searchParams.get('dry') ? { added: 2, updated: 1, unchanged: 5, codes: [] } : { added: 2, updated: 1, unchanged: 5, codes: [1, 2].map((n) => ({ name: `202600101${n}`, person: `新同学${n}`, group: '计科 2602', code: `K7QM-4XW${n}`, expires: at + 14 * 24 * 60 * minute })) })],
    ['GET', /\/api\/groups$/, () => [{ name: '计科 2601', members: 8 }, { name: '竞赛队', members: 3 }]],
    ['GET', /\/api\/addresses$/, () => ({ public: null, network: ['http://192.168.1.7:8080', 'http://10.0.0.2:8080'], local_only: false })],
    ['POST', /\/api\/accounts\/\d+\/reset$/, () => ({ code: 'NEW1-CODE', expires: at + 60 * minute })],
    ['GET', /\/api\/languages$/, () => [{ id: 'c', name: phrase('C', 'C'), endings: ['c'], compiler: 'gcc 12.2', missing: null }, { id: 'cpp', name: phrase('C++', 'C++'), endings: ['cpp', 'cc'], compiler: 'g++ 12.2', missing: null }, { id: 'python', name: phrase('Python', 'Python'), endings: ['py'], compiler: 'python 3.11', missing: null }, { id: 'java', name: phrase('Java', 'Java'), endings: ['java'], compiler: null, missing: phrase('not installed here', '本机未安装') }]],
    ['GET', /\/api\/contests$/, () => page([state.contest, { ...state.contest, id: 'amazons', title: 'Amazons, autumn', game: 'amazons', phase: 'closed', leader: null, players: 0 }])],
    ['GET', /\/api\/contests\/tiaojia-2026$/, () => state.contest],
    ['POST', /\/lock$/, (_, body) => ((state.contest = { ...state.contest, locked: body.reason }), { ok: true })],
    ['POST', /\/freeze$/, (_, body) => ((state.contest = { ...state.contest, frozen: body.frozen }), { ok: true })],
    ['POST', /\/contests\/[^/]+\/rejudge$/, () => ({ matches: 28 })],
    ['GET', /\/scoreboard$/, () => scoreboard(state.role)],
    ['GET', /\/cross$/, () => ({ as_of: at, rows: names.map((nickname, index) => ({ account: index + 1, nickname, submission: 100 + index, rank: rank(index), kind: kind(index) })), cells: names.map((_, row) => names.map((_, column) => (row === column ? null : { match: 7, won: row < column ? 3 : 1, drawn: 0, lost: row < column ? 1 : 3, points: row < column ? 3 : 0 }))) })],
    ['GET', /\/history$/, () => ({ points: [7, 5, 6, 3].map((rank, index) => ({ at: at + index, submission: 200 + index, version: index + 1, rank, of: 8, points: 21 - rank * 2 })) })],
    ['GET', /\/losses$/, () => ({ since: at, submission: 102, groups: [{ reason: blocked, count: 3, games: games.slice(1).map((game) => ({ match: 7, number: game.number, opponent: { nickname: names[0], version: 1 }, side: 'black', plies: game.plies, at })) }, { reason: late, count: 1, games: [{ match: 7, number: 0, opponent: { nickname: names[0], version: 1 }, side: 'black', plies: 12, at }] }] })],
    ['POST', /\/contests\/[^/]+\/submissions$/, () => [201, failed]],
    ['GET', /\/contests\/[^/]+\/submissions$/, () => page([submission(2, 'ranked'), failed])],
    ['GET', /\/api\/submissions\/120$/, () => ({ ...failed, compile: { messages: 'brain.cpp: In function ‘int main()’:\nbrain.cpp:12:3: error: ‘retrun’ was not declared in this scope', truncated: false, notes: [phrase('Did you mean return? A word the compiler does not know is often a typing error.', '是不是想写 return？编译器不认识的词多半是拼写错误。')], compiler: 'g++ 12.2', ms: 812, sentence: uncompiled }, trial: null, matches: [] })],
    ['GET', /\/api\/submissions\/\d+$/, () => ({ ...submission(2, 'ranked'), compile: { messages: '', truncated: false, notes: [], compiler: 'g++ 12.2', ms: 1210, sentence: null }, trial: { result: 'passed', findings: [{ severity: 'warning', code: 'slow-start', title: phrase('slow to start', '启动较慢'), stage: 'START', line: 'OK', asked: 'START 0', detail: phrase('It answered after 900 ms.', '900 毫秒后才回答。'), expected: null, mend: phrase('Load tables before reading.', '先加载数据再读输入。') }], log, text: phrase('It won its trial game.', '试赛获胜。') }, matches: [match(), { ...match('queued'), id: 8, two: brain(1), played: 0, won: 0, lost: 0, points: null }] })],
    ['POST', /\/challenge$/, () => [201, { ...match('queued'), kind: 'challenge' }]],
    ['GET', /\/api\/matches\/7$/, () => ({ ...match(), list: games })],
    ['GET', /\/games\/0\/frames$/, () => frames],
    ['GET', /\/games\/0\/log$/, () => log],
    [
      'GET',
      /\/games\/0$/,
      () => ({
        ...games[0],
        game: 'tiaojia',
        variant: {},
        contest: 'tiaojia-2026',
        verdict: { winner: 'white', reason: 'time-ply', ply: frames.frames.length, evidence: { seat: 'black', limit_ms: 2000, measured_ms: 2013, lines: ['> TURN', '< DEBUG depth 4 score -12'] } },
        level: 'A',
        you: 'black',
        talks: ['black'],
        usage: { black: { cpu_ms: 2300, peak_bytes: 12_300_000, clock_ms: 4000 }, white: { cpu_ms: 120, peak_bytes: 3_100_000, clock_ms: 4000 } },
        steps: frames.frames.map((frame, index) => ({ n: index, ...frame.step, ms: 20 + ((index * 37) % 400), stall_ms: null, memory_bytes: 3_000_000 + index * 400_000 })),
        replay: { commands: [{ text: phrase('Play it again with your program', '用你的程序重下这一局'), command: 'boyi play tiaojia --black ./brain --white greedy --time-ply 2s' }] },
      }),
    ],
  ];
  await visitor.context.route('**/api/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (/^\/api\/(games|version|openapi|live|rooms)/.test(url.pathname)) return route.continue();
    if (url.pathname.endsWith('/events')) return route.fulfill({ status: 200, contentType: 'text/event-stream', body: 'retry: 600000\n\n' });
    const found = routes.find(([method, pattern]) => method === request.method() && pattern.test(url.pathname));
    const kind = request.headers()['content-type'] ?? '';
    const body = request.method() === 'POST' && kind.includes('json') ? request.postDataJSON() : null;
    if (request.method() === 'POST') sent.push({ path: url.pathname, query: url.search, body });
    const answer = found ? found[2](url, body) : request.method() === 'POST' ? { ok: true } : [404, { error: { code: 'no-such-path', message: phrase('there is no such path', '没有这个地址') } }];
    if (typeof answer === 'string') return route.fulfill({ status: 200, contentType: 'text/plain', body: answer });
    const [status, value] = Array.isArray(answer) && typeof answer[0] === 'number' ? answer : [200, answer];
    return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(value) });
  });
  // The document is the same for every page; a server without a judge does not know these addresses.
  await visitor.context.route(/^[^?#]*:\d+\/(sign-in|welcome|account|accounts|contests|submissions|matches)(\/|$|\?)/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    return route.fulfill({ response: await route.fetch({ url: `${server.base}/` }) });
  });
  return sent;
}
