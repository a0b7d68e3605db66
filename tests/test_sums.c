/*
 * Sums of cards as bits.
 */
#include "reply_analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scopa/scopa.h"
#include "support.h"

#define BIT(sum) (UINT64_C(1) << (sum))

static void
test_all_sums_of_a_set_are_there(void **state)
{
	(void)state;
	assert_int_equal(sums_of(SCOPA_SET_EMPTY), BIT(0));
	assert_int_equal(sums_of(support_set("2C2S7D")),
	    BIT(0) | BIT(2) | BIT(4) | BIT(7) | BIT(9) | BIT(11));
	/* Of forty cards sums up to 220 would be there. */
	assert_int_equal(sums_of(SCOPA_SET_ALL), UINT64_MAX);
}

static void
test_cards_take_what_the_rules_let_them(void **state)
{
	const struct scopa_rules scopa = support_rules("scopa");
	const struct scopa_rules escoba = support_rules("escoba");
	const struct scopa_rules cirulla = support_rules("cirulla");

	(void)state;
	assert_int_equal(sums_taken(&scopa, 7), BIT(7));
	assert_int_equal(sums_taken(&escoba, 7), BIT(8));
	assert_int_equal(sums_taken(&cirulla, 7), BIT(7) | BIT(8));
}

static void
test_sweep_takes_the_total(void **state)
{
	const struct scopa_rules scopa = support_rules("scopa");
	const struct scopa_rules escoba = support_rules("escoba");

	(void)state;
	assert_true(sums_sweep(&scopa, support_set("3C4S"), 7));
	assert_false(sums_sweep(&scopa, support_set("3C4S"), 8));
	assert_true(sums_sweep(&escoba, support_set("3C4S"), 8));
	assert_false(sums_sweep(&scopa, SCOPA_SET_EMPTY, 7));
	assert_false(sums_sweep(&scopa, SCOPA_SET_ALL, 7));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_sums_of_a_set_are_there),
		cmocka_unit_test(test_cards_take_what_the_rules_let_them),
		cmocka_unit_test(test_sweep_takes_the_total),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
