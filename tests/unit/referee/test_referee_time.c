/*
 * Deadlines, banks, margins, and the barrier after a late answer.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"
#include "test.h"

/* Three teams go on after an offence; two stop. */
static const struct table_order two = { .spec = "scopa", .tc = "move:1" };
static const struct table_order three = { .spec = "scopa,players=3",
	.policy = POLICY_SUBSTITUTE,
	.tc = "move:1",
	.seed = 2 };

/* The seat to move takes so long, and answers. */
static void
answer_after(struct table *table, int64_t ns)
{
	table->now_ns += ns;
	table_step(table);
}

/* The last `go` of a seat without its id. */
static const char *
go_of(const struct table *table, int seat)
{
	static char limits[128];
	const char *go = strstr(table->seats[seat].heard.bytes, "go turn=");

	for (const char *at = go; at; at = strstr(at + 1, "go turn="))
		go = at;
	assert_non_null(go);
	go += strlen("go turn=") + 16;
	snprintf(limits, sizeof(limits), "%.*s", (int)strcspn(go, "\n"), go);
	return limits;
}

static int
offences(const struct table *table, int seat, enum offence_kind kind)
{
	return table->referee.seats[seat].offences[kind];
}

TEST(test_go_says_what_is_left_under_each_control)
{
	static const struct {
		const char *tc, *first, *second, *third;
	} rows[] = {
		{ "none", "", "", "" },
		{ "move:0.5", " move=500", " move=500", " move=500" },
		{ "match:2+0.1", " time=2000 inc=100", " time=1850 inc=100",
		    " time=1700 inc=100" },
		{ "deal:2+0", " time=2000 inc=0", " time=1750 inc=0",
		    " time=1500 inc=0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct table_order order = { .spec = "scopa",
			.tc = rows[i].tc };
		struct table *table = table_open_ready(&order);

		assert_string_equal(go_of(table, 0), rows[i].first);
		answer_after(table, 250 * TABLE_MS);
		assert_string_equal(go_of(table, 1), rows[i].first);
		table_step(table);
		assert_string_equal(go_of(table, 0), rows[i].second);
		answer_after(table, 250 * TABLE_MS);
		table_step(table);
		assert_string_equal(go_of(table, 0), rows[i].third);
		table_close(table);
	}
}

TEST(test_bank_of_a_deal_begins_anew_and_that_of_a_match_does_not)
{
	struct table_order order = {
		.spec = "scopa,redeal=none", .tc = "deal:5+0", .deals = 3
	};
	struct table *table = table_open_ready(&order);

	answer_after(table, 1000 * TABLE_MS);
	table_steps(table, 35);
	/* The deal has passed on: seat 2 plays first. */
	table_step(table);
	assert_string_equal(go_of(table, 0), " time=5000 inc=0");
	table_close(table);
	order.tc = "match:5+0";
	table = table_open_ready(&order);
	answer_after(table, 1000 * TABLE_MS);
	table_steps(table, 36);
	assert_string_equal(go_of(table, 0), " time=4000 inc=0");
	table_close(table);
}

TEST(test_question_that_is_not_read_has_its_own_reason)
{
	struct table *table = table_open_ready(&two);

	table->referee.seats[0].told = false;
	referee_held(&table->referee, 0, table->now_ns);
	answer_after(table, 1000 * TABLE_MS + 1);
	assert_true(table_over(table));
	assert_int_equal(table_count(table->record.bytes,
			     "offence 1 kind=timeout reason=UNREAD*"),
	    1);
	table_close(table);
	/* Once it is in the pipe the time begins, and the bot is just slow. */
	table = table_open_ready(&two);
	table->referee.seats[0].told = false;
	referee_held(&table->referee, 0, table->now_ns);
	referee_sent(&table->referee, 0, table->now_ns);
	answer_after(table, 1000 * TABLE_MS + 1);
	assert_int_equal(table_count(table->record.bytes,
			     "offence 1 kind=timeout reason=TIMEOUT*"),
	    1);
	table_close(table);
}

TEST(test_answer_at_the_deadline_counts_and_one_behind_it_is_late)
{
	struct table *table = table_open_ready(&two);

	answer_after(table, 1000 * TABLE_MS);
	assert_int_equal(table_turn(table), 1);
	/* No deadline was told in between: the time of the line decides. */
	answer_after(table, 1000 * TABLE_MS + 1);
	assert_true(table_over(table));
	assert_int_equal(offences(table, 0, OFFENCE_TIMEOUT), 0);
	assert_int_equal(offences(table, 1, OFFENCE_TIMEOUT), 1);
	assert_int_equal(table_count(table->record.bytes, "play*"), 1);
	table_close(table);
}

