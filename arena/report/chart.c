/*
 * Implements chart.h.  Lengths are in pixels of the page; y grows downwards.
 */
#include "chart.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "countof.h"
#include "text_format.h"

enum {
	TABLE_ROWS = 40, /* at most, below a picture of curves */
	WIDTH = 640,
	HEIGHT = 280,
	LEFT = 56, /* beside the axes: space for numbers */
	RIGHT = 96,
	TOP = 28,
	BOTTOM = 44,
	LETTER = 7, /* the width of a wide letter */
	ROW = 22,   /* the height of a row of bars */
	NAME_LETTERS = 22,
	BAR_WIDTH = 36, /* of the longest bar, on one side of 0 */
	VALUE_WIDTH = 44,
	BAR_ROWS = 20,  /* at most are drawn */
	BAR_DIGITS = 2, /* after the point; one more in the table */
	HEAT_WIDTH = 920,
	HEAT_NAMES_MAX = 50,
	SERIES_STYLES = 6,
	SMALL_WIDTH = 420,
	SMALL_HEIGHT = 170
};

/* A range of values along a range of pixels. */
struct scale {
	double low, high, from, to;
};

static double
scale_at(const struct scale *scale, double value)
{
	double share = (value - scale->low) / (scale->high - scale->low);

	return scale->from + share * (scale->to - scale->from);
}

/* Returns a round step that divides the range into about `count` parts. */
static double
step_of(const struct scale *scale, int count)
{
	static const double rounds[] = { 1, 2, 5, 10 };
	double step = (scale->high - scale->low) / count;
	double power = pow(10, floor(log10(step)));
	size_t i = 0;

	while (rounds[i] * power < step * (1 - 1e-9) && i < COUNTOF(rounds) - 1)
		i++;
	return rounds[i] * power;
}

/* Returns how many digits after the point the multiples of a step need. */
static int
digits_of(double step)
{
	int digits = (int)-floor(log10(step) + 1e-9);

	return digits < 0 ? 0 : digits > 6 ? 6 : digits;
}

static void
chart_begin(
    struct html *html, const struct chart *chart, double width, double height)
{
	html_begin(html, "figure");
	html_wide_begin(html, chart->title);
	html_begin(html, "svg.chart");
	html_numbers(html, "width='%.0f' height='%.0f'", width, height);
	html_numbers(html, "viewBox='0 0 %.0f %.0f' role='img'", width, height);
	html_attribute(
	    html, "aria-labelledby", "%s-t %s-d", chart->id, chart->id);
	html_begin(html, "title");
	html_attribute(html, "id", "%s-t", chart->id);
	html_text(html, "%s", chart->title);
	html_end(html, "title");
	html_begin(html, "desc");
	html_attribute(html, "id", "%s-d", chart->id);
	html_text(html, "%s", chart->description);
	html_end(html, "desc");
}

/* Ends the picture; the table may follow. */
static void
chart_end(struct html *html)
{
	html_end(html, "svg");
	html_end(html, "div");
}

/* Begins the table below a chart. */
static void
numbers_begin(
    struct html *html, const struct chart *chart, const char *headings)
{
	html_details_begin(html, "%s as a table", chart->title);
	html_table_begin(html, chart->title, headings, false);
}

static struct number
number_or_none(double value, int digits)
{
	return isfinite(value) ? number_fixed(value, digits)
			       : (struct number){ "" };
}

static void
numbers_end(struct html *html)
{
	html_table_end(html);
	html_end(html, "details");
	html_end(html, "figure");
}

/* Where text is in relation to its point. */
enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* Draws text at a place.  Its class is `label`, `value` or `title`. */
static void
put_text(struct html *html, const char *class, enum anchor anchor, double x,
    double y, const char *text)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	html_begin(html, "text");
	html_attribute(html, "class", "%s", class);
	html_numbers(html, "x='%.1f' y='%.1f'", x, y);
	if (anchor != ANCHOR_START)
		html_attribute(html, "text-anchor", "%s", anchors[anchor]);
	html_text(html, "%s", text);
	html_end(html, "text");
}

