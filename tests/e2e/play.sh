# Goal: a person plays whole games in the terminal, sees all that is needed to
# play, can make no illegal move, and can stop and resume a game.
. "$SRC/tests/e2e/lib.sh"

export LC_ALL=C.UTF-8
ones=$(printf '1\n%.0s' $(seq 500))

# The hand of seat 1 is AD 3S 7C, with the numbers 1 to 3.
pack_of ASAB4S6DAD3S7C2DKDQC >pack

# Plays with these words as lines of input, `enter` as an empty one, and expects
# this exit status.
play() { # STATUS WORDS ARGUMENT...
	local words
	read -r -d '' -a words <<<"$2"
	printf '%s\n' "${words[@]}" | sed 's/^enter$//' >input
	run_from input "$SCOPA_ARENA" play "${@:3}"
	expect_exit "$1"
}

scenario 'a whole game is played from a pipe, and is recorded'
play 0 "$ones" @random --seed 5
expect_err_empty
expect_verified play.scopa
expect_lines 1 '^match ' play.scopa
expect_lines 1 '^tag .* persons=1 ' play.scopa
expect_lines 0 '^offence ' play.scopa
expect_lines 1 '^match .* tc=move:10000 ' play.scopa
scores=$(sed -nE 's/^endmatch .*scores=A:([0-9]+),B:([0-9]+) winner=([AB]).*/\1 \2 \3/p' \
	play.scopa)
read -r own other winner <<<"$scores"
[ "$winner" = A ] && name=you || name=random
expect_out "^result  you $own, random $other: the winner is $name\$"
expect_out 'record show play\.scopa$'
deals=$(grep -c '^enddeal ' play.scopa)
expect_lines "$deals" '^deal [0-9]+ is over$' "$out"

scenario 'the points of a deal are shown with their reasons'
read -r own other <<<"$(sed -nE '0,/^enddeal/s/^score .* cards=([0-9]+):.*/\1/p' \
	play.scopa | tr '\n' ' ')"
points() { [ "$1" -gt 20 ] && echo "$1 \\+1" || echo "$1"; }
expect_out "^  cards +$(points "$own") +$(points "$other")\$"
read -r own other <<<"$(sed -nE '0,/^enddeal/s/^score .* total=([0-9]+) .*/\1/p' \
	play.scopa | tr '\n' ' ')"
expect_out "^  in all +$own +$other\$"

scenario 'the table shows the captures of each card of the hand'
play 130 q @first --packs pack --record none --cards ascii
expect_out '^  \|  A   \| \|  A   \| \|  4   \| \|  6   \|$'
expect_out '^  \|  S   \| \|  B   \| \|  S   \| \|  D   \|$'
expect_out '^   by 1,3   by 1,3             by 3 *$'
expect_out '^  \|  A   \| \|  3   \| \|  7   \|$'
expect_out '^    \[1\]      \[2\]      \[3\] *$'

scenario 'an illegal answer is refused with a reason, and the question is repeated'
play 130 '9 0 zz 7C KD 3Sx4S 1 3 7 enter 2 q' @first --packs pack
expect_out '^  "9": there is no card of this number$' \
	'^  "0": there is no card of this number$' \
	'^  "zz": not a number, a key or a move' \
	'^  "7C": This card can capture' \
	'^  "KD": The card is not in your hand' '^  "3Sx4S": ' \
	'^  1  asso di denari takes asso di spade$' \
	'^  2  asso di denari takes asso di bastoni$'
expect_lines 2 '^  "[37]": none of these numbers$' "$out"
expect_out '^  you: 3 di spade$'
expect_lines 0 '^offence ' play.scopa
expect_line '^play 1 3S ' play.scopa

scenario 'a capture is chosen by its number, or in the notation of bots'
rm -f play.scopa
play 130 '1 2 7CxAS6D q' @first --packs pack
expect_line '^play 1 ADxAB ' play.scopa
expect_line '^play 1 7CxAS6D ' play.scopa

