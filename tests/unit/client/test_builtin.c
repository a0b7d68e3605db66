/*
 * The options of built-in bots, and the `info` line of a decision: its keys,
 * numbers and limit.
 */
#include "builtin.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "test.h"

static const char *const styles[] = { "calm", "wild", "wilder", NULL };
static const struct builtin_option options[] = {
	{ .name = "depth", .fallback = 4, .min = -1, .max = 9 },
	{ .name = "style", .fallback = 2, .words = styles },
};

static const struct builtin bot = {
	.name = "bot",
	.options = options,
	.option_count = 2,
};

static struct token
of(const char *text)
{
	return (struct token){ text, strlen(text) };
}

TEST(test_options_are_listed_with_their_types)
{
	struct scopa_text text = SCOPA_TEXT(512);

	builtin_options_format(&bot, &text);
	assert_string_equal(text.bytes,
	    "option name=depth type=int default=4 min=-1 max=9\n"
	    "option name=style type=enum default=wilder "
	    "values=calm|wild|wilder\n");
}

TEST(test_values_of_options_are_checked_by_their_types)
{
	static const char refused[] = "option # no such value of ",
			  unknown[] = "option # there is no option ";
	static const struct {
		const char *word, *flaw;
		int64_t depth, style;
	} cases[] = {
		{ "depth=-1", NULL, -1, 2 },
		{ "depth=9", NULL, 9, 2 },
		{ "style=calm", NULL, 4, 0 },
		{ "style=wild", NULL, 4, 1 },
		{ "style=wilder", NULL, 4, 2 },
		{ "depth=10", refused, 4, 2 },
		{ "depth=", refused, 4, 2 },
		{ "depth", refused, 4, 2 },
		{ "depth=4x", refused, 4, 2 },
		{ "style=", refused, 4, 2 },
		{ "style=wil", refused, 4, 2 },
		{ "style=wildest", refused, 4, 2 },
		{ "style=calm|wild", refused, 4, 2 },
		{ "style=0", refused, 4, 2 },
		{ "Depth=4", unknown, 4, 2 },
		{ "dept=4", unknown, 4, 2 },
		{ "", unknown, 4, 2 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		int64_t values[2];
		struct token name;
		const char *flaw;

		builtin_options_init(values, &bot);
		flaw =
		    builtin_option_set(values, &bot, of(cases[i].word), &name);
		if (cases[i].flaw == NULL)
			assert_null(flaw);
		else
			assert_string_equal(flaw, cases[i].flaw);
		assert_int_equal(values[0], cases[i].depth);
		assert_int_equal(values[1], cases[i].style);
	}
}

static char bytes[2 * INFO_LINE_MAX];
static struct scopa_text text;

TEST(test_info_line_has_the_grammar_of_the_protocol)
{
	const struct scopa_move moves[] = {
		{ .card = 24, .captured = scopa_set_of(25) },
		{ .card = 0 },
	};
	struct info info;

	scopa_text_init(&text, bytes, sizeof(bytes));
	info_init(&info);
	info_whole(&info, "depth", 3);
	info_whole(&info, "nodes", INT64_MAX);
	info_decimal(&info, "value", -0.25);
	info_decimal(&info, "m.share", 1.0 / 3);
	info_moves(&info, "pv", moves, 2);
	info_moves(&info, "m.none", moves, 0);
	info_finish(&info, &text);
	assert_string_equal(bytes,
	    "info depth=3 nodes=9223372036854775807 value=-0.250 "
	    "m.share=0.333 pv=7Dx7C,AD\n");
}

TEST(test_decimals_are_rounded_and_infinite_ones_are_left_out)
{
	static const struct {
		double number;
		const char *line;
	} cases[] = {
		{ 0, "info m.x=0.000\n" },
		{ -0.0004, "info m.x=0.000\n" },
		{ -0.0006, "info m.x=-0.001\n" },
		{ 1.9996, "info m.x=2.000\n" },
		{ -12.0305, "info m.x=-12.031\n" },
		{ 1e12, "info m.x=1000000000000.000\n" },
		{ 1e13, "" },
		{ -1e300, "" },
		{ (double)NAN, "" },
		{ (double)INFINITY, "" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct info info;

		scopa_text_init(&text, bytes, sizeof(bytes));
		info_init(&info);
		info_decimal(&info, "m.x", cases[i].number);
		info_finish(&info, &text);
		assert_string_equal(bytes, cases[i].line);
	}
}

/* Writes a line of exactly `length` bytes without its LF. */
static void
line_write(size_t length)
{
	char key[INFO_LINE_MAX + 2];
	struct info info;

	assert_true(length < sizeof(key));
	memset(key, 'k', sizeof(key));
	key[length - sizeof("info =0") + 1] = '\0';
	info_init(&info);
	info_whole(&info, key, 0);
	info_finish(&info, &text);
}

TEST(test_too_long_info_line_is_left_out)
{
	scopa_text_init(&text, bytes, sizeof(bytes));
	line_write(10);
	line_write(INFO_LINE_MAX + 1);
	assert_string_equal(bytes, "info kkk=0\n");
	assert_false(text.cut);
	line_write(INFO_LINE_MAX);
	assert_int_equal(text.length, 11 + INFO_LINE_MAX + 1);
	assert_int_equal(bytes[text.length - 1], '\n');
	/* The text has no space for a second such line. */
	line_write(INFO_LINE_MAX);
	assert_int_equal(text.length, 11 + INFO_LINE_MAX + 1);
	assert_false(text.cut);
}
