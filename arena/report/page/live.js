'use strict';

/*
 * Keeps a page up to date. The server sends the main part of the page whenever
 * it has changed; what is the same is left alone, so that the view does not move.
 * Games in progress are drawn here.
 */
(() => {
  const main = document.getElementById('main');
  const sources = new Map();
  const games = new Map();

  /* Opens again what was open in the part that is replaced. */
  function keepOpen(old, part) {
    const was = old.querySelectorAll('details');
    const is = part.querySelectorAll('details');

    if (was.length === is.length)
      was.forEach((details, i) => { is[i].open = details.open; });
  }

  /* Sorts a table as the one that it replaces was sorted. */
  function keepSorted(old, part) {
    const is = part.querySelectorAll('table.sortable');

    is.forEach(makeSortable);
    old.querySelectorAll('table.sortable').forEach((table, i) => {
      const header = table.querySelector('th[aria-sort]');
      const cell = header && is[i] && is[i].tHead.rows[0].cells[header.cellIndex];

      if (!cell)
        return;
      sortTable(is[i], cell);
      if (cell.getAttribute('aria-sort') !== header.getAttribute('aria-sort'))
        sortTable(is[i], cell);
    });
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
        keepSorted(old, part);
        old.replaceWith(part);
      } else {
        part.querySelectorAll('table.sortable').forEach(makeSortable);
        if (place)
          place.after(part);
        else
          main.prepend(part);
      }
      place = part;
    }
  }

  function element(name, className, text) {
    const made = document.createElement(name);

    if (className)
      made.className = className;
    if (text !== undefined)
      made.textContent = text;
    return made;
  }

  /* What the lines of a game say: seats, the table, the hands, the plays. */
  function readGame(lines) {
    const game = { seats: [], table: [], plays: [], scores: {} };
    const seatOf = number => game.seats[number - 1];

    for (const line of lines.split('\n')) {
      const [verb, first, second] = line.split(' ');
      const pair = key => (line.match(new RegExp(` ${key}=(\\S+)`)) || [])[1];

      if (verb === 'seat') {
        game.seats.push({ name: pair('name'), team: pair('team'), hand: 0 });
      } else if (verb === 'deal') {
        for (const score of (pair('scores') || '').split(',')) {
          const [team, points] = score.split(':');
          game.scores[team] = points;
        }
      } else if (verb === 'table') {
        game.table = cards.list(first);
      } else if (verb === 'give') {
        seatOf(first).hand += second.length / 2;
      } else if (verb === 'play') {
        const [card, taken] = second.split('x');
        const gone = cards.list(taken || '');

        seatOf(first).hand -= 1;
        game.table = game.table.filter(other => !gone.includes(other));
        if (!taken)
          game.table.push(card.slice(0, 2));
        game.plays.push(`${seatOf(first).name} ${second}`);
      } else if (verb === 'sweep') {
        game.table = [];
      }
    }
    return game;
  }

  function drawSeats(game) {
    const list = element('ul', 'live-seats');

    for (const seat of game.seats) {
      const item = element('li');

      item.append(element('strong', '', seat.name));
      if (seat.team in game.scores)
        item.append(` ${game.scores[seat.team]} points`);
      if (game.plays.length || game.table.length)
        item.append(`, ${seat.hand} ${seat.hand === 1 ? 'card' : 'cards'} in hand`);
      list.append(item);
    }
    return list;
  }

  function drawGame(article, data) {
    const game = readGame(data.lines);
    const table = element('div', 'live-table');
    const last = game.plays.slice(-3).join(', ');

    for (const card of game.table)
      table.append(cards.draw(card));
    article.replaceChildren(
      element('h3', '', `m${data.game}, deal ${data.deal}`), drawSeats(game));
    if (data.lines.includes('\ndeal '))
      article.append(table, element('p', 'note', last ? `Last plays: ${last}` : 'No play yet.'));
    else
      article.append(element('p', 'note', `${data.plays} plays. Bots of this run could ` +
        'look at this page, so it does not show their cards.'));
  }

  /* The section of games in progress, behind that of the progress. */
  function playingSection() {
    const found = document.getElementById('playing');
    const section = found || element('section');

    if (!found) {
      section.id = 'playing';
      section.append(element('h2', '', 'Games in progress'),
        element('p', 'note', 'One move behind.'), element('div', 'live-games'));
      document.getElementById('progress').after(section);
    }
    return section;
  }

  function showGame(data) {
    const article = games.get(data.place) || element('article', 'live-game');

    if (data.game) {
      games.set(data.place, article);
      drawGame(article, data);
      if (!article.isConnected)
        playingSection().lastChild.append(article);
    } else if (games.delete(data.place)) {
      article.remove();
      if (games.size === 0)
        playingSection().remove();
    }
  }

  const source = new EventSource('events');
  const status = element('span', 'live-status');

  status.setAttribute('role', 'status');
  document.querySelector('.masthead .kicker').append(status);
  source.addEventListener('page', event => show(event.data));
  source.addEventListener('game', event => showGame(JSON.parse(event.data)));
  source.addEventListener('open', () => {
    status.textContent = 'live';
    status.dataset.state = 'live';
  });
  source.addEventListener('error', () => {
    status.textContent = 'not connected, trying again';
    status.dataset.state = 'lost';
  });
})();
