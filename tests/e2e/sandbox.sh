# Goal: in a sandbox a bot plays the same games as without, and leaves no
# process; if the machine has no sandbox, the arena says so.
. "$SRC/tests/e2e/lib.sh"

# A bot that leaves processes: a daemon, or as many children as its argument says.
python_bot leaver.py <<'END'
import os, signal, sys

def spawn_daemon():
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            pass  # its parent changes even so
        if os.fork() == 0:
            os.execv('/bin/sleep', ['sleep', '1000'])
        os._exit(0)
    os.wait()

def crowd(count):
    for _ in range(count):
        try:
            if os.fork() == 0:
                signal.pause()
        except OSError:
            return

for word in sys.argv[1:]:
    if word == 'daemon':
        spawn_daemon()
    else:
        crowd(int(word))
END

level=$(level_of env)
level=${level%+limits}

outside=$(mktemp -d)
chmod 755 "$outside"

scenario '--sandbox require plays in a sandbox, or plays nothing'
run "$SCOPA_ARENA" match @greedy @random --deals 2 --sandbox require
if [ "$status" -eq 0 ]; then
	expect_out '^result '
else
	expect_exit 5
	expect_error 'cannot be killed'
fi

if sandboxed_or_skip 'a bot can enter its folder with any umask'; then
	program umask.sh 'umask >&2' 'exit 3'
	umask 0177
	arena 4 match ./umask.sh @first
	umask 022
	expect_err 'stderr +: 0177'
fi

if sandboxed_or_skip 'a sandbox that a bot may weaken is shown as weaker'; then
	for bots in '@first --bot cmd=@greedy allow=shared-futex' \
		'@first @greedy --each allow=shared-futex'; do
		# $bots is split into words.
		# shellcheck disable=SC2086
		arena 0 match $bots --deals 1 --record weaker.scopa
		expect_out "^sandbox ${level/+/.}(.limits)?-shared-futex\$"
		expect_err '^sandbox weaker for "@greedy": .*shared futexes'
		expect grep -q '^tag .* sandbox=[a-z+]*-shared-futex ' weaker.scopa
		rm weaker.scopa
	done
	refuses 'allow=futex: nothing is called that' match --bot cmd=@first \
		allow=futex @first
fi

if sandboxed_or_skip 'a bot finds its modules beside a record'; then
	echo 'import leaver' >moves.py
	arena 0 match "python3 moves.py" @first --deals 1 --sandbox auto \
		--record games.scopa
	expect_out '^result '
fi

if sandboxed_or_skip 'an interpreter outside of PATH is found'; then
	# Like a virtual environment: a link, with libraries beside both of its
	# ends.
	mkdir -p "$outside"/{venv,real}/{bin,lib}
	cp /bin/sh "$outside/real/bin/real-sh"
	echo true | tee "$outside"/{venv,real}/lib/library >/dev/null
	ln -s "$outside/real/bin/real-sh" "$outside/venv/bin/sh"
	cp "$SCOPA_ARENA" "$outside/venv/bin/arena"
	# shellcheck disable=SC2016 # for the script
	printf '#!%s\n. "$1"\n' "$outside/venv/bin/sh" >"$outside/second"
	chmod +x "$outside/second"
	for line in "$outside/venv/bin/sh" "/usr/bin/env $outside/venv/bin/sh" \
		"$outside/second"; do
		cat >script <<-END
			#!$line
			set -e
			. "$outside/venv/lib/library"
			. "$outside/real/lib/library"
			exec "$outside/venv/bin/arena" bot first
		END
		chmod +x script
		arena 0 match ./script @first --deals 1 --sandbox auto
		expect_out '^result '
	done
fi

for sandbox in auto off; do
	scenario "no process that a bot has started is left: sandbox $sandbox"
	arena 0 match "python3 leaver.py daemon 20" @first --deals 1 \
		--sandbox $sandbox
	expect_no_children
	run "$SCOPA_ARENA" match "python3 leaver.py daemon 500" \
		"python3 leaver.py 500" --deals 1 --sandbox $sandbox
	expect_no_children

	scenario "all processes of bots end when the arena is killed: sandbox $sandbox"
	rm -f killed.scopa
	start "$SCOPA_ARENA" match "python3 leaver.py daemon" \
		"python3 leaver.py daemon" --deals 1000000 \
		--sandbox $sandbox --record killed.scopa
	await_file killed.scopa
	sleep 0.3
	end_by KILL
done

# Prints the control groups of an arena with this process id.
groups_of() { # PID
	find /sys/fs/cgroup -type d -name "scopa-arena.$1.*" 2>/dev/null
}

# The next arena starts while the bots of the killed one are ending, and a group
# is left from an arena that had the process id of this shell.
scenario 'the next arena removes the control groups of a killed one'
rm -f killed.scopa
start "$SCOPA_ARENA" match "python3 leaver.py 100" \
	"python3 leaver.py 100" --deals 1000000 --concurrency 2 \
	--sandbox auto --record killed.scopa
await_file killed.scopa
group=$(groups_of "$arena" | head -n 1)
if [ -n "$group" ]; then
	mkdir -p "${group%/*}/scopa-arena.$$.1/bot.7"
	killed=$arena
	kill -s KILL "$killed"
	wait "$killed" 2>/dev/null
	# A group cannot be removed while one of its processes is ending.
	expect_soon_no_children
	arena 0 match @first @random --deals 1 --sandbox auto
	for process in "$killed" $$; do
		[ -z "$(groups_of "$process")" ] ||
			fail "these groups are left: $(groups_of "$process")"
	done
else
	echo '# the arena has no control groups here'
	end_by KILL
fi
expect_soon_no_children

if sandboxed_or_skip 'a bot plays the same game in a sandbox'; then
	for sandbox in off auto; do
		arena 0 match @greedy @random --seed 5 --sandbox $sandbox \
			--record $sandbox.scopa --quiet
	done
	expect_same_games off.scopa auto.scopa
fi

if sandboxed_or_skip 'the end of a bot is reported as without a sandbox'; then
	# shellcheck disable=SC2016 # for the bot
	program crash 'kill -s SEGV $$'
	program leave 'exit 3'
	for bot in crash leave ./missing; do
		[ -e "$bot" ] && bot=./$bot
		run "$SCOPA_ARENA" match "$bot" @first --sandbox off
		cp "$err" off.err
		run "$SCOPA_ARENA" match "$bot" @first --sandbox auto
		grep -v '^sandbox no ' "$err" >auto.err
		expect_same off.err auto.err
	done
fi

finish
