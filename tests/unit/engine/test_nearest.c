/*
 * "Did you mean".
 */
#include "scopa/nearest.h"

#include <stdint.h>
#include <string.h>

#include "test.h"

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

TEST(test_slips_of_the_pen_are_forgiven)
{
	assert_string_equal(nearest_to("concurency"), "concurrency");
	assert_string_equal(nearest_to("concurrrency"), "concurrency");
	assert_string_equal(nearest_to("conkurrensy"), "concurrency");
	assert_string_equal(nearest_to("ruels"), "rules");
	assert_string_equal(nearest_to("sede"), "seed");
	assert_string_equal(nearest_to("quit"), "quiet");
}

TEST(test_beginning_of_a_name_is_enough)
{
	assert_string_equal(nearest_to("conc"), "concurrency");
	assert_string_equal(nearest_to("sand"), "sandbox");
	assert_null(nearest_to("c"));
}

TEST(test_nearest_name_wins)
{
	struct scopa_nearest nearest;

	scopa_nearest_init(&nearest, "deal", 4);
	scopa_nearest_offer(&nearest, "deed");
	scopa_nearest_offer(&nearest, "deals");
	scopa_nearest_offer(&nearest, "dear");
	assert_string_equal(nearest.name, "deals");
}

TEST(test_other_words_are_near_nothing)
{
	assert_null(nearest_to("tournament"));
	assert_null(nearest_to(""));
	assert_null(nearest_to("x"));
	assert_null(nearest_to("zz"));
	assert_null(nearest_to("seedseedseedseedseedseedseedseedseedseed"));
}

TEST(test_only_the_given_length_counts)
{
	struct scopa_nearest nearest;

	scopa_nearest_init(&nearest, "sede=12", 4);
	scopa_nearest_offer(&nearest, "seed");
	assert_string_equal(nearest.name, "seed");
}

TEST(test_longest_word_is_compared)
{
	char word[SCOPA_NEAREST_LENGTH_MAX + 2];
	struct scopa_nearest nearest;

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
