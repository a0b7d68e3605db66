# Goal: docs/releasing.md works: `make dist` makes the same tarball from a
# commit in each clone, its sums are right, and the program builds from the
# tarball without git and plays.
# Full: it builds everything again.
# Release: a release is built without sanitizers.
. "$SRC/tests/e2e/lib.sh"

for need in git xz sha256sum; do
	command -v "$need" >/dev/null || missing="${missing-} $need"
done
[ -e "$SRC/.git" ] || missing="${missing-} a repository"
if [ -n "${missing-}" ]; then
	skip 'the tarball of a release' "missing:$missing"
	finish
fi
version=$(sed -n 's/.*VERSION_NUMBER "\(.*\)"/\1/p' "$SRC/arena/record/version.h")
name=scopa-arena-$version

scenario 'the newest section of the changelog has the version of the program'
run grep -m 1 '^## \[' "$SRC/CHANGELOG.md"
expect_out "^## \\[$version\\] - (Unreleased|[0-9]{4}-[0-9]{2}-[0-9]{2})\$"

scenario 'two clones give the same tarball'
umask 077
expect_run 0 git clone -q "file://$SRC" clone
umask 022
expect_run 0 make -C "$SRC" dist BUILD="$PWD/here"
expect_out "^[0-9a-f]{64}  $name.tar.xz\$"
expect_run 0 make -C clone dist BUILD="$PWD/there"
expect_same "here/dist/$name.tar.xz" "there/dist/$name.tar.xz"
expect_same here/dist/SHA256SUMS there/dist/SHA256SUMS

scenario 'changes without a commit are not in the tarball, and make warns'
echo '# changed' >>clone/Makefile
expect_run 0 make -C clone dist BUILD="$PWD/there"
expect_err 'not committed'
expect_same "here/dist/$name.tar.xz" "there/dist/$name.tar.xz"

scenario 'the checksums match the tarball'
cd here/dist || exit 5
expect_run 0 sha256sum -c SHA256SUMS
expect test "$(find . -type f | sort | xargs)" = "./SHA256SUMS ./$name.tar.xz"

scenario 'the tarball builds and plays without git'
expect_run 0 tar xf "$name.tar.xz"
expect test -z "$(find "$name" -name .git)"
mkdir bin
program bin/git 'echo "git was called" >&2' 'exit 1'
expect_run 0 env PATH="$PWD/bin:$PATH" make -C "$name" BUILD=build programs
expect_no_err 'git was called'
expect_run 0 "$name/build/scopa-arena" version
expect_out "^scopa-arena $version\$"
expect_run 0 "$name/build/scopa-arena" match @greedy @random --deals 2
expect_out '^result '

finish
