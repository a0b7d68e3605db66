# Goal: group `death` of tests/faulty/faults.tsv, bots that die, or do not use their pipes as
# they should: each end is reported by its reason, and nobody waits for the dead.
# Queue load: one script that loads the machine at a time.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/faults.bash"

rows <<'END'
F046|exits on its turn|leaves|crash EXIT(0)
F046|exits on its turn with a status|leaves-3|crash EXIT(3)
F047|crashes on its turn|faults|crash CRASH(11)
F047|aborts on its turn|aborts|crash CRASH(6)
F048|kills itself|kills-itself|crash CRASH(9)
F049|answers and exits|answers-and-leaves|crash EXIT(0)
F050|closes its output|closes-output|crash EOF
F051|closes its input|closes-input|timeout TIMEOUT|--tc move:0.3
F052|exits, and a child keeps its output|leaves-child|crash EXIT(0)
F053|exits, and a grandchild answers|leaves-ghost|crash EXIT(0)
F054|stops reading|stops-reading|timeout TIMEOUT|--tc move:0.3
F055|says 64 MB of errors|errors|-
F056|says escapes and results as errors|fakes|-
F056|says them and exits|fakes-and-leaves|crash EXIT(3)
F057|ends in a traceback|traceback|crash EXIT(1)
F113|gives up|gives-up|crash FATAL
F058|makes its descriptors non-blocking|unblocks|-
F059|crashes when it is sent away|crashes-on-quit|-
F060|does not go when it is sent away|stays|-
F060|computes when it is sent away|spins-on-quit|-
F060|floods when it is sent away|floods-on-quit|-
END

# Options that do not fit into a pipe, so that the question does not.
faulty_words=("option.a=$(printf '%040000d' 0)" "option.b=$(printf '%040000d' 0)")
for sandbox in $sandboxes; do
	scenario "F054 reads a byte per 50 ms (--sandbox $sandbox)"
	play_row F054 "$sandbox" reads-slowly 'timeout UNREAD' --tc move:0.3
done
# shellcheck disable=SC2034 # Of faults.bash.
faulty_words=()

scenario 'F048 a bot that killed itself is distinguished from one that the arena killed'
confront off kills-itself
expect_out '"ended":"died of signal 9 \(SIGKILL\)"'
confront off stops-reading --tc move:0.3 --hang-ms 200 --illegal substitute \
	--strikes 2
expect_line '^offence 1 kind=crash reason=HANG ' games.scopa
expect_no_out 'died of signal'

scenario 'F049 a move that was made before the end counts'
confront off answers-and-leaves
expect_lines 1 '^play 1 ' games.scopa

scenario 'F055 of much that is written to stderr the end is kept, and marked'
confront off errors-and-leaves
expect_out '"stderr":"\[cut\]'
expect_out 'last words\\n"'
expect [ "$(wc -c <"$out")" -lt 65536 ]

scenario 'F056 what is written to stderr is printed escaped, and is no result'
arena 0 match "$faulty fakes-and-leaves" @first --deals 1 --seed 5
! LC_ALL=C grep -q '[^[:print:][:space:]]' "$out" "$err" ||
	fail 'an escape was printed'
expect_out '^result +bad 0  first 22, first won by forfeit$'
expect_out '^  stderr  : error: the arena has failed$'

scenario 'F057 the end of a traceback is shown'
arena 0 match "$faulty traceback" @first --deals 1 --seed 5
expect_out '^game 1 .* forfeit by bad: exited with status 1$'
expect_out '^  stderr  : ValueError: no such card$'

# The log of a run says how they went; the result stands.
scenario 'F059 F060 how bots ended that were asked to quit is noted'
# Bots that compute or flood then are ended as one that stays is.
# shellcheck disable=SC2046 # words on purpose
for fault in crashes-on-quit stays honest \
	$(few_or_all '' 'spins-on-quit floods-on-quit'); do
	arena 0 tournament --bot "cmd=$faulty" "args=$fault" name=faulty \
		@first --rounds 1 --deals 1 --run "parts-$fault"
	expect_out '^played .* 2 games'
	case $fault in
	crashes-on-quit) how='died of signal 11 ' ;;
	honest) how= ;;
	*) how='was killed by the arena' ;;
	esac
	note="info  bot \"bad\", asked to quit, $how"
	if [ -n "$how" ]; then
		expect_line "$note" "parts-$fault/log.txt"
	else
		expect_no_line "$note" "parts-$fault/log.txt"
	fi
done

scenario 'F060 bots that do not go are waited for all at once'
bots=$(($(ulimit -Hn) / 8))
[ "$bots" -le 200 ] || bots=$(few_or_all 200 1000)
games=$((bots / 2))
for fault in honest stays; do
	began=$(now_ms)
	arena 0 match "$faulty $fault" "$faulty $fault" --deals 1 \
		--sandbox off --rounds "$games" --concurrency "$games" --quiet \
		--startup-ms 60000 --tc move:60
	took_ms=$(($(now_ms) - began))
	[ "$fault" = stays ] || honest_ms=$took_ms
done
echo "# $bots bots: $honest_ms ms, with the grace $took_ms ms"
# One after another they would take a second each.
expect [ "$took_ms" -le $((2 * honest_ms + grace_ms + slack_ms)) ]
expect_nothing_left

finish_groups death
