# Goal: a match that cannot be played is refused before any bot starts, with one
# error that says what to do, and its own exit code.
. "$SRC/tests/e2e/lib.sh"

match() { # STATUS ARGUMENT...
	arena "$1" match "${@:2}"
}

# Expects exit status 2 and one error, with a hint.
expect_usage() { # EXPRESSION
	expect_exit 2
	expect_error "$1"
	expect_err '^  (hint|try) +: '
}

# A bot that would write a file if it were started.
program traced 'touch started'

pack=AS7DJS5DAB3CKSJD5B5C2B6D6C6S6B4S2D7S3SAC4CQD4DADKBJBKCJC7C3DQC4BKD2C2S7BQBQS3B5S
printf '%s\n' "$pack" "${pack%5S}7D" >double.packs
printf '# nothing\n\n' >none.packs
head -c 100 /dev/zero >zero.packs
scenario 'refused: a command that would be cut'
long=$(printf 'x%.0s' $(seq 5000))
match 2 "./traced $long END" @random
expect_usage 'the command is too long'
match 2 --bot cmd=./traced args="$long" --bot @random
expect_usage 'the command is too long'
expect_no_file started

scenario 'refused: a bot without a name'
match 2 '' @random
expect_usage '--bot: the value is empty'

while IFS='|' read -r name expression arguments; do
	bare_scenario "refused: $name"
	rm -f started
	# The arguments are split into words.
	# shellcheck disable=SC2086
	match 2 ./traced $arguments
	expect_usage "$expression"
	expect_no_file started
done <<'END'
unknown preset, with a near one|unknown preset "scoppa"; did you mean "scopa"|@random --rules scoppa
rules that contradict each other|contradicts|@random --rules scopa,hand=10
one seat|1 bot|
five seats|5 bots|@random @first @first @first
seven seats|[^ ]|@random @first @first @first @first @first
three bots for a game of four|players=3|@random @first --rules scopone
two bots for three seats|2 bots for a game of 3 seats|@random --seats 3
three bots for two parties of two|3 bots for a game of 4 seats|@random @first --teams ABAB
seats that do not fit the teams|contradicts|@random --seats 3 --teams ABAB
unknown layout of teams|teams must be|@random --teams ABBA
unknown built-in bot, with a near one|"@gredy"|@gredy
built-in bot without a name|"@"|@
missing bot|does not exist|./missing
bot in a missing folder|does not exist|./nowhere/bot
unknown command|"nosuchbot"|nosuchbot
empty name of a bot|.|""
name of a bot that is empty|name: the value is empty|--bot cmd=@random name=
name of a bot that is too long|a name has up to 63 bytes, and this one has 64|--bot cmd=@random name=1234567890123456789012345678901234567890123456789012345678901234
name of a bot that is too long in bytes|a name has up to 63 bytes, and this one has 64|--bot cmd=@random name=èèèèèèèèèèèèèèèèèèèèèèèèèèèèèèèè
arguments of a built-in bot|"@random": args=-v: a built-in bot takes no arguments|--bot cmd=@random args=-v
folder of a bot that is missing|"@random": dir=nowhere: No such file|--bot cmd=@random dir=nowhere
folder of a bot that is a file|"./traced": dir=traced: Not a directory|--bot cmd=./traced dir=traced
flag with a value that is neither yes nor no|--quiet|@random --quiet=loud
deals and target at once|exclude|@random --deals 3 --target 5
deals and most deals at once|exclude|@random --deals 3 --max-deals 5
most deals that are none|out of range|@random --max-deals 0
more most deals than there may be|out of range|@random --max-deals 10001
rules in which nothing counts|no point can be won|@random --rules scopa,items=none,scopa=0
rules in which nothing counts any more|no point can be won|@random --rules frac,frac=no
target of nothing|out of range|@random --target 0
target beyond the highest|out of range|@random --target 10000
no games at once|out of range|@random --concurrency 0
no rounds|out of range|@random --rounds 0
seed that is no hex|--seed|@random --seed xyz
seed that is too long|--seed|@random --seed 00000000000000000000000000000000000000000000000000000000000000000
unknown policy|--illegal|@random --illegal shrug
strikes that are none|out of range|@random --strikes 0
missing pack file|nowhere.packs|@random --packs nowhere.packs
fault in a pack file|double.packs.*line.2.*7D|@random --packs double.packs
pack file of no text|zero.packs.*line.1|@random --packs zero.packs
pack file without a pack|none.packs.*[^ ]|@random --packs none.packs
END

