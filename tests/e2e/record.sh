# Goal: records prove what was played; a damaged record is named with its line
# and a reason, and other records are still used.
. "$SRC/tests/e2e/lib.sh"

# Prints the lines of a record that cannot be derived from others.
reduce() { # FILE
	grep -E '^(match|tag|seat|deal|pack|declare|play|info|offence|abort) ' "$1"
}

# Writes the bot NAME, which copies the lines that it reads to NAME.heard.
logged_bot() { # NAME BOT
	program "$1" "tee -a '$PWD/$1.heard' | '$SCOPA_ARENA' bot $2"
}

# A bot whose every tenth answer is an illegal move.
# shellcheck disable=SC2016 # for the bot
shell_bot sloppy '
		[ $((turn_count % 10)) -ne 0 ] || move=7D7D7D
		echo "info m.count=$turn_count # so far"
		answer'

scenario 'the record of a match verifies'
record_match games.scopa @greedy @random --seed 5 --deals 2
arena 0 record verify games.scopa
expect_err_empty
expect [ "$(cat "$out")" = '1 record: 1 good, 0 bad' ]
arena 0 record verify --verbose games.scopa
expect_out '^games\.scopa:2: record 1, match .*: good: V1 V2 V3$'
expect_out '^1 record: 1 good, 0 bad$'

scenario 'stored records of every preset still verify'
for preset in $("$SCOPA_ARENA" rules | sed -n 's/^\([a-z-]*\) (.*/\1/p'); do
	expect_file "$SRC/tests/golden/$preset.scopa"
done
arena 0 record verify "$SRC"/tests/golden/*.scopa
expect_out '^2[0-9] records: 2[0-9] good, 0 bad$'

scenario 'derive completes a reduced record to the same bytes'
for file in "$SRC"/tests/golden/*.scopa; do
	reduce "$file" >least.scopa
	arena 0 record derive least.scopa
	expect_err_empty
	expect_same "$out" "$file"
done

scenario 'records with offences verify, too'
record_match bad.scopa ./sloppy @random --deals 2 --illegal substitute --strikes 3
record_match bad.scopa ./sloppy @random --deals 2 --illegal forfeit
record_match bad.scopa ./sloppy @random @first --rules scopa,players=3 --deals 1
expect grep -q '^play .* by=arena cause=illegal' bad.scopa
expect grep -q '^abort match reason=forfeit' bad.scopa
expect grep -q '^info 1 m.count=' bad.scopa
arena 0 record verify bad.scopa
expect_out '^3 records: 3 good, 0 bad$'
reduce bad.scopa >least.scopa
arena 0 record derive least.scopa
expect_same "$out" bad.scopa

bare_scenario 'redact prints the lines that a seat was sent'
logged_bot one greedy
logged_bot two random
record_match heard.scopa ./one ./two --rules cirulla --deals 2 --seed 31
for seat in 1 2; do
	name=$(sed -n "${seat}p" <<<$'one\ntwo')
	grep -vE '^(usp|setoption|isready|error|state|legal|go|quit)( |$)' \
		"$name.heard" >events
	arena 0 record redact --seat "$seat" heard.scopa
	expect_same "$out" events
	expect_out "^match .* you=$seat "
	expect_no_out '^(tag|pack|info|offence|sum) '
done

scenario 'redact refuses a seat that the game does not have'
refuses 'seat' record redact games.scopa
expect_err '^  try     : '
arena 1 record redact --seat 3 games.scopa
expect_out_empty
expect_err '^games\.scopa:2: .*no such seat'

scenario 'derive --legal adds the legal moves before each play'
arena 0 record derive --legal games.scopa
cp "$out" legal.scopa
expect_lines "$(grep -c '^play ' legal.scopa)" '^legal ' legal.scopa
awk '/^play / && index(before " ", " " $3 " ") == 0 { wrong = 1 }
	{ before = $0 }
	END { exit wrong }' legal.scopa || fail 'a play is not among the legal moves'
arena 0 record verify legal.scopa

scenario 'derive skips a wrong record, and names its line and the reason'
reduce games.scopa >least.scopa
{
	echo 'match x rules=scoppa'
	cat least.scopa
	echo 'match y rules=scopa'
	echo 'rules hand=3 table=4 capture=single'
	grep -v '^pack 2' least.scopa | sed 's/^match [^ ]*/match z/'
} >mixed.scopa
arena 1 record derive mixed.scopa
expect_same "$out" games.scopa
expect_err '^mixed\.scopa:1: unknown preset "scoppa"; did you mean "scopa"'
expect_err '^mixed\.scopa:[0-9]+: capture must be one of sum'
expect_err '^mixed\.scopa:[0-9]+: the cards of deal 2 are missing'
expect_err '^error: 3 of 4 records'

