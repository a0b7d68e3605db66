/*
 * From `usp` to `readyok`: time, refusals, ends, and what a game is that
 * nobody could begin.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"
#include "test.h"

static const struct table_order two = { .spec = "scopa", .tc = "move:1" };

TEST(test_bot_that_is_not_ready_in_time_loses_before_any_card)
{
	struct table *table = table_open(&two);

	table_start_ready(table, 1);
	table_start(table, 0);
	table_say(table, 0, "id name=x");
	table_wait(table, TABLE_STARTUP_NS - 2);
	/* What it says on the way gives it no more time. */
	table_say(table, 0, "uspok 1");
	table_wait(table, 1);
	assert_false(table_over(table));
	table_wait(table, 1);
	assert_true(table_over(table));
	assert_true(table->referee.seats[0].kill);
	assert_int_equal(table->referee.offender, 0);
	assert_int_equal(table->referee.offence, OFFENCE_STARTUP);
	assert_string_equal(table_verbs(table->record.bytes),
	    "match rules seat offence abort endmatch");
	table_assert_has(table->record.bytes,
	    "offence 1 kind=startup reason=HS_TIMEOUT policy=forfeit");
	table_assert_has(table->record.bytes, "abort match reason=forfeit");
	table_assert_has(table_heard(table, 1), "endmatch m1 *");
	table_close(table);
}

TEST(test_bot_that_is_ready_at_the_last_moment_plays)
{
	struct table *table = table_open(&two);

	table_start_ready(table, 1);
	table_start(table, 0);
	table_say(table, 0, "id name=x");
	table_say(table, 0, "uspok 1");
	table_wait(table, TABLE_STARTUP_NS - 1);
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	assert_true(referee_deadline_ns(&table->referee) ==
	    table->now_ns + 1000 * TABLE_MS);
	table_close(table);
}

TEST(test_each_process_has_its_own_time_to_start)
{
	struct table *table = table_open(&two);

	table_start(table, 0);
	table_wait(table, 7000 * TABLE_MS);
	table_start(table, 1);
	assert_true(referee_deadline_ns(&table->referee) ==
	    table->now_ns + 3000 * TABLE_MS);
	table_say(table, 0, "id name=x");
	table_say(table, 0, "uspok 1");
	table_say(table, 0, "readyok");
	assert_true(referee_deadline_ns(&table->referee) ==
	    table->now_ns + TABLE_STARTUP_NS);
	table_close(table);
}

TEST(test_session_that_was_refused_has_no_deadline)
{
	static const char *const lines[] = { "uspok 2", "error fatal",
		"uspok 1" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct table *table = table_open(&two);

		table_start(table, 0);
		/* The last one lacks its `id`. */
		if (i < 2)
			table_say(table, 0, "id name=x");
		table_say(table, 0, lines[i]);
		assert_int_equal(
		    table->referee.seats[0].session.phase, SESSION_GONE);
		assert_true(
		    referee_deadline_ns(&table->referee) == BUDGET_NEVER);
		table_wait(table, 2 * TABLE_STARTUP_NS);
		table_start_ready(table, 1);
		assert_true(table_over(table));
		table_close(table);
	}
}

/* Seat 0 fails to start in this way; the line of its offence. */
static void
assert_start_fails(
    struct table *table, const char *reason, enum verdict_policy policy)
{
	char offence[256];

	assert_int_equal(table->referee.seats[0].session.phase, SESSION_GONE);
	assert_false(table_over(table));
	table_start_ready(table, 1);
	assert_true(table_over(table));
	snprintf(offence, sizeof(offence),
	    "offence 1 kind=startup reason=%s policy=%s*", reason,
	    policy_name(policy));
	table_assert_has(table->record.bytes, offence);
	table_assert_lacks(table->record.bytes, "pack*");
	assert_int_equal(table->referee.offender, 0);
	assert_string_equal(table->referee.offence_reason, reason);
	assert_int_equal(table->referee.game.tally.winner, 1);
	table_assert_lacks(table->seats[0].heard.bytes, "match *");
}

