# Goal: sequences of moves are counted for the pack that was asked for, and a
# pack that cannot be dealt is refused with the reason.
. "$SRC/tests/e2e/lib.sh"

coins=AD2D3D4D5D6D7DJDQDKD
cups=AC2C3C4C5C6C7CJCQCKC
swords=AS2S3S4S5S6S7SJSQSKS
clubs=AB2B3B4B5B6B7BJBQBKB

scenario 'every depth has a line of its own'
run "$SCOPA_ARENA" perft scientifico --pack $coins$cups$swords$clubs --depth 3
expect_exit 0
expect_err_empty
expect_out '^perft 1 10$'
expect_out '^perft 2 100$'
expect_out '^perft 3 '
expect_no_out '^perft 4 '

scenario 'the first pack of a file is the same as its cards'
printf '# packs\n\n%s %s %s %s # first\n%s\n' $coins $cups $swords $clubs \
	$clubs$cups$swords$coins >packs.txt
run "$SCOPA_ARENA" perft scopa --pack packs.txt --depth 5
expect_exit 0
cp "$out" by-file
run "$SCOPA_ARENA" perft scopa --pack $coins$cups$swords$clubs --depth 5
expect_same "$out" by-file

scenario 'a depth beyond the end of the deal is refused'
run "$SCOPA_ARENA" perft scopa --depth 37
expect_exit 2
expect_error 'depth 37: .* after 36 moves'
run "$SCOPA_ARENA" perft scientifico --depth 41
expect_exit 2
expect_error 'after 40 moves'
run "$SCOPA_ARENA" perft cirulla,declare=ask --depth 49
expect_exit 2
expect_error 'after 48 moves'

scenario 'a seed gives the same pack every time, and another another'
run "$SCOPA_ARENA" perft scopa --seed ab --json
expect_exit 0
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
run "$SCOPA_ARENA" perft scopa --dealer 3
expect_exit 2
expect_error 'dealer 3'

scenario 'the answer as JSON is one document'
run "$SCOPA_ARENA" perft scopa --pack $coins$cups$swords$clubs --depth 3 --json
expect_exit 0
expect python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(len(d["counts"]) != 3 or d["dealer"] != 2 or d["pack"][:4] != "AD2D")
' "$out"

scenario 'a pack that the rules throw in is refused'
kings=KDKCKSAD
rest=2D3D4D5D6D7DJDQD
pack=$kings$rest${cups%KC}${swords%KS}$clubs
run "$SCOPA_ARENA" perft scopa --pack "$pack"
expect_exit 2
expect_error 'three kings'
expect_err 'redeal=none'
run "$SCOPA_ARENA" perft scopa,redeal=none --pack "$pack"
expect_exit 0

scenario 'malformed packs are refused with the reason'
run "$SCOPA_ARENA" perft scopa --pack "$coins$cups$swords${clubs%KB}AD"
expect_exit 2
expect_error 'AD stands twice'
run "$SCOPA_ARENA" perft scopa --pack "$coins$cups$swords${clubs%KB}"
expect_exit 2
expect_error 'missing: KB'
run "$SCOPA_ARENA" perft scopa --pack "$coins$cups$swords${clubs%KB}kb"
expect_exit 2
expect_error 'kb'
run "$SCOPA_ARENA" perft scopa --pack "$coins$cups$swords${clubs}AD"
expect_exit 2
expect_error 'more than 40'

scenario 'a malformed pack file is refused with the line'
printf '\n%s\n' $coins >bad.txt
run "$SCOPA_ARENA" perft scopa --pack bad.txt
expect_exit 2
expect_error 'bad.txt: line 2: 10 cards'
run "$SCOPA_ARENA" perft scopa --pack none.txt
expect_exit 2
expect_error 'none.txt: No such file'
: >empty.txt
run "$SCOPA_ARENA" perft scopa --pack empty.txt
expect_exit 2
expect_error 'no pack'

scenario 'bad rules, depths and seeds are refused'
run "$SCOPA_ARENA" perft scopne
expect_exit 2
expect_error 'scopne'
run "$SCOPA_ARENA" perft
expect_exit 2
expect_error 'RULES'
run "$SCOPA_ARENA" perft scopa --depth 0
expect_exit 2
expect_error '1 to 52'
run "$SCOPA_ARENA" perft scopa --seed xyz
expect_exit 2
expect_error 'hex'

finish