scenario 'a built-in bot without its @ gets a hint'
match 2 greedy @random
expect_error '"greedy": no folder of PATH has greedy'
expect_err '^  hint    : the built-in bot is called "@greedy"$'

scenario 'an interpreter and its script without quotes get a hint'
match 4 sh ./traced --startup-ms 500
expect_err '^  hint    : sh was started without arguments; .*: "sh FILE"$'
expect_no_err 'limits of its sandbox'
match 2 sh traced
expect_err '^  hint    : write \./traced .* with arguments needs quotes$'

scenario 'a command with words of a shell gets a hint'
match 4 'cat | ./traced' @first
expect_err '^  hint    : no shell runs the command, and \| is given to it'
# shellcheck disable=SC2088 # The tilde is not expanded.
match 2 '~/traced' @first
expect_err '^  hint    : no shell runs the command, and ~/traced is given'
match 4 'sh -c "exit 3; # | "' @first
expect_no_err 'no shell'

scenario 'source text as a bot gets a hint'
echo 'int main() {}' >bot.c
match 2 ./bot.c @first
expect_err '^  hint    : this is source text'

scenario 'an option of a bot without "option." gets a hint'
match 2 --bot ./bot greed=3 --bot @first
expect_err '^  hint    : an option that the bot declares .* option\.greed=VALUE$'

scenario 'for a bot that does not start only the error is printed'
program ends 'exit 3'
match 2 --bot cmd=@greedy option.blunder=abc @random
expect_err '^error: bot "greedy" does not take the option "blunder=abc"'
expect_no_out '^result|^seed'
match 4 ./ends @random --quiet
expect_error 'bot "ends" did not get ready to play'
expect_out_empty
match 4 ./ends @random --json
expect_out '"end":"stopped","games_played":0,'

scenario 'a folder that was removed is named'
mkdir gone
cd gone && rmdir ../gone || exit
match 2 ./bot @first
expect_usage 'bot "./bot": the folder in which this command was started does not exist any more'
refuses 'the folder bot cannot be created' new bot
expect_err 'hint +: the folder in which this command was started does not exist any more'
cd .. || exit

# Runs a shell script that may mount, in which $0 is the arena.
mounts_of_its_own=(unshare --user --map-root-user --mount)
"${mounts_of_its_own[@]}" mount -t tmpfs none /mnt 2>/dev/null ||
	mounts_of_its_own=()

if [ "${#mounts_of_its_own[@]}" -eq 0 ]; then
	skip 'a bot on a file system mounted noexec is named' 'no mounts'
else
	scenario 'a bot on a file system mounted noexec is named'
	mkdir noexec
	# shellcheck disable=SC2016 # $0 is for the inner shell
	run "${mounts_of_its_own[@]}" sh -c 'mount -t tmpfs -o noexec none noexec &&
		cp traced noexec && exec "$0" match noexec/traced @first' \
		"$SCOPA_ARENA"
	expect_usage 'bot "noexec/traced": .*is mounted noexec'
fi

without_proc='without /proc the error says to mount it, and reports can be written'
if [ "${#mounts_of_its_own[@]}" -eq 0 ]; then
	skip "$without_proc" 'no mounts'
elif [ "${MODE:-}" = san ]; then
	skip "$without_proc" 'LeakSanitizer needs /proc'
else
	scenario "$without_proc"
	arena 0 tournament @first @random --deals 1 --rounds 1 --run run
	# shellcheck disable=SC2016 # $0 is for the inner shell
	run "${mounts_of_its_own[@]}" sh -c 'mount -t tmpfs none /proc &&
		"$0" report run --out report.html && exec "$0" match @first @first' \
		"$SCOPA_ARENA"
	expect_exit 5
	expect_err '^  hint +: bots are started through /proc: mount it'
	expect grep -q '</html>' report.html
	expect [ -z "$(find . -name 'report.html?*')" ]
fi

