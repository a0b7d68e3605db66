/*
 * The oracle: a cheater that sees all cards, for analysis alone.  It measures
 * what hidden information is worth, and how much of that inference wins back.
 *
 * Tree search (UCT) on the one true deal, the cheating player of Di Palma and
 * Lanzi (arXiv 1807.06813); the reward is the difference of the points.
 */
#ifndef SCOPA_BOT_ORACLE_BOT_H
#define SCOPA_BOT_ORACLE_BOT_H

#include "builtin.h"

/* Options, in the order of their rows. */
enum {
	ORACLE_ITERATIONS,  /* at most; 0: as the time allows */
	ORACLE_MS,          /* at most; 0: as the clock allows */
	ORACLE_PLAYOUT,     /* as PLAYOUT_WORDS */
	ORACLE_EXPLORATION, /* the constant of the formula, in 1/100 point */
	ORACLE_SOLVE, /* plays exactly with so many cards left; 0: never */
	ORACLE_SEED,  /* 0: that of the match */
	ORACLE_OPTION_COUNT
};

enum {
	ORACLE_ITERATIONS_DEFAULT = 1000,
	ORACLE_EXPLORATION_DEFAULT = 200,
	ORACLE_EXPLORATION_MAX = 10000,
	ORACLE_SOLVE_MAX = 24,
	/* Positions of one exact search; beyond them the tree decides. */
	ORACLE_SOLVE_NODES = 2000000,
	ORACLE_TREE_SIZE = 1 << 25,
	ORACLE_SOLVE_SIZE = 1 << 25,
	ORACLE_MEMORY_SIZE = ORACLE_TREE_SIZE + ORACLE_SOLVE_SIZE
};

/*
 * Writes the move as text, and tells what it has found.  Where no cards are
 * shown it plays as the greedy bot does: a position may be asked without them.
 */
bool oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer);

#endif
