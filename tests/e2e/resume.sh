# Goal: `resume` continues a run with its own configuration: some options may
# change, and a run whose configuration was changed is refused and not touched.
# Queue nobody: the processes of the user nobody are limited.
. "$SRC/tests/e2e/lib.sh"
without_sandbox

# Whether all games of a run were played.
is_over() { # RUN
	[ "$(grep -c '^sum ' "$1/records.scopa")" -eq 600 ]
}

# Begins a run, and stops it after its first block; again if it was over before
# that.
begin() { # RUN OPTION...
	until [ -e "$1" ] && ! is_over "$1"; do
		rm -rf "$1"
		start "$SCOPA_ARENA" tournament @greedy @random --rounds 300 \
			--deals 1 --concurrency 1 --run "$@"
		await_results "$1"
		end_by TERM
	done
}

# Resumes a run until it has played another block, and stops it; again if it was
# over before that.
play_block() { # RUN
	local games
	games=$(grep -c '^sum ' "$1/records.scopa")
	rm -rf begun
	mv "$1" begun
	until [ -e "$1" ] && ! is_over "$1"; do
		rm -rf "$1"
		cp -r begun "$1"
		start "$SCOPA_ARENA" resume "$1" --concurrency 1 --quiet
		await "$1/records.scopa" '^sum ' $((games + 1))
		end_by TERM
	done
}

# Expects that `resume`, `status` and `report` refuse the run for this change of
# its configuration, and do not touch it.
expect_refused() { # SED-SCRIPT BEGAN NOW
	rm -rf changed
	cp -r drawn changed
	sed -i "$1" changed/config.ini
	# The records are not cut off: db rebuild may still need them.
	echo 'begin' >>changed/records.scopa
	cp changed/records.scopa records.before
	for command in resume status report; do
		refuses 'configuration "changed/config.ini" has changed since' \
			$command changed
		expect_err "began *: $2\$" "now *: $3\$"
	done
	expect_same changed/records.scopa records.before
}

begin drawn --seed auto --name cup

scenario 'a changed configuration is refused with the line that changed'
expect_refused 's/^rules = .*/rules = scopa,napola=run/' 'rules = scopa' \
	'rules = scopa,napola=run'
expect_refused 's/^tc = .*/tc = move:1/' 'tc = move:10s' 'tc = move:1'
expect_refused 's/^rounds = .*/rounds = 500/' 'rounds = 300' 'rounds = 500'
expect_refused 's/^cmd = @greedy/cmd = @first/' 'cmd = @greedy' 'cmd = @first'

scenario 'a drawn seed that was changed is refused'
cp -r drawn seeded
sed -i 's/./0/g' seeded/secret
arena 1 record verify --fair seeded
expect_out '^seeded/secret: the seed is not the one'
for command in resume status; do
	refuses 'the seed in "seeded/secret" is not the one' $command seeded
done
cp drawn/secret seeded/secret
sed -i 's/^rules = /seed = 5\n&/' seeded/config.ini
refuses 'the seed in "seeded/config.ini" is not the one' resume seeded

scenario 'a missing or changed file of the secret is named'
cp -r drawn lost
rm lost/secret
for command in resume status 'record verify --fair' 'db rebuild'; do
	# shellcheck disable=SC2086
	refuses 'the secret of the run "lost" is missing: .*"lost/secret"' \
		$command lost
	expect_err 'hint *: .*bring the file back'
done
for bytes in '' 5 'xyz\n' "$(printf '%065d' 0)\\n" \
	"$(printf '%064d' 0)\\n\\n" "$(printf '%064d' 0)"; do
	# shellcheck disable=SC2059
	printf "$bytes" >lost/secret
	refuses 'was changed: "lost/secret" is not a line of 64 hex digits' \
		resume lost
done
cp drawn/secret lost/secret
arena 0 resume lost --quiet

# Just before a reader looks for the secret of a run, the run ends.
cat >ends.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int
stat(const char *path, void *about)
{
	const char *name = strrchr(path, '/');

	if (name && strcmp(name, "/secret") == 0 && unlink(path) == 0)
		rename("ended.ini", "ending/config.ini");
	return (int)syscall(SYS_newfstatat, -100 /* AT_FDCWD */, path, about, 0);
}
END
ends='a reader that began before the end of a run finds the seed'
if [ "${MODE:-}" = san ]; then
	skip "$ends" 'a sanitizer comes first'
