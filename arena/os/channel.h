/*
 * Messages of any size between two processes, over a pipe each way.
 *
 * Nothing here blocks but channel_drain(): what the other side does not take
 * yet is kept and follows by itself.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "loop.h"

/* Bytes that wait to be taken, from `start`. */
struct channel_buffer {
	char *bytes; /* owned */
	size_t start, size, capacity;
};

/* One end of it; the caller's storage. */
struct channel {
	struct loop *loop;
	struct loop_watch input, output; /* output: while something waits */
	int output_fd;                   /* -1: nobody listens any more */
	struct channel_buffer received, waiting;
	void (*on_message)(struct channel *channel, uint32_t kind,
	    const char *bytes, size_t size);
	/*
	 * The other side has closed its end, or this one has failed: 0 or
	 * -errno.  The last call; it may close the channel.
	 */
	void (*on_end)(struct channel *channel, int error);
	void *context;
};

/*
 * Opens a zeroed channel whose calls are set.  The descriptors become its own
 * and non-blocking, after an error too.  0 or -errno.
 */
int channel_open(
    struct channel *channel, struct loop *loop, int input_fd, int output_fd);

/* Closes the descriptors and drops what waits; a closed one is allowed. */
void channel_close(struct channel *channel);

/*
 * In a process that was forked from the one with the channel: closes its
 * descriptors, and leaves the parent's loop as it is.
 */
void channel_abandon(const struct channel *channel);

/*
 * Sends a message made of two parts, copied; a part may be empty.  Where nobody
 * listens it is dropped: on_end tells that.  0; -ENOMEM where it is not sent;
 * or another -errno where the loop cannot watch for room in the pipe: then it
 * goes with the next message.
 */
int channel_send(struct channel *channel, uint32_t kind, const void *head,
    size_t head_size, const void *body, size_t body_size);

/* Waits until all that was sent is in the pipe, or nobody listens. */
void channel_drain(struct channel *channel);

#endif
