#!/bin/sh
# Learns the numbers of the move policy again: plays, fits and writes
# bots/c/policy_table.c, and from games with that table bots/c/policy_model.c.
# The same seeds give the same numbers on any machine.  What the numbers are
# worth is told at the end.
#
# Usage: bots/tune/tune.sh [ROUNDS]      from the top of the sources
# Environment: BUILD (build folder), SEED, DEALS (of a family and round)
set -eu

build=${BUILD:-build}
seed=${SEED:-1}
deals=${DEALS:-600}
rounds=${1:-1}
fit=$build/bots/tune/fit

for round in $(seq "$rounds"); do
	for step in play model; do
		case $step in
		play) table=bots/c/policy_table.c ;;
		model) table=bots/c/policy_model.c ;;
		esac
		# What was learned last is the teacher now.
		make BUILD="$build" "$fit"
		"$fit" "$step" --seed $((seed + round - 1)) --deals "$deals" \
			--rounds 1 --out "$table.new"
		mv "$table.new" "$table"
	done
done
make BUILD="$build" "$fit"
"$fit" duel --seed "$seed"
"$fit" infer --seed "$seed" --deals 100 --worlds 64 --sharpness 1
