# Goal: --trace shows every line between the arena and its bots, and does not
# change the games.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

# shellcheck disable=SC2034 # for lib.sh
level=$(level_of)

# Prints the lines of a text trace for the bot of a seat, with one of these
# marks.
lines_of() { # FILE SEAT MARKS
	sed -nE "s/^(m[0-9]+|-) +$2 .{14} +[0-9.]+ ($3) //p" "$1"
}

# Expects that every line of a text trace is whole.
expect_whole() { # FILE
	! grep -vE '^# |^(m[0-9]+|-) +[1-6] .{14,} +[0-9]+\.[0-9]{3} (->|-x|<-|!!|##) ' \
		"$1" >"$out.torn" ||
		fail "not a line of a trace: $(head -n 1 "$out.torn")"
}

# A bot that writes its input and output to the files `read` and `said`.
python_bot mirror <<'END'
sys.stderr.write('ready to go\n')
send = print

def print(*words, **options):
    with open('said', 'a') as said:
        send(*words, file=said, **options)
    send(*words, **options)

def hear(line):
    with open('read', 'a') as read:
        read.write(line)
    if line == 'quit\n':
        sys.exit(3)
END

bare_scenario 'a trace has each line that the bot reads and writes'
arena 0 match ./mirror @greedy --deals 1 --seed 5 --trace wire.log
expect_whole wire.log
lines_of wire.log 1 '->' | cmp - read || fail 'the trace lacks lines that the bot has read'
lines_of wire.log 1 '<-' | cmp - said || fail 'the trace lacks lines that the bot has written'
expect_line '^m1 +1 \./mirror +[0-9.]+ ## started$' wire.log
expect_line '^m1 +1 \./mirror +[0-9.]+ !! ready to go$' wire.log
expect_line '^m1 +1 \./mirror +0\.000 -> go turn=' wire.log
expect_line '^m1 +1 \./mirror +[0-9.]+ ## exited with status 3$' wire.log
expect_line '^m1 +2 @greedy +0\.000 -> usp 1 ' wire.log
expect_line '^m1 +2 @greedy +[0-9.]+ <- uspok 1$' wire.log
expect_line '^m1 +2 @greedy +[0-9.]+ ## exited with status 0$' wire.log

scenario 'games are the same with a trace and without'
for trace in off text jsonl; do
	record_match "$trace.scopa" @greedy @first --rounds 3 --seed 7 \
		"--trace=$trace"
	expect_same_games "$trace.scopa" off.scopa
done

scenario 'without a file the trace goes to stderr, and the result to stdout'
arena 0 match @greedy @first --deals 1 --seed 5
cp "$out" plain
expect_err_empty
arena 0 match @greedy @first --deals 1 --seed 5 --trace
expect_err '^m1 +1 @greedy +[0-9.]+ <- move '
expect_no_out '^m1 ' '^# trace'
diff <(grep -Ev '^(time|next)' plain) <(grep -Ev '^(time|next)' "$out") >/dev/null ||
	fail 'the result differs'

scenario 'a trace does not wait for a lock of a device'
python3 -c 'import fcntl, time
fcntl.lockf(open("/dev/null"), fcntl.LOCK_SH)
open("locked", "w").close()
time.sleep(60)' &
holder=$!
until [ -e locked ]; do sleep 0.02; done
arena 0 match @greedy @first --deals 1 --quiet --trace=/dev/null
kill "$holder"

scenario 'a word after --trace is its file only if it cannot be a bot'
arena 0 match --trace @greedy @first --deals 1 --quiet
expect_err '^m1 +2 @first +[0-9.]+ <- move '
arena 2 match @greedy @first --trace wire
expect_err '^  hint    : a file of --trace is named by --trace=wire$'
arena 2 match @greedy @first --trace off
expect_err '^  hint    : a form of --trace is named by --trace=off$'
arena 0 match --trace lines.txt @greedy @first --deals 1 --quiet
expect_err_empty
expect_line ' <- move ' lines.txt
arena 0 match @greedy @first --deals 1 --quiet --trace=any.name
expect_err_empty
expect_line ' <- move ' any.name
refuses 'expects a file, or "text", "jsonl" or "off"' match @greedy @first \
	--trace=
