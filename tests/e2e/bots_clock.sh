# Goal: bots that think keep their clocks, many games at once on few cores.
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
# If the bank is not one for each deal, one deal shows as much.
each=2
[ -n "${SCOPA_TEST_DEALS-}" ] || each=$(few_or_all 1 2)
# They think by turns, and use what they have.
# shellcheck disable=SC2034 # for lib.sh
RUN_SECONDS=$((600 + deals))

# Sixty-four games at once under this time control; nobody may be late.
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

scenario 'bots that are told to think 5 ms a move are never late'
play move:0.5 --bot cmd=@maestro option.ms=5 \
	--bot cmd=@ismcts option.ms=5 option.iterations=0

scenario 'bots keep a bank for the match with 5 ms more for each move'
play match:0.3+0.005 --bot cmd=@maestro option.ms=0 \
	--bot cmd=@ismcts option.iterations=0

# The bank and the gain are those of the scenarios before and after this one.
if [ -n "$TEST_FULL" ]; then
	scenario 'bots keep a bank for the deal with 5 ms more for each move'
	each=2 play deal:0.15+0.005 --bot cmd=@maestro option.ms=0 \
		--bot cmd=@ismcts option.iterations=0
fi

scenario 'bots keep a bank for the deal that does not grow'
each=2 play deal:0.25 --bot cmd=@maestro option.ms=0 \
	--bot cmd=@ismcts option.iterations=0

scenario 'bots keep a time for each move'
play move:0.03 --bot cmd=@maestro option.ms=0 \
	--bot cmd=@ismcts option.iterations=0

# Where the machine itself stands still for so long, nobody can be in time.
if [ -n "${SCOPA_TEST_DEALS-}" ]; then
	scenario 'bots keep five milliseconds for each move'
	play move:0.005 --bot cmd=@maestro option.ms=0 \
		--bot cmd=@ismcts option.iterations=0
fi

finish
