# Goal: the kit for Python passes its own test, its example plays, and it can
# be built, installed and used as a package.
# Release: no code in C is tested.
. "$SRC/tests/e2e/lib.sh"

if ! command -v python3 >/dev/null; then
	skip 'the kit for Python' 'there is no python3 here'
	finish
fi
export SCOPA_ARENA PYTHONDONTWRITEBYTECODE=1

# Authors have their copy anywhere.
cp -R "$SRC/bots/python" 'my bots'

scenario 'the test of the kit passes'
expect_run 0 python3 'my bots/test_bot.py'
expect_err '^OK$'

scenario 'without the arena that test skips the games and passes'
expect_run 0 env SCOPA_ARENA= PATH=/nowhere \
	"$(python3 -c 'import sys; print(sys.executable)')" \
	'my bots/test_bot.py'
expect_err '^OK \(skipped=2\)$'

scenario 'the example wins against random moves, match after match'
arena 0 match "'my bots/bot.py'" @random --rounds 3 --deals 10 --seed 1
expect_no_out '^faults '
expect_out '^result +my-bot +3 won'

scenario 'the example passes all steps of the check'
arena 0 check "'my bots/bot.py'"
expect_out 'level 3 is reached; .* 0 failed$'

scenario 'an option with a wrong value is refused before the first game'
arena 2 match --bot "cmd='my bots/bot.py'" option.weight-of-coins=101 \
	--bot @random
expect_err 'weight-of-coins=VALUE: .* from 0 to 100$'

scenario 'an exception in choose() is shown, and the bot has lost'
sed 's/^    coins = .*/    raise KeyError("lost")/' 'my bots/bot.py' \
	>'my bots/failing.py'
arena 0 match "python3 'my bots/failing.py'" @random --deals 1
expect_out 'ended +: exited with status 1'
expect_out 'stderr +: KeyError: .lost'

# The packages of Debian give setuptools and wheel to its own interpreter.
builder=
for python in python3 /usr/bin/python3; do
	! "$python" -c 'import ensurepip, setuptools, venv, wheel' \
		2>/dev/null || builder=${builder:-$python}
done
if [ -z "$builder" ]; then
	skip 'the package of the kit' 'setuptools, wheel or venv is missing'
	finish
fi

scenario 'the kit builds as sdist and wheel'
cp -R "$SRC/bots/python" package
expect_run 0 env -C package "$builder" -c 'from setuptools import build_meta
build_meta.build_sdist("dist")
build_meta.build_wheel("dist")'
wheel=$(echo "$PWD"/package/dist/*.whl)
sdist=$(echo "$PWD"/package/dist/*.tar.gz)
expect_file "$wheel"
expect_file "$sdist"

# Installs a package in a fresh virtual environment, and plays with it there.
use_package() { # ENVIRONMENT PACKAGE [OPTION OF VENV]
	expect_run 0 "$builder" -m venv ${3+"$3"} "$1"
	expect_run 0 "$1/bin/pip" --quiet install --no-index \
		--no-build-isolation --no-cache-dir \
		--disable-pip-version-check "$2"
	expect_run 0 env -C / "$PWD/$1/bin/python" -c 'import scopa_bot'
	arena 0 match "$1/bin/my-bot" @random --deals 2 --seed 1
	expect_no_out '^faults '
	expect_out '^result +my-bot '
}

scenario 'the wheel is installed in a virtual environment and plays'
use_package from-wheel "$wheel"

scenario 'so is the sdist'
use_package from-sdist "$sdist" --system-site-packages

finish
