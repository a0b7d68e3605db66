#!/usr/bin/env python3
"""A greedy bot.  It sweeps if it can.  Else it leaves no table that a hidden
card can sweep, and captures the most valuable cards.

It has no memory: it needs only the lines `rules`, `state`, `legal` and `go`.
It chooses one of the legal moves, so it makes no error under any rules.  But
its values are those of plain Scopa: they contain no special points (runs of
coins, pictures in frac) and not the wild 7 of cups.
"""
import sys

RANKS = "A234567JQK"
WORTH = dict(zip(RANKS, (16, 12, 13, 14, 15, 18, 29, 10, 10, 10)))
PACK = {rank + suit for rank in RANKS for suit in "DCSB"}

options = {"caution": "true"}
rules = {}
state = {}
legal = []


def say(line):
    print(line, flush=True)


def pairs(tokens, separator="="):
    """Returns the tokens KEY=VALUE of a line as a dictionary."""
    found = (token.partition(separator) for token in tokens)
    return {key: text for key, sign, text in found if sign}


def cards(text):
    """Returns a set of cards, such as 3C4S, as a list."""
    return [text[i : i + 2] for i in range(0, len(text.strip("-")), 2)]


def value(card):
    return RANKS.index(card[0]) + 1


def worth(card):
    return WORTH[card[0]] + 10 * (card[1] == "D") + 100 * (card == "7D")


def hidden():
    """Returns the cards that may be in another hand."""
    seen = cards(state["hand"]) + cards(state["table"])
    for pile in pairs(state["pile"].split(","), ":").values():
        seen += cards(pile)
    return PACK - set(seen)


def can_be_swept(table, others):
    """Whether one of the other cards could sweep this table."""
    total = sum(map(value, table))
    sweepers = set()
    if rules.get("capture") != "fifteen":
        sweepers.add(total)
    if rules.get("capture", "sum") != "sum":
        sweepers.add(15 - total)
    if rules.get("ace", "plain") != "plain" and rules.get("ace-scopa") == "yes":
        ace_lies = any(card[0] == "A" for card in table)
        if rules["ace"] == "sweep" or not ace_lies:
            sweepers.add(1)
    return any(value(card) in sweepers for card in others)


def merit(move):
    """Greater is better: a sweep, then a safe table, then the cards' worth."""
    if move.startswith("!"):
        return (2, True, 0)  # a declaration costs nothing
    card, _, captured = move.partition("x")
    taken = cards(captured)
    table = [other for other in cards(state["table"]) if other not in taken]
    if not taken:
        table.append(card)
    safe = options["caution"] == "false" or not can_be_swept(table, hidden())
    gain = sum(map(worth, taken + [card])) if taken else -worth(card)
    return (int(not table), safe, gain)


def choose():
    # When points are bad (aim=least), the worst move is the best one.
    pick = min if rules.get("aim") == "least" else max
    return pick(legal, key=merit)


for line in sys.stdin:
    verb, *tokens = line.split("#")[0].split() or [""]
    if verb == "usp":
        say("id name=greedy-python version=1.0")
        say("option name=caution type=bool default=true")
        say("uspok 1")
    elif verb == "setoption":
        options.update(pairs(tokens))
    elif verb == "isready":
        say("readyok")
    elif verb == "rules":
        rules = pairs(tokens)
    elif verb == "state":
        state = pairs(tokens)
    elif verb == "legal":
        legal = [move for move in tokens if move != "..."]
    elif verb == "go":
        say(f"move {choose()} turn={pairs(tokens)['turn']}")
    elif verb == "quit":
        break
