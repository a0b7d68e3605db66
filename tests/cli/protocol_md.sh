# Goal: what protocol.md shows is true: its bots play, its sample is a record,
# and all that arena and bots say to each other follows its grammar.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/cli/bots.bash"

# Copies both directions of a bot's talk to NAME.in and NAME.out.
tap() { # NAME COMMAND...
	local name=$1
	shift
	cat >"$name" <<-END
		#!/bin/sh
		tee -a "$PWD/$name.in" | $* | tee -a "$PWD/$name.out"
	END
	chmod +x "$name"
}

expect_grammar() { # RULE FILE
	run_with "$(cat "$2")" \
		python3 "$SRC/tests/cli/grammar.py" "$SRC/protocol.md" "$1"
	expect_exit 0
	expect [ -s "$2" ]
}

scenario 'the bots are as short as the page says'
expect [ "$(wc -l <twenty.py)" -eq 20 ]
expect [ "$(wc -l <eleven.sh)" -eq 11 ]

for rules in scopa cirulla escoba scientifico; do
	scenario "the bots of the page play $rules"
	players=(./twenty.py ./eleven.sh)
	[ "$rules" != scientifico ] || players+=("${players[@]}")
	run "$SCOPA_ARENA" match --rules "$rules" --deals 2 --seed 1 \
		--record "$rules.scopa" "${players[@]}"
	expect_exit 0
	expect [ "$(grep -c '^enddeal' "$rules.scopa")" -eq 2 ]
	expect [ "$(grep -cE '^(offence|abort)' "$rules.scopa")" -eq 0 ]
done

scenario 'the sample is a record that can be verified'
extract 'scopa sample' sample.scopa
run "$SCOPA_ARENA" record verify sample.scopa
expect_exit 0

scenario 'the sample as a seat hears it is what the page shows'
run "$SCOPA_ARENA" record redact --seat 1 sample.scopa
expect_exit 0
awk '/^The same up to its second decision/ { found = 1 }
	found && /^```/ { inside = !inside; next }
	inside && !/^(>|state |legal |go )/' "$SRC/protocol.md" |
	sed 's/ \.\.\.$//' >heard
expect [ "$(wc -l <heard)" -ge 10 ]
while IFS= read -r line; do
	grep -Fq -- "$line" "$out" || fail "the seat does not hear: $line"
done <heard

tap tapped-greedy "'$SCOPA_ARENA' bot greedy"
tap tapped-random "'$SCOPA_ARENA' bot random"
players=(./tapped-greedy ./tapped-random)
! command -v node >/dev/null || {
	tap tapped-script "'$SRC/bots/javascript/greedy.js'"
	players+=(./tapped-script)
}
for rules in cirulla scopa-bga,players=3; do
	scenario_unwalled "what is said in $rules follows the grammar"
	table=(./tapped-greedy ./tapped-random)
	[ "$rules" = cirulla ] || table+=("${players[2]:-@first}")
	run "$SCOPA_ARENA" match --rules "$rules" --deals 3 --seed 2 \
		--tc match:60+0.1 --record talk.scopa "${table[@]}"
	expect_exit 0
	for player in "${table[@]#./}"; do
		[ -e "$player" ] || continue
		expect_grammar to-bot "$player.in"
		expect_grammar from-bot "$player.out"
	done
done

scenario 'records follow the grammar'
grep -Ev '^(%|sum )' talk.scopa >lines
expect_grammar record-line lines

scenario 'the grammar refuses what is wrong'
printf 'play 1 7Dx\ngive 7 ??\nlegal\n' >lines
run_with "$(cat lines)" \
	python3 "$SRC/tests/cli/grammar.py" "$SRC/protocol.md" to-bot
expect_exit 1
expect [ "$(grep -c '' "$out")" -eq 3 ]

finish
