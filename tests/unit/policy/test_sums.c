/*
 * Sums of cards as bits.
 */
#include "reply_analysis.h"

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

#define BIT(sum) (UINT64_C(1) << (sum))

TEST(test_all_sums_of_a_set_are_there)
{
	assert_int_equal(sums_of(SCOPA_SET_EMPTY), BIT(0));
	assert_int_equal(sums_of(support_set("2C2S7D")),
	    BIT(0) | BIT(2) | BIT(4) | BIT(7) | BIT(9) | BIT(11));
	/* Of forty cards sums up to 220 would be there. */
	assert_int_equal(sums_of(SCOPA_SET_ALL), UINT64_MAX);
}

TEST(test_cards_take_what_the_rules_let_them)
{
	const struct scopa_rules scopa = support_rules("scopa");
	const struct scopa_rules escoba = support_rules("escoba");
	const struct scopa_rules cirulla = support_rules("cirulla");

	assert_int_equal(sums_taken(&scopa, 7), BIT(7));
	assert_int_equal(sums_taken(&escoba, 7), BIT(8));
	assert_int_equal(sums_taken(&cirulla, 7), BIT(7) | BIT(8));
}

TEST(test_sweep_takes_the_total)
{
	const struct scopa_rules scopa = support_rules("scopa");
	const struct scopa_rules escoba = support_rules("escoba");

	assert_true(sums_sweep(&scopa, support_set("3C4S"), 7));
	assert_false(sums_sweep(&scopa, support_set("3C4S"), 8));
	assert_true(sums_sweep(&escoba, support_set("3C4S"), 8));
	assert_false(sums_sweep(&scopa, SCOPA_SET_EMPTY, 7));
	assert_false(sums_sweep(&scopa, SCOPA_SET_ALL, 7));
}
