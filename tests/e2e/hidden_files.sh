# Goal: no bot reads a run or a record, whatever lies in its own folder, at any
# level that has a wall of files; an argument that names a file opens that file
# alone.  Where nothing can be hidden the arena says so before the first game.
. "$SRC/tests/e2e/lib.sh"

# Tries to read and to list what the environment names, says what it could, and
# ends.
mkdir -p bots/parts outside
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
cd bots || exit 1

scenario 'a run is announced in the folder of a bot, and another is not finished'
arena 0 tournament @first @random --rounds 3 --deals 1 --announce \
	--run runs/announced
run "$SCOPA_ARENA" tournament @first @random --rounds 1 --deals 1 \
	--run other --record ../outside/old.scopa
arena 0 match @first @random --deals 1 --record old.scopa
cp old.scopa renamed
cp old.scopa ../outside/games.scopa
expect [ -f runs/announced/secret ]

secrets=(runs/announced/{config.ini,secret,results.db,records.scopa}
	other/{config.ini,results.db,records.scopa} old.scopa renamed
	../outside/games.scopa)

# Each of the names was tried, and none could be read.
expect_shut() { # NAME...
	local name
	for name; do
		expect_err " shut $name\$"
	done
	expect_no_err ' open '
}

tried=' '
for missing in '' namespaces 'namespaces scope'; do
	# The words are several on purpose.
	# shellcheck disable=SC2206
	machine=(${missing:+"$BUILD/tests/e2e/without" $missing --})
	level=$(level_of "${machine[@]}")
	[[ ${level:-none} != none && $tried != *" $level "* ]] || continue
	tried+="$level "

	scenario "behind $level a bot reads no run and no record"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py ../outside/weights ../outside/games.scopa" \
		env.TRY="../outside/beside ${secrets[*]}" @first --deals 1
	expect_shut ../outside/beside "${secrets[@]}"

	scenario "behind $level it reads what is its own, and what is named"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py ../outside/weights" \
		env.TRY="reader.py parts/part.py ../outside/weights" @first \
		--deals 1
	expect_err ' open reader.py$'
	expect_err ' open parts/part.py$'
	expect_err ' open ../outside/weights$'
	expect_no_err ' shut '

	scenario "behind $level a folder that is named hides them, too"
	expect_run 4 "${machine[@]}" "$SCOPA_ARENA" match --bot \
		cmd="python3 reader.py runs runs/announced/config.ini" \
		read="$PWD/.." env.TRY="${secrets[*]}" @first --deals 1
	expect_shut "${secrets[@]}"
done

scenario 'what lies in a run cannot be opened by read='
for path in runs/announced runs/announced/config.ini; do
	refuses "read=$path is in a run" match --bot cmd=@first read=$path \
		@first
done

scenario 'without walls the arena says what a bot could read'
arena 4 match --bot cmd='python3 reader.py' \
	env.TRY='runs/announced/config.ini' @first --deals 1 --sandbox off
expect_err '^folder  .*/bots/runs/announced: the secret of a run that is not over'
expect_err ' open runs/announced/config.ini$'

scenario 'a bot of thousands of files starts'
mkdir many
for i in 1 2 3 4 5 6 7 8 9; do mkdir "many/$i" && touch "many/$i"/{1..300}; done
arena 4 match --bot cmd='python3 reader.py' env.TRY=many/9/300 @first --deals 1
[ "$(level_of)" = none ] || expect_err ' open many/9/300$'

if [ -n "${TEST_FULL:-}" ] && [ "$(level_of)" != none ]; then
	scenario 'too many files to search are an error with a hint'
	mkdir crowd
	python3 -c "import os
for number in range(200001):
    os.mknod(f'crowd/{number}')"
	arena 5 match --bot cmd=@first dir=crowd @first --deals 1
	expect_err '^  hint +: a bot runs in a folder that has too many files'
fi

finish
