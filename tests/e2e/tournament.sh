# Goal: tournaments of every format and table are played from the command line,
# from a configuration file and in the words of other arenas, and what they tell
# can be read by people and programs.
. "$SRC/tests/e2e/lib.sh"

tournament() { # ARGUMENT...
	run "$SCOPA_ARENA" tournament "$@"
}

# The number of games in the records of a run.
games_of() { # RUN
	grep -c '^match ' "$1/records.scopa"
}

json() { # EXPRESSION, with the document as `d`
	expect python3 -c "
import json, sys
d = json.load(open(sys.argv[1]))
assert $1, json.dumps(d)[:2000]" "$out"
}

scenario 'a round robin prints ranking, crosstable and points by source'
tournament @greedy @random @first --rounds 10 --deals 1 --seed 1 --run rr
expect_exit 0
expect_no_children
for word in greedy random first settebello primiera scope; do
	expect_out "$word"
done
expect_no_out '(nan|inf)'
expect [ "$(games_of rr)" -eq 60 ]

scenario 'the report is one JSON document'
run "$SCOPA_ARENA" status rr --json
expect_exit 0
json 'len(d["ranking"]) == 3'
json 'd["run"]["state"] == "done"'

scenario 'a dry run prints the schedule and plays nothing'
tournament @greedy @random @first --rounds 2 --dry-run --run dry
expect_exit 0
expect [ "$(grep -c '^block ' "$out")" -eq 6 ]
expect_no_file dry
tournament @greedy @random --rounds 1 --dry-run --no-duplicate
expect_out '^1 block at most, 1 game each$'
for word in --dry-run --announce; do
	run "$SCOPA_ARENA" tournament @greedy @random $word --json --run dry
	expect_exit 2
	expect_error "$word has none"
	expect_no_file dry
done

scenario 'the same packs are dealt to every pairing'
for round in 1 2 3; do
	awk -v round="$round" '
		/^tag / { of = $0 ~ " round=" round " " }
		/^pack 1 / && of { print $NF }' rr/records.scopa | sort -u >packs
	expect [ "$(wc -l <packs)" -eq 1 ]
done

scenario 'a gauntlet pairs the first bot with all others'
tournament @greedy @random @first @random --format gauntlet --rounds 3 \
	--deals 1 --seed 1 --run gauntlet
expect_exit 0
expect [ "$(games_of gauntlet)" -eq 18 ]
expect [ "$(grep -c '^seat . team=. name=greedy' gauntlet/records.scopa)" -eq 18 ]

scenario 'swiss, knockout and ladder come to their ends'
for format in swiss knockout ladder; do
	tournament @greedy @random @first @random @greedy --format $format \
		--rounds 3 --deals 1 --seed 1 --run "$format"
	expect_exit 0
	expect [ "$(games_of "$format")" -gt 0 ]
done

scenario 'adaptive formats do not depend on how many games are on at once'
for format in swiss knockout ladder; do
	tournament @greedy @random @first @random @greedy --format $format \
		--rounds 3 --deals 1 --seed 1 --run "$format-64" \
		--concurrency 64
	expect_exit 0
	for run in "$format" "$format-64"; do
		sed -e 's/^tag utc=[^ ]* //' -e 's/ t=[0-9.]*//' \
		-e '/^\(sum\|void\|ponder\) /d' \
			"$run/records.scopa" >"$run.lines"
	done
	expect_same "$format.lines" "$format-64.lines"
done

scenario 'three bots at one table take all six orders'
tournament @greedy @random @first --rules scopa --seats 3 --rounds 4 --deals 1 \
	--seed 3 --run three
expect_exit 0
expect [ "$(games_of three)" -eq 24 ]

scenario 'four bots with mixed partners'
tournament @greedy @random @first @random --rules scientifico \
	--partners mixed --rounds 6 --deals 1 --seed 3 --run mixed
expect_exit 0
expect [ "$(games_of mixed)" -eq 24 ]

scenario 'teams of six, and six alone'
tournament @greedy @random --rules scopa --seats 6 --teams ABABAB --rounds 3 \
	--deals 1 --seed 3 --run six-teams
