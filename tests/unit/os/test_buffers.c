/*
 * The buffers of a bot's pipes.  The line reader: ends, limits, bad bytes, floods,
 * and that pieces never matter.
 */
#include "buffers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

enum { STORY_SIZE = 64 * 1024, INPUT_SIZE = 40 * 1024 };

/* What a reader gave out, as text: a letter a kind, length, bytes in hex. */
struct story {
	bool marking; /* every line was wanted */
	size_t length;
	char text[STORY_SIZE];
};

static void
story_add(struct story *story, enum line_kind kind, const struct line *line)
{
	static const char letters[] = {
		[LINE_NONE] = '-',
		[LINE_WHOLE] = 'W',
		[LINE_BAD_BYTE] = 'B',
		[LINE_TOO_LONG] = 'L',
		[LINE_FLOOD] = 'F',
	};
	uint64_t hash = 14695981039346656037U;

	assert_int_equal(line->bytes[line->length], '\0');
	for (size_t i = 0; i < line->length; i++)
		hash = (hash ^ (unsigned char)line->bytes[i]) * 1099511628211U;
	assert_true(story->length < STORY_SIZE - 64);
	story->length +=
	    (size_t)sprintf(story->text + story->length, "%c%zu:%016llx\n",
		letters[kind], line->length, (unsigned long long)hash);
}

/* Feeds in pieces of at most `piece` bytes. */
static void
story_feed(struct story *story, struct line_reader *reader, const char *bytes,
    size_t length, size_t piece)
{
	struct line line;
	enum line_kind kind;
	size_t size;

	while (length > 0) {
		char *space = line_space(reader, &size);

		assert_true(size >= LINE_BUFFER_SIZE / 2);
		if (size > piece)
			size = piece;
		if (size > length)
			size = length;
		memcpy(space, bytes, size);
		line_feed(reader, size);
		bytes += size;
		length -= size;
		while ((kind = line_next(reader, &line)) != LINE_NONE) {
			story_add(story, kind, &line);
			if (story->marking)
				line_mark(reader);
		}
	}
}

/* Feeds a text at once and expects one line of it. */
static void
expect_line(
    const char *bytes, size_t length, enum line_kind kind, const char *expected)
{
	struct line_reader reader;
	struct line line;
	size_t size;

	line_init(&reader);
	memcpy(line_space(&reader, &size), bytes, length);
	line_feed(&reader, length);
	assert_int_equal(line_next(&reader, &line), kind);
	assert_string_equal(line.bytes, expected);
	assert_int_equal(line_next(&reader, &line), LINE_NONE);
	assert_int_equal(line_pending(&reader), 0);
}

TEST(test_lf_ends_a_line)
{
	expect_line("move 7D\n", 8, LINE_WHOLE, "move 7D");
	expect_line("\n", 1, LINE_WHOLE, "");
	expect_line(" \tmove\t7D  \n", 12, LINE_WHOLE, " \tmove\t7D  ");
}

TEST(test_one_cr_before_lf_is_dropped)
{
	expect_line("move 7D\r\n", 9, LINE_WHOLE, "move 7D");
	expect_line("\r\n", 2, LINE_WHOLE, "");
	expect_line("move 7D\r\r\n", 10, LINE_BAD_BYTE, "move 7D\r");
	expect_line("move\r7D\n", 8, LINE_BAD_BYTE, "move\r7D");
}

TEST(test_bytes_that_are_not_plain_are_told)
{
	for (int byte = 0; byte < 256; byte++) {
		char text[4] = { 'a', (char)byte, 'b', '\n' };
		char expected[4] = { 'a', (char)byte, 'b', '\0' };
		bool plain = byte == '\t' || (byte >= 0x20 && byte <= 0x7e);

		if (byte == '\n')
			continue;
		expect_line(
		    text, 4, plain ? LINE_WHOLE : LINE_BAD_BYTE, expected);
	}
}

/* A byte is judged alike wherever it stands and whatever stands beside it. */
TEST(test_bytes_are_told_at_every_place)
{
	static const char fillings[] = { ' ', 'a', '~' };

	for (int byte = 0; byte < 256; byte++) {
		bool plain = byte == '\t' || (byte >= 0x20 && byte <= 0x7e);

		if (byte == '\n' || byte == '\r')
			continue;
		for (size_t i = 0; i < 19 * sizeof(fillings); i++) {
			char text[20], expected[20];

			memset(text, fillings[i / 19], sizeof(text));
			text[i % 19] = (char)byte;
			text[19] = '\n';
			memcpy(expected, text, sizeof(text));
			expected[19] = '\0';
			expect_line(text, sizeof(text),
			    plain ? LINE_WHOLE : LINE_BAD_BYTE, expected);
		}
	}
}

TEST(test_a_valid_move_before_nul_does_not_count)
{
	struct line_reader reader;
	struct line line;
	size_t size;

	line_init(&reader);
	memcpy(line_space(&reader, &size), "move 7D\0x\n", 10);
	line_feed(&reader, 10);
	assert_int_equal(line_next(&reader, &line), LINE_BAD_BYTE);
	assert_int_equal(line.length, 9);
	assert_memory_equal(line.bytes, "move 7D\0x", 10);
}

