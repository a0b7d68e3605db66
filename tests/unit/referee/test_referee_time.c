/*
 * Deadlines, banks, the lag of the arena, and what follows from what bots may not
 * do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock_match.h"
#include "test.h"

/* Three teams go on after an offence; two stop. */
static const struct mock_order two = { .spec = "scopa", .tc = "move:1" };
static const struct mock_order three = { .spec = "scopa,players=3",
	.policy = POLICY_SUBSTITUTE,
	.tc = "move:1",
	.seed = 2 };

/* The seat to move takes so long, and answers. */
static void
answer_after(struct mock_match *match, int64_t ns)
{
	match->now_ns += ns;
	mock_step(match);
}

/* The last `go` of a seat without its id. */
static const char *
go_of(const struct mock_match *match, int seat)
{
	static char limits[128];
	const char *go = strstr(match->seats[seat].heard.bytes, "go turn=");

	for (const char *at = go; at; at = strstr(at + 1, "go turn="))
		go = at;
	assert_non_null(go);
	go += strlen("go turn=") + 16;
	snprintf(limits, sizeof(limits), "%.*s", (int)strcspn(go, "\n"), go);
	return limits;
}

static int
offences(const struct mock_match *match, int seat, enum offence_kind kind)
{
	return match->referee.seats[seat].offences[kind];
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

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct mock_order order = { .spec = "scopa", .tc = rows[i].tc };
		struct mock_match *match = mock_open_ready(&order);

		assert_string_equal(go_of(match, 0), rows[i].first);
		answer_after(match, 250 * MOCK_MS);
		assert_string_equal(go_of(match, 1), rows[i].first);
		mock_step(match);
		assert_string_equal(go_of(match, 0), rows[i].second);
		answer_after(match, 250 * MOCK_MS);
		mock_step(match);
		assert_string_equal(go_of(match, 0), rows[i].third);
		mock_close(match);
	}
}

TEST(test_bank_of_a_deal_begins_anew_and_that_of_a_match_does_not)
{
	struct mock_order order = {
		.spec = "scopa,redeal=none", .tc = "deal:5+0", .deals = 3
	};
	struct mock_match *match = mock_open_ready(&order);

	answer_after(match, 1000 * MOCK_MS);
	mock_steps(match, 35);
	/* The deal has passed on: seat 2 plays first. */
	mock_step(match);
	assert_string_equal(go_of(match, 0), " time=5000 inc=0");
	mock_close(match);
	order.tc = "match:5+0";
	match = mock_open_ready(&order);
	answer_after(match, 1000 * MOCK_MS);
	mock_steps(match, 36);
	assert_string_equal(go_of(match, 0), " time=4000 inc=0");
}

TEST(test_question_that_is_not_read_has_its_own_reason)
{
	struct mock_match *match = mock_open_ready(&two);

	match->referee.seats[0].sent = false;
	referee_held(&match->referee, 0, match->now_ns);
	answer_after(match, 1000 * MOCK_MS + 1);
	assert_true(mock_over(match));
	assert_int_equal(mock_count(match->record.bytes,
			     "offence 1 kind=timeout reason=UNREAD*"),
	    1);
	mock_close(match);
	/* Once it is in the pipe the time begins, and the bot is just slow. */
	match = mock_open_ready(&two);
	match->referee.seats[0].sent = false;
	referee_held(&match->referee, 0, match->now_ns);
	referee_sent(&match->referee, 0, match->now_ns);
	answer_after(match, 1000 * MOCK_MS + 1);
	assert_int_equal(mock_count(match->record.bytes,
			     "offence 1 kind=timeout reason=TIMEOUT*"),
	    1);
}

TEST(test_answer_at_the_deadline_counts_and_one_behind_it_is_late)
{
	struct mock_match *match = mock_open_ready(&two);

	answer_after(match, 1000 * MOCK_MS);
	assert_int_equal(mock_turn(match), 1);
	/* No deadline was told in between: the time of the line decides. */
	answer_after(match, 1000 * MOCK_MS + 1);
	assert_true(mock_over(match));
	assert_int_equal(offences(match, 0, OFFENCE_TIMEOUT), 0);
	assert_int_equal(offences(match, 1, OFFENCE_TIMEOUT), 1);
	assert_int_equal(mock_count(match->record.bytes, "play*"), 1);
}

