/*
 * The tree search: what it makes of its configuration, that it keeps its limits,
 * endings that can be counted out, and every variant.
 */
#include "search.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reward.h"
#include "scopa/scopa.h"
#include "search_fixture.h"
#include "support.h"
#include "test.h"

TEST(test_move_that_is_best_in_every_world_is_found)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	struct search_fixture *fixture;

	/* The king sweeps; whatever else is laid gives the sweep away. */
	support_position(&rules, "KD", "KB2C3S", &deal);
	support_hold(&deal, "KSAC5D");
	fixture = search_fixture_of(&rules, &deal);
	fixture->config.iterations = 2000;
	search_fixture_run(fixture);
	assert_int_equal(
	    search_fixture_best(fixture)->move.card, support_card("KB"));
	assert_true(fixture->result.line_count >= 2);
	assert_true(scopa_move_equal(
	    &fixture->result.line[0], &search_fixture_best(fixture)->move));
	assert_int_equal(fixture->result.line[0].seat, 0);
	assert_int_equal(fixture->result.line[1].seat, 1);
	free(fixture);
}

TEST(test_same_seed_gives_the_same_search)
{
	const struct scopa_rules rules = support_rules("scientifico");
	uint64_t random = 12;
	struct scopa_deal deal;
	struct search_fixture *one, *two;

	support_deal_random(&rules, &random, 0, &deal);
	one = search_fixture_of(&rules, &deal);
	two = search_fixture_of(&rules, &deal);
	one->config.iterations = two->config.iterations = 500;
	search_fixture_run(one);
	/* What lies in the memory is nothing to it. */
	memset(two->memory, 0xA5, sizeof(two->memory));
	search_fixture_run(two);
	assert_int_equal(one->result.row_count, two->result.row_count);
	assert_true(one->random == two->random);
	for (int i = 0; i < one->result.row_count; i++) {
		assert_true(
		    one->result.rows[i].visits == two->result.rows[i].visits);
		assert_true(
		    one->result.rows[i].value == two->result.rows[i].value);
	}
	two->random = 2;
	search_fixture_run(two);
	assert_true(one->random != two->random);
	assert_true(one->result.rows[0].value != two->result.rows[0].value);
	free(one);
	free(two);
}

TEST(test_visits_add_up_to_the_iterations)
{
	uint64_t random = 13;

	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_rules *rules = &scopa_presets[i].rules;
		struct scopa_deal deal;
		struct search_fixture *fixture;
		double visits = 0;

		support_deal_random(rules, &random, 0, &deal);
		fixture = search_fixture_of(rules, &deal);
		search_fixture_run(fixture);
		for (int row = 0; row < fixture->result.row_count; row++)
			visits += fixture->result.rows[row].visits;
		assert_true(visits == SEARCH_FIXTURE_ITERATIONS);
		assert_int_equal(
		    fixture->result.iterations, SEARCH_FIXTURE_ITERATIONS);
		assert_int_equal(
		    fixture->result.nodes, SEARCH_FIXTURE_ITERATIONS);
		free(fixture);
	}
}

TEST(test_memory_is_never_exceeded)
{
	static const size_t sizes[] = { 0, 1, 64, 320, 1000, 4000, 20000 };
	const struct scopa_rules rules = support_rules("scientifico");
	uint64_t random = 15;
	struct scopa_deal deal;
	struct search_fixture *fixture;

	support_deal_random(&rules, &random, 0, &deal);
	fixture = search_fixture_of(&rules, &deal);
	fixture->config.iterations = 2000;
	for (size_t i = 0; i < COUNTOF(sizes); i++) {
		size_t size = sizes[i];

		memset(fixture->memory, 0x5A, sizeof(fixture->memory));
		fixture->config.memory_size = size;
		search_fixture_run(fixture);
		assert_int_equal(fixture->result.iterations, 2000);
		for (size_t at = size; at < sizeof(fixture->memory); at++)
			assert_int_equal(fixture->memory[at], 0x5A);
		assert_int_equal(scopa_deal_check(&rules, &deal,
				     &search_fixture_best(fixture)->move),
		    SCOPA_LEGAL);
	}
	fixture->config.memory_size = sizeof(fixture->memory);
	search_fixture_run(fixture);
	assert_int_equal(fixture->result.nodes, 2000);
	free(fixture);
}

/* A context that counts down to the stop. */
static bool
stops(void *context)
{
	int *left = context;

	return --*left < 0;
}

