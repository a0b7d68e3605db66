/*
 * A size of memory is a number and perhaps a letter, and nothing else.
 */
#include "game_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
expect_bytes(const char *text, int64_t expected)
{
	int64_t bytes = -1;

	assert_true(byte_size_parse(text, &bytes));
	assert_true(bytes == expected);
}

static void
test_letters_are_powers_of_1024(void **state)
{
	(void)state;
	expect_bytes("0", 0);
	expect_bytes("4096", 4096);
	expect_bytes("64K", 65536);
	expect_bytes("16M", 16 << 20);
	expect_bytes("2G", INT64_C(2) << 30);
	expect_bytes("3T", INT64_C(3) << 40);
}

static void
test_largest_size_fits(void **state)
{
	int64_t bytes;

	(void)state;
	expect_bytes("9223372036854775807", INT64_MAX);
	expect_bytes("8388607T", INT64_C(8388607) << 40);
	assert_false(byte_size_parse("9223372036854775808", &bytes));
	assert_false(byte_size_parse("8388608T", &bytes));
}

static void
test_anything_else_is_refused(void **state)
{
	static const char *const texts[] = { "", "K", "-1", "+1", " 1", "1 K",
		"1k", "1KB", "1.5M", "0x10", "1E" };
	int64_t bytes = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(byte_size_parse(texts[i], &bytes));
	assert_int_equal(bytes, 7);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters_are_powers_of_1024),
		cmocka_unit_test(test_largest_size_fits),
		cmocka_unit_test(test_anything_else_is_refused),
	};

	return cmocka_run_group_tests_name("byte_size", tests, NULL, NULL);
}
