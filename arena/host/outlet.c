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

int
outlet_write(struct outlet *outlet, int fd)
{
	size_t size = outlet_waiting(outlet);
	ssize_t written;

	if (size == 0)
		return 0;
	written = write(fd, outlet->bytes + outlet->start, size);
	if (written == (ssize_t)size) {
		outlet_init(outlet);
		return 0;
	}
	if (written >= 0) {
		outlet->start += (size_t)written;
		return -EAGAIN;
	}
	return errno == EINTR ? -EAGAIN : -errno;
}
