/*
 * Implements cgroup.h: finds the mount of cgroup version 2, makes a group for
 * this arena with a group for each bot below it, and removes the groups of
 * arenas that are dead.
 */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confinement.h"
#include "kernel_text.h"

#define PREFIX "scopa-arena."
#define OWN ".self" /* after the name: the arena itself */
#define CONTROLLERS "+memory +pids"

enum { LINE_SIZE = PATH_MAX + 256, FD_MIN = 16 };

enum { GONE_MS = 1000 }; /* most time for killed processes to end */

/* Finds a whole mount of version 2: `.. / /sys/fs/cgroup .. - cgroup2 ..`. */
static bool
find_mount(char mount[PATH_MAX])
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char line[LINE_SIZE], root[PATH_MAX];
	bool found = false;

	while (file != NULL && !found && fgets(line, sizeof(line), file))
		found = strstr(line, " - cgroup2 ") != NULL &&
		    sscanf(line, "%*s %*s %*s %4095s %4095s", root, mount) ==
			2 &&
		    strcmp(root, "/") == 0;
	if (file != NULL)
		fclose(file);
	return found;
}

/* The group of this process there: a line `0::/user.slice/..`. */
static bool
find_base(char base[PATH_MAX])
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char mount[PATH_MAX], line[LINE_SIZE] = "";
	bool found = false;

	if (file == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = strncmp(line, "0::/", 4) == 0;
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return found && find_mount(mount) &&
	    snprintf(base, PATH_MAX, "%s%s", mount,
		strcmp(line + 3, "/") == 0 ? "" : line + 3) < PATH_MAX;
}

/* Whether a list of words has all that are needed. */
static bool
has_controllers(int folder_fd, const char *path)
{
	char text[512] = " ";

	if (kernel_text_read(folder_fd, path, text + 1, sizeof(text) - 2) <= 0)
		return false;
	text[strcspn(text, "\n")] = ' ';
	return strstr(text, " memory ") != NULL &&
	    strstr(text, " pids ") != NULL;
}

/*
 * Waits a millisecond and takes it off `left_ms`. Returns false if none is
 * left.
 */
static bool
wait_moment(int *left_ms)
{
	if (*left_ms <= 0)
		return false;
	poll(NULL, 0, 1);
	(*left_ms)--;
	return true;
}

static void
remove_below(int fd)
{
	DIR *folder = folder_open(fd, ".");
	struct dirent *entry;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL)
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	closedir(folder);
}

/*
 * Kills the processes of a group and removes the group with those below it when
 * all processes have ended. Linux before 5.14 cannot kill a group; there the
 * supervisors kill the processes.
 */
static void
group_remove(int base_fd, int fd, const char *name, int *left_ms)
{
	(void)kernel_text_write(fd, "cgroup.kill", "1");
	do
		remove_below(fd);
	while (unlinkat(base_fd, name, AT_REMOVEDIR) < 0 && errno == EBUSY &&
	    wait_moment(left_ms));
}

/*
 * The time when a process (0: the caller) has started; 0: there is no such
 * process.  A later process of the same number has another time.
 */
static unsigned long long
start_of(pid_t pid)
{
	struct process_stat stat;

	return process_stat_read(AT_FDCWD, pid, &stat) ? stat.start_ticks : 0;
}

/*
 * An arena in another PID namespace looks dead from here, but it still holds
 * its lock. Processes of a dead arena may hold the lock for some moments. The
 * folder may have been removed meanwhile, and another one made in its place.
 * Returns 0 or -errno.
 */
static int
lock(int base_fd, const char *name, int fd, int *left_ms)
{
	struct stat locked, present;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		int error = errno;

		if (error != EWOULDBLOCK || !wait_moment(left_ms))
			return -error;
	}
	if (fstat(fd, &locked) < 0 || fstatat(base_fd, name, &present, 0) < 0)
		return -errno;
	return locked.st_ino == present.st_ino ? 0 : -ESTALE;
}

static void
remove_if_stale(int base_fd, const char *name, int *left_ms)
{
	char own[CGROUP_NAME_SIZE];
	unsigned long long start;
	int fd, end = 0;
	long pid;

	if (sscanf(name, PREFIX "%ld.%llu%n", &pid, &start, &end) != 2 ||
	    start_of((pid_t)pid) == start)
		return;
	if (strcmp(name + end, OWN) == 0)
		unlinkat(base_fd, name, AT_REMOVEDIR);
	if (name[end] != '\0')
		return;
	fd = openat(base_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (lock(base_fd, name, fd, left_ms) == 0) {
		snprintf(own, sizeof(own), "%.*s" OWN, end, name);
		unlinkat(base_fd, own, AT_REMOVEDIR);
		group_remove(base_fd, fd, name, left_ms);
	}
	close(fd);
}

void
cgroup_sweep(int base_fd)
{
	DIR *folder = folder_open(base_fd, ".");
	struct dirent *entry;
	int left_ms = GONE_MS;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL)
		remove_if_stale(base_fd, entry->d_name, &left_ms);
	closedir(folder);
}

