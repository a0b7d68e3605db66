# Goal: the speed of every built-in bot is a number that a script can read.
. "$SRC/tests/e2e/lib.sh"

scenario 'every bot is measured with every preset'
run "$SCOPA_ARENA" bench bots --seconds 0 --move-ms 1 --json
expect_exit 0
expect_err_empty
bots=$("$SCOPA_ARENA" bot | grep -c '^@')
expect python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(len(d) != 20 * int(sys.argv[2]) or
    len({(r["bot"], r["rules"]) for r in d}) != len(d) or any(
    r["decisions"] < 1 or r["decisions_per_s"] <= 0 or
    (r["iterations"] > 0) != (r["iterations_per_s"] is not None)
    for r in d))' "$out" "$bots"

scenario 'one bot is measured with one rule set'
run "$SCOPA_ARENA" bench bots --bot @greedy --rules scopa,napola=run --seconds 0
expect_exit 0
expect_out '^bot +rules +decisions/s'
expect_out '^greedy +scopa,napola=run +[0-9]+ +- +-$'
expect test "$(wc -l <"$out")" -eq 2

scenario 'an unknown bot or preset is refused'
run "$SCOPA_ARENA" bench bots --bot @gredy
expect_exit 2
expect_error 'gredy'
run "$SCOPA_ARENA" bench bots --rules scopne
expect_exit 2
expect_error 'scopne'

finish
