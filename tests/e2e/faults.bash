# shellcheck shell=bash
# The rows of tests/faulty/faults.tsv as scenarios, for scripts that
# read this file, which reads lib.sh.
#
#	rows <<'END'
#	F021|64 MB without a line end|endless-line|protocol BAD_LINE|--tc move:20
#	END
#	finish_groups line
#
# A row is: id, words for its scenario, the misbehaviour with its argument, the
# offence (KIND REASON, or - if the game continues), options of the match.  The
# faulty bot has seat 1 and moves first; the witness has seat 2 and is honest.
# Every row is played without a sandbox or in the best that this machine has.
# Rows that other scripts test are in tests/faulty/elsewhere.tsv.

. "$SRC/tests/e2e/lib.sh"

faulty=${BUILD:?run this with make test}/tests/faulty/faulty_bot
fault_table=$SRC/tests/faulty/faults.tsv

# The delay that a busy machine may add; the arena itself may be 250 ms late.
# It is below the default of 10 s for a move, so that an offence that was judged
# at a deadline is not mistaken for one that was judged at once.
slack_ms=${FAULT_SLACK_MS:-8000}
peak_slack_kb=1024
# AddressSanitizer adds shadow memory, and holds freed memory back for a while.
[ "${MODE:-}" != san ] || peak_slack_kb=4096
grace_ms=1000 # from `quit` to the kill

# A core file, if a process wrote one, would be in the folder of the records.
ulimit -c unlimited 2>/dev/null

sandboxes=$(sandboxes_here)

declare -A covered=()

# Files that bots have written outside of their folders are newer than this file;
# older files do not belong to this script.
begun=$(mktemp)

now_ms() {
	echo "$((${EPOCHREALTIME/[.,]/} / 1000))"
}

# Plays a match of the faulty bot and the witness.  Sets $out and $elapsed_ms,
# and writes games.scopa and heard.  $faulty_words are more words for the faulty
# bot.
faulty_words=()
play_faulty() { # SANDBOX MISBEHAVIOUR OPTION...
	local began
	rm -f heard games.scopa
	began=$(now_ms)
	run "$SCOPA_ARENA" match --bot "cmd=$faulty" "args=$2" name=faulty \
		"${faulty_words[@]}" \
		--bot "cmd=$faulty" 'args=honest heard=heard' name=witness \
		--deals 1 --seed 5 --sandbox "$1" --json \
		--record games.scopa "${@:3}"
	elapsed_ms=$(($(now_ms) - began))
}

# Writes the lines that the witness is sent in a match against an honest bot to
# the file $honest, once for each set of options.
play_honest() { # OPTION...
	local faulty_words=()
	honest=honest.$(printf '%s ' "$@" | cksum | cut -d ' ' -f 1)
	[ -e "$honest" ] || {
		play_faulty off honest "$@"
		mv heard "$honest"
	}
}

# Prints lines without the parts that differ from game to game: clocks, turns,
# and that the arena has moved for a bot.
plain_lines() { # FILE
	sed 's/ time=[0-9]* inc=/ inc=/; s/ turn=[0-9a-f]*//; s/ by=arena cause=[a-z]*//; /^#/d' "$1"
}

# Prints the number after NAME= that the witness has reported at its end.
reported_by_witness() { # FILE NAME
	sed -n "s/^# .*\\<$2=\\(-\\{0,1\\}[0-9]*\\).*/\\1/p" "$1"
}

# Expects that the memory of the arena has not grown, and that it has no zombies
# and descriptors of bots that have ended.
expect_arena_unchanged() { # FILE
	# A witness that has not reported within the grace was killed on a busy
	# machine.
	grep -q '^# others=' heard || {
		expect [ "$elapsed_ms" -ge "$grace_ms" ]
		return
	}
	expect [ "$(reported_by_witness heard peak)" -le \
		$(($(reported_by_witness "$1" peak) + peak_slack_kb)) ]
	expect [ "$(reported_by_witness heard zombies)" -eq 0 ]
	# If the faulty bot has not ended, its descriptors are still open.
	[ "$(reported_by_witness heard others)" -gt 0 ] ||
		expect [ "$(reported_by_witness heard descriptors)" -eq \
			"$(reported_by_witness "$1" descriptors)" ]
}

# Expects that the witness was sent a whole match, in order: the same lines as
# in a match against an honest bot ($honest), except those caused by the faulty
# bot.
expect_undisturbed() { # SANDBOX
	local lines
	expect_no_line '^offence 2' games.scopa
	# In a sandbox the witness cannot write the lines to a file.
	[ "$1" = off ] || return 0
	plain_lines heard | sed '/^abort/q' | sed '/^abort/d' >heard.plain
	lines=$(wc -l <heard.plain)
	plain_lines "$honest" | head -n "$lines" >honest.plain
	expect_same heard.plain honest.plain
	grep -q '^abort' heard ||
		expect [ "$lines" -eq "$(plain_lines "$honest" | wc -l)" ]
	expect_lines 1 '^endmatch' heard
	expect [ "$(sed '/^#/d' heard | tail -n 1)" = quit ]
	expect_arena_unchanged "$honest"
}

# Expects that no process and no file of a bot is left.
expect_nothing_left() {
	expect_no_children
	local file
	for file in core* $(find /dev/shm "${TMPDIR:-/tmp}" -maxdepth 1 \
		-name 'scopa-misbehaviour*' -newer "$begun"); do
		expect_no_file "$file"
	done
	expect_no_file owned
}

# Prints a reason as a regular expression.
quoted() { # TEXT
	printf '%s' "$1" | sed 's/[()|]/\\&/g'
}

