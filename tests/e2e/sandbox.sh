# Goal: behind its walls a bot plays as well as without, reaches nothing, and
# leaves nothing; where a machine has no walls, the arena says so.
. "$SRC/tests/e2e/lib.sh"

# Tries what a bot has no business with, and plays on where all of it fails.
# Its arguments are pairs: what to try, and on what, behind a colon, as a bot may
# read the files that it is given.
python_bot probe.py <<'END'
import ctypes, os, signal, socket, sys

libc = ctypes.CDLL(None, use_errno=True)

def spawn_daemon(what):
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            pass  # it has another parent all the same
        if os.fork() == 0:
            os.execv('/bin/sleep', ['sleep', '1000'])
        os._exit(0)
    os.wait()

def crowd(what):
    for _ in range(int(what)):
        try:
            if os.fork() == 0:
                signal.pause()
        except OSError:
            return

def shared_memory(what):
    if libc.shmget(int(what), 4096, 0o1666) < 0:
        raise OSError

TRIES = {
    'read': lambda what: open(what).read(),
    'list': os.listdir,
    'write': lambda what: open(what, 'w'),
    'signal': lambda what: os.kill(int(what), 0),
    'socket': lambda what: socket.socket(getattr(socket, what)),
    'shm': shared_memory,
    'mode': lambda what: os.chmod(what, 0o777),
    'daemon': spawn_daemon,
    'crowd': crowd,
}
words = sys.argv[1:]
for name, what in zip(words[::2], words[1::2]):
    try:
        TRIES[name](what.removeprefix(':'))
    except OSError:
        continue
    if name not in ('daemon', 'crowd'):
        sys.exit(f'open: {name} {what}')
END

level=$(level_of env)
level=${level%+limits}

# A scenario for machines whose walls reach this level.
walled() { # LEVELS NAME
	case " $1 " in
	*" $level "*) scenario "$2" ;;
	*)
		skip "$2" "sandbox: $level"
		return 1
		;;
	esac
}

outside=$(mktemp -d)
echo secret >"$outside/secret"
chmod 755 "$outside"

scenario 'walls that are required are there, or nothing is played'
run "$SCOPA_ARENA" match @greedy @random --deals 2 --sandbox require
certain=
if [ "$status" -eq 0 ]; then
	certain=$level
	expect_out '^result '
else
	expect_exit 5
	expect_error 'cannot be killed'
fi

scenario 'without walls a bot reaches all of it'
tries=("read :$outside/secret" 'list :/' "write :$outside/new" \
	'socket AF_UNIX' 'shm 77')
# But for signals, where Landlock knows them.
landlock=$("$SCOPA_ARENA" doctor | awk '$1 == "landlock" { print $NF }')
if [ "${landlock//[^0-9]/}" -ge 6 ] 2>/dev/null; then
	run "$SCOPA_ARENA" match "python3 probe.py signal $$" @first --deals 1 \
		--sandbox off
	expect_exit 0
else
	tries+=("signal $$")
fi
for try in "${tries[@]}"; do
	# The words are two on purpose.
	# shellcheck disable=SC2086
	run "$SCOPA_ARENA" match "python3 probe.py $try" @first --deals 1 \
		--sandbox off
	expect_exit 4
	expect_err "open: $try"
done
[ ! -e "$outside/new" ] || rm "$outside/new"
ipcrm -M 77 2>/dev/null

if walled 'process box' 'behind walls it reaches nothing'; then
	for try in "read :$outside/secret" 'list :/' "write :$outside/new" \
		"list :$outside" 'write :here' 'list :/root' 'read :/etc/shadow' \
		'socket AF_UNIX' 'socket AF_INET' 'socket AF_NETLINK' \
		'shm 77' "mode :$PWD/probe.py" "read :/proc/$$/environ"; do
		# shellcheck disable=SC2086
		run "$SCOPA_ARENA" match "python3 probe.py $try" @first \
			--deals 1 --sandbox auto
		expect_exit 0
		expect_out '^result '
	done
	expect_no_file here
fi

if walled "$certain" 'it cannot signal what is outside'; then
	run "$SCOPA_ARENA" match "python3 probe.py signal $$" @first \
		--deals 1 --sandbox auto
	expect_exit 0
fi

if walled 'process box' 'neither record nor run can be read'; then
	touch games.scopa
	run "$SCOPA_ARENA" match \
		"python3 probe.py read :$PWD/games.scopa" @first --deals 1 \
		--sandbox auto --record games.scopa
	expect_exit 0
	run "$SCOPA_ARENA" tournament \
		"python3 probe.py read :$PWD/run/config.ini" \
		@first --rounds 3 --deals 1 --sandbox auto --run run
	expect_exit 0
	expect_out ' 0 +0 +0 +0 +0 +0 '
