# Goal: group `line` of tests/faulty/faults.tsv, bots that send wrong lines: each
# line is judged as protocol.md says, and the other bot is not affected.
. "$SRC/tests/e2e/faults.bash"

pack_of 3C4S7S5D7D2CKB >single.packs
pack_of 3C4S6S5D7D2CKB >sums.packs
pack_of 3C4S2B2D7DQCKB >fewest.packs
pack_of 3C4S6S5DAD2CKB >ace.packs
pack_of 2C2B3CJS7DQCKB >many.packs

rows <<'END'
F021|says 64 MB without a line end|endless-line|protocol BAD_LINE
F022|says a line of 1 GB|gigabyte-line|protocol BAD_LINE
F023|says a line of 4,096 bytes|longest-line|illegal syntax
F023|says a line of 4,097 bytes|too-long-line|protocol BAD_LINE
F024|says 64 MB of short lines|short-lines|protocol FLOOD
F025|says NUL inside an answer|nul-inside|protocol BAD_LINE
F025|says NUL behind an answer|nul-behind|protocol BAD_LINE
F026|ends its lines in CR LF|crlf|-
F026|ends its line in CR alone|cr-alone|timeout TIMEOUT|--tc move:0.3
F026|says CR inside a line|cr-inside|protocol BAD_LINE
F026|ends its line in two CRs|two-crs|protocol BAD_LINE
F027|says broken UTF-8|broken-utf8|protocol BAD_LINE
F027|begins with a byte order mark|byte-order-mark|protocol BAD_LINE
F027|says UTF-16|utf16|protocol BAD_LINE
F027|says good UTF-8|real-utf8|protocol BAD_LINE
F028|says escapes of a terminal|escapes|protocol BAD_LINE
F029|sends additional blanks|blanks|-
F029|sends an additional word|more-words|-
F029|says its verb in upper case|upper-verb|timeout TIMEOUT|--tc move:0.3
F029|says its card in lower case|lower-card|illegal syntax
F029|says blanks within its move|spaced-move|illegal syntax
F030|says an empty line|empty-line|-
F030|sends empty lines without end|blank-lines|protocol FLOOD
F031|sends comments, unknown words and info lines|chats|-
F031|sends comments without end|comments|protocol FLOOD
F031|sends other lines instead of an answer|chatters|timeout TIMEOUT|--tc move:0.3
F032|sends text with formats of printf|format-text|illegal syntax
F032|sends text with commands of SQL|sql-text|illegal syntax
F032|sends text with commands of a shell|shell-text|illegal syntax
F033|says a huge number|huge-number|illegal syntax
F033|says a negative number|negative-number|illegal syntax
F033|says a hexadecimal number|hex-number|illegal syntax
F033|says a padded number|padded-number|illegal syntax
F033|agrees to a huge version|huge-version|startup HS_BAD(VERSION)
F033|agrees to a hexadecimal version|hex-version|startup HS_BAD(VERSION)
F033|agrees to a padded version|padded-version|startup HS_BAD(VERSION)
F033|agrees to a negative version|negative-version|startup HS_BAD(VERSION)
F034|names the same card twice|illegal-twice|illegal duplicate
F034|plays what it does not hold|plays KC|illegal not-in-hand
F035|plays a hidden card|hidden-card|illegal not-in-hand
F036|captures cards of another sum|captures 7Dx3C5D|illegal bad-sum|--packs sums.packs
F036|lays a card that can capture|captures 7D|illegal must-capture|--packs sums.packs
F036|captures a sum although an equal card is on the table|captures 7Dx3C4S|illegal must-take-single|--packs single.packs
F036|captures a card that is not on the table|captures 7Dx7C|illegal not-on-table|--packs sums.packs
F036|does not capture all cards with an ace|captures ADx3C|illegal must-sweep|--packs ace.packs --rules scopa,ace=sweep
F036|captures more cards than the fewest possible|captures 7Dx3C2B2D|illegal must-take-fewest|--packs fewest.packs --rules scopa,priority=fewest
F036|captures more cards than a play may capture|captures 7Dx2C2B3C|illegal too-many|--packs many.packs --rules scopa,max-captured=2
F036|captures cards that do not add up to fifteen|captures 7Dx3C4S|illegal bad-sum|--packs single.packs --rules escoba
F037|answers twice|answers-twice|-
F037|answers twice without an id|answers-twice-blindly|-
F038|answers with the id of a future question|foresees|-
F038|answers before it is asked|answers-unasked|-
F038|answers only to a future question|wrong-id|timeout TIMEOUT|--tc move:0.3
F040|sends its handshake again in a game|handshake-again|-
F040|sends lines that only the arena may send|plays-the-arena|-
F041|sends its lines byte by byte|byte-by-byte|-
F042|sends a byte every 50 ms without end|drips|timeout TIMEOUT|--tc move:0.3
F043|says half a move|half-a-move|timeout TIMEOUT|--tc move:0.3
F044|says a move without its end and exits|unfinished-move|crash EXIT(0)
END

