/* Files that could be read, written, changed, locked or watched. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "probe.h"

/* The C library of Debian 12 does not have this call. */
enum { CALL_FCHMODAT2 = 452 };

static const char *
secret_of(const struct targets *targets)
{
	return probe_path(targets->outside, "secret");
}

/* The path of a file that does not exist yet. */
static const char *
fresh_in(const char *folder)
{
	char name[64];

	snprintf(
	    name, sizeof(name), "probe-%d-%ld", (int)getppid(), (long)getpid());
	return probe_path(folder, name);
}

static bool
can_create(const char *folder)
{
	const char *path = fresh_in(folder);
	int fd = open(path, O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);

	if (fd >= 0)
		unlink(path);
	return probe_opened(fd) ||
	    probe_opened(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR));
}

ATTEMPT_IF(read, probe_opens(secret_of(targets), O_RDONLY))
ATTEMPT_IF(write, probe_opens(secret_of(targets), O_WRONLY))
ATTEMPT_IF(list, probe_opens(targets->outside, O_RDONLY | O_DIRECTORY))
ATTEMPT_IF(list_root, probe_opens("/", O_RDONLY | O_DIRECTORY))
ATTEMPT_IF(list_tmp, probe_opens("/tmp", O_RDONLY | O_DIRECTORY))
ATTEMPT_IF(create, can_create(targets->outside))
ATTEMPT_IF(create_tmp, can_create("/tmp") || can_create("/var/tmp"))
ATTEMPT_IF(create_shm, can_create("/dev/shm"))
ATTEMPT_IF(create_here, can_create("."))

ATTEMPT(create_beside)
{
	char folder[PROBE_PATH_SIZE];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", targets->shared);
	slash = strrchr(folder, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	return can_create(folder);
}

ATTEMPT_IF(write_shared, probe_opens(targets->shared, O_WRONLY))

ATTEMPT(truncate)
{
	const char *path = secret_of(targets);
	struct stat status;

	return stat(path, &status) == 0 && truncate(path, status.st_size) == 0;
}

ATTEMPT(rename)
{
	const char *path = secret_of(targets);
	const char *other = fresh_in(targets->outside);

	if (rename(path, other) < 0)
		return false;
	rename(other, path);
	return true;
}

/* Whether the file was made; removes it. */
static bool
made(const struct targets *targets, int status)
{
	if (status == 0)
		remove(fresh_in(targets->outside));
	return status == 0;
}

ATTEMPT_IF(
    link, made(targets, link(secret_of(targets), fresh_in(targets->outside))))
ATTEMPT_IF(symlink, made(targets, symlink("x", fresh_in(targets->outside))))
ATTEMPT_IF(mkdir, made(targets, mkdir(fresh_in(targets->outside), S_IRWXU)))
ATTEMPT_IF(fifo, made(targets, mkfifo(fresh_in(targets->outside), S_IRUSR)))

ATTEMPT(mark_mode)
{
	struct stat status;

	if (stat(targets->shared, &status) < 0)
		return false;
	return chmod(targets->shared, status.st_mode & 07777) == 0 ||
	    syscall(CALL_FCHMODAT2, AT_FDCWD, targets->shared,
		status.st_mode & 07777, 0) == 0;
}

ATTEMPT(mark_owner)
{
	struct stat status;

	return stat(targets->shared, &status) == 0 &&
	    chown(targets->shared, status.st_uid, status.st_gid) == 0;
}

ATTEMPT(mark_time)
{
	struct stat status;

	if (stat(targets->shared, &status) < 0)
		return false;
	return utimensat(AT_FDCWD, targets->shared,
		   (const struct timespec[2]){ status.st_atim, status.st_mtim },
		   0) == 0;
}

ATTEMPT(mark_attribute)
{
	static const char name[] = "user.scopa-probe";

	if (setxattr(targets->shared, name, "", 0, 0) < 0)
		return false;
	removexattr(targets->shared, name);
	return true;
}

ATTEMPT_IF(lock, flock(probe_shared(targets), LOCK_EX | LOCK_NB) == 0)

ATTEMPT(lock_bytes)
{
	struct flock lock = { .l_type = F_RDLCK, .l_len = 1 };

	return fcntl(probe_shared(targets), F_SETLK, &lock) == 0;
}

ATTEMPT(lock_description)
{
	struct flock lock = { .l_type = F_RDLCK, .l_len = 1 };

	return fcntl(probe_shared(targets), F_OFD_SETLK, &lock) == 0;
}

ATTEMPT_IF(lease, fcntl(probe_shared(targets), F_SETLEASE, F_RDLCK) == 0)

ATTEMPT(watch)
{
	int fd = inotify_init1(IN_CLOEXEC);

	return fd >= 0 &&
	    inotify_add_watch(fd, targets->shared, IN_OPEN | IN_ATTRIB) >= 0;
}

ATTEMPT_IF(watch_mounts, probe_opened(fanotify_init(FAN_REPORT_FID, O_RDONLY)))

ATTEMPT(watch_folder)
{
	int fd = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fcntl(fd, F_NOTIFY, DN_ACCESS) == 0;
}

ATTEMPT(file_handle)
{
	struct file_handle handle = { .handle_bytes = 0 };
	int mount;

	return name_to_handle_at(
		   AT_FDCWD, targets->shared, &handle, &mount, 0) == 0 ||
	    errno == EOVERFLOW;
}

ATTEMPT_IF(control_groups, probe_opens("/sys/fs/cgroup/cgroup.procs", O_WRONLY))
ATTEMPT_IF(
    kernel_settings, probe_opens("/proc/sys/kernel/domainname", O_WRONLY))
ATTEMPT_IF(terminal, probe_opens("/dev/ptmx", O_RDWR | O_NOCTTY))

ATTEMPT(exists_file)
{
	struct stat status;

	return stat(secret_of(targets), &status) == 0;
}

ATTEMPT(link_text)
{
	char text[PROBE_PATH_SIZE];

	return readlink(probe_path(targets->outside, "link"), text,
		   sizeof(text)) > 0;
}

ATTEMPT(free_space)
{
	struct statfs status;

	return statfs(targets->outside, &status) == 0 ||
	    fstatfs(probe_shared(targets), &status) == 0;
}

/* The access time shows a sibling that the file was read. */
ATTEMPT_FIRST(read_time)
{
	struct stat before, after;
	char byte;
	int fd = probe_shared(targets);

	if (fd < 0 || fstat(fd, &before) < 0 || read(fd, &byte, 1) < 0 ||
	    fstat(fd, &after) < 0)
		return false;
	return after.st_atim.tv_sec != before.st_atim.tv_sec ||
	    after.st_atim.tv_nsec != before.st_atim.tv_nsec;
}

/* The page cache shows whether a file was read recently. */
ATTEMPT(page_cache)
{
	char byte;
	struct iovec part = { &byte, 1 };

	return preadv2(probe_shared(targets), &part, 1, 0, RWF_NOWAIT) >= 0 ||
	    errno == EAGAIN;
}

ATTEMPT_IF(load_average, probe_opens("/proc/loadavg", O_RDONLY))
