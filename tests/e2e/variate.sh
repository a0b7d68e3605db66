# Goal: if margins still contain luck of the deal, reports show the margins
# corrected for it beside the plain ones, and otherwise only the plain ones.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

title='^points per deal, and corrected for what the deal alone is worth'

# A second bot that is only a little weaker.
weak='cmd=@greedy name=weak option.blunder=20'

play() { # RUN ARGUMENT...
	local folder=$1
	shift
	# shellcheck disable=SC2086
	arena 0 tournament --full --bot cmd=@greedy --bot $weak --seed 7 \
		--run "$folder" "$@"
}

# Expects these of a run's report.
expect_status() { # RUN EXPRESSION...
	arena 0 status "$1" --json
	expect_json "${@:2}"
}

expect_rows() { # RUN COUNT
	expect_status "$1" "len(d['variates']) == $2"
}

scenario 'games without duplicates have both margins'
play once --rules scopa --deals 1 --rounds 400 --no-duplicate
expect_out "$title" '^greedy .* 400  *@greedy$' '^weak .* 400  *@greedy$'
expect_status once '[v["name"] for v in d["variates"]] == ["greedy", "weak"]' \
	'all(v["reference"] == "@greedy" and v["blocks"] == 400
	for v in d["variates"])' \
	'all(v["variance_ratio"] > 4 and 0.8 < v["coefficient"] < 1.2
	for v in d["variates"])' \
	'all(2 * (v["corrected"]["high"] - v["corrected"]["low"]) <
	v["plain"]["high"] - v["plain"]["low"] for v in d["variates"])'

scenario 'the plain margin is the same as in the ranking'
expect_status once 'all(v["plain"] == bot[v["name"]]["points"]
	for v in d["variates"])'

scenario 'status shows the same margins as the end of the run'
play shown --rules scopa --deals 1 --rounds 40 --no-duplicate
sed -n "/$title/,/^\$/p" "$out" >end
arena 0 status --full shown
sed -n "/$title/,/^\$/p" "$out" >later
expect grep -q '@greedy$' end
expect_same end later

scenario 'duplicates with a fixed number of deals have no corrected margin'
play whole --rules scopa --deals 2 --rounds 20
expect_no_out "$title"
expect_rows whole 0

scenario 'duplicates to a target have both margins, as their games differ in length'
play target --rules scopa --target 21 --rounds 40
expect_out "$title"
expect_rows target 2
expect_json 'all(v["variance_ratio"] > 1 for v in d["variates"])'

scenario 'a gate has both margins, and judges by the plain one'
arena 0 gate @greedy @random --rounds 60 --no-duplicate --seed 7 --run gate --full
expect_out "$title"
expect_rows gate 2

scenario 'packs from a file have no corrected margin'
awk '/^pack / && n++ < 40 {
	for (i = 1; i <= NF; i++) if (sub(/^cards=/, "", $i)) print $i
}' once/records.scopa >packs.txt
play packs --rules scopa --deals 1 --rounds 40 --no-duplicate \
	--packs packs.txt
expect_no_out "$title"
expect_rows packs 0

scenario 'with a damaged record only this estimate is missing'
cp -r shown broken
sed -i '0,/^deal 1 /s//dael 1 /' broken/records.scopa
arena 0 status broken
arena 5 status --full broken
expect_out '^ranking by points per deal'
expect_no_out "$title"
expect_err '^error: the records "broken/records.scopa", line [0-9]+: '
expect_err 'lost .*luck of the deal'
arena 5 status broken --json
expect_json 'd["variates"] == [] and len(d["ranking"]) == 2'

scenario 'status --quiet does not read the records'
arena 0 status broken --quiet
expect_err_empty

scenario 'a record of another game gives no estimate'
cp -r shown other
sed -i '0,/^match m2 /s//match m3 /' other/records.scopa
arena 5 status --full other
expect_err 'this is not the next game'

finish
