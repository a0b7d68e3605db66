# Goal: a run survives everything: a signal, a kill at any instant, a full disk,
# a second arena; and its results are made of its records alone.
. "$SRC/tests/e2e/lib.sh"

bots='@greedy @random @first @greedy @random'
options='--rounds 12 --deals 1 --rules scopa --seed 11 --concurrency 4'

# The lines of a run's records, but for times.
lines_of() { # RUN
	sed -e 's/^tag utc=[^ ]* //' -e 's/ t=[0-9.]*//' -e 's/ voided=[A-Z_,]*//' \
		-e '/^\(sum\|void\|ponder\) /d' \
		"$1/records.scopa"
}

# The report of a run, but for times and its own name.
results_of() { # RUN
	"$SCOPA_ARENA" status "$1" --json |
		python3 -c '
import json, sys
def strip(value):
    if isinstance(value, dict):
        return {key: strip(member) for key, member in value.items()
            if "think" not in key and key not in ("run", "created",
                "replayed", "void_turns", "void_games", "lag_ms_longest",
                "ponder_games", "ponder_ms")}
    if isinstance(value, list):
        return [strip(member) for member in value]
    return value
print(json.dumps(strip(json.load(sys.stdin)), indent=1, sort_keys=True))'
}

start() { # ARGUMENT...
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	ran="in the background: $*"
	env --default-signal=INT,TERM "$run_mark" "$SCOPA_ARENA" "$@" \
		</dev/null >"$out" 2>"$err" &
	arena=$!
}

# Waits for the first results of a run.
await() { # RUN
	until grep -qs '^sum ' "$1/records.scopa"; do
		[ -e "/proc/$arena" ] || {
			fail "nothing was played: $1"
			return
		}
		sleep 0.02
	done
}

scenario 'a round robin of five bots is played undisturbed'
# shellcheck disable=SC2086
run "$SCOPA_ARENA" tournament $bots $options --run whole
expect_exit 0
expect_no_children
[ "$(grep -c '^match ' whole/records.scopa)" -eq 240 ] ||
	fail '10 pairs, 12 blocks and 2 games each were expected'
lines_of whole >whole.lines
results_of whole >whole.results

scenario 'killed at random instants, it ends with the same results'
kills=0
status=137
while [ "$status" -eq 137 ]; do
	if [ -e killed/config.ini ]; then
		start resume killed
	else
		# shellcheck disable=SC2086
		start tournament $bots $options --run killed
	fi
	# The last one may live.
	if [ "$kills" -lt 25 ]; then
		sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
		kill -KILL "$arena" 2>/dev/null
	fi
	reap_all
	kills=$((kills + 1))
done
expect_exit 0
expect [ "$kills" -gt 1 ]
echo "# killed $((kills - 1)) times"
lines_of killed >killed.lines
expect_same whole.lines killed.lines
results_of killed >killed.results
expect_same whole.results killed.results
run "$SCOPA_ARENA" record verify killed/records.scopa
expect_exit 0

scenario 'workers that are killed are replaced, and the results are the same'
killed=0
for _ in $(seq 20); do
	rm -rf replaced
	# shellcheck disable=SC2086
	start tournament $bots $options --run replaced
	# Before the first game its children are the bots that get ready.
	until grep -qs '^begun [1-9]' replaced/attempts.txt; do
		[ -e "/proc/$arena/exe" ] || break
		sleep 0.01
	done
	for _ in $(seq 8); do
		worker=$(children_of "$arena" | shuf -n 1)
		[ -z "$worker" ] || kill -KILL "$worker" 2>/dev/null
		sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
	done
	reap_all
	killed=$(grep -c 'ENV_ERR: worker process .* is replaced' \
		replaced/log.txt)
	[ "$killed" -lt 3 ] || break
done
echo "# $killed workers were replaced"
expect [ "$killed" -ge 3 ]
expect_exit 0
lines_of replaced >replaced.lines
expect_same whole.lines replaced.lines
results_of replaced >replaced.results
expect_same whole.results replaced.results
run "$SCOPA_ARENA" record verify --quiet replaced/records.scopa
expect_exit 0

scenario 'a run that has ended is not played again'
cp killed/records.scopa before
run "$SCOPA_ARENA" resume killed
expect_exit 0
expect_same before killed/records.scopa

