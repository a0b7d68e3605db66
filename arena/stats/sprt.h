/*
 * Sequential tests: whether a test may stop, and its decision.
 *
 * Wald's test of H1 against H0 with the bounds A = ln(beta / (1 - alpha)) and B
 * = ln((1 - beta) / alpha).  Below A, H0 is accepted; above B, H1 is accepted.
 * The models differ in what H0 and H1 say of the results.  LLRs of different
 * models cannot be compared, so every report of an LLR names its model.
 */
#ifndef SPRT_H
#define SPRT_H

#include <stdbool.h>

#include "estimate.h"

/*
 * A sequential test of a mean of bounded numbers.  It holds for every
 * distribution and at every look.
 *
 * There are two bettors, each with one unit.  The first bets against H0 (the
 * mean is at most `low`), the second against H1 (the mean is at least `high`).
 * Each number multiplies the capital of the first bettor by 1 + fraction
 * (number - low).  The fraction is chosen before the number is known, and so
 * small that the capital stays above 0.  Under H0 such a bet is fair or bad,
 * and the probability that the capital ever exceeds 1 / alpha is at most alpha
 * (Ville 1939).  Waudby-Smith and Ramdas, "Estimating means of bounded random
 * variables by betting", 2024.
 *
 * Half of the unit is bet as would be best if the other hypothesis were exactly
 * true, and half as would be best at the mean so far.  Both use the variance so
 * far.
 */

enum {
	BETTING_FRACTIONS = 2
}; /* at the other hypothesis; at the mean so far */

struct betting {
	double low, high; /* -limit < low < high < limit */
	double limit;     /* greatest magnitude of a number */
	struct moments seen;
	/*
	 * Logarithms of the capital against H0 and against H1, one for each
	 * fraction, as if the whole unit were bet with that fraction.
	 */
	double up[BETTING_FRACTIONS], down[BETTING_FRACTIONS];
};

struct betting betting_start(double low, double high, double limit);

/* Adds the next number.  A number beyond the limit counts as the limit. */
void betting_add(struct betting *betting, double number);

/*
 * The logarithm of the capital against H0 (betting->up) or against H1
 * (betting->down): that of the mean of the exponentials of `logs`.
 */
double betting_log(const double logs[BETTING_FRACTIONS]);

/* What the hypotheses are about. */
enum sprt_model {
	SPRT_MARGIN,     /* mean / sigma of the points of a block */
	SPRT_LOGISTIC,   /* expected score, in logistic Elo (GSPRT) */
	SPRT_NORMALIZED, /* (mean - 1/2) / sigma of the score, in nElo */
	SPRT_BAYESIAN,   /* win and loss rates, in BayesElo, of single games */
	SPRT_BETTING,    /* points of a block, whatever their distribution */
	SPRT_MODEL_COUNT
};

/* The unit of the bounds; sprt_unit_name gives its name. */
enum sprt_unit {
	/* Unit of the model: nElo, Elo, nElo, BayesElo, points a deal. */
	SPRT_UNIT_ELO,
	SPRT_UNIT_POINTS /* points a deal; only SPRT_MARGIN and SPRT_BETTING */
};

/*
 * How SPRT_BAYESIAN reads its bounds.  Other arenas use the same name for
 * different models.  All of them estimate drawelo from the results.
 */
enum sprt_reading {
	/*
	 * OpenBench: the bounds are BayesElo; the likelihood of wins, draws and
	 * losses is used.
	 */
	SPRT_READING_OPENBENCH,
	/*
	 * cutechess: the bounds are Elo, which is BayesElo times its scale at
	 * 0.  Half a game is added to the wins, the draws and the losses.
	 */
	SPRT_READING_CUTECHESS,
	/*
	 * fastchess: the bounds are BayesElo and are converted to expected
	 * scores; then the test is that of SPRT_LOGISTIC.
	 */
	SPRT_READING_FASTCHESS,
	SPRT_READING_COUNT
};

