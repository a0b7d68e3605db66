#!/bin/bash
# Works with the fuzz targets: fuzz.sh run|merge [NAME...], fuzz.sh cover;
# NAME as in tests/fuzz/fuzz_NAME.c, all of them when none is named.  README.md, in
# this folder, says what for; the Makefile calls it.
#
# Environment: BUILD (folder of the fuzzers); SECONDS_EACH, JOBS (for `run`).
set -euo pipefail

cd "$(dirname "$0")/../.."
: "${BUILD:?}" "${SECONDS_EACH:=60}" "${JOBS:=2}"
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
export LC_ALL=C

kept=tests/fuzz/corpus
bytes_most=40000 # of the found inputs of one target

targets() {
	local file
	for file in tests/fuzz/fuzz_*.c; do
		file=${file#tests/fuzz/fuzz_}
		echo "${file%.c}"
	done
}

# The lines of a file as files of a folder: seeds.h says what a line stands for.
lines_unpack() { # FILE FOLDER
	local line name number=0
	[ -e "$1" ] || return 0
	name=$(basename "$1" .txt)
	while IFS= read -r line; do
		number=$((number + 1))
		printf '%b' "$line" >"$2/$name-$number"
	done <"$1"
}

# What is written by hand, and all that is kept.
seeds_unpack() { # NAME FOLDER
	rm -rf "$2"
	mkdir -p "$2"
	lines_unpack "$kept/$1.txt" "$2"
	[ ! -d "$kept/$1" ] || cp "$kept/$1"/* "$2"
}

all_unpack() { # NAME FOLDER
	seeds_unpack "$1" "$2"
	lines_unpack "$kept/$1.found.txt" "$2"
}

# A file as a line.
line_pack() { # FILE
	od -An -v -tu1 -w1 "$1" | awk '
	{
		if ($1 == 92) printf "\\\\"
		else if ($1 == 10) printf "\\n"
		else if ($1 == 9) printf "\\t"
		else if ($1 == 13) printf "\\r"
		else if ($1 >= 32 && $1 <= 126) printf "%c", $1
		else printf "\\x%02x", $1
	}
	END { printf "\n" }'
}

# One target, with what it says in a file; the last lines of it where it fails.
fuzz() { # NAME
	local corpus=$BUILD/corpus/$1 seeds=$BUILD/seeds/$1 log=$BUILD/$1.log
	local -a dictionary=()
	mkdir -p "$corpus"
	all_unpack "$1" "$seeds"
	[ ! -e "$kept/$1.dict" ] || dictionary=(-dict="$kept/$1.dict")
	if ! "$BUILD/tests/fuzz/fuzz_$1" -max_total_time="$SECONDS_EACH" \
		-timeout=10 -rss_limit_mb=2048 -print_funcs=0 \
		-print_final_stats=1 -artifact_prefix="$BUILD/$1-" \
		"${dictionary[@]}" "$corpus" "$seeds" >"$log" 2>&1; then
		echo "fuzz $1: FAILED"
		tail -n 60 "$log"
		return 1
	fi
	printf 'fuzz %-9s %10d inputs, %6d a second, %5d edges\n' "$1" \
		"$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
		"$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")" \
		"$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)"
}

run() { # NAME...
	local name failed=0 running=0
	for name; do
		if [ "$running" -ge "$JOBS" ]; then
			wait -n || failed=1
			running=$((running - 1))
		fi
		fuzz "$name" &
		running=$((running + 1))
	done
	while [ "$running" -gt 0 ]; do
		wait -n || failed=1
		running=$((running - 1))
	done
	return "$failed"
}

# What is written by hand stays; of the rest, what reaches more than that.
merge() { # NAME...
	local name file all few
	for name; do
		all=$BUILD/seeds/$name
		few=$BUILD/merged/$name
		all_unpack "$name" "$all"
		seeds_unpack "$name" "$few"
		mkdir -p "$BUILD/corpus/$name"
		find "$few" -type f -printf '%f\n' | sort >"$few.names"
		# How often code is passed makes no difference here.
		"$BUILD/tests/fuzz/fuzz_$name" -merge=1 -use_counters=0 \
			-verbosity=0 -timeout=10 \
			-artifact_prefix="$BUILD/$name-" \
			"$few" "$all" "$BUILD/corpus/$name" 2>"$BUILD/$name.log"
		# The small ones come first, and large ones not at all.
		find "$few" -type f -printf '%f\n' | sort |
			comm -13 "$few.names" - | while IFS= read -r file; do
			line_pack "$few/$file"
		done | awk '{ print length, $0 }' | sort -n |
			awk -v most="$bytes_most" '
			(all += $1) <= most { sub(/^[0-9]+ /, ""); print }' |
			sort >"$kept/$name.found.txt"
		[ -s "$kept/$name.found.txt" ] || rm "$kept/$name.found.txt"
		printf 'merge %-9s %5d kept\n' "$name" \
			"$(find "$few" -type f | wc -l)"
	done
}

# What the line reader, the parsers and the referee are made of.
covered='^(engine/notation|arena/(os/buffers|referee/[a-z_]+|record/record_read'
covered+='|remote/(bundle|job)|cli/option))\.[ch] '

# Regions and branches of these files, and of all of them.
cover() {
	local name
	local -a objects=()
	rm -rf "$BUILD/raw"
	for name in $(targets); do
		LLVM_PROFILE_FILE=$BUILD/raw/$name \
			"$BUILD/tests/fuzz/corpus_$name" >/dev/null
		objects+=(-object "$BUILD/tests/fuzz/corpus_$name")
	done
	llvm-profdata merge -o "$BUILD/profile" "$BUILD/raw"/*
	llvm-cov show -format=html -output-dir="$BUILD/html" \
		-instr-profile="$BUILD/profile" "${objects[@]:1}"
	llvm-cov report -instr-profile="$BUILD/profile" "${objects[@]:1}" |
		grep -E "$covered" | awk '
		function part(all, missed) {
			return all ? sprintf("%6.1f %%", 100 - 100 * missed / all) \
				: "       -"
		}
		function show(name, r, rm, b, bm) {
			printf "%-32s %5d regions %s %5d branches %s\n",
				name, r, part(r, rm), b, part(b, bm)
		}
		$2 {
			show($1, $2, $3, $11, $12)
			r += $2; rm += $3; b += $11; bm += $12
		}
		END { show("all of these", r, rm, b, bm) }'
	echo "pages: $BUILD/html/index.html"
}

verb=${1:-}
[ $# -eq 0 ] || shift
# Names are words.
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(targets)
case $verb in
run | merge) "$verb" "$@" ;;
cover) cover ;;
*)
	sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
	exit 2 ;;
esac
