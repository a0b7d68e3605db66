'use strict';

/*
 * A seat at a table: the form of a new game, and the game. A page of a seat
 * knows what its arena sends to the seat, lines of the protocol, and says what
 * a bot would say: `move MOVE turn=ID`.
 */
(() => {
  const given = JSON.parse(document.getElementById('document').textContent);
  const main = document.getElementById('main');
  /* How long a play of others is shown, in milliseconds. */
  const PACES = [['0', 'at once'], ['500', 'quick'], ['1200', 'calm']];

  /* An element; `attributes` may have listeners: { onclick: f }. */
  function make(name, attributes, ...children) {
    const element = document.createElement(name);

    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith('on'))
        element.addEventListener(key.slice(2), value);
      else if (value === true)
        element.setAttribute(key, '');
      else if (value !== false && value !== null)
        element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  const counted = (count, noun) => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

  function stored(key, value) {
    try {
      if (value !== undefined)
        localStorage.setItem(key, value);
      return localStorage.getItem(key);
    } catch (error) {
      return null;
    }
  }

  /* A list to choose from, of pairs [value, text], with its label. */
  function choice(id, label, pairs, chosen, onchange) {
    const select = make('select', { id, onchange });

    for (const [value, text] of pairs)
      select.append(make('option', { value, selected: value === chosen }, text));
    return make('label', { class: 'choice', for: id }, label, select);
  }

  function suitsChoice() {
    return choice('suits', 'Cards', cards.choices, cards.suits,
      (event) => cards.choose(event.target.value));
  }

  /* Sends a text; resolves to the answer, or throws what was wrong. */
  async function post(path, body) {
    let reply, answer;

    try {
      reply = await fetch(path, { method: 'POST', body });
      answer = await reply.json();
    } catch (error) {
      throw new Error('the server does not answer; is it still running?');
    }
    if (!reply.ok)
      throw new Error(answer.error || reply.statusText);
    return answer;
  }

  /*
   * The form.
   */

  /* A time control such as `match:300s+5s` in words. */
  function timeText(text) {
    const [kind, rest] = text.split(':');
    const [bank, each] = (rest ?? '').replace(/(\d)(m?s)/g, '$1 $2').split('+');

    if (kind === 'move')
      return `${bank} a move`;
    return rest ? `${bank} a ${kind}, and ${each} a move` : text;
  }

  function showLobby() {
    const error = make('p', { id: 'error', role: 'alert', class: 'bad' });
    const form = make('form', { id: 'new-game' });
    const players = make('fieldset', { id: 'players' });
    const note = make('p', { id: 'about-rules', class: 'note' });
    const names = given.rules.map((rule) => rule.name);
    const usualBot = given.given_bots > 0 ? 0
      : Math.max(0, given.bots.indexOf('@maestro'));
    const rulesOf = (text) => given.rules.find((rule) => rule.name === text.split(',')[0]);
    const value = (id) => document.getElementById(id).value;

    if (!names.includes(given.given))
      names.unshift(given.given);

    /* Lists the seats: a person, or which bot. */
    function listPlayers() {
      const count = Number(value('seats'));
      const bots = given.bots.map((name, bot) => [String(bot), name]);
      let next = usualBot;

      players.replaceChildren(make('legend', {}, 'Who plays'));
      for (let seat = 1; seat <= count; seat++) {
        const isPerson = given.persons >> seat - 1 & 1;

        players.append(choice(`seat-${seat}`, `Seat ${seat}`,
          [['person', 'a person'], ...bots],
          isPerson ? 'person' : String(next)));
        if (!isPerson && given.given_bots > 1)
          next = (next + 1) % given.given_bots;
      }
    }

    function listSeats() {
      const rule = rulesOf(value('rules'));
      const chosen = value('rules') === given.given && given.seats || rule.usual;
      const select = document.getElementById('seats');

      note.textContent = `${rule.sentence.split(';')[0].replace(/\.$/, '')}. ` +
        `${rule.hand} cards in the hand, to ${counted(rule.target, 'point')}.`;
      select.replaceChildren(...rule.seats.map((count) =>
        make('option', { value: count, selected: count === chosen }, String(count))));
      listPlayers();
    }

    async function begin(event) {
      const seats = Array.from(players.querySelectorAll('select'), (select) => select.value);
      const persons = seats.flatMap((who, i) => who === 'person' ? [i + 1] : []);
      const bots = seats.filter((who) => who !== 'person');

      event.preventDefault();
      error.textContent = '';
      try {
        const game = await post('game', `rules=${value('rules')} seats=${value('seats')} ` +
          `persons=${persons.join(',')} bots=${bots.join(',')} time=${value('time')} ` +
          `hints=${document.getElementById('hints').checked ? 1 : 0}`);

        if (game.seats.length === 1)
          location.assign(game.seats[0].path);
        else
          location.reload();
      } catch (failure) {
        error.textContent = failure.message;
      }
    }

    form.addEventListener('submit', begin);
    form.append(
      choice('rules', 'Game', names.map((name) => [name, name]), given.given, listSeats),
      choice('seats', 'Seats', [], '', listPlayers), note, players,
      choice('time', 'Time of each player',
        given.times.flatMap((text, i, all) =>
          all.indexOf(text) === i ? [[String(i), timeText(text)]] : []), String(given.time)),
      make('label', { class: 'choice', for: 'hints' },
        `Hints of ${given.hint}`, make('input', { type: 'checkbox', id: 'hints', checked: true })),
      suitsChoice(), error, make('button', { id: 'begin', class: 'main-action' }, 'Sit down'));
    main.append(make('section', {}, make('h2', {}, 'New game'), form));
    listSeats();
    listGames();
  }

  function listGames() {
    const list = make('ul', { id: 'games', class: 'games' });

    for (const game of given.games)
      for (const seat of game.seats)
        list.append(make('li', {},
          make('a', { href: seat.path }, `Game ${game.number}, seat ${seat.seat}`),
          ` ${seat.name}: ${game.rules}, ` + (game.over ? 'over'
            : seat.watched ? 'somebody plays' : 'nobody is there')));
    if (given.games.length > 0)
      main.append(make('section', {}, make('h2', {}, 'Games'),
        make('p', { class: 'note' }, 'Each address opens one seat. Give it to ' +
          'the person who plays there, and to nobody else.'), list));
  }

  if (given.page === 'lobby') {
    showLobby();
    return;
  }

  /*
   * What the seat knows.
   */

  const game = {
    seats: [], rules: {}, items: [], you: given.seat, target: '', deals: '', id: '',
    scores: {}, question: null, over: false
  };

  /* The words of a line, and its pairs by key. */
  function split(line) {
    const words = line.split(' ');
    const pairs = {};

    for (const word of words) {
      const at = word.indexOf('=');

      if (at > 0)
        pairs[word.slice(0, at)] = decode(word.slice(at + 1));
    }
    return { words, pairs };
  }

  function decode(value) {
    try {
      return decodeURIComponent(value);
    } catch (error) {
      return value;
    }
  }

  /* `A:3,B:1` as an object. */
  function byKey(text) {
    return Object.fromEntries((text === '-' ? [] : text.split(',')).map((pair) => pair.split(':')));
  }

  const seatOf = (number) => game.seats[number - 1];
  const nameOf = (number) => {
    const seat = seatOf(number);
    const same = game.seats.some((other) => other !== seat && other.name === seat.name);

    return same ? `${seat.name} (seat ${number})` : seat.name;
  };
  /* A sentence about a seat: `You play` or `greedy plays`. */
  const says = (number, verb, own) => Number(number) === game.you
    ? `You ${own || verb.slice(0, -1)}`
    : `${nameOf(number)} ${verb}`;
  const teams = () => [...new Set(game.seats.map((seat) => seat.team))];
  const teamName = (team) => [...new Set(game.seats.filter((seat) => seat.team === team)
    .map((seat) => teams().length === game.seats.length ? nameOf(seat.number) : seat.name))]
    .join(' + ');
  const withoutCards = (set, gone) => set.filter((card) => !gone.includes(card));
  const cardNames = (set) => set.length === 0 ? 'no cards'
    : set.map((card) => cards.name(card)).join(', ').replace(/, ([^,]*)$/, ' and $1');

  const RANKS = { A: 'ace', J: 'knave', Q: 'knight', K: 'king' };

  /* A declaration `low:A` in words. */
  function declarationWords(text) {
    const [kind, rank] = text.split(':');

    return (kind === 'low' ? 'less than ten' : 'three of a kind') +
      (rank ? `, with the 7 of cups as ${RANKS[rank] || rank}` : '');
  }

  /* A move in words. */
  function moveWords(move) {
    const [card, taken] = move.split('x');

    return move[0] === '!' ? declarationWords(move.slice(1))
      : cards.name(card) + (taken ? ` for ${cardNames(cards.list(taken))}` : '');
  }

  const MATTA = '7C';

  function playCard(seat, move) {
    const [card, text] = move.split('x');
    const taken = cards.list(text);
    const isAce = card[0] === 'A' || (card === MATTA && game.matta === 'A');
    const stays = taken.length === 0 &&
      !(isAce && game.table.length === 0 && game.rules['ace-empty'] === 'take');

    seat.count--;
    seat.shown = withoutCards(seat.shown, [card]);
    if (seat.number === game.you)
      game.hand = withoutCards(game.hand, [card]);
    game.table = withoutCards(game.table, taken);
    if (stays)
      game.table.push(card);
    else
      game.piles[seat.team] += taken.length + 1;
    /* Outside of the hand the 7 of cups keeps its value only on the table. */
    if (taken.includes(MATTA) || (card === MATTA && !(stays && game.rules.matta === 'table')))
      game.matta = '-';
  }

  /* What each line of the arena changes; what it returns is said aloud. */
  const hearers = {
    match: ({ words, pairs }) => {
      game.id = words[1];
      game.variant = pairs.rules;
      game.target = pairs.target;
      game.deals = pairs.deals;
      game.you = Number(pairs.you);
      game.seats = [];
    },
    rules: ({ pairs }) => {
      game.rules = pairs;
    },
    seat: ({ words, pairs }) => {
      game.seats.push({ number: Number(words[1]), team: pairs.team, name: pairs.name,
        count: 0, shown: [], captures: 0 });
    },
    deal: ({ words, pairs }) => {
      game.deal = Number(words[1]);
      game.dealer = Number(pairs.dealer);
      game.scores = byKey(pairs.scores);
      game.table = [];
      game.hand = [];
      game.deck = 40;
      game.last = null;
      game.matta = '-';
      game.piles = Object.fromEntries(teams().map((team) => [team, 0]));
      game.scope = Object.fromEntries(teams().map((team) => [team, 0]));
      game.result = {};
      for (const seat of game.seats)
        seat.shown = [];
      return `Deal ${game.deal}. ${says(game.dealer, 'deals')}. ` +
        `${says(pairs.first, 'begins')}.`;
    },
    table: ({ words }) => {
      game.table = cards.list(words[1]);
      game.deck = 40 - game.table.length;
    },
    redeal: ({ pairs }) =>
      `The cards are dealt again, because of the ${pairs.reason} on the table.`,
    give: ({ words }) => {
      const seat = seatOf(words[1]);

      seat.count = words[2].length / 2;
      game.deck -= seat.count;
      if (seat.number === game.you)
        game.hand = cards.list(words[2]);
    },
    sweep: ({ words, pairs }) => {
      const taken = cards.list(words[2]);
      const team = seatOf(words[1]).team;

      game.table = withoutCards(game.table, taken);
      game.piles[team] += taken.length;
      game.scope[team] += Number(pairs.scopa);
      return `${says(words[1], 'takes')} the opening table: ${cardNames(taken)}.`;
    },
    declare: ({ words, pairs }) => {
      const rank = words[2].split(':')[1];

      if (rank && game.rules.matta !== 'plain')
        game.matta = rank;
      return `${says(words[1], 'declares')} ${declarationWords(words[2])}: ` +
        `${counted(pairs.points, 'point')}.`;
    },
    show: ({ words }) => {
      seatOf(words[1]).shown = cards.list(words[2]);
      return `${says(words[1], 'shows')} ${cardNames(cards.list(words[2]))}.`;
    },
    play: ({ words, pairs }) => {
      const seat = seatOf(words[1]);

      if (seat.number === game.you)
        game.question = null;
      if (words[2][0] !== '!')
        playCard(seat, words[2]);
      game.last = { seat: seat.number, move: words[2] };
      game.scope[seat.team] += pairs.scopa ? 1 : 0;
      return `${says(words[1], 'plays')} ${moveWords(words[2])}.` + (pairs.scopa ? ' Scopa!' : '') +
        (pairs.by ? ` The arena played, because of: ${pairs.cause}.` : '');
    },
    rest: ({ words }) => {
      const taken = cards.list(words[2]);

      game.table = withoutCards(game.table, taken);
      game.piles[seatOf(words[1]).team] += taken.length;
      if (taken.includes(MATTA))
        game.matta = '-';
      return `${says(words[1], 'gets')} the rest of the table: ${cardNames(taken)}.`;
    },
    score: ({ words, pairs }) => {
      game.result[words[1]] = pairs;
      game.scores[words[1]] = pairs.total;
    },
    enddeal: () => {
      game.lastResult = { deal: game.deal, teams: game.result };
      return `Deal ${game.deal} is over.`;
    },
    abort: ({ words, pairs }) => `The ${words[1]} ends here: ${pairs.reason}.`,
    endmatch: ({ pairs }) => {
      const outcome = pairs.winner === '-' ? 'Nobody has won'
        : pairs.you === 'win' ? 'You have won' : `${teamName(pairs.winner)} has won`;

      game.scores = byKey(pairs.scores);
      game.outcome = `${outcome}: ${Object.entries(game.scores)
        .map(([team, points]) => `${teamName(team)} ${points}`).join(', ')}` +
        (pairs.reason === 'forfeit' ? ', by forfeit.' : '.');
      if (pairs.reason === 'abort')
        game.outcome = 'The game was stopped.';
      return game.outcome;
    },
    state: ({ pairs }) => {
      const shown = byKey(pairs.shown);

      game.table = cards.list(pairs.table);
      game.hand = cards.list(pairs.hand);
      game.deck = Number(pairs.deck);
      for (const [team, pile] of Object.entries(byKey(pairs.pile)))
        game.piles[team] = cards.list(pile).length;
      for (const [team, count] of Object.entries(byKey(pairs.scopas)))
        game.scope[team] = Number(count);
      for (const seat of game.seats) {
        seat.count = Number(byKey(pairs.hands)[seat.number]);
        seat.shown = cards.list(shown[seat.number]);
      }
      game.matta = pairs.matta;
      game.question = { moves: [], turn: '', card: null };
    },
    legal: ({ words }) => {
      game.question.moves = words.slice(1).filter((move) => move !== '...');
    },
    go: ({ pairs }) => {
      game.question.turn = pairs.turn;
    },
    'x-left': ({ words }) => {
      game.question.end = performance.now() + Number(words[1]);
    },
    'x-hint': ({ words }) => {
      game.question.hint = words[1] === '-' ? `${given.hint} gave no answer.`
        : `${given.hint} would play ${moveWords(words[1])}.`;
      return `Hint: ${game.question.hint}`;
    },
    'x-fault': ({ words }) => {
      game.fault = `${says(words[1], 'has', 'have')} lost by an offence: ` +
        `${words[2]}, ${words[3]}.`;
      return game.fault;
    },
    'x-over': ({ words }) => {
      game.over = words[1];
      game.question = null;
    }
  };

  /*
   * What is seen.
   */

  const part = {};

  function build() {
    const section = (id, name, ...children) => {
      part[id] = make('div', { id });
      return make('section', { 'aria-label': name, class: `part ${id}` }, ...children, part[id]);
    };

    part.status = make('p', { id: 'status', role: 'status' });
    part.news = make('ol', { id: 'news', tabindex: '0', 'aria-live': 'polite',
      'aria-label': 'What has happened' });
    part.error = make('p', { id: 'error', role: 'alert', class: 'bad' });
    part.clock = make('span', { id: 'clock', class: 'number' });
    part.hint = make('button', { id: 'hint', type: 'button', onclick: askHint }, 'Hint');
    part.stop = make('button', { id: 'stop', type: 'button', onclick: stop }, 'Stop');
    const board = make('div', { class: 'board' },
      section('points', 'Points'), section('others', 'Other players'),
      section('table', 'Table'), section('hand', 'Your hand', part.status),
      make('div', { class: 'actions' }, part.hint, part.clock,
        choice('pace', 'Others play', PACES, stored('scopa-pace') || '500',
          (event) => stored('scopa-pace', event.target.value)), suitsChoice(), part.stop),
      part.error, make('p', { class: 'note' }, 'Keys: 1 to 9 plays a card of the hand or ' +
        'chooses a capture, Escape goes back, H asks for a hint.'));

    main.classList.add('seated');
    main.append(board, make('div', {}, section('result', 'Result'),
      make('section', { 'aria-label': 'News' }, make('h2', {}, 'What has happened'), part.news)));
  }

  /* Cards in a row; `mark` makes one stand out. */
  function row(set, mark) {
    return make('span', { class: 'cards' }, ...set.map((card) => {
      const drawn = cards.draw(card);

      if (mark && mark.includes(card))
        drawn.classList.add('marked');
      return drawn;
    }));
  }

  function showPoints() {
    const goal = game.deals ? counted(game.deals, 'deal')
      : `to ${counted(game.target, 'point')}`;

    part.points.replaceChildren(make('p', { class: 'note' }, `${game.variant}, ${goal}. Deal ` +
      `${game.deal || 1}; ${counted(game.deck, 'card')} to be dealt.` +
      (game.matta && game.matta !== '-'
        ? ` The 7 of cups counts as ${RANKS[game.matta] || game.matta}.` : '')),
      make('dl', { class: 'facts' }, ...teams().map((team) => make('div', { 'data-team': team },
        make('dt', {}, teamName(team)),
        make('dd', {}, make('strong', { class: 'team-points' }, game.scores[team] || '0'),
          ` point${game.scores[team] === '1' ? '' : 's'}, ` +
          `${counted(game.piles[team], 'card')} taken, ${game.scope[team]} scop` +
          (game.scope[team] === 1 ? 'a' : 'e'))))));
  }

  function showOthers() {
    const count = game.seats.length;
    const others = game.seats.map((seat, i) => game.seats[(game.you + i) % count]).slice(0, -1);

    part.others.replaceChildren(...others.map((seat) => {
      const hidden = Math.max(0, seat.count - seat.shown.length);
      const isLast = game.last && game.last.seat === seat.number;

      return make('div', { class: 'player', 'data-seat': seat.number },
        make('p', { class: 'player-name' }, make('strong', {}, nameOf(seat.number)),
          seat.team === seatOf(game.you).team ? ', your partner' : '',
          seat.number === game.dealer ? ', dealer' : ''),
        row([...seat.shown, ...Array(hidden).fill('??')]),
        make('p', { class: 'note' }, isLast ? `played ${moveWords(game.last.move)}` : '\u00a0'));
    }));
  }

  function showTable() {
    const [card, taken] = game.shown ? game.shown.split('x') : [game.last && game.last.move];
    const set = game.shown ? [...game.table, card] : game.table;

    part.table.replaceChildren(set.length > 0 ? row(set, [card, ...cards.list(taken)])
      : make('p', { class: 'note' }, 'No cards lie on the table.'));
  }

  const movesOf = (card) => game.question && !game.question.sent
    ? game.question.moves.filter((move) => move.split('x')[0] === card) : [];

  /* A button that plays a move, with its key. */
  function moveButton(move, key, label) {
    const [card, taken] = move.split('x');
    const drawn = move[0] === '!' ? [] : [card, ...cards.list(taken)];

    return make('button', { type: 'button', class: 'move', 'data-move': move, 'data-key': key,
      onclick: () => play(move) }, row(drawn), make('span', {}, label));
  }

  function showHand() {
    const question = game.question;
    const chosen = question && !question.sent && question.card;
    let key = 1;

    part.hand.replaceChildren();
    for (const card of game.hand) {
      const moves = movesOf(card);
      const takes = moves.length > 1 ? `, ${moves.length} ways`
        : moves.length === 1 && moves[0].includes('x')
          ? `, takes ${cardNames(cards.list(moves[0].split('x')[1]))}` : '';

      part.hand.append(make('button', { type: 'button', class: 'hand-card', 'data-card': card,
        'data-key': chosen ? null : key++, disabled: moves.length === 0,
        'aria-expanded': moves.length > 1 ? String(chosen === card) : null,
        onclick: () => choose(card) },
      cards.draw(card), make('span', { class: 'unseen' }, takes)));
    }
    if (game.hand.length === 0)
      part.hand.append(make('p', { class: 'note' }, 'No cards.'));
    if (chosen)
      part.hand.append(make('div', { id: 'captures', class: 'captures', role: 'group',
        'aria-label': 'What to take' }, ...movesOf(chosen).map((move, i) =>
        moveButton(move, i + 1, move.includes('x')
          ? `take ${cardNames(cards.list(move.split('x')[1]))}` : 'lay it down')),
      make('button', { type: 'button', id: 'back', onclick: () => choose(null) }, 'Back')));
    if (question && !chosen && !question.sent)
      for (const move of question.moves.filter((one) => one[0] === '!'))
        part.hand.append(moveButton(move, key++, `declare ${declarationWords(move.slice(1))}`));
  }

  /* The points of the last deal by what they are for. */
  function resultTable() {
    const { deal, teams: results } = game.lastResult;
    const names = Object.keys(results);
    const items = Object.keys(results[names[0]])
      .filter((key) => results[names[0]][key].includes(':'));
    const line = (title, cell) => make('tr', {}, make('th', { scope: 'row' }, title),
      ...names.map((team) => make('td', {}, cell(results[team]))));
    const item = (key) => (result) => {
      const [quantity, points] = (result[key] || '0:0').split(':');

      return Number(points) !== 0 ? `${quantity} \u2192 +${points}` : quantity;
    };

    return make('div', { class: 'wide', role: 'region', tabindex: '0',
      'aria-label': 'Points of the last deal' },
      make('table', { id: 'deal-points' }, make('caption', {}, `Points of deal ${deal}`),
        make('thead', {}, make('tr', {}, make('th', { scope: 'col', class: 'text' }, 'Points for'),
          ...names.map((team) => make('th', { scope: 'col' }, teamName(team))))),
        make('tbody', {}, ...items.map((key) => line(key.replace('-', ' '), item(key))),
          line('this deal', (result) => result.points),
          line('in all', (result) => result.total))));
  }

  function showResult() {
    const over = [];

    if (game.over) {
      over.push(make('h2', { id: 'outcome' }, game.outcome || 'The game was stopped.'));
      if (game.fault)
        over.push(make('p', {}, game.fault));
      if (game.over === 'failed')
        over.push(make('p', {}, 'The machine refused something; the terminal says what.'));
      else if (given.record)
        over.push(make('p', {}, 'The record was kept: ', make('code', {},
          `${given.program} ${game.over === 'stopped' ? 'play --resume'
            : 'record show'} ${given.record}`)));
      over.push(make('button', { id: 'again', type: 'button', class: 'main-action',
        onclick: again }, 'Next game'));
    }
    if (game.lastResult)
      over.push(resultTable());
    part.result.replaceChildren(...over);
  }

  function showStatus() {
    const question = game.question;
    let text = 'Wait for the others.';

    if (game.over)
      text = 'The game is over.';
    else if (game.seats.length === 0)
      text = 'The bots get ready.';
    else if (question && !question.sent)
      text = question.hint ? `Hint: ${question.hint}`
        : question.asked ? `${given.hint} thinks...`
          : question.card ? 'Choose what to take.' : 'It is your turn.';
    part.status.textContent = text;
    part.hint.disabled = !given.hints || !question || Boolean(question.asked || question.hint);
    part.stop.disabled = Boolean(game.over);
    main.dataset.state = game.over ? 'over' : !question ? 'waiting'
      : question.sent ? 'sent' : 'asked';
  }

  function show() {
    /* The button that has the focus is drawn again. */
    const focus = document.activeElement;
    const key = focus && main.contains(focus) ? focus.dataset.key : null;

    if (game.seats.length > 0 && game.piles) {
      showPoints();
      showOthers();
      showTable();
      showHand();
      showResult();
    }
    showStatus();
    if (key && !document.contains(focus)) {
      const next = main.querySelector('[data-key]:not([disabled])');

      (main.querySelector(`[data-key="${key}"]:not([disabled])`) || next || part.stop).focus();
    }
  }

  function showClock() {
    const end = game.question && game.question.end;
    const left = end ? Math.max(0, Math.ceil((end - performance.now()) / 1000)) : 0;

    part.clock.textContent = end ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
      : '';
  }

  /*
   * What the person does.
   */

  async function send(path, body) {
    part.error.textContent = '';
    try {
      return await post(path, body);
    } catch (failure) {
      part.error.textContent = failure.message;
      return null;
    }
  }

  async function play(move) {
    const question = game.question;

    if (!question || question.sent)
      return;
    question.sent = true;
    show();
    if (await send('move', `move ${move} turn=${question.turn}`) === null) {
      question.sent = false;
      show();
    }
  }

  function choose(card) {
    const moves = card ? movesOf(card) : [];

    if (!game.question)
      return;
    if (moves.length === 1) {
      play(moves[0]);
      return;
    }
    game.question.card = moves.length > 1 && game.question.card !== card ? card : null;
    show();
    if (game.question.card)
      document.querySelector('#captures button').focus();
  }

  async function askHint() {
    if (!game.question)
      return;
    game.question.asked = true;
    showStatus();
    if (await send('hint', '') === null && game.question) {
      game.question.asked = false;
      showStatus();
    }
  }

  function stop() {
    if (confirm('Stop this game? It can go on later in the terminal.'))
      send('stop', '');
  }

  async function again() {
    const next = await send('again', '');

    if (next)
      location.assign(next.seats[0].path);
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT')
      return;
    if (event.key === 'Escape' && game.question && game.question.card)
      choose(null);
    else if (event.key.toLowerCase() === 'h' && !part.hint.disabled)
      askHint();
    else if (/^[1-9]$/.test(event.key)) {
      const button = main.querySelector(`[data-key="${event.key}"]:not([disabled])`);

      if (button)
        button.click();
    }
  }

  /*
   * The lines of the arena, one after the other: other players' plays are
   * shown for a while.
   */

  const queue = [];
  let busy = false;

  function hear(line) {
    const parsed = split(line);
    const hearer = hearers[parsed.words[0]];
    const news = hearer && hearer(parsed);

    if (news)
      part.news.prepend(make('li', {}, news));
    while (part.news.children.length > 60)
      part.news.lastChild.remove();
  }

  /* Shows what comes next before it changes the table. */
  async function pause(line) {
    const pace = Number(document.getElementById('pace').value);
    const [verb, seat, move] = line.split(' ');

    if (pace === 0 || verb !== 'play' && verb !== 'enddeal')
      return;
    game.shown = verb === 'play' ? move : null;
    show();
    await new Promise((resolve) => setTimeout(resolve,
      verb === 'enddeal' ? 3 * pace : Number(seat) === game.you ? pace / 2 : pace));
    game.shown = null;
  }

  async function work() {
    busy = true;
    while (queue.length > 0) {
      await pause(queue[0]);
      /* A page that was sent everything again has emptied the queue. */
      if (queue.length > 0)
        hear(queue.shift());
    }
    busy = false;
    show();
  }

  function open() {
    const source = new EventSource('events');
    const lines = (event) => event.data.split('\n').filter((line) => line !== '');

    /* All that has happened, for a page that knows nothing. */
    source.addEventListener('start', (event) => {
      queue.length = 0;
      game.question = null;
      part.news.replaceChildren();
      lines(event).forEach(hear);
      part.error.textContent = '';
      show();
    });
    source.addEventListener('message', (event) => {
      queue.push(...lines(event));
      if (!busy)
        work();
    });
    source.addEventListener('replaced', () => {
      source.close();
      game.over = 'replaced';
      game.question = null;
      main.replaceChildren(make('p', { id: 'replaced', role: 'alert' },
        'This seat was opened in another page, which has taken over. Load this page ' +
        'again to play here.'));
    });
    source.addEventListener('error', () => {
      if (!game.over)
        part.error.textContent = 'The server does not answer. The page tries again.';
    });
  }

  build();
  document.addEventListener('keydown', onKey);
  setInterval(showClock, 250);
  open();
})();
