/*
 * Knockout: matches as an umpire would follow them, block by block.
 */
#include <stdio.h>
#include <string.h>

#include "schedule.h"
#include "schedule_fixture.h"
#include "support.h"
#include "test.h"

/* One match as its blocks came. */
struct match {
	int first, second;
	int blocks, lead; /* of the first */
	double margin;
	int winner; /* or -1 */
};

/* Counts a block of a match that is not decided yet. */
static void
match_take(struct match *match, double margin, bool skipped,
    const bool *suspended, int rounds)
{
	int sign = (margin > 1e-9) - (margin < -1e-9);
	int left, verdict = 0;

	assert_int_equal(match->winner, -1);
	if (skipped)
		sign = suspended[match->second] - suspended[match->first];
	else
		match->margin += margin;
	match->lead += sign;
	match->blocks++;
	left = rounds - match->blocks;
	if (left >= 0 && match->lead > left)
		verdict = 1;
	else if (left >= 0 && -match->lead > left)
		verdict = -1;
	if (left == 0 && verdict == 0)
		verdict = (match->margin > 1e-9) - (match->margin < -1e-9);
	if (left < 0 || (left == 0 && skipped))
		verdict = sign;
	if (verdict == 0 && (left == -16 || (left <= 0 && skipped)))
		verdict = 1;
	if (verdict != 0)
		match->winner = verdict > 0 ? match->first : match->second;
}

/* All that is still in, and what they did in a stage. */
struct umpire {
	int bots;
	bool in[TOURNAMENT_BOTS_MAX], suspended[TOURNAMENT_BOTS_MAX];
	struct match matches[TOURNAMENT_BOTS_MAX / 2];
	int match_count, match_total;
};

static struct match *
match_of(struct umpire *umpire, const struct block_plan *plan)
{
	int low = plan->bots[0] < plan->bots[1] ? plan->bots[0] : plan->bots[1];
	int high = plan->bots[0] + plan->bots[1] - low;
	struct match *match;

	for (int i = 0; i < umpire->match_count; i++) {
		match = &umpire->matches[i];
		if (match->first == low && match->second == high)
			return match;
		/* Who plays one match plays no other one in this stage. */
		assert_true(match->first != low && match->first != high);
		assert_true(match->second != low && match->second != high);
	}
	assert_true(umpire->in[low] && umpire->in[high]);
	match = &umpire->matches[umpire->match_count++];
	*match = (struct match){ .first = low, .second = high, .winner = -1 };
	return match;
}

/* Every match of a stage has come to its end. */
static void
stage_end(struct umpire *umpire)
{
	for (int i = 0; i < umpire->match_count; i++) {
		struct match *match = &umpire->matches[i];

		assert_true(match->winner >= 0);
		umpire->in[match->first + match->second - match->winner] =
		    false;
	}
	umpire->match_total += umpire->match_count;
	umpire->match_count = 0;
}

/* Places are 0, 1, 2, 2, 4, ...: as many are before as stayed in. */
static void
check_places(
    const struct umpire *umpire, const struct schedule_fixture *fixture)
{
	int counts[TOURNAMENT_BOTS_MAX] = { 0 };

	for (int bot = 0; bot < umpire->bots; bot++) {
		int place = schedule_place(fixture->schedule, bot);

		assert_in_range(place, 0, umpire->bots - 1);
		counts[place]++;
	}
	assert_int_equal(counts[0], 1);
	for (int place = 1, next; place < umpire->bots; place = next) {
		next = 2 * place < umpire->bots ? 2 * place : umpire->bots;
		assert_int_equal(counts[place], next - place);
	}
}

