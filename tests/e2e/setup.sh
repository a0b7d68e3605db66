# Goal: the set-up prints nothing if all packages are there, installs exactly the
# missing ones with apt-get, as root or through sudo, and if it cannot install it
# prints the command that would and fails.
# Release: it runs a shell script.
. "$SRC/tests/e2e/lib.sh"

# A simulated machine, which has only the commands in ./bin; their arguments are
# logged in ./log.
mkdir bin
for tool in sh env cat rm touch mkdir; do
	ln -s "$(command -v "$tool")" bin/
done
stub() { # NAME [SCRIPT]
	program "bin/$1" "echo \"$1 \$*\" >>'$PWD/log'" "${2-}"
}
setup() { # STATUS NEED:PACKAGE...
	rm -f log
	expect_run "$1" env PATH="$PWD/bin" CC=cc sh "$SRC/.ci/setup" "${@:2}"
}

stub id 'echo 0'
stub apt-get
# shellcheck disable=SC2016
stub pkg-config '[ "$2" = libthere ]'
# shellcheck disable=SC2016
stub cc 'read -r line; [ "$line" = "#include <there.h>" ]'

scenario 'if nothing is missing the set-up prints nothing and does nothing'
setup 0 sh:dash library/libthere:libthere-dev header/there.h:libc6-dev
expect_out_empty
expect_err_empty
expect test -z "$(grep apt-get log)"

scenario 'only missing packages are installed'
setup 0 sh:dash library/libthere:libthere-dev nocommand:nopackage \
	library/libgone:libgone-dev header/gone.h:gone-dev
expect grep -q '^apt-get .*update' log
expect grep -q '^apt-get .*install .* nopackage libgone-dev gone-dev$' log
expect test -z "$(grep -E 'dash|libthere-dev' log)"

scenario 'without pkg-config a library counts as missing'
rm bin/pkg-config
setup 0 library/libthere:libthere-dev
expect grep -q '^apt-get .*install .* libthere-dev$' log

scenario 'if the installation fails the command is printed, and the set-up fails'
stub apt-get 'exit 100'
setup 5 nocommand:nopackage
expect_error 'packages are missing'
expect_err '^  try     : apt-get update && apt-get install -y nopackage$'

scenario 'without apt-get the command is printed'
rm bin/apt-get
setup 5 nocommand:nopackage
expect_error 'no apt-get'
expect_err '^  try     : apt-get update && apt-get install -y nopackage$'

scenario 'other users than root install through sudo'
stub id 'echo 1000'
stub apt-get
# shellcheck disable=SC2016
stub sudo 'exec "$@"'
setup 0 nocommand:nopackage
expect grep -q '^sudo apt-get .*update' log
expect grep -q '^sudo env .*apt-get .*install .*nopackage$' log

scenario 'without sudo the printed command begins with sudo'
rm bin/sudo
setup 5 nocommand:nopackage
expect_error 'no sudo'
expect_err '^  try     : sudo apt-get update && sudo apt-get install -y nopackage$'

scenario 'make names the libraries that are missing'
# shellcheck disable=SC2016
program pc '[ "$2" != libseccomp ]'
expect_run 2 make -C "$SRC" PKG_CONFIG="$PWD/pc" BUILD="$PWD/b" "$PWD/b/libraries"
expect_err '^error: libraries are missing: libseccomp$'

finish
