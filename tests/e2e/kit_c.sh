# Goal: the starter bot in C compiles without a warning, passes its own test,
# plays matches, and needs nothing but the C library.
# Release: the kit is built by its own Makefile, without the sanitizers.
. "$SRC/tests/e2e/lib.sh"

cp "$SRC"/bots/c/kit/* .
# shellcheck disable=SC2016 # make expands it
warnings=$(make -s -C "$SRC" --eval='warnings: ; @echo $(WARNINGS)' warnings)

scenario 'the bot compiles with all warnings of the project'
expect grep -q -e -Wconversion <<<"$warnings"
expect_run 0 make CC="${CC:-cc}" CFLAGS="-std=c11 -O2 $warnings -Werror" bot \
	test_bot
expect_err_empty

scenario 'make builds the bot, and make clean removes it'
expect_run 0 make clean
expect [ "$(ls)" = "$(ls "$SRC/bots/c/kit")" ]
expect_run 0 make CC="${CC:-cc}"
expect_file bot

scenario 'the test of the kit passes with the arena'
expect_run 0 make CC="${CC:-cc}" test
expect_out '^all tests passed$'
expect_no_out skipped

scenario 'without the arena the test skips the games and says so'
expect_run 0 env -u SCOPA_ARENA PATH=/usr/bin:/bin make CC="${CC:-cc}" test
expect_out '^skipped: real games'
expect_out '^all tests passed$'

scenario 'the bot plays matches of several rule sets'
for rules in scopa cirulla escoba; do
	arena 0 match ./bot @random --rules "$rules" --deals 2 \
		--record games.scopa
done
arena 0 match ./bot ./bot @random @random --rules scientifico --deals 2 \
	--record games.scopa
expect_lines 4 '^endmatch ' games.scopa
expect_no_line '^(offence|abort) ' games.scopa

scenario 'the bot passes all steps of the check'
arena 0 check ./bot
expect_out 'level 3 is reached; .* 0 failed$'

scenario 'the option of the bot is set, and other values and options are refused'
arena 0 match --bot cmd=./bot option.weight-of-coins=0 @random --deals 1
expect_no_out faults
arena 2 match --bot cmd=./bot option.weight-of-coins=101 @random --deals 1
expect_err 'does not take the option "weight-of-coins=101"'
arena 2 match --bot cmd=./bot option.colour=red @random --deals 1
expect_err 'has no option "colour"'

scenario 'the bot exits with 0 at the end of its input'
run_with 'usp 1
isready
' ./bot
expect_exit 0
expect_out '^id name=my-bot version=1.0$'
expect_out '^readyok$'

finish
