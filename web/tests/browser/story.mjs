/** A course from its first list to a lost game that is understood, in a browser, with the real judge. */
import { readFileSync } from 'node:fs';
import { Visitor, assert } from './browser.mjs';
import { Server } from './server.mjs';

const starter = readFileSync(new URL('../../../sdk/c/tiaojia.c', import.meta.url), 'utf8');
const main = 'int main(void) {';
const search = 'search(&board, me, 3, &best);';

/**
 * Brains made of the starter: one says what it is, one also dies after the trial game, one is no C. They play the same games
 * every time: with dice of its own the dying one won every eightieth game before it died, and a match was drawn.
 */
const fixed = starter.replace('srand((unsigned)time(NULL));', 'srand(1);');
const brain = (number, harm = '') => fixed.replace(search, `static int plies; ${harm} (void)plies; printf("DEBUG brain ${number}\\n"); search(&board, me, 1, &best);`);
const good = brain(77);
const crashing = brain(33, 'if (++plies > 12) abort();');
const broken = starter.replace(main, `${main} this does not compile;`);

const password = 'a quite long password';

/** Somebody with a one-time code comes for the first time. */
async function comeFirst(browser, server, lang, name, code, nickname) {
  const visitor = await Visitor.come(browser, server.base, { lang });
  const { page } = visitor;
  await page.goto('/welcome');
  await page.fill('input[name="name"]', name);
  await page.fill('input[name="code"]', code);
  if (nickname) await page.fill('input[name="nickname"]', nickname);
  await page.fill('input[autocomplete="new-password"]', password);
  await page.click('form button[type="submit"]');
  await page.waitForURL('**/contests');
  return visitor;
}

/** Hands a source in as a pasted text and waits until it has come to rest. */
async function submit(page, contest, source, state) {
  await page.goto(`/contests/${contest}/submit`);
  await page.waitForSelector('option[value="c17"]', { state: 'attached' });
  await page.selectOption('select[name="language"]', 'c17');
  await page.fill('textarea[name="source"]', source);
  await page.click('[data-act="submit"]');
  await page.waitForURL('**/submissions/*');
  await page.waitForSelector(`[data-state="${state}"]`, { timeout: 180_000 });
  return page.url().split('/submissions/')[1];
}

