#!/usr/bin/env node
// my-bot: an example that captures what is worth most.
//
// Change choose().  The class View of scopa_bot.js says what it can look at.
"use strict";

const { run } = require("./scopa_bot.js");

const options = [
  { name: "weight-of-coins", type: "int", default: 10, min: 0, max: 100 },
];

// What a captured card is worth; the 7 of coins is worth most.
function weight(card, coins) {
  return (
    1 +
    (card.rank === "7" ? 30 : 0) +
    (card.suit === "D" ? coins : 0) +
    (card.text === "7D" ? 100 : 0)
  );
}

// Declares; else sweeps; else captures most weight, or lays the least.
function choose(view) {
  const coins = view.options["weight-of-coins"];

  function merit(move) {
    if (move.declaration) return 20000;
    if (!move.captured.length) return -weight(move.card, coins);
    const cards = [move.card, ...move.captured];
    const gain = cards.reduce((sum, card) => sum + weight(card, coins), 0);
    const scopa = move.captured.length === view.table.length;
    return gain + (scopa ? 10000 : 0);
  }

  // Where points are bad (aim=least), the worst move is the best one.
  const sign = view.rules.aim === "least" ? -1 : 1;
  return view.legal.reduce((best, move) =>
    sign * merit(move) > sign * merit(best) ? move : best,
  );
}

module.exports = { choose, options };

if (require.main === module)
  run(choose, { name: "my-bot", version: "1.0", options });
