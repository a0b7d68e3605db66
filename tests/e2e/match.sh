# Goal: `match` plays every game of the family, and the same arguments give the
# same output and the same records.
. "$SRC/tests/e2e/lib.sh"

# Plays a match, and removes the records of the matches before.
match() { # STATUS ARGUMENT...
	rm -f played.scopa
	arena "$1" match "${@:2}"
}

scenario 'two bots play, and the output ends with the next command to try'
match 0 @greedy @random --seed 2a
expect_err_empty
expect_out '^scopa, 2 seats AB, to 11 points, time move:10s$' '^seed 0{62}2a$' \
	'^result .*greedy [0-9]+.*random [0-9]+, (greedy|random) won(, unboxed)?$'
expect [ "$(tail -n 1 "$out" | cut -d ' ' -f 1)" = next ]

scenario 'the next command to try works'
mapfile -t words < <(tail -n 1 "$out" | sed 's/^next *//; s/ /\n/g')
run "${words[@]}" --deals 1 --quiet
expect_exit 0
expect_file games.scopa
expect_verified games.scopa
rm -f games.scopa

without_sandbox

for preset in $("$SCOPA_ARENA" rules | sed -n 's/^\([a-z-]*\) (.*/\1/p'); do
	scenario "a match of $preset is played to its end"
	match 0 @greedy @random --rules "$preset" --seed 7 --record played.scopa
	expect_err_empty
	expect grep -Eq '^endmatch m1 .*reason=(target|instant)$' played.scopa
	expect_verified played.scopa
done

while read -r seats teams bots; do
	scenario "a game with $seats seats is played in the layout $teams"
	# The bots are split into words.
	# shellcheck disable=SC2086
	match 0 $bots --teams "$teams" --deals 2 --record played.scopa
	expect_out "^scopa, $seats seats $teams, 2 deals"
	expect grep -q "^match m1 .* seats=$seats teams=$teams " played.scopa
	expect_lines "$seats" '^seat ' played.scopa
	expect_verified played.scopa
done <<'END'
2 AB @greedy @random
3 ABC @greedy @random @first
4 ABCD @greedy @random @first @greedy
4 ABAB @greedy @random @first @greedy
6 ABABAB @greedy @random @first @greedy @random @first
6 ABCABC @greedy @random @first @greedy @random @first
6 ABCDEF @greedy @random @first @greedy @random @first
END

scenario 'with one bot for each team, a bot has all seats of its team'
match 0 @greedy @random --teams ABABAB --deals 1 --record played.scopa
expect_lines 3 '^seat [135] team=A name=greedy' played.scopa
expect_lines 3 '^seat [246] team=B name=random' played.scopa
match 0 @greedy @random @first --teams ABCABC --deals 1 --quiet
match 0 @greedy @random --rules scopone --deals 1 --quiet
expect_out '^result .*greedy [0-9].*random [0-9]'

scenario 'the number of seats or teams= decides the layout'
match 0 @greedy @random @first --seats 3 --deals 1
expect_out '3 seats ABC,'
match 0 @greedy @random @first @greedy --rules scopa,teams=ABAB --deals 1
expect_out '4 seats ABAB,'

scenario 'another seed gives other cards, and --seed auto draws a seed each time'
for seed in 1 2 auto auto; do
	match 0 @first @first --seed $seed --deals 1 --record played.scopa
	# The first pack: if it is redealt, there are more.
	grep -m 1 '^pack ' played.scopa >>packs
done
expect [ "$(sed 's/.*cards=//' packs | sort -u | wc -l)" -eq 4 ]

scenario 'the printed seed reproduces a match'
match 0 @greedy @random --deals 2 --record one.scopa
seed=$(sed -n 's/^seed //p' "$out")
# The seed is printed after the last card, because a bot might read the output.
expect [ "$(grep -n '^seed ' "$out" | cut -d : -f 1)" -gt \
	"$(grep -n '^result ' "$out" | cut -d : -f 1)" ]
match 0 @greedy @random --deals 2 --seed "$seed" --record two.scopa
expect_same_games one.scopa two.scopa

scenario 'duplicates play the same packs from each seat'
match 0 @greedy @random --rounds 2 --duplicate --deals 2 --seed 3 \
	--record played.scopa
expect_lines 4 '^match ' played.scopa
expect [ "$(grep '^pack ' played.scopa | sort -u | wc -l)" -eq 4 ]
expect_lines 2 '^seat 1 team=A name=greedy' played.scopa
expect_out '^result  greedy .* won, .* drawn, .* lost, .* points per deal(, unboxed)?$'
match 0 @greedy @random @first --rounds 1 --duplicate --deals 1 --seed 3 --json
expect_json 'len(d["games"]) == 3' \
	'len({tuple(g["seats"]) for g in d["games"]}) == 3'