static void
leave_own(struct cgroup *cgroup, int base_fd)
{
	(void)kernel_text_write(
	    base_fd, "cgroup.subtree_control", "-memory -pids");
	(void)kernel_text_write(base_fd, "cgroup.procs", "0");
	unlinkat(base_fd, cgroup->own, AT_REMOVEDIR);
	cgroup->moved = false;
}

/* Enables the controllers for the groups below. Returns 0 or -errno. */
static int
hand_down(struct cgroup *cgroup, int base_fd)
{
	char path[2 * CGROUP_NAME_SIZE];
	int status = 0;

	if (!has_controllers(base_fd, "cgroup.subtree_control"))
		status = kernel_text_write(
		    base_fd, "cgroup.subtree_control", CONTROLLERS);
	if (status == -EBUSY) {
		if (mkdirat(base_fd, cgroup->own, 0700) < 0)
			return -errno;
		cgroup->moved = true;
		snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup->own);
		status = kernel_text_write(base_fd, path, "0");
		if (status == 0)
			status = kernel_text_write(
			    base_fd, "cgroup.subtree_control", CONTROLLERS);
	}
	if (status == 0)
		status = kernel_text_write(
		    cgroup->fd, "cgroup.subtree_control", CONTROLLERS);
	if (status < 0 && cgroup->moved)
		leave_own(cgroup, base_fd);
	return status;
}

static void
open_limits(struct cgroup *cgroup, int base_fd)
{
	int status;

	if (!has_controllers(base_fd, "cgroup.controllers")) {
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "the control group of the arena has no controllers of "
		    "memory and pids");
		return;
	}
	status = hand_down(cgroup, base_fd);
	cgroup->limited = status == 0;
	if (status < 0)
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "the controllers of the arena's control group cannot be "
		    "handed on: %s",
		    status == -EBUSY ? "others are in it" : strerror(-status));
}

/*
 * The descriptor must not be one of those that a child gets. Returns it or
 * -errno.
 */
