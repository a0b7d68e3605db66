# Goal: games on worker processes have the same results as games one after the
# other, and if a process is killed by any signal, no process is left and none
# hangs.
. "$SRC/tests/e2e/lib.sh"

scenario 'the number of concurrent games does not change the records of a seed'
for at_once in 1 2 5 64; do
	arena 0 match @greedy @random --seed 2a --rounds 20 --duplicate \
		--concurrency "$at_once" --quiet --record "$at_once.scopa"
	cp "$out" "$at_once.result"
	expect_same_games 1.scopa "$at_once.scopa"
	expect_same 1.result "$at_once.result"
	expect_no_children
done
arena 0 record verify 64.scopa
expect_out '40 good, 0 bad'

scenario 'games are reported in order'
arena 0 match @first @random --rounds 20 --deals 1 --concurrency 7
grep -o '^game [0-9]*' "$out" >reported
seq -f 'game %g' 20 >expected
expect_same expected reported

scenario 'a match may have fewer games than --concurrency'
arena 0 match @first @random --rounds 3 --deals 1 --concurrency 1000 --json
expect_out '"games_played":3,'
expect_no_children

many=$(few_or_all 64 512)
scenario 'hundreds of concurrent games begin and end'
ulimit -n "$(ulimit -H -n)"
arena 0 match @first @random --rounds "$many" --deals 1 --concurrency "$many" \
	--startup-ms 600000 --tc move:600 --json
expect_out '"games_played":'"$many"','
expect_no_children

core=$(cores_here | sed 's/[-,].*//')

bare_scenario 'with --pin bots run only on this core'
# shellcheck disable=SC2016 # for the bot
program where.sh \
	'sed -n "s/^Cpus_allowed_list:[^0-9]*/cores /p" /proc/self/status >cores'
arena 4 match ./where.sh @first --pin "$core"
expect grep -qx "cores $core" cores

scenario 'a core that does not exist, or a wrong list, is refused'
refuses 'may not use core 1023' match @first @first --pin 1023
for bad in ',' '0,' 2-1 0,0 all 1-; do
	refuses '--pin' match @first @first --pin="$bad"
done

# Begins an endless match, and waits for its first record.  Its games are so
# long that one is always running afterwards, also on a fast machine.
begin() { # GAMES_AT_ONCE [BOT DEALS]
	rm -f games.scopa
	start "$SCOPA_ARENA" match "${2:-@first}" @random --rounds 1000000 \
		--deals "${3:-150}" --concurrency "$1" --tc move:600 \
		--record games.scopa --quiet
	await games.scopa .
}

# After the file `hang` is there no game ends.
shell_bot hangs '[ ! -e hang ] || exec sleep 1000; answer'

for at_once in 1 5; do
	scenario "no process survives when an arena with $at_once games is killed"
	begin "$at_once"
	end_by KILL 137

	scenario "workers with $at_once games that die again and again are reported"
	rm -f hang
	begin "$at_once" ./hangs 1
	: >hang
	deaths=0
	while [ -e "/proc/$arena" ] && [ "$deaths" -lt 500 ] &&
		! grep -q '^error: a worker process' "$err"; do
		for worker in $(workers_of "$arena"); do
			kill -s KILL "$worker" && deaths=$((deaths + 1))
		done
		sleep 0.02
	done
	reap_all
	expect [ "$deaths" -gt 10 ]
	expect_exit 5
	expect_err 'ENV_ERR: worker process [0-9]+ was ended by signal 9'
	expect_err '^error: a worker process .* signal 9'
	expect_err '^  where   : [0-9]+ games? .* lost'
	run "$SCOPA_ARENA" record verify games.scopa
	expect_out ' 0 bad'
done

scenario 'a worker ignores SIGINT and SIGTERM'
begin 5
for worker in $(children_of "$arena"); do
	kill -s INT "$worker"
	kill -s TERM "$worker"
done
end_by INT 130
expect_err_empty

# In a session with other programs the bots would wait longer for the processor.
scenario 'each worker leads a session'
begin 5
workers=$(children_of "$arena")
expect [ -n "$workers" ]
for worker in $workers; do
	expect [ "$(ps -o sid= -p "$worker")" -eq "$worker" ]
done
end_by INT 130

finish
