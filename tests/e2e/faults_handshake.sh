# Goal: group `handshake` of tests/faulty/faults.tsv, bots that do not get
# ready: each is reported with its reason, no other bot waits longer than the
# limit, and no process is left.
. "$SRC/tests/e2e/faults.bash"

rows <<'END'
F009|exits at once|exits|startup HS_EXIT(0)
F009|exits at once with a status|exits-3|startup HS_EXIT(3)
F010|crashes at once|crashes|startup HS_CRASH(11)
F011|never answers, asleep|mute|startup HS_TIMEOUT|--startup-ms 700
F012|never answers, busy|spins|startup HS_TIMEOUT|--startup-ms 700
F013|never reads|deaf|startup HS_TIMEOUT|--startup-ms 700
F014|closes all its descriptors and does not end|closes-all|startup HS_EOF
F015|floods before its handshake|babbles|startup HS_BAD
F016|says noise|noise|startup HS_BAD
F016|says half a line|half-line|startup HS_TIMEOUT|--startup-ms 700
F016|says a line without end|endless-hello|startup HS_BAD
F017|sends its handshake twice|hello-twice|-
F017|is ready twice|ready-twice|-
F018|answers with an unknown version|newer|startup HS_BAD(VERSION)
F018|asks for an unknown feature|flies|-
F018|asks for all cards during a game|peeks-late|-
F019|does not flush its answer|unflushed|startup HS_TIMEOUT|--startup-ms 700
F020|reads to the end before it answers|reads-to-the-end|startup HS_TIMEOUT|--startup-ms 700
END

for fault in unflushed reads-to-the-end; do
	scenario "F019 F020 a bot that does not flush its output gets a hint: $fault"
	# The arena waits 150 ms for output after the end of the input.  A busy
	# machine may not run the bot in that time: once, but not five times.
	for _ in 1 2 3 4 5; do
		play_faulty off "$fault" --startup-ms 1500
		! grep -q 'its input was closed' "$err" || break
	done
	expect_err '^error: bot "faulty" did not answer "usp 1" within 1.5 s$'
	expect_err '^  received: nothing$'
	expect_err '^  hint    : it answered only when its input was closed: did'
	expect_no_err '^  ended   : exited with status [0-9]+$'
	# Other bots wait no longer than these 150 ms.
	expect [ "$elapsed_ms" -le $((1500 + 250 + slack_ms)) ]
	expect_nothing_left
done

scenario 'F011 a bot that does not answer at all gets no hint to flush'
play_faulty off mute --startup-ms 300
expect_err '^error: bot "faulty" did not answer "usp 1" within 0.3 s$'
expect_no_err 'its input was closed'

scenario 'F016 a line without its end is shown'
play_faulty off half-line --startup-ms 300
expect_err '^  received: no whole line$'
expect_err '^  hint    : the last of its stdout, "id name=si", has no line end: '

scenario 'F009 stderr and exit status of a bot are shown'
play_faulty off wails
expect_err '^  stderr  : a line of the traceback$'
expect_err '^  ended   : exited with status 3$'

scenario 'F018 if the bot has another version, both versions are named'
play_faulty off newer
expect_err '^  received: "uspok 2"$'
expect_err '^  hint    : this arena offers version 1 of USP'

for sandbox in $sandboxes; do
	scenario "F018 a bot that asks for all cards is refused in rated games ($sandbox)"
	play_faulty "$sandbox" peeks
	expect_exit 2
	expect_err '^error: bot "faulty" wants to see all cards, which is for'
	expect_out '"games_played":0,'
	expect [ ! -s games.scopa ]
	expect_nothing_left
done

scenario 'F009 a tournament with a bot that exits starts it once, and plays no game'
arena 4 tournament "$faulty exits-3" "$faulty honest" @first --deals 1 \
	--rounds 10 --run absent --quiet
expect_err 'HS_EXIT\(3\)'
expect_no_children

# A bot that gets ready when it is first started and never again.
# shellcheck disable=SC2016 # for the bot
program fickle '[ ! -e called ] || exit 3' ': >called' 'exec "$1" honest'
scenario 'F009 a tournament suspends a bot after three failed starts'
rm -f called events
run "$SCOPA_ARENA" tournament --bot "cmd=./fickle $faulty" name=faulty \
	--bot "cmd=$faulty" args=honest name=witness --bot cmd=@first name=first \
	--deals 1 --rounds 10 --run fickle.run --events events \
	--sandbox off
expect_err '^suspended: faulty plays no more'
expect_lines 1 '"event":"suspend"' events
expect_line '"event":"suspend".*"bot":"faulty","reason":"startup","startup_failures":[34],' \
	events
expect [ "$(grep -c 'kind=startup reason=HS_EXIT(3) ' \
	fickle.run/records.scopa)" -ge 3 ]
expect_no_children

scenario 'F012 a bot that computes during its handshake delays no other match'
start "$SCOPA_ARENA" match "$faulty spins" @first --deals 1 --sandbox off \
	--startup-ms 1500
mkdir aside
(cd aside && "$SCOPA_ARENA" match "$faulty honest" "$faulty honest" --deals 1 \
	--rounds 50 --tc move:2 --json --sandbox off) >aside.json
expect_line '"games_played":50,.*"forfeits":0,' aside.json
reap

finish_groups handshake