static int
open_high(int base_fd, const char *name)
{
	int fd = openat(base_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int high;

	if (fd < 0)
		return -errno;
	high = fcntl(fd, F_DUPFD_CLOEXEC, FD_MIN);
	/* EINVAL: the lowest number is beyond the limit of descriptors. */
	if (high < 0)
		high = errno == EINVAL ? -EMFILE : -errno;
	close(fd);
	return high;
}

/* Returns 0 or -errno. */
static int
make_locked(struct cgroup *cgroup, int base_fd)
{
	int left_ms = GONE_MS, fd, status;

	if (mkdirat(base_fd, cgroup->name, 0700) < 0)
		return -errno;
	fd = open_high(base_fd, cgroup->name);
	status = fd < 0 ? fd : lock(base_fd, cgroup->name, fd, &left_ms);
	if (status == 0) {
		cgroup->fd = fd;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	unlinkat(base_fd, cgroup->name, AT_REMOVEDIR);
	return status;
}

void
cgroup_open(struct cgroup *cgroup)
{
	int base_fd, status;

	*cgroup = (struct cgroup){ .fd = -1 };
	if (!find_base(cgroup->base)) {
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "there are no control groups of version 2");
		return;
	}
	snprintf(cgroup->name, sizeof(cgroup->name), PREFIX "%d.%llu", getpid(),
	    start_of(0));
	snprintf(cgroup->own, sizeof(cgroup->own), "%s" OWN, cgroup->name);
	base_fd = open(cgroup->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (base_fd < 0) {
		status = -errno;
	} else {
		cgroup_sweep(base_fd);
		status = make_locked(cgroup, base_fd);
		/* The sweep of another arena was faster than the lock. */
		if (status == -ENOENT)
			status = make_locked(cgroup, base_fd);
	}
	if (status < 0)
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "the arena's control group is not its own: %s",
		    strerror(-status));
	else
		open_limits(cgroup, base_fd);
	if (base_fd >= 0)
		close(base_fd);
}

void
cgroup_close(struct cgroup *cgroup)
{
	int base_fd, left_ms = GONE_MS;

	if (cgroup->fd < 0)
		return;
	base_fd = open(cgroup->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (base_fd >= 0) {
		group_remove(base_fd, cgroup->fd, cgroup->name, &left_ms);
		if (cgroup->moved)
			leave_own(cgroup, base_fd);
		close(base_fd);
	}
	close(cgroup->fd);
	cgroup->fd = -1;
}

enum {
	BOT_CGROUP_GONE_MS = 2000
}; /* most time for killed processes to disappear */

/* The number after a word of a file of lines `word 1`; -1: not there. */
static long
get(const struct bot_cgroup *bot_cgroup, const char *file, const char *word)
{
	char text[1024] = "\n", line[64];
	const char *found;

	if (kernel_text_read(bot_cgroup->fd, file, text + 1, sizeof(text) - 1) <
	    0)
		return -1;
	snprintf(line, sizeof(line), "\n%s ", word);
	found = strstr(text, line);
	return found == NULL ? -1 : strtol(found + strlen(line), NULL, 10);
}

static int
set_number(
    const struct bot_cgroup *bot_cgroup, const char *file, int64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	return kernel_text_write(bot_cgroup->fd, file, text);
}

static int
set_limits(struct bot_cgroup *bot_cgroup, int64_t memory_max_bytes)
{
	int status;

	if (faccessat(bot_cgroup->fd, "memory.max", W_OK, 0) < 0 ||
	    faccessat(bot_cgroup->fd, "pids.max", W_OK, 0) < 0)
		return 0;
	status = set_number(bot_cgroup, "pids.max", CONFINED_PROCESSES);
	if (status == 0 && memory_max_bytes > 0) {
		status = set_number(bot_cgroup, "memory.max", memory_max_bytes);
		/* This file is missing if the machine has no swap. */
		(void)set_number(bot_cgroup, "memory.swap.max", 0);
	}
	if (status == 0)
		status = set_number(bot_cgroup, "memory.oom.group", 1);
	bot_cgroup->limited = status == 0;
	return status;
}

int
bot_cgroup_open(
    struct bot_cgroup *bot_cgroup, int parent_fd, int64_t memory_max_bytes)
{
	int status;

	*bot_cgroup = (struct bot_cgroup){
		.parent_fd = parent_fd, .fd = -1, .enter_fd = -1
	};
	snprintf(
	    bot_cgroup->name, sizeof(bot_cgroup->name), "bot.%d", getpid());
	/*
	 * An arena with the same pid, which was killed, may have left its
	 * group.
	 */
	unlinkat(parent_fd, bot_cgroup->name, AT_REMOVEDIR);
	if (mkdirat(parent_fd, bot_cgroup->name, 0700) < 0)
		return -errno;
	bot_cgroup->fd = openat(
	    parent_fd, bot_cgroup->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (bot_cgroup->fd >= 0)
		bot_cgroup->enter_fd = openat(
		    bot_cgroup->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	status = bot_cgroup->enter_fd < 0
	    ? -errno
	    : set_limits(bot_cgroup, memory_max_bytes);
	if (status == 0)
		return 0;
	if (bot_cgroup->enter_fd >= 0)
		close(bot_cgroup->enter_fd);
	if (bot_cgroup->fd >= 0)
		close(bot_cgroup->fd);
	unlinkat(parent_fd, bot_cgroup->name, AT_REMOVEDIR);
	return status;
}

int
bot_cgroup_enter(const struct bot_cgroup *bot_cgroup)
{
	return write(bot_cgroup->enter_fd, "0", 1) == 1 ? 0 : -errno;
}

void
bot_cgroup_freeze(const struct bot_cgroup *bot_cgroup, bool frozen)
{
	(void)kernel_text_write(
	    bot_cgroup->fd, "cgroup.freeze", frozen ? "1" : "0");
}

void
bot_cgroup_kill(const struct bot_cgroup *bot_cgroup)
{
	(void)kernel_text_write(bot_cgroup->fd, "cgroup.kill", "1");
}

/*
 * A kill because a parent group or the machine is out of memory is counted,
 * too.  That the limit was reached is reported for the group itself alone.
 */
bool
bot_cgroup_over_memory(const struct bot_cgroup *bot_cgroup)
{
	return get(bot_cgroup, "memory.events", "oom") > 0 &&
	    get(bot_cgroup, "memory.events", "oom_kill") > 0;
}

void
bot_cgroup_close(const struct bot_cgroup *bot_cgroup)
{
	bot_cgroup_kill(bot_cgroup);
	for (int i = 0; i < BOT_CGROUP_GONE_MS; i++) {
		if (get(bot_cgroup, "cgroup.events", "populated") == 0)
			break;
		poll(NULL, 0, 1);
	}
	close(bot_cgroup->enter_fd);
	close(bot_cgroup->fd);
	unlinkat(bot_cgroup->parent_fd, bot_cgroup->name, AT_REMOVEDIR);
}
