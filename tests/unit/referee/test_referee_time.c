/*
 * Deadlines, banks, the lag of the arena, and the verdicts on offences.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock_match.h"
#include "test.h"

/* With three teams the game continues after an offence; with two it ends. */
static const struct mock_order two = { .spec = "scopa", .tc = "move:1" };
static const struct mock_order bank = { .spec = "scopa", .tc = "match:2+0" };
static const struct mock_order three = { .spec = "scopa,players=3",
	.policy = POLICY_SUBSTITUTE,
	.tc = "move:1",
	.seed = 2 };

/* The last `go` of a seat, from behind its id. */
static const char *
go_of(const struct mock_match *match, int seat)
{
	static char limits[128];
	const char *go = strstr(match->seats[seat].sent.bytes, "go turn=");

	for (const char *at = go; at; at = strstr(at + 1, "go turn="))
		go = at;
	assert_non_null(go);
	go += strlen("go turn=") + 16;
	snprintf(limits, sizeof(limits), "%.*s", (int)strcspn(go, "\n"), go);
	return limits;
}

/* Plays on, and expects this behind the id of the last `go` of seat 1. */
static void
assert_go(struct mock_match *match, const char *steps, const char *limits)
{
	mock_run(match, steps);
	assert_string_equal(go_of(match, 0), limits);
}

TEST(test_go_contains_the_time_left_under_each_time_control)
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

		assert_go(match, "after 250", rows[i].first);
		assert_string_equal(go_of(match, 1), rows[i].first);
		assert_go(match, "step", rows[i].second);
		assert_go(match, "after 250; step", rows[i].third);
	}
}

TEST(test_only_the_bank_of_a_deal_is_full_again_in_the_next_deal)
{
	struct mock_order order = {
		.spec = "scopa,redeal=none", .tc = "deal:5+0", .deals = 3
	};

	/* The deal has passed on: seat 2 plays first. */
	assert_go(
	    mock_open_ready(&order), "after 1000; step 36", " time=5000 inc=0");
	order.tc = "match:5+0";
	assert_go(
	    mock_open_ready(&order), "after 1000; step 36", " time=4000 inc=0");
}

TEST(test_question_that_the_bot_does_not_read_has_its_own_reason)
{
	for (int sent = 0; sent < 2; sent++) {
		struct mock_match *match = mock_open_ready(&two);

		match->referee.seats[0].sent = false;
		referee_blocked(&match->referee, 0, match->now_ns);
		/* If the question is in the pipe, the bot is only slow. */
		if (sent)
			referee_sent(&match->referee, 0, match->now_ns, 0);
		mock_run(match, "after 1000.000001; over");
		mock_assert_has(match->record.bytes,
		    sent ? "offence 1 kind=timeout reason=TIMEOUT *"
			 : "offence 1 kind=timeout reason=UNREAD *");
	}
}

/* A bot could make room for the question late, and think before. */
TEST(test_time_runs_while_the_pipe_has_no_room_for_the_question)
{
	struct mock_match *match = mock_open_ready(&two);

	match->referee.seats[0].sent = false;
	referee_blocked(&match->referee, 0, match->now_ns);
	mock_run(match, "skip; wait 800; open");
	referee_sent(&match->referee, 0, match->now_ns, 0);
	mock_run(match, "wait 199.999999; open; wait 0.000001; over");
	mock_assert_has(
	    match->record.bytes, "offence 1 kind=timeout reason=TIMEOUT *");
}

/* The referee has met no deadline in between: the time of the line decides. */
SCENARIO(test_answer_at_the_deadline_counts_and_one_after_it_is_late, &two,
    "all ready; after 1000; turn 2; after 1000.000001; over;"
    "record lacks offence 1 *; record has offence 2 kind=timeout *;"
    "record counts 1 play*")