async function tell(browser, server, lang, adminCode) {
  const chinese = lang === 'zh';
  const contest = `story-${lang}`;
  const people = [];
  const come = async (...given) => {
    const visitor = await comeFirst(browser, server, lang, ...given);
    people.push(visitor);
    return visitor;
  };
  try {
    // The teacher: the link of the first start, a contest, a list.
    let teacher;
    if (adminCode) {
      teacher = await come('admin', adminCode, '张老师');
    } else {
      teacher = await Visitor.come(browser, server.base, { lang });
      people.push(teacher);
      await teacher.page.goto('/sign-in?next=/contests');
      await teacher.page.fill('input[autocomplete="username"]', 'admin');
      await teacher.page.fill('input[autocomplete="current-password"]', password);
      await teacher.page.click('form button[type="submit"]');
      await teacher.page.waitForURL('**/contests');
    }
    const { page } = teacher;
    await page.waitForSelector('main details summary');
    if (!(await page.isVisible('input[name="title"]'))) await page.click('main details summary');
    await page.fill('input[name="title"]', chinese ? '挑夹棋 <大作业>' : 'Tiaojia <homework>');
    await page.fill('input[name="id"]', contest);
    await page.selectOption('select[name="game"]', 'tiaojia');
    await page.fill('input[name="interval"]', '0');
    await page.click('main details form button[type="submit"]');
    await page.waitForURL(`**/contests/${contest}`);
    assert((await page.textContent('h1')).includes(chinese ? '<大作业>' : '<homework>'), 'the title is not shown as it was written');

    await page.goto('/accounts');
    const [one, two] = [`${lang}-001`, `${lang}-002`];
    const list = `\ufeff学号,姓名,班级\r\n${one},王小明,计科 2601\r\n${two},李小红,计科 2601\r\n`;
    await page.setInputFiles('input[name="list"]', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
    await page.waitForSelector('[data-act="import"]');
    await page.click('[data-act="import"]');
    await page.waitForSelector('.codes li');
    const codes = await page.$$eval('.codes li', (slips) => Object.fromEntries(slips.map((slip) => [...slip.querySelectorAll('dd.mono')].map((one) => one.textContent))));
    assert(codes[one] && codes[two], `no codes: ${JSON.stringify(codes)}`);
    await page.fill('[name="fresh-name"]', `${lang}-ta`);
    await page.selectOption('[name="fresh-role"]', 'assistant');
    await page.click('main form:has([name="fresh-name"]) button[type="submit"]');
    await page.waitForFunction((name) => document.querySelector('.codes')?.textContent.includes(name), `${lang}-ta`);
    const helperCode = await page.textContent('.codes .code');

    // A student: first sign-in, a brain that does not compile, one that enters the ladder.
    const student = await come(one, codes[one], chinese ? '小明' : 'Ming');
    await submit(student.page, contest, broken, 'failed');
    await student.page.waitForSelector('[data-part="messages"]');
    assert((await student.page.textContent('[data-part="messages"]')).includes('error'), 'the compiler is not quoted');
    assert(/[\u4e00-\u9fff]/.test(await student.page.textContent('[data-state] [role="status"]')) === chinese, 'the failure is not told in the language of the page');
    const mine = await submit(student.page, contest, crashing, 'ranked');
    await student.page.waitForSelector('#trial');

    // Another one, with a file, who wins.
    const rival = await come(two, codes[two], chinese ? '小红' : 'Hong');
    await rival.page.goto(`/contests/${contest}/submit`);
    await rival.page.waitForSelector('option[value="c17"]', { state: 'attached' });
    await rival.page.setInputFiles('input[name="file"]', { name: 'brain.c', mimeType: 'text/plain', buffer: Buffer.from(good) });
    await rival.page.click('[data-act="submit"]');
    await rival.page.waitForURL('**/submissions/*');
    await rival.page.waitForSelector('[data-state="ranked"]', { timeout: 180_000 });
    await rival.page.goto(`/contests/${contest}`);
    await rival.page.waitForSelector('tr.you .rank:text-is("1")');
    assert((await rival.page.textContent('tr.you td b')) === '3', 'a match won is not three points');

    // Why did I lose: reason, evidence, the DEBUG line; and the rival sees none of that.
    await student.page.goto(`/contests/${contest}/losses`);
    await student.page.click('main section li a');
    await student.page.waitForSelector('.result');
    const game = new URL(student.page.url()).pathname;
    assert((await student.page.textContent('.result')).includes('SIGABRT'), `no evidence: ${await student.page.textContent('.result')}`);
    await student.page.click('#tab-times');
    await student.page.waitForSelector('figure svg rect');
    await student.page.click('#tab-log');
    await student.page.waitForFunction(() => document.querySelector('[data-part="log"]')?.textContent.includes('DEBUG brain 33'));
    await rival.page.goto(game);
    await rival.page.waitForSelector('.result');
    await rival.page.click('#tab-log');
    await rival.page.waitForFunction(() => document.querySelector('[data-part="log"]')?.textContent.includes('DEBUG brain 77'));
    assert(!rival.received.some((answer) => answer.text.includes('brain 33')), 'the rival was sent a DEBUG line of another');
    assert(!student.received.some((answer) => answer.text.includes('brain 77')), 'the student was sent a DEBUG line of another');

    // The assistant locks, which students see at once, and has everything played again.
    const helper = await come(`${lang}-ta`, helperCode, null);
    await student.page.goto(`/contests/${contest}/submit`);
    await student.page.waitForSelector('[data-act="submit"]:not([disabled])');
    await helper.page.goto(`/contests/${contest}/admin`);
    const reason = chinese ? '期末答辩' : 'final exam';
    await helper.page.fill('[name="lock-reason"]', reason);
    await helper.page.click('[data-act="lock"]');
    await student.page.waitForSelector('[data-note="locked"]');
    assert((await student.page.textContent('[data-note="locked"]')).includes(reason), 'the reason is not told');
    await student.page.waitForSelector('[data-act="submit"][disabled]');
    await helper.page.click('[data-act="unlock"]');
    await student.page.waitForSelector('[data-note="locked"]', { state: 'detached' });
    await helper.page.click('[data-act="rejudge"]');
    await helper.page.click('[data-act="rejudge-sure"]');
    await helper.page.waitForSelector('main .soft[role="status"]');
    await rival.page.goto(`/contests/${contest}`);
    await rival.page.waitForFunction(() => document.querySelector('tr.you td b')?.textContent === '3' && !document.querySelector('tr.you .left'), null, { timeout: 180_000 });
    await helper.page.goto(`/submissions/${mine}`);
    await helper.page.waitForSelector('[data-act="rejudge-one"]');
    for (const visitor of people) visitor.assertQuiet();
    return game;
  } catch (error) {
    // What the pages said about it is what helps.
    for (const { page } of people) {
      const said = await page.$$eval('[role="alert"]', (all) => all.map((one) => one.textContent).join(' ')).catch(() => '');
      if (said) console.log(`        ${page.url()} says: ${said}`);
    }
    throw error;
  } finally {
    for (const visitor of people) await visitor.leave();
  }
}

export default async function story({ test, browser }) {
  const server = await Server.start({ judge: true });
  try {
    const code = await server.adminCode();
    // The compilers are looked at while the server is up already.
    let languages = [];
    for (let tries = 0; tries < 600 && !(languages?.length > 0); tries++) {
      languages = await server.get('/api/languages');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const compiler = languages?.find((one) => one.id === 'c17');
    const name = 'a course in the browser, from the list to a lost game that is understood';
    if (!compiler || compiler.missing) {
      test.unavailable(name, compiler?.missing?.en ?? `no judge runs: ${server.log.split('\n').find((line) => /judge/.test(line)) ?? ''}`);
      return;
    }
    await test(`${name} (zh)`, () => tell(browser, server, 'zh', code));
    await test(`${name} (en)`, () => tell(browser, server, 'en', null));
  } finally {
    await server.stop();
  }
}
