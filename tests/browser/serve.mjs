// Tests of `serve`: serve.mjs FOLDER, which has the runs `tournament` and
// `hostile`, and room for one more.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import {
	expectAccessible, expectFits, finish, openAllDetails, openBrowser, shot, test, widths, withPage,
} from './harness.mjs';

const folder = process.argv[2];
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

await openBrowser();
let { server, url } = await startServer('0');
// A run that takes longer than the tests.
const running = spawn(arena, [
	'tournament', '@greedy', '@first', '@random', '--rounds', '100000', '--seed', '7',
	'--run', path.join(folder, 'running'), '--sandbox', 'off', '--concurrency', '1', '--quiet',
], { stdio: 'ignore' });

const withRun = (name, options, body) =>
	withPage(`${url}run/${name}/`, { origin: url, ...options }, body);
const blocks = async page => {
	const text = await page.locator('#result').innerText();
	return parseInt(text.match(/Blocks\s+([\d,]+)/)[1].replace(',', ''), 10);
};
const live = page => page.locator('[role=status]', { hasText: 'Live' });

await test('the list has all runs, and a running one appears', () =>
	withPage(url, { origin: url }, async page => {
		for (const name of ['tournament', 'hostile', 'running'])
			await page.locator(`#runs a[href="/run/${name}/"]`).waitFor(patience);
		await expectFits(page);
		await expectAccessible(page);
		await shot(page, 'serve-list');
		await page.setViewportSize({ width: widths.phone, height: 800 });
		await expectFits(page);
		await shot(page, 'serve-list-phone');
	}));

for (const name of ['tournament', 'hostile', 'running'])
	for (const dark of [false, true])
		await test(`${name}, ${dark ? 'dark' : 'light'}: it keeps still, fits, is accessible`, () =>
			withRun(name, { dark }, async page => {
				await live(page).waitFor(patience);
				await openAllDetails(page);
				for (const width of Object.values(widths)) {
					await page.setViewportSize({ width, height: 800 });
					await expectFits(page);
				}
				await expectAccessible(page);
				assert.equal(await page.evaluate(() => typeof window.canary), 'undefined');
				await shot(page, `serve-${name}-${dark ? 'dark' : 'light'}`);
			}));

await test('a running tournament grows in the page, also after the server was started anew', () =>
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

await test('the list and a run are there without scripts', () =>
	withPage(url, { origin: url, scripts: false }, async page => {
		await page.locator('a[href="/run/tournament/"]').click();
		assert.ok((await page.locator('#standings').innerText()).includes('greedy'));
		await expectFits(page);
	}));

await stop(running, 'SIGINT');
await test('the server ends well', async () => assert.equal(await stop(server, 'SIGINT'), 0));
await finish();
