/*
 * Games from end to end: every kind of table, several games of one process,
 * and games that are stopped.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"
#include "test.h"

static const struct table_order two = { .spec = "scopa", .seed = 11 };
static const struct table_order three = { .spec = "scopa,players=3",
	.policy = POLICY_SUBSTITUTE,
	.seed = 11,
	.deals = 1 };

TEST(test_whole_games_are_played_at_every_kind_of_table)
{
	static const char *const layouts[] = { "AB", "ABC", "ABCD", "ABAB",
		"ABABAB", "ABCABC", "ABCDEF" };

	for (int i = 0; i < 7 * 3; i++) {
		static const char *const presets[] = { "scopa", "escoba",
			"cirulla,declare=ask" };
		struct table_order order = { .seed = (uint64_t)i };
		struct table *table;
		char spec[64];

		snprintf(spec, sizeof(spec), "%s,teams=%s", presets[i / 7],
		    layouts[i % 7]);
		order.spec = spec;
		table = table_open_ready(&order);
		table_finish(table);
		table_assert_lacks(table->record.bytes, "offence*");
		for (int seat = 0; seat < table->rules.players; seat++) {
			const char *heard = table_heard(table, seat);

			assert_int_equal(table_count(heard, "endmatch *"), 1);
			assert_int_equal(table_count(heard, "match *"), 1);
			assert_int_equal(
			    table_count(heard, "seat *"), table->rules.players);
			table_assert_lacks(heard, "error*");
		}
		table_close(table);
	}
}

TEST(test_game_of_deals_and_game_to_the_target_end_for_their_reasons)
{
	struct table_order order = { .spec = "scopone,target=1", .deals = 3 };
	struct table *table = table_open_ready(&order);

	table_finish(table);
	assert_int_equal(table_count(table->record.bytes, "enddeal *"), 3);
	assert_non_null(strstr(table->record.bytes, " reason=deals\n"));
	table_close(table);
	order.deals = 0;
	table = table_open_ready(&order);
	table_finish(table);
	assert_non_null(strstr(table->record.bytes, " reason=target\n"));
	table_close(table);
}

TEST(test_next_game_begins_when_all_have_said_that_they_are_ready)
{
	struct table *table = table_open_ready(&two);

	table_finish(table);
	table_skip(table);
	table_reseat(table, NULL);
	assert_string_equal(table_heard(table, 0), "isready\n");
	assert_string_equal(table_heard(table, 1), "isready\n");
	table_say(table, 0, "readyok");
	/* A move of the old game is not one of the new. */
	table_say(table, 0, "move 7D");
	assert_string_equal(table_recorded(table), "");
	table_say(table, 1, "readyok");
	assert_string_equal(table_verbs(table_recorded(table)),
	    "match rules seat pack deal table give");
	assert_int_equal(table_turn(table), 0);
	table_finish(table);
	table_assert_lacks(table->record.bytes, "offence*");
	table_close(table);
}

TEST(test_one_that_is_not_ready_for_the_next_game_loses_it)
{
	struct table *table = table_open_ready(&two);

	table_finish(table);
	table_skip(table);
	table_reseat(table, NULL);
	table_say(table, 1, "readyok");
	table_wait(table, TABLE_STARTUP_NS);
	assert_true(table_over(table));
	assert_true(table->referee.seats[0].kill);
	table_assert_has(table_recorded(table),
	    "offence 1 kind=startup reason=HS_TIMEOUT policy=forfeit");
	table_close(table);
}

TEST(test_bots_take_their_sessions_to_their_new_seats)
{
	static const int turned[] = { 1, 2, 0 };
	struct table *table = table_open(&three);

	for (int seat = 0; seat < 3; seat++) {
		char line[64];

		table_start(table, seat);
		snprintf(line, sizeof(line), "id name=b%d", seat);
		table_say(table, seat, line);
		if (seat == 1)
			table_say(table, seat, "feature events=0");
		table_say(table, seat, "uspok 1");
		table_say(table, seat, "readyok");
	}
	table_answer(table, "hello");
	assert_int_equal(table->referee.seats[0].strikes, 1);
	table_finish(table);
	table_reseat(table, turned);
	for (int seat = 0; seat < 3; seat++) {
		const struct referee_seat *at = &table->referee.seats[seat];
		char name[8];

		snprintf(name, sizeof(name), "b%d", turned[seat]);
		assert_string_equal(at->session.name, name);
		assert_int_equal(at->strikes, 0);
		assert_int_equal(at->offences[OFFENCE_ILLEGAL], 0);
		assert_true(at->think_ns == 0);
		assert_int_equal(at->decision_count, 0);
	}
	table_skip(table);
	for (int seat = 0; seat < 3; seat++)
		table_say(table, seat, "readyok");
	assert_string_equal(
	    table_verbs(table_heard(table, 0)), "state legal go");
	table_step(table);
	table_assert_has(table_heard(table, 1), "match m1 *");
	table_close(table);
}

TEST(test_game_waits_for_the_process_that_takes_a_dead_ones_place)
{
	struct table *table = table_open_ready(&two);

	table_exit(table, 0, "CRASH(6)");
	assert_true(table_over(table));
	table_reseat(table, NULL);
	table_say(table, 1, "readyok");
	assert_int_equal(table->referee.seats[0].session.phase, SESSION_ABSENT);
	assert_int_equal(table_turn(table), -1);
	/* Nobody waits for it by the clock either. */
	table_wait(table, 10 * TABLE_STARTUP_NS);
	assert_false(table_over(table));
	table->referee.seats[0].kill = true;
	table_start_ready(table, 0);
	assert_false(table->referee.seats[0].kill);
	assert_int_equal(table_turn(table), 0);
	assert_int_equal(table->referee.seats[0].session.error_count, 0);
	table_finish(table);
	table_close(table);
}

