# Goal: what `make install` lays down below DESTDIR is whole, names nothing of
# the place it was built in, and a program of somebody else can use libscopa
# through pkg-config, shared and static.
# Alone: it may link the programs anew that other tests run.
. "$SRC/tests/e2e/lib.sh"

root=$PWD/root
there=$root/opt/scopa

scenario 'install puts programs, libraries, manual and completions in place'
# BUILD, MODE, CC and WERROR are in the environment.
expect_run 0 make -C "$SRC" install DESTDIR="$root" PREFIX=/opt/scopa
for file in bin/scopa-arena bin/scopa-bot lib/libscopa.a lib/libscopa.so \
	lib/libscopa.so.0 lib/pkgconfig/scopa.pc include/scopa/scopa.h \
	share/man/man1/scopa-arena.1 share/doc/scopa-arena/protocol.md \
	share/doc/scopa-arena/LICENSE \
	share/bash-completion/completions/scopa-arena \
	share/zsh/site-functions/_scopa-arena \
	share/fish/vendor_completions.d/scopa-arena.fish \
	share/doc/scopa-arena/examples/python/bot.py; do
	expect_file "$there/$file"
done

scenario 'the installed program runs, and nothing lies outside of PREFIX'
expect_run 0 "$there/bin/scopa-arena" version
expect test "$(ls "$root")" = opt
expect test "$(ls "$root/opt")" = scopa

scenario 'the shared library shows the names of libscopa and no others'
expect_run 0 nm -D --defined-only "$there/lib/libscopa.so"
expect_out ' T scopa_deal_start$'
expect test -z "$(awk '$NF !~ /^scopa_/' "$out")"
run readelf -d "$there/lib/libscopa.so"
expect_out 'SONAME.*\[libscopa\.so\.0\]'

export PKG_CONFIG_PATH=$there/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cat >user.c <<'END'
#include <scopa/scopa.h>
#include <stdio.h>

int
main(void)
{
	for (int i = 0; i < scopa_preset_count; i++)
		puts(scopa_presets[i].name);
	return 0;
}
END

# A sanitized library needs a sanitized program; the others need nothing.
case ${MODE:-release} in
release | debug)
	scenario 'a program of somebody else links with the shared library'
	# shellcheck disable=SC2046
	expect_run 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror \
		-o shared user.c $(pkg-config --cflags --libs scopa)
	LD_LIBRARY_PATH=$there/lib run ./shared
	expect_exit 0
	expect_out '^scopa$'

	scenario 'a program of somebody else links with the archive'
	# shellcheck disable=SC2046
	expect_run 0 "${CC:-cc}" -std=c11 -Wall -Werror -o static user.c \
		$(pkg-config --cflags scopa) "$there/lib/libscopa.a"
	expect_run 0 ./static
	expect_out '^scopone'

	scenario 'nothing installed names the folder of the build'
	expect test -z "$(grep -rlF "$SRC" "$there")"
	expect test -z "$(grep -rlF "$root" "$there")" ;;
esac

finish
