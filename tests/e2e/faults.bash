# shellcheck shell=bash
# The rows of tests/faulty/faults.tsv as scenarios: `. "$SRC/tests/e2e/faults.bash"`,
# behind lib.sh.
#
#	rows <<'END'
#	F021|64 MB without a line end|endless-line|protocol BAD_LINE|--tc move:20
#	END
#	finish_groups line
#
# A row is: id, words for its scenario, the misbehaviour with its word, what
# is judged (KIND REASON, or - where the game goes on), options of the match.
# The faulty bot has seat 1 and moves first; the witness has seat 2 and is honest.
# Every row is played without a sandbox or in the best that this machine has.
# Rows that other files play are in tests/faulty/elsewhere.tsv.

faulty=${BUILD:?run this with make test}/tests/faulty/faulty_bot
fault_table=$SRC/tests/faulty/faults.tsv

# How much later than asked for things may happen on a machine that is busy with
# something else; the arena itself has 250 ms.  Below the 10 s that a move has
# unless said: what is judged at once does not pass for what waited for them.
slack_ms=${FAULT_SLACK_MS:-8000}
peak_slack_kb=1024
# AddressSanitizer adds shadow memory, and holds freed memory back for a while.
[ "${MODE:-}" != san ] || peak_slack_kb=4096
grace_ms=1000 # from `quit` to the kill

# A core file, if there were one, would lie beside the records.
ulimit -c unlimited 2>/dev/null

sandboxes=$(sandboxes_here)

declare -A covered=()

# Bots that wrote outside of their folders wrote files that are newer than this:
# older ones are not of this script.
begun=$(mktemp)

now_ms() {
	echo "$((${EPOCHREALTIME/[.,]/} / 1000))"
}

# A match of two bots; what it leaves: games.scopa, heard, $out, $elapsed_ms.
# The faulty bot may have more words.
faulty_words=()
confront() { # SANDBOX MISBEHAVIOUR OPTION...
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

# What the witness hears beside an honest bot, once for each set of options.
hear_honest() { # OPTION...
	local faulty_words=()
	honest=honest.$(printf '%s ' "$@" | cksum | cut -d ' ' -f 1)
	[ -e "$honest" ] || {
		confront off honest "$@"
		mv heard "$honest"
	}
}

# Lines without what differs from game to game, or says that the arena moved for
# a bot; what is left of a clock is the witness's own doing.
plain_lines() { # FILE
	sed 's/ time=[0-9]* inc=/ inc=/; s/ turn=[0-9a-f]*//; s/ by=arena cause=[a-z]*//; /^#/d' "$1"
}

# The number behind NAME= that the witness saw at its end.
seen_of_arena() { # FILE NAME
	sed -n "s/^# .*\\<$2=\\(-\\{0,1\\}[0-9]*\\).*/\\1/p" "$1"
}

# The arena has not grown, and holds nothing of bots that have ended.
expect_arena_as() { # FILE
	# A witness that has not reported within the grace was killed on a busy machine.
	grep -q '^# others=' heard || {
		expect [ "$elapsed_ms" -ge "$grace_ms" ]
		return
	}
	expect [ "$(seen_of_arena heard peak)" -le \
		$(($(seen_of_arena "$1" peak) + peak_slack_kb)) ]
	expect [ "$(seen_of_arena heard zombies)" -eq 0 ]
	# One that does not go still has its descriptors.
	[ "$(seen_of_arena heard others)" -gt 0 ] ||
		expect [ "$(seen_of_arena heard descriptors)" -eq \
			"$(seen_of_arena "$1" descriptors)" ]
}

# The witness was sent a whole match, in order, and what was not the faulty bot's
# doing is just what it is sent beside an honest bot ($honest).
expect_undisturbed() { # SANDBOX
	local lines
	expect_no_line '^offence 2' games.scopa
	# In a sandbox it cannot write down what it hears.
	[ "$1" = off ] || return 0
	plain_lines heard | sed '/^abort/q' | sed '/^abort/d' >heard.plain
	lines=$(wc -l <heard.plain)
	plain_lines "$honest" | head -n "$lines" >honest.plain
	expect_same heard.plain honest.plain
	grep -q '^abort' heard ||
		expect [ "$lines" -eq "$(plain_lines "$honest" | wc -l)" ]
	expect_lines 1 '^endmatch' heard
	expect [ "$(sed '/^#/d' heard | tail -n 1)" = quit ]
	expect_arena_as "$honest"
}

# Nothing is left but what the scenario itself has made.
expect_nothing_left() {
	expect_no_children
	local file
	for file in core* $(find /dev/shm "${TMPDIR:-/tmp}" -maxdepth 1 \
		-name 'scopa-misbehaviour*' -newer "$begun"); do
		expect_no_file "$file"
	done
	expect_no_file owned
}

# A reason as an expression.
quoted() { # TEXT
	printf '%s' "$1" | sed 's/[()|]/\\&/g'
}

# One result, with the offence that was expected.
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

# The game was never begun: the output says so, and of which bot.
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

# The value of --NAME=SECONDS or --NAME=MS in options, in milliseconds.
option_ms() { # NAME DEFAULT OPTION...
	local name=$1 ms=$2
	shift 2
	while [ $# -gt 1 ]; do
		case $1 in
		--"$name")
			ms=${2#move:}
			[ "$name" != tc ] ||
				ms=$(awk -v s="$ms" 'BEGIN { print s * 1000 }')
			;;
		esac
		shift
	done
	echo "$ms"
}

# It was over when it should: at the deadline where one was missed, and long
# before it where not.
expect_in_time() { # REASON OPTION...
	local limit_ms=0
	case $1 in
	HS_TIMEOUT) limit_ms=$(option_ms startup-ms 10000 "${@:2}") ;;
	TIMEOUT | UNREAD) limit_ms=$(option_ms tc 10000 "${@:2}") ;;
	esac
	expect [ "$elapsed_ms" -ge "$limit_ms" ]
	expect [ "$elapsed_ms" -le $((limit_ms + 250 + slack_ms)) ]
}

