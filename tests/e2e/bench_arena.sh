# Goal: bench arena tells what a move costs the arena, and what a sandbox adds to
# it and to the start of a bot; bench verdict tells how many games a verdict takes.
. "$SRC/tests/e2e/lib.sh"

scenario 'a line for each number of games, as many as are asked for'
arena 0 bench arena --moves 1000 --games 2
expect_err_empty
expect_out '^ +2 games at once +[0-9]+ moves/s +[0-9.]+ us of arena CPU a move$'
expect [ "$(wc -l <"$out")" -eq 1 ]

scenario 'behind walls everything is measured besides, and the start of a bot'
arena 0 bench arena --moves 1000 --games 2 --sandbox
expect [ "$(wc -l <"$out")" -eq 3 ]
expect_out ' us of arena CPU a move, in a sandbox$'
expect_out '^start of a bot +[0-9.]+ ms, behind [a-z+]+ [0-9.]+ ms: -?[0-9.]+ ms more$'
expect_no_children

scenario 'programs are told the same'
arena 0 bench arena --moves 1000 --games 1 --sandbox --json
expect_json '[row.get("walls") for row in d] == [False, True, None]'
expect_json 'd[0]["moves"] >= 1000 and d[1]["moves"] >= 1000'
expect_json 'd[0]["arena_cpu_us_per_move"] > 0'
expect_json 'd[2]["start_ms"] > 0 and d[2]["start_ms_walls"] > 0'
expect_json 'd[2]["level"] in ("none", "process", "box")'

scenario 'a bot that does not get ready is told of'
arena 4 bench arena --moves 1000 --games 1 --bot /bin/false

scenario 'the way that uses margins needs fewer games than the others'
arena 0 bench verdict --blocks 150 --deals 8 --base-blunder 200 --json
expect_json 'd["blocks"] == 150 and d["margin"]["ratio"] == 1'
expect_json '0 < d["margin"]["games"] < d["pentanomial"]["games"]'
expect_json 'd["pentanomial"]["ratio_low"] < d["pentanomial"]["ratio"] < d["pentanomial"]["ratio_high"]'

scenario 'equal results show no effect, which no number of games proves'
arena 0 bench verdict --blocks 100 --base-blunder 0
expect_out '^  margins of pairs +inf  \(t 0\.0000\)$'
expect_out '^  pairs of games +inf  \(t 0\.0000\)$'

finish
