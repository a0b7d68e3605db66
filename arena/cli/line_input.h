/*
 * Lines that a person types, or that come from a file or a pipe, one at a time
 * and only when they are asked for.
 *
 * A line that was typed ahead waits for the next question.
 */
#ifndef LINE_INPUT_H
#define LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "loop.h"

enum { LINE_INPUT_SIZE = 4096 };

struct line_input {
	struct loop *loop;
	int fd;
	/* The next line, without its end; NULL: the end of the input. */
	void (*on_line)(void *context, const char *line);
	void *context;
	struct loop_watch watch;
	/* Calls on_line from the loop for what was read already. */
	struct loop_deadline deadline;
	bool ended;
	char bytes[LINE_INPUT_SIZE]; /* read, and not reported yet */
	size_t length;
};

/*
 * Opens the input of a descriptor, which must be blocking and stays the
 * caller's.  The caller sets `on_line` and `context` before.  Returns 0 or
 * -errno.
 */
int line_input_open(struct line_input *input, struct loop *loop, int fd);
void line_input_close(struct line_input *input);

/* Asks for one line: on_line is called once, and never from this call. */
void line_input_ask(struct line_input *input);

#endif
