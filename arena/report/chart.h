/*
 * Charts as inline SVG, drawn with the classes of report.css.
 *
 * A chart has a title and a description for screen readers.  Below it a table,
 * which is closed at first, has its numbers.
 */
#ifndef CHART_H
#define CHART_H

#include "estimate.h"
#include "html.h"

enum { CHART_LEVELS = 4 }; /* strengths of a colour, on each side of 0 */

/* The texts of every chart; `id` is unique on the page. */
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
	bool small; /* for several charts side by side */
	const char *x_title, *y_title;
	const struct chart_series *series;
	int series_count;
	const struct chart_mark *bounds; /* horizontal lines */
	int bound_count;
};

void chart_lines(struct html *html, const struct chart_lines *lines);

/* A histogram: bin i begins at low + i * width. */
struct chart_histogram {
	struct chart chart;
	const char *x_title;
	double low, width;
	const int64_t *bins;
	int bin_count;
	/* The range of the axis, which has all bins; 0, 0: that of the bins. */
	double axis_low, axis_high;
	const struct chart_mark *marks; /* of the x axis; NULL: round numbers */
	int mark_count;
	/* Formats a value of the table; NULL: with 2 digits. */
	struct number (*format)(double value);
};

void chart_histogram(
    struct html *html, const struct chart_histogram *histogram);

/*
 * Bars to both sides of 0, with a row of bars for each name.  If there are many
 * rows, only the first are drawn; the table has all.
 */
struct chart_bars {
	struct chart chart;
	const char *const *rows, *const *columns; /* names */
	int row_count, column_count;
	const double *values; /* [row * column_count + column]; NAN: none */
};

void chart_bars(struct html *html, const struct chart_bars *bars);

/*
 * A square of `count` times `count` colours.  The caller writes the table,
 * which has more numbers.
 */
struct chart_heat {
	struct chart chart;
	const char *const *names;
	int count;
	const double *values; /* [row * count + column]; NAN: none */
	double limit;         /* the value of the strongest colour */
};

void chart_heat(struct html *html, const struct chart_heat *heat);

/* A match of a bracket. */
struct chart_match {
	const char *label; /* the result */
	int winner, loser; /* indices of names */
	int stage;         /* 0: the final */
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
 * The CSS class of the colour of a value: `n4` .. `n1` for negative values, `z`
 * near 0, `p1` .. `p4`.  The strongest colours are those of -limit and limit.
 */
const char *chart_level(double value, double limit);

/*
 * A small picture of a value and its interval, between -limit and limit, for a
 * cell of a table that also has the numbers.
 */
void chart_interval(
    struct html *html, const struct estimate *estimate, double limit);

#endif
