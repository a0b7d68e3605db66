// Runs the tests of pages, all with one Chromium: all.mjs [NAME...], in a folder
// that tests/e2e/browser.sh has filled.  NAME is a file of this folder without
// `.mjs`.

import { finish, openBrowser } from './harness.mjs';

const names = process.argv.slice(2);
await openBrowser();
for (const name of names.length ? names : ['report', 'replay', 'serve', 'table'])
  await import(`./${name}.mjs`);
await finish();