elif ! "${compiler[@]}" -shared -fPIC -o ends.so ends.c 2>/dev/null; then
	skip "$ends" 'there is no compiler here'
else
	scenario "$ends"
	cp -r drawn ending
	cp lost/config.ini ended.ini
	expect_run 0 env LD_PRELOAD="$PWD/ends.so" "$SCOPA_ARENA" status ending
	expect_no_file ending/secret
fi

scenario 'resume moves a secret in config.ini to a file of its own'
cp -r drawn old
secret=$(cat old/secret)
rm old/secret
sed -i "s/^# The seed is in .*/seed = $secret/" old/config.ini
arena 0 status old
play_block old
expect [ "$(cat old/secret)" = "$secret" ]
expect [ "$(stat -c %a old/secret)" -eq 600 ]
expect_no_line "$secret" old/config.ini
arena 0 resume old --quiet
expect grep -qx "seed = $secret" old/config.ini
expect_no_file old/secret
arena 0 record verify --fair old

scenario 'a given seed that was changed is refused'
begin given --seed 7
cp -r given seeded-again
sed -i 's/^seed = .*/seed = 5/' seeded-again/config.ini
refuses 'configuration "seeded-again/config.ini" has changed since' resume \
	seeded-again
expect_err 'began *: seed = 0*7$' 'now *: seed = 5$'
arena 0 resume given --quiet

scenario 'a wrong store is refused, even for a run that has ended'
refuses '--store foo: the URL of the store' resume given --store foo

scenario 'a lease is refused for a run that this machine plays'
refuses '--lease: no worker on another machine plays' resume given --lease 9
refuses '--lease: no worker on another machine plays' resume given \
	--store none --lease 9

scenario 'comments and the number of concurrent games may change'
sed -i 's/^#.*/# Of monday./' drawn/config.ini
arena 0 resume drawn --concurrency 4 --quiet
expect_out '^result'
arena 0 record verify --fair drawn

# The program has other bytes, but the same sources that decide games.
scenario 'a run of built-in bots can be resumed by a rebuilt arena'
begin again --seed 5
cp "$sandboxed_arena" built-again
echo >>built-again
expect_run 0 ./built-again resume again --sandbox off --concurrency 4 --quiet
expect_out '^result'

scenario 'a run is refused if a bot has changed since it began'
begin other --seed 5
sed -i "s/^bot 1 [0-9a-f]*/bot 1 $(printf %064d 0)/" other/terms.txt
python3 -IS -c '
import hashlib, sqlite3
results = sqlite3.connect("other/results.db")
terms = hashlib.sha256(open("other/terms.txt", "rb").read()).hexdigest()
results.execute("UPDATE run SET terms = ?", [terms])
results.execute("UPDATE bot SET sha256 = ? WHERE bot = 1", ["0" * 64])
results.commit()'
arena 1 db rebuild other
refuses 'bot "greedy" has changed since the run began' resume other
expect_err 'hint *: it is part of this program'

scenario 'if a file cannot be opened, no run is made'
mkdir -p empty
for folder in deaf sub/deaf empty; do
	while read -r option path; do
		arena 5 tournament @greedy @random --rounds 1 --run "$folder" \
			"--$option" "$path"
		expect_error "(log|event|report) file \"$path\""
		expect_err 'hint *: name a file in a folder'
		if [ "$folder" = empty ]; then
			expect [ -z "$(ls -A empty)" ]
		else
			expect_no_file "$folder"
		fi
	done <<-END
		events nowhere/events.jsonl
		events .
		log nowhere/log.txt
		log .
		report nowhere/page.html
		report .
	END
	arena 0 tournament @greedy @random --rounds 1 --run "$folder" \
		--events events.jsonl --log log.txt --quiet
	expect_file "$folder/results.db"
done
arena 5 tournament @greedy @random --rounds 1 --events nowhere/x
expect [ -z "$(ls runs)" ]

scenario 'a log that cannot be written is reported, and stops no game'
arena 5 tournament @greedy @random --rounds 1 --run unlogged --log /dev/full
expect_out '^result'
expect_err '^error: log file "/dev/full": No space left on device'
arena 0 tournament @greedy @random --rounds 1 --run logged
ln -sf /dev/full logged/log.txt
arena 0 resume logged
expect_err '^warning: "logged/log.txt" lacks messages: No space left on device;'

scenario 'resume with a wrong file of events does not change the run'
arena 0 tournament @greedy @random --rounds 3 --run mute --announce
arena 5 resume mute --events nowhere/events.jsonl
expect_error 'event file "nowhere/events.jsonl"'
expect_err 'try *: .*resume mute$'
arena 0 resume mute --quiet
expect_out '^result'

