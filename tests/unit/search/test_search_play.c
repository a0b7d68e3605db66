/*
 * The tree search in play: endings that can be counted out, and every variant.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "reward.h"
#include "search_fixture.h"
#include "support.h"
#include "test.h"

enum { MANY = 20000 };

/* A random deal in which so many plays are left. */
static void
deal_end(const struct scopa_rules *rules, uint64_t *random, int plays_left,
    struct scopa_deal *deal)
{
	int plays = SCOPA_PACK_SIZE - rules->table - plays_left;

	support_deal_random(rules, random, 0, deal);
	while (deal->play_count < plays) {
		struct scopa_move move;

		scopa_move_pick(rules, deal, support_random(random), &move);
		scopa_deal_apply(rules, deal, &move);
	}
}

/* The difference for the first of two teams, both playing their best. */
static int
best_value(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_score score;
	int count, best, sign = 1;

	if (scopa_deal_over(deal)) {
		const struct scopa_view view = { .deal_number = 1 };
		const struct search_end end = { rules, &view, &score };
		double rewards[SCOPA_TEAMS_MAX];

		scopa_score_count(rules, deal, &score);
		reward_difference(NULL, &end, rewards);
		return (int)rewards[0];
	}
	if (scopa_team_of(rules, deal->turn) == 1)
		sign = -1;
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	best = INT_MIN;
	for (int i = 0; i < count; i++) {
		struct scopa_deal next = *deal;
		int value;

		scopa_deal_apply(rules, &next, &moves[i]);
		value = sign * best_value(rules, &next);
		if (value > best)
			best = value;
	}
	return sign * best;
}

static void
assert_solves(const char *spec, int plays_left)
{
	enum { POSITIONS = 12 };
	const struct scopa_rules rules = support_rules(spec);
	uint64_t random = 11;

	for (int i = 0; i < POSITIONS; i++) {
		struct scopa_deal deal, next;
		struct search_fixture *fixture;
		const struct search_row *best;
		int value, sign;

		deal_end(&rules, &random, plays_left, &deal);
		fixture = search_fixture_of(&rules, &deal);
		fixture->config.worlds =
		    (struct world_source){ world_fixed_draw, &fixture->fixed };
		fixture->config.iterations = MANY;
		fixture->config.exploration = 1;
		search_fixture_run(fixture);
		best = search_fixture_best(fixture);
		sign = scopa_team_of(&rules, deal.turn) == 0 ? 1 : -1;
		value = sign * best_value(&rules, &deal);
		next = deal;
		scopa_deal_apply(&rules, &next, &best->move);
		assert_int_equal(sign * best_value(&rules, &next), value);
		if (fabs(best->value - value) > 0.1)
			fail_msg("%s, position %d: %f instead of %d", spec, i,
			    best->value, value);
		free(fixture);
	}
}

TEST(test_known_endings_are_solved)
{
	assert_solves("scopone", 8);
	assert_solves("scientifico", 8);
	assert_solves("scopa", 6);
	assert_solves("escoba", 6);
	assert_solves("perdere", 6);
	assert_solves("cirulla", 6);
	assert_solves("frac", 6);
}

/* Plays a deal with a search at every move. */
static void
assert_plays(const struct scopa_rules *rules, uint64_t *random)
{
	struct scopa_deal deal;

	support_deal_random(rules, random, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct search_fixture *fixture =
		    search_fixture_of(rules, &deal);
		const struct search_row *best;

		fixture->random = *random;
		search_fixture_run(fixture);
		*random = fixture->random;
		best = search_fixture_best(fixture);
		assert_int_equal(
		    scopa_deal_check(rules, &deal, &best->move), SCOPA_LEGAL);
		assert_int_equal(best->move.seat, deal.turn);
		scopa_deal_apply(rules, &deal, &best->move);
		free(fixture);
	}
}

TEST(test_every_variant_is_played_to_the_end)
{
	uint64_t random = 14;

	for (int i = 0; i < scopa_preset_count; i++)
		assert_plays(&scopa_presets[i].rules, &random);
	for (int i = 0; i < support_variant_count; i++) {
		const struct scopa_rules rules =
		    support_rules(support_variants[i]);

		assert_plays(&rules, &random);
	}
}
