/** What one does in a room besides clicking: keys, typing, taking back, going back and forth, losing the connection. */
import { Visitor, assert } from './browser.mjs';
import { faults, overflow } from './faults.mjs';
import { act, dice, playOut, startAgainst, verdict } from './play.mjs';
import sight, { steps, until } from './sight.mjs';

const stones = (page) => page.locator('.board .token').count();

/** Clicks until so many plies were played by both. */
async function clicksUntil(page, count, roll) {
  while ((await steps(page)) < count) {
    if ((await act(page, roll)) === 'over') throw new Error('the game ended too early for this test');
    await page.waitForTimeout(20);
  }
  await page.waitForSelector('[data-target]');
}

export default async function room({ test, browser, server }) {
  const visit = async (name, options, act) => {
    await test(name, async () => {
      const visitor = await Visitor.come(browser, server.base, options);
      try {
        const note = await act(visitor);
        visitor.assertQuiet();
        return note;
      } finally {
        await visitor.leave();
      }
    });
  };

  await visit('amazons with the keyboard alone: cursor, Enter, Backspace, confirmation', {}, async ({ page }) => {
    await startAgainst(page, 'amazons', 'random');
    const board = page.locator('svg[role="application"]');
    await board.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    // The cursor starts on a piece that can move.
    await page.keyboard.press('Enter');
    assert((await page.textContent('.bar .message')).includes('→'), 'the first click is not shown');
    await page.keyboard.press('Backspace');
    assert(!(await page.textContent('.bar .message')).includes('→'), 'Backspace did not take the click back');
    await page.keyboard.press('Enter');
    // Go up from the amazon, shoot up from there.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-act="confirm"]');
    assert((await steps(page)) === 0, 'a ply of three clicks was sent without confirmation');
    await page.keyboard.press('Enter');
    await until('both have played', async () => (await steps(page)) >= 2);
    const heard = await page.textContent('[aria-live="polite"]');
    assert(/played/.test(heard), `the live region says: ${heard}`);
  });

  await visit('junqi: pieces are set up by dragging and by keyboard, and the last set-up is remembered', {}, async ({ page }) => {
    await startAgainst(page, 'junqi', 'random');
    await page.waitForSelector('[data-ready]:not([disabled])');
    const label = (spot) => page.getAttribute(`[data-spot="${spot}"]`, 'aria-label');
    const rank = async (spot) => (await label(spot)).split(', ')[1];
    const middle = async (spot) => {
      const box = await page.locator(`[data-spot="${spot}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const spots = await page.locator('[data-spot]').evaluateAll((all) => all.map((one) => one.dataset.spot));
    assert(spots.length >= 25, `only ${spots.length} places to set up`);
    const from = spots[0];
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.waitForSelector('[data-target]');
    const partners = await page.locator('[data-target]').evaluateAll((all) => all.map((one) => one.dataset.spot));
    const mine = await rank(from);
    let to = null;
    for (const spot of partners) if (to === null && (await rank(spot)) !== mine) to = spot;
    const theirs = await rank(to);
    await page.mouse.move(...(await middle(to)), { steps: 6 });
    await page.mouse.up();
    await until('the two have changed places', async () => (await rank(from)) === theirs && (await rank(to)) === mine);
    // By keyboard: the cursor is where the mouse was last; pick it, go to a neighbour, pick that.
    await page.focus('svg[role="application"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-target]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-target]', { state: 'detached' });
    const set = await page.locator('[data-spot]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    await page.click('[data-ready]');
    await until('it was taken', async () => (await steps(page)) >= 1);
    await startAgainst(page, 'junqi', 'random');
    await page.waitForSelector('[data-ready]:not([disabled])');
    const again = await page.locator('[data-spot]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert(JSON.stringify(again) === JSON.stringify(set), 'the set-up of the last game is forgotten');
  });

  await visit('a ply is typed instead of clicked; a wrong one is explained', { lang: 'zh' }, async ({ page, complaints }) => {
    await startAgainst(page, 'nogo', 'random');
    await page.click('.typing summary');
    await page.fill('.typing input', 'ZZ9');
    await page.click('.typing button');
    await page.waitForSelector('.bar.trouble');
    assert(/[\u4e00-\u9fff]/.test(await page.textContent('.bar.trouble .message')), 'the refusal is not in Chinese');
    // Chromium itself notes every answer of 400 and above.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/422/.test(text)));
    await page.fill('.typing input', 'EE');
    await page.click('.typing button');
    await until('both have played', async () => (await steps(page)) >= 2);
    assert((await page.textContent('ol li:first-child .mono')).trim() === 'EE', 'another ply was played');
  });

  await visit('take back against a built-in player', {}, async ({ page }) => {
    await startAgainst(page, 'gomoku', 'greedy');
    await clicksUntil(page, 4, dice(4));
    const before = [await steps(page), await stones(page)];
    await page.click('[data-act="takeback"]');
    await until('two plies are gone', async () => (await steps(page)) === before[0] - 2 && (await stones(page)) === before[1] - 2);
    await page.waitForSelector('[data-target]');
    await clicksUntil(page, before[0], dice(8));
  });

  await visit('going back and forth while the game goes on, and continuing from there', {}, async ({ page }) => {
    const id = await startAgainst(page, 'surakarta', 'random');
    await clicksUntil(page, 6, dice(2));
    // The keys belong to the board while it has the focus.
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('text=/Ply \\d+ of/');
    await page.keyboard.press('Home');
    await until('the beginning is shown', async () => (await page.textContent('.stepper .count')).startsWith('0/'));
    assert((await stones(page)) === 24, 'the start of Surakarta has 24 pieces');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await until('the second ply is shown', async () => (await page.textContent('.stepper .count')).startsWith('2/'));
    await page.click('[data-act="continue"]');
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.waitForSelector('[data-target]');
    const fresh = await server.get(`/api/rooms/${page.url().split('/room/')[1]}`);
    assert(fresh.plies === 2, `the new game starts after ${fresh.plies} plies`);
  });

  await visit('a finished game: replay with keys and slider, downloads, rematch with the other colour', {}, async ({ page }) => {
    const id = await startAgainst(page, 'connect6', 'greedy');
    await playOut(page, { seed: 6 });
    const words = await verdict(page);
    const count = await steps(page);
    await page.keyboard.press('Home');
    await until('the empty board', async () => (await stones(page)) === 0);
    for (let at = 1; at <= 3; at++) {
      await page.keyboard.press('ArrowRight');
      await until(`ply ${at}`, async () => (await page.textContent('.stepper .count')).trim() === `${at}/${count}`);
      await until('the stones of that ply', async () => (await stones(page)) === at * 2 - 1);
    }
    await page.keyboard.press('End');
    await until('the end', async () => (await page.textContent('.stepper .count')).trim() === `${count}/${count}`);
    await page.locator('.stepper input').fill('2');
    await until('the slider', async () => (await stones(page)) === 3);
    await page.click('ol li:nth-child(1) button');
    await until('the list', async () => (await stones(page)) === 1);
    const formats = await page.locator('[data-format]').evaluateAll((all) => all.map((one) => one.dataset.format));
    assert(formats.includes('json'), 'no JSON to download');
    for (const format of formats) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.click(`[data-format="${format}"]`)]);
      assert(file.suggestedFilename().includes('.'), `a file without an ending: ${file.suggestedFilename()}`);
    }
    await page.click('[data-act="rematch"]');
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.waitForSelector('[data-target]');
    const again = await page.evaluate((room) => fetch(`/api/rooms/${room}`).then((answer) => answer.json()), page.url().split('/room/')[1]);
    assert(again.you === 'white', `the colours were not exchanged: ${again.you}`);
    return `${words}; ${formats.join(', ')}`;
  });

  await visit('a record is pasted and gone through; a bad one is explained', { lang: 'zh' }, async ({ page, complaints }) => {
    await page.goto('/replay');
    await page.fill('textarea', 'this is no record');
    await page.click('.load .strong');
    await page.waitForSelector('.load .error');
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/4\d\d/.test(text)));
    await page.fill('textarea', '(;GM[4]FF[4]SZ[15]RU[renju]PB[Ann]PW[Bob];B[hh];W[hg];B[ig];W[if])');
    await page.click('.load .strong');
    await page.waitForSelector('.show .board svg');
    await page.keyboard.press('End');
    await until('four stones', async () => (await stones(page)) === 4);
    await page.keyboard.press('ArrowLeft');
    await until('three stones', async () => (await stones(page)) === 3);
    assert((await page.textContent('.show .side')).includes('Ann'), 'the players are not named');
  });

  await test('the server is killed in the middle of a game and comes back: the game goes on, nothing lost', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const { page } = visitor;
      const id = await startAgainst(page, 'dots', 'random');
      await clicksUntil(page, 6, dice(12));
      const before = await page.locator('ol li .mono').allTextContents();
      visitor.mayBeOffline = true;
      await server.kill();
      await page.waitForSelector('.lost');
      await server.run();
      await page.waitForSelector('.lost', { state: 'detached' });
      const after = await page.locator('ol li .mono').allTextContents();
      assert(JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before), `plies were lost: ${before} became ${after}`);
      await playOut(page, { seed: 12 });
      const room = await server.get(`/api/rooms/${id}`);
      assert(room.steps.length === (await steps(page)), 'page and server count differently');
      // Only what Chromium says of a server that is gone may have been said.
      visitor.assertQuiet();
      return `${before.length} plies before, ${room.steps.length} at the end: ${await verdict(page)}`;
    } finally {
      await visitor.leave();
    }
  });

  await test('a tab that was closed is opened again: the same seat, the same board', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const id = await startAgainst(visitor.page, 'tiaojia', 'greedy');
      await clicksUntil(visitor.page, 4, dice(3));
      const before = await visitor.page.locator('ol li .mono').allTextContents();
      await visitor.page.close();
      const page = await visitor.context.newPage();
      await page.goto(`/room/${id}`);
      await page.waitForSelector('[data-target]');
      const after = await page.locator('ol li .mono').allTextContents();
      assert(JSON.stringify(after) === JSON.stringify(before), 'the plies differ');
    } finally {
      await visitor.leave();
    }
  });

  await test('two people: chat is shown as text, offers are answered, a draw is agreed', async () => {
    const host = await Visitor.come(browser, server.base, { lang: 'en' });
    const guest = await Visitor.come(browser, server.base, { lang: 'zh' });
    try {
      await host.page.goto('/games/amazons');
      await host.page.check('input[value="friend"]', { force: true });
      await host.page.click('form button[type="submit"]');
      await host.page.waitForURL('**/room/*');
      const link = await host.page.inputValue('.panel .share input');
      await guest.page.goto(link);
      await guest.page.click('.panel .strong');
      await host.page.waitForSelector('[data-target]');
      const roll = dice(21);
      for (let plies = 0; plies < 4; ) {
        for (const one of [host, guest]) await act(one.page, roll);
        plies = await steps(host.page);
      }
      const evil = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>';
      await host.page.click('#tab-chat');
      await host.page.fill('#chat-text', evil);
      await host.page.press('#chat-text', 'Enter');
      await guest.page.click('#tab-chat');
      await guest.page.waitForSelector('[role="log"] p b');
      assert((await guest.page.textContent('[role="log"] p')).includes('<img src=x'), 'the chat is not shown as it was written');
      assert((await guest.page.locator('[role="log"] img').count()) === 0, 'HTML of the chat became HTML of the page');
      await guest.page.click('[data-act="takeback"]');
      await host.page.waitForSelector('.offer');
      await host.page.click('.offer .plain');
      await host.page.waitForSelector('.offer', { state: 'detached' });
      await guest.page.click('[data-act="draw"]');
      await host.page.waitForSelector('.offer');
      await host.page.click('.offer .strong');
      for (const one of [host, guest]) await one.page.waitForSelector('.result');
      const words = await verdict(guest.page);
      assert(/和/.test(words), `not a draw: ${words}`);
      // A rematch: whoever asks first waits in the new room, the other one follows.
      const old = host.page.url();
      await host.page.click('[data-act="rematch"]');
      await guest.page.waitForSelector('.sure');
      await guest.page.click('[data-act="rematch"]');
      await guest.page.waitForURL((url) => url.href !== old);
      await guest.page.waitForSelector('[data-target]');
      assert(host.page.url() === guest.page.url() && host.page.url() !== old, 'the two are not in the same new room');
      host.assertQuiet();
      guest.assertQuiet();
      return words;
    } finally {
      await host.leave();
      await guest.leave();
    }
  });

  await sight({ test, visit, browser, server });

  for (const [lang, game, phone] of [['en', 'gomoku', false], ['zh', 'amazons', true]])
    await visit(`a hint is asked for, drawn, told and followed (${game}, ${lang})`, phone ? { lang, width: 375, height: 740 } : { lang }, async ({ page }) => {
      await startAgainst(page, game, 'random');
      await clicksUntil(page, 2, dice(2));
      // Whoever clicked on while the last ply came in takes that back.
      while ((await page.locator('[data-act="undo"]').count()) > 0) await page.click('[data-act="undo"]');
      const before = await steps(page);
      if (phone) await page.click('[data-act="hint"]');
      else await page.keyboard.press('h');
      await page.waitForSelector('[data-advice]');
      const told = await page.textContent('.bar .message');
      assert(lang === 'zh' ? /提示：.+(胜率 \d+%|必胜)/.test(told) : /Hint: .+(chance \d+%|by force)/.test(told), `the hint says: ${told}`);
      assert((await page.textContent('[role="status"].hear')).includes(lang === 'zh' ? '提示' : 'Hint'), 'the hint is not said');
      const found = await faults(page);
      assert(found.length === 0, found.join('\n'));
      assert((await overflow(page)) <= 0, 'the hint is too wide');
      const spots = (await page.getAttribute('[data-advice]', 'data-advice')).split(' ');
      assert(spots.length === (game === 'amazons' ? 3 : 1), `a ply of ${spots.length} clicks`);
      for (const spot of spots) {
        const box = await page.locator(`[data-spot="${spot}"]`).boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      }
      if (spots.length > 1) await page.click('[data-act="confirm"]');
      await until('it was played', async () => (await steps(page)) > before);
      await page.waitForSelector('[data-advice]', { state: 'detached' });
      const played = (await page.textContent(`ol li:nth-child(${before + 1}) .mono`)).trim();
      assert(told.includes(played), `${played} was played after: ${told}`);
      return told.trim();
    });

  await visit('there is no hint in a hidden game, and that is said kindly', { lang: 'zh' }, async ({ page }) => {
    await startAgainst(page, 'phantom-go', 'random');
    await page.waitForSelector('[data-target]');
    assert((await page.locator('[data-act="hint"]').count()) === 0, 'a hidden game offers hints');
    await page.keyboard.press('h');
    await page.waitForFunction(() => /暗棋没有提示/.test(document.querySelector('.bar .message')?.textContent ?? ''));
  });

  /** Gomoku: White does not stop a four with his eighth ply, and Black does not make five with the ninth. */
  const blind = ['7,7', '6,6', '7,6', '7,5', '7,8', '6,8', '7,9', '0,14', '14,14'];
  for (const [lang, theme, width, height] of [['zh', 'light', 1920, 1080], ['en', 'dark', 375, 740]])
    await visit(`a finished game is analysed: plot, marked plies, better ones on the board (${lang}, ${width} px)`, { lang, theme, width, height }, async ({ page }) => {
      await page.goto('/');
      const id = await page.evaluate(async (plies) => {
        const me = { kind: 'me' };
        const wish = { game: 'gomoku', plies, time: null, seats: { black: { kind: 'builtin', level: 'random' }, white: me }, public: false };
        const answer = await fetch('/api/rooms', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish) });
        return (await answer.json()).room.id;
      }, blind);
      await page.goto(`/room/${id}`);
      await page.waitForSelector('[data-target]');
      assert((await page.locator('[data-act="analyse"]').count()) === 0, 'a game that goes on can be analysed');
      await page.click('[data-act="resign"]');
      await page.click('[data-act="resign-sure"]');
      await page.waitForSelector('.result');
      await page.click('[data-act="analyse"]');
      // It can be stopped, and goes on where it was.
      await page.click('[data-act="analyse-stop"]');
      await page.click('[data-act="analyse-go"]');
      await page.waitForSelector('.bad li');
      await page.waitForSelector('progress', { state: 'detached' });
      const rows = await page.locator('table.hear tbody tr').count();
      assert(rows === blind.length, `the table for those who listen has ${rows} lines`);
      const found = await faults(page);
      assert(found.length === 0, found.join('\n'));
      assert((await overflow(page)) <= 0, 'the analysis is too wide');
      // What would have been better is drawn when one steps there.
      await page.click('#tab-plies');
      const marked = await page.locator('ol li:has([data-sign="??"])').evaluateAll((all) => all.map((one) => [...one.parentElement.children].indexOf(one) + 1));
      const ply = 8;
      assert(marked.includes(ply) && marked.includes(ply + 1), `marked as blunders: ${marked}`);
      await page.click(`ol li:nth-child(${ply}) button`);
      await page.waitForSelector('[data-advice]');
      assert(/^\?\?.*7,10/.test(await page.textContent('.bar .judged')), `the board says: ${await page.textContent('.bar .judged')}`);
      await page.keyboard.press('Home');
      await page.waitForSelector('[data-advice]', { state: 'detached' });
      // A click on the plot goes there.
      await page.click('#tab-analysis');
      const plot = await page.locator('.chart svg').boundingBox();
      await page.mouse.click(plot.x + (plot.width * ply) / blind.length, plot.y + plot.height / 2);
      await until('the plot leads to the ply', async () => (await page.textContent('.stepper .count')).trim() === `${ply}/${blind.length}`);
      await page.click('.language');
      assert(/[\u4e00-\u9fff]/.test(await page.textContent('#tab-analysis')) === (lang === 'en'), 'the analysis keeps its language');
      return `blunders: ${marked.join(', ')}; ${(await page.textContent('.bar .judged')).trim()}`;
    });

  /** The same game as a record. */
  const blindRecord = `(;GM[4]FF[4]SZ[15]PB[Ann]PW[Bob]${blind.map((ply, index) => `;${index % 2 ? 'W' : 'B'}[${ply.split(',').map((part) => 'abcdefghijklmno'[Number(part)]).join('')}]`).join('')})`;
  for (const [lang, theme, width, height] of [['zh', 'dark', 375, 740], ['en', 'light', 1280, 900]])
    await visit(`a record is analysed as a game of a room is (${lang}, ${width} px)`, { lang, theme, width, height }, async ({ page }) => {
      await page.goto('/replay');
      await page.fill('textarea', blindRecord);
      await page.click('.load .strong');
      await page.waitForSelector('.show .board svg');
      await page.click('[data-act="analyse"]');
      await page.waitForSelector('.bad li');
      await page.waitForSelector('progress', { state: 'detached' });
      assert((await page.locator('.error').count()) === 0, await page.textContent('main'));
      const rows = await page.locator('table.hear tbody tr').count();
      assert(rows === blind.length, `the table for those who listen has ${rows} lines`);
      const found = await faults(page);
      assert(found.length === 0, found.join('\n'));
      assert((await overflow(page)) <= 0, 'the analysis is too wide');
      await page.click('.plies li:nth-child(8) button');
      await page.waitForSelector('[data-advice]');
      const told = await page.textContent('.bar .judged');
      assert(/^\?\?/.test(told) && /[\u4e00-\u9fff]/.test(told) === (lang === 'zh'), `the board says: ${told}`);
      assert((await page.textContent('#analysis')) === (lang === 'zh' ? '分析' : 'Analysis'), 'the analysis has no heading');
      // Another record has another analysis.
      await page.setInputFiles('#file', { name: 'other.sgf', mimeType: 'text/plain', buffer: Buffer.from('(;GM[4]FF[4]SZ[15];B[hh];W[hg])') });
      await page.waitForSelector('#analysis', { state: 'detached' });
      await page.waitForSelector('[data-act="analyse"]');
      return told.trim();
    });

  await visit('the record of a hidden game is not analysed', {}, async ({ page }) => {
    await page.goto('/replay');
    await page.selectOption('.load select', 'phantom-go');
    await page.fill('textarea', '(;GM[1]FF[4]SZ[9];B[ee];W[cc])');
    await page.click('.load .strong');
    await page.waitForSelector('.show .board svg');
    assert((await page.locator('[data-act="analyse"]').count()) === 0, 'a hidden game can be analysed');
  });

  for (const lang of ['zh', 'en'])
    await visit(`the API is described (${lang})`, { lang }, async ({ page }) => {
      await page.goto('/api');
      await page.waitForSelector('summary code');
      const texts = await page.locator('h2, summary .soft').allTextContents();
      const wrong = texts.filter((text) => text.trim() === '' || /[\u4e00-\u9fff]/.test(text) !== (lang === 'zh'));
      assert(texts.length > 80 && wrong.length === 0, `of ${texts.length} texts not in this language: ${wrong.join(' | ')}`);
    });

  await visit('resigning asks once more and ends the game', { lang: 'zh' }, async ({ page }) => {
    await startAgainst(page, 'nogo', 'random');
    await page.waitForSelector('[data-target]');
    await page.click('[data-act="resign"]');
    await page.click('[data-act="resign-sure"]');
    await page.waitForSelector('.result');
    return await verdict(page);
  });
}
