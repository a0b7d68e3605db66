/*
 * The built-in bots: one row each.
 *
 * The arena starts itself again as such a bot (`@greedy`), and scopa-bot is the
 * same table as a program of its own.  Both speak the protocol on standard
 * input and output.
 */
#ifndef SCOPA_BOT_PLAYERS_H
#define SCOPA_BOT_PLAYERS_H

#include "builtin.h"

extern const struct builtin builtins[];
extern const int builtin_count;

/* The bot of that name (without `@`), or NULL. */
const struct builtin *builtin_find(const char *name);

/*
 * Plays as that bot on standard input and output until `quit` or the end of
 * input.  Returns an exit code: 0, 2 where there is no such bot (said on
 * standard error), 5 where reading or writing failed.
 */
int builtin_run(const char *name);

#endif
