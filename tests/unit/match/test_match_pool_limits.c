/*
 * A match pool has as many bots as there are descriptors and deadlines for, and one
 * for each seat or none at all.
 */
#include "match_pool.h"

#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>

#include "loop.h"
#include "process.h"
#include "test.h"

enum { LANES = 4, SEATS = 2, FEW = 8, MANY = 500 };

static int
raise_limits(
    struct match_pool_limits *limits, int lanes, int entrants, int workers)
{
	return match_pool_limits_raise(limits,
	    &(struct match_pool_demand){
		.lane_count = lanes,
		.seat_count = SEATS,
		.entrant_count = entrants,
		.worker_count = workers,
	    });
}

TEST(test_bots_may_wait_and_go_beside_those_that_play)
{
	struct match_pool_limits limits;

	assert_int_equal(raise_limits(&limits, LANES, FEW, 1), 0);
	assert_true(limits.active_max > LANES * SEATS);
	assert_true(limits.bot_max > limits.active_max);
	assert_true(process_room(0) >= limits.bot_max);
}

TEST(test_more_games_than_deadlines_are_refused)
{
	struct match_pool_limits limits;

	assert_int_equal(
	    raise_limits(&limits, LOOP_DEADLINES_MAX, FEW, 1), -EMFILE);
}

TEST(test_all_entrants_may_wait_beside_those_that_play)
{
	struct match_pool_limits limits;

	assert_int_equal(raise_limits(&limits, LANES, MANY, 1), 0);
	assert_in_range(limits.active_max, LANES * SEATS + MANY, 2 * MANY);
	/* Where memory is short it is as with few entrants. */
	assert_in_range(limits.lean_max, LANES * SEATS, MANY / 4);
}

TEST(test_many_workers_share_what_the_machine_has)
{
	enum { WORKERS = 64 };
	struct match_pool_limits limits;

	assert_int_equal(raise_limits(&limits, LANES, MANY, WORKERS), 0);
	assert_in_range(limits.active_max, limits.lean_max, MANY / 4);
}

/* The last test: a hard limit is for ever. */
TEST(test_few_descriptors_are_few_bots)
{
	const struct rlimit few = { 128, 128 }, fewer = { 64, 64 };
	struct match_pool_limits limits;

	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(raise_limits(&limits, LANES, FEW, 1), 0);
	assert_in_range(limits.bot_max, LANES * SEATS, process_room(0));
	assert_in_range(limits.active_max, LANES * SEATS, limits.bot_max);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &fewer), 0);
	assert_int_equal(raise_limits(&limits, LANES, FEW, 1), -EMFILE);
}
