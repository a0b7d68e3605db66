# Goal: the output of `match` shows the author of a bot why the bot has lost.
. "$SRC/tests/e2e/lib.sh"

# Sends its argument as the answer to each question; ID is the turn.
python_bot mine.py <<'END'
def turn(_, id):
    return sys.argv[1].replace('ID', id)
END

play() { # ANSWER OPTION...
	local answer=$1
	shift
	rm -f games.scopa
	arena 0 match "python3 mine.py '$answer'" @greedy --seed 5 \
		--tc move:0.3 --record games.scopa "$@"
	expect_out '^faults  mine +lost [0-9]+ of [0-9]+ games? by an offence' \
		'^  hand    : AD 3S JD$' '^  table   : 4B 5S 7D QD$' \
		'^  legal   : AD 3S JD$' \
		'^  expected: move MOVE turn=[0-9a-f]{16}$' \
		'^  state   : state rules=scopa seats=2 .* hand=AD3SJD '
	expect_out "^  again   : .* ask --state 'state rules=scopa .* --bot .cmd="
}

scenario 'an illegal move in every game is explained, also with --quiet'
play 'move KD ID' --rounds 3 --quiet
expect_out '^faults  mine +lost 3 of 3 games by an offence; in game 1: illegal'
expect_out '^result  greedy +3 won, 0 drawn, 0 lost, 22\.000 points per deal'
expect_out '^  received: move KD turn='
expect_out '^  wrong   : The card is not in your hand\.$'

scenario 'the command in the output shows the offence again, with the same options'
run "$SCOPA_ARENA" match --bot "cmd=python3 mine.py 'move KD ID'" \
	"env.GREETING=it's me" --bot @greedy --seed 5 --tc move:0.3
expect_out " \"env.GREETING=it's me\" tc=move:0.3s"
run sh -c "$(sed -n 's/^  again   : //p' "$out")"
expect_exit 4
expect_err 'move KD turn='

scenario 'a word of another protocol gets a hint'
play 'bestmove 7D'
expect_out 'forfeit by mine: no answer within 0\.3 s$' \
	'^  received: bestmove 7D$' '^  hint    : "bestmove" is a word of UCI'
expect_line '^offence 1 kind=timeout .* unused=bestmove%207D$' games.scopa
arena 0 record show games.scopa
expect_out '^ +no answer, but: bestmove 7D$'

scenario 'an answer to another question is explained'
play 'move AD turn=99'
expect_out '^  received: move AD turn=99$'
expect_out '^  hint    : 1 answer had another turn='

scenario 'a bot that exits when it is ready loses in its turn, however slow others are'
cat >gone.sh <<'END'
#!/bin/sh
read -r _; echo id name=gone; echo uspok 1
read -r _; echo readyok; exit 3
END
printf '#!/bin/sh\nsleep 1\nexec "%s" bot greedy\n' "$SCOPA_ARENA" >late.sh
chmod +x gone.sh late.sh
arena 0 match ./gone.sh ./late.sh --record gone.scopa --sandbox off
expect_out '^  expected: move MOVE turn=ID$' '^  ended   : exited with status 3$'
expect_line '^offence 1 kind=crash reason=EXIT\(3\) ' gone.scopa

scenario 'an error instead of an answer is shown'
play 'error feature # not these rules'
expect_out '^  received: error feature # not these rules$'
expect_no_out '^  hint '

scenario 'a missing answer is explained, in the first turn and in a later one'
play ''
expect_out '^  hint    : it has said nothing in this game: flush stdout'
# shellcheck disable=SC2016 # for the bot
shell_bot once '[ -n "$done" ] || { done=1; answer; }'
run "$SCOPA_ARENA" match ./once @greedy --seed 5 --tc move:0.3
expect_out '^faults  once +lost 1 of 1 game by an offence; .* within 0\.3 s$'
expect_no_out '^  hint '

scenario 'the JSON output has the position'
arena 0 match "python3 mine.py 'move KD ID'" @greedy --seed 5 --json
expect_json 'd["games"][0]["fault"]["state"].startswith("state rules=scopa ")' \
	'd["games"][0]["fault"]["received"].startswith("move KD ")'

