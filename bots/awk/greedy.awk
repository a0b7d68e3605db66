#!/bin/sh
# A greedy bot.  It sweeps if it can.  Else it leaves no table that a hidden
# card can sweep, and captures the most valuable cards.
#
# It stores only the rules and needs only the lines `rules`, `state`, `legal`
# and `go`.  It chooses one of the legal moves, so it makes no error under any
# rules.  But its values are those of plain Scopa: they contain no special points
# (runs of coins, pictures in frac) and not the wild 7 of cups.  Also, it avoids
# tables that an ace could sweep even when another ace on the table prevents
# this.
#
# The next line is valid in both languages.  The shell starts awk with this
# file; mawk needs an option to read each line as soon as it arrives.  For awk
# the line is a pattern that is never true.
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
		# When points are bad, the worst move is the best one.
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

# Returns the value of a key in this line.
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

# Returns the total of a set of cards.
function total(set,    i, n)
{
	for (i = 1; i < length(set); i += 2)
		n += value(substr(set, i, 2))
	return n + 0
}

# Returns the worth of a capture of these cards.
function worth(set,    i, n, card)
{
	for (i = 1; i < length(set); i += 2) {
		card = substr(set, i, 2)
		n += worth_of[value(card)]
		n += card == "7D" ? 110 : card ~ /D/ ? 10 : 0
	}
	return n
}

# Whether a card of this value may be in another hand.
function hidden(number,    rank)
{
	rank = substr("A234567JQK", number, 1)
	return number >= 1 && number <= 10 &&
	    !(seen ~ rank "D" && seen ~ rank "C" && seen ~ rank "S" && seen ~ rank "B")
}

# Whether a hidden card could sweep a table with this total.
function can_be_swept(sum)
{
	return capture ~ /^sum/ && hidden(sum) ||
	    capture ~ /fifteen$/ && hidden(15 - sum) ||
	    ace ~ /^sweep/ && hidden(1)
}

# Greater is better: first a sweep, then a safe table, then the value of cards.
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
