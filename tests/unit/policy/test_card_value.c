/*
 * What cards are still worth.
 */
#include "card_value.h"

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

/* Thousandths of a point of a card, with these piles. */
static int
value_of(
    const char *spec, const char *own, const char *others, const char *card)
{
	const struct scopa_rules rules = support_rules(spec);
	const scopa_set captured[SCOPA_TEAMS_MAX] = { support_set(own),
		support_set(others) };
	double card_values[SCOPA_PACK_SIZE];

	card_value_fill(&rules, captured, 0, card_values);
	return (int)(1000 * card_values[support_card(card)] + 0.5);
}

TEST(test_sevens_and_coins_are_worth_more)
{
	int knight, coin, seven, settebello;

	knight = value_of("scopone", "-", "-", "QS");
	coin = value_of("scopone", "-", "-", "QD");
	seven = value_of("scopone", "-", "-", "7S");
	settebello = value_of("scopone", "-", "-", "7D");
	/* Even shares: C(39,20)/2^39 and C(9,5)/2^9 that one card decides. */
	assert_in_range(knight, 123, 127);
	assert_in_range(coin - knight, 245, 247);
	assert_true(seven > knight + 100);
	assert_true(settebello > 1000 + seven);
}

TEST(test_decided_coins_are_worth_no_more_than_cards)
{
	assert_int_equal(value_of("scopone", "AD2D3D4D5D6D", "-", "KD"),
	    value_of("scopone", "AD2D3D4D5D6D", "-", "KS"));
	/* The last coin of five to four decides all or half. */
	assert_in_range(value_of("scopone", "AD2D3D4D", "5D6D7DJDQD", "KD") -
		value_of("scopone", "AD2D3D4D", "5D6D7DJDQD", "KS"),
	    499, 501);
	assert_true(value_of("scopone", "7S", "-", "6S") <
	    value_of("scopone", "-", "-", "6S"));
}

TEST(test_rules_decide_what_counts)
{
	assert_int_equal(value_of("frac", "-", "-", "7D"), 0);
	assert_true(value_of("frac", "-", "-", "KD") > 0);
	assert_true(value_of("re-bello", "-", "-", "KD") >
	    900 + value_of("scopa", "-", "-", "KD"));
	assert_true(value_of("trente", "-", "-", "3D") > 3000);
}

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
