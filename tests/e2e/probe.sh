# Goal: a bot that tries every way to reach other processes and files finds
# closed what the sandbox of this machine promises, and two cooperating bots
# cannot communicate; without a sandbox the same bots succeed, so the probe
# works.
# Alone: two bots communicate by the load of a quiet machine.
# Disk: the page cache of a file is one of these ways.
. "$SRC/tests/e2e/lib.sh"

probe=${BUILD:?run this with make test}/tests/faulty/probe
outside=$(mktemp -d)
chmod 777 "$outside"
echo secret >"$outside/secret"
chmod 666 "$outside/secret"
ln -s nowhere "$outside/link"
mkdir shared

# A box numbers its processes from 1: the process ids of the arena must be
# higher, so that the probe does not confuse them.
until sh -c '[ $$ -gt 1000 ]'; do :; done

# Runs a command where no box can be made.
without_boxes() { # COMMAND...
	# The variables are those of the inner shell.
	# shellcheck disable=SC2016
	exec unshare --user --map-root-user sh -c '
		echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"
}

# The same, but only system calls for namespaces are refused.
without_namespaces() { # COMMAND...
	exec "$BUILD/tests/e2e/without" namespaces -- "$@"
}

without_scope() { # COMMAND...
	exec "$BUILD/tests/e2e/without" namespaces scope -- "$@"
}

as_it_is() { # COMMAND...
	exec "$@"
}

# Whether a box has a root folder of its own on this machine.
has_root() { # MACHINE
	($1 "$SCOPA_ARENA" launch --box --root --confine -- /bin/true) \
		>/dev/null 2>&1
}

# Prints the process of the bot in this mode; false if there is none yet.
bot_started() { # MODE
	local process
	for process in $(pgrep '^probe'); do
		if tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline" |
			grep -q "/probe $1 .*key=$key "; then
			echo "$process"
			return
		fi
	done
	return 1
}

# Plays a match of two bots, and when both have started writes their process ids
# for the attacker.  The findings of the attacker are in the file `found`.
play_attack() { # MACHINE SANDBOX VICTIM ATTACKER [KEY=VALUE]
	local timeout victim arena
	key=$RANDOM$RANDOM
	: >shared/targets
	echo shared >shared/file
	chmod 666 shared/file
	rm -f games.scopa
	mark_run "$2 $3 $4"
	(
		export "${run_mark?}"
		# Both may read, and so map, the same files.  No bot is frozen,
		# so that only the sandbox separates them.
		$1 timeout -k 5 120 "$SCOPA_ARENA" match \
			--each read="$PWD/shared/file:$PWD/shared/targets" "${@:5}" \
			--bot cmd="$probe $3 key=$key outside=$outside shared=$PWD/shared/file" \
			--bot cmd="$probe $4 $PWD/shared/targets key=$key outside=$outside shared=$PWD/shared/file" \
			--deals 1 --sandbox "$2" --ponder --record games.scopa --quiet \
			--startup-ms 60000 --tc move:60
	) </dev/null >"$out" 2>"$err" &
	timeout=$!
	victim=
	until victim=$(bot_started "${3%% *}"); do
		kill -0 "$timeout" 2>/dev/null || break
		sleep 0.02
	done
	arena=$(pgrep -P "$timeout")
	echo "arena=$arena sibling=$victim" >shared/targets
	status=0
	# shellcheck disable=SC2034
	wait "$timeout" || status=$?
	expect_exit 0
	expect [ -n "$victim" ]
	expect [ -n "$arena" ]
	sed -n 's/^info 2 m\.[a-z]*=\([0-9]*\) # /\1 /p' games.scopa >found
}

expect_open() { # NAME...
	local name
	for name; do
		grep -qx "1 $name" found || fail "the probe found closed: $name"
	done
}

# Expects that only these ways are open.
expect_closed_except() { # NAME...
	local name
	expect [ "$(wc -l <found)" -gt 100 ]
	while read -r name; do
		case " $* " in
		*" $name "*) ;;
		*) fail "the probe found open: $name" ;;
		esac
	done < <(sed -n 's/^1 //p' found)
}

of_both() { # NAME...
	printf 'arena-%s ' "$@"
	printf 'sibling-%s ' "$@"
}

# Landlock confines signals and ptrace even with --sandbox off, so it is
# disabled.
bare=as_it_is
! "$BUILD/tests/e2e/without" namespaces scope -- true 2>/dev/null ||
	bare=without_scope

