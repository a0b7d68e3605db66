# Goal: every bot of the project still speaks version 1 of the protocol as in the
# stored transcripts, flushes each answer, and exits at `quit`.
# Release: its bots are no programs of C.
. "$SRC/tests/e2e/bots.bash"

# Sends the lines of the arena in a transcript; sets $wrong to the first answer
# that does not match.
play_transcript() { # TRANSCRIPT COMMAND...
	local transcript=$1 line answer pid
	shift
	wrong=
	coproc BOT { exec "$@" 2>"$err"; }
	pid=$BOT_PID
	to=${BOT[1]}
	# The output of the bot must remain readable after its end.
	exec {from}<&"${BOT[0]}"
	while [ -z "$wrong" ] && IFS= read -r line; do
		case $line in
		'> '*) expect_answer "${line#> }" ;;
		*) printf '%s\n' "$line" >&"$to" ;;
		esac
	done <"$transcript"
	exec {to}>&-
	if [ -z "$wrong" ] && read -r -t 60 -u "$from" answer; then
		wrong="an answer without a question: $answer"
	fi
	exec {from}<&-
	[ -z "$wrong" ] || kill "$pid" 2>/dev/null
	wait "$pid" || wrong=${wrong:-exit status $?}
}

# Reads the next answer that is no option, feature, info, error or comment.
expect_answer() { # EXPRESSION
	while read -r -t 60 -u "$from" answer; do
		case $answer in
		option\ * | feature\ * | info\ * | error\ * | '#'* | '') ;;
		*)
			[[ $answer =~ ^($1)$ ]] ||
				wrong="answer \"$answer\" does not match: $1"
			return
			;;
		esac
	done
	wrong="no answer; expected: $1"
}

trap '' PIPE
for bot in "${bots[@]}" @greedy @random @first; do
	scenario "${bot##*/} speaks version 1"
	# shellcheck disable=SC2034 # for lib.sh
	ran=
	case $bot in
	@*) command=("$SCOPA_BOT" "${bot#@}") ;;
	*) command=("$bot") ;;
	esac
	for transcript in "$SRC"/tests/golden/usp1-*.txt; do
		play_transcript "$transcript" "${command[@]}"
		[ -z "$wrong" ] || fail "${transcript##*/}: $wrong"
	done
done

finish