TEST(test_answer_within_the_margin_counts)
{
	struct mock_order order = two;
	struct mock_match *match;

	order.margin_ns = 50 * MOCK_MS;
	match = mock_open_ready(&order);
	assert_string_equal(go_of(match, 0), " move=1000");
	answer_after(match, 1050 * MOCK_MS);
	assert_int_equal(mock_turn(match), 1);
	answer_after(match, 1050 * MOCK_MS + 1);
	assert_int_equal(offences(match, 1, OFFENCE_TIMEOUT), 1);
}

TEST(test_margin_within_a_bank_leaves_nothing_below_zero)
{
	struct mock_order order = {
		.spec = "scopa", .tc = "match:1+0.1", .margin_ns = 50 * MOCK_MS
	};
	struct mock_match *match = mock_open_ready(&order);

	answer_after(match, 1030 * MOCK_MS);
	mock_step(match);
	assert_string_equal(go_of(match, 0), " time=100 inc=100");
}

TEST(test_deadline_counts_from_the_last_byte_of_the_question)
{
	struct mock_match *match = mock_open(&two);

	match->write_ns = 400 * MOCK_MS;
	mock_start_ready(match, 0);
	mock_start_ready(match, 1);
	assert_true(referee_deadline_ns(&match->referee) ==
	    match->now_ns + 1400 * MOCK_MS);
	answer_after(match, 1400 * MOCK_MS);
	assert_int_equal(offences(match, 0, OFFENCE_TIMEOUT), 0);
}

TEST(test_silence_loses_at_the_deadline_and_not_before)
{
	struct mock_match *match = mock_open_ready(&two);

	mock_skip(match);
	mock_wait(match, 1000 * MOCK_MS - 1);
	assert_false(mock_over(match));
	mock_wait(match, 1);
	assert_true(mock_over(match));
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=timeout reason=TIMEOUT policy=forfeit t=1.000000");
	assert_string_equal(
	    mock_verbs(mock_recorded(match)), "offence abort endmatch");
	assert_string_equal(
	    mock_verbs(mock_heard(match, 0)), "isready abort endmatch");
	assert_non_null(strstr(mock_heard(match, 1), " winner=B you=win "));
	assert_false(match->referee.seats[0].kill);
}

TEST(test_chatter_does_not_move_the_deadline)
{
	static const char *const lines[] = { "info value=1", "# wait", "",
		"nonsense", "error unknown # hm", "readyok",
		"move 7D turn=0000000000000000" };
	struct mock_match *match = mock_open_ready(&two);
	int64_t deadline_ns = referee_deadline_ns(&match->referee);

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		mock_wait(match, 100 * MOCK_MS);
		mock_say(match, 0, lines[i]);
		assert_true(
		    referee_deadline_ns(&match->referee) == deadline_ns);
	}
	mock_wait(match, 300 * MOCK_MS);
	assert_int_equal(offences(match, 0, OFFENCE_TIMEOUT), 1);
}

TEST(test_arena_moves_for_the_late_one_and_asks_whether_it_is_there)
{
	struct mock_match *match = mock_open_ready(&three);
	char play[128];

	snprintf(play, sizeof(play), "play 1 %s by=arena cause=timeout",
	    mock_move(match, 0));
	mock_skip(match);
	mock_wait(match, 1000 * MOCK_MS);
	mock_assert_has(mock_recorded(match), play);
	assert_string_equal(mock_verbs(mock_heard(match, 0)), "isready play");
	assert_int_equal(mock_turn(match), 1);
	mock_assert_has(mock_heard(match, 1), play);
}

TEST(test_late_answer_is_never_taken_for_the_next_turn)
{
	struct mock_match *match = mock_open_ready(&three);
	char late[128], bare[128];

	snprintf(late, sizeof(late), "move %s turn=%s", mock_move(match, 0),
	    mock_turn_id(match, 0));
	mock_wait(match, 1000 * MOCK_MS);
	mock_say(match, 0, late);
	mock_say(match, 0, "info value=9");
	mock_steps(match, 2);
	/* Its turn again, and the barrier still stands. */
	assert_int_equal(mock_turn(match), -1);
	snprintf(bare, sizeof(bare), "move %s", mock_move(match, 0));
	mock_say(match, 0, late);
	mock_say(match, 0, bare);
	mock_say(match, 0, "nonsense");
	assert_int_equal(mock_turn(match), -1);
	mock_skip(match);
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
	mock_assert_lacks(mock_heard(match, 0), "error*");
	assert_int_equal(offences(match, 0, OFFENCE_ILLEGAL), 0);
	mock_assert_lacks(match->record.bytes, "info*");
	mock_step(match);
	assert_int_equal(match->referee.seats[0].strikes, 1);
}

