/*
 * Implements system_calls.h: two filters, of which the stricter action counts.
 *
 * The tables below list the system calls that are refused, some only for
 * certain arguments; filter_make() makes a BPF program of them. libseccomp has
 * the numbers of the calls, but makes no program: without memory it ends the
 * process, or leaves calls out of the filter and reports success. The second
 * filter is that of the call proxy, for it differs with a bot that may use
 * shared futexes, and every start of a bot enters it. A thread of the
 * supervisor answers the calls that it holds back.
 */
#include "system_calls.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "confinement.h"
#include "countof.h"

/* Much more than the filter needs. The limit of the kernel is 4,096. */
enum { INSTRUCTIONS_MAX = 1024, DESCRIPTOR_MIN = 16 };

/* Younger than some libseccomp; their numbers are those of every machine. */
enum {
	QUOTACTL_FD = 443,
	CACHESTAT = 451,
	FCHMODAT2 = 452,
	SETXATTRAT = 463,
	REMOVEXATTRAT = 466,
	OPEN_TREE_ATTR = 467,
	FILE_SETATTR = 469
};

/* Younger than some kernel headers, or not in those of the C library. */
#ifndef PR_SET_MEMORY_MERGE
#define PR_SET_MEMORY_MERGE 67
#endif
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

#define NUMBER_AT offsetof(struct seccomp_data, nr)
/* The lower half of an argument: all values and masks are of 32 bits. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARGUMENT_AT(i) (offsetof(struct seccomp_data, args) + 8 * (i))
#else
#define ARGUMENT_AT(i) (offsetof(struct seccomp_data, args) + 8 * (i) + 4)
#endif

#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define AND(mask) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (mask))
#define IF_EQUAL(value, skipped_then, skipped_else) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), skipped_then, skipped_else)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* Returns the action if the value is equal. */
#define CASE(value, action) IF_EQUAL(value, 0, 1), RETURN(action)

/* Refused whatever the arguments are. */
static const int refused[] = {
	/* Calls that read, change or kill other processes. */
	SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp),
	SCMP_SYS(process_madvise), SCMP_SYS(migrate_pages),
	SCMP_SYS(move_pages),
	/* Calls that administer the kernel. */
	SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),
	SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
	SCMP_SYS(io_uring_register), SCMP_SYS(personality), SCMP_SYS(syslog),
	SCMP_SYS(acct), SCMP_SYS(reboot), SCMP_SYS(kexec_load),
	SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
	/* Mounts and namespaces. */
	SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
	SCMP_SYS(chroot), SCMP_SYS(open_tree), SCMP_SYS(move_mount),
	OPEN_TREE_ATTR, SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount),
	SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(setns),
	SCMP_SYS(unshare), SCMP_SYS(name_to_handle_at),
	SCMP_SYS(open_by_handle_at),
	/*
	 * A kernel with autogroup shares the cores among sessions. With a
	 * second session a bot would get a second share. sched(7).
	 */
	SCMP_SYS(setsid), SCMP_SYS(setpgid),
	/*
	 * A game keeps to its cores, and the other cores are those of other
	 * games.
	 */
	SCMP_SYS(sched_setaffinity),
	/*
	 * Calls by which processes communicate. Some architectures also have
	 * one call for many of these.
	 */
	SCMP_SYS(socketcall), SCMP_SYS(ipc), SCMP_SYS(socket), SCMP_SYS(bind),
	SCMP_SYS(connect), SCMP_SYS(listen), SCMP_SYS(accept),
	SCMP_SYS(accept4), SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl),
	SCMP_SYS(semget), SCMP_SYS(semop), SCMP_SYS(semtimedop),
	SCMP_SYS(semctl), SCMP_SYS(msgget), SCMP_SYS(msgsnd), SCMP_SYS(msgrcv),
	SCMP_SYS(msgctl), SCMP_SYS(mq_open), SCMP_SYS(mq_unlink),
	SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl),
	SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1),
	SCMP_SYS(inotify_add_watch), SCMP_SYS(fanotify_init),
	SCMP_SYS(fanotify_mark), SCMP_SYS(flock),
	/*
	 * Descriptors that are sent through a socket count for the user, and
	 * memory files among them are not found by the memory check.
	 */
	SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg),
	/*
	 * The number of contexts can be read by all processes:
	 * /proc/sys/fs/aio-nr.
	 */
	SCMP_SYS(io_setup), SCMP_SYS(quotactl), QUOTACTL_FD,
	/*
	 * Modes, owners, times and attributes of files, which other processes
	 * can see.
	 */
	SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown),
	SCMP_SYS(fchown), SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime),
	SCMP_SYS(utimes), SCMP_SYS(utimensat), SCMP_SYS(futimesat),
	SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr),
	SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr),
	FCHMODAT2, SETXATTRAT, REMOVEXATTRAT, FILE_SETATTR
};

