# Goal: a bot that computes while it is not to move does not slow the other bot,
# does not make it lose on time, and is reported.
# Alone: how long bots take is compared within a scenario.
# Full: a measurement, which takes long.
. "$SRC/tests/e2e/lib.sh"

faulty=${BUILD:?run this with make test}/tests/faulty/faulty_bot
need_ms=100 # of a core, for each answer of the bot `work`

if [ ! -e "/proc/$$/task/$$/children" ]; then
	skip 'a bot hogs the processor' 'this kernel does not name children'
	finish
fi

play() { # MISBEHAVIOUR OPTION...
	local fault=$1
	shift
	rm -f games.scopa
	run "$SCOPA_ARENA" match --bot "cmd=$faulty" "args=$fault" name=other \
		--bot "cmd=$faulty" "args=computes-for $need_ms always" name=work \
		--deals 1 --rounds 1 --seed 5 --json --record games.scopa "$@"
}

# Prints a number of the bot `work`, or of the match, as an integer.
number_of() { # NAME
	sed 's/.*"name":"work"//' "$out" | grep -o "\"$1\":[0-9]*" |
		head -n 1 | cut -d : -f 2
}

sandboxes=$(sandboxes_here)

# Whether the bot `work` needs 1.5 times as long or more against a bot with
# forty busy processes as against an honest bot.  Without countermeasures it
# needs twice as long, and twenty times if each process has a session.
is_slowed() { # SANDBOX
	play honest --tc move:60 --sandbox "$1"
	expect_exit 0
	alone_ms=$(number_of think_ms_mean)
	# Clocks are rounded, so 90 % of it are enough.
	expect [ "${alone_ms:-0}" -ge $((need_ms * 9 / 10)) ]
	play 'hogs 40' --tc move:60 --sandbox "$1"
	expect_exit 0
	beside_ms=$(number_of think_ms_mean)
	echo "# $alone_ms ms alone, $beside_ms ms beside them"
	[ "$((10 * ${beside_ms:-9999}))" -ge "$((15 * ${alone_ms:-1}))" ]
}

for sandbox in $sandboxes; do
	scenario "forty busy processes do not slow the other bot: --sandbox $sandbox"
	# Other work of the machine may slow one of the two games: three tries.
	for _ in 1 2 3; do
		is_slowed "$sandbox" || break
	done
	expect [ "$((10 * ${beside_ms:-9999}))" -lt "$((15 * ${alone_ms:-1}))" ]
	expect_json '[b["ponder_games"] for b in d["bots"]] == [1, 0]'
	expect_line '^ponder 1 ' games.scopa
	expect_no_children
done

# Measures the time from SIGKILL of the arena until all processes have ended, in
# ms.  Without a sandbox each process has a session of its own.
for sandbox in $sandboxes; do
	scenario "forty busy processes end when the arena is killed: --sandbox $sandbox"
	for _ in 1 2 3; do
		start "$SCOPA_ARENA" match --bot "cmd=$faulty" 'args=hogs 40' \
			--bot "cmd=$faulty" 'args=computes-for 20000 always' --deals 1 \
			--tc move:60 --ponder --sandbox "$sandbox"
		until [ "$(pgrep -fc "^$faulty hogs")" -ge 40 ]; do
			[ -e "/proc/$arena" ] || break
			sleep 0.05
		done
		began=${EPOCHREALTIME/./}
		kill -s KILL "$arena"
		while pgrep -f "^$faulty hogs" >/dev/null; do :; done
		gone_ms=$(((${EPOCHREALTIME/./} - began) / 1000))
		wait "$arena" 2>/dev/null
		echo "# $gone_ms ms"
		[ "$gone_ms" -ge 250 ] || break
	done
	expect [ "$gone_ms" -lt 250 ]
	expect_soon_no_children
done

if [ "$sandboxes" != off ]; then
	scenario 'forty busy processes make no bot late'
	play honest --tc move:60
	limit=$(($(number_of think_ms_mean) * 5 / 2))
	control=move:$((limit / 1000)).$(printf %03d $((limit % 1000)))
	play 'hogs 40' --tc "$control"
	expect_exit 0
	# The busy processes may make their own bot late.
	expect_no_line '^offence 2' games.scopa
	expect_json 'd["bots"][0]["ponder_games"] == 1'
fi

# Against forty sessions an answer takes some 8 s, and without them 0.4 s.  If
# the bot waited a second or less, the arena would only add that time to its
# clock.
scenario 'a turn that was late by busy processes is timed again and reported'
need_ms=400
play 'hogs 40' --tc move:2 --ponder --sandbox off
expect_exit 0
expect_line '^void 2 lag=0\.000000 by=1$' games.scopa
expect_verified games.scopa
run "$SCOPA_ARENA" record show games.scopa
expect_out 'clock restarted \(VOID\): other computed meanwhile'
run "$SCOPA_ARENA" record export --jsonl --events games.scopa
expect_out '"event":"void","match":"m1","seat":2,"lag":0.*,"by":1'

finish
