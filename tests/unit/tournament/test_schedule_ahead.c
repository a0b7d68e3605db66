/*
 * What is planned does not depend on how far ahead of the results it is.
 */
#include <string.h>

#include "schedule_fixture.h"
#include "support.h"
#include "test.h"

static const char *const schedules[] = {
	"roundrobin scopa bots=6 rounds=3",
	"roundrobin scopa,teams=ABCD bots=6 rounds=2",
	"roundrobin scopone,teams=ABAB bots=6 mixed rounds=2",
	"gauntlet scopa,players=3 bots=6 challengers=2 rounds=2",
	"swiss scopa bots=2 rounds=3",
	"swiss scopa bots=9 rounds=3",
	"swiss scopa bots=6 rounds=1 stages=12",
	"swiss scopa bots=7 rounds=2 stages=11 single",
	"swiss perdere bots=16 rounds=2",
	"knockout scopa bots=2 rounds=4",
	"knockout scopa bots=11 rounds=1",
	"knockout scopa bots=16 rounds=2",
	"knockout scopa bots=13 rounds=7",
	"knockout perdere bots=8 rounds=5 single",
	"ladder scopa bots=2 blocks=100",
	"ladder scopa bots=5 blocks=170",
	"ladder scopa bots=12 blocks=200",
};

enum { SCHEDULE_COUNT = sizeof(schedules) / sizeof(*schedules) };

/* 0: drawn anew all the time. */
static const int look_aheads[] = { 1, 2, 7, 64, 100000, 0 };

static void
check_look_aheads(struct schedule_fixture_config *config, const char *what)
{
	struct schedule_fixture *fixture, *other;

	config->look_ahead = look_aheads[0];
	fixture = schedule_fixture_play(config);
	for (int i = 1; i < 6; i++) {
		config->look_ahead = look_aheads[i];
		other = schedule_fixture_play(config);
		if (fixture->count != other->count)
			fail_msg("%s: %d blocks, not %d", what,
			    (int)other->count, (int)fixture->count);
		for (int64_t k = 0; k < fixture->count; k++) {
			schedule_fixture_compare(
			    &fixture->plans[k], &other->plans[k]);
			assert_int_equal(
			    fixture->skipped[k], other->skipped[k]);
		}
		for (int bot = 0; bot < config->schedule.bot_count; bot++)
			assert_int_equal(schedule_place(fixture->schedule, bot),
			    schedule_place(other->schedule, bot));
		schedule_fixture_close(other);
	}
	schedule_fixture_close(fixture);
}

TEST(test_plans_are_the_same_at_any_look_ahead)
{
	for (int i = 0; i < SCHEDULE_COUNT; i++) {
		for (int noise = 0; noise < 6; noise += 2) {
			struct schedule_fixture_config config = {
				.schedule = schedule_fixture_read(schedules[i]),
				.noise = noise,
				.seed = (uint64_t)i,
			};

			check_look_aheads(&config, schedules[i]);
		}
	}
}

TEST(test_so_they_are_when_bots_are_suspended)
{
	uint64_t random = 3;

	for (int i = 0; i < SCHEDULE_COUNT; i++) {
		for (int round = 0; round < 8; round++) {
			struct schedule_fixture_config config = {
				.schedule = schedule_fixture_read(schedules[i]),
				.noise = 1 + round % 3,
				.seed = (uint64_t)round,
				.out_count = 1 + round % 4,
			};
			int bots = config.schedule.bot_count;

			for (int k = 0; k < config.out_count; k++) {
				config.out[k].bot =
				    support_random_below(&random, bots);
				config.out[k].block =
				    support_random_below(&random, 5 * bots);
			}
			check_look_aheads(&config, schedules[i]);
		}
	}
}

TEST(test_nothing_is_waited_for_that_is_not_needed)
{
	/* Blocks that are planned before the first result; -1: all. */
	static const struct {
		const char *text;
		int count;
	} cases[] = {
		{ "roundrobin scopa bots=6 rounds=3", -1 },
		{ "gauntlet scopa bots=6 challengers=2 rounds=3", -1 },
		/* A stage of a swiss tournament. */
		{ "swiss scopa bots=9 rounds=3", 12 },
		/* What a best of five needs at least, in each match. */
		{ "knockout scopa bots=8 rounds=5", 4 * 3 },
		{ "knockout scopa bots=5 rounds=5", 3 },
		{ "knockout scopa bots=2 rounds=6", 4 },
		{ "knockout scopa bots=4 rounds=1", 2 },
		/* The ring, three times. */
		{ "ladder scopa bots=9 blocks=100", 27 },
		{ "ladder scopa bots=2 blocks=100", 3 },
		{ "ladder scopa bots=9 blocks=10", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct schedule_fixture_config config = {
			.schedule = schedule_fixture_read(cases[i].text),
			.look_ahead = SCHEDULE_FIXTURE_BLOCKS_MAX,
			.noise = 3,
		};
		struct schedule_fixture *fixture =
		    schedule_fixture_play(&config);

		assert_int_equal(fixture->first_wait, cases[i].count);
		schedule_fixture_close(fixture);
	}
}

TEST(test_a_knockout_goes_on_as_soon_as_a_block_is_sure)
{
	/* The better one wins every block: a best of five takes three. */
	struct schedule_fixture_config config = {
		.schedule =
		    schedule_fixture_read("knockout scopa bots=2 rounds=5"),
		.look_ahead = 64,
		.strengths = { 2, 1 },
	};
	struct schedule_fixture *fixture = schedule_fixture_play(&config);

	assert_int_equal(fixture->count, 3);
	assert_int_equal(fixture->waits, 3);
	schedule_fixture_close(fixture);
	/*
	 * Nobody wins a block.  The fourth is sure after the first was drawn,
	 * the fifth after the third, the first tie-break after the fifth; from
	 * then on each waits for the one before it.
	 */
	config.strengths[0] = 1;
	fixture = schedule_fixture_play(&config);
	assert_int_equal(fixture->count, 5 + SCHEDULE_TIE_BREAKS_MAX);
	assert_int_equal(fixture->waits, 1 + 2 + 2 + SCHEDULE_TIE_BREAKS_MAX);
	schedule_fixture_close(fixture);
}
