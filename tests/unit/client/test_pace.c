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
time_us(const struct builtin_turn *turn, int decisions_left)
{
	view.hand_counts[0] = (uint8_t)decisions_left;
	return (pace_search_limit(turn, 0, 0).deadline_ns - BEGAN_NS) / 1000;
}

TEST(test_time_of_a_decision)
{
	/* What is 0 has not been said; `hand`: decisions left, or one. */
	static const struct {
		int64_t move_us, bank_us, inc_us;
		int hand, deals, deal, score;
		int64_t lag_us, work_us, ms, loops, us;
		bool clock;
	} cases[] = {
		/* A time for each move is used but for a margin. */
		{ .move_us = 1 },
		{ .move_us = 1000 },
		{ .move_us = 2000, .us = 500 },
		{ .move_us = 5000, .us = 3500 },
		{ .move_us = 5000, .ms = 2, .us = 2000 },
		{ .move_us = 5000, .ms = 5, .us = 3500 },
		{ .move_us = 100000, .us = 75000 },
		{ .move_us = 1000000, .us = 950000 },
		{ .move_us = 10000000, .us = 9950000 },
		{ .move_us = 10000000, .ms = 100, .us = 100000 },
		{ .ms = 100, .us = 100000 },
		{ .us = 1000000 },
		/* The bank of a deal is divided among its decisions. */
		{ .bank_us = 1000000, .us = 950000 },
		{ .bank_us = 1000000, .hand = 10, .us = 93750 },
		{ .bank_us = 1000000,
		    .inc_us = 100000,
		    .hand = 10,
		    .us = 175000 },
		{ .bank_us = 100000, .hand = 10, .us = 9375 },
		{ .bank_us = 10000, .hand = 10 },
		{ .bank_us = 10000, .hand = 2, .us = 4687 },
		/* An increment comes after the answer: the bank decides. */
		{ .bank_us = 10000, .inc_us = 100000, .hand = 10, .us = 7500 },
		{ .bank_us = 1000, .inc_us = 100000, .hand = 10 },
		{ .bank_us = 1 },
		/* That of a match to 11 points: four deals, or two at the end. */
		{ .bank_us = 100000000, .hand = 10, .deal = 1, .us = 3075000 },
		{ .bank_us = 100000000,
		    .hand = 10,
		    .deal = 1,
		    .score = 10,
		    .us = 6200000 },
		{ .bank_us = 100000000,
		    .hand = 10,
		    .deal = 1,
		    .score = 60,
		    .us = 6200000 },
		/* Of a hundred deals the 91st: ten are left. */
		{ .bank_us = 100000000,
		    .hand = 10,
		    .deals = 100,
		    .deal = 91,
		    .us = 1200000 },
		{ .bank_us = 100000000,
		    .hand = 10,
		    .deals = 100,
		    .deal = 101,
		    .us = 12450000 },
		/* Of a shared processor the first thought is a short one.. */
		{ .move_us = 20000, .work_us = 1, .us = 470 },
		/* ..and the next may be twice as long as the one before. */
		{ .move_us = 20000, .work_us = 3000, .us = 6468 },
		{ .move_us = 20000, .work_us = 30000, .us = 15000 },
		/* 6 ms less for the lag, and 20 parts of 22. */
		{ .move_us = 20000,
		    .lag_us = 2000,
		    .work_us = 20000,
		    .us = 8181 },
		{ .bank_us = 20000,
		    .lag_us = 2000,
		    .work_us = 20000,
		    .us = 8181 },
		/* A quarter longer than the last, and a little. */
		{ .move_us = 20000,
		    .lag_us = 2000,
		    .work_us = 2000,
		    .us = 2570 },
		{ .move_us = 20000, .lag_us = 5000, .work_us = 9000 },
		/* Without a clock nobody is late. */
		{ .lag_us = 5000, .work_us = 9000, .us = 1000000 },
		/* Each decision that follows may lag, too. */
		{ .bank_us = 1000000,
		    .hand = 10,
		    .lag_us = 40000,
		    .work_us = 40000,
		    .us = 28125 },
		{ .bank_us = 1000000,
		    .hand = 10,
		    .lag_us = 100000,
		    .work_us = 40000 },
		/* Iterations go on until the clock ends them, or `ms`. */
		{ .loops = 1, .us = 3600000000 },
		{ .loops = 1, .ms = 20, .us = 20000 },
		{ .loops = 1, .move_us = 100000, .us = 75000, .clock = true },
		{ .loops = 1, .move_us = 100000, .ms = 20, .us = 20000 },
		{ .loops = 1,
		    .move_us = 100000,
		    .ms = 80,
		    .us = 75000,
		    .clock = true },
		/* Neither thoughts before nor a shared processor cut them. */
		{ .loops = 1,
		    .move_us = 10000000,
		    .work_us = 1,
		    .us = 9950000,
		    .clock = true },
		{ .loops = 1,
		    .move_us = 10000000,
		    .work_us = 1000000,
		    .lag_us = 1000000,
		    .us = 6950000,
		    .clock = true },
		{ .loops = 1,
		    .move_us = 10000000,
		    .lag_us = 4000000,
		    .clock = true },
		/* They have two shares of a bank, but no more than there is. */
		{ .loops = 1,
		    .bank_us = 1000000,
		    .hand = 10,
		    .us = 200000,
		    .clock = true },
		{ .loops = 1, .bank_us = 1000000, .us = 950000, .clock = true },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct builtin_turn turn = turn_make();
		struct pace_limit limit;
		int64_t us;

		if (cases[i].move_us > 0)
			turn.move_ns = cases[i].move_us * 1000;
		if (cases[i].bank_us > 0)
			turn.bank_ns = cases[i].bank_us * 1000;
		turn.increment_ns = cases[i].inc_us * 1000;
		turn.lag_ns = cases[i].lag_us * 1000;
		turn.work_ns = cases[i].work_us * 1000;
		turn.match_bank = cases[i].deal > 0;
		turn.deal_count = cases[i].deals;
		view.deal_number = cases[i].deal;
		view.scores[1] = cases[i].score;
		view.hand_counts[0] =
		    (uint8_t)(cases[i].hand > 0 ? cases[i].hand : 1);
		limit = pace_search_limit(&turn, cases[i].ms, cases[i].loops);
		us = (limit.deadline_ns - BEGAN_NS) / 1000;
		if (us != cases[i].us || limit.by_clock != cases[i].clock)
			fail_msg("case %zu: %jd us", i, (intmax_t)us);
	}
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

			turn.bank_ns -= (time_us(&turn, left) + WAY_US) * 1000;
			assert_true(turn.bank_ns > 0);
			turn.bank_ns += turn.increment_ns;
		}
	}
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

/* A stock comes to the hands in turn. */
TEST(test_decisions_left_are_counted_from_hand_and_pack)
{
	struct builtin_turn turn = turn_make();
	int64_t alone;

	turn.bank_ns = NOW_NS_PER_S;
	alone = time_us(&turn, 18);
	view.deck_count = 30;
	assert_int_equal(time_us(&turn, 3), alone);
}
