/*
 * The trace: every line between the arena and its bots in both directions, what
 * bots print to stderr, and how their processes begin and end.
 *
 * A trace is a text for people or JSON Lines for programs. It begins with the
 * version of the arena and the meaning of the columns. Bytes of a bot are
 * escaped, so that they cannot control a terminal.
 *
 * Several workers append to the same trace. What belongs together is written at
 * once under a lock, so that lines of different workers do not mix. A trace
 * that cannot be written (the disk is full) ends with a warning, and the games
 * go on.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot.h"
#include "event.h"

enum {
	TRACE_STDERR_LINE_MAX = 4096 /* longer lines of stderr are divided */
};

struct trace;
struct player; /* match.h */

/* The trace of one bot's process. */
struct trace_bot {
	char name[EVENT_NAME_SIZE]; /* fit for a terminal */
	/* When the bot was last sent `usp`, `isready` or `go`. */
	int64_t asked_ns;
	/* What the bot has printed to stderr after its last line end. */
	size_t pending;
	char stderr_line[TRACE_STDERR_LINE_MAX];
};

/*
 * Opens a trace that is appended to the file `path` (NULL: written to stderr),
 * and writes its head. To be called before the workers are started, which share
 * it. Returns 0, or -errno if the file cannot be opened or written.
 */
int trace_open(struct trace **trace, const char *path, bool json);

/* Frees the trace. NULL is allowed. */
void trace_close(struct trace *trace);

/*
 * Returns 0, or the -errno of the first write that failed in any process. The
 * trace has no lines after it.
 */
int trace_error(const struct trace *trace);

/*
 * The bot of the player was started; its process has ended.  Nothing is done if
 * the rules of the match have no trace.
 */
void trace_begin(struct player *player);
void trace_end(struct player *player, const struct bot_exit *exit);

/* A callback of struct bot_options, for the bots of a match with a trace. */
void trace_traffic(struct bot *bot, const struct bot_traffic *traffic);

#endif
