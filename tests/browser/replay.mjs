// Tests of the replay viewer: replay.mjs PAGE RECORDS STATES MATCH
//
// STATES has what `replay --lines` prints of every seat and deal of the match:
// what its bot was told.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import {
  expectAccessible, expectFits, finish, openBrowser, shot, test, widths, withPage,
} from './harness.mjs';

const [pageName, recordsPath, statesPath, match] = process.argv.slice(2);
const pagePath = path.resolve(pageName);
const records = fs.readFileSync(recordsPath, 'utf8');
const game = records.split(/^(?=match )/m).find(text => text.startsWith(`match ${match} `));
const deals = game.split(/^(?=pack )/m).slice(1);
const playsOf = deal => deal.match(/^play /gm).length;

// The state lines by deal and by the number of plays before.
const states = new Map();
for (const line of fs.readFileSync(statesPath, 'utf8').match(/^state .*/gm)) {
  const plays = line.match(/ plays=(\S+)/)[1];
  const before = plays === '-' ? 0 : plays.split('/').length;
  states.set(`${line.match(/ deal=(\d+)/)[1]}.${before + 1}`, line);
}

const codes = text => text.match(/[A2-7JQK][DCSB]/g) ?? [];
const viewer = page => page.locator('.replay').first();
const button = (page, action) => viewer(page).locator(`[data-act=${action}]`);
const cardsIn = (page, place) => viewer(page).locator(`${place} [data-code]`).evaluateAll(cards =>
  cards.map(card => card.dataset.code).sort());

// Follows links within the page, one after the other, each until the viewer shows
// that play.  Returns the text and the cards that it shows then.
const visit = (page, places) => page.evaluate(async places => {
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
    seen.push({
      text: viewer.innerText,
      cards: [...viewer.querySelectorAll('[data-code]')].map(card => card.dataset.code),
    });
  }
  return seen;
}, places);

const withGame = (fragment, options, body) =>
  withPage(`file://${pagePath}#${fragment}`, { origin: `file://${pagePath}`, ...options }, body);

await openBrowser();

await test('the arrow keys step to the end: hands are empty, and the piles have all cards', () =>
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

await test('each play of the game has its own link, and the state that its seat was told', () =>
  withGame(`${match}.d1.p1`, { clipboard: true }, async page => {
    for (const [deal, text] of deals.entries()) {
      for (let play = 1; play <= playsOf(text); play++) {
        const place = `${match}.d${deal + 1}.p${play}`;
        await visit(page, [place]);
        await button(page, 'copy').click();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(copied.trim(), states.get(`${deal + 1}.${play}`), place);
      }
    }
  }));

await test('stepping changes the link, and the link opens the play again', () =>
  withGame(`${match}.d1.p1`, {}, async page => {
    await button(page, 'forward').focus();
    for (let i = 0; i < 5; i++)
      await page.keyboard.press('ArrowRight');
    assert.equal(new URL(page.url()).hash, `#${match}.d1.p6`);
    const before = await cardsIn(page, '');
    await page.reload();
    assert.deepEqual(await cardsIn(page, ''), before);
  }));

await test('the view of a seat shows its own hand, and no card that it was not told', () =>
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

await test('the download is a record that verifies, and the bytes of the run', () =>
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

await finish();