# Makes the copy `torn` of a run, without these files.
tear_run() { # FILE...
	local file
	rm -rf torn
	cp -r mute torn
	for file; do rm "torn/$file"; done
}

scenario 'a missing file of a run is named'
while read -r file status words; do
	tear_run "$file"
	arena "$status" resume torn
	expect_error "$words"
done <<'END'
config.ini 2 the run "torn" has no configuration: "config.ini" is missing
results.db 5 the run "torn" has no results: "results.db" is missing
records.scopa 5 the records "torn/records.scopa" are missing
END
tear_run config.ini results.db
refuses '"config.ini" is missing' resume torn
tear_run records.scopa
arena 5 resume torn
expect_no_err '^  try'
cp -r mute 'torn run'
: >'torn run/records.scopa'
arena 5 resume 'torn run'
expect_err "^  try +: .* db rebuild 'torn run'\$"

scenario 'a run with changed results is neither shown nor resumed'
while IFS='|' read -r words change; do
	tear_run
	python3 -S "$SRC/tests/e2e/fair.py" sql torn "$change"
	for command in status report 'report --json' resume; do
		# shellcheck disable=SC2086 # words on purpose
		arena 5 $command torn
		expect_error "$words"
		expect_err 'try *: .*db rebuild torn$'
	done
	run "$SCOPA_ARENA" db rebuild torn
	arena 0 status torn
done <<'END'
block 2 of the run does not continue the chain|UPDATE game SET scores = '[99,0]' WHERE game = 3
block 1 of the run does not continue the chain|UPDATE game SET deals = 0
block 2 of the run is not what its config|UPDATE block SET dealer = 3 - dealer WHERE block = 2
the rows of block 3 cannot be read|DELETE FROM game WHERE block = 3
shorter than the results say|UPDATE block SET record_offset = 9223372036854775807
END

scenario 'a file of terms that is no text is named'
tear_run
printf 'a\0b\n' >torn/terms.txt
arena 5 db rebuild torn
expect_error 'the terms "torn/terms.txt" cannot be read: this is no text'
expect_err 'hint *: bring the file back from a copy, or remove it'
rm torn/terms.txt
arena 0 db rebuild torn

person=
[ "$(id -u)" -ne 0 ] || person=$nobody
place=$(mktemp -d /tmp/scopa-closed-XXXXXX)
scenario 'a run that cannot be read or written is reported'
begin closed
cp -r closed "$place/run"
chmod 755 "$place"
[ -z "$person" ] || chown -R 65534:65534 "$place"
while read -r mode file status words; do
	chmod "$mode" "$place/run/$file"
	# shellcheck disable=SC2086
	expect_run "$status" env -C / $person "$SCOPA_ARENA" resume "$place/run"
	expect_error "$words"
	chmod 755 "$place/run/$file"
done <<'END'
555 . 5 the database ".*/results.db": it cannot be written to
000 . 5 cannot open the run ".*/run": Permission denied
444 results.db 5 the database ".*/results.db": it cannot be written to
000 results.db 5 the database ".*/results.db": it may not be opened
444 results.db.lock 5 cannot lock ".*/results.db.lock": Permission denied
000 secret 5 the secret ".*/secret" cannot be read: Permission denied
000 config.ini 2 config.ini": Permission denied
END
rm -rf "$place"

scenario 'a bot that no longer starts is reported, and loses no game'
program needy.sh "[ -e $PWD/needed ] || exit 3" "exec '$SCOPA_BOT' greedy"
touch needed
arena 0 tournament ./needy.sh @random --rounds 3 --run needy --sandbox off \
	--announce
rm needed
arena 4 resume needy --quiet
expect_error 'bot "greedy" did not get ready to play'
expect_err 'ended *: exited with status 3$'
touch needed
arena 0 resume needy --quiet
expect_lines 6 '^match ' needy/records.scopa

scenario 'a block without its record is reported, and played again'
cp -r drawn cut
truncate -s -100 cut/records.scopa
arena 0 db rebuild cut
expect_out '^results identical as far as both go$' \
	'^lost    1 block without a record$' '^kept    cut/results.db.old$'
arena 0 resume cut --quiet
arena 0 record verify --fair cut

scenario 'help lists the options of resume'
arena 0 help resume
expect_out '^this call:$' '^  --concurrency N'
finish
