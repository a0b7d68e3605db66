# Goal: the organiser's side of a run with --store: options that are refused,
# files of the run, and how a run is stopped and resumed, on one machine or on
# workers.
. "$SRC/tests/e2e/many_machines.bash"

# Bots whose moves depend only on their seeds.
play=(tournament @greedy @first @random --deals 1 --tc none --seed 2a)

scenario 'wrong options of a store are refused'
refuses 'expected is postgres://' "${play[@]}" --store mysql://db/cup
refuses '--clock class needs' "${play[@]}" --store postgres:///x --clock class
refuses 'out of range' "${play[@]}" --store postgres:///x --audit -1
refuses 'lease' "${play[@]}" --store postgres:///x --lease 0
refuses 'deals 5000: .* has 1024 deals at most' tournament @greedy @first \
	--deals 5000 --store postgres:///x
refuses 'target 3000: .* has 1024 deals at most' tournament @greedy @first \
	--target 3000 --max-deals 9000 --store postgres:///x
# The results of the six games of a block would be too large.
refuses 'deals 1707: .* has 1706 deals at most' "${play[@]}" --seats 3 \
	--rules scopa,redeal=none --deals 1707 --store postgres:///x

postgres_open 'runs on other machines'

arena 0 db create --store "$postgres_url"
workers_enrol anna

remote_scenario 'a worker plays the run of one machine, and no password is stored'
arena 0 "${play[@]}" --rounds 10 --run here
worker_start anna
arena 0 "${play[@]}" --rounds 10 --run there --store "$postgres_url" --audit 0
expect_same_games here there
expect_line '^store = postgres://organiser@/' there/config.ini
expect_no_line "$postgres_password" there/config.ini
expect_no_line 'organiser%251' there/config.ini
expect_line '^[0-9a-f]{32} [0-9a-f]{64}$' there/queue.txt
expect [ ! -e there/attempts.txt ]
arena 0 record verify there/records.scopa

remote_scenario 'status and reports show the workers of a run'
expect_line '^anna	trusted	1	' there/workers.tsv
arena 0 status there
expect_out '^workers   1 of 1, 1 core, '
arena 0 status --full there
expect_out '^workers on other machines, as of '
expect_out '^anna  trusted  *1 .* 30 .* 60 .* 0 '
arena 0 report there --format csv --table workers --out -
expect_out '^anna,trusted,1,.*,30,60,0,'
cp there/workers.tsv ended.tsv
arena 0 resume there --store "$postgres_url"
expect_same ended.tsv there/workers.tsv
arena 0 report there --out page.html
expect_line 'Workers on other machines' page.html
arena 0 status here
expect_no_out '^workers'


# Time controls on machines of different speed.
timed=(tournament @greedy @first --deals 1 --tc move:20 --seed 2a --rounds 2
	--store "$postgres_url" --audit 0)

remote_scenario 'with --clock scaled time is divided by the speed of the worker'
sed -i 's/^\(scopa-speed 2\) [0-9.]*/\1 4.000/' anna/cache/speed
worker_start anna
arena 0 "${timed[@]}" --run scaled --clock scaled
expect_lines 4 '^match .* tc=move:5000 ' scaled/records.scopa
arena 0 status --full scaled
expect_out 'divided by the speed of each worker'
arena 0 "${timed[@]}" --run wall --clock wall
expect_lines 4 '^match .* tc=move:20000 ' wall/records.scopa
workers_end
sed -i "s/ $(uname -n) / another-machine /" anna/cache/speed
: >anna.log
worker_start anna
worker_await anna 'no run needs this worker'
expect_no_line '^scopa-speed 2 4.000 ' anna/cache/speed

remote_scenario 'with --clock class only workers with the labels play' anna
start "$SCOPA_ARENA" "${timed[@]}" --run class --clock class --labels big
worker_await anna 'needs workers with the labels big'
expect_no_line '^sum ' class/records.scopa
worker_signal anna TERM
worker_start anna --labels small,big
reap 0
expect_lines 4 '^match .* tc=move:20000 ' class/records.scopa
arena 0 status --full class
expect_out 'on workers of the class big'

remote_scenario 'a run that has ended is removed from the queue'
expect [ "$(postgres_sql "SELECT count(*) FROM scopa.run WHERE state <> 'ended'")" = 0 ]

# Waits until the run has some blocks, or has ended: on a slow machine it may end
# before it is seen, which is no error.
await_blocks() { # RUN
	until grep -qs '^sum ' "$1/records.scopa" || [ ! -e "/proc/$arena" ]; do
		sleep 0.02
	done
}

long=$(few_or_all 30 300)
arena 0 "${play[@]}" --rounds "$long" --run long

for signals in INT 'TERM TERM'; do
	remote_scenario "a run that is stopped by $signals can be resumed" anna
	rm -rf stopped
	start "$SCOPA_ARENA" "${play[@]}" --rounds "$long" --run stopped \
		--store "$postgres_url" --audit 0
	await_blocks stopped
	for signal in $signals; do kill -s "$signal" "$arena" 2>/dev/null; done
	reap
	if [ "$status" -ne 0 ]; then
		expect [ "$status" -gt 128 ]
		expect_err '^interrupted: [0-9]+ blocks? (is|are) kept'
		expect_err 'resume stopped'
	fi
	workers_end
	arena 2 resume stopped
	expect_err 'password'
	worker_start anna
	arena 0 resume stopped --store "$postgres_url"
	expect_same_games long stopped
	workers_end
done

remote_scenario 'a run that began without a store can be resumed with one'
start "$SCOPA_ARENA" "${play[@]}" --rounds "$long" --run came
await_blocks came
kill -s KILL "$arena"
reap
start "$SCOPA_ARENA" resume came --store "$postgres_url" --lease 7
postgres_await 'SELECT lease_s FROM scopa.run' 7
worker_start anna
reap 0
expect_same_games long came

remote_scenario 'a run that began with a store can be resumed without' anna
start "$SCOPA_ARENA" "${play[@]}" --rounds "$long" --run moved \
	--store "$postgres_url" --audit 0
await_blocks moved
kill -s KILL "$arena"
reap
workers_end
arena 0 resume moved --store none
expect_same_games long moved

finish
