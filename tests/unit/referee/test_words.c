/*
 * Lines split into words, pairs and numbers, and invalid %XX.
 */
#include "words.h"

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

TEST(test_only_pairs_are_found_in_their_order)
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

TEST(test_numbers_are_decimal_integers_within_bounds)
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

TEST(test_invalid_escapes_and_long_values_do_not_change_the_text)
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
