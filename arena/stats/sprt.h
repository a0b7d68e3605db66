/*
 * Sequential tests: may we stop, and what is the verdict.
 *
 * Wald's test of H1 against H0 with the bounds A = ln(beta / (1 - alpha)) and
 * B = ln((1 - beta) / alpha): below A H0 is accepted, above B H1.  The models
 * differ in what H0 and H1 say of the results; their numbers must not be
 * compared with each other, so name the model with every LLR.
 */
#ifndef SPRT_H
#define SPRT_H

#include <stdbool.h>

#include "estimate.h"

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

/* What the hypotheses say. */
enum sprt_model {
	SPRT_MARGIN,     /* mean / sigma of the points of a block */
	SPRT_LOGISTIC,   /* expected score, in logistic Elo (GSPRT) */
	SPRT_NORMALIZED, /* (mean - 1/2) / sigma of the score, in nElo */
	SPRT_BAYESIAN,   /* win and loss rates, in BayesElo, of single games */
	SPRT_BETTING,    /* points of a block, whatever their distribution */
	SPRT_MODEL_COUNT
};

/* In what the bounds are given; sprt_unit_name says it. */
enum sprt_unit {
	SPRT_UNIT_ELO,   /* of the model: nElo, Elo, nElo, BayesElo */
	SPRT_UNIT_POINTS /* points a deal; SPRT_MARGIN and SPRT_BETTING */
};

/*
 * How SPRT_BAYESIAN reads its bounds.  Arenas that call their model by the same
 * name differ; drawelo is estimated from the results in all of them.
 */
enum sprt_reading {
	/* OpenBench: BayesElo; the likelihood of wins, draws and losses. */
	SPRT_READING_OPENBENCH,
	/* cutechess: Elo, that is BayesElo times its scale at 0; half a game
	 * more of each result. */
	SPRT_READING_CUTECHESS,
	/* fastchess: BayesElo, as the expected score that it stands for; then
	 * as SPRT_LOGISTIC. */
	SPRT_READING_FASTCHESS,
	SPRT_READING_COUNT
};

/* Bounds beyond these magnitudes are taken as these. */
#define SPRT_ELO_MAX ESTIMATE_ELO_MAX

struct sprt {
	enum sprt_model model;
	enum sprt_unit unit;
	double low, high;   /* H0 and H1, low < high */
	double alpha, beta; /* errors of the first and second kind, (0, 1/2) */
	int64_t minimum;    /* blocks or games before any decision */
	enum sprt_reading reading; /* of SPRT_BAYESIAN */
	/* Of SPRT_MARGIN: the least step between two margins; 0: as of two
	 * games of one deal, SPRT_STEP_DEFAULT. */
	double step;
};

enum { SPRT_MINIMUM_DEFAULT = 30 };

#define SPRT_STEP_DEFAULT 0.5

/*
 * With fewer blocks in which the bots differed, tests by moments may err more
 * often than alpha and beta say: what is rare may not have been seen.
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
	/* Decided before the LLR reached a bound, as the mean lies beyond both
	 * hypotheses by so many standard errors that no more is needed. */
	bool certain;
	double errors; /* so many; 0 unless `certain` */
	/* Further blocks (games) that it may take, from what was seen, at the
	 * nearer bound of the present drift; 0 after a decision, -1: nothing
	 * can be said. */
	double remaining;
};

/* All of them, in the order of their enums; NULL ends the first two. */
extern const char *const sprt_model_names[];
extern const char *const sprt_reading_names[];
extern const char *const sprt_decision_names[]; /* `continue`, `H0`, `H1` */

/* `points a deal`, `nElo`, `Elo`, `BayesElo`. */
const char *sprt_unit_name(const struct sprt *sprt);