TEST(test_answer_within_the_margin_counts)
{
	struct mock_order order = two;

	order.margin_ns = 50 * MOCK_MS;
	mock_play(&order,
	    "all ready; after 1050; turn 2; after 1050.000001; over;"
	    "record has offence 2 kind=timeout *");
	/* The rest of a bank is never negative. */
	order.tc = "match:1+0.1";
	assert_go(
	    mock_open_ready(&order), "after 1030; step", " time=100 inc=100");
}

TEST(test_deadline_counts_from_the_last_byte_of_the_question)
{
	struct mock_match *match = mock_open(&two);

	match->write_ns = 400 * MOCK_MS;
	mock_run(match, "all ready; deadline 1400; after 1400; turn 2; open");
}

SCENARIO(test_silence_loses_at_the_deadline_and_not_before, &two,
    "all ready; skip; wait 999.999999; open; wait 0.000001; over; 1 is spared;"
    "record has offence 1 kind=timeout reason=TIMEOUT policy=forfeit "
    "t=1.000000; record verbs offence abort endmatch;"
    "1 verbs isready abort endmatch;"
    "2 has endmatch m1 scores=A:0,B:22 winner=B you=win *")

SCENARIO(test_other_lines_do_not_move_the_deadline, &two,
    "all ready; wait 100; 1: info value=1; deadline 900; wait 100; 1: # wait;"
    "deadline 800; 1:; deadline 800; 1: nonsense; deadline 800;"
    "1: error unknown # hm; deadline 800; 1: readyok; deadline 800;"
    "1: move 7D turn=0000000000000000; deadline 800; wait 800; over;"
    "record has offence 1 kind=timeout *")

TEST(test_arena_moves_for_a_late_bot_and_sends_it_isready)
{
	struct mock_match *match = mock_open_ready(&three);
	char steps[256];

	snprintf(steps, sizeof(steps),
	    "skip; wait 1000; 1 verbs isready play; turn 2;"
	    "record has play 1 %s by=arena cause=timeout;"
	    "2 has play 1 %s by=arena cause=timeout",
	    mock_move(match, 0), mock_move(match, 0));
	mock_run(match, steps);
}

TEST(test_late_answer_does_not_count_in_the_next_turn)
{
	struct mock_match *match = mock_open_ready(&three);
	char late[128];

	snprintf(late, sizeof(late), "move %s turn=%s", mock_move(match, 0),
	    mock_turn_id(match, 0));
	mock_run(match, "wait 1000");
	mock_say(match, 0, late);
	/* It is its turn again, and `readyok` is still missing. */
	mock_run(match, "1: info value=9; step 2; turn 0");
	mock_say(match, 0, late);
	mock_run(match,
	    "1: move %M; 1: nonsense; turn 0; skip; 1: readyok; turn 1;"
	    "1 lacks error*; record lacks offence 1 kind=illegal *;"
	    "record lacks info*; step; 1 strikes 1");
	/* The answer is late, and is not counted as one with a wrong id. */
	assert_int_equal(match->referee.seats[0].session.wrong_turn_count, 0);
}

SCENARIO(test_clock_of_a_late_bot_starts_when_it_is_ready, &three,
    "all ready; wait 1000; step 2; wait 3000; 1: readyok; deadline 1000;"
    "after 1000; record counts 1 offence 1 kind=timeout *")

SCENARIO(test_late_bot_that_is_ready_before_its_turn_plays_on, &three,
    "all ready; wait 1000; 1: readyok; turn 2; step 2; turn 1; finish;"
    "record has endmatch m1 *")

SCENARIO(test_bot_that_hangs_is_killed_and_has_crashed, &three,
    "all ready; wait 1000; step 2; wait 4999.999999; 1 is spared; turn 0;"
    "wait 0.000001; 1 is killed; turn 2; record has offence 1 kind=crash "
    "reason=HANG policy=substitute strikes=2")

