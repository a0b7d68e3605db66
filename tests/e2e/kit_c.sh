# Goal: the starter bot in C compiles without a warning, passes its own test,
# plays matches, and needs nothing but the C library.
# Release: the kit is built by its own Makefile, without the sanitizers.
. "$SRC/tests/e2e/kits.bash"

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
expect_out '^skipped: real games' '^all tests passed$'

play_kit ./bot

scenario 'the bot exits with 0 at the end of its input'
run_with 'usp 1
isready
' ./bot
expect_exit 0
expect_out '^id name=my-bot version=1.0$' '^readyok$'

finish
