/*
 * The last bytes of a stream without end.
 */
#ifndef TAIL_H
#define TAIL_H

#include <stddef.h>
#include <stdint.h>

enum { TAIL_SIZE = 64 * 1024 };

struct tail {
	uint64_t total; /* bytes ever fed; the next goes to total % TAIL_SIZE */
	char bytes[TAIL_SIZE];
};

void tail_init(struct tail *tail);

/* Where to read to, and how much fits there (1 or more). */
char *tail_space(struct tail *tail, size_t *size);

/* `size` bytes have been put at tail_space(). */
void tail_feed(struct tail *tail, size_t size);

/*
 * Copies the end of the stream, `size` bytes at most.  Where bytes before
 * them are missing, `mark` (shorter than `size`) stands first and counts.
 * Answers how many bytes were put.
 */
size_t tail_copy(
    const struct tail *tail, const char *mark, char *bytes, size_t size);

#endif
