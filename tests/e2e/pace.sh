# Goal: bots may be frozen while they are not to move, answers may be told in
# steps, and in any case all that a bot must hear comes in one piece.
. "$SRC/tests/e2e/lib.sh"

# Takes its time for each answer; `pondering` has a helper that computes while
# the other one thinks, and `dying` ends in the midst of a game.
cat >slow <<'END'
#!/bin/sh
turn=0
while read -r verb first _; do
	case $verb in
	usp) printf 'id name=%s\nuspok 1\n' "$1" ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		turn=$((turn + 1))
		[ -z "${helper-}" ] || kill "$helper"
		sleep "${2-0.12}"
		[ "$1 $turn" != 'dying 4' ] || exit 3
		echo "move $move $first"
		[ "$1" != pondering ] || {
			while :; do :; done &
			helper=$!
		}
		;;
	quit)
		[ -z "${helper-}" ] || kill "$helper"
		echo "$1" >>quits
		exit
		;;
	esac
done
END
chmod +x slow

sandboxes=off
"$SCOPA_ARENA" match @first @first --deals 1 --sandbox require --quiet \
	>/dev/null 2>&1 && sandboxes='off auto'

for sandbox in $sandboxes; do
	scenario "who is frozen cannot ponder: --sandbox $sandbox"
	run "$SCOPA_ARENA" match './slow pondering' './slow waiting' --deals 1 \
		--no-ponder --sandbox "$sandbox" --record frozen.scopa --json
	expect_exit 0
	expect_no_out '"ponder_games":[1-9]'
	expect_out '"forfeits":0,'
	expect [ "$(grep -c '^ponder ' frozen.scopa)" -eq 0 ]
	expect_no_children
	rm -f frozen.scopa

	scenario "freezing changes no game: --sandbox $sandbox"
	for more in '' --no-ponder; do
		# shellcheck disable=SC2086 # None, or one.
		run "$SCOPA_ARENA" match @greedy @random @first --seats 3 \
			--rounds 20 --deals 2 --seed 7 --sandbox "$sandbox" \
			$more --quiet --concurrency 3 --record games.scopa
		expect_exit 0
		cp "$out" "told$more"
		grep '^play ' games.scopa | sed 's/ t=.*//' >"plays$more"
		rm games.scopa
	done
	expect_same told told--no-ponder
	expect_same plays plays--no-ponder
	expect_no_children

	scenario "who ends, or is late, or hangs does so frozen: --sandbox $sandbox"
	run "$SCOPA_ARENA" match './slow dying' './slow waiting' \
		'./slow late 0.8' --seats 3 --deals 1 --tc move:0.5 \
		--hang-ms 5000 --illegal substitute --strikes 100 \
		--no-ponder --sandbox "$sandbox" --json --record held.scopa
	expect_exit 0
	expect grep -q '^offence 1 kind=crash reason=EXIT(3)' held.scopa
	expect grep -q '^offence 3 kind=timeout' held.scopa
	expect_no_children
	run "$SCOPA_ARENA" record verify held.scopa
	expect_exit 0
	rm -f held.scopa
done

scenario 'frozen bots are sent away in good order when all is over'
rm -f quits
run "$SCOPA_ARENA" match './slow one 0' './slow two 0' --deals 1 --no-ponder \
	--sandbox off
expect_exit 0
expect [ "$(sort quits | tr '\n' ' ')" = 'one two ' ]

# Answers after the time that its turn number makes of it, and writes down when
# it was asked.
cat >timed <<'END'
#!/bin/bash
turn=0
while read -r verb first _; do
	case $verb in
	usp) printf 'id name=%s\nuspok 1\n' "$1" ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		echo "${EPOCHREALTIME/[.,]/}" >>"$1.asked"
		turn=$((turn + 1))
		[ "$1" = hearing ] || sleep "0.0$((turn * 37 % 80 + 10))"
		echo "move $move $first"
		;;
	quit) exit ;;
	esac
done
END
chmod +x timed

scenario 'answers are told in steps, whatever time they took, which is paid'
run "$SCOPA_ARENA" match './timed thinking' './timed hearing' --deals 1 \
	--answer-grid 200 --tc deal:4+0 --record grid.scopa \
	--sandbox off
expect_exit 0
expect_no_out 'forfeit'
# Questions come two steps apart, or more; this machine may be slow, but then
# they do not all lie off the grid.
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
# 18 turns of 10 to 89 ms are paid, not 18 of 200 ms: that would be 3.6 s.
cat >paid.awk <<'AWK'
/^play 1 .* t=/ { sub(".*t=", ""); all += $1; if ($1 > 0.19) slow++ }
END { exit !(all > 0.5 && slow <= 9) }
AWK
expect awk -f paid.awk grid.scopa
expect_no_children

scenario 'a step is no way out of a deadline'
run "$SCOPA_ARENA" match './slow late 0.8' @first --deals 1 --tc move:0.3 \
	--answer-grid 500 --no-ponder
expect_exit 0
expect_out 'late.*timeout TIMEOUT'
expect_no_children

if ! command -v python3 >/dev/null; then
	scenario 'all comes in one piece # SKIP there is no python3'
	finish
fi

cat >reader.py <<'END'
#!/usr/bin/env python3
"""Answers, and writes down what each read(2) gave: verbs by their first word."""
import os, sys

log = open(sys.argv[1], "a", buffering=1)
left = b""
while True:
    data = os.read(0, 1 << 20)
    if not data:
        break
    verbs = [line.split(b" ")[0] for line in data.split(b"\n") if line]
    log.write("%d %s\n" % (data.endswith(b"\n"), b" ".join(verbs).decode()))
    for line in data.decode().splitlines():
        words = line.split()
        if words[0] == "usp":
            os.write(1, b"id name=reader\nuspok 1\n")
        elif words[0] == "isready":
            os.write(1, b"readyok\n")
        elif words[0] == "legal":
            move = words[1]
        elif words[0] == "go":
            os.write(1, ("move %s %s\n" % (move, words[1])).encode())
        elif words[0] == "quit":
            sys.exit()
END
chmod +x reader.py

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
	scenario "all that is heard comes in one piece with its question $more"
	rm -f reads
	# shellcheck disable=SC2086 # None, or some.
	run "$SCOPA_ARENA" match "./reader.py $PWD/reads" @random @greedy @first \
		--seats 4 --teams ABCD --deals 3 --seed 3 --sandbox off $more
	expect_exit 0
	# Whole lines; within a game each piece ends with the only question in
	# it, or is the end.
	expect awk -f pieces.awk reads
	expect_no_children
done
finish
