# Goal: `report` shows the facts of the records of a run, in every format; it
# never changes the run, and text of bots is always escaped.
. "$SRC/tests/e2e/lib.sh"

# A bot that sends an info line for each move, and exits at its 45th.
# shellcheck disable=SC2016 # for the bot
shell_bot talker '
	echo "info m.a_key_of_more_than_31_bytes_is_left_out=1"
	echo "info depth=1 value=9 m.turn=$turn_count nodes=many # m.turn=0"
	echo "info depth=$turn_count value=-0.5 m.name_$turn_count=1 pv=$move"
	if [ "$turn_count" -gt 45 ]; then
		echo "stop | <b> @you" >&2
		exit 3
	fi
	answer'

# The facts of a record, counted by another program.
cat >facts.py <<'END'
"""facts.py RUN REPORT.json: prints what the report should say otherwise."""
import collections
import json
import sys

run, document = sys.argv[1:]
facts = json.load(open(document))["facts"]
seats, times = collections.Counter(), collections.Counter()
metrics, said = collections.defaultdict(list), {}
slow, faults, matches = [], {}, set()


def numbers_end():
    for key, value in said.items():
        try:
            metrics[key, asked, at + 1].append(float(value))
        except ValueError:
            pass
    said.clear()


for line in open(f"{run}/records.scopa"):
    verb, *words = line.split("#")[0].split()
    pairs = dict(word.split("=", 1) for word in words if "=" in word)
    if verb == "info":
        said.update((key, value) for key, value in pairs.items()
                    if key in ("depth", "nodes", "value", "time")
                    or key.startswith("m."))
        continue
    numbers_end()
    if verb == "match":
        match, names, teams = words[0], {}, {}
        matches.add(match)
    elif verb == "seat":
        names[words[0]], teams[words[0]] = pairs["name"], pairs["team"]
    elif verb == "deal":
        deal, first, play = int(words[0]), int(pairs["first"]), 0
        plays, points = collections.Counter(), {}
    elif verb == "play":
        play, seat = play + 1, words[0]
        asked, at = names[seat], plays[seat]
        plays[seat] += 1
        if "by" in pairs:
            continue
        us = round(float(pairs["t"]) * 1e6)
        slow.append((us, match, deal, play, asked))
        power = us.bit_length() - 1
        times[asked, 0 if us < 2 else
              2 * power + (us * us >= 2 ** (2 * power + 1))] += 1
    elif verb == "score":
        points[words[0]] = int(pairs["points"])
    elif verb == "enddeal":
        for seat, name in names.items():
            place = (int(seat) - first) % len(names) + 1
            own = points[teams[seat]]
            seats[name, place, "deals"] += 1
            seats[name, place, "points"] += own
            seats[name, place, "against"] += (
                sum(points.values()) - own) / (len(points) - 1)
    elif verb == "offence":
        faults[match] = (deal, play + 1, names[words[0]], pairs["reason"])


def expect(what, got, wanted):
    if got != wanted:
        print(f"{what}: {got} is not {wanted}")


def near(number):
    # Expected numbers are first rounded to six digits, like those of the report.
    return round(round(number, 6), 5)


expect("damaged", facts["records"][0]["damaged"], 0)
expect("seats",
       {(s["name"], s["place"]): (s["deals"], near(s["points"]),
                                  near(s["against"])) for s in facts["seats"]},
       {(name, place): (count, near(seats[name, place, "points"] / count),
                        near(seats[name, place, "against"] / count))
        for (name, place, what), count in seats.items() if what == "deals"})
expect("times", sorted((t["name"], near(t["ms_low"]), t["count"])
                       for t in facts["times"]),
       sorted((name, near(round(2 ** (b / 2) / 1e3, 4)) if b else 0, count)
              for (name, b), count in times.items()))
slow.sort(key=lambda row: -row[0])
expect("slowest", [s["ms"] for s in facts["slowest"]],
       [row[0] / 1e3 for row in slow[:20]])
for s in facts["slowest"]:
    row = (round(s["ms"] * 1e3), s["match"], s["deal"], s["play"], s["name"])
    expect("a slow decision", row in slow, True)
keys = {m["key"] for m in facts["metrics"]}
expect("metrics", {(m["key"], m["name"], m["play"]): (m["count"],
                                                     near(m["mean"]))
                   for m in facts["metrics"]},
       {row: (len(values), near(sum(values) / len(values)))
        for row, values in metrics.items() if row[0] in keys})
expect("keys", len(keys), min(15, len({row[0] for row in metrics})))
expect("failures", {f["match"]: (f["deal"], f["play"], f["name"], f["reason"])
                    for f in facts["failures"]}, faults)
