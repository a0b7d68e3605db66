#include "doors.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
can_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Does /proc show the processes of our own box, under their numbers there? */
static bool
proc_is_own(void)
{
	char number[16] = "";

	return readlink("/proc/self", number, sizeof(number) - 1) > 0 &&
	    atoi(number) == getpid();
}

static bool
can_see(pid_t process, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, what);
	return can_open(path, O_RDONLY);
}

static bool
can_create(void)
{
	/* Leaves nothing: it has no name. */
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool
can_talk(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

ino_t
doors_space(void)
{
	struct stat space;

	return stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

unsigned
doors_try(pid_t arena, ino_t space)
{
	/* In a box of ours its number is another's, or nobody's. */
	bool boxed = doors_space() != space;
	unsigned open = 0;

	if (!boxed && kill(arena, 0) == 0)
		open |= DOOR_SIGNAL;
	/* The arena keeps private; who supervises us stands for siblings. */
	if (!(boxed && proc_is_own()) &&
	    (can_see(arena, "mem") || can_see(arena, "environ") ||
		can_see(getppid(), "mem")))
		open |= DOOR_MEMORY;
	if (can_open("/", O_RDONLY | O_DIRECTORY))
		open |= DOOR_FILES;
	if (can_create())
		open |= DOOR_CREATE;
	if (can_talk())
		open |= DOOR_SOCKET;
	/* Where every kernel has it, and no program lies. */
	if (access("/sys/kernel", F_OK) == 0)
		open |= DOOR_NAMES;
	return open;
}

const char *
door_name(enum door door)
{
	switch (door) {
	case DOOR_SIGNAL:
		return "signals to the arena";
	case DOOR_MEMORY:
		return "the arena's memory";
	case DOOR_FILES:
		return "files";
	case DOOR_CREATE:
		return "new files";
	case DOOR_SOCKET:
		return "sockets";
	case DOOR_NAMES:
		return "names of files";
	}
	return "nothing";
}
