# Goal: Python plays by the rules of libscopa as the arena does: the legal
# moves, scores, counts of sequences and `state` lines of
# bots/python/libscopa.py are the same as those of the program, in random deals
# of every preset; each refusal of the library raises an exception with the
# reason.
# Release: a sanitized library cannot be loaded into Python.
. "$SRC/tests/e2e/lib.sh"

export SCOPA_LIBRARY=$BUILD/libscopa.so
export PYTHONPATH=$SRC/bots/python PYTHONDONTWRITEBYTECODE=1

cat >games.py <<'END_OF_FILE'
"""games.py SEED COUNT: plays random deals of every preset and variant.

Prints a record with the least lines; `expected` gets the lines that the arena
must derive from it.
"""
import random
import sys

from libscopa import CARDS, Deal, Redeal, Rules, presets

VARIANTS = ["scopa,players=3", "scopa,teams=ABAB", "scopa,teams=ABCABC",
            "cirulla,declare=ask,players=3", "cirulla,matta=table",
            "assi,ace-empty=take", "escoba,priority=any,teams=ABABAB"]


def score_lines(deal):
    score = deal.score()
    for team in deal.rules.teams:
        # The names of items are in the order of the record.
        items = [f"{name}={score.quantities[name][team]}:"
                 f"{score.points[name][team]}" for name in score.points]
        total = score.totals[team]
        yield f"score {team} points={total} total={total} " + " ".join(items)


generator = random.Random(int(sys.argv[1]))
with open("expected", "w", encoding="ascii") as expected:
    for spec in presets() + VARIANTS:
        rules = Rules(spec)
        for number in range(int(sys.argv[2])):
            dealer = generator.randint(1, rules.players)
            deal = None
            while deal is None:
                pack = generator.sample(CARDS, 40)
                try:
                    deal = Deal(rules, pack, dealer)
                except Redeal:
                    continue
            print(f"match {rules.preset}-{number} rules={spec} deals=1")
            for seat in range(1, rules.players + 1):
                print(f"seat {seat} team={rules.team_of(seat)} name=s{seat}")
            print(f"deal 1 dealer={dealer}")
            print("pack 1 cards=" + "".join(pack))
            while not deal.over:
                moves, seat = deal.legal_moves(), deal.turn
                print("legal", *moves, file=expected)
                move = generator.choice(moves)
                deal.play(move)
                verb, text = ("declare", move[1:]) if move[0] == "!" \
                    else ("play", move)
                print(verb, seat, text)
                assert deal.history[-1] == (seat, move)
            print(*score_lines(deal), sep="\n", file=expected)
END_OF_FILE

scenario 'legal moves and scores are those of the arena, in random deals'
expect_run 0 python3 games.py 1 "$(few_or_all 3 100)"
mv "$out" least.scopa
expect_line '^declare ' least.scopa
arena 0 record derive --legal least.scopa
grep -E '^(legal|score) ' "$out" >derived
expect_same derived expected

cat >perft.py <<'END_OF_FILE'
"""perft.py: prints RULES PACK COUNT... for a random deal of every preset."""
from libscopa import CARDS, Deal, Redeal, Rules, presets
import random

generator = random.Random(2)
for spec in presets():
    while True:
        pack = generator.sample(CARDS, 40)
        try:
            deal = Deal(Rules(spec), pack)
            break
        except Redeal:
            continue
    print(spec, "".join(pack), *(deal.perft(depth) for depth in (1, 2, 3)))
END_OF_FILE

scenario 'the library counts as many sequences of moves as the arena'
expect_run 0 python3 perft.py
mv "$out" sequences
expect test "$(wc -l <sequences)" -ge 20
while read -r rules pack counts; do
	arena 0 perft "$rules" --pack "$pack" --depth 3
	expect test "$(awk '{ print $3 }' "$out" | xargs)" = "$counts"
done <sequences

cat >states.py <<'END_OF_FILE'
"""states.py PROTOCOL RECORD: plays the deal of the pages again."""
import re
import sys

from libscopa import Deal, Match, Rules

with open(sys.argv[1], encoding="utf-8") as file:
    dialog = re.search(r"```text deal\n(.*?)```", file.read(), re.S)[1]
with open(sys.argv[2], encoding="utf-8") as file:
    record = re.search(r"```scopa sample\n(.*?)```", file.read(), re.S)[1]
states = re.findall(r"^state .*$", dialog, re.M)
pack = re.search(r" cards=(\w{80})$", record, re.M)[1]
rules = Rules("scopa")
deal = Deal(rules, pack, 2)
match = Match(rules, 2, deals=1)
for seat, move in re.findall(r"^play (\d) (\S+)", record, re.M):
    assert deal.turn == int(seat)
    if seat == "1":
        line = states.pop(0)
        assert deal.state(1, match) == line, line
        # Any deal that fits the knowledge of the seat has the same state line.
        guess = Deal.from_state(line)
        assert guess.state(1, match) == line, line
        assert guess.legal_moves() == deal.legal_moves()
        assert guess.hand(1) == deal.hand(1)
        # With the true hidden cards the deal continues like the true one.
        hidden = deal.hand(2) + [
            pack[i:i + 2] for i in range(0, 80, 2)][40 - deal.deck_count:]
        true = Deal.from_state(line, hidden)
        true.play(move)
        assert true.hand(2) == deal.hand(2)
    deal.play(move)