TEST(test_bot_that_hangs_between_its_turns_has_crashed_at_its_next_turn)
{
	struct mock_order order = three;

	/* Without a time limit no bot is late. */
	order.tc = "none";
	mock_play(&order, "all ready; wait 1000000; turn 1");
	order.tc = "move:10";
	mock_play(&order,
	    "all ready; wait 10000; turn 2; wait 5000; 1 is killed; turn 2;"
	    "record lacks offence 1 kind=crash *; step 2; turn 2;"
	    "record counts 1 offence 1 kind=crash *");
}

SCENARIO(test_slow_bot_loses_at_its_third_strike, &three,
    "all ready; wait 1000; 1: readyok; step 2; open; turn 1; wait 1000;"
    "1: readyok; step 2; open; turn 1; wait 1000; over;"
    "record counts 3 offence 1 kind=timeout *; record has offence 1 "
    "kind=timeout reason=TIMEOUT policy=forfeit strikes=3 t=1.000000")

TEST(test_empty_bank_has_reason_flag)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.tc = "match:1+0.1";
	match = mock_open_ready(&order);
	assert_go(match, "after 700; step 2", " time=400 inc=100");
	assert_go(match,
	    "wait 400; record has offence 1 kind=timeout reason=FLAG "
	    "policy=substitute strikes=1 t=0.400000; 1: readyok; step 2",
	    " time=100 inc=100");
	/* Without an increment no time is left for the next two turns. */
	order.tc = "deal:1+0";
	mock_play(&order,
	    "all ready; wait 1000; 1: readyok; step 2; wait 0; 1: readyok;"
	    "step 2; wait 0; over; offender 1; record counts 3 offence 1 "
	    "kind=timeout "
	    "*");
}

TEST(test_time_before_a_bad_line_is_subtracted_from_the_bank)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.tc = "match:10+0";
	match = mock_open_ready(&order);
	assert_go(
	    match, "wait 4000; 1 garbles \\x00; step 2", " time=6000 inc=0");
	assert_go(
	    match, "wait 1000; answer nothing; step 2", " time=5000 inc=0");
}

TEST(test_time_of_a_turn_starts_again_after_a_lag_without_a_new_question)
{
	static const char *const lags[] = { "lag 251", "lag 2000",
		"lag 2000.000001", "lag 100000000" };

	for (size_t i = 0; i < COUNTOF(lags); i++) {
		struct mock_match *match =
		    mock_play(&bank, "all ready; wait 1500; skip");

		mock_run(match, lags[i]);
		mock_run(
		    match, "turn 1; 1 gets; deadline 2000; after 500; turn 2");
		/* Only the time after the lag is subtracted from its bank. */
		assert_true(
		    match->referee.seats[0].budget.left_ns == 1500 * MOCK_MS);
		assert_true(match->referee.seats[0].think_ns == 500 * MOCK_MS);
	}
}

/* They may have been on their way when its time was up. */
TEST(test_lines_of_a_late_turn_are_no_flood)
{
	struct mock_match *match =
	    mock_play(&bank, "all ready; after 2000.000001");

	mock_run(match, "1: info depth=1; wanted; 1: move %M; wanted");
	mock_run(match, "1: nonsense");
	assert_false(match->referee.line_expected);
}

TEST(test_no_time_runs_for_a_postponed_question)
{
	struct mock_match *match = mock_open_ready(&bank);

	match->referee.seats[0].sent = false;
	referee_postpone_go(&match->referee, 0);
	/* After a lag there is no turn to start again. */
	mock_run(match,
	    "deadline never; wait 5000; lag 300; deadline never;"
	    "record lacks void*");
	referee_sent(&match->referee, 0, match->now_ns, 0);
	mock_run(match, "deadline 2000; after 500; turn 2");
	assert_true(match->referee.seats[0].budget.left_ns == 1500 * MOCK_MS);
}