TEST(test_a_line_without_lf_never_counts)
{
	struct line_reader reader;
	struct line line;
	size_t size;

	line_init(&reader);
	memcpy(line_space(&reader, &size), "ok\nmove 7D\r", 11);
	line_feed(&reader, 11);
	assert_int_equal(line_next(&reader, &line), LINE_WHOLE);
	assert_int_equal(line_next(&reader, &line), LINE_NONE);
	assert_int_equal(line_pending(&reader), 8);
}

/* A line of `length` letters and an end, in one go and byte by byte. */
static void
expect_length(size_t length, const char *end, enum line_kind kind)
{
	static struct line_reader reader;
	static char bytes[LINE_BUFFER_SIZE];
	static const size_t pieces[] = { 1, 7, LINE_BUFFER_SIZE };

	memset(bytes, 'x', length);
	strcpy(bytes + length, end);
	for (size_t i = 0; i < 3; i++) {
		struct story found = { 0 };
		char expected[16];

		line_init(&reader);
		story_feed(
		    &found, &reader, bytes, length + strlen(end), pieces[i]);
		snprintf(expected, sizeof(expected),
		    "%c%zu:", kind == LINE_WHOLE ? 'W' : 'L',
		    length < LINE_SIZE_MAX ? length : LINE_SIZE_MAX);
		assert_memory_equal(found.text, expected, strlen(expected));
		assert_int_equal(line_pending(&reader), 0);
	}
}

TEST(test_limit_is_exact)
{
	expect_length(LINE_SIZE_MAX - 1, "\n", LINE_WHOLE);
	expect_length(LINE_SIZE_MAX, "\n", LINE_WHOLE);
	expect_length(LINE_SIZE_MAX + 1, "\n", LINE_TOO_LONG);
	expect_length(LINE_SIZE_MAX - 1, "\r\n", LINE_WHOLE);
	expect_length(LINE_SIZE_MAX, "\r\n", LINE_WHOLE);
	expect_length(LINE_SIZE_MAX + 1, "\r\n", LINE_TOO_LONG);
}

TEST(test_too_long_line_is_told_at_its_first_byte_too_many)
{
	static struct line_reader reader;
	struct line line;
	size_t size;

	line_init(&reader);
	memset(line_space(&reader, &size), 'x', LINE_SIZE_MAX);
	line_feed(&reader, LINE_SIZE_MAX);
	assert_int_equal(line_next(&reader, &line), LINE_NONE);
	*line_space(&reader, &size) = 'x';
	line_feed(&reader, 1);
	assert_int_equal(line_next(&reader, &line), LINE_TOO_LONG);
	assert_int_equal(line.length, LINE_SIZE_MAX);
	memcpy(line_space(&reader, &size), "rest\nmove 7D\n", 13);
	line_feed(&reader, 13);
	assert_int_equal(line_next(&reader, &line), LINE_WHOLE);
	assert_string_equal(line.bytes, "move 7D");
}

TEST(test_endless_line_is_told_once_and_then_floods)
{
	static struct line_reader reader;
	static struct story found;
	static char bytes[1024];

	memset(&found, 0, sizeof(found));
	memset(bytes, 'x', sizeof(bytes));
	line_init(&reader);
	for (int i = 0; i < 65536; i++)
		story_feed(&found, &reader, bytes, sizeof(bytes), 1024);
	assert_non_null(strstr(found.text, "L4096:"));
	assert_ptr_equal(strchr(found.text, 'F'), strrchr(found.text, 'F'));
	assert_ptr_equal(strchr(found.text, 'L'), found.text);
	assert_ptr_equal(strchr(found.text, 'F'), strchr(found.text, '\n') + 1);
}

TEST(test_flood_of_lines_is_told_once_until_marked)
{
	static struct line_reader reader;
	static struct story found;
	const char *flood;

	memset(&found, 0, sizeof(found));
	line_init(&reader);
	for (int i = 0; i < LINE_FLOOD_LINES; i++)
		story_feed(&found, &reader, "x\n", 2, 2);
	assert_null(strchr(found.text, 'F'));
	story_feed(&found, &reader, "x\nx\nx", 5, 5);
	flood = strchr(found.text, 'F');
	assert_non_null(flood);
	story_feed(&found, &reader, "x\nx\nx\nmov", 9, 3);
	assert_ptr_equal(strchr(flood, '\n') + 1, found.text + found.length);
	/* The line that was broken off belongs to the flood. */
	line_mark(&reader);
	story_feed(&found, &reader, "e 7D\nmove 7D\n", 13, 13);
	assert_memory_equal(strchr(flood, '\n') + 1, "W7:", 3);
}

TEST(test_marked_lines_are_no_flood)
{
	static struct line_reader reader;
	static struct story found;

	line_init(&reader);
	for (int i = 0; i < 100 * LINE_FLOOD_LINES; i++) {
		found.length = 0;
		story_feed(&found, &reader, "info nodes=1\n", 13, 5);
		assert_int_equal(found.text[0], 'W');
		line_mark(&reader);
	}
}

