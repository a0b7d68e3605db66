/*
 * Implements cpu_usage.h with sched_setattr(2), the CPU clocks of processes,
 * and /proc/PID/schedstat.
 */
#include "cpu_usage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "kernel_text.h"
#include "tree.h"

/* The shortest slice that the kernel grants. */
#define SLICE_NS 100000

enum { PATH_SIZE = 64 };

/* /proc/PID/schedstat: of the first thread of the process. */
static int
schedstat_open(pid_t pid)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * For how long a thread has run in its life, and for how long it could have run
 * and others did (run_delay); 0 if `fd`, its schedstat, does not say it.
 */
static void
schedstat_read(int fd, int64_t *run_ns, int64_t *wait_ns)
{
	/* Time run, time waited, times run. */
	enum { TEXT_SIZE = 64 };
	char text[TEXT_SIZE], *end;
	ssize_t got = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

	*run_ns = *wait_ns = 0;
	if (got <= 0)
		return;
	text[got] = '\0';
	*run_ns = strtoll(text, &end, 10);
	*wait_ns = strtoll(end, NULL, 10);
}

static int64_t
schedstat_wait_ns(int fd)
{
	int64_t run_ns, wait_ns;

	schedstat_read(fd, &run_ns, &wait_ns);
	return wait_ns;
}

static int64_t
first_thread_ns(pid_t pid)
{
	int fd = schedstat_open(pid);
	int64_t run_ns, wait_ns;

	schedstat_read(fd, &run_ns, &wait_ns);
	if (fd >= 0)
		close(fd);
	return run_ns;
}

/* Sums of such numbers differ if the processes do, but for rare chances. */
static uint64_t
member_number(pid_t pid, const struct process_stat *stat)
{
	uint64_t number = ((uint64_t)stat->start_ticks << 32) ^ (uint64_t)pid;

	number *= UINT64_C(0x9e3779b97f4a7c15);
	number ^= number >> 29;
	return number * UINT64_C(0xbf58476d1ce4e5b9);
}

/* Reads how this thread is scheduled.  Returns whether that is the default. */
static bool
has_default_schedule(struct sched_attr *attr)
{
	*attr = (struct sched_attr){ .size = SCHED_ATTR_SIZE_VER0 };
	return syscall(SYS_sched_getattr, 0, attr, attr->size, 0) >= 0 &&
	    attr->sched_policy == SCHED_NORMAL;
}

