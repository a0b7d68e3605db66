/*
 * A sequential test of a mean of bounded numbers that holds for every
 * distribution and at every look.
 *
 * Somebody bets one unit against H0, the mean is at most `low`, and another one
 * against H1, it is at least `high`: each number multiplies what the first has
 * by 1 + stake (number - low), and the stake is chosen before the number is
 * seen, so that nothing can be lost below 0.  Under H0 that is a fair or a bad
 * game, and the probability that it ever makes more than 1 / alpha of the unit
 * is at most alpha (Ville 1939).  Waudby-Smith and Ramdas, "Estimating means of
 * bounded random variables by betting", 2024.
 *
 * Half of the unit is staked as would be best at the other hypothesis, and half
 * as would be best at the mean so far, both by the variance so far.
 */
#ifndef BETTING_H
#define BETTING_H

#include "moments.h"

enum { BETTING_STAKES = 2 }; /* at the other hypothesis; at the mean so far */

struct betting {
	double low, high; /* -limit < low < high < limit */
	double limit;     /* that the numbers keep to, either way */
	struct moments seen;
	/* Logarithms of what was made of the unit, each with all of it. */
	double up[BETTING_STAKES], down[BETTING_STAKES];
};

struct betting betting_start(double low, double high, double limit);

/* The next number; what is beyond the limit counts as the limit. */
void betting_add(struct betting *betting, double number);

/* The logarithm of what was made of the unit, against H0 and against H1. */
double betting_log_up(const struct betting *betting);
double betting_log_down(const struct betting *betting);

#endif
