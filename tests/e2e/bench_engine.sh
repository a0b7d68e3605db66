# Goal: the speed of the engine is a number that a script can read.
. "$SRC/tests/e2e/lib.sh"

scenario 'every preset is measured'
arena 0 bench engine --seconds 0 --json
expect_err_empty
expect_json 'len(d) == 20 and all(
    r["deals_per_s"] > 0 and r["listed_deals_per_s"] > 0 and
    r["moves"] >= 36 * r["deals"] for r in d)'

scenario 'one rule set is measured'
arena 0 bench engine --rules scopa,napola=run --seconds 0
expect_out '^rules +deals/s'
expect_out '^scopa,napola=run +[0-9]+ +[0-9]+ +36\.0 +[0-9]+$'
expect test "$(wc -l <"$out")" -eq 2

scenario 'an unknown preset is refused'
refuses 'scopne' bench engine --rules scopne

scenario 'a bench of nothing is refused'
refuses 'bench' bench
refuses 'engin' bench engin
expect_err 'bench engine'

finish
