/*
 * A machine that refuses is borne with: fewer matches, pauses, and an end.
 */
#include "infra_failure.h"

#include <errno.h>

#include "clock.h"
#include "test.h"

enum { PAUSE_NS = BACKOFF_PAUSE_MS * 1000000 };

TEST(test_tables_are_halved_and_come_back_one_by_one)
{
	struct backoff backoff;
	int64_t now_ns = 1;

	backoff_init(&backoff, 64, 0);
	assert_true(backoff_allows(&backoff, 63, now_ns));
	assert_false(backoff_allows(&backoff, 64, now_ns));
	assert_true(backoff_begin(&backoff, 50, now_ns));
	assert_false(backoff_allows(&backoff, 0, now_ns));
	now_ns += PAUSE_NS;
	assert_true(backoff_allows(&backoff, 24, now_ns));
	assert_false(backoff_allows(&backoff, 25, now_ns));
	for (int i = 25; i < 64; i++) {
		backoff_ease(&backoff);
		assert_true(backoff_allows(&backoff, i, now_ns));
		assert_false(backoff_allows(&backoff, i + 1, now_ns));
	}
	backoff_ease(&backoff);
	assert_false(backoff_allows(&backoff, 64, now_ns));
}

TEST(test_one_table_is_always_tried)
{
	struct backoff backoff;

	backoff_init(&backoff, 8, 0);
	for (int i = 0; i < 10; i++)
		assert_true(backoff_begin(&backoff, i % 3, 1));
	assert_true(backoff_allows(&backoff, 0, 1 + PAUSE_NS));
	assert_false(backoff_allows(&backoff, 1, 1 + PAUSE_NS));
}

TEST(test_patience_ends_when_nothing_has_succeeded)
{
	struct backoff backoff;

	backoff_init(&backoff, 2, CLOCK_NS_PER_S);
	assert_true(backoff_begin(&backoff, 1, 1));
	assert_true(backoff_begin(&backoff, 1, CLOCK_NS_PER_S));
	assert_false(backoff_begin(&backoff, 1, CLOCK_NS_PER_S + 1));
	backoff_ease(&backoff);
	assert_true(backoff_begin(&backoff, 1, 2 * CLOCK_NS_PER_S));
	backoff_init(&backoff, 2, 0);
	assert_true(backoff_begin(&backoff, 1, 1));
	assert_true(
	    backoff_begin(&backoff, 1, BACKOFF_LIMIT_S * CLOCK_NS_PER_S));
	assert_false(
	    backoff_begin(&backoff, 1, 1 + BACKOFF_LIMIT_S * CLOCK_NS_PER_S));
}

TEST(test_patience_is_for_what_may_pass)
{
	assert_true(infra_failure_may_pass(-EAGAIN));
	assert_true(infra_failure_may_pass(-EMFILE));
	assert_true(infra_failure_may_pass(-EOWNERDEAD));
	assert_false(infra_failure_may_pass(-EBADMSG));
	assert_false(infra_failure_may_pass(-E2BIG));
	assert_false(infra_failure_may_pass(-ENOENT));
}
