/*
 * The arena's own lag: whoever was to say something is timed anew.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"
#include "test.h"

static const struct table_order bank = { .spec = "scopa", .tc = "match:2+0" };

static void
answer_after(struct table *table, int64_t ns)
{
	table->now_ns += ns;
	table_step(table);
}

static int64_t
deadline_in(const struct table *table)
{
	return referee_deadline_ns(&table->referee) - table->now_ns;
}

TEST(test_turn_is_timed_anew_and_not_asked_again)
{
	static const int64_t lags_ms[] = { 251, 2000, 2001, 100000000 };
	struct table *table;

	for (size_t i = 0; i < sizeof(lags_ms) / sizeof(lags_ms[0]); i++) {
		table = table_open_ready(&bank);
		table_wait(table, 1500 * TABLE_MS);
		table_skip(table);
		table_lag(table, lags_ms[i] * TABLE_MS);
		assert_int_equal(table_turn(table), 0);
		assert_string_equal(table_heard(table, 0), "");
		assert_true(deadline_in(table) == 2000 * TABLE_MS);
		answer_after(table, 500 * TABLE_MS);
		assert_int_equal(table_turn(table), 1);
		/* Only what it took afterwards is taken from its bank. */
		assert_true(
		    table->referee.seats[0].budget.left_ns == 1500 * TABLE_MS);
		assert_true(table->referee.seats[0].think_ns == 500 * TABLE_MS);
		table_close(table);
	}
}

TEST(test_no_time_runs_for_a_question_that_is_put_off)
{
	struct table *table = table_open_ready(&bank);

	table_skip(table);
	table->referee.seats[0].told = false;
	referee_put_off(&table->referee, 0);
	assert_true(referee_deadline_ns(&table->referee) == BUDGET_NEVER);
	table->now_ns += 5000 * TABLE_MS;
	/* Nor is there anything to begin anew. */
	table_lag(table, 300 * TABLE_MS);
	assert_true(referee_deadline_ns(&table->referee) == BUDGET_NEVER);
	assert_int_equal(table->referee.void_count, 0);
	referee_sent(&table->referee, 0, table->now_ns);
	assert_true(deadline_in(table) == 2000 * TABLE_MS);
	answer_after(table, 500 * TABLE_MS);
	assert_int_equal(table_turn(table), 1);
	assert_true(table->referee.seats[0].budget.left_ns == 1500 * TABLE_MS);
	table_close(table);
}

