# Goal: no name of a bot runs a formula in a spreadsheet, controls a terminal or
# reverses text.
. "$SRC/tests/e2e/lib.sh"

# The marks of Unicode's bidirectional algorithm, as raw UTF-8.
marks=$(printf '\xd8\x9c|\xe2\x80\x8e|\xe2\x80\x8f|\xe2\x80\xaa|\xe2\x80\xab|')
marks+=$(printf '\xe2\x80\xac|\xe2\x80\xad|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x81\xa7|')
marks+=$(printf '\xe2\x81\xa8|\xe2\x81\xa9|\xc2\x9b')

# Writes a bot that reports the name, escaped as in protocol.md.
named_bot() { # FILE NAME
	shell_bot "$1" "echo 'info value=0.5 # $2'; answer" \
		"usp) echo 'id name=$2'; echo 'uspok 1' ;;"
}

scenario 'escapes in names and messages are never printed raw'
named_bot ./painted '%1b[31mred%0aname version=%07'
printf '#!/bin/sh\necho id name=%%1b[31mred%%0aname\n' >quitter
printf "printf '\\033[31mstderr\\n' >&2\nexit 1\n" >>quitter
chmod +x quitter
arena 4 match ./quitter @first --deals 1
expect_no_err $'\033'
for json in '' --json; do
	# shellcheck disable=SC2086 # None, or one.
	arena 0 match ./painted @first --deals 1 $json
	expect_no_out $'\033'
	expect_no_err $'\033'
done
expect_json 'd["games_played"] == 1'

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

scenario 'no command prints marks that reverse text raw'
named_bot ./turned 'a%E2%80%AEb%E2%81%A6%E2%80%8F%D8%9C%C2%9B'
rm -rf games.scopa run
expect_no_marks() { # COMMAND...
	arena 0 "$@"
	! LC_ALL=C grep -qE "$marks" "$out" "$err" || fail 'a mark was printed raw'
}
expect_no_marks match --deals 1 --bot ./turned --bot @first --record games.scopa
expect_no_marks match --deals 1 --bot ./turned --bot @first --json
expect_no_marks tournament --deals 1 --rounds 2 --run run ./turned @first
expect_no_marks status run
expect_no_marks status run --json
for file in games.scopa run/records.scopa; do
	expect_no_marks record show "$file"
	expect_no_marks record verify "$file"
	expect_no_marks record export --csv "$file"
	expect_no_marks record export --jsonl "$file"
	expect_no_marks record export --jsonl --events "$file"
	expect_no_marks rate "$file"
	expect_no_marks rate "$file" --json
done
name=$(printf 'a\xe2\x80\xaeb')
expect_no_marks tournament --dry-run --bot cmd=@first name="$name" --bot @random
arena 2 match --bot cmd=@first name="$name" option.x=1 --bot @random
! LC_ALL=C grep -qE "$marks" "$out" "$err" || fail 'a mark was printed raw'

# Records from other programs may contain any text.
sed 's/^\(seat 1 .*name=\)[^ ]*/\1%E2%80%AEx/; s/^tag /tag x=%E2%80%AE /' \
	games.scopa | "$SCOPA_ARENA" record derive - >strange.scopa 2>"$err" || true
for command in 'record show' 'record verify' 'record export --csv' \
	'record export --jsonl' 'record export --jsonl --events' 'rate'; do
	# shellcheck disable=SC2086
	run "$SCOPA_ARENA" $command strange.scopa
	! LC_ALL=C grep -qE "$marks" "$out" "$err" || fail 'a mark was printed raw'
done

finish
