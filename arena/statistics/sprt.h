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

/* What the hypotheses say. */
enum sprt_model {
	SPRT_MARGIN,     /* mean / sigma of the points of a block */
	SPRT_LOGISTIC,   /* expected score, in logistic Elo (GSPRT) */
	SPRT_NORMALIZED, /* (mean - 1/2) / sigma of the score, in nElo */
	SPRT_BAYESIAN,   /* win and loss rates, in BayesElo, of single games */
	SPRT_MODEL_COUNT
};

/* In what the bounds are given; sprt_unit_name says it. */
enum sprt_unit {
	SPRT_UNIT_ELO,   /* of the model: nElo, Elo, nElo, BayesElo */
	SPRT_UNIT_POINTS /* points a deal; SPRT_MARGIN alone */
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
};

enum { SPRT_MINIMUM_DEFAULT = 30 };

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
	/* Further blocks (games) that it may take, from what was seen, at the
	 * nearer bound of the present drift; 0 after a decision, -1: nothing
	 * can be said. */
	double remaining;
};

/* `margin`, `logistic`, `normalized`, `bayesian`. */
const char *sprt_model_name(enum sprt_model model);

/* `openbench`, `cutechess`, `fastchess`. */
const char *sprt_reading_name(enum sprt_reading reading);

/* All of them, in the order of their enums; NULL ends them. */
extern const char *const sprt_model_names[];
extern const char *const sprt_reading_names[];

/* `H0`, `H1`, `continue`. */
const char *sprt_decision_name(enum sprt_decision decision);

/* `points a deal`, `nElo`, `Elo`, `BayesElo`. */
const char *sprt_unit_name(const struct sprt *sprt);

/*
 * The state of the test on what was seen; the function must fit the model:
 * margin takes moments, bayesian takes games, the others games or pairs.
 * Results come in as whole blocks (games), all up to some one of the schedule:
 * in the order of finishing, short games would count more.
 *
 * Margin: LLR = n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)) with t = mean /
 * sigma (Van den Bergh, "Comments on normalized Elo", 4.2).  It agrees with the
 * exact one of that hypothesis within 2 percent from n = 200, while t is not
 * far from the bounds; where t is great or margins are very skew it can differ
 * by a tenth.  `pair` tells that a number of the moments is the mean of a pair
 * of games: nElo of a game then counts with a factor of sqrt 2.  sigma = 0 is
 * no information: LLR 0.
 *
 * Logistic and normalised: generalised, the most likely distribution under each
 * hypothesis (the same, 1.1 and 4.1); results that were not seen count 1e-3.
 *
 * Bayesian: see sprt_reading; wins and losses that were not seen count 1e-3.
 */
struct sprt_state sprt_moments(
    const struct sprt *sprt, const struct moments *margins, bool pair);
struct sprt_state sprt_trinomial(
    const struct sprt *sprt, const struct trinomial *results);
struct sprt_state sprt_pentanomial(
    const struct sprt *sprt, const struct pentanomial *results);

#endif
