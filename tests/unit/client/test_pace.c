/*
 * The thinking time of a bot under each time control, and the lag that it
 * learns.
 */
#include "pace.h"

#include <string.h>

#include "golden.h"
#include "now.h"
#include "scopa/scopa.h"
#include "test.h"

#define MS NOW_NS_PER_MS
#define BEGAN_NS (INT64_C(7) * NOW_NS_PER_S)

static struct scopa_rules rules;
static struct scopa_view view;

/* A turn in the first deal of a match of Scopa, without a time limit. */
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

/* The time limit of a decision in microseconds. */
static int64_t
time_us(const struct builtin_turn *turn, int decisions_left)
{
	view.hand_counts[0] = (uint8_t)decisions_left;
	return (pace_search_limit(turn, 0, 0).deadline_ns - BEGAN_NS) / 1000;
}

TEST(test_time_of_a_decision_is_right_under_each_time_control)
{
	enum {
		AT_MOVE,
		AT_BANK,
		AT_INC,
		AT_HAND,
		AT_DEALS,
		AT_DEAL,
		AT_SCORE,
		AT_LAG,
		AT_WORK,
		AT_MS,
		AT_LOOPS,
		AT_US,
		AT_CLOCK,
		COLUMNS
	};
	static struct golden golden;

	while (golden_next(&golden, "pace.tsv")) {
		struct builtin_turn turn = turn_make();
		struct pace_limit limit;
		int64_t row[COLUMNS], us;

		assert_int_equal(golden.field_count, COLUMNS);
		for (int i = 0; i < COLUMNS; i++)
			row[i] = atoll(golden.fields[i]);
		if (row[AT_MOVE] > 0)
			turn.move_ns = row[AT_MOVE] * 1000;
		if (row[AT_BANK] > 0)
			turn.bank_ns = row[AT_BANK] * 1000;
		turn.increment_ns = row[AT_INC] * 1000;
		turn.lag_ns = row[AT_LAG] * 1000;
		turn.work_ns = row[AT_WORK] * 1000;
		turn.match_bank = row[AT_DEAL] > 0;
		turn.deal_count = (int)row[AT_DEALS];
		view.deal_number = (int)row[AT_DEAL];
		view.scores[1] = (int)row[AT_SCORE];
		view.hand_counts[0] =
		    (uint8_t)(row[AT_HAND] > 0 ? row[AT_HAND] : 1);
		limit = pace_search_limit(&turn, row[AT_MS], row[AT_LOOPS]);
		us = (limit.deadline_ns - BEGAN_NS) / 1000;
		if (us != row[AT_US] || limit.by_clock != (row[AT_CLOCK] == 1))
			fail_msg(
			    "pace.tsv:%d: %jd us", golden.line, (intmax_t)us);
	}
	assert_true(golden.line > 60);
}

/* A bot that always uses its limit never runs out of time. */
TEST(test_bank_lasts_for_any_number_of_deals)
{
	enum { DECISIONS = 18, DEALS = 200, WAY_US = 300 };
	struct builtin_turn turn = turn_make();

	turn.match_bank = true;
	for (int64_t increment_ms = 1; increment_ms < 50; increment_ms += 3) {
		turn.bank_ns = 500 * MS;
		turn.increment_ns = increment_ms * MS;
		for (int i = 0; i < DECISIONS * DEALS; i++) {
			int left = DECISIONS - i % DECISIONS;

			turn.bank_ns -= (time_us(&turn, left) + WAY_US) * 1000;
			assert_true(turn.bank_ns > 0);
			turn.bank_ns += turn.increment_ns;
		}
	}
}

/*
 * Takes a turn with this bank, -1: none, that wakes late, uses time and waits.
 */
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

TEST(test_lag_is_learnt_from_waits_and_decreases_without_them)
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

TEST(test_lag_is_learnt_from_the_bank_that_the_arena_reports)
{
	static const struct {
		int64_t left_ms, bank_ms, lag_ms;
	} cases[] = {
		{ 100, 90, 9 },
		{ 100, 99, 0 },
		{ 100, 100, 0 },
		/* A new deal, or a time control without a bank. */
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

/* The cards of the deck will be dealt to all hands. */
TEST(test_remaining_decisions_follow_from_hand_and_deck)
{
	struct builtin_turn turn = turn_make();
	int64_t alone;

	turn.bank_ns = NOW_NS_PER_S;
	alone = time_us(&turn, 18);
	view.deck_count = 30;
	assert_int_equal(time_us(&turn, 3), alone);
}
