# shellcheck shell=bash
# Helpers of the shell scenarios: `. "$SRC/tests/e2e/lib.sh"`.
#
#	scenario 'version names the program'
#	arena 0 version
#	expect_out '^scopa-arena [0-9]'
#	finish
#
# A scenario is one test; it fails where any expectation up to the next
# `scenario` or `finish` does not hold, and says what it saw.  `finish` must be
# the last line: it writes the plan, without which the run counts as broken.
#
# The current folder is empty and private to the script, and is removed after
# it, like what `mktemp` makes.  SRC is the root of the sources, SCOPA_ARENA and
# SCOPA_BOT the programs.
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

# The arena, and one whose bots have no sandbox unless a command line asks for
# one.
sandboxed_arena=$SCOPA_ARENA
bare_arena=$out.bare
cat >"$bare_arena" <<END
#!/bin/bash
case \$1 in
match | tournament | gate | resume)
	exec '$sandboxed_arena' "\$1" --sandbox off "\${@:2}" ;;
esac
exec '$sandboxed_arena' "\$@"
END
chmod +x "$bare_arena"

# Begins the scenario of this name and ends the one before.
scenario() { # NAME
	end_scenario
	scenario_name=$1
	scenario_wrong=
	SCOPA_ARENA=$sandboxed_arena
}

# The same for bots that write notes, or run programs that lie elsewhere: they
# have no sandbox.
bare_scenario() { # NAME
	scenario "$1"
	SCOPA_ARENA=$bare_arena
}

# A scenario that cannot be played on this machine.
skip() { # NAME WHY
	end_scenario
	scenario_count=$((scenario_count + 1))
	echo "ok $scenario_count - $1 # SKIP $2"
}

# A scenario for machines with a sandbox, whose $level the script has found out.
walled() { # NAME
	[ "$level" = none ] || { scenario "$1" && return; }
	skip "$1" "sandbox: $level"
	return 1
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

# What is started next carries a mark, by which expect_no_children finds it.
mark_run() { # COMMAND...
	ran=$*
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
}

# Runs a command with a file as input; its exit status goes to $status, its
# output to the files $out and $err.
run_from() { # FILE COMMAND...
	mark_run "${@:2}"
	status=0
	env "$run_mark" timeout -k 5 "${RUN_SECONDS:-600}" "${@:2}" \
		<"$1" >"$out" 2>"$err" || status=$?
}

# Runs one without input, or with a text.
run() { # COMMAND...
	run_from /dev/null "$@"
}

run_with() { # INPUT COMMAND...
	printf '%s' "$1" >"$out.in"
	run_from "$out.in" "${@:2}"
}

# Runs a command, or the arena, which must end with this exit status.
expect_run() { # STATUS COMMAND...
	run "${@:2}"
	expect_exit "$1"
}

arena() { # STATUS ARGUMENT...
	expect_run "$1" "$SCOPA_ARENA" "${@:2}"
}

# The arena takes these arguments for a mistake of its user.
refuses() { # EXPRESSION ARGUMENT...
	arena 2 "${@:2}"
	expect_error "$1"
}

# Starts a command in the background as $arena, with the signals that it has in
# a terminal; `reap` waits for it.
start() { # COMMAND...
	mark_run "$@"
	# Else what was said before is read until the command opens the file.
	: >"$out"
	: >"$err"
	env --default-signal=INT,TERM "$run_mark" "$@" \
		</dev/null >"$out" 2>"$err" &
	arena=$!
}

# Waits for a file to have a line that matches, or so many; false where the
# arena has ended without it.
await() { # FILE EXPRESSION [COUNT]
	local alive=yes count=${3:-1}
	until [ "$(grep -Ecs -m "$count" -e "$2" "$1")" = "$count" ]; do
		if [ -z "$alive" ]; then
			fail "the arena ended before this was in $1: $2"
			return 1
		fi
		sleep 0.02
		[ -e "/proc/$arena" ] || alive=
	done
}

# Waits for a file to be there.
await_file() { # FILE
	until [ -e "$1" ] || ! [ -e "/proc/$arena" ]; do sleep 0.02; done
	expect_file "$1"
}

# Waits for the first results of a run.
await_results() { # RUN
	await "$1/records.scopa" '^sum '
}

# Waits for what was started as $arena; it ends like a `run`.
reap() {
	status=0
	wait "$arena" 2>/dev/null || status=$?
}

# The same, and what it had started ends with it.
reap_all() {
	reap
	expect_soon_no_children
}

# Ends what was started as $arena by a signal.
end_by() { # SIGNAL
	kill -s "$1" "$arena" 2>/dev/null
	reap_all
}

sleep_below_100_ms() {
	sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
}

# The number of the line of a file that matches first.
line_of() { # FILE EXPRESSION
	grep -n -m 1 -e "$2" "$1" | cut -d : -f 1
}

# The children of a process.
children_of() { # PID
	grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d / -f 3
}

# The user nobody, whom limits of the machine bind that bind root not.
# shellcheck disable=SC2034 # for scripts
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/'

# The level of the sandbox on this machine, or below a command that takes
# something away from it.
# shellcheck disable=SC2120 # Scripts may give a command.
level_of() { # [COMMAND...]
	("$@" "$SCOPA_ARENA" doctor --json) 2>/dev/null |
		sed -n 's/.*"walls":"\([^"]*\)".*/\1/p'
}

# The sandboxes that bots can be played in: none, and the best if it is certain
# to end them.
sandboxes_here() {
	if "$SCOPA_ARENA" doctor >/dev/null 2>&1; then
		echo off auto
	else
		echo off
	fi
}

# A bot in shell, in the current folder, that plays its first legal move.  TURN
# is what it does when it is asked for the $turn_count-th time: `answer` is its
# move.  CASES are lines of a `case` for verbs of the arena.
shell_bot() { # NAME [TURN [CASES]]
	cat >"$1" <<END
#!/bin/sh
turn_count=0
answer() {
	echo "move \$move \$turn"
}
while read -r verb first rest; do
	case \$verb in
	${3-}
	usp) printf 'id name=%s\nuspok 1\n' "\${1:-$1}" ;;
	isready) echo readyok ;;
	legal) move=\$first ;;
	go)
		turn=\$first
		turn_count=\$((turn_count + 1))
		${2:-answer}
		;;
	quit) exit 0 ;;
	esac
