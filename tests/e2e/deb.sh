# Goal: `make deb` builds packages that lintian accepts, and that play a match
# in a new system, in which only these packages were installed.
# Full: it builds everything again, and downloads a new system from the mirrors
# of this system.
# Release: packages are built as releases are.
. "$SRC/tests/e2e/lib.sh"

for need in dpkg-buildpackage dpkg-scanpackages dh lintian mmdebstrap unshare; do
	command -v "$need" >/dev/null || missing="${missing-} $need"
done
if [ -n "${missing-}" ]; then
	skip 'packages are built' "there is no$missing"
	finish
fi

scenario 'make deb builds the packages in a folder of their own'
expect_run 0 make -C "$SRC" deb BUILD="$PWD/build"
for package in scopa-arena libscopa0 libscopa-dev; do
	expect_file build/deb/"$package"_[0-9]*.deb
done
mkdir packages
mv build/deb/*.deb packages

scenario 'lintian reports no error and no warning'
expect_run 0 lintian --allow-root --fail-on error,warning packages/*.deb
expect_no_out '^[EW]: '

scenario 'the linker finds the library, and the compiler finds the headers'
for package in packages/*.deb; do dpkg-deb -c "$package"; done >files
expect_line ' ./usr/lib/[^/]+/libscopa.so.0 -> libscopa.so.[0-9.]+$' files
expect_line ' ./usr/lib/[^/]+/libscopa.so -> libscopa.so.0$' files
expect_line ' ./usr/lib/[^/]+/pkgconfig/scopa.pc$' files
expect_line ' ./usr/include/scopa/scopa.h$' files
expect_line ' ./usr/share/zsh/vendor-completions/_scopa-arena$' files
expect_no_line 'examples/(tune|c/players)' files

if [ "$(id -u)" -ne 0 ] || ! unshare --mount --pid --fork true 2>/dev/null; then
	skip 'the packages play a match in a new system' 'this needs root'
	finish
fi

# A system that has the essential packages, Python, and ours.
(cd packages && dpkg-scanpackages . >Packages 2>/dev/null)
mapfile -t sources < <(find /etc/apt/sources.list /etc/apt/sources.list.d \
	-name '*.sources' -o -name '*.list' -size +0 2>/dev/null)
# shellcheck disable=SC1091
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")

scenario 'the packages are installed into a new system'
expect_run 0 mmdebstrap --mode=root --variant=essential \
	--include=scopa-arena,libscopa-dev,python3 "$codename" root \
	"${sources[@]}" "deb [trusted=yes] copy:$PWD/packages ./"

# Runs a command in the new system, in a process namespace of its own.
inside() { # COMMAND...
	# The shell gets the words of the command as its arguments.
	# shellcheck disable=SC2016
	expect_run 0 unshare --mount --pid --fork sh -c 'mount -t proc proc root/proc &&
		mount --rbind /dev root/dev && exec chroot root "$@"' sh "$@"
}

scenario 'the packages play a match in a new system'
inside scopa-arena match @greedy @random --deals 4 --record /games.scopa
expect_out '^result '
inside scopa-arena record verify /games.scopa

scenario 'the example bots play, and Python loads the library'
examples=/usr/share/doc/scopa-arena/examples
inside scopa-arena match $examples/python/bot.py $examples/sh/bot.sh \
	--deals 2
expect_out '^result '
inside env PYTHONPATH=$examples/python python3 -c \
	'import libscopa; print(len(libscopa.Deal.random(libscopa.Rules()).table))'
expect_out '^4$'

finish
