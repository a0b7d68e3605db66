/*
 * Small files of a run, read and written whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_state.h"

enum { TEXT_SIZE_MAX = 1 << 21 };

static int
write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

int
run_text_make(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	int status;

	if (fd < 0)
		return -errno;
	status = write_all(fd, text, strlen(text));
	if (!status && fsync(fd) < 0)
		status = -errno;
	close(fd);
	if (status)
		unlink(path);
	return status;
}

int
run_text_put(const char *folder, const char *name, const char *text)
{
	char path[PATH_MAX], part[PATH_MAX];
	int status;

	run_path_join(path, folder, name);
	run_path_join(part, folder, RUN_PART);
	/* One that was cut off has left it. */
	unlink(part);
	status = run_text_make(part, text, 0666);
	if (!status && rename(part, path) < 0) {
		status = -errno;
		unlink(part);
	}
	return status;
}

/* Up to `size` bytes; how many, or -errno. */
static ssize_t
read_all(int fd, char *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read(fd, bytes + done, size - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int
run_file_copy(const char *from, const char *to)
{
	enum { CHUNK_SIZE = 65536 };
	char bytes[CHUNK_SIZE];
	ssize_t got = 0;
	int in = open(from, O_RDONLY | O_CLOEXEC), out, status = 0;

	if (in < 0)
		return -errno;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out < 0)
		status = -errno;
	while (!status && (got = read_all(in, bytes, sizeof(bytes))) > 0)
		status = write_all(out, bytes, (size_t)got);
	if (!status && got < 0)
		status = (int)got;
	if (!status && fsync(out) < 0)
		status = -errno;
	if (out >= 0)
		close(out);
	if (out >= 0 && status)
		unlink(to);
	close(in);
	return status;
}

int
run_text_read(const char *folder, const char *name, char **text)
{
	char path[PATH_MAX];
	char *bytes = malloc(TEXT_SIZE_MAX + 1);
	ssize_t size;
	int fd;

	if (!bytes)
		return -ENOMEM;
	run_path_join(path, folder, name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	size = fd < 0 ? -errno : read_all(fd, bytes, TEXT_SIZE_MAX + 1);
	if (fd >= 0)
		close(fd);
	if (size > TEXT_SIZE_MAX ||
	    (size > 0 && memchr(bytes, '\0', (size_t)size)))
		size = -EBADMSG;
	if (size < 0) {
		free(bytes);
		return (int)size;
	}
	bytes[size] = '\0';
	*text = bytes;
	return 0;
}
