/*
 * "Did you mean".
 */
#include "guess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = { "concurrency", "record", "rules", "seed",
	"sandbox", "tc", "quiet" };

static const char *
guess_of(const char *word)
{
	struct guess guess;

	guess_init(&guess, word, strlen(word));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		guess_offer(&guess, names[i]);
	return guess.name;
}

static void
test_slips_of_the_pen_are_forgiven(void **state)
{
	(void)state;
	assert_string_equal(guess_of("concurency"), "concurrency");
	assert_string_equal(guess_of("concurrrency"), "concurrency");
	assert_string_equal(guess_of("conkurrensy"), "concurrency");
	assert_string_equal(guess_of("ruels"), "rules");
	assert_string_equal(guess_of("sede"), "seed");
	assert_string_equal(guess_of("quit"), "quiet");
}

static void
test_beginning_of_a_name_is_enough(void **state)
{
	(void)state;
	assert_string_equal(guess_of("conc"), "concurrency");
	assert_string_equal(guess_of("sand"), "sandbox");
	assert_null(guess_of("c"));
}

static void
test_nearest_name_wins(void **state)
{
	struct guess guess;

	(void)state;
	guess_init(&guess, "deal", 4);
	guess_offer(&guess, "deed");
	guess_offer(&guess, "deals");
	guess_offer(&guess, "dear");
	assert_string_equal(guess.name, "deals");
}

static void
test_other_words_are_near_nothing(void **state)
{
	(void)state;
	assert_null(guess_of("tournament"));
	assert_null(guess_of(""));
	assert_null(guess_of("x"));
	assert_null(guess_of("zz"));
	assert_null(guess_of("seedseedseedseedseedseedseedseedseedseed"));
}

static void
test_only_the_given_length_counts(void **state)
{
	struct guess guess;

	(void)state;
	guess_init(&guess, "sede=12", 4);
	guess_offer(&guess, "seed");
	assert_string_equal(guess.name, "seed");
}

static void
test_longest_word_is_compared(void **state)
{
	char word[GUESS_LENGTH_MAX + 2];
	struct guess guess;

	(void)state;
	memset(word, 'x', sizeof(word));
	word[GUESS_LENGTH_MAX] = '\0';
	guess_init(&guess, word, GUESS_LENGTH_MAX);
	guess_offer(&guess, word);
	assert_string_equal(guess.name, word);
	word[GUESS_LENGTH_MAX] = 'x';
	word[GUESS_LENGTH_MAX + 1] = '\0';
	guess_init(&guess, word, GUESS_LENGTH_MAX + 1);
	guess_offer(&guess, word);
	assert_null(guess.name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slips_of_the_pen_are_forgiven),
		cmocka_unit_test(test_beginning_of_a_name_is_enough),
		cmocka_unit_test(test_nearest_name_wins),
		cmocka_unit_test(test_other_words_are_near_nothing),
		cmocka_unit_test(test_only_the_given_length_counts),
		cmocka_unit_test(test_longest_word_is_compared),
	};

	return cmocka_run_group_tests_name("guess", tests, NULL, NULL);
}
