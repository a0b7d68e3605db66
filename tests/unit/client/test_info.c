/*
 * What bots tell of a decision.
 */
#include "info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scopa/scopa.h"
#include "test.h"

static char bytes[2 * INFO_LINE_MAX];
static struct scopa_text text;

TEST(test_line_has_keys_and_numbers_as_the_grammar_says)
{
	const struct scopa_move moves[] = {
		{ .card = 24, .captured = scopa_set_of(25) },
		{ .card = 0 },
	};
	struct info info;

	scopa_text_init(&text, bytes, sizeof(bytes));
	info_init(&info, &text);
	info_whole(&info, "depth", 3);
	info_whole(&info, "nodes", INT64_MAX);
	info_decimal(&info, "value", -0.25);
	info_decimal(&info, "m.share", 1.0 / 3);
	info_moves(&info, "pv", moves, 2);
	info_moves(&info, "m.none", moves, 0);
	info_finish(&info);
	assert_string_equal(bytes,
	    "info depth=3 nodes=9223372036854775807 value=-0.250 "
	    "m.share=0.333 pv=7Dx7C,AD\n");
}

TEST(test_comment_ends_the_line)
{
	struct info info;

	scopa_text_init(&text, bytes, sizeof(bytes));
	info_init(&info, &text);
	info_whole(&info, "depth", 3);
	info_comment(&info, "close");
	info_comment(&info, "and dear");
	info_finish(&info);
	info_init(&info, &text);
	info_comment(&info, "nothing else");
	info_finish(&info);
	assert_string_equal(
	    bytes, "info depth=3 # close and dear\ninfo # nothing else\n");
	info_init(&info, NULL);
	info_comment(&info, "nobody hears");
	info_finish(&info);
}

TEST(test_decimals_are_rounded_and_never_anything_else)
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
		info_init(&info, &text);
		info_decimal(&info, "m.x", cases[i].number);
		info_finish(&info);
		assert_string_equal(bytes, cases[i].line);
	}
}

/* A line of exactly `length` bytes, its end aside. */
static void
line_write(size_t length)
{
	char key[INFO_LINE_MAX + 2];
	struct info info;

	assert_true(length < sizeof(key));
	memset(key, 'k', sizeof(key));
	key[length - sizeof("info =0") + 1] = '\0';
	info_init(&info, &text);
	info_whole(&info, key, 0);
	info_finish(&info);
}

TEST(test_line_that_is_too_long_is_taken_back)
{
	scopa_text_init(&text, bytes, sizeof(bytes));
	line_write(10);
	line_write(INFO_LINE_MAX + 1);
	assert_string_equal(bytes, "info kkk=0\n");
	assert_false(text.cut);
	line_write(INFO_LINE_MAX);
	assert_int_equal(text.length, 11 + INFO_LINE_MAX + 1);
	assert_int_equal(bytes[text.length - 1], '\n');
	/* No room for a second one. */
	line_write(INFO_LINE_MAX);
	assert_int_equal(text.length, 11 + INFO_LINE_MAX + 1);
	assert_false(text.cut);
}
