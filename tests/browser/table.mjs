// Tests of `serve --play`: a person plays a game in the browser.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import {
  expectAccessible, expectFits, shot, test, widths, withPage,
} from './harness.mjs';

const patience = { timeout: 60000 };
const server = spawn(process.env.SCOPA_ARENA, [
  'serve', '.', '--port', '0', '--play', '--bot', '@greedy', '--deals', '1', '--seed', '11',
  '--hint', '@greedy', '--record', 'played.scopa', '--sandbox', 'off',
], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => server.kill('SIGKILL'));
const lines = readline.createInterface(server.stdout)[Symbol.asyncIterator]();
const origin = (await lines.next()).value;
const lobby = (await lines.next()).value;

const withLobby = (options, body) => withPage(lobby, { origin, ...options }, body);

// Begins a game, and waits until it is the person's turn.
async function begin(page) {
  await page.locator('#begin').click();
  await page.locator('main[data-state]').waitFor(patience);
  await page.locator('#pace').selectOption('0');
  await asked(page);
}

// Waits until the person is asked for a move, or the game is over.  Returns whether
// the person is asked.
async function asked(page) {
  await page.locator('main[data-state=asked], main[data-state=over]').waitFor(patience);
  return await page.locator('main').getAttribute('data-state') === 'asked';
}

// Plays the first playable card, with the first capture that is offered.
async function play(page) {
  const before = await page.locator('.hand-card').count();
  await page.locator('.hand-card:not([disabled])').first().click();
  const captures = page.locator('#captures .move');
  if (await captures.count())
    await captures.first().click();
  await page.waitForFunction(count => document.querySelector('main').dataset.state === 'over' ||
    document.querySelectorAll('.hand-card').length !== count, before, patience);
}

for (const dark of [false, true])
  await test(`the form of a new game, ${dark ? 'dark' : 'light'}: the page fits and is accessible`, () =>
    withLobby({ dark }, async page => {
      for (const [device, width] of Object.entries(widths)) {
        await page.setViewportSize({ width, height: 800 });
        await expectFits(page);
        await shot(page, `lobby-${dark ? 'dark' : 'light'}-${device}`);
      }
      await expectAccessible(page);
      const times = await page.locator('#time option').allTextContents();
      assert.ok(times.includes('10 s a move') && times.includes('300 s a match, and 5 s a move'));
      assert.equal(new Set(times).size, times.length);
    }));

await test('a game is played to its end by clicks, with a hint and a reload', () =>
  withLobby({ width: widths.phone }, async page => {
    await begin(page);
    await shot(page, 'table-phone', false);
    await expectFits(page);
    await expectAccessible(page);
    await page.locator('#hint').click();
    await page.locator('#news li', { hasText: /hint/i }).first().waitFor(patience);
    await play(page);
    await asked(page);
    const cardsOf = async () => [
      await page.locator('.hand-card').evaluateAll(all => all.map(card => card.dataset.card)),
      await page.locator('#table .card').evaluateAll(all => all.map(card => card.dataset.card)),
    ];
    const before = await cardsOf();
    await page.reload();
    await asked(page);
    assert.deepEqual(await cardsOf(), before);
    await page.setViewportSize({ width: widths.desktop, height: 900 });
    await shot(page, 'table-desktop', false);
    while (await asked(page))
      await play(page);
    await page.locator('#outcome').waitFor(patience);
    assert.match(await page.locator('#outcome').innerText(), /\d/);
    assert.ok(await page.locator('#again').isVisible());
    await expectFits(page);
    await expectAccessible(page);
    await shot(page, 'table-over', false);
  }));

await test('the keyboard is enough to play a card', () =>
  withLobby({ dark: true }, async page => {
    await page.locator('#begin').focus();
    await page.keyboard.press('Enter');
    await asked(page);
    await page.locator('#pace').selectOption('0');
    await expectAccessible(page);
    await shot(page, 'table-dark', false);
    await page.locator('.hand-card:not([disabled])').first().focus();
    await page.keyboard.press('Enter');
    if (await page.locator('#captures .move').count()) {
      await page.locator('#captures .move').first().focus();
      await page.keyboard.press('Enter');
    }
    await page.locator('.hand-card').nth(2).waitFor({ state: 'detached', ...patience });
  }));

await test('no page shows a card that the seat was not sent', () =>
  withLobby({}, async page => {
    const told = [];
    const hear = async response => {
      if (response.url().endsWith('/move'))
        told.push(await response.text().catch(() => ''));
    };
    page.on('response', hear);
    await begin(page);
    const backs = page.locator('.player:not([data-seat="1"]) .card[data-card]');
    assert.equal(await backs.count(), 0);
    const hand = await page.locator('.hand-card').count();
    const table = await page.locator('#table .card').count();
    const all = await page.locator('[data-card]').evaluateAll(cards =>
      new Set(cards.map(card => card.dataset.card)).size);
    assert.equal(all, hand + table);
    page.off('response', hear);
    assert.deepEqual(told, []);
  }));

await test('the 7 of cups has its declared value in the events of others', () =>
  withLobby({}, async page => {
    await begin(page);
    // An ace that is played on an empty table goes to the pile of its player.
    for (const [matta, value, table] of [
      ['hand', 'A', []], ['hand', '2', ['7C']], ['plain', 'A', ['7C']], ['table', 'A', []],
      ['table', '2', ['7C']],
    ]) {
      const lines = [
        'match m1 rules=cirulla seats=2 teams=AB you=1 target=51',
        `rules players=2 teams=AB ace-empty=take declare=ask matta=${matta}`,
        'seat 1 team=A name=you', 'seat 2 team=B name=other',
        'deal 1 dealer=1 first=2 scores=A:0,B:0', 'table 2D3C4D6B',
        'give 2 ??????', 'give 1 5D6D7D', 'sweep 1 2D3C4D6B scopa=1 reason=fifteen',
        `declare 2 low:${value} points=3`, 'show 2 AD2B7C', 'play 2 7C',
      ];
      await page.route('**/events', route => route.fulfill({
        contentType: 'text/event-stream',
        body: `event: start\n${lines.map(line => `data: ${line}\n`).join('')}\n`,
      }));
      await page.reload();
      await page.locator('#news li', { hasText: /plays 7 of cups/ }).waitFor(patience);
      assert.deepEqual(await page.locator('#table .card').evaluateAll(all =>
        all.map(card => card.dataset.card)), table, `matta=${matta}, as ${value}`);
      const counts = /7 of cups counts as/.test(await page.locator('#points').innerText());
      assert.equal(counts, matta === 'table' && table.length > 0, `matta=${matta}`);
      await page.unroute('**/events');
    }
  }));

await test('a wrong token, another origin, and a seat of others are refused', () =>
  withLobby({}, async page => {
    await begin(page);
    const seat = page.url();
    const wrong = url => url.replace(/[0-9a-f]{8}\/$/, part =>
      (part[0] === '0' ? '1' : '0') + part.slice(1));
    for (const url of [lobby, seat])
      assert.ok([403, 404].includes((await fetch(wrong(url))).status), url);
    for (const headers of [{ Origin: 'http://evil.example' }, {}])
      assert.equal((await fetch(`${seat}stop`, { method: 'POST', headers })).status, 403);
    assert.equal(await asked(page), true);
  }));

server.kill('SIGINT');
const [status] = await once(server, 'exit');
await test('the server exits with 0', async () => assert.equal(status, 0));
