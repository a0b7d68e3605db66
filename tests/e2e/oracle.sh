# Goal: the built-in bot that sees all cards plays only for analysis, and is far
# better than a bot that does not see them.
. "$SRC/tests/e2e/lib.sh"

refused() {
	expect_exit 2
	expect_err '^error: bot "oracle" wants to see all cards, which is for analysis'
	expect_err '^  hint    : .*--analysis'
}

scenario 'for analysis @oracle wins nearly all games against a bot that sees less'
arena 0 match --analysis --rules scopone --deals 1 --rounds 15 --duplicate \
	--seed 11 --json --record games.scopa --bot cmd=@oracle \
	option.iterations=600 --bot @greedy
expect_json 'bot["oracle"]["wins"] >= 20 and bot["oracle"]["losses"] <= 6'

scenario 'the same seed plays the same games'
for again in one two; do
	record_match $again.scopa --analysis --rules cirulla --deals 2 \
		--seed 5 --bot cmd=@oracle option.iterations=100 option.solve=12 --bot @greedy
	grep '^play\|^declare' $again.scopa | sed 's/ t=[0-9.]*//' >$again.plays
done
expect [ -s one.plays ]
expect cmp -s one.plays two.plays

bare_scenario '@oracle answers a position without a match, with cards and without'
# shellcheck disable=SC2016 # for the bot
shell_bot peek answer "usp) printf 'id name=peek\nfeature analysis=1\nuspok 1\n' ;;
	state | cards | legal)
		echo \"\$verb \$first \$rest\" >>heard
		[ \"\$verb\" != legal ] || move=\$first
		;;"
"$SCOPA_ARENA" match ./peek @greedy --analysis --deals 1 --seed 1 --quiet \
	>/dev/null
state=$(sed -n 's/^state/&/p' heard | sed -n 5p)
legal=$(sed -n 's/^legal/&/p' heard | sed -n 5p)
cards=$(sed -n 's/^cards/&/p' heard | sed -n 5p)
run_with "usp 1
$state
$legal
$cards
go turn=a
$state
$legal
go turn=b
" "$SCOPA_ARENA" bot oracle
expect_exit 0
expect_out '^feature position=1 .*analysis=1'
expect_lines 1 '^info .* m.exact=0$' "$out"
expect_lines 2 '^move .* turn=[ab]$' "$out"

finish
