/*
 * Strangers' bytes made fit for a terminal.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static void
expect_escaped(const char *bytes, size_t length, bool keep_lines, size_t size,
    const char *expected)
{
	char text[64];

	memset(text, '?', sizeof(text));
	assert_int_equal(escape_bytes(bytes, length, keep_lines, text, size),
	    strlen(expected));
	assert_string_equal(text, expected);
}

TEST(test_printable_text_stays)
{
	expect_escaped("", 0, false, 64, "");
	expect_escaped(" ~100% \\x41", 11, false, 64, " ~100% \\x41");
}

TEST(test_other_bytes_are_shown_in_hex)
{
	expect_escaped("\033[2Jhi", 6, false, 64, "\\x1B[2Jhi");
	expect_escaped("a\0b", 3, false, 64, "a\\x00b");
	expect_escaped("\177\200\377", 3, false, 64, "\\x7F\\x80\\xFF");
	expect_escaped("a\n\tb\r", 5, false, 64, "a\\x0A\\x09b\\x0D");
	expect_escaped("a\n\tb\r", 5, true, 64, "a\n\tb\\x0D");
}

TEST(test_text_ends_before_an_escape_that_does_not_fit)
{
	expect_escaped("ab\001c", 4, false, 7, "ab\\x01");
	expect_escaped("ab\001c", 4, false, 6, "ab");
	expect_escaped("abc", 3, false, 3, "ab");
	expect_escaped("abc", 3, false, 1, "");
}
