/** How the pages look and weigh: languages, widths, contrast and other faults axe knows, the first page's budget. */
import { gzipSync } from 'node:zlib';
import { Visitor, assert, settled } from './browser.mjs';
import { faults, inspect, overflow } from './faults.mjs';
import { act, dice, playOut, startAgainst } from './play.mjs';

export default async function look({ test, browser, server }) {
  // A finished and a running room to look at.
  const maker = await Visitor.come(browser, server.base);
  const finished = await startAgainst(maker.page, 'dots', 'greedy');
  await playOut(maker.page, { seed: 3 });
  const watched = await maker.page.evaluate(async () => {
    const seat = { kind: 'builtin', level: 'random' };
    const wish = { game: 'surakarta', time: { game_ms: 600000 }, seats: { black: seat, white: seat }, public: true };
    const answer = await fetch('/api/rooms', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish) });
    return (await answer.json()).room.id;
  });
  const pages = ['/', '/games/amazons', '/games/junqi', `/room/${finished}`, `/room/${watched}`, '/games', '/games?state=live', '/replay', '/api', '/about', '/nowhere'];

  // Each width in both languages and both themes, each language in both themes.
  const ways = [
    [375, 740, 'light', 'zh'],
    [375, 740, 'dark', 'en'],
    [1280, 900, 'dark', 'zh'],
    [1280, 900, 'light', 'en'],
    [1920, 1080, 'light', 'zh'],
    [1920, 1080, 'dark', 'en'],
  ];
  for (const [width, height, theme, lang] of ways) {
    await test(`every page at ${width} px, ${theme}, ${lang}: no sideways scrolling, no fault, headings in order, quiet`, async () => {
      const visitor = await Visitor.come(browser, server.base, { lang, theme, width, height });
      try {
        const wrong = [];
        for (const path of pages) wrong.push(...(await inspect(visitor.page, path)));
        assert(wrong.length === 0, wrong.join('\n'));
        // Chromium notes the 404 of the page that is not there.
        visitor.complaints = visitor.complaints.filter((text) => !/404.*\/nowhere$/.test(text));
        visitor.assertQuiet();
      } finally {
        await visitor.leave();
      }
    });
  }

  for (const theme of ['light', 'dark']) await test(`a board that waits for a click has no fault either, and fits a phone (${theme})`, async () => {
    const visitor = await Visitor.come(browser, server.base, { width: 375, height: 740, theme });
    try {
      for (const game of ['amazons', 'gomoku', 'junqi', 'dots']) {
        await startAgainst(visitor.page, game, 'random');
        await visitor.page.waitForSelector('[data-spot]');
        const found = await faults(visitor.page);
        assert(found.length === 0, `${game}: ${found.join('\n')}`);
        assert((await overflow(visitor.page)) <= 0, `${game} is too wide for a phone`);
      }
      visitor.assertQuiet();
    } finally {
      await visitor.leave();
    }
  });

  await test('the language is switched in place, also in the middle of a ply', async () => {
    const visitor = await Visitor.come(browser, server.base, { lang: 'en' });
    try {
      const { page } = visitor;
      await startAgainst(page, 'amazons', 'random');
      await page.waitForSelector('[data-target]');
      await act(page, dice(1));
      await page.click('.language');
      assert((await page.getAttribute('html', 'lang')) === 'zh-CN', 'the document does not say it is Chinese');
      assert(/亚马逊棋/.test(await page.textContent('h2')), 'the game keeps its English name');
      assert((await page.locator('.token.lifted').count()) === 1, 'the piece in hand was put down');
      await page.reload();
      await page.waitForSelector('[data-target]');
      assert(/亚马逊棋/.test(await page.textContent('h2')), 'the language is forgotten');
      visitor.assertQuiet();
    } finally {
      await visitor.leave();
    }
  });

  await test('first page: at most 60 KB of script and style, one round of requests, no layout shift', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const { page } = visitor;
      const asked = [];
      page.on('request', (request) => asked.push(request));
      await page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto('/', { waitUntil: 'load' });
      await page.waitForSelector('.games h3');
      await page.waitForSelector('.live > *');
      await settled(page);
      const html = await (await fetch(server.base)).text();
      let bytes = 0;
      const files = [];
      for (const request of asked) {
        const path = new URL(request.url()).pathname;
        if (!/\.(js|css)$/.test(path)) continue;
        const size = gzipSync(Buffer.from(await (await fetch(server.base + path)).arrayBuffer())).length;
        files.push(`${path} ${size}`);
        bytes += size;
        assert(html.includes(path), `${path} is not named by the document: a second round of requests`);
      }
      assert(bytes > 10_000, 'no scripts were counted');
      assert(bytes <= 60 * 1024, `${bytes} bytes of script and style: ${files.join(', ')}`);
      const shift = await page.evaluate(() => globalThis.shift);
      assert(shift < 0.02, `the layout shifted by ${shift}`);
      // And the server really sends them compressed.
      const main = files[0].split(' ')[0];
      const answer = await fetch(server.base + main, { headers: { 'Accept-Encoding': 'gzip' } });
      assert(answer.headers.get('content-encoding') === 'gzip', `${main} is sent without compression`);
      visitor.assertQuiet();
      return `${bytes} bytes in ${files.length} files, shift ${shift.toFixed(4)}`;
    } finally {
      await visitor.leave();
    }
  });

  await test('ten seconds from the first page to the first ply', async () => {
    // The best of three: a machine that does other things as well says nothing about the pages.
    const times = [];
    for (let tries = 0; tries < 3 && !times.some((time) => time < 10_000); tries++) {
      const visitor = await Visitor.come(browser, server.base, { lang: 'zh' });
      try {
        const begin = Date.now();
        await visitor.page.goto('/');
        await visitor.page.click('.games li:nth-child(3) .strong');
        await visitor.page.waitForSelector('[data-target]');
        await act(visitor.page, dice(1));
        await visitor.page.waitForSelector('ol li .mono');
        times.push(Date.now() - begin);
      } finally {
        await visitor.leave();
      }
    }
    assert(Math.min(...times) < 10_000, `it took ${times.join(', ')} ms`);
    return `${times.join(', ')} ms`;
  });

  await maker.leave();
}
