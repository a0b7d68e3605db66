#include "tail.h"

#include <assert.h>
#include <string.h>

void
tail_init(struct tail *tail)
{
	tail->total = 0;
}

char *
tail_space(struct tail *tail, size_t *size)
{
	size_t next = (size_t)(tail->total % TAIL_SIZE);

	*size = TAIL_SIZE - next;
	return tail->bytes + next;
}

void
tail_feed(struct tail *tail, size_t size)
{
	assert(size <= TAIL_SIZE - tail->total % TAIL_SIZE);
	tail->total += size;
}

size_t
tail_copy(const struct tail *tail, const char *mark, char *bytes, size_t size)
{
	size_t kept = tail->total < TAIL_SIZE ? (size_t)tail->total : TAIL_SIZE;
	size_t put = 0, first, next;

	if (tail->total > kept || kept > size) {
		put = strlen(mark);
		assert(put < size);
		memcpy(bytes, mark, put);
	}
	if (kept > size - put)
		kept = size - put;
	next = (size_t)((tail->total - kept) % TAIL_SIZE);
	first = kept < TAIL_SIZE - next ? kept : TAIL_SIZE - next;
	memcpy(bytes + put, tail->bytes + next, first);
	memcpy(bytes + put + first, tail->bytes, kept - first);
	return put + kept;
}
