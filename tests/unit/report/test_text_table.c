/*
 * Tables of text, and the text of strangers in them.
 */
#include "text_format.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static void
expect_print(struct text_table *table, int width, const char *expected)
{
	char *bytes;
	size_t size;
	FILE *file = open_memstream(&bytes, &size);

	assert_non_null(file);
	assert_int_equal(text_table_print(table, width, file), 0);
	fclose(file);
	assert_string_equal(bytes, expected);
	free(bytes);
}

/* A name and two numbers a line. */
static void
fill(struct text_table *table)
{
	static const char *const cells[] = { "name", "a", "longer", "x", "1",
		"", "yyy", "", "22" };

	text_table_init(table, 3, 1);
	for (int i = 0; i < 9; i++)
		text_table_add(table, "%s", cells[i]);
}

TEST(test_columns_are_as_wide_as_their_cells)
{
	struct text_table table;

	fill(&table);
	expect_print(&table, 80,
	    "name  a  longer\n"
	    "x     1\n"
	    "yyy          22\n");
}

TEST(test_too_wide_tables_come_in_pieces)
{
	static const char *const pieces = "name  a\n"
					  "x     1\n"
					  "yyy\n"
					  "\n"
					  "name  longer\n"
					  "x\n"
					  "yyy       22\n";
	struct text_table table;

	fill(&table);
	expect_print(&table, 15,
	    "name  a  longer\n"
	    "x     1\n"
	    "yyy          22\n");
	fill(&table);
	expect_print(&table, 14, pieces);
	/* Every piece has a column, however narrow the place is. */
	fill(&table);
	expect_print(&table, 1, pieces);
}

TEST(test_characters_are_counted_not_bytes)
{
	struct text_table table;

	text_table_init(&table, 2, 1);
	text_table_add(&table, "\xc3\xa8\xe2\x99\xa0");
	text_table_add(&table, "%d", 1);
	text_table_add(&table, "abc");
	text_table_add(&table, "%d", 10);
	expect_print(&table, 80, "\xc3\xa8\xe2\x99\xa0    1\nabc  10\n");
}

TEST(test_long_cells_are_cut)
{
	static char name[2 * TEXT_CELL_SIZE], line[2 * TEXT_CELL_SIZE];
	struct text_table table;

	memset(name, 'x', sizeof(name) - 1);
	memset(line, 'x', TEXT_CELL_SIZE - 1);
	line[TEXT_CELL_SIZE - 1] = '\n';
	text_table_init(&table, 1, 1);
	text_table_add(&table, "%s", name);
	expect_print(&table, 80, line);
}

TEST(test_empty_table_prints_nothing)
{
	struct text_table table;

	text_table_init(&table, 2, 1);
	expect_print(&table, 80, "");
}

static void
expect_plain(const char *string, const char *expected)
{
	char bytes[64];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	text_sanitize(&text, string);
	assert_string_equal(bytes, expected);
}

TEST(test_strangers_cannot_steer_the_terminal)
{
	expect_plain(
	    "caf\xc3\xa8 \xf0\x9f\x82\xa1", "caf\xc3\xa8 \xf0\x9f\x82\xa1");
	expect_plain("a\x1b[2J\r\n\t\x7f", "a\\x1b[2J\\x0d\\x0a\\x09\\x7f");
	/* A control of Latin-1, a byte that is no UTF-8, half a character. */
	expect_plain("\xc2\x9b", "\\xc2\\x9b");
	expect_plain("\xff", "\\xff");
	expect_plain("\xe2\x99", "\\xe2\\x99");
	assert_int_equal(text_width("caf\xc3\xa8 \xf0\x9f\x82\xa1"), 6);
}

TEST(test_characters_fit_as_a_whole)
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
