# Goal: the kit for Java passes its own test, and its example plays.
# Release: no code in C is tested.
# Full: it needs another compiler: `make test-kits` runs it, and so does .ci/run.
. "$SRC/tests/e2e/kits.bash"

unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS
kit_needs make javac java
copy_kit java

scenario 'the kit is compiled without warnings, and its test passes'
expect_run 0 make -C 'my bots' test
expect_out '^passed: [0-9]{4,} checks$'
expect_no_out skipped

if [ -n "$TEST_FULL" ]; then
	scenario 'without the arena that test skips the games and passes'
	expect_run 0 "${without_arena[@]}" "$(command -v java)" -cp 'my bots/classes' BotTest
	expect_out '^skipped: games' '^passed: [0-9]+ checks$'
fi

play_kit "'my bots/bot'"

scenario 'an exception in choose is shown, and the bot has lost'
cp -R 'my bots' failing
sed -i 's/view.legal.get(0)/view.legal.get(99)/' failing/Bot.java
expect_run 0 make -C failing
expect_kit_fails failing/bot 'stderr +: .*Index 99 out of bounds'
expect_out 'stderr +: .*Bot\.java:'

finish
