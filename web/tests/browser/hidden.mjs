/** Two people play hidden games against each other, and everything either page received is searched. */
import { Visitor, assert } from './browser.mjs';
import { act, dice } from './play.mjs';

const other = (side) => (side === 'black' ? 'white' : 'black');

/** Every object in everything that was received. */
function* objects(value) {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield value;
  for (const part of Array.isArray(value) ? value : Object.values(value)) yield* objects(part);
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
        const shown = new Set();
        for (const one of received) {
          for (const object of objects(parsed(one.text))) {
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
      for (const one of watcher.received) for (const object of objects(parsed(one.text))) if (object.mover) assert(object.ply == null, `a watcher was sent ${object.ply}`);
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
}