/* It has the question, and may answer before its clock starts. */
TEST(test_clock_that_starts_after_the_question_only_adds_time)
{
	struct mock_match *match = mock_open_ready(&bank);

	match->referee.seats[0].sent = false;
	referee_sent(&match->referee, 0, match->now_ns, 3 * MOCK_MS);
	mock_run(match, "deadline 2003; 1: move %M; turn 2");
	assert_true(match->referee.seats[0].budget.left_ns == 2000 * MOCK_MS);
	assert_true(match->referee.seats[0].think_ns == 0);
}

TEST(test_bot_that_waited_for_a_core_has_the_rest_of_its_time)
{
	static const struct {
		int64_t late_us,
		    hindered_us; /* after its deadline; by other processes */
		int64_t rest_us; /* new time until its deadline; 0: none */
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
		assert_int_equal(referee_give_back_time(&match->referee, 0,
				     cases[i].hindered_us * 1000, now_ns),
		    cases[i].rest_us > 0);
		match->now_ns = now_ns;
		if (cases[i].rest_us > 0)
			assert_int_equal(referee_deadline_ns(&match->referee),
			    now_ns + cases[i].rest_us * 1000);
		mock_close(match);
	}
}

SCENARIO(test_void_turns_are_recorded, &bank,
    "all ready; skip; lag 1500; record is void 1 lag=1.500000;"
    "lag 300.000007; record is void 1 lag=0.300000; step; skip;"
    "lag 7000; record is void 2 lag=7.000000; 1 gets; 2 gets;"
    "finish; record lacks offence*")

static void
put_input(
    struct mock_match *match, enum referee_input_kind kind, int seat, int by)
{
	const struct referee_input input = {
		.kind = kind,
		.seat = seat,
		.by = by,
		.now_ns = match->now_ns,
	};

	referee_step(&match->referee, &input, &match->outbox);
}

TEST(test_turn_in_which_another_bot_computed_starts_again)
{
	struct mock_match *match = mock_open_ready(&bank);

	match->now_ns = referee_deadline_ns(&match->referee) + MOCK_MS;
	put_input(match, REFEREE_VOID, 0, 1);
	mock_run(match,
	    "deadline 2000; step; record counts 1 void 1 *;"
	    "record has void 1 lag=0.000000 by=2");
}

TEST(test_bot_that_computes_between_its_turns_loses)
{
	struct mock_match *match = mock_open_ready(&bank);

	put_input(match, REFEREE_PONDER, 1, 0);
	/* The turn of the other bot continues. */
	mock_run(match, "2 is killed; open; step; over; offender 2");
	assert_string_equal(match->referee.offence_reason, "PONDER");
}

/*
 * The answer was read before the lag was reported; the question was sent after
 * it.
 */
SCENARIO(test_turn_that_began_after_the_lag_is_not_void, &bank,
    "all ready; wait 1000; step; deadline 2000; skip; lag 0; deadline 2000;"
    "record is")

SCENARIO(test_silence_after_a_lag_still_loses, &bank,
    "all ready; lag 9000; wait 1999.999999; open; wait 0.000001; over;"
    "record has offence 1 kind=timeout reason=FLAG policy=forfeit t=2.000000")

/* The lag is recorded as soon as the game has begun. */
SCENARIO(test_time_to_start_begins_again_after_a_lag, &bank,
    "1 starts; 2 is ready; wait 9999.999999; lag 5000; deadline 10000;"
    "wait 9999.999999; 1: id name=slow; 1: uspok 1; 1: readyok; turn 1;"
    "record counts 1 void*; record has void 1 lag=5.000000")

SCENARIO(test_time_to_hang_starts_again_after_a_lag, &three,
    "all ready; wait 1000; step 2; turn 0; wait 4999.999999; skip; lag 5000;"
    "record is void 1 lag=5.000000; wait 4999.999999; 1 is spared;"
    "1: readyok; turn 1")

SCENARIO(test_lag_between_games_is_not_reported, &bank,
    "all ready; finish; skip; lag 9000; record is")

