#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "channel.h"
#include "test.h"

enum { LARGE = 5000000, KINDS = 300 };

/* Two channels on one loop, as the ends of two pipes. */
struct ends {
	struct loop *loop;
	struct channel near, far;
	uint32_t received; /* messages received; their kinds count up */
	size_t last_size;
	char *expected; /* bytes of the messages, or NULL */
	int end_count;
};

static void
on_message(
    struct channel *channel, uint32_t kind, const char *bytes, size_t size)
{
	struct ends *ends = channel->context;

	assert_int_equal(kind, ends->received++);
	ends->last_size = size;
	if (ends->expected != NULL && size > 0)
		assert_memory_equal(bytes, ends->expected, size);
}

static void
on_end(struct channel *channel, int error)
{
	struct ends *ends = channel->context;

	assert_int_equal(error, 0);
	ends->end_count++;
}

static int
open_ends(void **state)
{
	struct ends *ends = calloc(1, sizeof(*ends));
	int there[2], back[2];

	assert_non_null(ends);
	assert_int_equal(loop_open(&ends->loop), 0);
	assert_int_equal(pipe(there), 0);
	assert_int_equal(pipe(back), 0);
	ends->near.on_message = ends->far.on_message = on_message;
	ends->near.on_end = ends->far.on_end = on_end;
	ends->near.context = ends->far.context = ends;
	assert_int_equal(
	    channel_open(&ends->near, ends->loop, back[0], there[1]), 0);
	assert_int_equal(
	    channel_open(&ends->far, ends->loop, there[0], back[1]), 0);
	ends->expected = malloc(LARGE);
	assert_non_null(ends->expected);
	for (int i = 0; i < LARGE; i++)
		ends->expected[i] = (char)(i * 7 + i / 1000);
	*state = ends;
	return 0;
}

static int
close_ends(void **state)
{
	struct ends *ends = *state;

	channel_close(&ends->near);
	channel_close(&ends->far);
	channel_close(&ends->far);
	loop_close(ends->loop);
	free(ends->expected);
	free(ends);
	return 0;
}

TEST_EACH(open_ends, close_ends)

static void
receive(struct ends *ends, uint32_t count)
{
	while (ends->received < count)
		assert_int_equal(loop_step(ends->loop, LOOP_NEVER), 0);
}

TEST(test_messages_arrive_whole_and_in_order)
{
	struct ends *ends = *state;

	for (uint32_t kind = 0; kind < KINDS; kind++)
		assert_int_equal(
		    channel_send(&ends->near, kind, ends->expected, kind % 7,
			ends->expected + kind % 7, kind * 10),
		    0);
	receive(ends, KINDS);
	assert_int_equal(ends->last_size, (KINDS - 1) % 7 + (KINDS - 1) * 10);
}

TEST(test_messages_larger_than_the_pipe_arrive_later)
{
	struct ends *ends = *state;

	for (uint32_t kind = 0; kind < 3; kind++)
		assert_int_equal(channel_send(&ends->near, kind, ends->expected,
				     LARGE, NULL, 0),
		    0);
	assert_int_equal(channel_send(&ends->near, 3, NULL, 0, NULL, 0), 0);
	receive(ends, 4);
	assert_int_equal(ends->last_size, 0);
}

static void
on_room(struct loop_watch *watch, uint32_t events)
{
	(void)watch;
	(void)events;
}

/* The loop refuses the watch: here it already watches this descriptor. */
TEST(test_message_that_could_not_be_watched_is_sent_with_the_next)
{
	struct ends *ends = *state;
	struct loop_watch other = { .on_ready = on_room };

	assert_int_equal(
	    loop_watch_open(ends->loop, &other, ends->near.output_fd, 0), 0);
	assert_int_equal(
	    channel_send(&ends->near, 0, ends->expected, LARGE, NULL, 0),
	    -EEXIST);
	assert_int_equal(
	    channel_send(&ends->near, 1, NULL, 0, NULL, 0), -EEXIST);
	loop_watch_close(ends->loop, &other);
	assert_int_equal(channel_send(&ends->near, 2, NULL, 0, NULL, 0), 0);
	receive(ends, 3);
}

TEST(test_end_of_a_channel_is_reported_once_after_the_last_message)
{
	struct ends *ends = *state;

	assert_int_equal(channel_send(&ends->near, 0, "x", 0, NULL, 0), 0);
	channel_close(&ends->near);
	while (ends->end_count == 0)
		assert_int_equal(loop_step(ends->loop, LOOP_NEVER), 0);
	assert_int_equal(ends->received, 1);
	assert_int_equal(loop_step(ends->loop, 0), 0);
	assert_int_equal(ends->end_count, 1);
}

TEST(test_message_to_a_closed_channel_is_dropped)
{
	struct ends *ends = *state;

	channel_close(&ends->far);
	assert_int_equal(
	    channel_send(&ends->near, 0, ends->expected, LARGE, NULL, 0), 0);
	channel_drain(&ends->near);
	assert_int_equal(ends->received, 0);
}

TEST(test_drained_channel_has_sent_all_messages)
{
	struct ends *ends = *state;

	assert_int_equal(
	    channel_send(&ends->near, 0, ends->expected, 1000, NULL, 0), 0);
	channel_drain(&ends->near);
	assert_int_equal(ends->near.waiting.size, 0);
	receive(ends, 1);
}
