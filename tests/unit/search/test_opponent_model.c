/*
 * Players by known rules are found out, and give their hands away; others do
 * not.
 */
#include "opponent_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chitarrella.h"
#include "endplay.h"
#include "greedy.h"
#include "policy.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum { WORLDS = 256, DEALS = 12, ROUND = 4 };

/* How the seats of a deal play. */
enum manner { MANNER_CHITARRELLA, MANNER_GREEDY, MANNER_RANDOM };

static struct opponent_model *opponents;
static struct belief *belief;
static struct scopa_move moves[SCOPA_MOVES_MAX];

static const struct belief_config reading = {
	.judge = policy_judge,
	.trust = 0.95,
	.worlds = WORLDS,
	.swaps = 24,
	.listed_max = 1680,
};

static int
setup(void **state)
{
	(void)state;
	opponents = calloc(1, sizeof(*opponents));
	belief = calloc(1, sizeof(*belief));
	return opponents == NULL || belief == NULL ? -1 : 0;
}

static int
teardown(void **state)
{
	(void)state;
	free(opponents);
	free(belief);
	return 0;
}

static struct scopa_move
move_of(enum manner manner, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	struct chitarrella_reason reason;
	struct scopa_view view;
	int count;

	support_view(rules, deal, deal->turn, &view);
	switch (manner) {
	case MANNER_CHITARRELLA:
		return chitarrella_move(
		    rules, &view, deal, ENDPLAY_PLAYS_MAX, &reason);
	case MANNER_GREEDY:
		return greedy_move(rules, &view, deal);
	case MANNER_RANDOM:
		break;
	}
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	return moves[support_random_below(random, count)];
}

/* Plays a new deal so far; all seats alike. */
static void
deal_play(const struct scopa_rules *rules, enum manner manner, int plays,
    uint64_t *random, struct scopa_deal *deal)
{
	support_deal_random(
	    rules, random, support_random_below(random, rules->players), deal);
	while (deal->play_count < plays) {
		struct scopa_move move = move_of(manner, rules, deal, random);

		scopa_deal_apply(rules, deal, &move);
	}
}

static void
read_deal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct opponent_model_config *config, uint64_t *random)
{
	struct scopa_deal imagined;
	struct scopa_view view;

	support_view(rules, deal, deal->turn, &view);
	assert_true(imagine_deal(rules, &view, &imagined));
	belief_draw_pool(belief, &reading, rules, &view, &imagined, random);
	if (config != NULL)
		opponent_model_read(opponents, config, belief, random);
}

/* The mean logarithm of how likely the others' cards are where they lie. */
static double
insight_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	double sum = 0;
	int count = 0;

	for (int seat = 0; seat < rules->players; seat++) {
		if (scopa_team_of(rules, seat) ==
		    scopa_team_of(rules, deal->turn))
			continue;
		for (scopa_set left = deal->hands[seat]; left; count++)
			sum += log(0.02 / 3 +
			    0.98 *
				belief_chance(
				    belief, seat, scopa_set_take(&left)));
	}
	return sum / count;
}

/* Of deals in such a manner, after so many plays. */
struct look {
	double chances[OPPONENT_KINDS]; /* means */
	double gain;                    /* of insight, nats a card */
};

static struct look
look_at(const char *spec, enum manner manner, int plays, uint64_t *random)
{
	const struct scopa_rules rules = support_rules(spec);
	const struct opponent_model_config config = { .share = 0.3 };
	struct look look = { .gain = 0 };

	for (int i = 0; i < DEALS; i++) {
		struct scopa_deal deal;

		deal_play(&rules, manner, plays, random, &deal);
		read_deal(&rules, &deal, NULL, random);
		look.gain -= insight_of(&rules, &deal) / DEALS;
		read_deal(&rules, &deal, &config, random);
		look.gain += insight_of(&rules, &deal) / DEALS;
		for (int j = 0; j < OPPONENT_KINDS; j++)
			look.chances[j] +=
			    opponents->hypotheses[j].chance / DEALS;
	}
	return look;
}

TEST(test_player_by_known_rules_is_found_out)
{
	uint64_t random = 1;
	struct look look;

	look = look_at("scopone", MANNER_CHITARRELLA, 5 * ROUND, &random);
	assert_true(look.chances[OPPONENT_CHITARRELLA] > 0.8);
	assert_true(look.chances[OPPONENT_GREEDY] < 0.1);
	look = look_at("scientifico", MANNER_GREEDY, 5 * ROUND, &random);
	assert_true(look.chances[OPPONENT_GREEDY] > 0.8);
	assert_true(look.chances[OPPONENT_CHITARRELLA] < 0.1);
	/* Where all worlds are listed. */
	look = look_at("scopone", MANNER_CHITARRELLA, 6 * ROUND, &random);
	assert_true(belief->listed);
	assert_true(look.chances[OPPONENT_CHITARRELLA] > 0.8);
}

