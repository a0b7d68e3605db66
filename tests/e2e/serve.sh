# Goal: `serve` shows runs in a browser while they are played, does not change
# them, and shows no secret that a bot could use.
. "$SRC/tests/e2e/lib.sh"

# Starts a server and waits for its address: $url, without a slash at its end.
serve() { # ARGUMENT...
	start "$SCOPA_ARENA" serve --port 0 "$@"
	server=$arena
	await "$out" '^http://127\.0\.0\.1:[0-9]+/' || return 1
	cp "$out" served
	url=$(sed -nE '1s,^(http://[^/]+)/.*,\1,p' served)
}

browser() { # CASE ARGUMENT...
	timeout 600 python3 -S "$SRC/tests/e2e/seat.py" "$url" "$@"
}

# Writes a page to the file `page`, and expects this status.
page() { # STATUS PATH
	browser get "$2" >page
	[ "$(head -n 1 page)" = "$1" ] ||
		fail "$2: $(head -n 3 page | tr '\n' ' ') (not $1)"
}

# Writes the list of runs to the file `page`, and expects a line.  On a busy
# machine the first lists have runs that were not looked at yet.
list() { # EXPRESSION
	for _ in {1..600}; do
		page 200 /
		! grep -Eq "$1" page || return 0
		sleep 0.1
	done
	expect_line "$1" page
}

# Sends requests, one for each line of input: STATUS METHOD PATH HEADER=VALUE...
# Expects these statuses.
asks() {
	local wrong
	wrong=$(browser ask) || fail 'no request was sent'
	[ -z "$wrong" ] || fail "$wrong"
}

# Waits for an event of a stream; the events until then are in the file `events`.
await_event() { # PATH NAME EXPRESSION
	browser watch "$1" "$2" "$3" >events 2>&1 ||
		fail "$1: no $2 that matches $3: $(cut -c 1-200 events | tail -n 3)"
}

end_server() { # SIGNAL
	arena=$server
	end_by "$1" 0
	expect_err_empty
}

without_sandbox

arena 0 tournament @greedy @first @random --rounds 3 --deals 1 --seed 5 \
	--name cup --run many/cup
arena 0 gate @greedy @first --rounds 40 --deals 1 --seed 5 --run 'many/a & b'

scenario 'runs are listed, and each has its page, its report and its games'
serve many
expect_line "^$url/\$" served
list 'greedy is first'
expect_line 'href="/run/cup/"' page
expect_line 'href="/run/a%20%26%20b/"[^>]*>a &amp; b<' page
grep -o 'href="/run/[^"]*' page | head -n 1 | grep -q 'a%20%26%20b' ||
	fail 'the newest run is not the first one'
page 200 /run/cup/
expect_line 'data-state="done"' page
expect_line 'id="standings"' page
expect_line 'href="match/m18"' page
page 200 /run/cup/report
expect_line 'id="environment"' page
page 200 /run/cup/match/m1
expect_line '<section class="game" id="m1"' page
page 200 '/run/a%20%26%20b/'
asks <<END
301 GET /run/cup
404 GET /x
404 GET /run/
404 GET /run/none/
404 GET /run/cup/x
404 GET /run/..%2fcup/
404 GET /run/..
404 GET /run/cup/match/m0
404 GET /run/cup/match/m19
404 GET /run/cup/match/m1x
404 GET /run/cup/match/../config.ini
404 GET /run/cup/config.ini
404 GET /many/cup/secret
END

scenario 'requests for another host, and requests that change something, are refused'
for path in / /run/cup/ /run/cup/match/m1; do
	asks <<-END
		421 GET $path Host=example.org
		200 GET $path Host=localhost:1
		200 HEAD $path
		405 POST $path Origin=$url Content-Length=0
		405 DELETE $path
	END
done
end_server INT

scenario 'a single run has its page at once, and wrong arguments are refused'
serve many/cup
expect_line "^$url/run/cup/\$" served
end_server TERM
refuses 'there is no folder "nothing"' serve nothing
refuses 'there is no folder "served"' serve served
refuses '--host: there is no host "300.1.1.1"' serve --host 300.1.1.1
refuses '--port' serve --port 70000
for words in '--bot @first' --clock '--grace 5' '--hint @first' '--name anna' \
	'--person 2' '--record none'; do
	# shellcheck disable=SC2086 # two words
	refuses "${words%% *} without --play" serve --port 0 $words
done
serve many
arena 5 serve --port "${url##*:}" many
expect_error 'is in use'
arena=$server
end_by INT 0

# Plays a run in another process, $player.
play() { # RUN OPTION...
	mark_run tournament "$@"
	env --default-signal=INT,TERM "$SCOPA_ARENA" tournament @greedy @first \
		--rounds 100000 --seed 77 --quiet --run "$@" \
		>player.out 2>player.err &
	player=$!
	until grep -qs '^sum ' "$1/records.scopa" || ! [ -e "/proc/$player" ]; do
		sleep 0.02
	done
}

end_player() {
	kill -s INT "$player"
	wait "$player"
}

scenario 'if the address cannot be printed the server ends'
# shellcheck disable=SC2016 # $0 is for the inner shell
run sh -c '"$0" serve --port 0 . >/dev/full' "$SCOPA_ARENA"
expect_exit 5
expect_error 'the output could not be written'