for signal in INT TERM; do
	scenario "SIG$signal finishes the blocks in hand, and says how to go on"
	start tournament @greedy @random --rounds 5000 --deals 1 --seed 5 \
		--run "stopped-$signal"
	await "stopped-$signal"
	kill -s "$signal" "$arena"
	reap_all
	case $signal in
	INT) expect_exit 130 ;;
	TERM) expect_exit 143 ;;
	esac
	expect_err "resume stopped-$signal"
	games=$(grep -c '^match ' "stopped-$signal/records.scopa")
	expect [ $((games % 2)) -eq 0 ]
	expect [ "$games" -eq "$(grep -c '^sum ' "stopped-$signal/records.scopa")" ]
	expect [ "$games" -lt 10000 ]
	run "$SCOPA_ARENA" status "stopped-$signal"
	expect_exit 0
	expect_out 'resume'
	expect_no_children
done

scenario 'two arenas on one run: the second is refused with the pid'
start tournament @greedy @random --rounds 100000 --deals 1 --seed 5 \
	--run shared
await shared
ran='resume of a run that is being played'
status=0
"$SCOPA_ARENA" resume shared </dev/null >"$out.2" 2>"$err.2" || status=$?
expect [ "$status" -eq 5 ]
expect grep -q "$arena" "$err.2"
rm -f "$out.2" "$err.2"
# Its results can be read all the same.
expect "$SCOPA_ARENA" status shared --quiet
kill -INT "$arena"
reap_all
expect_exit 130

# With less room, all games are over before it is missed.
for room in 400000 100000; do
	scenario "a disk of $room bytes holds the run, until there is room"
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	ran='tournament whose files cannot grow'
	# Else what was said before is read, until the arena opens the file.
	: >"$err"
	rm -rf full
	# shellcheck disable=SC2086
	env "$run_mark" prlimit --fsize=$room:unlimited "$SCOPA_ARENA" \
		tournament $bots $options --run full \
		</dev/null >"$out" 2>"$err" &
	arena=$!
	until grep -q '^error: ' "$err"; do
		[ -e "/proc/$arena" ] || break
		sleep 0.02
	done
	expect_err 'waits until there is room'
	expect "$SCOPA_ARENA" status full --quiet >/dev/null
	expect prlimit --pid "$arena" --fsize=unlimited
	reap_all
	expect_exit 0
	expect_err 'room again'
	lines_of full >full.lines
	expect_same whole.lines full.lines
	results_of full >full.results
	expect_same whole.results full.results
done

scenario 'a run waits for room as long as --disk-wait says, and resumes'
: >"$err"
# shellcheck disable=SC2086
run prlimit --fsize=400000:unlimited "$SCOPA_ARENA" tournament $bots $options \
	--run waited --disk-wait 1
expect_exit 75
expect_err 'waits until there is room'
expect_err '^  waited  : 1 s$'
expect_err 'resume waited'
expect_no_children
# A resumed run waits by its own call.
run prlimit --fsize=400000:unlimited "$SCOPA_ARENA" resume waited --disk-wait 1
expect_exit 75
run "$SCOPA_ARENA" resume waited
expect_exit 0
lines_of waited >waited.lines
expect_same whole.lines waited.lines

scenario 'a run on a full disk can be interrupted and resumed'
: >"$err"
# shellcheck disable=SC2086
env --default-signal=INT "$run_mark" prlimit --fsize=400000:unlimited \
	"$SCOPA_ARENA" tournament $bots $options --run held \
	</dev/null >"$out" 2>"$err" &
arena=$!
until grep -q '^error: ' "$err"; do
	[ -e "/proc/$arena" ] || break
	sleep 0.02
done
kill -INT "$arena"
reap_all
expect_exit 5
expect_err 'resume held'
# What is told is what was kept.
kept=$(sed -n 's/^played .* \([0-9]*\) games, .*/\1/p' "$out")
expect [ "$kept" -gt 0 ]
expect [ "$kept" -eq "$(grep -c '^match ' held/records.scopa)" ]
"$SCOPA_ARENA" status held | grep '^played ' >held.played
expect grep -qxFf held.played "$out"
expect [ "$(sed -n 's/^chain //p' "$out")" = \
	"$("$SCOPA_ARENA" status held | sed -n 's/^chain //p')" ]
run "$SCOPA_ARENA" resume held
expect_exit 0
lines_of held >held.lines
expect_same whole.lines held.lines

scenario 'results are made of the records alone'
"$SCOPA_ARENA" status killed --json >status.before
run "$SCOPA_ARENA" db rebuild killed
expect_exit 0
expect_out 'identical'
"$SCOPA_ARENA" status killed --json >status.after
expect_same status.before status.after
rm killed/results.db*
run "$SCOPA_ARENA" db rebuild killed
expect_exit 0
results_of killed >killed.again
expect_same killed.results killed.again

