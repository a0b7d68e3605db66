#!/bin/bash
# Runs tests and counts them: run.sh [NAME...], NAME as in `test_card`,
# `corpus_line`, `cli/version` or `walls`; all of them when none is named.
#
# Each C test function, each scenario of a shell script and each wall is one
# test.  All of them speak TAP; what ends in the middle, ends badly without
# naming a failed test, or runs no test at all counts as one failure more.  What
# took 5 s or more says so.
#
# One runs beside the other, for each core, but for scripts with a line `# Alone:
# WHY`, which run at the end one by one.
#
# Environment: BUILD (folder of the build), MODE, CC, NM, WERROR; BUILD_STATUS,
# not 0 where something did not build; TEST_SECONDS, the limit of one program;
# TEST_JOBS, how many run at once.
set -uo pipefail

SRC=$(cd "$(dirname "$0")/.." && pwd)
BUILD=$(cd "${BUILD:-$SRC/build}" && pwd) || exit 5
export SRC BUILD
export SCOPA_ARENA=$BUILD/scopa-arena SCOPA_BOT=$BUILD/scopa-bot
export CMOCKA_MESSAGE_OUTPUT=TAP
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export LC_ALL=C
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

jobs=${TEST_JOBS:-$(nproc)}
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

run_named() { # NAME
	case $1 in
	walls)
		run walls "$SRC" bash tests/walls.sh ;;
	cli/*)
		mkdir -m 755 "$scratch/here" "$scratch/tmp"
		TMPDIR=$scratch/tmp run "$1" "$scratch/here" \
			bash "$SRC/tests/$1.sh" ;;
	*)
		if [ -x "$BUILD/tests/$1" ]; then
			run "$1" "$SRC" "$BUILD/tests/$1"
		else
			missing "$1" 'it did not build'
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

is_alone() { # NAME
	[ -e "$SRC/tests/$1.sh" ] && grep -q '^# Alone: ' "$SRC/tests/$1.sh"
}

# Runs tests, so many at a time.
run_all() { # AT_ONCE NAME...
	local at_once=$1 name
	shift
	for name; do
		while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
			wait -n
			tell
		done
		run_apart "$begun" "$name" &
		begun=$((begun + 1))
	done
	wait
	tell
}

if [ $# -eq 0 ]; then
	for file in "$SRC"/tests/test_*.c; do
		[ -e "$file" ] && set -- "$@" "$(basename "$file" .c)"
	done
	for file in "$SRC"/tests/fuzz_*.c; do
		name=$(basename "$file" .c)
		[ -e "$file" ] && set -- "$@" "corpus_${name#fuzz_}"
	done
	for file in "$SRC"/tests/cli/*.sh; do
		[ -e "$file" ] && [ "${file##*/}" != lib.sh ] &&
			set -- "$@" "cli/$(basename "$file" .sh)"
	done
	set -- "$@" walls
fi

# A program left over from before would hide that its source is broken.
[ "${BUILD_STATUS:-0}" -eq 0 ] || missing build 'something did not build'
together=()
alone=()
for name; do
	if is_alone "$name"; then alone+=("$name"); else together+=("$name"); fi
done
begun=0
told=0
run_all "$jobs" "${together[@]}"
run_all 1 "${alone[@]}"

[ "$skipped" -eq 0 ] || echo "skipped: $skipped"
[ "$failed" -eq 0 ] || echo "failed in: ${failures[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
