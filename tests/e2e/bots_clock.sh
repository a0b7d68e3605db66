# Goal: bots that search do not lose on time, with many games at once on few
# cores.
#
# Alone: its bots, 128 with TEST_FULL, take all cores, and their time is
# measured.
#
# Environment: SCOPA_TEST_DEALS, how many deals each scenario plays (8, or 128
# with TEST_FULL), SCOPA_TEST_RULES, which (scopa).
. "$SRC/tests/e2e/lib.sh"

deals=${SCOPA_TEST_DEALS:-$(few_or_all 8 128)}
rules=${SCOPA_TEST_RULES:-scopa}
rounds=$(((deals + 3) / 4)) # of two games of two deals
# If the bank is for the match, one deal is enough.
each=2
[ -n "${SCOPA_TEST_DEALS-}" ] || each=$(few_or_all 1 2)
# The bots think in turn, and use all of their time.
# shellcheck disable=SC2034 # for lib.sh
RUN_SECONDS=$((600 + deals))

# Plays sixty-four games at once with this time control; no bot may be late.
play() { # TC BOT...
	local tc=$1
	shift
	arena 0 match "$@" --rules "$rules" --tc "$tc" --deals "$each" \
		--rounds "$rounds" --duplicate --concurrency 64 --json
	expect python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
late = sum(b["offences"]["timeout"] for b in d["bots"])
longest = max(b["think_ms_max"] for b in d["bots"])
print("#", d["deals_played"], "deals,", late, "late, the longest move",
    longest, "ms", file=sys.stderr)
sys.exit(late != 0 or d["deals_played"] < int(sys.argv[2]))' \
		"$out" $((deals * each / 2))
}

scenario 'bots that get 5 ms a move by an option are never late'
play move:0.5 --bot cmd=@maestro option.ms=5 \
	--bot cmd=@ismcts option.ms=5 option.iterations=0

scenario 'bots are in time with a bank for the match and 5 ms for each move'
play match:0.3+0.005 --bot cmd=@maestro option.ms=0 \
	--bot cmd=@ismcts option.iterations=0

# The bank and the gain are those of the scenarios before and after this one.
if [ -n "$TEST_FULL" ]; then
	scenario 'bots are in time with a bank for the deal and 5 ms for each move'
	each=2 play deal:0.15+0.005 --bot cmd=@maestro option.ms=0 \
		--bot cmd=@ismcts option.iterations=0
fi

scenario 'bots are in time with a bank for the deal that does not grow'
each=2 play deal:0.25 --bot cmd=@maestro option.ms=0 \
	--bot cmd=@ismcts option.iterations=0

scenario 'bots are in time with a time for each move'
play move:0.03 --bot cmd=@maestro option.ms=0 \
	--bot cmd=@ismcts option.iterations=0

# If the machine itself stops for so long, no bot can be in time.
if [ -n "${SCOPA_TEST_DEALS-}" ]; then
	scenario 'bots are in time with five milliseconds for each move'
	play move:0.005 --bot cmd=@maestro option.ms=0 \
		--bot cmd=@ismcts option.iterations=0
fi

finish
