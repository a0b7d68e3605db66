/*
 * Text in a buffer of the caller: numbers, and text that is cut at its end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scopa/text.h"
#include "test.h"

TEST(test_numbers_are_decimal)
{
	static const int64_t numbers[] = { 0, 1, 9, 10, 11, 99, 100, -1, -9,
		-10, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN };
	struct scopa_text text;
	char bytes[32], expected[32];

	for (size_t i = 0; i < COUNTOF(numbers); i++) {
		snprintf(expected, sizeof(expected), "%" PRId64, numbers[i]);
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_text_int(&text, numbers[i]);
		assert_string_equal(bytes, expected);
		assert_int_equal(text.length, strlen(expected));
	}
}

/* Writes the same pieces, 20 bytes in all, into a text of any size. */
static void
write_pieces(struct scopa_text *text)
{
	scopa_text_string(text, "table ");
	scopa_text_char(text, '7');
	scopa_text_char(text, 'D');
	scopa_text_print(text, "%d%jd", -40, (intmax_t)96);
	scopa_text_bytes(text, "sco", 3);
	scopa_text_print(text, "%.*s%s%c", 1, "pq", "a!", '!');
}

TEST(test_text_that_does_not_fit_is_cut)
{
	static const char whole[] = "table 7D-4096scopa!!";
	char bytes[32];

	for (size_t size = 1; size <= sizeof(bytes); size++) {
		struct scopa_text text;
		size_t kept = size > strlen(whole) ? strlen(whole) : size - 1;

		memset(bytes, '#', sizeof(bytes));
		scopa_text_init(&text, bytes, size);
		write_pieces(&text);
		assert_int_equal(text.length, kept);
		assert_memory_equal(bytes, whole, kept);
		assert_int_equal(bytes[kept], '\0');
		assert_int_equal(text.cut, kept < strlen(whole));
		/* No byte after the end of the buffer is written. */
		for (size_t i = size; i < sizeof(bytes); i++)
			assert_int_equal(bytes[i], '#');
	}
}
