/*
 * Lines as words, pairs, numbers, hex digits and %XX.
 */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static struct word
of(const char *text)
{
	return (struct word){ text, strlen(text) };
}

static struct words
split(const char *line)
{
	struct words words;

	words_split(line, strlen(line), &words);
	return words;
}

static void
assert_word(struct word word, const char *text)
{
	assert_non_null(word.bytes);
	if (!word_is(word, text))
		fail_msg("\"%.*s\" instead of \"%s\"", (int)word.length,
		    word.bytes, text);
}

TEST(test_pairs_alone_are_found_from_the_first_on)
{
	struct words words;

	words_split_pairs("secret=a event=b # c=d", &words);
	assert_int_equal(words.count, 3);
	assert_true(word_is(words_find(&words, "secret"), "a"));
	assert_true(word_is(words_find(&words, "event"), "b"));
	assert_null(words_find(&words, "c").bytes);
	words_split_pairs("", &words);
	assert_int_equal(words.count, 1);
}

TEST(test_comment_begins_only_at_the_start_of_a_word)
{
	struct words words = split("id name=a#b v=#c #d e");

	assert_int_equal(words.count, 3);
	assert_word(words.word[1], "name=a#b");
	assert_word(words.word[2], "v=#c");
}

TEST(test_words_beyond_the_limit_are_cut_and_reported)
{
	char line[4 * WORDS_MAX];
	struct words words;

	memset(line, 0, sizeof(line));
	for (int i = 0; i < WORDS_MAX; i++)
		strcat(line, "w ");
	words = split(line);
	assert_int_equal(words.count, WORDS_MAX);
	assert_false(words.cut);
	strcat(line, "#comment");
	assert_false(split(line).cut);
	line[strlen(line) - strlen("#comment")] = 'x';
	words = split(line);
	assert_int_equal(words.count, WORDS_MAX);
	assert_true(words.cut);
}

TEST(test_last_of_two_equal_keys_counts_and_the_verb_is_no_pair)
{
	struct words words = split("a=0 b=1 a=2 b= a=3");

	assert_word(words_find(&words, "a"), "3");
	assert_word(words_find(&words, "b"), "");
	assert_null(words_find(&words, "c").bytes);
	words = split("a=0");
	assert_null(words_find(&words, "a").bytes);
}

TEST(test_numbers_are_decimal_whole_and_within_bounds)
{
	static const char *const bad[] = { "", "-", "+1", "01", "00", "-01",
		"-0", "1.0", "0x10", "1e3", " 1", "1 ", "ten", "--1", "101",
		"-11", "1234567890123456789", "99999999999999999999999" };
	static const struct {
		const char *text;
		int64_t number;
	} good[] = { { "0", 0 }, { "7", 7 }, { "100", 100 }, { "-10", -10 } };
	int64_t number;

	for (size_t i = 0; i < COUNTOF(bad); i++) {
		number = 42;
		if (word_to_int(of(bad[i]), -10, 100, &number))
			fail_msg("\"%s\" was read as a number", bad[i]);
		assert_int_equal(number, 42);
	}
	for (size_t i = 0; i < COUNTOF(good); i++) {
		assert_true(word_to_int(of(good[i].text), -10, 100, &number));
		assert_int_equal(number, good[i].number);
	}
	assert_true(word_to_int(
	    of("999999999999999999"), INT64_MIN, INT64_MAX, &number));
	assert_true(number == INT64_C(999999999999999999));
}

TEST(test_times_are_seconds_with_up_to_nine_digits_behind_the_point)
{
	static const char *const bad[] = { "", ".5", "-1", "01", "1.x", "1e3",
		"1.2.3", "0.1234567890", "1000001" };
	int64_t time_us = 5;

	for (size_t i = 0; i < COUNTOF(bad); i++)
		assert_false(word_to_us(
		    (struct word){ bad[i], strlen(bad[i]) }, &time_us));
	assert_int_equal(time_us, 5);
	assert_true(word_to_us((struct word){ "3", 1 }, &time_us));
	assert_int_equal(time_us, 3000000);
	assert_true(word_to_us((struct word){ "0.071", 5 }, &time_us));
	assert_int_equal(time_us, 71000);
	assert_true(word_to_us((struct word){ "12.000001999", 12 }, &time_us));
	assert_int_equal(time_us, 12000001);
}

TEST(test_hex_is_lower_case_and_of_the_exact_size)
{
	static const char *const bad[] = { "", "00f", "00ff0", "00FF", "00fg",
		"0x00", "-0ff" };
	uint8_t bytes[2] = { 1, 2 };

	for (size_t i = 0; i < COUNTOF(bad); i++)
		assert_false(word_to_hex(of(bad[i]), bytes, sizeof(bytes)));
	assert_int_equal(bytes[0], 1);
	assert_int_equal(bytes[1], 2);
	assert_true(word_to_hex(of("0af9"), bytes, sizeof(bytes)));
	assert_int_equal(bytes[0], 0x0A);
	assert_int_equal(bytes[1], 0xF9);
}

TEST(test_values_with_reserved_bytes_are_read_back)
{
	static const struct {
		const char *plain, *coded;
	} rows[] = {
		{ "", "" },
		{ "plain-1.0", "plain-1.0" },
		{ "a b\tc\n", "a%20b%09c%0a" },
		{ "100%", "100%25" },
		{ "#1", "%231" },
		{ "a#1", "a#1" },
		{ "a=b,c", "a=b,c" },
		{ "\x7F\x80\xFF", "%7f%80%ff" },
		{ "\x01", "%01" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		char coded[64], plain[64];
		struct scopa_text text;

		scopa_text_init(&text, coded, sizeof(coded));
		value_encode(rows[i].plain, &text);
		assert_string_equal(coded, rows[i].coded);
		assert_true(word_decode(of(coded), plain, sizeof(plain)));
		assert_string_equal(plain, rows[i].plain);
	}
}

TEST(test_broken_escapes_and_long_values_leave_the_text_alone)
{
	static const char *const bad[] = { "%", "a%", "a%2", "%2g", "%g2",
		"%%20", "%00", "12345678", "1234567%20" };

	for (size_t i = 0; i < COUNTOF(bad); i++) {
		char plain[8] = "before";

		if (word_decode(of(bad[i]), plain, sizeof(plain)))
			fail_msg("\"%s\" was decoded", bad[i]);
		assert_string_equal(plain, "before");
	}
}
