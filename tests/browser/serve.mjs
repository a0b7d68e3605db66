// Tests of `serve`.  The folder `runs` has the runs `tournament` and `hostile`; the
// bot `slow` waits before each move, for a run that lasts as long as the tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import {
  all, contrast, expectAccessible, expectFits, full, openAllDetails, shot, test, widths,
  withPage,
} from './harness.mjs';

const folder = 'runs';
const arena = process.env.SCOPA_ARENA;
const patience = { timeout: 60000 };

// Starts a server and sets its address.
async function startServer(port) {
  const server = spawn(arena, ['serve', folder, '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(readline.createInterface(server.stdout), 'line');
  return { server, url: line };
}

async function stop(child, signal) {
  if (child.exitCode !== null)
    return child.exitCode;
  child.kill(signal);
  const [status] = await once(child, 'exit');
  return status;
}

let { server, url } = await startServer('0');
const running = spawn(arena, [
  'tournament', '@greedy', './slow', '--rounds', '100000', '--deals', '1', '--seed', '7',
  '--run', path.join(folder, 'running'), '--concurrency', '2', '--quiet',
], { stdio: 'ignore' });
process.on('exit', () => [server, running].forEach(child => child.kill('SIGKILL')));

const withRun = (name, options, body) =>
  withPage(`${url}run/${name}/`, { origin: url, ...options }, body);
const blocks = async page => {
  const text = await page.locator('#result').innerText();
  return parseInt(text.match(/Blocks\s+([\d,]+)/)[1].replace(',', ''), 10);
};
const live = page => page.locator('[role=status]', { hasText: 'Live' });

await test('the list has all runs, and a new run appears', () =>
  withPage(url, { origin: url }, async page => {
    for (const name of ['tournament', 'hostile', 'running'])
      await page.locator(`#runs a[href="/run/${name}/"]`).waitFor(patience);
    await expectFits(page);
    await shot(page, 'serve-list');
    await page.setViewportSize({ width: widths.phone, height: 800 });
    await expectFits(page);
    await shot(page, 'serve-list-phone');
    await expectAccessible(page);
  }));

for (const name of ['tournament', 'hostile', 'running'])
  for (const dark of full || name === 'running' ? [false, true] : [false]) {
    // The content of the other pages is tested by report.mjs.
    const looked = full || name === 'running';
    const scheme = dark ? 'dark' : 'light';
    await test(`${name}, ${scheme}: the page causes no error, fits${looked ? ', is accessible' : ''}`, () =>
      withRun(name, { dark }, async page => {
        await live(page).waitFor(patience);
        await openAllDetails(page);
        for (const width of Object.values(widths)) {
          await page.setViewportSize({ width, height: 800 });
          await expectFits(page);
        }
        if (looked)
          await expectAccessible(page, dark ? contrast : all);
        assert.equal(await page.evaluate(() => typeof window.canary), 'undefined');
        await shot(page, `serve-${name}-${scheme}`);
      }));
  }

await test('a running tournament grows in the page, also after the server was started again', () =>
  withRun('running', { messages: [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/] }, async page => {
    await page.evaluate(() => { window.sameDocument = true; });
    const grown = async than => {
      await page.waitForFunction(limit => parseInt(document.querySelector('#result').innerText
        .match(/Blocks\s+([\d,]+)/)[1].replace(',', ''), 10) > limit, than, patience);
      return blocks(page);
    };
    const first = await grown(await blocks(page));
    assert.equal(await stop(server, 'SIGTERM'), 0);
    await live(page).waitFor({ state: 'detached', ...patience });
    await shot(page, 'serve-server-gone', false);
    ({ server } = await startServer(new URL(url).port));
    await live(page).waitFor(patience);
    await grown(first);
    assert.equal(await page.evaluate(() => window.sameDocument), true);
  }));

await test('the list and a run are shown without scripts', () =>
  withPage(url, { origin: url, scripts: false }, async page => {
    await page.locator('a[href="/run/tournament/"]').click();
    assert.ok((await page.locator('#standings').innerText()).includes('greedy'));
    await expectFits(page);
  }));

// What the page has shown of games in progress: the place, the text, and the cards
// on the table.
const shown = [];
await test('games in progress are shown', () =>
  withRun('running', {}, async page => {
    await page.exposeFunction('keep', article => shown.push(article));
    await page.evaluate(() => {
      setInterval(() => {
        for (const article of document.querySelectorAll('.live-game'))
          window.keep({
            text: article.innerText,
            cards: [...article.querySelectorAll('[data-card]')].map(card => card.dataset.card),
          });
      }, 50);
    });
    const places = () => new Set(shown.map(({ text }) => text.split('\n')[0])).size;
    while (places() < 6)
      await page.waitForTimeout(100);
    await shot(page, 'serve-games-in-progress', false);
  }));

await stop(running, 'SIGINT');

await test('games in progress show no card before it was played', () => {
  const records = fs.readFileSync(path.join(folder, 'running/records.scopa'), 'utf8');
  const codes = text => text.match(/[A2-7JQK][DCSB]/g) ?? [];
  for (const { text, cards } of shown) {
    const [, match] = text.match(/^(m\d+), deal 1/);
    const last = text.match(/Last plays: (.*)/)?.[1].split(' ').pop();
    const game = records.split(/^(?=match )/m).find(game => game.startsWith(`match ${match} `));
    if (!game)
      continue; // it was not finished
    const lines = game.split('\n').filter(line => /^(table|play) /.test(line));
    const end = last ? lines.findIndex(line => line.split(' ')[2] === last) : 0;
    const known = codes(lines.slice(0, end + 1).join(' '));
    assert.ok(end >= 0, `${match}: no such play: ${last}`);
    for (const code of [...cards, ...codes(text)])
      assert.ok(known.includes(code), `${match} shows ${code} before it was played`);
  }
});

await test('the server exits with 0', async () => assert.equal(await stop(server, 'SIGINT'), 0));
