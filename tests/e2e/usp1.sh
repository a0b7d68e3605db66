# Goal: every bot of the house still speaks version 1 of the protocol as it was
# written down once, answers line by line (so it flushes), and leaves at `quit`.
# Release: its bots are no programs of C.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/bots.bash"

# Speaks the part of the arena; the first answer that does not match is $wrong.
rehearse() { # TRANSCRIPT COMMAND...
	local transcript=$1 line answer pid
	shift
	wrong=
	coproc BOT { exec "$@" 2>"$err"; }
	pid=$BOT_PID
	to=${BOT[1]}
	# What the bot said must outlive it.
	exec {from}<&"${BOT[0]}"
	while [ -z "$wrong" ] && IFS= read -r line; do
		case $line in
		'> '*) hear "${line#> }" ;;
		*) printf '%s\n' "$line" >&"$to" ;;
		esac
	done <"$transcript"
	exec {to}>&-
	if [ -z "$wrong" ] && read -r -t 10 -u "$from" answer; then
		wrong="it said more than it was asked: $answer"
	fi
	exec {from}<&-
	[ -z "$wrong" ] || kill "$pid" 2>/dev/null
	wait "$pid" || wrong=${wrong:-it ended with status $?}
}

# The next answer that is no option, feature, info, error or comment.
hear() { # EXPRESSION
	while read -r -t 10 -u "$from" answer; do
		case $answer in
		option\ * | feature\ * | info\ * | error\ * | '#'* | '') ;;
		*)
			[[ $answer =~ ^($1)$ ]] ||
				wrong="it said \"$answer\" for: $1"
			return
			;;
		esac
	done
	wrong="it did not answer; expected: $1"
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
		rehearse "$transcript" "${command[@]}"
		[ -z "$wrong" ] || fail "${transcript##*/}: $wrong"
	done
done

finish
