/*
 * Multinomial logistic regression: weights under which a softmax over features
 * comes closest to what the teacher says.
 *
 * Newton's method on the mean log-likelihood less a small square of all
 * weights, which also decides among weights that make no difference.  The
 * function is concave, so there is one answer, and the same lessons give the
 * same weights.
 */
#ifndef SCOPA_TUNE_LOGIT_H
#define SCOPA_TUNE_LOGIT_H

#include "lesson.h"

/* What a table of weights is worth on some lessons, a position on average. */
struct logit_report {
	size_t count;      /* positions */
	double likelihood; /* mean of sum target * ln probability, in nats */
	double ceiling;    /* the same for the teacher himself */
	double agreement;  /* share where the likeliest move is the teacher's */
};

/*
 * Fits the weights of one family and phase, from those that are there, to the
 * lessons that are not held out.  `ridge` is the price of a squared weight, a
 * position.  Without any lesson the weights are left alone.
 */
void logit_fit(const struct lessons *lessons, enum policy_family family,
    int phase, double ridge, struct policy_table *table);

/* Judges the weights by the lessons of a family that were held out. */
struct logit_report logit_judge(const struct lessons *lessons,
    enum policy_family family, int phase, const struct policy_table *table);

#endif