static void
put_line(struct html *html, const char *element, double x1, double x2,
    double y1, double y2)
{
	html_shape(html, element, "x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'", x1,
	    x2, y1, y2);
}

/* Draws a name, and of a long one only its first letters. */
static void
put_name(
    struct html *html, double x, double y, const char *name, int letters_max)
{
	struct scopa_text text = SCOPA_TEXT(TEXT_CELL_SIZE);

	text_sanitize(&text, name);
	text.bytes[text_at(text.bytes, letters_max) - text.bytes] = '\0';
	put_text(html, "value", ANCHOR_START, x, y, text.bytes);
}

/* Returns the width of the longest name as it is drawn. */
static int
names_width(const char *const *names, int count)
{
	int letters = 0;

	for (int i = 0; i < count; i++)
		letters = text_width(names[i]) > letters ? text_width(names[i])
							 : letters;
	return LETTER * (letters < NAME_LETTERS ? letters : NAME_LETTERS) +
	    LETTER;
}

/* Draws horizontal lines with numbers, at round values of y. */
static void
put_y_axis(struct html *html, const struct scale *x, const struct scale *y)
{
	double step = step_of(y, 5);

	for (double at = ceil(y->low / step) * step; at <= y->high + step / 1e6;
	     at += step) {
		double height = scale_at(y, at);

		put_line(html, "line.grid", x->from, x->to, height, height);
		put_text(html, "label", ANCHOR_END, x->from - 8, height + 4,
		    number_typeset(number_fixed(at, digits_of(step))).text);
	}
}

/* Draws the axis of x with the marks of the caller, or with round numbers. */
static void
put_x_axis(struct html *html, const struct scale *x, double y,
    const struct chart_mark *marks, int mark_count)
{
	double step = step_of(x, 6);

	put_line(html, "line.axis", x->from, x->to, y, y);
	for (int i = 0; i < mark_count; i++)
		if (marks[i].at <= x->high)
			put_text(html, "label", ANCHOR_MIDDLE,
			    scale_at(x, marks[i].at), y + 18, marks[i].label);
	if (mark_count > 0)
		return;
	for (double at = ceil(x->low / step) * step; at <= x->high + step / 1e6;
	     at += step)
		put_text(html, "label", ANCHOR_MIDDLE, scale_at(x, at), y + 18,
		    number_typeset(number_fixed(at, digits_of(step))).text);
}

static void
widen(struct scale *scale, double value)
{
	scale->low = fmin(scale->low, value);
	scale->high = fmax(scale->high, value);
}

/* Widens the range if it is empty or not finite. */
static void
scale_finish(struct scale *scale)
{
	if (!(scale->low <= scale->high)) {
		scale->low = 0;
		scale->high = 1;
	}
	/* If all values are equal, their line is in the middle. */
	if (!(scale->high - scale->low > 1e-9 * fabs(scale->high))) {
		double half = fmax(1, fabs(scale->low)) / 2;

		scale->low -= half;
		scale->high += half;
	}
}

static void
put_curve(struct html *html, const struct chart_series *series,
    const struct scale *x, const struct scale *y, int style)
{
	bool begun = false;

	html_begin(html, "path.curve");
	html_numbers(html, "data-style='%d' d='", style);
	for (int i = 0; i < series->count; i++) {
		if (!isfinite(series->y[i]))
			continue;
		fprintf(html->file, "%c%.1f %.1f", begun ? 'L' : 'M',
		    scale_at(x, series->x[i]), scale_at(y, series->y[i]));
		begun = true;
	}
	fputc('\'', html->file);
	html_end(html, "path");
}

