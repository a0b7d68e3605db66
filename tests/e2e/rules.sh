# Goal: whoever wants to know what a rule set means is told every parameter of
# it, and a rule set that cannot be is refused with the reason.
. "$SRC/tests/e2e/lib.sh"

# json FILE EXPRESSION: a Python expression about the document `d` holds.
json() {
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}

scenario 'rules lists every preset with its seats'
run "$SCOPA_ARENA" rules
expect_exit 0
expect_err_empty
expect_out '^scopa \(2, 3, 4 or 6'
expect_out '^scopone \(4 as 2v2\)$'
expect_out '^cirulla \('
expect_out '^try: scopa-arena rules'

scenario 'the list as JSON is one document of all presets'
run "$SCOPA_ARENA" rules --json
expect_exit 0
expect json "$out" 'len(d) == 20'
expect json "$out" 'd[0]["rules"] == "scopa"'
expect json "$out" 'all(len(p["parameters"]) == 37 for p in d)'
names=$(python3 -c 'import json, sys
for p in json.load(open(sys.argv[1])): print(p["rules"])' "$out")

scenario 'every preset is explained'
for name in $names; do
	run "$SCOPA_ARENA" rules "$name"
	expect_exit 0
	expect_out "^$name\$"
	expect_out '^  priority='
	expect_out '^  rotation='
done

scenario 'a parameter is explained with its other values'
run "$SCOPA_ARENA" rules scopa
expect_exit 0
expect_out '^  priority=single  \(or fewest, any\)$'
expect_out '^  target=11  \(or 1 to 9999\)$'
expect_out '^  items=cards\+coins.*; or none\)$'

scenario 'what goes before what is said exactly'
run "$SCOPA_ARENA" rules cirulla
expect_exit 0
words=$(tr -s ' \n' '  ' <"$out")
expect test "${words#*(it is equal, or makes fifteen), no set of several}" \
	!= "$words"
expect test "${words#*goes before several cards that add up to it. Those}" \
	!= "$words"

scenario 'overrides are marked, in both ways to write them'
run "$SCOPA_ARENA" rules scopa,priority=fewest napola=run target=21
expect_exit 0
expect_out '^scopa,priority=fewest,napola=run,target=21$'
expect_out '^\* priority=fewest  \(or single, any\)$'
expect_out '^\* napola=run '
expect_out '^\* target=21 '
expect_out '^  ace=plain '
expect_out 'differs from the preset scopa'

scenario 'one rule set as JSON has every parameter with its values'
run "$SCOPA_ARENA" rules cirulla,declare=ask --json
expect_exit 0
expect json "$out" 'd["preset"] == "cirulla"'
expect json "$out" 'd["rules"] == "cirulla,declare=ask"'
expect json "$out" '[p for p in d["parameters"] if p["key"] == "declare"][0]["value"] == "ask"'
expect json "$out" '"auto" in [p for p in d["parameters"] if p["key"] == "declare"][0]["values"]'

scenario 'an unknown preset is refused with the nearest'
run "$SCOPA_ARENA" rules scopne
expect_exit 2
expect_error 'scopne'
expect_err 'scopone'
expect_err '^  try     : /.*/scopa-arena rules$'

scenario 'an unknown parameter is refused'
run "$SCOPA_ARENA" rules scopa,prioritiy=any
expect_exit 2
expect_error 'prioritiy'

scenario 'a value that a parameter cannot have is refused'
run "$SCOPA_ARENA" rules scopa,priority=most
expect_exit 2
expect_error 'most'

scenario 'rules that contradict each other are refused with the reason'
for rules in scopone,players=3 frac,max-captured=2 assi,max-captured=2 \
	scopa,table=0 scopa,teams=ABAB,players=3; do
	run "$SCOPA_ARENA" rules "$rules"
	expect_exit 2
	expect_error "rules \"$rules\": [a-z]"
done

scenario 'a rule set without end is refused'
run "$SCOPA_ARENA" rules "scopa$(printf ',target=%s' $(seq 1000 1200))"
expect_exit 2
expect_error 'longer than'

finish
