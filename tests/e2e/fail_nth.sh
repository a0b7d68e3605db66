# Goal: if one system or library call fails once, the arena plays on to the same
# result or ends with the reason: it never crashes, hangs, blames a bot, or
# leaves a process or a run that cannot be resumed.
#
# FAIL_NTH=all lets each call fail, one in each run; otherwise some of them fail,
# and more with TEST_FULL.
# Release: no library can be loaded before a sanitizer.
. "$SRC/tests/e2e/lib.sh"

refusal=${BUILD:?run this with make test}/tests/e2e/refusal.so
match='match @first @greedy --deals 3 --seed 1 --quiet --sandbox off'
match+=' --record match.scopa'
tournament='tournament @first @greedy @random --deals 1 --rounds 1 --seed 1'
tournament+=' --quiet --sandbox off --run cup'

# The number of runs of each kind, and the kinds with their errno.
case ${FAIL_NTH:-some} in
all) runs_max=1000000 ;;
*) runs_max=$(few_or_all 2 7) ;;
esac
kinds='memory:12 read:5 write:28 write:5 sync:5 sync:28 open:24 pipe:24
	watch:12 spawn:11'

case ${MODE:-release} in
release | debug) ;;
*)
	skip 'any call may be refused' "nothing loads before $MODE"
	finish ;;
esac

# Reads two numbers: calls that were counted, and calls that were refused.
read_state() {
	read -r counted refused < <(od -An -td8 -N16 state)
}

# Runs the arena with one call refused.
refuse() { # KIND ERRNO N ARGUMENT...
	local kind=$1 error=$2 at=$3
	shift 3
	head -c 16 /dev/zero >state
	RUN_SECONDS=300 run env REFUSE_KIND="$kind" REFUSE_ERROR="$error" \
		REFUSE_AT="$at" REFUSE_STATE="$PWD/state" \
		LD_PRELOAD="$refusal" "$SCOPA_ARENA" "$@"
	read_state
	ran="$ran # call $at of $kind, errno $error"
}

# Expects that the command has succeeded, or ended with a reason.
expect_reason() {
	[ "$status" -eq 0 ] && return 0
	[ "$status" -eq 5 ] || fail "the exit status is $status"
	grep -q '^error: ..' "$err" || fail 'no error was printed'
	return 1
}

# Counts the calls of a kind, and decides which of them are refused.
plan() { # KIND ERRNO ARGUMENT...
	local kind=$1 error=$2
	shift 2
	refuse "$kind" "$error" 0 "$@"
	expect_exit 0
	step=$(((counted + runs_max - 1) / runs_max))
	[ "$step" -gt 0 ] || step=1
	first=$((1 + step / 2))
}

# Plays a match in which the call is refused.
play_match() { # KIND ERRNO N
	rm -f match.scopa
	# The arguments are split into words.
	# shellcheck disable=SC2086
	refuse "$1" "$2" "$3" $match
	if expect_reason; then
		expect_same_games match.scopa whole.scopa
	elif [ -e match.scopa ] && [ ! -s match.scopa ]; then
		fail 'an empty file of records is left'
	fi
}

# Plays a tournament in which the call is refused, and resumes it without.
play_tournament() { # KIND ERRNO N
	rm -rf cup
	# shellcheck disable=SC2086
	refuse "$1" "$2" "$3" $tournament
	if ! expect_reason; then
		run "$SCOPA_ARENA" resume cup --quiet
		# shellcheck disable=SC2086
		[ "$status" -ne 2 ] || run "$SCOPA_ARENA" $tournament
		ran="$ran # after call $3 of $1, errno $2"
		expect_exit 0
	fi
	expect_same_run whole cup
}

# Rates results in which the call is refused.
rate_counts() { # KIND ERRNO N
	refuse "$1" "$2" "$3" rate --counts counts
	expect_reason && expect_out '^ *1 +one +\.' '^ *3 +three '
}

# Writes the report of a run in which the call is refused.
report_run() { # KIND ERRNO N
	refuse "$1" "$2" "$3" report whole -o page.html
	expect_reason && expect_same page.html whole.html
}

# Prints the layers that `doctor` has found, besides the limits of the kernel.
found_layers() {
	grep '^  yes ' "$out" | grep -v limits
}

# Looks for the sandbox of this machine; no memory is not a weaker one.
find_sandbox() { # KIND ERRNO N
	refuse "$1" "$2" "$3" doctor
	expect_reason || return
	found_layers >layers
	expect_same layers whole.layers
}

# Plays as the user 1, who has a name.
play_as_named() { # KIND ERRNO N
	refuse "$1" "$2" "$3" match @first @first --run-as 1
	if [ "$status" -ne 2 ] && expect_reason; then
		fail "the user is not refused"
	fi
}

# Refuses calls of a kind, one in each run, until no call is left.
sweep() { # PLAY KIND ERRNO ARGUMENT...
	local play=$1 kind=$2 error=$3 at last=1
	shift 3
	plan "$kind" "$error" "$@"
	for ((at = first; last > 0; at += step)); do
		"$play" "$kind" "$error" "$at"
		last=$refused
		runs=$((runs + 1))
		[ -z "$scenario_wrong" ] || break
	done
	expect_no_children
}

runs=0
scenario 'a match and a tournament are played without a refusal'
# shellcheck disable=SC2086
arena 0 $match
mv match.scopa whole.scopa
# shellcheck disable=SC2086
arena 0 $tournament
mv cup whole

for one in $kinds; do
	kind=${one%:*}
	error=${one#*:}
	scenario "a match survives a refusal of $kind, errno $error, or names it"
	# shellcheck disable=SC2086
	sweep play_match "$kind" "$error" $match
	scenario "a tournament survives a refusal of $kind, errno $error, or resumes"
	rm -rf cup
	# shellcheck disable=SC2086
	sweep play_tournament "$kind" "$error" $tournament
done

scenario 'a report is whole, or an error says that there is no memory'
arena 0 report whole -o whole.html
sweep report_run memory 12 report whole -o page.html

scenario 'ratings are computed, or an error says that there is no memory'
printf 'one two 3 1 2\ntwo three 4 0 2\n' >counts
runs_max=1000000
sweep rate_counts memory 12 rate --counts counts

scenario 'the whole sandbox is found, or an error says that there is no memory'
arena 0 doctor
found_layers >whole.layers
sweep find_sandbox memory 12 doctor

[ "$(id -u)" -ne 0 ] || {
	scenario 'a user with a name is refused, or an error says that there is no memory'
	sweep play_as_named memory 12 doctor
}
echo "# $runs runs with a refusal"
finish
