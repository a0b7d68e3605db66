/*
 * Bytes for a pipe that may be full or without a reader.
 */
#include "buffers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

static struct write_buffer write_buffer;
static char bytes[WRITE_BUFFER_SIZE];
static char back[WRITE_BUFFER_SIZE];

static void
pipe_open(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	write_buffer_init(&write_buffer);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7 % 127);
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
	assert_int_equal(write_buffer_add(&write_buffer, bytes, 200000), 0);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EAGAIN);
	assert_int_equal(write_buffer_write(&write_buffer, fds[1]), -EAGAIN);
	/* Room at the front counts: the rest is moved there. */
	assert_int_equal(
	    write_buffer_add(&write_buffer, bytes + 200000, 62000), 0);
	while ((got = read(fds[0], back + total, 5000)) > 0) {
		total += (size_t)got;
		if (write_buffer_write(&write_buffer, fds[1]) == 0 &&
		    total >= 262000)
			break;
	}
	assert_int_equal(total, 262000);
	assert_memory_equal(back, bytes, total);
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
	    write_buffer_send(&write_buffer, fds[1], bytes, 50), 0);
	assert_int_equal(write_buffer_waiting(&write_buffer), 0);
	assert_int_equal(
	    write_buffer_send(&write_buffer, fds[1], bytes + 50, 200000),
	    -EAGAIN);
	assert_true(write_buffer_waiting(&write_buffer) > 0);
	assert_int_equal(
	    write_buffer_send(&write_buffer, fds[1], bytes + 200050, 60000),
	    -EAGAIN);
	while ((got = read(fds[0], back + total, 5000)) > 0) {
		total += (size_t)got;
		(void)write_buffer_write(&write_buffer, fds[1]);
	}
	assert_int_equal(total, 260050);
	assert_memory_equal(back, bytes, total);
	pipe_close(fds);
}

TEST(test_bound_is_exact_and_nothing_is_taken_beyond)
{
	write_buffer_init(&write_buffer);
	assert_int_equal(
	    write_buffer_add(&write_buffer, bytes, WRITE_BUFFER_SIZE - 1), 0);
	assert_int_equal(write_buffer_add(&write_buffer, bytes, 2), -ENOBUFS);
	assert_int_equal(
	    write_buffer_waiting(&write_buffer), WRITE_BUFFER_SIZE - 1);
	assert_int_equal(write_buffer_add(&write_buffer, bytes, 1), 0);
	assert_int_equal(write_buffer_add(&write_buffer, bytes, 1), -ENOBUFS);
	assert_int_equal(
	    write_buffer_send(&write_buffer, -1, bytes, 1), -ENOBUFS);
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
