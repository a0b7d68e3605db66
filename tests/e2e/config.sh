# Goal: a configuration file and the command line have the same words, the
# command line overrides the file, and a run can be played again from its own
# configuration, from any folder.
. "$SRC/tests/e2e/lib.sh"

# A bot that writes its arguments to a file, then plays as a built-in bot.
# shellcheck disable=SC2016 # for the bot
program 'my bot' 'printf "%s\n" "$@" >>"$KEEP"' "exec '$SCOPA_ARENA' bot first"

cat >cup.ini <<'END'
# One file for the three commands.
[match]
rules = scopa
rounds = 2
deals = 1
seed = 2a

[tournament]
rules = scopone
format = gauntlet
rounds = 3
deals = 1
seed = 2b

[gate]
rounds = 5

[sprt]
elo1 = 7

[each]
tc = move:5

[bot greedy one]
cmd = @greedy

[bot other]
cmd = './my bot' "a ; b" # c
args = -v
END
echo "env.KEEP = $PWD/kept" >>cup.ini

bare_scenario 'a match is played from a file'
arena 0 match --config cup.ini --record r.scopa
expect_out '^scopa, 2 seats AB, 1 deal, time move:5s$' '^seed 0{62}2a$' \
	'^result .*greedy one'
expect_lines 2 '^match m' r.scopa

bare_scenario 'the bot gets signs and blanks of its command unchanged'
printf '%s\n' 'a ; b' '#' c -v >expected
expect_same expected kept

bare_scenario 'the command line overrides the file'
arena 0 match --config cup.ini --rounds 1 --quiet --record f.scopa @first \
	@random
expect_out 'result .*first.*random'
expect_lines 1 '^match m' f.scopa

bare_scenario '--tc overrides tc of all bots in a file, but not of the command line'
printf '[match]\ndeals = 1\nrounds = 1\n' >time.ini
printf '[each]\ntc = move:5\n[bot]\ncmd = @first\n' >>time.ini
printf 'st = 5\n[bot]\ncmd = @random\ntc = move:5\n' >>time.ini
arena 0 match --config time.ini
expect_out ', time move:5s$'
arena 0 match --tc move:3 --config time.ini
expect_out ', time move:3s$'
arena 0 match --config time.ini --each tc=move:2 --tc move:3 @first @random
expect_out ', time move:2s$'

bare_scenario 'a run is played from a file, and again from its own configuration'
mkdir elsewhere
arena 0 tournament --config cup.ini @random --bot cmd='"./my bot"' name=mine \
	"env.KEEP=$PWD/kept" --run one --name cup
expect grep -Fqx 'format = gauntlet' one/config.ini
expect grep -Fqx 'tc = move:5s' one/config.ini
expect grep -Fqx '[bot mine]' one/config.ini
expect grep -Fqx "dir = $PWD" one/config.ini
expect grep -Fqx 'name = cup' one/config.ini
cd elsewhere || exit 5
arena 0 tournament --config ../one/config.ini --run two
cd .. || exit 5
expect_same_games one elsewhere/two 's/ (commit|secret)=[^ ]*//'
expect_lines 6 '^match ' one/records.scopa
grep -v '^dir' one/config.ini >one.ini
grep -v '^dir' elsewhere/two/config.ini >two.ini
expect_same one.ini two.ini

bare_scenario 'a run whose config.ini could not be read again is refused'
long=$(printf 'x%.0s' $(seq 100000))
bots=()
for _ in $(seq 11); do bots+=(--bot @first "env.LONG=$long"); done
arena 2 tournament "${bots[@]}" --rounds 1 --run large
expect_error 'configuration of this run needs 11[0-9]{5} bytes'
expect_no_file large

scenario 'config.ini of a gate contains its drawn seed and its length'
run "$SCOPA_ARENA" gate @random @first --games 8 --run gate --quiet
expect grep -Eqx 'seed = [0-9a-f]{64}' gate/config.ini
expect grep -Fqx 'rounds = 4' gate/config.ini
expect grep -Fqx 'deals = 1' gate/config.ini
run "$SCOPA_ARENA" gate --config gate/config.ini --run again --quiet
expect_same_games gate again 's/ (commit|secret)=[^ ]*//'

scenario 'a gate accepts the options of other arenas'
arena 0 gate -engine cmd=@greedy name=new -engine cmd=@random name=old \
	-each tc=10+0.1 -rounds 400 -repeat -concurrency 2 -srand 1 -recover \
	-sprt elo0=0 elo1=50 alpha=0.05 beta=0.05 model=normalized \
	-ratinginterval 100 -log file=gate.log level=info --run other
