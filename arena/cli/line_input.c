/*
 * Implements line_input.h.  A terminal or a pipe is watched by the loop.  The
 * kernel does not watch a regular file, which can always be read; it is read
 * from a deadline of the loop.
 */
#include "line_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

/*
 * Reports the first line that was read, or the end.  Returns false if neither
 * has come yet.
 */
static bool
report(struct line_input *input)
{
	char line[LINE_INPUT_SIZE + 1];
	const char *end = memchr(input->bytes, '\n', input->length);
	size_t length = end ? (size_t)(end - input->bytes) : input->length;
	size_t used = end ? length + 1 : length;
	/* A line that fills the whole buffer is cut into pieces. */
	bool whole = end != NULL || length == sizeof(input->bytes) ||
	    (input->ended && length > 0);

	if (!whole && !input->ended)
		return false;
	memcpy(line, input->bytes, length);
	line[length] = '\0';
	input->length -= used;
	memmove(input->bytes, input->bytes + used, input->length);
	input->on_line(input->context, whole ? line : NULL);
	return true;
}

/* Reads once.  Any error but an interruption is taken for the end. */
static void
read_more(struct line_input *input)
{
	ssize_t got = read(input->fd, input->bytes + input->length,
	    sizeof(input->bytes) - input->length);

	if (got > 0)
		input->length += (size_t)got;
	else if (got == 0 || (errno != EINTR && errno != EAGAIN))
		input->ended = true;
}

static void
on_ready(struct loop_watch *watch, uint32_t events)
{
	struct line_input *input = watch->context;

	(void)events;
	read_more(input);
	if (input->ended || memchr(input->bytes, '\n', input->length) ||
	    input->length == sizeof(input->bytes)) {
		loop_watch_close(input->loop, watch);
		report(input);
	}
}

static void
on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct line_input *input = deadline->context;
	int error;

	if (report(input))
		return;
	error = loop_watch_open(input->loop, &input->watch, input->fd, EPOLLIN);
	if (error == 0)
		return;
	if (error == -EPERM)
		read_more(input);
	else
		input->ended = true;
	loop_deadline_set(input->loop, deadline, now_ns);
}

int
line_input_open(struct line_input *input, struct loop *loop, int fd)
{
	input->loop = loop;
	input->fd = fd;
	input->watch = (struct loop_watch){
		.on_ready = on_ready,
		.context = input,
		.fd = -1,
	};
	input->deadline.on_deadline = on_deadline;
	input->deadline.context = input;
	return loop_deadline_open(loop, &input->deadline);
}

void
line_input_close(struct line_input *input)
{
	loop_watch_close(input->loop, &input->watch);
	loop_deadline_close(input->loop, &input->deadline);
}

void
line_input_ask(struct line_input *input)
{
	loop_deadline_set(input->loop, &input->deadline, clock_now_ns());
}