# Bots that fail in their handshake.
# shellcheck disable=SC2016 # for the bot
program start.sh 'read -r line' "printf '%b\n' \"\$1\"" 'sleep 5'

refused() { # SAYS
	arena 4 match "./start.sh '$1'" @greedy --startup-ms 1000
}

scenario 'a handshake without id gets a hint'
refused 'uspok 1'
expect_err '^  missing : "id name=\.\.\." before "uspok 1"$'

scenario 'a name that is not ASCII gets a hint'
refused 'id name=gr\0303\0274n\nuspok 1'
expect_err '^  received: "id name=gr.xC3.xBCn"$'
expect_err '^  hint    : .* byte 11 is another: write it as %XX'

scenario 'a bot of another game gets a hint'
refused 'id author x\nuciok'
expect_err '^  hint    : that is a line of UCI; a bot of USP answers'
expect_no_err 'byte [0-9]+ is another'

scenario 'a bot of another game that answers every line gets a hint'
program talker 'while read -r _; do echo "id name Talker"; echo uciok; done'
arena 4 match ./talker @greedy
expect_err '^  hint    : that is a line of UCI; a bot of USP answers'
expect_no_err 'byte [0-9]+ is another'

scenario 'a missing interpreter is named'
printf '#!/usr/bin/env pyhton3\n' >spelt.py
chmod +x spelt.py
arena 4 match ./spelt.py @greedy
expect_err '^  hint    : its first line names an interpreter that is not inst'

scenario 'the hint for a file whose name has blanks works'
mkdir 'my bots'
cp start.sh 'my bots/a bot.sh'
arena 2 match 'my bots/a bot.sh' @greedy
expect_err "^  hint    : .* quotes of its own: \"'my bots/a bot.sh'\"$"
scenario 'other lines of a bot on stdout are counted'
shell_bot chatty 'echo three moves to look at; answer'
arena 0 match ./chatty @first --deals 2 --seed 5
expect_out '^time +chatty .*, 36 lines on stdout that are no message$'
expect_lines 1 'no message' "$out"
arena 0 match ./chatty @first --deals 2 --seed 5 --json
expect_out '"name":"chatty",.*"stray_lines":36,.*"name":"first",.*"stray_lines":0,'

# Its supervisor stands still from before the bot ends until long after it has
# closed its stdout.
scenario 'a bot has ended by itself, however late its supervisor reports that'
# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot leaver 'echo $PPID >supervisor.tmp && mv supervisor.tmp supervisor
		until grep -q "^State:.T" /proc/$PPID/status; do sleep 0.05; done
		>leaving
		exit 3'
(
	until [ -e supervisor ]; do sleep 0.05; done
	kill -STOP "$(cat supervisor)"
	until [ -e leaving ]; do sleep 0.05; done
	sleep 0.6
	kill -CONT "$(cat supervisor)"
) &
arena 0 match ./leaver @first --deals 1 --sandbox off
expect_out 'forfeit by leaver: exited with status 3$'
wait

# The worker process is stopped before the bot writes its second line, and for
# 0.15 s more.
# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot delayed '
		echo "$rest" >>times
		worker=$(awk "/^PPid/ { print \$2 }" /proc/$PPID/status)
		if [ $turn_count = 2 ]; then
			echo $worker >worker.tmp && mv worker.tmp worker
			until grep -q "^State:.T" /proc/$worker/status; do :; done
		fi
		if [ "$1" = flaw ]; then printf "\\1\n"; else answer; fi'
for line in move flaw; do
	scenario "a delay of the arena is not charged to the bot: $line"
	for _ in 1 2 3; do
		rm -f times worker
		(
			until [ -e worker ]; do sleep 0.01; done
			kill -STOP "$(cat worker)"
			sleep 0.15
			kill -CONT "$(cat worker)"
		) &
		arena 0 match "./delayed $line" @first --deals 1 --tc match:9+0 \
			--illegal substitute --strikes 99 --sandbox off --seed 5
		wait
		left=$(sed -n '3s/time=\([0-9]*\).*/\1/p' times)
		[ "$left" -lt 8900 ] || break
	done
	expect [ "$left" -ge 8900 ]
done
finish
