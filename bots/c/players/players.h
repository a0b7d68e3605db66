/*
 * The built-in bots, one row each.
 *
 * The arena runs its own program again as such a bot (`@greedy`); scopa-bot
 * offers the same table as a separate program.  Both speak the protocol on
 * standard input and output.
 */
#ifndef SCOPA_BOT_PLAYERS_H
#define SCOPA_BOT_PLAYERS_H

#include "builtin.h"

extern const struct builtin builtins[];
extern const int builtin_count;

/* Returns the bot with this name (without `@`), or NULL. */
const struct builtin *builtin_find(const char *name);

/*
 * Plays as this bot on standard input and output until `quit` or the end of
 * input.  Returns an exit code: 0; 5 when reading or writing failed, with a
 * message on standard error.
 */
int builtin_run(const struct builtin *builtin);

/* Options of @ismcts and @oracle: those of both, then those of each. */
enum { TREE_ITERATIONS, TREE_MS, TREE_PLAYOUT, TREE_OPTION_COUNT };
enum {
	ISMCTS_REWARD = TREE_OPTION_COUNT,
	ISMCTS_EXPLORATION, /* 0.01 points, or 0.0025 wins */
	ISMCTS_SEED,        /* 0: use the seed of the match */
	ISMCTS_STRENGTH,
	ISMCTS_OPTION_COUNT
};
enum {
	ORACLE_EXPLORATION = TREE_OPTION_COUNT, /* 0.01 points */
	ORACLE_SOLVE, /* solves at most this many cards; 0: none */
	ORACLE_SEED,  /* 0: use the seed of the match */
	ORACLE_OPTION_COUNT
};

#endif
