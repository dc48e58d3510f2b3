/** What is wrong with how a page looks, as far as a program can tell. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { settled } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical faults, in words. */
export async function faults(page) {
  // The page policy forbids foreign scripts in the page, and rightly so; the devtools may.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter((fault) => fault.impact === 'serious' || fault.impact === 'critical')
    .map((fault) => `${fault.id}: ${fault.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any?.[0]?.message ?? ''}`).join(' | ')}`);
}

/** Pixels the page is wider than the window. */
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Whether it lies in the window as it stands, with nothing over its middle. */
export const inSight = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const box = element.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const within = box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
      return within && (element === top || element.contains(top));
    });

const headings = (page) =>
  page.evaluate(() => [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((heading) => Number(heading.tagName[1])));

/** Loads a page and lists what is wrong with it. */
export async function inspect(page, path) {
  await page.goto(path, { waitUntil: 'load' });
  await settled(page);
  const wrong = [];
  const wide = await overflow(page);
  if (wide > 0) wrong.push(`${path} is ${wide} px too wide`);
  const levels = await headings(page);
  const inOrder = levels.every((level, index) => index === 0 || level <= levels[index - 1] + 1);
  if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1 || !inOrder) wrong.push(`${path}: headings ${levels}`);
  const found = await faults(page);
  if (found.length > 0) wrong.push(`${path}: ${found.join('\n')}`);
  return wrong;
}
