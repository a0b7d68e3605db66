#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel_text.h"

#define PREFIX "scopa-arena."
#define CONTROLLERS "+memory +pids"

enum { LINE_SIZE = PATH_MAX + 256, NAME_SIZE = 64, FD_MIN = 16 };

/* Where version 2 is mounted, whole: `.. / /sys/fs/cgroup .. - cgroup2 ..`. */
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
	char mount[PATH_MAX], line[LINE_SIZE];
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

int
cgroup_put(int folder_fd, const char *file, const char *text)
{
	int fd = openat(folder_fd, file, O_WRONLY | O_CLOEXEC);
	int status = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		status = -errno;
	close(fd);
	return status;
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

/* Removes a group that has nobody in it, with those below. */
static void
group_remove(int base_fd, const char *name)
{
	int fd = openat(base_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	unlinkat(base_fd, name, AT_REMOVEDIR);
}

/* Groups of arenas that are no more. */
static void
remove_stale(int base_fd)
{
	int fd = openat(base_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const size_t length = strlen(PREFIX);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		pid_t pid;

		if (strncmp(entry->d_name, PREFIX, length) != 0)
			continue;
		pid = (pid_t)strtol(entry->d_name + length, NULL, 10);
		if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
			group_remove(base_fd, entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

static void
name_groups(char bots[NAME_SIZE], char own[NAME_SIZE])
{
	snprintf(bots, NAME_SIZE, PREFIX "%d", getpid());
	snprintf(own, NAME_SIZE, PREFIX "%d.self", getpid());
}

static void
leave_own(struct cgroup *cgroup, int base_fd, const char *own)
{
	(void)cgroup_put(base_fd, "cgroup.subtree_control", "-memory -pids");
	(void)cgroup_put(base_fd, "cgroup.procs", "0");
	unlinkat(base_fd, own, AT_REMOVEDIR);
	cgroup->moved = false;
}

/* Hands the controllers down.  0 or -errno. */
static int
hand_down(struct cgroup *cgroup, int base_fd, const char *own)
{
	char path[2 * NAME_SIZE];
	int status = 0;

	if (!has_controllers(base_fd, "cgroup.subtree_control"))
		status =
		    cgroup_put(base_fd, "cgroup.subtree_control", CONTROLLERS);
	if (status == -EBUSY) {
		if (mkdirat(base_fd, own, 0700) < 0)
			return -errno;
		cgroup->moved = true;
		snprintf(path, sizeof(path), "%s/cgroup.procs", own);
		status = cgroup_put(base_fd, path, "0");
		if (status == 0)
			status = cgroup_put(
			    base_fd, "cgroup.subtree_control", CONTROLLERS);
	}
	if (status == 0)
		status = cgroup_put(
		    cgroup->fd, "cgroup.subtree_control", CONTROLLERS);
	if (status < 0 && cgroup->moved)
		leave_own(cgroup, base_fd, own);
	return status;
}

static void
open_limits(struct cgroup *cgroup, int base_fd, const char *own)
{
	int status;

	if (!has_controllers(base_fd, "cgroup.controllers")) {
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "the control group of the arena has no controllers of "
		    "memory and pids");
		return;
	}
	status = hand_down(cgroup, base_fd, own);
	cgroup->limited = status == 0;
	if (status < 0)
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "the controllers of the arena's control group cannot be "
		    "handed on: %s",
		    status == -EBUSY ? "others are in it" : strerror(-status));
}

/* Out of the way of the descriptors that a child is given. */
static int
open_high(int base_fd, const char *name)
{
	int fd = openat(base_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FD_MIN);

	if (fd >= 0)
		close(fd);
	return high;
}

void
cgroup_open(struct cgroup *cgroup)
{
	char bots[NAME_SIZE], own[NAME_SIZE];
	int base_fd;

	*cgroup = (struct cgroup){ .fd = -1 };
	name_groups(bots, own);
	if (!find_base(cgroup->base)) {
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "there are no control groups of version 2");
		return;
	}
	base_fd = open(cgroup->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (base_fd >= 0)
		remove_stale(base_fd);
	if (base_fd < 0 || mkdirat(base_fd, bots, 0700) < 0) {
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "the arena's control group is not its own: %s",
		    strerror(errno));
		goto close_base;
	}
	cgroup->fd = open_high(base_fd, bots);
	if (cgroup->fd < 0)
		snprintf(cgroup->why, sizeof(cgroup->why),
		    "its control group cannot be opened: %s", strerror(errno));
	else
		open_limits(cgroup, base_fd, own);
close_base:
	if (base_fd >= 0)
		close(base_fd);
}

void
cgroup_close(struct cgroup *cgroup)
{
	char bots[NAME_SIZE], own[NAME_SIZE];
	int base_fd;

	if (cgroup->fd < 0)
		return;
	close(cgroup->fd);
	cgroup->fd = -1;
	name_groups(bots, own);
	base_fd = open(cgroup->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (base_fd < 0)
		return;
	group_remove(base_fd, bots);
	if (cgroup->moved)
		leave_own(cgroup, base_fd, own);
	close(base_fd);
}
