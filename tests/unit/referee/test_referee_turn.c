/*
 * Answers and their turn ids, `info` lines, and what goes out in one write.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

static const struct table_order scopa = { .spec = "scopa", .seed = 7 };

/* Seat 0 says its first legal move with this behind it. */
static void
say_move(struct table *table, const char *rest)
{
	char line[1024];

	snprintf(line, sizeof(line), "move %s%s", table_move(table, 0), rest);
	table_say(table, 0, line);
}

TEST(test_answer_counts_with_the_id_of_its_question_and_without_any)
{
	struct table *table = table_open_ready(&scopa);

	table_answer(table, table_move(table, 0));
	assert_int_equal(table_turn(table), 1);
	table_step(table);
	say_move(table, "");
	assert_int_equal(table_turn(table), 1);
	table_step(table);
	say_move(table, " # no id");
	assert_int_equal(table_turn(table), 1);
	assert_int_equal(table->referee.seats[0].session.stale_count, 0);
	table_close(table);
}

TEST(test_answer_that_is_older_than_the_question_is_dropped)
{
	struct table *table = table_open_ready(&scopa);
	char line[96];
	struct referee_input event = { .kind = REFEREE_LINE, .line = line };

	snprintf(line, sizeof(line), "move %s", table_move(table, 0));
	event.length = strlen(line);
	event.now_ns = table->now_ns;
	event.read_ns = table->referee.seats[0].asked_ns - 1;
	referee_step(&table->referee, &event, &table->outbox);
	assert_int_equal(table_turn(table), 0);
	assert_int_equal(table->referee.seats[0].unasked_count, 1);
	event.read_ns++;
	referee_step(&table->referee, &event, &table->outbox);
	assert_int_equal(table->referee.seats[0].session.phase, SESSION_IDLE);
	assert_int_equal(table->referee.seats[0].strikes, 0);
	table_close(table);
}

TEST(test_other_ids_are_dropped_counted_and_reported)
{
	struct table *table = table_open_ready(&scopa);
	char first[64], other[64], upper[64], ids[8][100];

	snprintf(first, sizeof(first), "%s", table_turn_id(table, 0));
	table_step(table);
	snprintf(other, sizeof(other), "%s", table_turn_id(table, 1));
	table_step(table);
	snprintf(upper, sizeof(upper), "%s", table_turn_id(table, 0));
	/* Whether or not it has letters, this is another id. */
	upper[0] = upper[0] == 'A' ? 'B' : 'A';
	snprintf(ids[0], sizeof(ids[0]), " turn=%s", first);
	snprintf(ids[1], sizeof(ids[1]), " turn=%s", other);
	snprintf(ids[2], sizeof(ids[2]), " turn=%s", upper);
	snprintf(ids[3], sizeof(ids[3]), " turn=");
	snprintf(
	    ids[4], sizeof(ids[4]), " turn=%.15s", table_turn_id(table, 0));
	snprintf(ids[5], sizeof(ids[5]), " turn=%s0", table_turn_id(table, 0));
	snprintf(ids[6], sizeof(ids[6]), " turn=0000000000000000");
	snprintf(
	    ids[7], sizeof(ids[7]), " turn=%s turn=1", table_turn_id(table, 0));
	table_skip(table);
	for (int i = 0; i < 8; i++) {
		say_move(table, ids[i]);
		if (table_turn(table) != 0)
			fail_msg("\"%s\" was taken", ids[i]);
		assert_false(table->referee.wanted);
	}
	assert_string_equal(table_recorded(table), "");
	assert_int_equal(table->referee.seats[0].session.stale_count, 8);
	assert_int_equal(table->referee.seats[0].unasked_count, 8);
	assert_int_equal(table->referee.seats[1].unasked_count, 0);
	assert_int_equal(table->referee.seats[0].strikes, 0);
	table_steps(table, 2);
	assert_int_equal(
	    table_count(table_heard(table, 0), "error unexpected # *"), 8);
	table_close(table);
}

TEST(test_second_answer_is_never_taken_for_the_next_question)
{
	struct table *table = table_open_ready(&scopa);
	char line[256];

	snprintf(line, sizeof(line), "move %s turn=%s", table_move(table, 0),
	    table_turn_id(table, 0));
	table_say(table, 0, line);
	table_say(table, 0, line);
	assert_int_equal(table_turn(table), 1);
	table_step(table);
	assert_int_equal(table_turn(table), 0);
	table_skip(table);
	table_say(table, 0, line);
	assert_int_equal(table_turn(table), 0);
	assert_string_equal(table_recorded(table), "");
	assert_int_equal(table->referee.seats[0].strikes, 0);
	table_finish(table);
	table_assert_lacks(table->record.bytes, "offence*");
	table_close(table);
}

