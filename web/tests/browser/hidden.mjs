/** Two people play hidden games against each other, and everything either page received is searched. */
import { Visitor, assert } from './browser.mjs';
import { inSight } from './faults.mjs';
import { act, dice, startAgainst } from './play.mjs';

const other = (side) => (side === 'black' ? 'white' : 'black');

/** Every object in everything that was received. */
function* objects(value) {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield value;
  // Stones that a player took are told to him: they are looked at where the step is.
  for (const [key, part] of Object.entries(value)) if (key !== 'gone') yield* objects(part);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Makes a room with an open seat on one page and takes the seat on the other. */
async function sitDown(browser, server, game) {
  const host = await Visitor.come(browser, server.base, { lang: 'zh' });
  const guest = await Visitor.come(browser, server.base, { lang: 'en' });
  await host.page.goto(`/games/${game}`);
  await host.page.check('input[value="friend"]', { force: true });
  await host.page.click('form button[type="submit"]');
  await host.page.waitForURL('**/room/*');
  const link = await host.page.inputValue('.panel .share input');
  await guest.page.goto(link);
  await guest.page.click('.panel .strong');
  await guest.page.waitForSelector('[data-act="resign"]');
  await host.page.waitForSelector('[data-act="resign"]');
  return { host, guest, id: host.page.url().split('/room/')[1] };
}

/** Both click until it is over; gives what each had received before the end, when everything is opened. */
async function playBoth({ host, guest }, { seed, patience, hurry }) {
  const roll = dice(seed);
  let clicks = 0;
  let idle = 0;
  while (clicks < patience) {
    let moved = false;
    for (const visitor of [host, guest]) {
      const did = await act(visitor.page, roll, { preferButtons: clicks > hurry });
      if (did === 'over') return clicks;
      if (did === 'clicked') {
        clicks++;
        moved = true;
      }
    }
    idle = moved ? 0 : idle + 1;
    if (idle > 4000) throw new Error('neither has anything to click');
    if (!moved) await host.page.waitForTimeout(20);
  }
  throw new Error(`no verdict after ${patience} clicks`);
}

/** What was received before this game was over; lists tell of other games too, which are over already. */
async function before(visitor, id) {
  const isEnd = (one) => (one.kind === 'event' && one.name === 'over') || (one.name.startsWith(`/api/rooms/${id}`) && /"state":"finished"/.test(one.text));
  // The one who made the last ply may know of the end before the other page does.
  for (let waited = 0; waited < 15_000; waited += 50) {
    const end = visitor.received.findIndex(isEnd);
    if (end >= 0) return visitor.received.slice(0, end);
    await visitor.page.waitForTimeout(50);
  }
  throw new Error('the end of the game is not in what was received, so it is not known what came before it');
}

export default async function hidden({ test, browser, server }) {
  await test('phantom-go: neither page is told of the other’s stones, plies or refused tries', async () => {
    const people = await sitDown(browser, server, 'phantom-go');
    try {
      const clicks = await playBoth(people, { seed: 5, patience: 600, hurry: 90 });
      const record = await server.get(`/api/rooms/${people.id}/frames?eyes=all`);
      const steps = record.frames.map((frame) => frame.step);
      const refused = steps.filter((step) => step.end === 'refused');
      assert(refused.length > 0, 'the game had no refused try, so it proves too little');
      const seats = [
        [people.host, 'black'],
        [people.guest, 'white'],
      ];
      for (const [visitor, own] of seats) {
        const received = await before(visitor, people.id);
        let ownPlies = 0;
        let theirPlies = 0;
        const numbers = [];
        for (const one of received) {
          if (one.kind === 'event' && one.id) numbers.push(Number(one.id.split('.').pop()));
          const value = parsed(one.text);
          for (const object of objects(value)) {
            if (object.figure === 'stone') assert(object.side === own, `${own} was sent a stone of ${object.side} in ${one.name}: ${one.text.slice(0, 300)}`);
            for (const piece of object.gone ?? []) {
              const known = piece.side === own ? object.mover === other(own) : object.mover === own;
              assert(known, `${own} was told that ${object.mover} took ${JSON.stringify(piece)} in ${one.name}`);
            }
            if (object.mover === other(own)) {
              assert(object.ply == null || object.ply === 'pass', `${own} was sent the ply ${object.ply} of the other in ${one.name}`);
              assert(object.end !== 'refused', `${own} was told of a refused try of the other in ${one.name}`);
            }
          }
          if (one.kind === 'event' && one.name === 'frame' && value.frame.step) {
            if (value.frame.step.mover === own) ownPlies++;
            else theirPlies++;
          }
        }
        assert(ownPlies > 5 && theirPlies > 5, `${own} received too little to prove anything: ${ownPlies}, ${theirPlies}`);
        const played = steps.filter((step) => step.mover === other(own) && step.end !== 'refused').length;
        assert(theirPlies <= played, `${own} received ${theirPlies} steps of the other, who played ${played}`);
        numbers.forEach((number, index) => {
          if (index > 0 && number !== numbers[index - 1]) assert(number === numbers[index - 1] + 1, `a gap in ${own}'s events: ${numbers[index - 1]}, ${number}`);
        });
      }
      people.host.assertQuiet();
      people.guest.assertQuiet();
      return `${clicks} clicks, ${steps.length} steps, ${refused.length} refused`;
    } finally {
      await people.host.leave();
      await people.guest.leave();
    }
  });

  await test('junqi: neither page is told of the other’s set-up or ranks', async () => {
    const people = await sitDown(browser, server, 'junqi');
    try {
      for (const visitor of [people.host, people.guest]) await visitor.page.waitForSelector('[data-act="resign"]');
      // Each shuffles, so that the set-ups are nobody's suggestion.
      await people.host.page.click('.setup .acts button >> nth=0');
      await people.host.page.click('[data-ready]');
      await people.guest.page.waitForSelector('[data-ready]:not([disabled])');
      await people.guest.page.click('.setup .acts button >> nth=0');
      await people.guest.page.click('[data-ready]');
      const clicks = await playBoth(people, { seed: 9, patience: 900, hurry: 9999 });
      const record = await server.get(`/api/rooms/${people.id}/frames?eyes=all`);
      const [black, white] = record.frames.map((frame) => frame.step.ply);
      assert(/^[a-l]{25}$/.test(black) && /^[a-l]{25}$/.test(white), `no set-ups: ${black} ${white}`);
      const turned = (text) => [...text].reverse().join('');
      for (const [visitor, own, mine, theirs] of [
        [people.host, 'black', black, white],
        [people.guest, 'white', white, black],
      ]) {
        const received = await before(visitor, people.id);
        const all = received.map((one) => one.text).join('\n');
        assert(all.includes(mine) || all.includes(turned(mine)), `${own}'s own set-up is not in what was searched: the search proves nothing`);
        assert(!all.includes(theirs) && !all.includes(turned(theirs)), `${own} was sent the other's set-up`);
        let backs = 0;
        let told = 0;
        const shown = new Set();
        for (const one of received) {
          for (const object of objects(parsed(one.text))) {
            for (const piece of object.gone ?? []) {
              told++;
              assert(piece.side === own || (piece.figure === 'back' && !piece.label) || piece.label?.en === 'Flag', `${own} was told ${JSON.stringify(piece)}`);
            }
            if (object.kind === 'flag-shown') shown.add(object.spot);
            if (object.side !== other(own) || object.figure === undefined) continue;
            if (object.figure === 'back') {
              backs++;
              assert(object.label === undefined, `a back with a label: ${JSON.stringify(object)}`);
            } else {
              assert(object.label?.en === 'Flag' || object.label?.zh === '军旗', `${own} was sent ${JSON.stringify(object)} of the other in ${one.name}`);
            }
          }
        }
        assert(backs > 0, `${own} saw no backs of the other's pieces`);
        assert(told > 0, `${own} was told of no encounter, so this proves too little`);
      }
      people.host.assertQuiet();
      people.guest.assertQuiet();
      return `${clicks} clicks, ${record.frames.length} steps`;
    } finally {
      await people.host.leave();
      await people.guest.leave();
    }
  });

  await test('a watcher of a hidden game between people is shown nothing until the end, then whichever eyes he likes', async () => {
    const people = await sitDown(browser, server, 'phantom-go');
    const watcher = await Visitor.come(browser, server.base);
    try {
      const roll = dice(3);
      await watcher.page.goto(`/room/${people.id}`);
      await watcher.page.waitForSelector('.secret');
      for (let clicks = 0; clicks < 10; ) {
        for (const visitor of [people.host, people.guest]) if ((await act(visitor.page, roll)) === 'clicked') clicks++;
      }
      const text = watcher.received.map((one) => one.text).join('\n');
      assert(!/"figure":"stone"/.test(text), 'a watcher was sent stones');
      for (const one of watcher.received) for (const object of objects(parsed(one.text))) if (object.mover) assert(object.ply == null && !object.remarks && !object.gone, `a watcher was sent ${JSON.stringify(object)}`);
      await people.host.page.click('[data-act="resign"]');
      await people.host.page.click('[data-act="resign-sure"]');
      await watcher.page.waitForSelector('.result');
      await watcher.page.waitForSelector('[data-eyes="black"]');
      const stones = () => watcher.page.locator('.board .token').count();
      await watcher.page.waitForFunction(() => document.querySelectorAll('.board .token').length > 0);
      const all = await stones();
      await watcher.page.click('[data-eyes="black"]');
      await watcher.page.waitForFunction((count) => document.querySelectorAll('.board .token').length < count, all);
      watcher.assertQuiet();
    } finally {
      for (const visitor of [people.host, people.guest, watcher]) await visitor.leave();
    }
  });

  for (const [lang, again, head] of [['en', 'Still your turn', 'refused'], ['zh', '仍轮到你', '被拒']])
    await test(`phantom-go: what was refused is said where one looks, and stays on the board (${lang})`, async () => {
      const visitor = await Visitor.come(browser, server.base, { lang, width: 375, height: 667 });
      try {
        const { page } = visitor;
        const id = await startAgainst(page, 'phantom-go', 'random');
        const roll = dice(11);
        const remembered = () => page.locator('.remembered').count();
        let said = '';
        for (let clicks = 0; clicks < 120 && ((await remembered()) === 0 || said === ''); ) {
          const did = await act(page, roll);
          if (did === 'over') break;
          if (did !== 'clicked') {
            await page.waitForTimeout(20);
            continue;
          }
          clicks++;
          await page.waitForTimeout(60);
          const message = (await page.textContent('.bar .message')) ?? '';
          if (message.includes(again)) {
            assert(await inSight(page, '.bar .message'), 'the refusal is said out of sight');
            said = message.trim();
          }
        }
        assert(said !== '', 'a refusal was never said');
        assert((await remembered()) > 0, 'no refused point was remembered after the turn');
        await page.reload();
        await page.waitForSelector('.remembered');
        // Tries are no plies: head, list and steps count the same.
        const room = await page.evaluate((id) => fetch(`/api/rooms/${id}`).then((answer) => answer.json()), id);
        const texts = [await page.textContent('.head .soft'), (await page.textContent('.stepper .count')).trim()];
        const refused = room.steps.filter((step) => step.end === 'refused').length;
        assert(refused > 0 && texts[0].includes(String(room.plies)) && texts[0].includes(head) && texts[0].includes(String(refused)), `${room.plies} plies, ${refused} refused, but: ${texts[0]}`);
        assert(texts[1] === `${room.plies}/${room.plies}`, `the steps count ${texts[1]}`);
        const numbers = (await page.locator('ol li .number').allTextContents()).filter((text) => text.trim() !== '');
        assert(Number(numbers.at(-1)) === room.plies, `the list counts ${numbers.at(-1)}`);
        visitor.assertQuiet();
        return said;
      } finally {
        await visitor.leave();
      }
    });

  await test('junqi: marks on unknown pieces follow them, survive a reload, and never leave the browser; losses are listed', async () => {
    const visitor = await Visitor.come(browser, server.base, { lang: 'zh' });
    try {
      const { page } = visitor;
      const sent = [];
      page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
      const id = await startAgainst(page, 'junqi', 'random');
      await page.waitForSelector('[data-ready]:not([disabled])');
      await page.click('[data-ready]');
      await page.waitForSelector('[data-target]');
      const view = async () => (await page.evaluate((id) => fetch(`/api/rooms/${id}`).then((answer) => answer.json()), id));
      const first = await view();
      // The enemy's front rows, which move first: enough of them that some are left when some have met somebody.
      const names = first.view.geometry.spots.map((spot) => spot.name);
      const marked = new Map();
      await page.click('[data-act="note"]');
      const front = ['F0', 'F1', 'F2', 'F3', 'F4', 'E0', 'E2', 'E4'];
      for (const name of front) {
        const box = await page.locator(`[data-spot="${names.indexOf(name)}"]`).boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.click('[data-note="Small"]');
        marked.set(names.indexOf(name), '小子');
      }
      await page.click('[data-act="note"]');
      const shown = async () => (await page.locator('.board .tag').allTextContents()).length;
      assert((await shown()) === front.length, `${await shown()} marks are shown`);
      const roll = dice(19);
      let moved = 0;
      let known = first.steps.length;
      for (let clicks = 0; clicks < 600 && marked.size > 2 && (moved < 3 || known < 40); ) {
        const did = await act(page, roll);
        if (did === 'over') break;
        if (did !== 'clicked') {
          await page.waitForTimeout(20);
          continue;
        }
        clicks++;
        await page.waitForTimeout(30);
        if ((await page.locator('[data-target]').count()) === 0) continue;
        const now = await view();
        if (now.state !== 'live') break;
        for (const step of now.steps.slice(known)) {
          const [from, to] = [names.indexOf(step.ply.slice(0, 2)), names.indexOf(step.ply.slice(2))];
          const gone = new Set((step.gone ?? []).map((piece) => piece.spot));
          if (marked.has(from)) {
            if (!gone.has(from)) marked.set(to, marked.get(from));
            marked.delete(from);
            moved++;
          } else if (gone.has(to)) marked.delete(to);
        }
        known = now.steps.length;
        await page.waitForFunction((count) => document.querySelectorAll('.board .tag').length === count, marked.size);
      }
      assert(moved >= 1 && marked.size > 0, `only ${moved} marked pieces moved, ${marked.size} are left: this proves too little`);
      // Each mark is on its piece.
      const where = () => page.evaluate(() => [...document.querySelectorAll('.board .token:has(.tag)')].map((token) => token.style.transform).sort());
      const before = await where();
      await page.reload();
      await page.waitForSelector('.board .tag');
      await page.waitForFunction((count) => document.querySelectorAll('.board .tag').length === count, marked.size);
      assert(JSON.stringify(await where()) === JSON.stringify(before), 'after a reload the marks are elsewhere');
      const room = await view();
      const spots = new Map(room.view.geometry.spots.map((spot, index) => [index, spot]));
      const expected = [...marked.keys()].map((spot) => `translate(${Math.round(spots.get(spot).x * 40)}px, ${Math.round(spots.get(spot).y * 40)}px)`).sort();
      const rounded = before.map((text) => text.replace(/-?[\d.]+(?=px)/g, (number) => String(Math.round(Number(number))))).sort();
      assert(JSON.stringify(rounded) === JSON.stringify(expected), `marks at ${rounded.join(' ')}, expected ${expected.join(' ')}`);
      // What was lost, in words and in the panel, and nothing of what the enemy lost.
      const lost = room.steps.flatMap((step) => (step.gone ?? []).filter((piece) => piece.side === 'black'));
      const panel = await page.locator('[data-losses="black"] li').allTextContents();
      const counted = panel.reduce((sum, text) => sum + Number(/×(\d+)/.exec(text)?.[1] ?? 1), 0);
      assert(counted === lost.length, `${lost.length} pieces are lost, the panel has ${panel.join(' ')}`);
      assert((await page.locator('[data-losses="white"]').count()) === 0, 'the enemy’s losses are named');
      const encounters = room.steps.filter((step) => step.remarks).length;
      const told = await page.locator('[data-told]').allTextContents();
      assert(encounters > 0 && told.length === encounters, `${encounters} encounters, ${told.length} in words`);
      assert(told.every((text) => /吃掉|同归于尽|军旗|亮出/.test(text)), `told: ${told.join(' | ')}`);
      const leaked = sent.filter((text) => /Small|小子|boyi-notes/.test(decodeURIComponent(text)));
      assert(leaked.length === 0, `notes were sent: ${leaked.join('\n')}`);
      visitor.assertQuiet();
      return `${moved} moved, ${marked.size} marks left, lost ${panel.join(' ') || 'nothing'}`;
    } finally {
      await visitor.leave();
    }
  });

  await test('junqi: set-ups are kept under names, exported as text, and read again', async () => {
    const visitor = await Visitor.come(browser, server.base, { width: 375, height: 667 });
    try {
      const { page } = visitor;
      const sent = [];
      page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
      const layout = () => page.locator('[data-spot]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')).join('|'));
      const waitFor = async (what, wanted) => {
        for (let tries = 0; tries < 200; tries++) {
          if ((await layout()) === wanted) return;
          await page.waitForTimeout(20);
        }
        throw new Error(`waited in vain: ${what}`);
      };
      for (const side of ['black', 'white']) {
        await startAgainst(page, 'junqi', 'random', { side });
        await page.waitForSelector('[data-ready]:not([disabled])');
        if (side === 'black') {
          const mine = await layout();
          await page.click('[data-act="shelf"]');
          assert(/^[a-l]{25}$/.test(await page.inputValue('#shelf-text')), 'the text is no set-up');
          const text = await page.inputValue('#shelf-text');
          await page.fill('#shelf-name', 'Fortress <b>');
          await page.click('[data-act="shelf-save"]');
          await page.waitForSelector('[data-load="Fortress <b>"]');
          await page.keyboard.press('Escape');
          await page.click('.setup .acts button >> nth=0');
          assert((await layout()) !== mine, 'shuffling changed nothing');
          await page.click('[data-act="shelf"]');
          await page.click('[data-load="Fortress <b>"]');
          await waitFor('the set-up is loaded by its name', mine);
          await page.click('.setup .acts button >> nth=0');
          await page.click('[data-act="shelf"]');
          await page.fill('#shelf-text', 'aaaaaaaaaaaaaaaaaaaaaaaaa');
          await page.click('[data-act="shelf-read"]');
          await page.waitForSelector('dialog [role="alert"]');
          await page.fill('#shelf-text', ` ${text.toUpperCase()} `);
          await page.click('[data-act="shelf-read"]');
          await waitFor('the set-up is read from its text', mine);
        } else {
          // The other side sets the same up, as it sees it.
          await page.click('[data-act="shelf"]');
          await page.click('[data-load="Fortress <b>"]');
          await page.click('[data-act="shelf"]');
          await page.click('[data-drop="Fortress <b>"]');
          await page.waitForSelector('[data-load]', { state: 'detached' });
          await page.keyboard.press('Escape');
          await page.click('[data-ready]');
          await page.waitForFunction(() => document.querySelectorAll('ol li').length >= 2);
        }
      }
      assert(!sent.some((one) => one.includes('Fortress')), 'the name of a set-up was sent');
      visitor.assertQuiet();
    } finally {
      await visitor.leave();
    }
  });
}
