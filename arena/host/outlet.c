#include "outlet.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void
outlet_init(struct outlet *outlet)
{
	outlet->start = 0;
	outlet->end = 0;
}

int
outlet_add(struct outlet *outlet, const char *bytes, size_t size)
{
	size_t waiting = outlet_waiting(outlet);

	if (size > OUTLET_SIZE - waiting)
		return -ENOBUFS;
	if (size > OUTLET_SIZE - outlet->end) {
		memmove(outlet->bytes, outlet->bytes + outlet->start, waiting);
		outlet->start = 0;
		outlet->end = waiting;
	}
	memcpy(outlet->bytes + outlet->end, bytes, size);
	outlet->end += size;
	return 0;
}

/* How much of `size` bytes the pipe has taken, or -errno. */
static ssize_t
write_some(int fd, const char *bytes, size_t size)
{
	ssize_t written = size > 0 ? write(fd, bytes, size) : 0;

	if (written >= 0)
		return written;
	return errno == EINTR || errno == EAGAIN ? 0 : -errno;
}

int
outlet_write(struct outlet *outlet, int fd)
{
	ssize_t written = write_some(
	    fd, outlet->bytes + outlet->start, outlet_waiting(outlet));

	if (written < 0)
		return (int)written;
	outlet->start += (size_t)written;
	if (outlet_waiting(outlet) > 0)
		return -EAGAIN;
	outlet_init(outlet);
	return 0;
}

int
outlet_send(struct outlet *outlet, int fd, const char *bytes, size_t size)
{
	int status;

	if (outlet_waiting(outlet) == 0 && size <= OUTLET_SIZE) {
		ssize_t written = write_some(fd, bytes, size);

		if (written < 0)
			return (int)written;
		if (written == (ssize_t)size)
			return 0;
		bytes += written;
		size -= (size_t)written;
	}
	status = outlet_add(outlet, bytes, size);
	return status < 0 ? status : outlet_write(outlet, fd);
}
