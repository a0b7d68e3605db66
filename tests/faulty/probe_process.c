/* What one process could do to another, or know of it. */
#include <dirent.h>
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

/* No process has anything there: what fails by it has passed all checks. */
static void *const nowhere = (void *)16;

static const char *
proc_path(char path[PROBE_PATH_SIZE], pid_t victim, const char *name)
{
	snprintf(path, PROBE_PATH_SIZE, "/proc/%d/%s", (int)victim, name);
	return path;
}

static bool
proc_opens(pid_t victim, const char *name, int flags)
{
	char path[PROBE_PATH_SIZE];

	return probe_opens(proc_path(path, victim, name), flags);
}

static bool
proc_reads(pid_t victim, const char *name)
{
	char path[PROBE_PATH_SIZE], byte;
	int fd = open(proc_path(path, victim, name), O_RDONLY | O_CLOEXEC);
	bool readable = fd >= 0 && read(fd, &byte, 1) >= 0;

	if (fd >= 0)
		close(fd);
	return readable;
}

static bool
read_memory(pid_t victim)
{
	return proc_opens(victim, "mem", O_RDONLY);
}

static bool
write_memory(pid_t victim)
{
	return proc_opens(victim, "mem", O_RDWR);
}

static bool
read_environment(pid_t victim)
{
	return proc_reads(victim, "environ");
}

static bool
read_maps(pid_t victim)
{
	return proc_reads(victim, "maps");
}

static bool
read_command_line(pid_t victim)
{
	return proc_reads(victim, "cmdline");
}

static bool
read_status(pid_t victim)
{
	return proc_reads(victim, "status");
}

static bool
list_descriptors(pid_t victim)
{
	return proc_opens(victim, "fd", O_RDONLY | O_DIRECTORY);
}

static bool
open_descriptor(pid_t victim)
{
	return proc_opens(victim, "fd/0", O_RDONLY | O_NONBLOCK);
}

static bool
enter_root(pid_t victim)
{
	return proc_opens(victim, "root", O_RDONLY | O_DIRECTORY);
}

static bool
read_program(pid_t victim)
{
	char path[PROBE_PATH_SIZE], program[PROBE_PATH_SIZE];

	return readlink(proc_path(path, victim, "exe"), program,
		   sizeof(program)) > 0;
}

static bool
vm_read(pid_t victim)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { nowhere, 1 };

	return process_vm_readv(victim, &here, 1, &there, 1, 0) == 1 ||
	    errno == EFAULT;
}

static bool
vm_write(pid_t victim)
{
	char byte = 0;
	struct iovec here = { &byte, 1 }, there = { nowhere, 1 };

	return process_vm_writev(victim, &here, 1, &there, 1, 0) == 1 ||
	    errno == EFAULT;
}

/* Stops nothing, and ends with the process that has done it. */
static bool
attach(pid_t victim)
{
	return ptrace(PTRACE_SEIZE, victim, NULL, NULL) == 0;
}

static int
handle_open(pid_t victim)
{
	return (int)syscall(SYS_pidfd_open, victim, 0U);
}

static bool
take_descriptor(pid_t victim)
{
	return probe_opened(
	    (int)syscall(SYS_pidfd_getfd, handle_open(victim), 0, 0U));
}

static bool
compare(pid_t victim)
{
	return syscall(SYS_kcmp, getpid(), victim, KCMP_FS, 0UL, 0UL) >= 0;
}

static bool
move_pages(pid_t victim)
{
	int status;

	return syscall(SYS_move_pages, victim, 1UL, &nowhere, NULL, &status,
		   0) >= 0;
}

static bool
robust_list(pid_t victim)
{
	void *list;
	size_t size;

	return syscall(SYS_get_robust_list, victim, &list, &size) == 0;
}

static bool
signal_process(pid_t victim)
{
	return kill(victim, 0) == 0;
}

static bool
signal_thread(pid_t victim)
{
	return syscall(SYS_tgkill, victim, victim, 0) == 0;
}

static bool
signal_handle(pid_t victim)
{
	return syscall(SYS_pidfd_send_signal, handle_open(victim), 0, NULL,
		   0U) == 0;
}

static bool
read_limits(pid_t victim)
{
	struct rlimit limit;

	return prlimit(victim, RLIMIT_NOFILE, NULL, &limit) == 0;
}

static bool
set_limits(pid_t victim)
{
	struct rlimit limit;

	return prlimit(victim, RLIMIT_NOFILE, NULL, &limit) == 0 &&
	    prlimit(victim, RLIMIT_NOFILE, &limit, NULL) == 0;
}

