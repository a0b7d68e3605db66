# Goal: a bot that tries every way out of its seat finds shut what the walls of
# this machine promise, and two bots that have agreed to cannot tell each other
# anything; without walls the same bots find the ways, so they can.
# Alone: two bots listen for what a quiet machine says.
# Disk: what of a file is in memory is one of these ways.
. "$SRC/tests/e2e/lib.sh"

probe=${BUILD:?run this with make test}/tests/faulty/probe
outside=$(mktemp -d)
chmod 777 "$outside"
echo secret >"$outside/secret"
chmod 666 "$outside/secret"
ln -s nowhere "$outside/link"
mkdir shared

# Numbers are given again in a box: those of its processes must not be taken for
# the arena's.
until sh -c '[ $$ -gt 1000 ]'; do :; done

# A machine on which nobody can make a box.
without_boxes() { # COMMAND...
	# What is said there is for the inner shell.
	# shellcheck disable=SC2016
	exec unshare --user --map-root-user sh -c '
		echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"
}

# The same, as far as system calls can tell.
without_namespaces() { # COMMAND...
	exec "$BUILD/tests/e2e/without" namespaces -- "$@"
}

without_scope() { # COMMAND...
	exec "$BUILD/tests/e2e/without" namespaces scope -- "$@"
}

as_it_is() { # COMMAND...
	exec "$@"
}

# Has a box a root folder of its own there?
has_root() { # MACHINE
	($1 "$SCOPA_ARENA" launch --box --root --confine -- /bin/true) \
		>/dev/null 2>&1
}

# The process of the bot in this mode; false while there is none.
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

# Lets two bots play and lets the second one know, once both are there, who is who.
# What it has to say goes to the file `found`.
confront() { # MACHINE SANDBOX VICTIM ATTACKER [KEY=VALUE]
	local timeout victim arena
	key=$RANDOM$RANDOM
	: >shared/targets
	echo shared >shared/file
	chmod 666 shared/file
	rm -f games.scopa
	mark_run "$2 $3 $4"
	(
		export "${run_mark?}"
		# What both may read is a file that both may map.  Neither is
		# frozen, so that it is the walls that keep them apart.
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
		grep -qx "1 $name" found || fail "the probe found shut: $name"
	done
}

# Each way that is open is one of these.
expect_shut_but() { # NAME...
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

# Without a sandbox, too, Landlock keeps signals and traces to the bot's own.
bare=as_it_is
! "$BUILD/tests/e2e/without" namespaces scope -- true 2>/dev/null ||
	bare=without_scope

scenario 'without walls the probe finds ways open'
confront $bare off idle bot
expect_open sibling-{environment,maps,descriptors}
for victim in arena sibling; do
	expect_open "$victim"-{signal,cpu-time,exists-signal,exists-entry} \
		"$victim"-{limits-read,limits-set,affinity-set,niceness-set}
done
# The arena itself keeps private to all but root.
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

scenario 'it undoes what it does'
expect [ "$(ls "$outside")" = "$(printf 'link\nsecret')" ]
expect [ "$(cat "$outside/secret")" = secret ]
expect [ "$(ls shared)" = "$(printf 'file\ntargets')" ]

scenario 'arena and environment leave a bot nothing, walls or not'
expect grep -qx '0 descriptors-left' found
expect grep -qx '0 environment-left' found

# Few of its bits are 0: each takes time to be sent by futex-ends.
number=4156551135
channels='file locks socket-names pair-names sysv-memory sysv-queue title
	file-times futex-waits'
# AddressSanitizer does not bear the processes that end for it.
[ "${MODE:-}" = san ] || channels+=' futex-ends'

# Names the channels by which the number did not arrive.
untold() {
	local channel
	for channel in $channels; do
		grep -qx "$number $channel" found || echo "$channel"
	done
}

# Bits that are sent by the clock may be lost where the machine is busy.
scenario 'without walls two bots can tell each other a number'
for _ in $(seq 20); do
	confront as_it_is off "tx number=$number" rx
	[ -n "$(untold)" ] || break
done
[ -z "$(untold)" ] || fail "did not arrive by: $(untold)"
expect_no_children

# What stays open at each level, as docs/sandbox.md says.
# Numbers of processes are those of the machine where there is no box.
files='exists-file link-text read-time '
declare -A stays_open=([box]="")
stays_open[process]="$files proc-forks $(of_both threads \
	exists-{signal,entry,handle})"
stays_open[uncertain]="${stays_open[process]} $(of_both \
	signal{,-thread,-handle})"
# `without` answers calls of its own there, and so no supervisor can.
stays_open[uncertain]+=' machine-counts'

has_root as_it_is || stays_open[box]+=" $files"

tried=' '
for machine in as_it_is without_boxes without_namespaces without_scope; do
	level=$(level_of "$machine")
	case ${level:-none} in
	none)
		skip 'behind walls' "none: $machine"
		continue
		;;
	esac
	kind=$level
	($machine "$SCOPA_ARENA" doctor >/dev/null 2>&1) || kind=uncertain
	[[ $tried != *" $kind "* ]] || continue
	tried+="$kind "

	scenario "behind $level ($kind) the probe finds shut what is promised"
	confront "$machine" auto idle bot
	# The names are words on purpose.
	# shellcheck disable=SC2086
	expect_shut_but ${stays_open[$kind]}
	expect_no_children

	scenario "behind $level ($kind) two bots cannot tell each other a number"
	confront "$machine" auto "tx number=$number" rx
	if [ "$machine" = without_scope ]; then
		# Nobody answers the waits there: see above.
		sed -i '/ futex-ends$/d' found
		[ -s found ] || echo '0 clean' >found
	fi
	expect [ "$(cat found)" = '0 clean' ]
	expect_no_children

	scenario "behind $level ($kind) two that may share futexes can"
	confront "$machine" auto "tx number=$number" rx allow=shared-futex
	expect grep -qx "$number futex-waits" found
	expect grep -q " sandbox=$level-shared-futex " games.scopa
	expect_no_children
done

finish
