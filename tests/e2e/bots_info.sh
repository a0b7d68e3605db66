# Goal: the info lines of built-in bots about a move are recorded and shown; a bot
# with iterations=N does N iterations for any clock, unless its time would run out:
# then the record and the results report it.
. "$SRC/tests/e2e/lib.sh"

# Counts decisions by their number of iterations; @maestro solves the last cards
# exactly instead, and reports that as m.exact.
searches() { # SEAT KEY FILE
	grep "^info $1 " "$3" | grep -v 'm\.exact=1' |
		grep -Eo " $2=[0-9]+" | sort | uniq -c | sed 's/^ *//'
}

scenario 'the default time control cuts no search short'
arena 0 match --rules scopa --deals 2 --seed 4 --record free.scopa --bot \
	cmd=@maestro option.iterations=8000 --bot cmd=@ismcts \
	option.iterations=6000
expect [ "$(searches 1 nodes free.scopa | wc -l)" = 1 ]
expect [ "$(searches 2 m.iterations free.scopa | wc -l)" = 1 ]
expect grep -q '^info 1 .*nodes=8000 ' free.scopa
expect grep -q '^info 2 .*m.iterations=6000' free.scopa
expect_no_out '^CUT'
! grep -q 'cut=1' free.scopa || fail 'a decision was cut short'

scenario 'a search that the clock cut short is in records, results and JSON'
play() { # WORD...
	arena 0 match --rules scopa --deals 1 --seed 4 --tc move:0.02 --bot \
		cmd=@maestro option.iterations=1000000 --bot cmd=@ismcts \
		option.iterations=1 "$@"
}
play --record short.scopa
cut=$(grep -c '^info 1 .* cut=1' short.scopa)
[ "$cut" -gt 0 ] || fail 'no decision was cut short'
expect_out "^CUT     maestro: $cut of [0-9]+ decisions were cut short by the clock\$"
expect_no_out '^CUT     ismcts'
[ "$(sed -n '/^result/,$p' "$out" | grep -c '^CUT')" -eq 1 ] ||
	fail 'it is not printed below the result'
expect "$SCOPA_ARENA" record verify short.scopa
play --json
expect_out '"name":"maestro".*"cut_short":[1-9].*"name":"ismcts".*"cut_short":0'

scenario 'a run reports such searches, also after resume and db rebuild'
arena 0 tournament --rules scopa --deals 1 --seed 4 --rounds 2 --tc move:0.02 \
	--run run --bot cmd=@maestro option.iterations=1000000 --bot \
	cmd=@ismcts option.iterations=1
cut=$(grep -c '^info [12] .* cut=1' run/records.scopa)
[ "$cut" -gt 0 ] || fail 'no decision was cut short'
line="^CUT +maestro: $cut of [0-9]+ decisions were cut short by the clock\$"
expect_out "$line"
expect_no_out '^CUT +ismcts'
arena 0 db rebuild run
run "$SCOPA_ARENA" status run
expect_out "$line"
run "$SCOPA_ARENA" status run --json
expect_out "\"cut_short\":${cut}[,}]"

scenario 'bots that search report value, line and number of positions'
arena 0 match --bot cmd=@maestro option.iterations=100 --bot cmd=@ismcts \
	option.iterations=100 --deals 1 --record games.scopa
expect grep -Eq '^info 1 .*value=-?[0-9]+\.[0-9]{3} .*m\.worlds=[0-9]+' \
	games.scopa
expect grep -Eq '^info 2 .*pv=[^ ]+ .*m\.iterations=100' games.scopa
expect "$SCOPA_ARENA" record verify games.scopa
arena 0 record show games.scopa
expect_out '^ +1 maestro +.*value=-?[0-9.]+ .*m\.worlds='
expect_out '^ +2 ismcts +.*pv=[^ ]+ '

scenario 'a bot that plays by rules reports the rule that decided'
arena 0 match @chitarrella @first --deals 1 --record rules.scopa
expect grep -Eq '^info 1 ' rules.scopa
expect "$SCOPA_ARENA" record verify rules.scopa

scenario 'a bot that recognises the rules of its opponents reports them'
for name in chitarrella greedy; do
	arena 0 match --rules scopone --deals 1 --seed 3 --bot cmd=@maestro \
		option.iterations=8000 --bot "@$name" \
		--record "rote-$name.scopa"
	expect grep -Eq "^info .* m\\.$name=(0\\.9|1\\.0)" "rote-$name.scopa"
done

finish
