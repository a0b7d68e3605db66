/*
 * How long a bot thinks under each time control.
 */
#include "pace.h"

#include <string.h>

#include "now.h"
#include "scopa/scopa.h"
#include "test.h"

#define MS NOW_NS_PER_MS
#define BEGAN_NS (INT64_C(7) * NOW_NS_PER_S)

static struct scopa_rules rules;
static struct scopa_view view;

/* A turn in the first deal of a match of plain Scopa, without a clock. */
static struct builtin_turn
turn_make(void)
{
	rules = scopa_preset_find("scopa")->rules;
	memset(&view, 0, sizeof(view));
	view.deal_number = 1;
	return (struct builtin_turn){
		.rules = &rules,
		.view = &view,
		.began_ns = BEGAN_NS,
		.bank_ns = -1,
		.increment_ns = -1,
		.move_ns = -1,
	};
}

/* Microseconds that a decision may take. */
static int64_t
time_us(const struct builtin_turn *turn, int64_t most_ns, int decisions_left)
{
	view.hand_counts[0] = (uint8_t)decisions_left;
	return (pace_search_limit(turn, most_ns / MS, 0).deadline_ns -
		   BEGAN_NS) /
	    1000;
}

TEST(test_time_a_move_is_used_but_for_a_margin)
{
	static const struct {
		int64_t move_ms, most_ms, us;
	} cases[] = {
		{ 0, 0, 0 },
		{ 1, 0, 0 },
		{ 2, 0, 500 },
		{ 5, 0, 3500 },
		{ 5, 2, 2000 },
		{ 5, 5, 3500 },
		{ 100, 0, 75000 },
		{ 1000, 0, 950000 },
		{ 10000, 0, 9950000 },
		{ 10000, 100, 100000 },
		{ -1, 100, 100000 },
		{ -1, 0, 1000000 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct builtin_turn turn = turn_make();

		if (cases[i].move_ms >= 0)
			turn.move_ns = cases[i].move_ms * MS;
		assert_int_equal(
		    time_us(&turn, cases[i].most_ms * MS, 3), cases[i].us);
	}
}

TEST(test_bank_of_a_deal_is_divided_among_its_decisions)
{
	static const struct {
		int64_t bank_ms, increment_ms;
		int decisions_left;
		int64_t us;
	} cases[] = {
		{ 1000, 0, 1, 950000 },
		{ 1000, 0, 10, 93750 },
		{ 1000, 100, 10, 175000 },
		{ 100, 0, 10, 9375 },
		{ 10, 0, 10, 0 },
		{ 10, 0, 2, 4687 },
		/* An increment comes after the answer: the bank decides. */
		{ 10, 100, 10, 7500 },
		{ 1, 100, 10, 0 },
		{ 0, 0, 1, 0 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct builtin_turn turn = turn_make();

		turn.bank_ns = cases[i].bank_ms * MS;
		turn.increment_ns = cases[i].increment_ms * MS;
		assert_int_equal(
		    time_us(&turn, 0, cases[i].decisions_left), cases[i].us);
	}
}

TEST(test_bank_of_a_match_lasts_for_the_deals_that_may_come)
{
	struct builtin_turn turn = turn_make();

	turn.bank_ns = 100 * NOW_NS_PER_S;
	turn.match_bank = true;
	/* To 11 points: four deals, of ten decisions each. */
	assert_int_equal(time_us(&turn, 0, 10), 3125000 - 50000);
	/* Near the end it may still take two. */
	view.scores[1] = 10;
	assert_int_equal(time_us(&turn, 0, 10), 6250000 - 50000);
	view.scores[1] = 60;
	assert_int_equal(time_us(&turn, 0, 10), 6250000 - 50000);
	/* Of a hundred deals the 91st: ten are left. */
	turn.deal_count = 100;
	view.deal_number = 91;
	assert_int_equal(time_us(&turn, 0, 10), 1250000 - 50000);
	view.deal_number = 101;
	assert_int_equal(time_us(&turn, 0, 10), 12500000 - 50000);
}

/* Whoever uses all that he may never runs out of time. */
TEST(test_bank_lasts_whatever_a_match_does)
{
	enum { DECISIONS = 18, DEALS = 200, WAY_US = 300 };
	struct builtin_turn turn = turn_make();

	turn.match_bank = true;
	for (int64_t increment_ms = 1; increment_ms < 50; increment_ms += 3) {
		turn.bank_ns = 500 * MS;
		turn.increment_ns = increment_ms * MS;
		for (int i = 0; i < DECISIONS * DEALS; i++) {
			int left = DECISIONS - i % DECISIONS;

			turn.bank_ns -=
			    (time_us(&turn, 0, left) + WAY_US) * 1000;
			assert_true(turn.bank_ns > 0);
			turn.bank_ns += turn.increment_ns;
		}
	}
}

TEST(test_lag_is_kept_back_and_a_part_of_the_rest_is_for_others)
{
	static const struct {
		int64_t lag_ms, work_ms, us;
	} cases[] = {
		/* 20 ms less 5 of margin; the first thought is a short one.. */
		{ 0, -1, 468 },
		/* ..and the next may be twice as long as that. */
		{ 0, 3, 6468 },
		{ 0, 30, 15000 },
		/* 6 ms less for the lag, and 20 parts of 22. */
		{ 2, 20, 8181 },
		/* A quarter longer than the last, and a little. */
		{ 2, 2, 2570 },
		{ 2, -1, 0 },
		{ 5, 9, 0 },
		/* Nothing is known. */
		{ 0, 0, 15000 },
	};
	struct builtin_turn turn = turn_make();

	turn.move_ns = 20 * MS;
	for (size_t i = 0; i < COUNTOF(cases); i++) {
		int64_t us = cases[i].us;

		turn.lag_ns = cases[i].lag_ms * MS;
		turn.work_ns = cases[i].work_ms < 0 ? 1 : cases[i].work_ms * MS;
		assert_int_equal(time_us(&turn, 0, 3), us);
		assert_int_equal(
		    time_us(&turn, 2 * MS, 3), us < 2000 ? us : 2000);
		turn.bank_ns = 20 * MS;
		assert_int_equal(time_us(&turn, 0, 1), us);
		turn.bank_ns = -1;
	}
	/* Without a clock nobody is late. */
	turn.move_ns = -1;
	assert_int_equal(time_us(&turn, 0, 3), 1000000);
}

TEST(test_each_decision_that_follows_may_lag_too)
{
	struct builtin_turn turn = turn_make();

	turn.bank_ns = 1000 * MS;
	assert_int_equal(time_us(&turn, 0, 10), 93750);
	turn.lag_ns = turn.work_ns = 40 * MS;
	assert_int_equal(time_us(&turn, 0, 10), 56250 / 2);
	turn.lag_ns = 100 * MS;
	assert_int_equal(time_us(&turn, 0, 10), 0);
}

/* A turn with this bank, which takes so long; -1: there is none. */
static void
answer(struct pace_record *record, int64_t bank_ns, int64_t wake_ns,
    int64_t used_ns, int64_t wait_ns)
{
	struct builtin_turn turn = turn_make();

	turn.bank_ns = bank_ns;
	pace_begin(record, &turn, wake_ns);
	assert_int_equal(turn.lag_ns, record->lag_ns);
	assert_int_equal(turn.work_ns, record->work_ns);
	pace_end(record, BEGAN_NS + wake_ns + used_ns, wait_ns);
}

TEST(test_lag_is_learnt_from_waiting_and_forgotten_by_and_by)
{
	struct pace_record record = { 0 };

	answer(&record, -1, 2 * MS, 4 * MS, 3 * MS);
	assert_int_equal(record.lag_ns, 5 * MS / 16);
	assert_int_equal(record.work_ns, MS);
	for (int i = 0; i < 200; i++)
		answer(&record, -1, 2 * MS, 4 * MS, 3 * MS);
	assert_in_range(record.lag_ns, 49 * MS / 10, 5 * MS);
	for (int i = 0; i < 300; i++) {
		int64_t before_ns = record.lag_ns;
		int64_t work_ns = record.work_ns;

		answer(&record, -1, 0, 0, 0);
		assert_true(record.lag_ns < before_ns || before_ns < 16);
		assert_true(record.work_ns < work_ns);
	}
	assert_true(record.lag_ns < MS / 10);
}

TEST(test_lag_is_learnt_from_what_the_arena_has_counted)
{
	static const struct {
		int64_t left_ms, bank_ms, lag_ms;
	} cases[] = {
		{ 100, 90, 9 },
		{ 100, 99, 0 },
		{ 100, 100, 0 },
		/* A new deal, or a control without a bank. */
		{ 100, 500, 0 },
		{ 100, -1, 0 },
		{ -1, 100, 0 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct pace_record record = { 0 };
		int64_t left_ms = cases[i].left_ms, bank_ms = cases[i].bank_ms;

		answer(&record, left_ms < 0 ? -1 : 200 * MS, 0,
		    (200 - left_ms) * MS, 0);
		assert_int_equal(record.lag_ns, 0);
		answer(&record, bank_ms < 0 ? -1 : bank_ms * MS, 0, 0, 0);
		assert_int_equal(record.lag_ns, cases[i].lag_ms * MS / 16);
	}
}

static void
assert_limit(const struct builtin_turn *turn, int64_t ms, int64_t iterations,
    int64_t time_ns, bool by_clock)
{
	struct pace_limit limit = pace_search_limit(turn, ms, iterations);

	assert_int_equal(limit.deadline_ns - BEGAN_NS, time_ns);
	assert_int_equal(limit.by_clock, by_clock);
}

TEST(test_iterations_go_on_until_the_clock_ends_them)
{
	struct builtin_turn turn = turn_make();

	view.hand_counts[0] = 1;
	assert_limit(&turn, 0, 0, PACE_FREE_NS, false);
	assert_limit(&turn, 0, 1, PACE_MS_MAX * MS, false);
	assert_limit(&turn, 20, 1, 20 * MS, false);
	turn.move_ns = 100 * MS;
	assert_limit(&turn, 0, 0, 75 * MS, false);
	assert_limit(&turn, 0, 1, 75 * MS, true);
	assert_limit(&turn, 20, 1, 20 * MS, false);
	assert_limit(&turn, 80, 1, 75 * MS, true);
}

/* Neither the thoughts before nor a shared processor cut what is to be made. */
TEST(test_iterations_have_all_of_a_clock_that_is_not_over)
{
	struct builtin_turn turn = turn_make();

	view.hand_counts[0] = 1;
	turn.move_ns = 10 * NOW_NS_PER_S;
	turn.work_ns = 1;
	assert_limit(&turn, 0, 0, 10 * NOW_NS_PER_S / 32 - 1562500 + 2, false);
	assert_limit(&turn, 0, 1, 9950 * MS, true);
	turn.lag_ns = NOW_NS_PER_S;
	turn.work_ns = NOW_NS_PER_S;
	assert_limit(&turn, 0, 1, 6950 * MS, true);
	/* Nothing is left when the margin is taken off. */
	turn.lag_ns = 4 * NOW_NS_PER_S;
	assert_limit(&turn, 0, 1, 0, true);
}

/* Ten decisions as long would use it up twice. */
TEST(test_iterations_have_two_shares_of_a_bank_but_no_more_than_there_is)
{
	struct builtin_turn turn = turn_make();

	turn.bank_ns = NOW_NS_PER_S;
	turn.increment_ns = 0;
	view.hand_counts[0] = 10;
	assert_limit(&turn, 0, 0, 93750000, false);
	assert_limit(&turn, 0, 1, 200 * MS, true);
	view.hand_counts[0] = 1;
	assert_limit(&turn, 0, 1, 950 * MS, true);
}
