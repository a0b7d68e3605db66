/*
 * What two bots that share nothing could still both change and read: futexes on
 * a page that both have mapped, attributes of files that are not their content,
 * the page cache, and counters of the whole machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/memfd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <unistd.h>

#include "probe.h"

/* Newer than some headers; the numbers are the same on all architectures. */
enum {
	FUTEX_WAITV = 449,
	CACHE_STATE = 451,
	FUTEX2_WAKE = 454,
	FUTEX2_REQUEUE = 456,
	FUTEX2_SIZE_U32 = 2
};

#ifndef F_SET_FILE_RW_HINT
#define F_SET_FILE_RW_HINT 1038
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

enum { PAGE = 4096 };

/*
 * A word that all processes with read access to the file can map.  If it cannot
 * be mapped, this ends the attempt without success.
 */
static uint32_t *
shared_word(const struct targets *targets)
{
	int fd = probe_shared(targets);
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		_exit(false);
	return page;
}

static bool
futex(const struct targets *targets, int operation)
{
	uint32_t *word = shared_word(targets);

	return syscall(SYS_futex, word, operation, 1, 1UL, word + 1,
		   FUTEX_BITSET_MATCH_ANY) >= 0;
}

ATTEMPT_IF(futex_wake, futex(targets, FUTEX_WAKE))
ATTEMPT_IF(futex_wake_bits, futex(targets, FUTEX_WAKE_BITSET))
ATTEMPT_IF(futex_requeue, futex(targets, FUTEX_REQUEUE))

/* The second word must be writable; its value stays 0. */
ATTEMPT(futex_wake_operation)
{
	uint32_t mine = 0;

	return syscall(SYS_futex, shared_word(targets), FUTEX_WAKE_OP, 1, 1UL,
		   &mine, FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 1)) >= 0;
}

/* A free lock. */
ATTEMPT(futex_priority)
{
	uint32_t mine = 0;

	return syscall(SYS_futex, &mine, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0) ==
	    0;
}

ATTEMPT_IF(futex2_wake,
    syscall(FUTEX2_WAKE, shared_word(targets), 1UL, 1, FUTEX2_SIZE_U32) >= 0)

/* Without a list these calls report an error before they wait. */
ATTEMPT(futex2_others)
{
	return (syscall(FUTEX_WAITV, NULL, 0, 0, NULL, 0) < 0 &&
		   errno != ENOSYS && errno != EPERM) ||
	    (syscall(FUTEX2_REQUEUE, NULL, 0, 1, 0) < 0 && errno != ENOSYS &&
		errno != EPERM);
}

/* At the end of a thread the kernel wakes the locks in such a list. */
ATTEMPT(futex_robust_list)
{
	static struct robust_list_head head;

	head.list.next = &head.list;
	return syscall(SYS_set_robust_list, &head, sizeof(head)) == 0;
}

/* Sets the hint to its current value: another value would work, too. */
ATTEMPT(mark_hint)
{
	uint64_t none = 0;

	return fcntl(probe_shared(targets), F_SET_RW_HINT, &none) == 0;
}

ATTEMPT(mark_flags)
{
	int fd = probe_shared(targets), flags;

	return ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 &&
	    ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
}

/* Removes pages from the page cache, which others could notice. */
ATTEMPT_IF(cache_drop,
    posix_fadvise(probe_shared(targets), 0, 0, POSIX_FADV_DONTNEED) == 0)

ATTEMPT_IF(
    cache_page_out, madvise(shared_word(targets), PAGE, MADV_PAGEOUT) == 0)

ATTEMPT(cache_map)
{
	unsigned char there;

	return mincore(shared_word(targets), PAGE, &there) == 0;
}

ATTEMPT(cache_state)
{
	uint64_t range[2] = { 0, PAGE }, state[8];

	return syscall(CACHE_STATE, probe_shared(targets), range, state, 0) ==
	    0;
}

/* Contexts are counted for the whole machine (/proc/sys/fs/aio-nr). */
ATTEMPT(requests)
{
	unsigned long context = 0;

	return syscall(SYS_io_setup, 1U, &context) == 0;
}

/* All processes share one pool of huge pages. */
ATTEMPT(huge_pages)
{
	return mmap(NULL, PAGE, PROT_READ,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE,
		   -1, 0) != MAP_FAILED ||
	    probe_opened(memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB));
}

ATTEMPT(free_blocks)
{
	struct statfs space;

	return statfs("/usr", &space) == 0;
}

/* Numbers that change with the load of the machine. */
ATTEMPT(machine_counts)
{
	struct sysinfo info;

	return sysinfo(&info) == 0 &&
	    (info.procs > 1 || info.loads[0] != 0 ||
		info.freeram != info.totalram);
}

/* Descriptors that are being sent are counted for the user. */
ATTEMPT(descriptor_send)
{
	char room[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int pair[2], fd = STDIN_FILENO;

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0 &&
	    sendmsg(pair[0], &message, 0) == 1;
}

/*
 * Files of /proc with counters of the machine that no run-time system needs;
 * some are readable only by root.
 */
ATTEMPT(proc_counters)
{
	static const char *const files[] = { "/proc/vmstat", "/proc/locks",
		"/proc/key-users", "/proc/keys", "/proc/timer_list",
		"/proc/slabinfo", "/proc/kpagecount", "/proc/interrupts",
		"/proc/softirqs", "/proc/buddyinfo", "/proc/zoneinfo",
		"/proc/diskstats", "/proc/cgroups", "/proc/sysvipc/shm",
		"/proc/sys/fs/aio-nr", "/proc/sys/fs/file-nr",
		"/proc/sys/fs/inode-nr", "/proc/sys/fs/dentry-state",
		"/proc/sys/kernel/random/uuid", "/proc/sys/kernel/pty/nr",
		"/proc/sys/kernel/ns_last_pid", "/proc/pressure/cpu",
		"/proc/vmallocinfo" };

	for (size_t i = 0; i < COUNTOF(files); i++)
		if (probe_opens(files[i], O_RDONLY))
			return true;
	return false;
}

/* The number of forks of the machine in /proc/stat. */
static long
forks(void)
{
	char text[1 << 16] = "", *line;
	int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	line = got > 0 ? strstr(text, "\nprocesses ") : NULL;
	return line == NULL ? 0 : strtol(line + 11, NULL, 10);
}

ATTEMPT(proc_forks)
{
	long before = forks();

	if (fork() == 0)
		_exit(0);
	return before > 0 && forks() != before;
}

ATTEMPT_IF(sys_counters,
    probe_opens("/sys/devices/system/cpu/cpu0", O_RDONLY) ||
	probe_opens("/sys/devices/system/node/node0/vmstat", O_RDONLY))
