# shellcheck shell=bash
# Shared functions of the tests of the kits (bots/LANGUAGE).

. "$SRC/tests/e2e/lib.sh"

# The test of a kit starts the arena in this variable.
export SCOPA_ARENA

# All scripts share the compiled library of Go, whose compilation takes longer
# than a kit, and no results of tests.
export GOCACHE=${BUILD:?run this with make test}/tests/go-cache
export GOFLAGS='-buildvcs=false -count=1'

# Ends the script, with the kit skipped, if one of these programs is missing.
kit_needs() { # PROGRAM...
	local program
	for program; do
		command -v "$program" >/dev/null && continue
		skip 'the kit' "there is no $program here"
		finish
	done
}

# Copies a kit to the folder `my bots`, as an author would, so that nothing is
# built in the sources.
copy_kit() { # LANGUAGE
	cp -R "$SRC/bots/$1" 'my bots'
}

# Words before a command that runs as if there were no arena.
# shellcheck disable=SC2034 # for scripts
without_arena=(env SCOPA_ARENA= PATH=/nowhere)

# Plays the scenarios of the example bot.  WHERE: another script checks it.
play_kit() { # BOT [WHERE]
	scenario 'the example wins against random moves, match after match'
	arena 0 match "$1" @random --rounds 3 --deals 10 --seed 1 \
		--startup-ms 60000
	expect_no_out '^faults '
	expect_out '^result +my-bot +3 won'

	if [ -z "${2:-}" ]; then
		scenario 'the example passes all steps of the check'
		arena 0 check "$1"
		expect_out 'level 3 is reached; .* 0 failed$'
	fi

	scenario 'a wrong value of an option is refused before the first game'
	arena 2 match --bot "cmd=$1" option.weight-of-coins=101 --bot @random \
		--startup-ms 60000
	expect_err 'weight-of-coins=VALUE: .* from 0 to 100$'

	scenario 'an option is set, and the example plays for four seats'
	arena 0 match --bot "cmd=$1" option.weight-of-coins=0 --bot @random \
		--rules scientifico --deals 1 --startup-ms 60000
	expect_no_out '^faults '
}

# Expects that a bot whose `choose` fails has lost, and that the arena shows
# why.
expect_kit_fails() { # BOT WHY
	arena 0 match "$1" @random --deals 1 --startup-ms 60000
	expect_out '^faults .*exited with status 1' "$2"
}
