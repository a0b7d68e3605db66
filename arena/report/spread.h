/*
 * How sure ratings are where more than two bots share a block.
 *
 * Least squares takes the margins of each two bots for independent.  Those of
 * one block are not: who has a bad day loses to all others.  The sandwich
 * estimator takes whole blocks as what is independent: with P the pseudo-
 * inverse of the equations and s the sum of the weighted residuals of one block
 * by bot, the covariance is P (sum of s s') P.  See Liang and Zeger 1986.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stddef.h>

#include "ranking.h"

/* Margins of blocks, and what least squares has made of them. */
struct spread {
	const struct ranking_block *blocks;
	int64_t block_count;
	int bot_count;
	/* Their errors are widened where blocks show that it is needed. */
	struct rating *ratings;
	/*
	 * [a * bot_count + b]: of the differences, widened in the same way; not
	 * finite where the two are of different groups.
	 */
	double *errors;
};

/* Whether any block has more than one row. */
bool spread_needed(const struct spread *spread);

/* In doubles. */
size_t spread_work_size(int bot_count);
void spread_widen(const struct spread *spread, double *work);

#endif
