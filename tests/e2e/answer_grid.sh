# Goal: with --answer-grid the arena passes answers on in steps of time, whatever
# time they took, and all lines for a bot are sent together with its question.
. "$SRC/tests/e2e/lib.sh"

# Answers after a time that depends on its turn number, or at once, and writes
# the time of each question to a file.
# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot timed '
		date +%s%6N >>"$1.asked"
		[ "$1" = hearing ] || sleep "0.0$((turn_count * 37 % 80 + 10))"
		answer'

bare_scenario 'answers are passed on in steps, and the bot is charged for its real time'
arena 0 match './timed thinking' './timed hearing' --deals 1 --answer-grid 200 \
	--tc deal:30+0 --record grid.scopa
expect_no_out 'forfeit'
# Two questions are two steps apart, or more.  On a slow machine some questions
# are off the grid, but not all.
cat >steps.awk <<'AWK'
NR == 1 { first = $1 }
NR > 1 {
	ms = ($1 - last) / 1000
	phase = ms % 200
	if (phase < 40 || phase > 160) near++
}
{ last = $1 }
END { exit !(NR == 18 && near >= 6 && (last - first) / 1000 > 16 * 400) }
AWK
expect awk -f steps.awk hearing.asked
# The bot is charged for 18 turns of 10 to 89 ms, not of 200 ms, which are 3.6 s.
cat >paid.awk <<'AWK'
/^play 1 .* t=/ { sub(".*t=", ""); all += $1; if ($1 > 0.19) slow++ }
END { exit !(all > 0.5 && slow <= 9) }
AWK
expect awk -f paid.awk grid.scopa
expect_no_children

scenario 'a bot loses at its deadline, also between two steps'
shell_bot late 'sleep 0.8; answer'
arena 0 match ./late @first --deals 1 --tc move:0.3 --answer-grid 500 \
	--no-ponder
expect_out 'late: no answer within '
expect_no_children

# The note before each answer is answered by an `error` line.
python_bot noting.py <<'END'
hello = ['feature observe=1 legal=1'] if sys.argv[1:] else ['feature legal=1']

def turn(legal, id):
    return f'info note\nmove {legal[0]} {id}'
END
scenario 'a line that is read while an answer is held back changes nothing'
for observe in '' observe; do
	# shellcheck disable=SC2086 # No word, or one.
	arena 0 match "./noting.py $observe" @first --deals 1 --tc move:1 \
		--answer-grid 50
	expect_no_out forfeit
done

scenario 'a bot that gives up before its question is sent has crashed'
# shellcheck disable=SC2016 # for the bot
shell_bot fatal 'answer; sleep 0.4; echo "error fatal # I give up"'
arena 0 match ./fatal @first --deals 1 --answer-grid 3000
expect_out 'forfeit by fatal: gave up'

# Writes down what each read(2) gave: verbs by their first word.
python_bot reader.py <<'END'
import os

def lines():
    while data := os.read(0, 1 << 20):
        text = data.decode().splitlines()
        with open(sys.argv[1], 'a') as log:
            print(int(data.endswith(b'\n')),
                  *(line.split()[0] for line in text if line), file=log)
        yield from text

sys.stdin = lines()
END

# Each read gives whole lines; within a game it ends with the only question in
# it, or it is the end of the game.
cat >pieces.awk <<'AWK'
$1 != 1 { bad = 1 }
/ play| give/ && !/ go$/ && !/ endmatch/ && !/ enddeal/ { bad = 1 }
/ go/ {
	asked++
	if (!/ go$/ || gsub(/ go/, "") != 1) bad = 1
}
{ reads++ }
END { exit !(!bad && asked == 27 && reads <= asked + 8) }
AWK

for more in '' '--no-ponder' '--answer-grid 5'; do
	bare_scenario "all lines for a bot are sent together with its question $more"
	rm -f reads
	# shellcheck disable=SC2086 # None, or some.
	arena 0 match "./reader.py $PWD/reads" @random @greedy @first \
		--seats 4 --teams ABCD --deals 3 --seed 3 $more
	expect awk -f pieces.awk reads
	expect_no_children
done
finish
