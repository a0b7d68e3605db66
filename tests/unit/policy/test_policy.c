/*
 * The move policy: probabilities in every position of every preset, nothing
 * that depends on what the mover cannot see, and small positions in which one
 * move must come first.
 */
#include "policy.h"

#include <stdio.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

enum { DEALS = 12, MOVE_SIZE = 64 };

static const float TOLERANCE = 1e-4F;

static bool
near(float a, float b)
{
	float difference = a - b;

	return difference < TOLERANCE && difference > -TOLERANCE;
}

/* Deals what the mover cannot see anew. */
static void
shuffle_hidden(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal)
{
	struct scopa_view view;
	scopa_card cards[SCOPA_PACK_SIZE];
	scopa_set unseen;
	int count = 0;

	support_view(rules, deal, deal->turn, &view);
	unseen = scopa_view_unseen(&view);
	while (unseen != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&unseen);
	support_shuffle(random, cards, count);
	scopa_view_deal(rules, &view, cards, deal);
}

/* Checks one position; returns the move that is to be played. */
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

TEST(test_every_position_has_probabilities_of_what_is_seen)
{
	uint64_t random = 11;

	for (int preset = 0; preset < scopa_preset_count; preset++) {
		static const char *const seats[] = { "", ",players=3",
			",players=4", ",players=6", ",teams=ABAB",
			",teams=ABABAB", ",aim=least" };

		for (size_t i = 0; i < COUNTOF(seats); i++) {
			char spec[128], why_bytes[256];
			struct scopa_text why;
			struct scopa_rules rules;
			struct scopa_deal deal;

			snprintf(spec, sizeof(spec), "%s%s",
			    scopa_presets[preset].name, seats[i]);
			scopa_text_init(&why, why_bytes, sizeof(why_bytes));
			if (!scopa_rules_parse(&rules, spec, &why))
				continue;
			for (int number = 0; number < DEALS; number++) {
				support_deal_random(&rules, &random,
				    support_random_below(
					&random, rules.players),
				    &deal);
				while (!scopa_deal_over(&deal)) {
					struct scopa_move move = check_position(
					    &rules, &random, &deal);

					scopa_deal_apply(&rules, &deal, &move);
				}
			}
		}
	}
}

/*
 * Seat 0 of two is to play, and the other holds `other`, which it does not see;
 * all the rest is in the other's pile but for `own`.
 */
static void
position(const struct scopa_rules *rules, const char *table, const char *hand,
    const char *other, const char *own, struct scopa_deal *deal)
{
	support_position(rules, table, hand, deal);
	deal->hands[1] = support_set(other);
	deal->captured[0] = support_set(own);
	deal->captured[1] &= ~(deal->hands[1] | deal->captured[0]);
}

static void
assert_first(
    const char *spec, const struct scopa_deal *deal, const char *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];
	int count = scopa_moves(&rules, deal, moves, SCOPA_MOVES_MAX), best = 0;
	struct scopa_text text;
	char bytes[MOVE_SIZE];

	policy_judge(NULL, &rules, deal, moves, count, weights);
	for (int i = 1; i < count; i++)
		if (weights[i] > weights[best])
			best = i;
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_move_format(&moves[best], &text);
	if (strcmp(bytes, expected) != 0)
		fail_msg(
		    "%s: %s comes first instead of %s", spec, bytes, expected);
}

static void
assert_position_first(const char *spec, const char *table, const char *hand,
    const char *other, const char *own, const char *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	position(&rules, table, hand, other, own, &deal);
	assert_first(spec, &deal, expected);
}

#define HALF "ACASAB2C2S2B3C3S3B4C4S4B5C5S5B"

TEST(test_points_are_taken)
{
	/* A sweep; the settebello; the safe capture of two that are equal. */
	assert_position_first("scopa", "3B4B", "7BKD", "KS5D", HALF, "7Bx3B4B");
	assert_position_first(
	    "scopa", "QB7D", "7BQSAD", "KSJB6D", HALF, "7Bx7D");
	assert_position_first("scopa", "KD2D", "KSJB", "KCQC6C", HALF, "KSxKD");
}

TEST(test_a_table_that_can_be_swept_is_avoided)
{
	assert_position_first("scopa", "AD", "QBKB", "KSJC", HALF, "KB");
	assert_position_first(
	    "escoba", "KB", "4DAD", "4BJC", "ACASAB2C2S2B3C3S3B", "4D");
}

TEST(test_a_declaration_is_made)
{
	const struct scopa_rules rules = support_rules("cirulla");
	uint8_t pack[SCOPA_PACK_SIZE];
	struct scopa_deal deal;

	support_pack("3C6D6BKC"
		     "AC2B3D"
		     "5D7SKB",
	    pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 1, &deal), SCOPA_START_PLAY);
	assert_first("cirulla", &deal, "!low");
}
