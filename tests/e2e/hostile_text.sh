# Goal: no text of a bot (name, info, standard error, reason of a loss) becomes
# an element of a page, a formula of a spreadsheet, a cell or link of Markdown,
# or an escape sequence of a terminal.
. "$SRC/tests/e2e/lib.sh"

# The control characters, and the marks that reverse text, as raw UTF-8.
steering=$(printf '[\x01-\x08\x0b-\x1f\x7f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xc2[\x80-\x9f]')

# Lines may end in CR LF, as in CSV.
expect_no_controls() { # FILE
	! sed 's/\r$//' "$1" | LC_ALL=C grep -qaE "$steering" ||
		fail "$1 contains control characters"
}

meet=$(few_or_all '--format gauntlet --rounds 1' '--rounds 3')

scenario 'a tournament of bots with hostile texts is played to its end'
bots=()
for i in 0 1 2 3 4 5 6 7; do
	bots+=(--bot "$SRC/tests/e2e/hostile_bot.py $i")
done
# shellcheck disable=SC2086 # split into words
arena 0 tournament "${bots[@]}" --deals 1 $meet --run run
expect_no_controls "$out"
expect_no_controls "$err"
expect_line '^offence ' run/records.scopa

scenario 'terminal output has no control characters'
for words in status 'status --full'; do
	# shellcheck disable=SC2086 # split into words
	arena 0 $words run
	expect_out '<script>canary=1</script>'
	expect_no_controls "$out"
done

scenario 'terminal output of a check has no control characters'
for i in 5 6; do
	arena 1 check "$SRC/tests/e2e/hostile_bot.py $i"
	expect_no_controls "$out"
done

scenario 'JSON: the document can be parsed'
arena 0 report run --json
expect_no_controls "$out"
expect_json '"<script>canary=1</script>" in bot'

scenario 'CSV: no field is a formula'
arena 0 report run --format csv -o run.csv
expect_no_controls run.csv
expect python3 - run.csv <<'END'
import csv, re, sys
for row in csv.reader(open(sys.argv[1], newline="")):
    for field in row:
        if re.match(r"\s*[=+\-@]", field):
            float(field)
END

scenario 'Markdown: each name is the text of one cell'
arena 0 report run --format md -o run.md
expect_no_controls run.md
expect python3 - run.md <<'END'
import re, sys
width = 0
for line in open(sys.argv[1]):
    line = re.sub(r"\\.", "", line)  # escaped signs
    line = re.sub(r"(`+).*?\1", "code", line)
    assert not re.search(r"<\w|<[/!]|\]\(", line), line
    if line.startswith("|"):
        assert width in (0, line.count("|")), line
        width = line.count("|")
    else:
        width = 0
END

scenario 'HTML: no text becomes an element or an attribute'
arena 0 report run -o run.html
expect_no_controls run.html
expect python3 - run.html <<'END'
import html.parser, sys

class Page(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        assert tag not in ("img", "iframe", "object", "embed", "base"), tag
        for name, value in attributes:
            assert not name.startswith("on") and name != "style", (tag, name)
            assert not (value or "").strip().lower().startswith("javascript:")
        self.inside = tag

    def handle_data(self, data):
        if self.inside == "script":
            assert "<script" not in data and "</script" not in data, data
            assert not data.lstrip().startswith("canary"), data

page = Page(convert_charrefs=True)
page.inside = ""
page.feed(open(sys.argv[1], encoding="utf-8").read())
END
expect_line '&lt;script&gt;canary=1&lt;/script&gt;' run.html

finish
