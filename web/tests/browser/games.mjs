/** In each of the nine games a person plays a whole game against a built-in player, by real clicks. */
import { Visitor, assert } from './browser.mjs';
import { playOut, startAgainst, verdict } from './play.mjs';

const GAMES = ['amazons', 'connect6', 'nogo', 'dots', 'phantom-go', 'surakarta', 'gomoku', 'junqi', 'tiaojia'];

/** Games that end soon, however badly both play. */
const QUICK = ['amazons', 'nogo', 'dots', 'junqi'];

export default async function games({ test, browser, server }) {
  const listed = (await server.get('/api/games')).map((game) => game.id);
  test.equal('every game of the server is tested here', [...listed].sort().join(), [...GAMES].sort().join());

  for (const [index, game] of GAMES.entries()) {
    // Languages, sides and levels take turns, so that each is seen with several games.
    const lang = index % 2 === 0 ? 'zh' : 'en';
    const side = index % 3 === 1 ? 'white' : 'black';
    const level = QUICK.includes(game) ? 'random' : 'greedy';
    await test(`${game}: a whole game against ${level} as ${side} (${lang})`, async () => {
      const visitor = await Visitor.come(browser, server.base, { lang });
      try {
        const { page } = visitor;
        const id = await startAgainst(page, game, level, { side });
        const clicks = await playOut(page, { seed: index + 1 });
        assert(clicks > 3, `only ${clicks} clicks`);
        const words = await verdict(page);
        assert(/[\u4e00-\u9fff]/.test(words) === (lang === 'zh'), `the verdict is not in ${lang}: ${words}`);
        const room = await server.get(`/api/rooms/${id}`);
        assert(room.state === 'finished' && room.result, 'the server does not know the game is over');
        assert(room.result.text[lang] === words.trim(), `the page says ${words}, the server ${room.result.text[lang]}`);
        visitor.assertQuiet();
        return `${clicks} clicks, ${room.plies} plies: ${words}`;
      } finally {
        await visitor.leave();
      }
    });
  }

  await test('gomoku with swap2: the opening of several stones and the swap, by clicks', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const { page } = visitor;
      await startAgainst(page, 'gomoku', 'greedy', { options: { opening: 'swap2', size: '15' } });
      await playOut(page, { seed: 77 });
      visitor.assertQuiet();
      return await verdict(page);
    } finally {
      await visitor.leave();
    }
  });

  await test('nogo on a phone, by touch', async () => {
    const visitor = await Visitor.come(browser, server.base, { width: 375, height: 740, touch: true });
    try {
      const { page } = visitor;
      await startAgainst(page, 'nogo', 'random');
      await page.waitForSelector('[data-target]');
      const targets = await page.$$('[data-target]');
      const box = await targets[40].boundingBox();
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
      // A finger hides what it hits: the ply waits.
      await page.waitForSelector('[data-act="confirm"]');
      await page.tap('[data-act="undo"]');
      await page.waitForSelector('[data-act="confirm"]', { state: 'detached' });
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
      await page.tap('[data-act="confirm"]');
      await page.waitForSelector('li button .mono');
      visitor.assertQuiet();
    } finally {
      await visitor.leave();
    }
  });
}
