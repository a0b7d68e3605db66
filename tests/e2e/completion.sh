# Goal: the Tab key completes commands, options, values, rules, bots and paths
# in bash, zsh and fish, from the tables of the arena; the shells are real, each
# on a pseudo terminal.
. "$SRC/tests/e2e/lib.sh"

# The shells call the arena by its name.
PATH=$(dirname "$SCOPA_ARENA"):$PATH
export PATH

# Starts a shell on a terminal, types each line of standard input and the Tab
# key, and prints the line that the shell has completed.  In the shell, Ctrl-T
# appends the current line to the file `typed` and clears it.
cat >tab.py <<'END_OF_FILE'
import fcntl
import os
import pty
import select
import struct
import sys
import termios


def lines_typed():
    try:
        with open("typed", encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def wait_for(terminal, count):
    """Reads what the shell prints until it has written so many lines."""
    while len(lines_typed()) < count:
        if select.select([terminal], [], [], 0.05)[0]:
            os.read(terminal, 65536)


process, terminal = pty.fork()
if process == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))
# The shell writes one line when it is ready.
wait_for(terminal, 1)
for number, line in enumerate(sys.stdin.read().splitlines()):
    os.write(terminal, line.encode() + b"\t\x14")
    wait_for(terminal, number + 2)
os.write(terminal, b"exit\r")
try:
    while os.read(terminal, 65536):
        pass
except OSError:
    pass  # the end of the shell closes its terminal
os.waitpid(process, 0)
print("\n".join(lines_typed()[1:]))
END_OF_FILE

# The text that is typed, and the line after the Tab key; `~` means a blank at
# the end of the line.
cat >table <<'END_OF_TABLE'
scopa-arena ma|scopa-arena match~
scopa-arena record ver|scopa-arena record verify~
scopa-arena help record der|scopa-arena help record derive~
scopa-arena match --conc|scopa-arena match --concurrency~
scopa-arena match --sandbox req|scopa-arena match --sandbox require~
scopa-arena match --sandbox=req|scopa-arena match --sandbox=require~
scopa-arena match --tc dea|scopa-arena match --tc deal:
scopa-arena match --rules ciru|scopa-arena match --rules cirulla~
scopa-arena match --rules scopa,prio|scopa-arena match --rules scopa,priority=
scopa-arena match --rules=scopa,priority=few|scopa-arena match --rules=scopa,priority=fewest~
scopa-arena match @gre|scopa-arena match @greedy~
scopa-arena match @greedy @mae|scopa-arena match @greedy @maestro~
scopa-arena match --bot cmd=@gre|scopa-arena match --bot cmd=@greedy~
scopa-arena match --bot @greedy opt|scopa-arena match --bot @greedy option.
scopa-arena match ./myb|scopa-arena match ./mybot.py~
scopa-arena match --bot cmd=./myb|scopa-arena match --bot cmd=./mybot.py~
scopa-arena tournament --format swi|scopa-arena tournament --format swiss~
scopa-arena status my|scopa-arena status myruns/
scopa-arena version --js|scopa-arena version --json~
scopa-arena completion fi|scopa-arena completion fish~
END_OF_TABLE
touch mybot.py
mkdir myruns
cut -d '|' -f 1 table >keys
cut -d '|' -f 2 table | sed 's/~$/ /' >lines

# Expects that the shell has completed each line as the table says.
expect_table() {
	expect_exit 0
	diff "$out" lines >wrong || fail "$(grep '^[<>]' wrong)"
}

# Calls the function check_NAME in a scenario, if the shell NAME is installed.
shell_scenario() { # NAME SCENARIO
	if command -v "$1" >/dev/null; then
		scenario "$2"
		arena 0 completion "$1"
		"check_$1"
	else
		skip "$2" "there is no $1"
	fi
}

check_bash() {
	{
		cat "$out"
		cat <<'END_OF_FILE'
PS1='$ '
save() { printf '%s\n' "$READLINE_LINE" >>typed; READLINE_LINE=; }
bind 'set bell-style none'
bind -x '"\C-t": save'
echo ready >typed
END_OF_FILE
	} >bashrc
	run_from keys python3 tab.py bash --rcfile bashrc -i
	expect_table
}

check_zsh() {
	mkdir functions
	cp "$out" functions/_scopa-arena
	cat >.zshrc <<'END_OF_FILE'
PS1='$ '
fpath=($PWD/functions $fpath)
autoload -U compinit
compinit -u -D
save() { print -r -- "$BUFFER" >>typed; BUFFER=; }
zle -N save
bindkey -e
bindkey '^T' save
echo ready >typed
END_OF_FILE
	rm -f typed
	# The start files of the system could ask questions.
	run_from keys env ZDOTDIR="$PWD" python3 tab.py zsh -o no_global_rcs -i
	expect_table
}

check_fish() {
	mv "$out" arena.fish
	export HOME=$PWD
	while IFS='|' read -r typed line; do
		# Candidates are whole words, without the blank after them.
		line=${line%'~'}
		run fish --no-config -c \
			"source arena.fish; complete -C '$typed'"
		cut -f 1 "$out" | grep -qxF -e "${line##* }" ||
			fail "$typed"
		# All candidates begin with the typed text.
		cut -f 1 "$out" | grep -vF -e "${typed##* }" >"$out.wrong" &&
			fail "$typed: $(head -n 3 "$out.wrong")"
	done <table
	expect_exit 0
}

shell_scenario bash 'bash completes as the tables say'
shell_scenario zsh 'zsh completes as the tables say'
shell_scenario fish 'fish completes as the tables say'

scenario 'options of every command are candidates, and the command accepts each'
arena 0 completion candidates gate --
expect_out '^--sprt	' '^--no-duplicate	' '^--help	'
expect_no_out '^--format	'

scenario 'candidates have the first sentence of their description'
arena 0 completion candidates rec
expect_out '^record	'
arena 0 completion candidates match --rules scopa,last
expect_out '^scopa,last-scopa=	[^.]*\.$'

scenario 'the first word of several commands is a candidate once'
arena 0 completion candidates ''
expect_out '^db	' '^record	'
sort "$out" | uniq -d >"$out.twice"
[ ! -s "$out.twice" ] || fail "twice: $(cat "$out.twice")"

scenario 'an optional value is a candidate, and so is the next word'
arena 0 completion candidates match --trace=
expect_out '^--trace=jsonl	' '^--trace=off	' '^:files --trace=$'
arena 0 completion candidates match --trace ''
expect_no_out '^jsonl	'
expect_out '^@greedy	' '^:files '
arena 0 completion candidates resume --pin ''
expect_out '^none	' '^:folders '

scenario 'unknown words have no candidates'
for words in 'bogus x' 'record bogus x' 'version x' \
	'match --rules bogus' 'match --rules scopa,bogus=' 'bot greedy x'; do
	# $words is split into words.
	# shellcheck disable=SC2086
	arena 0 completion candidates $words
	expect_out_empty
done

scenario 'completion without a shell, or for an unknown one, is refused'
refuses 'no completion for the shell "tcsh"' completion tcsh
refuses 'arguments are missing: bash\|zsh\|fish' completion
refuses 'one argument too many: "zsh"' completion bash zsh

finish
