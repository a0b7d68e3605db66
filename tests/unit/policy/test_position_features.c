/*
 * What a player sees before a move: values, takers and replies against the
 * engine, and the chances that others hold a card.
 */
#include "position_features.h"

#include "sample.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

/* Takers and sweepers against the engine, for cards that are in no hand yet. */
TEST(test_takers_are_those_that_may_take)
{
	static const char *const specs[] = { "scopa", "assi", "frac", "escoba",
		"cirulla,declare=off,redeal=none", "assi-traditional" };
	uint64_t random = 7;

	for (int i = 0; i < 3000; i++) {
		const struct scopa_rules rules = support_rules(specs[i % 6]);
		struct scopa_move moves[SCOPA_MOVES_MAX];
		struct scopa_deal deal = {
			.turn = 0, .play_count = 4, .last = SCOPA_SEAT_NONE
		};
		uint8_t cards[SCOPA_PACK_SIZE];
		int size = 1 + support_random_below(&random, 6);
		position_values sweepers = 0;
		int value;

		for (uint8_t card = 0; card < SCOPA_PACK_SIZE; card++)
			cards[card] = card;
		support_shuffle(&random, cards, SCOPA_PACK_SIZE);
		for (int k = 0; k < size; k++)
			deal.table |= scopa_set_of(cards[k]);
		deal.hands[0] = scopa_set_of(cards[size]);
		value = scopa_card_value(cards[size]);
		for (int k = 0; k < size; k++) {
			bool may = false;
			int count =
			    scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);

			for (int m = 0; m < count; m++) {
				may |=
				    scopa_set_has(moves[m].captured, cards[k]);
				if (moves[m].captured == deal.table)
					sweepers |= UINT32_C(1) << value;
			}
			assert_int_equal(may,
			    position_takers(&rules, deal.table, cards[k]) >>
				    value &
				1);
		}
		assert_int_equal(sweepers >> value & 1,
		    position_sweepers(&rules, deal.table) >> value & 1);
	}
}

TEST(test_chances_are_those_of_the_counts)
{
	const struct scopa_rules rules = support_rules("scientifico");
	struct scopa_deal deal;
	struct position_features position;
	uint8_t pack[SCOPA_PACK_SIZE];

	/* Seat 1 has four aces; of the others it knows nothing. */
	support_pack("ACADASABKDKCKSKBQDQC", pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 0, &deal), SCOPA_START_PLAY);
	position_init(&position, &rules, &deal);
	assert_near((double)position_holds(&position.next, 1 << 1), 0, 1e-6);
	/* Of 30 unseen cards ten are his; two knights, four sevens. */
	assert_near((double)position_holds(&position.next, 1 << 9),
	    1 - 20.0 / 30 * 19 / 29, 1e-5);
	assert_near((double)position_holds(&position.next, 1 << 7),
	    1 - 20.0 / 30 * 19 / 29 * 18 / 28 * 17 / 27, 1e-5);
}
