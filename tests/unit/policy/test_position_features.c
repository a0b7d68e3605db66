/*
 * What a player sees before a move: values, takers and replies against the
 * engine, and the chances that others hold a card.
 */
#include "position_features.h"

#include "sample.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

TEST(test_values_are_those_of_the_cards)
{
	uint64_t random = 5;

	for (int i = 0; i < 1000; i++) {
		scopa_set set = support_random(&random) &
		    support_random(&random) & SCOPA_SET_ALL;
		position_values values = 0;

		for (scopa_set left = set; left;)
			values |= UINT32_C(1)
			    << scopa_card_value(scopa_set_take(&left));
		assert_int_equal(position_values_of(set), values);
		assert_int_equal(position_total(set), scopa_set_total(set));
	}
}

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

/*
 * Seat 0 of two, with a pile that leaves all races open; the other holds
 * `other`, and has taken all the rest.
 */
static void
sight_of(struct position_features *position, const struct scopa_rules *rules,
    const char *table, const char *hand, const char *other,
    struct scopa_deal *deal)
{
	support_position(rules, table, hand, deal);
	deal->hands[1] = support_set(other);
	deal->captured[0] = support_set("ADASAB2D2S2B3C3S3B4D4S5D5B6C6S") &
	    ~(deal->table | deal->hands[0] | deal->hands[1]);
	deal->captured[1] &= ~(deal->hands[1] | deal->captured[0]);
	position_init(position, rules, deal);
}

TEST(test_what_must_be_held_is_certain)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	struct position_features position;

	/* No card is hidden anywhere else. */
	sight_of(&position, &rules, "AC", "KB", "7D5S", &deal);
	assert_near((double)position_holds(&position.next, 1 << 7), 1, 1e-6);
	assert_near((double)position_holds(&position.next, 1 << 6), 0, 1e-6);
	assert_near(
	    (double)position_holds(&position.next, 1 << 6 | 1 << 5), 1, 1e-6);
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

TEST(test_who_declined_holds_it_less_likely)
{
	const struct scopa_rules rules = support_rules("scientifico");
	struct scopa_deal deal;
	struct position_features position;
	uint8_t pack[SCOPA_PACK_SIZE];
	double before, after;

	support_pack("KDKCACADASAB2D2C2S2B"
		     "QDQCJDJCJS3D3C3S3B4D",
	    pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 0, &deal), SCOPA_START_PLAY);
	deal.turn = 0;
	position_init(&position, &rules, &deal);
	before = (double)position_holds(&position.after, 1 << 10);
	deal.turn = 1;
	/* A king lies there, and seat 2 lays a queen. */
	support_play(&rules, &deal, "KD");
	support_play(&rules, &deal, "QD");
	deal.turn = 0;
	position_init(&position, &rules, &deal);
	after = (double)position_holds(&position.after, 1 << 10);
	assert_true(before > 0.5 && after < before / 2);
	assert_int_equal(position.after.laid, 1 << 9);
}

TEST(test_replies_are_the_best_captures)
{
	const struct scopa_rules rules = support_rules("scopa");
	float replies[SCOPA_VALUE_MAX + 1];
	struct scopa_deal deal;
	struct position_features position;

	sight_of(&position, &rules, "3D4CKS", "KB", "7S5S", &deal);
	position_replies(&position, deal.table, replies);
	assert_true(replies[1] == 0 && replies[2] == 0);
	assert_true(replies[7] > replies[4] && replies[7] > replies[3]);
	/* He has the seven. */
	assert_near((double)position_expectation(&position.next, replies),
	    (double)replies[7], 1e-5);
	/* A sweep is a point more. */
	position_replies(&position, support_set("3D4C"), replies);
	assert_true(replies[7] > 1 && replies[4] < 1);
}

TEST(test_races_that_are_decided_are_worth_nothing)
{
	const struct position_race won = {
		.lead = 9, .left = 8, .open = false
	};
	const struct position_race open = {
		.lead = 0, .left = 10, .open = true
	};
	const struct position_race last = {
		.lead = 0, .left = 1, .open = true
	};

	assert_true(position_race_change(&won, 2) == 0);
	assert_true(position_race_change(&open, 2) > 0);
	assert_true(
	    position_race_change(&open, 4) > position_race_change(&open, 2));
	assert_true(position_race_change(&open, -2) < 0);
	assert_true(position_race_change(&last, 1) == 1);
}
