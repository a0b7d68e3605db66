/*
 * Who stands between the arena and a bot behind walls, sees to it that nothing
 * of the bot is left when it ends, and then ends in the same way.
 *
 * The launcher becomes it.  The arena ends a bot by SIGTERM to it, and when the
 * arena dies so does all that it supervises.  SUPERVISOR_SIGNAL stops all of the
 * bot and lets it go on.
 */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>

#include "allowance.h"

/* How everything that a bot has started is killed for certain. */
enum tree_kill {
	TREE_BOX,   /* with the first process of a box */
	TREE_DOMAIN /* by one signal to all of a Landlock domain */
};

/* Carries one of these as its value, and is queued: the last word counts.  It
 * is to be blocked in the process that becomes the supervisor. */
#define SUPERVISOR_SIGNAL SIGRTMIN
enum supervisor_word { SUPERVISOR_THAW, SUPERVISOR_FREEZE };

struct supervisor_order {
	enum tree_kill tree;
	/* What a box has a root folder of its own with, or NULL. */
	const struct allowance *cell;
	/* Runs in the process that is to become the bot; returns on failure,
	 * having reported, with an exit status. */
	int (*become)(void *context);
	/* Reports that the ground could not be prepared; returns an exit
	 * status. */
	int (*fail)(void *context, const char *what, int error);
	void *context;
	int report_fd; /* closed here as soon as the bot has it; or -1 */
};

/* Returns in no process but one that is to exit with the answer. */
int supervise(const struct supervisor_order *order);

#endif
