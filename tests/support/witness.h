/*
 * A bot under observation: what it brings about is written down as text, a
 * line a call:
 *
 *	start | line TEXT | bad TEXT | long | flood | flushed | eof | exit WHY
 *
 * TEXT is escaped.
 */
#ifndef WITNESS_H
#define WITNESS_H

#include "bot.h"
#include "loop.h"

enum { WITNESS_SIZE = 64 * 1024 };

struct witness {
	struct bot *bot;
	struct loop *loop;
	bool marking;  /* every line is wanted */
	bool closing;  /* the bot is closed within on_exit */
	bool stopping; /* the bot is stopped within on_line */
	int line_count;
	int64_t received_ns; /* of the last line */
	struct bot_exit exit;
	size_t length;
	char text[WITNESS_SIZE];
};

/* Runs the test program's own `child VICE ARGUMENT` (NULL: none). */
void witness_open(struct witness *witness, struct loop *loop, const char *vice,
    const char *argument);

/* Runs any file. */
void witness_open_file(struct witness *witness, struct loop *loop,
    const char *path, const char *const *arguments);

/* Serves the loop until the text contains `end`; fails after a minute. */
void witness_wait(struct witness *witness, const char *end);

/* Waits for the bot's end, and closes it. */
void witness_close(struct witness *witness);

/* Kills it, if need be, and closes it. */
void witness_finish(struct witness *witness);

/* How often a piece of text stands there. */
int witness_count(const struct witness *witness, const char *piece);

#endif
