#include "effort.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "kernel_text.h"

enum { PATH_SIZE = 64, TEXT_SIZE = 4096 };

/* Those that are still to be looked at. */
struct tree {
	pid_t pids[EFFORT_PROCESSES_MAX];
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

		if (end == at || tree->count == EFFORT_PROCESSES_MAX)
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
effort_read(pid_t pid, int64_t *cpu_ns)
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