TEST(test_wrong_move_is_refused_with_its_reason_under_each_policy)
{
	for (int i = 0; i < POLICY_COUNT; i++) {
		enum verdict_policy policy = (enum verdict_policy)i;
		bool goes_on = policy == POLICY_SUBSTITUTE;
		struct mock_order order = { .spec = "scopa",
			.pack = "2C5SKDKC 7D3CAD",
			.policy = policy };
		struct mock_match *match = mock_open_ready(&order);
		char line[256], play[256];

		snprintf(play, sizeof(play), "play 1 %s*", mock_move(match, 0));
		mock_skip(match);
		mock_answer(match, "7Dx2C");
		snprintf(line, sizeof(line),
		    "illegal 7Dx2C reason=bad-sum policy=%s%s",
		    policy_name(policy), goes_on ? " strikes=1 # *" : " # *");
		mock_assert_has(mock_sent(match, 0), line);
		snprintf(line, sizeof(line),
		    "offence 1 kind=illegal reason=bad-sum policy=%s%s "
		    "t=0.000000 "
		    "said=move*",
		    policy_name(policy), goes_on ? " strikes=1" : "");
		mock_assert_has(match->record.bytes, line);
		assert_int_equal(mock_over(match), !goes_on);
		assert_int_equal(mock_has(match->record.bytes, play), goes_on);
		assert_int_equal(goes_on,
		    strstr(match->record.bytes, " by=arena cause=illegal\n") !=
			NULL);
		assert_null(strstr(mock_sent(match, 1), "bad-sum"));
		mock_close(match);
	}
}