printf '[match]\ntrace = kept.log\n' >match.ini
arena 0 match --config match.ini @greedy @first --deals 1 --quiet
expect_line ' <- move ' kept.log
before=$(wc -l <kept.log)
arena 0 match --config match.ini @greedy @first --deals 1 --quiet --trace=off
[ "$(wc -l <kept.log)" -eq "$before" ] || fail 'there is a trace with --trace=off'

# Bots that write wrong lines and bytes, which the trace must escape.
# shellcheck disable=SC2016 # for the bots
shell_bot wrong '
		exec 0<&-
		printf "trace\033[2Jback \\\\x41 \303\250\n\nlast" >&2
		case ${0##*/} in
		half) printf "move %s" "$move" && exit 1 ;;
		long) printf "%05000d\nmove %s\n" 0 "$move" ;;
		foul) printf "gr\303\274n \033[31m \\\\x41 \"\n" ;;
		flood) seq -f "chatter %g" 0 99 ;;
		esac
		exec sleep 5'
for name in half long foul flood mute; do cp wrong "$name"; done

scenario 'wrong lines and bytes are in the trace, escaped'
for name in half long foul flood mute; do
	run "$SCOPA_ARENA" match "./$name" @greedy --deals 1 --seed 5 --quiet \
		--tc move:0.5 --trace "$name.log"
	run "$SCOPA_ARENA" match "./$name" @greedy --deals 1 --seed 5 --quiet \
		--tc move:0.5 --trace "$name.jsonl"
	expect_whole "$name.log"
	expect_no_line $'[^\t -~]' "$name.log"
	expect_no_line $'[^\t -~]' "$name.jsonl"
	expect_line ' !! trace\\x1B\[2Jback \\x41 \\xC3\\xA8$' "$name.log"
	expect_line ' !! $' "$name.log"
	expect_line ' !! last$' "$name.log"
	python3 -IS - "$name.jsonl" <<'END' || fail "lines of $name.jsonl are wrong"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert rows[0]["v"] == 1 and rows[0]["tool"].startswith("scopa-arena/")
for row in rows[1:]:
    assert set(row) == {"match", "seat", "bot", "ms", "dir", "line"}, row
    assert row["match"] == "m1" and row["seat"] in (1, 2)
    assert row["ms"] >= 0
mine = [row for row in rows[1:] if row["seat"] == 1]
said = [row["line"].encode("latin-1") for row in mine if row["dir"] == "stderr"]
assert said == [b"trace\x1b[2Jback \\x41 \xc3\xa8", b"", b"last"], said
END
done
expect_line ' <- move AD$' half.log
expect_line ' ## ended in the middle of this line, which is not used$' half.log
expect_line ' ## exited with status 1$' half.log
expect_line ' <- 0{4096}$' long.log
expect_line ' ## wrote a line of more than 4096 bytes: its rest is dro' long.log
expect_line ' <- move AD$' long.log
expect_line ' <- gr\\xC3\\xBCn \\x1B\[31m \\x41 "$' foul.log
expect_line '"gr\\u00c3\\u00bcn \\u001b\[31m \\\\x41 \\""' foul.jsonl
expect_line ' ## wrote more than 64 lines or 64 KiB' flood.log
expect_line ' -x endmatch m1 ' mute.log

scenario 'the trace of a run with four workers is in its folder'
arena 0 tournament @greedy @first @random --rounds 20 --deals 1 --run cup \
	--concurrency 4 --trace --quiet
expect_whole cup/trace.log
games=$(grep -c '^match ' cup/records.scopa)
expect_lines "$((2 * games))" ' -> endmatch ' cup/trace.log
expect_lines "$(grep -c '^play ' cup/records.scopa)" ' <- move ' cup/trace.log
python3 -IS - cup <<'END' || fail 'the moves differ from those of the records'
import re, sys
plays, match = {}, None
for line in open(sys.argv[1] + "/records.scopa"):
    words = line.split()
    if words and words[0] == "match":
        match = words[1]
    if words and words[0] == "play":
        plays.setdefault((match, words[1]), []).append(words[2])
