# Goal: `check` passes a bot that keeps the protocol, and finds each defect by
# the step that is meant for it.
. "$SRC/tests/e2e/lib.sh"

export PYTHONPATH=$SRC/bots/python PYTHONDONTWRITEBYTECODE=1
defects=$SRC/tests/e2e/defects.py

# The bots import the kit, so they run without a sandbox.
cat >check <<END
#!/bin/bash
exec '$SCOPA_ARENA' check --bot "python3 $defects \$1" \
	'env.PYTHONPATH=$PYTHONPATH' --sandbox off --tc move:2 \
	--startup-ms 5000 "\${@:2}"
END
chmod +x check

scenario 'a bot without a defect passes every step, and the next command can be copied'
cp "$SRC/bots/sh/bot.sh" "$SRC/bots/sh/scopa_bot.sh" .
mv bot.sh 'my bot.sh'
arena 0 check '"./my bot.sh" x' --sandbox off
expect_out '^check .*, up to level 3, sandbox unboxed$'
steps=$("$SCOPA_ARENA" check --list | wc -l)
expect grep -qF "in $steps steps" "$SRC/docs/guide.md"
expect_lines "$steps" '^ *[0-9]+  [0-3]  ok ' "$out"
expect_out "^result .*: level 3 is reached; $steps steps passed, 0 failed$"
expect_out '^next    .* match .* @greedy --rounds 20$'
eval "set -- $(sed -n 's/^next *//p' "$out")"
expect [ "$3" = '"./my bot.sh" x' ]

scenario 'the list of the steps is a JSON document with --json'
arena 0 check --list --json --level 0
expect_json 'd["steps"][0] == {"number": 1, "level": 0, "name": "start",
    "sentence": d["steps"][0]["sentence"]}' \
	'all(step["level"] == 0 for step in d["steps"])'

scenario 'each defect is found first by the step that is meant for it'
python3 "$defects" --list >all
# Some outputs are looked at below.
looked='bestmove|illegal|ready-again|needs-events|needs-legal|crashes'
grep -E "^($looked|fails-at-limit) " all |
	cat - <(few_or_all "$(awk 'NR % 9 == 0' all)" "$(cat all)") |
	sort -u >tried
# A check mostly waits.  That of `bestmove` goes on after its first failure.
# shellcheck disable=SC2016
xargs -P 4 -L 1 bash -c '
	[ "$0" = bestmove ] || first=--fail-fast
	./check "$0" $first >"$0.text"
	[ $? = 1 ] || echo "$0: no step has failed"
	found=$(awk "\$3 == \"FAILED\" { print \$4; exit }" "$0.text")
	[ "$found" = "$1" ] || echo "$0: $1 was to find it, not ${found:-any}"
' <tried >wrong
expect [ ! -s wrong ]
[ ! -s wrong ] || sed 's/^/# /' wrong

scenario 'the first failure is explained, with the conversation'
# Expects that the check of a defect has printed these lines.
expect_check() { # DEFECT EXPRESSION...
	expect_match "$1" "$1.text" "${@:2}"
}
expect_check bestmove '^ *[0-9]+  0  FAILED +first-move ' \
	'^    expected: it plays on without an offence$' \
	'^    hint    : answer "go turn=ID' '^ +[0-9.]+ ms  arena  legal ' \
	'^ +[0-9.]+ ms  bot    bestmove ' \
	'no level is reached; .*; later steps were not run$'
expect_lines 1 'the last lines, with the time' bestmove.text
expect_check illegal '^    found   : illegal move \(duplicate\)$'
# The last lines of the conversation no longer contain the wrong line.
expect_check ready-again 'FAILED +match ' \
	'refused, the last with: error unexpected # not now: "readyok"$' \
	'^    hint    : say a line once, when it is due'
expect_check needs-events '^    hint    : take everything from .* says "feature state=0"$'
expect_lines 1 '^ *stderr  : ValueError: a bug$' crashes.text
expect_check crashes \
	'; [0-9]+ steps passed, 1 failed; later steps were not run$'
expect_check fails-at-limit \
	'^    expected: it plays on .* after setoption weight-of-coins=100$'
expect_check needs-legal 'level 1 is reached; .* 1 failed' \
	'^next    protocol.md, levels of a bot; .--level 1. checks'

scenario 'the JSON output has the failure'
expect_run 1 ./check bestmove --json --fail-fast
expect_json 'd["name"] == "defective" and d["level"] == -1' \
	'd["failed"] == 1 and [(s["name"], "offence" in s["expected"], any(
	line["side"] == "said" and line["text"].startswith("bestmove ")
	for line in s["transcript"])) for s in d["steps"]
	if s["outcome"] == "failed"] == [("first-move", True, True)]'

scenario 'a bot may decline rules with an error'
# This bot does not wait for the end of the game: it still answers.
# shellcheck disable=SC2016 # for the bot
shell_bot declines answer \
	'rules) case $rest in *declare=ask*) echo error feature ;; esac ;;'
arena 0 check ./declines --level 1
expect_out '^ 44  0  skipped  cirulla .*the bot said .error feature.'
expect_out 'level 1 is reached; [0-9]+ steps passed, 0 failed, [0-9]+ skipped$'
arena 4 ask ./declines --state 'rules=cirulla seats=2 teams=AB target=51 you=1 hand=2B4CKC deal=1 dealer=2 turn=1 table=4S5D6DKD hands=1:3,2:3 deck=30 pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=- declared=A:0,B:0 matta=- opening=0'
expect_err '^error: bot "./declines" sent .error feature.: it does not play these rules$'

