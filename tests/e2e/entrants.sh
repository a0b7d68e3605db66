# Goal: hundreds of bots play a tournament: each worker starts a bot only once,
# and the size of reports grows with the number of bots, not with its square.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

cat >counted <<'END_OF_BOT'
#!/bin/sh
echo $$ >>"$1/starts"
exec "$2" bot random
END_OF_BOT
chmod +x counted

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
expect [ "$("$SCOPA_ARENA" status sixty --json |
	python3 -IS -c 'import json, sys
print(json.load(sys.stdin)["totals"]["games"])')" -eq $((crowd * (crowd - 1) / 2)) ]

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
python3 -IS - "$out" "$played" <<'END_OF_CHECK' || fail 'the JSON is not that of these bots'
import json, sys
played = int(sys.argv[2])
report = json.load(open(sys.argv[1]))
assert len(report['ranking']) == played and report['pairs_left_out']
assert report['encounters'] == [] and report['stronger']['matrix'] == []
END_OF_CHECK

scenario 'with --pairs the report has all pairs'
arena 0 status many --json --pairs
python3 -IS - "$out" "$played" <<'END_OF_CHECK' || fail 'the JSON has not all encounters'
import json, sys
played = int(sys.argv[2])
report = json.load(open(sys.argv[1]))
assert len(report['encounters']) == played - 1 and not report['pairs_left_out']
assert len(report['stronger']['matrix']) == played
END_OF_CHECK

scenario 'more bots than the limit are refused, and the limit is named'
bots_of 2001 @random >more.ini
arena 2 tournament --config more.ini --dry-run
expect_err '2000'

finish