done
END
	chmod +x "$1"
}

# The same in Python: the code that comes in may define turn().
python_bot() { # NAME.py
	cat - <(
		cat <<END
import sys
for line in sys.stdin:
    word = line.split()
    if word[0] == 'usp':
        print('id name=${1%.py}\nuspok 1', flush=True)
    elif word[0] == 'isready':
        print('readyok', flush=True)
    elif word[0] == 'legal':
        move = word[1]
    elif word[0] == 'go':
        if 'turn' in globals():
            turn()
        print('move', move, word[1], flush=True)
    elif word[0] == 'quit':
        break
END
	) >"$1"
}

# A record without what differs from one playing to the next: times, what was
# played again, and the sum that covers them.
settled() { # FILE
	sed -E 's/ (t|utc)=[^ ]*//g; s/ voided=[A-Z_,]*//
		/^(sum|void|ponder) /d' "$1"
}

# The rows that the results of a run have for a query.
query_results() { # RUN SQL
	python3 -c '
import sqlite3, sys
results = sqlite3.connect(f"file:{sys.argv[1]}/results.db?mode=ro", uri=True)
for row in results.execute(sys.argv[2]):
    print(*row)' "$@"
}

# A pack that begins with these cards.
pack_of() { # CARDS
	local rest=$1 rank suit
	for rank in A 2 3 4 5 6 7 J Q K; do
		for suit in D C S B; do
			case $1 in *"$rank$suit"*) ;; *) rest+=$rank$suit ;; esac
		done
	done
	echo "$rest"
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

expect_no_err() { # EXPRESSION
	! grep -Eq -e "$1" "$err" || fail "a line of stderr matches: $1"
}

expect_out_empty() {
	[ ! -s "$out" ] || fail 'stdout was expected to be empty'
}

# But for what of a sandbox this machine has not.
expect_err_empty() {
	! grep -qv '^sandbox no ' "$err" || fail 'stderr was expected to be empty'
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

# Some line of a file matches, no line, or so many lines.
expect_line() { # EXPRESSION FILE
	grep -Eqs -e "$1" "$2" || fail "no line of $2 matches: $1"
}

expect_no_line() { # EXPRESSION FILE
	! grep -Eqs -e "$1" "$2" || fail "a line of $2 matches: $1"
}

expect_lines() { # COUNT EXPRESSION FILE
	local count
	count=$(grep -Ecs -e "$2" "$3")
	[ "${count:-0}" -eq "$1" ] ||
		fail "$1 lines of $3 were expected, not ${count:-0}: $2"
}

expect() { # COMMAND...
	"$@" || fail "this does not hold: $*"
}

# What was printed is a JSON document `d`, of which this holds in Python; `bot`
# has its bots by name.
expect_json() { # EXPRESSION
	python3 -c '
import json, math, sys
d = json.load(open(sys.argv[1]))
bots = d.get("ranking", d.get("bots", [])) if isinstance(d, dict) else []
bot = {b["name"]: b for b in bots}
def near(a, b, tolerance=1e-6):
    return abs(a - b) <= tolerance * (1 + abs(b))
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$out" "$1" \
		2>/dev/null || fail "the document does not say: $1"
}

# Plays a match for its record alone.
record_match() { # FILE ARGUMENT...
	"$SCOPA_ARENA" match --quiet --record "$@" >/dev/null 2>&1 ||
		fail "the match was not played: $*"
}

# A record is whole.
expect_verified() { # FILE
	"$SCOPA_ARENA" record verify "$1" >"$out.verified" 2>&1 ||
		fail "$(head -n 3 "$out.verified")"
}

# This script and its parents.
own_processes=" $$ "
parent=$PPID
while [ "${parent:-0}" -gt 1 ]; do
	own_processes+="$parent "
	parent=$(awk '/^PPid:/ { print $2 }' "/proc/$parent/status")
done

# The processes that the last `run` started and that are alive: what carries its
# mark in the environment, or (a bot may be given a clean one) works in the
# current folder, but for this script and its parents.
left_over() {
	local process id mine="$own_processes$BASHPID " found
	# What looks works here itself, and has ended when it is looked at.
	found=$(
		grep -lsaF "$run_mark" /proc/[0-9]*/environ
		find /proc/[0-9]*/cwd -maxdepth 0 -lname "$(pwd -P)" 2>/dev/null
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