/* Draws the names at the right ends of the curves, none over another. */
static void
put_curve_names(struct html *html, const struct chart_lines *lines,
    const struct scale *x, const struct scale *y)
{
	double taken[SERIES_STYLES];
	int count = 0;

	for (int i = 0; i < lines->series_count && count < SERIES_STYLES; i++) {
		const struct chart_series *series = &lines->series[i];
		int last = series->count - 1;
		double at;

		while (last >= 0 && !isfinite(series->y[last]))
			last--;
		if (series->name == NULL || last < 0)
			continue;
		at = scale_at(y, series->y[last]) + 4;
		for (int j = 0; j < count; j++)
			if (fabs(at - taken[j]) < 14) {
				at = taken[j] + 14;
				j = -1;
			}
		taken[count++] = at;
		put_name(html, scale_at(x, series->x[last]) + 8, at,
		    series->name, (RIGHT - 8) / LETTER);
	}
}

/* Returns whether any curve has a value at this place. */
static bool
any_at(const struct chart_lines *lines, int point)
{
	for (int i = 0; i < lines->series_count; i++)
		if (isfinite(lines->series[i].y[point]))
			return true;
	return false;
}

static void
put_curve_table(struct html *html, const struct chart_lines *lines)
{
	int count = lines->series[0].count;
	int step = 1 + (count - 1) / TABLE_ROWS;

	numbers_begin(html, &lines->chart, lines->x_title);
	for (int i = 0; i < lines->series_count; i++)
		html_table_heading(html,
		    lines->series[i].name != NULL ? lines->series[i].name
						  : lines->y_title);
	/* The first row is chosen so that the last place gets a row. */
	for (int row = (count - 1) % step; row < count; row += step) {
		if (!any_at(lines, row))
			continue;
		html_table_row(html);
		html_table_number(
		    html, number_fixed(lines->series[0].x[row], 0));
		for (int i = 0; i < lines->series_count; i++)
			html_table_number(
			    html, number_or_none(lines->series[i].y[row], 3));
	}
	numbers_end(html);
}

void
chart_lines(struct html *html, const struct chart_lines *lines)
{
	int width = lines->small ? SMALL_WIDTH : WIDTH;
	int height = lines->small ? SMALL_HEIGHT : HEIGHT;
	struct scale x = { HUGE_VAL, -HUGE_VAL, LEFT, width - RIGHT };
	struct scale y = { HUGE_VAL, -HUGE_VAL, height - BOTTOM, TOP };

	for (int i = 0; i < lines->series_count; i++) {
		for (int j = 0; j < lines->series[i].count; j++) {
			if (!isfinite(lines->series[i].y[j]))
				continue;
			widen(&x, lines->series[i].x[j]);
			widen(&y, lines->series[i].y[j]);
		}
	}
	for (int i = 0; i < lines->bound_count; i++)
		widen(&y, lines->bounds[i].at);
	scale_finish(&x);
	scale_finish(&y);
	chart_begin(html, &lines->chart, width, height);
	put_text(html, "label", ANCHOR_START, 0, 12, lines->y_title);
	put_y_axis(html, &x, &y);
	put_x_axis(html, &x, y.from, NULL, 0);
	put_text(html, "label", ANCHOR_END, x.to, height - 6, lines->x_title);
	for (int i = 0; i < lines->bound_count; i++) {
		double at = scale_at(&y, lines->bounds[i].at);

		put_line(html, "line.bound", x.from, x.to, at, at);
		put_text(html, "label", ANCHOR_START, x.to + 8, at + 4,
		    lines->bounds[i].label);
	}
	for (int i = 0; i < lines->series_count; i++)
		put_curve(html, &lines->series[i], &x, &y, i % SERIES_STYLES);
	put_curve_names(html, lines, &x, &y);
	chart_end(html);
	put_curve_table(html, lines);
}

static struct number
two_digits(double value)
{
	return number_fixed(value, 2);
}