TEST(test_answer_within_the_margin_counts)
{
	struct table_order order = two;
	struct table *table;

	order.margin_ns = 50 * TABLE_MS;
	table = table_open_ready(&order);
	assert_string_equal(go_of(table, 0), " move=1000");
	answer_after(table, 1050 * TABLE_MS);
	assert_int_equal(table_turn(table), 1);
	answer_after(table, 1050 * TABLE_MS + 1);
	assert_int_equal(offences(table, 1, OFFENCE_TIMEOUT), 1);
	table_close(table);
}

TEST(test_margin_within_a_bank_leaves_nothing_below_zero)
{
	struct table_order order = {
		.spec = "scopa", .tc = "match:1+0.1", .margin_ns = 50 * TABLE_MS
	};
	struct table *table = table_open_ready(&order);

	answer_after(table, 1030 * TABLE_MS);
	table_step(table);
	assert_string_equal(go_of(table, 0), " time=100 inc=100");
	table_close(table);
}

TEST(test_deadline_counts_from_the_last_byte_of_the_question)
{
	struct table *table = table_open(&two);

	table->write_ns = 400 * TABLE_MS;
	table_start_ready(table, 0);
	table_start_ready(table, 1);
	assert_true(referee_deadline_ns(&table->referee) ==
	    table->now_ns + 1400 * TABLE_MS);
	answer_after(table, 1400 * TABLE_MS);
	assert_int_equal(offences(table, 0, OFFENCE_TIMEOUT), 0);
	table_close(table);
}

TEST(test_silence_loses_at_the_deadline_and_not_before)
{
	struct table *table = table_open_ready(&two);

	table_skip(table);
	table_wait(table, 1000 * TABLE_MS - 1);
	assert_false(table_over(table));
	table_wait(table, 1);
	assert_true(table_over(table));
	table_assert_has(table->record.bytes,
	    "offence 1 kind=timeout reason=TIMEOUT policy=forfeit");
	assert_string_equal(
	    table_verbs(table_recorded(table)), "offence abort endmatch");
	assert_string_equal(
	    table_verbs(table_heard(table, 0)), "isready abort endmatch");
	assert_non_null(strstr(table_heard(table, 1), " winner=B you=win "));
	assert_false(table->referee.seats[0].kill);
	table_close(table);
}

TEST(test_chatter_does_not_move_the_deadline)
{
	static const char *const lines[] = { "info value=1", "# wait", "",
		"nonsense", "error unknown # hm", "readyok",
		"move 7D turn=0000000000000000" };
	struct table *table = table_open_ready(&two);
	int64_t deadline_ns = referee_deadline_ns(&table->referee);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		table_wait(table, 100 * TABLE_MS);
		table_say(table, 0, lines[i]);
		assert_true(
		    referee_deadline_ns(&table->referee) == deadline_ns);
	}
	table_wait(table, 300 * TABLE_MS);
	assert_int_equal(offences(table, 0, OFFENCE_TIMEOUT), 1);
	table_close(table);
}

TEST(test_arena_moves_for_the_late_one_and_asks_whether_it_is_there)
{
	struct table *table = table_open_ready(&three);
	char play[128];

	snprintf(play, sizeof(play), "play 1 %s by=arena cause=timeout",
	    table_move(table, 0));
	table_skip(table);
	table_wait(table, 1000 * TABLE_MS);
	table_assert_has(table_recorded(table), play);
	assert_string_equal(table_verbs(table_heard(table, 0)), "isready play");
	assert_int_equal(table_turn(table), 1);
	table_assert_has(table_heard(table, 1), play);
	table_close(table);
}

TEST(test_late_answer_is_never_taken_for_the_next_turn)
{
	struct table *table = table_open_ready(&three);
	char late[128], bare[128];

	snprintf(late, sizeof(late), "move %s turn=%s", table_move(table, 0),
	    table_turn_id(table, 0));
	table_wait(table, 1000 * TABLE_MS);
	table_say(table, 0, late);
	table_say(table, 0, "info value=9");
	table_steps(table, 2);
	/* Its turn again, and the barrier still stands. */
	assert_int_equal(table_turn(table), -1);
	snprintf(bare, sizeof(bare), "move %s", table_move(table, 0));
	table_say(table, 0, late);
	table_say(table, 0, bare);
	table_say(table, 0, "nonsense");
	assert_int_equal(table_turn(table), -1);
	table_skip(table);
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	table_assert_lacks(table_heard(table, 0), "error*");
	assert_int_equal(offences(table, 0, OFFENCE_ILLEGAL), 0);
	table_assert_lacks(table->record.bytes, "info*");
	table_step(table);
	assert_int_equal(table->referee.seats[0].strikes, 1);
	table_close(table);
}

TEST(test_clock_stands_until_the_late_one_is_ready)
{
	struct table *table = table_open_ready(&three);

	table_wait(table, 1000 * TABLE_MS);
	table_steps(table, 2);
	table_wait(table, 3000 * TABLE_MS);
	table_say(table, 0, "readyok");
	assert_true(referee_deadline_ns(&table->referee) ==
	    table->now_ns + 1000 * TABLE_MS);
	answer_after(table, 1000 * TABLE_MS);
	assert_int_equal(offences(table, 0, OFFENCE_TIMEOUT), 1);
	table_close(table);
}

