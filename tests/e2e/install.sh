# Goal: `make install` installs all files below DESTDIR, no file names the
# folder of the build, and other programs can use libscopa through pkg-config,
# shared and static, and from Python.
# Alone: it may link the programs again that other tests run.
. "$SRC/tests/e2e/lib.sh"

root=$PWD/root
there=$root/opt/scopa

scenario 'install puts programs, libraries, manual and completions in place'
# BUILD, MODE, CC and WERROR are in the environment.
expect_run 0 make -C "$SRC" install DESTDIR="$root" PREFIX=/opt/scopa
for file in bin/scopa-arena bin/scopa-bot lib/libscopa.a lib/libscopa.so \
	lib/libscopa.so.0 lib/pkgconfig/scopa.pc include/scopa/scopa.h \
	share/man/man1/scopa-arena.1 share/man/man1/scopa-arena-record.1 \
	share/man/man1/scopa-bot.1 share/man/man3/libscopa.3 \
	share/man/man5/scopa-record.5 share/man/man7/usp.7 share/doc/scopa-arena/protocol.md \
	share/doc/scopa-arena/LICENSE \
	share/bash-completion/completions/scopa-arena \
	share/zsh/site-functions/_scopa-arena \
	share/fish/vendor_completions.d/scopa-arena.fish \
	share/doc/scopa-arena/examples/python/bot.py; do
	expect_file "$there/$file"
done

scenario 'the installed program runs, and no file is outside of PREFIX'
expect_run 0 "$there/bin/scopa-arena" version
expect test "$(ls "$root")" = opt
expect test "$(ls "$root/opt")" = scopa

scenario 'the examples are bots, without the built-in ones and their training'
for file in "$there"/share/doc/scopa-arena/examples/*; do
	case ${file##*/} in
	README.md | go | java | javascript | python | rust | sh) ;;
	c) expect test "$(ls "$file")" = kit ;;
	*) fail "installed: $file" ;;
	esac
done
for example in python/bot.py sh/bot.sh; do
	expect test -x "$there/share/doc/scopa-arena/examples/$example"
done

scenario 'the links of the installed pages for users lead to files'
for page in README.md protocol.md docs/{guide,first-bot,ci,many-machines,sandbox}.md; do
	page=$there/share/doc/scopa-arena/$page
	grep -oE '\]\([^):# ]+[)#]' "$page" | tr -d '])(#' | sort -u >links
	while read -r link; do
		expect_file "${page%/*}/$link"
	done <links
done

scenario 'every command has a manual page, and every page is listed'
for page in "$there"/share/man/man1/scopa-arena-*.1; do
	name=${page##*/scopa-arena-}
	arena 0 help "${name%.1}"
	expect_line "^\\.Xr scopa-arena-${name%.1} 1" \
		"$there/share/man/man1/scopa-arena.1"
done
arena 0 completion candidates ''
while IFS='	' read -r name _; do
	expect_file "$there/share/man/man1/scopa-arena-$name.1"
done <"$out"

if command -v mandoc >/dev/null; then
	scenario 'the manual pages have no errors, and refer to existing pages'
	# mandoc looks for the pages in the folders of the system.
	run mandoc -T lint "$there"/share/man/man*/*
	grep -v 'STYLE: referenced manual not found' "$out" >flaws &&
		fail "$(head -n 5 flaws)"
	sed -nE -e 's/^\.Xr ([a-z-]+) ([1-8]).*/\1.\2/p' \
		-e 's/^\.BR ([a-z\-]+) \(([1-8])\).*/\1.\2/p' \
		"$there"/share/man/man*/* | sed 's/[\\]//g' | sort -u >referred
	expect_line '^scopa-arena-record\.1$' referred
	expect_line '^usp\.7$' referred
	while IFS= read -r page; do
		expect_file "$there/share/man/man${page##*.}/$page"
	done <referred
	for page in scopa-arena.1:COMMANDS usp.7:'3. CARDS AND MOVES' \
		scopa-record.5:'LINES AND KEYS' libscopa.3:scopa_deal_start; do
		name=${page%%:*}
		run mandoc -T ascii "$there/share/man/man${name##*.}/$name"
		sed -i 's/.\x08//g' "$out"
		expect_out "${page#*:}"
	done
else
	skip 'the manual pages have no errors' 'there is no mandoc'
fi

scenario 'the shared library exports only the names of libscopa'
expect_run 0 nm -D --defined-only "$there/lib/libscopa.so"
expect_out ' T scopa_deal_start$'
expect test -z "$(awk '$NF !~ /^scopa_/' "$out")"
run readelf -d "$there/lib/libscopa.so"
expect_out 'SONAME.*\[libscopa\.so\.0\]'

export PKG_CONFIG_PATH=$there/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
# A sanitized library needs a sanitized program; the others need nothing.
case ${MODE:-release} in
release | debug)
	docs=$there/share/doc/scopa-arena
	scenario 'another program links with the shared library'
	# shellcheck disable=SC2046
	expect_run 0 "${compiler[@]}" -std=c11 -Wall -Wextra -Wpedantic -Werror \
		-o shared "$docs/docs/example.c" \
		$(pkg-config --cflags --libs scopa)
	expect_run 0 env LD_LIBRARY_PATH="$there/lib" ./shared cirulla
	expect_out '^seat [12]: [A-Z0-9]{2}x' '^team B: [0-9]+ points$'
	expect_run 2 env LD_LIBRARY_PATH="$there/lib" ./shared escopa
	expect_err '^error: .*escopa'

	scenario 'another program links with the archive'
	# shellcheck disable=SC2046
	expect_run 0 "${compiler[@]}" -std=c11 -Wall -Werror -o static \
		"$docs/docs/example.c" $(pkg-config --cflags scopa) \
		"$there/lib/libscopa.a"
	expect_run 0 ./static scopone
	expect_out '^team A: [0-9]+ points$'

	scenario 'Python finds the installed library'
	expect_run 0 env -u SCOPA_LIBRARY LD_LIBRARY_PATH="$there/lib" \
		PYTHONPATH="$docs/examples/python" PYTHONDONTWRITEBYTECODE=1 \
		python3 -c 'import libscopa; print(*libscopa.presets())'
	expect_out '^scopa .*cirulla'

	scenario 'no installed file names the folder of the build'
	expect test -z "$(grep -rlF "$SRC" "$there")"
	expect test -z "$(grep -rlF "$root" "$there")" ;;
esac

finish