TEST(test_who_was_hindered_has_the_rest_of_its_time)
{
	static const struct {
		int64_t late_us, hindered_us; /* behind its time; by others */
		int64_t rest_us;              /* that it has; 0: it has none */
	} cases[] = {
		{ 0, 0, 500 },
		{ 0, 40000, 40000 },
		{ 1, 0, 0 },
		{ 30000, 40000, 10000 },
		{ 39990, 40000, 500 },
		{ 40001, 40000, 0 },
		{ 0, 5000000, 5000000 },
		{ 0, 9000000, 5000000 },
		{ 4950000, 9000000, 50000 },
		{ 5000001, 9000000, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct table *table = table_open_ready(&bank);
		int64_t now_ns =
		    table->now_ns + 2000 * TABLE_MS + cases[i].late_us * 1000;

		table_skip(table);
		assert_int_equal(referee_give_rest(&table->referee, 0,
				     cases[i].hindered_us * 1000, now_ns),
		    cases[i].rest_us > 0);
		table->now_ns = now_ns;
		if (cases[i].rest_us > 0)
			assert_int_equal(
			    deadline_in(table), cases[i].rest_us * 1000);
		table_close(table);
	}
}

TEST(test_void_turns_are_counted_and_recorded)
{
	struct table *table = table_open_ready(&bank);

	table_skip(table);
	table_lag(table, 1500 * TABLE_MS);
	assert_string_equal(table_recorded(table), "void 1 lag=1.500000\n");
	table_lag(table, 300 * TABLE_MS + 7);
	assert_string_equal(table_recorded(table), "void 1 lag=0.300000\n");
	table_step(table);
	table_skip(table);
	table_lag(table, 7000 * TABLE_MS);
	assert_string_equal(table_recorded(table), "void 2 lag=7.000000\n");
	assert_string_equal(table_heard(table, 0), "");
	assert_string_equal(table_heard(table, 1), "");
	assert_int_equal(table->referee.void_count, 3);
	assert_true(table->referee.lag_longest_ns == 7000 * TABLE_MS);
	table_finish(table);
	assert_int_equal(table_count(table->record.bytes, "offence*"), 0);
	table_reseat(table, NULL);
	assert_int_equal(table->referee.void_count, 0);
	assert_true(table->referee.lag_longest_ns == 0);
	table_close(table);
}

static void
tell(struct table *table, enum referee_input_kind kind, int seat, int by)
{
	const struct referee_input input = {
		.kind = kind,
		.seat = seat,
		.by = by,
		.now_ns = table->now_ns,
	};

	referee_step(&table->referee, &input, &table->outbox);
}

TEST(test_turn_in_which_another_computed_begins_anew)
{
	struct table *table = table_open_ready(&bank);

	table_skip(table);
	table->now_ns = referee_deadline_ns(&table->referee) + TABLE_MS;
	tell(table, REFEREE_VOID, 0, 1);
	assert_int_equal(table->referee.void_count, 1);
	assert_int_equal(table->referee.offender, REFEREE_SEAT_NONE);
	assert_true(deadline_in(table) > 0);
	table_close(table);
}

TEST(test_bot_that_nothing_stops_from_computing_loses)
{
	struct table *table = table_open_ready(&bank);

	table_skip(table);
	tell(table, REFEREE_PONDER, 1, 0);
	assert_true(table->referee.seats[1].kill);
	/* Who is to move goes on. */
	assert_false(table->referee.ended);
	table_step(table);
	assert_true(table->referee.ended);
	assert_int_equal(table->referee.offender, 1);
	assert_string_equal(table->referee.offence_reason, "PONDER");
	table_close(table);
}

TEST(test_turn_that_began_behind_the_lag_is_not_void)
{
	struct table *table = table_open_ready(&bank);
	int64_t deadline_ns;

	table_wait(table, 1000 * TABLE_MS);
	/* An answer that was read first, and a question behind it. */
	table_step(table);
	deadline_ns = referee_deadline_ns(&table->referee);
	table_skip(table);
	table_lag(table, 0);
	assert_true(referee_deadline_ns(&table->referee) == deadline_ns);
	assert_string_equal(table_recorded(table), "");
	table_close(table);
}

TEST(test_silence_after_a_lag_still_loses)
{
	struct table *table = table_open_ready(&bank);

	table_lag(table, 9000 * TABLE_MS);
	table_wait(table, 2000 * TABLE_MS - 1);
	assert_false(table_over(table));
	table_wait(table, 1);
	assert_true(table_over(table));
	table_assert_has(table->record.bytes,
	    "offence 1 kind=timeout reason=FLAG policy=forfeit");
	table_close(table);
}

TEST(test_start_is_timed_anew_and_told_once_the_game_has_begun)
{
	struct table *table = table_open(&bank);

	table_start(table, 0);
	table_start_ready(table, 1);
	table_wait(table, TABLE_STARTUP_NS - 1);
	table_lag(table, 5000 * TABLE_MS);
	assert_true(deadline_in(table) == TABLE_STARTUP_NS);
	table_wait(table, TABLE_STARTUP_NS - 1);
	table_say(table, 0, "id name=slow");
	table_say(table, 0, "uspok 1");
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	assert_int_equal(table_count(table->record.bytes, "void*"), 1);
	table_assert_has(table->record.bytes, "void 1 lag=5.000000");
	assert_int_equal(table->referee.void_count, 1);
	table_close(table);
}

TEST(test_hang_limit_is_timed_anew)
{
	const struct table_order order = { .spec = "scopa,players=3",
		.policy = POLICY_SUBSTITUTE,
		.tc = "move:1" };
	struct table *table = table_open_ready(&order);

	table_wait(table, 1000 * TABLE_MS);
	table_steps(table, 2);
	assert_int_equal(table_turn(table), -1);
	table_wait(table, TABLE_HANG_NS - 1);
	table_skip(table);
	table_lag(table, TABLE_HANG_NS);
	assert_string_equal(table_recorded(table), "void 1 lag=5.000000\n");
	table_wait(table, TABLE_HANG_NS - 1);
	assert_false(table->referee.seats[0].kill);
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	table_close(table);
}

TEST(test_no_lag_between_games_is_told)
{
	struct table *table = table_open_ready(&bank);

	table_finish(table);
	table_skip(table);
	table_lag(table, 9000 * TABLE_MS);
	assert_string_equal(table_recorded(table), "");
	assert_int_equal(table->referee.void_count, 0);
	table_close(table);
}
