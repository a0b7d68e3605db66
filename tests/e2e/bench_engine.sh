# Goal: the speed of the engine is a number that a script can read.
. "$SRC/tests/e2e/lib.sh"

scenario 'every preset is measured'
run "$SCOPA_ARENA" bench engine --seconds 0 --json
expect_exit 0
expect_err_empty
expect python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(len(d) != 20 or any(
    r["deals_per_s"] <= 0 or r["listed_deals_per_s"] <= 0 or
    r["moves"] < 36 * r["deals"] for r in d))' "$out"

scenario 'one rule set is measured'
run "$SCOPA_ARENA" bench engine --rules scopa,napola=run --seconds 0
expect_exit 0
expect_out '^rules +deals/s'
expect_out '^scopa,napola=run +[0-9]+ +[0-9]+ +36\.0 +[0-9]+$'
expect test "$(wc -l <"$out")" -eq 2

scenario 'an unknown preset is refused'
run "$SCOPA_ARENA" bench engine --rules scopne
expect_exit 2
expect_error 'scopne'

scenario 'a bench of nothing is refused'
run "$SCOPA_ARENA" bench
expect_exit 2
expect_error 'bench'
run "$SCOPA_ARENA" bench engin
expect_exit 2
expect_error 'engin'
expect_err 'bench engine'

finish
