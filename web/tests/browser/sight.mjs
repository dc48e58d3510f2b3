/** What of a room is in sight, where and when: what waits for an answer, whole boards, one's own side, words for the next click. */
import { Visitor, assert } from './browser.mjs';
import { faults, inSight, overflow } from './faults.mjs';
import { act, dice, playOut, startAgainst } from './play.mjs';

export const steps = (page) => page.locator('ol li button .mono').count();

export async function until(what, holds, patience = 60_000) {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export default async function sight({ test, visit, browser, server }) {
  for (const lang of ['en', 'zh'])
    await test(`on a phone everything that waits for an answer is in sight, wherever the page stands (${lang})`, async () => {
      const host = await Visitor.come(browser, server.base);
      const guest = await Visitor.come(browser, server.base, { lang, width: 375, height: 667, touch: true });
      try {
        const { page } = guest;
        const sees = async (selector, what) => {
          await page.waitForSelector(selector);
          assert(await inSight(page, selector), `${what} is out of sight`);
        };
        await host.page.goto('/games/gomoku');
        await host.page.check('input[value="friend"]', { force: true });
        await host.page.click('form button[type="submit"]');
        await host.page.waitForURL('**/room/*');
        await page.goto(await host.page.inputValue('.panel .share input'));
        await sees('.panel .strong', 'the seat that is offered');
        await page.tap('.panel .strong');
        await host.page.waitForSelector('[data-act="resign"]');
        const roll = dice(5);
        await until('both have played', async () => {
          for (const one of [host, guest]) await act(one.page, roll);
          return (await steps(page)) >= 2;
        });
        await host.page.click('[data-act="takeback"]');
        await sees('[data-offer="takeback"] .strong', 'the request to take back');
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await sees('[data-offer="takeback"] .plain', 'the request to take back, with the page at its end,');
        await page.tap('[data-offer="takeback"] .plain');
        await page.waitForSelector('[data-offer]', { state: 'detached' });
        await page.evaluate(() => scrollTo(0, 0));
        await host.page.click('[data-act="draw"]');
        await sees('[data-offer="draw"] .strong', 'the draw that is offered');
        await sees('[data-offer="draw"] .plain', 'the way to decline a draw');
        const found = await faults(page);
        assert(found.length === 0, found.join('\n'));
        await page.tap('[data-offer="draw"] .strong');
        await sees('[data-act="rematch"]', 'the rematch');
        await sees('[data-act="analyse"]', 'the analysis');
        await sees('.bar .end', 'how the game ended');
        await host.page.click('[data-act="rematch"]');
        await sees('.sure', 'that the opponent wants a rematch');
        assert((await overflow(page)) <= 0, 'the page is too wide');
        host.assertQuiet();
        guest.assertQuiet();
      } finally {
        await host.leave();
        await guest.leave();
      }
    });

  for (const [width, height, lang] of [[1366, 657, 'zh'], [1280, 720, 'en'], [375, 667, 'zh'], [375, 812, 'en'], [1920, 1080, 'zh']])
    for (const side of ['black', 'white'])
      await visit(`junqi at ${width}×${height}: the whole set-up is in sight, and then the whole board (${side}, ${lang})`, { lang, width, height }, async ({ page }) => {
        await startAgainst(page, 'junqi', 'random', { side });
        await page.waitForSelector('[data-ready]:not([disabled])');
        await until('the set-up is laid out', () => inSight(page, '[data-ready]'));
        const hidden = await page.locator('[data-spot]').evaluateAll((all) =>
          all.flatMap((one) => {
            const box = one.getBoundingClientRect();
            return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === one ? [] : [one.getAttribute('aria-label')];
          }),
        );
        assert(hidden.length === 0, `covered or out of sight: ${hidden.join('; ')}`);
        for (const selector of ['[data-act="shelf"]', '.setup .acts button']) assert(await inSight(page, selector), `${selector} is out of sight`);
        await page.click('[data-ready]');
        await until('it was taken', async () => (await steps(page)) >= 2);
        await page.waitForSelector('[data-target]');
        const board = await page.locator('svg.board').boundingBox();
        assert(board.y >= 0 && board.y + board.height <= height, `the board reaches from ${board.y} to ${board.y + board.height} of ${height}`);
        // As high as the window allows, but for the bars above and below.
        assert(board.height > height * (width < 600 ? 0.66 : 0.8), `the board is ${board.width}×${board.height}`);
        const bar = await page.locator('.play .bar').boundingBox();
        const apart = bar.y >= board.y + board.height - 1 || bar.x >= board.x + board.width - 1;
        assert(apart, 'the bar covers the board');
        return `${Math.round(board.width)}×${Math.round(board.height)}`;
      });

  for (const game of ['amazons', 'surakarta', 'tiaojia'])
    await visit(`${game}: one's own pieces are below, and the board stays turned when one turns it`, {}, async ({ page }) => {
      const ownAreBelow = () =>
        page.evaluate(async () => {
          const room = await (await fetch(`/api/rooms/${location.pathname.split('/').pop()}`)).json();
          const heights = { own: [], other: [] };
          for (const piece of room.view.pieces) if (piece.side) heights[piece.side === room.you ? 'own' : 'other'].push(piece.spot);
          const high = (spot) => document.querySelector(`[data-spot="${spot}"]`)?.getBoundingClientRect().y;
          const tokens = [...document.querySelectorAll('.board .token')].map((token) => token.getBoundingClientRect().y);
          const own = heights.own.map(high).filter((y) => y !== undefined);
          const mean = (all) => all.reduce((sum, y) => sum + y, 0) / all.length;
          return mean(own) > mean(tokens);
        });
      for (const side of ['white', 'black']) {
        await startAgainst(page, game, 'random', { side });
        await page.waitForSelector('[data-target]');
        assert(await ownAreBelow(), `${side}'s pieces are not below`);
      }
      const first = () => page.textContent('.strip b');
      const above = await first();
      await page.click('[data-act="flip"]');
      await until('the board is turned', async () => !(await ownAreBelow()));
      assert((await first()) !== above, 'the players did not change places with the board');
      await page.reload();
      await page.waitForSelector('[data-target]');
      assert(!(await ownAreBelow()), 'the turned board is forgotten');
      await act(page, dice(3));
      await page.click('[data-act="flip"]');
      await until('the board is turned back', ownAreBelow);
    });

  for (const lang of ['en', 'zh'])
    await visit(`amazons says what the next click is for (${lang})`, { lang }, async ({ page }) => {
      await startAgainst(page, 'amazons', 'random');
      await page.waitForSelector('[data-target]');
      const message = () => page.textContent('.bar .message');
      const roll = dice(7);
      await act(page, roll);
      const [where, shoot, undo] = lang === 'zh' ? ['走到哪里', '现在放箭', '撤销'] : ['Where should it go', 'Now shoot', 'Undo'];
      assert((await message()).includes(where), `after the first click: ${await message()}`);
      await act(page, roll);
      assert((await message()).includes(shoot), `after the second click: ${await message()}`);
      assert((await page.textContent('[data-act="undo"]')).trim() === undo, 'the word for taking a click back');
    });

  await visit('connect6 on a phone: a ply of small targets waits for a confirmation', { width: 375, height: 667, touch: true }, async ({ page }) => {
    await startAgainst(page, 'connect6', 'greedy');
    await page.waitForSelector('[data-target]');
    const box = await page.locator('[data-target]').nth(180).boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector('[data-act="confirm"]');
    assert((await steps(page)) === 0, 'the ply was sent at once');
    assert(await inSight(page, '[data-act="confirm"]'), 'the confirmation is out of sight');
  });

  await visit('what could not be sent is forgotten once the server is there again', {}, async (visitor) => {
    const { page, context } = visitor;
    await startAgainst(page, 'nogo', 'random');
    await page.waitForSelector('[data-target]');
    visitor.mayBeOffline = true;
    await context.setOffline(true);
    // The ply fails, and so may the events; which of them comes back first is the browser's affair.
    await until('the ply failed', async () => {
      if ((await page.locator('.bar.trouble').count()) > 0) return true;
      const target = await page.locator('[data-target]').first().boundingBox();
      if (target) await page.mouse.click(target.x + target.width / 2, target.y + target.height / 2);
      return false;
    });
    await context.setOffline(false);
    await page.waitForSelector('.bar.trouble', { state: 'detached' });
    await act(page, dice(1));
    await until('the game goes on', async () => (await steps(page)) >= 2);
  });

  await visit('a finished game says its whole length, and stepping says where one is in it', {}, async ({ page }) => {
    await startAgainst(page, 'dots', 'greedy');
    await playOut(page, { seed: 3 });
    const count = await steps(page);
    const head = () => page.textContent('.head .soft');
    await until('the game is loaded', async () => (await page.textContent('.stepper .count')).trim() === `${count}/${count}`);
    assert((await head()).includes(`${count} plies`), `the head says: ${await head()}`);
    await page.keyboard.press('Home');
    await page.waitForSelector(`text=Ply 0 of ${count}`);
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector(`text=Ply 1 of ${count}`);
    assert((await head()).includes(`${count} plies`), `the head follows the steps: ${await head()}`);
    // Chains are cut into their lines.
    const texts = await page.locator('ol li .mono [aria-hidden="true"]').allTextContents();
    assert(texts.length > 0 && texts.every((text) => text.split(' ').every((part) => part.length <= 4)), `chains: ${texts.join(' | ')}`);
    return texts.sort((one, two) => two.length - one.length)[0];
  });
}
