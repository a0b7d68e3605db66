/*
 * Which blocks of a run belong to which shard.
 */
#include "tournament.h"

#include <string.h>

#include "test.h"

enum { COUNTS = 12, ROWS = 500 };

TEST(test_each_shard_has_one_block_of_each_row)
{
	for (int count = 1; count <= COUNTS; count++)
		for (int64_t row = 0; row < ROWS; row++) {
			unsigned seen = 0;

			for (int i = 0; i < count; i++)
				seen |= 1U << shard_of(row * count + i, count);
			assert_int_equal(seen, (1U << count) - 1);
		}
}

/* In a round robin the pairs take turns: block by block. */
TEST(test_each_shard_meets_each_pair)
{
	for (int count = 2; count <= COUNTS; count++)
		for (int pairs = count; pairs <= count * count;
		     pairs += count) {
			unsigned seen[COUNTS * COUNTS] = { 0 };

			for (int64_t i = 0; i < (int64_t)ROWS * pairs; i++)
				seen[i % pairs] |= 1U << shard_of(i, count);
			for (int pair = 0; pair < pairs; pair++)
				assert_int_equal(seen[pair], (1U << count) - 1);
		}
}

TEST(test_the_greatest_numbers_have_a_shard)
{
	for (int count = 1; count <= SHARD_COUNT_MAX; count++)
		assert_in_range(
		    shard_of(SCHEDULE_BLOCKS_MAX, count), 0, count - 1);
}

static struct tournament tournament;

static int
close_tournament(void **state)
{
	(void)state;
	tournament_close(&tournament);
	return 0;
}

TEST_EACH(NULL, close_tournament)

TEST(test_a_tournament_skips_the_blocks_of_other_shards)
{
	struct tournament_config config = {
		.schedule = { .format = SCHEDULE_ROUND_ROBIN,
		    .bot_count = 3,
		    .rules = scopa_presets[0].rules,
		    .duplicate = true,
		    .rounds = 5,
		    .blocks = 1,
		    .challengers = 1 },
		.shard = { .index = 1, .count = 4 },
	};
	struct block_plan plan;

	assert_int_equal(tournament_open(&tournament, &config), 0);
	while (tournament_next(&tournament, &plan) == SCHEDULE_BLOCK)
		assert_int_equal(tournament_skips(&tournament, &plan),
		    shard_of(plan.index, 4) != 1);
	assert_int_equal(tournament.planned, 15);
}
