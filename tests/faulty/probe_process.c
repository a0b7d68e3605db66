/* What a process could do to another process, or learn of it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

/*
 * No process has memory at this address: a call that fails for this reason has
 * passed all checks.
 */
static void *const nowhere = (void *)16;

static const char *
proc_path(pid_t victim, const char *name)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "/proc/%d", (int)victim);
	return probe_path(folder, name);
}

static bool
proc_opens(pid_t victim, const char *name, int flags)
{
	return probe_opens(proc_path(victim, name), flags);
}

static bool
proc_reads(pid_t victim, const char *name)
{
	char byte;
	int fd = open(proc_path(victim, name), O_RDONLY | O_CLOEXEC);

	return read(fd, &byte, 1) >= 0;
}

ASSAULT_IF(memory_read, proc_opens(victim, "mem", O_RDONLY))
ASSAULT_IF(memory_write, proc_opens(victim, "mem", O_RDWR))
ASSAULT_IF(environment, proc_reads(victim, "environ"))
ASSAULT_IF(maps, proc_reads(victim, "maps"))
ASSAULT_IF(command_line, proc_reads(victim, "cmdline"))
ASSAULT_IF(status, proc_reads(victim, "status"))
ASSAULT_IF(descriptors, proc_opens(victim, "fd", O_RDONLY | O_DIRECTORY))
ASSAULT_IF(descriptor_open, proc_opens(victim, "fd/0", O_RDONLY | O_NONBLOCK))
ASSAULT_IF(root, proc_opens(victim, "root", O_RDONLY | O_DIRECTORY))

ASSAULT(program)
{
	char program[PROBE_PATH_SIZE];

	return readlink(proc_path(victim, "exe"), program, sizeof(program)) > 0;
}

ASSAULT(vm_read)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { nowhere, 1 };

	return process_vm_readv(victim, &here, 1, &there, 1, 0) == 1 ||
	    errno == EFAULT;
}

ASSAULT(vm_write)
{
	char byte = 0;
	struct iovec here = { &byte, 1 }, there = { nowhere, 1 };

	return process_vm_writev(victim, &here, 1, &there, 1, 0) == 1 ||
	    errno == EFAULT;
}

/* Does not stop the victim, and ends with the process that made the call. */
ASSAULT_IF(attach, ptrace(PTRACE_SEIZE, victim, NULL, NULL) == 0)

static int
handle_open(pid_t victim)
{
	return (int)syscall(SYS_pidfd_open, victim, 0U);
}

ASSAULT_IF(descriptor_theft,
    probe_opened((int)syscall(SYS_pidfd_getfd, handle_open(victim), 0, 0U)))
ASSAULT_IF(compare, syscall(SYS_kcmp, getpid(), victim, KCMP_FS, 0UL, 0UL) >= 0)

ASSAULT(pages_move)
{
	int status;

	return syscall(SYS_move_pages, victim, 1UL, &nowhere, NULL, &status,
		   0) >= 0;
}

ASSAULT(robust_list)
{
	void *list;
	size_t size;

	return syscall(SYS_get_robust_list, victim, &list, &size) == 0;
}

ASSAULT_IF(signal, kill(victim, 0) == 0)
ASSAULT_IF(signal_thread, syscall(SYS_tgkill, victim, victim, 0) == 0)
ASSAULT_IF(signal_handle,
    syscall(SYS_pidfd_send_signal, handle_open(victim), 0, NULL, 0U) == 0)

ASSAULT(limits_read)
{
	struct rlimit limit;

	return prlimit(victim, RLIMIT_NOFILE, NULL, &limit) == 0;
}

ASSAULT(limits_set)
{
	struct rlimit limit;

	return prlimit(victim, RLIMIT_NOFILE, NULL, &limit) == 0 &&
	    prlimit(victim, RLIMIT_NOFILE, &limit, NULL) == 0;
}

ASSAULT(affinity_read)
{
	cpu_set_t cores;

	return sched_getaffinity(victim, sizeof(cores), &cores) == 0;
}

ASSAULT(affinity_set)
{
	cpu_set_t cores;

	/*
	 * If the cores cannot be read, an empty set is tried, which changes
	 * nothing.
	 */
	if (sched_getaffinity(victim, sizeof(cores), &cores) < 0)
		CPU_ZERO(&cores);
	return sched_setaffinity(victim, sizeof(cores), &cores) == 0 ||
	    errno == EINVAL;
}

ASSAULT(niceness_read)
{
	errno = 0;
	return getpriority(PRIO_PROCESS, (id_t)victim) != -1 || errno == 0;
}

ASSAULT(niceness_set)
{
	int niceness;

	errno = 0;
	niceness = getpriority(PRIO_PROCESS, (id_t)victim);
	if (niceness == -1 && errno != 0)
		niceness = 0;
	return setpriority(PRIO_PROCESS, (id_t)victim, niceness) == 0;
}

ASSAULT_IF(disk_priority_read,
    syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, victim) >= 0)

ASSAULT(disk_priority_set)
{
	long priority = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, victim);

	if (priority < 0)
		priority = 0;
	return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, victim, priority) ==
	    0;
}

ASSAULT_IF(scheduling_read, sched_getscheduler(victim) >= 0)

ASSAULT(scheduling_set)
{
	const struct sched_param none = { .sched_priority = 0 };
	int policy = sched_getscheduler(victim);

	return sched_setscheduler(
		   victim, policy < 0 ? SCHED_OTHER : policy, &none) == 0;
}

ASSAULT_IF(group_read, getpgid(victim) >= 0)
ASSAULT_IF(session_read, getsid(victim) >= 0)

/* The CPU time of the victim. */
ASSAULT(cpu_time)
{
	struct timespec used;
	clockid_t clock;

	return clock_getcpuclockid(victim, &clock) == 0 &&
	    clock_gettime(clock, &used) == 0;
}

/* EPERM shows that the process exists. */
ASSAULT_IF(exists_signal, kill(victim, 0) == 0 || errno == EPERM)

ASSAULT(exists_entry)
{
	struct stat status;

	return stat(proc_path(victim, ""), &status) == 0;
}

/* The number of threads of the victim: `task` has a folder for each. */
ASSAULT(threads)
{
	struct stat status;

	return stat(proc_path(victim, "task"), &status) == 0 &&
	    status.st_nlink > 2;
}

ASSAULT_IF(exists_handle, probe_opened(handle_open(victim)))
