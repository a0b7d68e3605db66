#!/usr/bin/env node
// Tests of the bot and of its protocol side: node --test
//
// The last tests follow real games of every rule set, and play some.  They need
// the arena, which they look for in the environment variable SCOPA_ARENA, then
// in PATH.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync, spawnSync } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const nodeTest = require("node:test");

const { choose, options } = require("./bot.js");
const {
  Session,
  View,
  legalMoves,
  parseCards,
  parseMove,
  parsePairs,
  runSession,
  typedRules,
} = require("./scopa_bot.js");

// In the games of the last test this file is also the bots: then its argument is
// the name of a session, and no test runs.
const [, , sessionName] = process.argv;
const test = sessionName ? () => {} : nodeTest;

// A deal for seat 1 without any `state` or `legal` line.
const MATCH = `
match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 tc=none seed=5
rules players=2 teams=AB hand=3 capture=sum priority=single ace=plain
seat 1 team=A name=me
seat 2 team=B name=you
`;
const DEAL = `
deal 1 dealer=2 first=1 scores=A:0,B:0
table 4B5S7DQD
give 1 AD3SJD
give 2 ??????
`;
const STATE =
  "state rules=scopa seats=2 teams=AB target=11 you=1 hand=3SJD " +
  "deal=1 dealer=2 turn=1 table=AD2B4B5S7DQD hands=1:2,2:2 deck=30 " +
  "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- " +
  "plays=1:AD/2:2B\n";

const OPTIONS = [
  { name: "depth", type: "int", default: 4, min: 1, max: 9 },
  { name: "bold", type: "bool", default: true },
  { name: "style", type: "enum", default: "calm", values: ["calm", "wild"] },
  { name: "book", type: "string", default: "a b" },
  { name: "forget", type: "button" },
];

// Returns what a bot answers to these lines, and the last view.
function talk(text, choice = (view) => view.legal[0]) {
  let output = "";
  let last = null;
  const session = new Session(
    (view) => {
      last = view;
      return choice(view);
    },
    { name: "my bot", version: "", author: "A%" },
    OPTIONS,
    (words) => {
      output += words;
    },
  );
  text.split("\n").every((line) => session.hearLine(line));
  return { said: output.split("\n").slice(0, -1), view: last };
}

const texts = (moves) => moves.map(String).join(" ");

test("the greeting", () => {
  const { said } = talk("usp 1 arena=x/1\nisready\nquit\nisready\n");
  assert.deepEqual(said, [
    "id name=my%20bot author=A%25",
    "option name=depth type=int default=4 min=1 max=9",
    "option name=bold type=bool default=true",
    "option name=style type=enum default=calm values=calm|wild",
    "option name=book type=string default=a%20b",
    "option name=forget type=button",
    "feature position=1",
    "uspok 1",
    "readyok",
  ]);
});

test("options are typed", () => {
  const { said, view } = talk(
    "setoption depth=9\nsetoption bold=false\n" +
      "setoption style=wild\nsetoption book=%23x%20y\n" +
      "setoption forget=-\n" +
      MATCH +
      DEAL +
      "go turn=1\n",
  );
  assert.deepEqual(said, ["move AD turn=1"]);
  assert.deepEqual(view.options, {
    depth: 9,
    bold: false,
    style: "wild",
    book: "#x y",
    forget: true,
  });
});