/* Bounds beyond +-SPRT_ELO_MAX are clamped to it. */
#define SPRT_ELO_MAX ESTIMATE_ELO_MAX

struct sprt {
	enum sprt_model model;
	enum sprt_unit unit;
	double low, high; /* H0 and H1; low < high */
	/* Errors of the first and second kind, in (0, 1/2). */
	double alpha, beta;
	int64_t minimum;           /* blocks or games before any decision */
	enum sprt_reading reading; /* only for SPRT_BAYESIAN */
	/*
	 * Only for SPRT_MARGIN: the least difference of two unequal margins.
	 * 0: SPRT_STEP_DEFAULT, that of the mean of two games of one deal.
	 */
	double step;
};

enum { SPRT_MINIMUM_DEFAULT = 30 };

#define SPRT_STEP_DEFAULT 0.5

/*
 * If the bots differed in fewer blocks than this, tests by moments may err more
 * often than alpha and beta say, because rare results may not have been seen
 * yet.
 */
enum { SPRT_DIFFERING_MIN = 30 };

enum sprt_decision {
	SPRT_CONTINUE,
	SPRT_ACCEPT_H0, /* not better by `high`: a regression gate fails */
	SPRT_ACCEPT_H1,
	SPRT_DECISION_COUNT
};

struct sprt_state {
	double llr; /* always finite */
	double lower, upper;
	enum sprt_decision decision;
	/*
	 * The decision came before the LLR reached a bound: the mean is beyond
	 * both hypotheses by so many standard errors that no further result is
	 * needed.
	 */
	bool certain;
	double errors; /* that number of standard errors; 0 unless `certain` */
	/*
	 * Estimate of the further blocks (games) until the bound in the
	 * direction of the present drift is reached.  0 after a decision; -1:
	 * unknown.
	 */
	double remaining;
};

/* Names, in the order of the enums.  NULL ends the first two tables. */
extern const char *const sprt_model_names[];
extern const char *const sprt_reading_names[];
extern const char *const sprt_decision_names[]; /* `continue`, `H0`, `H1` */

/*
 * The name of the unit of the bounds: `points a deal`, `nElo`, `Elo` or
 * `BayesElo`.
 */
const char *sprt_unit_name(const struct sprt *sprt);

/*
 * The state of the test for the results so far.  The function must fit the
 * model: sprt_moments for margin; sprt_counts with games for bayesian, with
 * games or pairs for logistic and normalised.  Results must be added as whole
 * blocks (games), and all of them up to one place of the schedule.  Otherwise
 * short games, which end earlier, would count more.
 *
 * Margin: LLR = n (t1 - t0) (t - (t0 + t1) / 2) with t = mean / sigma, where
 * sigma is the sample's.  This is the likelihood of normal numbers, and it
 * always grows with the mean.  `pair` means that a number of the moments is the
 * mean of a pair of games; nElo of a game is then scaled by sqrt 2. sigma has a
 * minimum, see moments_floor.  Bots that never differed give no information:
 * LLR 0.
 *
 * If the hypotheses are close together, the LLR takes about 3 / (t1 - t0) / t
 * blocks, even if the mean is far from both.  So from the minimum number on, a
 * mean beyond both hypotheses can decide, too.  It must be beyond them by more
 * standard errors than a thousandth of alpha or beta allows at any look: the
 * square of a normal walk stays below (1 + 1/n) ln((n + 1) / a^2) for ever with
 * probability 1 - a (Robbins 1970).  At each n the tail of Student's t must not
 * be larger than the normal tail of this bound.
 *
 * Logistic and normalised: the generalised likelihood ratio, with the most
 * likely distribution under each hypothesis (Van den Bergh, see struct
 * likelihood, 1.1 and 4.1).  A result that was not seen counts 1e-3.
 *
 * Bayesian: see sprt_reading.  Wins or losses that were not seen count 1e-3.
 *
 * Betting: see struct betting and sprt_betting.
 */
struct sprt_state sprt_moments(
    const struct sprt *sprt, const struct moments *margins, bool pair);
