# Goal: the kit for Python passes its own test, its example plays, and it can
# be built, installed and used as a package.
# Release: no code in C is tested.
# Full: it takes long: `make test-kits` runs it, and so does .ci/run.
. "$SRC/tests/e2e/kits.bash"

kit_needs python3
export PYTHONDONTWRITEBYTECODE=1

copy_kit python

scenario 'the test of the kit passes'
expect_run 0 python3 'my bots/test_bot.py'
expect_err '^OK$'

scenario 'without the arena that test skips the games and passes'
expect_run 0 "${without_arena[@]}" \
	"$(python3 -c 'import sys; print(sys.executable)')" \
	'my bots/test_bot.py'
expect_err '^OK \(skipped=3\)$'

play_kit "'my bots/bot.py'" tutorials.sh

scenario 'an exception in choose() is shown, and the bot has lost'
sed 's/^    coins = .*/    raise KeyError("lost")/' 'my bots/bot.py' \
	>'my bots/failing.py'
expect_kit_fails "python3 'my bots/failing.py'" 'stderr +: KeyError: .lost'

# Debian's packages of setuptools and wheel belong to Debian's interpreter, and
# python3 may be another one without packages.
builder=
for python in "$(python3 -c 'import sys; print(sys.base_prefix)')/bin/python3" \
	/usr/bin/python3; do
	! "$python" -c 'import setuptools, pip, venv, wheel' \
		2>/dev/null || builder=${builder:-$python}
done
if [ -z "$builder" ]; then
	skip 'the package of the kit' 'setuptools, pip, wheel or venv is missing'
	finish
fi

scenario 'the kit builds as sdist and wheel'
cp -R "$SRC/bots/python" package
expect_run 0 env -C package "$builder" -c 'from setuptools import build_meta
build_meta.build_sdist("dist")
build_meta.build_wheel("dist")'
wheel=$(echo "$PWD"/package/dist/*.whl)
sdist=$(echo "$PWD"/package/dist/*.tar.gz)
expect_file "$wheel" "$sdist"

# Runs the builder's pip in the virtual environment, because to install another
# pip there takes longer than all other steps.
pip() { # ARGUMENT...
	expect_run 0 "$builder" -m pip --python there/bin/python --quiet \
		--disable-pip-version-check "$@"
}

# Installs a package in the virtual environment, plays with it there, and
# removes it.
use_package() { # PACKAGE
	pip install --no-index --no-build-isolation --no-cache-dir "$1"
	expect_run 0 env -C / "$PWD/there/bin/python" -c 'import scopa_bot'
	arena 0 match there/bin/my-bot @random --deals 2 --seed 1
	expect_no_out '^faults '
	expect_out '^result +my-bot '
	pip uninstall --yes my-bot
	expect_no_file there/bin/my-bot
}

scenario 'the wheel is installed in a virtual environment and plays'
expect_run 0 "$builder" -m venv --without-pip there
use_package "$wheel"

# The installation of the sdist builds a wheel again, which takes long.
if [ -n "${TEST_FULL:-}" ]; then
	scenario 'the sdist is installed in a virtual environment and plays'
	# The builder finds setuptools in the packages of the system.
	sed -i '/^include-system-site-packages/s/false/true/' there/pyvenv.cfg
	use_package "$sdist"
fi

finish
