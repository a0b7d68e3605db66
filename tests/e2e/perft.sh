# Goal: `perft` counts the sequences of moves for a given pack, and refuses a
# pack that cannot be dealt with the reason.
. "$SRC/tests/e2e/lib.sh"

coins=AD2D3D4D5D6D7DJDQDKD
cups=AC2C3C4C5C6C7CJCQCKC
swords=AS2S3S4S5S6S7SJSQSKS
clubs=AB2B3B4B5B6B7BJBQBKB

scenario 'every depth has a line of its own'
arena 0 perft scientifico --pack $coins$cups$swords$clubs --depth 3
expect_err_empty
expect_out '^perft 1 10$' '^perft 2 100$' '^perft 3 '
expect_no_out '^perft 4 '

scenario 'the first pack of a file is the same as its cards'
printf '# packs\n\n%s %s %s %s # first\n%s\n' $coins $cups $swords $clubs \
	$clubs$cups$swords$coins >packs.txt
arena 0 perft scopa --pack packs.txt --depth 5
cp "$out" by-file
run "$SCOPA_ARENA" perft scopa --pack $coins$cups$swords$clubs --depth 5
expect_same "$out" by-file

scenario 'a depth beyond the end of the deal is refused'
refuses 'depth 37: .* after 36 moves' perft scopa --depth 37
refuses 'after 40 moves' perft scientifico --depth 41
refuses 'after 48 moves' perft cirulla,declare=ask --depth 49

scenario 'a seed gives the same pack every time, and another seed another pack'
arena 0 perft scopa --seed ab --json
cp "$out" first
run "$SCOPA_ARENA" perft scopa --seed=00AB --json
expect_same "$out" first
run "$SCOPA_ARENA" perft scopa --seed ac --json
expect test "$(cat first)" != "$(cat "$out")"

scenario 'a seed gives the first pack of a match with this seed'
run "$SCOPA_ARENA" match @first @first --seed ab --deals 1 --quiet \
	--record games.scopa
pack=$(sed -n 's/^pack 1 .*cards=//p' games.scopa)
expect test ${#pack} -eq 80
run "$SCOPA_ARENA" perft scopa --seed ab --json
expect_out "\"pack\":\"$pack\""

scenario 'the dealer decides who begins'
run "$SCOPA_ARENA" perft scopa --pack $coins$cups$swords$clubs --depth 4
cp "$out" last
run "$SCOPA_ARENA" perft scopa --pack $coins$cups$swords$clubs --depth 4 \
	--dealer 2
expect_same "$out" last
refuses 'dealer 3' perft scopa --dealer 3

scenario 'counts by first move add up to the count, as text and as JSON'
arena 0 perft scopa --seed 5 --depth 5
total=$(sed -n 's/^perft 5 //p' "$out")
arena 0 perft scopa --seed 5 --depth 1
moves=$(sed -n 's/^perft 1 //p' "$out")
arena 0 perft scopa --seed 5 --depth 5 --divide
expect_no_out '^perft'
expect [ "$(wc -l <"$out")" -eq "$moves" ]
expect [ "$(awk '{ sum += $2 } END { print sum }' "$out")" -eq "$total" ]
arena 0 perft scopa --seed 5 --depth 5 --divide --json
expect_json "len(d['moves']) == $moves and sum(d['moves'].values()) == $total"
arena 0 perft scopa --seed 5 --depth 1 --divide
expect [ "$(awk '{ sum += $2 } END { print sum }' "$out")" -eq "$moves" ]

scenario 'the JSON output is one document'
arena 0 perft scopa --pack $coins$cups$swords$clubs --depth 3 --json
expect_json 'len(d["counts"]) == 3 and d["dealer"] == 2 and d["pack"][:4] == "AD2D"'

scenario 'a pack that must be redealt is refused'
kings=KDKCKSAD
rest=2D3D4D5D6D7DJDQD
pack=$kings$rest${cups%KC}${swords%KS}$clubs
refuses 'three kings' perft scopa --pack "$pack"
expect_err 'redeal=none'
arena 0 perft scopa,redeal=none --pack "$pack"

scenario 'malformed packs are refused with the reason'
refuses 'AD occurs twice' perft scopa --pack "$coins$cups$swords${clubs%KB}AD"
refuses 'missing: KB' perft scopa --pack "$coins$cups$swords${clubs%KB}"
refuses 'kb' perft scopa --pack "$coins$cups$swords${clubs%KB}kb"
refuses 'more than 40' perft scopa --pack "$coins$cups$swords${clubs}AD"

scenario 'a malformed pack file is refused with the line'
printf '\n%s\n' $coins >bad.txt
refuses 'bad.txt: line 2: 10 cards' perft scopa --pack bad.txt
refuses 'none.txt: No such file' perft scopa --pack none.txt
arena 5 perft scopa --pack /proc/self/mem
expect_error '/proc/self/mem: Input/output error'
: >empty.txt
refuses 'no pack' perft scopa --pack empty.txt

scenario 'bad rules, depths and seeds are refused'
refuses 'scopne' perft scopne
refuses 'RULES' perft
refuses '1 to 52' perft scopa --depth 0
refuses 'hex' perft scopa --seed xyz

finish
