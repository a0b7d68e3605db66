# Goal: the info lines of built-in bots about a move are recorded and shown.
. "$SRC/tests/e2e/lib.sh"

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