fi

if walled 'process box' 'walls that a bot may weaken are told as weaker'; then
	for bots in '@first --bot cmd=@greedy allow=shared-futex' \
		'@first @greedy --each allow=shared-futex'; do
		# The words are several on purpose.
		# shellcheck disable=SC2086
		run "$SCOPA_ARENA" match $bots --deals 1 --record weaker.scopa
		expect_exit 0
		expect_out "^sandbox ${level/+/.}(.limits)?-shared-futex\$"
		expect_err '^sandbox weaker for "@greedy": .*shared futexes'
		expect grep -q '^tag .* sandbox=[a-z+]*-shared-futex ' weaker.scopa
		rm weaker.scopa
	done
	run "$SCOPA_ARENA" match --bot cmd=@first allow=futex @first
	expect_exit 2
	expect_error 'allow=futex: nothing is called that'
fi

if walled 'process box' 'a bot finds its modules beside a record'; then
	echo 'import probe' >moves.py
	run "$SCOPA_ARENA" match "python3 moves.py" @first --deals 1 \
		--sandbox auto --record games.scopa
	expect_exit 0
	expect_out '^result '
fi

if walled 'process box' 'an interpreter outside of PATH is found'; then
	# As a virtual environment has it: links, and libraries beside both ends.
	mkdir -p "$outside"/{venv,real}/{bin,lib}
	cp /bin/sh "$outside/real/bin/real-sh"
	echo true | tee "$outside"/{venv,real}/lib/library >/dev/null
	ln -s "$outside/real/bin/real-sh" "$outside/venv/bin/sh"
	cp "$SCOPA_ARENA" "$outside/venv/bin/arena"
	# shellcheck disable=SC2016 # a script's own
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
		run "$SCOPA_ARENA" match ./script @first --deals 1 --sandbox auto
		expect_exit 0
		expect_out '^result '
	done
fi

for sandbox in auto off; do
	scenario "nothing that it has started is left: sandbox $sandbox"
	run "$SCOPA_ARENA" match "python3 probe.py daemon - crowd 20" @first \
		--deals 1 --sandbox $sandbox
	expect_exit 0
	expect_no_children
	run "$SCOPA_ARENA" match "python3 probe.py daemon - crowd 500" \
		"python3 probe.py crowd 500" --deals 1 --sandbox $sandbox
	expect_no_children

	scenario "nothing outlives an arena that is killed: sandbox $sandbox"
	rm -f killed.scopa
	start "$SCOPA_ARENA" match "python3 probe.py daemon -" \
		"python3 probe.py daemon -" --deals 1000000 \
		--sandbox $sandbox --record killed.scopa
	await_file killed.scopa
	sleep 0.3
	end_by KILL
done

# The control groups of an arena, told by its process number.
groups_of() { # PID
	find /sys/fs/cgroup -type d -name "scopa-arena.$1.*" 2>/dev/null
}

# The next arena starts at once, while bots of the one before are dying; and
# beside what was left by one whose number this shell has now.
scenario 'control groups of an arena that is killed are gone with the next'
rm -f killed.scopa
start "$SCOPA_ARENA" match "python3 probe.py crowd 100" \
	"python3 probe.py crowd 100" --deals 1000000 --concurrency 2 \
	--sandbox auto --record killed.scopa
await_file killed.scopa
group=$(groups_of "$arena" | head -n 1)
if [ -n "$group" ]; then
	mkdir -p "${group%/*}/scopa-arena.$$.1/bot.7"
	killed=$arena
	kill -s KILL "$killed"
	run "$SCOPA_ARENA" match @first @random --deals 1 --sandbox auto
	expect_exit 0
	wait "$killed" 2>/dev/null
	for process in "$killed" $$; do
		[ -z "$(groups_of "$process")" ] ||
			fail "left: $(groups_of "$process")"
	done
else
	echo '# an arena is given no control groups here'
	end_by KILL
fi
expect_soon_no_children

if walled 'process box' 'a bot is the same bot behind walls'; then
	for sandbox in off auto; do
		run "$SCOPA_ARENA" match @greedy @random --seed 5 \
			--sandbox $sandbox --record $sandbox.scopa --quiet
		expect_exit 0
		settled $sandbox.scopa | grep -v '^tag' >$sandbox.lines
	done
	expect_same off.lines auto.lines
fi

if walled 'process box' 'how a bot ends is told as without walls'; then
	printf '#!/bin/sh\nkill -s SEGV $$\n' >crash
	printf '#!/bin/sh\nexit 3\n' >leave
	chmod +x crash leave
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
