/*
 * The tree search: its configuration, its limits, endings with a known value,
 * all variants, and several threads; and the reward of the points of a deal.
 */
#include "search.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum { MEMORY_SIZE = 1 << 20, PLAIN_ITERATIONS = 40 };

/* All that a search of one view needs. */
struct fixture {
	struct scopa_rules rules;
	struct scopa_view view;
	struct world_uniform uniform;
	struct scopa_deal fixed;
	struct search_config config;
	struct search_result result;
	uint64_t random;
	char memory[MEMORY_SIZE];
};

/* The search of the seat to move, as published; the last two are valid. */
static struct fixture *
fixture_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	static struct fixture fixtures[2];
	static int next;
	struct fixture *fixture = &fixtures[next++ % 2];

	fixture->rules = *rules;
	support_view(rules, deal, deal->turn, &fixture->view);
	assert_true(
	    world_uniform_init(&fixture->uniform, rules, &fixture->view));
	fixture->fixed = *deal;
	fixture->random = 1;
	fixture->config = (struct search_config){
		.rules = &fixture->rules,
		.view = &fixture->view,
		.iterations = PLAIN_ITERATIONS,
		.exploration = 2,
		.eager = true,
		.worlds = { world_uniform_draw, &fixture->uniform },
		.random_share = PLAYOUT_EPSILON,
		.reward = reward_difference,
		.memory = fixture->memory,
		.memory_size = sizeof(fixture->memory),
	};
	return fixture;
}

/* The search of the first turn of a random deal. */
static struct fixture *
fixture_random(const char *spec, uint64_t seed)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	support_deal_random(&rules, &seed, 0, &deal);
	return fixture_of(&rules, &deal);
}

static void
fixture_run(struct fixture *fixture)
{
	assert_true(
	    search_run(&fixture->config, &fixture->random, &fixture->result));
}

static const struct search_row *
fixture_best(const struct fixture *fixture)
{
	return &fixture->result.rows[fixture->result.best];
}

static void
assert_best_is_legal(const struct fixture *fixture)
{
	assert_int_equal(scopa_deal_check(&fixture->rules, &fixture->fixed,
			     &fixture_best(fixture)->move),
	    SCOPA_LEGAL);
}

TEST(test_move_that_is_best_in_every_world_is_found)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	struct fixture *fixture;

	/* The king sweeps; after any other card the opponent sweeps. */
	support_position(&rules, "KD", "KB2C3S", &deal);
	support_hold(&deal, "KSAC5D");
	fixture = fixture_of(&rules, &deal);
	fixture->config.iterations = 2000;
	fixture_run(fixture);
	assert_int_equal(fixture_best(fixture)->move.card, support_card("KB"));
	assert_true(fixture->result.line_count >= 2);
	assert_true(scopa_move_equal(
	    &fixture->result.line[0], &fixture_best(fixture)->move));
	assert_int_equal(fixture->result.line[0].seat, 0);
	assert_int_equal(fixture->result.line[1].seat, 1);
}

TEST(test_same_seed_gives_the_same_search)
{
	struct fixture *one = fixture_random("scientifico", 12);
	struct fixture *two = fixture_random("scientifico", 12);

	one->config.iterations = two->config.iterations = 500;
	fixture_run(one);
	/* The previous content of the memory has no effect. */
	memset(two->memory, 0xA5, sizeof(two->memory));
	fixture_run(two);
	assert_int_equal(one->result.row_count, two->result.row_count);
	assert_true(one->random == two->random);
	for (int i = 0; i < one->result.row_count; i++) {
		assert_true(
		    one->result.rows[i].visits == two->result.rows[i].visits);
		assert_true(
		    one->result.rows[i].value == two->result.rows[i].value);
	}
	two->random = 2;
	fixture_run(two);
	assert_true(one->random != two->random);
	assert_true(one->result.rows[0].value != two->result.rows[0].value);
}

TEST(test_memory_is_never_exceeded)
{
	static const size_t sizes[] = { 0, 1, 64, 320, 1000, 4000, 20000 };
	struct fixture *fixture = fixture_random("scientifico", 15);

	fixture->config.iterations = 2000;
	for (size_t i = 0; i < COUNTOF(sizes); i++) {
		size_t size = sizes[i];

		memset(fixture->memory, 0x5A, sizeof(fixture->memory));
		fixture->config.memory_size = size;
		fixture_run(fixture);
		assert_int_equal(fixture->result.iterations, 2000);
		for (size_t at = size; at < sizeof(fixture->memory); at++)
			assert_int_equal(fixture->memory[at], 0x5A);
		assert_best_is_legal(fixture);
	}
	fixture->config.memory_size = sizeof(fixture->memory);
	fixture_run(fixture);
	assert_int_equal(fixture->result.nodes, 2000);
}

/* Stops at the call in which the counter gets negative. */
static bool
stops(void *context)
{
	int *left = context;

	return --*left < 0;
}