scenario 'an illegal play is refused with a sentence about the rule'
sed '0,/^play 1 /s/^play 1 .*/play 1 KDxADACAS/' least.scopa >illegal.scopa
arena 1 record derive illegal.scopa
expect_out_empty
expect_err '^illegal\.scopa:[0-9]+: seat 1 may not play .*\(not-'

scenario 'reduced records with CR LF and from a pipe are read'
sed 's/$/\r/' least.scopa >dos.scopa
run_from dos.scopa "$SCOPA_ARENA" record derive
expect_exit 0
expect_same "$out" games.scopa
run_from least.scopa "$SCOPA_ARENA" record derive -
expect_exit 0
expect_same "$out" games.scopa

scenario 'unknown lines are named and skipped'
sed '/^deal 1 /a x-weather fine' least.scopa >more.scopa
arena 0 record derive more.scopa
expect_same "$out" games.scopa
expect_err '^more\.scopa:[0-9]+: warning: .*x-weather'

scenario 'a changed line is found and named'
sed '0,/^score A points=/s/^score A points=/score A points=9/' games.scopa \
	>changed.scopa
arena 1 record verify changed.scopa
expect_out '^changed\.scopa:[0-9]+: record 1, .*: bad: V1: sha256=.* see line'
expect_out '^1 record: 0 good, 1 bad$'

scenario 'good records before and after a damaged one are still used'
record_match three.scopa @greedy @random --deals 1
head -n 20 games.scopa >>three.scopa
record_match three.scopa @first @random --deals 1
arena 1 record verify three.scopa
expect_out '^3 records: 2 good, 1 bad$'
expect_out '^three\.scopa:[0-9]+: record 2, .*: bad: V1: no .sum. line'
arena 1 record show three.scopa
expect_lines 2 '^Result: ' "$out"
expect_err '^three\.scopa:[0-9]+: skipped: V1: '

scenario 'the record after a line that a crash cut off is still read'
head -c 1500 games.scopa >cut.scopa
record_match cut.scopa @greedy @random --deals 1
arena 1 record verify cut.scopa
expect_out '^2 records: 1 good, 1 bad$'

scenario 'a file that was cut off is reported, also within a line'
for size in 1500 1501 1502 1503 1504 1505 1506 1507 1508; do
	head -c "$size" games.scopa >half.scopa
	arena 1 record verify half.scopa
	expect_out '^half\.scopa:[0-9]+: .*: V1: the file ends in the middle of'
done

scenario 'random bytes are one error'
head -c 100000 /dev/urandom >junk
for command in verify show derive "redact --seat 1" merge "export --csv"; do
	# The command may be two words.
	# shellcheck disable=SC2086
	arena 1 record $command junk
	! grep -q "$(printf '\033')" "$err" || fail 'the error contains an escape character'
	cat "$out" "$err" >said
	expect_line 'junk:1: .*this is not a game record' said
done

scenario 'unreadable and empty files are reported'
arena 2 record verify missing.scopa games.scopa
expect_err '^error: .*missing\.scopa: No such file'
expect_out '^1 record: 1 good, 0 bad$'
arena 2 record verify .
: >empty.scopa
arena 0 record verify empty.scopa
expect_out '^0 records: 0 good, 0 bad$'
refuses 'empty\.scopa holds no game record' record show empty.scopa
arena 2 record verify --bogus games.scopa
arena 2 record
arena 2 record verfy games.scopa

scenario 'the folder of a run can be given instead of its records'
arena 0 tournament @greedy @random --deals 1 --rounds 2 --seed 4 --run cup
for command in verify show "export --csv" "redact --seat 1" merge; do
	# The command may be two words.
	# shellcheck disable=SC2086
	arena 0 record $command cup/records.scopa
	mv "$out" file.out
	# shellcheck disable=SC2086
	arena 0 record $command cup
	expect_same "$out" file.out