TEST(test_clock_stands_until_the_late_one_is_ready)
{
	struct mock_match *match = mock_open_ready(&three);

	mock_wait(match, 1000 * MOCK_MS);
	mock_steps(match, 2);
	mock_wait(match, 3000 * MOCK_MS);
	mock_say(match, 0, "readyok");
	assert_true(referee_deadline_ns(&match->referee) ==
	    match->now_ns + 1000 * MOCK_MS);
	answer_after(match, 1000 * MOCK_MS);
	assert_int_equal(offences(match, 0, OFFENCE_TIMEOUT), 1);
}

TEST(test_late_one_that_is_ready_before_its_turn_goes_on_as_before)
{
	struct mock_match *match = mock_open_ready(&three);

	mock_wait(match, 1000 * MOCK_MS);
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 1);
	mock_steps(match, 2);
	assert_int_equal(mock_turn(match), 0);
	mock_finish(match);
	mock_assert_has(match->record.bytes, "endmatch m1 *");
}

TEST(test_one_that_hangs_is_killed_and_has_crashed)
{
	struct mock_match *match = mock_open_ready(&three);

	mock_wait(match, 1000 * MOCK_MS);
	mock_steps(match, 2);
	mock_skip(match);
	mock_wait(match, MOCK_HANG_NS - 1);
	assert_false(match->referee.seats[0].kill);
	assert_int_equal(mock_turn(match), -1);
	mock_wait(match, 1);
	assert_true(match->referee.seats[0].kill);
	mock_assert_has(mock_recorded(match),
	    "offence 1 kind=crash reason=HANG policy=substitute strikes=2");
	assert_int_equal(mock_turn(match), 1);
}

TEST(test_one_that_hangs_between_its_turns_crashes_at_its_next)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.tc = "none";
	match = mock_open_ready(&order);
	/* Without a limit nobody is late. */
	mock_wait(match, 1000000 * MOCK_MS);
	assert_int_equal(mock_turn(match), 0);
	mock_close(match);
	order.tc = "move:10";
	match = mock_open_ready(&order);
	mock_wait(match, 10000 * MOCK_MS);
	assert_int_equal(mock_turn(match), 1);
	mock_wait(match, MOCK_HANG_NS);
	assert_true(match->referee.seats[0].kill);
	assert_int_equal(mock_turn(match), 1);
	assert_int_equal(offences(match, 0, OFFENCE_CRASH), 0);
	mock_steps(match, 2);
	assert_int_equal(offences(match, 0, OFFENCE_CRASH), 1);
	assert_int_equal(mock_turn(match), 1);
}

TEST(test_third_strike_of_a_slow_one_loses)
{
	struct mock_match *match = mock_open_ready(&three);

	for (int strike = 1; strike <= 3; strike++) {
		assert_false(mock_over(match));
		assert_int_equal(mock_turn(match), 0);
		mock_wait(match, 1000 * MOCK_MS);
		mock_say(match, 0, "readyok");
		if (strike < 3)
			mock_steps(match, 2);
	}
	assert_true(mock_over(match));
	assert_int_equal(
	    mock_count(match->record.bytes, "offence 1 kind=timeout *"), 3);
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=timeout reason=TIMEOUT policy=forfeit "
	    "strikes=3 t=1.000000");
}

TEST(test_empty_bank_is_a_fallen_flag)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.tc = "match:1+0.1";
	match = mock_open_ready(&order);
	answer_after(match, 700 * MOCK_MS);
	mock_steps(match, 2);
	assert_string_equal(go_of(match, 0), " time=400 inc=100");
	mock_wait(match, 400 * MOCK_MS);
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=timeout reason=FLAG policy=substitute strikes=1 "
	    "t=0.400000");
	mock_say(match, 0, "readyok");
	mock_steps(match, 2);
	assert_string_equal(go_of(match, 0), " time=100 inc=100");
}

