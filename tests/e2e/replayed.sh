# Goal: games that the arena's side has lost are played again with the same
# cards, and listed with the reason wherever results are told.
. "$SRC/tests/e2e/lib.sh"

# Plays slowly; writes to `moved` when it is asked, for which there must be no
# walls.
cat >slow <<'END'
#!/bin/sh
while read -r verb first _; do
	case $verb in
	usp) printf 'id name=slow\nuspok 1\n' ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		echo asked >>moved
		sleep 0.02
		echo "move $move $first"
		;;
	quit) exit ;;
	esac
done
END
chmod +x slow

launch() { # NAME
	ran="tournament --run $1"
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	rm -f moved
	env "$run_mark" --default-signal=INT "$SCOPA_ARENA" tournament ./slow \
		./slow --run "$1" --deals 1 --rounds 3 --seed 5 --sandbox off \
		--concurrency 2 --pin none --events "$1.jsonl" </dev/null >"$out" 2>"$err" &
	arena=$!
}

# What is told of the games that a run has lost and played again.
expect_lost() { # NAME REASON
	local lost
	expect_exit 0
	expect_out '^replayed .*[0-9]+ games? played again with the same cards'
	lost=$(grep -c "^tag .* voided=$2 " "$1/records.scopa")
	expect [ "$lost" -ge 1 ]
	expect [ "$(grep -c '"event":"game_replayed".*\["'"$2"'"\]' \
		"$1.jsonl")" -eq "$lost" ]
	expect [ "$(grep -c '^endmatch ' "$1/records.scopa")" -eq 6 ]
	# The seed was given, so that fairness cannot be proved.
	run "$SCOPA_ARENA" record verify --fair "$1"
	expect_exit 6
	run "$SCOPA_ARENA" db rebuild "$1"
	expect_exit 0
	grep '^pack ' "$1/records.scopa" | sort -u >"$1.packs"
	expect_same whole.packs "$1.packs"
	expect_no_children
}

# Goes on with a run that has ended too early.
expect_replayed() { # NAME REASON
	run "$SCOPA_ARENA" resume "$1" --events "$1.jsonl"
	expect_lost "$1" "$2"
	expect grep -Eq "^lost [0-9]+ [0-9]+ $2\$" "$1/attempts.txt"
}

scenario 'a run that ends by itself has lost nothing'
launch whole
reap
expect_exit 0
expect_no_out '^replayed'
! grep -q voided= whole/records.scopa || fail 'a game was void'
grep '^pack ' whole/records.scopa | sort -u >whole.packs

scenario 'games of an arena that was killed are listed'
launch killed
await_lines moved 100
kill -s KILL "$arena"
reap
expect_replayed killed ENV_ERR

scenario 'games of a worker that died are listed'
launch worker
await_lines moved 100
read -ra workers -d '' < <(cat "/proc/$arena/task"/*/children 2>/dev/null)
kill -s KILL "${workers[0]}"
reap
expect_lost worker ENV_ERR

scenario 'games that a hasty user broke off are listed'
launch hasty
await_lines moved 100
kill -s INT "$arena"
sleep 0.1
kill -s INT "$arena"
reap
expect_exit 130
expect_replayed hasty ABORTED
finish
