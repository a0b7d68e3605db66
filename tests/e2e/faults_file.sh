# Goal: group `file` of tests/faulty/faults.tsv, files that cannot be a bot:
# they are reported before the first game if that is possible, otherwise with
# their reason during the run; no other bot is started in vain.
# Queue nobody: the processes of the user nobody are limited.
. "$SRC/tests/e2e/faults.bash"

# A bot that would write a file if it were started.
program traced 'touch started'

mkdir folder
: >hollow
: >unmarked
printf 'touch owned\n' >words
printf '#!/no/such/interpreter\n' >lost
printf '#!/bin/sh\r\ntouch owned\r\n' >crlf
ln -s nowhere dangling
ln -s loop loop
mkfifo pipe
head -c 64 "$faulty" >header
head -c 4000 "$faulty" >half
sed 's/libc\.so\.6/libc.so.Z/g' "$faulty" >unlinked
printf '\177ELF\002\001\001' >stub
cp "$faulty" setuid
cp "$faulty" setgid
chmod +x hollow words lost crlf pipe header half unlinked stub
chmod 4755 setuid
chmod 2755 setgid

# Expects that the file is refused before any bot starts, with a reason and a
# hint.
expect_unstarted() { # ID FILE CODE EXPRESSION
	local sandbox
	expect_listed "$1" "refused $3"
	for sandbox in $sandboxes; do
		rm -f started games.scopa
		RUN_SECONDS=300 refuses "$4" match ./traced "$2" --deals 1 \
			--record games.scopa --sandbox "$sandbox"
		expect_err "^  reason  : EXEC_FAIL\\($3\\)\$" '^  hint    : '
		expect_no_file started games.scopa
	done
	expect_nothing_left
}

# Expects that the file is started, and reported with the reason.
expect_unready() { # ID FILE REASON
	local sandbox
	expect_listed "$1" "startup $3"
	for sandbox in $sandboxes; do
		rm -f games.scopa
		run "$SCOPA_ARENA" match --bot "cmd=$2" name=faulty \
			--bot "cmd=$faulty" args=honest name=witness --deals 1 \
			--sandbox "$sandbox" --json --record games.scopa
		expect_refused "$3"
		expect_verified games.scopa
		expect_nothing_left
	done
}

row F001 'a file that is missing is refused'
expect_unstarted F001 ./missing ENOENT 'does not exist'
expect_unstarted F001 ./dangling ENOENT 'symbolic link'
expect_unstarted F001 ./loop ELOOP 'leads back'

row F002 'a file that may not be run is refused'
expect_unstarted F002 ./unmarked EACCES 'not executable'
expect_unstarted F002 ./folder EACCES 'directory'
expect_unstarted F002 ./pipe EACCES 'not a file'

row F003 'a file that is no program is never given to a shell'
expect_unstarted F003 ./hollow ENOEXEC 'empty'
expect_unready F003 ./words 'EXEC_FAIL(ENOEXEC)'
expect_unready F003 ./header 'EXEC_FAIL(ENOEXEC)'
expect_unready F003 ./stub 'EXEC_FAIL(ENOEXEC)'

scenario 'F003 half a program is refused by the kernel or by the loader'
# Kernel or loader refuses the file: that depends on the machine.
arena 4 match ./half @first --deals 1 --record games.scopa
expect_err '^error: .*\((EXEC_FAIL|HS_CRASH|HS_EXIT)\('
expect_nothing_left

row F004 'a missing interpreter is reported as such'
expect_unstarted F004 ./lost ENOENT 'interpreter /no/such/interpreter'
expect_unstarted F004 ./crlf ENOENT 'CR LF'

row F005 'a missing shared library is named'
expect_unready F005 ./unlinked 'HS_EXIT(127)'
expect_err '^  stderr  : .*libc\.so\.Z'

row F006 'a file with privileges is refused'
expect_unstarted F006 ./setuid SUID 'setuid'
expect_unstarted F006 ./setgid SUID 'setuid'
if [ "$(id -u)" -eq 0 ] && command -v setcap >/dev/null; then
	cp "$faulty" able
	if setcap cap_kill+ep able 2>/dev/null; then
		expect_unstarted F006 ./able SUID 'capabilities'
	fi
fi

if [ "$(id -u)" -eq 0 ]; then
	scenario 'F006 a setuid program gives a bot no privileges'
	cp "$(command -v id)" privileged
	chown 65534 privileged
	chmod 4755 privileged
	program wrapper './privileged >&2' 'exit 1'
	for sandbox in $sandboxes; do
		arena 4 match ./wrapper @first --deals 1 --sandbox "$sandbox"
		! grep -q 'euid' "$err" || fail 'the setuid program had privileges'
	done
fi

# Plays games with the bot ./changing, then runs a command that changes its file.
play_changed() { # ID REASON COMMAND...
	cp "$faulty" changing
	cp traced other
	rm -f games.scopa started
	start "$SCOPA_ARENA" match --bot cmd=./changing args=leaves \
		name=faulty --bot "cmd=$faulty" args=honest name=witness \
		--deals 1 --rounds 100000 --quiet --record games.scopa \
		--sandbox "$sandbox"
	await games.scopa .
	"${@:3}"
	reap
	expect_listed "$1" "startup $2"
	expect_exit 4
	expect_err "did not get ready to play: .* \\($(quoted "$2")\\)\$"
	expect_nothing_left
}

for sandbox in $sandboxes; do
	row F007 "a bot whose file is replaced is not started ($sandbox)"
	play_changed F007 'EXEC_FAIL(CHANGED)' mv other changing
	expect_lines 1 'kind=startup reason=EXEC_FAIL\(CHANGED\) ' games.scopa

	scenario "F007 a bot whose file gets a new time plays on ($sandbox)"
	cp "$faulty" changing
	run "$SCOPA_ARENA" match --bot cmd=./changing args=leaves \
		--bot "cmd=$faulty" args=honest --deals 1 --rounds 5 --json \
		--sandbox "$sandbox"
	expect_out '"forfeits":5,'

	scenario "F001 a bot whose file is removed during a match is reported ($sandbox)"
	play_changed F001 'EXEC_FAIL(ENOENT)' rm changing
done

scenario 'F007 a tournament stops a bot whose file is replaced'
cp "$faulty" changing
cp traced other
start "$SCOPA_ARENA" tournament --bot cmd=./changing args=leaves name=faulty \
	--bot "cmd=$faulty" args=honest name=witness \
	--deals 1 --rounds 100000 --run run --quiet --events events
await_results run
mv other changing
reap
expect_line '"event":"suspend".*"bot":"faulty","reason":"startup"' events
expect_nothing_left

row F008 'a world-writable folder of a bot is reported'
mkdir -m 777 common
cp "$faulty" common/bot
for sandbox in $sandboxes; do
	run "$SCOPA_ARENA" match "./common/bot honest" @first --deals 1 \
		--sandbox "$sandbox"
	expect_listed F008 -
	expect_exit 0
	case $sandbox in
	off) expect_err '^folder  .*/common: everybody may write to it' ;;
	*) expect_err_empty ;;
	esac
done
chmod 755 common
run "$SCOPA_ARENA" match './common/bot honest' @first --deals 1
expect_err_empty

finish_groups file
