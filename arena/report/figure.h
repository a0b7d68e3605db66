/*
 * Numbers as people read them.
 *
 * What is not finite is written `unknown`, and what rounds to zero has no sign.
 * The end of an interval that lies beyond its scale is `>10000` or `<-10000`
 * of Elo and `beyond` of points.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "estimate.h"
#include "scopa/text.h"

enum { FIGURE_SIZE = 128 };

/* Appends formatted text; what goes beyond 511 bytes is cut. */
void figure_print(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `+0.512`; or without the plus. */
void figure_signed(struct scopa_text *text, double value, int digits);
void figure_number(struct scopa_text *text, double value, int digits);

/* `+0.512 [+0.478, +0.546]` */
void figure_points(struct scopa_text *text, const struct estimate *points);
void figure_elo(struct scopa_text *text, const struct estimate *elo);

/* `+0.512 +-0.034`: with half the width of the interval. */
void figure_points_half(struct scopa_text *text, const struct estimate *points);
void figure_elo_half(struct scopa_text *text, const struct estimate *elo);

/* `+21.7`, or `>10000` of nothing but wins. */
void figure_elo_value(struct scopa_text *text, double elo);

/* Half the width alone: `0.034`. */
void figure_half(
    struct scopa_text *text, const struct estimate *estimate, int digits);

/* `53.1%` of a share of 0..1. */
void figure_percent(struct scopa_text *text, double share);

/* The same of a probability, which is never told to be certain: `>99.9%`. */
void figure_probability(struct scopa_text *text, double probability);

#endif
