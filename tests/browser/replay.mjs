// Tests of the replay viewer, with the first match of the run `knockout`.
//
// The file `states` has the output of `replay --lines` for every seat and deal of
// this match: the lines that its bot was sent.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import {
  expectAccessible, expectFits, shot, test, widths, withPage,
} from './harness.mjs';

const match = 'm1';
const pagePath = path.resolve('pages/knockout.html');
const records = fs.readFileSync('knockout/records.scopa', 'utf8');
const game = records.split(/^(?=match )/m).find(text => text.startsWith(`match ${match} `));
const deals = game.split(/^(?=pack )/m).slice(1);
const playsOf = deal => deal.match(/^play /gm).length;

// The state lines by deal and by the number of plays before.
const states = new Map();
for (const line of fs.readFileSync('states', 'utf8').match(/^state .*/gm)) {
  const plays = line.match(/ plays=(\S+)/)[1];
  const before = plays === '-' ? 0 : plays.split('/').length;
  states.set(`${line.match(/ deal=(\d+)/)[1]}.${before + 1}`, line);
}

const codes = text => text.match(/[A2-7JQK][DCSB]/g) ?? [];
const viewer = page => page.locator('.replay').first();
const button = (page, action) => viewer(page).locator(`[data-act=${action}]`);
const cardsIn = (page, place) => viewer(page).locator(`${place} [data-code]`).evaluateAll(cards =>
  cards.map(card => card.dataset.code).sort());

// Follows links within the page, one after the other, each until the viewer shows the
// play of the link.  Returns the text and the cards that the viewer shows then, and,
// if `copies` is set, the text that its button copies to the clipboard.
const visit = (page, places, copies = false) => page.evaluate(async ([places, copies]) => {
  const viewer = document.querySelector('.replay');
  const number = () => viewer.querySelector('[aria-current=step] .replay-number')?.innerText.trim();
  const seen = [];
  for (const place of places) {
    location.hash = place;
    const late = performance.now() + 20000;
    while (number() !== place.match(/p(\d+)$/)[1]) {
      if (performance.now() > late)
        throw new Error(`${place} is not shown`);
      await new Promise(requestAnimationFrame);
    }
    let copied = '';
    if (copies) {
      await navigator.clipboard.writeText('');
      viewer.querySelector('[data-act=copy]').click();
    }
    while (copies && !copied) {
      if (performance.now() > late)
        throw new Error(`${place} is not copied`);
      copied = (await navigator.clipboard.readText()).trim();
    }
    seen.push({
      copied,
      text: viewer.innerText,
      cards: [...viewer.querySelectorAll('[data-code]')].map(card => card.dataset.code),
    });
  }
  return seen;
}, [places, copies]);

const withGame = (fragment, options, body) =>
  withPage(`file://${pagePath}#${fragment}`, { origin: `file://${pagePath}`, ...options }, body);

await test('the arrow keys step to the end, where the piles have all cards', () =>
  withGame(`${match}.d1.p1`, {}, async page => {
    await button(page, 'forward').focus();
    await shot(page, 'replay-first', false);
    for (let i = 1; i <= playsOf(deals[0]); i++)
      await page.keyboard.press('ArrowRight');
    await shot(page, 'replay-last', false);
    assert.deepEqual(await cardsIn(page, '.replay-middle'), []);
    assert.equal(await viewer(page).locator('.replay-seat .card').count(), 0);
    assert.equal((await cardsIn(page, '.replay-pile')).length, 40);
  }));

await test('each play of the game has its own link, and the state that its seat was sent', () =>
  withGame(`${match}.d1.p1`, { clipboard: true }, async page => {
    for (const [deal, text] of deals.entries()) {
      const places = Array.from({ length: playsOf(text) }, (_, i) =>
        `${match}.d${deal + 1}.p${i + 1}`);
      for (const [i, { copied }] of (await visit(page, places, true)).entries())
        assert.equal(copied, states.get(`${deal + 1}.${i + 1}`), places[i]);
    }
  }));

await test('stepping changes the link, and the link opens the play again', () =>
  withGame(`${match}.d1.p1`, {}, async page => {
    await button(page, 'forward').focus();
    for (let i = 0; i < 5; i++)
      await page.keyboard.press('ArrowRight');
    await page.waitForFunction(hash => location.hash === hash, `#${match}.d1.p6`);
    const before = await cardsIn(page, '');
    await page.reload();
    assert.deepEqual(await cardsIn(page, ''), before);
  }));

await test('the view of a seat shows only cards that the seat was sent', () =>
  withGame(`${match}.d1.p1`, {}, async page => {
    for (const seat of ['1', '2']) {
      await viewer(page).locator('select[name=view]').selectOption(seat);
      const known = new Set();
      let play = 0;
      const seen = await visit(page, Array.from({ length: playsOf(deals[0]) }, (_, i) =>
        `${match}.d1.p${i + 1}`));
      for (const line of deals[0].split('\n')) {
        const [verb, who] = line.split(' ');
        if (verb === 'table' || verb === 'play' || (verb === 'give' && who === seat))
          codes(line).forEach(code => known.add(code));
        if (verb !== 'play')
          continue;
        const { cards, text } = seen[play++];
        for (const code of [...cards, ...codes(text)])
          assert.ok(known.has(code), `seat ${seat} sees ${code} at play ${play}`);
      }
      await shot(page, `replay-seat-${seat}`, false);
    }
  }));

await test('the download is a record that verifies, with the bytes of the run', () =>
  withGame(`${match}.d1.p1`, {}, async page => {
    const [download] = await Promise.all([
      page.waitForEvent('download'), button(page, 'save').click(),
    ]);
    const file = await download.path();
    const text = fs.readFileSync(file, 'utf8');
    assert.equal(text.replace(/^%scopa-record 1\n/, ''), game);
    execFileSync(process.env.SCOPA_ARENA, ['record', 'verify', file]);
  }));

await test('the viewer fits a phone, is accessible, and draws each kind of suits', () =>
  withGame(`${match}.d1.p8`, { width: widths.phone }, async page => {
    await viewer(page).scrollIntoViewIfNeeded();
    await expectFits(page);
    for (const suits of ['es', 'fr', 'it']) {
      await page.locator('select[name=suits]').selectOption(suits);
      await expectFits(page);
      await shot(page, `replay-phone-${suits}`, false);
    }
    await expectAccessible(page);
  }));