TEST(test_late_one_that_is_ready_before_its_turn_goes_on_as_before)
{
	struct table *table = table_open_ready(&three);

	table_wait(table, 1000 * TABLE_MS);
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 1);
	table_steps(table, 2);
	assert_int_equal(table_turn(table), 0);
	table_finish(table);
	table_assert_has(table->record.bytes, "endmatch m1 *");
	table_close(table);
}

TEST(test_one_that_hangs_is_killed_and_has_crashed)
{
	struct table *table = table_open_ready(&three);

	table_wait(table, 1000 * TABLE_MS);
	table_steps(table, 2);
	table_skip(table);
	table_wait(table, TABLE_HANG_NS - 1);
	assert_false(table->referee.seats[0].kill);
	assert_int_equal(table_turn(table), -1);
	table_wait(table, 1);
	assert_true(table->referee.seats[0].kill);
	table_assert_has(table_recorded(table),
	    "offence 1 kind=crash reason=HANG policy=substitute strikes=2");
	assert_int_equal(table_turn(table), 1);
	table_close(table);
}

TEST(test_one_that_hangs_between_its_turns_crashes_at_its_next)
{
	struct table_order order = three;
	struct table *table;

	order.tc = "none";
	table = table_open_ready(&order);
	/* Without a limit nobody is late. */
	table_wait(table, 1000000 * TABLE_MS);
	assert_int_equal(table_turn(table), 0);
	table_close(table);
	order.tc = "move:10";
	table = table_open_ready(&order);
	table_wait(table, 10000 * TABLE_MS);
	assert_int_equal(table_turn(table), 1);
	table_wait(table, TABLE_HANG_NS);
	assert_true(table->referee.seats[0].kill);
	assert_int_equal(table_turn(table), 1);
	assert_int_equal(offences(table, 0, OFFENCE_CRASH), 0);
	table_steps(table, 2);
	assert_int_equal(offences(table, 0, OFFENCE_CRASH), 1);
	assert_int_equal(table_turn(table), 1);
	table_close(table);
}

TEST(test_third_strike_of_a_slow_one_loses)
{
	struct table *table = table_open_ready(&three);

	for (int strike = 1; strike <= 3; strike++) {
		assert_false(table_over(table));
		assert_int_equal(table_turn(table), 0);
		table_wait(table, 1000 * TABLE_MS);
		table_say(table, 0, "readyok");
		if (strike < 3)
			table_steps(table, 2);
	}
	assert_true(table_over(table));
	assert_int_equal(
	    table_count(table->record.bytes, "offence 1 kind=timeout *"), 3);
	table_assert_has(table->record.bytes,
	    "offence 1 kind=timeout reason=TIMEOUT policy=forfeit "
	    "strikes=3");
	table_close(table);
}

TEST(test_empty_bank_is_a_fallen_flag)
{
	struct table_order order = three;
	struct table *table;

	order.tc = "match:1+0.1";
	table = table_open_ready(&order);
	answer_after(table, 700 * TABLE_MS);
	table_steps(table, 2);
	assert_string_equal(go_of(table, 0), " time=400 inc=100");
	table_wait(table, 400 * TABLE_MS);
	table_assert_has(table->record.bytes,
	    "offence 1 kind=timeout reason=FLAG policy=substitute strikes=1");
	table_say(table, 0, "readyok");
	table_steps(table, 2);
	assert_string_equal(go_of(table, 0), " time=100 inc=100");
	table_close(table);
}

TEST(test_bank_without_increment_ends_after_so_many_strikes)
{
	struct table_order order = three;
	struct table *table;

	order.tc = "deal:1+0";
	table = table_open_ready(&order);
	while (!table_over(table)) {
		if (table_turn(table) != 0) {
			if (table_turn(table) > 0)
				table_step(table);
			else
				table_say(table, 0, "readyok");
			continue;
		}
		table_wait(table, 1000 * TABLE_MS);
	}
	assert_int_equal(offences(table, 0, OFFENCE_TIMEOUT), 3);
	assert_int_equal(table->referee.offender, 0);
	table_close(table);
}

TEST(test_time_of_a_bad_line_is_paid_like_that_of_an_answer)
{
	struct table_order order = three;
	struct table *table;

	order.tc = "match:10+0";
	table = table_open_ready(&order);
	table_wait(table, 4000 * TABLE_MS);
	table_flaw(table, 0, "\\x00");
	table_steps(table, 2);
	assert_string_equal(go_of(table, 0), " time=6000 inc=0");
	table_wait(table, 1000 * TABLE_MS);
	table_answer(table, "nothing");
	table_steps(table, 2);
	assert_string_equal(go_of(table, 0), " time=5000 inc=0");
	table_close(table);
}
