# Goal: the starter bot in sh passes its own test in every shell of the machine,
# plays matches, and needs no other program.
# Release: its bots are no programs of C.
. "$SRC/tests/e2e/kits.bash"

copy_kit sh

scenario 'the test of the kit passes with the arena'
expect_run 0 'my bots/test_bot.sh'
expect_out '^all tests passed$'
expect_no_out skipped

scenario 'without the arena the test skips the games, in each shell'
for shell in dash bash mksh ksh yash; do
	command -v "$shell" >/dev/null || continue
	mkdir "$shell"
	ln -s "$(command -v "$shell")" "$shell/sh"
	expect_run 0 env SCOPA_ARENA= PATH="$PWD/$shell:/usr/bin:/bin" sh \
		'my bots/test_bot.sh'
	expect_out '^skipped: real games' '^all tests passed$'
done

play_kit "'my bots/bot.sh'" check.sh

scenario 'the option of the bot is set'
arena 0 match --bot "cmd='my bots/bot.sh'" option.weight-of-coins=0 @random \
	--deals 1
expect_no_out '^faults '

scenario 'a choose() that sets no move is shown, and the bot has lost'
sed 's/^run my-bot/choose() { :; }\n&/' 'my bots/bot.sh' >'my bots/failing.sh'
expect_kit_fails "sh 'my bots/failing.sh'" \
	'stderr +: choose\(\) has set no move'

scenario 'the bot needs no other program, and exits at the end of its input'
run_with 'usp 1
isready
match m1 rules=scopa seats=2 teams=AB you=1 target=11 tc=none seed=5d1f0c2e9a7b3c48
rules hand=3 capture=sum priority=single
deal 1 dealer=2 first=1 scores=A:0,B:0
table 4B5S7DQD
give 1 AD3SJD
give 2 ??????
go turn=a' env PATH=/nowhere /bin/sh 'my bots/bot.sh'
expect_exit 0
expect_err_empty
expect_out '^id name=my-bot version=1.0$' '^move 3S turn=a$'

finish
