#include "cpu_usage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "kernel_text.h"

/* The least that the kernel grants. */
#define SLICE_NS 100000

int64_t
scheduler_wait_ns(int fd)
{
	/* Time run, time waited, times run. */
	enum { TEXT_SIZE = 64 };
	char text[TEXT_SIZE], *end;
	ssize_t got;

	if (fd < 0)
		return 0;
	got = pread(fd, text, sizeof(text) - 1, 0);
	if (got <= 0)
		return 0;
	text[got] = '\0';
	(void)strtoll(text, &end, 10);
	return strtoll(end, NULL, 10);
}

void
scheduler_yield(void)
{
	struct sched_attr attr = { .size = SCHED_ATTR_SIZE_VER0 };

	if (syscall(SYS_sched_getattr, 0, &attr, attr.size, 0) < 0 ||
	    attr.sched_policy != SCHED_NORMAL)
		return;
	attr.sched_policy = SCHED_BATCH;
	/* Refused, it runs as everybody does. */
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

void
scheduler_hurry(void)
{
	struct sched_attr attr = { .size = SCHED_ATTR_SIZE_VER0 };

	if (syscall(SYS_sched_getattr, 0, &attr, attr.size, 0) < 0 ||
	    attr.sched_policy != SCHED_NORMAL || attr.sched_nice < 0)
		return;
	attr.sched_runtime = SLICE_NS;
	attr.sched_flags |= SCHED_FLAG_RESET_ON_FORK;
	/* Refused, it runs as everybody does. */
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

enum { PATH_SIZE = 64, TEXT_SIZE = 4096 };

/* Those that are still to be looked at. */
struct tree {
	pid_t pids[CPU_USAGE_PROCESSES_MAX];
	int count, next;
};

/* Adds the children that one thread has started. */
static void
add_children(struct tree *tree, pid_t pid, const char *thread)
{
	char path[PATH_SIZE], text[TEXT_SIZE], *at = text, *end;

	snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)pid,
	    thread);
	if (kernel_text_read(AT_FDCWD, path, text, sizeof(text)) < 0)
		return;
	for (;; at = end) {
		long child = strtol(at, &end, 10);

		if (end == at || tree->count == CPU_USAGE_PROCESSES_MAX)
			return;
		tree->pids[tree->count++] = (pid_t)child;
	}
}

static void
add_children_of_threads(struct tree *tree, pid_t pid)
{
	char path[PATH_SIZE];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			add_children(tree, pid, entry->d_name);
	closedir(dir);
}

/* CPU time of children that were reaped, and how many threads there are. */
static bool
read_stat(pid_t pid, int64_t *dead_ns, long *thread_count)
{
	int64_t tick_ns = CLOCK_NS_PER_S / sysconf(_SC_CLK_TCK);
	char path[PATH_SIZE], text[TEXT_SIZE];
	const char *rest;
	long long user, system;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (kernel_text_read(AT_FDCWD, path, text, sizeof(text)) < 0)
		return false;
	/* The name may hold anything, blanks and brackets too. */
	rest = strrchr(text, ')');
	if (rest == NULL ||
	    sscanf(rest,
		") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
		"%lld %lld %*d %*d %ld",
		&user, &system, thread_count) != 3)
		return false;
	*dead_ns = (user + system) * tick_ns;
	return true;
}

int
cpu_usage_read(pid_t pid, int64_t *cpu_ns)
{
	struct tree tree = { .pids = { pid }, .count = 1 };
	int64_t own_ns, dead_ns;
	long thread_count;

	*cpu_ns = 0;
	while (tree.next < tree.count) {
		pid_t one = tree.pids[tree.next++];
		char thread[PATH_SIZE];

		/* Some may end while others are looked at. */
		if (clock_process_cpu_ns(one, &own_ns) < 0 ||
		    !read_stat(one, &dead_ns, &thread_count)) {
			if (one == pid)
				return -ESRCH;
			continue;
		}
		*cpu_ns += own_ns + dead_ns;
		snprintf(thread, sizeof(thread), "%d", (int)one);
		if (thread_count > 1)
			add_children_of_threads(&tree, one);
		else
			add_children(&tree, one, thread);
	}
	return 0;
}

/* A bot may be the child of the first process of its namespace. */
enum { DEPTH_MAX = 2, NAME_SIZE = 40, FIGURES_SIZE = 512 };

static bool
read_text(pid_t pid, const char *name, char text[FIGURES_SIZE])
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return kernel_text_read(AT_FDCWD, path, text, FIGURES_SIZE) >= 0;
}

/* The first child of a process with one thread; 0: none, -1: unknown. */
static pid_t
find_child(pid_t pid)
{
	char name[NAME_SIZE], text[FIGURES_SIZE];

	snprintf(name, sizeof(name), "task/%d/children", (int)pid);
	if (!read_text(pid, name, text))
		return -1;
	return (pid_t)strtol(text, NULL, 10);
}

/* The bot leads a session of its own, whoever is between it and us does not. */
static pid_t
find_bot(pid_t supervisor)
{
	pid_t pid = supervisor;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		pid = find_child(pid);
		if (pid <= 0)
			return -1;
		if (getsid(pid) == pid)
			return pid;
	}
	return -1;
}

static void
find(struct run_wait *run_wait, pid_t supervisor)
{
	char path[PATH_SIZE];

	run_wait->pid = find_bot(supervisor);
	if (run_wait->pid < 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)run_wait->pid);
	run_wait->schedstat_fd = open(path, O_RDONLY | O_CLOEXEC);
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
	run_wait->wait_ns = scheduler_wait_ns(run_wait->schedstat_fd);
	if (clock_process_cpu_ns(run_wait->pid, &run_wait->cpu_ns) < 0)
		run_wait->cpu_ns = INT64_MIN;
}

/* State of its first thread as in /proc/PID/stat; '?': nobody knows. */
static char
find_state(pid_t pid)
{
	char text[FIGURES_SIZE];
	const char *rest;

	/* The name may hold anything, blanks and brackets too. */
	if (!read_text(pid, "stat", text))
		return '?';
	rest = strrchr(text, ')');
	return rest != NULL && rest[1] == ' ' ? rest[2] : '?';
}

/*
 * How much of a wait that goes on is believed: `R` is the state of a thread that
 * wants to run or does, `D` of one that waits for what it runs on.
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
run_wait_ns(struct run_wait *run_wait, int64_t now_ns, int64_t stolen_ns)
{
	int64_t idle_ns, wait_ns, cpu_ns;
	char state;

	if (run_wait->pid <= 0 || run_wait->cpu_ns < 0 ||
	    find_child(run_wait->pid) != 0)
		return stolen_ns;
	/* First, for it may run as soon as it has been looked at. */
	state = find_state(run_wait->pid);
	if (clock_process_cpu_ns(run_wait->pid, &cpu_ns) < 0)
		return stolen_ns;
	wait_ns = scheduler_wait_ns(run_wait->schedstat_fd) - run_wait->wait_ns;
	wait_ns += open_wait_ns(run_wait, state, cpu_ns, now_ns);
	cpu_ns -= run_wait->cpu_ns;
	idle_ns = now_ns - run_wait->asked_ns - cpu_ns;
	if (wait_ns > idle_ns)
		wait_ns = idle_ns;
	if (wait_ns < 0)
		wait_ns = 0;
	/* As much of the stolen time may have passed for its own. */
	wait_ns += stolen_ns < cpu_ns ? stolen_ns : cpu_ns;
	return wait_ns > stolen_ns ? wait_ns : stolen_ns;
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