/*
 * The state of the test on what was seen; the function must fit the model:
 * margin takes moments, bayesian takes games, the others games or pairs.
 * Results come in as whole blocks (games), all up to some one of the schedule:
 * in the order of finishing, short games would count more.
 *
 * Margin: LLR = n (t1 - t0) (t - (t0 + t1) / 2) with t = mean / sigma and sigma
 * as sampled, the likelihood of normal numbers; it rises with the mean whatever
 * that is.  `pair` tells that a number of the moments is the mean of a pair of
 * games: nElo of a game then counts with a factor of sqrt 2.  sigma has a floor,
 * see moments_floor; but bots without any difference are no information, LLR 0.
 *
 * Between hypotheses that lie close together the LLR takes some 3 / (t1 - t0) /
 * t blocks however far the mean is from both.  So from the minimum on a mean
 * decides, too, that lies beyond both by more standard errors than a thousandth
 * of alpha or beta allows at any look: (1 + 1/n) ln((n + 1) / a^2) is what the
 * square of a normal walk stays below for ever with 1 - a (Robbins 1970), and
 * Student's t has the tail of that at each n.
 *
 * Logistic and normalised: generalised, the most likely distribution under each
 * hypothesis (the same, 1.1 and 4.1); results that were not seen count 1e-3.
 *
 * Bayesian: see sprt_reading; wins and losses that were not seen count 1e-3.
 *
 * Betting: see struct betting and sprt_betting.
 */
struct sprt_state sprt_moments(
    const struct sprt *sprt, const struct moments *margins, bool pair);
struct sprt_state sprt_counts(
    const struct sprt *sprt, struct score_counts results);

/*
 * Bets against both hypotheses (struct betting), which were made between the bounds
 * of the test: the bound of H1 is -ln alpha and that of H0 ln beta, and the LLR
 * the logarithm of what was won: against H0, or with a minus against H1,
 * whichever is nearer to its bound.
 */
struct sprt_state sprt_betting(
    const struct sprt *sprt, const struct betting *betting);

/*
 * n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)), as other programs have the LLR of
 * margins (Van den Bergh, "Comments on normalized Elo", 4.2): for comparison.
 * It fits sigma anew under each hypothesis and falls again as the margin grows,
 * so that it would never reject a bot that loses everything.
 */
double sprt_closed_form(
    const struct sprt *sprt, const struct moments *margins, bool pair);

/*
 * The median-unbiased estimate after the test of these results has stopped
 * (stagewise.h): of the margin in points; of the score in logistic Elo, for the
 * models logistic and normalised.  A test that stopped at its first look is one
 * of a fixed number: then it is the plain estimate.
 */
struct estimate sprt_moments_estimate(const struct sprt *sprt,
    const struct moments *margins, bool pair, double level);
struct estimate sprt_counts_estimate(
    const struct sprt *sprt, struct score_counts results, double level);

/*
 * How well a hypothesis on a distribution can explain what was seen.
 *
 * What was seen are numbers and their frequencies.  Of all distributions on the
 * same numbers for which the hypothesis holds, one makes what was seen most
 * likely; the divergence is what it falls short of the frequencies themselves:
 * min over p of sum q ln(q / p), per observation, 0 or more.  A generalised log
 * likelihood ratio of n observations is n times the difference of two
 * divergences: of H0 less of H1.
 *
 * Theory: Van den Bergh, "Comments on normalized Elo" (normalized_elo_practical
 * .pdf, sections 1 and 4); Owen, "Empirical likelihood", 2001.
 */

enum { LIKELIHOOD_VALUES_MAX = 64 };

struct likelihood {
	int count;
	/* As differences from the reference; some below 0, and some above. */
	double values[LIKELIHOOD_VALUES_MAX];
	/* All above 0; their sum is 1. */
	double frequencies[LIKELIHOOD_VALUES_MAX];
};

/* Of the hypothesis that the mean is 0, the reference. */
double likelihood_mean_divergence(const struct likelihood *likelihood);

/* Of the hypothesis that mean / sigma is t, any number. */
double likelihood_t_divergence(const struct likelihood *likelihood, double t);

#endif
