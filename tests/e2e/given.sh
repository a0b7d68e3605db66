# Goal: a bot behind walls reads what its user gives it and no more, and one that
# ends at a wall is told of with what would have helped.
. "$SRC/tests/e2e/lib.sh"

# Does something with a path, which stands behind a sign so that it is no
# argument that names a file, and plays on where that fails.
cat >bot <<'END'
#!/bin/sh
path=${2#:}
case $1 in
read) ! cat "$path" >/dev/null 2>&1 || exit 7 ;;
write) ! echo more >>"$path" || exit 7 ;;
must) cat "$path" >/dev/null || exit 8 ;;
esac
while read -r verb one rest; do
	case $verb in
	usp) printf 'id name=%s\nuspok 1\n' "$1" ;;
	isready) echo readyok ;;
	legal) move=$one ;;
	go) [ "$1" != late ] || echo more >>notes || exit 9
		echo "move $move $one" ;;
	quit) exit 0 ;;
	esac
done
END
chmod +x bot

level=$("$SCOPA_ARENA" match @first @first --deals 1 2>/dev/null |
	sed -n 's/^walls //p')

# A scenario for machines with walls.
walled() { # NAME
	if [ "$level" != none ]; then
		scenario "$1"
	else
		end_scenario
		scenario_count=$((scenario_count + 1))
		echo "ok $scenario_count - $1 # SKIP walls: $level"
		return 1
	fi
}

outside=$(mktemp -d)
trap 'rm -rf "$out" "$err" "$outside"' EXIT
chmod 755 "$outside"
mkdir "$outside/model"
echo weights >"$outside/model/one"
echo weights >"$outside/model/two"
ln -s "$outside/model/one" link

try() { # WHAT PATH WORD...
	local what=$1 path=$2
	shift 2
	run "$SCOPA_ARENA" match --bot "./bot $what :$path" "$@" --bot @first \
		--deals 1
}

if walled 'a bot reads nothing elsewhere'; then
	try read "$outside/model/one"
	expect_exit 0
fi

if walled 'a bot reads what it is given'; then
	for given in "$outside" "$outside/model" "$outside/model/one" link \
		"$outside/model/two:$outside/model/one"; do
		try read "$outside/model/one" read="$given"
		expect_exit 4
		expect_err 'HS_EXIT\(7\)'
	done
	run "$SCOPA_ARENA" match "./bot read :$outside/model/one" @first \
		--deals 1 --each read="$outside"
	expect_err 'HS_EXIT\(7\)'
fi

if walled 'a file is given by itself, and nothing to be written'; then
	try read "$outside/model/two" read="$outside/model/one"
	expect_exit 0
	try write "$outside/model/one" read="$outside"
	expect_exit 0
	expect [ "$(cat "$outside/model/one")" = weights ]
fi

scenario 'what is given must be there'
run "$SCOPA_ARENA" match --bot @random read="$outside:nowhere" --bot @first
expect_exit 2
expect_error 'read=nowhere: No such file'

if walled 'a run goes on with it from another folder'; then
	mkdir near
	echo weights >near/one
	mkdir own
	cp bot own
	run "$SCOPA_ARENA" tournament --bot "own/bot must :$PWD/near/one" \
		read=near/one:own --bot @first --rounds 1 --deals 1 \
		--run given --announce
	expect_exit 0
	expect grep -qx "read = $PWD/near/one:$PWD/own" given/config.ini
	run env --chdir=/ "$SCOPA_ARENA" resume "$PWD/given"
	expect_exit 0
fi

if walled 'a bot that ends at a wall is told of with a hint'; then
	run "$SCOPA_ARENA" match "./bot must :$outside/model/one" @first
	expect_exit 4
	expect_err '^  hint    : .*walls.*read=PATH.*--scratch.*--sandbox off'
	run "$SCOPA_ARENA" match "./bot late" @first --rounds 2 --deals 1
	expect_exit 0
	expect_out 'forfeit by late: crash EXIT\(.\)'
	expect [ "$(grep -c '^walls   late: .*--scratch SIZE' "$err")" -eq 1 ]
	run "$SCOPA_ARENA" match "./bot late" @first --deals 1 --quiet
	expect [ ! -s "$err" ]
	run "$SCOPA_ARENA" tournament "./bot late" @first --rounds 1 \
		--deals 1 --run late
	expect_exit 0
	expect grep -q 'm1: it may have run into the walls' late/log.txt
fi

scenario 'without walls there is no such hint'
run "$SCOPA_ARENA" match "./bot must :nowhere" @first --sandbox off
expect_exit 4
expect_err 'No such file'
! grep -q 'walls around it' "$err" || fail 'walls are blamed'

finish
