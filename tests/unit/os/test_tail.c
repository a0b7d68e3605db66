/*
 * The last bytes of a stream, and the mark where some are missing.
 */
#include "buffers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define MARK "[cut]\n"

/* The byte at a place of the stream. */
static char
stream_byte(uint64_t place)
{
	return (char)(place * 31 % 251);
}

static void
stream_feed(struct tail *tail, size_t count, size_t piece)
{
	size_t size;

	while (count > 0) {
		char *space = tail_space(tail, &size);

		assert_true(size > 0);
		if (size > piece)
			size = piece;
		if (size > count)
			size = count;
		for (size_t i = 0; i < size; i++)
			space[i] = stream_byte(tail->total + i);
		tail_feed(tail, size);
		count -= size;
	}
}

/* The copy ends at the end of the stream and has the mark where it is cut. */
static void
expect_tail(const struct tail *tail, size_t size, bool cut, size_t kept)
{
	char *bytes = malloc(size);
	size_t put = tail_copy(tail, MARK, bytes, size);
	size_t mark = cut ? strlen(MARK) : 0;

	assert_int_equal(put, mark + kept);
	assert_memory_equal(bytes, MARK, mark);
	for (size_t i = 0; i < kept; i++)
		assert_int_equal(
		    bytes[mark + i], stream_byte(tail->total - kept + i));
	free(bytes);
}

TEST(test_short_stream_is_whole)
{
	static struct tail tail;

	tail_init(&tail);
	expect_tail(&tail, 100, false, 0);
	stream_feed(&tail, 40, 7);
	expect_tail(&tail, 100, false, 40);
	expect_tail(&tail, 40, false, 40);
}

TEST(test_small_copy_is_marked)
{
	static struct tail tail;

	tail_init(&tail);
	stream_feed(&tail, 40, 40);
	expect_tail(&tail, 39, true, 39 - strlen(MARK));
	expect_tail(&tail, 7, true, 1);
}

TEST(test_long_stream_keeps_its_end)
{
	static struct tail tail;
	const size_t size = TAIL_SIZE + strlen(MARK);

	tail_init(&tail);
	stream_feed(&tail, TAIL_SIZE, 1000);
	expect_tail(&tail, size, false, TAIL_SIZE);
	stream_feed(&tail, 1, 1);
	expect_tail(&tail, size, true, TAIL_SIZE);
	for (int i = 0; i < 20; i++) {
		stream_feed(&tail, 30011, 4096);
		expect_tail(&tail, size, true, TAIL_SIZE);
		expect_tail(&tail, 1000, true, 1000 - strlen(MARK));
	}
}
