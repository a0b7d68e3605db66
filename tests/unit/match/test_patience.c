/*
 * A machine that refuses is borne with: fewer tables, pauses, and an end.
 */
#include "infra_failure.h"

#include <errno.h>

#include "clock.h"
#include "test.h"

enum { PAUSE_NS = PATIENCE_PAUSE_MS * 1000000 };

TEST(test_tables_are_halved_and_come_back_one_by_one)
{
	struct patience patience;
	int64_t now_ns = 1;

	patience_init(&patience, 64, 0);
	assert_true(patience_allows(&patience, 63, now_ns));
	assert_false(patience_allows(&patience, 64, now_ns));
	assert_true(patience_try(&patience, 50, now_ns));
	assert_false(patience_allows(&patience, 0, now_ns));
	now_ns += PAUSE_NS;
	assert_true(patience_allows(&patience, 24, now_ns));
	assert_false(patience_allows(&patience, 25, now_ns));
	for (int i = 25; i < 64; i++) {
		patience_ease(&patience);
		assert_true(patience_allows(&patience, i, now_ns));
		assert_false(patience_allows(&patience, i + 1, now_ns));
	}
	patience_ease(&patience);
	assert_false(patience_allows(&patience, 64, now_ns));
}

TEST(test_one_table_is_always_tried)
{
	struct patience patience;

	patience_init(&patience, 8, 0);
	for (int i = 0; i < 10; i++)
		assert_true(patience_try(&patience, i % 3, 1));
	assert_true(patience_allows(&patience, 0, 1 + PAUSE_NS));
	assert_false(patience_allows(&patience, 1, 1 + PAUSE_NS));
}

TEST(test_patience_ends_when_nothing_has_succeeded)
{
	struct patience patience;

	patience_init(&patience, 2, CLOCK_NS_PER_S);
	assert_true(patience_try(&patience, 1, 1));
	assert_true(patience_try(&patience, 1, CLOCK_NS_PER_S));
	assert_false(patience_try(&patience, 1, CLOCK_NS_PER_S + 1));
	patience_ease(&patience);
	assert_true(patience_try(&patience, 1, 2 * CLOCK_NS_PER_S));
	patience_init(&patience, 2, 0);
	assert_true(patience_try(&patience, 1, 1));
	assert_true(
	    patience_try(&patience, 1, PATIENCE_LIMIT_S * CLOCK_NS_PER_S));
	assert_false(
	    patience_try(&patience, 1, 1 + PATIENCE_LIMIT_S * CLOCK_NS_PER_S));
}

TEST(test_patience_is_for_what_may_pass)
{
	assert_true(patience_is_for(-EAGAIN));
	assert_true(patience_is_for(-EMFILE));
	assert_true(patience_is_for(-EOWNERDEAD));
	assert_false(patience_is_for(-EBADMSG));
	assert_false(patience_is_for(-E2BIG));
	assert_false(patience_is_for(-ENOENT));
}
