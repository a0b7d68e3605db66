/*
 * Playouts: that the quick greedy is greedy, and that the share of random moves
 * is what was asked for.
 */
#include "playout.h"

#include "greedy.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

enum { DEALS = 60, MOVES = 10000 };

/* Rules that no preset has and that greedy or its quick form treat apart. */
static const char *const more_rules[] = {
	"scopa,players=3",
	"scopa,players=6",
	"scopa,last-scopa=yes",
	"scopa-bga,teams=ABCABC",
	"scopa,priority=any",
	"scopa,max-captured=2",
	"assi,teams=ABABAB",
	"assi-traditional,ace-empty=take",
	"assi-noscopa,ace-empty=take",
	"scopa,ace=sweep-unless-ace",
	"scopa,ace=sweep-unless-ace,ace-scopa=no",
	"escoba,ace=sweep,ace-scopa=no",
	"cirulla,ace-scopa=no",
	"escoba,max-captured=2",
	"escoba,equal-fifteen=yes",
	"quindici,equal-fifteen=yes,priority=single",
	"escoba,aim=least",
	"cirulla,players=4",
	"cirulla,players=6,declare=auto",
	"cirulla,declare=off",
	"cirulla,declare=off,priority=fewest",
	"cirulla,matta=table",
	"cirulla,matta=plain,cirulla-ace=sweep,cirulla-equal=first",
	"cirulla,declare=off,cirulla-equal=first",
	"cirulla,aim=least,count=at-once",
	"trente,count=at-once",
};

/* Plays deals by epsilon-greedy; in every position both greedies must agree. */
static void
assert_greedy(const char *name, const struct scopa_rules *rules)
{
	struct playout greedy, mixed;
	uint64_t random = 1;

	playout_init(&greedy, rules, 0);
	playout_init(&mixed, rules, PLAYOUT_EPSILON);
	for (int i = 0; i < DEALS; i++) {
		struct scopa_deal deal;

		support_deal_random(rules, &random, i % rules->players, &deal);
		while (!scopa_deal_over(&deal)) {
			struct scopa_move quick,
			    slow = greedy_move(rules, &deal);

			playout_choose(&greedy, rules, &deal, &random, &quick);
			if (!scopa_move_equal(&quick, &slow))
				fail_msg("%s, deal %d, play %d: not greedy's",
				    name, i, deal.play_count);
			playout_choose(&mixed, rules, &deal, &random, &quick);
			assert_int_equal(scopa_deal_check(rules, &deal, &quick),
			    SCOPA_LEGAL);
			scopa_deal_apply(rules, &deal, &quick);
		}
	}
}

TEST(test_quick_greedy_chooses_as_greedy_does)
{
	for (int i = 0; i < scopa_preset_count; i++)
		assert_greedy(scopa_presets[i].name, &scopa_presets[i].rules);
	for (size_t i = 0; i < COUNTOF(more_rules); i++) {
		const struct scopa_rules rules = support_rules(more_rules[i]);

		assert_greedy(more_rules[i], &rules);
	}
}

/* How many of MOVES are not greedy's, with four moves to choose from. */
static int
strays(int random_share)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct playout playout;
	struct scopa_deal deal;
	uint64_t random = 5;
	int count = 0;

	support_position(&rules, "3C", "3BQBKSKB", &deal);
	support_hold(&deal, "2C");
	playout_init(&playout, &rules, random_share);
	for (int i = 0; i < MOVES; i++) {
		struct scopa_move move;

		playout_choose(&playout, &rules, &deal, &random, &move);
		count += move.captured == SCOPA_SET_EMPTY;
	}
	return count;
}

TEST(test_random_moves_are_as_frequent_as_their_share)
{
	/* One random move in four is greedy's all the same. */
	assert_int_equal(strays(0), 0);
	assert_in_range(strays(PLAYOUT_EPSILON), 2100, 2400);
	assert_in_range(strays(PLAYOUT_SHARE_MAX), 7350, 7650);
}

/* Greedy may look at its own hand and at what is public alone. */
TEST(test_hidden_hands_change_nothing)
{
	uint64_t random = 9;

	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_rules *rules = &scopa_presets[i].rules;
		struct playout playout;
		struct scopa_deal deal, other;
		struct scopa_move move, same;
		scopa_set hand;

		playout_init(&playout, rules, 0);
		support_deal_random(rules, &random, 0, &deal);
		if (deal.shown != 0)
			continue;
		other = deal;
		hand = other.hands[0];
		other.hands[0] = other.hands[rules->players > 2 ? 3 : 0];
		other.hands[rules->players > 2 ? 3 : 0] = hand;
		playout_choose(&playout, rules, &deal, &random, &move);
		playout_choose(&playout, rules, &other, &random, &same);
		assert_true(scopa_move_equal(&move, &same));
	}
}