TEST(test_every_question_has_an_id_of_its_own)
{
	struct table_order order = { .spec = "scopone", .seed = 3 };
	struct table *table = table_open_ready(&order);
	char ids[40][32];

	for (int i = 0; i < 40; i++) {
		int seat = table_turn(table);

		snprintf(
		    ids[i], sizeof(ids[i]), "%s", table_turn_id(table, seat));
		assert_int_equal(strlen(ids[i]), 16);
		for (int before = 0; before < i; before++)
			assert_string_not_equal(ids[i], ids[before]);
		table_step(table);
	}
	table_close(table);
}

TEST(test_captures_are_told_in_canonical_order)
{
	struct table_order order = { .spec = "scopa",
		.pack = "4S3CKDKB 7D2C2S 5B5C5S" };
	struct table *table = table_open_ready(&order);

	table_answer(table, "7Dx4S3C");
	table_assert_has(table_heard(table, 1), "play 1 7Dx3C4S");
	table_assert_has(table_recorded(table), "play 1 7Dx3C4S t=0.000000");
	table_close(table);
}

TEST(test_thinking_time_is_recorded_and_told_to_nobody)
{
	struct table *table = table_open_ready(&scopa);
	char line[128], move[64];

	table_skip(table);
	table->now_ns += 71234567;
	snprintf(move, sizeof(move), "%s", table_move(table, 0));
	table_answer(table, move);
	snprintf(line, sizeof(line), "play 1 %s*", move);
	table_assert_has(table_heard(table, 1), line);
	snprintf(line, sizeof(line), "play 1 %s t=0.071234", move);
	table_assert_has(table->record.bytes, line);
	table_step(table);
	for (int seat = 0; seat < 2; seat++)
		assert_null(strstr(table->seats[seat].heard.bytes, " t="));
	assert_true(table->referee.seats[0].think_ns == 71234567);
	assert_int_equal(table->referee.seats[0].decision_count, 1);
	table_close(table);
}

TEST(test_thinking_time_begins_when_the_question_was_handed_over)
{
	struct table *table = table_open(&scopa);

	table->write_ns = 5 * TABLE_MS;
	table_start_ready(table, 0);
	table_start_ready(table, 1);
	table->now_ns += 8 * TABLE_MS;
	table_step(table);
	assert_true(table->referee.seats[0].think_ns == 3 * TABLE_MS);
	/* An answer that comes before that has taken no time. */
	table_step(table);
	assert_true(table->referee.seats[1].think_ns == 0);
	table_close(table);
}

TEST(test_info_stands_behind_its_play_in_the_record_alone)
{
	struct table *table = table_open_ready(&scopa);
	const char *record;

	table_skip(table);
	table_say(table, 0, "info depth=3  m.worlds=64 # close call");
	table_say(table, 0, "  info pv=7D,2C");
	assert_true(table->referee.wanted);
	assert_string_equal(table_recorded(table), "");
	table_step(table);
	record = table_recorded(table);
	assert_string_equal(table_verbs(record), "play info");
	table_assert_has(record, "info 1 depth=3  m.worlds=64 # close call");
	table_assert_has(record, "info 1 pv=7D,2C");
	table_step(table);
	for (int seat = 0; seat < 2; seat++)
		assert_null(strstr(table->seats[seat].heard.bytes, "worlds"));
	/* It does not come again with the next move. */
	table_assert_lacks(table_recorded(table), "info*");
	table_close(table);
}

TEST(test_info_without_words_says_nothing)
{
	struct table *table = table_open_ready(&scopa);

	table_say(table, 0, "info");
	table_say(table, 0, "info   ");
	table_step(table);
	table_assert_lacks(table->record.bytes, "info*");
	table_close(table);
}

TEST(test_info_of_a_decision_is_kept_up_to_eight_kibibytes)
{
	struct table *table = table_open_ready(&scopa);
	char line[1024];
	size_t size = 0;
	int kept = 0;

	snprintf(line, sizeof(line), "info value=%0900d", 0);
	for (int i = 0; i < 20; i++) {
		table_say(table, 0, line);
		kept += table->referee.wanted;
	}
	table_skip(table);
	table_step(table);
	for (const char *at = table_recorded(table); *at;) {
		size_t length = strcspn(at, "\n") + 1;

		if (strncmp(at, "info ", 5) == 0)
			size += length;
		at += length;
	}
	assert_true(size <= 8192 && size > 7000);
	assert_int_equal(kept, size / (strlen(line) + 3));
	/* The next decision has room again. */
	table_step(table);
	table_say(table, 0, line);
	assert_true(table->referee.wanted);
	table_close(table);
}

