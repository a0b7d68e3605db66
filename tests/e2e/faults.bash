# shellcheck shell=bash
# The rows of tests/faulty/faults.tsv as scenarios: `. "$SRC/tests/e2e/faults.bash"`,
# behind lib.sh.
#
#	rows C <<'END'
#	F021|64 MB without a line end|endless-line|protocol BAD_LINE|--tc move:20
#	END
#	finish_group C
#
# A row is: id, words for its scenario, the misbehaviour with its word, what
# is judged (KIND REASON, or - where the game goes on), options of the match.
# The faulty bot has seat 1 and moves first; the witness has seat 2 and is honest.
# Every row is played without walls and within the best that this machine has.

faulty=${BUILD:?run this with make test}/tests/faulty/faulty_bot
fault_table=$SRC/tests/faulty/faults.tsv

# How much later than asked for things may happen on a machine that is busy with
# something else; the arena itself has 250 ms.  Below the 10 s that a move has
# unless told: what is judged at once does not pass for what waited for them.
slack_ms=${FAULT_SLACK_MS:-8000}
peak_slack_kb=1024
grace_ms=1000 # from `quit` to the kill

# A core file, if there were one, would lie beside the records.
ulimit -c unlimited 2>/dev/null

sandboxes=off
"$SCOPA_ARENA" match @first @first --deals 1 --sandbox require --quiet \
	>/dev/null 2>&1 && sandboxes='off auto'

declare -A covered=()

now_ms() {
	echo "$((${EPOCHREALTIME/[.,]/} / 1000))"
}

# One column of the table for a row.
fault_column() { # ID NUMBER
	awk -F '\t' -v id="$1" -v column="$2" '$1 == id { print $column }' \
		"$fault_table"
}

# A match of two bots; what it leaves: games.scopa, heard, $out, $elapsed_ms.
confront() { # SANDBOX SIN OPTION...
	local sandbox=$1 fault=$2 began
	shift 2
	rm -f heard games.scopa
	began=$(now_ms)
	run "$SCOPA_ARENA" match --bot "cmd=$faulty" "args=$fault" name=faulty \
		--bot "cmd=$faulty" 'args=honest heard=heard' name=witness \
		--deals 1 --seed 5 --sandbox "$sandbox" --json \
		--record games.scopa "$@"
	elapsed_ms=$(($(now_ms) - began))
}

# What the witness hears beside an honest bot, once for each set of options.
honest_heard() { # OPTION...
	local name kept_ran=$ran kept_status=$status kept_ms=$elapsed_ms
	name=honest.$(printf '%s ' "$@" | cksum | cut -d ' ' -f 1)
	if [ ! -e "$name" ]; then
		cp "$out" kept.out
		cp "$err" kept.err
		[ ! -e games.scopa ] || mv games.scopa kept.scopa
		[ ! -e heard ] || mv heard kept.heard
		confront off honest "$@"
		mv heard "$name"
		rm -f games.scopa
		[ ! -e kept.scopa ] || mv kept.scopa games.scopa
		[ ! -e kept.heard ] || mv kept.heard heard
		mv kept.out "$out"
		mv kept.err "$err"
		ran=$kept_ran status=$kept_status elapsed_ms=$kept_ms
	fi
	honest=$name
}

# Lines without what differs from game to game, or tells who moved for whom; what
# is left of a clock is the witness's own doing.
plain_lines() { # FILE
	sed 's/ time=[0-9]* inc=/ inc=/; s/ turn=[0-9a-f]*//; s/ by=arena cause=[a-z]*//; /^#/d' "$1"
}

# The number behind NAME= that the witness saw at its end.
seen_of_arena() { # FILE NAME
	sed -n "s/^# .*\\<$2=\\(-\\{0,1\\}[0-9]*\\).*/\\1/p" "$1"
}