static void
put_bin_table(struct html *html, const struct chart_histogram *histogram)
{
	struct number (*format)(double value) =
	    histogram->format != NULL ? histogram->format : two_digits;

	numbers_begin(html, &histogram->chart, "from|to|number");
	for (int i = 0; i < histogram->bin_count; i++) {
		double from = histogram->low + i * histogram->width;

		if (histogram->bins[i] == 0)
			continue;
		html_table_row(html);
		html_table_number(html, format(from));
		html_table_number(html, format(from + histogram->width));
		html_table_count(html, histogram->bins[i]);
	}
	numbers_end(html);
}

void
chart_histogram(struct html *html, const struct chart_histogram *histogram)
{
	bool given = histogram->axis_low < histogram->axis_high;
	double high = histogram->low + histogram->bin_count * histogram->width;
	struct scale x = { given ? histogram->axis_low : histogram->low,
		given ? histogram->axis_high : high, LEFT, SMALL_WIDTH - 16 };
	struct scale y = { 0, 1, SMALL_HEIGHT - BOTTOM, 12 };

	assert(histogram->bin_count > 0 && histogram->width > 0);
	for (int i = 0; i < histogram->bin_count; i++)
		widen(&y, (double)histogram->bins[i]);
	chart_begin(html, &histogram->chart, SMALL_WIDTH, SMALL_HEIGHT);
	put_y_axis(html, &x, &y);
	html_begin(html, "path.bar");
	html_numbers(html, "d='");
	for (int i = 0; i < histogram->bin_count; i++) {
		double left =
		    scale_at(&x, histogram->low + i * histogram->width);
		double right =
		    scale_at(&x, histogram->low + (i + 1) * histogram->width);
		double top = scale_at(&y, (double)histogram->bins[i]);

		if (histogram->bins[i] > 0)
			fprintf(html->file, "M%.1f %.1fV%.1fH%.1fV%.1fz",
			    left + 0.5, y.from, top, right - 0.5, y.from);
	}
	fputc('\'', html->file);
	html_end(html, "path");
	put_x_axis(html, &x, y.from, histogram->marks, histogram->mark_count);
	put_text(html, "label", ANCHOR_END, x.to, SMALL_HEIGHT - 6,
	    histogram->x_title);
	chart_end(html);
	put_bin_table(html, histogram);
}

/* Draws a bar from the line of 0: to the left if the value is negative. */
static void
put_bar(
    struct html *html, double zero, double y, double length, struct number text)
{
	double left = length < 0 ? zero + length : zero;

	html_shape(html, length < 0 ? "rect.bar.low" : "rect.bar",
	    "x='%.1f' y='%.1f' width='%.1f' height='%d'", left, y - 11,
	    fabs(length), 12);
	put_text(html, "value", length < 0 ? ANCHOR_END : ANCHOR_START,
	    zero + length + (length < 0 ? -4 : 4), y,
	    number_typeset(text).text);
}

static void
put_bar_table(struct html *html, const struct chart_bars *bars)
{
	numbers_begin(html, &bars->chart, "^bot");
	for (int column = 0; column < bars->column_count; column++)
		html_table_heading(html, bars->columns[column]);
	for (int row = 0; row < bars->row_count; row++) {
		html_table_row(html);
		html_table_name(html, bars->rows[row]);
		for (int column = 0; column < bars->column_count; column++) {
			double value =
			    bars->values[row * bars->column_count + column];

			html_table_number(
			    html, number_or_none(value, BAR_DIGITS + 1));
		}
	}
	numbers_end(html);
}