expect("games", {g["match"] for g in facts["games"]} - matches, set())
END

# Expects that the document of a run has the facts of its records.
expect_facts() { # RUN
	arena 0 report "$1" --json
	cp "$out" "$1.json"
	python3 facts.py "$1" "$1.json" >"$out.differ" 2>&1 || fail 'facts.py'
	[ ! -s "$out.differ" ] || fail "$(head -n 1 "$out.differ")"
}

bare_scenario 'a report has the facts of the records'
arena 0 tournament ./talker @greedy @first --rounds 3 --deals 3 --run cup \
	--seed 5 --quiet
expect_facts cup
expect_json 'd["facts"]["failures"] and d["facts"]["games"][0]["choice"] == "fault"' \
	'[l["line"] for l in d["facts"]["failure_log"]].count(
	"stderr  : stop | <b> @you") == len(d["facts"]["failures"]) > 0' \
	'sum(m["count"] for m in d["facts"]["margins"]) == 3 * 2 * 3' \
	'all(m["low"] < m["high"] for m in d["facts"]["margins"])' \
	'"core" in d["facts"]["records"][0]["machine"]' \
	'd["facts"]["records"][0]["metrics_left_out"] == "yes"'

scenario 'a report has the facts of teams, of three seats, and of moves by the arena'
arena 0 tournament @greedy @first --rules scopone --deals 2 --rounds 2 \
	--run teams --quiet
expect_facts teams
arena 0 tournament @greedy @first @random --rules scopa,players=3 --deals 2 \
	--rounds 2 --run three --quiet
expect_facts three
# shellcheck disable=SC2016 # for the bot
shell_bot wrong 'echo "move 7Dx7D $turn"'
SCOPA_ARENA=$bare_arena
arena 0 tournament ./wrong @first --deals 1 --rounds 2 --illegal substitute \
	--strikes 1000 --run substitute --quiet
arena 0 report substitute --json
expect_json 'not d["facts"]["failures"]' \
	'd["facts"]["games"][0]["choice"] == "fault"' \
	'{t["name"] for t in d["facts"]["times"]} == {"first"}'

scenario 'the curve of a test ends at the verdict'
arena 0 gate @greedy @first --run gate --quiet
arena 0 report gate --json
expect_json 'd["facts"]["llr"][-1]["blocks"] == d["totals"]["blocks"]' \
	'near(d["facts"]["llr"][-1]["llr"], d["gate"]["llr"])' \
	'{m["name"] for m in d["facts"]["margins"]} == {"greedy"}'
arena 0 report gate --format csv --table llr
expect_out '^blocks,llr.$' '^30,[0-9.]+.$'

scenario 'the page of two bots has the same Elo as the text'
elo=$("$SCOPA_ARENA" status gate | sed -n 's/^1  greedy .* \(+[0-9.]* +-[0-9.]*\)$/\1/p')
expect [ -n "$elo" ]
arena 0 report gate -o gate.html
sed -n '/id="standings"/,/<\/section>/p' gate.html >standings
expect grep -qF "${elo/+-/±}" standings
arena 0 report gate --format md
value=${elo%% *}
expect_out "^\\| 1 \\| greedy \\|.*\\| ${value#+} \\|"