/*
 * Calls that are refused for any process but the caller itself, whose number in
 * these calls is 0.  Reading the state of another process is refused, too: a
 * process could send a message by changing its state, and the state shows how
 * much the process has computed.  The C library asks for the cores of its own
 * threads by their numbers; it treats ENOSYS as an older kernel.
 */
static const struct {
	int call;
	unsigned argument; /* the number of the process */
	unsigned error;
} own_only[] = {
	{ SCMP_SYS(prlimit64), 0, EPERM },
	{ SCMP_SYS(sched_setscheduler), 0, EPERM },
	{ SCMP_SYS(sched_setparam), 0, EPERM },
	{ SCMP_SYS(sched_setattr), 0, EPERM },
	{ SCMP_SYS(setpriority), 1, EPERM },
	{ SCMP_SYS(ioprio_set), 1, EPERM },
	{ SCMP_SYS(sched_getaffinity), 0, ENOSYS },
	{ SCMP_SYS(sched_getscheduler), 0, ENOSYS },
	{ SCMP_SYS(sched_getparam), 0, ENOSYS },
	{ SCMP_SYS(sched_getattr), 0, ENOSYS },
	{ SCMP_SYS(sched_rr_get_interval), 0, ENOSYS },
	{ SCMP_SYS(getpriority), 1, ENOSYS },
	{ SCMP_SYS(ioprio_get), 1, ENOSYS },
	{ SCMP_SYS(getpgid), 0, ENOSYS },
	{ SCMP_SYS(getsid), 0, ENOSYS },
};

/*
 * Refused with ENOSYS. Some of these calls show how full a disk is or what is
 * in the page cache. The inode numbers of pidfds count the processes and
 * threads of the whole machine, also for a process in a namespace of its own.
 * The filter cannot read the flags of clone3(), which are in memory; the C
 * library then uses clone().
 */
static const int absent[] = { SCMP_SYS(statfs), SCMP_SYS(statfs64),
	SCMP_SYS(fstatfs), SCMP_SYS(fstatfs64), SCMP_SYS(ustat),
	SCMP_SYS(mincore), CACHESTAT, SCMP_SYS(pidfd_open), SCMP_SYS(clone3),
	/* Its signal may be SIGCONT, and is in memory: see SIGNAL_BITS. */
	SCMP_SYS(timer_create) };

/* These bits of a request of ioctl(2) are the letter of its driver. */
#define IOCTL_LETTER UINT32_C(0xff00)
#define IOCTL_OF(letter) ((uint32_t)(letter) << 8)

/* Clocks of processes are negative numbers; clocks of threads have a bit set. */
#define CLOCK_KIND UINT32_C(0x80000004)
#define CLOCK_OF_PROCESS UINT32_C(0x80000000)

#define SOCKET_KIND UINT32_C(0xf)

/*
 * The kernel can send SIGCONT to a bot whose processes are all stopped, if the
 * bot has asked for this signal: when a timer ends, a pipe gets room, or a
 * process that is ending has ended.  Then the bot would not stay frozen.  These
 * bits of the flags of clone(2) are the signal at the end of a child.
 */
#define SIGNAL_BITS UINT32_C(0xff)

/* Refused for some values of one argument. */
struct value_rule {
	int call;
	unsigned argument;
	uint32_t mask; /* of the bits that are looked at */
	uint32_t value;
	unsigned error;
};

