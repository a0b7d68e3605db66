// The protocol side of a bot for card games of the Scopa family (USP/1).
//
// A bot needs one function.  It gets a view of the game and returns a move:
//
//     const { run } = require("./scopa_bot.js");
//
//     run((view) => view.legal[0], { name: "my-bot" });
//
// This module reads the lines of the arena, follows the game, lists the legal
// moves and answers.  It plays every rule set.  The class View says what
// choose() can look at.  Seats are numbered from 1, teams are letters from A,
// and all sets of cards are in canonical order (by value, then coins, cups,
// swords, clubs).
//
// The file has five parts: cards and moves; the view; the legal moves; the game
// as the events tell it; options and the session with the arena.
"use strict";

const readline = require("node:readline");

// ---- Cards and moves -------------------------------------------------------

const RANKS = "A234567JQK";
const SUITS = "DCSB"; // coins (denari), cups (coppe), swords (spade), clubs

// A card.  There is one object for each card, so cards may be compared by ===.
class Card {
  constructor(order) {
    this.order = order; // place in the canonical order, from 0
    this.rank = RANKS[order >> 2]; // A 2 3 4 5 6 7 J Q K
    this.suit = SUITS[order & 3]; // D C S B
    this.value = (order >> 2) + 1; // 1 to 10
    this.text = this.rank + this.suit; // as in the protocol
    Object.freeze(this);
  }

  toString() {
    return this.text;
  }
}

const PACK = Array.from({ length: 40 }, (_, order) => new Card(order));
const CARDS = new Map(PACK.map((card) => [card.text, card])); // by text
const MATTA = CARDS.get("7C"); // the wild card of Cirulla

const sorted = (cards) => [...cards].sort((a, b) => a.order - b.order);

// A play of a card, with or without a capture, or a declaration.
class Move {
  constructor(card, captured = [], declaration = null, rank = null) {
    this.card = card; // null: a declaration
    this.captured = captured; // cards
    this.declaration = declaration; // "low", "three" or null
    this.rank = rank; // which it gives to the 7 of cups, or null
  }

  // The move as in the protocol: 7D, 7Dx3C4S, !low, !low:A.
  get text() {
    if (this.declaration)
      return "!" + this.declaration + (this.rank ? ":" + this.rank : "");
    return (
      this.card + (this.captured.length ? "x" : "") + this.captured.join("")
    );
  }

  toString() {
    return this.text;
  }
}

function parseCard(text) {
  if (!CARDS.has(text)) throw new Error("no card: " + text);
  return CARDS.get(text);
}

// Returns the cards of a text such as 3C4S; `-` is the empty set.
function parseCards(text) {
  if (text === "-" || text === "") return [];
  return sorted(text.match(/../g).map(parseCard));
}

// Returns the move of a text such as 7Dx3C4S.
function parseMove(text) {
  if (text.startsWith("!")) {
    const [declaration, rank] = text.slice(1).split(":");
    return new Move(null, [], declaration, rank ?? null);
  }
  const [card, captured] = text.split("x");
  return new Move(parseCard(card), parseCards(captured ?? "-"));
}

// Returns the tokens KEY=VALUE as an object of texts.
function parsePairs(tokens, sign = "=") {
  const pairs = tokens
    .filter((token) => token.includes(sign))
    .map((token) => {
      const at = token.indexOf(sign);
      return [token.slice(0, at), token.slice(at + 1)];
    });
  return Object.fromEntries(pairs);
}

// Returns a list such as A:0,B:3 as an object; `-` is the empty one.  `read`
// makes the values of texts.
function parseList(text, read) {
  const pairs = Object.entries(parsePairs(text.split(","), ":"));
  return Object.fromEntries(pairs.map(([key, value]) => [key, read(value)]));
}

// ---- The view --------------------------------------------------------------

// Returns the value of a rule: yes and no as boolean, digits as number.
function typed(text) {
  if (text === "yes" || text === "no") return text === "yes";
  return /^[0-9]+$/.test(text) ? Number(text) : text;
}