scenario 'two reports of a run have the same bytes, and do not change the run'
sha256sum cup/* >before
for form in html json md csv; do
	arena 0 report cup --format "$form" -o "one.$form"
	expect_out "^one.$form\$"
	arena 0 report cup -o "two.$form"
	expect_same "one.$form" "two.$form"
	arena 0 report cup --format "$form" -o -
	expect_same "one.$form" "$out"
done
sha256sum cup/* | expect cmp -s - before

scenario 'without -o the page is written to the folder of the run'
arena 0 report cup
expect_out '^cup/report.html$'
expect_same one.html cup/report.html

scenario 'a run writes its report at its end'
arena 0 tournament @greedy @first --deals 1 --rounds 2 --run own --quiet \
	--report own.md
arena 0 report own -o again.md
expect_same own.md again.md

scenario 'text of bots is escaped in Markdown, CSV and HTML'
# shellcheck disable=SC2016 # not a command
arena 0 tournament --bot cmd=@greedy name='=1+1|`x`' --bot cmd=@first \
	name='[a](b) <i>@you' --deals 1 --rounds 2 --run names --quiet
arena 0 report names --format md
expect_no_out '[^|] ?`x|<i>|\[a|@you'
expect_out '^\| [12] \| =1\+1&#124;&#96;x&#96; \|'
arena 0 report names --format csv
expect_out "^[12],\"'=1\\+1\\|"
arena 0 report names --format html -o -
expect_no_out '<i>'

scenario 'commands quote the path, and blocks and bots that were left out are named'
shell_bot bad "echo \"move - \$turn\""
arena 0 tournament @first ./bad @random --rounds 8 --deals 1 --seed 3 \
	--illegal disqualify --concurrency 1 --run 'my cup' --quiet
arena 0 report 'my cup' -o -
expect_out 'tournament --config &#39;my cup/config.ini&#39;<' \
	'record verify --fair &#39;my cup&#39;<' \
	'replay &#39;my cup/records.scopa&#39; --match m[0-9]+ --deal 1 --bot BOT' \
	'of 24, skipped 1[0-9]<' 'illegal; suspended<'

scenario 'a damaged record is counted, and the rest is shown'
cp -r cup damaged
python3 - damaged/records.scopa <<'END'
import sys
path = sys.argv[1]
data = bytearray(open(path, "rb").read())
at = data.index(b"match m4 ") - len(b"sum lines=")
data[data.rindex(b"\nenddeal", 0, at) + 1] = ord("\n")
open(path, "wb").write(data)
END
arena 0 report damaged --json
expect_json 'd["facts"]["records"][0]["damaged"] == 1' \
	'd["totals"]["games"] == 18'
arena 0 report damaged -o damaged.html

scenario 'a run without a block, a running one and an interrupted one are reported'
arena 0 tournament @greedy @first --rounds 4 --run announced --announce --quiet
for form in html json md csv; do
	arena 0 report announced --format "$form" -o -
done
start "$SCOPA_ARENA" tournament @greedy @first --rounds 100000 --deals 1 \
	--run endless --quiet
await_results endless
arena 0 report endless -o live.html
expect_line '<html' live.html
end_by INT
expect_facts endless
expect_json 'd["run"]["state"] == "interrupted"'

scenario 'a failed write is an error that does not change the old file'
echo old >kept.html
refuses 'there is no run' report nothing
arena 5 report cup -o missing/page.html
expect_error 'missing/page.html'
arena 5 report cup -o cup
expect_error 'cup'
run bash -c 'trap "" XFSZ; ulimit -f 100; exec "$0" report cup -o kept.html' \
	"$SCOPA_ARENA"
expect_exit 5
expect_error 'kept.html.*File too large'
expect_line '^old$' kept.html

scenario 'no output takes the place of a file of a run'
sha256sum cup/* >before
ln -s cup/records.scopa linked
refuses '"cup/records.scopa" is a file of a run' report cup -o cup/records.scopa
refuses '"linked" is a file of a run' \
	record merge own/records.scopa -o linked
refuses '"cup/records.scopa" is a file of a run' \
	match @first @random --record cup/records.scopa
for option in report log events; do
	refuses '"cup/results.db" is a file of a run' tournament @first @random \
		--rounds 1 --run none "--$option" cup/results.db
	expect test ! -e none
done
refuses '"cup/config.ini" is a file of a run' resume cup --report cup/config.ini
rm linked
sha256sum cup/* | expect cmp -s - before

scenario 'a link to the standard output is not replaced'
ln -s /proc/self/fd/1 link
(exec >there && echo before && "$SCOPA_ARENA" report cup --json -o link && echo after)
expect_lines 1 '^before$' there
expect_lines 1 '^after$' there
expect_lines 1 '"format":"scopa-arena-report"' there
(exec >gone && rm gone && "$SCOPA_ARENA" report cup -o link)
expect [ -L link ]

scenario 'a link to a file that does not exist is followed'
mkdir -p links/pages
ln -s pages/next links/first
ln -s page.html links/pages/next
arena 0 report cup -o links/first
expect [ -L links/first ]
expect [ -L links/pages/next ]
expect_line '<html' links/pages/page.html
ln -s nowhere/page.html links/wrong
arena 5 report cup -o links/wrong
expect_error 'links/wrong.*: No such file or directory'
ln -s round links/round
arena 5 report cup -o links/round
expect_error 'links/round.*: Too many levels of symbolic links'

scenario '--table is refused with a wrong name or format'
refuses '--table none: not one of auto, ranking, ' \
	report cup --format csv --table none
refuses '--table is of a run' report cup --table seats
expect_err 'hint *: add --format csv or --format md$'

scenario 'options that contradict each other are refused'
refuses '--json and --format exclude each other' \
	report cup --json --format html
arena 0 report cup --json --format json
refuses '--quiet and --full exclude each other' status cup --quiet --full
refuses '--quiet and --pairs exclude each other' status cup --quiet --pairs
refuses '--quiet and --full exclude each other' resume cup --quiet --full

finish
