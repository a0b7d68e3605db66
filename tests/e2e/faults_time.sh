# Goal: group `time` of tests/faulty/faults.tsv, bots and machines that are
# late: a bot loses only by its own time.
. "$SRC/tests/e2e/faults.bash"

rows <<'END'
F061|sleeps on its turn|sleeps|timeout TIMEOUT|--tc move:0.7
F061|computes on its turn|computes|timeout TIMEOUT|--tc move:0.7
F061|computes on its turn, beside its own processes|crowds|timeout TIMEOUT|--tc move:0.7
F062|stops itself|stops|timeout TIMEOUT|--tc move:0.7
F063|answers before its time is up|answers-after 1000|-|--tc move:4
F063|answers when its time is up|answers-after 800|timeout TIMEOUT|--tc move:0.7
F064|uses up its clock for the match|answers-after 200 always|timeout FLAG|--tc match:1
END

row F063 'the record contains the time of each move'
play_faulty off 'answers-after 1000' --tc move:4
expect_honest_end
took=$(sed -n 's/^play 1 .* t=\([0-9.]*\).*/\1/p' games.scopa | head -n 1)
expect awk -v took="$took" 'BEGIN { exit !(took >= 0.9 && took <= 4) }'

# The opponent takes 200 ms for a move, and the bot computes meanwhile.
for sandbox in $sandboxes; do
	for fault in ponders ponders-unseen; do
		row F065 "computes while the other bot is to move ($fault, --sandbox $sandbox)"
		run "$SCOPA_ARENA" match --bot "cmd=$faulty" "args=$fault" \
			name=faulty --bot "cmd=$faulty" \
			'args=answers-after 200 always' name=witness \
			--deals 1 --seed 5 --sandbox "$sandbox" --json \
			--record games.scopa
		expect_honest_end
		expect_lines 1 '^ponder 1 .*frozen=1' games.scopa
		expect_lines 0 '^ponder 2 ' games.scopa
		expect_verified games.scopa
		expect_nothing_left
		rm -f games.scopa
	done
done

row F068 'a machine that is busy with other programs costs no bot its game'
run_beside $((3 * $(nproc))) "$(cores_here)" "$SCOPA_ARENA" match @greedy \
	@random --deals 1 --rounds 40 --seed 5 --tc move:1 --concurrency 2 \
	--record busy.scopa --json
expect_exit 0
expect_lines 40 '^endmatch .* reason=deals$' busy.scopa
expect_no_line '^offence' busy.scopa
expect_no_children

finish_groups time
