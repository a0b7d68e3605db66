#include "cage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "kernel_text.h"

enum { GONE_MS = 2000 }; /* for what was killed to be gone */

/* The number behind a word of a file of lines `word 1`; -1: not there. */
static long
get(const struct cage *cage, const char *file, const char *word)
{
	char text[1024] = "\n", line[64];
	const char *found;

	if (kernel_text_read(cage->fd, file, text + 1, sizeof(text) - 1) < 0)
		return -1;
	snprintf(line, sizeof(line), "\n%s ", word);
	found = strstr(text, line);
	return found == NULL ? -1 : strtol(found + strlen(line), NULL, 10);
}

static int
set_limits(struct cage *cage, int64_t memory_max_bytes)
{
	char number[32];
	int status = 0;

	if (faccessat(cage->fd, "memory.max", W_OK, 0) < 0 ||
	    faccessat(cage->fd, "pids.max", W_OK, 0) < 0)
		return 0;
	snprintf(number, sizeof(number), "%d", CAGE_PROCESSES);
	status = cgroup_put(cage->fd, "pids.max", number);
	if (status == 0 && memory_max_bytes > 0) {
		snprintf(number, sizeof(number), "%lld",
		    (long long)memory_max_bytes);
		status = cgroup_put(cage->fd, "memory.max", number);
		/* Not there where there is no swap. */
		(void)cgroup_put(cage->fd, "memory.swap.max", "0");
	}
	if (status == 0)
		status = cgroup_put(cage->fd, "memory.oom.group", "1");
	cage->limited = status == 0;
	return status;
}

int
cage_open(struct cage *cage, int parent_fd, int64_t memory_max_bytes)
{
	int status;

	*cage = (struct cage){ .parent_fd = parent_fd, .enter_fd = -1 };
	snprintf(cage->name, sizeof(cage->name), "bot.%d", getpid());
	/* One of that number that was killed may have left its own. */
	unlinkat(parent_fd, cage->name, AT_REMOVEDIR);
	if (mkdirat(parent_fd, cage->name, 0700) < 0)
		return -errno;
	cage->fd =
	    openat(parent_fd, cage->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cage->fd < 0) {
		status = -errno;
		goto remove_group;
	}
	cage->enter_fd = openat(cage->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	status =
	    cage->enter_fd < 0 ? -errno : set_limits(cage, memory_max_bytes);
	if (status == 0)
		return 0;
	if (cage->enter_fd >= 0)
		close(cage->enter_fd);
	close(cage->fd);
remove_group:
	unlinkat(parent_fd, cage->name, AT_REMOVEDIR);
	return status;
}

int
cage_enter(const struct cage *cage)
{
	return write(cage->enter_fd, "0", 1) == 1 ? 0 : -errno;
}

void
cage_hold(const struct cage *cage, bool frozen)
{
	(void)cgroup_put(cage->fd, "cgroup.freeze", frozen ? "1" : "0");
}

void
cage_kill(const struct cage *cage)
{
	(void)cgroup_put(cage->fd, "cgroup.kill", "1");
}

/*
 * Who is killed as a group above, or the machine, is out of memory is counted,
 * too; that the limit was reached is told of one's own alone.
 */
bool
cage_over_memory(const struct cage *cage)
{
	return get(cage, "memory.events", "oom") > 0 &&
	    get(cage, "memory.events", "oom_kill") > 0;
}

void
cage_close(const struct cage *cage)
{
	cage_kill(cage);
	for (int i = 0; i < GONE_MS; i++) {
		if (get(cage, "cgroup.events", "populated") == 0)
			break;
		poll(NULL, 0, 1);
	}
	close(cage->enter_fd);
	close(cage->fd);
	unlinkat(cage->parent_fd, cage->name, AT_REMOVEDIR);
}
