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
stream_feed(struct ring_buffer *ring_buffer, size_t count, size_t piece)
{
	size_t size;

	while (count > 0) {
		char *space = ring_buffer_space(ring_buffer, &size);

		assert_true(size > 0);
		if (size > piece)
			size = piece;
		if (size > count)
			size = count;
		for (size_t i = 0; i < size; i++)
			space[i] = stream_byte(ring_buffer->total + i);
		ring_buffer_feed(ring_buffer, size);
		count -= size;
	}
}

/* The copy ends at the end of the stream and has the mark where it is cut. */
static void
expect_tail(
    const struct ring_buffer *ring_buffer, size_t size, bool cut, size_t kept)
{
	char *bytes = malloc(size);
	size_t put = ring_buffer_copy(ring_buffer, MARK, bytes, size);
	size_t mark = cut ? strlen(MARK) : 0;

	assert_int_equal(put, mark + kept);
	assert_memory_equal(bytes, MARK, mark);
	for (size_t i = 0; i < kept; i++)
		assert_int_equal(bytes[mark + i],
		    stream_byte(ring_buffer->total - kept + i));
	free(bytes);
}

TEST(test_short_stream_is_whole)
{
	static struct ring_buffer ring_buffer;

	ring_buffer_init(&ring_buffer);
	expect_tail(&ring_buffer, 100, false, 0);
	stream_feed(&ring_buffer, 40, 7);
	expect_tail(&ring_buffer, 100, false, 40);
	expect_tail(&ring_buffer, 40, false, 40);
}

TEST(test_small_copy_is_marked)
{
	static struct ring_buffer ring_buffer;

	ring_buffer_init(&ring_buffer);
	stream_feed(&ring_buffer, 40, 40);
	expect_tail(&ring_buffer, 39, true, 39 - strlen(MARK));
	expect_tail(&ring_buffer, 7, true, 1);
}

TEST(test_long_stream_keeps_its_end)
{
	static struct ring_buffer ring_buffer;
	const size_t size = RING_BUFFER_SIZE + strlen(MARK);

	ring_buffer_init(&ring_buffer);
	stream_feed(&ring_buffer, RING_BUFFER_SIZE, 1000);
	expect_tail(&ring_buffer, size, false, RING_BUFFER_SIZE);
	stream_feed(&ring_buffer, 1, 1);
	expect_tail(&ring_buffer, size, true, RING_BUFFER_SIZE);
	for (int i = 0; i < 20; i++) {
		stream_feed(&ring_buffer, 30011, 4096);
		expect_tail(&ring_buffer, size, true, RING_BUFFER_SIZE);
		expect_tail(&ring_buffer, 1000, true, 1000 - strlen(MARK));
	}
}
