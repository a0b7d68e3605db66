# Goal: an endless game ends as a draw after a maximum of deals, shown in
# results and records, or by one signal; and the memory for a game is bounded,
# however long it is.
. "$SRC/tests/e2e/lib.sh"

# Rules by which the target is hardly ever reached.
rare=scopa,items=none,scopa=0,grande=5

scenario 'a game to a target that is hardly ever reached ends as a draw'
arena 0 match @random @random --rules $rare --target 9999 --max-deals 40 \
	--seed 5 --record drawn.scopa
expect_out '^game 1 .* 40 deals, max-deals$' '^result .*, drawn' \
	'^DRAWN   1 game, as nobody had won after 40 deals; see --max-deals$'
expect grep -q '^match m1 .* target=9999 max-deals=40 ' drawn.scopa
expect grep -q '^endmatch m1 .* winner=- reason=max-deals$' drawn.scopa
expect_verified drawn.scopa
run "$SCOPA_ARENA" record show drawn.scopa
expect_out '^Match m1: .*to 9999 points in 40 deals at most$'
expect_out '^Result: .*nobody wins \(max-deals\)$'

scenario 'the JSON output shows the draw, too'
arena 0 match @random @random --rules $rare --target 9999 --max-deals 40 \
	--seed 5 --rounds 2 --json
expect_out '"max_deals": ?40,' '"max_deals_games": ?2,' \
	'"reason": ?"max-deals"'
run "$SCOPA_ARENA" match @random @random --deals 1 --json
expect_no_out '"max_deals"'
expect_out '"max_deals_games": ?0,'

scenario 'without an option a game has a thousand deals at most'
arena 0 match @first @first --rules scopa,items=none,scopa=0,napola=oneplus \
	--target 1000 --seed 5 --record thousand.scopa
expect_out '^game 1 .* 1000 deals, max-deals$'
expect_no_out 'max-deals=1000'
expect_lines 0 '^match .*max-deals' thousand.scopa
expect_verified thousand.scopa
rm thousand.scopa

scenario 'a run reports and stores such games'
arena 0 tournament @random @first --rules $rare --target 9999 --max-deals 5 \
	--rounds 2 --seed 5 --run drawn
expect_out '^ *DRAWN +4 games, as nobody had won after the most deals'
run "$SCOPA_ARENA" status drawn --json
expect_out '"max_deals_games": ?4,'
expect grep -q '^max-deals = 5$' drawn/config.ini
arena 0 record verify drawn/records.scopa
arena 0 db rebuild drawn

# Prints the peak memory of a match's worker, in KiB, as the witness reports it.
peak_memory() { # DEALS
	rm -f heard
	"$SCOPA_ARENA" match --bot "cmd=$BUILD/tests/faulty/faulty_bot" \
		args='honest heard=heard' name=witness @first \
		--deals "$1" --seed 5 --sandbox off >/dev/null
	sed -n 's/^# peak=//p' heard
}

scenario 'a game without a record needs no memory for its deals'
few=$(peak_memory 50)
many=$(peak_memory 1500)
# The record of the long game would have 4 MB.
[ $((many - few)) -lt 1024 ] || fail "$few KiB, and $many KiB of 1,500 deals"

# Writes the file `continued` if it is asked after the arena was stopped.
shell_bot slow "
		echo asked >>asked
		! grep -q '^finishing' '$err' || : >continued
		[ -e hurry ] || sleep 0.2
		answer"

# Starts a run of the bot `slow`, and waits for its first question.
play() { # ARGUMENT...
	rm -f asked hurry continued
	start "$SCOPA_ARENA" tournament ./slow @first --seed 3 --sandbox off \
		--concurrency 1 "$@"
	await asked .
}

for signal in INT TERM; do
	bare_scenario "one SIG$signal stops a run after a grace"
	# A game that would take hours.
	play --rounds 2 --deals 1000 --stop-grace 2 --run "stopped-$signal"
	kill -s "$signal" "$arena"
	reap_all
	expect_signalled "$signal"
	expect_file continued
	expect_err '^finishing the blocks that have begun, for up to 2 s' \
		'^after 2 s the games that are on are broken off$' \
		'^interrupted: 0 blocks are kept$' "resume stopped-$signal"
	expect_line 'broken off' "stopped-$signal/log.txt"
done

bare_scenario 'a block that ends within the grace is stored'
play --rounds 50 --deals 1 --stop-grace 600 --run graceful
kill -s TERM "$arena"
await "$err" '^finishing the blocks'
touch hurry
reap_all 143
expect_err '^interrupted: 1 block is kept$'
expect_no_err 'broken off'

finish
