/*
 * Implements kernel_text.h. The kernel makes the text of such a file for each
 * read, so a file is read by a single read(2).
 */
#include "kernel_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

enum { STAT_SIZE = 1024, NAME_SIZE = 32 };

ssize_t
kernel_text_read(int folder_fd, const char *path, char *text, size_t size)
{
	int fd = openat(folder_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	if (got < 0)
		got = -errno;
	else
		text[got] = '\0';
	close(fd);
	return got;
}

int
kernel_text_write(int folder_fd, const char *path, const char *text)
{
	int fd = openat(folder_fd, path, O_WRONLY | O_CLOEXEC);
	int status = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		status = -errno;
	close(fd);
	return status;
}

bool
process_stat_read(int proc_fd, pid_t pid, struct process_stat *stat)
{
	char name[NAME_SIZE], text[STAT_SIZE];
	const char *folder = proc_fd == AT_FDCWD ? "/proc/" : "";
	const char *rest = NULL;
	long long user, system;

	if (pid == 0)
		snprintf(name, sizeof(name), "%sself/stat", folder);
	else
		snprintf(name, sizeof(name), "%s%d/stat", folder, (int)pid);
	/* The name of a program, in brackets, may hold blanks and brackets too.
	 * The last `)` of the line ends it. */
	if (kernel_text_read(proc_fd, name, text, sizeof(text)) > 0)
		rest = strrchr(text, ')');
	if (rest == NULL ||
	    sscanf(rest,
		") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld "
		"%lld %*d %*d %*d %*d %llu",
		&stat->state, &stat->parent, &user, &system,
		&stat->start_ticks) != 5)
		return false;
	stat->reaped_ns =
	    (user + system) * (CLOCK_NS_PER_S / sysconf(_SC_CLK_TCK));
	return true;
}

int
proc_open(void)
{
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

DIR *
folder_open(int folder_fd, const char *path)
{
	int fd = openat(
	    folder_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (folder == NULL && fd >= 0) {
		close(fd);
		errno = ENOMEM;
	}
	return folder;
}