void
chart_bars(struct html *html, const struct chart_bars *bars)
{
	int rows = bars->row_count < BAR_ROWS ? bars->row_count : BAR_ROWS;
	double limit = 0, low = 0;
	int names = names_width(bars->rows, rows);
	double cell, zero, width, height = ROW * (rows + 1) + 8;

	for (int i = 0; i < rows * bars->column_count; i++) {
		if (!isfinite(bars->values[i]))
			continue;
		limit = fmax(limit, fabs(bars->values[i]));
		low = fmin(low, bars->values[i]);
	}
	/* Without negative values the line of 0 is at the left. */
	zero = low < 0 ? BAR_WIDTH + VALUE_WIDTH : 4;
	cell = zero + BAR_WIDTH + VALUE_WIDTH;
	width = names + bars->column_count * cell;
	chart_begin(html, &bars->chart, width, height);
	for (int column = 0; column < bars->column_count; column++) {
		double x = names + column * cell + zero;

		put_text(html, "label", low < 0 ? ANCHOR_MIDDLE : ANCHOR_START,
		    x, 12, bars->columns[column]);
		html_shape(html, "line.axis",
		    "x1='%.1f' x2='%.1f' y1='%d' y2='%.1f'", x, x, ROW - 2,
		    height);
		for (int row = 0; row < rows; row++) {
			double value =
			    bars->values[row * bars->column_count + column];

			if (isfinite(value))
				put_bar(html, x, ROW * (row + 2) - 4,
				    limit > 0 ? BAR_WIDTH * value / limit : 0,
				    low < 0 ? number_signed(value, BAR_DIGITS)
					    : number_fixed(value, BAR_DIGITS));
		}
	}
	for (int row = 0; row < rows; row++)
		put_name(html, 0, ROW * (row + 2) - 4, bars->rows[row],
		    NAME_LETTERS);
	chart_end(html);
	put_bar_table(html, bars);
}

const char *
chart_level(double value, double limit)
{
	static const char *const names[] = { "n4", "n3", "n2", "n1", "z", "p1",
		"p2", "p3", "p4" };
	double level = limit > 0 ? value / limit * (CHART_LEVELS + 0.5) : 0;

	_Static_assert(COUNTOF(names) == 2 * CHART_LEVELS + 1, "one each");
	level = fmax(-CHART_LEVELS, fmin(CHART_LEVELS, round(level)));
	return names[CHART_LEVELS + (int)level];
}

/* Draws all squares of one colour as one path. */
static void
put_squares(struct html *html, const struct chart_heat *heat, int size,
    double left, const char *level)
{
	html_begin(html, "path");
	html_attribute(html, "class", "%s", level);
	html_numbers(html, "d='");
	for (int i = 0; i < heat->count * heat->count; i++) {
		int row = i / heat->count, column = i % heat->count;

		if (isfinite(heat->values[i]) &&
		    strcmp(chart_level(heat->values[i], heat->limit), level) ==
			0)
			fprintf(html->file, "M%.0f %dh%dv%dh-%dz",
			    left + column * size, 20 + row * size, size - 1,
			    size - 1, size - 1);
	}
	fputc('\'', html->file);
	html_end(html, "path");
}

void
chart_heat(struct html *html, const struct chart_heat *heat)
{
	/* With many bots the rows are too low for names. */
	bool names = heat->count <= HEAT_NAMES_MAX;
	double left = 28 + (names ? names_width(heat->names, heat->count) : 0);
	int size = (int)fmax(4, fmin(18, (HEAT_WIDTH - left) / heat->count));

	/* The last number may be wider than its column of squares. */
	chart_begin(html, &heat->chart, left + heat->count * size + LETTER,
	    20 + heat->count * size);
	for (int level = -CHART_LEVELS; level <= CHART_LEVELS; level++)
		put_squares(html, heat, size, left,
		    chart_level(level, CHART_LEVELS + 0.5));
	for (int i = 0; i < heat->count; i++) {
		double y = 20 + (i + 1) * size - size / 4.0;

		if (names)
			put_name(html, 28, y, heat->names[i], NAME_LETTERS);
		if (!names && i % 10 != 9)
			continue;
		put_text(html, "label", ANCHOR_END, 22, y,
		    number_fixed(i + 1, 0).text);
		put_text(html, "label", ANCHOR_MIDDLE,
		    left + i * size + size / 2.0, 14,
		    number_fixed(i + 1, 0).text);
	}
	chart_end(html);
	html_end(html, "figure");
}