test("options are refused", () => {
  for (const setting of [
    "depth=0",
    "depth=10",
    "depth=x",
    "depth=",
    "bold=1",
    "style=mild",
    "colour=red",
  ]) {
    const { said } = talk(`setoption ${setting}\nisready\n`);
    assert.match(said[0], /^error option # /);
    assert.deepEqual(said.slice(1), ["readyok"]);
  }
});

test("lines are read liberally", () => {
  const { said } = talk("\r\n  isready \t# usp 1\r\n# quit\nponder 3\nisready");
  assert.deepEqual(said, [
    "readyok",
    'error unknown # no verb "ponder"',
    "readyok",
  ]);
});

test("unknown verbs are reported some times only", () => {
  assert.ok(talk("x-a\n".repeat(1000)).said.length < 64);
});

test("events alone", () => {
  const { said, view } = talk(
    MATCH +
      DEAL +
      "go turn=a move=10000 x-new=1\nplay 1 AD\nplay 2 2B\n" +
      "go turn=b time=9 inc=1\n",
  );
  assert.deepEqual(said, ["move AD turn=a", "move 3SxAD2B turn=b"]);
  assert.equal(texts(view.legal), "3SxAD2B JDxAD2B5S JDxAD7D");
  assert.deepEqual([view.timeMs, view.incMs, view.moveMs], [9, 1, null]);
  assert.deepEqual([view.seats, view.team], [2, "A"]);
  assert.equal(view.rules.capture, "sum");
  assert.equal(view.hidden().length, 40 - 2 - 6);
  assert.deepEqual(view.plays, [
    [1, parseMove("AD")],
    [2, parseMove("2B")],
  ]);
});

test("a position without a match", () => {
  let { said, view } = talk(STATE + "legal JDxAD7D\ngo turn=a\n");
  assert.deepEqual(said, ["move JDxAD7D turn=a"]);
  assert.equal(view.rules.preset, "scopa");
  ({ said, view } = talk(MATCH.split("\n")[2] + "\n" + STATE + "go turn=a\n"));
  assert.deepEqual(said, ["move 3SxAD2B turn=a"]);
});

test("the list of the arena goes before the own", () => {
  const { said } = talk(
    MATCH + DEAL + "legal 3S ...\ngo turn=a\n" + "go turn=b\n",
  );
  assert.deepEqual(said, ["move 3S turn=a", "move AD turn=b"]);
  const { view } = talk(STATE + "legal 3S ... x-new=1\ngo turn=a\n");
  assert.deepEqual(view.legal.map(String), ["3S"]);
});

test("unknown rules need the list of the arena", () => {
  const match = MATCH.replace("=sum", "=odd") + DEAL;
  assert.deepEqual(talk(match + "legal 3S\ngo turn=a\n").said, [
    "move 3S turn=a",
  ]);
  const { said } = talk(match + "go turn=a\n");
  assert.equal(said[0], "error feature # rules capture=odd is unknown");
  assert.match(said[1], /^error fatal/);
});

test("a game that is aborted is forgotten", () => {
  const { said, view } = talk(
    MATCH +
      DEAL +
      "play 1 AD\nplay 2 2B\nabort deal reason=x\n" +
      DEAL +
      "go turn=a\nabort match reason=x\n" +
      "endmatch m1 scores=A:0,B:0 winner=- you=draw reason=abort\n" +
      "isready\n" +
      MATCH +
      DEAL +
      "redeal reason=kings\ntable 2S\n" +
      "go turn=b\n",
  );
  assert.deepEqual(said, ["move AD turn=a", "readyok", "move AD turn=b"]);
  assert.deepEqual(view.plays, []);
  assert.deepEqual(view.table, parseCards("2S"));
});

test("malformed lines are skipped", () => {
  for (const line of [
    "match m2",
    "play 1",
    "play 1 ZZ",
    "play 1 !low",
    "table ZZ",
    "state you=1\ngo turn=b",
    "legal ZZ",
  ]) {
    const { said } = talk(
      MATCH + DEAL + line + "\n" + MATCH + DEAL + "go turn=a\n",
    );
    assert.match(said[0], /^error syntax # /, line);
    assert.deepEqual(said.slice(1), ["move AD turn=a"], line);
  }
});

test("the end of the input ends the program", () => {
  const { status } = spawnSync(
    process.execPath,
    [
      "-e",
      "setInterval(() => {}, 9); " +
        "require('./scopa_bot.js').run(() => null, { name: 'x' });",
    ],
    { cwd: __dirname, input: "isready", timeout: 60000 },
  );
  assert.equal(status, 0);
});

test("info", () => {
  const { said } = talk(MATCH + DEAL + "go turn=a\n", (view) => {
    view.info({
      depth: 2,
      value: 0.5,
      worlds: 64,
      pv: view.legal.slice(0, 2),
      comment: "so\nso",
    });
    return view.legal[0];
  });
  assert.equal(said[0], "info depth=2 value=0.5 m.worlds=64 pv=AD,3S # so so");
});

test("an exception in choose() is not caught", () => {
  assert.throws(
    () =>
      talk(MATCH + DEAL + "go turn=a\n", () => {
        throw new RangeError("lost");
      }),
    /lost/,
  );
  const nothing = () => undefined;
  assert.throws(
    () => talk(MATCH + DEAL + "go turn=a\n", nothing),
    /returned undefined/,
  );
});

const ESCOBA = "capture=fifteen,priority=any";
const EQUAL = ",equal-fifteen=yes";
const CIRULLA =
  "capture=sum-or-fifteen,priority=any,ace=sweep-unless-ace," + "declare=ask";

function viewOf(rules, table, hand, more = {}) {
  return new View({
    seat: 1,
    teams: ["A", "B"],
    rules: typedRules(parsePairs(rules.split(","))),
    table: parseCards(table),
    hand: parseCards(hand),
    ...more,
  });
}

test("what a card may take", () => {
  for (const [rules, table, hand, moves] of [
    ["", "2C4S6S", "6D", "6Dx6S"],
    ["priority=fewest", "AD2C3C4S", "6D", "6Dx2C4S"],
    ["priority=any,max-captured=2", "AD2C3C", "6D", "6D"],
    [ESCOBA, "2D3C5S6B", "KC", "KCx2D3C KCx5S"],
    ["capture=fifteen", "2D3C5S6B", "KC", "KCx5S"],
    ["capture=fifteen", "4C5C6SKC", "5D", "5DxKC"],
    ["capture=fifteen" + EQUAL, "4C5C6SKC", "5D", "5Dx5C 5DxKC"],
    [ESCOBA + EQUAL, "4C5C6SKC", "5D", "5Dx4C6S 5Dx5C 5DxKC"],
    [ESCOBA + EQUAL, "2C3CKC", "5D", "5DxKC"],
    [
      CIRULLA + ",cirulla-equal=first",
      "2B3D4S5C6B",
      "5S",
      "5Sx2B3D5C 5Sx4S6B 5Sx5C",
    ],
    [CIRULLA + ",cirulla-equal=first", "AC4SKC", "AD", "ADxAC ADx4SKC"],
    [CIRULLA + ",priority=single", "2B3D4S5C6B", "5S", "5Sx5C"],
    [CIRULLA, "2B4S", "AD", "ADx2B4S"],
    ["ace=sweep", "AC7S", "AD", "ADxAC7S"],
    ["ace=sweep-traditional", "2C7S", "AD", "AD"],
  ])
    assert.equal(
      texts(legalMoves(viewOf(rules, table, hand))),
      moves,
      `${rules} ${table} ${hand}`,
    );
});

test("declarations", () => {
  for (const [hand, declarations] of [
    ["2B4C7C", "!low:A !low:2 !low:3"],
    ["7C7D7S", "!three"],
    ["4C4D7C", "!three:4"],
    ["KBKCKS", "!three"],
    ["2B3C4C", "!low"],
    ["2B3C5C", ""],
    ["2B7C", ""],
  ]) {
    const moves = legalMoves(viewOf(CIRULLA, "4S5D6DKD", hand));
    assert.equal(
      texts(moves.filter((move) => move.declaration)),
      declarations,
      hand,
    );
  }
  const shown = { 1: parseCards("2B3C4C") };
  const moves = legalMoves(viewOf(CIRULLA, "KD", "2B3C4C", { shown }));
  assert.equal(texts(moves), "2B 3C 4C");
});

test("a wild seven has its value", () => {
  const shown = { 1: parseCards("2B4C7C") };
  assert.equal(
    texts(
      legalMoves(viewOf(CIRULLA, "4S5D6DKD", "2B4C7C", { matta: 1, shown })),
    ),
    "2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD",
  );
  assert.equal(
    texts(
      legalMoves(
        viewOf(CIRULLA + ",matta=table", "4S5D6D7CKD", "3C7SQS", { matta: 3 }),
      ),
    ),
    "3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C",
  );
});

test("the choice of the bot", () => {
  for (const [table, hand, rules, move] of [
    ["4C7DQS", "4D7SKB", "", "7Sx7D"],
    ["4C", "4D7D", "", "4Dx4C"],
    ["KC", "7D4D4C", "", "4C"],
    ["KC", "7D4D4C", "aim=least", "7D"],
    ["4CKS", "2B3C4S", "declare=ask", "!low"],
  ]) {
    const view = viewOf(rules, table, hand, {
      handCounts: { 1: hand.length / 2, 2: hand.length / 2 },
      options: Object.fromEntries(
        options.map((option) => [option.name, option.default]),
      ),
    });
    view.legal = legalMoves(view);
    assert.equal(choose(view).text, move);
  }
});

// ---- Real games ------------------------------------------------------------

const LAYOUTS = ["AB", "ABC", "ABCD", "ABAB", "ABABAB", "ABCABC", "ABCDEF"];

// Values of rule parameters that no preset has.
const MORE_RULES = [
  "scopa,priority=any,max-captured=2,redeal=ace",
  "scopa-bga,ace-empty=take,ace=sweep",
  "escoba,priority=single,equal-fifteen=yes",
  "escoba,equal-fifteen=yes",
  "cirulla,matta=table",
  "cirulla,matta=plain",
  "cirulla,declare=auto",
  "cirulla,declare=auto,matta=table,players=6",
  "cirulla,priority=fewest",
  "cirulla,cirulla-equal=first,cirulla-ace=sweep,leftovers=dealer",
];

// Compares the view and the moves of the kit with those of the arena.
class CheckedSession extends Session {
  updateView(keys) {
    const { view } = this.game;
    const stated = new View(view);
    stated.readState(this.state);
    assert.deepEqual(view, stated);
    assert.equal(texts(legalMoves(view)), texts(this.legal));
    return super.updateView(keys);
  }
}

// Plays by the events alone.
class EventsSession extends Session {
  features = { state: 0, legal: 0 };
}

// Plays at random, so that many positions are compared.
function playAs(SessionClass) {
  const chooseAny = ({ legal, random }) =>
    legal[Math.floor(random() * legal.length)];
  runSession(
    new SessionClass(chooseAny, { name: SessionClass.name }, [], (text) =>
      process.stdout.write(text),
    ),
  );
}

// Returns the arena, or null.
function findArena() {
  const arena = process.env.SCOPA_ARENA || "scopa-arena";
  return spawnSync(arena, ["version"]).status === 0 ? arena : null;
}

function testRealGames() {
  const arena = findArena();
  const skip = arena ? false : "no scopa-arena in SCOPA_ARENA or PATH";

  function match(rules, deals, words) {
    const output = execFileSync(
      arena,
      [
        "match",
        "--rules",
        rules,
        "--deals",
        String(deals),
        "--quiet",
        "--seed",
        "1",
        ...words,
      ],
      { encoding: "utf8" },
    );
    assert.match(output, /^result /m, rules);
    assert.doesNotMatch(output, /^faults /m, rules);
  }

  // Compares what bots of the arena hear, each in its seat, as they play at
  // random.
  function follow(rules, seats, deals) {
    const folder = mkdtempSync(join(tmpdir(), "bot-test-"));
    let text;
    try {
      const trace = join(folder, "trace.txt");
      match(rules, deals, [
        ...["--sandbox", "off", "--trace", trace],
        ...Array(seats).fill("@random"),
      ]);
      text = readFileSync(trace, "utf8");
    } finally {
      rmSync(folder, { recursive: true });
    }
    // match, seat, bot, milliseconds, direction, line
    const sent = [...text.matchAll(/^\S+ +(\d) \S+ +\S+ -> (.*)$/gm)];
    for (let seat = 1; seat <= seats; seat++) {
      const lines = sent
        .filter(([, place]) => Number(place) === seat)
        .map(([, , line]) => line);
      const events = lines.filter((line) => !/^(state|legal) /.test(line));
      const said = answers(CheckedSession, lines);
      assert.ok(said.length >= deals);
      assert.deepEqual(answers(EventsSession, events), said);
    }
  }

  // Returns the moves that a session says to these lines.
  function answers(SessionClass, lines) {
    let output = "";
    const session = new SessionClass(
      ({ legal }) => legal.at(-1),
      {},
      [],
      (words) => {
        output += words;
      },
    );
    lines.every((line) => session.hearLine(line));
    assert.doesNotMatch(output, /error/);
    return output.match(/^move .*/gm) ?? [];
  }

  test("every rule set with all numbers of seats", { skip }, () => {
    const output = execFileSync(arena, ["rules"], { encoding: "utf8" });
    const presets = [...output.matchAll(/^(\S+) \(/gm)];
    assert.ok(presets.length >= 20);
    const followed = new Set();
    presets.forEach(([, preset], number) => {
      const layouts = LAYOUTS.filter(
        (layout) =>
          spawnSync(arena, ["rules", preset, `teams=${layout}`]).status === 0,
      );
      const other = layouts[number % layouts.length];
      for (const layout of new Set([layouts[0], other])) {
        follow(`${preset},teams=${layout}`, layout.length, 2);
        followed.add(layout);
      }
    });
    assert.equal(followed.size, LAYOUTS.length);
  });

  test("other values of rules", { skip }, () => {
    for (const rules of MORE_RULES)
      follow(rules, rules.includes("players=6") ? 6 : 2, 10);
  });

  test("games in programs of their own", { skip }, () => {
    const players = ["CheckedSession", "EventsSession"].map(
      (name) => `'${__filename}' ${name}`,
    );
    for (const [rules, seats] of [
      ["scopa", 2],
      ["cirulla", 2],
      ["cirulla,teams=ABCDEF", 6],
    ])
      match(rules, 3, [...players, ...Array(seats - 2).fill("@random")]);
  });
}

if (sessionName) playAs({ CheckedSession, EventsSession }[sessionName]);
else testRealGames();
