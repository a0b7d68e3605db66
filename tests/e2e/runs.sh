# Goal: a run survives signals, a kill at any instant, a full disk, damaged
# records and a second arena; and its results can be made from its records
# alone.
. "$SRC/tests/e2e/lib.sh"

bots=(@greedy @random @first @greedy)
options=(--rounds 10 --deals 1 --rules scopa --seed 11 --concurrency 4)
blocks=60 # of 6 pairs, with 2 games each
endless=(@greedy @random --rounds 100000 --deals 1 --seed 5)

expect_rebuilt() { # RUN
	arena 0 db rebuild "$1"
	expect_out 'identical'
}

scenario 'an undisturbed round robin is played'
arena 0 tournament "${bots[@]}" "${options[@]}" --run whole
expect_no_children
expect_lines $((2 * blocks)) '^match ' whole/records.scopa

scenario 'a run that is killed at random instants ends with the same results'
kills=0
status=137
while [ "$status" -eq 137 ]; do
	if [ -e killed/config.ini ]; then
		start "$SCOPA_ARENA" resume killed
	else
		start "$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" \
			--run killed
	fi
	# The last process is not killed.
	if [ "$kills" -lt "$(few_or_all 12 25)" ]; then
		sleep_below_100_ms
		end_by KILL
	else
		reap_all
	fi
	kills=$((kills + 1))
done
expect_exit 0
expect [ "$kills" -gt 1 ]
echo "# killed $((kills - 1)) times"
expect_same_run killed whole
expect_verified killed/records.scopa

scenario 'workers that are killed are replaced, and the results are the same'
killed=0
# On a slow machine a run may end before many of its workers are killed.
for _ in $(seq 20); do
	rm -rf replaced
	start "$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" \
		--run replaced
	await replaced/attempts.txt '^begun [1-9]'
	for _ in $(seq 8); do
		# A run that is stopped cannot end meanwhile.
		kill -STOP "$arena" 2>/dev/null
		worker=$(workers_of "$arena" | shuf -n 1)
		[ -z "$worker" ] || kill -KILL "$worker" 2>/dev/null
		kill -CONT "$arena" 2>/dev/null
		sleep_below_100_ms
	done
	reap_all
	expect_exit 0
	expect_same_run replaced whole
	killed=$((killed + $(grep -c 'ENV_ERR: worker process .* is replaced' \
		replaced/log.txt)))
	[ "$killed" -lt 3 ] || break
done
echo "# $killed workers were replaced"
expect [ "$killed" -ge 3 ]
expect_verified replaced/records.scopa

scenario 'a run that has ended is not played again'
cp killed/records.scopa before
arena 0 resume killed
expect_same before killed/records.scopa

scenario 'db rebuild makes the same results from the records alone'
"$SCOPA_ARENA" status killed --json >status.before
expect_rebuilt killed
"$SCOPA_ARENA" status killed --json >status.after
expect_same status.before status.after
rm killed/results.db*
arena 0 db rebuild killed
expect_same_run killed whole

without_sandbox
rm -rf whole
"$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" --run whole --quiet >"$out"
cp -r whole copy

for signal in INT TERM; do
	scenario "SIG$signal finishes the running blocks, and resume is suggested"
	start "$SCOPA_ARENA" tournament "${endless[@]}" --run "stopped-$signal"
	await_results "stopped-$signal"
	end_by "$signal"
	expect_signalled "$signal"
	expect_err "resume stopped-$signal"
	games=$(grep -c '^match ' "stopped-$signal/records.scopa")
	expect [ $((games % 2)) -eq 0 ]
	expect_lines "$games" '^sum ' "stopped-$signal/records.scopa"
	arena 0 status "stopped-$signal"
	expect_out 'resume'
done

scenario 'a second arena on the same run is refused, with the pid of the first'
start "$SCOPA_ARENA" tournament "${endless[@]}" --run shared
await_results shared
first=$arena
arena 5 resume shared
expect_err "$first"
# Its results can be read meanwhile.
arena 0 status shared --quiet
end_by INT 130

# With less room all games might be over before the disk is full.
tight=(prlimit --fsize=200000:unlimited "$SCOPA_ARENA")
for room in 200000 50000; do
	scenario "a run waits while its disk of $room bytes is full"
	rm -rf full
	start prlimit --fsize=$room:unlimited "$SCOPA_ARENA" tournament \
		"${bots[@]}" "${options[@]}" --run full
	await "$err" '^error: '
	expect_err 'waits until there is room'
	expect "$SCOPA_ARENA" status full --quiet >/dev/null
	expect prlimit --pid "$arena" --fsize=unlimited
	reap_all 0
	expect_err 'room again'
	expect_same_run full whole
