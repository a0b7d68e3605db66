# Goal: `analyse` judges every play of a record, the same play always in the same
# way, and its sums are the sums of the plays.
. "$SRC/tests/e2e/lib.sh"

record_match games.scopa @greedy @random --rules scientifico --seed 7 --deals 2

scenario 'a deal is printed play by play, with sums for each bot'
arena 0 analyse games.scopa --deal 2 --iterations 400
expect_err '^analyse match m1, deal 2$'
expect_out '^Match m1: scientifico$' '^Deal 2$'
expect_no_out '^Deal 1$'
expect test "$(grep -c '^ *[0-9]*  [1-4] \(greedy\|random\) ' "$out")" -eq 40
expect_out '^greedy$' '^random$'
expect_lines 2 '^  all ' "$out"

scenario 'a number of iterations makes the analysis repeatable'
cp "$out" first
arena 0 analyse games.scopa --deal 2 --iterations 400 --quiet
expect_err_empty
expect_same "$out" first
arena 0 analyse games.scopa --deal 2 --iterations 400 --seed 2 --quiet
expect test "$(cat "$out")" != "$(cat first)"

scenario 'the JSON output is one document, and its sums are those of its plays'
arena 0 analyse games.scopa --iterations 400 --json --quiet
expect python3 -c '
import json, sys
document = json.load(open(sys.argv[1]))
assert document["format"] == "scopa-arena-analysis"
assert document["iterations"] == 400 and document["ms"] is None
deals = document["matches"][0]["deals"]
assert [deal["deal"] for deal in deals] == [1, 2]
plays = [play for deal in deals for play in deal["plays"]]
assert len(plays) == 80
marks = {"": (0, 0.5), "?": (0.5, 1.5), "??": (1.5, 99)}
for play in plays:
    if play["forced"]:
        assert play["play"] > 32 and "loss" not in play
        continue
    low, high = marks[play["mark"]]
    assert low - 0.001 <= play["loss"] <= high + 0.001
    assert (play["loss"] == 0) or play["best"] != play["move"]
    assert (play["exact"] is None) == (play["play"] < 25)
    if play["exact"] and play["exact"]["best"] == play["move"]:
        assert play["exact"]["loss"] == 0
for bot in document["bots"]:
    own = [play for play in plays if play["name"] == bot["name"]]
    assert bot["deals"] == 4 and bot["all"]["plays"] == len(own) == 40
    losses = sum(play.get("loss", 0) for play in own)
    assert abs(bot["all"]["loss"] - losses) < 0.05
    exact = [play["exact"]["loss"] for play in own if play.get("exact")]
    assert bot["all"]["exact_plays"] == len(exact)
    assert bot["all"]["exact_loss"] == sum(exact)
    for phase in ("opening", "middle", "ending"):
        assert bot[phase]["plays"] == sum(p["phase"] == phase for p in own)
' "$out"

scenario 'a single deal is judged in the same way as among others'
cp "$out" whole
arena 0 analyse games.scopa --deal 2 --iterations 400 --json --quiet
expect_json 'd["matches"][0]["deals"] ==
	json.load(open("whole"))["matches"][0]["deals"][1:]'

scenario 'the greedy bot loses less by its plays than the random one'
cp whole "$out"
expect_json 'bot["greedy"]["all"]["loss"] < bot["random"]["all"]["loss"]'

scenario 'a game for three and one with declarations are analysed, too'
record_match three.scopa @greedy @random @first --rules cirulla,players=3 \
	--seed 2 --deals 1
arena 0 analyse three.scopa --iterations 100 --exact 6 --quiet
expect_out '^first$'

scenario 'a fixed number of deals is not judged by a target'
for target in 5 9999; do
	record_match target.scopa @greedy @random --rules "scopa,target=$target" \
		--seed 2 --deals 1
	arena 0 analyse target.scopa --iterations 100 --exact 0 --quiet
	sed 1d "$out" >"losses$target"
	rm target.scopa
done
expect_same losses5 losses9999

bare_scenario 'plays that the arena made count for no bot'
# The third offence loses the game.
# shellcheck disable=SC2016 # for the bot
shell_bot slow 'echo "move 9Z $turn"'
run "$SCOPA_ARENA" match ./slow @greedy --deals 1 --illegal substitute \
	--quiet --record slow.scopa
