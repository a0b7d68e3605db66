# Goal: the examples of protocol.md and docs/records.md are true: their bots
# play, the arena plays their deals in the same way, and all lines between arena
# and bots follow their grammar.
# Release: it compares pages with games that other scripts play, too.
. "$SRC/tests/e2e/bots.bash"

# Writes a bot that copies its input and output to NAME.in and NAME.out.
logged_bot() { # NAME COMMAND...
	program "$1" "tee -a '$PWD/$1.in' | ${*:2} | tee -a '$PWD/$1.out'"
}

pages=("$SRC/protocol.md" "$SRC/docs/records.md")

# Copies both directions to one file, with `> ` before the lines of the bot.
cat >talk.py <<'END'
import subprocess, sys, threading

log = open(sys.argv[1], "w", buffering=1)
bot = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE,
                       stdout=subprocess.PIPE, text=True, bufsize=1)


def answers():
    for line in bot.stdout:
        log.write("> " + line)
        print(line, end="", flush=True)


thread = threading.Thread(target=answers)
thread.start()
for line in sys.stdin:
    log.write(line)
    bot.stdin.write(line)
    bot.stdin.flush()
bot.stdin.close()
thread.join()
sys.exit(bot.wait())
END

# A scripted bot answers with its arguments first, then with its longest move.
python_bot scripted.py <<'END'
plan = sys.argv[1:]

def turn(legal, id):
    return f'move {plan.pop(0) if plan else max(legal, key=len)} {id}'
END

expect_grammar() { # RULE FILE
	run_with "$(cat "$2")" python3 "$SRC/tests/e2e/grammar.py" "${pages[@]}" "$1"
	expect_exit 0
	expect [ -s "$2" ]
}

scenario 'the bots of the page have as many lines as it says'
expect [ "$(wc -l <twenty.py)" -eq 20 ]
expect [ "$(wc -l <eleven.sh)" -eq 11 ]

for rules in scopa cirulla escoba scientifico; do
	scenario "the bots of the page play $rules"
	players=(./twenty.py ./eleven.sh)
	[ "$rules" != scientifico ] || players+=("${players[@]}")
	arena 0 match --rules "$rules" --deals 2 --seed 1 \
		--record "$rules.scopa" "${players[@]}"
	expect_lines 2 '^enddeal' "$rules.scopa"
	expect_lines 0 '^(offence|abort)' "$rules.scopa"
done

scenario 'the record in docs/records.md verifies'
extract 'scopa sample' sample.scopa "${pages[1]}"
arena 0 record verify sample.scopa

bare_scenario 'the deal of the page has exactly the lines of a real deal'
extract 'text deal' page.txt
arena 0 match --deals 1 --seed 5 --record deal.scopa \
	"python3 talk.py deal.txt ./twenty.py" ./eleven.sh
masked() { # FILE
	sed -E 's|(arena=scopa-arena/).*|\1N|' "$1"
}
expect_run 0 diff <(masked page.txt) <(masked deal.txt)
played() { # FILE
	sed -E '/^(%|tag |sum )/d; s/ t=[0-9.]+//' "$1"
}
expect_run 0 diff <(played sample.scopa) <(played deal.scopa)

bare_scenario 'a deal of Cirulla: the captures of a wild 7 as an ace'
extract 'text cirulla' cirulla.txt
python3 - >pack.txt <<'END'
first = "4S5D6DKD" "2B4C7C" "3C7SQS"
cards = [rank + suit for rank in "A234567JQK" for suit in "DCSB"]
dealt = [first[i:i + 2] for i in range(0, len(first), 2)]
print(first + "".join(card for card in cards if card not in dealt))
END
arena 0 match --rules cirulla --deals 1 --packs pack.txt \
	"python3 talk.py said.txt python3 scripted.py !low:A 7Cx4S5D6DKD 2B" \
	"python3 scripted.py 3C"
sed -E '/^(state|go) /d; s/^(> move .*) turn=.*/\1/' said.txt |
	sed -n '/^table /,$p' | head -n "$(wc -l <cirulla.txt)" >said
expect_run 0 diff cirulla.txt said

bare_scenario 'a deal of Cirulla: the value of a wild 7 on the table'
grep '^| `cirulla' "$SRC/protocol.md" | grep matta >rows
expect [ "$(wc -l <rows)" -eq 3 ]
for value in hand table plain; do
	arena 0 match --rules "cirulla,matta=$value" --deals 1 \
		--packs pack.txt "python3 scripted.py !low:3 7C" \
		"python3 talk.py said.txt python3 scripted.py"
	grep -m 1 '^legal ' said.txt | cut -d ' ' -f 2- >moves
	grep -F "matta=$value" rows | awk -F '|' '{ print $5 }' |
		tr -d '`' | sed 's/^ *//; s/ *$//' >shown
	expect_run 0 diff shown moves
done

logged_bot tapped-greedy "'$SCOPA_ARENA' bot greedy"
logged_bot tapped-random "'$SCOPA_ARENA' bot random"
players=(./tapped-greedy ./tapped-random)
! command -v node >/dev/null || {
	logged_bot tapped-script "'$SRC/bots/javascript/bot.js'"
	players+=(./tapped-script)
}
for rules in cirulla scopa-bga,players=3; do
	bare_scenario "all lines of a match of $rules follow the grammar"
	table=(./tapped-greedy ./tapped-random)
	[ "$rules" = cirulla ] || table+=("${players[2]:-@first}")
	arena 0 match --rules "$rules" --deals 3 --seed 2 --tc match:60+0.1 \
		--record talk.scopa "${table[@]}"
	for player in "${table[@]#./}"; do
		[ -e "$player" ] || continue
		expect_grammar to-bot "$player.in"
		expect_grammar from-bot "$player.out"
	done
done

scenario 'records follow the grammar'
grep -Ev '^(%|sum )' talk.scopa >lines
expect_grammar record-line lines

scenario 'the grammar refuses wrong lines'
printf 'play 1 7Dx\ngive 7 ??\nlegal\n' >lines
run_with "$(cat lines)" \
	python3 "$SRC/tests/e2e/grammar.py" "${pages[@]}" to-bot
expect_exit 1
expect_lines 3 '' "$out"

finish
