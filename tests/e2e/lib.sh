# shellcheck shell=bash
# Helpers of the shell scenarios: `. "$SRC/tests/e2e/lib.sh"`.
#
#	scenario 'version names the program'
#	run "$SCOPA_ARENA" version
#	expect_exit 0
#	expect_out '^scopa-arena [0-9]'
#	finish
#
# A scenario is one test; it fails where any expectation up to the next
# `scenario` or `finish` does not hold, and says what it saw.  `finish` must be
# the last line: it writes the plan, without which the run counts as broken.
#
# The current folder is empty and private to the script, and is removed after
# it.  SRC is the root of the sources, SCOPA_ARENA and SCOPA_BOT the programs.
set -u

: "${SRC:?run this with make test}" "${SCOPA_ARENA:?run this with make test}"

scenario_count=0
scenario_name=
scenario_wrong=
failed_count=0

# How many of something there are: all with TEST_FULL, and few without it.
few_or_all() { # FEW ALL
	if [ -n "${TEST_FULL:-}" ]; then echo "$2"; else echo "$1"; fi
}

# What `run` saw last.
status=0
out=$(mktemp)
err=$(mktemp)
ran=
trap 'rm -f "$out" "$out".* "$err"' EXIT

end_scenario() {
	[ -n "$scenario_name" ] || return 0
	scenario_count=$((scenario_count + 1))
	if [ -z "$scenario_wrong" ]; then
		echo "ok $scenario_count - $scenario_name"
	else
		echo "not ok $scenario_count - $scenario_name"
		failed_count=$((failed_count + 1))
	fi
	scenario_name=
}

# The arena, and one whose bots have no walls unless a command line asks for
# them.
walled_arena=$SCOPA_ARENA
unwalled_arena=$out.unwalled
cat >"$unwalled_arena" <<EOF
#!/bin/bash
case \$1 in
match | tournament | gate | resume)
	exec '$walled_arena' "\$1" --sandbox off "\${@:2}" ;;
esac
exec '$walled_arena' "\$@"
EOF
chmod +x "$unwalled_arena"

# Begins the scenario of this name and ends the one before.
scenario() { # NAME
	end_scenario
	scenario_name=$1
	scenario_wrong=
	SCOPA_ARENA=$walled_arena
}

# The same for bots that write notes, or run programs that lie elsewhere: they
# have no walls around them.
scenario_unwalled() { # NAME
	scenario "$1"
	SCOPA_ARENA=$unwalled_arena
}

# Ends the last scenario and the script.
finish() {
	end_scenario
	echo "1..$scenario_count"
	[ "$failed_count" -eq 0 ]
	exit
}

# Marks the scenario as failed.  The first failure shows what `run` saw.
fail() { # WHY
	echo "# $scenario_name: $1"
	[ -z "$scenario_wrong" ] || return 0
	scenario_wrong=1
	[ -n "$ran" ] || return 0
	echo "#   command: $ran"
	echo "#   exit   : $status"
	head -n 20 "$out" | sed 's/^/#   stdout : /'
	head -n 20 "$err" | sed 's/^/#   stderr : /'
}

# Runs a command without input; its exit status goes to $status, its output to
# the files $out and $err.  The mark lets expect_no_children find what it left.
run() { # COMMAND...
	ran=$*
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	status=0
	env "$run_mark" timeout -k 5 "${RUN_SECONDS:-600}" "$@" \
		</dev/null >"$out" 2>"$err" || status=$?
}

# The same with a text as input.
run_with() { # INPUT COMMAND...
	local input=$1
	shift
	ran="$* (with input)"
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	status=0
	printf '%s' "$input" >"$out.in"
	env "$run_mark" timeout -k 5 "${RUN_SECONDS:-600}" "$@" \
		<"$out.in" >"$out" 2>"$err" || status=$?
	rm -f "$out.in"
}

# Waits for what a scenario has started as $arena; it ends like a `run`.
reap() {
	status=0
	wait "$arena" 2>/dev/null || status=$?
}

# The same, and what it had started ends with it.
reap_all() {
	reap
	expect_soon_no_children
}

# The number of the line of a file that matches first.
line_of() { # FILE EXPRESSION
	grep -n -m 1 -e "$2" "$1" | cut -d : -f 1
}

# The children of a process.
children_of() { # PID
	grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d / -f 3
}

# Waits for a file to have so many lines; gives up after a minute.
await_lines() { # FILE COUNT
	for _ in $(seq 1200); do
		[ ! -e "$1" ] || [ "$(wc -l <"$1")" -lt "$2" ] || return 0
		sleep 0.05
	done
	fail "$1 did not get $2 lines"
}

expect_exit() { # STATUS
	[ "$status" -eq "$1" ] || fail "exit status $1 was expected"
}

# Some line of the output (of the messages) matches an extended expression.
expect_out() { # EXPRESSION
	grep -Eq -e "$1" "$out" || fail "no line of stdout matches: $1"
}

expect_err() { # EXPRESSION
	grep -Eq -e "$1" "$err" || fail "no line of stderr matches: $1"
}

expect_no_out() { # EXPRESSION
	! grep -Eq -e "$1" "$out" || fail "a line of stdout matches: $1"
}

expect_out_empty() {
	[ ! -s "$out" ] || fail 'stdout was expected to be empty'
}

# But for the walls that this machine has not.
expect_err_empty() {
	! grep -qv '^walls   no ' "$err" || fail 'stderr was expected to be empty'
}

# One error in the house's form: what is wrong, and what to try.
expect_error() { # EXPRESSION
	expect_out_empty
	expect_err "^error: .*$1"
	[ "$(grep -c '^error: ' "$err")" -eq 1 ] ||
		fail 'exactly one error was expected'
}

expect_file() { # PATH
	[ -e "$1" ] || fail "no such file: $1"
}

expect_no_file() { # PATH
	[ ! -e "$1" ] || fail "this file should not be there: $1"
}

expect_same() { # FILE FILE
	cmp -s "$1" "$2" || fail "these differ: $1 $2"
}

expect() { # COMMAND...
	"$@" || fail "this does not hold: $*"
}

# The processes that the last `run` started and that are alive: what carries its
# mark in the environment, or (a bot may be given a clean one) works in the
# current folder, but for this script and its parents.
left_over() {
	local process id here mine=" $$ $BASHPID " parent=$PPID found
	here=$(pwd -P)
	while [ "${parent:-0}" -gt 1 ]; do
		mine="$mine$parent "
		parent=$(awk '/^PPid:/ { print $2 }' "/proc/$parent/status")
	done
	# What looks works here itself, and has ended when it is looked at.
	found=$(
		grep -lsaF "$run_mark" /proc/[0-9]*/environ
		find /proc/[0-9]*/cwd -maxdepth 0 -lname "$here" 2>/dev/null
	)
	for process in $found; do
		process=${process%/*}
		id=${process#/proc/}
		case $mine in *" $id "*) continue ;; esac
		# What has ended since, and what only waits to be reaped by a
		# parent elsewhere, is not alive.
		! grep -qs '^State:[[:space:]]*[^ZX]' "$process/status" ||
			echo "$id"
	done
}

expect_no_children() {
	local id
	for id in $(left_over); do
		fail "process $id was left over: $(tr '\0' ' ' \
			2>/dev/null <"/proc/$id/cmdline")"
	done
}

# The same where the arena was killed, and what it had dies a moment later.
expect_soon_no_children() {
	for _ in $(seq 200); do
		[ -n "$(left_over)" ] || return 0
		sleep 0.02
	done
	expect_no_children
}
