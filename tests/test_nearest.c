/*
 * "Did you mean".
 */
#include "scopa/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = { "concurrency", "record", "rules", "seed",
	"sandbox", "tc", "quiet" };

static const char *
nearest_to(const char *word)
{
	struct scopa_nearest nearest;

	scopa_nearest_init(&nearest, word, strlen(word));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		scopa_nearest_offer(&nearest, names[i]);
	return nearest.name;
}

static void
test_slips_of_the_pen_are_forgiven(void **state)
{
	(void)state;
	assert_string_equal(nearest_to("concurency"), "concurrency");
	assert_string_equal(nearest_to("concurrrency"), "concurrency");
	assert_string_equal(nearest_to("conkurrensy"), "concurrency");
	assert_string_equal(nearest_to("ruels"), "rules");
	assert_string_equal(nearest_to("sede"), "seed");
	assert_string_equal(nearest_to("quit"), "quiet");
}

static void
test_beginning_of_a_name_is_enough(void **state)
{
	(void)state;
	assert_string_equal(nearest_to("conc"), "concurrency");
	assert_string_equal(nearest_to("sand"), "sandbox");
	assert_null(nearest_to("c"));
}

static void
test_nearest_name_wins(void **state)
{
	struct scopa_nearest nearest;

	(void)state;
	scopa_nearest_init(&nearest, "deal", 4);
	scopa_nearest_offer(&nearest, "deed");
	scopa_nearest_offer(&nearest, "deals");
	scopa_nearest_offer(&nearest, "dear");
	assert_string_equal(nearest.name, "deals");
}

static void
test_other_words_are_near_nothing(void **state)
{
	(void)state;
	assert_null(nearest_to("tournament"));
	assert_null(nearest_to(""));
	assert_null(nearest_to("x"));
	assert_null(nearest_to("zz"));
	assert_null(nearest_to("seedseedseedseedseedseedseedseedseedseed"));
}

static void
test_only_the_given_length_counts(void **state)
{
	struct scopa_nearest nearest;

	(void)state;
	scopa_nearest_init(&nearest, "sede=12", 4);
	scopa_nearest_offer(&nearest, "seed");
	assert_string_equal(nearest.name, "seed");
}

static void
test_longest_word_is_compared(void **state)
{
	char word[SCOPA_NEAREST_LENGTH_MAX + 2];
	struct scopa_nearest nearest;

	(void)state;
	memset(word, 'x', sizeof(word));
	word[SCOPA_NEAREST_LENGTH_MAX] = '\0';
	scopa_nearest_init(&nearest, word, SCOPA_NEAREST_LENGTH_MAX);
	scopa_nearest_offer(&nearest, word);
	assert_string_equal(nearest.name, word);
	word[SCOPA_NEAREST_LENGTH_MAX] = 'x';
	word[SCOPA_NEAREST_LENGTH_MAX + 1] = '\0';
	scopa_nearest_init(&nearest, word, SCOPA_NEAREST_LENGTH_MAX + 1);
	scopa_nearest_offer(&nearest, word);
	assert_null(nearest.name);
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

	return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
