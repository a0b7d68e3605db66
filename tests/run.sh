#!/bin/bash
# Runs tests and counts them: run.sh [NAME...].  Without a name all tests run.
# NAME is one of
#
#	test_deal	a file of C tests; `deal` will do
#	test_every_refusal_has_its_reason	one C test
#	units		all files of C tests
#	corpus_line	the stored inputs of a fuzz target
#	e2e/match	a shell script of tests/e2e; `match` will do
#	layers		the checks of tests/layers_check.sh
#
# The C tests of tests/database need a server: their names run e2e/queue, which
# starts one for them.
#
# One program holds the C tests of a whole folder, but each file of C tests runs
# in a process of its own.
#
# Each C test function, each scenario of a shell script and each check is one
# test.  All of them print TAP.  A program counts as one more failure if it ends
# before its plan or before all planned tests, runs no test, or has a bad exit
# status without a failed test.  If a program takes 5 s or more, its time is
# printed.
#
# Two programs for each core run at the same time, because scripts wait most of
# their time, and one more; one of them is a file of C tests, as long as there
# are any.  The longest begin first.  A line in the head of a script changes
# this:
#
#	# Alone: WHY		the script runs at the end, without others
#	# Queue NAME: WHY	scripts of one queue run one after the other
#	# Full: WHY		the script only runs with TEST_FULL, or if it is named
#	# Release: WHY		with MODE=san the script only runs if it is named
#	# Disk: WHY		its files are on a disk, even if there is room in memory
#
# Environment:
#
#	BUILD		folder of the build
#	MODE, CC, NM, WERROR: as in the Makefile
#	BUILD_STATUS	not 0: the build has failed in part
#	TEST_FULL	not empty: run all tests in full
#	TEST_ALONE	`no`: leave out the scripts that run alone
#	TEST_SECONDS	time limit of one program
#	TEST_JOBS	how many programs run at the same time
set -uo pipefail

SRC=$(cd "$(dirname "$0")/.." && pwd)
BUILD=$(cd "${BUILD:-$SRC/build}" && pwd) || exit 5
export SRC BUILD
export SCOPA_ARENA=$BUILD/scopa-arena SCOPA_BOT=$BUILD/scopa-bot
export CMOCKA_MESSAGE_OUTPUT=TAP
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export LC_ALL=C
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

jobs=${TEST_JOBS:-$((2 * $(nproc) + 1))}
export TEST_FULL=${TEST_FULL:-}

# The files of tests are in memory if there is room: most exist for less than a
# second, and need less CPU time there than on a disk.
has_room_in_memory() {
	df -Pk /dev/shm 2>/dev/null |
		awk '$1 == "tmpfs" && $4 >= 4 * 1024 * 1024 { found = 1 }
			END { exit !found }' &&
		! grep -q ' /dev/shm .*noexec' /proc/mounts
}
disk=$(mktemp -d) || exit 5
all=$disk
if [ -z "$TEST_FULL" ] && has_room_in_memory; then
	all=$(mktemp -d /dev/shm/scopa-tests-XXXXXX) || exit 5
fi

# Bots that run as other users must be able to reach folders below these.
chmod 711 "$all" "$disk"
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$all" "$disk"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The python3 of a version manager (pyenv, asdf) is a script that looks for the
# interpreter each time, and packages may have code that runs at each start.  Both
# take longer than most uses of it in tests, so tests get one without packages.
! python3 -m venv --without-pip "$disk/python" 2>/dev/null ||
	export PATH=$disk/python/bin:$PATH

passed=0
failed=0
skipped=0
failures=()

