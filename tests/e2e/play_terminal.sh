# Goal: a person at a real terminal sees cards in colour, plays a deal to its
# score, stops the game by Ctrl-C, and resumes it.
. "$SRC/tests/e2e/lib.sh"

if ! command -v tmux >/dev/null; then
	skip 'a game in a terminal' 'tmux is not installed'
	finish
fi
export LC_ALL=C.UTF-8
unset TMUX NO_COLOR

terminal_count=0

terminal() { # COMMAND...
	# The path of a socket must be short, so it is relative.
	tmux -S "terminal$terminal_count" -f /dev/null "$@"
}
trap 'terminal kill-server 2>/dev/null; rm -f "$out" "$out".* "$err"' EXIT

# Opens a terminal of COLUMNS in which the arena plays, with these entries of
# the environment (`NAME=VALUE ...`).  When the arena has ended, the terminal
# shows that on a line of its own, and stays open.
begin() { # COLUMNS ENVIRONMENT ARGUMENT...
	terminal kill-server 2>/dev/null
	# The server of the last terminal may still have its socket.
	terminal_count=$((terminal_count + 1))
	ran="env $2 $(printf '%q ' "$SCOPA_ARENA" play "${@:3}")"
	terminal new-session -d -x "$1" -y 50 \
		"$ran; printf '\nended with %d\n' \$?; exec sleep 1000"
}

# Waits until a line of the terminal matches, or the arena has ended.  All lines
# are in $out.
await_line() { # EXPRESSION
	for _ in $(seq 3000); do
		terminal capture-pane -p -J -S - >"$out" || break
		! grep -Eq -e "$1" "$out" || return 0
		! grep -q '^ended with ' "$out" || break
		sleep 0.1
	done
	fail "the terminal never showed: $1"
}

# Types a line.
type_line() { # TEXT
	terminal send-keys -l "$1"
	terminal send-keys Enter
}

scenario 'a person sees the hand, asks for a hint, plays, and sees the score'
begin 80 '' @greedy --deals 1 --seed 7 --cards fr
await_line '^play 1-3, h hint'
expect_out '^your hand:$' '^  │  3   │ │  4   │ │  7   │$' \
	'^    \[1\]      \[2\]      \[3\]'
terminal capture-pane -p -e >colored
expect grep -q $'\x1b\\[31m♥' colored
type_line h
await_line '^  hint of @maestro: .*(7C|4C|3S)'
type_line 1
await_line '^  greedy: '
expect_out '^  you: 3♠$'
# A line that is typed too early is read by the next question.
for _ in $(seq 60); do
	type_line 1
	sleep 0.02
done
await_line '^ended with '
expect_out '^ended with 0$' '^deal 1 is over$' '^  points for +you +greedy *$' \
	'^  settebello +[01]( \+1)? +[01]( \+1)? *$' \
	'^result  you [0-9]+, greedy [0-9]+: '
expect_verified play.scopa

scenario 'Ctrl-C stops the game, and it can be resumed'
begin 60 '' @greedy --seed 7 --record stopped.scopa
await_line '^play 1-3, h hint'
type_line '?'
await_line '^          several ways, they are listed$'
terminal resize-window -x 40 -y 50
type_line '?'
await_line '^          ways, they are listed$'
type_line 2
await_line '^play 1-2, h hint'
terminal send-keys C-c
await_line '^ended with '
expect_out '^ended with 130$' 'play --resume stopped\.scopa$'
begin 60 '' --resume stopped.scopa
await_line '^play 1-2, h hint'
expect_out '^  taken: you '
type_line q
await_line '^ended with '
expect_out '^ended with 130$'

scenario 'the next person does not see the hand of the previous one'
begin 80 '' @greedy --seats 3 --person 1,2 --name anna,bruno --seed 7
await_line '^anna is to move'
type_line ''
await_line '^hand of anna:$'
type_line 1
await_line '^bruno is to move'
expect_no_out '^hand of anna:$'
type_line ''
await_line '^hand of bruno:$'

scenario 'with NO_COLOR or a dumb terminal no escape sequence is printed'
for setting in NO_COLOR=1 TERM=dumb; do
	begin 80 "$setting" @greedy --seed 7 --cards fr
	await_line '^play 1-3, h hint'
	terminal capture-pane -p -e >plain
	! grep -q $'\x1b\\[3' plain || fail "colours with $setting"
done

finish