expect_exit 0
expect [ "$(games_of six-teams)" -eq 6 ]
tournament @greedy @random @first @random @first @random --rules scopa \
	--seats 6 --rounds 2 --deals 1 --seed 3 --run six
expect_exit 0
expect [ "$(games_of six)" -eq 12 ]

scenario '512 games at once'
tournament @greedy @random --rounds 300 --deals 1 --seed 3 --concurrency 512 \
	--run many --quiet
expect_exit 0
expect [ "$(games_of many)" -eq 600 ]
expect_no_children

scenario 'a configuration file, with flags that override it'
cat >cup.ini <<'END_OF_FILE'
[tournament]
rules = scopa
rounds = 50
deals = 1
seed = 5
format = gauntlet

[bot strong]
cmd = @greedy

[bot weak]
cmd = @random
END_OF_FILE
tournament --config cup.ini --rounds 2 --run ini
expect_exit 0
expect [ "$(games_of ini)" -eq 4 ]
expect_out 'strong'

scenario 'the configuration of a run gives the same run again'
tournament --config ini/config.ini --run again
expect_exit 0
for run in ini again; do
	sed -e 's/^tag utc=[^ ]* //' -e 's/ t=[0-9.]*//' \
		-e '/^\(sum\|void\|ponder\) /d' \
		"$run/records.scopa" >"$run.lines"
done
expect_same ini.lines again.lines

scenario 'words of other arenas are taken'
tournament -engine cmd=@greedy name=one -engine cmd=@random name=two \
	-each tc=10+0.1 -rounds 3 -repeat -concurrency 2 -srand 5 -run fastchess
expect_exit 0
expect_out 'one'

scenario 'a wrong word in a configuration is named with its line'
printf '[tournament]\nruels = scopa\n' >wrong.ini
tournament --config wrong.ini
expect_exit 2
expect_error 'wrong.ini:2'
expect_err 'rules'

scenario 'events are one JSON object a line'
tournament @greedy @random --rounds 5 --deals 1 --seed 1 --run told \
	--events told.jsonl --quiet
expect_exit 0
expect python3 - <<'END_OF_PYTHON'
import json
events = [json.loads(line) for line in open("told.jsonl")]
kinds = [event["event"] for event in events]
assert kinds[0] == "run_begin", kinds
assert kinds[-1] == "run_end", kinds
assert kinds.count("block") == 5, kinds
assert all(event["v"] == 1 for event in events)
END_OF_PYTHON

bare_scenario 'a bot that fails to start three times is suspended'
# It starts once, before the first game, and never again.
shell_bot willing
printf '#!/bin/sh\n[ ! -e moody.was ] || exit 9\ntouch moody.was\nset -- moody\n. ./willing\n' >moody
chmod +x moody
tournament ./moody @random @first --rounds 10 --deals 1 --seed 1 --run mood
expect_exit 0
expect_err 'suspended: moody'
# Two games a block: the third failure is in its second one.
failures=$(grep -c '^offence . kind=startup' mood/records.scopa)
expect [ "$failures" -ge 3 ]
expect [ "$failures" -le 4 ]
expect [ "$(grep -c 'name=first' mood/records.scopa)" -ge 20 ]
rm moody.was

scenario 'bots of one name are told apart'
tournament @greedy @greedy @greedy --rounds 1 --deals 1 --seed 1 --run names
expect_exit 0
expect_out 'greedy-2'
expect_out 'greedy-3'

scenario 'a format that cannot be is refused with the reason'
tournament @greedy @random @first --format knockout --seats 3
expect_exit 2
expect_error '.'
tournament @greedy
expect_exit 2
expect_error '.'
expect_no_file runs

scenario 'without --run it makes a folder below runs, and status finds it'
tournament @greedy @random --rounds 1 --deals 1 --name my-cup
expect_exit 0
folders=(runs/*-my-cup)
expect_file "${folders[0]}/config.ini"
expect [ "${#folders[@]}" -eq 1 ]
run "$SCOPA_ARENA" status
expect_exit 0
expect_out 'greedy'

finish