scenario 'a match ends whose packs are redealt very often'
yes "AD${pack/AD/}" | head -n 6000 >many_packs.txt
match 2 @first @random --rules scopa,redeal=ace --packs many_packs.txt
expect_err '^error: the rules throw in every pack of the file, or 1,000 in a row$'

scenario 'a match whose packs are all redealt ends'
printf '%s\n' "KDKCKS7D$(printf '%s' "$pack" |
	sed 's/KD//; s/KC//; s/KS//; s/7D//')" >kings.packs
match 2 @first @random --packs kings.packs --record r.scopa
expect_err '^error: .*thrown? in|throw in'
expect_no_children

bare_scenario 'a record that cannot be written is refused before the first game'
mkdir -p locked
while read -r path; do
	rm -f started
	match 5 ./traced @random --record "$path"
	expect_error "record file \"$path\""
	expect_err '^  (hint|try) +: '
	expect_no_file started
done <<'END'
nowhere/games.scopa
locked
END

scenario 'a record is not appended to a file with another content'
echo 'print("a bot")' >bot.py
cp bot.py before.py
refuses 'record file "bot.py": there is something else in it' match @first \
	@random --record bot.py
expect cmp bot.py before.py

scenario 'a full disk is reported, and stored records stay whole'
if [ -c /dev/full ]; then
	match 5 @first @random --deals 1 --record /dev/full
	expect_err '^error: .*(space|ENOSPC|full)'
	expect_no_children
fi

scenario 'a file of records that cannot grow is named, and its games are counted'
match 0 @first @random --deals 1 --rounds 1 --seed 3 --record whole.scopa \
	--quiet
size=$(stat -c %s whole.scopa)
for at_once in 1 3; do
	rm -f part.scopa
	run prlimit --fsize=$((7 * size / 2)) "$SCOPA_ARENA" match @first \
		@random --deals 1 --rounds 40 --seed 3 --record part.scopa \
		--concurrency "$at_once" --json
	expect_exit 5
	expect_err '^error: record file "part.scopa": File too large$'
	expect_err 'hint *: raise ulimit -f; the result counts the games that the file has$'
	games=$(grep -c '^match ' part.scopa)
	expect [ "$games" -ge 2 ]
	expect [ "$games" -lt 40 ]
	expect_out "\"games_played\":$games,"
	arena 0 record verify --quiet part.scopa
	expect_out "^$games records: $games good"
done

scenario 'a limit of CPU time that the shell may raise ends no bot'
# shellcheck disable=SC2016 # the variables are the bot's.
shell_bot busy 'i=0; while [ $i -lt 120000 ]; do i=$((i + 1)); done; answer'
run prlimit --cpu=1:unlimited --stack=262144:unlimited "$SCOPA_ARENA" match \
	./busy @maestro --deals 1 --tc move:5
expect_exit 0
expect_no_out forfeit
expect_err_empty

scenario 'a limit of CPU time that cannot be raised is named'
run prlimit --cpu=60 "$SCOPA_ARENA" match @first @random --deals 1
expect_exit 0
expect_err '^cpu time limit: a bot that computes for 60 s in all is killed here'

scenario 'a machine that refuses something is named by the limit'
for limit in nofile=12:12/n fsize=1024:1024/f; do
	run prlimit "--${limit%/*}" "$SCOPA_ARENA" match @first @random
	expect_exit 5
	expect_err "hint *:.* raise ulimit -${limit#*/}"
done

scenario 'wrong files of packs are refused by the same rule'
mkdir -p folder
for path in . folder; do
	refuses "pack file \"$path\": Is a directory\$" match @first @random \
		--packs "$path"
done
refuses 'pack file "none.txt": No such file' match @first @random \
	--packs none.txt
refuses 'none.ini' match @first @random --config none.ini
refuses 'folder: Is a directory' rate --counts folder
refuses 'folder: Is a directory' record verify folder

scenario 'a closed stdout does not stop the games'
rm -f r.scopa
"$SCOPA_ARENA" match @first @random --rounds 30 --deals 1 --record r.scopa \
	2>"$err" | head -n 1 >"$out"
expect_lines 30 '^sum ' r.scopa
expect "$SCOPA_ARENA" record verify r.scopa >/dev/null

finish
