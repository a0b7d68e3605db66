/*
 * The verdict on an offence under each policy, and what counts as pondering.
 */
#include "verdict.h"

#include <stdint.h>

#include "test.h"

TEST(test_offences_are_judged_by_policy_and_strikes)
{
	static const struct {
		enum verdict_policy policy,
		    then; /* policy in effect with these strikes */
		int strikes, most;
		enum verdict
		    verdict; /* for all offences except a failed start */
	} rows[] = {
		{ POLICY_FORFEIT, POLICY_FORFEIT, 1, 3, VERDICT_FORFEIT },
		{ POLICY_DISQUALIFY, POLICY_DISQUALIFY, 1, 3, VERDICT_FORFEIT },
		{ POLICY_DISQUALIFY, POLICY_DISQUALIFY, 9, 3, VERDICT_FORFEIT },
		{ POLICY_SUBSTITUTE, POLICY_SUBSTITUTE, 1, 3,
		    VERDICT_MOVE_FOR },
		{ POLICY_SUBSTITUTE, POLICY_SUBSTITUTE, 2, 3,
		    VERDICT_MOVE_FOR },
		{ POLICY_SUBSTITUTE, POLICY_FORFEIT, 3, 3, VERDICT_FORFEIT },
		{ POLICY_SUBSTITUTE, POLICY_FORFEIT, 4, 3, VERDICT_FORFEIT },
		{ POLICY_SUBSTITUTE, POLICY_FORFEIT, 1, 1, VERDICT_FORFEIT },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		assert_int_equal(
		    policy_at(rows[i].policy, rows[i].strikes, rows[i].most),
		    rows[i].then);
		/* The arena moves for no bot that was never ready. */
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			assert_int_equal(
			    verdict_of(rows[i].policy, (enum offence_kind)kind,
				rows[i].strikes, rows[i].most),
			    kind == OFFENCE_STARTUP ? VERDICT_FORFEIT
						    : rows[i].verdict);
	}
}

TEST(test_pondering_is_a_share_of_the_time_above_a_minimum)
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
