# Goal: bench arena tells what a move costs the arena, and what walls add to it
# and to the start of a bot.
. "$SRC/tests/e2e/lib.sh"

scenario 'a line for each number of games, as many as are asked for'
run "$SCOPA_ARENA" bench arena --moves 1000 --games 2
expect_exit 0
expect_err_empty
expect_out '^ +2 games at once +[0-9]+ moves/s +[0-9.]+ us of arena CPU a move$'
expect [ "$(wc -l <"$out")" -eq 1 ]

scenario 'behind walls everything is measured besides, and the start of a bot'
run "$SCOPA_ARENA" bench arena --moves 1000 --games 2 --sandbox
expect_exit 0
expect [ "$(wc -l <"$out")" -eq 3 ]
expect_out ' us of arena CPU a move, in a sandbox$'
expect_out '^start of a bot +[0-9.]+ ms, behind [a-z+]+ [0-9.]+ ms: -?[0-9.]+ ms more$'
expect_no_children

scenario 'programs are told the same'
run "$SCOPA_ARENA" bench arena --moves 1000 --games 1 --sandbox --json
expect_exit 0
python3 - "$out" <<'END' || fail 'the JSON does not say the same'
import json, sys
bare, walled, start = json.load(open(sys.argv[1]))
assert not bare['walls'] and walled['walls']
assert bare['moves'] >= 1000 and walled['moves'] >= 1000
assert bare['arena_cpu_us_per_move'] > 0
assert start['start_ms'] > 0 and start['start_ms_walls'] > 0
assert start['level'] in ('none', 'process', 'box')
END

scenario 'a bot that does not get ready is told of'
run "$SCOPA_ARENA" bench arena --moves 1000 --games 1 --bot /bin/false
expect_exit 4

finish
