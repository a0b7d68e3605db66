# Goal: group `death` of tests/faulty/faults.tsv, bots that die, or misuse their
# pipes: each end is reported with its reason, and no game waits for a dead bot.
# Queue load: one script that loads the machine at a time.
. "$SRC/tests/e2e/faults.bash"

rows <<'END'
F046|exits on its turn|leaves|crash EXIT(0)
F046|exits on its turn with a status|leaves-3|crash EXIT(3)
F047|crashes on its turn|faults|crash CRASH(11)
F047|aborts on its turn|aborts|crash CRASH(6)
F048|kills itself|kills-itself|crash CRASH(9)
F049|answers and exits|answers-and-leaves|crash EXIT(0)
F050|closes its output|closes-output|crash EOF
F050|closes its output, and its time is up soon|closes-output|crash EOF|--tc move:0.1
F051|closes its input|closes-input|timeout TIMEOUT|--tc move:0.3
F052|exits, and a child keeps its output|leaves-child|crash EXIT(0)
F053|exits, and a grandchild answers|leaves-ghost|crash EXIT(0)
F054|stops reading|stops-reading|timeout TIMEOUT|--tc move:0.3
F055|writes 64 MB to stderr|errors|-
F056|writes escapes and results to stderr|fakes|-
F056|writes escapes to stderr and exits|fakes-and-leaves|crash EXIT(3)
F057|ends in a traceback|traceback|crash EXIT(1)
F113|reports that it gives up|gives-up|crash FATAL
F058|makes its descriptors non-blocking|unblocks|-
F059|crashes when it is told to quit|crashes-on-quit|-
F060|does not end when it is told to quit|stays|-
F060|computes when it is told to quit|spins-on-quit|-
F060|floods when it is told to quit|floods-on-quit|-
END

# Options that fill the pipe, so that the arena cannot send the question.
faulty_words=("option.a=$(printf '%040000d' 0)" "option.b=$(printf '%040000d' 0)")
for sandbox in $sandboxes; do
	scenario "F054 reads a byte every 50 ms (--sandbox $sandbox)"
	play_row F054 "$sandbox" reads-slowly 'timeout UNREAD' --tc move:0.3
done
# shellcheck disable=SC2034 # Of faults.bash.
faulty_words=()

scenario 'F048 a bot that killed itself is distinguished from one that the arena killed'
play_faulty off kills-itself
expect_out '"ended":"died of signal 9 \(SIGKILL\)"'
play_faulty off stops-reading --tc move:0.3 --hang-ms 200 --illegal substitute \
	--strikes 2
expect_line '^offence 1 kind=crash reason=HANG ' games.scopa
expect_no_out 'died of signal'

scenario 'F049 a move that the bot sent before its end counts'
play_faulty off answers-and-leaves
expect_lines 1 '^play 1 ' games.scopa

scenario 'F055 only the end of a long stderr is stored, and it is marked as cut'
play_faulty off errors-and-leaves
expect_out '"stderr":"\[cut\]'
expect_out 'last words\\n"'
expect [ "$(wc -c <"$out")" -lt 65536 ]

scenario 'F056 stderr of a bot is printed escaped, and does not count as a result'
arena 0 match "$faulty fakes-and-leaves" @first --deals 1 --seed 5
! LC_ALL=C grep -q '[^[:print:][:space:]]' "$out" "$err" ||
	fail 'an escape was printed'
expect_out '^result +bad 0  first 22, first won by forfeit$'
expect_out '^  stderr  : error: the arena has failed$'

scenario 'F057 the end of a traceback is shown'
arena 0 match "$faulty traceback" @first --deals 1 --seed 5
expect_out '^game 1 .* forfeit by bad: exited with status 1$'
expect_out '^  stderr  : ValueError: no such card$'

# The log of a run says how the bots ended; the result is not changed.
scenario 'F059 F060 the log shows bots that did not end well after quit'
# Bots that compute or flood after `quit` are killed like one that does not end.
# shellcheck disable=SC2046 # split into words
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

scenario 'F060 the arena waits for all bots that do not end at the same time'
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
# One after the other each bot would take a second.
expect [ "$took_ms" -le $((2 * honest_ms + grace_ms + slack_ms)) ]
expect_nothing_left

finish_groups death