TEST(test_player_by_known_rules_gives_his_hand_away)
{
	uint64_t random = 2;

	assert_true(
	    look_at("scopone", MANNER_CHITARRELLA, 5 * ROUND, &random).gain >
	    0.1);
	assert_true(
	    look_at("scopone", MANNER_GREEDY, 4 * ROUND, &random).gain > 0.1);
}

TEST(test_others_are_not_taken_for_players_by_known_rules)
{
	uint64_t random = 3;
	struct look look;

	look = look_at("scopone", MANNER_RANDOM, 4 * ROUND, &random);
	assert_true(look.chances[OPPONENT_CHITARRELLA] < 0.05);
	assert_true(look.chances[OPPONENT_GREEDY] < 0.05);
	assert_true(fabs(look.gain) < 0.05);
}

/* The worlds of the pool share out the cards that the seat does not see. */
static void
assert_pool_fits(const struct scopa_deal *deal)
{
	double sum = 0;

	for (int i = 0; i < belief->world_count; i++) {
		scopa_set all = SCOPA_SET_EMPTY;

		for (int j = 0; j < belief->holder_count; j++) {
			const struct belief_holder *holder =
			    &belief->holders[j];
			scopa_set hand = belief->worlds[i][j];

			assert_true((all & hand) == SCOPA_SET_EMPTY);
			assert_int_equal(scopa_set_count(hand),
			    scopa_set_count(deal->hands[holder->seat]));
			all |= hand;
		}
		assert_true(all == belief->unseen);
		sum += belief->weights[i];
		assert_true(fabs(sum - belief->reach[i]) < 1e-9);
	}
	assert_true(fabs(sum - 1) < 1e-9);
	assert_true(belief->ess > 0.99);
	assert_true(belief->ess < belief->world_count + 0.01);
}

TEST(test_pool_fits_the_view_at_any_time)
{
	const struct opponent_model_config config = { .share = 0.5 };
	uint64_t random = 4;
	int games = 0;

	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_rules rules = scopa_presets[i].rules;

		if (!opponent_model_fits(&rules))
			continue;
		games++;
		for (int plays = 0; plays < rules.hand * ROUND; plays++) {
			struct scopa_deal deal;

			deal_play(&rules, plays & 1, plays, &random, &deal);
			read_deal(&rules, &deal, &config, &random);
			assert_pool_fits(&deal);
		}
	}
	assert_true(games > 1);
}

TEST(test_late_reading_leaves_the_pool)
{
	const struct scopa_rules rules = support_rules("scopone");
	const struct opponent_model_config late = { .share = 0.5,
		.deadline_ns = 1 };
	static scopa_set worlds[WORLDS][BELIEF_HOLDERS_MAX];
	uint64_t random = 5, before;
	struct scopa_deal deal;

	deal_play(&rules, MANNER_CHITARRELLA, 3 * ROUND, &random, &deal);
	before = random;
	read_deal(&rules, &deal, NULL, &random);
	memcpy(worlds, belief->worlds, sizeof(worlds));
	random = before;
	read_deal(&rules, &deal, &late, &random);
	assert_memory_equal(worlds, belief->worlds, sizeof(worlds));
	for (int i = 0; i < OPPONENT_KINDS; i++)
		assert_true(opponents->hypotheses[i].chance == 0);
}

TEST(test_reading_ends_with_its_share_of_the_work)
{
	enum { PLAYS_OF_A_WORLD = 20 };
	static const int limits[] = { 1, 100, 1000, 3000 };
	const struct scopa_rules rules = support_rules("scopone");
	struct opponent_model_config config = { .share = 0.5 };
	struct scopa_deal deal;
	uint64_t random = 5, before;

	deal_play(&rules, MANNER_CHITARRELLA, 4 * ROUND, &random, &deal);
	before = random;
	read_deal(&rules, &deal, &config, &random);
	assert_true(opponents->judged > limits[3] + PLAYS_OF_A_WORLD);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		uint64_t after;

		config.judged_max = limits[i];
		random = before;
		read_deal(&rules, &deal, &config, &random);
		assert_in_range(
		    opponents->judged, 1, limits[i] + PLAYS_OF_A_WORLD);
		/* The same on any machine. */
		after = random;
		random = before;
		read_deal(&rules, &deal, &config, &random);
		assert_true(random == after);
	}
}

TEST(test_games_with_a_stock_are_left_alone)
{
	static const char *const others[] = { "scopa", "scopa,players=4",
		"escoba", "cirulla" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const struct scopa_rules rules = support_rules(others[i]);

		assert_false(opponent_model_fits(&rules));
	}
}

TEST_GROUP(setup, teardown)