TEST(test_bank_without_increment_ends_after_so_many_strikes)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.tc = "deal:1+0";
	match = mock_open_ready(&order);
	while (!mock_over(match)) {
		if (mock_turn(match) != 0) {
			if (mock_turn(match) > 0)
				mock_step(match);
			else
				mock_say(match, 0, "readyok");
			continue;
		}
		mock_wait(match, 1000 * MOCK_MS);
	}
	assert_int_equal(offences(match, 0, OFFENCE_TIMEOUT), 3);
	assert_int_equal(match->referee.offender, 0);
}

TEST(test_time_of_a_bad_line_is_paid_like_that_of_an_answer)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.tc = "match:10+0";
	match = mock_open_ready(&order);
	mock_wait(match, 4000 * MOCK_MS);
	mock_flaw(match, 0, "\\x00");
	mock_steps(match, 2);
	assert_string_equal(go_of(match, 0), " time=6000 inc=0");
	mock_wait(match, 1000 * MOCK_MS);
	mock_answer(match, "nothing");
	mock_steps(match, 2);
	assert_string_equal(go_of(match, 0), " time=5000 inc=0");
}

static const struct mock_order bank = { .spec = "scopa", .tc = "match:2+0" };

static int64_t
deadline_in(const struct mock_match *match)
{
	return referee_deadline_ns(&match->referee) - match->now_ns;
}

TEST(test_turn_is_timed_anew_and_not_asked_again)
{
	static const int64_t lags_ms[] = { 251, 2000, 2001, 100000000 };
	struct mock_match *match;

	for (size_t i = 0; i < COUNTOF(lags_ms); i++) {
		match = mock_open_ready(&bank);
		mock_wait(match, 1500 * MOCK_MS);
		mock_skip(match);
		mock_lag(match, lags_ms[i] * MOCK_MS);
		assert_int_equal(mock_turn(match), 0);
		assert_string_equal(mock_heard(match, 0), "");
		assert_true(deadline_in(match) == 2000 * MOCK_MS);
		answer_after(match, 500 * MOCK_MS);
		assert_int_equal(mock_turn(match), 1);
		/* Only what it took afterwards is taken from its bank. */
		assert_true(
		    match->referee.seats[0].budget.left_ns == 1500 * MOCK_MS);
		assert_true(match->referee.seats[0].think_ns == 500 * MOCK_MS);
		mock_close(match);
	}
}

TEST(test_no_time_runs_for_a_question_that_is_put_off)
{
	struct mock_match *match = mock_open_ready(&bank);

	mock_skip(match);
	match->referee.seats[0].sent = false;
	referee_put_off(&match->referee, 0);
	assert_true(referee_deadline_ns(&match->referee) == BUDGET_NEVER);
	match->now_ns += 5000 * MOCK_MS;
	/* Nor is there anything to begin anew. */
	mock_lag(match, 300 * MOCK_MS);
	assert_true(referee_deadline_ns(&match->referee) == BUDGET_NEVER);
	assert_int_equal(match->referee.void_count, 0);
	referee_sent(&match->referee, 0, match->now_ns);
	assert_true(deadline_in(match) == 2000 * MOCK_MS);
	answer_after(match, 500 * MOCK_MS);
	assert_int_equal(mock_turn(match), 1);
	assert_true(match->referee.seats[0].budget.left_ns == 1500 * MOCK_MS);
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

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct mock_match *match = mock_open_ready(&bank);
		int64_t now_ns =
		    match->now_ns + 2000 * MOCK_MS + cases[i].late_us * 1000;

		mock_skip(match);
		assert_int_equal(referee_give_rest(&match->referee, 0,
				     cases[i].hindered_us * 1000, now_ns),
		    cases[i].rest_us > 0);
		match->now_ns = now_ns;
		if (cases[i].rest_us > 0)
			assert_int_equal(
			    deadline_in(match), cases[i].rest_us * 1000);
		mock_close(match);
	}
}

