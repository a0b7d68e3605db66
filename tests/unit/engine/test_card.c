/*
 * Cards, their letters, and sets of cards.
 */
#include <string.h>

#include "scopa/card.h"
#include "support.h"
#include "test.h"

/* The pack in canonical order, written down and not computed. */
static const char pack[] = "ADACASAB2D2C2S2B3D3C3S3B4D4C4S4B5D5C5S5B"
			   "6D6C6S6B7D7C7S7BJDJCJSJBQDQCQSQBKDKCKSKB";

TEST(test_cards_are_numbered_by_value_then_suit)
{
	assert_int_equal(strlen(pack), 2 * SCOPA_PACK_SIZE);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		assert_int_equal(scopa_card_find(pack + 2 * i), i);
}

TEST(test_letters_name_value_and_suit)
{
	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		scopa_card card = (scopa_card)i;
		int value = scopa_card_value(card);

		assert_int_equal(scopa_value_letter(value), pack[2 * i]);
		assert_int_equal(
		    scopa_suit_letter(scopa_card_suit(card)), pack[2 * i + 1]);
		assert_int_equal(scopa_value_find(pack[2 * i]), value);
		assert_int_equal(
		    scopa_card_of(value, scopa_card_suit(card)), card);
	}
}

TEST(test_other_pairs_of_bytes_are_no_card)
{
	int found = 0;

	for (int first = 0; first < 256; first++)
		for (int second = 0; second < 256; second++) {
			char text[2] = { (char)first, (char)second };

			found += scopa_card_find(text) != SCOPA_CARD_NONE;
		}
	assert_int_equal(found, SCOPA_PACK_SIZE);
}

TEST(test_total_is_the_sum_of_the_values)
{
	assert_int_equal(scopa_set_total(SCOPA_SET_EMPTY), 0);
	assert_int_equal(scopa_set_total(support_set("AD3C7SKB")), 21);
	assert_int_equal(scopa_set_total(SCOPA_SET_ALL), 220);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		assert_int_equal(scopa_set_total(UINT64_C(1) << i), i / 4 + 1);
}