scenario 'a hint is the move of another bot in the same position'
play 130 'h q' @random --packs pack --hint @first
expect_out '^  hint of @first: asso di denari takes asso di spade  \(ADxAS\)$'
play 130 'h q' @random --seed 5 --record none --cards ascii --hint @first
expect_out '^  hint of @first: AD$'
play 130 'h 3S q' @random --packs pack --hint /bin/false
expect_out '^  /bin/false gave no answer$' '^  you: 3 di spade$'

scenario 'keys show help, plays and captured cards'
play 130 '1 1 ? l s t q' @first --packs pack
expect_out '^  h +a hint'
expect_lines 2 '^  you: asso di denari takes asso di spade$' "$out"
expect_out '^  taken by you: asso di denari \+ asso di spade$'
expect_lines 3 '^your hand:$' "$out"

scenario '--cards and --color choose the look of cards'
show() { # ARGUMENT...
	play 130 '3 1 q' @first --packs pack --record none "$@"
}
show --cards it
expect_out '^  you: 7 di coppe takes asso di spade \+ 6 di denari$'
expect_out '│ denari  │'
show --cards es
expect_out '^  you: 7 de copas takes as de espadas \+ 6 de oros$'
show --cards fr
expect_out '^  you: 7♥ takes A♠ \+ 6♦$'
show --cards ascii
expect_out '^  you: 7C takes AS \+ 6D$'
expect_no_out $'\x1b'
LC_ALL=C show --cards fr
expect_out '^  you: 7 of hearts takes A of spades \+ 6 of diamonds$'
expect_out '^  \+----------\+'
! LC_ALL=C grep -q '[^ -~]' "$out" || fail 'bytes beyond ASCII without UTF-8'

scenario 'a declaration is a further number to choose'
pack_of KSKBJSJDAD2D3SQDQCKD >declare
play 130 '4 q' @first --rules cirulla --packs declare --record declared.scopa
expect_out '^  \[4\] declares less than ten \(!low\)$'
expect_out '^  you: declares less than ten: 3 points$'
expect_line '^declare 1 low points=3' declared.scopa

scenario 'a game that was stopped can be resumed, with the same end'
rm -f part.scopa
play 0 "$ones" @greedy --seed 7 --record whole.scopa --name 'anna b'
play 130 "$(head -n 30 <<<"$ones")" @greedy --seed 7 --record part.scopa \
	--name 'anna b'
expect_out 'play --resume part\.scopa$'
expect_line '^abort match reason=interrupted$' part.scopa
play 130 "$(head -n 9 <<<"$ones")" --resume part.scopa
# The earlier plays are not shown again.
expect_lines 0 '^deal 1 is over$' "$out"
play 0 "$ones" --resume part.scopa
expect_verified part.scopa
expect_lines 3 '^match ' part.scopa
# The last game of the file.
tac part.scopa | sed '/^match /q' | tac >last.scopa
expect_same_games whole.scopa last.scopa '/^%/d'

# Expects that the last command has printed how to resume, and that this works.
expect_resumed() { # EXPRESSION
	local next
	expect_out "^next    .*$1"
	next=$(sed -n 's/^next    [^ ]* play//p' "$out")
	eval "play 130 q $next"
}

shell_bot answers answer
scenario 'the command to resume names the bots that the record does not name'
play 130 '1 q' @greedy --seed 7 --record short.scopa
expect_resumed 'play --resume short\.scopa$'
play 130 '1 q' --bot cmd=@greedy name=foo --record named.scopa
expect_resumed 'play --bot cmd=@greedy name=foo --record named\.scopa --resume '
play 130 '1 q' --bot @greedy option.blunder=5 --record options.scopa
expect_resumed 'option\.blunder=5'
play 130 '1 q' ./answers --record own.scopa
expect_resumed 'play \./answers '
expect_resumed 'play \./answers '
play 130 '1 q' @first --packs pack --record packs.scopa
expect_no_out '^next '
expect_out '^--resume cannot continue this game: its cards are of a file of packs$'

scenario 'resuming without a stopped game is refused'
refuses 'its last game is over' play --resume part.scopa
record_match match.scopa @first @random --deals 1
refuses 'persons did not play its last game' play --resume match.scopa
refuses 'cannot read nowhere\.scopa' play --resume nowhere.scopa
refuses '--record none: a game is resumed in its own file' \
	play --resume short.scopa --record none
