# Goal: if the arena, its workers or the whole machine stand still for a while,
# no bot loses by it: turns are timed again and reported, and every game has one
# result.
# Alone: the clock shows delays.
# Full: a measurement, which takes long.
. "$SRC/tests/e2e/lib.sh"

shell_bot slow 'echo asked >>moved; sleep 0.05; answer'

play() { # COMMAND OPTION...
	rm -f moved games.scopa
	start "$SCOPA_ARENA" "$1" ./slow ./slow --deals 4 --rounds 2 \
		--sandbox off "${@:2}"
	await moved asked 3
	find_processes
}

# Prints a process and all its descendants.
tree_of() { # PID
	local child
	echo "$1"
	for child in $(xargs 2>/dev/null <"/proc/$1/task/$1/children"); do
		tree_of "$child"
	done
}

# Finds all processes of a match or run, and those of the arena and its workers
# among them.  It takes long on a slow machine, so it is done once.
find_processes() {
	local pid
	own=()
	mapfile -t all < <(tree_of "$arena")
	for pid in "${all[@]}"; do
		! { tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null |
			grep -Eq '^[^ ]*scopa-arena (match|tournament) ' ||
			own+=("$pid")
	done
	[ "${#own[@]}" -gt 1 ] ||
		fail "there are no workers to stop, only: ${all[*]}"
}

# Stops these processes for so many seconds; the processes of the arena continue
# first, so that a turn is still open when the arena notices the delay.
stop_for() { # SECONDS PID...
	[ -e "/proc/$arena" ] || fail 'the arena ended before it was stopped'
	kill -s STOP "${@:2}" 2>/dev/null
	sleep "$1"
	kill -s CONT "${own[@]}" 2>/dev/null
	sleep 0.4
	kill -s CONT "${@:2}" 2>/dev/null
}

if [ ! -e "/proc/$$/task/$$/children" ]; then
	skip 'the arena stands still for a while' 'this kernel does not name children'
	finish
fi

scenario 'a worker that is stopped costs no bot its time'
play match --tc move:0.8 --record games.scopa --json
for asked in 3 20 40 60; do
	await moved asked "$asked"
	stop_for 1.2 "${own[@]}"
done
reap 0
expect_out '"games_played":2,"deals_played":8,"forfeits":0,'
expect_lines 2 '^endmatch .* reason=deals$' games.scopa
expect_no_children

scenario 'after a standstill of the machine turns are timed again and reported'
play match --tc deal:8+0 --record games.scopa
for asked in 3 20 60; do
	await moved asked "$asked"
	stop_for 3 "${all[@]}"
done
reap 0
expect_out '^VOID  .*restarted.*: the arena itself was delayed, by up to [2-9]\.'
expect_no_out 'timeout|forfeit'
expect_line '^void [12] lag=[2-9]\.[0-9]{6}$' games.scopa
expect_lines 2 '^endmatch .* reason=deals$' games.scopa
arena 0 record verify games.scopa
expect_out '2 good, 0 bad'
arena 0 record show games.scopa
expect_out 'clock restarted \(VOID\): the arena itself was delayed [2-9]'
arena 0 record redact --seat 1 games.scopa
expect_no_out '^void'
arena 0 record export --jsonl --events games.scopa
expect_out '^\{"event":"void","match":"m[12]","seat":[12],"lag":[2-9]\.'
expect_no_children

scenario 'a run that stood still has one result of each game, and reports it'
play tournament --name held --tc move:1.5 --concurrency 2 --pin none \
	--events events.jsonl
for asked in 5 40; do
	await moved asked "$asked"
	stop_for 2 "${all[@]}"
done
reap 0
expect_out '^VOID .*clocks? restarted'
expect_line '"event":"game_void"' events.jsonl
expect_no_line game_forfeit events.jsonl
cat runs/*held/records.scopa >all.scopa
expect_lines 4 '^match ' all.scopa
expect_lines 4 '^endmatch .* reason=deals$' all.scopa
arena 0 record verify --fair runs/*held
expect_no_children
finish