done
arena 0 rate cup
expect_out '^scopa: 4 games in 2 blocks$'
arena 0 analyse cup --match m1 --iterations 4 --exact 0
expect_out '^Match m1'
mkdir none
refuses 'cannot read none: Is a directory' record verify none
touch none/config.ini
refuses 'cannot read none/records.scopa: No such file' record verify none

scenario 'verify --json prints one document, and --quiet one line'
arena 1 record verify --json three.scopa games.scopa
expect_json 'd["good"] == 3 and d["bad"] == 1' \
	'[b["good"] for b in d["blocks"]] == [True, False, True, True]' \
	'd["blocks"][1]["level"] == 1 and d["blocks"][1]["line"] > 1'
arena 1 record verify --quiet three.scopa
expect [ "$(cat "$out")" = '3 records: 2 good, 1 bad' ]
refuses '--quiet and --verbose exclude each other' \
	record verify --quiet --verbose three.scopa
run "$SCOPA_ARENA" match /bin/true @first --seed 5 --record dealless.scopa
arena 0 record verify --json dealless.scopa
expect_json 'not d["blocks"][0]["secret"] and d["blocks"][0]["keys"] == 0'

scenario 'show prints the whole game, or one deal, or one match'
arena 0 record show games.scopa
expect_err_empty
expect_out '^Match .*: scopa, 2 seats as AB, 2 deals$' '^Deal 2: ' \
	'^Result: A [0-9]+, B [0-9]+; '
expect_lines 2 '^ *36  ' "$out"
expect_no_out "$(printf '\033')"
arena 0 record show --deal 2 games.scopa
expect_no_out '^Deal 1'
expect_lines 1 '^ *36  ' "$out"
arena 1 record show --deal 3 games.scopa
expect_error 'there is no deal 3'
# The lines before the first deal of the second game are not of deal 2.
sed '/^seat 2 /a void 1 lag=0.500000' least.scopa least.scopa >late.scopa
arena 0 record derive late.scopa
cp "$out" late.scopa
expect_lines 2 '^void ' late.scopa
arena 0 record show --deal 2 late.scopa
expect_no_out VOID
arena 0 record show --offences games.scopa bad.scopa
expect_lines "$(grep -c '^match' bad.scopa)" '^Match' "$out"
expect_out ' offence: illegal move \('
arena 1 record show --match nobody games.scopa
expect_error 'no match has the id "nobody"'
expect_err '^  try     : .* record verify --verbose FILE$'

scenario 'text of a record is printed without escape characters'
sed 's/ name=[a-z]*/ name=%1b[31m/' least.scopa |
	"$SCOPA_ARENA" record derive - >red.scopa
arena 0 record show red.scopa
expect_no_out "$(printf '\033')"
expect_out '\\x1b'

scenario 'names that are not ASCII are shown unchanged and aligned'
rm -f named.scopa
record_match named.scopa --bot cmd=@first 'name=Jörg' --bot cmd=@random \
	name=Anna --deals 1
arena 0 record show named.scopa
expect_out '^  seat 1  team A  Jörg 1$' '^ *1  1 Jörg  [2-7AJQK]' \
	'^ *2  2 Anna  [2-7AJQK]'

scenario 'merge writes every good record once'
arena 1 record merge games.scopa three.scopa games.scopa -o all.scopa
expect_out_empty
expect_err '^three\.scopa:[0-9]+: skipped: '
expect_lines 1 '^%scopa-record 1$' all.scopa
expect_lines 3 '^match ' all.scopa
arena 0 record verify all.scopa
arena 0 record merge bad.scopa all.scopa -o all.scopa
expect_lines 6 '^match ' all.scopa
arena 0 record merge all.scopa
expect_same "$out" all.scopa

scenario 'merge leaves no incomplete file'
cp all.scopa before.scopa
arena 2 record merge games.scopa missing.scopa -o all.scopa
expect_same all.scopa before.scopa
arena 2 record merge empty.scopa -o new.scopa
expect_no_file new.scopa
arena 5 record merge games.scopa -o nowhere/new.scopa
expect_error 'nowhere/new\.scopa'
mkdir folder
refuses 'folder: it is a folder$' record merge games.scopa -o folder
arena 2 record merge games.scopa -o /dev/null
expect [ -c /dev/null ]
expect [ -z "$(find . -name '*.scopa.*')" ]
expect_run 5 bash -c "trap '' XFSZ; ulimit -f 2; exec \"\$@\"" limited \
	"$SCOPA_ARENA" record merge all.scopa
