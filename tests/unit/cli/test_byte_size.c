/*
 * A size of memory is a number and perhaps a letter, and nothing else.
 */
#include "game_options.h"

#include <stdint.h>

#include "test.h"

static void
expect_bytes(const char *text, int64_t expected)
{
	int64_t bytes = -1;

	assert_true(byte_size_parse(text, &bytes));
	assert_true(bytes == expected);
}

TEST(test_letters_are_powers_of_1024)
{
	expect_bytes("0", 0);
	expect_bytes("4096", 4096);
	expect_bytes("64K", 65536);
	expect_bytes("16M", 16 << 20);
	expect_bytes("2G", INT64_C(2) << 30);
	expect_bytes("3T", INT64_C(3) << 40);
}

TEST(test_largest_size_fits)
{
	int64_t bytes;

	expect_bytes("9223372036854775807", INT64_MAX);
	expect_bytes("8388607T", INT64_C(8388607) << 40);
	assert_false(byte_size_parse("9223372036854775808", &bytes));
	assert_false(byte_size_parse("8388608T", &bytes));
}

TEST(test_anything_else_is_refused)
{
	static const char *const texts[] = { "", "K", "-1", "+1", " 1", "1 K",
		"1k", "1KB", "1.5M", "0x10", "1E" };
	int64_t bytes = 7;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(byte_size_parse(texts[i], &bytes));
	assert_int_equal(bytes, 7);
}