TEST(test_search_ends_at_a_stop_and_at_its_deadline)
{
	struct fixture *fixture = fixture_random("scopa", 16);
	int left = 3;

	fixture->config.iterations = 0;
	fixture->config.stopped = stops;
	fixture->config.stopped_context = &left;
	fixture_run(fixture);
	assert_int_equal(fixture->result.iterations, 4 * SEARCH_CLOCK_INTERVAL);
	/* The deadline has passed: the clock is read once. */
	fixture->config.stopped = NULL;
	fixture->config.deadline_ns = 1;
	fixture_run(fixture);
	assert_int_equal(fixture->result.iterations, SEARCH_CLOCK_INTERVAL);
	assert_true(fixture_best(fixture)->visits > 0);
	assert_best_is_legal(fixture);
}

/* A reward that depends only on the number of the team. */
static void
reward_by_team(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_score *score, double *rewards)
{
	(void)view;
	(void)score;
	for (int team = 0; team < scopa_team_count(rules); team++)
		rewards[team] = 10 + team;
}

TEST(test_each_move_is_credited_to_its_team)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	uint64_t random = 17;

	for (int dealer = 0; dealer < rules.players; dealer++) {
		struct scopa_deal deal;
		struct fixture *fixture;

		support_deal_random(&rules, &random, dealer, &deal);
		fixture = fixture_of(&rules, &deal);
		fixture->config.reward = reward_by_team;
		fixture_run(fixture);
		assert_true(fixture_best(fixture)->value ==
		    10 + scopa_team_of(&rules, deal.turn));
	}
}

/* Gives nearly all weight to the last move. */
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

TEST(test_prior_probabilities_direct_the_search)
{
	struct fixture *fixture = fixture_random("scientifico", 18);
	int last;

	fixture->config.eager = false;
	fixture->config.prior.judge = judge_last;
	fixture->config.prior_weight = 1000;
	fixture->config.iterations = 100;
	fixture->config.exploration = 1;
	fixture_run(fixture);
	last = fixture->result.row_count - 1;
	assert_int_equal(fixture->result.best, last);
	assert_true(fixture->result.rows[last].visits > 80);
	assert_true(fixture->result.rows[last].prior == 1);
	assert_true(fixture->result.rows[0].prior < 0.01);
}

/* The moves in the playouts of a search with this many completions. */
static int64_t
plays_of(const char *spec, int completions)
{
	struct fixture *fixture = fixture_random(spec, 23);

	fixture->config.completions = completions;
	fixture->config.iterations = 400;
	fixture_run(fixture);
	assert_int_equal(fixture->result.iterations, 400);
	return fixture->result.plays;
}

TEST(test_completions_end_a_deal_after_the_next_hands_have_begun)
{
	static const char *const specs[] = { "scopa", "escoba", "cirulla",
		"scopa,players=3", "scopa,players=4", "scopa,players=6" };

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		const struct scopa_rules rules = support_rules(specs[i]);
		int plays = 400 * (rules.hand + 1) * rules.players;

		assert_true(plays_of(specs[i], 0) > plays);
		assert_in_range(plays_of(specs[i], 2), 1, plays - 1);
	}
}

enum { MANY = 20000 };

/* A random deal with `plays_left` plays left. */
static void
deal_end(const struct scopa_rules *rules, uint64_t *random, int plays_left,
    struct scopa_deal *deal)
{
	int plays = SCOPA_PACK_SIZE - rules->table - plays_left;

	support_deal_random(rules, random, 0, deal);
	while (deal->play_count < plays)
		support_play_random(rules, deal, random);
}

