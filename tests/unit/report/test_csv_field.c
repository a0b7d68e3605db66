/*
 * Text of strangers in fields of comma-separated values.
 */
#include "csv_field.h"

#include <stdlib.h>

#include "test.h"

static void
assert_field(const char *text, const char *expected)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&bytes, &size);

	assert_non_null(file);
	csv_field_put(file, text);
	fclose(file);
	assert_string_equal(bytes, expected);
	free(bytes);
}

TEST(test_plain_text_stays_as_it_is)
{
	assert_field("", "");
	assert_field("greedy", "greedy");
	assert_field("greedy+first", "greedy+first");
	assert_field("a-b=c@d", "a-b=c@d");
	assert_field("my bot 2", "my bot 2");
	assert_field("\xc3\xa8", "\xc3\xa8");
}

TEST(test_fields_are_quoted_where_they_have_to_be)
{
	assert_field("a,b", "\"a,b\"");
	assert_field("a;b", "\"a;b\"");
	assert_field("say \"x\"", "\"say \"\"x\"\"\"");
}

TEST(test_formulas_are_only_text)
{
	assert_field("=1+1", "'=1+1");
	assert_field("+1", "'+1");
	assert_field("-1", "'-1");
	assert_field("@SUM(A1)", "'@SUM(A1)");
	assert_field("  =1", "  '=1");
	assert_field("=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\"");
	assert_field("=HYPERLINK(\"http://x\",\"y\")",
	    "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
	/* Where a program divides fields at something else. */
	assert_field("a;=1", "\"a;'=1\"");
	assert_field("a\",=1", "\"a\"\",'=1\"");
	/* Full-width signs. */
	assert_field("\xef\xbc\x9d"
		     "1",
	    "'\xef\xbc\x9d"
	    "1");
	assert_field("\xef\xbc\xa0x", "'\xef\xbc\xa0x");
}

TEST(test_what_steers_is_escaped)
{
	assert_field("\t=1", "\"\\x09'=1\"");
	assert_field("\r=1", "\"\\x0d'=1\"");
	assert_field("a\nb", "\"a\\x0ab\"");
	assert_field("a\xe2\x80\xae"
		     "b",
	    "a\\xe2\\x80\\xaeb");
	assert_field("\xd8\x9c=1", "\\xd8\\x9c=1");
	assert_field("\xff=1", "\\xff=1");
	assert_field("\x1b[31m", "\\x1b[31m");
}
