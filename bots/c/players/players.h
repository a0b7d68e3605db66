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
#include "search.h"

extern const struct builtin builtins[];
extern const int builtin_count;

/* Returns the bot with this name (without `@`), or NULL. */
const struct builtin *builtin_find(const char *name);

/*
 * Plays as this bot on standard input and output until `quit` or the end of
 * input.  Returns an exit code: 0; 2 when there is no such bot (with a message
 * on standard error); 5 when reading or writing failed.
 */
int builtin_run(const char *name);

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

/*
 * Weaker play, similar to human weakness: moves with nearly the same value are
 * confused, and some moves are overlooked.
 *
 * The bot first searches as well as it can, and then chooses by its level, 10
 * (always the best move) to 1.  A lower level plays worse on average, since
 * every level uses only the result of the search.
 */
enum { STRENGTH_MIN = 1, STRENGTH_MAX = 10 };

/*
 * Returns the row that a level from STRENGTH_MIN to STRENGTH_MAX plays.  `unit`
 * is the reward of one point.
 *
 * STRENGTH_MAX plays the best row.  At lower levels each move may be
 * overlooked: the probability of the level is applied once for each captured
 * card, at least once.  Among the other moves, one with value v in points is
 * chosen with a probability proportional to exp(v / temperature).  A move that
 * the search has not visited counts as the worst visited one.  When all moves
 * are overlooked, a random move is played.
 */
const struct search_row *strength_row(const struct search_result *result,
    int level, double unit, uint64_t *random);

#endif
