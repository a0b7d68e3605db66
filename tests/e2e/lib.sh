# shellcheck shell=bash
# Helpers of the shell scenarios: `. "$SRC/tests/e2e/lib.sh"`.
#
#	scenario 'version names the program'
#	arena 0 version
#	expect_out '^scopa-arena [0-9]'
#	finish
#
# A scenario is one test.  It lasts until the next `scenario` or `finish`, and
# it fails if one of its expectations does not hold; then it prints what the
# last command has printed.  `finish` must be the last line of a script: it
# writes the plan of TAP, and without the plan the script counts as failed.
#
# A script begins in an empty folder of its own.  This folder and all files of
# `mktemp` are removed at the end.  SRC is the root of the sources; SCOPA_ARENA
# and SCOPA_BOT are the programs.
set -u

: "${SRC:?run this with make test}" "${SCOPA_ARENA:?run this with make test}"

# CC may be several words, such as `ccache gcc`.
# shellcheck disable=SC2034
read -ra compiler <<<"${CC:-cc}"

scenario_count=0
scenario_name=
scenario_wrong=
failed_count=0

# Prints a number of repetitions: ALL if TEST_FULL is set, otherwise FEW.
few_or_all() { # FEW ALL
	if [ -n "${TEST_FULL:-}" ]; then echo "$2"; else echo "$1"; fi
}

# The exit status, the output and the command of the last `run`.
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

# Two programs: the arena, and a script that runs the arena with --sandbox off,
# unless the command line sets --sandbox itself.
sandboxed_arena=$SCOPA_ARENA
bare_arena=$out.bare
cat >"$bare_arena" <<END
#!/bin/sh
case \$1 in
match | tournament | gate | resume)
	verb=\$1
	shift
	exec '$sandboxed_arena' "\$verb" --sandbox off "\$@" ;;
esac
exec '$sandboxed_arena' "\$@"
END
chmod +x "$bare_arena"
scenario_arena=$sandboxed_arena

# Ends the previous scenario, if there is one, and begins a new one.
scenario() { # NAME
	end_scenario
	scenario_name=$1
	scenario_wrong=
	SCOPA_ARENA=$scenario_arena
}

# Runs the bots of all later scenarios without a sandbox: for scripts in which
# nothing depends on it.  A sandbox takes longer to make than a short game to
# play.
without_sandbox() {
	scenario_arena=$bare_arena
	SCOPA_ARENA=$bare_arena
}

# Begins a scenario with a sandbox in such a script.
sandboxed_scenario() { # NAME
	scenario "$1"
	SCOPA_ARENA=$sandboxed_arena
}

# Begins a scenario whose bots have no sandbox, as they write files or run
# programs outside of their folders.
bare_scenario() { # NAME
	scenario "$1"
	SCOPA_ARENA=$bare_arena
}

# Reports a scenario that cannot be run on this machine as skipped.
skip() { # NAME WHY
	end_scenario
	scenario_count=$((scenario_count + 1))
	echo "ok $scenario_count - $1 # SKIP $2"
}

