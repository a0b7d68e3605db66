#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "capability.h"
#include "cell.h"

static int
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t size = strlen(text);
	int status = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, size) != (ssize_t)size)
		status = -errno;
	close(fd);
	return status;
}

/* Whoever it is outside, it is the same inside. */
static int
put_map(const char *path, unsigned id)
{
	char map[64];

	snprintf(map, sizeof(map), "%u %u 1", id, id);
	return put(path, map);
}

int
box_make(void)
{
	const int spaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS |
	    CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
	unsigned uid = getuid(), gid = getgid();
	int status;

	if (unshare(spaces) < 0)
		return -errno;
	status = put("/proc/self/setgroups", "deny");
	if (status == 0)
		status = put_map("/proc/self/uid_map", uid);
	if (status == 0)
		status = put_map("/proc/self/gid_map", gid);
	return status;
}

int
box_settle(const struct allowance *cell)
{
	int status;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	status = cell != NULL ? cell_enter(cell) : cell_mount_proc("/proc");
	return status == 0 ? capability_drop() : status;
}