static const struct value_rule refused_values[] = {
	{ SCMP_SYS(clone), 0, CLONE_NEWUSER, CLONE_NEWUSER, EPERM },
	{ SCMP_SYS(clone), 0, SIGNAL_BITS, SIGCONT, EINVAL },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETSIG, EPERM },
	/* Other ways to a pidfd: see absent. */
	{ SCMP_SYS(clone), 0, CLONE_PIDFD, CLONE_PIDFD, EINVAL },
	{ SCMP_SYS(getsockopt), 2, UINT32_MAX, SO_PEERPIDFD, ENOPROTOOPT },
	{ SCMP_SYS(setsockopt), 2, UINT32_MAX, SO_PASSPIDFD, ENOPROTOOPT },
	/* This counts the sockets of the whole machine. */
	{ SCMP_SYS(getsockopt), 2, UINT32_MAX, SO_COOKIE, ENOPROTOOPT },
	/*
	 * The memory of this process would be merged with equal pages of
	 * others, as by MADV_MERGEABLE.
	 */
	{ SCMP_SYS(prctl), 0, UINT32_MAX, PR_SET_MEMORY_MERGE, EPERM },
	/* No other process could run on the other threads of its core. */
	{ SCMP_SYS(prctl), 0, UINT32_MAX, PR_SCHED_CORE, EPERM },
	/*
	 * This means all processes of the user, and the arena is one of them.
	 */
	{ SCMP_SYS(setpriority), 0, UINT32_MAX, PRIO_USER, EPERM },
	{ SCMP_SYS(ioprio_set), 0, UINT32_MAX, IOPRIO_WHO_USER, EPERM },
	{ SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCSTI, EPERM },
	{ SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCLINUX, EPERM },
	/* This asks for a controlling terminal. */
	{ SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCSCTTY, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETLK, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETLKW, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_OFD_SETLK, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_OFD_SETLKW, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETLEASE, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_NOTIFY, EPERM },
	/* A mark on the file, without a right to write there. */
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SET_RW_HINT, EPERM },
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SET_FILE_RW_HINT, EPERM },
	/* Memory that is counted for the user. */
	{ SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETPIPE_SZ, EPERM },
	/*
	 * This drops pages from the page cache that other processes also read.
	 */
	{ SCMP_SYS(fadvise64), 3, UINT32_MAX, POSIX_FADV_DONTNEED, EPERM },
	/*
	 * The following calls are answered as by a kernel or file system that
	 * lacks them.
	 */
	{ SCMP_SYS(preadv2), 5, RWF_NOWAIT, RWF_NOWAIT, EOPNOTSUPP },
	{ SCMP_SYS(madvise), 2, UINT32_MAX, MADV_PAGEOUT, EINVAL },
	{ SCMP_SYS(madvise), 2, UINT32_MAX, MADV_MERGEABLE, EINVAL },
	/* All processes share one pool of huge pages. */
	{ SCMP_SYS(mmap), 3, MAP_HUGETLB, MAP_HUGETLB, ENOMEM },
	{ SCMP_SYS(mmap2), 3, MAP_HUGETLB, MAP_HUGETLB, ENOMEM },
	{ SCMP_SYS(memfd_create), 1, MFD_HUGETLB, MFD_HUGETLB, ENOSYS },
	/* Flags, versions and other marks on files that may be read alone, and
	 * what each file system has of its own. */
	{ SCMP_SYS(ioctl), 1, IOCTL_LETTER, IOCTL_OF('f'), ENOTTY },
	{ SCMP_SYS(ioctl), 1, IOCTL_LETTER, IOCTL_OF('v'), ENOTTY },
	{ SCMP_SYS(ioctl), 1, IOCTL_LETTER, IOCTL_OF('X'), ENOTTY },
	{ SCMP_SYS(ioctl), 1, IOCTL_LETTER, IOCTL_OF(0x94), ENOTTY },
	/* The state of other processes: see own_only. */
	{ SCMP_SYS(getpriority), 0, UINT32_MAX, PRIO_USER, ENOSYS },
	{ SCMP_SYS(ioprio_get), 0, UINT32_MAX, IOPRIO_WHO_USER, ENOSYS },
	{ SCMP_SYS(clock_gettime), 0, CLOCK_KIND, CLOCK_OF_PROCESS, ENOSYS },
	{ SCMP_SYS(clock_getres), 0, CLOCK_KIND, CLOCK_OF_PROCESS, ENOSYS },
	{ SCMP_SYS(clock_nanosleep), 0, CLOCK_KIND, CLOCK_OF_PROCESS, ENOSYS },
	/*
	 * One end of such a pair can send to any address, and no filter sees
	 * where to.  SOCK_RAW is the same, and so is SOCK_RDM of TIPC.
	 */
	{ SCMP_SYS(socketpair), 1, SOCKET_KIND, SOCK_DGRAM, ENOSYS },
	{ SCMP_SYS(socketpair), 1, SOCKET_KIND, SOCK_RAW, ENOSYS },
	{ SCMP_SYS(socketpair), 1, SOCKET_KIND, SOCK_RDM, ENOSYS },
};

