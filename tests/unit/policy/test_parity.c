/*
 * Ranks that have gone in pairs, and those that have not.
 */
#include "tradition.h"

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

TEST(test_ranks_gone_by_odd_numbers_are_counted)
{
	struct scopa_deal deal = { .dealt = SCOPA_PACK_SIZE };

	assert_int_equal(parity_unpaired(&deal), 0);
	deal.captured[0] = support_set("5D5C7S");
	assert_int_equal(parity_unpaired(&deal), 1);
	/* Three by a sum unpair three, a pair none. */
	deal.captured[1] = support_set("2D3D5SKDKC");
	assert_int_equal(parity_unpaired(&deal), 4);
	deal.captured[1] |= support_set("7D2C3C");
	assert_int_equal(parity_unpaired(&deal), 1);
}

TEST(test_pairs_count_where_like_takes_like_and_all_is_out)
{
	const struct scopa_rules scopone = support_rules("scopone");
	const struct scopa_rules escoba = support_rules("escoba");
	struct scopa_deal deal = { .dealt = SCOPA_PACK_SIZE };

	assert_true(parity_matters(&scopone, &deal));
	assert_false(parity_matters(&escoba, &deal));
	deal.dealt--;
	assert_false(parity_matters(&scopone, &deal));
}
