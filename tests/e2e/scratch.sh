# Goal: with --scratch a bot in a sandbox can write to a folder of its own, up
# to a size, and the folder is removed afterwards; without --scratch it cannot
# write.
. "$SRC/tests/e2e/lib.sh"

# Writes to its folder and reads the file again, with `full` until KIB are
# written; then plays on.
python_bot writer.py <<'END'
import errno, os, subprocess, sys, tempfile

def fill(path):
    written = 0
    try:
        with open(path, 'wb', buffering=0) as file:
            while True:
                written += file.write(bytes(4096))
    except OSError as error:
        assert error.errno == errno.ENOSPC, error
    return written // 1024

what, kib = sys.argv[1], int(sys.argv[2])
place = tempfile.gettempdir() if what != 'nowhere' else '/run/scratch'
if what == 'nowhere':
    for folder in '/run/scratch', '/tmp', '/var/tmp', '/dev/shm', '.', '/':
        try:
            open(os.path.join(folder, 'file'), 'w')
        except OSError:
            continue
        sys.exit(f'written: {folder}')
else:
    assert place == os.environ['HOME'] == '/run/scratch', place
    assert os.listdir(place) == [], os.listdir(place)
if what == 'full':
    written = fill(place + '/file')
    assert written == kib, f'{written} KiB'
    os.remove(place + '/file')
if what == 'crowd':
    try:
        for number in range(1000000):
            open(f'{place}/{number}', 'w').close()
    except OSError as error:
        assert error.errno == errno.ENOSPC, error
    assert number <= kib, f'{number} files'
if what in ('work', 'full'):
    os.mkdir(place + '/a')
    os.mkdir(place + '/b')
    with open(place + '/a/text', 'w') as file:
        file.write('#!/bin/sh\necho scratch\n')
    os.rename(place + '/a/text', place + '/b/text')
    os.symlink('b/text', place + '/link')
    os.mkfifo(place + '/pipe')
    assert subprocess.run(['/bin/sh', place + '/link'],
                          capture_output=True).stdout == b'scratch\n'
END

# Whether a bot has a root folder of its own on this machine.
if "$SCOPA_ARENA" launch --box --root --confine -- /bin/true 2>/dev/null; then
	rooted=1
else
	rooted=
fi

scenario_with_root() { # NAME
	if [ -n "$rooted" ]; then
		scenario "$1"
	else
		skip "$1" 'no root folder for bots here'
		return 1
	fi
}

if scenario_with_root 'each of two bots has a folder of its own'; then
	arena 0 match "python3 writer.py work 0" "python3 writer.py work 0" \
		--deals 2 --sandbox auto --scratch 1M
	expect_out '^result '
fi

if [ ! -w /dev/shm ]; then
	skip 'the file of a bot may be in /dev/shm, with any TMPDIR' 'no /dev/shm'
elif scenario_with_root 'the file of a bot may be in /dev/shm, with any TMPDIR'; then
	place=$(mktemp -d /dev/shm/scopa-XXXXXX)
	cp writer.py "$place"
	TMPDIR=$place arena 0 match "python3 $place/writer.py work 0" @first \
		--deals 1 --sandbox auto --scratch 1M
	rm -r "$place"
fi

if scenario_with_root 'the folder is empty in the next run'; then
	for _ in 1 2; do
		arena 0 match "python3 writer.py work 0" @first --deals 1 \
			--sandbox auto --scratch 1M
	done
	expect_no_file /run/scratch
	expect_no_children
fi

if scenario_with_root 'the folder has exactly the given size, and a limit of files'; then
	arena 0 match "python3 writer.py full 512" @first --deals 1 \
		--sandbox auto --scratch 512K
	# A file in this folder may be larger than the limit of other files.
	arena 0 match "python3 writer.py full 20480" @first --deals 1 \
		--sandbox auto --scratch 20M
	arena 0 match "python3 writer.py crowd 256" @first --deals 1 \
		--sandbox auto --scratch 1M
fi

if scenario_with_root 'without --scratch no folder can be written'; then
	arena 0 match "python3 writer.py nowhere 0" @first --deals 1 \
		--sandbox auto
fi

scenario '--scratch with --sandbox off is refused'
refuses 'scratch needs a sandbox' match @first @first --sandbox off --scratch 1M

scenario 'on a machine without boxes --scratch is refused with the reason'
# shellcheck disable=SC2016 # for the inner shell
run unshare --user --map-root-user sh -c '
	echo 0 >/proc/sys/user/max_user_namespaces || exit 77
	exec "$@"' sh "$SCOPA_ARENA" match @first @first --deals 1 \
	--sandbox auto --scratch 1M
case $status in
1 | 77)
	# No namespace can be made here, so the arena already runs without boxes.
	run "$SCOPA_ARENA" match @first @first --deals 1 --sandbox auto \
		--scratch 1M
	;;
esac
expect_exit 5
expect_error 'scratch: bots have no root folder'
expect_err 'hint +: '

scenario 'a wrong size of --scratch is refused'
for size in 0 1K 12 2T 1.5M -1M many; do
	refuses 'size from 64K to 1T' match @first @first --sandbox auto \
		"--scratch=$size"
done

finish