# The table has this outcome for the row.
expect_listed() { # ID OUTCOME
	awk -F '\t' -v id="$1" -v outcome="|$2|" '
		$1 == id && index("|" $4 "|", outcome) { found = 1 }
		END { exit !found }' "$fault_table" ||
		fail "tests/faulty/faults.tsv does not have for $1: $2"
}

# Plays a row, and sees that everything holds that must.
play_row() { # ID SANDBOX MISBEHAVIOUR OUTCOME OPTION...
	local kind=${4%% *} reason=${4#* }
	[ "$kind" = startup ] || [ "$2" != off ] || hear_honest "${@:5}"
	confront "$2" "$3" "${@:5}"
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

# The sandboxes that a row is played in: all with TEST_FULL, or else the one that
# the row before was not played in.
next_sandboxes() {
	if [ -n "${TEST_FULL:-}" ] || [ "${sandboxes% *}" = "$sandboxes" ]; then
		echo "$sandboxes"
	elif [ $((${#covered[@]} % 2)) -eq 0 ]; then
		echo "${sandboxes% *}"
	else
		echo "${sandboxes#* }"
	fi
}

# Plays the rows that come in.
rows() {
	local id words fault outcome options sandbox
	while IFS='|' read -r id words fault outcome options; do
		[ -n "$id" ] || continue
		covered[$id]=1
		for sandbox in $(next_sandboxes); do
			scenario "$id $words (--sandbox $sandbox)"
			# The options are words on purpose.
			# shellcheck disable=SC2086
			play_row "$id" "$sandbox" "$fault" "$outcome" $options
		done
	done
}

# The same of rows that only a sandbox is a match for.
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

# A scenario of a row that cannot be played here.
skip_row() { # ID WORDS WHY
	covered[$1]=1
	skip "$1 $2" "$3"
}

# Begins a scenario of a row that needs more than a misbehaviour.
row() { # ID WORDS
	covered[$1]=1
	scenario "$1 $2"
}

# Every row of these groups has had its scenario, here or elsewhere, and no others.
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
	# Of two misbehaviours of one name the second would never be committed.
	expect [ -z "$("$faulty" --list | cut -f 2 | sort | uniq -d)" ]
	diff listed.rows covered.rows >rows.diff ||
		fail "tests/faulty/faults.tsv and this file differ: $(tr '\n' ' ' \
			<rows.diff)"
	finish
}
