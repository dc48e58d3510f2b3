/** The pages of a course, before answers as the contract words them: how they look, what they send, what they say. */
import { Visitor, assert } from './browser.mjs';
import { judge } from './course-answers.mjs';
import { faults, inspect, overflow } from './faults.mjs';

const open = ['/contests', '/contests/tiaojia-2026', '/contests/tiaojia-2026/cross', '/matches/7', '/matches/7/games/0'];
/** What each may see. */
const pages = {
  guest: ['/sign-in', '/welcome', ...open, '/account'],
  student: [...open, '/contests/tiaojia-2026/submit', '/contests/tiaojia-2026/submissions', '/contests/tiaojia-2026/losses', '/submissions/120', '/submissions/102', '/account', '/accounts'],
  admin: [...open, '/contests/tiaojia-2026/admin', '/submissions/102', '/accounts'],
};

export default async function course({ test, browser, server }) {
  const visit = (name, role, options, act) =>
    test(name, async () => {
      const visitor = await Visitor.come(browser, server.base, options);
      try {
        const sent = await judge(visitor, server, role);
        const note = await act(visitor.page, sent, visitor);
        // Chromium itself notes every answer of 400 and above.
        visitor.complaints = visitor.complaints.filter((text) => !/status of 40[134]/.test(text));
        visitor.assertQuiet();
        return note;
      } finally {
        await visitor.leave();
      }
    });

  const ways = [
    ['guest', 375, 740, 'light', 'zh'],
    ['student', 375, 740, 'dark', 'en'],
    ['student', 1280, 900, 'light', 'zh'],
    ['admin', 375, 740, 'light', 'zh'],
    ['admin', 1920, 1080, 'dark', 'en'],
  ];
  for (const [role, width, height, theme, lang] of ways) {
    await visit(`course pages for ${role} at ${width} px, ${theme}, ${lang}: no sideways scrolling, no fault, headings in order, quiet`, role, { width, height, theme, lang }, async (page) => {
      const wrong = [];
      for (const path of pages[role]) wrong.push(...(await inspect(page, path)));
      assert(wrong.length === 0, wrong.join('\n'));
    });
  }

  await visit('a wrong password is explained, a right one leads where one wanted to go', 'guest', { lang: 'zh' }, async (page) => {
    await page.goto('/contests/tiaojia-2026/submit');
    await page.click('main a.strong');
    await page.fill('input[autocomplete="username"]', '2026001003');
    await page.fill('input[autocomplete="current-password"]', 'wrong');
    await page.click('form button[type="submit"]');
    await page.waitForSelector('[role="alert"]');
    assert((await page.textContent('[role="alert"]')).includes('账号或密码不对'), 'the refusal is not shown');
    await page.fill('input[autocomplete="current-password"]', 'right password');
    await page.click('form button[type="submit"]');
    await page.waitForURL('**/contests/tiaojia-2026/submit');
    await page.waitForSelector('textarea[name="source"]');
    assert((await page.textContent('header .who')).includes('小明的棋'), 'the head does not say who one is');
  });

  await visit('the link of a slip fills the form, and the code does not stay in the address', 'guest', {}, async (page, sent) => {
    await page.goto('/welcome#name=2026001003&code=ABCD-EFGH');
    assert((await page.inputValue('input[name="code"]')) === 'ABCD-EFGH', 'the code is not filled in');
    assert(!page.url().includes('ABCD'), 'the code stays in the address');
    await page.fill('input[name="nickname"]', '小明的棋');
    await page.fill('input[autocomplete="new-password"]', 'a long password');
    await page.click('form button[type="submit"]');
    await page.waitForURL('**/contests');
    const [post] = sent.filter((one) => one.path === '/api/sign-in/code');
    assert(JSON.stringify(post.body) === JSON.stringify({ name: '2026001003', code: 'ABCD-EFGH', password: 'a long password', nickname: '小明的棋' }), JSON.stringify(post));
  });

  await visit('a sign-in link cannot lead to another site', 'guest', {}, async (page) => {
    await page.goto('/sign-in?next=//evil.example/');
    await page.fill('input[autocomplete="username"]', '2026001003');
    await page.fill('input[autocomplete="current-password"]', 'right password');
    await page.click('form button[type="submit"]');
    await page.waitForURL(`${server.base}/contests`);
  });

  await visit('a file is submitted byte for byte, and its compile error is read with a hint', 'student', { lang: 'zh' }, async (page, sent) => {
    await page.goto('/contests/tiaojia-2026/submit');
    const source = Buffer.from([0x2f, 0x2f, 0xc4, 0xe3, 0xba, 0xc3, 0x0a]);
    await page.setInputFiles('input[name="file"]', { name: 'brain.cpp', mimeType: 'text/plain', buffer: source });
    assert((await page.inputValue('select[name="language"]')) === 'cpp', 'the language of the file was not recognised');
    await page.click('[data-act="submit"]');
    await page.waitForURL('**/submissions/120');
    await page.waitForSelector('[data-state="failed"]');
    assert((await page.textContent('[data-part="messages"]')).includes('retrun'), 'the compiler is not quoted');
    assert((await page.textContent('main')).includes('拼写错误'), 'the hint is missing');
    assert((await page.textContent('main')).split('没有通过编译').length === 2, 'that it does not compile is not said once');
    const [post] = sent.filter((one) => one.path.endsWith('/submissions'));
    assert(post.body.source_base64 === source.toString('base64') && post.body.file_name === 'brain.cpp', JSON.stringify(post));
  });

  await visit('the table shows points, Elo with its bar, and names as text; a challenge is one click', 'student', {}, async (page, sent) => {
    await page.goto('/contests/tiaojia-2026');
    await page.waitForSelector('#scoreboard');
    assert((await page.locator('#scoreboard tbody tr').count()) === 8, 'not everybody is in the table');
    assert((await page.locator('tr.you [class~="tag"]').textContent()) === 'you', 'one’s own row is not marked');
    assert((await page.locator('#scoreboard svg[role="img"]').count()) === 8, 'Elo has no bars');
    assert((await page.textContent('#scoreboard')).includes('<b>kim</b>') && (await page.locator('#scoreboard a b').count()) === 0, 'a nickname became HTML');
    assert((await page.textContent('main')).includes('<b>不要</b>'), 'an announcement became HTML');
    await page.click('tr[data-player="深蓝"] button');
    await page.waitForURL('**/matches/7');
    const [post] = sent;
    assert(post.path === '/api/submissions/102/challenge' && post.body.opponent === 100, JSON.stringify(post));
  });

  await visit('a lost game: the reason with its evidence, time and memory, the DEBUG line, the way to replay it', 'student', { lang: 'zh' }, async (page) => {
    await page.goto('/contests/tiaojia-2026/losses');
    await page.click('main section:has-text("超时") a');
    await page.waitForSelector('.result');
    assert((await page.textContent('.result')).includes('2.0 s'), 'the evidence is not shown');
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('.stepper .count')?.textContent.startsWith('0/'));
    await page.click('#tab-times');
    await page.waitForSelector('.memory.black[d^="M"]');
    await page.click('#tab-log');
    await page.waitForFunction(() => document.querySelector('[data-part="log"]')?.textContent.includes('START'));
    await page.check('#panel input[type="checkbox"]');
    const debug = await page.textContent('[data-part="log"]');
    assert(debug.includes('DEBUG depth 4') && !debug.includes('START'), `not only DEBUG lines: ${debug}`);
    await page.click('summary:has-text("重现")');
    assert((await page.textContent('main')).includes('boyi play tiaojia'), 'no command to replay');
  });

  for (const [lang, theme, width, height] of [['zh', 'light', 1280, 900], ['en', 'dark', 375, 740]])
    await visit(`a judged game is analysed by whoever sees it (${lang}, ${width} px)`, 'guest', { lang, theme, width, height }, async (page) => {
      await page.goto('/matches/7/games/0');
      await page.click('[data-act="analyse"]');
      await page.waitForSelector('.chart svg');
      // A whole game takes its time; what is known after it was stopped stays.
      await page.waitForFunction(() => document.querySelectorAll('table.hear tbody tr').length >= 6);
      await page.click('[data-act="analyse-stop"]');
      await page.waitForSelector('[data-act="analyse-go"]');
      const wide = await overflow(page);
      const found = await faults(page);
      assert(found.length === 0 && wide <= 0, `${wide} px too wide; ${found.join('\n')}`);
      await page.click('#tab-plies');
      await page.click('ol li:nth-child(3) button');
      const told = await page.textContent('.bar');
      assert(lang === 'zh' ? /第 3 步.*胜率 \d+%/s.test(told) : /Ply 3 of.*chance \d+%/s.test(told), `the board says: ${told}`);
      return told.trim();
    });

  await visit('a list is looked at before it is imported; the codes are slips to print', 'admin', { lang: 'zh' }, async (page, sent) => {
    await page.goto('/accounts');
    await page.setInputFiles('input[name="list"]', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('学号,姓名,班级\n2026001011,新同学1,计科 2602\n') });
    await page.waitForSelector('[data-act="import"]');
    assert(sent.length === 1 && sent[0].query === '?dry=1', 'something was changed before the preview');
    await page.click('[data-act="import"]');
    await page.waitForSelector('.codes li');
    assert((await page.textContent('.codes')).includes('K7QM-4XW1'), 'the codes are not shown');
    // This page was opened at 127.0.0.1, which no student reaches.
    await page.waitForSelector('.codes dd:has-text("192.168.1.7:8080/welcome")');
    assert(!(await page.textContent('.codes ul')).includes('127.0.0.1'), 'a slip names this computer only');
    await page.fill('[name="slip-address"]', 'http://localhost:8080');
    await page.waitForSelector('[data-note="local"]');
    await page.fill('[name="slip-address"]', '');
    await page.waitForSelector('[data-note="missing"]');
    assert(await page.isDisabled('[data-act="print"]'), 'slips without an address are printed');
    await page.fill('[name="slip-address"]', 'https://games.example/');
    await page.waitForSelector('.codes dd:has-text("https://games.example/welcome")');
    await page.emulateMedia({ media: 'print' });
    assert(!(await page.isVisible('header')) && (await page.isVisible('.codes li')), 'a printed page has more or less than the slips');
  });

  await visit('the staff locks with a reason, freezes, and plays all again after asking once more', 'admin', {}, async (page, sent) => {
    await page.goto('/contests/tiaojia-2026/admin');
    await page.fill('[name="lock-reason"]', 'Maintenance <i>now</i>');
    await page.click('[data-act="lock"]');
    await page.waitForSelector('[data-note="locked"]');
    assert((await page.textContent('[data-note="locked"]')).includes('<i>now</i>'), 'the reason is not shown as text');
    await page.click('[data-act="freeze"]');
    await page.waitForSelector('[data-note="frozen"]');
    await page.click('[data-act="rejudge"]');
    assert(!sent.some((one) => one.path.endsWith('/rejudge')), 'it was not asked');
    await page.click('[data-act="rejudge-sure"]');
    await page.waitForSelector('text=28 matches queued again');
    assert(sent.map((one) => one.path.split('/').pop()).join() === 'lock,freeze,rejudge', JSON.stringify(sent));
  });
}