TEST(test_longest_info_line_is_kept_whole)
{
	struct table *table = table_open_ready(&scopa);
	char line[4097], wanted[4200];

	snprintf(line, sizeof(line), "info value=%04085d", 0);
	assert_int_equal(strlen(line), 4096);
	table_say(table, 0, line);
	table_step(table);
	snprintf(wanted, sizeof(wanted), "info 1 %s", line + 5);
	table_assert_has(table->record.bytes, wanted);
	table_close(table);
}

TEST(test_info_of_a_declaration_stands_behind_what_it_shows)
{
	struct table_order order = { .spec = "cirulla,declare=ask",
		.pack = "2D6C7S5B ADACAS" };
	struct table *table = table_open_ready(&order);

	table_skip(table);
	table_say(table, 0, "info value=10");
	table_answer(table, "!three");
	assert_string_equal(
	    table_verbs(table_recorded(table)), "declare show info");
	table_assert_has(
	    table->record.bytes, "declare 1 three points=10 t=0.000000");
	/* The same seat is asked again. */
	assert_int_equal(table_turn(table), 0);
	assert_string_equal(
	    table_verbs(table_heard(table, 0)), "declare show state legal go");
	table_close(table);
}

TEST(test_seat_is_written_to_once_a_decision)
{
	struct table_order order = { .spec = "scopa,teams=ABC", .seed = 9 };
	struct table *table = table_open_ready(&order);
	int before[3];

	for (int i = 0; i < 33; i++) {
		int turn = table_turn(table);

		for (int seat = 0; seat < 3; seat++)
			before[seat] = table->seats[seat].write_count;
		table_step(table);
		for (int seat = 0; seat < 3; seat++)
			assert_int_equal(
			    table->seats[seat].write_count - before[seat],
			    seat == (turn + 1) % 3);
	}
	table_close(table);
}

TEST(test_end_of_a_deal_reaches_all_at_once_and_one_is_asked)
{
	struct table_order order = { .spec = "scopone", .seed = 9 };
	struct table *table = table_open_ready(&order);

	table_steps(table, 35);
	table_skip(table);
	table_step(table);
	assert_int_equal(table_turn(table), 1);
	for (int seat = 0; seat < 4; seat++) {
		const char *heard = table_heard(table, seat);

		table_assert_has(heard, "enddeal 1");
		assert_int_equal(table_count(heard, "go*"), seat == 1);
	}
	table_close(table);
}

/* A bot may talk while it thinks, and is told off for it at once. */
TEST(test_what_is_sent_behind_the_question_gives_no_more_time)
{
	static const struct table_order order = {
		.spec = "scopa", .tc = "move:1", .feature = "feature observe=1"
	};
	struct table *table = table_open_ready(&order);
	int64_t deadline_ns;

	deadline_ns = referee_deadline_ns(&table->referee);
	table_skip(table);
	table_wait(table, 500 * TABLE_MS);
	table_say(table, 0, "nonsense");
	table_assert_has(table_heard(table, 0), "error unknown*");
	assert_int_equal(referee_deadline_ns(&table->referee), deadline_ns);
	referee_held(&table->referee, 0, table->now_ns);
	referee_sent(&table->referee, 0, table->now_ns);
	assert_int_equal(referee_deadline_ns(&table->referee), deadline_ns);
	table_close(table);
}

/* An answer may be counted from long before it was read. */
TEST(test_question_that_is_not_read_has_its_time_from_when_it_was_written)
{
	static const struct table_order order = { .spec = "scopa",
		.tc = "move:1" };
	struct table *table = table_open_ready(&order);

	table->referee.seats[0].told = false;
	referee_held(&table->referee, 0, table->now_ns + 300 * TABLE_MS);
	assert_int_equal(referee_deadline_ns(&table->referee),
	    table->now_ns + 1300 * TABLE_MS);
	/* What is tried again in vain gives it no more of it. */
	referee_held(&table->referee, 0, table->now_ns + 400 * TABLE_MS);
	assert_int_equal(referee_deadline_ns(&table->referee),
	    table->now_ns + 1300 * TABLE_MS);
	table_close(table);
}
