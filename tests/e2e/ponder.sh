# Goal: CPU time that a bot or its children use while it is not to move is
# measured and reported; a bot that only waits is not blamed, and a bot that is
# frozen meanwhile plays the same game.
. "$SRC/tests/e2e/lib.sh"

# Arguments: name, and seconds for an answer.  `pondering` has a helper that
# computes while the other bot thinks, and `dying` ends during a game.
# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot slow '
		[ -z "${helper-}" ] || kill "$helper"
		sleep "${2-0.06}"
		[ "$1 $turn_count" != "dying 4" ] || exit 3
		answer
		if [ "$1" = pondering ]; then
			while :; do :; done &
			helper=$!
		fi' '
	quit)
		[ -z "${helper-}" ] || kill "$helper"
		echo "$1" >>quits
		exit
		;;'

# shellcheck disable=SC2016 # for the bot
shell_bot unnamed 'echo "move $move"'

if [ ! -e "/proc/$$/task/$$/children" ]; then
	skip 'a bot that ponders is reported' 'this kernel does not name children'
	finish
fi

play() { # OPTION...
	rm -f games.scopa
	arena 0 match './slow pondering' './slow waiting' --deals 1 \
		--sandbox "$sandbox" --record games.scopa --json "$@"
	expect_no_children
}

for sandbox in $(sandboxes_here); do
	scenario "only a bot that ponders is reported: --sandbox $sandbox"
	play
	expect_json '[b["ponder_games"] for b in d["bots"]] == [1, 0]'
	expect_lines 1 '^ponder ' games.scopa
	expect_line '^ponder 1 cpu=[0-9]+\.[0-9]{6} wall=[0-9]+\.[0-9]{6} frozen=1$' games.scopa
	expect_verified games.scopa
	arena 0 record redact --seat 2 games.scopa
	expect_no_out '^ponder'
	run "$SCOPA_ARENA" record show games.scopa
	expect_out 'ponders \(PONDER\): [0-9.]+ s of CPU time'

	scenario "pondering gives the partner no more time: --sandbox $sandbox"
	rm -f games.scopa
	arena 0 match --rules scopone --deals 1 --tc move:0.4 \
		'./slow pondering' @first './slow late 30' @first \
		--sandbox "$sandbox" --record games.scopa
	# On a busy machine the bot of seat 1 may be late itself.
	expect_line '^offence [13] kind=timeout ' games.scopa
	expect_lines 0 '^void 3 .* by=1' games.scopa
	expect_no_children

	scenario "with --ponder no bot is frozen: --sandbox $sandbox"
	play --ponder
	expect_lines 0 'frozen' games.scopa

	scenario "with --no-ponder a bot cannot ponder: --sandbox $sandbox"
	play --no-ponder
	expect_json '[b["ponder_games"] for b in d["bots"]] == [0, 0]' \
		'd["forfeits"] == 0'
	expect_lines 0 '^ponder ' games.scopa

	# Without a turn id the time of a line tells which question it answers.
	arena 0 match ./unnamed @random --deals 1 --seed 5 --tc move:1 \
		--sandbox "$sandbox" --no-ponder --json
	expect_json 'd["forfeits"] == 0'

	scenario "freezing changes no game: --sandbox $sandbox"
	rm games.scopa
	for more in '' --no-ponder; do
		# shellcheck disable=SC2086 # no word, or one
		arena 0 match @greedy @random @first --seats 3 --rounds 20 \
			--deals 2 --seed 7 --sandbox "$sandbox" $more --quiet \
			--concurrency 3 --record games.scopa
		cp "$out" "result$more"
		grep '^play ' games.scopa | sed 's/ t=.*//' >"plays$more"
		rm games.scopa
	done
	expect_same result result--no-ponder
	expect_same plays plays--no-ponder
	expect_no_children

	scenario "a frozen bot may end, be late or hang: --sandbox $sandbox"
	arena 0 match './slow dying' './slow waiting' './slow late 0.6' \
		--seats 3 --deals 1 --tc move:0.4 --hang-ms 5000 \
		--illegal substitute --strikes 100 --no-ponder \
		--sandbox "$sandbox" --record games.scopa
	expect_line '^offence 1 kind=crash reason=EXIT\(3\)' games.scopa
	expect_line '^offence 3 kind=timeout' games.scopa
	expect_no_children
	expect_verified games.scopa
