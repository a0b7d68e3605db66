/*
 * The environment that a bot is given: clean but for what it was told to have.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "launcher.h"

enum { ENVIRONMENT_OURS = 5 /* beside the bot's own entries */ };

/* Entries point into the environment of the caller; a NULL ends them. */
struct environment {
	char *entries[LAUNCHER_ENVIRONMENT_MAX + ENVIRONMENT_OURS + 1];
	size_t count;
};

/*
 * The bot's own entries come first (LAUNCHER_ENVIRONMENT_PREFIX in that of the
 * caller), and after them what they do not name: PATH, LANG and HOME of the
 * caller, and PYTHONUNBUFFERED=1.  With a scratch folder HOME and TMPDIR name
 * that, as the user's own home is of no use.
 */
void environment_init(struct environment *environment, bool scratch);

/* What stands behind `NAME=`, or NULL. */
const char *environment_value(char *const *environment, const char *name);

#endif