static uint64_t
random_next(uint64_t *state)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return *state >> 33;
}

/* Lines, long ones, odd bytes and odd ends. */
static size_t
random_input(uint64_t *random, char bytes[INPUT_SIZE])
{
	size_t length = 0;

	while (length < INPUT_SIZE - 2 * LINE_SIZE_MAX) {
		uint64_t run = random_next(random) % 40;
		uint64_t choice = random_next(random) % 24;
		char letter = (char)('a' + choice);

		if (choice == 0)
			run = LINE_SIZE_MAX - 3 + random_next(random) % 6;
		if (choice == 1)
			letter = (char)random_next(random);
		if (choice == 2)
			letter = '\r';
		memset(bytes + length, letter, run);
		length += run;
		if (choice > 12) {
			memcpy(bytes + length, "\r\n", 2);
			length += 2;
		} else if (choice > 3) {
			bytes[length++] = '\n';
		}
	}
	return length;
}

TEST(test_pieces_never_matter)
{
	static struct line_reader reader;
	static struct story whole, pieces;
	static char bytes[INPUT_SIZE];
	uint64_t random = 1;

	for (int round = 0; round < 200; round++) {
		size_t length = random_input(&random, bytes);
		size_t from = 0;

		whole.marking = round % 4 > 0;
		pieces.marking = whole.marking;
		whole.length = 0;
		line_init(&reader);
		story_feed(&whole, &reader, bytes, length, LINE_BUFFER_SIZE);
		pieces.length = 0;
		line_init(&reader);
		while (from < length) {
			size_t size = 1 +
			    random_next(&random) % (round % 2 == 0 ? 9 : 6000);

			if (size > length - from)
				size = length - from;
			story_feed(&pieces, &reader, bytes + from, size, size);
			from += size;
		}
		assert_int_equal(whole.length, pieces.length);
		assert_memory_equal(whole.text, pieces.text, whole.length);
	}
}

/*
 * Bytes for a pipe that may be full or without a reader.
 */
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

TEST(test_all_that_waits_is_one_write)
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

TEST(test_full_pipe_keeps_the_rest_in_order)
{
	int fds[2];
	size_t total = 0;
	ssize_t got;

	pipe_open(fds);
	assert_int_equal(write_buffer_add(&write_buffer, payload, 200000), 0);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EAGAIN);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EAGAIN);
	/* Room at the front counts: the rest is moved there. */
	assert_int_equal(
	    write_buffer_add(&write_buffer, payload + 200000, 62000), 0);
	while ((got = read(fds[0], back + total, 5000)) > 0) {
		total += (size_t)got;
		if (write_buffer_write(&write_buffer, fds[1]) == 0 &&
		    total >= 262000)
			break;
	}
	assert_int_equal(total, 262000);
	assert_memory_equal(back, payload, total);
	pipe_close(fds);
}

TEST(test_sent_bytes_wait_only_where_the_pipe_is_full)
{
	int fds[2];
	size_t total = 0;
	ssize_t got;

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
	while ((got = read(fds[0], back + total, 5000)) > 0) {
		total += (size_t)got;
		(void)write_buffer_write(&write_buffer, fds[1]);
	}
	assert_int_equal(total, 260050);
	assert_memory_equal(back, payload, total);
	pipe_close(fds);
}

TEST(test_bound_is_exact_and_nothing_is_taken_beyond)
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

TEST(test_no_reader_is_told)
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
 * The last bytes of a stream, and the mark where some are missing.
 */
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

/*
 * Strangers' bytes made fit for a terminal.
 */
static void
expect_escaped(const char *bytes, size_t length, bool keep_lines, size_t size,
    const char *expected)
{
	char text[64];

	memset(text, '?', sizeof(text));
	assert_int_equal(escape_bytes(bytes, length, keep_lines, text, size),
	    strlen(expected));
	assert_string_equal(text, expected);
}

TEST(test_printable_text_stays)
{
	expect_escaped("", 0, false, 64, "");
	expect_escaped(" ~100% \\x41", 11, false, 64, " ~100% \\x41");
}

TEST(test_other_bytes_are_shown_in_hex)
{
	expect_escaped("\033[2Jhi", 6, false, 64, "\\x1B[2Jhi");
	expect_escaped("a\0b", 3, false, 64, "a\\x00b");
	expect_escaped("\177\200\377", 3, false, 64, "\\x7F\\x80\\xFF");
	expect_escaped("a\n\tb\r", 5, false, 64, "a\\x0A\\x09b\\x0D");
	expect_escaped("a\n\tb\r", 5, true, 64, "a\n\tb\\x0D");
}

TEST(test_text_ends_before_an_escape_that_does_not_fit)
{
	expect_escaped("ab\001c", 4, false, 7, "ab\\x01");
	expect_escaped("ab\001c", 4, false, 6, "ab");
	expect_escaped("abc", 3, false, 3, "ab");
	expect_escaped("abc", 3, false, 1, "");
}