TEST(test_every_way_not_to_get_ready_has_its_reason)
{
	static const struct {
		const char *exit, *line, *reason;
	} rows[] = {
		{ "EXIT(3)", NULL, "HS_EXIT(3)" },
		{ "CRASH(11)", NULL, "HS_CRASH(11)" },
		{ "EOF", NULL, "HS_EOF" },
		{ "EXEC_FAIL(ENOEXEC)", NULL, "EXEC_FAIL(ENOEXEC)" },
		{ NULL, "uspok 2", "HS_BAD(VERSION)" },
		{ NULL, "error fatal # no", "HS_BAD(FATAL)" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct table *table = table_open(&two);

		table_start(table, 0);
		table_say(table, 0, "id name=x");
		if (rows[i].exit)
			table_exit(table, 0, rows[i].exit);
		else
			table_say(table, 0, rows[i].line);
		assert_start_fails(table, rows[i].reason, POLICY_FORFEIT);
		table_close(table);
	}
}

TEST(test_bytes_that_are_no_line_end_a_handshake)
{
	struct table *table = table_open(&two);

	table_start(table, 0);
	table_flaw(table, 0, "\\x00\\xff");
	assert_true(table->referee.seats[0].kill);
	assert_start_fails(table, "HS_BAD", POLICY_FORFEIT);
	table_assert_has(table->record.bytes,
	    "offence 1 kind=startup reason=HS_BAD policy=forfeit "
	    "said=\\x00\\xff");
	table_close(table);
	table = table_open(&two);
	table_start(table, 0);
	table_flood(table, 0);
	assert_true(table->referee.seats[0].kill);
	assert_start_fails(table, "HS_BAD", POLICY_FORFEIT);
	table_close(table);
}

TEST(test_error_line_that_is_not_fatal_does_no_harm)
{
	struct table *table = table_open(&two);

	table_start(table, 0);
	table_say(table, 0, "id name=x");
	table_say(table, 0, "error unknown # what is arena=");
	table_say(table, 0, "error");
	table_say(table, 0, "error # fatal");
	table_say(table, 0, "uspok 1");
	table_say(table, 0, "error option # depth must be 1..9");
	table_say(table, 0, "readyok");
	assert_int_equal(table->referee.seats[0].session.phase, SESSION_IDLE);
	/* And it is never answered. */
	table_assert_lacks(table_heard(table, 0), "error*");
	table_close(table);
}

TEST(test_no_policy_moves_for_who_never_got_ready)
{
	for (int i = 0; i < POLICY_COUNT; i++) {
		struct table_order order = two;
		struct table *table;

		(void)state;
		order.policy = (enum verdict_policy)i;
		table = table_open(&order);
		table_start(table, 0);
		table_exit(table, 0, "EXIT(0)");
		assert_start_fails(table, "HS_EXIT(0)", order.policy);
		table_close(table);
	}
}

TEST(test_of_two_that_fail_to_start_the_first_seat_is_to_blame)
{
	struct table *table = table_open(&two);

	table_start(table, 1);
	table_start(table, 0);
	table_exit(table, 1, "EXIT(1)");
	table_exit(table, 0, "EXIT(2)");
	assert_true(table_over(table));
	assert_int_equal(table_count(table->record.bytes, "offence *"), 1);
	assert_int_equal(table->referee.offender, 0);
	table_close(table);
}

TEST(test_bot_that_ends_while_others_start_has_lost_the_game)
{
	struct table *table = table_open(&two);

	table_start_ready(table, 0);
	table_start(table, 1);
	table_exit(table, 0, "EXIT(0)");
	assert_false(table_over(table));
	table_say(table, 1, "id name=x");
	table_say(table, 1, "uspok 1");
	table_say(table, 1, "readyok");
	assert_true(table_over(table));
	assert_int_equal(table->referee.offender, 0);
	assert_int_equal(table->referee.game.tally.winner, 1);
	table_close(table);
}

TEST(test_partner_of_who_never_got_ready_loses_too)
{
	struct table_order order = { .spec = "scopone" };
	struct table *table = table_open(&order);

	for (int seat = 0; seat < 3; seat++)
		table_start_ready(table, seat);
	table_start(table, 3);
	table_exit(table, 3, "EXIT(0)");
	assert_true(table_over(table));
	for (int seat = 0; seat < 3; seat++)
		assert_non_null(strstr(table_heard(table, seat),
		    seat == 1 ? " you=loss " : " you=win "));
	table_close(table);
}