scenario 'docs/formats.md describes every member of --json'
# shellcheck disable=SC2016 # marks of Markdown
sed -n '/^## Matches/,/^## Ratings/p' "$SRC/docs/formats.md" |
	grep -o '`[a-z_]*`' | tr -d '`' >words
expect_json '{*d, *(key for part in d["bots"] + d["games"] for key in part)} <=
	{*open("words").read().split()}'

scenario 'without duplicates a round is one game'
match 0 @greedy @random --rounds 5 --deals 1 --json
expect_json 'd["games_played"] == 5 and len(d["games"]) == 5'

scenario '--deals sets the number of deals, and --target the points to reach'
match 0 @greedy @random --deals 7 --seed 1 --json
expect_json 'd["games"][0]["deals"] == 7 and d["deals_played"] == 7' \
	'd["games"][0]["reason"] == "deals"'
match 0 @greedy @random --target 3 --seed 1 --json
expect_json 'd["target"] == 3 and d["games"][0]["reason"] == "target"' \
	'max(d["games"][0]["scores"].values()) >= 3'

# shellcheck disable=SC2016 # for the bot
shell_bot clock 'echo "$rest" >>times; answer'
while read -r tc shown wire limit; do
	bare_scenario "bots are sent their time: $tc"
	rm -f times
	match 0 ./clock @first --tc "$tc" --deals 1 --record played.scopa
	expect [ "$(head -n 1 times)" = "$limit" ]
	expect [ "$(sed -n '1s/.*, time //p' "$out")" = "$shown" ]
	expect grep -Fq " tc=$wire " played.scopa
done <<'END'
none none none
move:0.75 move:0.75s move:750 move=750
deal:5+0 deal:5s deal:5000+0 time=5000 inc=0
match:60+0.1 match:60s+0.1s match:60000+100 time=60000 inc=100
END

scenario 'packs of a file are dealt in turn, and from the first after the last'
cat >packs.txt <<'END'
# two packs
AS7DJS5DAB3CKSJD5B5C2B6D6C6S6B4S2D7S3SAC4CQD4DADKBJBKCJC7C3DQC4BKD2C2S7BQBQS3B5S
5D7DJSAS AB3CKS JD5B5C 2B6D6C 6S6B4S 2D7S3S AC4CQD 4DADKB JBKCJC 7C3DQC 4BKD2C 2S7BQB QS3B5S
END
match 0 @greedy @random --packs packs.txt --deals 3 --record played.scopa
expect_no_out '^seed'
expect [ "$(sed -n 's/^pack.*cards=\(........\).*/\1/p' played.scopa |
	tr '\n' ' ')" = 'AS7DJS5D 5D7DJSAS AS7DJS5D ' ]
! grep -Eq 'secret=|alg=' played.scopa || fail 'there is a key for a pack of a file'
expect_verified played.scopa
match 0 @greedy @random --packs packs.txt --deals 1
expect_out '^next .* --packs packs.txt --deals 1 --record games.scopa$'

scenario 'records are appended, whole and in order'
for _ in 1 2; do
	match 0 @greedy @random --deals 1 --rounds 3 --concurrency 3 \
		--record twice.scopa
done
expect [ "$(head -n 1 twice.scopa)" = '%scopa-record 1' ]
expect_lines 1 '^%scopa-record' twice.scopa
expect [ "$(sed -n 's/^match \(m[0-9]*\) .*/\1/p' twice.scopa |
	tr '\n' ' ')" = 'm1 m2 m3 m1 m2 m3 ' ]
expect_verified twice.scopa

bare_scenario 'an empty record file stays if another process has opened it'
program waits 'until [ -e go ]; do sleep 0.02; done' 'exit 3'
shell_bot holds
sed -i '1a touch go; until [ -e ended ]; do sleep 0.02; done' holds
(
	"$SCOPA_ARENA" play --sandbox off ./waits --record shared.scopa
	touch ended
) >/dev/null 2>&1 &
arena=$!
await_file shared.scopa
match 0 ./holds @first --deals 1 --record shared.scopa
wait "$arena"
expect_lines 1 '^match ' shared.scopa

bare_scenario 'a file that has taken the place of an empty record stays'
rm -f go
start "$SCOPA_ARENA" play --sandbox off ./waits --record taken.scopa
await_file taken.scopa
rm taken.scopa
cp twice.scopa taken.scopa
touch go
reap 4
expect_lines 6 '^match ' taken.scopa

