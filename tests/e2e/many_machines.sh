# Goal: a gate that workers play through a queue in PostgreSQL ends with the
# verdict, at the block and with the record of one machine, whatever happens to
# workers, coordinator and server; and who may not play does not.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/postgres.bash"
. "$SRC/tests/e2e/many_machines.bash"

postgres_needed 'a gate on many machines'
postgres_open || exit
level=$(level_of)

# Bots whose moves follow from the seeds that they are given, and a verdict some
# way before the end.
gate=(gate --bot cmd=@greedy name=new --base cmd=@greedy name=old
	option.blunder=200 --deals 1 --sprt points0=0 points1=0.4 max=2000
	--tc none --seed 2a)

# Plays the gate with the workers that run, as `arena` does.
play_remote() { # STATUS RUN [OPTION...]
	arena "$1" "${gate[@]}" --run "$2" --store "$postgres_url" --lease 2 \
		--audit 0 "${@:3}"
}

# Expects that a run is that of one machine.
expect_local() { # RUN
	records_of "$1" >"$1.records"
	expect_same local.records "$1.records"
	query_results "$1" 'SELECT count(*) FROM block' >"$1.count"
	expect_same local.count "$1.count"
}

bare_scenario 'the gate on one machine'
arena 0 "${gate[@]}" --run local
records_of local >local.records
query_results local 'SELECT count(*) FROM block' >local.count
cp "$out" local.report

bare_scenario 'four workers play the same gate'
arena 0 db create --store "$postgres_url"
workers_enrol anna bruno carla dario
for name in anna bruno carla dario; do
	worker_start "$name" --cores 1
done
play_remote 0 four
expect_local four
expect_out '^verdict   pass, new against old: H1 accepted'
expect_out '^played    gate, 168 blocks'
arena 0 record verify --fair four
expect_no_line . four/queue.txt.missing
workers_end
expect_no_children

bare_scenario 'a secret that is drawn stays with the organiser until the end'
worker_start anna --cores 2
arena 0 "${gate[@]/2a/auto}" --run drawn --store "$postgres_url"
expect_line ' commit=[0-9a-f]{64}' drawn/records.scopa
expect_no_line ' secret=' drawn/records.scopa
arena 0 record verify --fair drawn
workers_end

bare_scenario 'workers that are killed and stopped change nothing'
for name in anna bruno carla; do worker_start "$name" --cores 1; done
start "$SCOPA_ARENA" "${gate[@]}" --run killed --store "$postgres_url" \
	--lease 1 --audit 0
await_results killed
# Two at most may take a block away, as the third failure would pause it.
worker_signal anna KILL
worker_signal bruno STOP
worker_start anna --cores 1
reap
expect_exit 0
worker_signal bruno CONT
expect_local killed
workers_end
