/*
 * Implements filter.h. The tables below list the system calls that are refused,
 * some only for certain arguments; libseccomp makes a BPF program of them.
 */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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
#ifndef F_SET_FILE_RW_HINT
#define F_SET_FILE_RW_HINT 1038
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 8
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif
#ifndef PR_SET_MEMORY_MERGE
#define PR_SET_MEMORY_MERGE 67
#endif
#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

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
	/* Calls by which processes communicate. */
	SCMP_SYS(socket), SCMP_SYS(bind), SCMP_SYS(connect), SCMP_SYS(listen),
	SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(shmget), SCMP_SYS(shmat),
	SCMP_SYS(shmctl), SCMP_SYS(semget), SCMP_SYS(semop),
	SCMP_SYS(semtimedop), SCMP_SYS(semctl), SCMP_SYS(msgget),
	SCMP_SYS(msgsnd), SCMP_SYS(msgrcv), SCMP_SYS(msgctl), SCMP_SYS(mq_open),
	SCMP_SYS(mq_unlink), SCMP_SYS(add_key), SCMP_SYS(request_key),
	SCMP_SYS(keyctl), SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1),
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
 * Refused for any process but the caller, whose number is 0 there.  To read the
 * state of another process is refused, too: that one could change it to tell
 * something, or it shows how much that one has computed.  The C library, which
 * asks for the cores of its own threads by their numbers, takes ENOSYS for an
 * older kernel.
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
 * Refused with ENOSYS. Some of these calls tell how full a disk is or what is
 * in the page cache. The inode numbers of pidfds count the processes and
 * threads of the whole machine, also for a process in a namespace of its own.
 * The filter cannot read the flags of clone3(), which are in memory; the C
 * library then uses clone().
 */
static const int absent[] = { SCMP_SYS(statfs), SCMP_SYS(statfs64),
	SCMP_SYS(fstatfs), SCMP_SYS(fstatfs64), SCMP_SYS(ustat),
	SCMP_SYS(mincore), CACHESTAT, SCMP_SYS(pidfd_open), SCMP_SYS(clone3) };

/* Of a request of ioctl(2), the letter of the driver that defines it. */
#define IOCTL_LETTER UINT64_C(0xff00)
#define IOCTL_OF(letter) ((uint64_t)(letter) << 8)

/* Clocks of processes are negative numbers; one bit tells those of threads. */
#define CLOCK_KIND UINT64_C(0x80000004)
#define CLOCK_OF_PROCESS UINT64_C(0x80000000)

#define SOCKET_KIND UINT64_C(0xf)

/* Refused for some values of one argument. */
struct value_rule {
	int call;
	unsigned argument;
	uint64_t mask; /* of the bits that are looked at */
	uint64_t value;
	unsigned error;
};

static const struct value_rule refused_values[] = {
	{ SCMP_SYS(clone), 0, CLONE_NEWUSER, CLONE_NEWUSER, EPERM },
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
	 * This drops pages from the page cache that other processes read, too.
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
	{ SCMP_SYS(timer_create), 0, CLOCK_KIND, CLOCK_OF_PROCESS, ENOSYS },
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

/*
 * Refuses a call where a comparison holds, or always where there is none. A
 * call that this kind of machine does not have is no failure.
 */
static int
refuse(scmp_filter_ctx filter, int call, unsigned error,
    const struct scmp_arg_cmp *comparison)
{
	int status = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(error), call,
	    comparison != NULL, comparison);

	return status == -EDOM ? 0 : status;
}

static int
refuse_calls(
    scmp_filter_ctx filter, const int *calls, int count, unsigned error)
{
	int status = 0;

	for (int i = 0; i < count && status == 0; i++)
		status = refuse(filter, calls[i], error, NULL);
	return status;
}

static int
refuse_values(scmp_filter_ctx filter, const struct value_rule *rules, int count)
{
	int status = 0;

	for (int i = 0; i < count && status == 0; i++) {
		const struct scmp_arg_cmp same = SCMP_CMP(rules[i].argument,
		    SCMP_CMP_MASKED_EQ, rules[i].mask, rules[i].value);

		status = refuse(filter, rules[i].call, rules[i].error,
		    rules[i].mask != 0 ? &same : NULL);
	}
	return status;
}

static int
refuse_all(scmp_filter_ctx filter)
{
	int status = refuse_calls(filter, refused, COUNTOF(refused), EPERM);

	if (status == 0)
		status = refuse_calls(filter, absent, COUNTOF(absent), ENOSYS);
	for (int i = 0; i < COUNTOF(own_only) && status == 0; i++) {
		const struct scmp_arg_cmp other =
		    SCMP_CMP(own_only[i].argument, SCMP_CMP_NE, 0, 0);

		status =
		    refuse(filter, own_only[i].call, own_only[i].error, &other);
	}
	if (status == 0)
		status = refuse_values(
		    filter, refused_values, COUNTOF(refused_values));
	if (status == 0 && landlock_abi() < LANDLOCK_ABI_TRUNCATE)
		status =
		    refuse_values(filter, truncations, COUNTOF(truncations));
	return status;
}

/* Low descriptor numbers are reserved for the pipes of children. */
static int
lift(int fd)
{
	int lifted = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);

	return lifted < 0 ? -errno : lifted;
}

int
filter_make(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int fd, status;

	if (filter == NULL)
		return -ENOMEM;
	fd = memfd_create("scopa-arena filter", MFD_CLOEXEC);
	if (fd < 0) {
		status = -errno;
		goto release_filter;
	}
	/* System calls of another architecture would bypass the filter. */
	status = seccomp_attr_set(
	    filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (status == 0)
		status = refuse_all(filter);
	if (status == 0)
		status = seccomp_export_bpf(filter, fd);
	if (status == 0)
		status = lift(fd);
	close(fd);
release_filter:
	seccomp_release(filter);
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
