# Goal: with --run-as, root runs each bot as a user of its own, and only if no
# other process and no account has these user ids.
. "$SRC/tests/e2e/lib.sh"

# Other users cannot read the programs of a private PATH.
export PATH=/usr/local/bin:/usr/bin:/bin
first=$((1200000000 + $$ * 100))

# Prints its user and groups to stderr, and exits.
# shellcheck disable=SC2016 # for the bot
program who.sh 'echo "uid=$(id -u) gid=$(id -g) groups=$(id -G)" >&2' 'exit 3'

scenario '--run-as needs root and a sandbox'
refuses 'run-as needs a sandbox' match @first @first --sandbox off \
	--run-as $first
refuses 'run-as 2147475456: out of range' worker --name anna --key key \
	--run-as 2147475456
for user in 0 -1 4294967295 root; do
	arena 2 match @first @first --sandbox auto "--run-as=$user"
done
if [ "$(id -u)" -ne 0 ]; then
	arena 5 match @first @first --sandbox auto --run-as $first
	expect_error 'only root can run bots as other users'
	finish
fi

scenario 'user ids of accounts or running processes are refused'
refuses 'run-as 1: the user [0-9]+ is "' match @first @first --sandbox auto \
	--run-as 1
setpriv --reuid $((first + 3)) --regid $first --clear-groups sleep 60 &
sleeper=$!
until grep -q "^Uid:.$((first + 3))" "/proc/$sleeper/status"; do
	sleep 0.01
done
refuses "process $sleeper runs as user $((first + 3))" match @first @first \
	--sandbox auto --run-as $first
kill $sleeper
wait $sleeper 2>/dev/null

"$SCOPA_ARENA" match @first @first --deals 1 --sandbox auto --quiet \
	>/dev/null 2>level.err
if grep -q '^sandbox none' level.err; then
	scenario 'bots run as other users # SKIP no sandbox here'
	finish
fi

scenario 'a bot has this user id, and no other group'
arena 4 match ./who.sh @first --deals 1 --sandbox auto --run-as $first
expect_err "stderr +: uid=$first gid=$first groups=$first\$"

scenario 'several games are played at once'
arena 0 tournament @greedy @random @first --rounds 4 --deals 1 --concurrency 4 \
	--sandbox auto --run-as $first --run run
expect_no_children

scenario 'two bots have two user ids'
# When the bot ends at its turn, the other bot has started, too.
for bots in './who.sh @first' '@first ./who.sh'; do
	# shellcheck disable=SC2086 # two words
	arena 4 match $bots --deals 1 --sandbox auto --run-as $first
	grep -o 'uid=[0-9]*' "$err" >>users
done
expect [ "$(cat users)" = "uid=$first
uid=$((first + 1))" ]

scenario 'a file that this user may not read is named'
shell_bot secret.sh
chmod 700 secret.sh
for bot in ./secret.sh 'sh secret.sh'; do
	arena 4 match "$bot" @first --deals 1 --sandbox auto --run-as $first
	expect_err 'may not (execute|read) .*secret.sh'
done
chmod 755 secret.sh
arena 0 match ./secret.sh @first --deals 1 --sandbox auto --run-as $first

scenario '--run-as works without boxes, too'
for missing in namespaces 'namespaces scope'; do
	# shellcheck disable=SC2086 # two words
	expect_run 4 "$BUILD/tests/e2e/without" $missing -- "$SCOPA_ARENA" \
		match @first ./who.sh --deals 1 --sandbox require \
		--run-as $first
	expect_err "stderr +: uid=$((first + 1)) gid"
	# shellcheck disable=SC2086
	expect_run 0 "$BUILD/tests/e2e/without" $missing -- "$SCOPA_ARENA" \
		match @first ./secret.sh --deals 2 --sandbox require \
		--run-as $first
	expect_out '^sandbox process$'
	expect_no_children
done

finish
