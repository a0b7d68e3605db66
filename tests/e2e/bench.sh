# Goal: `bench` prints numbers that a script can read: the speed of the engine
# and of every built-in bot, the time of the arena for a move, with and without
# a sandbox, the number of games until a verdict, and how fast results of other
# machines are checked.
. "$SRC/tests/e2e/lib.sh"

scenario 'bench engine measures every preset, or one rule set'
arena 0 bench engine --seconds 0 --json
expect_err_empty
expect_json 'len(d) == 20 and all(
    r["deals_per_s"] > 0 and r["listed_deals_per_s"] > 0 and
    r["moves"] >= 36 * r["deals"] for r in d)'
arena 0 bench engine --rules scopa,napola=run --seconds 0
expect_out '^rules +deals/s'
expect_out '^scopa,napola=run +[0-9]+ +[0-9]+ +36\.0 +[0-9]+$'
expect test "$(wc -l <"$out")" -eq 2

scenario 'every bot is measured with every preset'
arena 0 bench bots --seconds 0 --move-ms 1 --json
expect_err_empty
bots=$("$SCOPA_ARENA" bot | grep -c '^@')
expect_json "len({(r['bot'], r['rules']) for r in d}) == len(d) == 20 * $bots" \
	'all(r["decisions"] > 0 and r["decisions_per_s"] > 0 and
    (r["iterations"] > 0) == (r["iterations_per_s"] is not None) for r in d)'

scenario 'one bot is measured with one rule set'
arena 0 bench bots --bot @greedy --rules scopa,napola=run --seconds 0
expect_out '^bot +rules +decisions/s'
expect_out '^greedy +scopa,napola=run +[0-9]+ +- +-$'
expect test "$(wc -l <"$out")" -eq 2

scenario 'bench refuses unknown words, and a measurement of nothing'
refuses 'gredy' bench bots --bot @gredy
for what in bots engine verification; do
	refuses 'scopne' bench $what --rules scopne
done
refuses 'bench' bench
refuses 'engin' bench engin
expect_err 'bench engine'

scenario 'bench arena prints a line for each number of concurrent games'
arena 0 bench arena --moves 1000 --games 2
expect_err_empty
expect_out '^ +2 games at once +[0-9]+ moves/s +[0-9.]+ us of arena CPU a move$'
expect [ "$(wc -l <"$out")" -eq 1 ]

scenario 'with a sandbox all is measured a second time, and the start of a bot'
arena 0 bench arena --moves 1000 --games 2 --sandbox
expect [ "$(wc -l <"$out")" -eq 3 ]
expect_out ' us of arena CPU a move, in a sandbox$'
expect_out '^start of a bot +[0-9.]+ ms, in [a-z+]+ [0-9.]+ ms: -?[0-9.]+ ms more$'
expect_no_children

scenario 'the JSON output has the same numbers'
arena 0 bench arena --moves 1000 --games 1 --sandbox --json
expect_json '[row.get("walls") for row in d] == [False, True, None]' \
	'd[0]["moves"] >= 1000 and d[1]["moves"] >= 1000' \
	'd[0]["arena_cpu_us_per_move"] > 0' \
	'd[2]["start_ms"] > 0 and d[2]["start_ms_walls"] > 0' \
	'd[2]["level"] in ("none", "process", "box")'

scenario 'a bot that does not get ready is reported'
arena 4 bench arena --moves 1000 --games 1 --bot /bin/false
expect_error 'bot "false" .*exited with status 1'
expect_out_empty
arena 4 bench arena --moves 1000 --games 1 --bot /bin/false --json
expect_json 'd == []'

scenario 'the test of margins needs fewer games than the other tests'
arena 0 bench verdict --blocks 150 --deals 8 --base-blunder 200 --json
expect_json 'd["blocks"] == 150 and d["margin"]["ratio"] == 1' \
	'0 < d["margin"]["games"] < d["pentanomial"]["games"]' \
	'd["pentanomial"]["ratio_low"] < d["pentanomial"]["ratio"] < d["pentanomial"]["ratio_high"]'

scenario 'for equal results no number of games is printed'
arena 0 bench verdict --blocks 100 --base-blunder 0
expect_out '^  margins of pairs +inf  \(t 0\.0000\)$'
expect_out '^  pairs of games +inf  \(t 0\.0000\)$'

scenario 'blocks of two games are checked'
arena 0 bench verification --blocks 3 --seconds 0
expect_err_empty
expect_out '^scopa: blocks of 2 games of 1 deals, [0-9]+ bytes a block$'
expect_out '^[0-9]+ blocks/s on one core: [0-9.]+ us a block, [0-9.]+ of them'

scenario 'games of more seats, to the target, are checked'
arena 0 bench verification --rules scopone --deals 0 --blocks 1 --seconds 0 --json
expect_err_empty
expect_json 'd["games"] == 2 and d["blocks_per_s"] > 0 and d["bytes"] > 5000 and
    d["signature_us"] > 0 and d["rules"] == "scopone"'
arena 0 bench verification --rules scopa,players=3 --blocks 2 --seconds 0 --json
expect_json 'd["games"] == 3'

finish
