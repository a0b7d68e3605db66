/* What could be read, written, marked, locked or watched. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The C library of Debian 12 does not know it. */
enum { CALL_FCHMODAT2 = 452 };

static const char *
secret_of(const struct targets *targets, char path[PROBE_PATH_SIZE])
{
	return probe_path(path, targets->outside, "secret");
}

/* A file that is not there yet. */
static const char *
fresh_in(char path[PROBE_PATH_SIZE], const char *folder)
{
	char name[64];

	snprintf(
	    name, sizeof(name), "probe-%d-%ld", (int)getppid(), (long)getpid());
	return probe_path(path, folder, name);
}

static bool
can_create(const char *folder)
{
	char path[PROBE_PATH_SIZE];
	int fd = open(fresh_in(path, folder), O_CREAT | O_EXCL | O_CLOEXEC,
	    S_IRUSR | S_IWUSR);

	if (fd >= 0)
		unlink(path);
	return probe_opened(fd) ||
	    probe_opened(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR));
}

static bool
read_secret(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];

	return probe_opens(secret_of(targets, path), O_RDONLY);
}

static bool
write_secret(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];

	return probe_opens(secret_of(targets, path), O_WRONLY);
}

static bool
list_outside(const struct targets *targets)
{
	return probe_opens(targets->outside, O_RDONLY | O_DIRECTORY);
}

static bool
list_root(const struct targets *targets)
{
	(void)targets;
	return probe_opens("/", O_RDONLY | O_DIRECTORY);
}

static bool
list_temporary(const struct targets *targets)
{
	(void)targets;
	return probe_opens("/tmp", O_RDONLY | O_DIRECTORY);
}

static bool
create_outside(const struct targets *targets)
{
	return can_create(targets->outside);
}

static bool
create_temporary(const struct targets *targets)
{
	(void)targets;
	return can_create("/tmp") || can_create("/var/tmp");
}

static bool
create_shared(const struct targets *targets)
{
	(void)targets;
	return can_create("/dev/shm");
}

static bool
create_here(const struct targets *targets)
{
	(void)targets;
	return can_create(".");
}

static bool
create_beside(const struct targets *targets)
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

static bool
write_shared(const struct targets *targets)
{
	return probe_opens(targets->shared, O_WRONLY);
}

static bool
cut(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];
	struct stat status;

	return stat(secret_of(targets, path), &status) == 0 &&
	    truncate(path, status.st_size) == 0;
}

static bool
rename_secret(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE], other[PROBE_PATH_SIZE];

	if (rename(secret_of(targets, path),
		fresh_in(other, targets->outside)) < 0)
		return false;
	rename(other, path);
	return true;
}

/* Whether the file was made; takes it away. */
static bool
made(int status, const char *path)
{
	if (status == 0)
		remove(path);
	return status == 0;
}

static bool
make_link(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE], other[PROBE_PATH_SIZE];

	return made(
	    link(secret_of(targets, path), fresh_in(other, targets->outside)),
	    other);
}

static bool
make_symbolic_link(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];

	return made(symlink("x", fresh_in(path, targets->outside)), path);
}

static bool
make_folder(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];

	return made(mkdir(fresh_in(path, targets->outside), S_IRWXU), path);
}

static bool
make_fifo(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];

	return made(mkfifo(fresh_in(path, targets->outside), S_IRUSR), path);
}

static bool
mark_mode(const struct targets *targets)
{
	struct stat status;

	if (stat(targets->shared, &status) < 0)
		return false;
	return chmod(targets->shared, status.st_mode & 07777) == 0 ||
	    syscall(CALL_FCHMODAT2, AT_FDCWD, targets->shared,
		status.st_mode & 07777, 0) == 0;
}

static bool
mark_owner(const struct targets *targets)
{
	struct stat status;

	return stat(targets->shared, &status) == 0 &&
	    chown(targets->shared, status.st_uid, status.st_gid) == 0;
}

static bool
mark_time(const struct targets *targets)
{
	struct stat status;

	if (stat(targets->shared, &status) < 0)
		return false;
	return utimensat(AT_FDCWD, targets->shared,
		   (const struct timespec[2]){ status.st_atim, status.st_mtim },
		   0) == 0;
}

static bool
mark_attribute(const struct targets *targets)
{
	static const char name[] = "user.scopa-probe";

	if (setxattr(targets->shared, name, "", 0, 0) < 0)
		return false;
	removexattr(targets->shared, name);
	return true;
}

static int
shared_open(const struct targets *targets)
{
	return open(targets->shared, O_RDONLY | O_CLOEXEC);
}

static bool
lock_whole(const struct targets *targets)
{
	return flock(shared_open(targets), LOCK_EX | LOCK_NB) == 0;
}

static bool
lock_bytes(const struct targets *targets)
{
	struct flock lock = { .l_type = F_RDLCK, .l_len = 1 };

	return fcntl(shared_open(targets), F_SETLK, &lock) == 0;
}

