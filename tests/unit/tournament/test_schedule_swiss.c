/*
 * Swiss: who meets whom, against a search that tries all.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "schedule_fixture.h"
#include "support.h"
#include "test.h"

enum { BOTS_MAX = 8 };

/* What was played before a stage, told by its plans. */
struct history {
	int bots;
	int met[BOTS_MAX][BOTS_MAX];
	int byes[BOTS_MAX];
	int points[BOTS_MAX]; /* in halves */
	double margins[BOTS_MAX];
};

/* The least `met` of the worst pair, over all ways to pair these bots. */
static int
least_met(const struct history *history, unsigned bots)
{
	int first = 0, best = INT_MAX;

	if (bots == 0)
		return 0;
	while ((bots >> first & 1) == 0)
		first++;
	bots &= ~(1U << first);
	for (int other = first + 1; other < history->bots; other++) {
		int met;

		if ((bots >> other & 1) == 0)
			continue;
		met = least_met(history, bots & ~(1U << other));
		if (history->met[first][other] > met)
			met = history->met[first][other];
		best = met < best ? met : best;
	}
	return best;
}

/* The same when a bot of those with the fewest byes has to sit out. */
static int
least_met_of(const struct history *history, unsigned bots)
{
	int fewest = INT_MAX, best = INT_MAX;

	if (__builtin_popcount(bots) % 2 == 0)
		return least_met(history, bots);
	for (int bot = 0; bot < history->bots; bot++)
		if ((bots >> bot & 1) != 0 && history->byes[bot] < fewest)
			fewest = history->byes[bot];
	for (int bot = 0; bot < history->bots; bot++) {
		int met;

		if ((bots >> bot & 1) == 0 || history->byes[bot] > fewest)
			continue;
		met = least_met(history, bots & ~(1U << bot));
		best = met < best ? met : best;
	}
	return best;
}

/* Checks who meets in a stage, and adds it to the history. */
static void
check_stage(struct history *history, const struct schedule_fixture *fixture,
    int64_t start, int pairings, int rounds, unsigned active)
{
	int worst = 0, least = least_met_of(history, active);
	unsigned idle = active;

	for (int i = 0; i < pairings; i++) {
		const struct block_plan *plan = &fixture->plans[start + i];
		int one = plan->bots[0], other = plan->bots[1];
		double margin = 0;

		/* Nobody plays twice, and nobody who is out. */
		assert_true((idle >> one & 1) != 0 && (idle >> other & 1) != 0);
		idle &= ~(1U << one) & ~(1U << other);
		if (history->met[one][other] > worst)
			worst = history->met[one][other];
		history->met[one][other]++;
		history->met[other][one]++;
		for (int round = 0; round < rounds; round++) {
			int64_t block = start + round * pairings + i;

			assert_int_equal(fixture->plans[block].bots[0], one);
			assert_int_equal(fixture->plans[block].bots[1], other);
			margin += fixture->margins[block];
		}
		history->points[one] += 1 + (margin > 0) - (margin < 0);
		history->points[other] += 1 - (margin > 0) + (margin < 0);
		history->margins[one] += margin;
		history->margins[other] -= margin;
	}
	assert_int_equal(worst, least);
	assert_int_equal(
	    __builtin_popcount(idle), __builtin_popcount(active) % 2);
	for (int bot = 0; bot < history->bots; bot++) {
		if ((idle >> bot & 1) == 0)
			continue;
		for (int other = 0; other < history->bots; other++)
			if ((active >> other & 1) != 0)
				assert_true(
				    history->byes[bot] <= history->byes[other]);
		history->byes[bot]++;
		history->points[bot] += 2;
	}
}

/* Places by points, then margins. */
static void
check_places(
    const struct history *history, const struct schedule_fixture *fixture)
{
	for (int bot = 0; bot < history->bots; bot++) {
		int place = 0;

		for (int other = 0; other < history->bots; other++) {
			int ahead =
			    history->points[other] - history->points[bot];
			double margin =
			    history->margins[other] - history->margins[bot];

			if (ahead > 0 || (ahead == 0 && margin > 1e-9))
				place++;
		}
		assert_int_equal(schedule_place(fixture->schedule, bot), place);
	}
}

static void
check_fixture(const struct schedule_fixture_config *config)
{
	struct schedule_fixture *fixture = schedule_fixture_play(config);
	struct history history = { .bots = config->schedule.bot_count };
	unsigned active = (1U << history.bots) - 1;
	int rounds = config->schedule.rounds, stage = 0;
	int64_t start = 0;

	while (start < fixture->count) {
		int pairings = __builtin_popcount(active) / 2;
		int64_t end = start + (int64_t)pairings * rounds;

		assert_true(end <= fixture->count);
		for (int64_t i = start; i < end; i++) {
			assert_int_equal(fixture->plans[i].stage, stage);
			assert_int_equal(fixture->plans[i].round,
			    stage * rounds + (i - start) / pairings);
		}
		check_stage(&history, fixture, start, pairings, rounds, active);
		for (int i = 0; i < config->out_count; i++)
			if (config->out[i].block < end)
				active &= ~(1U << config->out[i].bot);
		start = end;
		stage++;
	}
	if (config->out_count == 0) {
		assert_int_equal(stage, config->schedule.stages);
		check_places(&history, fixture);
	}
	schedule_fixture_close(fixture);
}