# The arena has not grown, and holds nothing of who is gone.
expect_arena_as() { # FILE
	# Who has not told within the grace was killed on a busy machine.
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

# The witness was told a whole match, in order, and what was not the faulty bot's
# doing is just what it is told beside an honest bot.
expect_undisturbed() { # SANDBOX OPTION...
	local sandbox=$1
	shift
	honest_heard "$@"
	# Within walls it cannot write down what it hears.
	if [ "$sandbox" = off ]; then
		plain_lines heard >heard.plain
		if grep -q '^abort' heard.plain; then
			sed -n '/^abort/q; p' heard.plain >heard.before
			plain_lines "$honest" |
				head -n "$(wc -l <heard.before)" >honest.before
			expect_same heard.before honest.before
		else
			plain_lines "$honest" >honest.plain
			expect_same heard.plain honest.plain
		fi
		expect [ "$(grep -c '^endmatch' heard)" -eq 1 ]
		expect [ "$(sed '/^#/d' heard | tail -n 1)" = quit ]
		expect_arena_as "$honest"
	fi
	! grep -q '^offence 2' games.scopa || fail 'the witness was blamed'
}

# Nothing is left but what the scenario itself has made.
expect_nothing_left() {
	expect_no_children
	local file
	for file in core* /dev/shm/scopa-faulty* "${TMPDIR:-/tmp}"/scopa-faulty*; do
		expect_no_file "$file"
	done
	expect_no_file owned
}

expect_verified() {
	"$SCOPA_ARENA" record verify games.scopa >verified 2>&1 ||
		fail "$(head -n 3 verified)"
}

# A reason as an expression.
quoted() { # TEXT
	printf '%s' "$1" | sed 's/[()|]/\\&/g'
}

# One result, with the offence that was expected.
expect_judged() { # KIND REASON
	local kind=$1 reason=$2
	expect_exit 0
	expect [ "$(grep -c '^offence' games.scopa)" -eq 1 ]
	grep -q "^offence 1 kind=$kind reason=$reason " games.scopa ||
		fail "no offence of this kind and reason: $kind $reason"
	expect grep -q '^endmatch .* winner=B reason=forfeit by=A$' games.scopa
	expect_out '"games_played":1,'
	expect_out '"forfeits":1,'
	expect_out "\"kind\":\"$kind\",\"reason\":\"$(quoted "$reason")\""
	expect [ "$(grep -o '"fault":' "$out" | wc -l)" -eq 1 ]
}

# The game was never begun: told so, and by whom.
expect_refused() { # REASON
	expect_exit 4
	grep -q "^offence 1 kind=startup reason=$1 " games.scopa ||
		fail "no offence with this reason: $1"
	expect_err '^error: bot "faulty" did not (answer|get ready)'
	[ "$1" = HS_TIMEOUT ] || expect_err ": $(quoted "$1")\$"
	expect_out '"games_played":0,'
}

expect_honest_end() {
	expect_exit 0
	! grep -q '^offence' games.scopa || fail 'an offence was recorded'
	expect grep -q '^endmatch .* reason=deals$' games.scopa
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
	local reason=$1 limit_ms thought_ms
	shift
	case $reason in
	HS_TIMEOUT)
		limit_ms=$(option_ms startup-ms 10000 "$@")
		expect [ "$elapsed_ms" -ge "$limit_ms" ]
		;;
	TIMEOUT | UNREAD)
		limit_ms=$(option_ms tc 10000 "$@")
		thought_ms=$(grep -o '"think_ms_max":[0-9]*' "$out" |
			head -n 1 | cut -d : -f 2)
		expect [ "$thought_ms" -ge "$limit_ms" ]
		expect [ "$thought_ms" -le $((limit_ms + 250 + slack_ms)) ]
		;;
	*) limit_ms=0 ;;
	esac
	expect [ "$elapsed_ms" -le $((limit_ms + 250 + slack_ms)) ]
}

# The table has this outcome for the row.
expect_listed() { # ID OUTCOME
	fault_column "$1" 4 | grep -qxF -e "$2" ||
		fault_column "$1" 4 | tr '|' '\n' | grep -qxF -e "$2" ||
		fail "tests/faulty/faults.tsv does not have for $1: $2"
}

# Everything that holds for every row.
expect_row() { # ID SANDBOX OUTCOME OPTION...
	local id=$1 sandbox=$2 outcome=$3
	local kind=${outcome%% *} reason=${outcome#* }
	shift 3
	expect_listed "$id" "$outcome"
	case $kind in
	-) expect_honest_end ;;
	startup) expect_refused "$reason" ;;
	*) expect_judged "$kind" "$reason" ;;
	esac
	expect_in_time "$reason" "$@"
	[ "$kind" = startup ] || expect_undisturbed "$sandbox" "$@"
	expect_verified
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
			confront "$sandbox" "$fault" $options
			# shellcheck disable=SC2086
			expect_row "$id" "$sandbox" "$outcome" $options
		done
	done
}

# The same of rows that only walls are a match for.
walled_rows() {
	local id words
	if [ "$sandboxes" != off ]; then
		sandboxes=auto rows
		return
	fi
	while IFS='|' read -r id words _; do
		[ -n "$id" ] || continue
		skip_row "$id" "$words" 'the walls of this machine are low'
	done
}

# A scenario of a row that cannot be played here.
skip_row() { # ID WORDS WHY
	covered[$1]=1
	end_scenario
	scenario_count=$((scenario_count + 1))
	echo "ok $scenario_count - $1 $2 # SKIP $3"
}

# A row that another file plays: its scenario or test of this name.
elsewhere() { # ID FILE NAME
	row "$1" "is played in $2: $3"
	expect grep -qF -e "$3" "$(find "$SRC/tests" -path "*/$2")"
}

# Begins a scenario of a row that needs more than a misbehaviour.
row() { # ID WORDS
	covered[$1]=1
	scenario "$1 $2"
}

# Every row of the group has had its scenario, and no others.
finish_group() { # LETTER
	scenario "every row of group $1 is played"
	awk -F '\t' -v group="$1" '$2 == group { print $1 }' "$fault_table" |
		sort >listed.rows
	printf '%s\n' "${!covered[@]}" | sort >covered.rows
	expect [ -s listed.rows ]
	# Of two misbehaviours of one name the second would never be committed.
	expect [ -z "$("$faulty" --list | cut -f 2 | sort | uniq -d)" ]
	diff listed.rows covered.rows >rows.diff ||
		fail "tests/faulty/faults.tsv and this file differ: $(tr '\n' ' ' \
			<rows.diff)"
	finish
}