# Damages a run, and sees that only this is lost and played again.
expect_mended() { # BLOCK SAVED
	cp hurt/records.scopa damaged
	run "$SCOPA_ARENA" db rebuild hurt
	expect_exit 1
	expect_out "^bad +block $1: the records \"hurt/records.scopa\", line [0-9]+: "
	if [ "$2" -gt 0 ]; then
		expect_out "^saved +$2 blocks? behind it, in hurt/salvage.scopa\$"
	fi
	if [ $((120 - $1 - $2)) -gt 0 ]; then
		expect_out "^lost +$((120 - $1 - $2)) blocks? without a record\$"
	else
		expect_no_out '^lost'
	fi
	expect_out '^kept +hurt/results.db.old$'
	expect_out '^kept +hurt/records.scopa.old$'
	expect_out '^next +scopa-arena resume hurt '
	expect_same damaged hurt/records.scopa.old
	run "$SCOPA_ARENA" status hurt
	expect_out '^run +hurt, interrupted$'
	expect_out "^played .*, $((2 * $1 - 2)) games,"
	run "$SCOPA_ARENA" resume hurt --quiet
	expect_exit 0
	expect_no_file hurt/salvage.scopa
	lines_of hurt >hurt.lines
	expect_same whole.lines hurt.lines
	results_of hurt >hurt.results
	expect_same whole.results hurt.results
	run "$SCOPA_ARENA" record verify --quiet hurt/records.scopa
	expect_exit 0
	expect_out '^240 blocks: 240 good'
	# Those that were saved were not played again.
	for game in $((2 * $1 + 1)) 240; do
		[ "$2" -eq 0 ] || [ "$(sed -n "/^match m$game /,/^sum /p" \
			whole/records.scopa)" = "$(sed -n \
			"/^match m$game /,/^sum /p" hurt/records.scopa)" ] ||
			fail "game $game was played again"
	done
	run "$SCOPA_ARENA" db rebuild hurt
	expect_exit 0
	expect_out '^results identical$'
}

for block in 1 2 60 119; do
	scenario "block $block of a run is damaged, and costs that block alone"
	rm -rf hurt
	cp -r whole hurt
	line=$(($(line_of whole/records.scopa "^match m$((2 * block)) ") + 9))
	sed -i "${line}s/./!/" hurt/records.scopa
	expect_mended "$block" $((120 - block))
done

scenario 'the last block of a run is damaged'
rm -rf hurt
cp -r whole hurt
sed -i "$(($(line_of whole/records.scopa "^match m239 ") + 9))s/./!/" hurt/records.scopa
expect_mended 120 0

scenario 'a game is gone from the middle of a run'
rm -rf hurt
cp -r whole hurt
sed -i '/^match m50 /,/^sum /d' hurt/records.scopa
expect_mended 25 95

scenario 'many blocks of a run are damaged'
rm -rf hurt
cp -r whole hurt
for game in 41 90 91 200; do
	sed -i "$(($(line_of whole/records.scopa "^match m$game ") + 9))s/./!/" hurt/records.scopa
done
# Blocks 21, 45, 46 and 100.
expect_mended 21 96

scenario 'what was saved is there for whoever goes on, if he is killed too'
rm -rf hurt
cp -r whole hurt
sed -i "$(($(line_of whole/records.scopa "^match m21 ") + 9))s/./!/" hurt/records.scopa
sed -i "$(($(line_of whole/records.scopa "^match m101 ") + 9))s/./!/" hurt/records.scopa
run "$SCOPA_ARENA" db rebuild hurt
expect_exit 1
for _ in 1 2 3 4 5 6; do
	start resume hurt
	sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
	kill -KILL "$arena" 2>/dev/null
	reap_all
done
run "$SCOPA_ARENA" resume hurt --quiet
expect_exit 0
lines_of hurt >hurt.lines
expect_same whole.lines hurt.lines
results_of hurt >hurt.results
expect_same whole.results hurt.results

for format in swiss ladder knockout; do
	scenario "a damaged block of a $format, in which blocks depend on results"
	rm -rf first hurt
	run "$SCOPA_ARENA" tournament @greedy @random @first @greedy \
		--format $format --rounds 4 --deals 1 --seed 7 --run first --quiet
	expect_exit 0
	cp -r first hurt
	sed -i "$(($(line_of first/records.scopa "^match m5 ") + 9))s/./!/" hurt/records.scopa
	run "$SCOPA_ARENA" db rebuild hurt
	expect_exit 1
	expect_out '^bad +block 3: '
	run "$SCOPA_ARENA" resume hurt --quiet
	expect_exit 0
	lines_of first >first.lines
	lines_of hurt >hurt.lines
	expect_same first.lines hurt.lines
	run "$SCOPA_ARENA" record verify --fair hurt
	expect_exit 6