scenario 'without a sandbox the probe finds ways open'
play_attack $bare off idle bot
expect_open sibling-{environment,maps,descriptors}
for victim in arena sibling; do
	expect_open "$victim"-{signal,cpu-time,exists-signal,exists-entry} \
		"$victim"-{limits-read,limits-set,affinity-set,niceness-set}
done
# The arena hides its environment and memory from all users except root.
if [ "$(id -u)" -eq 0 ]; then
	expect_open arena-{environment,maps,descriptors}
else
	for name in environment maps descriptors; do
		expect grep -qx "0 arena-$name" found
	done
fi
expect_open read write list create create-tmp truncate rename symlink mkdir \
	fifo mark-mode mark-time lock lock-bytes lock-description lease watch \
	socket-unix pair-name pair-connect pair-send sysv-memory \
	sysv-semaphore sysv-queue exists-file free-space page-cache \
	futex-{wake,wake-bits,wake-operation,requeue,priority,robust-list} \
	mark-hint cache-drop cache-map free-blocks machine-counts \
	descriptor-send proc-counters proc-forks sys-counters
expect_no_children

scenario 'the probe undoes its changes'
expect [ "$(ls "$outside")" = "$(printf 'link\nsecret')" ]
expect [ "$(cat "$outside/secret")" = secret ]
expect [ "$(ls shared)" = "$(printf 'file\ntargets')" ]

scenario 'a bot inherits no descriptor and no variable, even without a sandbox'
expect grep -qx '0 descriptors-left' found
expect grep -qx '0 environment-left' found

# Few bits of the number are 0, because futex-ends needs time for each.
number=4156551135
channels='file locks socket-names sysv-memory sysv-queue futex-waits'
# futex-ends does not work with AddressSanitizer.
[ "${MODE:-}" = san ] || channels+=' futex-ends'

# Prints the channels by which the number has not arrived in any match.
missing_channels() {
	local channel
	for channel in $channels; do
		grep -qx "$number $channel" arrived || echo "$channel"
	done
}

# Channels that depend on time may lose bits on a busy machine.
scenario 'without a sandbox two bots can communicate a number'
: >arrived
for _ in $(seq 20); do
	play_attack as_it_is off "tx number=$number" rx
	cat found >>arrived
	[ -n "$(missing_channels)" ] || break
done
[ -z "$(missing_channels)" ] || fail "did not arrive by: $(missing_channels)"
expect_no_children

# The ways that are open at each level, as docs/sandbox.md says.  Without a box
# the process ids are those of the machine.
files='exists-file link-text read-time '
declare -A stays_open=([box]="")
stays_open[process]="$files proc-forks $(of_both threads \
	exists-{signal,entry,handle})"
stays_open[uncertain]="${stays_open[process]} $(of_both \
	signal{,-thread,-handle})"
# `without` answers system calls itself there, so the supervisor cannot.
stays_open[uncertain]+=' machine-counts'

has_root as_it_is || stays_open[box]+=" $files"

tried=' '
for machine in as_it_is without_boxes without_namespaces without_scope; do
	level=$(level_of "$machine")
	case ${level:-none} in
	none)
		skip 'a bot in a sandbox' "none: $machine"
		continue
		;;
	esac
	kind=$level
	($machine "$SCOPA_ARENA" doctor >/dev/null 2>&1) || kind=uncertain
	[[ $tried != *" $kind "* ]] || continue
	tried+="$kind "

	scenario "at level $level ($kind) the probe finds the promised ways closed"
	play_attack "$machine" auto idle bot
	# The names are split into words.
	# shellcheck disable=SC2086
	expect_closed_except ${stays_open[$kind]}
	expect_no_children

	scenario "at level $level ($kind) two bots cannot communicate a number"
	play_attack "$machine" auto "tx number=$number" rx
	if [ "$machine" = without_scope ]; then
		# The supervisor cannot answer futex waits there: see above.
		sed -i '/ futex-ends$/d' found
		[ -s found ] || echo '0 clean' >found
	fi
	expect [ "$(cat found)" = '0 clean' ]
	expect_no_children

	scenario "at level $level ($kind) two bots with shared futexes can"
	play_attack "$machine" auto "tx number=$number" rx allow=shared-futex
	expect grep -qx "$number futex-waits" found
	expect grep -q " sandbox=$level-shared-futex " games.scopa
	expect_no_children
done

finish