static void
check_fixture(const struct schedule_fixture_config *config)
{
	struct schedule_fixture *fixture = schedule_fixture_play(config);
	struct umpire umpire = { .bots = config->schedule.bot_count };
	int stage = 0, left = 0, winner = -1;

	memset(umpire.in, true, (size_t)umpire.bots);
	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];
		struct match *match;
		double margin = fixture->margins[i];

		if (plan->stage != stage) {
			assert_true(plan->stage > stage);
			stage_end(&umpire);
			stage = plan->stage;
		}
		match = match_of(&umpire, plan);
		if (plan->bots[0] != match->first)
			margin = -margin;
		match_take(match, margin, fixture->skipped[i], umpire.suspended,
		    config->schedule.rounds);
		for (int k = 0; k < config->out_count; k++)
			if (config->out[k].block == i)
				umpire.suspended[config->out[k].bot] = true;
	}
	stage_end(&umpire);
	for (int bot = 0; bot < umpire.bots; bot++) {
		if (schedule_place(fixture->schedule, bot) == 0)
			winner = bot;
		/* Who is suspended may leave without a block. */
		left += umpire.in[bot] && !umpire.suspended[bot];
	}
	assert_true(winner >= 0 && umpire.in[winner]);
	check_places(&umpire, fixture);
	if (config->out_count == 0) {
		assert_int_equal(left, 1);
		assert_int_equal(umpire.match_total, umpire.bots - 1);
	}
	schedule_fixture_close(fixture);
}

TEST(test_one_bot_is_left_in_the_end)
{
	for (int bots = 2; bots <= 17; bots++) {
		for (int i = 0; i < 40; i++) {
			char text[64];
			struct schedule_fixture_config config = {
				.look_ahead = 1 + 30 * (i % 2),
				.noise = 1 + i % 4,
				.seed = (uint64_t)i,
			};

			snprintf(text, sizeof(text),
			    "knockout scopa bots=%d rounds=%d%s", bots,
			    1 + i % 7, i % 3 == 0 ? " single" : "");
			config.schedule = schedule_fixture_read(text);
			check_fixture(&config);
		}
	}
}

TEST(test_so_it_is_when_bots_are_suspended)
{
	uint64_t random = 6;

	for (int i = 0; i < 500; i++) {
		char text[64];
		int bots = 2 + support_random_below(&random, 16);
		struct schedule_fixture_config config = {
			.noise = 1 + i % 4,
			.seed = (uint64_t)i,
			.out_count = 1 + i % 7,
		};

		snprintf(text, sizeof(text), "knockout scopa bots=%d rounds=%d",
		    bots, 1 + i % 5);
		config.schedule = schedule_fixture_read(text);
		for (int k = 0; k < config.out_count; k++) {
			config.out[k].bot = support_random_below(&random, bots);
			config.out[k].block =
			    support_random_below(&random, 3 * bots);
		}
		check_fixture(&config);
	}
}

TEST(test_the_largest_bracket_is_played)
{
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("knockout scopa bots=128 rounds=3"),
		.look_ahead = 50,
	};
	struct schedule_fixture *fixture;

	for (int bot = 0; bot < 128; bot++)
		config.strengths[bot] = 128 - bot;
	check_fixture(&config);
	fixture = schedule_fixture_play(&config);
	/* Seeds are kept apart: who is better by number gets further. */
	for (int bot = 0; bot < 128; bot++) {
		int place = 0;

		while (bot >= (place == 0 ? 1 : 2 * place))
			place = place == 0 ? 1 : 2 * place;
		assert_int_equal(schedule_place(fixture->schedule, bot), place);
	}
	assert_int_equal(fixture->count, 127 * 2);
	schedule_fixture_close(fixture);
}

TEST(test_byes_go_to_the_first)
{
	for (int bots = 2; bots <= 33; bots++) {
		char text[64];
		struct schedule_fixture_config config = { .look_ahead = 1 };
		struct schedule_fixture *fixture;
		int size = 2;

		while (size < bots)
			size *= 2;
		snprintf(text, sizeof(text), "knockout scopa bots=%d", bots);
		config.schedule = schedule_fixture_read(text);
		fixture = schedule_fixture_play(&config);
		for (int64_t i = 0; fixture->plans[i].stage == 0; i++) {
			const struct block_plan *plan = &fixture->plans[i];

			assert_true(plan->bots[0] >= size - bots);
			assert_int_equal(
			    plan->bots[0] + plan->bots[1], size - 1);
			if (i + 1 == fixture->count)
				break;
		}
		schedule_fixture_close(fixture);
	}
}

