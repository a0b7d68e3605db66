#include "faults.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { FILES_MAX = 32 };

/* The synchronised content of a file. */
struct image {
	char path[PATH_MAX];
	char *bytes;
	size_t size;
};

static struct {
	char folder[PATH_MAX];
	size_t folder_length; /* 0: no folder is watched */
	enum fault fault;
	int at, steps;
	bool short_done; /* a write has already ended halfway */
	enum fault_survivors survivors;
	struct image images[FILES_MAX];
	int image_count;
} faults;

static bool
ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), end_length = strlen(end);

	return length >= end_length &&
	    strcmp(path + length - end_length, end) == 0;
}

static ssize_t
real_pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

static struct image *
find_image(const char *path)
{
	for (int i = 0; i < faults.image_count; i++)
		if (strcmp(faults.images[i].path, path) == 0)
			return &faults.images[i];
	return NULL;
}

static void
drop_image(const char *path)
{
	struct image *image = find_image(path);

	if (!image)
		return;
	free(image->bytes);
	*image = faults.images[--faults.image_count];
}

/* Stores the present content of the file as synchronised. */
static void
save_image(const char *path)
{
	struct image *image;
	struct stat file;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert(fd >= 0 && fstat(fd, &file) == 0);
	drop_image(path);
	assert(faults.image_count < FILES_MAX);
	image = &faults.images[faults.image_count++];
	snprintf(image->path, sizeof(image->path), "%s", path);
	image->size = (size_t)file.st_size;
	image->bytes = malloc(image->size + 1);
	assert(image->bytes);
	assert(read(fd, image->bytes, image->size) == (ssize_t)image->size);
	syscall(SYS_close, fd);
}

static bool
survives(const char *path)
{
	if (ends_with(path, ".scopa"))
		return faults.survivors & FAULT_SURVIVES_RECORDS;
	if (ends_with(path, "-wal"))
		return faults.survivors & FAULT_SURVIVES_LOG;
	return faults.survivors & FAULT_SURVIVES_ALL_ELSE;
}

/* Restores the synchronised content. */
static void
lose_file(const char *path)
{
	const struct image *image = find_image(path);
	int fd;

	/* Shared memory is not on the disk; it is made again after a start. */
	if (ends_with(path, "-shm")) {
		syscall(SYS_unlinkat, AT_FDCWD, path, 0);
		return;
	}
	if (survives(path))
		return;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert(fd >= 0);
	syscall(SYS_ftruncate, fd, 0);
	if (image)
		real_pwrite(fd, image->bytes, image->size, 0);
}

/* Calls a function for each file in a folder and its subfolders. */
static void
for_each_file(const char *folder, void (*call)(const char *path))
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;

	assert(directory);
	while ((entry = readdir(directory)) != NULL) {
		char path[PATH_MAX];

		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(
		    path, sizeof(path), "%.2048s/%s", folder, entry->d_name);
		if (entry->d_type == DT_DIR)
			for_each_file(path, call);
		else
			call(path);
	}
	closedir(directory);
}

static void
die(void)
{
	if (faults.fault == FAULT_POWER)
		for_each_file(faults.folder, lose_file);
	raise(SIGKILL);
}

/* Whether a path is in the watched folder. */
static bool
is_watched(const char *path)
{
	return faults.folder_length > 0 &&
	    strncmp(path, faults.folder, faults.folder_length) == 0;
}

/* The path of the file of a descriptor, if it is watched. */
static bool
watched_path(int fd, char path[PATH_MAX])
{
	char link[64];
	ssize_t length;

	if (faults.folder_length == 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, PATH_MAX - 1);
	if (length < 0)
		return false;
	path[length] = '\0';
	return is_watched(path);
}

/* Counts a step; true if the fault happens at this step. */
static bool
step(void)
{
	bool now = ++faults.steps == faults.at;

	if (now && (faults.fault == FAULT_KILL || faults.fault == FAULT_POWER))
		die();
	return faults.fault != FAULT_NONE && faults.steps >= faults.at;
}

void
faults_arm(const char *folder, enum fault fault, int at,
    enum fault_survivors survivors)
{
	char whole[PATH_MAX];

