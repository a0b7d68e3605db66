// The shared functions of the tests of pages: they start a Chromium, watch pages
// while they are open, and print TAP.
//
// No request leaves this machine: Chromium resolves only names of loopback, and a
// request for anything except the page under test is a failure.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const scratch = process.env.TMPDIR ?? '/tmp';

// Whether all tests run in full, like few_or_all of tests/e2e/lib.sh.
export const full = Boolean(process.env.TEST_FULL);

export const widths = { phone: 360, tablet: 768, desktop: 1280 };

let browser;
let count = 0;
let failed = 0;

export async function openBrowser() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    // Files that Chromium stores in its home belong to the test.
    env: { ...process.env, HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_CACHE_HOME: scratch },
    args: [
      '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

// Prints the plan and ends the process: with status 1 if a test has failed.
export async function finish() {
  await browser.close();
  console.log(`1..${count}`);
  process.exit(failed ? 1 : 0);
}

// The time limit of a test.  On an overloaded machine Chromium may stop answering,
// and then some calls never return.
const limitMs = 180000;

// Runs a function.  Returns whether it took longer than the limit.
async function hangs(body) {
  const running = Promise.resolve().then(body);
  let timer;
  running.catch(() => {}); // nobody waits for it behind the limit
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, limitMs, true);
  });
  try {
    return await Promise.race([running.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

// Runs one test.  It fails if the function throws.  If it hangs, it has a second
// try with another Chromium; finish() ends the first one.
export async function test(name, body) {
  let wrong = null;
  const began = performance.now();
  try {
    if (await hangs(body)) {
      console.log(`# ${name}: Chromium does not answer, and is started again`);
      await openBrowser();
      if (await hangs(body))
        throw new Error('the test hangs with another Chromium, too');
    }
  } catch (error) {
    wrong = error;
  }
  count++;
  failed += wrong ? 1 : 0;
  console.log(`${wrong ? 'not ok' : 'ok'} ${count} - ${name}`);
  if (wrong)
    console.log(String(wrong.stack).slice(0, 2000).replace(/^/gm, '# '));
  if (process.env.BROWSER_TIMES)
    console.log(`# ${Math.round(performance.now() - began)} ms`);
}

// The tab in which all pages are opened, one after the other, because a new tab takes
// longer than most tests.  `visit` has the expectations of the open page; null: the
// page is not watched.
let tab = null;

async function openTab(scripts) {
  const context = await browser.newContext({
    javaScriptEnabled: scripts, reducedMotion: 'reduce', acceptDownloads: true,
  });
  context.setDefaultTimeout(20000);
  const page = await context.newPage();
  const opened = { context, page, scripts, visit: null };
  const report = what => opened.visit?.problems.push(what);
  page.on('console', message => {
    if (!(opened.visit?.messages ?? []).some(meant => meant.test(message.text())))
      report(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', error => report(`error: ${error}`));
  page.on('dialog', dialog => {
    report(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', request => {
    if (opened.visit && !request.url().startsWith(opened.visit.origin) &&
      !/^(data|blob):/.test(request.url()))
      report(`request: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', what => report(`policy: ${what}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', event => {
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return opened;
}

// Opens a page and calls a function with it.  Afterwards expects that the page has
// caused no message on the console, no error, no violation of its
// Content-Security-Policy, no dialog, and only requests to addresses that begin with
// `origin`.  Data that a page stores is removed before the next page.
//
// options: width, height, dark, scripts (default true), origin (default: the
// page itself), messages (expressions of expected console messages),
// clipboard (the page may write to the clipboard and read it).
export async function withPage(target, options, body) {
  const url = target.includes('://') ? target : pathToFileURL(target).href;
  const origin = options.origin ?? url.replace(/#.*/, '');
  const problems = [];
  const scripts = options.scripts ?? true;
  if (tab && tab.scripts !== scripts) {
    await tab.context.close();
    tab = null;
  }
  // If this page hangs, later pages are opened in another Chromium.
  const mine = tab ?? await openTab(scripts);
  const { context, page } = mine;
  tab = null;
  try {
    await page.setViewportSize({
      width: options.width ?? widths.desktop, height: options.height ?? 800,
    });
    await page.emulateMedia({ media: null, colorScheme: options.dark ? 'dark' : 'light' });
    await context.clearPermissions();
    if (options.clipboard)
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    mine.visit = { problems, origin, messages: options.messages };
    await page.goto(url);
    await body(page, problems);
    assert.deepEqual(problems, []);
    mine.visit = null;
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await context.clearCookies();
    await page.goto('about:blank');
    tab = mine;
  } catch (error) {
    if (problems.length)
      error.stack += `\nthe page: ${problems.join('; ')}`;
    await shot(page, `failed-${count + 1}`).catch(() => {});
    throw error;
  } finally {
    if (tab !== mine)
      await context.close();
  }
}

// Expects that the page is not wider than its window.  The content of parts that
// scroll by themselves does not count.
export async function expectFits(page) {
  const wide = await page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const scrolls = element => element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
    if (document.documentElement.scrollWidth <= room)
      return [];
    return [...document.body.querySelectorAll('*')]
      .filter(element => element.getBoundingClientRect().right > room + 1 &&
        !scrolls(element.parentElement))
      .map(element => `${element.tagName} ${element.id} ${element.textContent.slice(0, 40)}`)
      .slice(0, 4);
  });
  assert.deepEqual(wide, [], `wider than ${page.viewportSize().width} pixels`);
}

// The rules of axe-core for WCAG 2.2 level AA.
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const all = { runOnly: levels };
export const contrast = { runOnly: ['color-contrast'] };
export const allButContrast = {
  runOnly: levels, rules: { 'color-contrast': { enabled: false } },
};

// Expects that axe-core finds no violation of these rules.  The games of a report
// are alike, so all except two are removed from the page before.
export async function expectAccessible(page, rules = all) {
  await page.evaluate(axe);
  const found = await page.evaluate(async only => {
    document.querySelectorAll('.game ~ .game ~ .game').forEach(game => game.remove());
    const result = await window.axe.run(document, { resultTypes: ['violations'], ...only });
    return result.violations.map(violation => {
      const node = violation.nodes[0];
      return `${violation.id} (${violation.nodes.length}): ${node.html.slice(0, 200)}: ` +
        node.failureSummary.replace(/\s+/g, ' ');
    });
  }, rules);
  assert.deepEqual(found, []);
}

export async function openAllDetails(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details'))
      details.open = true;
  });
}

// Saves a picture of the page, or of its window, if BROWSER_SHOTS names a folder
// for pictures.
export async function shot(page, name, whole = true) {
  const folder = process.env.BROWSER_SHOTS;
  if (!folder)
    return;
  const { width, height } = page.viewportSize();
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(full, 6000) };
  await page.screenshot({
    path: path.join(folder, `${name}.png`),
    ...(whole && full > height ? { fullPage: true, clip } : {}),
  });
}
