# Goal: `new` writes a bot that plays at once, by one command for each language,
# and never overwrites a file.
. "$SRC/tests/e2e/kits.bash"

languages=$("$SCOPA_ARENA" help new | tr -s ' \n' '  ' |
	sed -E 's/.*The programming language\. \(([^;]*);.*/\1/; s/,| or / /g')
default=$("$SCOPA_ARENA" help new | tr -s ' \n' '  ' |
	sed -E 's/.*; default ([a-z]*).*/\1/')

# Prints the program that a language needs.
tool_of() { # LANGUAGE
	case $1 in
	c) echo "${compiler[0]}" ;;
	go) echo go ;;
	java) echo javac ;;
	javascript) echo node ;;
	python) echo python3 ;;
	rust) echo cargo ;;
	sh) echo sh ;;
	esac
}

# Prints the commands that the last `new` has printed, one on each line.
commands() {
	sed -n '1,/  Next:$/d; s/^  //p' "$out"
}

export PYTHONDONTWRITEBYTECODE=1

# A bot plays the same without optimization, and builds in a fifth of the time.
CARGO_PROFILE_RELEASE_OPT_LEVEL=$(few_or_all 0 3)
export CARGO_PROFILE_RELEASE_OPT_LEVEL

scenario 'every language has a tool that this test knows'
expect [ -n "$default" ]
expect grep -qw "$default" <<<"$languages"
for language in $languages; do
	[ -n "$(tool_of "$language")" ] || fail "this test knows no tool for $language"
done

for language in $languages; do
	command -v "$(tool_of "$language")" >/dev/null || {
		skip "the bot in $language plays" "no $(tool_of "$language")"
		continue
	}
	scenario "the unchanged bot in $language plays, with the name of its folder"
	arena 0 new "first-$language" --lang "$language"
	expect_err_empty
	listed=$(sed -nE 's/^  (first-.*\/[^ ]*)$/\1/p' "$out")
	expect [ "$listed" = "$(find "first-$language" -type f -printf '%p\n' |
		sort | cat - <(echo "$listed") | awk 'seen[$0]++')" ]
	expect [ "$(wc -l <<<"$listed")" -eq \
		"$(find "first-$language" -type f | wc -l)" ]
	expect_line "^# first-$language\$" "first-$language/README.md"
	expect test -z "$(grep -rEl 'my-bot|@(language|source|kit|tests|bot|build|test)@' \
		"first-$language")"
	# Build and play do not depend on a sanitized arena.
	[ "${MODE:-}" != san ] || continue
	# The printed commands build, test and check the bot, and play.
	commands | grep -v -e ' check ' -e ' match ' | head -n -1 >build.sh
	bot=$(commands | sed -n 's/.* match \([^ ]*\) .*/\1/p')
	# The scripts kit_*.sh play the games of its test, too.
	expect_run 0 env SCOPA_ARENA="$(few_or_all '' "$SCOPA_ARENA")" sh -e build.sh
	arena 0 match "$bot" @random --rules cirulla --deals 1 --json
	expect_json "d['bots'][0]['name'] == 'first-$language'" \
		"not any(d['bots'][0]['offences'].values())"
done

scenario 'the printed commands work, also for a folder with special characters'
mkdir "it's"
arena 0 new "it's/a bot, my bot!/" --lang c
expect_out "^a-bot-my-bot, a bot in "
commands >paste.sh
expect grep -q "'it'" paste.sh
# With a sanitized arena one game is enough.
[ "${MODE:-}" != san ] || sed -i -E \
	'/ (check |test\))/d; s/ --rounds [0-9]+/ --deals 1/' paste.sh
expect_run 0 sh -e paste.sh
expect_out '^result  +a-bot-my-bot '

scenario 'the name of the bot is made from the name of the folder'
mkdir names
cd names || exit
while read -r folder name; do
	arena 0 new -- "$folder"
	expect_out "^$name, a bot in "
done <<'END'
plain plain
Bot_2.0-rc Bot_2.0-rc
.hidden hidden
-x x
--lang lang
@first first
ecarté ecart
a++b a-b
...- bot
a-b_- a-b
END
mkdir empty
(cd empty && "$SCOPA_ARENA" new .) >"$out" || fail 'no bot in an empty folder'
expect_out '^empty, a bot in '
expect_file empty/README.md
cd .. || exit

scenario 'init is another name of new'
arena 0 init other
expect_out '^other, a bot in Python:$'
expect_file other/bot.py
arena 0 init --help
expect_out 'init'

scenario 'no existing file is overwritten'
mkdir full
echo mine >full/mine
echo mine >file
ln -s nowhere dangling
refuses 'folder full is not empty: it has mine' new full
expect [ "$(ls full)" = mine ]
refuses 'file exists and is no folder' new file
expect [ "$(cat file)" = mine ]
refuses 'dangling exists and is no folder' new dangling
expect_no_file nowhere
arena 0 new twice
cp -r twice once
refuses 'folder twice is not empty' new twice
expect diff -r twice once

scenario 'a folder that cannot be created is named'
refuses 'no/such/bot cannot be created' new no/such/bot
expect_err 'hint +: there is no folder no/such'
refuses 'file/bot cannot be created: Not a directory' new file/bot
refuses 'the name of the folder is empty' new ''
refuses 'bytes that are no text: a.x0ab' new $'a\nb'
refuses 'cannot be created: File name too long' new "$(printf '%0300d' 1)"
refuses 'path of the folder has more than' new "$(printf '%02000d' 1)"
# Root opens every folder, so root needs fewer capabilities.
user=()
[ "$(id -u)" -ne 0 ] ||
	user=(setpriv '--bounding-set=-dac_override,-dac_read_search')
# shellcheck disable=SC2016 # The inner shell replaces them.
expect_run 5 "${user[@]}" sh -c 'umask 777; exec "$0" new masked' "$SCOPA_ARENA"
expect_error 'the folder masked cannot be opened: Permission denied'
expect_no_file masked
refuses 'arguments are missing' new
refuses 'one argument too many' new a b

scenario 'a folder that may not be written is named'
mkdir -m 555 closed
if [ -w closed ]; then
	# The user root may write everywhere.
	read -ra person <<<"$nobody"
	chmod 755 .
	expect_run 2 "${person[@]}" "$SCOPA_ARENA" new closed/bot
else
	arena 2 new closed/bot
fi
expect_error 'closed/bot cannot be created: Permission denied'
expect [ -z "$(ls closed)" ]

# The limit counts blocks of 1024 bytes, so that README.md is still written.
scenario 'after a failure the files that were written are removed'
mkdir was-there
for folder in new-one was-there; do
	expect_run 5 bash -c "trap '' XFSZ; ulimit -f 2; exec \"\$@\"" limited \
		"$SCOPA_ARENA" new "$folder" --lang rust
	expect_error "$folder/.* cannot be created: File too large"
done
expect_no_file new-one
expect [ -z "$(ls -A was-there)" ]

scenario 'an unknown language is refused, and the languages are listed'
refuses '--lang cobol: not one of' new bot --lang cobol
expect_err 'python, .*, sh$'
refuses '--lang pyton: not one of' new bot --lang pyton
expect_err 'did you mean "python"'
expect_no_file bot

finish
