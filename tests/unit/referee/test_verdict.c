/*
 * What follows from an offence under each policy.
 */
#include "verdict.h"

#include <stdint.h>
#include <string.h>

#include "test.h"

TEST(test_two_teams_forfeit_and_more_are_substituted)
{
	assert_int_equal(policy_default(2), POLICY_FORFEIT);
	for (int teams = 3; teams <= 6; teams++)
		assert_int_equal(policy_default(teams), POLICY_SUBSTITUTE);
}

TEST(test_forfeit_and_disqualify_lose_at_the_first_offence)
{
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++) {
		assert_int_equal(
		    verdict_of(POLICY_FORFEIT, (enum offence_kind)kind, 1, 3),
		    VERDICT_FORFEIT);
		assert_int_equal(verdict_of(POLICY_DISQUALIFY,
				     (enum offence_kind)kind, 1, 3),
		    VERDICT_FORFEIT);
	}
}

TEST(test_substitute_moves_until_the_last_strike)
{
	for (int kind = 0; kind < OFFENCE_STARTUP; kind++) {
		enum offence_kind offence = (enum offence_kind)kind;

		assert_int_equal(verdict_of(POLICY_SUBSTITUTE, offence, 1, 3),
		    VERDICT_MOVE_FOR);
		assert_int_equal(verdict_of(POLICY_SUBSTITUTE, offence, 2, 3),
		    VERDICT_MOVE_FOR);
		assert_int_equal(verdict_of(POLICY_SUBSTITUTE, offence, 3, 3),
		    VERDICT_FORFEIT);
		assert_int_equal(verdict_of(POLICY_SUBSTITUTE, offence, 1, 1),
		    VERDICT_FORFEIT);
	}
}

TEST(test_policy_of_a_seat_is_forfeit_from_its_last_strike_on)
{
	assert_int_equal(policy_at(POLICY_SUBSTITUTE, 2, 3), POLICY_SUBSTITUTE);
	assert_int_equal(policy_at(POLICY_SUBSTITUTE, 3, 3), POLICY_FORFEIT);
	assert_int_equal(policy_at(POLICY_SUBSTITUTE, 4, 3), POLICY_FORFEIT);
	assert_int_equal(policy_at(POLICY_FORFEIT, 1, 3), POLICY_FORFEIT);
	assert_int_equal(policy_at(POLICY_DISQUALIFY, 9, 3), POLICY_DISQUALIFY);
}

TEST(test_nobody_can_be_substituted_who_never_got_ready)
{
	assert_int_equal(verdict_of(POLICY_SUBSTITUTE, OFFENCE_STARTUP, 1, 3),
	    VERDICT_FORFEIT);
}

TEST(test_pondering_is_a_share_of_the_time_and_not_a_trifle)
{
	static const struct {
		int64_t cpu_ms, wall_ms;
		bool ponders;
	} rows[] = {
		{ 0, 0, false },
		{ 99, 100, false },
		{ 100, 100, true },
		{ 100, 2000, false },
		{ 101, 2000, true },
		{ 1000, 20001, false },
		{ 3600000, 10000000, true },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++)
		assert_int_equal(verdict_ponders(rows[i].cpu_ms * 1000000,
				     rows[i].wall_ms * 1000000),
		    rows[i].ponders);
}
