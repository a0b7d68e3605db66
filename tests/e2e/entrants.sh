# Goal: hundreds of bots play a tournament: each worker starts a bot only once,
# and the size of reports grows with the number of bots, not with its square.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

# shellcheck disable=SC2016 # for the bot
program counted 'echo $$ >>"$1/starts"' 'exec "$2" bot random'

# Prints a section of a configuration file for each of COUNT bots.
bots_of() { # COUNT COMMAND
	for ((i = 1; i <= $1; i++)); do
		printf '[bot b%d]\ncmd = %s\n' "$i" "$2"
	done
}

crowd=$(few_or_all 40 60)
scenario 'each worker starts a bot once, also with dozens of bots'
bots_of "$crowd" "./counted $PWD $SCOPA_ARENA" >sixty.ini
arena 0 tournament --config sixty.ini --rounds 1 --no-duplicate --deals 1 \
	--concurrency 2 --sandbox off --run sixty --quiet
expect_no_children
# Each bot starts once before the first game, and once on each worker.
expect [ "$(wc -l <starts)" -le $((3 * crowd)) ]
arena 0 status sixty --json
expect_json "d['totals']['games'] == $((crowd * (crowd - 1) / 2))"

scenario 'five hundred bots have a schedule of each format'
bots_of 500 @random >many.ini
for format in roundrobin gauntlet swiss knockout ladder; do
	arena 0 tournament --config many.ini --format $format --dry-run
	expect_out '^block 250 round [0-9]+: '
done

played=$(few_or_all 80 500)
bots_of "$played" @random >many.ini
scenario 'hundreds of bots play'
arena 0 tournament --config many.ini --format gauntlet --rounds 1 \
	--no-duplicate --deals 1 --seed 1 --run many --quiet
expect_no_children
expect_out '^result .* is first'

scenario 'the report has a line for each bot, not for each pair'
arena 0 status many
expect_out '^and [0-9]+ more bots$'
expect [ "$(wc -l <"$out")" -lt 50 ]
arena 0 status --full many
expect_out '^crosstable: left out of more than 64 bots'
expect [ "$(wc -l <"$out")" -lt $((7 * played)) ]
arena 0 status many --json
expect [ "$(wc -c <"$out")" -lt $((3000 * played)) ]
expect_json "len(d['ranking']) == $played and d['pairs_left_out']" \
	'd["encounters"] == d["stronger"]["matrix"] == []'

scenario 'with --pairs the report has all pairs'
arena 0 status many --json --pairs
expect_json "len(d['encounters']) == $played - 1 and not d['pairs_left_out']" \
	"len(d['stronger']['matrix']) == $played"

scenario 'more bots than the limit are refused, and the limit is named'
bots_of 2001 @random >more.ini
arena 2 tournament --config more.ini --dry-run
expect_err '2000'

finish
