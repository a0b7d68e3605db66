# Goal: bots of any language play on workers as on one machine, with the files
# that are sent and no others; a file that cannot be sent is reported in one
# sentence.
. "$SRC/tests/e2e/many_machines.bash"

if ! command -v python3 >/dev/null; then
	skip 'bots on their way to workers' 'there is no python3 here'
	finish
fi
postgres_open 'bots on their way to workers'
export PYTHONDONTWRITEBYTECODE=1

# The kit is a bot with a module beside it, which no argument names.
cp -R "$SRC/bots/python" mine
gate=(gate --bot "cmd=python3 mine/bot.py" name=new --base cmd=@greedy
	--deals 1 --rounds 4 --tc none --seed 2a)

arena 0 db create --store "$postgres_url"
workers_enrol anna bruno carla dora

remote_scenario 'a forgotten file is reported before the first game'
arena 4 "${gate[@]}" --run lacking --store "$postgres_url"
expect_err 'ModuleNotFoundError' '^  hint    : .*bundle=mine$'
expect_no_err 'limits of its sandbox'
expect_no_file lacking

remote_scenario 'bots that cannot be sent to other machines are refused'
refuses 'read= names files of this machine' "${gate[@]}" --run lacking \
	--store "$postgres_url" --each read=mine
refuses '[-]-trace shows bots on this machine' "${gate[@]}" \
	--run lacking --store "$postgres_url" --trace
refuses 'is not below' "${gate[@]}" --run lacking \
	--store "$postgres_url" --each bundle=..
refuses 'not UTF-8, .*NAME = .xe9' "${gate[@]}" --run lacking \
	--store "$postgres_url" --each $'env.NAME=\xe9'
refuses '[-]-labels: this is not UTF-8' "${gate[@]}" --run lacking \
	--store "$postgres_url" --labels $'\xe9'
for labels in ',' 'big,' 'big,,fast' 'big, fast' ' big'; do
	refuses '[-]-labels "[^"]*": a label is empty, or has a blank' \
		"${gate[@]}" --run lacking --store "$postgres_url" \
		--labels "$labels"
done
run env TMPDIR=none "$SCOPA_ARENA" "${gate[@]}" --run lacking \
	--store "$postgres_url"
expect_exit 5
expect_error 'cannot make a folder in "none": No such file or directory$'
expect_err 'hint *: .*TMPDIR'
mkfifo mine/pipe
refuses 'mine/pipe" cannot be sent .*: it is a pipe' "${gate[@]}" \
	--run lacking --store "$postgres_url" --each bundle=mine
rm mine/pipe
expect_no_file lacking

remote_scenario 'a worker that cannot run the bots reports why, and another one plays'
arena 3 "${gate[@]}" --run local --each bundle=mine
start "$SCOPA_ARENA" "${gate[@]}" --run sent --store "$postgres_url" \
	--audit 0 --each bundle=mine
worker_start bruno --sandbox auto
worker_await bruno 'without a sandbox, which this worker does not allow'
limit=$(ulimit -f)
ulimit -S -f 8
worker_start carla
ulimit -S -f "$limit"
worker_await carla 'cannot unpack a bot into .*: File too large'
expect [ "$(ls carla/cache/bots)" = lock ]
mkdir -p dora/cache/bots
exec 9>dora/cache/bots/lock
flock 9
worker_start dora
until grep -q -e "-> FLOCK .* ${worker_pids[dora]} " /proc/locks; do
	sleep 0.05
done
worker_signal dora TERM # while another worker holds the cache
expect [ "$worker_status" = 0 ]
exec 9>&-
rm -r dora/cache
: >dora/cache
worker_start dora
worker_await dora 'cannot use the folder "dora/cache/empty": Not a directory'
worker_start anna
reap 3
expect_same_games local sent
arena 0 record verify sent/records.scopa

