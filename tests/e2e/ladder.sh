# Goal: one command measures the ladder of built-in bots; it continues an
# interrupted measurement, and names what is wrong.
# Release: it runs a script over matches.
. "$SRC/tests/e2e/lib.sh"

ladder() { # STATUS WORD...
	expect_run "$1" python3 "$SRC/bots/ladder.py" --arena "$SCOPA_ARENA" "${@:2}"
}

scenario 'a ladder is a table of all pairs'
quick='--rounds 2 --quick-rounds 40 --neighbour-rounds 1 --ms 1'
# $quick is split into words.
# shellcheck disable=SC2086
ladder 1 $quick --out ladder scopa
[ "$status" -le 1 ] || fail 'a ladder was expected'
expect_out '^.scopa.$'
expect_out '^\| points a deal \| .@random. \| .* \| .@maestro. \|$'
for bot in random first greedy chitarrella ismcts maestro; do
	expect_out "^\\| \`@$bot\` \\|(.* [+-][0-9.]+ ±[0-9.]+ \\|){5}"
done
! grep -q '@first' "$err" || fail '@first is not a part of the ladder'
cp "$out" before

scenario 'a second call does not play the same runs again'
find ladder -name '*.scopa' -exec cksum {} + >records
# shellcheck disable=SC2086
ladder 1 $quick --out ladder scopa
expect_same before "$out"
find ladder -name '*.scopa' -exec cksum {} + >after
expect_same records after

scenario 'runs with other options are refused'
ladder 2 --ms 2 --rounds 2 --out ladder scopa
expect_err '^error: ladder/.* was begun with option.ms = 1, not 2$'
ladder 2 --ms 1 --rounds 7 --out ladder scopa
expect_err '^error: ladder/.* was begun with rounds = 2, not 7$'

scenario 'wrong arguments are refused before the first game'
ladder 2 --out none scopa nonsense
expect_err '^error: rules "nonsense"'
ladder 2 --out none --rounds 0
[ ! -e none ] || fail 'something was played'
expect_run 5 python3 "$SRC/bots/ladder.py" --arena ./none scopa
expect_err '^error: ./none: No such file'
ladder 5 --out /dev/null/none scopa
expect_err '^error: /dev/null/none/.*: the arena ended with 2$'

finish
