/** What a page must not let happen: foreign code, foreign sites, names that are HTML, cookies that scripts can read. */
import { createServer } from 'node:http';
import { Visitor, assert } from './browser.mjs';
import { startAgainst } from './play.mjs';

/** A site of somebody else on this machine: another port is another origin, but the same site, so cookies do go along. */
async function foreignSite(html) {
  const site = createServer((_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end(html));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${site.address().port}/`, close: () => new Promise((resolve) => site.close(resolve)) };
}

const name = (page) => page.evaluate(() => fetch('/api/me').then((answer) => answer.json()).then((me) => me.name));

async function rename(page, text) {
  await page.goto('/about');
  await page.fill('input[autocomplete="nickname"]', text);
  // The answer is waited for by name: `waitForFunction` takes the promise of a `fetch` for a yes before it is one.
  const renamed = page.waitForResponse((answer) => answer.url().endsWith('/api/me') && answer.request().method() === 'POST');
  await page.press('input[autocomplete="nickname"]', 'Enter');
  assert((await renamed).ok(), 'the visitor could not be renamed');
  assert((await name(page)) === text, 'the visitor is not called what he asked for');
}

export default async function safety({ test, browser, server }) {
  await test('a name that is HTML is shown as text, in lists, seats and on the first page', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const visitor = await Visitor.come(browser, server.base);
    const other = await Visitor.come(browser, server.base, { lang: 'zh' });
    try {
      await rename(visitor.page, evil);
      const id = await startAgainst(visitor.page, 'nogo', 'random');
      await visitor.page.waitForSelector('[data-target]');
      await other.page.goto(`/room/${id}`);
      await other.page.waitForFunction((evil) => document.body.textContent.includes(evil), evil);
      await other.page.goto('/');
      await other.page.waitForFunction((evil) => document.body.textContent.includes(evil), evil);
      await visitor.page.click('[data-act="resign"]');
      await visitor.page.click('[data-act="resign-sure"]');
      await visitor.page.waitForSelector('.result');
      await other.page.goto('/games/nogo');
      await other.page.waitForFunction((evil) => document.body.textContent.includes(evil), evil);
      for (const { page } of [visitor, other]) assert((await page.locator('img').count()) === 0, 'a name became a picture');
      visitor.assertQuiet();
      other.assertQuiet();
    } finally {
      await visitor.leave();
      await other.leave();
    }
  });

  await test('an engine whose name is HTML is offered and seated as text', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const { page } = visitor;
      await page.goto('/games/gomoku');
      const option = page.locator('form select >> nth=0').locator('option', { hasText: '<i>Ada</i>' });
      await option.waitFor({ state: 'attached' });
      await page.selectOption('form select >> nth=0', 'engine:<i>Ada</i>');
      await page.click('form button[type="submit"]');
      await page.waitForURL('**/room/*');
      await page.waitForFunction(() => document.querySelector('main').textContent.includes('<i>Ada</i>'));
      assert((await page.locator('main i').count()) === 0, 'the name of an engine became markup');
      await page.waitForSelector('[data-target]');
      visitor.assertQuiet();
    } finally {
      await visitor.leave();
    }
  });

  await test('foreign code does not run: no inline script, no inline style, no eval, no strange host', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const { page } = visitor;
      await page.goto('/');
      await page.waitForSelector('h1');
      await page.evaluate(() => {
        globalThis.refused = [];
        document.addEventListener('securitypolicyviolation', (event) => globalThis.refused.push(event.effectiveDirective));
        const script = document.createElement('script');
        script.textContent = 'globalThis.owned = true';
        const button = document.createElement('button');
        button.setAttribute('onclick', 'globalThis.owned = true');
        const style = document.createElement('style');
        style.textContent = 'body { display: none }';
        const image = document.createElement('img');
        image.src = 'http://127.0.0.1:9/spy.png';
        document.body.append(script, button, style, image);
        button.click();
        fetch('http://127.0.0.1:9/spy').catch(() => {});
      });
      const wanted = ['script-src-elem', 'script-src-attr', 'style-src-elem', 'img-src', 'connect-src'];
      await page.waitForFunction((wanted) => wanted.every((one) => globalThis.refused.includes(one)), wanted);
      const owned = await page.evaluate(() => globalThis.owned ?? getComputedStyle(document.body).display === 'none');
      assert(!owned, 'foreign code ran');
      const policy = (await fetch(server.base)).headers.get('content-security-policy');
      assert(!/unsafe|\*/.test(policy), policy);
    } finally {
      await visitor.leave();
    }
  });

  await test('another site cannot act for a visitor, though his cookies go along', async () => {
    const visitor = await Visitor.come(browser, server.base);
    const form = `<form id="form" method="post" enctype="text/plain" action="${server.base}/api/me"><input name='{"name":"owned","x":"' value='"}'></form>`;
    const script = `
      const send = (type) => fetch('${server.base}/api/me', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'Content-Type': type }, body: '{"name":"owned"}' });
      Promise.allSettled([send('text/plain'), send('application/json')]).then(() => (document.title = 'sent'));`;
    const site = await foreignSite(`<!doctype html><title>evil</title>${form}<script>${script}</script>`);
    try {
      const { page } = visitor;
      await rename(page, 'Honest');
      await page.goto(site.address);
      await page.waitForFunction(() => document.title === 'sent');
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/api/me') && response.request().isNavigationRequest()),
        page.evaluate(() => document.querySelector('#form').submit()),
      ]);
      await page.waitForURL(`${server.base}/api/me`);
      assert(answer.status() === 403, `a foreign form was answered with ${answer.status()}`);
      await page.goto('/about');
      assert((await name(page)) === 'Honest', 'another site renamed the visitor');
    } finally {
      await site.close();
      await visitor.leave();
    }
  });

  await test('scripts cannot read who one is: HttpOnly, Secure, SameSite, __Host-', async () => {
    const visitor = await Visitor.come(browser, server.base);
    try {
      const { page } = visitor;
      await rename(page, 'Cookie');
      const cookies = await visitor.context.cookies();
      assert(cookies.length > 0, 'there is no cookie');
      for (const cookie of cookies) {
        assert(cookie.name.startsWith('__Host-') && cookie.httpOnly && cookie.secure && cookie.sameSite === 'Lax' && cookie.path === '/', JSON.stringify(cookie));
        const kept = await page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }));
        assert(!kept.includes(cookie.value), 'the token lies where scripts can read it');
      }
    } finally {
      await visitor.leave();
    }
  });
}
