/*
 * The buffers of a bot's pipes: bytes to write, the last bytes of a stream, and
 * bytes escaped for a terminal.  tests/fuzz/fuzz_line.c tests the buffer of
 * lines.
 */
#include "buffers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

/* The write buffer: bytes for a pipe that may be full or have no reader. */
static struct write_buffer write_buffer;
static char payload[WRITE_BUFFER_SIZE];
static char back[WRITE_BUFFER_SIZE];

static void
pipe_open(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	write_buffer_init(&write_buffer);
	for (size_t i = 0; i < sizeof(payload); i++)
		payload[i] = (char)(i * 7 % 127);
}

static void
pipe_close(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

TEST(test_all_waiting_bytes_are_written_at_once)
{
	int fds[2];

	pipe_open(fds);
	assert_int_equal(write_buffer_add(&write_buffer, "table -\n", 8), 0);
	assert_int_equal(write_buffer_add(&write_buffer, "go turn=1\n", 10), 0);
	assert_int_equal(write_buffer_waiting(&write_buffer), 18);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), 0);
	assert_int_equal(write_buffer_waiting(&write_buffer), 0);
	assert_int_equal(read(fds[0], back, sizeof(back)), 18);
	assert_memory_equal(back, "table -\ngo turn=1\n", 18);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), 0);
	assert_int_equal(read(fds[0], back, sizeof(back)), -1);
	pipe_close(fds);
}

/* Reads and writes until all bytes of the payload have arrived in order. */
static void
expect_payload(int fds[2], size_t size)
{
	size_t total = 0;
	ssize_t got;

	while ((got = read(fds[0], back + total, 5000)) > 0) {
		total += (size_t)got;
		(void)write_buffer_write(&write_buffer, fds[1]);
	}
	assert_int_equal(total, size);
	assert_memory_equal(back, payload, size);
	pipe_close(fds);
}

TEST(test_bytes_that_a_full_pipe_refuses_are_written_later_in_order)
{
	int fds[2];

	pipe_open(fds);
	assert_int_equal(write_buffer_add(&write_buffer, payload, 200000), 0);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EAGAIN);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EAGAIN);
	/* Written bytes free space at the front: the rest is moved there. */
	assert_int_equal(
	    write_buffer_add(&write_buffer, payload + 200000, 62000), 0);
	expect_payload(fds, 262000);
}

TEST(test_sent_bytes_wait_only_if_the_pipe_is_full)
{
	int fds[2];

	pipe_open(fds);
	assert_int_equal(write_buffer_send(&write_buffer, fds[1], "", 0), 0);
	assert_int_equal(
	    write_buffer_send(&write_buffer, fds[1], payload, 50), 0);
	assert_int_equal(write_buffer_waiting(&write_buffer), 0);
	assert_int_equal(
	    write_buffer_send(&write_buffer, fds[1], payload + 50, 200000),
	    -EAGAIN);
	assert_true(write_buffer_waiting(&write_buffer) > 0);
	assert_int_equal(
	    write_buffer_send(&write_buffer, fds[1], payload + 200050, 60000),
	    -EAGAIN);
	expect_payload(fds, 260050);
}

TEST(test_limit_is_exact_and_bytes_beyond_it_are_refused)
{
	write_buffer_init(&write_buffer);
	assert_int_equal(
	    write_buffer_add(&write_buffer, payload, WRITE_BUFFER_SIZE - 1), 0);
	assert_int_equal(write_buffer_add(&write_buffer, payload, 2), -ENOBUFS);
	assert_int_equal(
	    write_buffer_waiting(&write_buffer), WRITE_BUFFER_SIZE - 1);
	assert_int_equal(write_buffer_add(&write_buffer, payload, 1), 0);
	assert_int_equal(write_buffer_add(&write_buffer, payload, 1), -ENOBUFS);
	assert_int_equal(
	    write_buffer_send(&write_buffer, -1, payload, 1), -ENOBUFS);
	assert_int_equal(
	    write_buffer_waiting(&write_buffer), WRITE_BUFFER_SIZE);
}

TEST(test_missing_reader_is_reported)
{
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	pipe_open(fds);
	close(fds[0]);
	assert_int_equal(write_buffer_add(&write_buffer, "quit\n", 5), 0);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EPIPE);
	write_buffer_init(&write_buffer);
	assert_int_equal(
	    write_buffer_send(&write_buffer, fds[1], "x\n", 2), -EPIPE);
	close(fds[1]);
}

/*
 * The ring buffer: the last bytes of a stream, behind a mark if earlier bytes
 * are missing.
 */
#define MARK "[cut]\n"

/* The byte at this offset of the stream. */
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

/*
 * The copy has the last `kept` bytes of the stream, behind the mark if `cut`.
 */
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

TEST(test_copy_that_is_too_small_is_marked)
{
	static struct ring_buffer ring_buffer;

	ring_buffer_init(&ring_buffer);
	stream_feed(&ring_buffer, 40, 40);
	expect_tail(&ring_buffer, 39, true, 39 - strlen(MARK));
	expect_tail(&ring_buffer, 7, true, 1);
}

TEST(test_last_bytes_of_a_long_stream_are_stored)
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

/* Bytes of bots, escaped for a terminal. */
TEST(test_bytes_are_escaped_in_hex_and_no_escape_is_cut)
{
	static const struct {
		const char *bytes;
		size_t length;
		bool allow_lines;
		size_t size;
		const char *expected;
	} rows[] = {
		{ "", 0, false, 64, "" },
		{ " ~100% \\x41", 11, false, 64, " ~100% \\x41" },
		{ "\033[2Jhi", 6, false, 64, "\\x1B[2Jhi" },
		{ "a\0b", 3, false, 64, "a\\x00b" },
		{ "\177\200\377", 3, false, 64, "\\x7F\\x80\\xFF" },
		{ "a\n\tb\r", 5, false, 64, "a\\x0A\\x09b\\x0D" },
		{ "a\n\tb\r", 5, true, 64, "a\n\tb\\x0D" },
		{ "ab\001c", 4, false, 7, "ab\\x01" },
		{ "ab\001c", 4, false, 6, "ab" },
		{ "abc", 3, false, 3, "ab" },
		{ "abc", 3, false, 1, "" },
	};
	char text[64];

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		memset(text, '?', sizeof(text));
		assert_int_equal(escape_bytes(rows[i].bytes, rows[i].length,
				     rows[i].allow_lines, text, rows[i].size),
		    strlen(rows[i].expected));
		assert_string_equal(text, rows[i].expected);
	}
}

TEST(test_file_in_memory_has_what_was_written)
{
	static char much[100000];
	char *bytes;
	size_t size;
	FILE *file = memory_file_open(&bytes, &size);

	assert_non_null(file);
	assert_string_equal(bytes, "");
	assert_int_equal(ftell(file), 0);
	fputs("kept, dropped", file);
	assert_int_equal(ftell(file), 13);
	assert_int_equal(fflush(file), 0);
	assert_int_equal(size, 13);
	assert_string_equal(bytes, "kept, dropped");
	assert_int_equal(fseek(file, 4, SEEK_SET), 0);
	assert_int_equal(fflush(file), 0);
	assert_string_equal(bytes, "kept");
	memset(much, 'x', sizeof(much));
	assert_int_equal(fwrite(much, 1, sizeof(much), file), sizeof(much));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(size, 4 + sizeof(much));
	assert_memory_equal(bytes + 4, much, sizeof(much));
	assert_int_equal(bytes[size], '\0');
	free(bytes);
}
