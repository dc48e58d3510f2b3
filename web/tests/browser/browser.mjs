/** Chromium, and visitors in it whose every received byte and complaint is kept. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launch() {
  const executablePath = places.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('there is no Chromium; apt-get install chromium, or set CHROMIUM');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-proxy-server'],
  });
}

/** What Chromium says when a server is gone; wanted in the test that kills it. */
const offline = /net::ERR_|Failed to load resource/;

export class Visitor {
  /** A person with a browser of his own: own cookies, own storage. */
  static async come(browser, base, { lang = 'en', theme = 'light', width = 1280, height = 900, touch = false } = {}) {
    const visitor = new Visitor();
    visitor.base = base;
    visitor.context = await browser.newContext({
      baseURL: base,
      viewport: { width, height },
      locale: lang === 'zh' ? 'zh-CN' : 'en-GB',
      colorScheme: theme,
      hasTouch: touch,
      reducedMotion: 'reduce',
    });
    visitor.page = await visitor.context.newPage();
    // A machine that builds and tests other things at the same time is slow, not wrong.
    visitor.page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 90_000));
    // Chromium on a starved machine sometimes connects and then does not ask; it is told to ask once more, and that is said.
    const goto = visitor.page.goto.bind(visitor.page);
    visitor.page.goto = async (address, options = {}) => {
      try {
        return await goto(address, { timeout: 30_000, ...options });
      } catch (error) {
        if (!/Timeout/.test(String(error))) throw error;
        console.log(`slow    ${address} did not load within half a minute; asked again`);
        return goto(address, { timeout: 90_000, ...options });
      }
    };
    visitor.complaints = [];
    visitor.received = [];
    visitor.mayBeOffline = false;
    visitor.page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (visitor.mayBeOffline && offline.test(message.text())) return;
      visitor.complaints.push(`${message.text()} ${message.location().url}`);
    });
    visitor.page.on('pageerror', (error) => visitor.complaints.push(String(error)));
    const devtools = await visitor.context.newCDPSession(visitor.page);
    await devtools.send('Network.enable');
    devtools.on('Network.eventSourceMessageReceived', (event) =>
      visitor.received.push({ kind: 'event', name: event.eventName, id: event.eventId, text: event.data }),
    );
    visitor.page.on('response', async (response) => {
      const address = new URL(response.url()).pathname;
      if (!address.startsWith('/api/') || (response.headers()['content-type'] ?? '').includes('event-stream')) return;
      try {
        visitor.received.push({ kind: 'answer', name: address, text: await response.text() });
      } catch {
        // The page left before the answer was read; then it has not received it either.
      }
    });
    return visitor;
  }

  /** Nothing may have been complained about. */
  assertQuiet() {
    if (this.complaints.length > 0) throw new Error(`the page complained:\n${this.complaints.join('\n')}`);
  }

  async leave() {
    await this.context.close();
  }
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Waits until everything that was on its way is drawn. */
export async function settled(page) {
  await page.waitForSelector('h1');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null && document.fonts.status === 'loaded');
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