arena 0 analyse slow.scopa --iterations 40 --quiet
expect_lines 2 'slow .*  by the arena$' "$out"
expect_lines 1 '^  all  *2 ' "$out"
expect_lines 1 '^  all  *0 ' "$out"

scenario 'solving of endings can be switched off'
arena 0 analyse games.scopa --deal 1 --iterations 100 --exact 0 --json --quiet
expect_json 'not any(play.get("exact") for play in
	d["matches"][0]["deals"][0]["plays"])'

scenario 'a time for each play can be given instead of iterations'
arena 0 analyse three.scopa --ms 2 --json --quiet
expect_json 'd["ms"] == 2 and d["iterations"] is None'
refuses '--ms and --iterations exclude each other' \
	analyse three.scopa --ms 2 --iterations 4

scenario 'plays of a run are saved, and each analysis appends its plays'
"$SCOPA_ARENA" tournament --bot cmd=@greedy --bot cmd=@random --rounds 1 \
	--deals 1 --seed 3 --run run --quiet >/dev/null 2>&1
arena 0 analyse run --match m1 --iterations 40 --json --quiet
expect python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open("run/analysis.tsv"), delimiter="\t"))
plays = json.load(open(sys.argv[1]))["matches"][0]["deals"][0]["plays"]
assert len(rows) == len(plays) == 36
for row, play in zip(rows, plays):
    assert row["match"] == "m1" and row["deal"] == "1"
    for key in ("play", "seat", "phase", "move"):
        assert row[key] == str(play[key])
    assert row["bot"] == play["name"]
    assert (row["by"] == "forced") == play["forced"]
    if not play["forced"]:
        assert float(row["loss"]) == play["loss"]
    exact = play.get("exact")
    assert row["exact_loss"] == (str(exact["loss"]) if exact else "-")
' "$out"
arena 0 analyse run --match m2 --iterations 40 --quiet
expect test "$(wc -l <run/analysis.tsv)" -eq 73
arena 0 analyse run --match m2 --iterations 40 --quiet --out other.tsv
expect test "$(wc -l <run/analysis.tsv) $(wc -l <other.tsv)" = '73 37'
# What a killed analysis has left of a row is cut off.
printf 'm2\t1\t9' >>run/analysis.tsv
arena 0 analyse run --match m2 --iterations 40 --quiet
expect test "$(awk -F'\t' 'NF == 14' run/analysis.tsv | wc -l)" -eq 109
# A table may be a pipe.
"$SCOPA_ARENA" analyse run --match m2 --iterations 40 --quiet --json \
	--out /dev/stderr 2>&1 >/dev/null | cat >piped.tsv
expect_same piped.tsv other.tsv
arena 5 analyse run --out nowhere/x
expect_error 'cannot write nowhere/x'
arena 5 analyse run --match m2 --iterations 4 --quiet --out /dev/full
expect_err '^error: cannot write /dev/full: No space left on device$'

scenario 'a run that cannot be written to is analysed, and a warning names --out'
person=
[ "$(id -u)" -ne 0 ] || person=$nobody
place=$(mktemp -d /tmp/scopa-closed-XXXXXX)
cp -R run "$place/run"
rm "$place/run/analysis.tsv"
chmod 755 "$place"
chmod -R a+rX "$place/run"
chmod 555 "$place/run"
# shellcheck disable=SC2086
expect_run 0 env -C / $person "$SCOPA_ARENA" analyse "$place/run" --match m2 \
	--iterations 4 --quiet
expect_out '^Match m2'
expect_err '^warning: the losses are not saved in ".*/run": Permission denied$' \
	'^  hint    : --out FILE'
expect_no_file "$place/run/analysis.tsv"
chmod 755 "$place/run"
rm -r "$place"

scenario 'if there is nothing to analyse, the error names the reason'
refuses 'cannot read none.scopa' analyse none.scopa --out none.tsv
rm run/analysis.tsv
arena 1 analyse run --match m99
expect_no_file none.tsv run/analysis.tsv
arena 1 analyse games.scopa --deal 3
expect_error 'nothing to analyse'
arena 1 analyse games.scopa --match m2 --json
expect_error 'no match has the id "m2"'
refuses 'exact .*0 to 24' analyse games.scopa --exact 30

finish
