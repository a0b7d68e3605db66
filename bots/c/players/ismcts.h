/*
 * The searching player of the paper (Di Palma and Lanzi, arXiv 1807.06813): the
 * yardstick for players that search better.
 *
 * Information-set tree search of a single observer, a uniform random world for
 * every iteration, 4,000 iterations, the difference of the points as reward and
 * epsilon-greedy playouts.
 */
#ifndef SCOPA_BOT_ISMCTS_H
#define SCOPA_BOT_ISMCTS_H

#include "builtin.h"

/* Options, in the order of their rows. */
enum {
	ISMCTS_ITERATIONS,  /* at most; 0: as the time allows */
	ISMCTS_MS,          /* at most; 0: as the clock allows */
	ISMCTS_PLAYOUT,     /* as PLAYOUT_WORDS */
	ISMCTS_REWARD,      /* difference, win, points */
	ISMCTS_EXPLORATION, /* the constant of the formula, see below */
	ISMCTS_SEED,        /* 0: that of the match */
	ISMCTS_STRENGTH,    /* see strength.h */
	ISMCTS_OPTION_COUNT
};

/* The words of one of them. */
#define ISMCTS_REWARDS "difference|win|points"

enum {
	ISMCTS_ITERATIONS_DEFAULT = 4000,
	/* In hundredths of a point, or of a quarter of a win. */
	ISMCTS_EXPLORATION_DEFAULT = 300,
	ISMCTS_EXPLORATION_MAX = 10000,
	/* For the tree; some 250,000 iterations fill it. */
	ISMCTS_MEMORY_SIZE = 1 << 25
};

/* Searches and writes the move as text; tells what it has found. */
bool ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer);

#endif
