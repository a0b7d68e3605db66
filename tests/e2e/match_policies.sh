# Goal: offences have the consequences of the chosen policy, with every number of
# seats and over several games.
. "$SRC/tests/e2e/lib.sh"

# A faulty bot, and an honest bot that writes the lines that it reads to a file.
faulty=${BUILD:?run this with make test}/tests/faulty/faulty_bot
honest=(--bot "cmd=$faulty" 'args=honest heard=heard' name=honest)
bad() { # MISBEHAVIOUR
	bad=(--bot "cmd=$faulty" "args=$1 always" name=bad)
}

play() { # STATUS ARGUMENT...
	rm -f heard games.scopa
	arena "$1" match "${@:2}" --seed 5 --record games.scopa
	expect_no_children
	expect_verified games.scopa
}

bad sql-text
bare_scenario 'with three teams the arena moves for a faulty bot, up to three strikes'
play 0 "${honest[@]}" "${bad[@]}" --bot @first --deals 2
expect_lines 2 '^offence 2 kind=illegal reason=syntax policy=substitute strikes=[12]' games.scopa
expect_lines 1 '^offence 2 kind=illegal reason=syntax policy=forfeit strikes=3' games.scopa
expect_lines 2 '^play 2 .* by=arena cause=illegal$' games.scopa
expect_lines 1 '^endmatch .* reason=forfeit by=B$' games.scopa
expect_out 'forfeit by bad: illegal move \(syntax\)$'
expect_line '^play 2 .*by=arena cause=illegal' heard
expect_no_line '^illegal' heard

scenario '--strikes sets the number of strikes'
play 0 "${honest[@]}" "${bad[@]}" --bot @first --deals 1 --strikes 1
expect_lines 1 '^offence' games.scopa
expect_lines 1 '^play' games.scopa
play 0 "${honest[@]}" "${bad[@]}" --bot @first --deals 2 --strikes 1000
expect_lines 1 '^enddeal 2' games.scopa
expect_lines 1 '^endmatch .* reason=deals$' games.scopa
expect_out '^time +bad .* illegal'

while read -r fault kind reason; do
	bare_scenario "a game of three teams is finished although one bot: $fault"
	bad "$fault"
	play 0 "${honest[@]}" "${bad[@]}" --bot @first --deals 1 --strikes 1000 \
		--tc move:0.8 --hang-ms 200
	expect_lines "$(grep -c "^play 2 .* by=arena cause=$kind" games.scopa)" \
		"^offence 2 kind=$kind reason=$reason " games.scopa
	expect_line "^offence 2 kind=$kind reason=$reason " games.scopa
	expect_lines 0 '^offence [13]' games.scopa
	expect_lines 1 '^enddeal 1$' games.scopa
	expect_line '^endmatch .* reason=deals$' heard
done <<'END'
leaves-3 crash EXIT.3.
kills-itself crash CRASH.9.
closes-output crash EOF
gives-up crash FATAL
comments protocol FLOOD
sleeps crash HANG
END

scenario 'a bot that was late plays again after it has answered isready'
bad late
play 0 "${honest[@]}" "${bad[@]}" --bot @first --bot @first --bot @first \
	--bot @first --deals 1 --strikes 1000 --tc move:0.8
expect_lines "$(grep -c '^play 2 .* by=arena cause=timeout' games.scopa)" \
	'^offence 2 kind=timeout reason=TIMEOUT ' games.scopa
expect_lines 0 '^offence 2 kind=(crash|illegal)' games.scopa
expect_lines 1 '^enddeal 1$' games.scopa

scenario 'every policy works with every number of seats'
bad sql-text
play 0 "${honest[@]}" "${bad[@]}" --bot @first --deals 1 --illegal forfeit
expect_lines 1 '^offence 2 .* policy=forfeit' games.scopa
expect_lines 1 '^play' games.scopa
play 0 "${bad[@]}" "${honest[@]}" --deals 1 --illegal substitute --strikes 1000
expect_lines 1 '^enddeal 1$' games.scopa

scenario 'a disqualified bot plays no further game'
play 4 "${bad[@]}" --bot @first --deals 1 --rounds 5 --illegal disqualify
expect_lines 1 '^match' games.scopa
expect_lines 1 '^offence 1 .* policy=disqualify' games.scopa

scenario 'with forfeit the next game starts a new process of the bot'
bad kills-itself
play 0 "${bad[@]}" --bot @first --deals 1 --rounds 4 --json
expect_lines 4 '^endmatch .* reason=forfeit by=A$' games.scopa
expect_json 'd["forfeits"] == 4 and d["games_played"] == 4' \
	'd["bots"][0]["offences"]["crash"] == 4' \
	'd["bots"][0]["losses"] == 4 and d["bots"][1]["wins"] == 4' \
	'd["games"][3]["fault"]["reason"] == "CRASH(9)"'

scenario 'a bot that lost by a late answer plays the next game'
bad late
play 0 "${bad[@]}" --bot @first --deals 1 --rounds 2 --tc move:0.8
expect_lines 2 '^offence 1 kind=timeout reason=TIMEOUT policy=forfeit' games.scopa
expect_lines 0 '^offence 1 kind=startup' games.scopa

scenario 'a bot that never gets ready ends the match'
bad exits-3
play 4 --bot @first "${bad[@]}" --deals 1 --rounds 100 --concurrency 2
expect_err 'HS_EXIT\(3\)'
# Games that had begun before the first offence was reported may be recorded.
expect [ "$(grep -c '^match' games.scopa)" -le 8 ]

bare_scenario 'its error is printed also if games end afterwards'
shell_bot flaky
# Only the first of its processes exits before it is ready.
sed -i '1a mkdir begun 2>/dev/null && exit 3' flaky
arena 4 match ./flaky @greedy --deals 1 --rounds 6 --concurrency 3 --quiet
expect_err '^error: bot ".*" did not get ready to play'

bare_scenario 'the partner of a faulty bot loses, too'
bad kills-itself
play 0 --bot @first "${honest[@]}" --bot @first "${bad[@]}" --rules scopone \
	--deals 1
expect_lines 1 '^endmatch .* winner=A reason=forfeit by=B$' games.scopa
expect_line 'you=loss' heard

bare_scenario 'a game of six seats with faulty bots is played to its end'
words=()
for fault in kills-itself late sql-text comments chats; do
	bad "$fault"
	words+=("${bad[@]}")
done
play 0 "${words[@]}" "${honest[@]}" --teams ABCDEF --deals 1 --strikes 1000 \
	--tc move:0.8 --hang-ms 200
expect_lines 1 '^enddeal 1$' games.scopa
expect_lines 0 '^offence [56]' games.scopa
expect_line '^endmatch .* reason=deals' heard

scenario 'the arena plays deal after deal for bots that are all gone'
# shellcheck disable=SC2016 # for the bot
program gone 'while read -r verb one; do' 'case $verb in' \
	'usp) echo "id name=gone" && echo "uspok 1" ;;' 'isready) echo readyok ;;' \
	'go) exit 3 ;;' 'esac' 'done'
arena 0 match ./gone ./gone --deals 60 --illegal substitute --strikes 1000 \
	--record gone.scopa
expect_out '^game 1 .* 55 deals, forfeit by gone'
arena 0 record verify gone.scopa

finish