TEST(test_nobody_meets_again_if_it_can_be_avoided)
{
	for (int bots = 2; bots <= BOTS_MAX; bots++) {
		for (int i = 0; i < 60; i++) {
			char text[96];
			struct schedule_fixture_config config = {
				.look_ahead = 1,
				.noise = i % 4,
				.seed = (uint64_t)(100 * bots + i),
			};

			snprintf(text, sizeof(text),
			    "swiss scopa bots=%d stages=%d rounds=%d", bots,
			    1 + i % (2 * bots), 1 + i % 3);
			config.schedule = schedule_fixture_read(text);
			for (int bot = 0; bot < bots; bot++)
				config.strengths[bot] = bot * (i % 3);
			check_fixture(&config);
		}
	}
}

TEST(test_so_it_is_when_bots_are_suspended)
{
	uint64_t random = 5;

	for (int i = 0; i < 300; i++) {
		char text[96];
		int bots = 3 + support_random_below(&random, BOTS_MAX - 2);
		struct schedule_fixture_config config = {
			.look_ahead = 4,
			.noise = i % 4,
			.seed = (uint64_t)i,
			.out_count = 1 + i % 3,
		};

		snprintf(text, sizeof(text), "swiss scopa bots=%d stages=%d",
		    bots, 3 * bots);
		config.schedule = schedule_fixture_read(text);
		for (int k = 0; k < config.out_count; k++) {
			config.out[k].bot = support_random_below(&random, bots);
			config.out[k].block =
			    support_random_below(&random, 2 * bots);
		}
		check_fixture(&config);
	}
}

TEST(test_equals_meet)
{
	/* The better one always wins: six stages tell 64 apart. */
	struct schedule_fixture_config config = {
		.schedule = schedule_fixture_read("swiss scopa bots=64"),
		.look_ahead = 64,
	};
	struct schedule_fixture *fixture;
	int points[64] = { 0 };

	for (int bot = 0; bot < 64; bot++)
		config.strengths[bot] = 64 - bot;
	fixture = schedule_fixture_play(&config);
	assert_int_equal(fixture->count, 6 * 32);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		assert_int_equal(points[plan->bots[0]], points[plan->bots[1]]);
		if (i % 32 != 31)
			continue;
		for (int64_t k = i - 31; k <= i; k++)
			points[fixture->plans[k].bots[0]] += 1;
	}
	assert_int_equal(schedule_place(fixture->schedule, 0), 0);
	assert_int_equal(schedule_place(fixture->schedule, 63), 63);
	schedule_fixture_close(fixture);
}

TEST(test_places_wait_for_the_end)
{
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("swiss scopa bots=4 stages=2"),
	};
	struct schedule *schedule =
	    test_malloc(schedule_size(&config.schedule));
	struct block_plan plan;

	schedule_init(schedule, &config.schedule);
	for (int i = 0; i < 4; i++) {
		struct block_result block;

		assert_int_equal(schedule_place(schedule, 0), -1);
		assert_int_equal(
		    schedule_next(schedule, &plan), SCHEDULE_BLOCK);
		block = schedule_fixture_result(&config, &plan);
		schedule_take(schedule, &block);
	}
	/* All is drawn: all are first, without asking for a block more. */
	for (int bot = 0; bot < 4; bot++)
		assert_int_equal(schedule_place(schedule, bot), 0);
	test_free(schedule);
}

TEST(test_who_is_suspended_loses)
{
	/* It is far ahead when its second block is skipped. */
	struct schedule_fixture_config config = {
		.schedule = schedule_fixture_read(
		    "swiss scopa bots=2 stages=1 rounds=2"),
		.look_ahead = 1,
		.strengths = { 9, 0 },
		.out_count = 1,
		.out = { { .bot = 0, .block = 0 } },
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);

	assert_int_equal(fixture->count, 2);
	assert_true(fixture->skipped[1]);
	assert_int_equal(schedule_place(fixture->schedule, 0), 1);
	assert_int_equal(schedule_place(fixture->schedule, 1), 0);
	schedule_fixture_close(fixture);
}

TEST(test_the_largest_field_is_paired)
{
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("swiss scopa bots=127 stages=130"),
		.look_ahead = 1000,
		.noise = 20,
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);
	static int met[127][127];

	assert_int_equal(fixture->count, 63 * 130);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];
		int low = plan->bots[0], high = plan->bots[1];

		if (i < 63 * 90)
			assert_int_equal(met[low][high], 0);
		met[low][high]++;
	}
	schedule_fixture_close(fixture);
}
