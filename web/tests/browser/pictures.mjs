/** `npm run pictures [folder]`: every page in both languages and themes, as pictures for the documentation and for looking at. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Visitor, launch, settled } from './browser.mjs';
import { courseScene } from './course-scene.mjs';
import { act, dice, playOut, startAgainst } from './play.mjs';
import { Server } from './server.mjs';

const [folder = fileURLToPath(new URL('../../../docs/images/web', import.meta.url)), format = 'webp', only = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const server = await Server.start();
const browser = await launch();

/** A person in the middle of games, whose pages are worth a picture. */
const player = await Visitor.come(browser, server.base, { lang: 'zh' });
const { page } = player;

async function some(clicks, seed) {
  const roll = dice(seed);
  for (let done = 0; done < clicks; ) {
    const did = await act(page, roll);
    if (did === 'over') break;
    if (did === 'clicked') done++;
    else await page.waitForTimeout(30);
  }
  await page.waitForTimeout(300);
}

const rooms = {};
const make = (game, black, white) =>
  page.evaluate(
    async ([game, black, white]) => {
      const seat = (level) => ({ kind: 'builtin', level });
      const wish = { game, time: null, seats: { black: seat(black), white: seat(white) }, public: true };
      const answer = await fetch('/api/rooms', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish) });
      return (await answer.json()).room.id;
    },
    [game, black, white],
  );

if (only === '' || only.split(',').some((name) => !name.startsWith('course-'))) {
  rooms.setup = await startAgainst(page, 'junqi', 'random');
  rooms.junqi = await startAgainst(page, 'junqi', 'greedy');
  await some(31, 8);
  rooms.amazons = await startAgainst(page, 'amazons', 'random');
  await some(37, 4);
  rooms.surakarta = await startAgainst(page, 'surakarta', 'random');
  await some(20, 4);
  rooms.phantom = await startAgainst(page, 'phantom-go', 'greedy');
  await some(24, 4);
  rooms.gomoku = await startAgainst(page, 'gomoku', 'greedy');
  await playOut(page, { seed: 5 });
  rooms.dots = await startAgainst(page, 'dots', 'greedy');
  await playOut(page, { seed: 5 });
  rooms.hint = await startAgainst(page, 'surakarta', '2');
  await some(8, 3);
  rooms.analysis = await make('gomoku', '2', '1');
  while ((await server.get(`/api/rooms/${rooms.analysis}`)).state !== 'finished') await page.waitForTimeout(500);
}

/** What one does on a page before its picture is worth taking. */
const before = {
  async replay(page) {
    await page.fill('textarea', record);
    await page.click('.load .strong');
    await page.waitForSelector('.show svg');
    await page.keyboard.press('End');
  },
  async 'room-hint'(page) {
    await page.waitForSelector('[data-act="hint"]:not([disabled])');
    await page.keyboard.press('h');
    await page.waitForSelector('[data-advice]', { state: 'attached' });
  },
  async 'room-analysis'(page) {
    await page.click('[data-act="analyse"]');
    await page.waitForFunction(() => document.querySelector('.chart') && !document.querySelector('progress'));
    await page.click('.bad li button');
  },
  async 'course-game'(page) {
    await page.click('#tab-times');
  },
};

const record = '(;GM[4]FF[4]SZ[15]RU[renju]PB[张三]PW[李四];B[hh];W[hg];B[ig];W[if];B[jf];W[gi];B[ih];W[gh];B[gg];W[jg])';
const shots = [
  ['home', '/'],
  ['game', '/games/amazons'],
  ['game-levels', '/games/tiaojia'],
  ['room', `/room/${rooms.amazons}`],
  ['room-surakarta', `/room/${rooms.surakarta}`],
  ['room-phantom-go', `/room/${rooms.phantom}`],
  ['room-junqi', `/room/${rooms.junqi}`],
  ['room-finished', `/room/${rooms.gomoku}`],
  ['room-dots', `/room/${rooms.dots}`],
  ['room-hint', `/room/${rooms.hint}`],
  ['room-analysis', `/room/${rooms.analysis}`],
  ['setup', `/room/${rooms.setup}`],
  ['replay', '/replay'],
  ['api', '/api'],
  ['about', '/about'],
  ['not-found', '/nowhere'],
].filter(([name]) => only === '' || only.split(',').includes(name));

