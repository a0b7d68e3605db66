/*
 * How much stronger: point estimates and their intervals.
 *
 * Everything here is finite, whatever the counts: where an end of an interval
 * lies beyond what a scale can say, it is clamped to ESTIMATE_ELO_MAX and
 * marked so.  Intervals are two-sided at `level`, 0 < level < 1 (0.95: 95
 * percent), and hold their value.
 */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/* The next number of a stream, well mixed (Vigna's splitmix64). */
static inline uint64_t
splitmix64(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/*
 * The root of a function between two points where its signs differ.
 */

/*
 * A point between `low` and `high` where `function` changes its sign, to about
 * `tolerance`, or to the last bits of a double where that is more.  The signs
 * at the two ends must differ; an end where the function is 0 is a root.
 */
double root_find(double (*function)(const void *context, double x),
    const void *context, double low, double high, double tolerance);

/*
 * Mean and variance of a stream of numbers, without keeping them: Welford's
 * update (Welford 1962) and Chan's union (Chan, Golub, LeVeque 1983).
 */

/* Numbers of a greater magnitude would let their squares overflow. */
#define MOMENTS_VALUE_MAX 1e100

/* Zeroed: no number yet. */
struct moments {
	int64_t count;
	double mean;
	double squares; /* sum of squared differences from the mean */
};

/* Takes one more number, of at most MOMENTS_VALUE_MAX either way. */
void moments_add(struct moments *moments, double value);

/* What both have seen. */
struct moments moments_join(struct moments a, struct moments b);

/*
 * The moments of `count` >= 0 numbers with this mean and this sample standard
 * deviation >= 0 (divided by n - 1), both up to MOMENTS_VALUE_MAX.
 */
struct moments moments_of(int64_t count, double mean, double deviation);

/*
 * The same with at least the spread that numbers on a grid of this `step` have
 * unless all are equal: that of one number a step away from the others.  What
 * was always the same need not be so for ever.
 */
struct moments moments_floor(const struct moments *moments, double step);

/* Divided by n; 0 below one number. */
double moments_variance(const struct moments *moments);

/* Divided by n - 1; 0 below two numbers. */
double moments_sample_variance(const struct moments *moments);

#define ESTIMATE_ELO_MAX 10000.0

/* Normalised Elo of t = (mean - 1/2) / sigma of a game: 800 / ln 10. */
#define ESTIMATE_NELO_PER_T 347.43558552260146

/* Of games and blocks; no count may be negative or above it. */
#define ESTIMATE_COUNT_MAX ((int64_t)1000000000000000)

/*
 * A value with its interval.  `beyond`: the low end lies below what the scale
 * can say, or the high end above it; it was clamped.
 */
struct estimate {
	double value;
	double low, high;
	bool low_beyond, high_beyond;
};

/* Results of games on their own: wins, draws and losses. */
struct trinomial {
	int64_t wins, draws, losses;
};

/* Results of pairs of games: blocks that scored 0, 1/4, 1/2, 3/4 and 1. */
struct pentanomial {
	int64_t counts[5];
};

/* Counts of results whose scores are 0, 1 / (count - 1), ..., 1. */
struct score_counts {
	int count;
	int games; /* that one result is made of */
	double counts[5];
};

struct score_counts trinomial_counts(const struct trinomial *results);
struct score_counts pentanomial_counts(const struct pentanomial *results);

/* What a count of results says of strength. */
struct strength {
	int64_t count;         /* games, or blocks */
	struct estimate score; /* 0..1 */
	struct estimate elo;   /* logistic */
	double elo_error;      /* half the width of the interval of elo */
	struct estimate nelo;  /* normalised, a game */
	double nelo_error;     /* half the width of the interval of nelo */
	double los;            /* probability of being stronger, 0..1 */
	/* The same two as other arenas print them: nelo_error as if nElo were
	 * 0, and los by the normal distribution. */
	double nelo_error_plain, los_normal;
};

/* 1 / (1 + 10^(-elo/400)), of any number. */
double score_of_elo(double elo);

/* -400 log10(1/score - 1) of 0..1, at most ESTIMATE_ELO_MAX either way. */
double elo_of_score(double score);

/*
 * The score and its interval by the normal distribution of its mean, half-width
 * z sqrt(v/n); Elo from these, as -400 log10(1/score - 1); nElo = (score - 1/2)
 * / sqrt(v) 800 / ln 10, with v of a game (of pairs: twice that of their
 * scores), half-width 800 / ln 10 z sqrt((1 + t^2 / 2) / games), t = (score -
 * 1/2) / sqrt(v) of a result: that v was sampled, too, makes the second term
 * (fastchess prints the first alone: nelo_error_plain).  LOS by Student's t, as
 * mean_los.  Results that are all alike have v = 0; unless they are all 1/2,
 * their interval is that of a coin (Wilson 1927): of all wins, n / (n + z^2) to
 * 1.  Without any result the score is 1/2, and all intervals are as wide as can
 * be.
 */
struct strength counts_strength(struct score_counts scores, double level);

/*
 * The mean with its interval by Student's t.  With fewer than two numbers, or
 * where all of them are equal, nothing is known of the spread: both ends are
 * beyond.
 */
struct estimate mean_estimate(const struct moments *moments, double level);

/*
 * Normalised Elo of a mean, as bounds of the margin model count it: t = mean /
 * sigma, nElo = 800 / ln 10 t, and 1 / sqrt 2 of that where a number is the
 * mean of a `pair` of games.  Half-width z sqrt((1 + t^2 / 2) / n), in the same
 * units.  Where all n numbers are equal, the nearer end is where t = 1 had its
 * own.
 */
struct estimate mean_nelo(
    const struct moments *moments, bool pair, double level);

/*
 * Half the width of that interval as if nElo were 0: as other arenas print it.
 */
double mean_nelo_error_plain(
    const struct moments *moments, bool pair, double level);

/*
 * The probability that the true mean is above 0: Student's distribution of t =
 * mean / (deviation / sqrt n) with n - 1 degrees.  Where all n numbers are
 * equal, their spread around 0 stands in for that around the mean: t = sqrt(n -
 * 1).  1/2 of fewer than two numbers.
 */
double mean_los(const struct moments *moments);

/*
 * The same by the normal distribution of mean / sqrt(variance / n) with the
 * variance divided by n, as other arenas have it: too sure of few numbers.
 */
double mean_los_normal(const struct moments *moments);

/*
 * Quantile of Student's t with `freedom` >= 1 degrees, 0 < p < 1; to about
 * 1e-13 of itself.
 */
double student_quantile(double p, double freedom);

/*
 * Distribution function of Student's t with `freedom` >= 1 degrees, infinite
 * ones too: then it is the normal one.
 */
double student_distribution(double t, double freedom);

/* Quantile of the normal distribution, 0 < p < 1; to 1e-15. */
double normal_quantile(double p);

/* Distribution function of the normal distribution. */
double normal_distribution(double x);

#endif
