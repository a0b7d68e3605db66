# Goal: games that failures of the arena or of its machine have cut short are
# played again with the same cards, and listed with the reason in all results.
. "$SRC/tests/e2e/lib.sh"

# A bot that stops in the middle of its first game until the file `go` is there.
# shellcheck disable=SC2016 # for the bot
shell_bot slow '
		echo asked >>moved
		until [ "$turn_count" -lt 8 ] || [ -e go ]; do sleep 0.02; done
		answer'

play() { # RUN
	rm -f moved go
	start "$SCOPA_ARENA" tournament ./slow ./slow --run "$1" --deals 1 \
		--rounds 3 --seed 5 --sandbox off --concurrency 2 --pin none \
		--tc move:600 --events "$1.jsonl"
}

# Expects that the output lists the games that were lost and played again.
expect_lost() { # RUN REASON
	local lost
	expect_exit 0
	expect_out '^replayed .*[0-9]+ games? played again with the same cards'
	lost=$(grep -c "^tag .* voided=$2 " "$1/records.scopa")
	expect [ "$lost" -ge 1 ]
	expect_lines "$lost" "\"event\":\"game_replayed\".*\\[\"$2\"\\]" \
		"$1.jsonl"
	expect_lines 6 '^endmatch ' "$1/records.scopa"
	# The seed was given by an option, so that fairness cannot be proved.
	arena 6 record verify --fair "$1"
	arena 0 db rebuild "$1"
	grep '^pack ' "$1/records.scopa" | sort -u >"$1.packs"
	expect_same whole.packs "$1.packs"
	expect_no_children
}

# Resumes a run that has ended too early, and expects the same.
expect_replayed() { # RUN REASON
	: >go
	run "$SCOPA_ARENA" resume "$1" --events "$1.jsonl"
	expect_lost "$1" "$2"
	expect_line "^lost [0-9]+ [0-9]+ $2\$" "$1/attempts.txt"
}

scenario 'a run that ends normally lists no lost games'
play whole
: >go
reap 0
expect_no_out '^replayed'
expect_no_line voided= whole/records.scopa
grep '^pack ' whole/records.scopa | sort -u >whole.packs

scenario 'games of an arena that was killed are listed'
play killed
await moved asked 20
end_by KILL
printf 'lost 1 9' >>killed/attempts.txt # a full disk has cut the line
expect_replayed killed ENV_ERR

scenario 'games of a worker that died are listed'
play worker
await moved asked 20
read -ra workers -d '' < <(cat "/proc/$arena/task"/*/children 2>/dev/null)
kill -s KILL "${workers[0]}"
: >go
reap
expect_lost worker ENV_ERR

scenario 'games that a second Ctrl-C has aborted are listed'
play aborted
await moved asked 20
kill -s INT "$arena"
await "$err" 'once more to stop at once'
end_by INT 130
expect_replayed aborted ABORTED
finish
