/*
 * Well-formed and broken UTF-8.
 */
#include "utf8.h"

#include <string.h>

#include "test.h"

static void
assert_reads(const char *bytes, uint32_t expected)
{
	uint32_t character = 0;

	assert_int_equal(
	    utf8_read(bytes, strlen(bytes), &character), strlen(bytes));
	assert_int_equal(character, expected);
}

static void
assert_broken(const char *bytes)
{
	uint32_t character = 12345;

	assert_int_equal(utf8_read(bytes, strlen(bytes), &character), 0);
	assert_int_equal(character, 12345);
}

TEST(test_first_and_last_of_every_length_are_read)
{
	assert_reads("\x01", 0x01);
	assert_reads("\x7f", 0x7f);
	assert_reads("\xc2\x80", 0x80);
	assert_reads("\xdf\xbf", 0x7ff);
	assert_reads("\xe0\xa0\x80", 0x800);
	assert_reads("\xed\x9f\xbf", 0xd7ff);
	assert_reads("\xee\x80\x80", 0xe000);
	assert_reads("\xef\xbf\xbf", 0xffff);
	assert_reads("\xf0\x90\x80\x80", 0x10000);
	assert_reads("\xf4\x8f\xbf\xbf", 0x10ffff);
}

TEST(test_broken_bytes_are_refused)
{
	assert_broken("");
	assert_broken("\x80");             /* no beginning */
	assert_broken("\xc3");             /* cut off */
	assert_broken("\xe2\x82");         /* cut off */
	assert_broken("\xc3(");            /* no continuation */
	assert_broken("\xc0\xaf");         /* longer than needed */
	assert_broken("\xe0\x9f\xbf");     /* longer than needed */
	assert_broken("\xf0\x8f\xbf\xbf"); /* longer than needed */
	assert_broken("\xed\xa0\x80");     /* half of a pair of UTF-16 */
	assert_broken("\xf4\x90\x80\x80"); /* beyond the last character */
	assert_broken("\xf8\x88\x80\x80\x80");
	assert_broken("\xff");
}

TEST(test_only_the_given_bytes_are_read)
{
	uint32_t character = 0;

	assert_int_equal(utf8_read("\xc3\xa8", 1, &character), 0);
	assert_int_equal(utf8_read("\xc3\xa8!", 3, &character), 2);
	assert_int_equal(character, 0xe8);
}

TEST(test_what_steers_is_told_from_what_is_looked_at)
{
	static const uint32_t steering[] = { 0, '\n', '\t', 0x1b, 0x7f, 0x80,
		0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
		0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
		0x2069 };
	static const uint32_t plain[] = { ' ', '~', 0xa0, 0xe8, 0x5d0, 0x627,
		0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a,
		0x1f0a1 };

	for (size_t i = 0; i < COUNTOF(steering); i++)
		if (!utf8_steers(steering[i]))
			fail_msg("U+%04X", (unsigned)steering[i]);
	for (size_t i = 0; i < COUNTOF(plain); i++)
		if (utf8_steers(plain[i]))
			fail_msg("U+%04X", (unsigned)plain[i]);
}
