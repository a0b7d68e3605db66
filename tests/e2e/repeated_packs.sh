# Goal: results with the same packs are counted once, however often they are
# played, merged or read, and copies of the same bot are never ranked apart.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

"$SCOPA_ARENA" tournament @first @random --rounds 20 --seed 5 --deals 1 \
	--run first --quiet >/dev/null 2>&1 || fail 'no packs were made'
sed -n 's/^pack 1 .*cards=//p' first/records.scopa | awk 'NR % 2 == 1' >suite.txt
for _ in $(seq 40); do head -n 1 suite.txt; done >same.txt

scenario 'a gate whose packs are all the same passes no candidate'
arena 3 gate @greedy @random --packs same.txt --run one --json
expect_err '^warning: pack file "same.txt": 39 of 40 packs repeat earlier ones:'
expect_json 'd["gate"]["verdict"] == "inconclusive"' \
	'd["totals"]["blocks"] == 40 and d["totals"]["repeated"] == 39' \
	'd["encounters"][0]["blocks"] == 1' \
	'd["encounters"][0]["repeated"] == 39'
arena 3 gate @greedy @random --packs same.txt --rounds 40 --run two
expect_out '^verdict +inconclusive' '^REPEATED +39 of 40 blocks repeat packs'

scenario 'a match with repeated packs has no more evidence than with each once'
arena 0 match @greedy @random --packs suite.txt --deals 1 --rounds 50 --duplicate
expect_out '^margin .*interval of 20 blocks' \
	'^REPEATED +30 of 50 blocks repeat packs'

scenario 'status of such a run shows the same'
run "$SCOPA_ARENA" status one --json
expect_json 'd["totals"]["repeated"] == 39' \
	'd["gate"]["verdict"] == "inconclusive"'

scenario 'by default a run ends after the last pack of a file'
run "$SCOPA_ARENA" gate @greedy @first --packs suite.txt --run suite --json
expect_json 'd["totals"]["blocks"] <= 20 and d["totals"]["repeated"] == 0' \
	'd["gate"]["blocks_max"] == 20'
# The run has fewer blocks than min=30, and stays readable without the file.
arena 3 gate @first @first --packs suite.txt --run short --quiet
mv suite.txt kept.txt
run "$SCOPA_ARENA" status short --json
expect_json 'd["gate"]["blocks_max"] == 20'
head -n 7 kept.txt >suite.txt
arena 3 resume short
mv kept.txt suite.txt
arena 3 gate --config short/config.ini --run later --quiet
refuses 'max=10 blocks at most are fewer than min=30' gate @greedy @first \
	--packs suite.txt --sprt max=10 --run never
arena 0 tournament @greedy @first @random --packs suite.txt --deals 2 \
	--run pairs --json
grep -q warning "$err" && fail 'there is a warning without a reason'
expect_json 'd["totals"]["blocks"] == 3 * 10 and d["totals"]["repeated"] == 0' \
	'd["stronger"]["rounds"] == 10'

scenario 'more rounds than packs give a warning, and no new evidence'
arena 0 tournament @greedy @first --packs suite.txt --deals 1 --rounds 50 \
	--run again --json
expect_err '^warning: 50 rounds of 1 pack each, but pack file "suite.txt" has 20'
expect_json 'd["totals"]["blocks"] == 50 and d["totals"]["repeated"] == 30' \
	'd["stronger"]["rounds"] == 20'

scenario 'adaptive formats end after the last pack of a file, too'
for format in swiss knockout; do
	arena 0 tournament @greedy @first @random @first --deals 1 \
		--format "$format" --packs suite.txt --run "$format" --quiet
	grep -q warning "$err" && fail "$format: there is a warning without a reason"
	sed -n 's/^pack 1 .*cards=//p' "$format/records.scopa" | sort >played
	expect [ "$(uniq played | wc -l)" -le 20 ]
	grep -q '^rounds = 10$' "$format/config.ini" || fail "$format: rounds"
	arena 0 tournament @greedy @first @random @first --deals 1 \
		--format "$format" --packs suite.txt --rounds 15 --quiet \
		--run "$format-15"
	expect_err '^warning: 30 rounds of 1 pack each, but pack file "suite.txt" has 20'
done
arena 0 tournament @greedy @first @random --deals 1 --format ladder \
	--packs suite.txt --run ladder --quiet
expect_err '^warning: a pair of the ladder may play 54 rounds of 1 pack each, but'

scenario 'games to a target share the packs of a file'
arena 0 tournament @greedy @first --packs suite.txt --rounds 2 --run targets \
	--quiet
expect_err '^warning: pack file "suite.txt": games to a target also use packs of later rounds'
refuses 'packs: a gate needs games of --deals' gate @greedy @first \
	--packs suite.txt --target 11 --run no

scenario 'a tournament on one pack has no interval'
arena 0 tournament @greedy @random @first --packs same.txt --deals 1 \
	--run rated --json
expect_json 'all(b["rating"]["beyond"] for b in d["ranking"])' \
	'all(b["rank_low"] == 1 and b["rank_high"] == 3
	for b in d["ranking"])'

scenario 'rate and sprt count records of the same pack once'
run "$SCOPA_ARENA" rate one/records.scopa --json
expect_err 'no new evidence and were left out: 78$'
expect_json 'd["blocks"] == 1 and d["rounds"] == 1' \
	'all(b["rating"]["beyond"] != "none" for b in d["ranking"])'
run "$SCOPA_ARENA" sprt --records one/records.scopa --elo0 0 --elo1 10 --json
expect_err 'no new evidence and were left out: 78$'
expect_json 'd["n"] == 1 and d["decision"] == "continue"'

scenario 'two bots that meet in several games with a pack count it once'
arena 0 tournament @greedy @first @random @random --rounds 4 \
	--rules scopa,players=3 --deals 1 --run tables --quiet
run "$SCOPA_ARENA" sprt --records tables/records.scopa --bot greedy \
	--base first --json
expect_err 'had played in other blocks are no new evidence .*: 4$'
expect_json 'd["n"] == 4'
run "$SCOPA_ARENA" sprt --records tables/records.scopa --bot greedy \
	--base first --model betting --json
expect_json 'd["n"] == 4'

scenario 'copies of one bot play differently, and are not ranked'
arena 0 tournament @random @random @random @random --rounds 30 --seed 7 \
	--deals 1 --run copies --json
expect_json 'sum(b["rank_low"] == 1 and b["rank_high"] == 4
	for b in d["ranking"]) >= 3' \
	'any(e["margin"]["value"] != 0 for e in d["encounters"])'
# Each seat of each game has a seed of its own, even with the same packs.
sed -n 's/^match .* seeds=\([^ ]*\).*/\1/p' copies/records.scopa |
	tr , '\n' >seeds
[ "$(wc -l <seeds)" -eq 720 ] || fail 'seeds are missing'
[ -z "$(sort seeds | uniq -d)" ] || fail 'two seats have one seed'

scenario 'seeds of seats can be reproduced and verified'
run "$SCOPA_ARENA" tournament @random @random @random @random --rounds 30 \
	--seed 7 --deals 1 --run same --quiet
sed -n 's/^match .* seeds=\([^ ]*\).*/\1/p' same/records.scopa |
	tr , '\n' >seeds2
expect_same seeds seeds2
run "$SCOPA_ARENA" record verify --fair copies
grep -q '180 blocks, 360 games' "$out" ||
	fail 'the seeds are not those of the secret'

finish