scenario 'the JSON output is one document with all facts of the text'
match 0 @greedy @random --rounds 3 --deals 2 --seed 5 --json
expect_err_empty
expect_json 'd["seed"].endswith("5") and d["end"] == "done"' \
	'[b["name"] for b in d["bots"]] == ["greedy", "random"]' \
	'sum(b["wins"] + b["draws"] for b in d["bots"]) >= 3' \
	'all(b["points"] == sum(b["items"].values()) for b in d["bots"])' \
	'all(g["winner"] in ("A", "B", None) for g in d["games"])'
match 0 @greedy @random --deals 1 --json --quiet
expect_json 'd["games_played"] == 1'

scenario 'with several games the output has a margin with its interval'
match 0 @greedy @random --deals 1 --rounds 30 --duplicate --seed 3
expect_out '^margin  greedy +\+[0-9.]+ \+-[0-9.]+ points per deal against random \(>?9[0-9.]+% likely to be stronger; 95% interval of 30 blocks\)$'
expect_out '^score   greedy +[0-9.]+% of 60 games, Elo \+[0-9.]+ \[[^]]+\] \(>?9'
match 0 @greedy @random --deals 1 --rounds 30 --duplicate --seed 3 --json
expect_json 'd["format"] == "scopa-arena-match" and d["version"] == 1' \
	'bot["greedy"]["margin"]["low"] > 0 and bot["greedy"]["los"] > 0.9' \
	'near(bot["greedy"]["margin"]["value"], bot["greedy"]["points_per_deal"] - bot["random"]["points_per_deal"])' \
	'near(bot["random"]["margin"]["value"], -bot["greedy"]["margin"]["value"])' \
	'bot["random"]["blocks"] == 30'
match 0 @greedy @random @first --deals 1 --rounds 5 --duplicate
expect_lines 3 '^margin  .* against the others \(.* of 5 blocks\)$' "$out"
match 0 @greedy @random --deals 1
expect_no_out '^margin'
match 0 @greedy @random --deals 1 --rounds 2 --duplicate
expect_out '^margin .*(of 2 blocks|as all 2 blocks are equal)\)$'

# Equal blocks have no interval, but many of them are no accident.
shell_bot quitter 'exit 3'
match 0 @first ./quitter --deals 1 --rounds 20 --duplicate
expect_out '^margin .* \+22\.000 \+-\? .*\(>99\.9% .* as all 20 blocks are equal\)$'

scenario 'progress is shown on a terminal, and not in a pipe'
shell_bot slow 'sleep 0.05; answer'
match 0 ./slow @random --deals 1 --rounds 1
expect_err_empty
run python3 -IS -c 'import pty, sys
sys.exit(pty.spawn(sys.argv[1:]))' "$SCOPA_ARENA" match ./slow @random \
	--deals 1 --rounds 4 --duplicate --concurrency 2
expect_exit 0
expect_out '[0-9]+% [0-9]+/4 blocks +[0-9]+ s left  slow '

sandboxed_scenario 'the next command to try is the same match with more rounds'
match 0 @greedy --bot cmd=@random 'name=Bob'\''s bot' --deals=1 \
	--rules scopa,priority=fewest --timemargin 5 --rounds 1
sed -n 's/^next    //p' "$out" >next.sh
expect_line "match @greedy --bot cmd=@random .name=Bob's bot. --deals=1 --rules" \
	next.sh
expect_line 'fewest --timemargin 5 --rounds 100 --duplicate --record games' \
	next.sh
expect_run 0 sh -e next.sh
expect_out "^margin  greedy .* against Bob's bot .* of 100 blocks"
expect_file games.scopa
match 0 @greedy @random --deals 1 --record 'my games.scopa'
expect_out "^next    .* record show 'my games.scopa'$"
match 0 @greedy @random --deals 1 --rounds 30 --duplicate
expect_out ' match @greedy @random --deals 1 --rounds 120 --duplicate --record'
match 0 @greedy @random --deals 1 --games 2
expect_out ' match @greedy @random --deals 1 --games 600 --duplicate --record'
match 0 @greedy @random --duplicate 2 --deals 1
expect_out ' match @greedy @random --deals 1 --rounds 100 --duplicate --record'
match 0 @greedy @first @random --seats 3 --deals 1 --rounds 5 --games 1
expect_out ' --deals 1 --games 3 --rounds 100 --duplicate --record games.scopa$'

scenario 'a name with a blank is cut at the blank, with a warning'
shell_bot blanks answer \
	"usp) echo 'id name=My Cool Bot version=2'; echo 'uspok 1' ;;"
match 0 ./blanks @random --deals 1
expect_err '^name    "My" is all that counts .*: write "id name=My%20Cool%20Bot"$'
expect_lines 1 '^name ' "$err"
match 0 --bot cmd=./blanks name=Mine --bot cmd=@random --deals 1
expect_err_empty
arena 0 tournament ./blanks @random --deals 1 --rounds 1 --run named
expect_err '^name    "My" is all that counts'

