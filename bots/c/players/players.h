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
#include "search.h"

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

/*
 * The players of Di Palma and Lanzi (arXiv 1807.06813) that search a tree.
 *
 * @ismcts, the yardstick for players that search better: information-set tree
 * search of a single observer, a uniform random world for every iteration, 4,000
 * iterations, the difference of the points as reward and epsilon-greedy
 * playouts.
 *
 * @oracle, a cheater that sees all cards, for analysis alone.  It measures what
 * hidden information is worth, and how much of that inference wins back: the
 * same search of the one true deal.
 */

/* Options that both have, in the order of their rows, and those of each. */
enum { TREE_ITERATIONS, TREE_MS, TREE_PLAYOUT, TREE_OPTION_COUNT };
enum {
	ISMCTS_REWARD = TREE_OPTION_COUNT,
	ISMCTS_EXPLORATION, /* hundredths of a point, or of a quarter of a win */
	ISMCTS_SEED,        /* 0: that of the match */
	ISMCTS_STRENGTH,
	ISMCTS_OPTION_COUNT
};
enum {
	ORACLE_EXPLORATION = TREE_OPTION_COUNT, /* hundredths of a point */
	ORACLE_SOLVE, /* plays exactly with so many cards left; 0: never */
	ORACLE_SEED,  /* 0: that of the match */
	ORACLE_OPTION_COUNT
};

enum {
	/* For the tree; some 250,000 iterations fill it. */
	TREE_MEMORY_SIZE = 1 << 25,
	ORACLE_SOLVE_MAX = 24,
	/* Positions of one exact search; beyond them the tree decides. */
	ORACLE_SOLVE_NODES = 2000000,
	ORACLE_SOLVE_SIZE = 1 << 25,
	ORACLE_MEMORY_SIZE = TREE_MEMORY_SIZE + ORACLE_SOLVE_SIZE
};

bool ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer);

/* Without all cards (a game that shows none) it plays as @greedy does. */
bool oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer);

/*
 * Weaker play on purpose, as people are weak: what is nearly as good is taken
 * for as good, and some moves are not seen at all.
 *
 * A bot judges its moves as well as it can, and then chooses by its level, 10
 * (the best move, always) to 1.  A lower level is worse in expectation, as no
 * level looks at anything but its judgement.
 */
enum { STRENGTH_MIN = 1, STRENGTH_MAX = 10 };

/*
 * The row of the result that a level from STRENGTH_MIN to STRENGTH_MAX plays;
 * `unit` is how much reward a point of the deal is.
 *
 * STRENGTH_MAX plays the best one.  Below, each move is first overlooked with
 * the level's chance, once for every card that it captures and at least once;
 * then a move of value v is chosen with a probability in proportion to
 * exp(v / temperature), the values in points.  Where the search has not visited
 * a move, it is judged like the worst that it has.  Where all is overlooked,
 * any move is played.
 */
const struct search_row *strength_row(const struct search_result *result,
    int level, double unit, uint64_t *random);

#endif
