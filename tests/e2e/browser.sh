# Goal: the pages work in a real Chromium: report, replay, live view, and the
# page of a person who plays.
# Release: it tests pages, no memory errors
# Full: it needs a browser: `make test-pages` runs it, and so does .ci/run.
#
# Needs Chromium, whole or (quicker) its headless shell, and `npm ci` in
# tests/browser.  Pictures of the pages are kept in the folder that BROWSER_SHOTS
# names.
. "$SRC/tests/e2e/lib.sh"

tests=$SRC/tests/browser
for name in chromium-headless-shell chromium; do
	: "${CHROMIUM:=$(command -v "$name")}"
done
export CHROMIUM
missing=
[ -x "$CHROMIUM" ] || missing='there is no Chromium'
[ -d "$tests/node_modules/playwright-core" ] ||
	missing='npm ci was not run in tests/browser'
if [ -n "$missing" ] && [ -z "${CI:-}" ]; then
	skip 'the pages work in a browser' "$missing"
	finish
fi

# Plays a run, and writes its page.
page_of() { # NAME COMMAND ARGUMENT...
	run "$SCOPA_ARENA" "${@:2}" --quiet --run "$1" --sandbox off
	[ -d "$1" ] || fail "there is no run: $1"
	arena 0 report "$1" -o "pages/$1.html"
}

scenario 'runs and their pages are made for the tests in the browser'
mkdir pages
# A bot that sends info lines, and one that crashes in some of its games.
# shellcheck disable=SC2016 # code of bots
shell_bot thinker \
	'echo "info value=0.25 depth=$turn_count m.worlds=$((turn_count * 8)) # hm"; answer'
# shellcheck disable=SC2016 # code of bots
shell_bot quitter \
	'[ $((turn_count % 150)) -ne 149 ] || { echo "no more" >&2; exit 3; }; answer'
page_of tournament tournament @greedy @first ./thinker ./quitter \
	--rounds "$(few_or_all 3 40)" --seed 7
"$SCOPA_ARENA" report tournament --json >pages/tournament.json
page_of gate gate @greedy @first --sprt elo0=0 elo1=50 --seed 7 --deals 1
page_of knockout tournament @greedy @first @random ./thinker ./quitter \
	--format knockout --rounds "$(few_or_all 1 2)" --deals 2 --seed 7
page_of teams tournament @greedy @first @random --rules scopone --rounds 2 \
	--deals 1 --seed 7
page_of three tournament @greedy @first @random --seats 3 --rounds 1 \
	--deals 1 --seed 7
many=()
for i in $(seq "$(few_or_all 14 100)"); do many+=(--bot cmd=@first "name=player-$i"); done
# shellcheck disable=SC2046 # words on purpose
page_of many tournament "${many[@]}" --deals 1 --seed 7 \
	$(few_or_all '--format swiss --stages 2 --rounds 1' '--rounds 1')
hostile=(--bot "cmd=$tests/../e2e/hostile_bot.py 0" 'name=<b>given</b>')
for i in 0 1 2 3 4 5 6 7; do
	hostile+=(--bot "$SRC/tests/e2e/hostile_bot.py $i")
done
page_of hostile tournament "${hostile[@]}" --format gauntlet --deals 1 \
	--rounds 1 --seed 5

# Writes the state lines that the bots of a match were sent.
for deal in 1 2; do
	for seat in 1 2; do
		"$SCOPA_ARENA" replay knockout/records.scopa --match m1 \
			--deal $deal --seat $seat --bot @first --lines
	done
done >states

mkdir runs
mv tournament hostile runs
# shellcheck disable=SC2016 # code of a bot
shell_bot slow 'sleep 0.05; answer'
end_scenario

# The scripts of tests/browser print TAP themselves.
node "$tests/all.mjs" || failed_count=$((failed_count + 1))

finish
