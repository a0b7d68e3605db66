# Goal: a bot in a sandbox can read only the files that its user names with
# read=, and a bot that ends because the sandbox refused something gets a hint.
. "$SRC/tests/e2e/lib.sh"

# Reads or writes a path, and plays on if that fails.  The colon before the path
# keeps the arena from taking the argument for the name of a file.
# shellcheck disable=SC2016 # for the bot
shell_bot player '
		[ "$1" != late ] || echo more >>notes || exit 9
		answer'
cat >bot <<'END'
#!/bin/sh
path=${2#:}
case $1 in
read) ! cat "$path" >/dev/null 2>&1 || exit 7 ;;
write) ! echo more >>"$path" || exit 7 ;;
must) cat "$path" >/dev/null || exit 8 ;;
esac
END
sed 1d player >>bot
chmod +x bot

# shellcheck disable=SC2034 # for lib.sh
level=$(level_of env)

outside=$(mktemp -d)
chmod 755 "$outside"
mkdir "$outside/model"
echo weights >"$outside/model/one"
echo weights >"$outside/model/two"
ln -s "$outside/model/one" link

try() { # STATUS WHAT PATH WORD...
	arena "$1" match --bot "./bot $2 :$3" "${@:4}" --bot @first --deals 1
}

if sandboxed_or_skip 'a bot cannot read files outside of its folder'; then
	try 0 read "$outside/model/one"
fi

if sandboxed_or_skip 'a bot can read the files that read= names'; then
	for given in "$outside" "$outside/model" "$outside/model/one" link \
		"$outside/model/two:$outside/model/one"; do
		try 4 read "$outside/model/one" read="$given"
		expect_err 'HS_EXIT\(7\)'
	done
	run "$SCOPA_ARENA" match "./bot read :$outside/model/one" @first \
		--deals 1 --each read="$outside"
	expect_err 'HS_EXIT\(7\)'
	run "$SCOPA_ARENA" match --bot "$PWD/bot read :one" \
		dir="$(realpath --relative-to=. "$outside/model")" \
		--bot @first --deals 1
	expect_err 'HS_EXIT\(7\)'
fi

if sandboxed_or_skip 'read= with a file opens only this file, and only for reading'; then
	try 0 read "$outside/model/two" read="$outside/model/one"
	try 0 write "$outside/model/one" read="$outside"
	expect [ "$(cat "$outside/model/one")" = weights ]
fi

scenario 'a missing file in read= is refused'
refuses 'read=nowhere: No such file' match --bot @random \
	read="$outside:nowhere" --bot @first

bare_scenario 'a path of read= in a folder with a colon is refused'
mkdir 'in:side'
cd 'in:side' || exit 5
echo weights >one
refuses 'read=one: colons divide paths, and this one has a colon: .*/in:side/one$' \
	tournament --bot @random read=one --bot @first --run given
expect_no_file given
cd .. || exit 5

if sandboxed_or_skip 'a run with read= can be resumed from another folder'; then
	mkdir near
	echo weights >near/one
	mkdir own
	cp bot own
	arena 0 tournament --bot "own/bot must :$PWD/near/one" \
		read=near/one:own --bot @first --rounds 1 --deals 1 \
		--run given --announce
	expect grep -qx "read = $PWD/near/one:$PWD/own" given/config.ini
	expect_run 0 env --chdir=/ "$SCOPA_ARENA" resume "$PWD/given"
fi

if sandboxed_or_skip 'a bot that ends because the sandbox refused something gets a hint'; then
	arena 4 match "./bot must :$outside/model/one" @first
	expect_err '^  hint    : .*sandbox.*read=PATH.*--scratch.*--sandbox off plays without a sandbox$'
	program opens 'echo unable to open the file >&2' 'exit 1'
	arena 4 match ./opens @first
	expect_err '^  hint    : .*sandbox.* a folder to write in \(TMPDIR\)'
	arena 0 match "./bot late" @first --rounds 2 --deals 1
	expect_out 'forfeit by late: exited with status .'
	expect_lines 1 '^  hint    : .*--scratch SIZE' "$out"
	run "$SCOPA_ARENA" match "./bot late" @first --deals 1 --quiet
	expect [ ! -s "$err" ]
	arena 0 tournament "./bot late" @first --rounds 1 --deals 1 --run late
	expect grep -q 'm1: late: hint    : it may have run into the limits' late/log.txt
fi

scenario 'without a sandbox there is no such hint'
arena 4 match "./bot must :nowhere" @first --sandbox off
expect_err 'No such file'
! grep -q 'limits of its sandbox' "$err" || fail 'the hint blames the sandbox'

finish
