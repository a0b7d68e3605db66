# Goal: no bot can read a run or a record, even in its own folder, at any level
# of the sandbox that confines files; an argument that names a file lets the bot
# read only that file.  If nothing can be hidden the arena says so before the
# first game.
. "$SRC/tests/e2e/lib.sh"

# Tries to read and to list the paths that the environment names, prints the
# result of each, and ends.
mkdir -p bots/parts outside tools/{bin,lib,share/deep}
cat >bots/reader.py <<'END'
import os, sys, helper
for what in os.environ['TRY'].split():
    try:
        (os.listdir if os.path.isdir(what) else open)(what)
        print('open', what, file=sys.stderr)
    except OSError:
        print('shut', what, file=sys.stderr)
sys.exit(3)
END
echo 'import parts.part' >bots/helper.py
: >bots/parts/part.py
echo weights >outside/weights
echo beside >outside/beside
echo module >tools/lib/module
PATH=$PWD/tools/bin:$PATH
cd bots || exit 1

scenario 'the folder of a bot contains runs and records'
arena 0 tournament @first @random --rounds 3 --deals 1 --announce \
	--run runs/announced
run "$SCOPA_ARENA" tournament @first @random --rounds 1 --deals 1 \
	--run other --record ../outside/old.scopa
arena 0 match @first @random --deals 1 --record old.scopa
cp old.scopa renamed
cp old.scopa ../outside/games.scopa
cp old.scopa ../tools/share/deep
cp -r other ../tools/lib/run
expect [ -f runs/announced/secret ]

secrets=(runs/announced/{config.ini,secret,results.db,records.scopa}
	other/{config.ini,results.db,records.scopa} old.scopa renamed
	../outside/games.scopa ../tools/share/deep/old.scopa
	../tools/lib/run/{config.ini,results.db,records.scopa})

# Expects that the bot tried to read each of these names, and failed.
expect_unreadable() { # NAME...
	local name
	for name; do
		expect_err " shut $name\$"
	done
	expect_no_err ' open '
}

tried=' '
for missing in '' namespaces 'namespaces scope'; do
	# $missing is split into words.
	# shellcheck disable=SC2206
	machine=(${missing:+"$BUILD/tests/e2e/without" $missing --})
	level=$(level_of "${machine[@]}")
	[[ ${level:-none} != none && $tried != *" $level "* ]] || continue
	tried+="$level "

	scenario "at level $level a bot cannot read runs and records"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py ../outside/weights ../outside/games.scopa" \
		env.TRY="../outside/beside ${secrets[*]}" @first --deals 1
	expect_unreadable ../outside/beside "${secrets[@]}"

	scenario "at level $level a bot can read its own files and named ones"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py ../outside/weights" \
		env.TRY="reader.py parts/part.py ../outside/weights \
			../tools/lib/module" @first --deals 1
	expect_err ' open reader.py$' ' open parts/part.py$' \
		' open ../outside/weights$' ' open ../tools/lib/module$'
	expect_no_err ' shut '

	scenario "at level $level a named folder does not open its runs and records"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py runs runs/announced/config.ini" \
		read="$PWD/.." env.TRY="${secrets[*]}" @first --deals 1
	expect_unreadable "${secrets[@]}"

	scenario "at level $level a bot can read a record that read= names"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py" read=renamed:../outside/games.scopa \
		env.TRY="renamed ../outside/games.scopa" @first --deals 1
	expect_err ' open renamed$' ' open ../outside/games.scopa$'
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py" read=old.scopa env.TRY=old.scopa \
		@first --deals 1 --record old.scopa
	expect_unreadable old.scopa
done

scenario 'read= with a path in a run is refused'
for path in runs/announced runs/announced/config.ini; do
	refuses "read=$path is in a run" match --bot cmd=@first read=$path \
		@first
done

scenario 'without a sandbox the arena names the secret that a bot could read'
arena 4 match --bot cmd='python3 reader.py' \
	env.TRY='runs/announced/config.ini' @first --deals 1 --sandbox off
expect_err '^folder  .*/bots/runs/announced: the secret of a run that is not over'
expect_err ' open runs/announced/config.ini$'

scenario 'a bot with thousands of files starts'
mkdir many
for i in 1 2 3 4 5 6 7 8 9; do mkdir "many/$i" && touch "many/$i"/{1..300}; done
arena 4 match --bot cmd='python3 reader.py' env.TRY=many/9/300 @first --deals 1
[ "$(level_of)" = none ] || expect_err ' open many/9/300$'

if [ -n "${TEST_FULL:-}" ] && [ "$(level_of)" != none ]; then
	scenario 'a folder with too many files is an error with a hint'
	mkdir crowd
	python3 -c "import os
for number in range(200001):
    os.mknod(f'crowd/{number}')"
	arena 5 match --bot cmd=@first dir=crowd @first --deals 1
	expect_err '^  hint +: a bot runs in a folder that has too many files'
fi

finish
