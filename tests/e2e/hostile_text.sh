# Goal: no text of a bot (name, info, standard error, reason of a loss) becomes
# an element of a page, a formula of a spreadsheet, a cell or link of Markdown,
# controls a terminal or reverses text.
. "$SRC/tests/e2e/lib.sh"

# The control characters, and the marks that reverse text, as raw UTF-8.
steering=$(printf '[\x01-\x08\x0b-\x1f\x7f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]')
steering+=$(printf '|\xe2\x81[\xa6-\xa9]|\xc2[\x80-\x9f]')

# Lines may end in CR LF, as in CSV.
expect_no_controls() { # FILE...
	local file
	for file; do
		! sed 's/\r$//' "$file" | LC_ALL=C grep -qaE "$steering" ||
			fail "$file contains control characters after: $ran"
	done
}

# Writes a bot that reports the name, escaped as in protocol.md.
named_bot() { # FILE NAME
	shell_bot "$1" "echo 'info value=0.5 # $2'; answer" \
		"usp) echo 'id name=$2'; echo 'uspok 1' ;;"
}

hostile=$SRC/tests/e2e/hostile_bot.py
meet=$(few_or_all '--format gauntlet --rounds 1' '--rounds 3')

scenario 'a tournament of bots with hostile texts is played to its end'
bots=()
for i in 0 1 2 3 4 5 6 7; do
	bots+=(--bot "$hostile $i")
done
# shellcheck disable=SC2086 # split into words
arena 0 tournament "${bots[@]}" --deals 1 $meet --run run
expect_no_controls "$out" "$err"
expect_line '^offence ' run/records.scopa

scenario 'no command that reads the run or its records prints control characters'
# Records from other programs may contain any text.
sed 's/^\(seat 1 .*name=\)[^ ]*/\1%E2%80%AEx/; s/^tag /tag x=%E2%80%AE /' \
	run/records.scopa | "$SCOPA_ARENA" record derive - >strange.scopa 2>"$err"
expect_line 'name=%e2%80%aex' strange.scopa
for words in status 'status --full' 'status --json' 'record show' 'record verify' \
	'record export --csv' 'record export --jsonl' \
	'record export --jsonl --events' rate 'rate --json'; do
	# shellcheck disable=SC2086 # split into words
	arena 0 $words run
	case $words in
	*verify) ;;
	*json*) expect_out '"<script>canary=1</script>"' ;;
	*) expect_out '<script>canary=1</script>' ;;
	esac
	expect_no_controls "$out" "$err"
	case $words in status*) continue ;; esac
	# shellcheck disable=SC2086 # split into words
	run "$SCOPA_ARENA" $words strange.scopa
	expect_no_controls "$out" "$err"
done

scenario 'no command that plays prints control characters'
for words in '' --json '--rounds 2' '--rounds 2 --json'; do
	# shellcheck disable=SC2086 # split into words
	arena 0 match "$hostile 5" @first --deals 1 $words
	expect_no_controls "$out" "$err"
done
program quitter 'echo id name=%1b[31mred%0aname' \
	"printf '\\033[31mstderr\\n' >&2" 'exit 1'
arena 4 match ./quitter @first --deals 1
expect_no_controls "$err"
name=$(printf 'a\xe2\x80\xaeb')
arena 0 tournament --dry-run --bot cmd=@first name="$name" --bot @random
expect_no_controls "$out" "$err"
arena 2 match --bot cmd=@first name="$name" option.x=1 --bot @random
expect_no_controls "$err"

scenario 'terminal output of a check has no control characters'
for i in 5 6; do
	arena 1 check "$hostile $i"
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

scenario 'a name that looks like a formula is only text in CSV, and numbers are numbers'
while IFS='|' read -r name field; do
	named_bot ./caller "$name"
	rm -f games.scopa
	arena 0 match --rules scopa --deals 1 --seed 3 --quiet --bot ./caller \
		--bot @first --record games.scopa
	arena 0 record export --csv games.scopa
	grep -qF -e ",A,$field," "$out" || fail "this field is missing: $field"
	! grep -qE '(^|,)"?[=@]' "$out" || fail 'a field begins a formula'
	! grep -qE '(^|,)"?[+-][^0-9]' "$out" || fail 'a field begins a formula'
done <<'END'
=1+1|'=1+1
%3D2*3|'=2*3
-2%2B3|'-2+3
%2BA1|'+A1
@SUM(1)|'@SUM(1)
%20=1| '=1
a;=1|"a;'=1"
%09=1|\x09=1
=HYPERLINK("x")|"'=HYPERLINK(""x"")"
END

scenario 'equal names of the maximum length are made different'
long=$(printf 'x%.0s' {1..58})-base
run timeout 60 "$SCOPA_ARENA" gate --bot cmd=@first "name=$long" \
	--base cmd=@first "name=$long" --rounds 1 --run equal --quiet
expect_exit 3
expect grep -Fqx "[bot $long]" equal/config.ini
expect grep -Fqx "[base ${long%se}-3]" equal/config.ini

scenario 'columns of numbers in CSV contain only numbers'
run "$SCOPA_ARENA" match --rules cirulla --deals 30 --seed 3 --quiet \
	@random @first --record deals.scopa
arena 0 record export --csv deals.scopa
[ "$(wc -l <"$out")" -eq 61 ] || fail 'a row for each deal and team was expected'
# The last seven columns are the origin of a row, and columns 6 and 7 its team.
! sed 1d "$out" | sed -E 's/(,[^,]*){7}$//' | cut -d, -f3-5,8- |
	grep -qvE '^(-?[0-9]*,)*-?[0-9]*$' ||
	fail 'a column of numbers contains text'

finish
