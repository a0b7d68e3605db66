#!/usr/bin/env node
// A greedy bot.  It sweeps if it can.  Else it leaves no table that a hidden
// card can sweep, and captures the most valuable cards.
//
// It does not use the `state` line.  It follows the other lines instead and
// stores the cards on the table and those that it has seen.  It chooses one of
// the legal moves, so it makes no error under any rules.  But its values are
// those of plain Scopa: they contain no special points (runs of coins, pictures
// in frac) and not the wild 7 of cups.
"use strict";

const RANKS = "A234567JQK";
const PACK = [...RANKS].flatMap((rank) =>
	[..."DCSB"].map((suit) => rank + suit));
const WORTH = [16, 12, 13, 14, 15, 18, 29, 10, 10, 10];

let rules = {};
let table = [];
const seen = new Set();
let legal = [];

const say = (line) => process.stdout.write(line + "\n");
const cards = (text) => text.match(/[A2-7JQK][DCSB]/g) || [];
const value = (card) => RANKS.indexOf(card[0]) + 1;
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const pairs = (tokens) =>
	Object.fromEntries(tokens.map((token) => token.split("=")));

function worth(card) {
	return WORTH[value(card) - 1] + (card[1] === "D" ? 10 : 0) +
	    (card === "7D" ? 100 : 0);
}

// Returns the table after a move.
function tableAfter(move) {
	const [card, ...taken] = cards(move);
	if (!taken.length) return [...table, card];
	return table.filter((other) => !taken.includes(other));
}

// Whether a card that may be in another hand could sweep this table.
function canBeSwept(cardsLeft) {
	const total = sum(cardsLeft.map(value));
	const sweepers = [];
	if (rules.capture !== "fifteen") sweepers.push(total);
	if (rules.capture !== "sum") sweepers.push(15 - total);
	if (rules.ace !== "plain" && rules["ace-scopa"] === "yes" &&
	    (rules.ace === "sweep" || !cardsLeft.some((card) => card[0] === "A")))
		sweepers.push(1);
	return PACK.some((card) =>
		!seen.has(card) && sweepers.includes(value(card)));
}

// Greater is better: first a sweep, then a safe table, then the value of cards.
function merit(move) {
	if (move.startsWith("!")) return 1e6; // a declaration costs nothing
	const [card, ...taken] = cards(move);
	const left = tableAfter(move);
	const gain = taken.length ? sum([card, ...taken].map(worth)) : -worth(card);
	return (left.length ? 0 : 1e5) + (canBeSwept(left) ? 0 : 1e4) + gain;
}

// When points are bad (aim=least), the worst move is the best one.
function choose() {
	const sign = rules.aim === "least" ? -1 : 1;
	const better = (a, b) => sign * merit(b) > sign * merit(a) ? b : a;
	return legal.reduce(better);
}

const verbs = {
	usp() {
		say("id name=greedy-javascript version=1.0");
		say("feature state=0");
		say("uspok 1");
	},
	isready: () => say("readyok"),
	rules(...tokens) {
		rules = pairs(tokens);
	},
	deal() {
		table = [];
		seen.clear();
	},
	redeal() {
		seen.clear();
	},
	table(set) {
		table = cards(set);
		table.forEach((card) => seen.add(card));
	},
	give(seat, hand) {
		cards(hand).forEach((card) => seen.add(card));
	},
	sweep() {
		table = [];
	},
	play(seat, move) {
		table = tableAfter(move);
		seen.add(cards(move)[0]);
	},
	legal(...moves) {
		legal = moves.filter((move) => move !== "...");
	},
	go(...tokens) {
		say(`move ${choose()} turn=${pairs(tokens).turn}`);
	},
	quit() {
		process.exit(0);
	},
};

const input = require("readline").createInterface({ input: process.stdin });

input.on("line", (line) => {
	const [verb, ...tokens] = line.split("#")[0].trim().split(/\s+/);
	if (Object.hasOwn(verbs, verb)) verbs[verb](...tokens);
});
