/*
 * Charts: their text for readers with a screen reader, and extreme values.
 */
#include "chart.h"

#include <math.h>

#include "output.h"
#include "test.h"

/* The document of the running test. */
static struct html html;

static int
chart_open(void **state)
{
	(void)state;
	html_init(&html, output_open());
	return 0;
}

/* The chart so far, all of whose elements must be closed. */
static const char *
drawn(void)
{
	const char *written = output_text();

	assert_int_equal(html.depth, 0);
	expect_none(written, "nan", "inf", " style=");
	return written;
}

#define CHART_TEST(name) TEST_WITH(name, chart_open, NULL)

static const struct chart chart = { "c", "A title", "What it shows." };

static void
draw_lines(const struct chart_series *series, int count,
    const struct chart_mark *bound)
{
	chart_lines(&html,
	    &(struct chart_lines){ .chart = chart,
		.x_title = "blocks",
		.y_title = "LLR",
		.series = series,
		.series_count = count,
		.bounds = bound,
		.bound_count = bound != NULL });
}

CHART_TEST(test_curves_have_title_description_and_table)
{
	const double x[] = { 1, 2, 3 }, up[] = { 0.5, (double)NAN, -1.25 };
	const double down[] = { 0, 0, (double)NAN };
	const struct chart_series series[] = { { "<a>", x, up, 3 },
		{ "b", x, down, 3 } };

	draw_lines(series, 2, &(struct chart_mark){ 2.94, "H1" });
	expect_parts(drawn(), "role='img' aria-labelledby=\"c-t c-d\"",
	    "<title id=\"c-t\">A title</title>",
	    "<desc id=\"c-d\">What it shows.</desc>", "&lt;a&gt;", ">H1<",
	    "A title as a table", "<td>0.500</td>",
	    "<td>\xe2\x88\x92"
	    "1.250</td>",
	    "<td></td>");
}

/* A sequential test that has just begun, and one whose values are all equal. */
CHART_TEST(test_curve_of_one_value_is_drawn)
{
	const double x[] = { 7, 8 }, y[] = { 0, 0 }, none[] = { (double)NAN };
	const struct chart_series series[] = { { NULL, x, y, 2 },
		{ NULL, x, y, 1 }, { NULL, x, none, 1 } };

	for (int i = 0; i < 3; i++)
		draw_lines(&series[i], 1, NULL);
	expect_parts(drawn(), "<td>7</td>");
}

CHART_TEST(test_long_curve_has_a_short_table_with_its_end)
{
	double x[400], y[400];
	const struct chart_series series = { NULL, x, y, 400 };

	for (int i = 0; i < 400; i++) {
		x[i] = 1000 * i;
		y[i] = i;
	}
	draw_lines(&series, 1, NULL);
	expect_parts(drawn(), "<td>399000</td><td>399.000</td>");
	assert_true(output_count(drawn(), "<tr>") <= 1 + 40);
}

CHART_TEST(test_histogram_without_values_is_drawn)
{
	const int64_t bins[] = { 0 };

	chart_histogram(&html,
	    &(struct chart_histogram){ .chart = chart,
		.x_title = "points",
		.width = 1,
		.bins = bins,
		.bin_count = 1 });
	expect_parts(drawn(), "<tbody></tbody>");
}

CHART_TEST(test_many_bars_are_in_the_table)
{
	const char *rows[100];
	const char *const columns[] = { "x" };
	double values[100];

	for (int i = 0; i < 100; i++) {
		rows[i] = "bot";
		values[i] = i == 99 ? 0 : (double)NAN;
	}
	chart_bars(&html,
	    &(struct chart_bars){ chart, rows, columns, 100, 1, values });
	expect_parts(drawn(), "<td>0.000</td>");
	assert_int_equal(output_count(drawn(), "<tr>"), 101);
	assert_true(output_count(drawn(), ">bot</text>") < 100);
}

CHART_TEST(test_squares_of_one_colour_are_one_path)
{
	const char *const names[] = { "a", "b", "c" };
	const double values[9] = { (double)NAN, 1, 1, -1, (double)NAN, 0, -1, 0,
		(double)NAN };

	chart_heat(&html, &(struct chart_heat){ chart, names, 3, values, 1 });
	expect_parts(drawn(), "class=\"p4\" d='M", "class=\"n4\" d='M",
	    "class=\"z\" d='M");
	assert_int_equal(output_count(drawn(), "<path"), 9);
}

/* A bye of `b`, and a name that must not become markup. */
CHART_TEST(test_bracket_with_a_bye_is_drawn)
{
	const char *const names[] = { "a", "b", "<c>" };
	const struct chart_match matches[] = { { "+1.00", 0, 1, 0 },
		{ "+2.00", 0, 2, 1 } };

	chart_bracket(
	    &html, &(struct chart_bracket){ chart, names, matches, 2, 0, 2 });
	expect_parts(drawn(), ">+1.00<", ">+2.00<", "&lt;c&gt;");
	/* In the first column, and as the winner of each match. */
	assert_int_equal(output_count(drawn(), ">a</text>"), 3);
	assert_int_equal(output_count(drawn(), ">b</text>"), 1);
}

TEST(test_colours_follow_the_value)
{
	static const struct {
		double value, most;
		const char *level;
	} rows[] = { { 0, 1, "z" }, { 0.05, 1, "z" }, { 0.2, 1, "p1" },
		{ 1, 1, "p4" }, { 9, 1, "p4" }, { -1, 1, "n4" },
		{ 1, 0, "z" } };

	for (size_t i = 0; i < COUNTOF(rows); i++)
		assert_string_equal(
		    chart_level(rows[i].value, rows[i].most), rows[i].level);
}

CHART_TEST(test_wide_intervals_are_cut_with_an_arrow)
{
	struct estimate wide = {
		.value = 0.5, .low = -HUGE_VAL, .high = 0.75, .low_beyond = true
	};
	struct estimate narrow = { .value = 0.5, .low = 0.25, .high = 0.75 };

	chart_interval(&html, &wide, 1);
	expect_parts(drawn(), "<path", "<circle", "aria-hidden='true'");
	chart_interval(&html, &narrow, 1);
	expect_parts(drawn(), "<path");
	assert_int_equal(output_count(drawn(), "<path"), 1);
}
