# shellcheck shell=bash
# What the tests of the kits (bots/LANGUAGE) have in common.

# The kit is copied to the folder `kit` below the current one, as an author
# would have it, so that nothing is built in the sources.
copy_kit() { # LANGUAGE
	cp -R "$SRC/bots/$1" kit
}

# Ends the script, with all skipped, if one of these programs is missing.
kit_needs() { # PROGRAM...
	local program
	for program; do
		command -v "$program" >/dev/null && continue
		skip 'the kit' "no $program here"
		finish
	done
}

# Expects that the bot plays whole games of several rule sets in the sandbox of
# this machine, without an offence.
expect_kit_plays() { # BOT
	local rules
	for rules in scopa escoba perdere cirulla scopone scopa,teams=ABABAB; do
		rm -f games.scopa
		arena 0 match "$1" @greedy --rules "$rules" --deals 3 \
			--startup-ms 60000 --tc move:60 --record games.scopa
		expect_lines 3 '^enddeal ' games.scopa
		expect_no_line '^(offence|abort) ' games.scopa
	done
}

# The lines of a decision outside of a match.
kit_position='usp 1
isready
state rules=scopa seats=2 teams=AB target=11 you=2 hand=3SKC deal=1 dealer=2 turn=2 table=AD2B7C hands=1:3,2:2 deck=30 pile=A:-,B:4C4S scopas=A:0,B:1 scores=A:3,B:4 last=2 shown=- plays=2:4Cx4S/1:7C
legal 3SxAD2B KCxAD2B7C
go turn=x1
'

# Expects that the bot answers this position, and that it ends with status 0
# when it is asked to, and when its input ends.
expect_kit_answers() { # BOT
	run_with "$kit_position" "$1"
	expect_exit 0
	expect_out '^id name=my-bot version='
	expect_out '^option name=weight-of-coins type=int default=10 min=0 max=100$'
	expect_out '^feature position=1$'
	expect_out '^uspok 1$'
	expect_out '^readyok$'
	expect_out '^move KCxAD2B7C turn=x1$'
	run_with "quit
isready
" "$1"
	expect_exit 0
	expect_no_out readyok
}

# Expects that a bot whose `choose` fails ends with status 1, and that standard
# error says why.
expect_kit_fails() { # BOT WHY
	run_with "$kit_position" "$1"
	expect_exit 1
	expect_err "$2"
	expect_no_out '^move '
}