assert not states
assert deal.over and deal.last == 2
match.add(deal)
assert (match.state, match.winner, match.scores) == \
    ("deals", "A", {"A": 5, "B": 2}), match.scores
assert (match.dealer, match.deal_count) == (1, 1)
END_OF_FILE

scenario 'positions are written and read in the format of the protocol'
expect_run 0 python3 states.py "$SRC/protocol.md" "$SRC/docs/records.md"

cat >refusals.py <<'END_OF_FILE'
"""refusals.py: each mistake raises an exception that names it."""
from libscopa import (CARDS, CardsError, Deal, IllegalMove, Match, Redeal,
                      Rules, RulesError, ScopaError, StateError)


def expect(kind, pattern, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert type(error) is kind, repr(error)
        assert pattern in str(error), str(error)
        return error
    raise AssertionError(f"{call} did not raise {kind.__name__}")


rules = Rules("scopa")
expect(RulesError, "scoopa", Rules, "scoopa")
expect(RulesError, "priority", Rules, "scopa,priority=best")
expect(RulesError, "", Rules, "scopa\N{LATIN SMALL LETTER E WITH GRAVE}\0")
expect(CardsError, "39", Deal, rules, CARDS[1:])
expect(CardsError, "twice", Deal, rules, CARDS[1:] + CARDS[-1:])
expect(CardsError, "XX", Deal, rules, ("XX",) + CARDS[1:])
expect(CardsError, "seat 3", Deal, rules, CARDS, 3)
kings = [card for card in CARDS if card[0] == "K"]
assert expect(Redeal, "kings", Deal, rules, kings + [
    card for card in CARDS if card[0] != "K"]).reason == "kings"

deal = Deal(rules, "3C4SKDKC" "7DADAC" + "".join(
    card for card in CARDS
    if card not in ("3C", "4S", "KD", "KC", "7D", "AD", "AC")))
assert (deal.turn, deal.hand(1)) == (1, ["AD", "AC", "7D"])
before = deal.state(1)
for move, reason in [("7D", "must-capture"), ("7C", "not-in-hand"),
                     ("7Dx3C5S", "not-on-table"), ("7Dx3C", "bad-sum"),
                     ("7Dx3C3C", "duplicate"), ("!low", "no-declaration"),
                     ("", "syntax"), ("7D\0", "syntax"), ("seven", "syntax")]:
    assert expect(IllegalMove, move[:2], deal.play, move).reason == reason
assert deal.state(1) == before
copy = deal.copy()
copy.play("7Dx3C4S")
assert deal.state(1) == before and copy.turn == 2
assert copy.pile("A") == ["3C", "4S", "7D"] and copy.table == ["KD", "KC"]
assert copy.history == [(1, "7Dx3C4S")] and copy.deck_count == 30

for call in (deal.hand, deal.state, rules.team_of):
    expect(CardsError, "seat 0", call, 0)
    expect(CardsError, "seat 3", call, 3)
for call in (deal.pile, deal.sweeps):
    expect(CardsError, "team C", call, "C")
    expect(CardsError, "team AB", call, "AB")
    expect(CardsError, "team 0", call, 0)
expect(ScopaError, "not over", deal.score)
expect(StateError, "", Deal.from_state, "state rules=scopa")
expect(StateError, "", Deal.from_state, "")
expect(CardsError, "unseen", Deal.from_state, before, "AD")

assert Deal.from_state(before + " # rules=x").state(1) == before
for deals in (-1, 1 << 31, 1 << 32):
    expect(ScopaError, "deals", Match, rules, None, deals)

match = Match(rules, deals=1)
expect(ScopaError, "not over", match.add, deal)
while not deal.over:
    deal.play(deal.legal_moves()[0])
assert deal.legal_moves() == [] and deal.turn is None
expect(IllegalMove, "AD", deal.play, "AD")
match.add(deal)
expect(ScopaError, "the match is over", match.add, deal)
expect(ScopaError, "other rules", Match(Rules("escoba")).add, deal)

assert Rules("scopa,napola=run").parameters["napola"] == "run"
assert Rules("scopa,napola=none") == rules != Rules("escoba")
assert Deal.random(rules, 5).state(1) == Deal.random(rules, 5).state(1)
END_OF_FILE

scenario 'each refusal of the library raises an exception with the reason'
expect_run 0 python3 refusals.py

scenario 'a missing library is an error with a hint'
expect_run 1 env SCOPA_LIBRARY="$PWD/nothing.so" python3 -c 'import libscopa'
expect_err 'LibraryError: libscopa cannot be loaded: .*set SCOPA_LIBRARY'
printf 'int nothing;\n' >old.c
if "${compiler[@]}" -shared -fPIC -o old.so old.c; then
	expect_run 1 env SCOPA_LIBRARY="$PWD/old.so" \
		python3 -c 'import libscopa'
	expect_err 'LibraryError: libscopa is too old: it has no scopa_'
fi

finish
