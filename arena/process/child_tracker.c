#include "child_tracker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_text.h"
#include "tree.h"

/* Children are the process's, and so are these. */
static struct {
	pid_t *pids; /* owned */
	int count, capacity;
} known;
static bool adopting; /* orphans of ours, and of nobody else */

int
child_tracker_add(pid_t child)
{
	if (known.count == known.capacity) {
		int capacity = known.capacity > 0 ? 2 * known.capacity : 16;
		pid_t *pids =
		    realloc(known.pids, (size_t)capacity * sizeof(*pids));

		if (pids == NULL)
			return -ENOMEM;
		known.pids = pids;
		known.capacity = capacity;
	}
	known.pids[known.count++] = child;
	return 0;
}

static bool
is_known(const void *context, pid_t child)
{
	(void)context;
	for (int i = 0; i < known.count; i++)
		if (known.pids[i] == child)
			return true;
	return false;
}

void
child_tracker_remove(pid_t child)
{
	for (int i = 0; i < known.count; i++) {
		if (known.pids[i] != child)
			continue;
		known.pids[i] = known.pids[--known.count];
		break;
	}
	if (known.count == 0)
		child_tracker_clear();
}

void
child_tracker_clear(void)
{
	free(known.pids);
	known.pids = NULL;
	known.count = known.capacity = 0;
}

int
child_tracker_adopt(void)
{
	if (adopting || getpid() == 1 || child_tracker_strangers() != 0)
		return 0;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return -errno;
	adopting = true;
	return 0;
}

void
child_tracker_settle(void)
{
	if (getpid() == 1)
		child_tracker_reap();
	else if (adopting && child_tracker_strangers() > 0)
		(void)child_tracker_sweep();
}

/* Calls for each stranger; how many there are. */
static int
strangers_walk(void (*visit)(pid_t stranger))
{
	FILE *file = fopen("/proc/thread-self/children", "re");
	int count = 0;
	long pid;

	if (file == NULL)
		return errno == ENOENT ? 0 : -errno;
	while (fscanf(file, "%ld", &pid) == 1) {
		if (is_known(NULL, (pid_t)pid))
			continue;
		count++;
		if (visit != NULL)
			visit((pid_t)pid);
	}
	fclose(file);
	return count;
}

int
child_tracker_strangers(void)
{
	return strangers_walk(NULL);
}

int
child_tracker_sweep(void)
{
	const struct tree_spared spared = { is_known, NULL };
	int proc_fd = proc_open(), status;

	if (proc_fd < 0)
		return proc_fd;
	status = tree_kill_all(proc_fd, &spared);
	close(proc_fd);
	return status;
}

static void
reap_one(pid_t stranger)
{
	waitpid(stranger, NULL, WNOHANG);
}

void
child_tracker_reap(void)
{
	(void)strangers_walk(reap_one);
}

/* One by one, without the one that is open for that. */
static int
descriptors_count(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	if (dir == NULL)
		return -errno;
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count - 1;
}

int
child_tracker_descriptors(void)
{
	struct stat folder;

	/* Since Linux 6.2 the size of the folder is their number. */
	if (stat("/proc/self/fd", &folder) < 0)
		return -errno;
	return folder.st_size > 0 ? (int)folder.st_size : descriptors_count();
}
