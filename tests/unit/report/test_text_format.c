/*
 * Numbers for readers, tables of text, and text from other programs.
 */
#include "text_format.h"

#include <math.h>
#include <string.h>

#include "output.h"
#include "test.h"

TEST(test_numbers_are_written_for_readers)
{
	static const struct estimate plain = { 0.5, -0.25, 1.25, false, false };
	static const struct estimate high = { ESTIMATE_ELO_MAX, 100,
		ESTIMATE_ELO_MAX, false, true };
	static const struct estimate both = { -ESTIMATE_ELO_MAX,
		-ESTIMATE_ELO_MAX, ESTIMATE_ELO_MAX, true, true };
	static const struct estimate points = { 1, 0, 0, true, true };
	const struct {
		struct number number;
		const char *expected;
	} rows[] = {
		/* Zero has no sign. */
		{ number_signed(0.0, 2), "0.00" },
		{ number_signed(-0.0, 2), "0.00" },
		{ number_signed(-0.004, 2), "0.00" },
		{ number_signed(-0.006, 2), "-0.01" },
		{ number_signed(0.006, 2), "+0.01" },
		{ number_fixed(12.34, 1), "12.3" },
		{ number_fixed(-12.34, 0), "-12" },
		{ number_signed((double)NAN, 2), "unknown" },
		{ number_fixed(HUGE_VAL, 2), "unknown" },
		{ number_percent(-HUGE_VAL), "unknown%" },
		{ number_fixed(1e30, 1), "1000000000000000019884624838656.0" },
		{ number_points(&plain), "+0.500 [-0.250, +1.250]" },
		{ number_points_half(&plain), "+0.500 +-0.750" },
		{ number_elo(&plain), "+0.5 [-0.2, +1.2]" },
		{ number_elo_half(&plain), "+0.5 +-0.8" },
		/* Ends of intervals beyond the scale. */
		{ number_elo(&high), ">10000 [+100.0, >10000]" },
		{ number_elo_half(&high), ">10000 +-?" },
		{ number_elo(&both), "<-10000 [<-10000, >10000]" },
		{ number_points(&points), "+1.000 [?, ?]" },
		{ number_points_half(&points), "+1.000 +-?" },
		/* No probability is shown as certain. */
		{ number_percent(1), "100.0%" },
		{ number_probability(1), ">99.9%" },
		{ number_probability(0.99895), "99.9%" },
		{ number_probability(0.5), "50.0%" },
		{ number_probability(0), "<0.1%" },
		{ number_probability(0.0011), "0.1%" },
		{ number_probability((double)NAN), "?" },
	};

	for (int i = 0; i < COUNTOF(rows); i++)
		assert_string_equal(rows[i].number.text, rows[i].expected);
}

static void
expect_print(struct text_table *table, int width, const char *expected)
{
	assert_int_equal(text_table_print(table, width, output_open()), 0);
	assert_string_equal(output_close(), expected);
}

TEST(test_columns_fit_their_cells_and_wide_tables_are_divided)
{
	static const char whole[] = "name  a  longer\n"
				    "x     1\n"
				    "yyy          22\n";
	static const char pieces[] = "name  a\n"
				     "x     1\n"
				     "yyy\n"
				     "\n"
				     "name  longer\n"
				     "x\n"
				     "yyy       22\n";
	/* Every piece has at least one column, however narrow the width is. */
	static const struct {
		int width;
		const char *printed;
	} rows[] = { { 80, whole }, { 15, whole }, { 14, pieces },
		{ 1, pieces } };

	for (int i = 0; i < COUNTOF(rows); i++) {
		struct text_table table;

		text_table_open(&table, "name|a|longer", 1);
		text_table_add(&table, "%s", "x");
		text_table_row(&table, "%d|", 1);
		text_table_row(&table, "yyy||%d", 22);
		expect_print(&table, rows[i].width, rows[i].printed);
	}
}

TEST(test_characters_are_counted_not_bytes)
{
	struct text_table table;

	text_table_init(&table, 2, 1);
	text_table_row(&table, "\xc3\xa8\xe2\x99\xa0|%d", 1);
	text_table_row(&table, "abc|%d", 10);
	expect_print(&table, 80, "\xc3\xa8\xe2\x99\xa0    1\nabc  10\n");
}

TEST(test_an_empty_table_prints_nothing_and_long_cells_are_cut)
{
	static char name[2 * TEXT_CELL_SIZE], line[2 * TEXT_CELL_SIZE];
	struct text_table table;

	text_table_init(&table, 2, 1);
	expect_print(&table, 80, "");
	memset(name, 'x', sizeof(name) - 1);
	memset(line, 'x', TEXT_CELL_SIZE - 1);
	line[TEXT_CELL_SIZE - 1] = '\n';
	text_table_init(&table, 1, 1);
	text_table_add(&table, "%s", name);
	expect_print(&table, TEXT_CELL_SIZE, line);
}

