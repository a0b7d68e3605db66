# Goal: a gate over four workers in four network namespaces, with a real server,
# has the same verdict at the same block with the same records as on one
# machine, while workers are killed, stopped and disconnected and the server is
# restarted; bots cannot reach the server.
# Release: many_machines.sh plays the same code with sanitizers.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/postgres.bash"
. "$SRC/tests/e2e/namespaces.bash"
postgres_needed 'a gate over network namespaces'

workers='1 2 3 4'
lack=$(spaces_lack)
if [ -n "$lack" ]; then
	skip 'a gate over network namespaces' "$lack"
	finish
fi
spaces_open w1 w2 w3 w4
# shellcheck disable=SC2034 # of postgres.bash
postgres_enter=("${space_hub[@]}")
trap 'postgres_close; spaces_close; rm -f "$out" "$out".* "$err"' EXIT
postgres_open "$space_address" || exit 5
trap 'postgres_close; spaces_close; rm -f "$out" "$out".* "$err"' EXIT

# Writes a bot that plays differently if it can reach the server, and that waits
# PAUSE seconds before each move.  The candidate captures as many cards as it
# can.
write_bot() { # NAME CHOICE
	cat >"$1.py" <<END
import os, socket, sys, time

def reaches(family, place):
    try:
        socket.socket(family, socket.SOCK_STREAM).connect(place)
        return True
    except OSError:
        return False

name = '$1'
pause = float(os.environ['PAUSE'])
for family, place in ((socket.AF_UNIX, os.environ['SOCKET']),
                      (socket.AF_INET, ('$space_address', int(os.environ['PORT'])))):
    if reaches(family, place):
        name = 'reached'
for line in sys.stdin:
    word = line.split()
    if word[0] == 'usp':
        print(f'id name={name}\nuspok 1', flush=True)
    elif word[0] == 'isready':
        print('readyok', flush=True)
    elif word[0] == 'legal':
        move = $2
    elif word[0] == 'go':
        if pause:
            time.sleep(pause)
        print('move', move, word[1], flush=True)
    elif word[0] == 'quit':
        break
END
}
write_bot eager 'max(word[1:], key=len)'
write_bot plain 'word[1]'

read -r low high < <(few_or_all '1.2 1.7' '1.3 1.6')
gate=("$SCOPA_ARENA" gate --bot cmd='python3 -IS eager.py'
	--base cmd='python3 -IS plain.py' --seed 7 --deals 1
	--sprt points0="$low" points1="$high" --each env.PORT="$postgres_port"
	env.SOCKET="$postgres_dir/.s.PGSQL.$postgres_port")

# Prints the output of a gate and its records, without times and the folder.
verdict_of() { # FILE
	sed -n 's/^verdict *//p; s/^played *//p' "$1"
}

start_worker() { # NUMBER
	PGPASSWORD=${password[$1]} ip netns exec "$space-w$1" \
		"$SCOPA_ARENA" worker --store "${url[$1]}" --name "w$1" \
		--key "key$1" --cache "cache$1" --cores 1 \
		</dev/null >>"log$1" 2>&1 &
	pid[$1]=$!
}

kill_worker() { # NUMBER
	kill -KILL "${pid[$1]}" 2>/dev/null
	wait "${pid[$1]}" 2>/dev/null
}

# Disturbs a worker, and ends the disturbance.
disturb() { # KIND NUMBER
	case $1 in
	kill) kill_worker "$2" ;;
	stop) kill -STOP "${pid[$2]}" ;;
	cut) space_cut "w$2" ;;
	restart) postgres_restart immediate ;;
	esac
}

end_disturbance() { # KIND NUMBER
	case $1 in
	kill) start_worker "$2" ;;
	stop) kill -CONT "${pid[$2]}" ;;
	cut) space_join "w$2" ;;
	esac
}

scenario 'one machine plays the gate'
expect_run 0 "${gate[@]}" env.PAUSE=0 --run single
verdict_of "$out" >verdict.single
stable_record single/records.scopa >records.single

scenario 'workers are enrolled, and verify the TLS certificate of the server'
arena 0 db create --store "$postgres_url"
for i in $workers; do
	arena 0 worker --name "w$i" --key "key$i"
	key=$(sed -n 's/.*--key \([0-9a-f]*\) .*/\1/p' "$out")
	expect_run 0 "${space_hub[@]}" "$SCOPA_ARENA" workers enroll \
		"w$i" --trusted --key "$key" --store "$postgres_tcp"
	password[i]=$(sed -n 's/^  password: //p' "$out")
	url[i]=$(sed -n "s/.*--store '\(.*\)'/\1/p" "$out")
done
expect [ "${url[4]}" = "postgres://scopa_w4@$space_address:$postgres_port/postgres?sslmode=verify-full&sslrootcert=$postgres_dir/server.crt" ]
for i in $workers; do start_worker "$i"; done

# After each twenty blocks the last disturbance ends and another one begins, so
# that a lost block has been played again before the next block is lost.
scenario 'four workers that fail play the same gate'
start "${gate[@]}" env.PAUSE=0.005 --run many --store "$postgres_url" --lease 5
seed=$RANDOM
echo "# disturbances from seed $seed"
RANDOM=$seed
kinds=(kill cut restart stop)
last=
for step in $(seq "$(few_or_all 4 12)"); do
	await many/records.scopa '^sum ' $((40 * step - 20)) || break
	# shellcheck disable=SC2086 # two words
	[ -z "$last" ] || end_disturbance $last
	last="${kinds[$((step % 4))]} $((RANDOM % 4 + 1))"
	echo "# after $((20 * step - 10)) blocks: $last"
	# shellcheck disable=SC2086 # two words
	disturb $last
done
# shellcheck disable=SC2086 # two words
[ -z "$last" ] || end_disturbance $last
reap
expect_exit 0
verdict_of "$out" >verdict.many
stable_record many/records.scopa >records.many
expect_same verdict.single verdict.many
expect_same records.single records.many

scenario 'bots have not reached the server'
if [ "$(level_of)" = none ]; then
	echo '# there is no sandbox here'
else
	expect_no_line 'name=reached' many/records.scopa
fi

scenario 'workers end after SIGTERM'
for i in $workers; do
	arena=${pid[$i]}
	until tail -n 1 "log$i" | grep -q 'no run needs this worker$' ||
		! [ -e "/proc/$arena" ]; do sleep 0.05; done
	kill -TERM "$arena"
	reap
	[ "$status" -eq 0 ] || {
		sed "s/^/# w$i: /" "log$i"
		fail "worker $i has ended with $status"
	}
	[ -z "$(ip netns pids "$space-w$i")" ] ||
		fail "processes of worker $i are left"
done

finish
