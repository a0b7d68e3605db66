#!/bin/sh
# Greedy: sweeps where it can, else takes what is worth most and leaves no table
# that a hidden card can sweep.
#
# It remembers nothing but the rules: `state`, `legal` and `go` are all it
# needs.  It chooses among the legal moves, so it plays every rule set without
# an error, but its values are those of plain Scopa: special points (runs of
# coins, pictures in frac) are not in them, nor is the wild 7 of cups; and it
# fears an ace that sweeps also where another ace on the table would stop it.
#
# The next line is shell and awk at once.  The shell starts awk on this file;
# mawk must be told to take each line as it comes.  To awk it is a pattern that
# never holds.
"eval" "awk -W version </dev/null 2>&1 | grep -q mawk && exec awk -W interactive -f \"$0\"; exec awk -f \"$0\"" && 0

BEGIN {
	split("16 12 13 14 15 18 29 10 10 10", worth_of)
}

{
	sub(/(^|[ \t])#.*/, "")
}

$1 == "usp" {
	print "id name=greedy-awk version=1.0"
	print "uspok 1"
}

$1 == "isready" {
	print "readyok"
}

$1 == "rules" {
	capture = key("capture")
	ace = key("ace")
	aim = key("aim")
}

$1 == "state" {
	table = key("table")
	seen = table " " key("hand") " " key("pile")
}

$1 == "legal" {
	best = ""
	for (i = 2; i <= NF && $i != "..."; i++) {
		# Where points are bad the worst move is the best one.
		merit = judge($i) * (aim == "least" ? -1 : 1)
		if (best == "" || merit > best_merit) {
			best = $i
			best_merit = merit
		}
	}
}

$1 == "go" {
	print "move " best " turn=" key("turn")
}

$1 == "quit" {
	exit
}

{
	fflush()
}

# The value of a key in this line.
function key(name,    i)
{
	for (i = 2; i <= NF; i++)
		if (index($i, name "=") == 1)
			return substr($i, length(name) + 2)
	return ""
}

function value(card)
{
	return index("A234567JQK", substr(card, 1, 1))
}

# The sum of the values of a set of cards.
function total(set,    i, n)
{
	for (i = 1; i < length(set); i += 2)
		n += value(substr(set, i, 2))
	return n + 0
}

# What taking a set of cards is worth.
function worth(set,    i, n, card)
{
	for (i = 1; i < length(set); i += 2) {
		card = substr(set, i, 2)
		n += worth_of[value(card)]
		n += card == "7D" ? 110 : card ~ /D/ ? 10 : 0
	}
	return n
}

# Whether a card of that value may be in another hand.
function hidden(number,    rank)
{
	rank = substr("A234567JQK", number, 1)
	return number >= 1 && number <= 10 &&
	    !(seen ~ rank "D" && seen ~ rank "C" && seen ~ rank "S" && seen ~ rank "B")
}

# Whether a hidden card could take a whole table of that total.
function can_be_swept(sum)
{
	return capture ~ /^sum/ && hidden(sum) ||
	    capture ~ /fifteen$/ && hidden(15 - sum) ||
	    ace ~ /^sweep/ && hidden(1)
}

# Greater is better: a sweep, then a safe table, then what the cards are worth.
function judge(move,    card, taken, after, gain)
{
	if (move ~ /^!/)
		return 9000 # a declaration costs nothing
	card = substr(move, 1, 2)
	taken = substr(move, 4)
	after = total(table) + (taken == "" ? value(card) : -total(taken))
	gain = taken == "" ? -worth(card) : worth(card taken)
	return (after == 0 ? 4000 : 0) + (can_be_swept(after) ? 0 : 2000) + gain
}