static bool
read_affinity(pid_t victim)
{
	cpu_set_t cores;

	return sched_getaffinity(victim, sizeof(cores), &cores) == 0;
}

static bool
set_affinity(pid_t victim)
{
	cpu_set_t cores;

	/* Where it cannot be read there is no value that changes nothing. */
	if (sched_getaffinity(victim, sizeof(cores), &cores) < 0)
		CPU_ZERO(&cores);
	return sched_setaffinity(victim, sizeof(cores), &cores) == 0 ||
	    errno == EINVAL;
}

static bool
read_niceness(pid_t victim)
{
	errno = 0;
	return getpriority(PRIO_PROCESS, (id_t)victim) != -1 || errno == 0;
}

static bool
set_niceness(pid_t victim)
{
	int niceness;

	errno = 0;
	niceness = getpriority(PRIO_PROCESS, (id_t)victim);
	if (niceness == -1 && errno != 0)
		niceness = 0;
	return setpriority(PRIO_PROCESS, (id_t)victim, niceness) == 0;
}

static bool
read_disk_priority(pid_t victim)
{
	return syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, victim) >= 0;
}

static bool
set_disk_priority(pid_t victim)
{
	long priority = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, victim);

	if (priority < 0)
		priority = 0;
	return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, victim, priority) ==
	    0;
}

static bool
read_scheduling(pid_t victim)
{
	return sched_getscheduler(victim) >= 0;
}

static bool
set_scheduling(pid_t victim)
{
	const struct sched_param none = { .sched_priority = 0 };
	int policy = sched_getscheduler(victim);

	return sched_setscheduler(
		   victim, policy < 0 ? SCHED_OTHER : policy, &none) == 0;
}

static bool
read_group(pid_t victim)
{
	return getpgid(victim) >= 0;
}

static bool
read_session(pid_t victim)
{
	return getsid(victim) >= 0;
}

/* How much it has thought. */
static bool
read_cpu_time(pid_t victim)
{
	struct timespec used;
	clockid_t clock;

	return clock_getcpuclockid(victim, &clock) == 0 &&
	    clock_gettime(clock, &used) == 0;
}

/* Refused is another answer than not there. */
static bool
exists_by_signal(pid_t victim)
{
	return kill(victim, 0) == 0 || errno == EPERM;
}

static bool
exists_by_entry(pid_t victim)
{
	char path[PROBE_PATH_SIZE];
	struct stat status;

	return stat(proc_path(path, victim, ""), &status) == 0;
}

/* How many threads it has: a folder for each. */
static bool
count_threads(pid_t victim)
{
	char path[PROBE_PATH_SIZE];
	struct stat status;

	return stat(proc_path(path, victim, "task"), &status) == 0 &&
	    status.st_nlink > 2;
}

static bool
exists_by_handle(pid_t victim)
{
	return probe_opened(handle_open(victim));
}

const struct assault assaults[] = {
	{ "memory-read", read_memory },
	{ "memory-write", write_memory },
	{ "environment", read_environment },
	{ "maps", read_maps },
	{ "command-line", read_command_line },
	{ "status", read_status },
	{ "descriptors", list_descriptors },
	{ "descriptor-open", open_descriptor },
	{ "root", enter_root },
	{ "program", read_program },
	{ "vm-read", vm_read },
	{ "vm-write", vm_write },
	{ "attach", attach },
	{ "descriptor-take", take_descriptor },
	{ "compare", compare },
	{ "pages-move", move_pages },
	{ "robust-list", robust_list },
	{ "signal", signal_process },
	{ "signal-thread", signal_thread },
	{ "signal-handle", signal_handle },
	{ "limits-read", read_limits },
	{ "limits-set", set_limits },
	{ "affinity-read", read_affinity },
	{ "affinity-set", set_affinity },
	{ "niceness-read", read_niceness },
	{ "niceness-set", set_niceness },
	{ "disk-priority-read", read_disk_priority },
	{ "disk-priority-set", set_disk_priority },
	{ "scheduling-read", read_scheduling },
	{ "scheduling-set", set_scheduling },
	{ "group-read", read_group },
	{ "session-read", read_session },
	{ "cpu-time", read_cpu_time },
	{ "exists-signal", exists_by_signal },
	{ "exists-entry", exists_by_entry },
	{ "exists-handle", exists_by_handle },
	{ "threads", count_threads },
};

const size_t assault_count = COUNTOF(assaults);