done

# The workers share a table, so that only an exact sum of their memory shows that
# it is below the limit; it takes some ms each time.
scenario 'the check of its memory is not what a bot computes'
cat >sharing.py <<-'END'
	import mmap
	import os
	import signal
	import sys

	table = mmap.mmap(-1, 300 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
	table.madvise(getattr(mmap, "MADV_NOHUGEPAGE", 15))
	for page in range(0, len(table), 4096):
	    table[page] = 1
	for _ in range(6):
	    if os.fork() == 0:
	        signal.pause()
	for line in sys.stdin:
	    verb, *words = line.split()
	    if verb == "usp":
	        print("id name=sharing\nuspok 1", flush=True)
	    elif verb == "isready":
	        print("readyok", flush=True)
	    elif verb == "legal":
	        move = words[0]
	    elif verb == "go":
	        print("move", move, words[0], flush=True)
	    elif verb == "quit":
	        break
END
arena 0 match 'python3 sharing.py' './slow late 1.5' --deals 1 --tc move:1 \
	--memory 1G --record sharing.scopa
expect_line '^offence 2 kind=timeout ' sharing.scopa
expect_lines 0 '^(void|ponder) ' sharing.scopa
expect_no_children

# The bytes come from the bot that is not to move, shortly before the deadline.
scenario 'bytes that are no line do not hide that a bot computes'
# shellcheck disable=SC2016 # for the bot
shell_bot burner '
		answer
		(while :; do :; done) &
		helper=$!
		(
			sleep 0.9
			for _ in 1 2 3 4 5 6 7 8 9; do printf "\1\n"; sleep 0.01; done
		) &' '
	quit) kill "$helper"; exit ;;'
arena 0 match ./burner './slow late 1.5' --deals 1 --tc move:1 --ponder \
	--pin none --record burner.scopa
expect_line '^void 2 .* by=1' burner.scopa
expect_no_children

scenario 'a run reports pondering, in its report and its events'
arena 0 tournament './slow pondering' './slow waiting' --name pondered \
	--deals 1 --rounds 1 --events events.jsonl
expect_out '^PONDER +pondering: [0-9.]+ s of CPU time .* in 2 games$'
expect_no_out '^PONDER +waiting'
expect_lines 2 '"event":"game_ponder".*"bot":"pondering"' events.jsonl
expect_no_children

bare_scenario 'frozen bots are sent quit at the end of the match'
rm -f quits
arena 0 match './slow one 0' './slow two 0' --deals 1 --no-ponder
expect [ "$(sort quits | tr '\n' ' ')" = 'one two ' ]

# A bot whose helper computes after its game, and bots that check whether this
# helper is stopped meanwhile.
# shellcheck disable=SC2016 # for the bots
shell_bot restless answer '
	match) [ -z "${helper-}" ] || kill "$helper" ;;
	endmatch)
		while :; do :; done &
		helper=$!
		echo "$helper" >helper
		;;'
# shellcheck disable=SC2016
shell_bot looker '
		if [ -e helper ] && [ ! -e stopped ]; then
			sleep 0.02
			read -r helper <helper
			read -r id name state rest <"/proc/$helper/stat"
			[ "$state" != T ] || : >stopped
		fi
		answer'

scenario 'a bot that computes between its games is frozen'
arena 0 tournament ./restless './looker one' './looker two' --deals 1 \
	--rounds 2 --concurrency 1 --sandbox off
expect_file stopped
expect_no_children

# shellcheck disable=SC2016
shell_bot stuck '
		if [ ! -e first ]; then
			echo "$$" >first
			sleep 5
		elif [ ! -e seen ]; then
			sleep 0.3
			kill -0 "$(cat first)" 2>/dev/null
			echo "$?" >seen
		fi
		answer'

scenario 'a bot that hangs after its game is killed before its successor starts'
arena 0 match ./stuck @first --deals 1 --rounds 3 --tc move:1 --sandbox off \
	--record games.scopa
expect_line '^offence 1 kind=timeout' games.scopa
expect [ "$(cat seen)" = 1 ]
expect_no_children

scenario '--ponder and --no-ponder exclude each other'
refuses '--ponder and --no-ponder exclude each other' match @first @first \
	--ponder --no-ponder
finish