# Expects one result, with this offence.
expect_judged() { # KIND REASON
	expect_exit 0
	expect_lines 1 '^offence' games.scopa
	expect_line "^offence 1 kind=$1 reason=$(quoted "$2") " games.scopa
	expect_line '^endmatch .* winner=B reason=forfeit by=A$' games.scopa
	expect_out '"games_played":1,'
	expect_out '"forfeits":1,'
	expect_out "\"kind\":\"$1\",\"reason\":\"$(quoted "$2")\""
	expect [ "$(grep -o '"fault":' "$out" | wc -l)" -eq 1 ]
}

# Expects that no game has begun, and that the output names the bot and the
# reason.
expect_refused() { # REASON
	expect_exit 4
	expect_line "^offence 1 kind=startup reason=$(quoted "$1") " games.scopa
	expect_err '^error: bot "faulty" did not (answer|get ready)'
	expect_err '^  command : '
	[ "$1" = HS_TIMEOUT ] || expect_err " \\($(quoted "$1")\\)\$"
	expect_out '"games_played":0,'
}

expect_honest_end() {
	expect_exit 0
	expect_no_line '^offence' games.scopa
	expect_line '^endmatch .* reason=deals$' games.scopa
	expect_out '"games_played":1,'
	expect_out '"forfeits":0,'
}

# Expects that the match was over in time: at the deadline if the bot missed one,
# otherwise long before.
expect_in_time() { # REASON OPTION...
	local limit_ms=0
	case $1 in
	HS_TIMEOUT) [[ $* =~ --startup-ms\ ([0-9]+) ]] && limit_ms=${BASH_REMATCH[1]} ;;
	TIMEOUT | UNREAD)
		[[ $* =~ --tc\ move:([0-9.]+) ]] &&
			limit_ms=$(awk "BEGIN { print ${BASH_REMATCH[1]} * 1000 }")
		;;
	*) true ;;
	esac || limit_ms=10000
	expect [ "$elapsed_ms" -ge "$limit_ms" ]
	expect [ "$elapsed_ms" -le $((limit_ms + 250 + slack_ms)) ]
}

# Expects that the table has this outcome for the row.
expect_listed() { # ID OUTCOME
	awk -F '\t' -v id="$1" -v outcome="|$2|" '
		$1 == id && index("|" $4 "|", outcome) { found = 1 }
		END { exit !found }' "$fault_table" ||
		fail "tests/faulty/faults.tsv does not have for $1: $2"
}

# Plays a row, and checks its outcome and its effects on others.
play_row() { # ID SANDBOX MISBEHAVIOUR OUTCOME OPTION...
	local kind=${4%% *} reason=${4#* }
	[ "$kind" = startup ] || [ "$2" != off ] || play_honest "${@:5}"
	play_faulty "$2" "$3" "${@:5}"
	expect_listed "$1" "$4"
	case $kind in
	-) expect_honest_end ;;
	startup) expect_refused "$reason" ;;
	*) expect_judged "$kind" "$reason" ;;
	esac
	expect_in_time "$reason" "${@:5}"
	[ "$kind" = startup ] || expect_undisturbed "$2"
	expect_verified games.scopa
	expect_nothing_left
}

# Prints the sandboxes in which a row is played: all with TEST_FULL, otherwise
# the two in turn, one for each row.
next_sandboxes() {
	if [ -n "${TEST_FULL:-}" ] || [ "${sandboxes% *}" = "$sandboxes" ]; then
		echo "$sandboxes"
	elif [ $((${#covered[@]} % 2)) -eq 0 ]; then
		echo "${sandboxes% *}"
	else
		echo "${sandboxes#* }"
	fi
}

# Plays the rows of standard input.
rows() {
	local id words fault outcome options sandbox
	while IFS='|' read -r id words fault outcome options; do
		[ -n "$id" ] || continue
		covered[$id]=1
		for sandbox in $(next_sandboxes); do
			scenario "$id $words (--sandbox $sandbox)"
			# The options are split into words.
			# shellcheck disable=SC2086
			play_row "$id" "$sandbox" "$fault" "$outcome" $options
		done
	done
}

# The same for rows that need a sandbox.
sandboxed_rows() {
	local id words
	if [ "$sandboxes" != off ]; then
		sandboxes=auto rows
		return
	fi
	while IFS='|' read -r id words _; do
		[ -z "$id" ] || skip_row "$id" "$words" 'the sandbox is too weak'
	done
}

# Reports a row that cannot be played on this machine as skipped.
skip_row() { # ID WORDS WHY
	covered[$1]=1
	skip "$1 $2" "$3"
}

# Begins a scenario of a row that needs more than a misbehaviour.
row() { # ID WORDS
	covered[$1]=1
	scenario "$1 $2"
}

# Expects that each row of these groups has its scenario, in this script or in
# elsewhere.tsv, and that there are no other rows.  Ends the script.
finish_groups() { # GROUP...
	local id file name
	awk -F '\t' -v groups=" $* " 'index(groups, " " $2 " ") { print $1 }' \
		"$fault_table" | sort >listed.rows
	scenario "every row is played: $*"
	while IFS=$'\t' read -r id file name; do
		grep -qx "$id" listed.rows || continue
		covered[$id]=1
		grep -qF -e "$name" "$(find "$SRC/tests" -path "*/$file")" ||
			fail "$id is not in $file: $name"
	done <"$SRC/tests/faulty/elsewhere.tsv"
	printf '%s\n' "${!covered[@]}" | sort >covered.rows
	expect [ -s listed.rows ]
	# Of two misbehaviours with the same name the second would never run.
	expect [ -z "$("$faulty" --list | cut -f 2 | sort | uniq -d)" ]
	diff listed.rows covered.rows >rows.diff ||
		fail "tests/faulty/faults.tsv and this file differ: $(tr '\n' ' ' \
			<rows.diff)"
	finish
}
