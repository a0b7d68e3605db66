/*
 * Messages of any size between two processes, over one pipe in each direction.
 *
 * Only channel_drain() blocks.  Bytes that the other side does not read yet are
 * kept, and the loop sends them later.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "loop.h"

/* Stored bytes: `size` of them, from index `start` on. */
struct channel_buffer {
	char *bytes; /* owned */
	size_t start, size, capacity;
};

/* One end of the channel, in the caller's storage. */
struct channel {
	struct loop *loop;
	/* `output` is watched only while bytes wait */
	struct loop_watch input, output;
	/* -1: the other side reads no more, or a write has failed */
	int output_fd;
	struct channel_buffer received, waiting;
	void (*on_message)(struct channel *channel, uint32_t kind,
	    const char *bytes, size_t size);
	/*
	 * The last callback: nothing more can be received, because the other
	 * side has closed its output (`error` is 0) or this side has failed
	 * (-errno).  It may close the channel.
	 */
	void (*on_end)(struct channel *channel, int error);
	void *context;
};

/*
 * Opens a channel.  Its callbacks and context are set, the rest is zero.  The
 * channel owns both descriptors, even after an error, and makes them
 * non-blocking.  Returns 0 or -errno.
 */
int channel_open(
    struct channel *channel, struct loop *loop, int input_fd, int output_fd);

/*
 * Closes the descriptors and drops the bytes that wait.  A closed channel is
 * allowed.
 */
void channel_close(struct channel *channel);

/*
 * For a child that was forked from the process with the channel: closes the
 * child's copies of the descriptors, and leaves the loop of the parent as it
 * is.
 */
void channel_abandon(const struct channel *channel);

/*
 * Sends a copy of a message that is made of two parts; each part may be empty.
 * If the other side reads no more, the message is dropped; on_end reports when
 * that side has closed its output, too.  Returns 0; or -errno, and then the
 * message was not stored (-ENOMEM), or waits because the loop cannot watch the
 * pipe for room (any error): it is sent together with the next message.
 */
int channel_send(struct channel *channel, uint32_t kind, const void *head,
    size_t head_size, const void *body, size_t body_size);

/*
 * Waits until all messages are in the pipe, or the other side reads no more.
 */
void channel_drain(struct channel *channel);

#endif
