# Goal: a bot that uses more memory than its limit, together with all processes
# that it has started, loses by LIMIT_MEM; shared memory counts once, address
# space does not count.  Files in memory count whether they are mapped or not.
# Queue load: one script that loads the machine at a time.
. "$SRC/tests/e2e/lib.sh"

# Uses MIB of memory, in COUNT processes that share or copy it, and plays on.
python_bot eater.py <<'END'
import mmap, os, signal, sys, time

what, mib, count, when = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), \
    sys.argv[4]
seconds = float(sys.argv[5])

def hide(mapped):
    global kept
    kept = []
    for left in range(mib, 0, -10):
        fd = os.memfd_create('eater')
        os.write(fd, b'x' * (10 << 20))
        kept.append(mmap.mmap(fd, 0) if mapped else fd)
        if mapped:
            sum(kept[-1][::4096])

def take():
    global kept
    if what in ('hide-one', 'hide-map'):
        hide(what == 'hide-map')
    if what == 'space':
        kept = mmap.mmap(-1, mib << 20, flags=mmap.MAP_PRIVATE | 0x4000)
        return
    if what == 'tables':
        kept = mmap.mmap(-1, mib << 20, flags=mmap.MAP_PRIVATE | 0x4000)
        kept.madvise(mmap.MADV_NOHUGEPAGE)
        # Each access needs one page of page tables.
        kept[::2 << 20]
    if what == 'share':
        kept = bytearray(b'x') * (mib << 20)
    taken, done = os.pipe()
    for _ in range(count):
        if os.fork() == 0:
            if what == 'orphan' and os.fork() != 0:
                os._exit(0)
            if what in ('copy', 'orphan'):
                kept = bytearray(b'x') * (mib << 20)
            if what == 'hide':
                hide(False)
            os.write(done, b'.')
            signal.pause()
    for _ in range(count):
        os.read(taken, 1)
    time.sleep(seconds)

def turn(*_):
    global when
    if when == 'turn':
        take()
        when = 'no more'

if when == 'start':
    take()
END

# Plays a match of eater.py with a limit; the bot waits SECONDS, so that the
# arena can measure its memory.
play_eater() { # WORDS MEMORY SECONDS
	rm -f games.scopa
	run "$SCOPA_ARENA" match "python3 eater.py $1 $3" @first --deals 1 \
		--sandbox "$sandbox" --memory "$2" --record games.scopa \
		--startup-ms 600000 --tc move:600
	expect_no_children
}

# The limit is small, so that processes that are killed by it end quickly.
expect_too_much() { # NAME WORDS [MEMORY]
	scenario "$1, sandbox $sandbox"
	play_eater "$2" "${3:-100M}" 500
	expect_exit 0
	expect_out 'forfeit by eater: was killed at its limit of memory'
	expect_line 'crash.*LIMIT_MEM' games.scopa
}

expect_allowed() { # NAME WORDS [MEMORY]
	scenario "$1, sandbox $sandbox"
	play_eater "$2" "${3:-100M}" 0.5
	expect_exit 0
	expect_out 'eater .* after 1 deal(, unboxed)?$'
}

for sandbox in auto off; do
	expect_too_much 'a bot that uses too much memory loses' 'copy 50 3 turn'
	expect_too_much 'orphans of a bot count, too' 'orphan 50 3 turn'
	expect_allowed 'a bot below its limit plays on' 'copy 15 3 turn'
	expect_allowed 'without a limit the same memory is allowed' 'copy 50 3 turn' none
	expect_allowed 'address space does not count' 'space 100000 0 turn'
	expect_too_much 'a bot that uses memory by files loses' 'hide 50 3 turn'

	if grep -q '^VmPTE:' /proc/self/status; then
		expect_too_much 'a bot that fills page tables loses' \
			'tables 30000 0 turn' 40M
		expect_allowed 'small page tables are allowed' \
			'tables 5000 0 turn' 40M
	fi
	if [ -e /proc/self/smaps_rollup ]; then
		expect_allowed 'files count once' 'hide-one 50 3 turn'
		expect_allowed 'mapped files count once' \
			'hide-map 70 0 turn'
		expect_allowed 'shared pages count once' 'share 50 5 turn'
	fi

	scenario "a bot that uses too much memory at its start is reported, sandbox $sandbox"
	play_eater 'copy 50 3 start' 100M 500
	expect_exit 4
	expect_err 'killed at its limit of memory'
done

scenario 'a wrong size is refused'
for size in 15M 2T x -1 '' 4GB; do
	refuses 'memory.*"none" or a size from 16M to 1T' match @first @first \
		"--memory=$size"
done

finish
