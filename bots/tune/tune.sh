#!/bin/sh
# Learns the weights of the move policy again.  It plays deals, fits the weights
# and writes bots/c/policy/policy_table.tsv; then, from games with that table,
# bots/c/policy/policy_model.tsv.  The first round begins with all weights zero,
# so the same seed gives the same weights, whatever the tables contain before.
# At the end it prints how well the new policy plays.  It takes about six
# minutes of processor time.
#
# Usage: bots/tune/tune.sh [ROUNDS]      from the top of the sources
# Environment, with the defaults:
#	BUILD=build     build folder
#	SEED=1          of all random numbers
#	DEALS=700       per family in the last round; earlier rounds: a quarter
#	PACKS=1000      in each duel at the end
# A short run, to test the script (it writes poor tables: use a copy of the
# sources):
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

# Builds `fit` with the present tables, runs it, and replaces FILE by its
# output.
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