expect_out 'new' 'normalized'
expect_file gate.log
expect grep -Fqx 'model = normalized' other/config.ini
expect grep -Fqx "file = $PWD/gate.log" other/config.ini

scenario 'log options of other arenas are refused with a reason'
refuses '--log realtime is not accepted' gate @greedy @random -log file=x.log \
	realtime=true
refuses '--log engine is not accepted' tournament @greedy @random -log \
	file=x.log engine=true
expect_err '^  hint    : write --trace'
refuses '-quick is not accepted' gate -quick cmd=./a cmd=./b

while IFS='|' read -r name expression text; do
	scenario "refused in a file: $name"
	printf '%b' "$text" >bad.ini
	refuses "bad.ini:$expression" match --config bad.ini
	expect_err '^  (hint|try) +: '
done <<'END'
unknown section|1: unknown section|[metch]\n
bad value of a bot|2: tc 40/60: times for a number|[bot]\ntc = 40/60\n
standard output as a file|2: record: a file is needed|[match]\nrecord = -\n
END

# Mistakes that are found only when all options have been read.
while IFS='|' read -r name error wheres text; do
	bare_scenario "an error names the lines of the file: $name"
	printf '%b' "$text" >bad.ini
	refuses "$error" match --config bad.ini
	sed -n 's/^  where   : //p' "$err" | paste -sd ' ' >found
	echo "$wheres" >expected
	expect_same expected found
done <<'END'
unknown rules|unknown preset "scoppa"|bad.ini:3: rules=scoppa|[match]\n\nrules = scoppa\n[bot]\ncmd=@first\n[bot]\ncmd=@first\n
rules by another name|unknown preset "scoppa"|bad.ini:2: variant=scoppa|[match]\nvariant = scoppa\n
seats and teams|teams=ABAB is for 4 players|bad.ini:2: rules=scopa bad.ini:3: seats=3 bad.ini:4: teams=ABAB|[match]\nrules = scopa\nseats = 3\nteams = ABAB\n
the last value counts|teams must be|bad.ini:3: teams=ABBA|[match]\nteams = AB\nteams = ABBA\n
seats for other bots|2 bots for a game of 3 seats|bad.ini:2: seats=3|[match]\nseats = 3\n[bot]\ncmd=@first\n[bot]\ncmd=@first\n
options that exclude each other|--deals and --target exclude|bad.ini:3: deals=3 bad.ini:2: target=5|[match]\ntarget = 5\ndeals = 3\n[tournament]\ndeals = 4\n
missing bot|./nowhere does not exist|bad.ini:4: cmd=./nowhere|[bot a]\ncmd = @first\n[bot b]\ncmd = ./nowhere\n
bot without a program|--bot needs cmd=|bad.ini:3: [bot b]|[bot a]\ncmd = @first\n[bot b]\ndir = .\n
name for each|--each name=all|bad.ini:3: [each]|[bot a]\ncmd = @first\n[each]\nname = all\n[bot b]\ncmd=@first\n
END

bare_scenario 'for a value of the command line the error names no line of the file'
printf '[match]\nrules = scoppa\ndeals = 3\n' >bad.ini
run "$SCOPA_ARENA" match --config bad.ini --rules scopone --target 5 @first
expect_error '--deals and --target exclude each other'
expect_err 'where *: bad.ini:3: deals=3$'
expect_no_err 'bad.ini:2'
run "$SCOPA_ARENA" match --config bad.ini -variant scoppone @first
expect_error 'unknown preset "scoppone"'
expect_no_err 'bad.ini'
pack_of '' >p.txt
printf '[gate]\npacks = old.txt\n' >bad.ini
printf '[packs]\nfile = old.txt\n' >section.ini
for packs in p.txt file=p.txt; do
	refuses 'packs: a gate needs games of --deals' gate --config bad.ini \
		@greedy @random --packs "$packs" --target 5
	expect_no_err 'bad.ini'
	refuses 'packs: a gate needs games of --deals' gate \
		--config section.ini @greedy @random --packs "$packs" --target 5
	expect_no_err 'section.ini'
done

scenario 'the error names a missing file'
refuses '"nowhere.ini": No such file' match --config nowhere.ini

scenario 'help does not read the file'
arena 0 match --config nowhere.ini --help
expect_out '--config FILE'

scenario 'no process is left'
expect_no_children
finish