/*
 * The bracket is drawn from the final at the right to the left.  The line of a
 * bot comes from the match that it won in the stage before, or from the list of
 * names at the left.
 */
struct bracket_drawing {
	struct html *html;
	const struct chart_bracket *bracket;
	double width; /* of a stage, in pixels */
	int rows;     /* names that the list has so far */
};

static const struct chart_match *
find_match(const struct chart_bracket *bracket, int winner, int stage)
{
	for (int i = 0; i < bracket->match_count; i++)
		if (bracket->matches[i].winner == winner &&
		    bracket->matches[i].stage == stage)
			return &bracket->matches[i];
	return NULL;
}

/* Draws the way of a bot to a stage.  Returns the y of its line there. */
static double
put_way(struct bracket_drawing *drawing, int bot, int stage)
{
	const struct chart_bracket *bracket = drawing->bracket;
	const struct chart_match *match = find_match(bracket, bot, stage);
	double x = drawing->width * (bracket->stage_count - stage);
	double upper, lower, y;

	if (stage == bracket->stage_count) {
		y = ROW * ++drawing->rows + 0.5;
		put_name(
		    drawing->html, 0, y - 5, bracket->names[bot], NAME_LETTERS);
	} else {
		y = upper = put_way(drawing, bot, stage + 1);
		if (match != NULL) {
			lower = put_way(drawing, match->loser, stage + 1);
			y = (upper + lower) / 2;
			put_line(
			    drawing->html, "line.bracket", x, x, upper, lower);
			put_name(drawing->html, x + 6, y - 5,
			    bracket->names[bot], NAME_LETTERS);
			put_text(drawing->html, "label", ANCHOR_START, x + 6,
			    y + 13, match->label);
		}
	}
	put_line(drawing->html, "line.bracket", x, x + drawing->width, y, y);
	return y;
}

void
chart_bracket(struct html *html, const struct chart_bracket *bracket)
{
	struct bracket_drawing drawing = { .html = html, .bracket = bracket };

	/* There is one name more than matches. */
	drawing.width =
	    12 + names_width(bracket->names, bracket->match_count + 1);
	if (drawing.width < BAR_WIDTH + VALUE_WIDTH)
		drawing.width = BAR_WIDTH + VALUE_WIDTH;
	chart_begin(html, &bracket->chart,
	    drawing.width * (bracket->stage_count + 1),
	    ROW * (bracket->match_count + 1) + 16);
	put_way(&drawing, bracket->winner, 0);
	chart_end(html);
	html_end(html, "figure");
}

/* Draws an arrow at a cut end of a line: `way` is 1 (right) or -1 (left). */
static void
put_arrow(struct html *html, double x, int way)
{
	html_shape(html, "path.point", "d='M%.0f 3L%.0f 7L%.0f 11z'", x,
	    x + 4 * way, x);
}

void
chart_interval(struct html *html, const struct estimate *estimate, double limit)
{
	const struct scale x = { -limit, limit, 6, 74 };
	bool low_cut = estimate->low_beyond || estimate->low < -limit;
	bool high_cut = estimate->high_beyond || estimate->high > limit;

	html_begin(html, "svg.interval");
	html_numbers(html,
	    "width='80' height='14' viewBox='0 0 80 14' aria-hidden='true'");
	html_shape(html, "line.axis", "x1='40' x2='40' y1='0' y2='14'");
	html_shape(html, "line.range", "x1='%.1f' x2='%.1f' y1='7' y2='7'",
	    low_cut ? x.from : scale_at(&x, estimate->low),
	    high_cut ? x.to : scale_at(&x, estimate->high));
	if (low_cut)
		put_arrow(html, x.from, -1);
	if (high_cut)
		put_arrow(html, x.to, 1);
	if (fabs(estimate->value) <= limit)
		html_shape(html, "circle.point", "cx='%.1f' cy='7' r='2.5'",
		    scale_at(&x, estimate->value));
	html_end(html, "svg");
}
