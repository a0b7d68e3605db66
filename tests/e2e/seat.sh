# Goal: with `serve --play` a person can play only legal moves in a browser and
# sees only what the seat may see, and nobody else has access to the seat.
. "$SRC/tests/e2e/lib.sh"

# Starts the server; $url is the address of the page for persons.
serve() { # ARGUMENT...
	rm -f play.scopa
	start "$sandboxed_arena" serve --play --port 0 --deals 1 "$@"
	await "$out" '/play/' || return
	url=$(sed -n 2p "$out")
	server=$arena served=$(mktemp -u)
	cp "$out" "$served"
}

# Runs a case of seat.py against the server.
case_of() { # CASE [ARGUMENT...]
	expect_run 0 python3 "$SRC/tests/e2e/seat.py" "$url" "$@"
}

# Ends the server, and expects exit status 0.
end_server() {
	arena=$server
	end_by INT 0
	rm -f "$served"
}

if ! "$SCOPA_ARENA" serve --port 0 /nowhere 2>&1 | grep -q 'no folder'; then
	skip 'persons play in the browser' 'built without a server'
	finish
fi

scenario 'the address for persons has a token, and is local to this machine'
serve --bot @random --seed 5
expect_lines 2 '^http://127\.0\.0\.1:[0-9]+/' "$served"
expect_lines 1 '/play/[0-9a-f]{32}/$' "$served"
first=$url

scenario 'a whole game is played and recorded'
case_of game
end_server
expect_verified play.scopa
expect_lines 1 '^endmatch .*reason=deals' play.scopa
expect_lines 1 '^endmatch .*reason=abort' play.scopa
expect_lines 1 '^tag .* persons=1 ' play.scopa
expect_lines 1 '^tag .* persons=2 ' play.scopa
expect_lines 0 '^offence ' play.scopa
serve --bot @random --seed 5 --record none --name anna,bruno
expect [ "$url" != "$first" ]

scenario 'a game that is continued keeps its pages beside newer games'
case_of crowd

scenario 'all rules and seatings can be played'
case_of variants "$(few_or_all 3 100)"

scenario 'a wrong answer is refused, and does not change the game'
case_of refusals

scenario 'requests without the token of the seat are refused'
case_of intruders

scenario 'several persons play the next game together'
case_of together

scenario 'a new page of a seat replaces the old one'
case_of takeover

scenario 'the form accepts only the values that it offers'
case_of forms

scenario 'the number of concurrent games is limited'
case_of limit 4
end_server
expect_no_file play.scopa

scenario 'a game that is over does not count, even if its bots have not ended'
shell_bot lingers answer 'quit) exec sleep 100 ;;'
serve --bot ./lingers --record none
case_of linger 4
end_server

scenario 'a hint is the move of another bot'
serve --bot @random --hint @first --record none
case_of hints
end_server

scenario 'a person may have a clock'
serve --bot @first --tc move:1 --record none
case_of clock
end_server

scenario 'a game without an open page is stopped, and can be resumed'
serve --bot @first --grace 1
case_of leave
end_server
expect_line '^abort match reason=interrupted' play.scopa
run_with "$(printf '1\n1\n1\n%.0s' $(seq 60))" "$SCOPA_ARENA" play \
	--resume play.scopa
expect_exit 0

scenario 'games that Ctrl-C has stopped can be resumed'
serve --bot @first
python3 "$SRC/tests/e2e/seat.py" "$url" wait >waiting 2>&1 &
waiting=$!
await waiting '^ready$'
end_server
wait "$waiting" || fail "$(cat waiting)"
expect_verified play.scopa
expect_lines 1 '^abort match reason=interrupted' play.scopa
expect_lines 1 '^play 1 ' play.scopa

scenario 'a bot that fails loses, and the person sees the reason'
shell_bot crasher 'exit 3'
serve --bot ./crasher
case_of crash
end_server
expect_line '^offence 2 .*crash' play.scopa

bare_scenario 'a bot without a sandbox finds no token and no hand'
python_bot spy.py <<'END'
import os, re, urllib.request

def read(path):
    try:
        return open(path, 'rb').read().decode('latin-1')
    except OSError:
        return ''

def parent_of(pid):
    return (re.findall(r'PPid:\s*(\d+)', read(f'/proc/{pid}/status')) or ['0'])[0]

def line_of(pid):
    """The process and its ancestors."""
    line = [pid]
    while line[-1] != '0':
        line.append(parent_of(line[-1]))
    return line

def turn(*_):
    """Reads all that the arena's processes and its port show."""
    arena = next(pid for pid in line_of(str(os.getpid()))
                 if '\0serve\0' in read(f'/proc/{pid}/cmdline'))
    texts = [read(f'/proc/{pid}/{name}') for pid in os.listdir('/proc')
             if pid.isdigit() and arena in line_of(pid)
             for name in ('cmdline', 'environ')]
    words = set(re.findall('[0-9a-f]{32}', ' '.join(texts)))
    seen = [text for text in texts if 'state rules=' in text]
    for path in ['/', '/play/', '/seat/', '/seat/events'] + [
            f'/{kind}/{word}/{page}' for kind in ('play', 'seat')
            for word in words for page in ('', 'events')]:
        try:
            with urllib.request.urlopen(
                    f'http://127.0.0.1:{read("port").strip()}{path}',
                    timeout=60) as reply:
                seen.append(reply.read(10000).decode('latin-1'))
        except (OSError, ValueError):
            pass
    with open('seen', 'a') as file:
        file.write(f'looked at {len(texts)} and {len(seen)}\n')
        for text in seen:
            if re.search('/(play|seat)/[0-9a-f]{32}|hand=|give ', text):
                file.write('found ' + text[:500] + '\n')
END
serve --sandbox off --bot "python3 spy.py" --hint @first --record none
sed -nE 's|.*:([0-9]+)/play/.*|\1|p' "$served" >port
case_of spied
end_server
expect_line '^looked at [0-9]+ and [1-9]' seen
expect_no_line '^found' seen

case ${MODE:-release} in
release | debug)
	scenario 'without memory for its lines a game ends, and the person is told'
	head -c 16 /dev/zero >state
	cat >refusing <<-END
		#!/bin/sh
		exec env REFUSE_KIND=memory REFUSE_ERROR=12 REFUSE_AT=1000000 \
			REFUSE_STATE=state LD_PRELOAD='${BUILD:?}/tests/e2e/refusal.so' \
			'$sandboxed_arena' "\$@"
	END
	chmod +x refusing
	sandboxed_arena=./refusing serve --bot @random --record none
	case_of refused state 1000000
	end_server
	expect_err '^error: the machine refused: Cannot allocate memory$'
	;;
esac

scenario 'wrong options are refused at once'
refuses 'no built-in bot is called' serve --play --port 0 --bot @nobody
refuses 'bot "./none": ./none does not exist' serve --play --port 0 --hint ./none
refuses 'rules "poker": ' serve --play --port 0 --rules poker
finish
