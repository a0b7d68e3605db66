# Goal: the author of a bot sees in the output of `match` why it has lost.
. "$SRC/tests/e2e/lib.sh"

cat >bot.py <<'BOT'
import sys
for line in sys.stdin:
    verb, *rest = line.split() or [""]
    if verb == "usp":
        print("id name=mine\nuspok 1", flush=True)
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "go":
        print(sys.argv[1].replace("ID", rest[0]), flush=True)
    elif verb == "quit":
        break
BOT

play() { # ANSWER OPTION...
	local answer=$1
	shift
	run "$SCOPA_ARENA" match "python3 bot.py '$answer'" @greedy --seed 5 \
		--tc move:0.3 "$@"
	expect_exit 0
	expect_out '^faults  mine +lost [0-9]+ of [0-9]+ games? by an offence'
	expect_out '^  hand    : AD 3S JD$'
	expect_out '^  table   : 4B 5S 7D QD$'
	expect_out '^  legal   : AD 3S JD$'
	expect_out '^  expected: move MOVE turn=[0-9a-f]{16}$'
	expect_out '^  state   : state rules=scopa seats=2 .* hand=AD3SJD '
}

scenario 'an illegal move, in every game, with --quiet too'
play 'move KD ID' --rounds 3 --quiet
expect_out '^faults  mine +lost 3 of 3 games by an offence; in game 1: illegal'
expect_out '^  received: move KD turn='
expect_out '^  wrong   : The card is not in your hand\.$'

scenario 'a word of another protocol'
play 'bestmove 7D'
expect_out '^  received: bestmove 7D$'
expect_out '^  hint    : "bestmove" is a word of UCI'

scenario 'an answer to another question'
play 'move AD turn=99'
expect_out '^  received: move AD turn=99$'
expect_out '^  hint    : 1 answer had another turn='

scenario 'the position can be read by programs'
run "$SCOPA_ARENA" match "python3 bot.py 'move KD ID'" @greedy --seed 5 --json
expect_exit 0
expect_json 'd["games"][0]["fault"]["state"].startswith("state rules=scopa ")'
finish
