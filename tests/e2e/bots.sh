# Goal: every bot of the project plays every rule set, with every number of
# seats, in real matches, without an offence.
# Release: its bots are no programs of C.
. "$SRC/tests/e2e/bots.bash"

layouts='AB ABC ABCD ABAB ABABAB ABCABC ABCDEF'

# Plays one deal of these rules in this layout.  The bots rotate from call to
# call, so that over all rule sets each bot plays against each other one.
next=0
declare -A sat
play() { # PRESET LAYOUT
	local players=() bot
	while [ "${#players[@]}" -lt "${#2}" ]; do
		bot=${bots[next % ${#bots[@]}]}
		players+=("$bot")
		sat[$bot $1]=1
		sat[$bot $2]=1
		next=$((next + 1))
	done
	arena 0 match --rules "$1,teams=$2" --deals 1 --seed "$next" \
		--record played.scopa --quiet "${players[@]}"
	games=$((games + 1))
}

every=$(few_or_all 3 1)
presets=$("$SCOPA_ARENA" rules | sed -n 's/^\([a-z-]*\) (.*/\1/p' |
	awk -v every="$every" 'NR % every == 1 % every')

scenario 'scopa-arena rules lists rule sets'
expect [ "$((every * $(wc -w <<<"$presets")))" -ge 20 ]

for preset in $presets; do
	scenario "all bots play $preset"
	games=0
	rm -f played.scopa
	possible=()
	for layout in $layouts; do
		"$SCOPA_ARENA" rules "$preset" "teams=$layout" \
			>"$out" 2>"$err" && possible+=("$layout")
	done
	first=$next
	while [ "${#possible[@]}" -gt 0 ] &&
		[ $((next - first)) -lt "${#bots[@]}" ]; do
		for layout in "${possible[@]}"; do
			play "$preset" "$layout"
		done
	done
	[ "$games" -gt 0 ] || fail 'no seat fits this layout'
	[ "$(grep -c '^enddeal 1$' played.scopa)" -eq "$games" ] ||
		fail 'a deal was not played to its end'
	! grep -E '^(offence|abort) ' played.scopa ||
		fail 'a bot committed an offence'
done

scenario 'each bot has played each rule set and each layout'
for bot in "${bots[@]}"; do
	for what in $presets $(few_or_all '' "$layouts"); do
		[ "${sat[$bot $what]-}" ] || fail "${bot##*/} has not: $what"
	done
done

finish
