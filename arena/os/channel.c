/*
 * A message on the pipe is a struct header and then `size` bytes.  Both ends
 * are the same program on the same machine, so numbers are in the byte order of
 * the machine.  Received bytes are collected until a message is whole; bytes
 * that the pipe does not take are kept in `waiting`, and the loop watches the
 * output only while there are any.
 */
#include "channel.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "countof.h"

enum { READ_SIZE = 1 << 16 };

/* Precedes each message on the pipe. */
struct header {
	uint64_t size; /* bytes of the message after this header */
	uint32_t kind;
	uint32_t zero;
};

/*
 * Makes room for `size` more bytes after the stored ones.  Returns 0 or
 * -ENOMEM.
 */
static int
buffer_grow(struct channel_buffer *buffer, size_t size)
{
	if (buffer->capacity - buffer->start - buffer->size >= size)
		return 0;
	if (buffer->start > 0) {
		memmove(
		    buffer->bytes, buffer->bytes + buffer->start, buffer->size);
		buffer->start = 0;
	}
	return array_make_room(
	    &buffer->bytes, &buffer->capacity, buffer->size + size, 1);
}

/* Returns the address of the next free byte. */
static char *
buffer_end(const struct channel_buffer *buffer)
{
	return buffer->bytes + buffer->start + buffer->size;
}

/* Appends bytes.  The caller has made room for them. */
static void
buffer_put(struct channel_buffer *buffer, const void *bytes, size_t size)
{
	if (size > 0)
		memcpy(buffer_end(buffer), bytes, size);
	buffer->size += size;
}

static void
buffer_remove(struct channel_buffer *buffer, size_t size)
{
	assert(size <= buffer->size);
	buffer->size -= size;
	buffer->start = buffer->size > 0 ? buffer->start + size : 0;
}

static void
buffer_release(struct channel_buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct channel_buffer){ NULL, 0, 0, 0 };
}

static void
close_output(struct channel *channel)
{
	loop_watch_close(channel->loop, &channel->output);
	if (channel->output_fd >= 0)
		close(channel->output_fd);
	channel->output_fd = -1;
	buffer_release(&channel->waiting);
}

static void
close_input(struct channel *channel)
{
	int fd = channel->input.fd;

	loop_watch_close(channel->loop, &channel->input);
	if (fd >= 0)
		close(fd);
}

/* Calls on_message for each message that is complete. */
static void
deliver_messages(struct channel *channel)
{
	struct channel_buffer *buffer = &channel->received;
	struct header header;

	while (channel->input.fd >= 0 && buffer->size >= sizeof(header)) {
		const char *bytes = buffer->bytes + buffer->start;

		memcpy(&header, bytes, sizeof(header));
		if (buffer->size - sizeof(header) < header.size)
			return;
		channel->on_message(
		    channel, header.kind, bytes + sizeof(header), header.size);
		if (channel->input.fd >= 0)
			buffer_remove(buffer, sizeof(header) + header.size);
	}
}

/*
 * Returns how many bytes of the message that has begun are still missing; 0 if
 * its header is not complete yet.
 */
static size_t
bytes_missing(const struct channel_buffer *buffer)
{
	struct header header;

	if (buffer->size < sizeof(header))
		return 0;
	memcpy(&header, buffer->bytes + buffer->start, sizeof(header));
	return sizeof(header) + header.size - buffer->size;
}

static void
end_input(struct channel *channel, int error)
{
	close_input(channel);
	channel->on_end(channel, error);
}

static void
on_input(struct loop_watch *watch, uint32_t events)
{
	struct channel *channel = watch->context;
	struct channel_buffer *buffer = &channel->received;
	size_t missing = bytes_missing(buffer);
	ssize_t got;
	int error;

	(void)events;
	error = buffer_grow(buffer, missing > READ_SIZE ? missing : READ_SIZE);
	if (error) {
		end_input(channel, error);
		return;
	}
	got = read(watch->fd, buffer_end(buffer),
	    buffer->capacity - buffer->start - buffer->size);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		end_input(channel, got < 0 ? -errno : 0);
		return;
	}
	buffer->size += (size_t)got;
	deliver_messages(channel);
}

/*
 * Writes as much as the pipe takes.  Returns false if the other side has closed
 * the pipe.
 */
static bool
write_waiting(struct channel *channel)
{
	struct channel_buffer *buffer = &channel->waiting;

	while (buffer->size > 0) {
		ssize_t put = write(channel->output_fd,
		    buffer->bytes + buffer->start, buffer->size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return errno == EAGAIN;
		buffer_remove(buffer, (size_t)put);
	}
	return true;
}

static void
on_output(struct loop_watch *watch, uint32_t events)
{
	struct channel *channel = watch->context;

	(void)events;
	if (!write_waiting(channel))
		close_output(channel);
	else if (channel->waiting.size == 0)
		loop_watch_close(channel->loop, watch);
}

int
channel_open(
    struct channel *channel, struct loop *loop, int input_fd, int output_fd)
{
	int error;

	assert(channel->on_message != NULL && channel->on_end != NULL);
	channel->loop = loop;
	channel->output_fd = output_fd;
	channel->input.fd = channel->output.fd = -1;
	channel->input.context = channel->output.context = channel;
	channel->input.on_ready = on_input;
	channel->output.on_ready = on_output;
	error = fcntl(input_fd, F_SETFL, O_NONBLOCK) < 0 ||
		fcntl(output_fd, F_SETFL, O_NONBLOCK) < 0
	    ? -errno
	    : loop_watch_open(loop, &channel->input, input_fd, EPOLLIN);
	if (error) {
		close(input_fd);
		close_output(channel);
	}
	return error;
}

void
channel_close(struct channel *channel)
{
	if (channel->loop == NULL)
		return;
	close_input(channel);
	close_output(channel);
	buffer_release(&channel->received);
	channel->loop = NULL;
}

void
channel_abandon(const struct channel *channel)
{
	if (channel->loop == NULL)
		return;
	if (channel->input.fd >= 0)
		close(channel->input.fd);
	if (channel->output_fd >= 0)
		close(channel->output_fd);
}

int
channel_send(struct channel *channel, uint32_t kind, const void *head,
    size_t head_size, const void *body, size_t body_size)
{
	struct header header = { .size = head_size + body_size, .kind = kind };
	struct channel_buffer *buffer = &channel->waiting;
	int error;

	if (channel->output_fd < 0)
		return 0;
	error = buffer_grow(buffer, sizeof(header) + header.size);
	if (error)
		return error;
	buffer_put(buffer, &header, sizeof(header));
	buffer_put(buffer, head, head_size);
	buffer_put(buffer, body, body_size);
	/* If the loop could not watch the output for an earlier message, this
	 * message tries again. */
	if (channel->output.fd >= 0)
		return 0;
	if (!write_waiting(channel)) {
		close_output(channel);
		return 0;
	}
	return buffer->size == 0
	    ? 0
	    : loop_watch_open(channel->loop, &channel->output,
		  channel->output_fd, EPOLLOUT);
}

void
channel_drain(struct channel *channel)
{
	struct pollfd poll_fd = {
		.fd = channel->output_fd,
		.events = POLLOUT,
	};

	while (channel->output_fd >= 0 && channel->waiting.size > 0) {
		poll(&poll_fd, 1, -1);
		if (!write_waiting(channel))
			close_output(channel);
	}
}