scenario 'F034 an illegal move changes nothing, and the record contains it'
options='--illegal substitute --strikes 9'
# shellcheck disable=SC2086 # split into words
play_honest $options
# shellcheck disable=SC2086
play_faulty off 'plays KC' $options
expect_exit 0
expect_lines 1 '^offence' games.scopa
expect_line '^offence 1 kind=illegal reason=not-in-hand .* said=move%20KC' \
	games.scopa
expect_line '^play 1 .* by=arena cause=illegal' games.scopa
expect_undisturbed off
expect_verified games.scopa

row F035 'the refusal of an illegal card does not depend on where the card is'
for fault in hidden-card played-card; do
	# shellcheck disable=SC2086
	play_faulty off "$fault heard=lines" $options
	expect_line '^offence 1 kind=illegal reason=not-in-hand ' games.scopa
	sed -n 's/^illegal [0-9A-KDCSB]* //p' lines >"$fault.refused"
	expect [ -s "$fault.refused" ]
done
expect_same hidden-card.refused played-card.refused

for sandbox in $sandboxes; do
	row F039 "answers late: the answer is ignored, and is no second offence ($sandbox)"
	expect_listed F039 'timeout TIMEOUT'
	# shellcheck disable=SC2086
	play_honest $options --tc move:1
	# shellcheck disable=SC2086
	play_faulty "$sandbox" late $options --tc move:1
	expect_exit 0
	expect_lines 1 '^offence' games.scopa
	expect_line '^offence 1 kind=timeout reason=TIMEOUT ' games.scopa
	expect_lines 1 '^play 1 .* by=arena cause=timeout' games.scopa
	expect_line '^endmatch .* reason=deals$' games.scopa
	expect_undisturbed "$sandbox"
	expect_verified games.scopa
	expect_nothing_left

	row F045 "sends its answer from four threads at once ($sandbox)"
	play_honest --tc move:2
	play_faulty "$sandbox" threads --tc move:2
	expect_exit 0
	# The outcome differs from run to run.
	outcome=$(sed -n 's/^offence 1 kind=\([a-z]*\) reason=\([^ ]*\) .*/\1 \2/p' \
		games.scopa)
	case $outcome in
	'illegal '*) expect_listed F045 'illegal syntax' ;;
	*) expect_listed F045 "${outcome:--}" ;;
	esac
	expect_undisturbed "$sandbox"
	expect_verified games.scopa
	expect_nothing_left
done

scenario 'F028 F032 lines of a bot are shown and recorded as plain text'
for fault in escapes format-text sql-text shell-text broken-utf8; do
	play_faulty off "$fault" --quiet
	expect_line '^offence 1 .* said=' games.scopa
	! LC_ALL=C grep -q '[^[:print:][:space:]]' "$out" "$err" games.scopa ||
		fail "raw bytes of $fault"
	python3 -IS -m json.tool <"$out" >/dev/null || fail 'this is no JSON'
	expect "$SCOPA_ARENA" record show games.scopa >shown
	! LC_ALL=C grep -q '[^[:print:][:space:]]' shown ||
		fail "raw bytes of $fault are shown"
done
expect_nothing_left

while read -r fault count; do
	scenario "F037 F038 answers to no question are counted: $fault"
	play_faulty off "$fault"
	expect_out "\"name\":\"faulty\",.*\"out_of_turn\":$count,.*\"name\":\"witness\",.*\"out_of_turn\":0,"
	run "$SCOPA_ARENA" match "$faulty $fault" "$faulty honest" --deals 1 --seed 5
	expect_out "^time +bad .*, $count answers? to no open question\$"
	expect_no_out '^time +bad-2 .*no open question'
done <<'END'
answers-twice 1
answers-twice-blindly 1
foresees 1
answers-unasked 2
END

# Each faulty bot plays against the witness, in one run.
cat >kept.expected <<'END'
closes-output crash EOF
endless-line protocol BAD_LINE
faults crash CRASH(11)
format-text illegal syntax
half-a-move timeout TIMEOUT
kills-itself crash CRASH(9)
leaves-3 crash EXIT(3)
nul-behind protocol BAD_LINE
plays.KC illegal not-in-hand
short-lines protocol FLOOD
sql-text illegal syntax
unfinished-move crash EXIT(0)
END
scenario 'the database of a run has one row for each game, with its offence'
bots=()
while read -r fault _; do
	bots+=(--bot "cmd=$faulty" "args=${fault/./ }" "name=$fault")
done <kept.expected
arena 0 tournament --bot "cmd=$faulty" args=honest name=witness "${bots[@]}" \
	--format gauntlet --deals 1 --rounds 1 --tc move:1 --seed 1 \
	--run faults --quiet
# The witness is bot 1, the other one is faulty; each game has one offence.
query_results faults "SELECT name, offence, offence_reason FROM game
	JOIN block USING (block) JOIN bot ON bot.bot != 1
		AND bot.bot IN (SELECT value FROM json_each(block.bots))
	WHERE game.reason = 'forfeit' AND (SELECT sum(kind.value) FROM
		json_each(offences) AS seat, json_each(seat.value) AS kind) = 1
	ORDER BY name" >kept
sed 'p' kept.expected >twice
expect_same twice kept
expect_no_children

finish_groups line
