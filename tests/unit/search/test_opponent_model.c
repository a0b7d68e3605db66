/*
 * The opponent model: players that follow known rules are recognized, and their
 * moves show their cards; other players are not.
 */
#include "opponent_model.h"

#include <math.h>

#include "greedy.h"
#include "policy.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "tradition.h"
#include "world_fixture.h"

enum { WORLDS = 256, DEALS = 12, ROUND = 4 };

/* The rules by which all seats of a deal play. */
enum manner { MANNER_CHITARRELLA, MANNER_GREEDY, MANNER_RANDOM };

static struct opponent_model opponents;
static struct belief belief;
static struct scopa_move moves[SCOPA_MOVES_MAX];

static const struct belief_config reading = {
	.judge = policy_judge,
	.trust = 0.95,
	.worlds = WORLDS,
	.swaps = 24,
	.listed_max = 1680,
};

static struct scopa_move
move_of(enum manner manner, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	struct tradition_reason reason;
	struct scopa_view view;
	int count;

	support_view(rules, deal, deal->turn, &view);
	switch (manner) {
	case MANNER_CHITARRELLA:
		return tradition_move(
		    rules, &view, deal, ENDPLAY_PLAYS_MAX, &reason);
	case MANNER_GREEDY:
		return greedy_move(rules, deal);
	case MANNER_RANDOM:
		break;
	}
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	return moves[support_random_below(random, count)];
}

/* Plays the first `plays` moves of a new deal; all seats by the same rules. */
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
	world_fixture_believe(&belief, &reading, rules, deal, random);
	if (config != NULL)
		opponent_model_read(&opponents, config, &belief, random);
}

/* The mean logarithm of the believed chances of the true places of cards. */
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
				    &belief, seat, scopa_set_take(&left)));
	}
	return sum / count;
}

/* Results for deals of one manner, after a number of plays. */
struct opinion {
	double
	    chances[OPPONENT_KINDS]; /* mean chance of each kind of opponent */
	double gain; /* mean gain of insight, in nats per card */
};

static struct opinion
read_deals(const char *spec, enum manner manner, int plays, uint64_t *random)
{
	const struct scopa_rules rules = support_rules(spec);
	const struct opponent_model_config config = { .share = 0.3 };
	struct opinion opinion = { .gain = 0 };

	for (int i = 0; i < DEALS; i++) {
		struct scopa_deal deal;

		deal_play(&rules, manner, plays, random, &deal);
		read_deal(&rules, &deal, NULL, random);
		opinion.gain -= insight_of(&rules, &deal) / DEALS;
		read_deal(&rules, &deal, &config, random);
		opinion.gain += insight_of(&rules, &deal) / DEALS;
		for (int j = 0; j < OPPONENT_KINDS; j++)
			opinion.chances[j] +=
			    opponents.hypotheses[j].chance / DEALS;
	}
	return opinion;
}

/* Its plays then show its cards. */
TEST(test_player_that_follows_known_rules_is_recognized)
{
	uint64_t random = 1;
	struct opinion opinion;

	opinion = read_deals("scopone", MANNER_CHITARRELLA, 5 * ROUND, &random);
	assert_true(opinion.chances[OPPONENT_CHITARRELLA] > 0.8);
	assert_true(opinion.chances[OPPONENT_GREEDY] < 0.1);
	assert_true(opinion.gain > 0.1);
	opinion = read_deals("scientifico", MANNER_GREEDY, 5 * ROUND, &random);
	assert_true(opinion.chances[OPPONENT_GREEDY] > 0.8);
	assert_true(opinion.chances[OPPONENT_CHITARRELLA] < 0.1);
	assert_true(opinion.gain > 0.1);
	/* A position in which all worlds are listed. */
	opinion = read_deals("scopone", MANNER_CHITARRELLA, 6 * ROUND, &random);
	assert_true(belief.listed);
	assert_true(opinion.chances[OPPONENT_CHITARRELLA] > 0.8);
}

TEST(test_random_player_is_not_recognized_as_one_that_follows_rules)
{
	uint64_t random = 3;
	struct opinion opinion;

	opinion = read_deals("scopone", MANNER_RANDOM, 4 * ROUND, &random);
	assert_true(opinion.chances[OPPONENT_CHITARRELLA] < 0.05);
	assert_true(opinion.chances[OPPONENT_GREEDY] < 0.05);
	assert_true(fabs(opinion.gain) < 0.05);
}

TEST(test_reading_of_opponents_ends_at_its_limit)
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
	assert_true(opponents.judged > limits[3] + PLAYS_OF_A_WORLD);
	for (size_t i = 0; i < COUNTOF(limits); i++) {
		uint64_t after;

		config.judged_max = limits[i];
		random = before;
		read_deal(&rules, &deal, &config, &random);
		assert_in_range(
		    opponents.judged, 1, limits[i] + PLAYS_OF_A_WORLD);
		/* The limit gives the same result on each machine. */
		after = random;
		random = before;
		read_deal(&rules, &deal, &config, &random);
		assert_true(random == after);
	}
}
