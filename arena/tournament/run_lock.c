/*
 * Who writes to a run.  The kernel knows: a lock goes with its process, however
 * that ends.  What stands in the file is only for people.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "run_state.h"

enum {
	HOST_SIZE = 65,
	BOOT_SIZE = 40,
	/* The lock is inherited: workers of a process that was killed may hold
	 * it until they have noticed. */
	TRIES = 100,
	PAUSE_NS = 20000000
};

/* What stands in the file: `PID HOST BOOT-ID`. */
struct owner {
	pid_t pid;
	char host[HOST_SIZE], boot[BOOT_SIZE];
};

/* Reads up to `size` - 1 bytes of a small file as text; false if it cannot. */
static bool
read_text(int fd, char *text, size_t size)
{
	ssize_t length = pread(fd, text, size - 1, 0);

	if (length < 0)
		return false;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static void
owner_self(struct owner *owner)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memset(owner, 0, sizeof(*owner));
	owner->pid = getpid();
	if (gethostname(owner->host, sizeof(owner->host) - 1) < 0 ||
	    !owner->host[0])
		strcpy(owner->host, "-");
	if (fd < 0 || !read_text(fd, owner->boot, sizeof(owner->boot)) ||
	    !owner->boot[0])
		strcpy(owner->boot, "-");
	if (fd >= 0)
		close(fd);
}

static bool
owner_read(int fd, struct owner *owner)
{
	char text[HOST_SIZE + BOOT_SIZE + 24];
	intmax_t pid;

	if (!read_text(fd, text, sizeof(text)))
		return false;
	memset(owner, 0, sizeof(*owner));
	if (sscanf(text, "%jd %64s %39s", &pid, owner->host, owner->boot) !=
		3 ||
	    pid < 1 || pid > INT32_MAX)
		return false;
	owner->pid = (pid_t)pid;
	return true;
}

static int
owner_write(int fd)
{
	struct owner self;
	char text[HOST_SIZE + BOOT_SIZE + 24];
	ssize_t written;
	int length;

	owner_self(&self);
	length = snprintf(text, sizeof(text), "%jd %s %s\n", (intmax_t)self.pid,
	    self.host, self.boot);
	if (ftruncate(fd, 0) < 0)
		return -errno;
	written = pwrite(fd, text, (size_t)length, 0);
	return written == length ? 0 : written < 0 ? -errno : -ENOSPC;
}

/* Whether a process of this machine that has gone took the lock. */
static bool
owner_gone(const struct owner *owner)
{
	struct owner self;

	owner_self(&self);
	return strcmp(owner->host, self.host) == 0 &&
	    (strcmp(owner->boot, self.boot) != 0 ||
		(kill(owner->pid, 0) < 0 && errno == ESRCH));
}

static int
refuse(int fd, const char *folder, struct store_error *error)
{
	struct owner owner, self;

	owner_self(&self);
	if (!owner_read(fd, &owner)) {
		store_error_set(error,
		    "the run \"%s\" is being written to by another process",
		    folder);
		return -EBUSY;
	}
	if (strcmp(owner.host, self.host) != 0)
		store_error_set(error,
		    "the run \"%s\" is being written to by process %jd of %s",
		    folder, (intmax_t)owner.pid, owner.host);
	else
		store_error_set(error,
		    "the run \"%s\" is being written to by process %jd", folder,
		    (intmax_t)owner.pid);
	store_error_hint(error, "wait for it to end, or end it");
	return -EBUSY;
}

/* Tries for a moment: 0 or -errno. */
static int
take(int fd)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct owner owner;

	for (int i = 0; i < TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		/* Somebody has just taken it, or it is one that lives. */
		if (i > 1 && owner_read(fd, &owner) && !owner_gone(&owner))
			return -EBUSY;
		nanosleep(&pause, NULL);
	}
	return -EBUSY;
}

int
run_lock(const char *folder, struct store_error *error)
{
	char path[PATH_MAX];
	int fd, status;

	run_path_join(path, folder, RUN_LOCK);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return run_fail(-errno, "lock", path, error);
	status = take(fd);
	if (status == -EBUSY) {
		refuse(fd, folder, error);
		goto close_fd;
	}
	if (!status)
		status = owner_write(fd);
	/* The lock holds without a name in it. */
	if (status == -ENOSPC || status == -EDQUOT || status == -EFBIG)
		status = 0;
	if (status) {
		run_fail(status, "lock", path, error);
		goto close_fd;
	}
	return fd;
close_fd:
	close(fd);
	return status;
}

void
run_unlock(int fd)
{
	/* Workers may have inherited it, and they hold nothing by it. */
	flock(fd, LOCK_UN);
	close(fd);
}

pid_t
run_owner(const char *path)
{
	struct owner owner = { .pid = 0 };
	char file[PATH_MAX];
	int fd;

	run_path_join(file, path, RUN_LOCK);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_SH | LOCK_NB) == 0)
		flock(fd, LOCK_UN);
	else if (errno != EWOULDBLOCK || !owner_read(fd, &owner))
		owner.pid = 0;
	close(fd);
	return owner.pid;
}