TEST(test_search_ends_when_it_is_told_to)
{
	const struct scopa_rules rules = support_rules("scopa");
	uint64_t random = 16;
	struct scopa_deal deal;
	struct search_fixture *fixture;
	int left = 3;

	support_deal_random(&rules, &random, 0, &deal);
	fixture = search_fixture_of(&rules, &deal);
	fixture->config.iterations = 0;
	fixture->config.stopped = stops;
	fixture->config.stopped_context = &left;
	search_fixture_run(fixture);
	assert_int_equal(fixture->result.iterations, 4 * SEARCH_CLOCK_INTERVAL);
	/* A time that is long over: one look around. */
	fixture->config.stopped = NULL;
	fixture->config.deadline_ns = 1;
	search_fixture_run(fixture);
	assert_int_equal(fixture->result.iterations, SEARCH_CLOCK_INTERVAL);
	assert_true(search_fixture_best(fixture)->visits > 0);
	assert_int_equal(scopa_deal_check(&rules, &deal,
			     &search_fixture_best(fixture)->move),
	    SCOPA_LEGAL);
	free(fixture);
}

/* A reward that sees nothing but the order of the teams. */
static void
reward_by_team(void *context, const struct search_end *end, double *rewards)
{
	(void)context;
	for (int team = 0; team < scopa_team_count(end->rules); team++)
		rewards[team] = 10 + team;
}

TEST(test_each_move_is_credited_to_its_team)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	uint64_t random = 17;

	for (int dealer = 0; dealer < rules.players; dealer++) {
		struct scopa_deal deal;
		struct search_fixture *fixture;

		support_deal_random(&rules, &random, dealer, &deal);
		fixture = search_fixture_of(&rules, &deal);
		fixture->config.reward.count = reward_by_team;
		search_fixture_run(fixture);
		assert_true(search_fixture_best(fixture)->value ==
		    10 + scopa_team_of(&rules, deal.turn));
		free(fixture);
	}
}

/* Puts nearly everything on the last move. */
static void
judge_last(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights)
{
	(void)context;
	(void)rules;
	assert_int_equal(moves[0].seat, deal->turn);
	for (int i = 0; i < count; i++)
		weights[i] = i + 1 < count ? 0.001F : 1;
}

TEST(test_prior_leads_the_search)
{
	const struct scopa_rules rules = support_rules("scientifico");
	uint64_t random = 18;
	struct scopa_deal deal;
	struct search_fixture *fixture;
	int last;

	support_deal_random(&rules, &random, 0, &deal);
	fixture = search_fixture_of(&rules, &deal);
	fixture->config.eager = false;
	fixture->config.prior.judge = judge_last;
	fixture->config.prior_weight = 1000;
	fixture->config.iterations = 100;
	fixture->config.exploration = 1;
	search_fixture_run(fixture);
	last = fixture->result.row_count - 1;
	assert_int_equal(fixture->result.best, last);
	assert_true(fixture->result.rows[last].visits > 80);
	assert_true(fixture->result.rows[last].prior == 1);
	assert_true(fixture->result.rows[0].prior < 0.01);
	free(fixture);
}

/* Searches the first turn of a deal without completions, and with two. */
static void
search_by_completions(const struct scopa_rules *rules, uint64_t *random,
    struct search_fixture *quests[2])
{
	struct scopa_deal deal;

	support_deal_random(rules, random, 0, &deal);
	for (int i = 0; i < 2; i++) {
		quests[i] = search_fixture_of(rules, &deal);
		quests[i]->config.completions = 2 * i;
		quests[i]->config.iterations = 400;
		search_fixture_run(quests[i]);
	}
}

TEST(test_completions_end_a_deal_after_the_next_hands_have_begun)
{
	static const char *const specs[] = { "scopa", "escoba", "cirulla",
		"scopa,players=3", "scopa,players=4", "scopa,players=6" };
	uint64_t random = 23;

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		const struct scopa_rules rules = support_rules(specs[i]);
		struct search_fixture *quests[2];
		int plays = (rules.hand + 1) * rules.players;

		search_by_completions(&rules, &random, quests);
		assert_true(quests[0]->result.plays > plays * INT64_C(400));
		assert_true(quests[1]->result.plays < plays * INT64_C(400));
		assert_true(quests[1]->result.plays > 0);
		assert_int_equal(quests[1]->result.iterations, 400);
		free(quests[0]);
		free(quests[1]);
	}
}

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
