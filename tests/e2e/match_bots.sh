# Goal: whatever a bot does, the game ends by its policy, the others notice
# nothing, the exit code is right, and no process is left.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/vices.bash"

# A game of a bot with a vice against an honest one; the vice has seat 1.
against() { # VICE OPTION...
	local vice=$1
	shift
	rm -f heard games.scopa
	run "$SCOPA_ARENA" match "./vicious $vice" ./vicious --seed 5 \
		--deals 1 --record games.scopa "$@"
	expect_no_children
}

# The honest bot was told a whole match, in order, and nothing odd.
expect_undisturbed() {
	expect [ "$(head -n 2 heard | cut -d ' ' -f 1 | tr '\n' ' ')" = \
		'usp isready ' ]
	expect [ "$(grep -c '^isready' heard)" -eq 1 ]
	expect [ "$(grep -c '^match ' heard)" -eq 1 ]
	expect [ "$(tail -n 1 heard | cut -d ' ' -f 1)" = quit ]
	grep -Eq '^(illegal|error|stop)' heard && fail 'it heard what is not its'
	return 0
}

expect_verified() {
	local kept=$status
	expect "$SCOPA_ARENA" record verify games.scopa >/dev/null
	status=$kept
}

# A reason as an expression.
quoted() { # TEXT
	printf '%s' "$1" | sed 's/[()]/\\&/g'
}

# The offence of seat 1 as it stands in the record.
expect_offence() { # KIND REASON
	grep -q "^offence 1 kind=$1 reason=$2 " games.scopa ||
		fail "no offence of this kind and reason: $1 $2"
}

while read -r vice reason; do
	scenario "a bot that does not get ready is told of: $vice"
	against "$vice" --startup-ms 700
	expect_exit 4
	expect_err '^error: bot "[^"]*" did not (answer|get ready)'
	expect_err "^  command : ./vicious $vice\$"
	[ "$reason" = HS_TIMEOUT ] || expect_err ": $(quoted "$reason")\$"
	expect_offence startup "$reason"
	expect_verified
done <<'END'
mute HS_TIMEOUT
deaf HS_TIMEOUT
stalls HS_TIMEOUT
exits HS_EXIT(3)
wails HS_EXIT(1)
crashes HS_CRASH(11)
newer HS_BAD(VERSION)
binary HS_BAD
babbles HS_BAD
END

scenario 'what a bot wrote to stderr is shown when it fails'
against wails
expect_err '^  stderr  : a line of the traceback$'
expect_err '^  ended   : .*1'

scenario 'a silent bot is asked whether it flushes'
against mute --startup-ms 300
expect_err '^error: bot ".*" did not answer "usp 1" within 0.3 s$'
expect_err '^  received: nothing$'
expect_err '^  missing : "uspok 1"$'
expect_err '^  hint    : .*flush'

while read -r vice kind reason; do
	scenario_unwalled "an offence forfeits the game of two: $vice"
	against "$vice" --tc move:0.8 --hang-ms 200
	expect_exit 0
	expect_err_empty
	expect_out "forfeit by $vice: $kind $(quoted "$reason")\$"
	expect_out 'honest won by forfeit, unboxed$'
	expect_offence "$kind" "$reason"
	expect_undisturbed
	expect grep -q '^endmatch .* you=win reason=forfeit' heard
	expect_verified
done <<'END'
dies crash CRASH(9)
leaves crash EXIT(7)
breaks-off crash EXIT(0)
answers-leaves crash EXIT(0)
orphans crash EXIT(0)
haunts crash EXIT(0)
gives-up crash FATAL
closes crash EOF
sleeps timeout TIMEOUT
stops timeout TIMEOUT
late timeout TIMEOUT
wrong-id timeout TIMEOUT
cheats illegal not-in-hand
mumbles illegal syntax
floods protocol FLOOD
floods-long protocol BAD_LINE
nul protocol BAD_LINE
too-long protocol BAD_LINE
comments protocol FLOOD
blanks protocol FLOOD
escapes protocol BAD_LINE
END

for vice in chats doubles guesses windows drips fits wails-on stays dies-on-quit shouts-on-quit \
	leaves-child; do
	scenario_unwalled "what is no offence costs nothing: $vice"
	against "$vice"
	expect_exit 0
	expect_err_empty
	expect_no_out 'forfeit'
	expect_undisturbed
	! grep -q '^offence' games.scopa || fail 'an offence was recorded'
	expect grep -q '^endmatch .* reason=deals' games.scopa
	expect_verified
done

scenario 'a move that was made before the end counts'
against answers-leaves
expect [ "$(grep -c '^play 1 ' games.scopa)" -eq 1 ]

scenario 'what a bot says is never printed raw'
cat >painted <<'END'
#!/bin/sh
echo 'id name=%1b[31mred%0aname'
printf '\033[31mstderr\n' >&2
exit 1
END
cat >painted-player <<'END'
#!/bin/sh
while read -r verb first rest; do
	case $verb in
	usp) printf 'id name=%%1b[31mred%%0aname version=%%07\nuspok 1\n' ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go) echo "move $move" ;;
	quit) exit ;;
	esac
done
END
chmod +x painted painted-player
run "$SCOPA_ARENA" match ./painted @first --deals 1
expect_exit 4
! grep -q "$(printf '\033')" "$out" "$err" || fail 'an escape was printed'
run "$SCOPA_ARENA" match ./painted-player @first --deals 1
expect_exit 0
! grep -q "$(printf '\033')" "$out" "$err" || fail 'an escape was printed'
run "$SCOPA_ARENA" match ./painted-player @first --deals 1 --json
! grep -q "$(printf '\033')" "$out" "$err" || fail 'an escape was printed'
python3 -m json.tool "$out" >/dev/null || fail 'this is no JSON'

finish
