#!/bin/bash
# Runs tests and counts them: run.sh [NAME...]; all of them when none is named.
# NAME is one of
#
#	test_card	a file of C tests; `card` will do
#	test_letters_name_value_and_suit	one C test
#	units		all files of C tests
#	corpus_line	the kept inputs of a fuzz target
#	e2e/match	a shell script of tests/e2e; `match` will do
#	layers		the checks of tests/layers_check.sh
#
# A file of C tests has a process of its own, although a program holds those of
# a whole folder.
#
# Each C test function, each scenario of a shell script and each check is one
# test.  All of them speak TAP; what ends in the middle, ends badly without
# naming a failed test, or runs no test at all counts as one failure more.  What
# took 5 s or more says so.
#
# Two run at once for each core, since most wait for much of their time; what
# takes long begins first.  A line at the head of a script says where it differs:
#
#	# Alone: WHY		it runs at the end, with nothing beside it
#	# Queue NAME: WHY	no other script of this queue runs beside it
#	# Full: WHY		it is left out, but for TEST_FULL or by its name
#	# Release: WHY		it is left out where MODE is `san`, likewise
#
# Environment: BUILD (folder of the build), MODE, CC, NM, WERROR; BUILD_STATUS,
# not 0 where something did not build; TEST_FULL, not empty for all that there
# is; TEST_ALONE, `no` to leave out what runs alone; TEST_SECONDS, the limit of
# one program; TEST_JOBS, how many run at once.
set -uo pipefail

SRC=$(cd "$(dirname "$0")/.." && pwd)
BUILD=$(cd "${BUILD:-$SRC/build}" && pwd) || exit 5
export SRC BUILD
export SCOPA_ARENA=$BUILD/scopa-arena SCOPA_BOT=$BUILD/scopa-bot
export CMOCKA_MESSAGE_OUTPUT=TAP
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export LC_ALL=C
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

jobs=${TEST_JOBS:-$((2 * $(nproc)))}
export TEST_FULL=${TEST_FULL:-}
all=$(mktemp -d) || exit 5
# Bots of other users are in folders below it.
chmod 711 "$all"
trap 'rm -rf "$all"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

passed=0
failed=0
skipped=0
failures=()

# Reads TAP and the exit status of its writer; prints passed, failed, skipped
# and what is wrong with the whole, if anything.
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

