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
#ifndef SCOPA_BOT_TREE_BOTS_H
#define SCOPA_BOT_TREE_BOTS_H

#include "builtin.h"

/* Options that both have, in the order of their rows. */
enum {
	TREE_ITERATIONS, /* at most; 0: as the time allows */
	TREE_MS,         /* at most; 0: as the clock allows */
	TREE_PLAYOUT     /* as PLAYOUT_WORDS */
};

/* Those of @ismcts. */
enum {
	ISMCTS_REWARD = TREE_PLAYOUT + 1, /* difference, win, points */
	ISMCTS_EXPLORATION, /* hundredths of a point, or of a quarter of a win */
	ISMCTS_SEED,        /* 0: that of the match */
	ISMCTS_STRENGTH,    /* see strength.h */
	ISMCTS_OPTION_COUNT
};

/* The words of one of them. */
#define ISMCTS_REWARDS "difference|win|points"

/* Those of @oracle. */
enum {
	ORACLE_EXPLORATION = TREE_PLAYOUT + 1, /* hundredths of a point */
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

/* Searches and writes the move as text; tells what it has found. */
bool ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer);

/*
 * The same with all cards of the turn.  Without them (a game that shows none)
 * it plays as @greedy does.
 */
bool oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer);

#endif