expect_no_file nowhere.scopa

scenario 'several persons share the terminal'
play 130 'enter 1 q' @first --packs pack --seats 3 --person 1,3 \
	--name anna,bruno --record none
expect_lines 1 '^hand of anna:$' "$out"
expect_lines 0 '^hand of bruno:$' "$out"
play 130 'enter 2 enter q' @first --packs pack --seats 3 --person 1,3 \
	--name anna,bruno
expect_lines 1 '^hand of bruno:$' "$out"
expect [ "$(line_of "$out" '^hand of bruno:$')" -gt \
	"$(line_of "$out" '^bruno is to move: press Enter')" ]
expect_out '^  anna: 3 di spade$'
expect_line '^tag .* persons=1,3' play.scopa
expect_line '^seat 2 .* name=first' play.scopa

scenario 'one bot plays all seats without a person'
play 0 "$ones" @first --rules scopone --deals 1 --person 2 --record four.scopa
expect_lines 3 '^seat [134] team=[AB] name=first' four.scopa
expect_line '^seat 2 team=B name=you$' four.scopa
expect_out '^  points for +first +you\+first$'
play 130 q @first --rules scopone --deals 1 --person 1,3 --name anna,bruno \
	--record two.scopa
expect_lines 2 '^seat [24] team=B name=first' two.scopa

scenario 'seats, bots and files that do not fit are refused'
refuses 'names a seat that the game does not have: it has 2' \
	play @first --person 3
refuses '2 bots for 1 seat without a person' play @first @first --seats 2
refuses '1 bot for 0 seats without a person' play @first --person 1,2 --seats 2
refuses 'expects a seat' play --person 1,1
refuses 'expects a seat' play --person 7
refuses 'no built-in bot is called "@greed"' play @first --hint @greed
refuses 'bot "./none": ./none does not exist' play @first --hint ./none
arena 5 play @first --record nowhere/play.scopa
expect_error 'record file "nowhere/play\.scopa"'

scenario 'names of persons that are too long or too many are refused'
long=$(printf 'a%.0s' $(seq 64))
refuses "a name has up to 63 bytes, and this one has 64" \
	play @first --name "anna,$long" --person 1,2 --seats 3
refuses '2 names for 1 person$' play @first --name anna,bruno

scenario 'a bot that does not start leaves no record'
play 4 '' /bin/false --record none.scopa
expect_err 'did not get ready to play'
expect_no_file none.scopa

# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot dies '[ "$turn_count" -lt 3 ] || { echo oops >&2; exit 3; }; answer'
scenario 'a bot that fails has lost, and the reason is explained'
play 0 "$ones" ./dies --record dies.scopa
expect_out '^result .*: the winner is you, by forfeit$' \
	'^fault   dies: exited with status 3$' '^  stderr  : oops$'
expect_verified dies.scopa
refuses 'its last game is over' play ./dies --resume dies.scopa

# The input is a pipe that stays open, as a terminal does.
mkfifo keys
exec 3<>keys

scenario 'a person has no time limit'
rm -f play.scopa
start_from /dev/fd/3 "$SCOPA_ARENA" play @first --tc move:1 --packs pack
await "$out" '^your hand:$'
# The time that the arena waits for a core is not counted.
sleep 2.5
printf '2\nq\n' >&3
reap 130
expect_lines 0 '^offence ' play.scopa
expect_line '^play 1 3S t=([1-9]|[1-9][0-9])\.' play.scopa

for signal in INT TERM; do
	scenario "SIG$signal stops a game with its exit status and a whole record"
	rm -f play.scopa
	start_from /dev/fd/3 "$SCOPA_ARENA" play @first --packs pack
	echo 2 >&3
	await "$out" '^  you: 3 di spade$'
	end_by "$signal"
	expect_signalled "$signal"
	expect_verified play.scopa
	expect_line '^play 1 3S ' play.scopa
	expect_line '^abort match reason=interrupted$' play.scopa
done
exec 3<&-

finish
