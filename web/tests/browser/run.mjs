/** `npm run browser-test [suite…]`: everything, or the suites named. Ends with 1 if anything failed. */
import { launch } from './browser.mjs';
import course from './course.mjs';
import games from './games.mjs';
import hidden from './hidden.mjs';
import home from './home.mjs';
import look from './look.mjs';
import room from './room.mjs';
import safety from './safety.mjs';
import { Server, program } from './server.mjs';
import story from './story.mjs';

const suites = { home, games, hidden, room, safety, look, course, story };
const wanted = process.argv.slice(2);
for (const name of wanted) if (!(name in suites)) throw new Error(`no suite ${name}; there are ${Object.keys(suites).join(', ')}`);

let passed = 0;
const failed = [];

async function test(name, act) {
  const begin = Date.now();
  try {
    const note = await act();
    passed++;
    console.log(`ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)${note ? `: ${note}` : ''}`);
  } catch (error) {
    failed.push(name);
    console.log(`FAILED  ${name}\n        ${String(error?.stack ?? error).replaceAll('\n', '\n        ')}`);
  }
}
test.equal = (name, got, expected) =>
  test(name, async () => {
    if (got !== expected) throw new Error(`expected ${expected}, got ${got}`);
  });

const missing = [];
/** What this machine cannot test is said and counted; where changes are judged it is a failure. */
test.unavailable = (name, why) => {
  missing.push(name);
  console.log(`absent  ${name}: not available here: ${why}`);
};

console.log(`testing ${program()}`);
const server = await Server.start();
const browser = await launch();
try {
  for (const [name, suite] of Object.entries(suites)) {
    if (wanted.length === 0 || wanted.includes(name)) await suite({ test, browser, server });
  }
} finally {
  await browser.close();
  await server.stop();
}
console.log(`${passed} passed, ${failed.length} failed, ${missing.length} not available here`);
const judged = (process.env.CI ?? '') !== '' && process.env.CI !== 'false';
process.exit(failed.length === 0 && passed > 0 && (missing.length === 0 || !judged) ? 0 : 1);
