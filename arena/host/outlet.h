/*
 * Bytes on their way into a pipe that may be full.
 */
#ifndef OUTLET_H
#define OUTLET_H

#include <stddef.h>

enum { OUTLET_SIZE = 256 * 1024 };

struct outlet {
	size_t start; /* first byte that waits */
	size_t end;   /* one after the last */
	char bytes[OUTLET_SIZE];
};

/* Empties it. */
void outlet_init(struct outlet *outlet);

/* Copies bytes behind those that wait.  0, or -ENOBUFS and nothing taken. */
int outlet_add(struct outlet *outlet, const char *bytes, size_t size);

/*
 * One write(2) of all that waits.  0 when nothing waits any more, -EAGAIN when
 * the pipe is full, or the -errno of write(2).
 */
int outlet_write(struct outlet *outlet, int fd);

/*
 * Adds and writes; bytes that go into the pipe at once are not copied.  Answers
 * of both.
 */
int outlet_send(struct outlet *outlet, int fd, const char *bytes, size_t size);

static inline size_t
outlet_waiting(const struct outlet *outlet)
{
	return outlet->end - outlet->start;
}

#endif
