# Goal: tournaments of every format and number of seats are played from the
# command line and from a configuration file, and people and programs can read
# their results.
. "$SRC/tests/e2e/lib.sh"

tournament() { # STATUS ARGUMENT...
	arena "$1" tournament "${@:2}"
}

# Prints the number of games in the records of a run.
games_of() { # RUN
	grep -c '^match ' "$1/records.scopa"
}

scenario 'a round robin prints ranking, crosstable and points by source'
tournament 0 @greedy @random @first --rounds 10 --deals 1 --seed 1 --run rr --full
expect_no_children
for word in greedy random first settebello primiera scope; do
	expect_out "$word"
done
expect_no_out '(nan|inf)'
expect [ "$(games_of rr)" -eq 60 ]

scenario 'the report is one JSON document'
arena 0 status rr --json
expect_json 'len(d["ranking"]) == 3' 'd["run"]["state"] == "done"'

scenario 'a dry run prints the schedule and plays nothing'
tournament 0 @greedy @random @first --rounds 2 --dry-run --run dry
expect_lines 6 '^block ' "$out"
expect_no_file dry
tournament 0 @greedy @random --rounds 1 --dry-run --no-duplicate
expect_out '^1 block at most, 1 game each$'
tournament 0 @greedy @random --rounds 1000 --dry-run
expect_lines 1001 . "$out"
tournament 0 @greedy @random --rounds 1001 --dry-run
expect_lines 1000 '^block ' "$out"
expect_out '^\.\.\. and so on$'
word=$(printf 'x%.0s' {1..600})
tournament 0 "/bin/true $word" "/bin/false $word" --rounds 1 --dry-run
expect_out " /bin/true $word\$"
for word in --dry-run --announce; do
	refuses "$word has none" tournament @greedy @random $word --json \
		--run dry
	expect_no_file dry
done
refuses '--dry-run and --announce exclude each other' \
	tournament @greedy @random --dry-run --announce
refuses '--quiet and --full exclude each other' \
	tournament @greedy @random --dry-run --quiet --full

scenario 'the same packs are dealt to every pairing'
for round in 1 2 3; do
	awk -v round="$round" '
		/^tag / { of = $0 ~ " round=" round " " }
		/^pack 1 / && of { print $NF }' rr/records.scopa | sort -u >packs
	expect [ "$(wc -l <packs)" -eq 1 ]
done

scenario 'a gauntlet pairs the first bot with all others'
tournament 0 @greedy @random @first @random --format gauntlet --rounds 3 \
	--deals 1 --seed 1 --run gauntlet
expect [ "$(games_of gauntlet)" -eq 18 ]
expect_lines 18 '^seat . team=. name=greedy' gauntlet/records.scopa

scenario 'a knockout shows its bracket as finished'
arena 0 tournament @greedy @random @first --deals 1 --rounds 3 --seed 2 \
	--format knockout --run cup --full
expect_out '^played    knockout, [0-9]+ blocks of 2 games'
expect_out '^bracket: matches that are decided$'
expect_lines 1 '^final: [a-z]+ beat [a-z]+ +[0-9]+ +[+-]?[0-9.]+$' "$out"
expect_lines 1 '^semi-final: [a-z]+ beat [a-z]+ ' "$out"
arena 0 report cup --out cup.html
expect_no_line ' of at most ' cup.html

scenario 'the report is short, and complete with --full'
arena 0 status cup
expect_lines 1 '^#  name ' "$out"
expect_lines 1 '^1  [a-z]+ .* [0-9]+ +[0-9]+ +[0-9]+ +[+-][0-9.]+ ' "$out"
expect_out '^next      .*scopa-arena report cup$'
expect_out '^more      .*scopa-arena status --full cup$'
mv cup 'my cup'
arena 0 status 'my cup'
expect_out "^next      .*scopa-arena report 'my cup'$"
mv 'my cup' cup
expect_no_out 'crosstable' 'offences and time to think'
arena 0 status --full cup
expect_out 'crosstable' 'offences and time to think' '^next '
expect_no_out '^more '

# Runs the arena on a terminal with this number of columns.
on_terminal() { # COLUMNS ARGUMENT...
	# shellcheck disable=SC2016 # for the shell in the terminal
	expect_run 0 env -u NO_COLOR TERM=xterm python3 -IS -c 'import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c",
    "stty cols $0 -opost && exec \"$@\"", *sys.argv[1:]])))' \
		"$1" "$SCOPA_ARENA" "${@:2}"
}

scenario 'reports fit the terminal, except long words and commands'
long=a-name-of-sixty-one-characters-that-leaves-no-room-for-number
tournament 0 --bot cmd=@greedy name=$long-1 --bot cmd=@random name=$long-2 \
	--bot cmd=@first --rounds 12 --deals 1 --seed 1 --run long