TEST(test_void_turns_are_counted_and_recorded)
{
	struct mock_match *match = mock_open_ready(&bank);

	mock_skip(match);
	mock_lag(match, 1500 * MOCK_MS);
	assert_string_equal(mock_recorded(match), "void 1 lag=1.500000\n");
	mock_lag(match, 300 * MOCK_MS + 7);
	assert_string_equal(mock_recorded(match), "void 1 lag=0.300000\n");
	mock_step(match);
	mock_skip(match);
	mock_lag(match, 7000 * MOCK_MS);
	assert_string_equal(mock_recorded(match), "void 2 lag=7.000000\n");
	assert_string_equal(mock_heard(match, 0), "");
	assert_string_equal(mock_heard(match, 1), "");
	assert_int_equal(match->referee.void_count, 3);
	assert_true(match->referee.lag_longest_ns == 7000 * MOCK_MS);
	mock_finish(match);
	assert_int_equal(mock_count(match->record.bytes, "offence*"), 0);
	mock_reseat(match, NULL);
	assert_int_equal(match->referee.void_count, 0);
	assert_true(match->referee.lag_longest_ns == 0);
}

static void
tell(struct mock_match *match, enum referee_input_kind kind, int seat, int by)
{
	const struct referee_input input = {
		.kind = kind,
		.seat = seat,
		.by = by,
		.now_ns = match->now_ns,
	};

	referee_step(&match->referee, &input, &match->outbox);
}

TEST(test_turn_in_which_another_computed_begins_anew)
{
	struct mock_match *match = mock_open_ready(&bank);

	mock_skip(match);
	match->now_ns = referee_deadline_ns(&match->referee) + MOCK_MS;
	tell(match, REFEREE_VOID, 0, 1);
	assert_int_equal(match->referee.void_count, 1);
	assert_int_equal(match->referee.offender, REFEREE_SEAT_NONE);
	assert_true(deadline_in(match) > 0);
}

TEST(test_bot_that_nothing_stops_from_computing_loses)
{
	struct mock_match *match = mock_open_ready(&bank);

	mock_skip(match);
	tell(match, REFEREE_PONDER, 1, 0);
	assert_true(match->referee.seats[1].kill);
	/* Who is to move goes on. */
	assert_false(match->referee.ended);
	mock_step(match);
	assert_true(match->referee.ended);
	assert_int_equal(match->referee.offender, 1);
	assert_string_equal(match->referee.offence_reason, "PONDER");
}

TEST(test_turn_that_began_behind_the_lag_is_not_void)
{
	struct mock_match *match = mock_open_ready(&bank);
	int64_t deadline_ns;

	mock_wait(match, 1000 * MOCK_MS);
	/* An answer that was read first, and a question behind it. */
	mock_step(match);
	deadline_ns = referee_deadline_ns(&match->referee);
	mock_skip(match);
	mock_lag(match, 0);
	assert_true(referee_deadline_ns(&match->referee) == deadline_ns);
	assert_string_equal(mock_recorded(match), "");
}

TEST(test_silence_after_a_lag_still_loses)
{
	struct mock_match *match = mock_open_ready(&bank);

	mock_lag(match, 9000 * MOCK_MS);
	mock_wait(match, 2000 * MOCK_MS - 1);
	assert_false(mock_over(match));
	mock_wait(match, 1);
	assert_true(mock_over(match));
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=timeout reason=FLAG policy=forfeit t=2.000000");
}

TEST(test_start_is_timed_anew_and_told_once_the_game_has_begun)
{
	struct mock_match *match = mock_open(&bank);

	mock_start(match, 0);
	mock_start_ready(match, 1);
	mock_wait(match, MOCK_STARTUP_NS - 1);
	mock_lag(match, 5000 * MOCK_MS);
	assert_true(deadline_in(match) == MOCK_STARTUP_NS);
	mock_wait(match, MOCK_STARTUP_NS - 1);
	mock_say(match, 0, "id name=slow");
	mock_say(match, 0, "uspok 1");
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
	assert_int_equal(mock_count(match->record.bytes, "void*"), 1);
	mock_assert_has(match->record.bytes, "void 1 lag=5.000000");
	assert_int_equal(match->referee.void_count, 1);
}

TEST(test_hang_limit_is_timed_anew)
{
	const struct mock_order order = { .spec = "scopa,players=3",
		.policy = POLICY_SUBSTITUTE,
		.tc = "move:1" };
	struct mock_match *match = mock_open_ready(&order);

	mock_wait(match, 1000 * MOCK_MS);
	mock_steps(match, 2);
	assert_int_equal(mock_turn(match), -1);
	mock_wait(match, MOCK_HANG_NS - 1);
	mock_skip(match);
	mock_lag(match, MOCK_HANG_NS);
	assert_string_equal(mock_recorded(match), "void 1 lag=5.000000\n");
	mock_wait(match, MOCK_HANG_NS - 1);
	assert_false(match->referee.seats[0].kill);
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
}