# Runs one test program in a folder, says how it went, and counts.
run() { # NAME FOLDER COMMAND...
	local name=$1 folder=$2 log=$scratch/log status good bad idle wrong
	local took began=$SECONDS
	shift 2
	# The shell's own words about a program that was killed are not wanted.
	{ (cd "$folder" && exec timeout -k 10 "${TEST_SECONDS:-900}" "$@") \
		</dev/null >"$log" 2>&1; } 2>/dev/null
	status=$?
	read -r good bad idle wrong < <(count_tap "$status" <"$log")
	passed=$((passed + good))
	failed=$((failed + bad))
	skipped=$((skipped + idle))
	took=$((SECONDS - began))
	if [ "$took" -ge 5 ]; then took=", $took s"; else took=; fi
	if [ "$bad" -eq 0 ]; then
		printf 'ok      %3d  %s%s\n' "$good" "$name" "$took"
		grep -E '^(not )?ok .*# SKIP' "$log" | sed 's/^/        /'
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

# The source of a name: a file of C tests, or the one that holds a C test.
source_of() { # NAME
	local file
	for file in "$SRC"/tests/{property,unit/*}/{"$1","test_$1"}.c; do
		[ -e "$file" ] && echo "$file" && return
	done
	grep -lrE --include='test_*.c' "^[A-Z]*TEST(_WITH)?\\(?$1[,)]" \
		"$SRC/tests/property" "$SRC/tests/unit" | head -n 1
}

# What has one name only, for those that may be written in more than one way.
whole_name() { # NAME
	local name=${1#cli/}
	name=${name#e2e/}
	case $1 in
	walls)
		echo layers ;; # the old name
	layers | units | corpus_*)
		echo "$1" ;;
	*)
		if [ "$1" = "$name" ] && [ -n "$(source_of "$1")" ]; then
			name=$(basename "$(source_of "$1")" .c)
			[[ $1 == "$name" || "test_$1" == "$name" ]] || name=$1
			echo "$name"
		elif [ -e "$SRC/tests/e2e/$name.sh" ]; then
			echo "e2e/$name"
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
		mkdir -m 755 "$scratch/here" "$scratch/tmp"
		TMPDIR=$scratch/tmp run "$1" "$scratch/here" \
			bash "$SRC/tests/$1.sh" ;;
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

# A test in a process of its own, which leaves what it says and counts.
run_apart() { # INDEX NAME
	scratch=$all/$1
	passed=0 failed=0 skipped=0 failures=()
	mkdir -m 755 "$scratch"
	run_named "$2" >"$scratch/says"
	echo "$passed $failed $skipped ${failures[*]}" >"$scratch/sum"
	rm -rf "$scratch/here" "$scratch/tmp"
	mv "$scratch/sum" "$scratch/counts"
}

# Says what has ended, in the order in which it began.
tell() {
	local good bad idle names
	while [ -e "$all/$told/counts" ]; do
		cat "$all/$told/says"
		read -r good bad idle names <"$all/$told/counts"
		passed=$((passed + good))
		failed=$((failed + bad))
		skipped=$((skipped + idle))
		# No name is two words.
		# shellcheck disable=SC2206
		failures+=($names)
		rm -rf "${all:?}/$told"
		told=$((told + 1))
	done
}

# What the head of a script says behind a word: its line, or nothing.
head_line() { # NAME WORD
	[ ! -e "$SRC/tests/$1.sh" ] ||
		sed -n "/^#/!q; s/^# $2[: ]//p" "$SRC/tests/$1.sh" | head -n 1
}

# Runs tests, so many at a time, the first first; one of a queue that is busy
# waits until that is free.
run_all() { # AT_ONCE NAME...
	local at_once=$1 name queue ended i
	local -A queues=() # of the processes that run
	local -a pending=("${@:2}")
	while [ "${#pending[@]}" -gt 0 ]; do
		for i in "${!pending[@]}"; do
			name=${pending[i]}
			queue=$(head_line "$name" Queue)
			queue=${queue%%:*}
			[ -n "$queue" ] || break
			[[ " ${queues[*]} " == *" $queue "* ]] || break
			name=
		done
		if [ -z "$name" ] || [ "${#queues[@]}" -ge "$at_once" ]; then
			wait -n -p ended
			unset "queues[$ended]"
			tell
			continue
		fi
		unset "pending[$i]"
		run_apart "$begun" "$name" &
		queues[$!]=${queue:-none}
		begun=$((begun + 1))
	done
	wait
	tell
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
		[ -n "$TEST_FULL" ] || [ -z "$(head_line "$name" Full)" ] ||
			continue
		[ "${MODE:-}" != san ] || [ -z "$(head_line "$name" Release)" ] ||
			continue
		echo "$name"
	done
	[ "${MODE:-}" = san ] || echo layers
}

# What takes longest, and then the scripts: they wait for most of their time.
longest='e2e/sim test_run_faults e2e/runs e2e/fair e2e/memory e2e/workers
	e2e/faults_line e2e/sandbox e2e/faults_arena test_stagewise e2e/entrants
	e2e/fail_nth e2e/sandbox_levels e2e/match e2e/rate e2e/bots e2e/resume
	e2e/gate e2e/sprt e2e/faults_death e2e/runtimes layers'
in_order() { # NAME...
	# The names are words on purpose.
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

# A program left over from before would hide that its source is broken.
[ "${BUILD_STATUS:-0}" -eq 0 ] || missing build 'something did not build'
together=()
alone=()
while IFS= read -r name; do
	if [ -n "$(head_line "$name" Alone)" ]; then
		alone+=("$name")
	else
		together+=("$name")
	fi
done < <(in_order "$@")
begun=0
told=0
run_all "$jobs" "${together[@]}"
[ "${TEST_ALONE:-}" = no ] || run_all 1 "${alone[@]}"

[ "$skipped" -eq 0 ] || echo "skipped: $skipped"
[ "$failed" -eq 0 ] || echo "failed in: ${failures[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
