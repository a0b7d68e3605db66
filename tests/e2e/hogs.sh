# Goal: a bot that computes while it is not to move neither slows the other nor
# makes it lose on time, and is reported.
# Alone: how long bots take is compared within a scenario.
# Full: a measurement, which takes its time.
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
		--bot "cmd=$faulty" "args=computes-for $need_ms" name=work \
		--deals 1 --rounds 1 --seed 5 --json --record games.scopa "$@"
}

# A figure of the bot `work`, or of the match, as a whole number.
figure() { # NAME
	sed 's/.*"name":"work"//' "$out" | grep -o "\"$1\":[0-9]*" |
		head -n 1 | cut -d : -f 2
}

sandboxes=$(sandboxes_here)

# Whether the bot `work` takes 1.5 times as long or more beside forty busy
# processes as beside an honest bot.  Without a guard it is twice as long, with
# sessions twenty times.
is_slowed() { # SANDBOX
	play honest --tc move:60 --sandbox "$1"
	expect_exit 0
	alone_ms=$(figure think_ms_mean)
	# A little less, as clocks are rounded.
	expect [ "${alone_ms:-0}" -ge $((need_ms * 9 / 10)) ]
	play 'hogs 40' --tc move:60 --sandbox "$1"
	expect_exit 0
	beside_ms=$(figure think_ms_mean)
	echo "# $alone_ms ms alone, $beside_ms ms beside them"
	[ "$((10 * ${beside_ms:-9999}))" -ge "$((15 * ${alone_ms:-1}))" ]
}

for sandbox in $sandboxes; do
	scenario "forty busy processes do not slow the other: --sandbox $sandbox"
	# What else the machine does may fall into one of two games only.
	for _ in 1 2 3; do
		is_slowed "$sandbox" || break
	done
	expect [ "$((10 * ${beside_ms:-9999}))" -lt "$((15 * ${alone_ms:-1}))" ]
	expect_json '[b["ponder_games"] for b in d["bots"]] == [1, 0]'
	expect_line '^ponder 1 ' games.scopa
	expect_no_children
done

# From SIGKILL to the arena until none of them runs, in ms.  Without a sandbox each
# has a session of its own, and takes its turn to end.
for sandbox in $sandboxes; do
	scenario "all end with an arena that is killed: --sandbox $sandbox"
	for _ in 1 2 3; do
		start "$SCOPA_ARENA" match --bot "cmd=$faulty" 'args=hogs 40' \
			--bot "cmd=$faulty" 'args=computes-for 20000' --deals 1 \
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
	scenario 'nobody is late by them'
	play honest --tc move:60
	limit=$(($(figure think_ms_mean) * 5 / 2))
	control=move:$((limit / 1000)).$(printf %03d $((limit % 1000)))
	play 'hogs 40' --tc "$control"
	expect_exit 0
	# They may make their own bot late.
	expect_no_line '^offence 2' games.scopa
	expect_json 'd["bots"][0]["ponder_games"] == 1'
fi

# Beside their sessions the answer takes some 8 s, and without them 0.4 s.  Of a
# second and less the arena would give back what the bot had to wait.
scenario 'a turn that was lost by them is timed again, and both is reported'
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