scenario 'in JSON the name of a bot that does not start is its command'
program quits 'exit 1'
match 4 ./quits --bot cmd=@greedy name=Mine --json
expect_json '[b["name"] for b in d["bots"]] == ["./quits", "Mine"]'

scenario 'names are padded by their width on the screen'
match 0 --bot cmd=@greedy 'name=Jörg' --bot cmd=@random name=Anna --deals 1
expect [ "$(grep -o '^time    Jörg *' "$out" | LC_ALL=C.UTF-8 wc -m)" \
	= "$(grep -o '^time    Anna *' "$out" | wc -m)" ]

scenario '--quiet prints only the result'
match 0 @greedy @random --deals 1 --quiet
expect_err_empty
expect [ "$(wc -l <"$out")" -eq 1 ]
expect_out '^result '

scenario 'names of the user are used, and equal names get numbers'
match 0 --bot cmd=@greedy name=Anna --bot cmd=@greedy name=Bruno --deals 1 \
	--seed 1 --json
expect_json '[b["name"] for b in d["bots"]] == ["Anna", "Bruno"]'
match 0 @first @first --deals 1 --json
expect_json '[b["name"] for b in d["bots"]] == ["first", "first-2"]'
match 0 --bot cmd=@greedy 'name=Jörg' --bot cmd=@greedy 'name=Jörg' --deals 1 \
	--json
expect_json '[b["name"] for b in d["bots"]] == ["Jörg", "Jörg-2"]'

scenario 'options in the form of other arenas have the same effect'
while read -r lines games; do
	# The options are split into words.
	# shellcheck disable=SC2086
	match 0 -engine cmd=@greedy name=A -engine cmd=@random name=B \
		-each tc=10+0.1 -variant scopone -deals 1 -srand 7 -recover \
		-concurrency 2 -pgnout file=played.scopa $games
	expect_out 'time match:10s\+0\.1s$'
	expect_verified played.scopa
	expect_lines "$lines" '^match m' played.scopa
	expect_lines $((2 * lines)) '^seat . team=. name=A' played.scopa
done <<'END'
4 -games 4
4 -rounds 4
4 -games 4 -repeat
6 -rounds 3 -games 2 -repeat
6 -rounds 3 -games 2 -repeat 2
6 -rounds 3 -games 2
6 -rounds 3 -repeat
END

scenario 'unsupported options of other arenas are refused with a reason'
# Expects that these words are refused with a reason and a hint.
refuses_words() { # EXPRESSION WORDS
	# The words are split.
	# shellcheck disable=SC2086
	refuses "$1" match @greedy @random $2
	expect_err '^  hint    : .'
}
for words in '-resign movecount=3 score=600' '-draw movenumber=34' \
	'-maxmoves 100' '-tb folder' -tbignore50 '-tbadjudicate BOTH' \
	'-bookmode ram' '-sprt elo0=0 elo1=5' '-tournament gauntlet' -no-recover \
	'-report penta=true' '-crosstable true' '-scoreinterval 5' \
	'-outcomeinterval 5' '-ratinginterval 5' '-debug file=x' '-wait 100' \
	'-seeds 2' -show-latency '-output format=fastchess' \
	'-quick cmd=./a cmd=./b' '-epdout file=x.epd' -force-concurrency \
	-reverse '-crc32 pgn=true' '-resultformat wide' -compliance \
	'-ucinewgame-ms 100' '-ping-ms 100' '-event cup' \
	'-log file=x level=info'; do
	refuses_words "${words%% *} is not accepted" "$words"
done
for key in proto depth conf arg trust stderr tscale ponder bookdepth; do
	refuses_words "--each $key is not accepted" "-each $key=2"
done
for key in order policy; do
	refuses_words "--packs $key is not accepted" \
		"-openings file=x.packs $key=random"
done
for key in nps tbhits timeleft; do
	refuses_words "--record $key is not accepted" "-pgnout file=x $key=true"
done
refuses_words 'are no whole number of blocks' '-games 5 -repeat'
refuses_words 'have different times' '--bot @greedy tc=5+0'

scenario 'time controls of other arenas are accepted, or refused with a reason'
while IFS='|' read -r control expression; do
	match 0 @greedy @random --deals 1 "$control"
	expect_out "time $expression\$"
done <<'END'
--tc=10+0.1|match:10s\+0\.1s
--tc=5|match:5s
--tc=inf|none
END
match 0 @greedy @random -each st=0.5 --deals 1
expect_out 'time move:0\.5s$'
while IFS='|' read -r control expression; do
	refuses "--tc .*$expression" match @greedy @random --tc "$control"
done <<'END'
40/60|number of moves
1:30+1|minutes
1+x|is none of match:
END

scenario 'no process is left'
expect_no_children
finish
