#!/bin/sh
# my-bot: an example that captures what is worth most.
#
# Change choose().  The head of scopa_bot.sh says what it can look at.
#
# shellcheck disable=SC1091,SC2154 # scopa_bot.sh sets the view.
case $0 in
*/*) cd "${0%/*}" || exit ;;
esac
. ./scopa_bot.sh

option weight-of-coins int 10 0 100

# Sets $weight of cards; the 7 of coins is worth most.
weigh() { # CARDS
	weight=0
	cards=$1
	while [ -n "$cards" ]; do
		weight=$((weight + 1))
		case $cards in 7*) weight=$((weight + 30)) ;; esac
		case $cards in ?D*) weight=$((weight + option_weight_of_coins)) ;; esac
		case $cards in 7D*) weight=$((weight + 100)) ;; esac
		cards=${cards#??}
	done
}

# Sets $merit of a move: a declaration is best, then a sweep, then the weight
# that is captured or not laid.
judge() { # MOVE
	captured_by "$1"
	weigh "${1%%x*}$captured"
	case $1 in
	!*) merit=20000 ;;
	*x"$table") merit=$((10000 + weight)) ;;
	*x*) merit=$weight ;;
	*) merit=$((-weight)) ;;
	esac
}

choose() {
	for candidate in $legal; do
		judge "$candidate"
		# Where points are bad, the worst move is the best one.
		[ "${rule_aim-}" != least ] || merit=$((-merit))
		if [ -z "$move" ] || [ $merit -gt "$best" ]; then
			move=$candidate best=$merit
		fi
	done
}

run my-bot 1.0
