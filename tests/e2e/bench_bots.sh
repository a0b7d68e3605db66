# Goal: the speed of every built-in bot is a number that a script can read.
. "$SRC/tests/e2e/lib.sh"

scenario 'every bot is measured with every preset'
arena 0 bench bots --seconds 0 --move-ms 1 --json
expect_err_empty
bots=$("$SCOPA_ARENA" bot | grep -c '^@')
expect_json "len({(r['bot'], r['rules']) for r in d}) == len(d) == 20 * $bots"
expect_json 'all(r["decisions"] > 0 and r["decisions_per_s"] > 0 and
    (r["iterations"] > 0) == (r["iterations_per_s"] is not None) for r in d)'

scenario 'one bot is measured with one rule set'
arena 0 bench bots --bot @greedy --rules scopa,napola=run --seconds 0
expect_out '^bot +rules +decisions/s'
expect_out '^greedy +scopa,napola=run +[0-9]+ +- +-$'
expect test "$(wc -l <"$out")" -eq 2

scenario 'an unknown bot or preset is refused'
refuses 'gredy' bench bots --bot @gredy
refuses 'scopne' bench bots --rules scopne

finish