/*
 * For an older Landlock: a process that opens a file may cut it short, without
 * a right to write there. The flags of openat2() stand in memory; programs try
 * openat() then.
 */
#define OPEN_FLAGS (O_ACCMODE | O_TRUNC)
#define TRUNCATE_READ (O_RDONLY | O_TRUNC)

static const struct value_rule truncations[] = {
	{ SCMP_SYS(truncate), 0, 0, 0, EPERM },
	{ SCMP_SYS(open), 1, OPEN_FLAGS, TRUNCATE_READ, EPERM },
	{ SCMP_SYS(open), 1, OPEN_FLAGS, OPEN_FLAGS, EPERM },
	{ SCMP_SYS(openat), 2, OPEN_FLAGS, TRUNCATE_READ, EPERM },
	{ SCMP_SYS(openat), 2, OPEN_FLAGS, OPEN_FLAGS, EPERM },
	{ SCMP_SYS(openat2), 0, 0, 0, ENOSYS },
};

/* A filter while it is made. */
struct filter_program {
	struct sock_filter instructions[INSTRUCTIONS_MAX];
	int count;
};

static void
append(
    struct filter_program *program, const struct sock_filter *added, int count)
{
	assert(count < INSTRUCTIONS_MAX - program->count);
	memcpy(&program->instructions[program->count], added,
	    (size_t)count * sizeof(*added));
	program->count += count;
}

#define APPEND(program, ...)                                         \
	append(program, (const struct sock_filter[]){ __VA_ARGS__ }, \
	    COUNTOF(((const struct sock_filter[]){ __VA_ARGS__ })))

/*
 * The number of a call that this architecture does not have is negative. Each
 * of these functions expects the number of the call in the accumulator, and
 * leaves it there.
 */
static void
refuse_calls(
    struct filter_program *program, const int *calls, int count, unsigned error)
{
	for (int i = 0; i < count; i++)
		if (calls[i] >= 0)
			APPEND(
			    program, CASE((unsigned)calls[i], REFUSE(error)));
}

static void
refuse_others(struct filter_program *program)
{
	for (int i = 0; i < COUNTOF(own_only); i++)
		if (own_only[i].call >= 0)
			APPEND(program,
			    IF_EQUAL((unsigned)own_only[i].call, 0, 4),
			    LOAD(ARGUMENT_AT(own_only[i].argument)),
			    IF_EQUAL(0, 1, 0),
			    RETURN(REFUSE(own_only[i].error)), LOAD(NUMBER_AT));
}

static void
refuse_values(
    struct filter_program *program, const struct value_rule *rules, int count)
{
	for (int i = 0; i < count; i++)
		if (rules[i].call >= 0)
			APPEND(program, IF_EQUAL((unsigned)rules[i].call, 0, 5),
			    LOAD(ARGUMENT_AT(rules[i].argument)),
			    AND(rules[i].mask),
			    CASE(rules[i].value, REFUSE(rules[i].error)),
			    LOAD(NUMBER_AT));
}

/* SIGCONT when the parent ends: see SIGNAL_BITS. */
static void
refuse_continue_at_death(struct filter_program *program)
{
	APPEND(program, IF_EQUAL(SYS_prctl, 0, 6), LOAD(ARGUMENT_AT(0)),
	    IF_EQUAL(PR_SET_PDEATHSIG, 0, 3), LOAD(ARGUMENT_AT(1)),
	    CASE(SIGCONT, REFUSE(EPERM)), LOAD(NUMBER_AT));
}

/* System calls of another architecture would bypass the filter. */
static void
end_foreign_calls(struct filter_program *program)
{
	APPEND(program, LOAD(offsetof(struct seccomp_data, arch)),
	    IF_EQUAL(seccomp_arch_native(), 1, 0),
	    RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(NUMBER_AT));
#ifdef __X32_SYSCALL_BIT
	/* -1 is the number of no call: the kernel answers it with ENOSYS. */
	APPEND(program,
	    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, __X32_SYSCALL_BIT, 0, 2),
	    IF_EQUAL(UINT32_MAX, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS));
#endif
}

static void
refuse_all(struct filter_program *program)
{
	end_foreign_calls(program);
	refuse_calls(program, refused, COUNTOF(refused), EPERM);
	refuse_calls(program, absent, COUNTOF(absent), ENOSYS);
	refuse_others(program);
	refuse_values(program, refused_values, COUNTOF(refused_values));
	refuse_continue_at_death(program);
	if (landlock_abi() < LANDLOCK_ABI_TRUNCATE)
		refuse_values(program, truncations, COUNTOF(truncations));
	APPEND(program, RETURN(SECCOMP_RET_ALLOW));
}

