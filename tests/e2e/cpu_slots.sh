# Goal: with --thinkers N at most N bots are asked for a move at the same time,
# the clock of a bot that waits for a slot stands still, the games are the same,
# and every slot is released.
. "$SRC/tests/e2e/lib.sh"

# Writes to the file `thoughts` when it begins to think and when it has finished.
# Its first argument says what it does meanwhile:
#	meet   waits, once, until three bots think at the same time
#	nap    sleeps for a fifth of a second once
#	sleep  never answers
#	die    is killed
#	deaf   closes its stdin, and does not answer any more
# shellcheck disable=SC2016 # for the bot
shell_bot thinker '
		echo + >>thoughts
		case $1$turn_count in
		meet1)
			tries=0
			until [ "$(grep -c + thoughts)" -ge 3 ] ||
				[ $tries -ge 600 ]; do
				tries=$((tries + 1))
				sleep 0.05
			done
			;;
		nap1) sleep 0.2 ;;
		sleep*) exec sleep 1000 ;;
		die*) kill -KILL $$ ;;
		deaf*)
			exec <&-
			answer
			exec sleep 1000
			;;
		esac
		echo - >>thoughts
		answer'

# Prints how many bots thought at the same time.
most_at_once() {
	awk '/[+]/ { if (++now > most) most = now } /-/ { now-- }
		END { print most }' thoughts
}

play() { # BOT OPTION...
	rm -f thoughts
	arena 0 match "./thinker $1" "./thinker $1" --deals 1 --concurrency 8 "${@:2}"
}

for thinkers in 1 2 3; do
	bare_scenario "at most $thinkers bots think at the same time"
	play plain --rounds 16 --thinkers $thinkers --json
	expect_out '"games_played":16,' '"forfeits":0,'
	expect [ "$(most_at_once)" -le $thinkers ]
	expect [ "$(grep -c + thoughts)" -eq 576 ]
	expect_no_children
done

bare_scenario 'with --thinkers all no bot waits for a slot'
play meet --rounds 8 --thinkers all
expect [ "$(most_at_once)" -ge 3 ]

bare_scenario 'without a clock no bot waits for a slot'
play meet --rounds 8 --tc none
expect [ "$(most_at_once)" -ge 3 ]

# Sixteen times a fifth of a second, one after the other, is 3.2 s.
for tc in move:2.5 deal:2.5; do
	bare_scenario "the clock of a bot that waits for a slot stands still: $tc"
	play nap --rounds 8 --thinkers 1 --tc $tc --json
	expect_out '"forfeits":0,'
	expect [ "$(most_at_once)" -eq 1 ]
done

scenario 'games are the same for every number of thinkers'
for thinkers in 1 2 auto all; do
	arena 0 match @greedy @random --seed 2a --rounds 8 --duplicate \
		--deals 2 --concurrency 16 --tc move:5 --quiet \
		--thinkers $thinkers --record $thinkers.scopa
	expect_same_games 1.scopa $thinkers.scopa
done

scenario 'games are the same with --answer-grid and --no-ponder'
arena 0 match @greedy @random --seed 2a --rounds 8 --duplicate --deals 2 \
	--concurrency 16 --tc move:5 --quiet --thinkers 1 --answer-grid 1 \
	--no-ponder --record steps.scopa
expect_same_games 1.scopa steps.scopa

bare_scenario 'a bot that dies releases its slot'
play die --rounds 8 --thinkers 1 --json
expect_out '"forfeits":8,'
expect_no_children

bare_scenario 'a bot that is late releases its slot when it is killed'
play sleep --rounds 4 --thinkers 1 --tc move:0.1 --hang-ms 100 --json
expect_out '"forfeits":4,'
expect [ "$(grep -c + thoughts)" -eq 4 ]
expect_no_children

bare_scenario 'the clock of a bot that has closed its stdin runs'
play deaf --rounds 4 --thinkers 1 --tc move:0.2 --json
expect_out '"forfeits":4,'
expect_no_children

bare_scenario 'a match whose games wait for a slot can be stopped'
rm -f thoughts
start "$SCOPA_ARENA" match './thinker sleep' './thinker sleep' --deals 1 \
	--rounds 4 --concurrency 4 --thinkers 1 --tc move:600
await thoughts .
end_by INT 130
expect_no_children

# Uses three milliseconds of CPU time for each move.
python_bot busy.py <<'END'
import time

def turn(*_):
    end = time.process_time() + 0.003
    while time.process_time() < end:
        pass

END

if [ -e /proc/self/schedstat ]; then
	bare_scenario 'a bot that shares its core with other programs is not late'
	core=$(cores_here | sed 's/[-,].*//')
	run_beside 2 "$core" "$SCOPA_ARENA" match 'python3 busy.py' \
		'python3 busy.py' --deals 1 --rounds 2 --concurrency 2 \
		--pin "$core" --tc move:0.01 --json
	expect_exit 0
	expect_out '"games_played":2,' '"timeout":0,'
	expect_no_out '"timeout":[1-9]'
else
	skip 'a bot that shares its core' 'no schedstat'
fi

scenario 'a wrong number of thinkers is refused'
for bad in 0 -1 many 1025 1.5; do
	refuses '--thinkers' match @first @first --thinkers=$bad
done

finish
