#include "betting.h"

#include <assert.h>
#include <math.h>

/* Of all that may be staked without going below 0. */
#define STAKE_PART 0.75

/*
 * Before anything was seen: one number with a deviation of so much of the
 * limit, and a mean of 0.
 */
#define PRIOR_DEVIATION 0.125

struct betting
betting_start(double low, double high, double limit)
{
	assert(-limit < low && low < high && high < limit);
	return (struct betting){ .low = low, .high = high, .limit = limit };
}

/*
 * The stakes on numbers above a point, of which none is more than `worst` below
 * it: gain / variance grows fastest (Kelly 1956), as far as that is allowed.
 */
static void
stakes_choose(const struct betting *betting, double gain, double seen_gain,
    double worst, double stakes[BETTING_STAKES])
{
	double prior = PRIOR_DEVIATION * betting->limit;
	double variance = (betting->seen.squares + prior * prior) /
	    (double)(betting->seen.count + 1);
	double most = STAKE_PART / worst;
	double gains[BETTING_STAKES] = { gain, fmax(seen_gain, 0) };

	for (int i = 0; i < BETTING_STAKES; i++)
		stakes[i] =
		    fmin(gains[i] / (variance + gains[i] * gains[i]), most);
}

void
betting_add(struct betting *betting, double number)
{
	double count = (double)betting->seen.count;
	double mean = betting->seen.mean * count / (count + 1);
	double apart = betting->high - betting->low;
	double up[BETTING_STAKES], down[BETTING_STAKES];

	number = fmin(fmax(number, -betting->limit), betting->limit);
	stakes_choose(betting, apart, mean - betting->low,
	    betting->limit + betting->low, up);
	stakes_choose(betting, apart, betting->high - mean,
	    betting->limit - betting->high, down);
	for (int i = 0; i < BETTING_STAKES; i++) {
		betting->up[i] += log1p(up[i] * (number - betting->low));
		betting->down[i] += log1p(down[i] * (betting->high - number));
	}
	moments_add(&betting->seen, number);
}

/* The logarithm of the mean. */
static double
log_mean(const double logs[BETTING_STAKES])
{
	double high = fmax(logs[0], logs[1]);
	double low = fmin(logs[0], logs[1]);

	return high + log1p(exp(low - high)) - log(BETTING_STAKES);
}

double
betting_log_up(const struct betting *betting)
{
	return log_mean(betting->up);
}

double
betting_log_down(const struct betting *betting)
{
	return log_mean(betting->down);
}
