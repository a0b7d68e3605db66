# Goal: a bot is sent all cards only in games that the user plays for analysis,
# and the results of such games are marked and never rated.
. "$SRC/tests/e2e/lib.sh"

# Writes the lines that it reads to the file heard.
python_bot peek <<'END'
hello = ['feature analysis=1']

def hear(line):
    with open('heard', 'a') as heard:
        heard.write(line)
END
# The same bot, but it asks for all cards only when it is started a second time.
python_bot sly <<'END'
import os

hello = ['feature analysis=1'] if os.path.exists('called') else []
open('called', 'w').close()

def hear(line):
    with open('heard', 'a') as heard:
        heard.write(line)

def turn(*_):
    sys.exit(3)
END

refused() {
	expect_exit 2
	expect_err '^error: bot "peek" wants to see all cards, which is for analysis' \
		'^  command : \./peek' '^  hint    : .*--analysis'
	if [ -e heard ]; then
		expect_lines 0 '^cards' heard
		expect_lines 0 '^match' heard
		rm heard
	fi
}

bare_scenario 'a match refuses a bot that asks for all cards before the first game'
run "$SCOPA_ARENA" match ./peek @first --deals 1 --record games.scopa
refused
expect [ ! -s games.scopa ]
arena 2 match @first ./peek --deals 1 --rounds 9 --concurrency 4 --json
rm -f heard
run "$SCOPA_ARENA" match @first @first @first ./peek --illegal substitute \
	--rules scopa,players=4,teams=ABCD --deals 1
refused

bare_scenario 'a tournament and a gate refuse such a bot, too'
run "$SCOPA_ARENA" tournament @first @random ./peek --rounds 1 --run none
refused
expect [ ! -e none ]
run "$SCOPA_ARENA" gate ./peek @first --rounds 1 --run none
refused
expect [ ! -e none ]

bare_scenario 'a gate refuses to play for analysis'
refuses '--analysis is not accepted here' gate ./peek @first --rounds 1 --analysis \
	--run none
printf '[gate]\nanalysis = yes\nrounds = 1\n' >gate.ini
arena 2 gate --config gate.ini ./peek @first --run none
expect [ ! -e none ]

bare_scenario 'a bot that asks only when it is restarted loses, and is sent no card'
run "$SCOPA_ARENA" tournament ./sly @first --deals 1 --rounds 1 --seed 3 \
	--run again --concurrency 1
grep -q '^offence [12] kind=startup reason=HS_BAD(ANALYSIS) ' \
	again/records.scopa || fail 'the second start is no offence'
expect_lines 0 '^cards' heard
rm -f heard

bare_scenario 'with --analysis such a bot plays, and gets all cards before each go'
arena 0 match ./peek @first --deals 1 --rounds 2 --duplicate --analysis \
	--record games.scopa
expect_out '^analysis: some bots see all cards, and nothing of this is rated$'
expect_out '^result .*, for analysis(, unboxed)?$'
expect_lines "$(grep -c '^go ' heard)" '^cards hands=1:[^ ]*,2:[^ ]* deck=' heard
run "$SCOPA_ARENA" match ./peek @first --deals 1 --analysis --json
expect_out '"analysis":true'

bare_scenario 'the record names the bot that has seen all cards, and verifies'
expect_lines 4 '^tag .* analysis=1 ' games.scopa
expect_lines 4 '^seat [12] team=[AB] name=peek sees=all$' games.scopa
expect_lines 0 'name=first .*sees' games.scopa
expect_lines 0 '^cards' games.scopa
arena 0 record verify games.scopa
arena 0 record show games.scopa
expect_out 'team A  peek  sees all cards$'
arena 0 record redact --seat 2 games.scopa
expect_no_out 'sees|analysis|cards '
run "$SCOPA_ARENA" record export --jsonl --events games.scopa
expect_out '"name": ?"peek", ?"sees": ?"all"'

bare_scenario 'a record from which the tag was removed does not verify'
sed 's/ analysis=1//; /^sum/d' games.scopa >untagged.scopa
arena 1 record derive untagged.scopa
expect_err 'no tag says analysis=1'

bare_scenario 'records for analysis are not rated, alone or among others'
arena 1 rate games.scopa
expect_error '4 games were for analysis: nothing of them is rated'
expect_no_out .
arena 1 sprt --records games.scopa
expect_error '4 games were for analysis'
record_match rated.scopa @greedy @first --deals 1 --rounds 2 --duplicate
arena 1 rate games.scopa rated.scopa
expect_err '^  counted : the other 4$'
expect_out '4 games'
expect_no_out peek

bare_scenario 'a tournament for analysis is marked in every output'
arena 0 tournament ./peek @first @greedy --deals 1 --rounds 2 --analysis \
	--run cup --events cup.jsonl
expect_out '^result .*, for analysis(, unboxed)?$'
expect_out '^analysis +some bots see all cards: this is not rated$'
expect grep -q '^analysis = yes$' cup/terms.txt
expect_lines 6 '"analysis":true' cup.jsonl
run "$SCOPA_ARENA" status cup --json
expect_out '"analysis":12'
python3 - <<'END' || fail 'the database does not say it'
import sqlite3
rows = sqlite3.connect('cup/results.db').execute('SELECT analysis FROM game')
assert [row[0] for row in rows] == [1] * 12
END
arena 0 db rebuild cup
arena 0 record verify --fair cup

bare_scenario 'resume refuses to add or remove --analysis'
refuses '-analysis is not accepted here' resume cup --analysis
sed -i 's/^analysis = yes$/analysis = no/' cup/config.ini
arena 2 resume cup

finish
