/*
 * What the functions for other languages return where there is nothing.  The
 * rest is tested by a program in Python (e2e/libscopa).
 */
#include "scopa/access.h"

#include "support.h"
#include "test.h"

TEST(test_what_does_not_exist_is_minus_one_or_nothing)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_score score = { .winner = SCOPA_TEAM_NONE };
	struct scopa_tally tally;
	struct scopa_deal deal;

	support_deal(&rules, "ADAC2S3BKCJB7D4S5B6DKBQD", 1, &deal);
	scopa_tally_init(&tally, 1, 0);
	assert_int_equal(scopa_deal_last(&deal), -1);
	assert_int_equal(scopa_score_winner(&score), -1);
	assert_int_equal(scopa_tally_winner(&tally), -1);
	assert_int_equal(scopa_struct_size("deal"), sizeof(deal));
	assert_int_equal(scopa_struct_size("nothing"), 0);
	assert_non_null(scopa_preset_name(scopa_preset_count - 1));
	assert_null(scopa_preset_name(scopa_preset_count));
}
