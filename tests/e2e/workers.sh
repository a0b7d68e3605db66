# Goal: games on worker processes give the results of games one by one, and
# whoever is ended, by whatever signal, nothing is left over and nothing hangs.
. "$SRC/tests/e2e/lib.sh"

scenario 'a seed gives the same records however many games are on at once'
for at_once in 1 2 5 64; do
	arena 0 match @greedy @random --seed 2a --rounds 20 --duplicate \
		--concurrency "$at_once" --quiet --record "$at_once.scopa"
	cp "$out" "$at_once.result"
	settled "$at_once.scopa" >"$at_once.record"
	expect_same 1.record "$at_once.record"
	expect_same 1.result "$at_once.result"
	expect_no_children
done
arena 0 record verify 64.scopa
expect_out '40 good, 0 bad'

scenario 'games are reported in order'
arena 0 match @first @random --rounds 20 --deals 1 --concurrency 7
grep -o '^game [0-9]*' "$out" >told
seq -f 'game %g' 20 >expected
expect_same expected told

scenario 'there may be fewer games than could be played at once'
arena 0 match @first @random --rounds 3 --deals 1 --concurrency 1000 --json
expect_out '"games_played":3,'
expect_no_children

many=$(few_or_all 64 512)
scenario 'hundreds of games at once begin and end'
ulimit -n "$(ulimit -H -n)"
arena 0 match @first @random --rounds "$many" --deals 1 --concurrency "$many" \
	--startup-ms 600000 --tc move:600 --json
expect_out '"games_played":'"$many"','
expect_no_children

core=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')

bare_scenario 'bots keep to the core that is named'
cat >where.sh <<'END'
#!/bin/sh
echo "cores $(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" >cores
END
chmod +x where.sh
arena 4 match ./where.sh @first --pin "$core"
expect grep -qx "cores $core" cores

scenario 'a core that cannot be had, or is none, is refused'
refuses 'core 1023 is not one' match @first @first --pin 1023
for bad in ',' '0,' 2-1 0,0 all 1-; do
	refuses '--pin' match @first @first --pin="$bad"
done

# Begins a series without end, and waits for its first record.  Its games are
# long: what comes then finds one that has begun, however slow the machine.
begin() { # GAMES_AT_ONCE
	rm -f games.scopa
	start "$SCOPA_ARENA" match @first @random --rounds 1000000 \
		--deals 150 --concurrency "$1" --record games.scopa --quiet
	await games.scopa .
}

for at_once in 1 5; do
	scenario "nothing survives an arena of $at_once at once that is killed"
	begin "$at_once"
	end_by KILL
	expect_exit 137

	scenario "a worker of $at_once at once that dies again and again is reported"
	begin "$at_once"
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

scenario 'a worker leaves signals to its parent'
begin 5
for worker in $(children_of "$arena"); do
	kill -s INT "$worker"
	kill -s TERM "$worker"
done
end_by INT
expect_exit 130
expect_err_empty

# In one with other programs its bots would wait longer for the processor.
scenario 'each worker leads a session'
begin 5
workers=$(children_of "$arena")
expect [ -n "$workers" ]
for worker in $workers; do
	expect [ "$(ps -o sid= -p "$worker")" -eq "$worker" ]
done
end_by INT
expect_exit 130

finish
