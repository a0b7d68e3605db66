// The replay viewer: games of records, shown at a table.
//
// A game is the text of its record and a document with a position before each
// decision (game_view.h).  What a step shows comes from these two alone; no rule
// of the game is known here.  A step is a decision: the table as the seat to
// move has it, with its move marked; the last one of a deal is its end.
"use strict";

(() => {
  const HASH = /^#(.+)\.d(\d+)\.(?:p(\d+)([a-z]?)|end)$/;
  const SPEEDS = [
    [2400, "slow"],
    [1200, "normal"],
    [500, "fast"],
    [150, "very fast"],
  ];

  // Signs of buttons, within 16 by 16 units.
  const SIGNS = {
    first: "M2 3h2v10H2zM12 2l1.5 1.5L9 8l4.5 4.5L12 14 6 8z",
    back: "M9 2l1.5 1.5L6 8l4.5 4.5L9 14 3 8z",
    play: "M4 2.5v11l9-5.5z",
    pause: "M4 3h3v10H4zM9 3h3v10H9z",
    forward: "M7 2L5.5 3.5 10 8l-4.5 4.5L7 14l6-6z",
    last: "M12 3h2v10h-2zM4 2L2.5 3.5 7 8l-4.5 4.5L4 14l6-6z",
  };

  // Text of a bot with what would steer a page or a terminal made visible.
  const STEERING =
    /[\0-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
  const plain = (text) =>
    text.replace(STEERING, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

  const decode = (value) => {
    try {
      return plain(decodeURIComponent(value));
    } catch {
      return plain(value);
    }
  };

  // An element with properties and children; `data` and `aria` are attributes.
  const make = (name, properties = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made && key !== "role") made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  };

  // A line of a record: verb, words, pairs and comment.
  const parseLine = (line) => {
    const parsed = { verb: "", words: [], pairs: {}, comment: "" };
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    for (let i = 0; i < words.length; i++) {
      const equals = words[i].indexOf("=");
      if (words[i][0] === "#") {
        parsed.comment = plain(words.slice(i).join(" ").slice(1).trim());
        break;
      }
      if (i === 0) parsed.verb = words[0];
      else if (equals <= 0) parsed.words.push(words[i]);
      else parsed.pairs[words[i].slice(0, equals)] = decode(words[i].slice(equals + 1));
    }
    return parsed;
  };

  // Applies the words that have changed to the values that a line had.
  const applyChanges = (before, changes) => {
    const values = new Map(before);
    for (const word of (changes || "").split(" ")) {
      const equals = word.indexOf("=");
      const key = word.slice(0, equals);
      const value = word.slice(equals + 1);
      if (equals < 0) continue;
      if (key.endsWith("+")) values.set(key.slice(0, -1), values.get(key.slice(0, -1)) + value);
      else values.set(key, value);
    }
    return values;
  };

  // `A:6C6D,B:-` as { A: "6C6D", B: "-" }.
  const list = (value) =>
    Object.fromEntries(
      (value || "-")
        .split(",")
        .filter((item) => item.includes(":"))
        .map((item) => item.split(":")),
    );

  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // A move of the protocol: the card, what it takes, or what is declared.
  const parseMove = (move) => {
    if (!/^..(x|$)/.test(move) || move[0] === "!") return { card: null, taken: [], declared: move };
    return { card: move.slice(0, 2), taken: cards.list(move.slice(3)), declared: null };
  };

  const nameCards = (codes) => codes.map((code) => cards.name(code)).join(", ");

  const moveWords = (move) => {
    const { card, taken, declared } = parseMove(move);
    if (declared !== null) {
      const [kind, rank] = declared.replace("!", "").split(":");
      const what = kind === "low" ? "a low hand" : "three of a kind";
      return `declares ${what}${rank ? `, the 7 of cups as ${rank}` : ""}`;
    }
    if (taken.length === 0) return `plays the ${cards.name(card)}`;
    return `plays the ${cards.name(card)} and takes ${nameCards(taken)}`;
  };

  // What a line between two decisions says, or null.
  const noteOf = (game, { verb, words, pairs }) => {
    const seat = words[0];
    const who = game.seatName(seat);
    const named = () => nameCards(cards.list(words[1]));
    switch (verb) {
      case "redeal":
        return `The cards are dealt again (${pairs.reason}).`;
      case "sweep":
        return `${who} takes ${named()} from the opening table (${pairs.reason}).`;
      case "declare":
        return `${who} ${moveWords("!" + words[1])}: ${plural(+pairs.points, "point")}.`;
      case "show":
        return `${who} shows ${named()}.`;
      case "give":
        return null;
      case "rest":
        return `${who} gets the rest of the table: ${named()}.`;
      case "void":
        return pairs.by
          ? `The clock of ${who} was restarted: the bot of seat ${pairs.by} computed.`
          : `The clock of ${who} was restarted: the arena was late by ${pairs.lag} s.`;
      case "ponder":
        return `${who} computed ${pairs.cpu} s while it was not to move.`;
      case "abort":
        return `The ${words[0]} ends here (${pairs.reason}).`;
      case "endmatch":
        return pairs.winner && pairs.winner !== "-"
          ? `Team ${pairs.winner} wins the match ${pairs.scores} (${pairs.reason}).`
          : `The match ends ${pairs.scores} without a winner (${pairs.reason}).`;
      default:
        return null;
    }
  };

  const offenceWords = (game, { words, pairs }, everything) => {
    const what = [pairs.kind, pairs.reason].filter((word) => word && word !== "-").join(", ");
    const said = everything && pairs.said ? ` It said: ${pairs.said}` : "";
    const then =
      pairs.policy === "substitute" ? "The arena moves in its place." : "This loses the game.";
    return `${game.seatName(words[0])} commits an offence: ${what}. ${then}${said}`;
  };

  class Game {
    // From a document of game_view.h; the record may stand in the page.
    constructor(data, record) {
      this.match = data.match;
      this.record = record;
      this.exact = data.exact;
      this.fault = data.fault || null;
      this.lines = record.split("\n").map(parseLine);
      this.seats = [];
      this.teams = [];
      this.end = "";
      for (const line of this.lines) {
        if (line.verb === "match" && !this.head) this.head = line.pairs;
        if (line.verb === "seat") {
          this.seats.push({
            number: line.words[0],
            team: line.pairs.team,
            name: line.pairs.name || `seat ${line.words[0]}`,
            seesAll: line.pairs.sees === "all",
          });
        }
        if (line.verb === "endmatch") this.end = line.pairs.scores || "";
      }
      this.head = this.head || {};
      this.teams = [...new Set(this.seats.map((seat) => seat.team))].sort();
      this.deals = data.deals.map((deal) => this.expand(deal));
    }

    seat(number) {
      return this.seats.find((seat) => seat.number === String(number));
    }

    seatName(number) {
      const seat = this.seat(number);
      return seat ? `Seat ${seat.number} (${seat.name})` : `Seat ${number}`;
    }

    teamNames(team) {
      return this.seats
        .filter((seat) => seat.team === team)
        .map((seat) => seat.name)
        .join(" + ");
    }

    title() {
      const names = this.teams.map((team) => this.teamNames(team));
      return `${this.match}: ${names.join(" - ")} ${this.end}`;
    }

    // The steps of a deal, each with its whole position and what happened before.
    expand(deal) {
      const number = String(deal.number);
      const first = this.lines.findIndex(
        ({ verb, words }) => verb === "deal" && words[0] === number,
      );
      let line = first < 0 ? 0 : first;
      let state = new Map();
      let hands = new Map();
      let scores = [];
      const steps = deal.steps.map((given, index) => {
        state = applyChanges(state, given.state);
        hands = applyChanges(hands, given.hands);
        scores = given.score.map((changes, team) => applyChanges(scores[team] || [], changes));
        const step = { ...given, state, hands, scores, notes: [], info: [], event: null };
        const end = given.line ? given.line - 1 : this.endOf(line);
        for (; line < end; line++) {
          const note = noteOf(this, this.lines[line]);
          if (note) step.notes.push(note);
        }
        if (given.line) {
          step.event = this.lines[line++];
          while (line < this.lines.length && this.lines[line].verb === "info")
            step.info.push(this.lines[line++]);
        }
        step.index = index;
        return step;
      });
      this.labelSteps(steps);
      const dealer = first < 0 ? null : this.lines[first].pairs.dealer;
      return { number: deal.number, steps, dealer };
    }

    // Behind the last line of the deal that this line is in.
    endOf(line) {
      const isNext = ({ verb }, at) => at >= line && ["pack", "deal", "sum"].includes(verb);
      const end = this.lines.findIndex(isNext);
      return end < 0 ? this.lines.length : end;
    }

    // Names for links: p14, of several with the same number p14a, p14b, ..., p14.
    labelSteps(steps) {
      for (const step of steps) {
        const same = steps.filter(({ play }) => play === step.play);
        const at = same.indexOf(step);
        const letter = at < same.length - 1 ? "abcdefgh"[at] : "";
        step.label = step.play ? `p${step.play}${letter}` : "end";
      }
    }
  }

  const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  class Viewer {
    constructor(container, games) {
      this.games = games; // functions that make a Game, with `match` and `title`
      this.made = new Map();
      this.shown = 0; // seat whose view is shown; 0: all cards
      this.timer = null;
      this.nodes = new Map(); // cards that are drawn, by code
      this.build(container);
    }

    game() {
      if (!this.made.has(this.gameIndex))
        this.made.set(this.gameIndex, this.games[this.gameIndex].open());
      return this.made.get(this.gameIndex);
    }

    deal() {
      return this.game().deals[this.dealIndex];
    }

    step() {
      const deal = this.deal();
      return deal ? deal.steps[this.stepIndex] : null;
    }

    // A button with a sign, or else with its title as text.
    button(name, title, act) {
      const button = make("button", { type: "button" });
      button.dataset.act = name;
      this.label(button, name, title);
      button.addEventListener("click", act);
      return button;
    }

    label(button, name, title) {
      const svg = "http://www.w3.org/2000/svg";
      const sign = document.createElementNS(svg, "svg");
      const path = document.createElementNS(svg, "path");
      if (!SIGNS[name]) {
        button.textContent = title;
        return;
      }
      sign.setAttribute("viewBox", "0 0 16 16");
      sign.setAttribute("aria-hidden", "true");
      path.setAttribute("d", SIGNS[name]);
      sign.append(path);
      button.replaceChildren(sign);
      button.title = title;
      button.setAttribute("aria-label", title);
    }

    select(label, options, change, name) {
      const select = make("select", { name });
      for (const [value, text] of options) select.append(make("option", { value }, text));
      select.addEventListener("change", () => change(select.value));
      return [make("label", {}, make("span", {}, label), select), select];
    }

    build(container) {
      const controls = make("div", { className: "replay-controls", role: "group" });
      const choices = make("div", { className: "replay-choices" });
      const choose = (label, name, options, change) => {
        const [field, select] = this.select(label, options, change, name);
        choices.append(field);
        return select;
      };

      controls.setAttribute("aria-label", "Steps of the replay");
      this.gameSelect = choose(
        "Game",
        "game",
        this.games.map((game, index) => [index, game.title]),
        (value) => this.show(+value, 0, 0),
      );
      this.dealSelect = choose("Deal", "deal", [], (value) => this.show(this.gameIndex, +value, 0));
      this.viewSelect = choose("View", "view", [], (value) => {
        this.shown = +value;
        this.render(false);
      });
      const suits = choose("Suits", "suits", cards.choices, (value) => {
        cards.choose(value);
        this.nodes.clear();
        this.render(false);
      });
      suits.value = cards.suits;
      this.speedSelect = choose("Speed", "speed", SPEEDS, () => this.play(this.timer !== null));
      this.speedSelect.value = "1200";
      this.playButton = this.button("play", "Play", () => this.play(this.timer === null));
      this.copyButton = this.button("copy", "Copy the state line", () => this.copy());
      this.saveButton = this.button("save", "Download the record", () => this.save());
      controls.append(
        this.button("first", "First step", () => this.move(-Infinity)),
        this.button("back", "Step back", () => this.move(-1)),
        this.playButton,
        this.button("forward", "Step forward", () => this.move(1)),
        this.button("last", "Last step", () => this.move(Infinity)),
        this.copyButton,
        this.saveButton,
      );
      this.said = make("span", { className: "replay-said", role: "status" });
      controls.append(this.said);
      this.live = make("p", { className: "replay-live" });
      this.live.setAttribute("aria-live", "polite");
      this.table = make("div", { className: "replay-table" });
      this.points = make("div", { className: "replay-points wide", tabIndex: 0, role: "region" });
      this.points.setAttribute("aria-label", "Points so far");
      this.thoughts = make("div", { className: "replay-thoughts" });
      this.plays = make("ol", { className: "replay-plays", tabIndex: 0 });
      this.plays.setAttribute("aria-label", "Plays of the deal");
      this.plays.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button) this.move(+button.value - this.stepIndex);
      });
      const keys = make(
        "p",
        { className: "note" },
        "Keys: left and right arrow step, Home and End go to the ends of the deal, " +
          "Page up and Page down to another deal, space plays.",
      );
      this.root = make(
        "div",
        { className: "replay", role: "region" },
        choices,
        make(
          "div",
          { className: "replay-main" },
          make("div", { className: "replay-board" }, this.table, this.live, controls, keys),
          make("div", { className: "replay-side" }, this.points, this.thoughts, this.plays),
        ),
      );
      this.root.setAttribute("aria-label", "Replay of games");
      this.root.addEventListener("keydown", (event) => this.onKey(event));
      container.replaceChildren(this.root);
    }

    onKey(event) {
      const field = /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName);
      const keys = {
        ArrowLeft: () => this.move(-1),
        ArrowRight: () => this.move(1),
        Home: () => this.move(-Infinity),
        End: () => this.move(Infinity),
        PageUp: () => this.show(this.gameIndex, Math.max(0, this.dealIndex - 1), 0),
        PageDown: () =>
          this.show(this.gameIndex, Math.min(this.game().deals.length - 1, this.dealIndex + 1), 0),
        " ": () => this.play(this.timer === null),
      };
      const onButton = event.key === " " && event.target.tagName === "BUTTON";
      if (field || onButton || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key])
        return;
      event.preventDefault();
      keys[event.key]();
    }

    // Shows a step, and makes it the address of the page.
    show(game, deal, step, quiet = false) {
      const moved = game === this.gameIndex && deal === this.dealIndex;
      const before = moved ? this.stepIndex : null;

      this.gameIndex = game;
      this.dealIndex = Math.max(0, deal);
      this.stepIndex = Math.max(0, step);
      if (!moved) this.fill();
      this.render(before !== null && Math.abs(step - before) === 1);
      if (!quiet && this.step())
        try {
          history.replaceState(null, "", this.address(this.step()));
        } catch {
          // Some browsers keep the address of a file as it is.
        }
    }

    address(step) {
      return `#${this.game().match}.d${this.deal().number}.${step.label}`;
    }

    // Follows a deep link.  Returns false if it leads to no step.
    follow(hash) {
      let address = hash;
      try {
        address = decodeURIComponent(hash);
      } catch {
        // It is taken as it is.
      }
      const found = HASH.exec(address);
      const game = found ? this.games.findIndex(({ match }) => match === found[1]) : -1;
      if (game < 0) return false;
      this.gameIndex = game;
      const deal = this.game().deals.findIndex(({ number }) => number === +found[2]);
      this.gameIndex = undefined;
      const label = found[3] ? `p${found[3]}${found[4]}` : "end";
      const steps = deal < 0 ? [] : this.made.get(game).deals[deal].steps;
      const step = steps.findIndex((one) => one.label === label);
      this.play(false);
      this.show(game, deal, step, true);
      this.root.scrollIntoView({ block: "start" });
      return true;
    }

    move(by) {
      const deal = this.deal();
      const last = deal ? deal.steps.length - 1 : 0;
      const wanted = this.stepIndex + by;

      if (wanted < 0 && by === -1 && this.dealIndex > 0) {
        const before = this.dealIndex - 1;
        this.show(this.gameIndex, before, this.game().deals[before].steps.length - 1);
      } else if (wanted > last && by === 1) {
        if (this.dealIndex + 1 < this.game().deals.length)
          this.show(this.gameIndex, this.dealIndex + 1, 0);
        else this.play(false);
      } else {
        this.show(this.gameIndex, this.dealIndex, Math.min(last, Math.max(0, wanted)));
      }
    }

    // Begins or ends to step by itself.
    play(on) {
      clearInterval(this.timer);
      this.timer = on ? setInterval(() => this.move(1), +this.speedSelect.value) : null;
      if (on) this.label(this.playButton, "pause", "Pause");
      else this.label(this.playButton, "play", "Play");
    }

    // What changes with the game or the deal: choices and the list of plays.
    fill() {
      const game = this.game();
      const deal = this.deal();
      const options = (select, rows, value) => {
        select.replaceChildren(...rows.map(([key, text]) => make("option", { value: key }, text)));
        select.value = String(value);
      };

      if (this.shown > game.seats.length) this.shown = 0;
      this.gameSelect.value = String(this.gameIndex);
      options(
        this.dealSelect,
        game.deals.map(({ number }, index) => [index, `${number} of ${game.deals.length}`]),
        this.dealIndex,
      );
      options(
        this.viewSelect,
        [
          ["0", "all cards"],
          ...game.seats.map(({ number, name }) => [number, `as seat ${number} sees it (${name})`]),
        ],
        this.shown,
      );
      this.plays.replaceChildren(
        ...(deal ? deal.steps : []).map((step) => {
          const button = make("button", { type: "button", value: step.index });
          button.append(
            make("span", { className: "replay-number" }, step.play ? String(step.play) : ""),
            make("span", {}, step.event ? `${step.event.words[0]} ${this.seatShort(step)}` : ""),
            make("span", { className: "replay-move" }),
            make("span", { className: "replay-mark" }),
          );
          return make("li", {}, button);
        }),
      );
    }

    // The moves of the list; as a seat sees the deal, none that are still to come.
    fillMoves() {
      const { steps } = this.deal();
      for (const button of this.plays.querySelectorAll("button")) {
        const step = steps[+button.value];
        const [move, mark] = [...button.children].slice(2);
        const known = !this.shown || step.index <= this.stepIndex;
        const own = step.event && (!this.shown || step.event.words[0] === String(this.shown));
        if (!step.event) move.textContent = "end of the deal";
        else move.textContent = known ? this.moveText(step.event) : "...";
        mark.textContent = known && own && step.loss ? step.loss.mark : "";
      }
    }

    moveText({ verb, words, pairs }) {
      if (verb === "offence") return "offence";
      return (verb === "declare" ? "!" : "") + words[1] + (pairs.scopa === "1" ? " scopa" : "");
    }

    seatShort(step) {
      const seat = this.game().seat(step.event.words[0]);
      return seat ? seat.name : "";
    }

    // Whether the chosen view sees this seat's hand.
    sees(seat) {
      const viewer = this.shown && this.game().seat(this.shown);
      return !viewer || viewer.seesAll || seat.number === viewer.number;
    }

    // A card that may be marked; cards that lie open are kept, so that they can move.
    card(code, open, mark) {
      let node = open ? this.nodes.get(code) : null;
      if (!node) {
        node = make("span", { className: "replay-card" }, cards.draw(code, { face: open }));
        if (open) {
          node.dataset.code = code;
          this.nodes.set(code, node);
        }
      }
      node.className = `replay-card ${mark || ""}`;
      return node;
    }

    hand(seat, step, move) {
      const codes = cards.list(step.hands.get(seat.number));
      const shown = cards.list(list(step.state.get("shown"))[seat.number]);
      const turn = step.state.get("turn") === seat.number;
      const open = this.sees(seat);
      const row = make("div", { className: "replay-cards replay-row", role: "group" });

      row.setAttribute("aria-label", `Hand of seat ${seat.number}, ${seat.name}`);
      for (const code of codes) {
        const played = turn && move && move.card === code;
        row.append(
          this.card(code, open || shown.includes(code) || played, played ? "replay-played" : ""),
        );
      }
      const tags = [
        this.deal().dealer === seat.number ? "dealer" : "",
        turn ? "to move" : "",
        shown.length > 0 ? "hand shown" : "",
      ].filter((tag) => tag);
      return make(
        "div",
        { className: `replay-seat ${turn ? "replay-turn" : ""}` },
        make(
          "p",
          { className: "replay-name" },
          make("b", {}, `${seat.number} ${seat.name}`),
          ` team ${seat.team}${tags.length ? ", " + tags.join(", ") : ""}`,
        ),
        row,
      );
    }

    // The table: the other seats above, the own one (or the first) below.
    renderTable(step, move) {
      const game = this.game();
      const below = game.seat(this.shown || 1);
      const middle = make("div", { className: "replay-cards", role: "group" });
      const others = make("div", { className: "replay-others" });
      const at = game.seats.indexOf(below);

      middle.setAttribute("aria-label", "Table");
      for (const code of cards.list(step.state.get("table")))
        middle.append(
          this.card(code, true, move && move.taken.includes(code) ? "replay-taken" : ""),
        );
      for (let i = 1; i < game.seats.length; i++)
        others.append(this.hand(game.seats[(at + i) % game.seats.length], step, move));
      this.table.replaceChildren(
        others,
        make(
          "div",
          { className: "replay-middle" },
          make(
            "p",
            { className: "replay-name" },
            `table, ${plural(+step.state.get("deck"), "card")} not yet dealt`,
          ),
          middle,
        ),
        this.hand(below, step, move),
        ...game.teams.map((team) => this.pile(team, step)),
      );
    }

    pile(team, step) {
      const codes = cards.list(list(step.state.get("pile"))[team]);
      const row = make("div", { className: "replay-cards replay-row", role: "group" });
      const label = `Pile of ${team}`;

      row.setAttribute("aria-label", label);
      row.append(...codes.map((code) => this.card(code, true, "")));
      return make(
        "div",
        { className: "replay-pile" },
        make("p", { className: "replay-name" }, `${label}: ${plural(codes.length, "card")}`),
        row,
      );
    }

    // Points of the deal so far, and of the match.
    renderPoints(step) {
      const game = this.game();
      const alone = game.teams.length === game.seats.length;
      const before = list(step.state.get("scores"));
      const head = make("tr", {}, make("th", { scope: "col" }, "Points so far"));
      const body = make("tbody");
      const row = (label, cells) => {
        const made = make("tr", {}, make("th", { scope: "row" }, label));
        for (const cell of cells) made.append(make("td", { className: "number" }, cell));
        body.append(made);
      };
      const items = [...(step.scores[0] || new Map()).keys()].filter(
        (key) => key !== "points" && key !== "total",
      );

      for (const team of game.teams) {
        const label = alone ? `${team} ${game.teamNames(team)}` : team;
        head.append(make("th", { scope: "col", className: "number" }, label));
      }
      row(
        "match before",
        game.teams.map((team) => before[team] || "0"),
      );
      for (const item of items)
        row(
          item,
          step.scores.map((score) => {
            const [quantity, points] = (score.get(item) || "0:0").split(":");
            return points === "0" ? quantity : `${quantity} (${+points > 0 ? "+" : ""}${points})`;
          }),
        );
      row(
        step.play ? "deal, if it ended here" : "deal",
        step.scores.map((score) => score.get("points")),
      );
      this.points.replaceChildren(make("table", {}, make("thead", {}, head), body));
    }

    // The bot's own values, and what `analyse` says.
    renderThoughts(step) {
      const rows = [];
      const seat = step.event && this.game().seat(step.event.words[0]);
      const open = !this.shown || (seat && seat.number === String(this.shown));
      const pairs = {};

      for (const line of step.info) {
        Object.assign(pairs, line.pairs);
        if (line.comment) rows.push(["bot's comment", line.comment]);
      }
      if (step.event && step.event.pairs.t) rows.push(["time", `${step.event.pairs.t} s`]);
      if (step.legal) rows.push(["legal moves", String(step.legal)]);
      for (const [key, value] of Object.entries(pairs)) rows.push([`bot's ${key}`, value]);
      if (step.loss) {
        const { value, loss, mark, best } = step.loss;
        rows.push(["value of the best move", value.toFixed(2)]);
        const better = `${loss.toFixed(2)} ${mark}; better: ${best}`;
        rows.push(["loss of this one", loss > 0 ? better : "0"]);
        if (step.loss.exact_best !== undefined && !this.shown)
          rows.push([
            "with all cards known",
            step.loss.exact_loss > 0
              ? `loss ${step.loss.exact_loss}; better: ${step.loss.exact_best}`
              : "no loss",
          ]);
      }
      if (!open) {
        this.thoughts.replaceChildren(
          make(
            "p",
            { className: "note" },
            `Seat ${this.shown} is not sent how long others think, ` +
              "nor what they say of their moves.",
          ),
        );
        return;
      }
      this.thoughts.replaceChildren(
        make(
          "dl",
          {},
          ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
        ),
      );
    }

    sentence(step) {
      const { event } = step;
      const seat = event && event.words[0];
      const open = !this.shown || seat === String(this.shown);
      const notes = step.notes.join(" ");
      if (!event) return `End of deal ${this.deal().number}. ${notes}`;
      if (event.verb === "offence") return `${notes} ${offenceWords(this.game(), event, open)}`;
      const who = this.game().seatName(seat);
      const what = moveWords((event.verb === "declare" ? "!" : "") + event.words[1]);
      const sweep = event.pairs.scopa === "1" ? " Scopa!" : "";
      const by = event.pairs.by === "arena" ? ` (the arena, after ${event.pairs.cause})` : "";
      return `${notes} ${step.play}. ${who} ${what}${by}.${sweep}`;
    }

    // Where the cards that lie open are, to let them move from there.
    places() {
      const places = new Map();
      for (const [code, node] of this.nodes)
        if (node.isConnected) places.set(code, node.getBoundingClientRect());
      return places;
    }

    animate(places) {
      for (const [code, from] of places) {
        const node = this.nodes.get(code);
        if (!node || !node.isConnected) continue;
        const to = node.getBoundingClientRect();
        const [x, y] = [from.left - to.left, from.top - to.top];
        if (x || y)
          node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
            duration: 180,
            easing: "ease-out",
          });
      }
    }

    render(near) {
      const game = this.game();
      const step = this.step();
      const places = near && !reduced() ? this.places() : null;

      this.said.textContent = "";
      this.saveButton.disabled = !game.exact;
      this.copyButton.disabled = !this.canCopy(step);
      if (!step) {
        const offences = game.lines
          .filter(({ verb }) => verb === "offence")
          .map((line) => offenceWords(game, line, true));
        this.table.replaceChildren();
        this.points.replaceChildren();
        this.thoughts.replaceChildren();
        this.live.textContent = ["No card was played in this game.", ...offences].join(" ");
      } else {
        const { event } = step;
        const moves = event && event.verb !== "offence" && event.verb !== "declare";
        const move = moves ? parseMove(event.words[1]) : null;
        this.renderTable(step, move);
        this.renderPoints(step);
        this.renderThoughts(step);
        this.live.textContent = this.sentence(step).trim();
        if (places) this.animate(places);
        this.fillMoves();
        this.markPlay();
      }
      if (game.fault) {
        const { line, text } = game.fault;
        this.live.textContent += ` The record is wrong in line ${line}: ${plain(text)}`;
      }
    }

    markPlay() {
      for (const button of this.plays.querySelectorAll("button")) {
        const current = +button.value === this.stepIndex;
        if (current) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
        if (!current) continue;
        const top = button.parentNode.offsetTop;
        const { scrollTop, clientHeight } = this.plays;
        if (top < scrollTop || top + button.offsetHeight > scrollTop + clientHeight)
          this.plays.scrollTop = top - clientHeight / 2;
      }
    }

    // A `state` line is sent to the seat that is to move, and to no other.
    canCopy(step) {
      return Boolean(
        step && step.play && (!this.shown || step.state.get("turn") === String(this.shown)),
      );
    }

    stateLine() {
      return "state " + [...this.step().state].map(([key, value]) => `${key}=${value}`).join(" ");
    }

    async copy() {
      const text = this.stateLine();
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // A page from a file may not use the clipboard that way.
        const area = make("textarea", { value: text, className: "replay-copy" });
        area.setAttribute("aria-label", "state line");
        this.root.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
        this.copyButton.focus();
      }
      this.said.textContent = "copied";
    }

    save() {
      const game = this.game();
      const url = URL.createObjectURL(new Blob([game.record], { type: "text/plain" }));
      const link = make("a", { href: url, download: `${game.match}.scopa` });
      this.root.append(link);
      link.click();
      link.remove();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    }
  }

  // The games of a page are opened when they are looked at.
  const start = () => {
    const sections = [...document.querySelectorAll("section.game")];
    if (sections.length === 0) return;
    const container = document.getElementById("replay") || make("div", { id: "replay" });
    if (!container.isConnected) sections[0].before(container);
    const viewer = new Viewer(
      container,
      sections.map((section) => ({
        match: section.id,
        title: section.querySelector(".game-title").textContent,
        open: () =>
          new Game(
            JSON.parse(section.querySelector("script").textContent),
            section.querySelector("pre.record").textContent,
          ),
      })),
    );
    for (const section of sections) {
      const link = make("a", { href: `#${section.id}.d1.p1` }, "Replay");
      link.addEventListener("click", (event) => {
        event.preventDefault();
        viewer.show(viewer.games.findIndex(({ match }) => match === section.id), 0, 0);
        viewer.root.scrollIntoView({ block: "start" });
      });
      link.setAttribute("aria-label", `Replay ${section.id}`);
      section.prepend(link);
    }
    viewer.show(0, 0, 0, true);
    viewer.follow(location.hash);
    addEventListener("hashchange", () => viewer.follow(location.hash));
  };

  start();
})();
