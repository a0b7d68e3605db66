/*
 * Implements child_tracker.h. The children of this process are read from /proc
 * and compared with those that were added here.
 */
#include "child_tracker.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "countof.h"
#include "kernel_text.h"
#include "tree.h"

/* Children belong to the process, so this table does, too. */
static struct {
	pid_t *pids; /* owned */
	int count, capacity;
} known;
static bool adopting; /* this process is the subreaper of its descendants */

int
child_tracker_add(pid_t child)
{
	if (ARRAY_GROW(known.pids, known.count, known.capacity))
		return -ENOMEM;
	known.pids[known.count++] = child;
	return 0;
}

static bool
is_known(pid_t child)
{
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
child_tracker_end_orphans(void)
{
	if (getpid() == 1)
		child_tracker_reap();
	else if (adopting && child_tracker_strangers() > 0)
		(void)child_tracker_sweep();
}

/*
 * Returns how many children are strangers. Dead ones are reaped if `reaps` is
 * set.
 */
static int
strangers_count(bool reaps)
{
	FILE *file = fopen("/proc/thread-self/children", "re");
	int count = 0;
	long pid;

	if (file == NULL)
		return errno == ENOENT ? 0 : -errno;
	while (fscanf(file, "%ld", &pid) == 1) {
		if (is_known((pid_t)pid))
			continue;
		count++;
		if (reaps)
			waitpid((pid_t)pid, NULL, WNOHANG);
	}
	fclose(file);
	return count;
}

int
child_tracker_strangers(void)
{
	return strangers_count(false);
}

int
child_tracker_sweep(void)
{
	int proc_fd = proc_open(), status;

	if (proc_fd < 0)
		return proc_fd;
	status = tree_kill_all(proc_fd, is_known);
	close(proc_fd);
	return status;
}

void
child_tracker_reap(void)
{
	(void)strangers_count(true);
}

/* Counts the entries, without the descriptor of the folder itself. */
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

	/*
	 * Since Linux 6.2 the size of the folder is the number of descriptors.
	 */
	if (stat("/proc/self/fd", &folder) < 0)
		return -errno;
	return folder.st_size > 0 ? (int)folder.st_size : descriptors_count();
}
