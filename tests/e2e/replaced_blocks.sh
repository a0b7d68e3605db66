# Goal: blocks of a quarantined worker are removed from a run and played again by
# trusted workers, even after the verdict; then the run has the results of one
# machine.
. "$SRC/tests/e2e/many_machines.bash"

postgres_open 'blocks that are replaced'

# A bot that makes its last legal move instead of the first on the worker eva.
# The records are valid, so only a comparison with another machine shows that.
# shellcheck disable=SC2016 # for the bot
shell_bot bot.sh answer 'legal)
		move=$first
		case $PWD in */eva/*) [ -z "$rest" ] || move=${rest##* } ;; esac
		;;'
gate=(gate --bot cmd="$PWD/bot.sh" name=new --base cmd=@first name=old
	--deals 1 --sprt points0=0 points1=4 max=40 --tc none --seed 2a)

# Expects that a run has the records and results of one machine.
expect_local() { # RUN
	expect_same_games local "$1"
	games_of "$1" >"$1.games"
	expect_same local.games "$1.games"
	expect_verified "$1/records.scopa"
}

games_of() { # RUN
	query_results "$1" 'SELECT block, game, scores, winner FROM game'
}

remote_scenario 'one machine plays the gate'
run "$SCOPA_ARENA" "${gate[@]}" --run local
local_status=$status
games_of local >local.games

remote_scenario 'a worker whose bots play differently plays the gate'
arena 0 db create --store "$postgres_url"
workers_enrol anna eva
worker_start eva
run "$SCOPA_ARENA" "${gate[@]}" --run taken --store "$postgres_url" --audit 0
workers_end
! cmp -s <(stable_record local) <(stable_record taken) ||
	fail 'the worker has played the same moves'

remote_scenario 'resume replaces the blocks of the worker after its quarantine'
arena 0 workers quarantine eva --store "$postgres_url"
worker_start anna
arena "$local_status" resume taken --store "$postgres_url" --events events.jsonl
expect_err 'blocks? of worker .eva. that w(as|ere) counted (is|are) played again by trusted workers'
expect_err 'blocks? of quarantined workers (is|are) replaced: the run is judged again from block'
expect_line '^quarantined	eva	the organiser has quarantined it$' taken/audits.tsv
expect_line '^replayed	[0-9]*	eva	anna	replaced$' taken/audits.tsv
expect_local taken
arena 0 db rebuild taken
expect_out '^results identical$'

remote_scenario 'status and events show which blocks were replaced'
run "$SCOPA_ARENA" status taken --json
expect_json '{w["name"]: w["blocks"] for w in d["workers"]}["anna"] == 40' \
	'[(r["worker"], r["reason"]) for r in d["replays"]] == [("eva", "the organiser has quarantined it")]' \
	'len(d["replays"][0]["replaced"]) > 0 and d["replays"][0]["left"] == 0'
grep '"replays"' events.jsonl | tail -n 1 >"$out"
expect_json 'd["replays"][0]["worker"] == "eva" and "anna" in [w["name"] for w in d["workers"]]'

remote_scenario 'a second resume replaces nothing'
cp taken/records.scopa before
arena "$local_status" resume taken --store "$postgres_url"
expect_same before taken/records.scopa
expect_no_line 'played again' "$err"

remote_scenario 'blocks of a worker that is quarantined while it plays are replaced'
arena 0 workers release eva --store "$postgres_url"
worker_start eva
start "$SCOPA_ARENA" "${gate[@]}" --run live --store "$postgres_url" \
	--lease 2 --audit 0
until grep -qs '^counted' live/audits.tsv || ! [ -e "/proc/$arena" ]; do
	sleep 0.05
done
worker_signal eva STOP
"$SCOPA_ARENA" workers quarantine eva --store "$postgres_url" >said 2>&1 ||
	fail "$(cat said)"
worker_start anna
reap
# If eva had played all blocks before it was stopped, the run had ended.
arena "$local_status" resume live --store "$postgres_url"
expect_line '^quarantined	eva	' live/audits.tsv
expect_local live
worker_signal eva CONT
workers_end
expect_no_children

finish
