# Goal: group H of tests/faulty/faults.tsv, bots that look where they should not, or
# talk to each other: the probe and the colluding pair of probe.sh, and who comes
# back to what he has left.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/faults.bash"

# shellcheck disable=SC2016 # a variable of that file
shut='behind $level the probe finds shut what is promised'
# shellcheck disable=SC2016
silent='behind $level two bots cannot tell each other a number'

elsewhere F088 e2e/probe.sh "$shut"
elsewhere F088 e2e/probe.sh 'without walls the probe finds ways open'
elsewhere F089 e2e/probe.sh 'arena and environment leave a bot nothing, walls or not'
elsewhere F089 e2e/probe.sh "$shut"
elsewhere F090 e2e/walls.sh 'neither record nor run can be read'
elsewhere F090 e2e/probe.sh "$shut"
# shellcheck disable=SC2016 # a variable of that file
elsewhere F090 e2e/hidden.sh 'behind $level a bot reads no run and no record'
elsewhere F091 e2e/walls.sh 'behind walls it reaches nothing'
elsewhere F091 e2e/probe.sh "$shut"
elsewhere F092 e2e/probe.sh "$silent"
elsewhere F092 e2e/probe.sh 'without walls two bots can tell each other a number'
elsewhere F093 e2e/probe.sh "$silent"
# shellcheck disable=SC2016 # a variable of that file
elsewhere F093 e2e/probe.sh 'behind $level two that may share futexes can'

walled_rows <<'END'
F094|leaves word wherever it can|leaves-note|-
F094|finds no word of its past life|leaves-note|-
END

# In a folder that is its own, where it may write when there are no walls.
row F094 'without walls it finds what it has left'
mkdir own
cat >note <<'END'
#!/bin/sh
! [ -e note.left ] || exit 7
touch note.left
exec "$1" honest
END
chmod +x note
for life in 1 2; do
	run "$SCOPA_ARENA" match --bot cmd=../note "args=$faulty" dir=own \
		--bot @first --deals 1 --sandbox off
	expect_exit $((life == 1 ? 0 : 4))
done
expect_err 'HS_EXIT\(7\)'
rm own/note.left
if [ "$sandboxes" != off ]; then
	row F094 'behind walls it does not, in its own folder either'
	for life in 1 2; do
		run "$SCOPA_ARENA" match --bot cmd=../note "args=$faulty" dir=own \
			--bot @first --deals 1 --sandbox auto
		expect_exit 0
	done
	expect_no_file own/note.left
fi

# All of the secret goes through one known generator, which is what its vectors
# say and draws evenly; and no byte for a seat depends on hidden cards.
elsewhere F095 test_shuffle.c test_every_vector_passes
elsewhere F095 test_shuffle.c test_stream_is_that_of_libsodium
elsewhere F095 test_shuffle.c test_every_number_below_a_bound_is_equally_likely
elsewhere F095 test_flow_hidden.c test_exchanging_hidden_cards_changes_no_byte_for_the_seat

# Takes as many cards as it can, but as few as it can from its friend.
cat >soft <<'END'
#!/bin/sh
while read -r verb rest; do
	case $verb in
	usp) printf 'id name=%s\nuspok 1\n' "$1" ;;
	isready) echo readyok ;;
	match) friend= ;;
	seat) case $rest in *" name=$2") friend=1 ;; esac ;;
	legal)
		best=
		for move in $rest; do
			if [ -z "$best" ] ||
				{ [ -z "$friend" ] && [ ${#move} -gt ${#best} ]; } ||
				{ [ -n "$friend" ] && [ ${#move} -lt ${#best} ]; }
			then
				best=$move
			fi
		done
		;;
	go) echo "move $best ${rest%% *}" ;;
	quit) exit 0 ;;
	esac
done
END
chmod +x soft

# Of four bots that meet each other; the friend of the first is NAME.
soft_tournament() { # NAME
	run "$SCOPA_ARENA" tournament --bot cmd=./soft "args=soft $1" \
		--bot cmd=@greedy name=friend --bot @first --bot @random \
		--rounds 30 --deals 2 --seed 96 --run "run-$1"
	expect_exit 0
}

row F096 'a bot that plays soft against its friend is told of'
soft_tournament friend
expect_out '^ODD +friend made \+[0-9.]+ points per deal against soft, the other results predict'
expect [ "$(grep -c '^ODD' "$out")" -eq 1 ]
run "$SCOPA_ARENA" status run-friend --json
expect [ "$(grep -o '"odd": *true' "$out" | wc -l)" -eq 1 ]

row F096 'who is nobody'"'"'s friend is not'
soft_tournament nobody
expect_no_out '^ODD'

finish_group H
