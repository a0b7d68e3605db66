# Goal: version and help show a new user what the program is, what it can do and
# what to try next; a mistyped command is refused with the right exit status.
. "$SRC/tests/e2e/lib.sh"

scenario 'version names the program, the protocol and the record'
arena 0 version
expect_out '^scopa-arena [0-9]+\.[0-9]+\.[0-9]+$' 'USP/1' '^record *: 1$'
expect_err_empty

scenario 'version as JSON is one document with the same number'
number=$("$SCOPA_ARENA" version | awk 'NR == 1 { print $2 }')
arena 0 version --json
expect_json "d['version'] == '$number'"

scenario 'help lists every command, and each has its own help'
arena 0 help
expect_err_empty
expect_out '^usage: scopa-arena COMMAND' '^  version +[A-Z]'
commands=$(grep -E '^  [a-z]+( [a-z]+)? {2,}[A-Z]' "$out" |
	sed -E 's/^  ([a-z]+( [a-z]+)?) .*/\1/')
expect test "$(wc -l <<<"$commands")" -ge 4
while IFS= read -r command; do
	# A command may be two words.
	# shellcheck disable=SC2086
	arena 0 $command --help
	expect_out "^usage: scopa-arena $command"
	by_option=$(cat "$out")
	# shellcheck disable=SC2086
	arena 0 help $command
	expect test "$(cat "$out")" = "$by_option"
done <<<"$commands"

scenario 'help has the limits that errors name'
while IFS='|' read -r command option limits; do
	refuses "$limits" "$command" "$option" -1
	arena 0 help "$command"
	tr -s ' \n' ' ' <"$out" >words
	expect_line " $option [^-]*$limits" words
done <<'END'
match|--memory|16M to 1T
match|--scratch|64K to 1T
match|--thinkers|1 to 1024
match|--seed|1 to 64 hex digits
perft|--seed|1 to 64 hex digits
gate|--shard|up to 256
resume|--shard|up to 256
sprt|--alpha|0 to 0.5
END

scenario 'the manual page has no errors and names every command'
arena 0 help --man
expect_out '^\.Dt SCOPA-ARENA 1$'
while IFS= read -r command; do
	expect_out "${command##* }"
done <<<"$commands"
if command -v mandoc >/dev/null; then
	cp "$out" page.1
	expect_run 0 mandoc -T lint -W error page.1
fi

scenario 'without a command the program prints what to try, and exits with 2'
arena 2
expect_out_empty
expect_err 'usage: scopa-arena' 'scopa-arena help'

scenario 'an unknown command is refused with the next command to try'
refuses 'xyzzy' xyzzy
expect_err '^  try     : /.*/scopa-arena help$'

scenario 'a mistyped command is refused, and the nearest one is named'
refuses 'verzion' verzion
expect_err 'did you mean.*version'
refuses 'unknown command "verify"' verify games.scopa
expect_err '^  hint    : did you mean "record verify"\?$'
refuses 'unknown command "export"' export
expect_err '^  hint    : did you mean "record export"\?$'
refuses 'unknown command "compare"' compare runs/a runs/b
expect_err '^  hint    : did you mean "report --compare"\?$'

scenario 'an unknown option is refused, and the nearest one is named'
refuses '--jsom' version --jsom
expect_err 'did you mean.*--json'

scenario 'an additional argument is refused'
refuses 'please' version please

scenario '- is refused as a file to write'
for words in 'match @first @random --record' 'match @first @random --trace' \
	'tournament @first @random --report' 'tournament @first @random --log' \
	'tournament @first @random --events' 'analyse --out' 'play --record'; do
	for value in =- ' -'; do
		# The words are split.
		# shellcheck disable=SC2086
		refuses "${words##* }.*: (a file is needed|expects a file)" \
			$words$value
	done
	expect_no_file -
done

scenario 'a full disk and a closed output are reported as errors'
# shellcheck disable=SC2034 # for lib.sh
refuses_output() { # REDIRECTION
	status=0
	eval '"$SCOPA_ARENA" help 2>"$err"' "$1" || status=$?
	: >"$out"
	ran="$SCOPA_ARENA help $1"
	expect_exit 5
	expect_error 'could not be written'
}
[ ! -w /dev/full ] || refuses_output '>/dev/full'
refuses_output '>&-'

finish