expect_out_empty
expect_error 'cannot write a temporary file'

scenario 'export to JSON Lines writes an object for each match, or each event'
arena 0 record export --jsonl all.scopa
expect_json_lines 'len(d) == 6 and all(game["seed"] for game in d)' \
	'all(len(game["seats"]) == len(game["names"]) == game["seat_count"]
	for game in d)' \
	'all({p: sum(i.values()) for p, i in game["points"].items()} ==
	game["scores"] for game in d if game["reason"] == "deals")' \
	'any(game["offences"] for game in d)' \
	'any(game["reason"] == "forfeit" and game["by"] == "A" for game in d)' \
	'all(("by" in game) == (game["reason"] == "forfeit") for game in d)'
arena 0 record export --jsonl --events games.scopa
expect [ "$(wc -l <"$out")" -eq \
	"$(grep -cvE '^(%|sum )' games.scopa)" ]
expect python3 -c 'import json, sys
def unique(pairs):
	assert len(dict(pairs)) == len(pairs)
	return dict(pairs)
for line in open(sys.argv[1]):
	json.loads(line, object_pairs_hook=unique)' "$out"

scenario 'matches with the same name can be distinguished in CSV'
for seed in 1 2; do
	record_match m$seed.scopa @greedy @random --deals 2 --rounds 2 \
		--duplicate --seed $seed
done
"$SCOPA_ARENA" record merge m1.scopa m2.scopa -o both.scopa 2>/dev/null
arena 0 record export --csv both.scopa
expect_csv 'len(d) == 8 * 2 * 2 and len({r["match"] for r in d}) == 4' \
	'len({(r["file"], r["block"]) for r in d}) == 8' \
	'all(r["file"] == "both.scopa" and r["utc"].endswith("Z") for r in d)' \
	'all(r["event"] == "round-" + r["round"] and r["game"] in "12" and
	r["seats"] == str("AB".index(r["team"]) + 1) for r in d)'

scenario 'a drawn match has no winner in JSON Lines'
record_match both.scopa @greedy @random --deals 2 --rounds 2 --duplicate --seed 3
arena 0 record export --jsonl both.scopa
expect_json_lines 'any(game["winner"] is None for game in d)' \
	'all((game["winner"] is None) == (game["scores"]["A"] ==
	game["scores"]["B"]) for game in d)'

scenario 'export to CSV writes a row for each deal and team'
arena 0 record export --csv games.scopa
expect_csv '[r["team"] for r in d] == ["A", "B", "A", "B"]' \
	'all(int(r["cards"]) + int(s["cards"]) == 40
	for r, s in zip(d[::2], d[1::2]))' \
	'all(r["napola"] == "" for r in d)'

scenario 'export without a format, or with two, is refused'
for wrong in '' '--csv --jsonl' '--csv --events'; do
	# The options are split into words.
	# shellcheck disable=SC2086
	refuses '--jsonl' record export $wrong games.scopa
done

scenario 'several programs can append to one file'
rm -f crowd.scopa
for seed in 1 2 3 4 5; do
	record_match crowd.scopa @first @random --seed "$seed" --deals 3 &
done
wait
arena 0 record verify --quiet crowd.scopa
expect [ "$(cat "$out")" = '5 records: 5 good, 0 bad' ]
expect_lines 1 '^%scopa-record 1$' crowd.scopa

scenario 'a record that is written to a pipe verifies'
# shellcheck disable=SC2016 # for the inner shell
expect_run 0 bash -c '"$1" match @first @random --deals 1 --quiet \
	--record >("$1" record verify --quiet >piped) >/dev/null
	until [ -s piped ]; do sleep 0.02; done
	cat piped' sh "$SCOPA_ARENA"
expect_out '^1 record: 1 good, 0 bad$'

scenario 'an info line of any number of words is recorded, and the record is good'
python_bot talks.py <<'END'
def turn(legal, id):
    return 'info ' + 'm.a=1 ' * 200 + '\nmove ' + legal[0] + ' ' + id
END
arena 0 match ./talks.py @first --deals 1 --record talks.scopa
expect_line '^info 1( m\.a=1){200}' talks.scopa
arena 0 record verify talks.scopa
arena 0 rate talks.scopa
expect_err_empty

finish