scenario 'the page follows a run that is played, stopped, renamed and removed'
mkdir live
serve live
play live/now --stop-grace 1
await_event /run/now/events page 'data-state="running"'
blocks=$(query_results live/now 'SELECT count(*) FROM block')
await_event /events page 'running'
await_event /run/now/events page "<dd>$((blocks + 1))[0-9]* of|[0-9]{2,} of"
end_player
await_event /run/now/events page 'data-state="interrupted"'
page 200 /run/now/
expect_line 'data-state="interrupted"' page
[ ! -e live/now/live ] || fail 'the file of games in progress is left'
mv live/now live/later
await_event /events page 'href="/run/later/"'
page 200 /run/later/
browser watch /run/later/events page 'was removed' >gone 2>&1 &
viewer=$!
await gone '^page '
rm -r live/later
wait "$viewer" || fail 'the page does not show that a run was removed'
end_server INT

# Expects that a file has neither the secret nor any pack of the run.
expect_no_secret() { # RUN FILE
	! grep -qF -e "$(cat "$1/secret" 2>/dev/null || echo none)" "$2" ||
		fail "the secret is in $2"
	! grep -qE '^pack | cards=([2-7AJQK][DCSB]){40}' "$2" ||
		fail "a pack is in $2"
}

slow() { # NAME
	shell_bot "$1" 'sleep 0.05; answer'
}

slow ./slow_a
slow ./slow_b

# Plays a run of slow bots with a drawn seed.  Its games are so long that none
# ends during a test.
play_slow() { # OPTION...
	env --default-signal=INT,TERM "$SCOPA_ARENA" tournament ./slow_a \
		./slow_b --rounds 100000 --deals 500 --quiet --stop-grace 1 "$@" \
		>player.out 2>player.err &
	player=$!
}

# Serves a folder while a run in it is played, until a game in progress matches.
# The file `games` has the events of games until then.
await_game() { # FOLDER RUN PATTERN
	serve "$1"
	play_slow --run "$1/$2"
	until [ -e "$1/$2/live" ] || ! [ -e "/proc/$player" ]; do
		sleep 0.02
	done
	[ -e "$1/$2/live" ] || fail "the run has ended: $(cat player.err)"
	await_event "/run/$2/events" game "$3"
	grep '^game ' events >games
}

# shellcheck disable=SC2034 # for lib.sh
level=$(level_of)
if sandboxed_or_skip 'games in progress are shown one move late, and without hands'; then
	mkdir -p slow
	await_game slow sandboxed '"plays":[3-9].*play [12] '
	expect_line 'give 1 \?\?\?\?\?\?' games
	! grep -qE 'give [12] [^?]|info' games || fail 'a hand is shown'
	expect_no_secret slow/sandboxed events
	page 200 /run/sandboxed/
	expect_no_secret slow/sandboxed page
	page 200 /run/sandboxed/report
	expect_no_secret slow/sandboxed page
	expect_no_line 'class="game"' page
	asks <<<'404 GET /run/sandboxed/match/m1'
	end_player
	end_server INT
fi

bare_scenario 'games of bots without a sandbox are shown without cards'
mkdir -p bare
await_game bare now '"plays":[3-9]'
expect_line 'seat 1 team=A name=' games
! grep -qE 'deal [0-9]|play [12]|table |give ' games || fail 'cards are shown'
end_player
end_server INT

scenario 'the last games are shown if the open round has more than 50 blocks'
bots=()
for bot in {1..11}; do
	bots+=(--bot cmd=@first "name=b$bot")
done
arena 0 tournament "${bots[@]}" --rounds 2 --deals 1 --no-duplicate --seed 5 \
	--quiet --run wide
python3 -c 'import sqlite3
with sqlite3.connect("wide/results.db") as results:
    results.execute("UPDATE run SET state = ?", ["interrupted"])'
serve wide
page 200 /run/wide/
expect_line 'href="match/m55"' page
expect_no_line 'href="match/m56"' page
end_server INT

scenario 'a run that cannot be read does not affect the others'
mkdir -p mixed/torn
cp -r many/cup mixed/good
cp many/cup/config.ini mixed/torn/
echo 'no database' >mixed/torn/results.db
serve mixed
list unreadable
list 'greedy is first'
page 200 /run/torn/
expect_line 'cannot be read' page
page 200 /run/good/
touch -r mixed/torn/results.db mark
cp many/cup/* mixed/torn/
touch -r mark mixed/torn/results.db
page 200 /run/torn/
expect_line 'greedy' page
arena=$server
end_by INT 0

# Root reads every folder, so root needs another owner and fewer capabilities.
scenario 'a run that this user may not read is not taken for none'
mkdir -p other/runs
cp -r many/cup other/runs
chmod 0 other/runs/cup
user=()
if [ "$(id -u)" = 0 ]; then
	chown -R 65534 other/runs/cup
	user=(setpriv "--bounding-set=-dac_override,-dac_read_search")
fi
cd other || exit
run "${user[@]}" "$SCOPA_ARENA" status
expect_exit 5
expect_err '^error: cannot open the run "runs/cup": Permission denied$'
cd ..
start "${user[@]}" "$SCOPA_ARENA" serve --port 0 other/runs
server=$arena
await "$out" '^http://127\.0\.0\.1:[0-9]+/'
url=$(sed -nE '1s,^(http://[^/]+)/.*,\1,p' "$out")
list unreadable
arena=$server
end_by INT 0
expect_err 'Permission denied'
chmod 700 other/runs/cup

finish
