/*
 * Estimates of strength: point estimates and their intervals.
 *
 * Every result is finite, whatever the counts are.  An end of an interval that
 * lies outside its scale is clamped to ESTIMATE_ELO_MAX and marked as beyond.
 * Intervals are two-sided at `level`, 0 < level < 1 (0.95 means 95 percent),
 * and contain their value.
 */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The next number of a well mixed random stream (Vigna's splitmix64).  *state
 * is the state of the stream.
 */
static inline uint64_t
splitmix64(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/* Root of a function between two points where its signs differ. */

/*
 * Returns a point between `low` and `high` where `function` changes its sign.
 * The point is exact to about `tolerance`, or to the last bits of a double if
 * these are coarser.  The signs at the two ends must differ; an end where the
 * function is 0 is a root.  `context` is passed to the function and is the
 * caller's.
 */
double root_find(double (*function)(const void *context, double x),
    const void *context, double low, double high, double tolerance);

/*
 * Mean and variance of a stream of numbers, without storing the numbers:
 * Welford's update (Welford 1962) and Chan's union (Chan, Golub, LeVeque 1983).
 */

/* The squares of numbers above this magnitude would overflow. */
#define MOMENTS_VALUE_MAX 1e100

/* A struct with all fields 0 has seen no number. */
struct moments {
	int64_t count;
	double mean;
	double squares; /* sum of squared differences from the mean */
};

/* Adds one number; its magnitude is at most MOMENTS_VALUE_MAX. */
void moments_add(struct moments *moments, double value);

/* The moments of all the numbers of `a` and `b`. */
struct moments moments_join(struct moments a, struct moments b);

/*
 * The moments of `count` >= 0 numbers with this mean and this sample standard
 * deviation >= 0 (divided by n - 1).  Both are at most MOMENTS_VALUE_MAX.
 */
struct moments moments_of(int64_t count, double mean, double deviation);

/*
 * The same moments, but with a minimum for the spread: the spread of equal
 * numbers of which one is a `step` away from the others.  Numbers that have
 * been equal so far may still differ later.
 */
struct moments moments_floor(const struct moments *moments, double step);

/* The variance divided by n; 0 if there is no number. */
double moments_variance(const struct moments *moments);

/* The variance divided by n - 1; 0 if there are fewer than two numbers. */
double moments_sample_variance(const struct moments *moments);

#define ESTIMATE_ELO_MAX 10000.0

/*
 * Normalised Elo for t = 1, where t = (mean - 1/2) / sigma of a game: 800 / ln
 * 10.
 */
#define ESTIMATE_NELO_PER_T 347.43558552260146

/* The greatest count of games or blocks.  No count may be negative. */
#define ESTIMATE_COUNT_MAX ((int64_t)1000000000000000)

/*
 * A value with its interval. low_beyond: the low end was outside the scale and
 * was clamped; high_beyond: the same for the high end.
 */
struct estimate {
	double value;
	double low, high;
	bool low_beyond, high_beyond;
};

/* Results of single games: wins, draws and losses. */
struct trinomial {
	int64_t wins, draws, losses;
};

void trinomial_add(struct trinomial *sum, const struct trinomial *results);

/*
 * Results of pairs of games: the numbers of blocks that scored 0, 1/4, 1/2, 3/4
 * and 1.
 */
struct pentanomial {
	int64_t counts[5];
};

/* Counts of results; result number i scores i / (count - 1). */
struct score_counts {
	int count;
	int games; /* games in one result */
	double counts[5];
};

struct score_counts trinomial_counts(const struct trinomial *results);
struct score_counts pentanomial_counts(const struct pentanomial *results);

/* The strength that follows from counts of results. */
struct strength {
	int64_t count;         /* number of games, or of blocks */
	struct estimate score; /* 0..1 */
	struct estimate elo;   /* logistic Elo */
	double elo_error;      /* half the width of the interval of elo */
	struct estimate nelo;  /* normalised Elo of a game */
	double nelo_error;     /* half the width of the interval of nelo */
	double los; /* probability that the bot is the stronger one, 0..1 */
	/*
	 * The two values as other arenas print them: nelo_error computed for
	 * nElo = 0, and los by the normal distribution.
	 */
	double nelo_error_plain, los_normal;
};

/* 1 / (1 + 10^(-elo/400)), for any number. */
double score_of_elo(double elo);

/*
 * -400 log10(1/score - 1) for a score of 0..1, clamped to +-ESTIMATE_ELO_MAX.
 */
double elo_of_score(double score);

/*
 * The strength from counts of results:
 *
 * - Score: its interval uses the normal distribution of the mean, with the
 * half-width z sqrt(v/n).
 *
 * - Elo: -400 log10(1/score - 1) of the score and of the ends of its interval.
 *
 * - nElo = (score - 1/2) / sqrt(v) 800 / ln 10, where v is the variance of a
 * game (for pairs: twice the variance of their scores).  Its half-width is 800
 * / ln 10 z sqrt((1 + t^2 / 2) / games), t = (score - 1/2) / sqrt(v) of a
 * result.  The second term is there because v is itself an estimate. fastchess
 * prints the first term alone: nelo_error_plain.
 *
 * - LOS: by Student's t, as mean_los.
 *
 * If all results are equal, v = 0.  Unless they are all 1/2, their interval is
 * then that of a coin (Wilson 1927): after only wins, from n / (n + z^2) to 1.
 * Without any result the score is 1/2, and every interval is as wide as its
 * scale.
 */
struct strength counts_strength(struct score_counts scores, double level);

/*
 * A value with its interval by Student's t, from its standard error.  With less
 * than 1 degree of freedom the error is unknown, and both ends are marked as
 * beyond.
 */
struct estimate error_estimate(
    double value, double error, double freedom, double level);

/*
 * The mean with its interval by Student's t.  If there are fewer than two
 * numbers, or all are equal, the spread is unknown and both ends are marked as
 * beyond.
 */
struct estimate mean_estimate(const struct moments *moments, double level);

/*
 * The strength from the moments of margins: `count`, and nElo and LOS with
 * their errors; the other members are 0.
 *
 * - nElo is in the units of the bounds of the margin model: t = mean / sigma
 * and nElo = 800 / ln 10 t.  If `pair`, a number is the mean of a pair of
 * games, and nElo is 1 / sqrt 2 of that.  The half-width is z sqrt((1 + t^2 /
 * 2) / n), in the same units.  If all n numbers are equal, the nearer end of
 * the interval is the end for t = 1.
 *
 * - LOS: mean_los.  The one by the normal distribution is too certain if there
 * are few numbers.
 */
struct strength mean_strength(
    const struct moments *moments, bool pair, double level);

/*
 * The probability that the true mean is above 0: Student's distribution of t =
 * mean / (deviation / sqrt n) with n - 1 degrees of freedom.  If all n numbers
 * are equal, their spread around 0 replaces the spread around the mean, so that
 * t = sqrt(n - 1).  The result is 1/2 if there are fewer than two numbers.
 */
double mean_los(const struct moments *moments);

/*
 * The quantile of Student's t with `freedom` >= 1 degrees of freedom, 0 < p <
 * 1.  Its relative error is about 1e-13.  If `freedom` is infinite it is that
 * of the normal distribution.
 */
double student_quantile(double p, double freedom);

/*
 * The distribution function of Student's t with `freedom` >= 1 degrees of
 * freedom.  If `freedom` is infinite it is the normal distribution.
 */
double student_distribution(double t, double freedom);

/*
 * The quantile of the normal distribution, 0 < p < 1; its relative error is
 * about 1e-15.
 */
double normal_quantile(double p);

/* The distribution function of the normal distribution. */
double normal_distribution(double x);

/*
 * The control variate: less luck in results whose rotations of seats are
 * incomplete.
 *
 * A reference bot that plays against itself on the same pack shows what the
 * deal alone is worth to a seat.  The part of the margins that follows this
 * worth is luck and is subtracted: y - c (x - E[x]) with c = cov(x, y) /
 * var(x), where E[x] comes from all packs that the reference has played.  See
 * Glasserman 2003, chapter 4.1.
 */

/* Sums over pairs (x, y). */
struct variate {
	int64_t count;
	double mean_x, mean_y;
	double squares_x, squares_y, products; /* sums around the means */
};

enum { VARIATE_PARTS_MAX = 6 };

/*
 * Sums over a stream of such pairs, where x is a weighted sum of parts and the
 * weights become known only at the end.
 */
struct variate_parts {
	int64_t count;
	/* First the parts, then y.  The products are around the means. */
	double means[VARIATE_PARTS_MAX + 1];
	double products[VARIATE_PARTS_MAX + 1][VARIATE_PARTS_MAX + 1];
};

void variate_parts_add(struct variate_parts *variate,
    const double parts[VARIATE_PARTS_MAX], double y);

/*
 * The sums of the pairs (x, y) in which x is the sum of the parts, each times
 * its weight.
 */
struct variate variate_parts_weigh(const struct variate_parts *variate,
    const double weights[VARIATE_PARTS_MAX]);

/* The limit of variance_ratio; it is reached if no luck is left. */
#define VARIATE_RATIO_MAX 1e6

/* The plain and the corrected estimate; reports must show both. */
struct variate_estimate {
	struct estimate plain, corrected;
	double coefficient;    /* c; 0 where x has no spread */
	double variance_ratio; /* plain / corrected variance, at least 1 */
};

/*
 * Returns both estimates.  `expected_x` is the long-run mean of x; it is 0 if
 * seats are symmetric.  With fewer than three pairs, or if x has no spread, the
 * corrected estimate is the plain one.
 */
struct variate_estimate variate_estimate(
    const struct variate *variate, double expected_x, double level);

#endif
