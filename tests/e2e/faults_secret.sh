# Goal: group `secret` of tests/faulty/faults.tsv, bots that look for secrets,
# or communicate with each other: probe.sh tests most of them.  Here are bots
# that look for files of their earlier processes, and bots that help each other.
. "$SRC/tests/e2e/faults.bash"

sandboxed_rows <<'END'
F094|leaves files wherever it can|leaves-note|-
F094|finds no file of its earlier process|leaves-note|-
END

# The folder of the bot, in which it may write if it has no sandbox.
mkdir own
# shellcheck disable=SC2016 # for the bot
program note '! [ -e note.left ] || exit 7' 'touch note.left' 'exec "$1" honest'
for sandbox in $sandboxes; do
	row F094 "looks for a file of an earlier process in its folder: --sandbox $sandbox"
	for start in 1 2; do
		run "$SCOPA_ARENA" match --bot cmd=../note "args=$faulty" \
			dir=own --bot @first --deals 1 --sandbox "$sandbox"
		expect_exit "$([ "$sandbox$start" = off2 ] && echo 4 || echo 0)"
	done
	if [ "$sandbox" = off ]; then
		expect_err 'HS_EXIT\(7\)'
		rm own/note.left
	else
		expect_no_file own/note.left
	fi
done

# Captures as many cards as it can, but as few as it can against its friend.
# shellcheck disable=SC2016 # for the bot
shell_bot soft '
		best=
		for move in $moves; do
			if [ -z "$best" ] ||
				{ [ -z "$friend" ] && [ ${#move} -gt ${#best} ]; } ||
				{ [ -n "$friend" ] && [ ${#move} -lt ${#best} ]; }
			then
				best=$move
			fi
		done
		move=$best
		answer' '
	match) friend= ;;
	seat) case $rest in *" name=$2") friend=1 ;; esac ;;
	legal) moves="$first $rest" ;;'

# Plays a tournament of four bots; the friend of the first bot is NAME.
soft_tournament() { # NAME
	arena 0 tournament --bot cmd=./soft "args=soft $1" --bot cmd=@greedy \
		name=friend --bot @first --bot @random --rounds 30 --deals 2 \
		--seed 96 --run "run-$1"
}

row F096 'a bot that plays soft against its friend is reported'
soft_tournament friend
expect_out '^ODD +friend made \+[0-9.]+ points per deal against soft, the other results predict'
expect_lines 1 '^ODD' "$out"
run "$SCOPA_ARENA" status run-friend --json
expect [ "$(grep -o '"odd": *true' "$out" | wc -l)" -eq 1 ]

row F096 'a bot that plays soft against no opponent is not reported'
soft_tournament nobody
expect_no_out '^ODD'

finish_groups secret
