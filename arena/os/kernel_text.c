#include "kernel_text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

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
