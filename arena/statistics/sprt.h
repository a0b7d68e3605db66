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

struct sprt {
	enum sprt_model model;
	enum sprt_unit unit;
	double low, high;   /* H0 and H1, low < high */
	double alpha, beta; /* errors of the first and second kind, (0, 1/2) */
	int64_t minimum;    /* blocks or games before any decision */
};

enum { SPRT_MINIMUM_DEFAULT = 30 };

enum sprt_decision {
	SPRT_CONTINUE,
	SPRT_ACCEPT_H0, /* not better by `high`: a regression gate fails */
	SPRT_ACCEPT_H1
};

struct sprt_state {
	double llr; /* always finite */
	double lower, upper;
	enum sprt_decision decision;
	/* Further blocks (games) that it may take, from what was seen, at the
	 * nearer bound of the present drift; -1: nothing can be said. */
	double remaining;
};

/* `margin`, ...; `accept H0`, ... for JSON `H0`, `H1`, `continue`. */
const char *sprt_model_name(enum sprt_model model);
bool sprt_model_find(const char *name, enum sprt_model *model);
const char *sprt_decision_name(enum sprt_decision decision);

/* `points a deal`, `nElo`, `Elo`, `BayesElo`. */
const char *sprt_unit_name(const struct sprt *sprt);

/*
 * The state of the test on what was seen; the function must fit the model:
 * margin takes moments, bayesian takes games, the others games or pairs.
 * `pair` tells that a number of the moments is the mean of a pair of games:
 * nElo of a game then counts with a factor of sqrt 2.
 */
struct sprt_state sprt_moments(
    const struct sprt *sprt, const struct moments *margins, bool pair);
struct sprt_state sprt_trinomial(
    const struct sprt *sprt, const struct trinomial *results);
struct sprt_state sprt_pentanomial(
    const struct sprt *sprt, const struct pentanomial *results);

#endif
