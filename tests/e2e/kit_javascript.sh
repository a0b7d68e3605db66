# Goal: the kit for JavaScript passes its own test, its example plays, and it
# can be packed, installed and used as a package.
# Release: no code in C is tested.
. "$SRC/tests/e2e/lib.sh"

if ! command -v node >/dev/null; then
	skip 'the kit for JavaScript' 'there is no node here'
	finish
fi
export SCOPA_ARENA

# Authors have their copy anywhere.
cp -R "$SRC/bots/javascript" 'my bots'

scenario 'the test of the kit passes'
expect_run 0 node --test --test-reporter=tap 'my bots/bot.test.js'
expect_out '^ *ok [0-9]+ - every rule set with all numbers of seats$'

scenario 'without the arena that test skips the games and passes'
expect_run 0 env SCOPA_ARENA= PATH=/nowhere "$(command -v node)" --test \
	--test-reporter=tap 'my bots/bot.test.js'
expect_out '^ *ok [0-9]+ - every rule set with all .* # SKIP no scopa-arena'

scenario 'the example wins against random moves, match after match'
arena 0 match "'my bots/bot.js'" @random --rounds 3 --deals 10 --seed 1
expect_no_out '^faults '
expect_out '^result +my-bot +3 won'

scenario 'the example passes all steps of the check'
arena 0 check "'my bots/bot.js'"
expect_out 'level 3 is reached; .* 0 failed$'

scenario 'an option with a wrong value is refused before the first game'
arena 2 match --bot "cmd='my bots/bot.js'" option.weight-of-coins=101 \
	--bot @random
expect_err 'weight-of-coins=VALUE: .* from 0 to 100$'

scenario 'an exception in choose() is shown, and the bot has lost'
sed 's/^  const coins = .*/  throw new RangeError("lost");/' \
	'my bots/bot.js' >'my bots/failing.js'
arena 0 match "node 'my bots/failing.js'" @random --deals 1
expect_out 'ended +: exited with status 1'
expect_out 'stderr +: RangeError: lost'

if ! command -v npm >/dev/null; then
	skip 'the package of the kit' 'there is no npm here'
	finish
fi
# npm writes to its cache and to its home.
export HOME=$PWD npm_config_cache=$PWD/cache npm_config_update_notifier=false

scenario 'the kit is packed, installed without a network, and plays'
cp -R "$SRC/bots/javascript" package
expect_run 0 env -C package npm pack --offline
expect_file package/my-bot-1.0.0.tgz
mkdir user
echo '{ "private": true }' >user/package.json
expect_run 0 env -C user npm install --offline --no-audit --no-fund \
	../package/my-bot-1.0.0.tgz
expect_run 0 env -C user node -e 'require("my-bot").parseMove("7Dx3C4S")'
arena 0 match user/node_modules/.bin/my-bot @random --deals 2 --seed 1
expect_no_out '^faults '
expect_out '^result +my-bot '

finish