for columns in 60 80 120; do
	for run in rr cup long; do
		on_terminal $columns status $run
		expect_lines 0 '^more .*status --full .*[^a-z]$' "$out"
		grep -vE '^(next|more) ' "$out" | sed 's/\x1b\[[0-9;]*m//g' |
			grep -vE "^(result   )? *$long" >lines
		expect_lines 0 "^.{$((columns + 1)),}" lines
		on_terminal $columns status --full $run
		grep -vE '^(next|seed|chain) ' "$out" |
			sed 's/\x1b\[[0-9;]*m//g' | grep -v "${long%-leaves*}" >lines
		expect_lines 0 "^.{$((columns + 1)),}" lines
	done
done

scenario 'record show fits the terminal'
arena 0 record show --match m1 rr/records.scopa
expect_out '^   1  1 [a-z]+ .* [1-9A-Z]{2} .* s$'
on_terminal 60 record show --match m1 rr/records.scopa
grep -v '^  secret=' "$out" | sed 's/\x1b\[[0-9;]*m//g' >lines
expect_lines 0 '^.{61,}' lines
expect_lines 1 '^   1  1 [a-z]+ +[0-9A-Z]{2}[^ ]* +[0-9.]+ s$' lines
expect_out '^      table [1-9A-Z]{2}'

scenario 'help and rules are wrapped to the width of the terminal'
for words in 'help tournament' 'rules scopa' rules; do
	# shellcheck disable=SC2086 # words
	on_terminal 60 $words
	# Examples are whole commands, and are not wrapped.
	expect [ "$(sed '/^examples:/,$d; s/\x1b\[[0-9;]*m//g' "$out" |
		wc -L)" -le 60 ]
done

without_sandbox

scenario 'a result caused by offences is not reported as collusion'
shell_bot quits 'exit 1'
arena 0 tournament @first @random @greedy ./quits --rounds 12 --deals 1 \
	--seed 2 --run odd
expect_out '^ODD +quits made -22\.000 .*: 24 of their games were lost by an offence$'

scenario 'adaptive formats do not depend on the number of concurrent games'
for format in swiss knockout ladder; do
	for at_once in 1 64; do
		tournament 0 @greedy @random @first @random @greedy \
			--format $format --rounds 3 --deals 1 --seed 1 \
			--run "$format-$at_once" --concurrency $at_once
		expect [ "$(games_of "$format-$at_once")" -gt 0 ]
	done
	expect_same_games "$format-1" "$format-64"
done

scenario 'three bots in a game are seated in all six orders'
tournament 0 @greedy @random @first --rules scopa --seats 3 --rounds 4 \
	--deals 1 --seed 3 --run three
expect [ "$(games_of three)" -eq 24 ]

scenario 'four bots play with mixed partners'
tournament 0 @greedy @random @first @random --rules scientifico \
	--partners mixed --rounds 6 --deals 1 --seed 3 --run mixed
expect [ "$(games_of mixed)" -eq 24 ]

scenario 'six seats are played by teams, and by six bots'
tournament 0 @greedy @random --rules scopa --seats 6 --teams ABABAB --rounds 3 \
	--deals 1 --seed 3 --run six-teams
expect [ "$(games_of six-teams)" -eq 6 ]
tournament 0 @greedy @random @first @random @first @random --rules scopa \
	--seats 6 --rounds 2 --deals 1 --seed 3 --run six
expect [ "$(games_of six)" -eq 12 ]

scenario 'each event is one line with a JSON object'
tournament 0 @greedy @random --rounds 5 --deals 1 --seed 1 --run logged \
	--events logged.jsonl --quiet
cp logged.jsonl "$out"
expect_json_lines '[d[0]["event"], d[-1]["event"]] == ["run_begin", "run_end"]' \
	'[event["event"] for event in d].count("block") == 5' \
	'all(event["v"] == 1 for event in d)'

scenario 'an impossible format is refused with the reason'
refuses '.' tournament @greedy @random @first --format knockout --seats 3
refuses 'games of two bots' tournament @greedy @random @first @first \
	--format knockout --seats 4
expect_err '^  hint    : .*--teams ABAB$'
refuses 'needs two bots, but one is named' tournament @greedy
refuses 'needs two bots, but none is named' tournament
expect_no_file runs

scenario 'options for other machines are refused without --store'
for words in '--labels fast' --trusted-only '--lease 30' '--audit 0' \
	'--clock scaled'; do
	# $words is split into words.
	# shellcheck disable=SC2086
	refuses "${words%% *} without --store: " tournament @greedy \
		@random --run idle $words
	expect_no_file idle
done
printf '[gate]\nrounds = 3\nlabels = fast\n' >fast.ini
refuses '--labels without --store' gate @greedy @random --config fast.ini
expect_err 'where *: fast.ini:3: labels=fast$'

scenario 'without --run a folder below runs is made, and status finds it'
tournament 0 @greedy @random --rounds 1 --deals 1 --name my-cup
folders=(runs/*-my-cup)
expect_file "${folders[0]}/config.ini"
expect [ "${#folders[@]}" -eq 1 ]
arena 0 status
expect_out 'greedy'

finish
