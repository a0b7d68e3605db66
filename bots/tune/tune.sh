#!/bin/sh
# Learns the numbers of the move policy again: plays, fits and writes
# bots/c/policy_table.c, and from games with that table bots/c/policy_model.c.
# The first round begins from nothing, so that the same seed gives the same
# numbers whatever the tables hold now.  What they are worth is told at the end.
# It takes some six minutes of processor time.
#
# Usage: bots/tune/tune.sh [ROUNDS]      from the top of the sources
# Environment: BUILD (build folder), SEED, DEALS (of a family, in the last round)
set -eu

build=${BUILD:-build}
seed=${SEED:-1}
deals=${DEALS:-700}
rounds=${1:-4}
fit=$build/bots/tune/fit

# Makes FILE by one more `fit` with the tables as they are.
learn() { # FILE WORDS...
	file=$1
	shift
	make BUILD="$build" "$fit"
	"$fit" "$@" --deals "$deals" --out "$file.new"
	mv "$file.new" "$file"
}

learn bots/c/policy_table.c play --seed "$seed" --rounds "$rounds" --fresh 1
learn bots/c/policy_model.c model --seed "$seed" --rounds 1 --fresh 1
make BUILD="$build" "$fit"
"$fit" duel --seed "$seed"
"$fit" infer --seed "$seed" --deals 100 --worlds 64 --sharpness 1