TEST(test_long_names_are_shortened_in_the_middle)
{
	struct text_table table;

	text_table_open(&table, "#|name|points", 2);
	text_table_row(&table, "1|abcdefghijklmnopqrst\xc3\xa8|+0.5");
	text_table_row(&table, "2|short|-0.5");
	expect_print(&table, 25,
	    "#  name            points\n"
	    "1  abcdef..pqrst\xc3\xa8    +0.5\n"
	    "2  short             -0.5\n");
	/* In a narrow table, enough of each name is left to distinguish
	 * bots. */
	text_table_open(&table, "name|a", 1);
	text_table_row(&table, "abcdefghijklmnopqrst|1");
	expect_print(&table, 1, "name          a\nabcde..pqrst  1\n");
}

static void
expect_wrapped(const char *lines, int width, int indent, const char *expected)
{
	text_wrap(lines, width, indent, output_open());
	assert_string_equal(output_close(), expected);
}

TEST(test_lines_are_wrapped_at_blanks)
{
	expect_wrapped("", 10, 2, "");
	expect_wrapped("one two three\n", 0, 2, "one two three\n");
	expect_wrapped("one two three\n", 7, 2, "one two\n  three\n");
	expect_wrapped("tag   one two\n", 9, 6, "tag   one\n      two\n");
	/* A word that is too wide is not divided, and stays beside its
	 * label. */
	expect_wrapped("a b c23456789 d", 6, 2, "a b\n  c23456789\n  d");
	expect_wrapped("a b23456789 c", 6, 2, "a b23456789\n  c");
	/* Each line is wrapped separately. */
	expect_wrapped("one\ntwo four\n\nsix", 6, 2, "one\ntwo\n  four\n\nsix");
	/* The width is the number of characters, without colours. */
	expect_wrapped("\033[1;31mr\xc3\xa8t\033[0m one two\n", 7, 0,
	    "\033[1;31mr\xc3\xa8t\033[0m one\ntwo\n");
}

static void
expect_plain(const char *string, const char *expected)
{
	struct scopa_text text = SCOPA_TEXT(64);

	text_sanitize(&text, string);
	assert_string_equal(text.bytes, expected);
}

TEST(test_text_of_others_cannot_control_the_terminal)
{
	expect_plain(
	    "caf\xc3\xa8 \xf0\x9f\x82\xa1", "caf\xc3\xa8 \xf0\x9f\x82\xa1");
	expect_plain("a\x1b[2J\r\n\t\x7f", "a\\x1b[2J\\x0d\\x0a\\x09\\x7f");
	/* A control character of Latin-1, a byte that is no UTF-8, half a
	 * character. */
	expect_plain("\xc2\x9b", "\\xc2\\x9b");
	expect_plain("\xff", "\\xff");
	expect_plain("\xe2\x99", "\\xe2\\x99");
	assert_int_equal(text_width("caf\xc3\xa8 \xf0\x9f\x82\xa1"), 6);
}

TEST(test_characters_are_never_cut)
{
	char bytes[5];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	text_sanitize(&text, "aa\xe2\x99\xa0");
	assert_string_equal(bytes, "aa");
	assert_true(text.cut);
	scopa_text_init(&text, bytes, sizeof(bytes));
	text_sanitize(&text, "a\xe2\x99\xa0");
	assert_string_equal(bytes, "a\xe2\x99\xa0");
	assert_false(text.cut);
}

TEST(test_fields_of_csv_are_text)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "greedy+first", "greedy+first" },
		{ "a-b=c@d", "a-b=c@d" },
		{ "my bot \xc3\xa8", "my bot \xc3\xa8" },
		{ "a,b", "\"a,b\"" },
		{ "a;b", "\"a;b\"" },
		{ "say \"x\"", "\"say \"\"x\"\"\"" },
		/* Formulas. */
		{ "=1+1", "'=1+1" },
		{ "+1", "'+1" },
		{ "-1", "'-1" },
		{ "@SUM(A1)", "'@SUM(A1)" },
		{ "  =1", "  '=1" },
		{ "=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\"" },
		/* Separators that other programs may use. */
		{ "a;=1", "\"a;'=1\"" },
		{ "a\",=1", "\"a\"\",'=1\"" },
		/* Full-width signs. */
		{ "\xef\xbc\x9d=1", "'\xef\xbc\x9d=1" },
		{ "\xef\xbc\xa0x", "'\xef\xbc\xa0x" },
		/* Control characters, and bytes that are no UTF-8. */
		{ "\t=1", "\"\\x09'=1\"" },
		{ "\r=1", "\"\\x0d'=1\"" },
		{ "a\nb", "\"a\\x0ab\"" },
		{ "\xe2\x80\xaex", "\\xe2\\x80\\xaex" },
		{ "\xd8\x9c=1", "\\xd8\\x9c=1" },
		{ "\xff=1", "\\xff=1" },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		csv_field_put(output_open(), rows[i][0]);
		assert_string_equal(output_close(), rows[i][1]);
	}
}
