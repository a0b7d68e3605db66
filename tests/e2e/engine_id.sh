# Goal: the digest of the sources that decide games is the same in every clone
# and for every compiler, and changes if one of these sources changes.
. "$SRC/tests/e2e/lib.sh"

mkdir clone
cp -r "$SRC"/{Makefile,engine,arena,bots,docs,tests,.ci} clone/

# Prints the digest of the clone.
digest() { # CC
	rm -rf clone/b
	expect_run 0 make -s -C clone BUILD=b CC="$1" MODE=debug \
		b/made/arena/tournament/engine_digest.inc
	digest=$(cat clone/b/made/arena/tournament/engine_digest.inc)
}

scenario 'another folder and another compiler give the same digest'
digest gcc
first=$digest
digest clang
expect test "$digest" = "$first"
expect grep -qaF "sources=${first//\"/}" "$SCOPA_ARENA"

scenario 'a change of a source that decides no game does not change the digest'
echo '/* Another line. */' >>clone/arena/report/chart.c
echo 'Another line.' >>clone/docs/guide.md
digest gcc
expect test "$digest" = "$first"

scenario 'a change of a source, header or table that decides games changes it'
last=$first
all='engine/deal.c engine/include/scopa/deal.h arena/match/match.c'
all+=' arena/os/buffers.c arena/referee/verdict.c bots/c/players/maestro.c'
for file in $(few_or_all 'engine/deal.c arena/match/match.h' "$all"); do
	echo '/* Another line. */' >>"clone/$file"
	digest gcc
	expect test "$digest" != "$last"
	last=$digest
done

finish