// Returns a generator of random numbers from 0 to 1 (mulberry32), which gives
// the same numbers for the same seed.
function randomOf(seed) {
  let state = parseInt(seed.slice(-8), 16) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// All that a seat may know when it has to choose a move.  Do not change it: the
// next decision builds on it.
class View {
  seat = 0; // your seat, from 1
  teams = []; // team of each seat: ["A", "B"]
  hand = []; // your cards
  table = [];
  piles = {}; // team: cards taken
  scopas = {}; // team: sweeps of this deal
  scores = {}; // team: points before this deal
  handCounts = {}; // seat: number of cards
  deck = 0; // number of cards not yet dealt
  last = null; // the seat that captured last
  shown = {}; // seat: cards of a declared hand
  plays = []; // [seat, Move] of this deal
  declared = {}; // team: points of declarations
  matta = null; // value that the wild 7 of cups holds
  opening = 0; // sweeps that the dealer made of the opening table
  deal = 0; // number of the deal, from 1
  dealer = 0; // seat
  target = 0; // points to reach
  deals = null; // number of deals, where it is fixed
  rules = {}; // key: boolean, number or text
  legal = []; // the legal moves
  timeMs = null; // milliseconds left in the bank
  incMs = null; // what each decision adds to the bank
  moveMs = null; // milliseconds for this decision
  seed = ""; // of the match, for your own random numbers
  random = randomOf("0"); // a number from 0 to 1, by this seed
  options = {}; // name: typed value
  send = null; // says a line to the arena

  constructor(values = {}) {
    Object.assign(this, values);
  }

  // The number of seats.
  get seats() {
    return this.teams.length;
  }

  // Your team.
  get team() {
    return this.teamOf(this.seat);
  }

  teamOf(seat) {
    return this.teams[seat - 1];
  }

  // Returns the cards that you cannot see: other hands and the deck.
  hidden() {
    const seen = new Set(
      [
        this.hand,
        this.table,
        ...Object.values(this.piles),
        ...Object.values(this.shown),
      ].flat(),
    );
    return PACK.filter((card) => !seen.has(card));
  }

  // Says what you think of this decision, for records and charts.
  //
  // depth, nodes (whole numbers), value (expected points), time
  // (milliseconds) and cut (1: the clock ended the search) have these
  // names in the protocol; any other name is a number of your own.  `pv` is
  // a list of moves, `comment` a text.
  info({ pv = [], comment = "", ...numbers }) {
    const known = ["depth", "nodes", "value", "time", "cut"];
    const words = Object.entries(numbers).map(
      ([name, number]) =>
        `${known.includes(name) ? "" : "m."}${name}=${number}`,
    );
    if (pv.length) words.push("pv=" + pv.join(","));
    if (comment) words.push("# " + comment.split(/\s+/).join(" "));
    this.send(("info " + words.join(" ")).slice(0, 4000));
  }

  // Takes everything over from the keys of a `state` line.
  readState(keys) {
    this.seat = Number(keys.you);
    this.teams = [...keys.teams];
    this.hand = parseCards(keys.hand);
    this.table = parseCards(keys.table);
    this.piles = parseList(keys.pile, parseCards);
    this.scopas = parseList(keys.scopas, Number);
    this.scores = parseList(keys.scores, Number);
    this.handCounts = parseList(keys.hands, Number);
    this.deck = Number(keys.deck);
    this.last = keys.last === "-" ? null : Number(keys.last);
    this.shown = parseList(keys.shown, parseCards);
    this.plays = [];
    if (keys.plays !== "-")
      for (const play of keys.plays.split("/"))
        this.plays.push([Number(play[0]), parseMove(play.slice(2))]);
    this.declared = zeros(this.teams);
    Object.assign(this.declared, parseList(keys.declared ?? "-", Number));
    this.matta = RANKS.indexOf(keys.matta ?? "-") + 1 || null;
    this.opening = Number(keys.opening ?? 0);
    this.deal = Number(keys.deal);
    this.dealer = Number(keys.dealer);
    this.target = Number(keys.target);
  }
}

// Returns an object with a 0 for each of these keys.
const zeros = (keys) =>
  Object.fromEntries([...new Set(keys)].sort().map((key) => [key, 0]));

// ---- The legal moves -------------------------------------------------------

// The rules that decide what is legal, with the values that are known here.
// The first value holds where the `rules` line leaves the key out.
const MOVE_RULES = {
  capture: ["sum", "fifteen", "sum-or-fifteen"],
  "equal-fifteen": [false, true],
  priority: ["single", "fewest", "any"],
  "max-captured": [0, 2],
  ace: ["plain", "sweep", "sweep-unless-ace", "sweep-traditional"],
  "ace-empty": ["stay", "take"],
  "cirulla-ace": ["choice", "sweep"],
  "cirulla-equal": ["choice", "first"],
  declare: ["off", "auto", "ask"],
  matta: ["hand", "plain", "table"],
};

// The rules have a value that this module does not know.
class UnknownRule extends Error {}

// Returns the legal moves of a view in canonical order.  Throws UnknownRule
// where the rules of the view have unknown values.
function legalMoves(view) {
  for (const [key, values] of Object.entries(MOVE_RULES))
    if (!values.includes(rule(view, key)))
      throw new UnknownRule(`rules ${key}=${rule(view, key)} is unknown`);
  const moves = view.hand.flatMap((card) => {
    const captures = capturesOf(view, card);
    if (!captures.length) return [new Move(card)];
    return captures.map((cards) => new Move(card, cards));
  });
  return [...moves, ...declarationsOf(view)];
}

const rule = (view, key) => view.rules[key] ?? MOVE_RULES[key][0];

// Returns the value of a card on the table.
function tableValue(view, card) {
  if (card === MATTA && view.matta && rule(view, "matta") === "table")
    return view.matta;
  return card.value;
}

// Returns the value with which a card of the hand captures.
function handValue(view, card) {
  return card === MATTA && view.matta ? view.matta : card.value;
}

// Returns the sets of cards that a card may take, in canonical order.  The
// steps are those of protocol.md, "Which capture".
function capturesOf(view, card) {
  const value = handValue(view, card);
  const capture = rule(view, "capture");
  const totals = {
    sum: [value],
    fifteen: [15 - value],
    "sum-or-fifteen": [value, 15 - value],
  }[capture];
  const equal = view.table.filter((other) => tableValue(view, other) === value);

  // 1. What adds up.
  let found = setsThatTotal(view, totals);
  if (rule(view, "equal-fifteen") && capture === "fifteen")
    found.push(...equal.map((other) => [other]));
  // 2. How many cards.
  const most = rule(view, "max-captured");
  if (most) found = found.filter((cards) => cards.length <= most);
  // 3. What comes first.
  if (
    rule(view, "cirulla-equal") === "first" &&
    equal.length &&
    capture === "sum-or-fifteen"
  )
    found = found.filter(
      (cards) => cards.length === 1 || totalOf(view, cards) !== value,
    );
  const fewest = Math.min(...found.map((cards) => cards.length));
  if (
    rule(view, "priority") === "fewest" ||
    (rule(view, "priority") === "single" && fewest === 1)
  )
    found = found.filter((cards) => cards.length === fewest);
  // 4. The ace.
  if (value === 1 && aceSweeps(view)) {
    if (capture !== "sum-or-fifteen" || rule(view, "cirulla-ace") === "sweep")
      found = [];
    if (!found.some((cards) => cards.length === view.table.length))
      found.push(view.table);
  }
  return found.sort(compareSets);
}

// Compares sets of cards one by one from the lowest, as for sort().
function compareSets(a, b) {
  const at = a.findIndex((card, i) => card !== b[i]);
  if (at < 0) return a.length - b.length;
  return at < b.length ? a[at].order - b[at].order : 1;
}

function totalOf(view, cards) {
  return cards.reduce((sum, card) => sum + tableValue(view, card), 0);
}

// Returns all sets of cards of the table with one of these totals.
function setsThatTotal(view, totals) {
  const found = [];
  const largest = Math.max(...totals);
  const extend = (cards, total, first) => {
    if (totals.includes(total)) found.push(cards);
    for (let i = first; i < view.table.length; i++) {
      const card = view.table[i];
      const larger = total + tableValue(view, card);
      if (larger <= largest) extend([...cards, card], larger, i + 1);
    }
  };
  extend([], 0, 0);
  return found;
}

// Whether an ace that is played now takes the whole table.
function aceSweeps(view) {
  const aceLies = view.table.some((card) => tableValue(view, card) === 1);
  const firstPlay = view.plays.every(([, move]) => move.declaration);
  if (!view.table.length) return false;
  switch (rule(view, "ace")) {
    case "sweep":
      return true;
    case "sweep-unless-ace":
      return !aceLies;
    case "sweep-traditional":
      return !aceLies && !firstPlay;
    default:
      return false;
  }
}

// Returns the declarations that an untouched hand of three cards allows.
function declarationsOf(view) {
  if (
    rule(view, "declare") !== "ask" ||
    view.hand.length !== 3 ||
    view.shown[view.seat]
  )
    return [];
  const others = view.hand.filter((card) => card !== MATTA);
  const wild = others.length === 2;
  const { rank } = others[0];
  if (others.every((card) => card.rank === rank)) {
    // With two more sevens the 7 of cups needs no other value.
    const needed = wild && rank !== "7";
    return [new Move(null, [], "three", needed ? rank : null)];
  }
  const rest = 9 - others.reduce((sum, card) => sum + card.value, 0);
  if (rest < 0) return [];
  if (!wild) return [new Move(null, [], "low")];
  return [...RANKS.slice(0, rest)].map((low) => new Move(null, [], "low", low));
}

// ---- The game as the events tell it ----------------------------------------

// Follows the events of the arena; `view` is what they have said so far.  Each
// event is a method with the words and the keys of its line.
class Game {
  static EVENTS = [
    "match",
    "seat",
    "rules",
    "deal",
    "redeal",
    "table",
    "give",
    "sweep",
    "declare",
    "show",
    "play",
    "rest",
    "score",
    "enddeal",
    "abort",
    "endmatch",
  ];

  view = new View();
  rulesKnown = false; // a `rules` line holds

  hear(verb, words, keys) {
    this[verb](words, keys);
  }

  match(words, keys) {
    const seed = keys.seed ?? "0";
    this.view = new View({
      seat: Number(keys.you),
      teams: [...keys.teams],
      target: Number(keys.target),
      deals: "deals" in keys ? Number(keys.deals) : null,
      seed,
      random: randomOf(seed),
    });
    this.rulesKnown = false;
  }

  // Teams are in the `match` line, and names are not needed.
  seat() {}

  rules(words, keys) {
    this.view.rules = typedRules(keys);
    this.rulesKnown = true;
  }

  deal(words, keys) {
    const { teams } = this.view;
    Object.assign(this.view, {
      deal: Number(words[0]),
      dealer: Number(keys.dealer),
      scores: parseList(keys.scores, Number),
      hand: [],
      table: [],
      piles: Object.fromEntries(teams.map((team) => [team, []])),
      scopas: zeros(teams),
      declared: zeros(teams),
      handCounts: zeros(teams.map((_, i) => i + 1)),
      shown: {},
      plays: [],
      deck: PACK.length,
      last: null,
      matta: null,
      opening: 0,
    });
  }

  table([cards]) {
    this.view.table = parseCards(cards);
    this.view.deck = PACK.length - this.view.table.length;
  }

  // Another `table` line follows and sets everything.
  redeal() {}

  give([seat, cards]) {
    const count = cards.length / 2;
    if (Number(seat) === this.view.seat) this.view.hand = parseCards(cards);
    this.view.handCounts[seat] = count;
    this.view.deck -= count;
  }

  sweep([seat, cards], keys) {
    this.addToPile(seat, parseCards(cards));
    this.view.opening = Number(keys.scopa ?? 0);
    this.view.scopas[this.view.teamOf(seat)] += this.view.opening;
    this.view.last = Number(seat);
    this.view.table = [];
  }

  declare([seat, declaration], keys) {
    const { view } = this;
    const move = parseMove("!" + declaration);
    view.plays.push([Number(seat), move]);
    view.declared[view.teamOf(seat)] += Number(keys.points);
    if (move.rank && rule(view, "matta") !== "plain")
      view.matta = RANKS.indexOf(move.rank) + 1;
  }

  show([seat, cards]) {
    this.view.shown[seat] = parseCards(cards);
  }

  play([seat, text], keys) {
    const { view } = this;
    const move = parseMove(text);
    const cards = [move.card, ...move.captured];
    view.plays.push([Number(seat), move]);
    view.scopas[view.teamOf(seat)] += Number(keys.scopa ?? 0);
    this.takeFromHand(seat, move.card);
    if (move.captured.length || this.takesItself(move.card)) {
      view.table = view.table.filter((card) => !cards.includes(card));
      this.addToPile(seat, cards);
      view.last = Number(seat);
    } else {
      view.table = sorted([...view.table, move.card]);
    }
    // A 7 of cups that has left the hand holds its value only on the
    // table.
    if (
      cards.includes(MATTA) &&
      !(view.table.includes(MATTA) && rule(view, "matta") === "table")
    )
      view.matta = null;
  }

  takeFromHand(seat, card) {
    const { view } = this;
    const others = (cards) => cards.filter((other) => other !== card);
    view.handCounts[seat] -= 1;
    view.hand = others(view.hand);
    if (!view.shown[seat]) return;
    view.shown[seat] = others(view.shown[seat]);
    if (!view.shown[seat].length) delete view.shown[seat];
  }

  // Whether an ace on an empty table goes to the pile at once.
  takesItself(card) {
    return (
      !this.view.table.length &&
      handValue(this.view, card) === 1 &&
      rule(this.view, "ace-empty") === "take"
    );
  }

  addToPile(seat, cards) {
    const { piles } = this.view;
    const team = this.view.teamOf(seat);
    piles[team] = sorted([...piles[team], ...cards]);
  }

  rest([seat]) {
    this.addToPile(seat, this.view.table);
    this.view.table = [];
  }

  // The next `deal` line has the totals.
  score() {}

  // The next `deal` line begins again.
  enddeal() {}

  // The next `deal` or `endmatch` line begins again.
  abort() {}

  endmatch() {
    this.view = new View();
    this.rulesKnown = false;
  }
}

function typedRules(keys) {
  return Object.fromEntries(
    Object.entries(keys).map(([key, text]) => [key, typed(text)]),
  );
}

// ---- Options and the session -----------------------------------------------

// Returns the line that declares an option.  An option has `name` and `type`
// (int, bool, enum, string or button), `default`, and `min` and `max` of an int
// or `values` of an enum.
function optionLine({ name, type, min, max, values, default: standard }) {
  const words = [`option name=${name} type=${type}`];
  if (type !== "button") words.push("default=" + escape(standard));
  if (min !== undefined) words.push("min=" + min);
  if (max !== undefined) words.push("max=" + max);
  if (values) words.push("values=" + values.map(escape).join("|"));
  return words.join(" ");
}

// Returns the typed value of an option; throws RangeError with what is allowed.
function optionValue({ type, min, max, values }, text) {
  switch (type) {
    case "int":
      if (!/^-?[0-9]+$/.test(text) || Number(text) < min || Number(text) > max)
        throw new RangeError(
          "must be a whole number" +
            (min === undefined ? "" : " from " + min) +
            (max === undefined ? "" : " to " + max),
        );
      return Number(text);
    case "bool":
      if (text !== "true" && text !== "false")
        throw new RangeError("must be true or false");
      return text === "true";
    case "enum":
      if (!values.includes(text))
        throw new RangeError("must be one of " + values.join(", "));
      return text;
    case "button":
      return true;
    default:
      return text;
  }
}

// Writes a value so that it is one token: a blank becomes %20.
function escape(value) {
  return [...Buffer.from(String(value))]
    .map((byte, i) => {
      const plain =
        byte > 0x20 && byte < 0x7f && byte !== 0x25 && (byte !== 0x23 || i > 0);
      const hex = byte.toString(16).toUpperCase().padStart(2, "0");
      return plain ? String.fromCharCode(byte) : "%" + hex;
    })
    .join("");
}

function unescape(text) {
  const bytes = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}

// Reads the lines of the arena and answers them with `write`.
class Session {
  features = { position: 1 };
  game = new Game();
  state = null; // keys of the last `state` line
  legal = []; // moves of the last `legal` line
  unknownVerbs = 0;

  constructor(choose, identity, options, write) {
    this.choose = choose;
    this.identity = identity; // keys and values of the `id` line
    this.declared = options;
    this.options = Object.fromEntries(
      options.map((option) => [option.name, option.default ?? null]),
    );
    this.write = write;
  }

  say(line) {
    this.write(line.replace(/[^\x20-\x7e]/g, "?") + "\n");
  }

  // Answers one line; returns false when the arena says `quit`.
  hearLine(line) {
    const tokens = line.split(/\s+/).filter((token) => token);
    const comment = tokens.findIndex((token) => token[0] === "#");
    if (comment >= 0) tokens.length = comment;
    if (tokens[0] === "quit") return false;
    if (tokens.length) this.hear(tokens[0], tokens.slice(1));
    return true;
  }

  // Answers a line; one that is malformed is reported and skipped.
  hear(verb, tokens) {
    const keys = parsePairs(tokens);
    let asked = false;
    try {
      asked = this.read(verb, tokens, keys);
    } catch (why) {
      this.say(`error syntax # ${verb}: ${why.message}`);
    }
    if (asked) this.answer(keys);
    if (verb === "go") {
      this.state = null;
      this.legal = [];
    }
  }

  // Does what a line says; returns whether it asks for a move.
  read(verb, tokens, keys) {
    if (Game.EVENTS.includes(verb)) {
      this.game.hear(verb, tokens, keys);
      return false;
    }
    switch (verb) {
      case "state":
        this.state = keys;
        break;
      case "legal":
        // The token `...` says that the list was cut.
        this.legal = tokens
          .filter((move) => move !== "..." && !move.includes("="))
          .map(parseMove);
        break;
      case "go":
        return this.updateView(keys);
      case "usp":
        this.greet();
        break;
      case "setoption":
        this.setOption(tokens.join(" "));
        break;
      case "isready":
        this.say("readyok");
        break;
      case "error":
      case "illegal":
        // What the arena did not like helps the author.
        console.error("arena:", verb, ...tokens);
        break;
      case "stop":
      case "cards":
        break;
      default:
        this.reportUnknown(verb);
    }
    return false;
  }

  // Reports some verbs only: an arena ends a bot that says too much unasked.
  reportUnknown(verb) {
    this.unknownVerbs++;
    if (this.unknownVerbs <= 16)
      this.say(`error unknown # no verb "${verb.slice(0, 40)}"`);
  }

  greet() {
    const words = Object.entries(this.identity)
      .filter(([, text]) => text)
      .map(([key, text]) => `${key}=${escape(text)}`);
    this.say("id " + words.join(" "));
    for (const option of this.declared) this.say(optionLine(option));
    const features = Object.entries(this.features).map(
      ([key, value]) => `${key}=${value}`,
    );
    this.say("feature " + features.join(" "));
    this.say("uspok 1");
  }

  setOption(token) {
    const [name] = token.split("=", 1);
    const option = this.declared.find((other) => other.name === name);
    if (!option) {
      this.say("error option # there is no option " + name.slice(0, 40));
      return;
    }
    try {
      const text = unescape(token.slice(name.length + 1));
      this.options[name] = optionValue(option, text);
    } catch (why) {
      if (!(why instanceof RangeError)) throw why;
      this.say(`error option # ${name} ${why.message}`);
    }
  }

  // Chooses a move and sends it.
  answer(keys) {
    const move = this.choose(this.game.view);
    if (!(move instanceof Move) && typeof move !== "string")
      throw new TypeError(`choose() returned ${move}, which is no move`);
    const turn = "turn" in keys ? ` turn=${keys.turn}` : "";
    this.say(`move ${move}${turn}`);
  }

  // Completes the view for a decision; says whether one is possible.
  updateView(keys) {
    const { view } = this.game;
    if (this.state) {
      view.readState(this.state);
      if (!this.game.rulesKnown) view.rules = this.rulesOfState();
    }
    view.legal = this.legal.length ? this.legal : this.ownMoves();
    if (!view.legal.length) return false;
    const number = (key) => (key in keys ? Number(keys[key]) : null);
    view.timeMs = number("time");
    view.incMs = number("inc");
    view.moveMs = number("move");
    view.options = this.options;
    view.send = (line) => this.say(line);
    return true;
  }

  // Returns what a `state` line without a `rules` line says of the rules.
  rulesOfState() {
    const { rules, target, teams } = this.state;
    const [preset, ...overrides] = rules.split(",");
    return {
      preset,
      target: Number(target),
      players: teams.length,
      teams,
      ...typedRules(parsePairs(overrides)),
    };
  }

  // Returns the legal moves where the arena does not send them.
  ownMoves() {
    try {
      if (!this.game.view.hand.length)
        throw new UnknownRule("go without a deal or a state line");
      if (!this.game.rulesKnown)
        throw new UnknownRule("neither a rules nor a legal line has come");
      return legalMoves(this.game.view);
    } catch (why) {
      if (!(why instanceof UnknownRule)) throw why;
      this.say(`error feature # ${why.message}`);
      this.say("error fatal # no move can be chosen");
      return [];
    }
  }
}

// Plays until the arena says `quit`; choose(view) returns the moves.
//
// An exception in choose() ends the program with status 1, and the arena shows
// the stack.  What choose() prints with console.log() goes to standard error.
function run(choose, { name, version = "", author = "", options = [] }) {
  console.log = console.error;
  runSession(
    new Session(choose, { name, version, author }, options, (text) =>
      process.stdout.write(text),
    ),
  );
}

function runSession(session) {
  const input = readline.createInterface({ input: process.stdin });
  input.on("line", (line) => {
    if (!session.hearLine(line)) process.exit(0);
  });
  input.on("close", () => process.exit(0));
}

module.exports = {
  CARDS,
  Card,
  MATTA,
  Move,
  PACK,
  RANKS,
  SUITS,
  Session,
  UnknownRule,
  View,
  legalMoves,
  parseCards,
  parseMove,
  parsePairs,
  run,
  runSession,
  typedRules,
};
