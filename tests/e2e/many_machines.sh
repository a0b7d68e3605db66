# Goal: a gate that workers play through a queue in PostgreSQL ends with the same
# verdict, at the same block and with the same record as on one machine, whatever
# happens to workers, coordinator and server; late results do not count.
. "$SRC/tests/e2e/many_machines.bash"

postgres_open 'a gate on many machines'

# Bots whose moves depend only on their seeds, and a verdict some blocks before
# the limit.
gate=(gate --bot cmd=@greedy name=new --base cmd=@greedy name=old
	option.blunder=280 --deals 1 --sprt points0=0 points1=0.4 max=2000
	--tc none --seed 2a)

# Plays the gate with the running workers, and expects this exit status.
play_remote() { # STATUS RUN [OPTION...]
	arena "$1" "${gate[@]}" --run "$2" --store "$postgres_url" --lease 2 \
		--audit 0 "${@:3}"
}

# Expects that a run has the records and the block count of one machine.
expect_local() { # RUN
	expect_same_games local "$1"
	query_results "$1" 'SELECT count(*) FROM block' >"$1.count"
	expect_same local.count "$1.count"
}

remote_scenario 'one machine plays the gate'
arena 0 "${gate[@]}" --run local
query_results local 'SELECT count(*) FROM block' >local.count
cp "$out" local.report

remote_scenario 'four workers play the same gate'
arena 0 db create --store "$postgres_url"
workers_enrol anna bruno carla dario
for name in anna bruno carla dario; do worker_start "$name"; done
play_remote 0 four
expect_out '^verdict   pass, new against old: H1 accepted'
expect_out '^played    gate, 90 blocks'
expect_local four
arena 0 workers --store "$postgres_url"
expect_out '^anna '
workers_end
expect_no_children

remote_scenario 'a run whose blocks are audited has the same records' anna bruno
arena 0 "${gate[@]}" --run audited --store "$postgres_url" --audit 0.2
expect_local audited
# That run may end before the coordinator has heard of both workers.
start "$SCOPA_ARENA" tournament @greedy @first --deals 1 --rounds 50000 \
	--tc none --quiet --run long --store "$postgres_url" --audit 0.2
await long/audits.tsv '^due	[0-9]+$'
kill -s INT "$arena"
reap 130
postgres_sql "SELECT scopa.run_set(id, 'ended') FROM scopa.run" >ended

remote_scenario 'workers do not learn the drawn secret of a run'
worker_start anna --cores 2
arena 0 tournament @greedy @first --deals 1 \
	--rounds 20 --tc none --run drawn --store "$postgres_url" --audit 0
expect_line ' commit=[0-9a-f]{64}' drawn/records.scopa
expect_no_line ' secret=' drawn/records.scopa
arena 0 record verify --fair drawn

remote_scenario 'workers that are killed and stopped change nothing' anna bruno carla
start "$SCOPA_ARENA" "${gate[@]}" --run killed --store "$postgres_url" \
	--lease 1 --audit 0
# At most two workers lose a block, as a third failure would pause the block.
if await_results killed; then
	worker_signal anna KILL
	worker_signal bruno STOP
	worker_start anna
fi
reap 0
worker_signal bruno CONT
expect_local killed

remote_scenario 'a run whose coordinator was killed can be resumed' anna
start "$SCOPA_ARENA" "${gate[@]}" --run resumed --store "$postgres_url" \
	--audit 0
await_results resumed
kill -s KILL "$arena"
reap
arena 0 resume resumed --store "$postgres_url"
expect_local resumed

remote_scenario 'the run continues after a restart and a crash of the server' anna bruno
start "$SCOPA_ARENA" "${gate[@]}" --run restarted --store "$postgres_url" \
	--audit 0
if await_results restarted; then
	postgres_restart
	postgres_restart immediate
fi
reap 0
expect_local restarted

# Waits until the only block of the queue has been claimed COUNT times.
await_attempt() { # COUNT
	postgres_await "SELECT max(attempt) >= $1 FROM scopa.lease" t
}

# Prints how many blocks of a worker have counted so far.
blocks_of() { # NAME
	postgres_sql "SELECT blocks FROM scopa.worker WHERE name = '$1'"
}

remote_scenario 'a result that is sent after the end of the lease does not count'
# The bot waits until the file `go` is there.
shell_bot slow.sh "until [ -e '$PWD/go' ]; do sleep 0.05; done; answer"
before=$(blocks_of anna)
worker_start anna
start "$SCOPA_ARENA" tournament --bot cmd="$PWD/slow.sh" @first --deals 1 \
	--rounds 1 --tc none --run late --store "$postgres_url" --lease 4 \
	--audit 0
await_attempt 1
worker_signal anna STOP
worker_start bruno
await_attempt 2
touch go
reap 0
worker_signal anna CONT
workers_end
expect test "$(blocks_of anna)" = "$before"
expect_lines 2 '^match ' late/records.scopa
expect_verified late/records.scopa

finish