/* If the kernel refuses, the thread keeps its scheduling. */
void
scheduler_yield(void)
{
	struct sched_attr attr;

	if (!has_default_schedule(&attr))
		return;
	attr.sched_policy = SCHED_BATCH;
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

void
scheduler_hurry(void)
{
	struct sched_attr attr;

	if (!has_default_schedule(&attr) || attr.sched_nice < 0)
		return;
	attr.sched_runtime = SLICE_NS;
	attr.sched_flags |= SCHED_FLAG_RESET_ON_FORK;
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

/* tree_list() for any process of this machine. */
static int
list_processes(pid_t root, int count_max, pid_t **pids, bool *incomplete)
{
	int proc_fd = proc_open(), count;

	*pids = NULL;
	*incomplete = false;
	if (proc_fd < 0)
		return 0;
	count = tree_list(proc_fd, root, count_max, pids, incomplete);
	close(proc_fd);
	return count;
}

/* For how long a process has lived; up to a tick of the kernel too long. */
static int64_t
age_ns(const struct process_stat *stat)
{
	const long tick_ns = CLOCK_NS_PER_S / sysconf(_SC_CLK_TCK);
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec -
	    (int64_t)stat->start_ticks * tick_ns;
}

int
cpu_usage_read(pid_t pid, int64_t recent_ns, struct cpu_usage *usage)
{
	pid_t *pids;
	bool incomplete, found = false;
	int count = list_processes(
	    pid, CPU_USAGE_PROCESSES_MAX + 1, &pids, &incomplete);

	*usage = (struct cpu_usage){
		.first_thread_ns = first_thread_ns(pid),
		.hides = incomplete || count > CPU_USAGE_PROCESSES_MAX,
	};
	usage->cpu_ns = -usage->first_thread_ns;
	for (int i = 0; i < count; i++) {
		struct process_stat stat;
		uint64_t number;
		int64_t own_ns;
		bool recent;

		/* A process may end while others are looked at. */
		if (clock_process_cpu_ns(pids[i], &own_ns) < 0 ||
		    !process_stat_read(AT_FDCWD, pids[i], &stat))
			continue;
		usage->cpu_ns += own_ns + stat.reaped_ns;
		recent = age_ns(&stat) < recent_ns;
		usage->hides |= stat.state == 'R' && recent;
		number = member_number(pids[i], &stat);
		usage->members += number;
		usage->old_members += recent ? 0 : number;
		found |= i == 0;
	}
	free(pids);
	return found ? 0 : -ESRCH;
}

enum {
	/* The supervisor, the first process of a namespace, the bot. */
	CHAIN_MAX = 3
};

/*
 * The bot leads a session of its own. A process between the bot and its
 * supervisor does not.
 */
static pid_t
find_bot(pid_t supervisor)
{
	pid_t *pids, bot = -1;
	bool incomplete;
	int count = list_processes(supervisor, CHAIN_MAX, &pids, &incomplete);

	for (int i = 1; i < count && bot < 0; i++)
		if (getsid(pids[i]) == pids[i])
			bot = pids[i];
	free(pids);
	return bot;
}

static void
find(struct run_wait *run_wait, pid_t supervisor)
{
	run_wait->supervisor = supervisor;
	run_wait->pid = find_bot(supervisor);
	if (run_wait->pid < 0)
		return;
	run_wait->schedstat_fd = schedstat_open(run_wait->pid);
}

void
run_wait_begin(struct run_wait *run_wait, pid_t supervisor)
{
	if (run_wait->pid == 0)
		find(run_wait, supervisor);
	if (run_wait->pid < 0)
		return;
	run_wait->asked_ns = clock_now_ns();
	run_wait->ready_since_ns = 0;
	run_wait->wait_ns = schedstat_wait_ns(run_wait->schedstat_fd);
	if (clock_process_cpu_ns(run_wait->pid, &run_wait->cpu_ns) < 0)
		run_wait->cpu_ns = INT64_MIN;
}

/*
 * Whether the supervisor has no other processes than the bot, which is its
 * first one: processes that the bot has started need not be its children.
 */
static bool
is_alone(const struct run_wait *run_wait)
{
	pid_t *pids;
	bool incomplete;
	int count = list_processes(
	    run_wait->supervisor, CHAIN_MAX + 1, &pids, &incomplete);
	bool alone =
	    count > 0 && pids[count - 1] == run_wait->pid && !incomplete;

	free(pids);
	return alone;
}

/* State of its first thread as in /proc/PID/stat; '?': unknown. */
static char
find_state(pid_t pid)
{
	struct process_stat stat;

	return process_stat_read(AT_FDCWD, pid, &stat) ? stat.state : '?';
}

/*
 * How much of a wait that has not ended is counted. `R` is the state of a
 * thread that is ready or runs, `D` of a thread that waits for pages.
 */
static int64_t
open_wait_ns(
    struct run_wait *run_wait, char state, int64_t cpu_ns, int64_t now_ns)
{
	if (state != 'R')
		run_wait->ready_since_ns = 0;
	else if (run_wait->ready_since_ns == 0 ||
	    run_wait->ready_cpu_ns != cpu_ns)
		run_wait->ready_since_ns = now_ns;
	run_wait->ready_cpu_ns = cpu_ns;
	if (state == 'R')
		return RUN_WAIT_OPEN_MAX_NS + now_ns - run_wait->ready_since_ns;
	return state == 'D' ? RUN_WAIT_OPEN_MAX_NS : 0;
}

int64_t
run_wait_ns(struct run_wait *run_wait, int64_t now_ns)
{
	int64_t idle_ns, wait_ns, cpu_ns;
	char state;

	if (run_wait->pid <= 0 || run_wait->cpu_ns < 0)
		return 0;
	/*
	 * The bot may end its other processes before the next call, so the wait
	 * stays unknown until it is asked again.
	 */
	if (!is_alone(run_wait)) {
		run_wait->cpu_ns = INT64_MIN;
		return 0;
	}
	/*
	 * This is read first, because the bot may run as soon as it has been
	 * looked at.
	 */
	state = find_state(run_wait->pid);
	if (clock_process_cpu_ns(run_wait->pid, &cpu_ns) < 0)
		return 0;
	wait_ns = schedstat_wait_ns(run_wait->schedstat_fd) - run_wait->wait_ns;
	wait_ns += open_wait_ns(run_wait, state, cpu_ns, now_ns);
	idle_ns = now_ns - run_wait->asked_ns - (cpu_ns - run_wait->cpu_ns);
	if (wait_ns > idle_ns)
		wait_ns = idle_ns;
	return wait_ns > 0 ? wait_ns : 0;
}

int
run_wait_descriptor_count(const struct run_wait *run_wait)
{
	return run_wait->pid > 0 && run_wait->schedstat_fd >= 0;
}

void
run_wait_end(struct run_wait *run_wait)
{
	if (run_wait_descriptor_count(run_wait) > 0)
		close(run_wait->schedstat_fd);
	run_wait->pid = -1;
}
