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
# shellcheck disable=SC2086 # Tokens are split into words on purpose.
set -f # a hidden card is written ??, which must not become file names

# Prints the value of a key in the tokens: value_of KEY TOKEN...
value_of() {
	key=$1
	shift
	for token in "$@"; do
		case $token in "$key"=*) echo "${token#*=}" && return ;; esac
	done
}

# Adds up a set of cards: $total of their card values, $worth of a capture.
count() {
	total=0 worth=0 set=${1#-}
	while [ -n "$set" ]; do
		rest=${set#??}
		case $set in
		A*) total=$((total + 1)) worth=$((worth + 16)) ;;
		2*) total=$((total + 2)) worth=$((worth + 12)) ;;
		3*) total=$((total + 3)) worth=$((worth + 13)) ;;
		4*) total=$((total + 4)) worth=$((worth + 14)) ;;
		5*) total=$((total + 5)) worth=$((worth + 15)) ;;
		6*) total=$((total + 6)) worth=$((worth + 18)) ;;
		7*) total=$((total + 7)) worth=$((worth + 29)) ;;
		J*) total=$((total + 8)) worth=$((worth + 10)) ;;
		Q*) total=$((total + 9)) worth=$((worth + 10)) ;;
		K*) total=$((total + 10)) worth=$((worth + 10)) ;;
		esac
		case $set in
		7D*) worth=$((worth + 110)) ;;
		?D*) worth=$((worth + 10)) ;;
		esac
		set=$rest
	done
}

# Whether a card of value $1 may be in another hand.
hidden() {
	case $1 in
	1) rank=A ;;
	8) rank=J ;;
	9) rank=Q ;;
	10) rank=K ;;
	[2-7]) rank=$1 ;;
	*) return 1 ;;
	esac
	for suit in D C S B; do
		case $seen in *"$rank$suit"*) ;; *) return 0 ;; esac
	done
	return 1
}

# Whether a hidden card could sweep a table with the total $1.
can_be_swept() {
	case $capture in sum*) hidden "$1" && return ;; esac
	case $capture in *fifteen) hidden $((15 - $1)) && return ;; esac
	case $ace in sweep*) hidden 1 && return ;; esac
	return 1
}

# Sets $merit of a move: first a sweep, then a safe table, then the value of
# cards.
judge() {
	count "$table"
	before=$total
	case $1 in
	!*)
		merit=9000 # a declaration costs nothing
		return
		;;
	*x*)
		count "${1#*x}"
		after=$((before - total))
		count "${1%%x*}${1#*x}"
		merit=$worth
		;;
	*)
		count "$1"
		after=$((before + total))
		merit=-$worth
		;;
	esac
	if [ $after -eq 0 ]; then
		merit=$((merit + 4000))
	fi
	if ! can_be_swept $after; then
		merit=$((merit + 2000))
	fi
}

# Sets $best.  When points are bad (aim=least), the worst move is the best one.
choose() {
	best='' best_merit=0
	for move in $legal; do
		if [ "$move" = ... ]; then
			break # the list was too long for a line
		fi
		judge "$move"
		if [ "$aim" = least ]; then
			merit=$((-merit))
		fi
		if [ -z "$best" ] || [ $merit -gt $best_merit ]; then
			best=$move best_merit=$merit
		fi
	done
}

while read -r verb tokens; do
	tokens=${tokens%%"#"*} # removes the comment
	case $verb in
	usp) printf 'id name=greedy-sh version=1.0\nuspok 1\n' ;;
	isready) echo readyok ;;
	rules)
		capture=$(value_of capture $tokens)
		ace=$(value_of ace $tokens)
		aim=$(value_of aim $tokens)
		;;
	state)
		table=$(value_of table $tokens)
		seen="$table $(value_of hand $tokens) $(value_of pile $tokens)"
		;;
	legal) legal=$tokens ;;
	go)
		choose
		echo "move $best turn=$(value_of turn $tokens)"
		;;
	quit) exit 0 ;;
	esac
done
