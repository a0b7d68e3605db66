/*
 * The start of a deal, and moves that are refused.  The rest of a deal is
 * tested in tests/property/test_engine_properties.c.
 */

#include "golden.h"
#include "support.h"
#include "test.h"

TEST(test_table_is_dealt_first_and_then_hands_seat_by_seat)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct scopa_deal deal;
	struct scopa_move move;

	support_deal(&rules,
	    "KD7S2B5C QDJDAS 4C4B6D 3S2C7D AC5D6S ADKBKS 2D2S3D", 1, &deal);
	assert_true(deal.table == support_set("KD7S2B5C"));
	assert_true(deal.hands[2] == support_set("QDJDAS"));
	assert_true(deal.hands[0] == support_set("4C4B6D"));
	assert_true(deal.hands[1] == support_set("3S2C7D"));
	assert_int_equal(deal.dealt, 13);
	assert_int_equal(deal.turn, 2);
	assert_int_equal(deal.dealer, 1);
	assert_int_equal(deal.last, SCOPA_SEAT_NONE);
	/* New hands are dealt when all hands are empty. */
	for (int play = 1; play <= 9; play++) {
		scopa_moves(&rules, &deal, &move, 1);
		assert_int_equal(
		    scopa_deal_apply(&rules, &deal, &move).dealt, play == 9);
	}
	assert_int_equal(deal.turn, 2);
	assert_true(deal.hands[2] == support_set("AC5D6S"));
	assert_true(deal.hands[0] == support_set("ADKBKS"));
	assert_true(deal.hands[1] == support_set("2D2S3D"));
}

/*
 * The number of tables of four cards, or of first hands of three, with which a
 * deal starts in this way; `points`: what seat 0 has declared.
 */
static int
count_deals(const char *spec, bool hands, enum scopa_start start, int opening,
    int points)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];
	int count = 0;

	for (scopa_set set = hands ? 7 : 15; set <= SCOPA_SET_ALL;
	     set = support_next_set(set)) {
		support_pack_with(set, hands ? 4 : 0, pack);
		count +=
		    scopa_deal_start(&rules, pack, hands, &deal) == start &&
		    deal.opening == opening && deal.declared[0] == points;
	}
	return count;
}

TEST(test_each_way_to_start_a_deal_is_as_frequent_as_counted)
{
	static const char hands[] = "scopa,redeal=none,declare=auto";
	static const struct {
		const char *spec;
		enum scopa_start start;
		int opening, points, count;
	} cases[] = {
		{ "scopa", SCOPA_START_KINGS, 0, 0, 145 },
		{ "scopa", SCOPA_START_PLAY, 0, 0, 91245 },
		{ "scopa,redeal=aces2", SCOPA_START_ACES, 0, 0, 785 * 5 },
		{ "scopa,redeal=ace", SCOPA_START_ACE, 0, 0,
		    91390 - 36 * 35 * 34 * 33 / 24 },
		{ "scopa,redeal=none", SCOPA_START_PLAY, 0, 0, 91390 },
		/* Tables with a sum of 15, and with a sum of 30. */
		{ "scopa,redeal=none,opening=plain", SCOPA_START_PLAY, 1, 0,
		    3120 },
		{ "scopa,redeal=none,opening=plain", SCOPA_START_PLAY, 2, 0,
		    2492 },
		{ "scopa,redeal=none,opening=wild", SCOPA_START_PLAY, 1, 0,
		    6170 },
		{ "scopa,redeal=none,opening=wild", SCOPA_START_PLAY, 2, 0,
		    4653 },
		{ "scopa,redeal=aces2,opening=plain", SCOPA_START_PLAY, 1, 0,
		    3120 - 384 },
		/*
		 * Hands of three equal cards, and hands with a sum of nine at
		 * most.
		 */
		{ hands, SCOPA_START_PLAY, 0, 10, 94 },
		{ hands, SCOPA_START_PLAY, 0, 3, 942 },
		{ hands, SCOPA_START_PLAY, 0, 0, 9880 - 94 - 942 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_int_equal(
		    count_deals(cases[i].spec, cases[i].spec == hands,
			cases[i].start, cases[i].opening, cases[i].points),
		    cases[i].count);
}

TEST(test_every_refusal_has_its_reason)
{
	bool reached[SCOPA_REFUSAL_COUNT] = { false };
	static struct golden golden;

	while (golden_next(&golden, "moves.tsv")) {
		char **field = golden.fields;
		struct scopa_rules rules = support_rules(field[0]);
		struct scopa_deal deal;
		enum scopa_refusal refusal;

		assert_int_equal(golden.field_count, 5);
		support_position(&rules, field[1], field[2], &deal);
		refusal = support_check(&rules, &deal, field[3]);
		assert_string_equal(scopa_refusal_name(refusal), field[4]);
		reached[refusal] = true;
		deal.turn = SCOPA_SEAT_NONE;
		refusal = support_check(&rules, &deal, field[3]);
		assert_int_equal(refusal, SCOPA_NOT_TO_MOVE);
		reached[refusal] = true;
	}
	for (int i = 0; i < SCOPA_REFUSAL_COUNT; i++)
		assert_true(reached[i]);
}