	faults_disarm();
	faults.folder_length = 0;
	assert(realpath(folder, whole));
	snprintf(faults.folder, sizeof(faults.folder), "%s", whole);
	faults.fault = fault;
	faults.at = at;
	faults.steps = 0;
	faults.short_done = false;
	faults.survivors = survivors;
	if (fault == FAULT_POWER)
		for_each_file(faults.folder, save_image);
	faults.folder_length = strlen(faults.folder);
}

bool
faults_in_child(const char *folder, enum fault fault, int step,
    enum fault_survivors survivors, void (*work)(void))
{
	pid_t pid = fork();
	int status;

	assert(pid >= 0);
	if (pid == 0) {
		faults_arm(folder, fault, step, survivors);
		work();
		_exit(0);
	}
	assert(waitpid(pid, &status, 0) == pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return false;
}

int
faults_stride(void)
{
	return support_few_or_all(3, 1);
}

int
faults_disarm(void)
{
	faults.fault = FAULT_NONE;
	while (faults.image_count > 0)
		drop_image(faults.images[0].path);
	return faults.steps;
}

static int
fail(int error)
{
	errno = error;
	return -1;
}

ssize_t
pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	char path[PATH_MAX];

	if (!watched_path(fd, path) || !step())
		return real_pwrite(fd, bytes, size, offset);
	if (faults.fault == FAULT_TEAR) {
		real_pwrite(fd, bytes, size / 2, offset);
		die();
	}
	if (faults.fault != FAULT_FULL)
		return real_pwrite(fd, bytes, size, offset);
	if (faults.short_done || size < 2)
		return fail(ENOSPC);
	faults.short_done = true;
	return real_pwrite(fd, bytes, size / 2, offset);
}

ssize_t
pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return pwrite64(fd, bytes, size, offset);
}

ssize_t
write(int fd, const void *bytes, size_t size)
{
	char path[PATH_MAX];

	if (!watched_path(fd, path) || !step())
		return syscall(SYS_write, fd, bytes, size);
	if (faults.fault == FAULT_TEAR) {
		syscall(SYS_write, fd, bytes, size / 2);
		die();
	}
	if (faults.fault == FAULT_FULL)
		return fail(ENOSPC);
	return syscall(SYS_write, fd, bytes, size);
}

static int
synchronise(int fd, long number)
{
	char path[PATH_MAX];
	bool watched = watched_path(fd, path);
	bool on = watched && step();
	struct stat file;

	if (on && faults.fault == FAULT_TEAR)
		die();
	if (on && faults.fault == FAULT_FULL_SYNC)
		return fail(ENOSPC);
	if (on && faults.fault == FAULT_DISK)
		return fail(EIO);
	if (watched && faults.fault == FAULT_POWER && fstat(fd, &file) == 0 &&
	    S_ISREG(file.st_mode))
		save_image(path);
	/* Waiting for the real disk would only take time. */
	return watched ? 0 : (int)syscall(number, fd);
}

int
fdatasync(int fd)
{
	return synchronise(fd, SYS_fdatasync);
}

int
fsync(int fd)
{
	return synchronise(fd, SYS_fsync);
}

int
ftruncate64(int fd, off64_t size)
{
	char path[PATH_MAX];
	struct stat file;

	if (watched_path(fd, path) && step()) {
		if (faults.fault == FAULT_TEAR)
			die();
		if (faults.fault == FAULT_FULL && fstat(fd, &file) == 0 &&
		    size > file.st_size)
			return fail(ENOSPC);
	}
	return (int)syscall(SYS_ftruncate, fd, size);
}

int
ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

int
rename(const char *from, const char *to)
{
	struct image *image;

	if (is_watched(to) && step() && faults.fault == FAULT_TEAR)
		die();
	drop_image(to);
	image = find_image(from);
	if (image)
		snprintf(image->path, sizeof(image->path), "%s", to);
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
unlink(const char *path)
{
	if (is_watched(path) && step() && faults.fault == FAULT_TEAR)
		die();
	drop_image(path);
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