static bool
lock_description(const struct targets *targets)
{
	struct flock lock = { .l_type = F_RDLCK, .l_len = 1 };

	return fcntl(shared_open(targets), F_OFD_SETLK, &lock) == 0;
}

static bool
lease(const struct targets *targets)
{
	return fcntl(shared_open(targets), F_SETLEASE, F_RDLCK) == 0;
}

static bool
watch(const struct targets *targets)
{
	int fd = inotify_init1(IN_CLOEXEC);

	return fd >= 0 &&
	    inotify_add_watch(fd, targets->shared, IN_OPEN | IN_ATTRIB) >= 0;
}

static bool
watch_mounts(const struct targets *targets)
{
	(void)targets;
	return probe_opened(fanotify_init(FAN_REPORT_FID, O_RDONLY));
}

static bool
watch_folder(const struct targets *targets)
{
	int fd = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)targets;
	return fcntl(fd, F_NOTIFY, DN_ACCESS) == 0;
}

static bool
file_handle(const struct targets *targets)
{
	struct file_handle handle = { .handle_bytes = 0 };
	int mount;

	return name_to_handle_at(
		   AT_FDCWD, targets->shared, &handle, &mount, 0) == 0 ||
	    errno == EOVERFLOW;
}

static bool
control_groups(const struct targets *targets)
{
	(void)targets;
	return probe_opens("/sys/fs/cgroup/cgroup.procs", O_WRONLY);
}

static bool
kernel_settings(const struct targets *targets)
{
	(void)targets;
	return probe_opens("/proc/sys/kernel/domainname", O_WRONLY);
}

static bool
terminal(const struct targets *targets)
{
	(void)targets;
	return probe_opens("/dev/ptmx", O_RDWR | O_NOCTTY);
}

static bool
exists_file(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE];
	struct stat status;

	return stat(secret_of(targets, path), &status) == 0;
}

static bool
link_text(const struct targets *targets)
{
	char path[PROBE_PATH_SIZE], text[PROBE_PATH_SIZE];

	return readlink(probe_path(path, targets->outside, "link"), text,
		   sizeof(text)) > 0;
}

static bool
free_space(const struct targets *targets)
{
	struct statfs status;

	return statfs(targets->outside, &status) == 0 ||
	    fstatfs(shared_open(targets), &status) == 0;
}

/* The time of the last reading tells a sibling that a file was read. */
static bool
read_time(const struct targets *targets)
{
	struct stat before, after;
	char byte;
	int fd = shared_open(targets);

	if (fd < 0 || fstat(fd, &before) < 0 || read(fd, &byte, 1) < 0 ||
	    fstat(fd, &after) < 0)
		return false;
	return after.st_atim.tv_sec != before.st_atim.tv_sec ||
	    after.st_atim.tv_nsec != before.st_atim.tv_nsec;
}

/* Whether a file was read lately. */
static bool
page_cache(const struct targets *targets)
{
	char byte;
	struct iovec part = { &byte, 1 };

	return preadv2(shared_open(targets), &part, 1, 0, RWF_NOWAIT) >= 0 ||
	    errno == EAGAIN;
}

static bool
load_average(const struct targets *targets)
{
	(void)targets;
	return probe_opens("/proc/loadavg", O_RDONLY);
}

const struct attempt file_attempts[] = {
	/* First, as it needs a file that was not read since it was written. */
	{ "read-time", read_time },
	{ "read", read_secret },
	{ "write", write_secret },
	{ "write-shared", write_shared },
	{ "list", list_outside },
	{ "list-root", list_root },
	{ "list-tmp", list_temporary },
	{ "create", create_outside },
	{ "create-tmp", create_temporary },
	{ "create-shm", create_shared },
	{ "create-here", create_here },
	{ "create-beside", create_beside },
	{ "truncate", cut },
	{ "rename", rename_secret },
	{ "link", make_link },
	{ "symlink", make_symbolic_link },
	{ "mkdir", make_folder },
	{ "fifo", make_fifo },
	{ "mark-mode", mark_mode },
	{ "mark-owner", mark_owner },
	{ "mark-time", mark_time },
	{ "mark-attribute", mark_attribute },
	{ "lock", lock_whole },
	{ "lock-bytes", lock_bytes },
	{ "lock-description", lock_description },
	{ "lease", lease },
	{ "watch", watch },
	{ "watch-mounts", watch_mounts },
	{ "watch-folder", watch_folder },
	{ "file-handle", file_handle },
	{ "control-groups", control_groups },
	{ "kernel-settings", kernel_settings },
	{ "terminal", terminal },
	{ "exists-file", exists_file },
	{ "link-text", link_text },
	{ "free-space", free_space },
	{ "page-cache", page_cache },
	{ "load-average", load_average },
};

const size_t file_attempt_count = COUNTOF(file_attempts);
