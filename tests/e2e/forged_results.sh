# Goal: a worker that is enrolled, but forges results, is quarantined and
# changes no result: each forged result is refused with its reason.
. "$SRC/tests/e2e/many_machines.bash"

postgres_open 'forged results'

played=(tournament @greedy @random --rounds 9 --deals 1 --tc none --seed 2a)

bare_scenario 'one machine plays the run'
arena 0 "${played[@]}" --run local

bare_scenario 'forged results are refused, and their worker is quarantined'
arena 0 db create --store "$postgres_url"
workers_enrol anna eva
key=$("$SCOPA_ARENA" worker --name eva --key eva/worker.key \
	--cache eva/cache | sed -n 's/.* --key \([0-9a-f]*\) .*/\1/p')
start "$SCOPA_ARENA" "${played[@]}" --run forged --store "$postgres_url" \
	--audit 0
postgres_await 'SELECT count(*) FROM scopa.job' 9
read -r run uid engine < <(postgres_sql 'SELECT id, uid, engine FROM scopa.run')

eva() { # SQL
	postgres_sql "$1" "${worker_urls[eva]}"
}

# Claims a block as the worker eva, and sends a result that is forged in this
# way.
forge() { # KIND
	local block attempt head record signature
	eva "SELECT scopa.hello(decode('$key', 'hex'), '$engine', '', 'h', 1, 1,
		1, 0, 0)" >hello
	read -r block attempt < <(eva \
		"SELECT block, attempt FROM scopa.claim($run, 1, false)")
	{ read -r head && read -r record && read -r signature; } < <(python3 \
		"$SRC/tests/e2e/forge.py" local/records.scopa "$block" \
		"$attempt" "$uid" eva/worker.key "$1")
	eva "SELECT scopa.finish($run, ARRAY[$block::bigint], ARRAY[0::bigint],
		ARRAY[$attempt::bigint],
		ARRAY[convert_from(decode('$head', 'hex'), 'UTF8')],
		ARRAY[decode('$record', 'hex')],
		ARRAY[decode('$signature', 'hex')])" >finished
	expect grep -qx 0 finished
	postgres_await "SELECT quarantined FROM scopa.worker WHERE name = 'eva'" t
	arena_free workers release eva --store "$postgres_url"
	expect [ "$(postgres_sql "SELECT trusted FROM scopa.worker
		WHERE name = 'eva'")" = f ]
}

# Like `arena 0`, but while another arena runs, whose output is not overwritten.
arena_free() { # ARGUMENT...
	"$SCOPA_ARENA" "$@" >free.out 2>&1 || fail "$* failed: $(cat free.out)"
}

for kind in foreign altered replayed score seats otherrun aborted; do forge "$kind"; done

bare_scenario 'an honest worker then plays the run, with the results of one machine'
worker_start anna
reap 0
expect_err "\`eva\` is quarantined: its result of block 1 is refused: the signature is not of worker eva"
expect_err 'block 2 is refused: the record is not the one that was signed'
expect_err 'block 3 is refused: game 1, line 1: match m5 .* is expected here'
expect_err 'block 4 is refused: game 1, line [0-9]*: this line does not follow'
expect_err 'block 5 is refused: game 1, line 4: seat 1 team=A name=greedy'
expect_err 'block 6 is refused: the result is of another run'
expect_err 'block 7 is refused: game 1, line [0-9]*: the game was aborted'
expect_same_games local forged
arena 0 record verify forged/records.scopa
worker_signal anna KILL
expect_no_children

finish