/* Low descriptor numbers are reserved for the pipes of children. */
static int
lift(int fd)
{
	int lifted = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);

	if (lifted >= 0)
		return lifted;
	/* The lowest number may be beyond the limit of descriptors. */
	return errno == EINVAL ? -EMFILE : -errno;
}

int
filter_make(void)
{
	const uint32_t action = SECCOMP_RET_KILL_PROCESS;
	struct filter_program program = { .count = 0 };
	ssize_t size;
	int fd, status;

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0U, &action) < 0)
		return -ENOSYS;
	refuse_all(&program);
	size = program.count * (ssize_t)sizeof(program.instructions[0]);
	fd = memfd_create("scopa-arena filter", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	errno = EFBIG; /* if only a part of it is written */
	status = write(fd, program.instructions, (size_t)size) == size
	    ? lift(fd)
	    : -errno;
	close(fd);
	return status;
}

int
filter_enter(int fd)
{
	struct sock_filter instructions[INSTRUCTIONS_MAX];
	ssize_t size = pread(fd, instructions, sizeof(instructions), 0);
	struct sock_fprog program = { .filter = instructions };

	if (size < 0)
		return -errno;
	if (size == 0 || size == (ssize_t)sizeof(instructions))
		return -EINVAL;
	program.len = (unsigned short)((size_t)size / sizeof(instructions[0]));
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) < 0
	    ? -errno
	    : 0;
}

/*
 * The call proxy.
 *
 * Invariant: the thread has one entry for each thread of the bot that waits or
 * has just been answered, so a second wait of the same thread on the same
 * address goes on from the time at which the first one began.
 */

#define NS_PER_US INT64_C(1000)

/* Younger than some kernel headers; the numbers are those of every machine. */
enum { FUTEX_WAITV = 449, FUTEX2_WAKE = 454, FUTEX2_WAIT, FUTEX2_REQUEUE };

enum {
	WAITS_MAX = 256,    /* at once; further ones are answered at once */
	SHARE_OF_WAIT = 16, /* a wait is late by one part of so many */
	ANSWER_MIN_US = 50, /* least time from the call to the answer */
	ANSWER_MAX_US = CALL_PROXY_LATE_MS * 1000, /* most */
	AGAIN_MS = 2, /* a wait that follows an answer so soon goes on */
	STACK_BYTES = 64 << 10
};

#define COMMAND_MASK (~(uint32_t)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME))

/*
 * If a wake is refused with EINVAL, the C library assumes a bug, and it aborts
 * the process at most other errors.  ENOSYS is what programs must expect of
 * calls and operations that some kernels do not have.
 */
static const struct sock_filter proxy_filter[] = {
	LOAD(NUMBER_AT),
	CASE(SYS_sysinfo, SECCOMP_RET_USER_NOTIF),
	CASE(SYS_set_robust_list, REFUSE(ENOSYS)),
	CASE(FUTEX_WAITV, REFUSE(ENOSYS)),
	CASE(FUTEX2_WAKE, REFUSE(ENOSYS)),
	CASE(FUTEX2_WAIT, REFUSE(ENOSYS)),
	CASE(FUTEX2_REQUEUE, REFUSE(ENOSYS)),
#ifdef SYS_futex_time64
	IF_EQUAL(SYS_futex_time64, 2, 0),
#endif
	IF_EQUAL(SYS_futex, 1, 0),
	RETURN(SECCOMP_RET_ALLOW),
	LOAD(ARGUMENT_AT(1)),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, FUTEX_PRIVATE_FLAG, 0, 1),
	RETURN(SECCOMP_RET_ALLOW),
	AND(COMMAND_MASK),
	CASE(FUTEX_WAIT, SECCOMP_RET_USER_NOTIF),
	CASE(FUTEX_WAIT_BITSET, SECCOMP_RET_USER_NOTIF),
	CASE(FUTEX_WAKE, REFUSE(EINVAL)),
	CASE(FUTEX_WAKE_BITSET, REFUSE(EINVAL)),
	RETURN(REFUSE(ENOSYS)),
};

