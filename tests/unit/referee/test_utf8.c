/*
 * Well-formed and broken UTF-8.
 */
#include "utf8.h"

#include <string.h>

#include "test.h"

/* The first and the last character of each length; 0: invalid bytes. */
TEST(test_characters_are_read_and_invalid_bytes_are_refused)
{
	static const struct {
		const char *bytes;
		uint32_t character;
	} cases[] = {
		{ "\x01", 0x01 },
		{ "\x7f", 0x7f },
		{ "\xc2\x80", 0x80 },
		{ "\xdf\xbf", 0x7ff },
		{ "\xe0\xa0\x80", 0x800 },
		{ "\xed\x9f\xbf", 0xd7ff },
		{ "\xee\x80\x80", 0xe000 },
		{ "\xef\xbf\xbf", 0xffff },
		{ "\xf0\x90\x80\x80", 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 0x10ffff },
		{ "", 0 },
		{ "\x80", 0 },         /* continuation without a first byte */
		{ "\xc3", 0 },         /* incomplete */
		{ "\xe2\x82", 0 },     /* incomplete */
		{ "\xc3(", 0 },        /* no continuation */
		{ "\xc0\xaf", 0 },     /* longer than needed */
		{ "\xe0\x9f\xbf", 0 }, /* longer than needed */
		{ "\xf0\x8f\xbf\xbf", 0 }, /* longer than needed */
		{ "\xed\xa0\x80", 0 }, /* one half of a UTF-16 surrogate pair */
		{ "\xf4\x90\x80\x80", 0 }, /* beyond the last character */
		{ "\xf8\x88\x80\x80\x80", 0 },
		{ "\xff", 0 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		size_t length = strlen(cases[i].bytes);
		uint32_t character = 0;

		assert_int_equal(utf8_read(cases[i].bytes, length, &character),
		    cases[i].character == 0 ? 0 : length);
		assert_int_equal(character, cases[i].character);
	}
}

TEST(test_only_the_given_bytes_are_read)
{
	uint32_t character = 0;

	assert_int_equal(utf8_read("\xc3\xa8", 1, &character), 0);
	assert_int_equal(utf8_read("\xc3\xa8!", 3, &character), 2);
	assert_int_equal(character, 0xe8);
}

TEST(test_text_is_whole_if_each_of_its_characters_is)
{
	assert_true(utf8_is_whole(""));
	assert_true(utf8_is_whole("perch\xc3\xa9?"));
	assert_false(utf8_is_whole("perch\xe9?"));
	assert_false(utf8_is_whole("perch\xc3"));
}

TEST(test_control_characters_are_distinguished_from_visible_characters)
{
	static const uint32_t controls[] = { 0, '\n', '\t', 0x1b, 0x1f, 0x7f,
		0x80, 0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
		0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
		0x2069 };
	static const uint32_t visible[] = { ' ', '~', 0xa0, 0xe8, 0x5d0, 0x627,
		0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a,
		0x1f0a1 };

	for (size_t i = 0; i < COUNTOF(controls); i++)
		if (!utf8_steers(controls[i]))
			fail_msg("U+%04X", (unsigned)controls[i]);
	for (size_t i = 0; i < COUNTOF(visible); i++)
		if (utf8_steers(visible[i]))
			fail_msg("U+%04X", (unsigned)visible[i]);
}