TEST(test_when_all_is_drawn_the_better_seed_passes)
{
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("knockout scopa bots=4 rounds=2"),
		.look_ahead = 1,
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);

	assert_int_equal(fixture->count, 3 * (2 + SCHEDULE_TIE_BREAKS_MAX));
	assert_int_equal(
	    fixture->count, schedule_block_count(&config.schedule));
	for (int bot = 0; bot < 4; bot++)
		assert_int_equal(
		    schedule_place(fixture->schedule, bot), bot == 3 ? 2 : bot);
	schedule_fixture_close(fixture);
}

TEST(test_rounds_name_new_packs_in_each_stage)
{
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("knockout scopa bots=8 rounds=3"),
		.look_ahead = 1,
		.noise = 3,
	};

	for (uint64_t seed = 0; seed < 20; seed++) {
		struct schedule_fixture *fixture;
		int round = -1, stage = 0;

		config.seed = seed;
		fixture = schedule_fixture_play(&config);
		for (int64_t i = 0; i < fixture->count; i++) {
			const struct block_plan *plan = &fixture->plans[i];

			/* Every one is used, and none in two stages. */
			assert_in_range(plan->round - round, 0, 1);
			if (plan->stage != stage)
				assert_int_equal(plan->round, round + 1);
			round = plan->round;
			stage = plan->stage;
		}
		schedule_fixture_close(fixture);
	}
}

TEST(test_places_are_known_when_a_bot_leaves)
{
	struct schedule_fixture_config config = {
		.schedule = schedule_fixture_read("knockout scopa bots=4"),
		.strengths = { 4, 3, 2, 1 },
	};
	static const int places[4][4] = { { -1, -1, -1, -1 },
		{ -1, -1, -1, -1 }, { -1, -1, 2, 2 }, { 0, 1, 2, 2 } };
	struct schedule *schedule =
	    test_malloc(schedule_size(&config.schedule));

	schedule_init(schedule, &config.schedule);
	for (int i = 0; i < 4; i++) {
		struct block_plan plan;
		struct block_result block;

		for (int bot = 0; bot < 4; bot++)
			assert_int_equal(
			    schedule_place(schedule, bot), places[i][bot]);
		if (i == 3)
			break;
		assert_int_equal(
		    schedule_next(schedule, &plan), SCHEDULE_BLOCK);
		block = schedule_fixture_result(&config, &plan);
		schedule_take(schedule, &block);
	}
	test_free(schedule);
}

TEST(test_who_is_suspended_loses_the_match)
{
	/* Far ahead by margin, and one more block cannot be played. */
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("knockout scopa bots=3 rounds=2"),
		.look_ahead = 1,
		.strengths = { 0, 9, 1 },
		.out_count = 1,
		.out = { { .bot = 1, .block = 0 } },
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);

	assert_true(fixture->skipped[1]);
	assert_int_equal(schedule_place(fixture->schedule, 1), 2);
	assert_int_equal(schedule_place(fixture->schedule, 2), 0);
	schedule_fixture_close(fixture);
	/* Out after the stage: the opponent passes without a block. */
	config.out[0].block = 1;
	fixture = schedule_fixture_play(&config);
	assert_int_equal(fixture->count, 2);
	assert_int_equal(schedule_place(fixture->schedule, 1), 1);
	assert_int_equal(schedule_place(fixture->schedule, 0), 0);
	schedule_fixture_close(fixture);
}

TEST(test_two_who_play_no_more_have_no_match)
{
	/* Both winners of the first stage are out at its end. */
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("knockout scopa bots=4 rounds=5"),
		.look_ahead = 1,
		.strengths = { 4, 3, 2, 1 },
		.out_count = 2,
		.out = { { .bot = 0, .block = 5 }, { .bot = 1, .block = 5 } },
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);

	assert_int_equal(fixture->count, 6);
	assert_int_equal(schedule_place(fixture->schedule, 0), 0);
	assert_int_equal(schedule_place(fixture->schedule, 1), 1);
	schedule_fixture_close(fixture);
}

TEST(test_what_rounding_leaves_is_no_difference)
{
	assert_true(0.1 + 0.2 - 0.3 != 0);
	assert_int_equal(schedule_sign(0.1 + 0.2 - 0.3), 0);
	assert_int_equal(schedule_sign(-1.0 / 3 - 1.0 / 6 + 0.5), 0);
	assert_int_equal(schedule_sign(0.001), 1);
	assert_int_equal(schedule_sign(-0.001), -1);
}
