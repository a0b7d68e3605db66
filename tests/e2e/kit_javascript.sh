# Goal: the kit for JavaScript passes its own test, its example plays, and it
# can be packed, installed and used as a package.
# Release: no code in C is tested.
# Full: it takes long: `make test-kits` runs it, and so does .ci/run.
. "$SRC/tests/e2e/kits.bash"

kit_needs node

copy_kit javascript

scenario 'the test of the kit passes'
expect_run 0 node --test --test-reporter=tap 'my bots/bot.test.js'
expect_out '^ *ok [0-9]+ - every rule set with all numbers of seats$'

scenario 'without the arena that test skips the games and passes'
expect_run 0 "${without_arena[@]}" "$(command -v node)" --test \
	--test-reporter=tap 'my bots/bot.test.js'
expect_out '^ *ok [0-9]+ - every rule set with all .* # SKIP no scopa-arena'

play_kit "'my bots/bot.js'"

scenario 'an exception in choose() is shown, and the bot has lost'
sed 's/^  const coins = .*/  throw new RangeError("lost");/' \
	'my bots/bot.js' >'my bots/failing.js'
expect_kit_fails "node 'my bots/failing.js'" 'stderr +: RangeError: lost'

if ! command -v npm >/dev/null; then
	skip 'the package of the kit' 'there is no npm here'
	finish
fi
# npm writes to a cache in its home.
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