TEST(test_late_one_must_pass_the_barrier_before_the_next_game)
{
	struct table *table = table_open_ready(&two);
	char late[64];

	snprintf(late, sizeof(late), "move %s", table_move(table, 0));
	table_wait(table, 10000 * TABLE_MS);
	assert_true(table_over(table));
	table_reseat(table, NULL);
	table_skip(table);
	table_say(table, 1, "readyok");
	table_say(table, 0, late);
	assert_int_equal(table_turn(table), -1);
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	table_assert_lacks(table_heard(table, 0), "isready");
	table_close(table);
}

TEST(test_late_one_that_hangs_loses_the_next_game_too)
{
	struct table *table = table_open_ready(&two);

	table_wait(table, 10000 * TABLE_MS);
	table_reseat(table, NULL);
	table_say(table, 1, "readyok");
	table_skip(table);
	table_wait(table, TABLE_HANG_NS);
	assert_true(table_over(table));
	table_assert_has(table_recorded(table),
	    "offence 1 kind=startup reason=HANG policy=forfeit");
	table_close(table);
}

TEST(test_one_that_must_be_killed_must_be_so_at_its_next_seat_too)
{
	static const int swapped[] = { 1, 0 };
	struct table *table = table_open_ready(&two);

	table_flood(table, 0);
	assert_true(table_over(table));
	table_reseat(table, swapped);
	assert_true(table->referee.seats[1].kill);
	assert_false(table->referee.seats[0].kill);
	table_close(table);
}

TEST(test_game_that_is_stopped_ends_for_all_at_once_and_nobody_wins)
{
	struct table *table = table_open_ready(&three);

	table_steps(table, 4);
	table_skip(table);
	table_abort(table, "interrupted");
	assert_true(table_over(table));
	assert_string_equal(table_recorded(table),
	    "abort match reason=interrupted\n"
	    "endmatch m1 scores=A:0,B:0,C:0 winner=- reason=abort\n");
	for (int seat = 0; seat < 3; seat++) {
		const char *heard = table_heard(table, seat);

		table_assert_has(heard, "abort match reason=interrupted");
		table_assert_has(heard,
		    "endmatch m1 scores=A:0,B:0,C:0 winner=- you=draw "
		    "reason=abort");
	}
	assert_int_equal(table->referee.offender, REFEREE_SEAT_NONE);
	table_close(table);
}

TEST(test_answer_to_a_question_of_a_stopped_game_is_dropped)
{
	struct table *table = table_open_ready(&two);
	char late[128];

	snprintf(late, sizeof(late), "move %s turn=%s", table_move(table, 0),
	    table_turn_id(table, 0));
	table_skip(table);
	table_abort(table, "interrupted");
	assert_string_equal(
	    table_verbs(table_heard(table, 0)), "abort endmatch isready");
	table_skip(table);
	table_say(table, 0, late);
	table_say(table, 1, late);
	assert_string_equal(table_recorded(table), "");
	table_reseat(table, NULL);
	table_say(table, 0, late);
	table_say(table, 1, "readyok");
	assert_int_equal(table_turn(table), -1);
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	table_finish(table);
	table_assert_lacks(table->record.bytes, "offence*");
	table_close(table);
}

TEST(test_game_that_is_not_on_cannot_be_stopped)
{
	struct table *table = table_open(&two);

	table_abort(table, "interrupted");
	table_start_ready(table, 0);
	table_abort(table, "interrupted");
	assert_string_equal(table_recorded(table), "");
	table_start_ready(table, 1);
	table_finish(table);
	table_skip(table);
	table_abort(table, "interrupted");
	assert_string_equal(table_recorded(table), "");
	table_close(table);
}

/* Seat 0 leaves after so many steps; the record's end is handed back. */
static const char *
end_after_forfeit(const struct table_order *order, int steps)
{
	static char end[256];
	struct table *table = table_open_ready(order);
	const char *line;

	table_steps(table, steps);
	while (table_turn(table) > 0)
		table_step(table);
	table_exit(table, 0, "EXIT(0)");
	assert_true(table_over(table));
	line = strstr(table->record.bytes, "endmatch ");
	snprintf(end, sizeof(end), "%.*s", (int)strcspn(line, "\n"), line);
	for (int seat = 1; seat < table->rules.players; seat++)
		assert_int_equal(
		    table_count(table_heard(table, seat), "endmatch *"), 1);
	table_close(table);
	return end;
}

TEST(test_other_team_wins_what_one_forfeits)
{
	struct table_order order = { .spec = "scopone" };

	assert_non_null(strstr(end_after_forfeit(&order, 8), " winner=B "));
	order.spec = "scopa,teams=ABCABC";
	/* Of two that are level nobody wins. */
	assert_non_null(strstr(end_after_forfeit(&order, 8), " winner=- "));
}

TEST(test_strikes_of_partners_are_their_own)
{
	struct table_order order = { .spec = "scopone",
		.policy = POLICY_SUBSTITUTE };
	struct table *table = table_open_ready(&order);

	for (int i = 0; i < 8; i++) {
		assert_int_equal(table_turn(table), i % 4);
		if (i % 2 == 0)
			table_answer(table, "hello");
		else
			table_step(table);
	}
	assert_false(table_over(table));
	assert_int_equal(table->referee.seats[0].strikes, 2);
	assert_int_equal(table->referee.seats[2].strikes, 2);
	table_answer(table, "hello");
	assert_true(table_over(table));
	assert_int_equal(table->referee.game.tally.winner, 1);
	table_close(table);
}
