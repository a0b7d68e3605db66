/*
 * Charts as inline SVG, drawn with the classes of report.css.
 *
 * Each has a title and a description for people who do not see it, and below it
 * its numbers as a table, which is closed at first.
 */
#ifndef CHART_H
#define CHART_H

#include "estimate.h"
#include "html.h"

enum { CHART_LEVELS = 4 }; /* of colour, to each side */

/* What every chart has; `id` is unique on the page. */
struct chart {
	const char *id, *title, *description;
};

/* A label of an axis, or of a horizontal line. */
struct chart_mark {
	double at;
	const char *label;
};

/* A curve; points whose y is NAN are left out. */
struct chart_series {
	const char *name; /* NULL: not written */
	const double *x, *y;
	int count;
};

/* Curves over the same axes, at the same values of x. */
struct chart_lines {
	struct chart chart;
	bool small; /* to stand beside others */
	const char *x_title, *y_title;
	const struct chart_series *series;
	int series_count;
	const struct chart_mark *bounds; /* horizontal lines */
	int bound_count;
};

void chart_lines(struct html *html, const struct chart_lines *lines);

/* How often values of each bin came; bin i begins at low + i * width. */
struct chart_histogram {
	struct chart chart;
	const char *x_title;
	double low, width;
	const int64_t *bins;
	int bin_count;
	/* The range of the axis, which the bins lie in; 0, 0: theirs. */
	double axis_low, axis_high;
	const struct chart_mark *marks; /* of the x axis; NULL: round numbers */
	int mark_count;
	/* A value as text, for the table; NULL: with 2 digits. */
	struct number (*format)(double value);
};

void chart_histogram(
    struct html *html, const struct chart_histogram *histogram);

/*
 * Bars to both sides of 0, a row of them for each name; of many only the first
 * are drawn, and the table has the rest.
 */
struct chart_bars {
	struct chart chart;
	const char *const *rows, *const *columns; /* names */
	int row_count, column_count;
	const double *values; /* [row * column_count + column]; NAN: none */
	int digits;
};

void chart_bars(struct html *html, const struct chart_bars *bars);

/*
 * Squares in colours, of `count` against `count`.  The caller writes the table:
 * it has more to say of each two.
 */
struct chart_heat {
	struct chart chart;
	const char *const *names;
	int count;
	const double *values; /* [row * count + column]; NAN: none */
	double limit;         /* the value of the strongest colour */
};

void chart_heat(struct html *html, const struct chart_heat *heat);

/* A match of a bracket: who won it, and who lost; stage 0 is the final. */
struct chart_match {
	const char *label; /* of the result */
	int winner, loser, stage;
};

/* A bracket whose final is decided; the caller writes the table. */
struct chart_bracket {
	struct chart chart;
	const char *const *names;
	const struct chart_match *matches;
	int match_count, winner, stage_count;
};

void chart_bracket(struct html *html, const struct chart_bracket *bracket);

/*
 * The class of a value in colours: `n4` .. `n1`, `z`, `p1` .. `p4`; of 0 and
 * what is nearly that it is `z`.
 */
const char *chart_level(double value, double limit);

/*
 * A value with its interval between -limit and limit, as a small picture in a
 * cell of a table that has the numbers, too.
 */
void chart_interval(
    struct html *html, const struct estimate *estimate, double limit);

#endif
