/*
 * Random moves: each legal move is as likely as any other.
 */
#include <string.h>

#include "support.h"
#include "test.h"

enum { DEALS = 2 };

static struct scopa_move moves[SCOPA_MOVES_MAX];
static int tally[SCOPA_MOVES_MAX];

/* The smallest 32-bit number in part `index` of `count` equal parts. */
static uint64_t
part(int index, int count)
{
	uint64_t all = UINT64_C(1) << 32;

	return ((uint64_t)index * all + (uint64_t)count - 1) / (uint64_t)count;
}

/* The index of the picked move in the list; it must be in the list. */
static int
pick(const struct scopa_rules *rules, const struct scopa_deal *deal, int count,
    uint64_t bits)
{
	struct scopa_move move;

	memset(&move, 0xEE, sizeof(move));
	scopa_move_pick(rules, deal, bits, &move);
	assert_int_equal(move.seat, deal->turn);
	for (int i = 0; i < count; i++)
		if (scopa_move_equal(&moves[i], &move))
			return i;
	fail_msg("the picked move is not in the list");
	return 0;
}

/*
 * The upper half of the bits is divided among all moves, the lower half among
 * all cards of the hand.  Over all pairs of parts, each move must be picked
 * equally often.
 */
static void
assert_all_equally_likely(
    const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	int cards = scopa_set_count(deal->hands[deal->turn]);

	memset(tally, 0, sizeof(tally));
	for (int i = 0; i < count; i++)
		for (int j = 0; j < cards; j++)
			tally[pick(rules, deal, count,
			    part(i, count) << 32 | part(j, cards))]++;
	for (int i = 0; i < count; i++)
		assert_int_equal(tally[i], cards);
	/* The largest number belongs to the last part. */
	(void)pick(rules, deal, count, UINT64_MAX);
}

static void
play_deals(const char *spec, uint64_t rng)
{
	struct scopa_rules rules = support_rules(spec);

	for (int i = 0; i < DEALS; i++) {
		struct scopa_deal deal;

		support_deal_random(&rules, &rng, 0, &deal);
		while (!scopa_deal_over(&deal)) {
			assert_all_equally_likely(&rules, &deal);
			support_play_random(&rules, &deal, &rng);
		}
	}
}

TEST(test_every_move_is_equally_likely)
{
	assert_true(support_each_spec(play_deals) > 200);
}

/* Distinct values have at most ten sets of one total: of the total ten. */
TEST(test_tables_with_many_captures_are_counted)
{
	static const char *const specs[] = { "scientifico",
		"scientifico,priority=any", "assi", "frac" };

	for (size_t i = 0; i < COUNTOF(specs); i++)
		for (unsigned values = 0; values < 1 << SCOPA_VALUE_MAX;
		     values++) {
			struct scopa_rules rules = support_rules(specs[i]);
			struct scopa_deal deal;

			support_position(
			    &rules, "-", "AC5D7CJSQCKCKSKB", &deal);
			for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
				if (values >> (value - 1) & 1)
					deal.table |=
					    scopa_set_of(scopa_card_of(value,
						value % 2 ? SCOPA_BASTONI
							  : SCOPA_DENARI));
			assert_all_equally_likely(&rules, &deal);
		}
}