/* A wait of a thread of the bot, or the last one that was answered. */
struct wait {
	uint64_t id; /* of the notification */
	uint64_t address;
	uint32_t thread; /* 0: none */
	uint32_t value;  /* that the thread has found at the address */
	bool is_answered;
	int64_t timeout_ns; /* as in the last call; INT64_MAX: none */
	int64_t end_ns;     /* when it has timed out */
	int64_t since_ns;
	/* when the wait is to be answered, or was answered */
	int64_t due_ns;
};

struct proxy {
	int channel_fd;
	int listener_fd;
	struct wait waits[WAITS_MAX];
};

/* The number of these calls for a bot that may use shared futexes. */
enum { SYSINFO_INSTRUCTIONS = 3 };

/*
 * Enters the filter: 0, or the listener (O_CLOEXEC) if one is wanted; -errno.
 */
static int
proxy_enter(bool allows_futexes, bool wants_listener)
{
	struct sock_filter copy[COUNTOF(proxy_filter)];
	struct sock_fprog program = { COUNTOF(proxy_filter), copy };
	unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long fd;

	memcpy(copy, proxy_filter, sizeof(proxy_filter));
	if (allows_futexes) {
		program.len = SYSINFO_INSTRUCTIONS + 1;
		copy[SYSINFO_INSTRUCTIONS] =
		    (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	/* Without a listener the kernel answers the call. */
	for (int i = 0; i < program.len && !wants_listener; i++)
		if (copy[i].code == (BPF_RET | BPF_K) &&
		    copy[i].k == SECCOMP_RET_USER_NOTIF)
			copy[i].k = SECCOMP_RET_ALLOW;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    wants_listener ? flags : 0U, &program);
	return fd < 0 ? -errno : (int)fd;
}

/* A message of one byte, with room for a descriptor. */
struct descriptor_message {
	char byte;
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
	struct iovec part;
	struct msghdr header;
};

static void
descriptor_message_init(struct descriptor_message *message)
{
	*message = (struct descriptor_message){ .part.iov_len = 1 };
	message->part.iov_base = &message->byte;
	message->header.msg_iov = &message->part;
	message->header.msg_iovlen = 1;
	message->header.msg_control = message->room;
	message->header.msg_controllen = sizeof(message->room);
}

static int
descriptor_send(int channel_fd, int fd)
{
	struct descriptor_message message;
	struct cmsghdr *header;

	descriptor_message_init(&message);
	header = CMSG_FIRSTHDR(&message.header);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(channel_fd, &message.header, MSG_NOSIGNAL) < 0 ? -errno
								      : 0;
}

/* Returns -1 if the other side ends without sending a descriptor. */
static int
descriptor_receive(int channel_fd)
{
	struct descriptor_message message;
	const struct cmsghdr *header;
	int fd = -1;

	descriptor_message_init(&message);
	if (recvmsg(channel_fd, &message.header, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	header = CMSG_FIRSTHDR(&message.header);
	if (header != NULL && header->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/*
 * Whether a listener is possible. It is not if this process is a bot of another
 * arena, or if the system does not allow it.
 */
static bool
can_send(int channel_fd)
{
	const struct msghdr nothing = { .msg_iovlen = 0 };

	return channel_fd >= 0 &&
	    sendmsg(channel_fd, &nothing, MSG_NOSIGNAL) >= 0;
}

int
call_proxy_enter(int channel_fd, bool allows_futexes)
{
	int fd, status;

	if (!can_send(channel_fd))
		return proxy_enter(allows_futexes, false);
	fd = proxy_enter(allows_futexes, true);
	/* There is another listener, or the kernel is older than 5.0. */
	if (fd == -EBUSY || fd == -EINVAL)
		return proxy_enter(allows_futexes, false);
	if (fd < 0)
		return fd;
	status = descriptor_send(channel_fd, fd);
	close(fd);
	return status;
}

/* This fails if the thread has ended meanwhile, and then needs no answer. */
static void
answer(const struct proxy *proxy, uint64_t id, int error)
{
	struct seccomp_notif_resp reply = { .id = id, .error = -error };

	(void)ioctl(proxy->listener_fd, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/*
 * Every bot gets the same values at all times, except for the hours since the
 * start of the machine.
 */
static void
answer_sysinfo(const struct proxy *proxy, const struct seccomp_notif *call)
{
	struct sysinfo machine, shown = { .procs = 1 };
	struct iovec from = { &shown, sizeof(shown) }, to;

	if (sysinfo(&machine) < 0) {
		answer(proxy, call->id, ENOSYS);
		return;
	}
	shown.uptime = machine.uptime;
	shown.totalram = shown.freeram = machine.totalram;
	shown.mem_unit = machine.mem_unit;
	memcpy(&to.iov_base, &call->data.args[0], sizeof(to.iov_base));
	to.iov_len = sizeof(shown);
	/* The pid could belong to another process by now. */
	if (ioctl(proxy->listener_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->id) <
	    0)
		return;
	answer(proxy, call->id,
	    process_vm_writev((pid_t)call->pid, &from, 1, &to, 1, 0) ==
		    (ssize_t)sizeof(shown)
		? 0
		: EFAULT);
}

/* Returns the entry of the thread, or a free one; NULL if there is none. */
static struct wait *
wait_find(struct proxy *proxy, uint32_t thread, int64_t now_ns)
{
	struct wait *room = NULL;

	for (int i = 0; i < WAITS_MAX; i++) {
		struct wait *wait = &proxy->waits[i];

		if (wait->thread == thread)
			return wait;
		if (room == NULL &&
		    (wait->thread == 0 ||
			(wait->is_answered &&
			    now_ns - wait->due_ns >
				AGAIN_MS * CLOCK_NS_PER_MS)))
			room = wait;
	}
	return room;
}

/* Reads memory of the calling thread. Returns false if it cannot be read. */
static bool
caller_read(uint32_t thread, uint64_t address, void *bytes, size_t size)
{
	struct iovec from = { .iov_len = size }, to = { bytes, size };

	memcpy(&from.iov_base, &address, sizeof(from.iov_base));
	return process_vm_readv((pid_t)thread, &to, 1, &from, 1, 0) ==
	    (ssize_t)size;
}

/* The two numbers of a timeout: seconds and nanoseconds. */
static bool
timeout_read(const struct seccomp_notif *call, int64_t parts[2])
{
	const uint64_t address = call->data.args[3];
	long native[2];

	/* futex_time64(2) of 32-bit machines alone. */
	if (call->data.nr != SYS_futex)
		return caller_read(
		    call->pid, address, parts, 2 * sizeof(parts[0]));
	if (!caller_read(call->pid, address, native, sizeof(native)))
		return false;
	parts[0] = native[0];
	parts[1] = native[1];
	return true;
}

/* The time that a wait may last from now on; INT64_MAX: for ever; or -errno. */
static int64_t
timeout_of(const struct seccomp_notif *call, int64_t now_ns)
{
	const uint32_t operation = (uint32_t)call->data.args[1];
	int64_t parts[2], ns;

	if (call->data.args[3] == 0)
		return INT64_MAX;
	if (!timeout_read(call, parts))
		return -EFAULT;
	if (parts[0] < 0 || parts[1] < 0 || parts[1] >= CLOCK_NS_PER_S)
		return -EINVAL;
	if (parts[0] >= INT64_MAX / CLOCK_NS_PER_S)
		return INT64_MAX;
	ns = parts[0] * CLOCK_NS_PER_S + parts[1];
	/* Only this operation has an absolute time. */
	if ((operation & COMMAND_MASK) == FUTEX_WAIT_BITSET)
		ns -= (operation & FUTEX_CLOCK_REALTIME) != 0 ? clock_wall_ns()
							      : now_ns;
	return ns > 0 ? ns : 0;
}

/* The time at which a wait that begins or goes on times out. */
static void
wait_limit(struct wait *wait, int64_t timeout_ns, int64_t now_ns, bool goes_on)
{
	/*
	 * A process that waits with the same timeout again continues the same
	 * wait.
	 */
	if (!goes_on || timeout_ns != wait->timeout_ns)
		wait->end_ns = timeout_ns < INT64_MAX - now_ns
		    ? now_ns + timeout_ns
		    : INT64_MAX;
	wait->timeout_ns = timeout_ns;
}

static void
wait_begin(struct proxy *proxy, const struct seccomp_notif *call)
{
	int64_t now_ns = clock_now_ns(), delay_ns;
	int64_t timeout_ns = timeout_of(call, now_ns);
	struct wait *wait = wait_find(proxy, call->pid, now_ns);
	bool goes_on;

	if (wait == NULL || timeout_ns < 0) {
		answer(proxy, call->id,
		    timeout_ns < 0 ? (int)-timeout_ns : EAGAIN);
		return;
	}
	goes_on = wait->thread == call->pid &&
	    wait->address == call->data.args[0] &&
	    (!wait->is_answered ||
		now_ns - wait->due_ns <= AGAIN_MS * CLOCK_NS_PER_MS);
	if (!goes_on)
		wait->since_ns = now_ns;
	wait_limit(wait, timeout_ns, now_ns, goes_on);
	delay_ns = (now_ns - wait->since_ns) / SHARE_OF_WAIT;
	if (delay_ns < ANSWER_MIN_US * NS_PER_US)
		delay_ns = ANSWER_MIN_US * NS_PER_US;
	if (delay_ns > ANSWER_MAX_US * NS_PER_US)
		delay_ns = ANSWER_MAX_US * NS_PER_US;
	wait->id = call->id;
	wait->address = call->data.args[0];
	wait->thread = call->pid;
	wait->value = (uint32_t)call->data.args[2];
	wait->is_answered = false;
	wait->due_ns = now_ns + delay_ns;
	if (wait->due_ns > wait->end_ns)
		wait->due_ns = wait->end_ns;
}

/*
 * A wait has timed out if its value is still the same: then no process has
 * woken it, as the kernel would have done.
 */
static void
wait_answer(const struct proxy *proxy, struct wait *wait)
{
	uint32_t value;
	bool timed_out = wait->due_ns == wait->end_ns &&
	    caller_read(wait->thread, wait->address, &value, sizeof(value)) &&
	    value == wait->value;

	answer(proxy, wait->id, timed_out ? ETIMEDOUT : EAGAIN);
	wait->is_answered = true;
	if (timed_out)
		wait->thread = 0;
}

/* Answers the waits that are due.  Returns when the next one is due, or -1. */
static int64_t
waits_answer(struct proxy *proxy)
{
	int64_t now_ns = clock_now_ns(), next_ns = -1;

	for (int i = 0; i < WAITS_MAX; i++) {
		struct wait *wait = &proxy->waits[i];

		if (wait->thread == 0 || wait->is_answered)
			continue;
		if (wait->due_ns <= now_ns) {
			wait_answer(proxy, wait);
		} else if (next_ns < 0 || wait->due_ns < next_ns) {
			next_ns = wait->due_ns;
		}
	}
	return next_ns;
}

static void
call_receive(struct proxy *proxy)
{
	struct seccomp_notif call;

	memset(&call, 0, sizeof(call));
	if (ioctl(proxy->listener_fd, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
		return;
	if (call.data.nr == SYS_sysinfo)
		answer_sysinfo(proxy, &call);
	else
		wait_begin(proxy, &call);
}

static void
proxy_serve(struct proxy *proxy)
{
	struct pollfd listener = { .fd = proxy->listener_fd, .events = POLLIN };

	for (;;) {
		int64_t next_ns = waits_answer(proxy), left_ns = 0;
		struct timespec left;

		if (next_ns >= 0)
			left_ns = next_ns - clock_now_ns();
		if (left_ns < 0)
			left_ns = 0;
		left.tv_sec = left_ns / CLOCK_NS_PER_S;
		left.tv_nsec = left_ns % CLOCK_NS_PER_S;
		if (ppoll(&listener, 1, next_ns < 0 ? NULL : &left, NULL) < 0 &&
		    errno != EINTR)
			return;
		/* No process is left that has the filter. */
		if ((listener.revents & (POLLHUP | POLLERR)) != 0)
			return;
		if ((listener.revents & POLLIN) != 0)
			call_receive(proxy);
	}
}

static void *
proxy_run(void *context)
{
	struct proxy *proxy = context;

	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	proxy->listener_fd = descriptor_receive(proxy->channel_fd);
	close(proxy->channel_fd);
	if (proxy->listener_fd >= 0) {
		proxy_serve(proxy);
		close(proxy->listener_fd);
	}
	free(proxy);
	return NULL;
}

int
call_proxy_start(int channel_fd)
{
	struct proxy *proxy = calloc(1, sizeof(*proxy));
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	if (proxy == NULL) {
		close(channel_fd);
		return -ENOMEM;
	}
	proxy->channel_fd = channel_fd;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(&thread, &attributes, proxy_run, proxy);
	pthread_attr_destroy(&attributes);
	if (error != 0) {
		close(channel_fd);
		free(proxy);
	}
	return -error;
}

int
call_proxy_try(void)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -errno;
	if (child == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
			_exit(errno);
		status = proxy_enter(false, true);
		_exit(status < 0 ? -status : 0);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}
