# Goal: the Java kit (bots/java) passes its own test, and plays as it is.
# Release: it is no program of C.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/kits.bash"

unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS
kit_needs java javac make
copy_kit java

scenario 'the Java kit builds without warnings and passes its own test'
expect_run 0 make -C kit test
expect_out '^passed: [0-9]{4,} checks$'

scenario 'the Java kit answers a position'
expect_kit_answers kit/bot

scenario 'the Java kit plays'
expect_kit_plays kit/bot

scenario 'the Java kit says why choose has failed'
cp -R kit failing
sed -i 's/view.legal.get(0)/view.legal.get(99)/' failing/Bot.java
expect_run 0 make -C failing
expect_kit_fails failing/bot 'Index 99 out of bounds'
expect_err 'Bot\.java:'

finish