done

scenario 'a run ends after --disk-wait on a full disk, and can be resumed'
expect_run 75 "${tight[@]}" tournament "${bots[@]}" "${options[@]}" \
	--run waited --disk-wait 1
expect_err 'waits until there is room' '^  waited  : 1 s$' 'resume waited' \
	'^  blocks  : [0-9]+ could not be stored; .resume. plays them again$'
expect_no_children
# A resumed run has a wait of its own.
expect_run 75 "${tight[@]}" resume waited --disk-wait 1
arena 0 resume waited
expect_same_run waited whole

scenario 'a run on a full disk can be interrupted and resumed'
start "${tight[@]}" tournament "${bots[@]}" "${options[@]}" --run held --full
await "$err" '^error: '
end_by INT 5
expect_err 'hint *: .*raise ulimit -f' 'resume held'
# The results that are shown are those that were stored.
kept=$(sed -n 's/^played .* \([0-9]*\) games, .*/\1/p' "$out")
expect [ "$kept" -gt 0 ]
expect_lines "$kept" '^match ' held/records.scopa
"$SCOPA_ARENA" status --full held >held.status
grep '^played ' held.status >held.played
expect grep -qxFf held.played "$out"
expect [ "$(sed -n 's/^chain //p' "$out")" = \
	"$(sed -n 's/^chain //p' held.status)" ]
arena 0 resume held
expect_same_run held whole

# Makes the copy `hurt` of a run, and damages the records of these games.
damage() { # RUN GAME...
	local game
	rm -rf hurt
	cp -r "$1" hurt
	for game in "${@:2}"; do
		sed -i "$(($(line_of "$1/records.scopa" "^match m$game ") + 9))s/./!/" \
			hurt/records.scopa
	done
}

# Expects that only the damaged blocks are lost and played again.
expect_mended() { # BLOCK SAVED
	local lost=$((blocks - $1 - $2))
	cp hurt/records.scopa damaged
	arena 1 db rebuild hurt
	expect_out "^bad +block $1: the records \"hurt/records.scopa\", line [0-9]+: "
	[ "$2" -eq 0 ] ||
		expect_out "^saved +$2 blocks? after it, in hurt/salvage.scopa\$"
	if [ "$lost" -gt 0 ]; then
		expect_out "^lost +$lost blocks? without a record\$"
	else
		expect_no_out '^lost'
	fi
	expect_out '^kept +hurt/results.db.old$'
	expect_out '^kept +hurt/records.scopa.old$'
	expect_out '^next +[^ ]*scopa-arena resume hurt '
	expect_same damaged hurt/records.scopa.old
	run "$SCOPA_ARENA" status hurt
	expect_out '^run +hurt, interrupted$'
	expect_out "^played .*, $((2 * $1 - 2)) games,"
	arena 0 resume hurt --quiet
	expect_no_file hurt/salvage.scopa
	expect_same_run hurt whole
	arena 0 record verify --quiet hurt/records.scopa
	expect_out "^$((2 * blocks)) records: $((2 * blocks)) good"
	# Blocks that were saved were not played again.
	for game in $((2 * $1 + 1)) $((2 * blocks)); do
		[ "$2" -eq 0 ] || [ "$(sed -n "/^match m$game /,/^sum /p" \
			whole/records.scopa)" = "$(sed -n \
			"/^match m$game /,/^sum /p" hurt/records.scopa)" ] ||
			fail "game $game was played again"
	done
	expect_rebuilt hurt
}

for block in $(few_or_all '2 30' '1 2 30 59'); do
	scenario "if block $block of a run is damaged, only this block is played again"
	damage whole $((2 * block))
	expect_mended "$block" $((blocks - block))
done

scenario 'if the last block of a run is damaged, only this block is played again'
damage whole 119
expect_mended 60 0

scenario 'if a game in the middle of a run is missing, its block is played again'
damage whole
sed -i '/^match m50 /,/^sum /d' hurt/records.scopa
expect_mended 25 35

scenario 'if many blocks of a run are damaged, the others are saved'
# These games are in the blocks 21, 30, 31 and 50.
damage whole 41 60 61 100
expect_mended 21 36

scenario 'saved blocks survive when resume is killed'
damage whole 21 101
arena 1 db rebuild hurt
for _ in 1 2 3 4 5 6; do
	start "$SCOPA_ARENA" resume hurt
	sleep_below_100_ms
	end_by KILL
done
arena 0 resume hurt --quiet
expect_same_run hurt whole