scenario 'a program that is no bot gets a verdict, too'
mkdir folder
refuses 'is a directory' check folder
refuses 'is a directory' check .
refuses 'nothing.py' check ./nothing.py
echo 'this is no program' >text
chmod +x text
arena 1 check ./text --startup-ms 1000
expect_out '^    found   : could not be started \(ENOEXEC\)'
expect_out 'no level is reached; 0 steps passed, 1 failed'
# A bot with a wrong handshake fails one step, with the hint that a match gives.
expect_hint() { # TEXT STEP HINT
	program scripted 'read -r usp' "printf '$1'" 'exec sleep 9'
	arena 1 check ./scripted --startup-ms 1000
	expect_out "^  *[0-9]  0  FAILED +$2 " "^    hint    : $3" \
		'; [0-3] steps? passed, 1 failed; later steps were not run$'
}
expect_hint 'id name=caf\303\251\n' uspok 'a line has bytes .* byte 12 is another'
expect_hint '\357\273\277id name=x\n' uspok 'its output begins with a byte order mark'
expect_hint 'id name=x\nuciok\n' uspok 'that is a line of UCI'
expect_hint "id name=$(printf %4096s "" | tr ' ' x)\n" uspok 'a line has at most 4096 bytes'
expect_hint 'id name=x\nuspok 1' uspok 'the last of its stdout, "uspok 1", has no line end'
# For a bot that gives up no missing line is reported, and no incomplete line.
printf '#!/bin/sh\nprintf "id name=x\\nerror fatal # no\\nuspok 1\\n"\n' >scripted
arena 1 check ./scripted --startup-ms 1000
expect_out '^    received: error fatal # no$'
expect_no_out '^    (missing|hint) '
# Before the arena kills the bot it closes the bot's stdin, as in a match.
printf '#!/bin/sh\nexec sed "s/^usp.*/id name=x\\nuspok 1/"\n' >scripted
arena 1 check ./scripted --startup-ms 1000
expect_out '^    hint    : it answered only when its input was closed: .* flush'
expect_out ' ms  bot    uspok 1$'
printf '#!/bin/sh\nread -r usp\nexec >&-\nexec sleep 9\n' >scripted
arena 1 check ./scripted --startup-ms 1000
expect_out ' ms +its stdout is closed$'
printf '#!/bin/sh\nexec sed -u "s/^usp.*/%s/;t;s/^isready/readyok/;t;d"\n' \
	'id name=x\\nfeature flies=1\\nuspok 1' >scripted
arena 1 check ./scripted --fail-fast
expect_out '^    found   : 1 line or word was refused, the last with: error feature # '
expect_out '^    hint    : write the line as in protocol\.md, .* has skipped it'
printf '#!/bin/sh\nexec sed -u "s/^usp.*/%s/;t;s/^isready/readyok/;t;d"\n' \
	'id name=my bot\nuspok 1' >scripted
arena 1 check ./scripted --fail-fast
expect_out '^    found   : 1 line or word was refused, .* # skipped "bot"$'
expect_out '^    hint    : a value and a move are one word each: .* %20$'

# A bot that hangs without output, one that floods, and a fork bomb.
program hangs 'exec sleep 1000'
program floods 'exec yes'
# shellcheck disable=SC2016
program forks 'while sleep 0.1; do "$0" & done'
for bot in hangs floods forks; do
	arena 1 check ./$bot --startup-ms 1000
	expect_out 'no level is reached'
	expect_no_children
done

scenario 'a bot that fails between two games starts again, but not in check'
# A bot that exits after each game fails the step of the second game.  In other
# games a new process takes its place, whether the arena has noticed its exit
# before it asks the bot whether it is ready, or notices it only after that.
for delay in 0 0.3; do
	shell_bot leaves answer "endmatch) sleep $delay; exit 0 ;;"
	arena 1 check ./leaves --fail-fast
	expect_out '^ *[0-9]+  0  FAILED +match ' \
		'^    hint    : exit only after "quit" '
	for ends in 'exit 0' 'echo error fatal' 'yes | head -n 100' \
		'printf "caf\303\n"'; do
		shell_bot leaves answer "endmatch) sleep $delay; $ends ;;"
		arena 0 match ./leaves @greedy --deals 1 --rounds 3
		expect_lines 3 '^game [1-3] .* after 1 deal$' "$out"
	done
done
# A new process that does not start loses the game.
exits_again='[ ! -e played ] || exit 3'
for start in "usp) $exits_again; printf 'id name=once\nuspok 1\n' ;;" \
	"isready) $exits_again; echo readyok ;;"; do
	rm -f played
	shell_bot starts_once answer "$start endmatch) : >played; sleep 0.3; exit 0 ;;"
	arena 4 match ./starts_once @greedy --deals 1 --rounds 2 --sandbox off
	expect_out '^game 1 .* after 1 deal$'
	expect_err 'exited with status 3 before it was ready \(HS_EXIT\(3\)\)'
done

scenario 'a failure of the machine is an error, and no failure of the bot'
# The supervisor is killed, at the first start or at a later one.
for start in 1 2; do
	rm -f starts
	shell_bot bereaved answer "usp)
		echo >>starts
		[ \$(wc -l <starts) -lt $start ] || kill -s KILL \$PPID
		printf 'id name=x\\nuspok 1\\n' ;;"
	RUN_SECONDS=60 arena 5 check ./bereaved --sandbox off
	expect_err '^error: the machine refused: Owner died$'
	expect_no_out FAILED
	expect_no_children
done

scenario 'the built-in bots are of level 1, and --level limits the steps'
steps=$("$SCOPA_ARENA" check --list | awk '$2 < 2' | wc -l)
# A sanitized bot cannot look for leaks in a sandbox.
arena 0 check --bot @random env.ASAN_OPTIONS=detect_leaks=0 --level 1 --quiet
expect_out "^result  @random, random: level 1 is reached; $steps steps passed, 0 failed"
finish