const cookies = await player.context.cookies();
for (const [width, height] of only || format !== 'webp' ? [[1280, 860], [375, 760], [1920, 1080]] : [[1280, 860], [375, 760]]) {
  for (const lang of ['zh', 'en']) {
    for (const theme of ['light', 'dark']) {
      const visitor = await Visitor.come(browser, server.base, { lang, theme, width, height });
      await visitor.context.addCookies(cookies);
      const devtools = await visitor.context.newCDPSession(visitor.page);
      for (const [name, path] of shots) {
        // Phones: one language and theme of each is enough to see the layout.
        if (format === 'webp' && width !== 1280 && (lang !== 'zh' || theme !== 'light')) continue;
        // The first page is alive: fresh games, a few plies old.
        if (path === '/') {
          for (const game of ['connect6', 'nogo', 'tiaojia', 'amazons', 'surakarta', 'dots']) await make(game, 'greedy', 'random');
          await page.waitForTimeout(2000);
        }
        await visitor.page.goto(path);
        // A picture of a page that is still on its way shows nothing.
        const there = path.startsWith('/room/') ? (name === 'setup' ? '[data-ready]:not([disabled])' : 'ol li .mono') : path === '/' ? '.live svg' : path.startsWith('/games/') ? 'article svg' : 'h1';
        await visitor.page.waitForSelector(there);
        await before[name]?.(visitor.page);
        await settled(visitor.page);
        // On a phone what was found is further down than the board.
        await visitor.page.evaluate((deep) => scrollTo(0, deep ? scrollY + document.querySelector('.chart').getBoundingClientRect().top - 330 : 0), name === 'room-analysis' && width < 600);
        await visitor.page.waitForTimeout(400);
        const { data } = await devtools.send('Page.captureScreenshot', format === 'webp' ? { format, quality: 82 } : { format });
        const size = width === 1280 ? '' : `-${width}`;
        writeFileSync(`${folder}/${name}${size}-${lang}-${theme}.${format}`, Buffer.from(data, 'base64'));
      }
      await visitor.leave();
    }
  }
}

// The pages of a course, with the real judge.
const wanted = ['contests', 'scoreboard', 'submission', 'losses', 'game', 'cross', 'manage', 'accounts'].map((name) => `course-${name}`).filter((name) => only === '' || only.split(',').includes(name));
const scene = wanted.length > 0 ? await courseScene(browser) : null;
if (wanted.length > 0 && !scene) console.log('no judge runs here: no pictures of the course pages');
if (scene) {
  const { contest, failed, game } = scene;
  const courses = [
    ['student', 'course-contests', '/contests', 'h2 a'],
    ['student', 'course-scoreboard', `/contests/${contest}`, '#scoreboard'],
    ['student', 'course-submission', `/submissions/${failed}`, '[data-part="messages"]'],
    ['student', 'course-losses', `/contests/${contest}/losses`, 'main section li'],
    ['student', 'course-game', game, '.result'],
    ['admin', 'course-cross', `/contests/${contest}/cross`, 'td a'],
    ['admin', 'course-manage', `/contests/${contest}/admin`, '[data-act="lock"]'],
    ['admin', 'course-accounts', '/accounts', 'tbody tr td.mono'],
  ].filter(([, name]) => wanted.includes(name));
  for (const [width, height, lang, theme] of [[1280, 860, 'zh', 'light'], [1280, 860, 'zh', 'dark'], [1280, 860, 'en', 'light'], [1280, 860, 'en', 'dark'], [375, 760, 'zh', 'light']]) {
    for (const role of ['student', 'admin']) {
      const visitor = await Visitor.come(browser, scene.server.base, { lang, theme, width, height });
      await visitor.context.addCookies(scene.cookies[role]);
      const devtools = await visitor.context.newCDPSession(visitor.page);
      for (const [of, name, path, there] of courses) {
        if (of !== role) continue;
        await visitor.page.goto(path);
        await visitor.page.waitForSelector(there);
        await before[name]?.(visitor.page);
        await settled(visitor.page);
        await visitor.page.waitForTimeout(400);
        const { data } = await devtools.send('Page.captureScreenshot', format === 'webp' ? { format, quality: 82 } : { format });
        writeFileSync(`${folder}/${name}${width === 1280 ? '' : `-${width}`}-${lang}-${theme}.${format}`, Buffer.from(data, 'base64'));
      }
      await visitor.leave();
    }
  }
  await scene.server.stop();
}
await browser.close();
await server.stop();
