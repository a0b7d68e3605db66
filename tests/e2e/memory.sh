# Goal: a bot that takes more memory than it may has lost by LIMIT_MEM, with all
# that it has started; shared memory counts once, and address space not at all.
# Files in memory count whether they are mapped or not.
# Queue load: one script that loads the machine at a time.
. "$SRC/tests/e2e/lib.sh"

# Takes MIB, in so many processes that share or copy it, and plays on.
cat >eater.py <<'END'
import mmap, os, signal, sys, time

what, mib, count, when = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), \
    sys.argv[4]

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
        # A page of page tables each.
        kept[::2 << 20]
    if what == 'share':
        kept = bytearray(b'x') * (mib << 20)
    taken, done = os.pipe()
    for _ in range(count):
        if os.fork() == 0:
            if what == 'copy':
                kept = bytearray(b'x') * (mib << 20)
            if what == 'hide':
                hide(False)
            os.write(done, b'.')
            signal.pause()
    for _ in range(count):
        os.read(taken, 1)
    time.sleep(1.5)

if when == 'start':
    take()
for line in sys.stdin:
    word = line.split()
    if word[0] == 'usp':
        print('id name=eater\nuspok 1', flush=True)
    elif word[0] == 'isready':
        print('readyok', flush=True)
    elif word[0] == 'legal':
        move = word[1]
    elif word[0] == 'go':
        if when == 'turn':
            take()
            when = 'no more'
        print('move', move, word[1], flush=True)
    elif word[0] == 'quit':
        break
END

# A match of it with some memory.
eat() { # WORDS MEMORY
	# The words are several on purpose.
	# shellcheck disable=SC2086
	run "$SCOPA_ARENA" match "python3 eater.py $1" @first --deals 1 \
		--sandbox "$sandbox" --memory "$2" --record games.scopa
}

for sandbox in auto off; do
	scenario "one that takes too much loses, sandbox $sandbox"
	rm -f games.scopa
	eat 'copy 150 3 turn' 300M
	expect_exit 0
	expect_out 'forfeit by eater: crash LIMIT_MEM'
	expect grep -q 'crash.*LIMIT_MEM' games.scopa
	expect_no_children

	scenario "so does one that hides it in files, sandbox $sandbox"
	eat 'hide 150 3 turn' 300M
	expect_exit 0
	expect_out 'forfeit by eater: crash LIMIT_MEM'
	expect_no_children

	if grep -q '^VmPTE:' /proc/self/status; then
		scenario "so does one that fills page tables, sandbox $sandbox"
		eat 'tables 100000 0 turn' 100M
		expect_exit 0
		expect_out 'forfeit by eater: crash LIMIT_MEM'
		expect_no_children

		scenario "page tables of a little are no fault, sandbox $sandbox"
		eat 'tables 20000 0 turn' 100M
		expect_exit 0
		expect_out 'eater .* after 1 deal$'
	fi

	if [ -e /proc/self/smaps_rollup ]; then
		scenario "files count once, sandbox $sandbox"
		eat 'hide-one 150 3 turn' 300M
		expect_exit 0
		expect_out 'eater .* after 1 deal$'

		scenario "files that are mapped count once, sandbox $sandbox"
		eat 'hide-map 200 0 turn' 300M
		expect_exit 0
		expect_out 'eater .* after 1 deal$'
	fi

	scenario "at its start, too, sandbox $sandbox"
	eat 'copy 150 3 start' 300M
	expect_exit 4
	expect_err 'killed at its limit of memory'
	expect_no_children

	scenario "what is within the limit plays on, sandbox $sandbox"
	eat 'copy 50 3 turn' 300M
	expect_exit 0

	scenario "without a limit so much is no fault, sandbox $sandbox"
	eat 'copy 150 3 turn' none
	expect_exit 0

	if [ -e /proc/self/smaps_rollup ]; then
		scenario "shared pages count once, sandbox $sandbox"
		eat 'share 150 5 turn' 300M
		expect_exit 0
	fi

	scenario "address space is free, sandbox $sandbox"
	eat 'space 100000 0 turn' 300M
	expect_exit 0
done

scenario 'a size that makes no sense is refused'
for size in 15M 2T x -1 '' 4GB; do
	run "$SCOPA_ARENA" match @first @first "--memory=$size"
	expect_exit 2
	expect_error 'memory.*"none" or a size from 16M to 1T'
done

finish
