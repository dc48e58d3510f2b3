/** The ways to a game: invitations, the live list, the archive, forms of rules, links that lead back to a place. */
import { Visitor, assert } from './browser.mjs';
import { faults, overflow } from './faults.mjs';
import { startAgainst } from './play.mjs';

const seat = (level) => ({ kind: 'builtin', level });
const me = { kind: 'me' };

/** Asks the server as the page's visitor. */
const post = (page, path, body = {}) =>
  page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    [path, body],
  );

/** A finished game of this visitor against a friend of this name. */
async function finished(browser, server, names, { game = 'tiaojia', plies = [] } = {}) {
  const [one, two] = [await Visitor.come(browser, server.base), await Visitor.come(browser, server.base)];
  for (const [visitor, name] of [[one, names[0]], [two, names[1]]]) {
    await visitor.page.goto('/about');
    await post(visitor.page, '/api/me', { name });
  }
  const { room } = await post(one.page, '/api/rooms', { game, plies, seats: { black: me, white: { kind: 'open' } }, public: true });
  await post(two.page, `/api/rooms/${room.id}/join`);
  await post(two.page, `/api/rooms/${room.id}/resign`);
  await one.leave();
  await two.leave();
  return room.id;
}

export default async function home({ test, browser, server }) {
  const visit = (name, options, act) =>
    test(name, async () => {
      const visitor = await Visitor.come(browser, server.base, options);
      try {
        const note = await act(visitor);
        visitor.assertQuiet();
        return note;
      } finally {
        await visitor.leave();
      }
    });

  for (const [lang, width, height, who, game, rule, time] of [
    ['zh', 375, 667, '邀你下一盘五子棋', '五子棋', '15×15 连珠', '10 分钟，每步加 5 秒'],
    ['en', 1366, 657, 'invites you to a game of Gomoku', 'Gomoku', '15×15 renju', '10 min + 5 s'],
  ])
    await test(`the address of a waiting room is its invitation (${lang}, ${width} px)`, async () => {
      const host = await Visitor.come(browser, server.base, { lang: 'zh' });
      const guest = await Visitor.come(browser, server.base, { lang, width, height });
      try {
        await host.page.goto('/games/gomoku');
        await host.page.check('input[value="friend"]', { force: true });
        await host.page.selectOption('[data-preset]', 'renju');
        await host.page.selectOption('form label:has(option[value="rapid"]) select', 'rapid');
        await host.page.click('form button[type="submit"]');
        await host.page.waitForURL('**/room/*');
        await host.page.waitForSelector('.panel .share input');
        assert((await host.page.inputValue('.panel .share input')) === host.page.url(), 'the invitation is not the address');
        await guest.page.goto(host.page.url());
        const panel = guest.page.locator('.panel');
        await panel.waitFor();
        const words = await panel.textContent();
        for (const word of [who, rule, time]) assert(words.includes(word), `${word} is not in: ${words}`);
        const button = await guest.page.locator('.panel .strong').boundingBox();
        assert(button.y + button.height <= height, `the seat is taken below the fold, at ${button.y}`);
        assert(button.height >= 44, `the button is ${button.height} px high`);
        const found = await faults(guest.page);
        assert(found.length === 0, found.join('\n'));
        assert((await overflow(guest.page)) <= 0, 'the invitation is too wide');
        await guest.page.click('.panel .strong');
        await guest.page.waitForSelector('[data-act="resign"]');
        await host.page.waitForSelector('[data-act="resign"]');
        assert((await guest.page.locator('.panel').count()) === 0, 'the invitation stays');
        guest.assertQuiet();
      } finally {
        await host.leave();
        await guest.leave();
      }
    });

  await test('a private room is entered with its link only, and says so', async () => {
    const host = await Visitor.come(browser, server.base, { lang: 'en' });
    const guest = await Visitor.come(browser, server.base, { lang: 'zh' });
    try {
      await host.page.goto('/games/junqi');
      await host.page.check('input[value="friend"]', { force: true });
      await host.page.selectOption('[data-invited]', 'private');
      await host.page.click('form button[type="submit"]');
      await host.page.waitForURL('**/room/*');
      const link = await host.page.inputValue('.panel .share input');
      assert(link.includes('join='), `the link is ${link}`);
      await guest.page.goto(host.page.url());
      await guest.page.waitForSelector('.panel');
      assert((await guest.page.locator('.panel .strong').count()) === 0, 'the address gives the seat of a private room');
      assert((await guest.page.textContent('.panel')).includes('私人房间'), 'nobody says why');
      await guest.page.goto(link);
      await guest.page.click('.panel .strong');
      await guest.page.waitForSelector('[data-act="resign"]');
      guest.assertQuiet();
    } finally {
      await host.leave();
      await guest.leave();
    }
  });

  await test('the cards show where somebody is; everything else is one link away', async () => {
    const gone = await Visitor.come(browser, server.base);
    await gone.page.goto('/about');
    const left = [];
    for (let count = 0; count < 8; count++) {
      const { room } = await post(gone.page, '/api/rooms', { game: 'tiaojia', seats: { black: me, white: seat('random') }, public: true });
      left.push(room.id);
    }
    await gone.leave();
    const player = await Visitor.come(browser, server.base);
    const stranger = await Visitor.come(browser, server.base, { lang: 'zh' });
    try {
      const here = await startAgainst(player.page, 'nogo', 'random');
      await player.page.waitForSelector('[data-target]');
      await stranger.page.goto('/');
      await stranger.page.waitForSelector(`.live a[href="/room/${here}"]`);
      const cards = await stranger.page.locator('.live a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      assert(!left.some((id) => cards.includes(`/room/${id}`)), `rooms everybody has left are cards: ${cards}`);
      await stranger.page.click('.all a[href="/games?state=live"]');
      await stranger.page.waitForSelector('main li');
      const first = await stranger.page.locator('main li .how').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      const at = first.indexOf(`/room/${here}`);
      const dead = first.findIndex((href) => left.includes(href.split('/')[2]));
      assert(at >= 0 && dead > at, `played ${at}, left ${dead}`);
      assert(left.every((id) => first.includes(`/room/${id}`)), 'a game cannot be reached');
      assert((await stranger.page.textContent('li.abandoned')).includes('无人在场'), 'it is not said that nobody is there');
      stranger.assertQuiet();
    } finally {
      await player.leave();
      await stranger.leave();
    }
  });

  await visit('choosing two players to watch starts nothing, the button does', { lang: 'en' }, async ({ page }) => {
    await page.goto('/');
    await page.waitForSelector('.watch option', { state: 'attached' });
    await page.focus('.watch select');
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowDown');
    assert((await page.inputValue('.watch select')) !== 'amazons', 'the keys choose nothing');
    await page.selectOption('.watch select', 'nogo');
    assert(new URL(page.url()).pathname === '/', 'choosing started a game');
    await page.click('.watch button');
    await page.waitForURL('**/room/*');
    assert((await page.textContent('h2')).includes('NoGo'), 'another game was started');
  });

  for (const [lang, width] of [['zh', 375], ['en', 1280]])
    await visit(`finished games are found by game, result and name (${lang}, ${width} px)`, { lang, width, height: 700 }, async ({ page }) => {
      const [ann, bob] = [`Ann-${lang}`, `Bob-${lang}`];
      const wanted = await finished(browser, server, [ann, bob]);
      await finished(browser, server, [`Carl-${lang}`, `Dora-${lang}`]);
      await page.goto('/');
      await page.click('.all a[href="/games"]');
      await page.waitForSelector('main li');
      await page.fill('[name="player"]', ann.slice(0, 2));
      await page.press('[name="player"]', 'Enter');
      await page.waitForURL('**player=*');
      // Whoever knows only the beginning is led on.
      await page.click(`p a:text-is("${ann}")`);
      await page.waitForSelector(`main li a[href="/room/${wanted}"]`);
      assert((await page.locator('main li').count()) === 1, 'games of others are shown');
      await page.selectOption('[data-filter="result"]', 'white');
      await page.waitForFunction(() => document.querySelector('main li') === null);
      await page.selectOption('[data-filter="result"]', 'black');
      await page.selectOption('[data-filter="game"]', 'tiaojia');
      await page.waitForSelector(`main li a[href="/room/${wanted}"]`);
      // The address says it all.
      await page.reload();
      await page.waitForSelector(`main li a[href="/room/${wanted}"]`);
      const found = await faults(page);
      assert(found.length === 0, found.join('\n'));
      assert((await overflow(page)) <= 0, 'the archive is too wide');
      await page.click(`main li a.player:text-is("${bob}")`);
      await page.waitForURL(`**player=${bob}`);
      await page.click(`main li a[href="/room/${wanted}"]`);
      await page.waitForURL(`**/room/${wanted}`);
    });

  for (const lang of ['zh', 'en'])
    await visit(`gomoku is chosen by names, not by bits (${lang})`, { lang, width: 375, height: 667 }, async ({ page }) => {
      await page.goto('/games/gomoku');
      await page.waitForSelector('[data-preset]');
      const names = await page.locator('[data-preset] option').allTextContents();
      assert(names.length >= 6 && names[0].includes('15×15'), `presets: ${names.join(' | ')}`);
      for (const word of lang === 'zh' ? ['连珠', 'swap2', '恰好五连', 'Gomocup'] : ['renju', 'swap2', 'exactly five', 'Gomocup'])
        assert(names.some((name) => name.includes(word)), `${word} is not among ${names.join(' | ')}`);
      await page.selectOption('[data-preset]', 'swap2');
      await page.click('form summary');
      assert((await page.inputValue('[data-option="opening"]')) === 'swap2', 'the controls do not follow the preset');
      assert((await page.inputValue('[data-option="size"]')) === '15', 'the board of swap2');
      await page.selectOption('[data-option="size"]', '13');
      assert((await page.inputValue('[data-preset]')) === '', 'what nobody named keeps a name');
      await page.selectOption('[data-option="opening"]', 'none');
      await page.selectOption('[data-option="rule"]', '4');
      await page.selectOption('[data-option="size"]', '15');
      assert((await page.inputValue('[data-preset]')) === 'renju', 'renju is not recognised');
      const labels = await page.locator('form .options label > span:first-child').allTextContents();
      const chinese = labels.filter((label) => /[\u4e00-\u9fff]/.test(label));
      assert(labels.length >= 6 && chinese.length === (lang === 'zh' ? labels.length : 0), `labels: ${labels.join(' | ')}`);
      const found = await faults(page);
      assert(found.length === 0, found.join('\n'));
      assert((await overflow(page)) <= 0, 'the form is too wide');
      await page.click('form button[type="submit"]');
      await page.waitForSelector('[data-target]');
      const id = page.url().split('/room/')[1];
      const { variant } = await server.get(`/api/rooms/${id}`);
      assert(variant.rule === 4 && variant.size === 15, JSON.stringify(variant));
      return names.join(' | ');
    });

  await visit('every game starts with every one of its named rules', {}, async ({ page }) => {
    await page.goto('/about');
    let tried = 0;
    for (const game of await server.get('/api/games'))
      for (const { variant } of game.presets) {
        const { room } = await post(page, '/api/rooms', { game: game.id, variant, seats: { black: seat('3'), white: me }, public: false });
        // A player that cannot play the variant would never make its first ply.
        for (let tries = 0; (await server.get(`/api/rooms/${room.id}`)).plies === 0; tries++) {
          assert(tries < 600, `${game.id} ${JSON.stringify(variant)}: nobody plays`);
          await page.waitForTimeout(50);
        }
        await post(page, `/api/rooms/${room.id}/abort`).catch(() => {});
        tried++;
      }
    return `${tried} variants`;
  });

  const record = '(;GM[4]FF[4]SZ[15]RU[renju]PB[Ann]PW[Bob];B[hh];W[hg];B[ig];W[if])';
  const count = (page) => page.textContent('.stepper .count').then((text) => text.trim());
  for (const lang of ['zh', 'en'])
    await visit(`a replay opens at the end and its link leads back to the ply (${lang})`, { lang, width: 375, height: 667 }, async ({ page }) => {
      await page.goto('/replay');
      await page.setInputFiles('#file', { name: 'game.sgf', mimeType: 'text/plain', buffer: Buffer.from(record) });
      await page.waitForSelector('.show .board svg');
      assert((await count(page)) === '4/4', `opened at ${await count(page)}`);
      const heading = await page.textContent('.show h2');
      assert(/ game\.sgf$/.test(heading), `the heading has no gap: ${heading}`);
      await page.keyboard.press('ArrowLeft');
      await page.waitForFunction(() => document.querySelector('.stepper .count').textContent.trim() === '3/4');
      const link = await page.inputValue('.share input');
      assert(link === page.url() && link.includes('ply=3') && link.includes('#record='), `the link is ${link}`);
      const friend = await Visitor.come(browser, server.base, { lang });
      try {
        await friend.page.goto(link);
        await friend.page.waitForSelector('.show .board svg');
        assert((await count(friend.page)) === '3/4', `the link opened at ${await count(friend.page)}`);
        assert((await friend.page.textContent('.show .side')).includes('Ann'), 'the players are lost');
        await friend.page.click('[data-act="start"]');
        assert((await count(friend.page)) === '0/4', 'the way to the start');
        friend.assertQuiet();
      } finally {
        await friend.leave();
      }
      await page.click('[data-act="analyse"]');
      await page.waitForFunction(() => location.search.includes('analyse=1'));
      await page.waitForSelector('progress', { state: 'detached' });
    });

  await visit('a finished game of a room is opened at a ply, and analysed by its link', { lang: 'zh' }, async ({ page }) => {
    const id = await finished(browser, server, ['E', 'F'], { game: 'gomoku', plies: ['7,7', '6,6', '7,6'] });
    await page.goto(`/room/${id}?ply=2&analyse=1`);
    await page.waitForFunction(() => document.querySelector('.stepper .count')?.textContent.trim() === '2/3');
    await page.waitForSelector('#tab-analysis');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => location.search.includes('ply=1'));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.stepper .count')?.textContent.trim() === '1/3');
  });

  await visit('a link that was cut says so', { lang: 'zh' }, async ({ page }) => {
    await page.goto('/replay#record=abc');
    await page.waitForSelector('.load .error');
    assert((await page.textContent('.load .error')).includes('链接不完整'), await page.textContent('.load .error'));
  });

  for (const lang of ['zh', 'en'])
    await visit(`a guide can be copied from, saved from and pointed into (${lang})`, { lang }, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.base });
      await page.goto('/games/amazons');
      await page.waitForSelector('.guide .contents a');
      const source = await (await fetch(`${server.base}/api/starters/c/amazons.c`)).text();
      await page.click('#starter [data-copy]');
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert(copied.trim() === source.trim(), 'what was copied is not the file');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#starter a[download]')]);
      assert(download.suggestedFilename() === 'amazons.c', download.suggestedFilename());
      // Every link of the contents, and each heading's own, leads somewhere; so does a link from elsewhere.
      const links = await page.locator('.guide a[href^="#"]').evaluateAll((all) => all.map((one) => decodeURIComponent(one.hash.slice(1))));
      const lost = await page.evaluate((names) => names.filter((name) => !document.getElementById(name)), links);
      assert(links.length > 10 && lost.length === 0, `leads nowhere: ${lost}`);
      const last = links.at(-1);
      await page.goto('/');
      await page.goto(`/games/amazons#${encodeURIComponent(last)}`);
      await page.waitForFunction((name) => {
        const box = document.getElementById(name)?.getBoundingClientRect();
        return box && box.top >= -5 && box.top < innerHeight;
      }, last);
      // One guide leads to the others.
      await page.click('.see-also a[href="/games/nogo"]');
      await page.waitForURL('**/games/nogo');
    });

  for (const [lang, words] of [['zh', ['--engine', 'HTTP 接口', '还不能']], ['en', ['--engine', 'HTTP', 'no page yet']]])
    await visit(`the first page says truly how a program comes to play (${lang})`, { lang }, async ({ page }) => {
      await page.goto('/');
      await page.click('.engine a[href="/about#bring"]');
      await page.waitForSelector('#bring');
      const text = await page.textContent('main');
      for (const word of words) assert(text.includes(word), `${word} is not said`);
      const top = (await page.locator('#bring').boundingBox()).y;
      assert(top < 400, `the place is at ${top}`);
    });

  await visit('the pages can be put on a home screen', {}, async ({ page }) => {
    await page.goto('/');
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector('link[rel="manifest"]');
      const answer = await fetch(link.href);
      return { type: answer.headers.get('content-type'), ...(await answer.json()) };
    });
    assert(manifest.type.startsWith('application/manifest+json'), manifest.type);
    for (const icon of manifest.icons) {
      const answer = await fetch(server.base + icon.src);
      assert(answer.ok && answer.headers.get('content-type') === icon.type, `${icon.src}: ${answer.status}`);
    }
  });
}
