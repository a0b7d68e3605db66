# Goal: runs over many workers, simulated in one process from a seed, end with
# the results of one machine whatever fails, and lose little time.
. "$SRC/tests/e2e/lib.sh"

fleet=${BUILD:?run this with make test}/tests/fleet/fleet
case ${MODE:-release} in
san | cover | fuzz) few=1 ;;
*) few=4 ;;
esac
seeds=$(few_or_all "$few" 20)

# Runs the program; if a seed fails, its output is shown.
expect_fleet() { # ARGUMENT...
	expect_run 0 "$fleet" "$@"
	[ "$status" -eq 0 ] || sed 's/^#*/#/' "$out"
	expect_out '^ok 1 - '
}

# Expects that at least PERCENT of the possible games of living workers were
# played.
expect_throughput() { # PERCENT
	local share
	share=$(sed -n 's/^# throughput: \([0-9]*\).*/\1/p' "$out")
	[ "${share:-0}" -ge "$1" ] || fail "only $share% of the games were played"
}

scenario 'a fleet without failures has the results of one machine'
expect_fleet --calm --workers 10 --rounds 800 --figures
expect_throughput 95

scenario 'a fleet with failing machines has the results of one machine'
expect_fleet --seeds "$seeds" --workers 20 --rounds 300 --worse 20 --figures
expect_out ' [1-9][0-9]* machines crashed, [1-9].* stopped for long, [1-9]' \
	' [1-9][0-9]* restarts of the server, [1-9][0-9]* games hung, [1-9]' \
	' [1-9][0-9]* late ones fenced, .* [1-9][0-9]* workers quarantined'
expect_fleet --seed 4 --workers 20 --rounds 300 --worse 100 --figures
expect_out ' [1-9][0-9]* blocks paused'
expect_fleet --workers 20 --rounds 1000 --figures
expect_throughput 95

scenario 'a gate on a fleet has its verdict at the same block'
expect_fleet --seeds "$seeds" --workers 20 --rounds 2000 --worse 5 --gate

scenario 'only workers that alter plays are found'
expect_fleet --workers 20 --rounds 4000 --game 3 --audit 0.1 --liars 0.1

scenario 'an unknown option is refused'
expect_run 1 "$fleet" --no-such-option 1
expect_out '^# --no-such-option: see the head of fleet.c'

finish
