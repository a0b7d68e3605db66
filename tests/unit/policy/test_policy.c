/*
 * The move policy: its weights are probabilities in each position of each rule
 * set and do not depend on hidden cards; and small positions in which one move
 * must be the most likely one.
 */
#include "policy.h"

#include <string.h>

#include "sample.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum { DEALS = 4 };

static const float TOLERANCE = 1e-4F;

static bool
near(float a, float b)
{
	float difference = a - b;

	return difference < TOLERANCE && difference > -TOLERANCE;
}

/* Deals the cards that the seat to move cannot see again. */
static void
shuffle_hidden(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal)
{
	struct world_uniform uniform;
	struct scopa_view view;

	support_view(rules, deal, deal->turn, &view);
	assert_true(world_uniform_init(&uniform, rules, &view));
	world_uniform_draw(&uniform, random, deal);
}

/* Checks one position; returns a move to play. */
static struct scopa_move
check_position(const struct scopa_rules *rules, uint64_t *random,
    const struct scopa_deal *deal)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	static float weights[SCOPA_MOVES_MAX], again[SCOPA_MOVES_MAX];
	struct scopa_deal other = *deal;
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	float total = 0;

	policy_judge(NULL, rules, deal, moves, count, weights);
	for (int i = 0; i < count; i++) {
		assert_true(weights[i] >= 0);
		total += weights[i];
	}
	assert_true(near(total, 1));
	shuffle_hidden(rules, random, &other);
	policy_judge(NULL, rules, &other, moves, count, again);
	assert_memory_equal(weights, again, (size_t)count * sizeof(weights[0]));
	return moves[support_random_below(random, count)];
}

static void
check_deals(const char *spec, uint64_t random)
{
	const struct scopa_rules rules = support_rules(spec);

	for (int number = 0; number < DEALS; number++) {
		struct scopa_deal deal;

		support_deal_random(&rules, &random,
		    support_random_below(&random, rules.players), &deal);
		while (!scopa_deal_over(&deal)) {
			struct scopa_move move =
			    check_position(&rules, &random, &deal);

			scopa_deal_apply(&rules, &deal, &move);
		}
	}
}

TEST(test_probabilities_depend_on_visible_cards_only)
{
	assert_true(support_each_spec(check_deals) > 200);
}

static void
assert_first(
    const char *spec, const struct scopa_deal *deal, const char *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];
	int count = scopa_moves(&rules, deal, moves, SCOPA_MOVES_MAX), best = 0;
	struct scopa_text text = support_text();

	policy_judge(NULL, &rules, deal, moves, count, weights);
	for (int i = 1; i < count; i++)
		if (weights[i] > weights[best])
			best = i;
	scopa_move_format(&moves[best], &text);
	if (strcmp(text.bytes, expected) != 0)
		fail_msg("%s: %s comes first instead of %s", spec, text.bytes,
		    expected);
}

#define HALF "ACASAB2C2S2B3C3S3B4C4S4B5C5S5B"

TEST(test_moves_that_score_points_are_preferred)
{
	/*
	 * `other`: the hand of the opponent; `own`: the pile of seat 0; all
	 * other cards are in the pile of the opponent.
	 */
	static const struct {
		const char *spec, *table, *hand, *other, *own, *expected;
	} cases[] = {
		/* A sweep; the settebello; the safer of two captures. */
		{ "scopa", "3B4B", "7BKD", "KS5D", HALF, "7Bx3B4B" },
		{ "scopa", "QB7D", "7BQSAD", "KSJB6D", HALF, "7Bx7D" },
		{ "scopa", "KD2D", "KSJB", "KCQC6C", HALF, "KSxKD" },
		/* A table that can be swept is avoided. */
		{ "scopa", "AD", "QBKB", "KSJC", HALF, "KB" },
		{ "escoba", "KB", "4DAD", "4BJC", "ACASAB2C2S2B3C3S3B", "4D" },
	};
	struct scopa_deal deal;

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		const struct scopa_rules rules = support_rules(cases[i].spec);

		support_position(&rules, cases[i].table, cases[i].hand, &deal);
		support_hold(&deal, cases[i].other);
		deal.captured[0] = support_set(cases[i].own);
		deal.captured[1] &= ~deal.captured[0];
		assert_first(cases[i].spec, &deal, cases[i].expected);
	}
}

TEST(test_declaration_is_made)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct scopa_deal deal;

	support_deal(&rules, "3C6D6BKC AC2B3D 5D7SKB", 1, &deal);
	assert_first("cirulla", &deal, "!low");
}

/* Compares takers and sweepers with the engine, for random tables and cards. */
TEST(test_takers_and_sweepers_agree_with_the_engine)
{
	static const char *const specs[] = { "scopa", "assi", "frac", "escoba",
		"cirulla,declare=off,redeal=none", "assi-traditional",
		"escoba,equal-fifteen=yes", "scopa,max-captured=2",
		"escoba,max-captured=2" };
	uint64_t random = 7;

	for (size_t i = 0; i < 4500; i++) {
		const struct scopa_rules rules =
		    support_rules(specs[i % COUNTOF(specs)]);
		struct scopa_move moves[SCOPA_MOVES_MAX];
		struct scopa_deal deal = {
			.turn = 0, .play_count = 4, .last = SCOPA_SEAT_NONE
		};
		uint8_t cards[SCOPA_PACK_SIZE];
		int size = 1 + support_random_below(&random, 6);
		uint32_t sweepers = 0;
		int value;

		support_pack("", cards);
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

/* A wild card counts as a 7 in the features. */
static void
assert_sweeps(const char *spec, uint64_t random)
{
	static float features[SCOPA_MOVES_MAX][POLICY_FEATURE_COUNT];
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal;

	support_deal_random(&rules, &random, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		int count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);

		policy_features(&rules, &deal, moves, count, features);
		for (int i = 0; i < count; i++) {
			struct scopa_deal next = deal;

			if (deal.matta == 0)
				assert_int_equal(
				    scopa_deal_apply(&rules, &next, &moves[i])
					.scopa,
				    features[i][POLICY_SWEEP] != 0);
		}
		scopa_deal_apply(&rules, &deal,
		    &moves[support_random_below(&random, count)]);
	}
}

TEST(test_sweeps_agree_with_the_engine)
{
	assert_true(support_each_spec(assert_sweeps) > 200);
	for (uint64_t random = 0; random < 20; random++)
		assert_sweeps("cirulla,declare=off,ace-scopa=no", random);
}

/* Seat 1 of four lays a card; it knows nothing of the other hands. */
TEST(test_chances_follow_from_the_number_of_cards)
{
	const struct scopa_rules rules = support_rules("scientifico");
	float features[10][POLICY_FEATURE_COUNT];
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal;

	support_deal(&rules, "ACADASABKDKCKSKBQDQC", 0, &deal);
	assert_int_equal(
	    scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX), 10);
	policy_features(&rules, &deal, moves, 10, features);
	for (int i = 0; i < 10; i++) {
		/*
		 * The next seat has ten of 30 unseen cards; two of these 30 are
		 * knights.
		 */
		bool knight = scopa_card_value(moves[i].card) == 9;

		assert_near((double)features[i][POLICY_NEXT_CAPTURE],
		    knight ? 1 - 20.0 / 30 * 19 / 29 : 0, 1e-5);
	}
}