moves = {}
for line in open(sys.argv[1] + "/trace.log"):
    found = re.match(r"(m\d+) +(\d) \S+ +[\d.]+ <- move (\S+)", line)
    if found:
        moves.setdefault(found.group(1, 2), []).append(found[3])
assert plays and plays == moves
END

scenario 'a gate has a trace, and resume can begin one'
arena 3 gate @greedy @greedy --rounds 2 --deals 1 --run gate --trace=jsonl \
	--quiet
expect_line '"match":"m1","seat":1,"bot":"greedy"' gate/trace.jsonl
arena 0 tournament @greedy @first --rounds 2 --deals 1 --run later --announce \
	--quiet
expect_no_file later/trace.log
arena 0 resume later --trace --quiet
expect_line '^m1 +1 greedy ' later/trace.log
expect_no_line '^trace' later/config.ini

scenario 'a named trace has the check of the bots before a run, too'
arena 0 tournament @greedy @first --rounds 1 --deals 1 --run named --quiet \
	--trace named.jsonl
expect_line '"match":null,"seat":1,"bot":"@greedy",.*"line":"usp 1' named.jsonl
expect_line '"match":"m1","seat":1,"bot":"greedy",.*"line":"usp 1' named.jsonl
program deaf 'read -r line' 'echo hello' 'exit 4'
arena 4 tournament @greedy ./deaf --rounds 1 --run never --trace start.log
expect_no_file never
expect_line '^- +1 \./deaf +[0-9.]+ <- hello$' start.log
expect_line '^- +1 \./deaf +[0-9.]+ ## exited with status 4$' start.log

scenario 'a trace that cannot be written is an error before the first game'
mkdir folder
for file in /nonexistent/wire.log folder /dev/full; do
	arena 5 match @greedy @first --record "games.scopa" "--trace=$file"
	expect_error "trace file \"$file\": "
	expect_no_file games.scopa
	arena 5 tournament @greedy @first --rounds 1 --run lost "--trace=$file"
	expect_error "trace file \"$file\": "
	expect_no_file lost
done
expect_err 'hint *: make room on the disk$'

scenario 'a full disk cuts the trace short, and stops no game'
record_match whole.scopa @greedy @first --rounds 20 --seed 3 --concurrency 2
arena 0 match @greedy @first --rounds 20 --seed 3 --json
cp "$out" whole.json
# The limit counts blocks of 1024 bytes.
(
	ulimit -f 100
	exec "$SCOPA_ARENA" match @greedy @first --rounds 20 --seed 3 --json \
		--concurrency 2 --trace full.log
) >"$out" 2>"$err"
# shellcheck disable=SC2034 # for lib.sh
status=$?
expect_exit 0
expect_err '^warning: the trace full\.log lacks its end: File too large; '
expect_lines 1 ' warn +the trace ends here: File too large$' "$err"
expect_json 'd["end"] == "done" and d["games_played"] == 20' \
	"[g['scores'] for g in d['games']] ==
	[g['scores'] for g in json.load(open('whole.json'))['games']]"
expect [ "$(wc -c <full.log)" -le 102400 ]

if sandboxed_or_skip 'a bot cannot read a trace'; then
	shell_bot spy 'cat ./wire.log other/trace.log >&2; answer'
	mkdir other
	printf '[tournament]\n' >other/config.ini
	: >other/results.db
	echo 'm1 1 other -> secret' >other/trace.log
	rm -f wire.log
	arena 0 match ./spy @greedy --deals 1 --trace wire.log
	expect_line ' !! cat: ' wire.log
	expect_no_line ' !! (m1|.*secret)' wire.log
	run "$SCOPA_ARENA" match ./spy @greedy --deals 1 --trace=text
	sh -c '"$0" match ./spy @greedy --deals 1 --trace 2>wire.log' \
		"$SCOPA_ARENA" >"$out"
	expect_line ' !! cat: ' wire.log
	expect_no_line ' !! (m1|.*secret)' wire.log
fi

finish
