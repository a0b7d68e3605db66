/*
 * Hints: another bot is asked for the move that it would make.
 *
 * The bot gets the position from the command `ask` of this program, which runs
 * as a child.  So it knows what the seat knows, and the event loop of the game
 * goes on.
 */
#ifndef PLAY_HINT_H
#define PLAY_HINT_H

#include <sys/types.h>

#include "loop.h"
#include "scopa/move.h"

enum { HINT_ANSWER_SIZE = 256 };

struct hint {
	struct loop *loop;
	const char *command; /* of the bot */
	const char *sandbox; /* value of --sandbox */
	/* Called once for each question; NULL: the bot gave no answer. */
	void (*on_hint)(void *context, const struct scopa_move *move);
	void *context;
	pid_t child; /* 0: none runs */
	int fd;      /* of its output */
	struct loop_watch watch;
	char answer[HINT_ANSWER_SIZE];
	size_t length;
};

/* The caller sets the first five fields before. */
void hint_open(struct hint *hint);

/* Ends a child that still runs. */
void hint_close(struct hint *hint);

/*
 * Asks the bot about the position of a `state` line.  No other question may be
 * open.  Returns 0, and then on_hint follows; or -errno.
 */
int hint_ask(struct hint *hint, const char *state);

#endif
