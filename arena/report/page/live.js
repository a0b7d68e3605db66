'use strict';

/*
 * Keeps a page up to date. The server sends the main part of the page whenever
 * it has changed; what is the same is left alone, so that nobody loses his place.
 */
(() => {
	const main = document.getElementById('main');
	const sources = new Map();

	/* Opens again what was open in the part that is replaced. */
	function keepOpen(old, part) {
		const was = old.querySelectorAll('details');
		const is = part.querySelectorAll('details');

		if (was.length === is.length)
			was.forEach((details, i) => { is[i].open = details.open; });
	}

	/* Replaces the children of the main part that have changed. */
	function show(text) {
		const parsed = new DOMParser().parseFromString(text, 'text/html');
		let place = null;

		for (const part of Array.from(parsed.body.children)) {
			const source = part.outerHTML;
			const old = part.id ? document.getElementById(part.id) : null;

			if (old && sources.get(part.id) === source) {
				place = old;
				continue;
			}
			sources.set(part.id, source);
			document.adoptNode(part);
			if (old) {
				keepOpen(old, part);
				old.replaceWith(part);
			} else if (place) {
				place.after(part);
			} else {
				main.prepend(part);
			}
			part.querySelectorAll('table.sortable').forEach(makeSortable);
			place = part;
		}
	}

	const source = new EventSource('events');
	const status = document.createElement('p');

	status.className = 'note';
	status.setAttribute('role', 'status');
	main.after(status);
	source.addEventListener('page', event => show(event.data));
	source.addEventListener('open', () => { status.textContent = 'Live.'; });
	source.addEventListener('error', () => {
		status.textContent = 'The server does not answer; trying again.';
	});
})();
