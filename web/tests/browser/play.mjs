/** A person who clicks anything legal until the game is over. Knows no game: only targets, buttons and the verdict. */

/** Small, seeded: a failing game can be played again. */
export function dice(seed) {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** What the page offers right now. */
const look = (page) =>
  page.evaluate(() => {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, spot: element.dataset.spot };
    };
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => !element.disabled);
    return {
      over: document.querySelector('.result') !== null,
      ready: shown('[data-ready]').length > 0,
      confirm: shown('[data-act="confirm"]').length > 0,
      targets: [...document.querySelectorAll('[data-target]')].map(middle),
      buttons: shown('button[data-spot]').map((button) => button.dataset.spot),
      trouble: document.querySelector('.bar.trouble .message')?.textContent ?? '',
    };
  });

/** Presses a button that was there a moment ago; it may be gone, since the opponent or the clock does not wait. */
async function press(page, selector) {
  try {
    await page.click(selector, { timeout: 1500 });
    return 'clicked';
  } catch {
    return 'nothing';
  }
}

/** Makes one click if there is something to click; says what it did: clicked, nothing, or over. */
export async function act(page, roll, { preferButtons = false } = {}) {
  const seen = await look(page);
  if (seen.over) return 'over';
  if (seen.trouble) throw new Error(`the server refused what the page offered: ${seen.trouble}`);
  if (seen.ready) return press(page, '[data-ready]');
  if (seen.confirm) return press(page, '[data-act="confirm"]');
  if (seen.buttons.length > 0 && (preferButtons || seen.targets.length === 0)) {
    return press(page, `button[data-spot="${seen.buttons[roll(seen.buttons.length)]}"]`);
  }
  if (seen.targets.length === 0) return 'nothing';
  const target = seen.targets[roll(seen.targets.length)];
  await page.mouse.click(target.x, target.y);
  return 'clicked';
}

/** Plays until the verdict. `patience` bounds the clicks; after `hurry` clicks buttons (pass) are preferred. */
export async function playOut(page, { seed = 1, patience = 1500, hurry = 60, onclick = async () => {} } = {}) {
  const roll = dice(seed);
  let clicks = 0;
  let idle = 0;
  while (clicks < patience) {
    const did = await act(page, roll, { preferButtons: clicks > hurry });
    if (did === 'over') return clicks;
    if (did === 'clicked') {
      clicks++;
      idle = 0;
      await onclick(clicks);
    } else {
      if (++idle > 4000) throw new Error(`nothing to click for 80 s after ${clicks} clicks`);
      await page.waitForTimeout(20);
    }
  }
  throw new Error(`no verdict after ${patience} clicks`);
}

/** Starts a game against a built-in player from the game's own page. */
export async function startAgainst(page, game, level, { side = 'black', options = {} } = {}) {
  await page.goto(`/games/${game}`);
  await page.check('input[value="builtin"]', { force: true });
  await page.check(`input[value="${side}"]`, { force: true });
  await page.selectOption('form select >> nth=0', level);
  if (Object.keys(options).length > 0) {
    await page.click('form details summary');
    for (const [key, value] of Object.entries(options)) {
      const control = page.locator(`[data-option="${key}"]`);
      if ((await control.evaluate((one) => one.tagName)) === 'SELECT') await control.selectOption(value);
      else await control.fill(value);
    }
  }
  await page.click('form button[type="submit"]');
  await page.waitForURL('**/room/*');
  return page.url().split('/room/')[1];
}

/** The words of the verdict. */
export const verdict = (page) => page.textContent('.result .text');
