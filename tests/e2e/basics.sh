# Goal: whoever meets the program first is told what it is, what it can do and
# what to try next; a mistyped command is refused with the right exit status.
. "$SRC/tests/e2e/lib.sh"

scenario 'version names the program, the protocol and the record'
run "$SCOPA_ARENA" version
expect_exit 0
expect_out '^scopa-arena [0-9]+\.[0-9]+\.[0-9]+$'
expect_out 'USP/1'
expect_out '^record *: 1$'
expect_err_empty

scenario 'version as JSON is one document with the same number'
number=$("$SCOPA_ARENA" version | awk 'NR == 1 { print $2 }')
run "$SCOPA_ARENA" version --json
expect_exit 0
expect python3 -c 'import json, sys
sys.exit(json.load(open(sys.argv[1]))["version"] != sys.argv[2])' "$out" "$number"

scenario 'help lists every command, and each has its own help'
run "$SCOPA_ARENA" help
expect_exit 0
expect_err_empty
expect_out '^usage: scopa-arena COMMAND'
expect_out '^  version +[A-Z]'
commands=$(grep -E '^  [a-z]+( [a-z]+)? {2,}[A-Z]' "$out" |
	sed -E 's/^  ([a-z]+( [a-z]+)?) .*/\1/')
expect test "$(wc -l <<<"$commands")" -ge 4
while IFS= read -r command; do
	# A command may be two words.
	# shellcheck disable=SC2086
	run "$SCOPA_ARENA" $command --help
	expect_exit 0
	expect_out "^usage: scopa-arena $command"
	by_option=$(cat "$out")
	# shellcheck disable=SC2086
	run "$SCOPA_ARENA" help $command
	expect_exit 0
	expect test "$(cat "$out")" = "$by_option"
done <<<"$commands"

scenario 'the manual page has no errors and names every command'
run "$SCOPA_ARENA" help --man
expect_exit 0
expect_out '^\.Dt SCOPA-ARENA 1$'
while IFS= read -r command; do
	expect_out "${command##* }"
done <<<"$commands"
if command -v mandoc >/dev/null; then
	cp "$out" page.1
	run mandoc -T lint -W error page.1
	expect_exit 0
fi

scenario 'no command at all is a mistake in usage that says what to try'
run "$SCOPA_ARENA"
expect_exit 2
expect_out_empty
expect_err 'usage: scopa-arena'
expect_err 'scopa-arena help'

scenario 'an unknown command is refused with the next command to try'
run "$SCOPA_ARENA" xyzzy
expect_exit 2
expect_error 'xyzzy'
expect_err '^  try     : /.*/scopa-arena help$'

scenario 'a mistyped command is told the nearest one'
run "$SCOPA_ARENA" verzion
expect_exit 2
expect_error 'verzion'
expect_err 'did you mean.*version'

scenario 'an unknown option is refused and told the nearest one'
run "$SCOPA_ARENA" version --jsom
expect_exit 2
expect_error '--jsom'
expect_err 'did you mean.*--json'

scenario 'an argument too many is refused'
run "$SCOPA_ARENA" version please
expect_exit 2
expect_error 'please'

scenario 'a full disk is reported and not taken for success'
if [ -w /dev/full ]; then
	status=0
	"$SCOPA_ARENA" help >/dev/full 2>"$err" || status=$?
	: >"$out"
	ran="$SCOPA_ARENA help >/dev/full"
	expect_exit 5
	expect_error ''
fi

finish