TEST(test_move_line_without_a_readable_move_is_an_illegal_move)
{
	static const char *const rows[][2] = {
		{ "move", "-" },
		{ "move # 7D", "-" },
		{ "move \t ", "-" },
		{ "move ???", "???" },
		{ "move %37D", "%37D" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		char steps[128];

		snprintf(steps, sizeof(steps),
		    "all ready; 1: %s; 1 has illegal %s reason=syntax *; over",
		    rows[i][0], rows[i][1]);
		mock_play(&two, steps);
	}
}

TEST(test_long_wrong_move_is_cut_for_the_bot_and_in_the_record)
{
	struct mock_match *match = mock_open_ready(&three);
	char move[4000], sent[128];
	const char *said;

	memset(move, '7', sizeof(move));
	memcpy(move, "move ", 5);
	move[sizeof(move) - 1] = '\0';
	mock_say(match, 0, move);
	snprintf(sent, sizeof(sent), "illegal %.64s reason=syntax *", move + 5);
	mock_assert_has(mock_sent(match, 0), sent);
	said = strstr(match->record.bytes, " said=move%207");
	assert_non_null(said);
	assert_true(strcspn(said, "\n") < 300);
}

/* The text without all occurrences of these words. */
static char *
without(const char *text, const char *words)
{
	char *copy = strdup(text), *at;

	assert_non_null(copy);
	while ((at = strstr(copy, words)))
		memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
	return copy;
}

TEST(test_other_seats_see_of_an_offence_only_that_the_arena_played)
{
	struct mock_match *honest = mock_open_ready(&three);
	struct mock_match *guilty = mock_open_ready(&three);

	mock_answer(honest, mock_move(honest, 0));
	mock_answer(guilty, "KDxKC");
	mock_steps(honest, 5);
	mock_steps(guilty, 5);
	for (int seat = 1; seat < 3; seat++) {
		char *sent = without(
		    guilty->seats[seat].sent.bytes, " by=arena cause=illegal");

		assert_string_equal(sent, honest->seats[seat].sent.bytes);
		assert_int_equal(guilty->seats[seat].write_count,
		    honest->seats[seat].write_count);
		free(sent);
	}
}

/* The strike of another seat does not count. */
SCENARIO(test_third_strike_of_a_seat_loses_with_offences_of_any_kind, &three,
    "all ready; answer hello; 1 strikes 1; answer hello; 2 strikes 1; step;"
    "1 garbles \\x00; open; step 2; 1 exits CRASH(9); over; offender 1;"
    "record has offence 1 kind=crash reason=CRASH(9) policy=forfeit strikes=3")

/* Faults of seat 1, and their offences in the record. */
static const struct {
	const char *fault, *kind, *reason;
	bool stays;  /* the process continues */
	bool killed; /* the match must kill the process */
} faults[] = {
	{ "exits EXIT(3)", "crash", "EXIT(3)", false, false },
	{ "exits EOF", "crash", "EOF", false, false },
	{ ": error fatal # no idea", "crash", "FATAL", false, true },
	{ "floods", "protocol", "FLOOD", false, true },
	{ "garbles \\xff", "protocol", "BAD_LINE", true, false },
};

enum { FAULT_COUNT = COUNTOF(faults) };

TEST(test_fault_in_its_turn_is_judged_at_once)
{
	for (int i = 0; i < FAULT_COUNT * POLICY_COUNT; i++) {
		int fault = i / POLICY_COUNT;
		struct mock_order order = three;
		struct mock_match *match;
		char offence[128];

		order.policy = (enum verdict_policy)(i % POLICY_COUNT);
		match = mock_open_ready(&order);
		mock_act(match, 0, faults[fault].fault);
		snprintf(offence, sizeof(offence),
		    "offence 1 kind=%s reason=%s policy=%s*",
		    faults[fault].kind, faults[fault].reason,
		    policy_name(order.policy));
		mock_assert_has(match->record.bytes, offence);
		mock_run(match,
		    order.policy == POLICY_SUBSTITUTE ? "open; turn 2"
						      : "over; turn 0");
		assert_int_equal(match->referee.seats[0].session.phase,
		    faults[fault].stays ? SESSION_IDLE : SESSION_GONE);
		assert_int_equal(
		    match->referee.seats[0].kill, faults[fault].killed);
		mock_close(match);
	}
}

TEST(test_fault_out_of_turn_is_judged_at_the_next_turn)
{
	for (int fault = 0; fault < FAULT_COUNT; fault++) {
		struct mock_match *match = mock_play(&three, "all ready; skip");

		mock_act(match, 1, faults[fault].fault);
		mock_run(match, "record is; 1 gets; turn 1; step");
		mock_run(match,
		    faults[fault].stays
			? "turn 2; record lacks offence 2 *; 2 strikes 0"
			: "turn 3; record counts 1 offence 2 *; 2 strikes 1");
	}
}

SCENARIO(test_bytes_out_of_turn_are_only_reported, &two,
    "all ready; 2 garbles \\x00; step; 2 has error toolong # *; finish;"
    "record lacks offence*")

TEST(test_nothing_is_sent_to_or_read_from_a_removed_bot)
{
	struct mock_order order = three;

	order.strikes_max = 10;
	for (int fault = 0; fault < FAULT_COUNT; fault++) {
		struct mock_match *match = mock_open_ready(&order);

		mock_act(match, 0, faults[fault].fault);
		if (faults[fault].stays)
			continue;
		mock_run(match,
		    "step 2; skip; 1: %M; 1: nonsense; 1 garbles x; 1 floods;"
		    "1 exits EXIT(0); record is; step 4; 1 gets");
		assert_int_equal(match->outbox.seats[0].length, 0);
		assert_int_equal(
		    match->referee.seats[0].session.error_count, 0);
	}
}

TEST(test_game_of_dead_bots_is_played_to_its_end)
{
	struct mock_order order = three;
	struct mock_match *match;

	order.strikes_max = 1000;
	order.deals = 3;
	match = mock_play(&order,
	    "all ready; 3 exits EXIT(1); 2 exits EXIT(1); 1 exits EXIT(1); "
	    "over;"
	    "record has enddeal 3");
	assert_int_equal(mock_count(match->record.bytes, "play*"),
	    mock_count(match->record.bytes, "offence*"));
}

TEST_EACH(NULL, mock_close_all)