for format in $(few_or_all 'ladder knockout' 'swiss ladder knockout'); do
	scenario "a $format with a damaged block ends with the same results"
	rm -rf first
	arena 0 tournament "${bots[@]}" --format "$format" --rounds 4 --deals 1 \
		--seed 7 --run first --quiet
	damage first 5
	arena 1 db rebuild hurt
	expect_out '^bad +block 3: '
	arena 0 resume hurt --quiet
	expect_same_games first hurt
	arena 6 record verify --fair hurt
done

scenario 'one block of one game is printed in the singular'
arena 0 tournament @greedy @random --rounds 1 --deals 1 --no-duplicate \
	--run single
expect_out '^played .* 1 of 1 block of 1 game, 1 game, 1 deal$'
arena 0 db rebuild single
expect_out '^single: 1 block, 1 game read again$'

scenario 'records of another run are refused, and not treated as damaged'
damage whole
cp first/records.scopa hurt/records.scopa
cp hurt/results.db results.before
arena 5 db rebuild hurt
expect_error 'records "hurt/records.scopa", line'
expect_same results.before hurt/results.db
expect_no_file hurt/salvage.scopa

scenario 'db rebuild of a run without results restores its state'
arena 0 tournament @greedy @random --rounds 3 --deals 1 --run over
arena 0 tournament @greedy @random --rounds 3 --run waits --announce
run "$SCOPA_ARENA" gate @greedy @first --rules scopa --run judged --quiet
gate=$status
for signal in INT KILL; do
	start "$SCOPA_ARENA" tournament "${endless[@]}" --run "ended-$signal"
	await_results "ended-$signal"
	end_by "$signal"
done
start "$SCOPA_ARENA" tournament "${endless[@]}" --deals 500 --run hasty
await hasty/attempts.txt '^begun [1-9]'
kill -INT "$arena"
await "$err" 'once more to stop at once'
end_by INT
while read -r name state; do
	facts='^\(run\|seed\|verdict\) '
	"$SCOPA_ARENA" status "$name" | grep "$facts" >"$name.before"
	rm "$name"/results.db*
	arena 0 db rebuild "$name"
	arena 0 status "$name"
	expect_out "^run +$name, $state\$"
	grep "$facts" "$out" >"$name.after"
	expect_same "$name.before" "$name.after"
	case $state in
	done | stopped) expect_out "^next .*report $name\$" ;;
	*) expect_out "^next .*resume $name\$" ;;
	esac
done <<'END'
over done
waits announced
judged done
ended-INT interrupted
ended-KILL broken off
hasty interrupted
END
arena "$gate" resume judged --quiet
arena 0 record verify --fair over

# Two bots: the file of the first is changed, that of the second is removed.
cp "$SCOPA_BOT" mybot
for bot in bot.sh gone.sh; do program $bot "exec '$PWD/mybot' random"; done

scenario 'resume refuses a changed bot'
start "$SCOPA_ARENA" tournament ./bot.sh @random --rounds 5000 --deals 1 \
	--seed 5 --run changed
await_results changed
end_by INT
cp changed/records.scopa before
echo '# changed' >>bot.sh
refuses 'changed' resume changed
expect_same before changed/records.scopa

scenario 'results of a run can be read when its bots and packs were removed'
grep -m 3 '^pack ' whole/records.scopa | sed 's/.*cards=//' >gone.packs
arena 0 tournament ./gone.sh @random --rounds 3 --deals 1 --packs gone.packs \
	--run gone
rm gone.sh gone.packs
arena 0 status --full gone
expect_out 'gone.packs'
expect_rebuilt gone
rm gone/results.db
arena 0 db rebuild gone
refuses 'gone.sh' resume gone

scenario 'a folder that is no run, or that exists already, is refused'
mkdir none
refuses 'there is no run in "none"' resume none
expect_err '^  hint    : the folder is empty; '
run "$SCOPA_ARENA" status nowhere
expect_error '.'
run "$SCOPA_ARENA" tournament @greedy @random --rounds 1 --run whole
expect_error 'whole'
deep=$(printf '%0250d/%0250d' 1 1)
mkdir -p "$deep"
arena 5 tournament @greedy @random --rounds 1 --run "$deep/run"
expect_error 'path from the root on has more than 504 bytes'
expect_no_file "$deep/run"
mkdir links
cd links || exit
ln -s nowhere runs
for words in '' '--run runs/new'; do
	# $words is split into words.
	# shellcheck disable=SC2086
	refuses 'cannot make the folder "runs/.*": No such file' \
		tournament @greedy @random --rounds 1 $words
	expect_err '^  hint +: .*a broken link'
done
cd .. || exit
expect_same_run whole copy

finish