# Begins a scenario that needs a sandbox, or reports it as skipped and returns
# false.  The script must have set $level (see level_of).
sandboxed_or_skip() { # NAME
	[ "$level" = none ] || { sandboxed_scenario "$1" && return; }
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

# Marks the scenario as failed.  Its first failure also prints the command, exit
# status and output of the last `run`.
fail() { # WHY
	echo "# $scenario_name: $1"
	[ -z "$scenario_wrong" ] || return 0
	scenario_wrong=1
	[ -n "$ran" ] || return 0
	echo "#   command: $ran"
	echo "#   exit   : $status"
	print_ends "$out" '#   stdout : '
	print_ends "$err" '#   stderr : '
}

# Prints the first 20 lines of a file and the last 40, with a text before each.
print_ends() { # FILE TEXT
	awk -v text="$2" '{ line[NR] = $0 }
		END {
			for (i = 1; i <= NR; i++)
				if (i <= 20 || i > NR - 40)
					print text line[i]
				else if (i == 21)
					print text "..."
		}' "$1"
}

# Chooses a mark for the environment of the command that is started next.  All
# its descendants inherit it, and left_over finds them by it.
mark_run() { # COMMAND...
	ran=$*
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
}

# Runs a command with a file as standard input.  Sets $status to its exit
# status; its output is in the files $out and $err.
run_from() { # FILE COMMAND...
	mark_run "${@:2}"
	status=0
	# --foreground: what ends the script ends the command, too.
	SCOPA_TEST_MARK=${run_mark#*=} \
		timeout --foreground -k 60 "${RUN_SECONDS:-600}" "${@:2}" \
		<"$1" >"$out" 2>"$err" || status=$?
}

# Runs a command without input (`run`), or with a text as input (`run_with`).
run() { # COMMAND...
	run_from /dev/null "$@"
}

run_with() { # INPUT COMMAND...
	printf '%s' "$1" >"$out.in"
	run_from "$out.in" "${@:2}"
}

# Runs a command while COUNT programs use these cores without a pause.
run_beside() { # COUNT CORES COMMAND...
	local hogs=()
	for _ in $(seq "$1"); do
		taskset -c "$2" sh -c 'while :; do :; done' &
		hogs+=($!)
	done
	run "${@:3}"
	kill "${hogs[@]}" || fail "nothing has used the cores $2"
	wait "${hogs[@]}" 2>/dev/null
}

# Prints the cores that this script may use, as a list for taskset.
cores_here() {
	taskset -pc $$ | sed 's/.*: //'
}

# Runs a command (`expect_run`), or the arena with arguments (`arena`), and
# expects this exit status.
expect_run() { # STATUS COMMAND...
	run "${@:2}"
	expect_exit "$1"
}

arena() { # STATUS ARGUMENT...
	expect_run "$1" "$SCOPA_ARENA" "${@:2}"
}

# Runs the arena and expects that it refuses the arguments: exit status 2 and
# one error that matches EXPRESSION.
refuses() { # EXPRESSION ARGUMENT...
	arena 2 "${@:2}"
	expect_error "$1"
}

# Starts a command in the background, with the default actions of SIGINT and
# SIGTERM as in a terminal, and with a file as standard input (`start_from`) or
# without input (`start`).  $arena is its process id; `reap` waits for it.
start_from() { # FILE COMMAND...
	mark_run "${@:2}"
	# Old output is removed now: the background process may open the files
	# later than this script reads them.
	: >"$out"
	: >"$err"
	env --default-signal=INT,TERM "$run_mark" "${@:2}" \
		<"$1" >"$out" 2>"$err" &
	arena=$!
}

start() { # COMMAND...
	start_from /dev/null "$@"
}

# Waits until a file has COUNT lines (default: 1) that match.  If the arena ends
# before that, the scenario fails and the result is false.
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

# Waits until a file exists or the arena has ended, and expects the file.
await_file() { # FILE
	until [ -e "$1" ] || ! [ -e "/proc/$arena" ]; do sleep 0.02; done
	expect_file "$1"
}

# Waits until a run has the record of its first game.
await_results() { # RUN
	await "$1/records.scopa" '^sum '
}

# Waits for the process $arena and sets $status, as `run` does.  With STATUS,
# expects this exit status.
reap() { # [STATUS]
	status=0
	wait "$arena" 2>/dev/null || status=$?
	[ $# -eq 0 ] || expect_exit "$1"
}

# Waits like `reap`, and expects that all processes that $arena started end, too.
reap_all() { # [STATUS]
	reap "$@"
	expect_soon_no_children
}

# Sends a signal to the process $arena, and waits as `reap_all` does.
end_by() { # SIGNAL [STATUS]
	kill -s "$1" "$arena" 2>/dev/null
	reap_all "${@:2}"
}

# Expects the exit status of a process that ended by a signal.
expect_signalled() { # SIGNAL
	expect_exit $((128 + $(kill -l "$1")))
}

# Makes clock.so of tests/e2e/clock.c; false if there is no compiler.
wrong_clock() {
	"${compiler[@]}" -shared -fPIC -o clock.so "$SRC/tests/e2e/clock.c" \
		2>/dev/null
}

sleep_below_100_ms() {
	sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
}

# Prints the number of the first line of a file that matches.
line_of() { # FILE EXPRESSION
	grep -n -m 1 -e "$2" "$1" | cut -d : -f 1
}

# Prints the process ids of a process's children.
children_of() { # PID
	grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d / -f 3
}

# Prints the process ids of an arena's workers.  Each leads a session, which
# distinguishes it from the process that a sanitizer starts when the arena ends.
workers_of() { # PID
	local child
	for child in $(children_of "$1"); do
		awk -v id="$child" '$6 == id { print id }' \
			"/proc/$child/stat" 2>/dev/null
	done
}

# Words before a command that runs as the user nobody: some limits do not hold
# for root.
# shellcheck disable=SC2034 # for scripts
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/'

# Prints the level of the sandbox on this machine.  With COMMAND, which runs the
# arena with fewer rights: the level that remains then.
# shellcheck disable=SC2120 # Scripts may give a command.
level_of() { # [COMMAND...]
	("$@" "$SCOPA_ARENA" doctor --json) 2>/dev/null |
		sed -n 's/.*"walls":"\([^"]*\)".*/\1/p'
}

# Prints the values of --sandbox that can be tested here: `off`, and also `auto`
# if the sandbox of this machine kills all processes of a bot for certain.
sandboxes_here() {
	if "$SCOPA_ARENA" doctor >/dev/null 2>&1; then
		echo off auto
	else
		echo off
	fi
}

# Writes a program in shell.
program() { # NAME LINE...
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
	chmod +x "$1"
}

# Writes a bot in shell to the file NAME.  By default it plays the first legal
# move.  TURN is the code that runs when the bot is asked for a move, for the
# $turn_count-th time; its function `answer` sends the move.  CASES are
# additional branches of the `case` over the verbs of the arena.
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

# Writes such a bot in Python.  Standard input is code that is put in front, after
# `import sys`.  It may define `hello`, lines to send before `uspok`; hear(line),
# which is called with each line of the arena; and turn(legal, id), which is called
# for each question and may return what to send instead of the first legal move.
python_bot() { # NAME.py
	{
		printf '#!/usr/bin/env python3\nimport sys\n'
		cat
		cat <<END
for line in sys.stdin:
    word = line.split() or ['']
    if 'hear' in globals():
        hear(line)
    if word[0] == 'usp':
        print('id name=${1%.py}', *globals().get('hello', ()), 'uspok 1',
              sep='\\n', flush=True)
    elif word[0] == 'isready':
        print('readyok', flush=True)
    elif word[0] == 'legal':
        legal = word[1:]
    elif word[0] == 'go':
        answer = turn(legal, word[1]) if 'turn' in globals() else None
        print(f'move {legal[0]} {word[1]}' if answer is None else answer,
              flush=True)
    elif word[0] == 'quit':
        break
END
	} >"$1"
	chmod +x "$1"
}

# Prints a record, or the records of a run, without the parts that differ each
# time a game is played, or from machine to machine: times, void turns and games,
# the sandbox, and the checksum.
stable_record() { # FILE|RUN
	[ ! -d "$1" ] || set -- "$1/records.scopa"
	sed -E 's/ (t|utc|sandbox)=[^ ]*//g; s/ voided=[A-Z_,]*//
		/^(sum|void|ponder) /d' "$1"
}

# Expects the same games in two records or runs.  What SED-SCRIPT removes may
# differ, too.
expect_same_games() { # FILE|RUN FILE|RUN [SED-SCRIPT]
	local differ
	stable_record "$1" | sed -E "${3-}" | grep -q '^match ' ||
		fail "there are no games in $1"
	differ=$(diff <(stable_record "$1" | sed -E "${3-}") \
		<(stable_record "$2" | sed -E "${3-}") |
		head -n 3 | paste -sd ' ')
	[ -z "$differ" ] || fail "the games of $1 and $2 differ: $differ"
}

# Prints the report of a run without times and without the name of the run.
results_of() { # RUN
	"$SCOPA_ARENA" status "$1" --json |
		python3 -IS -c '
import json, sys
def strip(value):
    if isinstance(value, dict):
        return {key: strip(member) for key, member in value.items()
            if "think" not in key and key not in ("run", "created",
                "replayed", "void_turns", "void_games", "lag_ms_longest",
                "ponder_games", "ponder_ms")}
    if isinstance(value, list):
        return [strip(member) for member in value]
    return value
print(json.dumps(strip(json.load(sys.stdin)), indent=1, sort_keys=True))'
}

# Expects the same games and the same results in two runs.
expect_same_run() { # RUN RUN
	expect_same_games "$1" "$2"
	results_of "$1" >"$out.one"
	results_of "$2" >"$out.other"
	[ -s "$out.one" ] || fail "there are no results of $1"
	expect_same "$out.one" "$out.other"
}

# Prints the rows of a query on the database of a run.
query_results() { # RUN SQL
	python3 -IS -c '
import sqlite3, sys
results = sqlite3.connect(f"file:{sys.argv[1]}/results.db?mode=ro", uri=True)
for row in results.execute(sys.argv[2]):
    print(*row)' "$@"
}

# Prints a pack: these cards first, then all others.
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

# Expects that for each of these extended regular expressions some line, or no
# line, of stdout or stderr matches.
expect_out() { # EXPRESSION...
	expect_match stdout "$out" "$@"
}

expect_err() { # EXPRESSION...
	expect_match stderr "$err" "$@"
}

expect_no_out() { # EXPRESSION...
	expect_no_match stdout "$out" "$@"
}

expect_no_err() { # EXPRESSION...
	expect_no_match stderr "$err" "$@"
}

expect_match() { # NAME FILE EXPRESSION...
	local expression
	for expression in "${@:3}"; do
		has_line "$expression" "$2" ||
			fail "no line of $1 matches: $expression"
	done
}

# Whether some line of a file matches.  The shell looks at the first lines, because
# to start grep takes longer; grep decides if it finds none.
has_line() { # EXPRESSION FILE
	local line lines=()
	[ ! -r "$2" ] || mapfile -t -n 50 lines <"$2"
	for line in "${lines[@]}"; do
		[[ ! $line =~ $1 ]] || return 0
	done
	grep -Eqs -e "$1" "$2"
}

expect_no_match() { # NAME FILE EXPRESSION...
	local expression
	for expression in "${@:3}"; do
		! grep -Eqs -e "$expression" "$2" ||
			fail "a line of $1 matches: $expression"
	done
}

expect_out_empty() {
	[ ! -s "$out" ] || fail 'stdout was expected to be empty'
}

# Lines about sandbox layers that this machine lacks are ignored.
expect_err_empty() {
	[ ! -s "$err" ] || ! grep -qv '^sandbox no ' "$err" ||
		fail 'stderr was expected to be empty'
}

# Expects that stdout is empty and stderr has exactly one error, which matches.
expect_error() { # EXPRESSION
	expect_out_empty
	expect_err "^error: .*$1"
	[ "$(grep -c '^error: ' "$err")" -eq 1 ] ||
		fail 'exactly one error was expected'
}

expect_file() { # PATH...
	local path
	for path; do [ -e "$path" ] || fail "no such file: $path"; done
}

expect_no_file() { # PATH...
	local path
	for path; do [ ! -e "$path" ] || fail "this file should not exist: $path"; done
}

expect_same() { # FILE FILE
	cmp -s "$1" "$2" || fail "these differ: $1 $2"
}

# Expects that some line, no line, or exactly COUNT lines of a file match.
expect_line() { # EXPRESSION FILE
	expect_match "$2" "$2" "$1"
}

expect_no_line() { # EXPRESSION FILE
	expect_no_match "$2" "$2" "$1"
}

expect_lines() { # COUNT EXPRESSION FILE
	local count
	[ -r "$3" ] || fail "there is no file $3"
	count=$(grep -Ecs -e "$2" "$3")
	[ "${count:-0}" -eq "$1" ] ||
		fail "$1 lines of $3 were expected, not ${count:-0}: $2"
}

expect() { # COMMAND...
	"$@" || fail "this does not hold: $*"
}

# Expects that stdout is a JSON document for which these Python expressions are
# true.  In them `d` is the document, and `bot` a dictionary of its bots by name.
# Of JSON Lines `d` is the list of the documents, and of CSV that of the rows.
expect_json() { # EXPRESSION...
	expect_document 'json.load(file)' "$@"
}

expect_json_lines() { # EXPRESSION...
	expect_document 'list(map(json.loads, file))' "$@"
}

expect_csv() { # EXPRESSION...
	expect_document 'list(csv.DictReader(file))' "$@"
}

expect_document() { # READ EXPRESSION...
	local wrong
	wrong=$(python3 -IS -c '
import csv, json, math, sys
def near(a, b, tolerance=1e-6):
    return abs(a - b) <= tolerance * (1 + abs(b))
try:
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        d = eval(sys.argv[2])
except ValueError:
    sys.exit("stdout is no such document")
bots = d.get("ranking", d.get("bots", [])) if isinstance(d, dict) else []
bot = {b["name"]: b for b in bots}
for expression in sys.argv[3:]:
    try:
        holds = eval("(" + expression + ")")
    except Exception:
        holds = False
    if not holds:
        sys.exit("the document does not say: " + expression)' \
		"$out" "$@" 2>&1) || fail "$wrong"
}

# Plays a match and writes only its record.
record_match() { # FILE ARGUMENT...
	"$SCOPA_ARENA" match --quiet --record "$@" >/dev/null 2>&1 ||
		fail "the match was not played: $*"
}

# Expects that `record verify` accepts a record.
expect_verified() { # FILE
	"$SCOPA_ARENA" record verify "$1" >"$out.verified" 2>&1 ||
		fail "$(head -n 3 "$out.verified")"
}

# The process ids of this script and all its parents, with blanks around each.
own_processes=" $$ "
parent=$PPID
while [ "${parent:-0}" -gt 1 ]; do
	own_processes+="$parent "
	parent=$(awk '/^PPid:/ { print $2 }' "/proc/$parent/status")
done

# Prints the ids of processes that the last `run` started and that still run.
# Such a process has the mark in its environment, or its working folder is the
# current folder, since a bot may have an environment without the mark.  This
# script and its parents are left out.
left_over() {
	local process id mine="$own_processes$BASHPID " found
	# The list also holds `grep` and `find`, as they run in this folder.
	# They have ended when the list is checked.
	found=$(
		grep -lsaF "$run_mark" /proc/[0-9]*/environ
		find /proc/[0-9]*/cwd -maxdepth 0 -lname "$(pwd -P)" 2>/dev/null
	)
	for process in $found; do
		process=${process%/*}
		id=${process#/proc/}
		case $mine in *" $id "*) continue ;; esac
		# A process that has ended since then, or that is a zombie of
		# another parent, does not count.
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

# Expects the same within a minute.  After the arena was killed its children need
# a moment to end, on a busy machine some seconds.
expect_soon_no_children() {
	local begun=$SECONDS
	while [ $((SECONDS - begun)) -le 60 ]; do
		[ -n "$(left_over)" ] || return 0
		sleep 0.02
	done
	expect_no_children
}
