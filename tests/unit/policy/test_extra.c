/*
 * What the rules of variants add to cards.
 */
#include "card_value.h"

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

static int
extra_of(const char *spec, const char *card)
{
	const struct scopa_rules rules = support_rules(spec);
	int values[SCOPA_PACK_SIZE] = { 0 };

	card_value_add_extras(&rules, values);
	return values[support_card(card)];
}

TEST(test_points_are_shared_among_the_cards_that_make_them)
{
	assert_int_equal(extra_of("scopa", "KD"), 0);
	assert_int_equal(extra_of("re-bello", "KD"), 100);
	assert_int_equal(extra_of("re-bello", "KS"), 0);
	assert_int_equal(extra_of("trente", "2D"), 200);
	assert_int_equal(extra_of("napola", "3D"), 33);
	assert_int_equal(extra_of("escoba", "7S"), 20);
	assert_int_equal(extra_of("cirulla", "QD"), 30);
}

TEST(test_values_are_added_to)
{
	const struct scopa_rules rules = support_rules("re-bello");
	int values[SCOPA_PACK_SIZE] = { [39] = 1, [36] = 2 };

	card_value_add_extras(&rules, values);
	assert_int_equal(values[39], 1);
	assert_int_equal(values[36], 102);
}
