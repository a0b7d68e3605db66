# Goal: where bots think by turns no more than so many are asked at once, who
# waits pays nothing for it, games are the same, and no place is ever lost.
. "$SRC/tests/e2e/lib.sh"

# Tells in the file `thoughts` when it begins to think and when it has done so.
# What it does meanwhile is its first word:
#	meet   waits, once, until three think at the same time
#	nap    takes a fifth of a second once
#	sleep  never answers
#	die    is killed
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
		esac
		echo - >>thoughts
		answer'

# How many of them thought at once.
most_at_once() {
	awk '/[+]/ { if (++now > most) most = now } /-/ { now-- }
		END { print most }' thoughts
}

play() { # BOT OPTION...
	local bot=$1
	shift
	rm -f thoughts
	run "$SCOPA_ARENA" match "./thinker $bot" "./thinker $bot" --deals 1 \
		--concurrency 8 "$@"
}

for thinkers in 1 2 3; do
	bare_scenario "no more than $thinkers think at once"
	play plain --rounds 16 --thinkers $thinkers --json
	expect_exit 0
	expect_out '"games_played":16,'
	expect_out '"forfeits":0,'
	expect [ "$(most_at_once)" -le $thinkers ]
	expect [ "$(grep -c + thoughts)" -eq 576 ]
	expect_no_children
done

bare_scenario 'all may think at once where that is said'
play meet --rounds 8 --thinkers all
expect_exit 0
expect [ "$(most_at_once)" -ge 3 ]

bare_scenario 'without a clock all may think at once'
play meet --rounds 8 --tc none
expect_exit 0
expect [ "$(most_at_once)" -ge 3 ]

# Sixteen thoughts of a fifth of a second, one by one, are 3.2 s.
for tc in move:2.5 deal:2.5; do
	bare_scenario "who waits for a place pays nothing: $tc"
	play nap --rounds 8 --thinkers 1 --tc $tc --json
	expect_exit 0
	expect_out '"forfeits":0,'
	expect [ "$(most_at_once)" -eq 1 ]
done

scenario 'games are the same by turns and all at once'
for thinkers in 1 2 auto all; do
	arena 0 match @greedy @random --seed 2a --rounds 8 --duplicate \
		--deals 2 --concurrency 16 --tc move:5 --quiet \
		--thinkers $thinkers --record $thinkers.scopa
	settled $thinkers.scopa >$thinkers.record
	expect_same 1.record $thinkers.record
done

scenario 'so are those of bots that hear in steps, and are frozen meanwhile'
arena 0 match @greedy @random --seed 2a --rounds 8 --duplicate --deals 2 \
	--concurrency 16 --tc move:5 --quiet --thinkers 1 --answer-grid 1 \
	--no-ponder --record steps.scopa
settled steps.scopa >steps.record
expect_same 1.record steps.record

bare_scenario 'who dies at a place gives it back'
play die --rounds 8 --thinkers 1 --json
expect_exit 0
expect_out '"forfeits":8,'
expect_no_children

bare_scenario 'who is late gives its place back once it is ended'
play sleep --rounds 4 --thinkers 1 --tc move:0.1 --hang-ms 100 --json
expect_exit 0
expect_out '"forfeits":4,'
expect [ "$(grep -c + thoughts)" -eq 4 ]
expect_no_children

bare_scenario 'games that wait for a place can be stopped'
rm -f thoughts
start "$SCOPA_ARENA" match './thinker sleep' './thinker sleep' --deals 1 \
	--rounds 4 --concurrency 4 --thinkers 1 --tc move:600
await thoughts .
end_by INT
expect_exit 130
expect_no_children

# Uses three milliseconds of the processor for each move.
python_bot busy.py <<'END'
import time

def turn():
    end = time.process_time() + 0.003
    while time.process_time() < end:
        pass

END

if [ -e /proc/self/schedstat ]; then
	bare_scenario 'a bot that shares its core with other programs is not late'
	core=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
	hogs=
	for _ in 1 2; do
		taskset -c "$core" sh -c 'while :; do :; done' &
		hogs="$hogs $!"
	done
	run "$SCOPA_ARENA" match 'python3 busy.py' 'python3 busy.py' --deals 1 \
		--rounds 2 --concurrency 2 --pin "$core" --tc move:0.01 --json
	# shellcheck disable=SC2086 # One word each.
	kill $hogs
	expect_exit 0
	expect_out '"games_played":2,'
	expect_out '"timeout":0,'
	expect_no_out '"timeout":[1-9]'
else
	skip 'a bot that shares its core' 'no schedstat'
fi

scenario 'what is no number of thinkers is refused'
for bad in 0 -1 many 1025 1.5; do
	refuses '--thinkers' match @first @first --thinkers=$bad
done

finish