remote_scenario 'packs of a file are dealt by workers as on one machine'
record_match packed.scopa @first @random --deals 4 --rounds 6
sed -n 's/^pack .*cards=\([^ ]*\).*/\1/p' packed.scopa >packs.txt
packed=(tournament @greedy @first --packs packs.txt --deals 2 --rounds 6
	--tc none)
arena 0 "${packed[@]}" --run dealt
worker_start anna
arena 0 "${packed[@]}" --run sent_packs --store "$postgres_url" --audit 0
# The seeds of bots are drawn for each run.
expect_same_games dealt sent_packs 's/ seeds=[^ ]*//'
expect [ -n "$(find anna/cache/packs -name packs)" ]

remote_scenario 'files that were changed on a worker are fetched again'
for file in anna/cache/bots/*/mine/scopa_bot.py; do
	chmod u+w "$file"
	echo 'raise SystemExit(9)' >>"$file"
done
worker_start anna
arena 3 "${gate[@]}" --run again --store "$postgres_url" --audit 0 \
	--each bundle=mine
expect_same_games local again

remote_scenario 'a worker that loses the server while it gets files goes on when it is back'
chmod -R u+w anna/cache
rm -r anna/cache
start "$SCOPA_ARENA" "${gate[@]}" --run lost --store "$postgres_url" \
	--audit 0 --each bundle=mine
await_file lost/queue.txt
until [ "$(postgres_sql "SELECT count(*) FROM scopa.lease")" -gt 0 ]; do
	sleep 0.05
done
postgres_sql 'BEGIN; LOCK TABLE scopa.bundle; SELECT pg_sleep(60)' >locked 2>&1 &
worker_start anna
until [ "$(postgres_sql "SELECT count(pg_terminate_backend(pid))
	FROM pg_stat_activity WHERE usename = 'scopa_anna' AND
	wait_event_type = 'Lock'")" = 1 ]; do
	sleep 0.05
done
postgres_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()" >freed
worker_await anna 'the database server .*; trying again'
reap 3
expect_no_line 'not played here|^error' anna.log
expect_same_games local lost

remote_scenario 'resume refuses a run whose files have changed'
start "$SCOPA_ARENA" "${gate[@]}" --run cut --store "$postgres_url" \
	--audit 0 --each bundle=mine
await_file cut/queue.txt
end_by INT 130
echo 'weights = 2' >mine/weights.py
refuses 'files that workers are sent have changed since the run began' \
	resume cut --store "$postgres_url"
rm mine/weights.py
# Files that were damaged in the database are sent again.
postgres_sql "UPDATE scopa.bundle SET bytes = 'x'"
chmod -R u+w anna/cache
rm -r anna/cache
worker_start anna
arena 3 resume cut --store "$postgres_url"
expect_same_games local cut
workers_end

# Exits with 9 if it can do what no bot may.
cat >mine/spy.py <<'END'
import os
import scopa_bot

for path in os.environ["SECRETS"].split(","):
    try:
        open(path).close()
        os._exit(9)
    except OSError:
        pass
try:
    open(__file__, "a").close()
    os._exit(9)
except OSError:
    pass
scopa_bot.run(lambda view: view.legal[0], name="spy")
END

if [ "$(level_of)" = none ]; then
	skip 'a bot cannot read the files of the worker' 'there is no sandbox here'
else
	scenario 'a bot cannot read the files of the worker'
	worker_start anna --sandbox auto
	arena 0 tournament --bot "cmd=python3 mine/spy.py" bundle=mine \
		"env.SECRETS=$PWD/anna/worker.key,$PWD/anna/cache/speed" \
		--bot @random --rounds 2 --deals 1 --seed 1 --run spied \
		--store "$postgres_url" --audit 0 --json
	expect_no_line 'forfeit|EXIT' spied/records.scopa
	workers_end
fi

expect_no_children
# The unpacked files are read-only, so that they could not be removed.
chmod -R u+w anna bruno carla
finish