# The lines `# WORD: WHY` in the heads of scripts: the text after the word, by the
# name of the script and the word.
declare -A heads=()
read_heads() {
	local file name line
	for file in "$SRC"/tests/e2e/*.sh; do
		name=e2e/${file##*/}
		while IFS= read -r line && [[ $line == '#'* ]]; do
			[[ $line =~ ^#\ (Alone|Queue|Full|Release|Disk)[:\ ]+(.*) ]] &&
				heads[${name%.sh} ${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
		done <"$file"
	done
}
read_heads

# Reads TAP; STATUS is the exit status of its program.  Prints the numbers of
# passed, failed and skipped tests, and what is wrong with the program as a
# whole.
count_tap() { # STATUS
	awk -v status="$1" '
	/^1\.\.[0-9]+/ { planned += substr($1, 4); plans++ }
	/^(not )?ok / && /# SKIP/ { skipped++; next }
	/^ok / { passed++ }
	/^not ok / { failed++ }
	END {
		total = passed + failed + skipped
		if (plans && total < planned)
			wrong = planned - total " test(s) did not end"
		else if (total == 0)
			wrong = "no test was run"
		else if (!plans)
			wrong = "it ended before its plan"
		else if (status && !failed)
			wrong = "ended badly"
		if (status == 124 || status == 137)
			wrong = "took too long"
		if (wrong != "") {
			failed++
			wrong = wrong " (exit status " status ")"
		}
		print passed + 0, failed + 0, skipped + 0, wrong
	}'
}

# Runs one test program in a folder, prints its result, and adds its counts.
run() { # NAME FOLDER COMMAND...
	local name=$1 folder=$2 log=$scratch/log status good bad ignored wrong
	local took began=$SECONDS
	shift 2
	# This hides the message of the shell about a program that was killed.
	{
		(cd "$folder" && exec timeout -k 10 "${TEST_SECONDS:-900}" "$@") \
			</dev/null >"$log" 2>&1 &
		wait $!
	} 2>/dev/null
	status=$?
	read -r good bad ignored wrong < <(count_tap "$status" <"$log")
	passed=$((passed + good))
	failed=$((failed + bad))
	skipped=$((skipped + ignored))
	took=$((SECONDS - began))
	if [ "$took" -ge 5 ]; then took=", $took s"; else took=; fi
	if [ "$bad" -eq 0 ]; then
		printf 'ok      %3d  %s%s\n' "$good" "$name" "$took"
		[ "$ignored" -eq 0 ] ||
			sed -En '/^(not )?ok .*# SKIP/s/^/        /p' "$log"
		return
	fi
	printf 'FAILED  %3d  %s%s%s\n' "$bad" "$name" "$took" "${wrong:+: $wrong}"
	tail -n 200 "$log" | sed 's/^/    /'
	failures+=("$name")
}

missing() { # NAME WHY
	printf 'FAILED    1  %s: %s\n' "$1" "$2"
	failed=$((failed + 1))
	failures+=("$1")
}

# Prints the file of C tests of this name, or the one that has a C test of it.
source_of() { # NAME
	local file
	for file in "$SRC"/tests/{property,unit/*}/{"$1","test_$1"}.c; do
		[ -e "$file" ] && echo "$file" && return
	done
	grep -lrE --include='test_*.c' "^[A-Z]*TEST(_WITH)?\\(?$1[,)]" \
		"$SRC/tests/property" "$SRC/tests/unit" | head -n 1
}

# Prints the full name of a test, whose name may be given in a shorter form.
whole_name() { # NAME
	local name=${1#cli/}
	name=${name#e2e/}
	case $1 in
	layers | units | corpus_*)
		echo "$1" ;;
	*)
		if [ "$1" = "$name" ] && [ -n "$(source_of "$1")" ]; then
			name=$(basename "$(source_of "$1")" .c)
			[[ $1 == "$name" || "test_$1" == "$name" ]] || name=$1
			echo "$name"
		elif [ -e "$SRC/tests/e2e/$name.sh" ]; then
			echo "e2e/$name"
		elif [ -e "$SRC/tests/database/$1.c" ] &&
			grep -qw "$1" "$SRC/tests/e2e/queue.sh"; then
			echo e2e/queue
		else
			echo "$1"
		fi ;;
	esac
}

run_program() { # NAME PROGRAM [ARGUMENT]
	if [ -x "$2" ]; then
		run "$1" "$SRC" "${@:2}"
	else
		missing "$1" 'it did not build'
	fi
}

run_named() { # NAME
	local file
	case $1 in
	layers)
		run layers "$SRC" bash tests/layers_check.sh ;;
	e2e/*)
		mkdir -m 755 "$place/here"
		run "$1" "$place/here" bash "$SRC/tests/$1.sh" ;;
	corpus_*)
		run_program "$1" "$BUILD/tests/fuzz/$1" ;;
	*)
		file=$(source_of "$1")
		if [ -n "$file" ]; then
			file=${file#"$SRC/"}
			run_program "$1" "$BUILD/${file%/*}/tests" "$1"
		else
			missing "$1" 'there is no such test'
		fi ;;
	esac
}

# Runs a test in the background.  Its output and its counts are written to files,
# which report_finished reads.
run_apart() { # INDEX NAME
	trap 'kill $!; wait; exit 1' TERM
	scratch=$all/$1 place=$all/$1
	[ -z "${heads[$2 Disk]-}" ] || place=$disk/$1
	passed=0 failed=0 skipped=0 failures=()
	mkdir -p "$scratch" "$place/tmp"
	chmod 755 "$scratch" "$place" "$place/tmp"
	TMPDIR=$place/tmp run_named "$2" >"$scratch/says"
	rm -rf "$place/here" "$place/tmp"
	echo "$passed $failed $skipped ${failures[*]}" >"$scratch/sum"
	mv "$scratch/sum" "$scratch/counts"
}

# Prints the results of tests that have ended, in the order in which they began.
report_finished() {
	local good bad ignored names
	while [ -e "$all/$reported/counts" ]; do
		cat "$all/$reported/says"
		read -r good bad ignored names <"$all/$reported/counts"
		passed=$((passed + good))
		failed=$((failed + bad))
		skipped=$((skipped + ignored))
		# Names have no blanks, and are split at blanks.
		# shellcheck disable=SC2206
		failures+=($names)
		rm -rf "${all:?}/$reported"
		reported=$((reported + 1))
	done
}

# Sets `next` to the index of the first pending test whose name fits PATTERN, and of
# whose queue no test is running.
choose() { # PATTERN
	local queue
	for next in "${!pending[@]}"; do
		# The pattern is not quoted, so that it is one.
		# shellcheck disable=SC2053
		[[ ${pending[next]} == $1 ]] || continue
		queue=${heads[${pending[next]} Queue]-}
		[[ -z $queue || " ${queues[*]} " != *" ${queue%%:*} "* ]] &&
			return
	done
	return 1
}

# Runs tests in the given order, AT_ONCE of them at the same time, with two
# exceptions.  A test of a queue waits while another test of this queue is running.
# Of the C tests, which need the processor all the time, one runs beside the
# scripts.
run_all() { # AT_ONCE NAME...
	local at_once=$1 name queue ended next first
	local -A queues=() # of each running process: `c` for C tests, or its queue
	local -a pending=("${@:2}")
	while [ "${#pending[@]}" -gt 0 ]; do
		first='test_*'
		[[ " ${queues[*]} " != *' c '* ]] || first='e2e/*'
		if [ "${#queues[@]}" -ge "$at_once" ] ||
			{ ! choose "$first" && ! choose '*'; }; then
			wait -n -p ended
			unset "queues[$ended]"
			report_finished
			continue
		fi
		name=${pending[next]}
		unset "pending[$next]"
		run_apart "$begun" "$name" &
		queue=${heads[$name Queue]-none}
		[[ $name != test_* ]] || queue=c
		queues[$!]=${queue%%:*}
		begun=$((begun + 1))
	done
	wait
	report_finished
}

all_units() {
	local file
	for file in "$SRC"/tests/{unit/*,property}/test_*.c; do
		[ -e "$file" ] && basename "$file" .c
	done | sort
}

all_tests() {
	local file name
	all_units
	for file in "$SRC"/tests/fuzz/fuzz_*.c; do
		name=$(basename "$file" .c)
		[ -e "$file" ] && echo "corpus_${name#fuzz_}"
	done
	for file in "$SRC"/tests/e2e/*.sh; do
		name=e2e/$(basename "$file" .sh)
		[ "$name" != e2e/lib ] || continue
		[ -n "$TEST_FULL" ] || [ -z "${heads[$name Full]-}" ] || continue
		[ "${MODE:-}" != san ] || [ -z "${heads[$name Release]-}" ] ||
			continue
		echo "$name"
	done
	[ "${MODE:-}" = san ] || echo layers
}

# Prints the names in the order in which they begin: the longest tests, then the
# other scripts, which mostly wait, then the rest.
longest='e2e/worker e2e/check e2e/ponder e2e/faults_line e2e/faults_arena
	e2e/faults_death e2e/new e2e/many_machines_chaos e2e/runs
	e2e/faults_time e2e/faults_handshake test_run e2e/match_policies
	e2e/workers layers e2e/queue e2e/memory e2e/many_machines_errors
	e2e/cpu_slots e2e/kit_sh e2e/lost_games test_rebuild e2e/sim e2e/trace
	e2e/serve e2e/sandbox_levels e2e/match e2e/gate e2e/fair e2e/fail_nth
	e2e/many_machines e2e/faults_process e2e/answer_grid e2e/bundles
	test_supervisor test_store test_schedule test_record_read test_sprt'
in_order() { # NAME...
	# $longest is not quoted, so that it is split into names.
	# shellcheck disable=SC2086
	printf '%s\n' $longest | grep -xF -f <(printf '%s\n' "$@")
	# shellcheck disable=SC2086
	printf '%s\n' "$@" | grep -vxF -f <(printf '%s\n' $longest) |
		sort -s -t / -k 1,1
}

chosen=()
[ $# -gt 0 ] || mapfile -t chosen < <(all_tests)
for name; do
	name=$(whole_name "$name")
	if [ "$name" = units ]; then
		mapfile -t -O "${#chosen[@]}" chosen < <(all_units)
	else
		chosen+=("$name")
	fi
done
set -- "${chosen[@]}"

# If the build has failed, programs of an older build may still be there, and
# their tests would pass.
[ "${BUILD_STATUS:-0}" -eq 0 ] || missing build 'something did not build'
together=()
alone=()
while IFS= read -r name; do
	if [ -n "${heads[$name Alone]-}" ]; then
		alone+=("$name")
	else
		together+=("$name")
	fi
done < <(in_order "$@")
begun=0
reported=0
run_all "$jobs" "${together[@]}"
[ "${TEST_ALONE:-}" = no ] || run_all 1 "${alone[@]}"

[ "$skipped" -eq 0 ] || echo "skipped: $skipped"
[ "$failed" -eq 0 ] || echo "failed in: ${failures[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
