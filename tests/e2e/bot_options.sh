# Goal: options of bots are compared with the options that the bot declares,
# before the first game: a wrong one is refused as a mistake of usage, and no
# run is left.
. "$SRC/tests/e2e/lib.sh"

echo 9 >limit
# shellcheck disable=SC2016 # for the bot
shell_bot picky answer '
	usp)
		read -r limit <"${0%/*}"/limit
		printf "id name=picky\n"
		printf "option name=depth type=int default=4 min=1 max=%d\n" "$limit"
		printf "option name=style type=enum default=calm values=calm|wild\n"
		printf "option name=fast type=bool default=true\n"
		printf "option name=book type=string default=a\n"
		printf "option name=clear type=button\n"
		printf "uspok 1\n"
		;;
	setoption) [ "$first" != book=none ] || echo "error option # no such book" ;;'

# Expects that each command that plays refuses the bot with this option.
expect_refused() { # BOT OPTION ERROR LINE
	local bot=$1 option=$2 error=$3 line=$4 words
	for words in 'match --record kept --bot' 'tournament --run kept --bot' \
		'gate --run kept --rounds 5 --base'; do
		# The options are split into words.
		# shellcheck disable=SC2086
		arena 2 $words @chitarrella --quiet --bot "cmd=$bot" \
			"option.$option"
		expect_err "^error: $error" "$line"
		[ "$(grep -c '^error: ' "$err")" -eq 1 ] ||
			fail 'exactly one error was expected'
		expect_no_file kept runs
		expect_no_out ' won'
		expect_no_children
	done
}

while IFS='|' read -r bot option error line; do
	scenario "refused before the first game: $bot $option"
	expect_refused "$bot" "$option" "$error" "$line"
done <<'END'
@greedy|blunder=abc|bot "greedy" does not take the option "blunder=abc"$|^  hint    : option.blunder=VALUE: expected is a whole number from 0 to 1000$
@greedy|blunder=1001|bot "greedy" does not take the option "blunder=1001"$|from 0 to 1000$
@greedy|blundr=3|bot "greedy" has no option "blundr"$|^  hint    : did you mean "blunder"\?$
@random|blunder=3|bot "random" has no option "blunder"$|^  options : seed$
@first|blunder=3|bot "first" has no option "blunder"$|^  options : it has none$
@ismcts|playout=greed|bot "ismcts" does not take the option "playout=greed"$|expected is one of epsilon, random, greedy$
./picky|depth=0|bot "picky" does not take the option "depth=0"$|expected is a whole number from 1 to 9$
./picky|depth=4.5|bot "picky" does not take the option "depth=4.5"$|expected is a whole number from 1 to 9$
./picky|depth=|bot "picky" does not take the option "depth="$|expected is a whole number from 1 to 9$
./picky|fast=True|bot "picky" does not take the option "fast=True"$|expected is true or false$
./picky|stile=wild|bot "picky" has no option "stile"$|^  hint    : did you mean "style"\?$
./picky|Depth=3|bot "picky" has no option "Depth"$|^  hint    : did you mean "depth"\?$
./picky|style=mild|bot "picky" does not take the option "style=mild"$|expected is one of calm, wild$
./picky|clear=1|bot "picky" does not take the option "clear=1"$|expected is -, as the option is a button$
./picky|book=none|bot "picky" refuses an option$|^  received: "error option # no such book"$
END

scenario 'a word without its value is not read as a bot'
refuses 'bot "option.blunder"' match --bot cmd=@greedy option.blunder --bot \
	@first
expect_err '^  hint    : an option of a bot has a value, .*option.blunder=VALUE$'
refuses 'bot "option.blunder=5"' match @greedy option.blunder=5 @first
expect_err '^  hint    : .* --bot cmd=BOT option.blunder=5$'

scenario 'an option of a configuration file is named with its file and line'
for command in match tournament gate; do
	cat >cup.ini <<END
[$command]
rounds = 1

[each]
option.style = mild

[bot one]
cmd = ./picky
option.style = calm
# Further options.
option.depth = 3

[bot two]
cmd = ./picky
END
	arena 2 $command --config cup.ini --quiet
	expect_err '^error: bot "two" does not take the option "style=mild"$'
	expect_err '^  where   : cup\.ini:5: option\.style=mild$'
	sed -i 's/mild/wild/; s/depth/dept/' cup.ini
	arena 2 $command --config cup.ini --quiet
	expect_err '^error: bot "one" has no option "dept"$'
	expect_err '^  where   : cup\.ini:11: option\.dept=3$'
	expect_err '^  options : depth, style, fast, book, clear$'
	expect_err '^  hint    : did you mean "depth"\?$'
	# The command line overrides the file.
	sed -i '/dept/d' cup.ini
	arena 2 $command --config cup.ini --quiet --each option.style=odd
	expect_err '^error: bot "two" does not take the option "style=odd"$'
	expect_no_err '^  where '
	expect_no_file runs
done

scenario 'options that the bot declares are accepted'
arena 0 match --deals 1 --bot @first --bot cmd=./picky option.depth=9 \
	option.style=wild option.fast=false option.book=some option.clear=-
expect_err_empty

scenario 'resume refuses a wrong option, and continues when it is corrected'
arena 0 tournament --run kept --rounds 1 --deals 1 --announce --bot @first \
	--bot cmd=./picky option.depth=9
echo 8 >limit
refuses 'bot "picky" does not take the option "depth=9"$' resume kept
expect_err 'from 1 to 8$'
expect_err "^  where   : kept/config.ini:$(grep -n depth kept/config.ini |
	cut -d : -f 1): option.depth=9\$"
echo 9 >limit
arena 0 resume kept

scenario 'built-in bots refuse options that they have not declared'
run_with 'usp 1
setoption blunder=abc
setoption blunder=1001
setoption blunde=1
isready
quit
' "$SCOPA_BOT" greedy
expect_exit 0
[ "$(grep -c '^error option # ' "$out")" -eq 3 ] ||
	fail 'three refusals were expected'

finish
