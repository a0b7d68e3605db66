# Goal: `rules` explains every parameter of a rule set, and a rule set that
# makes no sense is refused with the reason.
. "$SRC/tests/e2e/lib.sh"

scenario 'rules lists every preset with its seats'
arena 0 rules
expect_err_empty
expect_out '^scopa \(2, 3, 4 or 6' '^scopone \(4 as 2v2\)$' '^cirulla \(' \
	'^try: scopa-arena rules'
presets=$(sed -n 's/^\([a-z-]*\) (.*/\1/p' "$out" | paste -sd ' ')

scenario 'the list as JSON is one document of all presets'
arena 0 rules --json
expect_json "[p['rules'] for p in d] == '$presets'.split()" \
	'all(p["parameters"].keys() == d[0]["parameters"].keys() for p in d)'
names=$(python3 -c 'import json, sys
for p in json.load(open(sys.argv[1])): print(p["rules"])' "$out")

scenario 'every preset is explained'
for name in $names; do
	arena 0 rules "$name"
	expect_out "^$name\$" '^  priority=' '^  rotation='
done

scenario 'a parameter is explained with its other values'
arena 0 rules scopa
expect_out '^  priority=single  \(or fewest, any\)$'
expect_out '^  target=11  \(or 1 to 9999\)$'
words=$(tr -s ' \n' '  ' <"$out")
expect test "${words#* items=cards+coins+settebello+primiera (some of }" \
	!= "$words"
expect test "${words#*; or none) }" != "$words"

scenario 'the priorities of captures are explained exactly'
arena 0 rules cirulla
words=$(tr -s ' \n' '  ' <"$out")
expect test "${words#*(it is equal, or makes fifteen), no set of several}" \
	!= "$words"
expect test "${words#*goes before several cards that add up to it. Those}" \
	!= "$words"

scenario 'overrides are marked, in both ways to write them'
arena 0 rules scopa,priority=fewest napola=run target=21
expect_out '^scopa,priority=fewest,napola=run,target=21$' \
	'^\* priority=fewest  \(or single, any\)$' '^\* napola=run ' \
	'^\* target=21 ' '^  ace=plain ' 'differs from the preset scopa'

scenario 'one rule set as JSON has every parameter with its values'
arena 0 rules cirulla,declare=ask --json
expect_json 'd["preset"] == "cirulla"' 'd["rules"] == "cirulla,declare=ask"' \
	'[p for p in d["parameters"] if p["key"] == "declare"][0]["value"] == "ask"' \
	'"auto" in [p for p in d["parameters"] if p["key"] == "declare"][0]["values"]'

scenario 'an unknown preset is refused with the nearest'
refuses 'scopne' rules scopne
expect_err 'scopone' '^  try     : /.*/scopa-arena rules$'

scenario 'an unknown parameter is refused'
refuses 'prioritiy' rules scopa,prioritiy=any

scenario 'a value that a parameter cannot have is refused'
refuses 'most' rules scopa,priority=most

scenario 'rules that contradict each other are refused with the reason'
for rules in scopone,players=3 frac,max-captured=2 assi,max-captured=2 \
	scopa,table=0 scopa,teams=ABAB,players=3; do
	refuses "rules \"$rules\": [a-z]" rules "$rules"
done

scenario 'a rule set whose games never end is refused'
refuses 'longer than' rules "scopa$(printf ',target=%s' $(seq 1000 1200))"

finish
