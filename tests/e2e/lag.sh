# Goal: whoever is held up, arena, workers or the whole machine, no bot loses by
# it: turns are timed anew, that is told, and every game has one result.
# Alone: who is held up is found out by the clock.
# Full: a measurement, which takes its time.
. "$SRC/tests/e2e/lib.sh"

# Thinks for a while; writes to `moved` when it is asked, for which there must
# be no walls.
cat >slow <<'END'
#!/bin/sh
while read -r verb first _; do
	case $verb in
	usp) printf 'id name=slow\nuspok 1\n' ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		echo asked >>moved
		sleep 0.05
		echo "move $move $first"
		;;
	quit) exit ;;
	esac
done
END
chmod +x slow

launch() { # ARGUMENT...
	ran=$*
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	rm -f moved games.scopa
	env "$run_mark" timeout -k 5 120 "$SCOPA_ARENA" "$@" --sandbox off \
		</dev/null >"$out" 2>"$err" &
	arena=$!
}

# The processes below one, each behind its parent.
below() { # PID
	local child
	local -a children
	read -ra children -d '' < <(cat "/proc/$1/task"/*/children 2>/dev/null)
	for child in "${children[@]}"; do
		echo "$child"
		below "$child"
	done
}

# The arena's own among them: the program itself, and its workers.
own() {
	local pid
	below "$arena" | while read -r pid; do
		! { tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null |
			grep -Eq '^[^ ]*scopa-arena (match|tournament) ' ||
			echo "$pid"
	done
}

# Stops the arena alone for so long; bots go on.
hold_own() { # SECONDS
	local arenas
	mapfile -t arenas < <(own)
	[ "${#arenas[@]}" -gt 1 ] || fail 'there is nobody to stop'
	kill -s STOP "${arenas[@]}" 2>/dev/null
	sleep "$1"
	kill -s CONT "${arenas[@]}" 2>/dev/null
}

# Stops all that there is; bots are the last to go on, so that their turn is
# still open when the arena sees that it was away.
hold_all() { # SECONDS
	local everybody arenas
	mapfile -t everybody < <(below "$arena")
	mapfile -t arenas < <(own)
	[ "${#arenas[@]}" -gt 1 ] || fail 'there is nobody to stop'
	kill -s STOP "${everybody[@]}" 2>/dev/null
	sleep "$1"
	kill -s CONT "${arenas[@]}" 2>/dev/null
	sleep 0.2
	kill -s CONT "${everybody[@]}" 2>/dev/null
}

if [ ! -e "/proc/$$/task/$$/children" ]; then
	scenario 'arenas are held up # SKIP this kernel does not name children'
	finish
fi

scenario 'a worker that is stopped costs no bot its time'
launch match ./slow ./slow --deals 1 --rounds 2 --tc move:0.8 \
	--record games.scopa --json
for asked in 3 20 40 60; do
	await_lines moved "$asked"
	hold_own 1.2
done
reap
expect_exit 0
expect_out '"games_played":2,"deals_played":2,"forfeits":0,'
expect [ "$(grep -c '^endmatch .* reason=deals$' games.scopa)" -eq 2 ]
expect_no_children

scenario 'a machine that stood still has its turns timed anew, and says so'
launch match ./slow ./slow --deals 1 --rounds 2 --tc deal:8+0 \
	--record games.scopa
for asked in 3 20 60; do
	await_lines moved "$asked"
	hold_all 3
done
reap
expect_exit 0
expect_out '^VOID  .*restarted.*: the arena itself was delayed, by up to [2-9]\.'
expect_no_out 'timeout|forfeit'
expect grep -Eq '^void [12] lag=[2-9]\.[0-9]{6}$' games.scopa
expect [ "$(grep -c '^endmatch .* reason=deals$' games.scopa)" -eq 2 ]
cp games.scopa held.scopa
run "$SCOPA_ARENA" record verify held.scopa
expect_exit 0
expect_out '2 good, 0 bad'
run "$SCOPA_ARENA" record show held.scopa
expect_exit 0
expect_out 'clock restarted \(VOID\): the arena itself was delayed [2-9]'
run "$SCOPA_ARENA" record redact --seat 1 held.scopa
expect_exit 0
expect_no_out '^void'
run "$SCOPA_ARENA" record export --jsonl --events held.scopa
expect_exit 0
expect_out '^\{"event":"void","match":"m[12]","seat":[12],"lag":[2-9]\.'
expect_no_children

scenario 'a run that was held up has one result of each game, and lists it'
launch tournament ./slow ./slow --name held --deals 1 --rounds 2 \
	--tc move:1 --concurrency 2 --pin none --events events.jsonl
for asked in 5 40; do
	await_lines moved "$asked"
	hold_all 2
done
reap
expect_exit 0
expect_out '^VOID .*clocks? restarted'
expect grep -q '"event":"game_void"' events.jsonl
! grep -q game_forfeit events.jsonl || fail 'somebody lost by it'
cat runs/*held/records.scopa >all.scopa
expect [ "$(grep -c '^match ' all.scopa)" -eq 4 ]
expect [ "$(grep -c '^endmatch .* reason=deals$' all.scopa)" -eq 4 ]
run "$SCOPA_ARENA" record verify --fair runs/*held
expect_exit 0
expect_no_children
finish
