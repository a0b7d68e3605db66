// Tests of the report pages in the folder `pages`.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  all, allButContrast, contrast, expectAccessible, expectFits, full, openAllDetails, shot, test,
  widths, withPage,
} from './harness.mjs';

const folder = 'pages';
const pages = fs.readdirSync(folder).filter(name => name.endsWith('.html')).sort();
const report = path.join(folder, 'tournament.html');
const facts = JSON.parse(fs.readFileSync(path.join(folder, 'tournament.json'), 'utf8'));

for (const name of pages) {
  const file = path.join(folder, name);
  const title = name.replace('.html', '');
  // The scheme changes the colours of all pages in the same way.
  const darkToo = title === 'tournament' || (title === 'gate' && full);
  for (const dark of darkToo ? [false, true] : [false]) {
    const scheme = dark ? 'dark' : 'light';
    await test(`${title}, ${scheme}: the page causes no error, fits a phone, and is accessible`, () =>
      withPage(file, { dark }, async page => {
        await shot(page, `${title}-${scheme}-desktop`);
        await openAllDetails(page);
        for (const [device, width] of Object.entries(widths)) {
          await page.setViewportSize({ width, height: 800 });
          await expectFits(page);
          if (device === 'phone')
            await shot(page, `${title}-${scheme}-phone`);
        }
        // The schemes differ only in colours, which all pages share.
        await expectAccessible(page, dark ? contrast : full || darkToo ? all : allButContrast);
      }));
  }
  await test(`${title}: the page has at most 5 MB`, () => {
    assert.ok(fs.statSync(file).size <= 5e6, `${fs.statSync(file).size} bytes`);
  });
}

await test('the page has all text without scripts', () =>
  withPage(report, { scripts: false, width: widths.phone }, async page => {
    await expectFits(page);
    await shot(page, 'tournament-no-scripts-phone');
    const text = await page.evaluate(() => document.body.textContent);
    for (const bot of facts.ranking)
      assert.ok(text.includes(bot.name), bot.name);
    for (const words of [/scopa-arena tournament/, /match m\d+ rules=/])
      assert.ok(words.test(text), words);
    for (const heading of ['Standings', 'Points by source', 'Games', 'Environment'])
      assert.ok(await page.locator('h2', { hasText: heading }).count(), heading);
  }));

await test('the page can be printed, without the parts for a screen', () =>
  withPage(report, {}, async page => {
    await page.emulateMedia({ media: 'print' });
    const pdf = await page.pdf({ format: 'A4' });
    assert.ok(pdf.length > 20000, `${pdf.length} bytes`);
    for (const button of await page.getByRole('button').all())
      if (!await button.evaluate(element => element.closest('th')))
        assert.equal(await button.isVisible(), false, await button.innerText());
    if (process.env.BROWSER_SHOTS)
      fs.writeFileSync(path.join(process.env.BROWSER_SHOTS, 'tournament.pdf'), pdf);
  }));

await test('the keyboard is enough to reach the content and sort a table', () =>
  withPage(report, {}, async page => {
    const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
    await page.keyboard.press('Tab');
    assert.match(await focused(), /skip/i);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#main');

    const table = page.locator('table.sortable').first();
    const heads = table.locator('thead th');
    const headings = await heads.allInnerTexts();
    for (let column = 0; column < headings.length; column++) {
      const button = heads.nth(column).getByRole('button');
      if (!await button.count())
        continue;
      const orders = [];
      for (let i = 0; i < 2; i++) {
        await button.focus();
        await page.keyboard.press('Enter');
        orders.push(await heads.nth(column).getAttribute('aria-sort'));
        await expectInOrder(table, column, orders[i]);
        assert.equal(await table.locator('th[aria-sort]:not([aria-sort=none])').count(), 1);
      }
      assert.deepEqual(orders.sort(), ['ascending', 'descending'], headings[column]);
    }
    await shot(page, 'tournament-sorted', false);
  }));

// Cells are compared by the numbers that they begin with, or as text; empty cells
// are at an end.
async function expectInOrder(table, column, order) {
  const cells = await table.locator('tbody tr').evaluateAll((rows, at) =>
    rows.map(row => (row.cells[at].dataset.value ?? row.cells[at].innerText).trim()), column);
  const filled = cells.filter(cell => cell !== '');
  const numbers = filled.map(cell => parseFloat(cell.replace('\u2212', '-').replace(/[<>,]/g, '')));
  const values = numbers.some(Number.isNaN) ? filled : numbers;
  const sign = order === 'ascending' ? 1 : -1;
  for (let i = 1; i < values.length; i++) {
    const [a, b] = [values[i - 1], values[i]];
    const compared = typeof a === 'number' ? a - b : a.localeCompare(b);
    assert.ok(sign * compared <= 0, `${order} column ${column}: ${cells.join(' | ')}`);
  }
}

await test('links within the page have targets, and each id is unique', () =>
  withPage(report, {}, async page => {
    const wrong = await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
      const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
      const lost = [...document.querySelectorAll('a[href^="#"]')]
        .map(link => link.getAttribute('href').slice(1))
        .filter(id => !/^m\d+\.d/.test(id) && !ids.includes(id));
      return { twice, lost };
    });
    assert.deepEqual(wrong, { twice: [], lost: [] });
  }));

await test('no text of a bot has become a script or an element', () =>
  withPage(path.join(folder, 'hostile.html'), {}, async page => {
    await openAllDetails(page);
    assert.equal(await page.evaluate(() => typeof window.canary), 'undefined');
    assert.equal(await page.locator('img, iframe, b:text-is("given")').count(), 0);
    const text = await page.evaluate(() => document.body.innerText);
    for (const name of ['<script>canary=1</script>', '"><img src=x onerror=canary=1>',
      '</script><svg/onload=canary=1>', '<b>given</b>'])
      assert.ok(text.includes(name), name);
    assert.ok(!/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/.test(text));
  }));