static void
assert_solves(const char *spec, int plays_left)
{
	enum { POSITIONS = 12 };
	const struct scopa_rules rules = support_rules(spec);
	uint64_t random = 11;

	for (int i = 0; i < POSITIONS; i++) {
		struct scopa_deal deal, next;
		struct fixture *fixture;
		const struct search_row *best;
		int team, value;

		deal_end(&rules, &random, plays_left, &deal);
		fixture = fixture_of(&rules, &deal);
		fixture->config.worlds =
		    (struct world_source){ world_fixed_draw, &fixture->fixed };
		fixture->config.iterations = MANY;
		fixture->config.exploration = 1;
		fixture_run(fixture);
		best = fixture_best(fixture);
		team = scopa_team_of(&rules, deal.turn);
		value = world_fixture_value(&rules, &deal, team);
		next = deal;
		scopa_deal_apply(&rules, &next, &best->move);
		assert_int_equal(
		    world_fixture_value(&rules, &next, team), value);
		if (fabs(best->value - value) > 0.1)
			fail_msg("%s, position %d: %f instead of %d", spec, i,
			    best->value, value);
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

enum { ITERATIONS = 301 };

static struct parallel_search parallel;

static struct fixture *
fixture_for_threads(uint64_t seed)
{
	struct fixture *fixture = fixture_random("scopone", seed);

	fixture->config.iterations = ITERATIONS;
	/* All threads may use these worlds at the same time. */
	fixture->config.worlds =
	    (struct world_source){ world_fixed_draw, &fixture->fixed };
	return fixture;
}

static void
run_threads(struct fixture *fixture, int threads, uint64_t seed)
{
	fixture->random = seed;
	assert_true(parallel_search_run(&parallel, threads, &fixture->config,
	    &fixture->random, &fixture->result));
}

TEST(test_threads_share_the_iterations_and_one_thread_is_a_plain_search)
{
	struct fixture *one = fixture_for_threads(2);
	struct fixture *two = fixture_for_threads(2);

	for (int threads = 1; threads <= PARALLEL_SEARCH_MAX; threads++) {
		double visits = 0, most = 0;

		run_threads(one, threads, 7);
		two->random = 7;
		if (threads == 1)
			fixture_run(two);
		else
			run_threads(two, threads, 7);
		assert_true(one->random == two->random);
		assert_int_equal(one->result.best, two->result.best);
		assert_int_equal(one->result.iterations, ITERATIONS);
		for (int i = 0; i < one->result.row_count; i++) {
			const struct search_row *row = &one->result.rows[i];

			assert_true(row->visits == two->result.rows[i].visits);
			assert_true(row->value == two->result.rows[i].value);
			visits += row->visits;
			most = row->visits > most ? row->visits : most;
		}
		assert_true(visits == ITERATIONS);
		assert_true(fixture_best(one)->visits == most);
		assert_true(scopa_move_equal(
		    &one->result.line[0], &fixture_best(one)->move));
	}
}

static bool
stop_at_once(void *context)
{
	(void)context;
	return true;
}

TEST(test_all_threads_stop_with_the_first)
{
	struct fixture *fixture = fixture_for_threads(3);

	fixture->config.iterations = 0;
	fixture->config.stopped = stop_at_once;
	run_threads(fixture, 2, 7);
	assert_true(fixture->result.row_count > 0);
}

TEST(test_rewards_follow_from_the_points)
{
	const struct scopa_view none = { .seat = 0 };
	const struct scopa_view late = { .scores = { 18, 2 } };
	static const struct scopa_score three = { .total = { 5, 1, 3 },
		.winner = SCOPA_TEAM_NONE },
					tie = { .total = { 3, 3, 1 },
						.winner = SCOPA_TEAM_NONE },
					first = { .total = { 4, 5 },
						.winner = 0 },
					second = { .total = { 4, 5 },
						.winner = 1 };
	const struct {
		const char *spec;
		const struct scopa_view *view;
		const struct scopa_score *score;
		search_reward *reward;
		double expected[3];
	} cases[] = {
		{ "scopa,players=3", &none, &three, reward_difference,
		    { 2, -4, -2 } },
		{ "scopone", &none, &three, reward_difference, { 4, -4 } },
		{ "scopone", &none, &three, reward_points, { 5, 1 } },
		/* If the fewest points win, the sign changes. */
		{ "perdere,players=3", &none, &three, reward_difference,
		    { -4, 2, -2 } },
		{ "perdere,players=3", &none, &three, reward_points,
		    { -5, -1, -3 } },
		{ "scopa,players=3", &none, &three, reward_win, { 1, -1, -1 } },
		{ "scopa,players=3", &none, &tie, reward_win, { 0, 0, -1 } },
		/*
		 * An instant win: 3 and 19 points are missing to the target of
		 * 21.
		 */
		{ "trente", &late, &first, reward_difference, { 2, -2 } },
		{ "trente", &late, &second, reward_difference, { -20, 20 } },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		const struct scopa_rules rules = support_rules(cases[i].spec);
		double rewards[SCOPA_TEAMS_MAX];

		cases[i].reward(&rules, cases[i].view, cases[i].score, rewards);
		for (int team = 0; team < scopa_team_count(&rules); team++)
			if (rewards[team] != cases[i].expected[team])
				fail_msg("case %zu, team %d: %f", i, team,
				    rewards[team]);
	}
}

/* The reward of team A for these points, at scores of `a` and `b`. */
static double
reward_at(const char *spec, int a, int b, int own, int other)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_view view = { .scores = { a, b } };
	struct scopa_score score = {
		.total = { (int16_t)own, (int16_t)other },
		.winner = SCOPA_TEAM_NONE,
	};
	double rewards[SCOPA_TEAMS_MAX];

	reward_match(&rules, &view, &score, rewards);
	assert_true(fabs(rewards[0] + rewards[1]) < 1e-9);
	return rewards[0];
}

TEST(test_points_count_early_and_the_win_counts_near_the_target)
{
	double won = reward_at("scientifico", 20, 15, 1, 0);

	assert_true(fabs(reward_at("scientifico", 0, 0, 3, 1) - 2) < 1e-9);
	assert_true(fabs(reward_at("perdere", 20, 20, 3, 1) + 2) < 1e-9);
	/* One point wins the match; more points are hardly better. */
	assert_true(won > 4 && won < 4.2);
	assert_true(reward_at("scientifico", 20, 15, 2, 0) - won < 0.2);
	/* Below the target the leader still has the better chance. */
	assert_true(reward_at("scientifico", 20, 15, 0, 3) > 0);
	/* The other team wins. */
	assert_true(reward_at("scientifico", 20, 15, 0, 7) < -4);
}