struct sprt_state sprt_counts(
    const struct sprt *sprt, struct score_counts results);

/*
 * The state of a test by bets against both hypotheses (struct betting).  The
 * bets must have been made with the bounds of the test.  The LLR bound of H1 is
 * -ln alpha, and that of H0 is ln beta.  The LLR is the logarithm of the
 * capital against H0, or minus that against H1; the one that is nearer to its
 * bound counts.
 */
struct sprt_state sprt_betting(
    const struct sprt *sprt, const struct betting *betting);

/*
 * The LLR of margins as other programs compute it, for comparison: n/2 ln((1 +
 * (t - t0)^2) / (1 + (t - t1)^2)) (Van den Bergh, "Comments on normalized Elo",
 * 4.2).  It estimates sigma again under each hypothesis and decreases if the
 * margin becomes very large.  So it would never reject a bot that loses
 * everything.
 */
double sprt_closed_form(
    const struct sprt *sprt, const struct moments *margins, bool pair);

/*
 * The median-unbiased estimate after the test of these results has stopped (in
 * the stagewise ordering, see below): of the margin in points, or of the score
 * in logistic Elo for the models logistic and normalised.  If the test of
 * margins stopped at its first look, the number of blocks was fixed, and the
 * plain estimate is returned.
 */
struct estimate sprt_moments_estimate(const struct sprt *sprt,
    const struct moments *margins, bool pair, double level);
struct estimate sprt_betting_estimate(
    const struct sprt *sprt, const struct betting *betting, double level);
struct estimate sprt_counts_estimate(
    const struct sprt *sprt, struct score_counts results, double level);

/*
 * The divergence of a hypothesis on a distribution from the numbers that were
 * seen.
 *
 * Given are the numbers and their frequencies.  Of all distributions on the
 * same numbers for which the hypothesis holds, one makes the frequencies most
 * likely.  The divergence is the log likelihood per observation that this
 * distribution lacks: min over p of sum q ln(q / p), 0 or more.  A generalised
 * log likelihood ratio of n observations is n times the difference of two
 * divergences: that of H0 less that of H1.
 *
 * Theory: Van den Bergh, "Comments on normalized Elo" (normalized_elo_practical
 * .pdf, sections 1 and 4); Owen, "Empirical likelihood", 2001.
 */

enum { LIKELIHOOD_VALUES_MAX = 64 };

struct likelihood {
	int count;
	/* Differences from the reference; some are below 0 and some above. */
	double values[LIKELIHOOD_VALUES_MAX];
	/* All are above 0; their sum is 1. */
	double frequencies[LIKELIHOOD_VALUES_MAX];
};

/* The divergence of the hypothesis that the mean is 0, the reference. */
double likelihood_mean_divergence(const struct likelihood *likelihood);

/* The divergence of the hypothesis that mean / sigma is t, any number. */
double likelihood_t_divergence(const struct likelihood *likelihood, double t);

/*
 * Estimates after a sequential test, in the stagewise ordering.
 *
 * A test that stops at a bound stops at an extreme value.  So the plain mean of
 * the results is too far from the middle, and its interval is too narrow.  The
 * stagewise ordering (Siegmund 1978; fishtest uses it for its sequential Elo)
 * says which outcomes are worse than the one that was seen.  An outcome is
 * worse if it reached the lower bound at an earlier time, or if it has not yet
 * reached the upper bound at this time.  The estimate is the true value under
 * which a worse outcome has a given probability; for the median-unbiased
 * estimate this is 1/2.
 *
 * The LLR is modelled as a Brownian motion between two bounds, which apply from
 * the first look on.
 */

/*
 * The mean change of the LLR by one observation, and the variance of this
 * change, above 0.
 */
struct stagewise_walk {
	double drift, variance;
};

/*
 * The probability of an outcome that is worse than an end at `time` > 0 with
 * the LLR at `llr`, between the bounds or at one of them.  The bounds apply
 * from the beginning.
 */
double stagewise_worse(struct stagewise_walk walk, double lower, double upper,
    double time, double llr);

#endif