done

scenario 'records of another run are not taken for damaged ones'
rm -rf hurt
cp -r whole hurt
cp first/records.scopa hurt/records.scopa
cp hurt/results.db results.before
run "$SCOPA_ARENA" db rebuild hurt
expect_exit 5
expect_error 'records "hurt/records.scopa", line'
expect_same results.before hurt/results.db
expect_no_file hurt/salvage.scopa

# The state of a run, and whether it can be gone on with.
expect_state() { # RUN STATE
	run "$SCOPA_ARENA" db rebuild "$1"
	expect_exit 0
	run "$SCOPA_ARENA" status "$1"
	expect_exit 0
	expect_out "^run +$1, $2\$"
	case $2 in
	done | stopped) expect_no_out '^next ' ;;
	*) expect_out "^next .*resume $1\$" ;;
	esac
}

scenario 'a run whose results are lost is in the state in which it was'
run "$SCOPA_ARENA" tournament @greedy @random --rounds 3 --deals 1 --run over
expect_exit 0
run "$SCOPA_ARENA" tournament @greedy @random --rounds 3 --run waits --announce
expect_exit 0
run "$SCOPA_ARENA" gate @greedy @first --rules scopa --run judged --quiet
gate=$status
for signal in INT KILL; do
	start tournament @greedy @random --rounds 100000 --deals 1 \
		--run "ended-$signal"
	await "ended-$signal"
	kill -s "$signal" "$arena"
	reap_all
done
start tournament @greedy @random --rounds 100000 --deals 500 --run hasty
until grep -qs '^begun [1-9]' hasty/attempts.txt; do
	[ -e "/proc/$arena" ] || break
	sleep 0.02
done
kill -INT "$arena"
sleep 0.3
kill -INT "$arena"
reap_all
for name in over waits judged ended-INT ended-KILL hasty; do
	"$SCOPA_ARENA" status "$name" | sed -n '/^\(run\|seed\|verdict\) /p' \
		>"$name.before"
	rm "$name"/results.db*
done
expect_state over 'done'
expect_state waits announced
expect_state judged 'done'
expect_state ended-INT interrupted
expect_state ended-KILL 'broken off'
expect_state hasty interrupted
for name in over waits judged ended-INT ended-KILL hasty; do
	"$SCOPA_ARENA" status "$name" | sed -n '/^\(run\|seed\|verdict\) /p' \
		>"$name.after"
	expect_same "$name.before" "$name.after"
done
run "$SCOPA_ARENA" resume judged --quiet
expect_exit "$gate"
run "$SCOPA_ARENA" record verify --fair over
expect_exit 0

scenario 'a changed bot is noticed on resume'
cp "$SCOPA_BOT" mybot
printf '#!/bin/sh\nexec "%s" random\n' "$PWD/mybot" >bot.sh
chmod +x bot.sh
start tournament ./bot.sh @random --rounds 5000 --deals 1 --seed 5 \
	--run changed
await changed
kill -INT "$arena"
reap_all
cp changed/records.scopa before
echo '# changed' >>bot.sh
run "$SCOPA_ARENA" resume changed
expect_exit 2
expect_error 'changed'
expect_same before changed/records.scopa

scenario 'results of bots and packs that are gone can still be read'
printf '#!/bin/sh\nexec "%s" random\n' "$PWD/mybot" >gone.sh
chmod +x gone.sh
grep -m 3 '^pack ' whole/records.scopa | sed 's/.*cards=//' >gone.packs
run "$SCOPA_ARENA" tournament ./gone.sh @random --rounds 3 --deals 1 \
	--packs gone.packs --run gone
expect_exit 0
rm gone.sh gone.packs
run "$SCOPA_ARENA" status gone
expect_exit 0
expect_out 'gone.packs'
run "$SCOPA_ARENA" db rebuild gone
expect_exit 0
expect_out 'identical'
rm gone/results.db
run "$SCOPA_ARENA" db rebuild gone
expect_exit 0
run "$SCOPA_ARENA" resume gone
expect_exit 2
expect_error 'gone.sh'

scenario 'a run that is none, and one of a newer version, are refused'
mkdir none
run "$SCOPA_ARENA" resume none
expect_error '.'
run "$SCOPA_ARENA" status nowhere
expect_error '.'
run "$SCOPA_ARENA" tournament @greedy @random --rounds 1 --run whole
expect_error 'whole'
lines_of whole >again.lines
expect_same whole.lines again.lines

finish