TEST(test_no_lag_between_games_is_told)
{
	struct mock_match *match = mock_open_ready(&bank);

	mock_finish(match);
	mock_skip(match);
	mock_lag(match, 9000 * MOCK_MS);
	assert_string_equal(mock_recorded(match), "");
	assert_int_equal(match->referee.void_count, 0);
}

/* A table where seat 0 is asked and each of these moves is wrong. */
static const struct {
	const char *spec, *pack, *move, *reason;
} wrong[] = {
	{ "scopa", "2C5SKDKC 7D3CAD", "hello", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx2C5", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7dx2c5s", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7D:2C5S", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx2C2C", "duplicate" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx7D", "duplicate" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Cx2C5S", "not-in-hand" },
	{ "scopa", "2C5SKDKC 7D3CAD", "KD", "not-in-hand" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx3S4S", "not-on-table" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx2C", "bad-sum" },
	{ "scopa", "2C5SKDKC 7D3CAD", "3Cx2C5S", "bad-sum" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7D", "must-capture" },
	{ "scopa", "2C5SKDKC 7D3CAD", "!low", "no-declaration" },
	{ "scopa", "2C5S7CKC 7D3CAD", "7Dx2C5S", "must-take-single" },
	{ "scopa,priority=fewest", "AC2C4S6S 7D3CAD", "7DxAC2C4S",
	    "must-take-fewest" },
	{ "scopa,priority=any,max-captured=2", "AC2C4S6S 7D3CAD", "7DxAC2C4S",
	    "too-many" },
	{ "scopa,ace=sweep", "AC2C4SKD 7D3CAD", "ADxAC", "must-sweep" },
	{ "cirulla,declare=ask", "2C4S6SKD 7D3CKS", "!three",
	    "no-declaration" },
};

enum { WRONG_COUNT = COUNTOF(wrong) };

TEST(test_each_wrong_move_is_refused_by_its_reason_under_each_policy)
{
	for (int i = 0; i < WRONG_COUNT * POLICY_COUNT; i++) {
		const char *reason = wrong[i / POLICY_COUNT].reason;
		enum verdict_policy policy =
		    (enum verdict_policy)(i % POLICY_COUNT);
		bool goes_on = policy == POLICY_SUBSTITUTE;
		struct mock_order order = {
			.spec = wrong[i / POLICY_COUNT].spec,
			.pack = wrong[i / POLICY_COUNT].pack,
			.policy = policy,
		};
		struct mock_match *match = mock_open_ready(&order);
		char line[256], play[256];

		snprintf(play, sizeof(play), "play 1 %s*", mock_move(match, 0));
		mock_skip(match);
		mock_answer(match, wrong[i / POLICY_COUNT].move);
		snprintf(line, sizeof(line), "illegal %s reason=%s policy=%s%s",
		    wrong[i / POLICY_COUNT].move, reason, policy_name(policy),
		    goes_on ? " strikes=1 # *" : " # *");
		mock_assert_has(mock_heard(match, 0), line);
		snprintf(line, sizeof(line),
		    "offence 1 kind=illegal reason=%s policy=%s%s t=0.000000 "
		    "said=move*",
		    reason, policy_name(policy), goes_on ? " strikes=1" : "");
		mock_assert_has(match->record.bytes, line);
		assert_int_equal(mock_over(match), !goes_on);
		assert_int_equal(mock_has(match->record.bytes, play), goes_on);
		assert_int_equal(goes_on,
		    strstr(match->record.bytes, " by=arena cause=illegal\n") !=
			NULL);
		assert_null(strstr(mock_heard(match, 1), reason));
		mock_close(match);
	}
}

TEST(test_line_without_a_readable_move_is_an_illegal_one)
{
	static const struct {
		const char *line, *told;
	} rows[] = {
		{ "move", "illegal - reason=syntax *" },
		{ "move # 7D", "illegal - reason=syntax *" },
		{ "move \t ", "illegal - reason=syntax *" },
		{ "move ???", "illegal ??? reason=syntax *" },
		{ "move %37D", "illegal %37D reason=syntax *" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct mock_match *match = mock_open_ready(&two);

		mock_skip(match);
		mock_say(match, 0, rows[i].line);
		mock_assert_has(mock_heard(match, 0), rows[i].told);
		assert_true(mock_over(match));
		mock_close(match);
	}
}

TEST(test_long_wrong_move_is_cut_for_the_bot_and_in_the_record)
{
	struct mock_match *match = mock_open_ready(&three);
	char move[4000], told[128];
	const char *said;

	memset(move, '7', sizeof(move));
	memcpy(move, "move ", 5);
	move[sizeof(move) - 1] = '\0';
	mock_say(match, 0, move);
	snprintf(told, sizeof(told), "illegal %.64s reason=syntax *", move + 5);
	mock_assert_has(mock_heard(match, 0), told);
	said = strstr(match->record.bytes, " said=move%207");
	assert_non_null(said);
	assert_true(strcspn(said, "\n") < 300);
}

/* The text without these words, wherever they stand. */
static char *
without(const char *text, const char *words)
{
	char *copy = strdup(text), *at;

	assert_non_null(copy);
	while ((at = strstr(copy, words)))
		memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
	return copy;
}

TEST(test_others_hear_of_an_offence_only_that_the_arena_played)
{
	struct mock_match *honest = mock_open_ready(&three);
	struct mock_match *guilty = mock_open_ready(&three);

	mock_answer(honest, mock_move(honest, 0));
	mock_answer(guilty, "KDxKC");
	mock_steps(honest, 5);
	mock_steps(guilty, 5);
	for (int seat = 1; seat < 3; seat++) {
		char *heard = without(
		    guilty->seats[seat].heard.bytes, " by=arena cause=illegal");

		assert_string_equal(heard, honest->seats[seat].heard.bytes);
		assert_int_equal(guilty->seats[seat].write_count,
		    honest->seats[seat].write_count);
		free(heard);
	}
}

TEST(test_third_strike_of_a_seat_loses_whatever_the_kinds)
{
	struct mock_match *match = mock_open_ready(&three);

	mock_answer(match, "hello");
	assert_int_equal(match->referee.seats[0].strikes, 1);
	/* Another seat's strike is its own. */
	mock_answer(match, "hello");
	assert_int_equal(match->referee.seats[1].strikes, 1);
	mock_step(match);
	mock_flaw(match, 0, "\\x00");
	assert_false(mock_over(match));
	mock_steps(match, 2);
	mock_exit(match, 0, "CRASH(9)");
	assert_true(mock_over(match));
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=crash reason=CRASH(9) policy=forfeit strikes=3");
	assert_int_equal(match->referee.offender, 0);
	assert_int_equal(match->referee.offence, OFFENCE_CRASH);
}

/* Seat 0 does one thing wrong on its own turn. */
enum vice { EXITS, CLOSES, GIVES_UP, FLOODS, WRITES_BYTES, VICE_COUNT };

static const struct {
	const char *kind, *reason;
	bool stays;  /* it is still there afterwards */
	bool killed; /* the match must end it */
} vices[] = {
	[EXITS] = { "crash", "EXIT(3)", false, false },
	[CLOSES] = { "crash", "EOF", false, false },
	[GIVES_UP] = { "crash", "FATAL", false, true },
	[FLOODS] = { "protocol", "FLOOD", false, true },
	[WRITES_BYTES] = { "protocol", "BAD_LINE", true, false },
};

static void
misbehave(struct mock_match *match, int seat, enum vice vice)
{
	switch (vice) {
	case EXITS:
	case CLOSES:
		mock_exit(match, seat, vices[vice].reason);
		break;
	case GIVES_UP:
		mock_say(match, seat, "error fatal # no idea");
		break;
	case FLOODS:
		mock_flood(match, seat);
		break;
	case WRITES_BYTES:
		mock_flaw(match, seat, "\\xff");
		break;
	case VICE_COUNT:
		break;
	}
}

TEST(test_each_vice_on_its_turn_is_judged_at_once)
{
	for (int i = 0; i < VICE_COUNT * POLICY_COUNT; i++) {
		enum vice vice = (enum vice)(i / POLICY_COUNT);
		struct mock_order order = three;
		struct mock_match *match;
		char offence[128];

		order.policy = (enum verdict_policy)(i % POLICY_COUNT);
		match = mock_open_ready(&order);
		misbehave(match, 0, vice);
		snprintf(offence, sizeof(offence),
		    "offence 1 kind=%s reason=%s policy=%s*", vices[vice].kind,
		    vices[vice].reason, policy_name(order.policy));
		mock_assert_has(match->record.bytes, offence);
		assert_int_equal(
		    mock_over(match), order.policy != POLICY_SUBSTITUTE);
		assert_int_equal(mock_turn(match),
		    order.policy == POLICY_SUBSTITUTE ? 1 : -1);
		assert_int_equal(match->referee.seats[0].session.phase,
		    vices[vice].stays ? SESSION_IDLE : SESSION_GONE);
		assert_int_equal(
		    match->referee.seats[0].kill, vices[vice].killed);
		mock_close(match);
	}
}

TEST(test_vice_out_of_turn_is_judged_when_the_turn_comes)
{
	for (int i = 0; i < VICE_COUNT; i++) {
		enum vice vice = (enum vice)i;
		struct mock_match *match = mock_open_ready(&three);
		int gone = !vices[vice].stays;

		mock_skip(match);
		misbehave(match, 1, vice);
		assert_string_equal(mock_recorded(match), "");
		assert_string_equal(mock_heard(match, 0), "");
		assert_int_equal(mock_turn(match), 0);
		mock_step(match);
		assert_int_equal(mock_turn(match), gone ? 2 : 1);
		assert_int_equal(
		    mock_count(match->record.bytes, "offence 2 *"), gone);
		assert_int_equal(match->referee.seats[1].strikes, gone);
		mock_close(match);
	}
}

TEST(test_bytes_out_of_turn_are_only_reported)
{
	struct mock_match *match = mock_open_ready(&two);

	mock_flaw(match, 1, "\\x00");
	mock_step(match);
	mock_assert_has(mock_heard(match, 1), "error toolong # *");
	mock_finish(match);
	mock_assert_lacks(match->record.bytes, "offence*");
}

TEST(test_nothing_more_is_heard_of_or_said_to_one_that_is_gone)
{
	struct mock_order order = three;

	order.strikes_max = 10;
	for (int i = 0; i < VICE_COUNT; i++) {
		struct mock_match *match = mock_open_ready(&order);

		misbehave(match, 0, (enum vice)i);
		if (vices[i].stays) {
			mock_close(match);
			continue;
		}
		mock_steps(match, 2);
		mock_skip(match);
		mock_say(match, 0, mock_move(match, 0));
		mock_say(match, 0, "nonsense");
		mock_flaw(match, 0, "x");
		mock_flood(match, 0);
		mock_exit(match, 0, "EXIT(0)");
		assert_string_equal(mock_recorded(match), "");
		mock_steps(match, 4);
		assert_string_equal(mock_heard(match, 0), "");
		assert_int_equal(match->outbox.seats[0].length, 0);
		assert_int_equal(
		    match->referee.seats[0].session.error_count, 0);
		mock_close(match);
	}
}

TEST(test_arena_plays_whole_games_for_dead_seats_where_strikes_allow)
{
	static const char *const specs[] = { "scopa,players=3",
		"scopa,teams=ABCD", "scopone", "scopa,teams=ABABAB",
		"cirulla,players=3,declare=ask", "escoba,teams=ABCDEF" };

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		struct mock_order order = { .spec = specs[i],
			.policy = POLICY_SUBSTITUTE,
			.strikes_max = 1000,
			.deals = 2,
			.seed = i };
		struct mock_match *match = mock_open_ready(&order);
		int seats = match->rules.players;

		mock_exit(match, seats - 1, "EXIT(0)");
		mock_steps(match, 3);
		mock_exit(match, 0, "CRASH(11)");
		mock_finish(match);
		mock_assert_has(match->record.bytes, "enddeal 2");
		assert_non_null(strstr(match->record.bytes, " reason=deals\n"));
		mock_assert_has(mock_heard(match, 1), "endmatch m1 *");
		mock_close(match);
	}
}

TEST(test_game_of_the_dead_alone_comes_to_its_end)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.strikes_max = 1000;
	order.deals = 3;
	match = mock_open_ready(&order);
	for (int seat = 2; seat >= 0; seat--)
		mock_exit(match, seat, "EXIT(1)");
	assert_true(mock_over(match));
	mock_assert_has(match->record.bytes, "enddeal 3");
	assert_int_equal(mock_count(match->record.bytes, "play*"),
	    mock_count(match->record.bytes, "offence*"));
}

TEST_EACH(NULL, mock_close_all)
