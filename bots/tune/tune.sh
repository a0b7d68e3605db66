#!/bin/sh
# Learns the numbers of the move policy again: plays, fits and writes
# bots/c/policy/policy_table.tsv, and from games with that table bots/c/policy/policy_model.tsv.
# The first round begins from nothing, so that the same seed gives the same
# numbers whatever the tables hold now.  What they are worth is told at the end.
# It takes some six minutes of processor time.
#
# Usage: bots/tune/tune.sh [ROUNDS]      from the top of the sources
# Environment, each with what it is unless told:
#	BUILD=build     build folder
#	SEED=1          of all that is random
#	DEALS=700       of a family, in the last round; others have a quarter
#	PACKS=1000      of each duel at the end
# A short run, to see that it works (it writes poor tables, so in a copy):
#	DEALS=12 PACKS=20 bots/tune/tune.sh 1
set -eu

build=${BUILD:-build}
seed=${SEED:-1}
deals=${DEALS:-700}
rounds=${1:-4}
fit=$build/bots/tune/fit

if [ $# -gt 1 ] || ! [ "$rounds" -ge 1 ] 2>/dev/null; then
	echo "usage: bots/tune/tune.sh [ROUNDS], see its first lines" >&2
	exit 2
fi
if ! [ -f bots/tune/tune.sh ]; then
	echo "error: this is not the top of the sources" >&2
	exit 2
fi

# Makes FILE by one more `fit` with the tables as they are.
learn() { # FILE WORDS...
	file=$1
	shift
	make BUILD="$build" "$fit"
	"$fit" "$@" --deals "$deals" --out "$file.new" || {
		rm -f "$file.new"
		exit 1
	}
	mv "$file.new" "$file"
}

learn bots/c/policy/policy_table.tsv play --seed "$seed" --rounds "$rounds"
learn bots/c/policy/policy_model.tsv model --seed "$seed" --rounds 1
make BUILD="$build" "$fit"
"$fit" duel --seed "$seed" --packs "${PACKS:-1000}"
