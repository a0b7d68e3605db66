/*
 * A match as the referee sees it: the handshake, the head of a match, decisions and
 * answers, and games from end to end.
 */
#include "referee.h"

#include <stdio.h>
#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

static const struct mock_order scopa = { .spec = "scopa", .seed = 1 };

TEST(test_bot_is_spoken_to_first_and_hears_one_thing_at_a_time)
{
	struct mock_match *match = mock_open(&scopa);

	mock_start(match, 0);
	assert_string_equal(mock_heard(match, 0), "usp 1 arena=arena/1\n");
	mock_say(match, 0, "id name=x");
	mock_say(match, 0, "option name=depth type=int");
	mock_say(match, 0, "feature stop=1");
	assert_string_equal(mock_heard(match, 0), "");
	mock_say(match, 0, "uspok 1");
	assert_string_equal(mock_heard(match, 0), "isready\n");
	mock_say(match, 0, "readyok");
	assert_string_equal(mock_heard(match, 0), "");
	assert_string_equal(mock_recorded(match), "");
}

TEST(test_match_begins_when_the_last_bot_is_ready)
{
	struct mock_match *match = mock_open(&scopa);

	mock_start(match, 0);
	mock_start_ready(match, 1);
	assert_int_equal(mock_turn(match), -1);
	assert_string_equal(
	    mock_heard(match, 1), "usp 1 arena=arena/1\nisready\n");
	mock_say(match, 0, "id name=x");
	mock_say(match, 0, "uspok 1");
	assert_string_equal(mock_recorded(match), "");
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
	assert_string_equal(mock_verbs(mock_heard(match, 0)),
	    "usp isready match rules seat deal table give state legal go");
	assert_string_equal(mock_verbs(mock_recorded(match)),
	    "match rules seat pack deal table give");
	/* The other one hears of it with its own question. */
	assert_string_equal(mock_heard(match, 1), "");
	mock_step(match);
	assert_string_equal(mock_verbs(mock_heard(match, 1)),
	    "match rules seat deal table give play state legal go");
}

TEST(test_each_line_of_a_head_has_its_keys)
{
	struct mock_order order = {
		.spec = "scopa", .pack = "AS7DJS5D AB3CKS JD5B5C", .deals = 2
	};
	struct mock_match *match = mock_open_ready(&order);
	const char *heard;
	char go[64];

	mock_answer(match, "ABxAS");
	mock_skip(match);
	mock_answer(match, "5Cx5D");
	heard = mock_heard(match, 0);
	snprintf(
	    go, sizeof(go), "go turn=%s move=10000", mock_turn_id(match, 0));
	mock_assert_has(heard, go);
	mock_assert_has(heard, "play 1 ABxAS");
	mock_assert_has(heard, "play 2 5Cx5D");
	mock_assert_has(heard, "legal 3C KS");
	mock_assert_has(heard,
	    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=3CKS "
	    "deal=1 dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 "
	    "pile=A:ASAB,B:5D5C scopas=A:0,B:0 scores=A:0,B:0 last=2 shown=- "
	    "plays=1:ABxAS/2:5Cx5D");
	heard = match->seats[0].heard.bytes;
	mock_assert_has(heard,
	    "match m1 rules=scopa seats=2 teams=AB you=1 target=11 deals=2 "
	    "pack=it40 tc=move:10000 seed=00000000000000a0");
	mock_assert_has(heard, "seat 1 team=A name=bot1");
	mock_assert_has(heard, "seat 2 team=B name=bot2");
	mock_assert_has(heard, "deal 1 dealer=2 first=1 scores=A:0,B:0");
	mock_assert_has(heard, "table AS5D7DJS");
	mock_assert_has(heard, "give 1 AB3CKS");
	mock_assert_has(heard, "give 2 ??????");
}

TEST(test_lines_at_the_wrong_time_are_unexpected)
{
	static const char *const early[] = { "readyok", "move 7D", "info a=1" };
	static const char *const late[] = { "id name=y", "uspok 1", "readyok",
		"option name=x type=int", "feature legal=0" };
	struct mock_match *match = mock_open(&scopa);

	mock_start(match, 0);
	mock_skip(match);
	for (size_t i = 0; i < COUNTOF(early); i++) {
		mock_say(match, 0, early[i]);
		mock_assert_has(mock_heard(match, 0), "error unexpected # *");
		assert_false(match->referee.wanted);
	}
	mock_say(match, 0, "id name=x");
	mock_say(match, 0, "uspok 1");
	mock_say(match, 0, "readyok");
	mock_start_ready(match, 1);
	mock_skip(match);
	for (size_t i = 0; i < COUNTOF(late); i++) {
		/* It thinks; what it hears then waits for its next turn. */
		mock_say(match, 0, late[i]);
		assert_string_equal(mock_heard(match, 0), "");
		assert_false(match->referee.wanted);
	}
	mock_steps(match, 2);
	assert_int_equal(
	    mock_count(mock_heard(match, 0), "error unexpected # *"), 5);
	assert_true(match->referee.seats[0].session.features.legal);
}

TEST(test_nobody_else_may_move_or_comment)
{
	struct mock_match *match = mock_open_ready(&scopa);
	const char *record;

	mock_skip(match);
	mock_say(match, 1, mock_move(match, 0));
	mock_say(match, 1, "move 7D");
	mock_say(match, 1, "info value=1");
	mock_say(match, 1, "readyok");
	assert_int_equal(mock_turn(match), 0);
	assert_string_equal(mock_recorded(match), "");
	mock_step(match);
	record = mock_recorded(match);
	mock_assert_lacks(record, "info*");
	assert_int_equal(
	    mock_count(mock_heard(match, 1), "error unexpected # *"), 3);
}

TEST(test_unknown_verbs_are_reported_and_skipped)
{
	static const char *const lines[] = { "ponder", "MOVE 7D", "play 1 7D",
		"go turn=1", "usp 1", "quit", "x-mine a=b", "move7D" };
	struct mock_match *match = mock_open_ready(&scopa);
	const char *heard;

	mock_skip(match);
	for (size_t i = 0; i < COUNTOF(lines); i++)
		mock_say(match, 0, lines[i]);
	assert_int_equal(mock_turn(match), 0);
	mock_steps(match, 2);
	heard = mock_heard(match, 0);
	mock_assert_has(
	    heard, "error unknown # no message of a bot is \"ponder\"");
	mock_assert_has(
	    heard, "error unknown # no message of a bot is \"MOVE\"");
	assert_int_equal(mock_count(heard, "error unknown # *"), 8);
}

TEST(test_unknown_keys_are_reported_and_the_line_counts)
{
	struct mock_match *match = mock_open(&scopa);
	char line[128];
	const char *heard;

	mock_start(match, 0);
	mock_skip(match);
	mock_say(match, 0, "id name=x colour=red author=me url=z");
	assert_string_equal(
	    mock_heard(match, 0), "error unknown # skipped \"colour=red\"\n");
	assert_string_equal(match->referee.seats[0].session.name, "x");
	mock_say(match, 0, "uspok 1 now");
	assert_string_equal(
	    mock_heard(match, 0), "error unknown # skipped \"now\"\nisready\n");
	mock_say(match, 0, "readyok # done");
	mock_start_ready(match, 1);
	mock_skip(match);
	snprintf(line, sizeof(line), "move %s sure=1 turn=%s",
	    mock_move(match, 0), mock_turn_id(match, 0));
	mock_say(match, 0, line);
	assert_true(match->referee.wanted);
	assert_int_equal(mock_turn(match), 1);
	mock_say(match, 1, "info depth=1 anything=2");
	mock_step(match);
	heard = mock_heard(match, 0);
	mock_assert_has(heard, "error unknown # skipped \"sure=1\"");
	mock_steps(match, 1);
	mock_assert_lacks(mock_heard(match, 1), "error*");
}

/* No bot can let the record of a game grow as it likes. */
TEST(test_info_of_a_seat_has_a_limit_in_a_game)
{
	static char line[2000];
	struct mock_order order = scopa;
	struct mock_match *match;
	int64_t said = 0, kept = 0;

	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "info m.a=", 9);
	order.deals = 60;
	match = mock_open_ready(&order);
	while (!mock_over(match)) {
		int seat = mock_turn(match);

		for (int i = 0; i < 4 && seat == 0; i++) {
			mock_say(match, seat, line);
			assert_true(match->referee.wanted);
			said += (int64_t)sizeof(line);
		}
		if (seat == 1)
			mock_say(match, seat, "info depth=1");
		mock_step(match);
	}
	for (const char *at = match->record.bytes;
	     (at = strstr(at, "\ninfo 1 ")) != NULL; at++)
		kept += (int64_t)strcspn(at + 1, "\n");
	assert_true(said > REFEREE_INFO_GAME_MAX * 5 / 4);
	assert_in_range(
	    kept, REFEREE_INFO_GAME_MAX - 16384, REFEREE_INFO_GAME_MAX);
	/* The other one has its own. */
	assert_int_equal(
	    mock_count(match->record.bytes, "info 2 depth=1"), 60 * 18);
}

TEST(test_a_hundred_errors_are_sent_to_a_process_and_then_none)
{
	struct mock_match *match = mock_open_ready(&scopa);

	mock_skip(match);
	for (int i = 0; i < 250; i++) {
		char line[32];

		snprintf(line, sizeof(line), "verb%d", i);
		mock_say(match, 0, line);
	}
	mock_steps(match, 2);
	assert_int_equal(
	    mock_count(mock_heard(match, 0), "error unknown # *"), 100);
	assert_int_equal(match->referee.seats[0].session.error_count, 250);
	mock_finish(match);
	mock_reseat(match, NULL);
	mock_say(match, 0, "another");
	mock_assert_lacks(mock_heard(match, 0), "error*");
}

TEST(test_only_accepted_lines_are_wanted)
{
	static const struct {
		const char *line;
		bool wanted;
	} rows[] = {
		{ "id name=x", true },
		{ "id name=y", false },
		{ "option name=a type=int", true },
		{ "option name=a type=int", false },
		{ "option", false },
		{ "feature legal=1", true },
		{ "feature legal=1", false },
		{ "error option # what is this", false },
		{ "uspok 1", true },
		{ "readyok", true },
	};
	struct mock_match *match = mock_open(&scopa);

	mock_start(match, 0);
	for (size_t i = 0; i < COUNTOF(rows); i++) {
		mock_say(match, 0, rows[i].line);
		if (match->referee.wanted != rows[i].wanted)
			fail_msg("\"%s\"", rows[i].line);
	}
}

TEST(test_feature_leaves_out_what_a_bot_does_not_want)
{
	static const struct {
		const char *feature, *verbs;
	} rows[] = {
		{ "feature events=0", "state legal go" },
		{ "feature state=0", "play legal go" },
		{ "feature legal=0", "play state go" },
		{ "feature events=0 state=0 legal=0", "go" },
		{ "feature stop=1 position=1", "play state legal go" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct mock_order order = {
			.spec = "scopone", .seed = i, .feature = rows[i].feature
		};
		struct mock_match *match = mock_open_ready(&order);

		mock_steps(match, 4);
		mock_skip(match);
		mock_steps(match, 4);
		for (int seat = 0; seat < 4; seat++)
			assert_string_equal(
			    mock_verbs(mock_heard(match, seat)), rows[i].verbs);
		mock_close(match);
	}
}

TEST(test_declarations_are_left_out_for_a_bot_that_makes_none)
{
	struct mock_order order = { .spec = "cirulla,declare=ask",
		.pack = "2D6C7S5B ADACAS" };
	struct mock_match *match = mock_open_ready(&order);
	const char *legal;

	legal = strstr(mock_heard(match, 0), "legal ");
	assert_non_null(strstr(legal, " !three\n"));
	mock_close(match);
	order.feature = "feature declare=0";
	match = mock_open_ready(&order);
	legal = strstr(mock_heard(match, 0), "legal ");
	assert_non_null(legal);
	assert_null(strchr(legal, '!'));
}

TEST(test_observer_hears_events_at_once_and_others_with_their_question)
{
	struct mock_order order = { .spec = "scopa,players=3", .seed = 4 };
	struct mock_match *match = mock_open(&order);

	mock_start_ready(match, 0);
	mock_start_ready(match, 1);
	mock_start(match, 2);
	mock_say(match, 2, "id name=x");
	mock_say(match, 2, "feature observe=1");
	mock_say(match, 2, "uspok 1");
	mock_say(match, 2, "readyok");
	mock_assert_has(mock_heard(match, 2), "match*");
	mock_skip(match);
	mock_step(match);
	assert_string_equal(mock_verbs(mock_heard(match, 2)), "play");
	assert_string_equal(mock_heard(match, 0), "");
	mock_step(match);
	assert_string_equal(
	    mock_verbs(mock_heard(match, 2)), "play state legal go");
	mock_step(match);
	assert_string_equal(mock_verbs(mock_heard(match, 2)), "play");
	assert_int_equal(mock_count(mock_heard(match, 0), "play*"), 3);
}

TEST(test_wanted_options_reach_their_bot_alone)
{
	static const char *const options[] = { "depth=6", NULL };
	struct mock_order order = { .spec = "scopa", .options = options };
	struct mock_match *match = mock_open(&order);

	for (int seat = 0; seat < 2; seat++) {
		mock_start(match, seat);
		mock_say(match, seat, "id name=x");
		mock_say(match, seat, "option name=depth type=int");
		mock_say(match, seat, "uspok 1");
	}
	mock_assert_has(mock_heard(match, 0), "setoption depth=6");
	mock_assert_lacks(mock_heard(match, 1), "setoption*");
}

static const struct mock_order two = { .spec = "scopa", .tc = "move:1" };

TEST(test_bot_that_is_not_ready_in_time_loses_before_any_card)
{
	struct mock_match *match = mock_open(&two);

	mock_start_ready(match, 1);
	mock_start(match, 0);
	mock_say(match, 0, "id name=x");
	mock_wait(match, MOCK_STARTUP_NS - 2);
	/* What it says on the way gives it no more time. */
	mock_say(match, 0, "uspok 1");
	mock_wait(match, 1);
	assert_false(mock_over(match));
	mock_wait(match, 1);
	assert_true(mock_over(match));
	assert_true(match->referee.seats[0].kill);
	assert_int_equal(match->referee.offender, 0);
	assert_int_equal(match->referee.offence, OFFENCE_STARTUP);
	assert_string_equal(mock_verbs(match->record.bytes),
	    "match rules seat offence abort endmatch");
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=startup reason=HS_TIMEOUT policy=forfeit");
	mock_assert_has(match->record.bytes, "abort match reason=forfeit");
	mock_assert_has(mock_heard(match, 1), "endmatch m1 *");
}

TEST(test_bot_that_is_ready_at_the_last_moment_plays)
{
	struct mock_match *match = mock_open(&two);

	mock_start_ready(match, 1);
	mock_start(match, 0);
	mock_say(match, 0, "id name=x");
	mock_say(match, 0, "uspok 1");
	mock_wait(match, MOCK_STARTUP_NS - 1);
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
	assert_true(referee_deadline_ns(&match->referee) ==
	    match->now_ns + 1000 * MOCK_MS);
}

TEST(test_each_process_has_its_own_time_to_start)
{
	struct mock_match *match = mock_open(&two);

	mock_start(match, 0);
	mock_wait(match, 7000 * MOCK_MS);
	mock_start(match, 1);
	assert_true(referee_deadline_ns(&match->referee) ==
	    match->now_ns + 3000 * MOCK_MS);
	mock_say(match, 0, "id name=x");
	mock_say(match, 0, "uspok 1");
	mock_say(match, 0, "readyok");
	assert_true(referee_deadline_ns(&match->referee) ==
	    match->now_ns + MOCK_STARTUP_NS);
}

TEST(test_session_that_was_refused_has_no_deadline)
{
	static const char *const lines[] = { "uspok 2", "error fatal",
		"uspok 1" };

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		struct mock_match *match = mock_open(&two);

		mock_start(match, 0);
		/* The last one lacks its `id`. */
		if (i < 2)
			mock_say(match, 0, "id name=x");
		mock_say(match, 0, lines[i]);
		assert_int_equal(
		    match->referee.seats[0].session.phase, SESSION_GONE);
		assert_true(
		    referee_deadline_ns(&match->referee) == BUDGET_NEVER);
		mock_wait(match, 2 * MOCK_STARTUP_NS);
		mock_start_ready(match, 1);
		assert_true(mock_over(match));
		mock_close(match);
	}
}

/* Seat 0 fails to start in this way; the line of its offence. */
static void
assert_start_fails(
    struct mock_match *match, const char *reason, enum verdict_policy policy)
{
	char offence[256];

	assert_int_equal(match->referee.seats[0].session.phase, SESSION_GONE);
	assert_false(mock_over(match));
	mock_start_ready(match, 1);
	assert_true(mock_over(match));
	snprintf(offence, sizeof(offence),
	    "offence 1 kind=startup reason=%s policy=%s*", reason,
	    policy_name(policy));
	mock_assert_has(match->record.bytes, offence);
	mock_assert_lacks(match->record.bytes, "pack*");
	assert_int_equal(match->referee.offender, 0);
	assert_string_equal(match->referee.offence_reason, reason);
	assert_int_equal(match->referee.game.tally.winner, 1);
	mock_assert_lacks(match->seats[0].heard.bytes, "match *");
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

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct mock_match *match = mock_open(&two);

		mock_start(match, 0);
		mock_say(match, 0, "id name=x");
		if (rows[i].exit)
			mock_exit(match, 0, rows[i].exit);
		else
			mock_say(match, 0, rows[i].line);
		assert_start_fails(match, rows[i].reason, POLICY_FORFEIT);
		mock_close(match);
	}
}

TEST(test_bytes_that_are_no_line_end_a_handshake)
{
	struct mock_match *match = mock_open(&two);

	mock_start(match, 0);
	mock_flaw(match, 0, "\\x00\\xff");
	assert_true(match->referee.seats[0].kill);
	assert_start_fails(match, "HS_BAD", POLICY_FORFEIT);
	mock_assert_has(match->record.bytes,
	    "offence 1 kind=startup reason=HS_BAD policy=forfeit "
	    "said=\\x00\\xff");
	mock_close(match);
	match = mock_open(&two);
	mock_start(match, 0);
	mock_flood(match, 0);
	assert_true(match->referee.seats[0].kill);
	assert_start_fails(match, "HS_BAD", POLICY_FORFEIT);
}

TEST(test_error_line_that_is_not_fatal_does_no_harm)
{
	struct mock_match *match = mock_open(&two);

	mock_start(match, 0);
	mock_say(match, 0, "id name=x");
	mock_say(match, 0, "error unknown # what is arena=");
	mock_say(match, 0, "error");
	mock_say(match, 0, "error # fatal");
	mock_say(match, 0, "uspok 1");
	mock_say(match, 0, "error option # depth must be 1..9");
	mock_say(match, 0, "readyok");
	assert_int_equal(match->referee.seats[0].session.phase, SESSION_IDLE);
	/* And it is never answered. */
	mock_assert_lacks(mock_heard(match, 0), "error*");
}

TEST(test_no_policy_moves_for_who_never_got_ready)
{
	for (int i = 0; i < POLICY_COUNT; i++) {
		struct mock_order order = two;
		struct mock_match *match;

		(void)state;
		order.policy = (enum verdict_policy)i;
		match = mock_open(&order);
		mock_start(match, 0);
		mock_exit(match, 0, "EXIT(0)");
		assert_start_fails(match, "HS_EXIT(0)", order.policy);
		mock_close(match);
	}
}

TEST(test_of_two_that_fail_to_start_the_first_seat_is_to_blame)
{
	struct mock_match *match = mock_open(&two);

	mock_start(match, 1);
	mock_start(match, 0);
	mock_exit(match, 1, "EXIT(1)");
	mock_exit(match, 0, "EXIT(2)");
	assert_true(mock_over(match));
	assert_int_equal(mock_count(match->record.bytes, "offence *"), 1);
	assert_int_equal(match->referee.offender, 0);
}

TEST(test_bot_that_ends_while_others_start_has_lost_the_game)
{
	struct mock_match *match = mock_open(&two);

	mock_start_ready(match, 0);
	mock_start(match, 1);
	mock_exit(match, 0, "EXIT(0)");
	assert_false(mock_over(match));
	mock_say(match, 1, "id name=x");
	mock_say(match, 1, "uspok 1");
	mock_say(match, 1, "readyok");
	assert_true(mock_over(match));
	assert_int_equal(match->referee.offender, 0);
	assert_int_equal(match->referee.game.tally.winner, 1);
}

/* Seat 0 says its first legal move with this behind it. */
static void
say_move(struct mock_match *match, const char *rest)
{
	char line[1024];

	snprintf(line, sizeof(line), "move %s%s", mock_move(match, 0), rest);
	mock_say(match, 0, line);
}

TEST(test_answer_counts_with_the_id_of_its_question_and_without_any)
{
	struct mock_match *match = mock_open_ready(&scopa);

	mock_answer(match, mock_move(match, 0));
	assert_int_equal(mock_turn(match), 1);
	mock_step(match);
	say_move(match, "");
	assert_int_equal(mock_turn(match), 1);
	mock_step(match);
	say_move(match, " # no id");
	assert_int_equal(mock_turn(match), 1);
	assert_int_equal(match->referee.seats[0].session.stale_count, 0);
}

TEST(test_answer_that_is_older_than_the_question_is_dropped)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char line[96];
	struct referee_input event = { .kind = REFEREE_LINE, .line = line };

	snprintf(line, sizeof(line), "move %s", mock_move(match, 0));
	event.length = strlen(line);
	event.now_ns = match->now_ns;
	event.read_ns = match->referee.seats[0].asked_ns - 1;
	referee_step(&match->referee, &event, &match->outbox);
	assert_int_equal(mock_turn(match), 0);
	assert_int_equal(match->referee.seats[0].unasked_count, 1);
	event.read_ns++;
	referee_step(&match->referee, &event, &match->outbox);
	assert_int_equal(match->referee.seats[0].session.phase, SESSION_IDLE);
	assert_int_equal(match->referee.seats[0].strikes, 0);
}

TEST(test_other_ids_are_dropped_counted_and_reported)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char first[64], other[64], upper[64], ids[8][100];

	snprintf(first, sizeof(first), "%s", mock_turn_id(match, 0));
	mock_step(match);
	snprintf(other, sizeof(other), "%s", mock_turn_id(match, 1));
	mock_step(match);
	snprintf(upper, sizeof(upper), "%s", mock_turn_id(match, 0));
	/* Whether or not it has letters, this is another id. */
	upper[0] = upper[0] == 'A' ? 'B' : 'A';
	snprintf(ids[0], sizeof(ids[0]), " turn=%s", first);
	snprintf(ids[1], sizeof(ids[1]), " turn=%s", other);
	snprintf(ids[2], sizeof(ids[2]), " turn=%s", upper);
	snprintf(ids[3], sizeof(ids[3]), " turn=");
	snprintf(ids[4], sizeof(ids[4]), " turn=%.15s", mock_turn_id(match, 0));
	snprintf(ids[5], sizeof(ids[5]), " turn=%s0", mock_turn_id(match, 0));
	snprintf(ids[6], sizeof(ids[6]), " turn=0000000000000000");
	snprintf(
	    ids[7], sizeof(ids[7]), " turn=%s turn=1", mock_turn_id(match, 0));
	mock_skip(match);
	for (int i = 0; i < 8; i++) {
		say_move(match, ids[i]);
		if (mock_turn(match) != 0)
			fail_msg("\"%s\" was taken", ids[i]);
		assert_false(match->referee.wanted);
	}
	assert_string_equal(mock_recorded(match), "");
	assert_int_equal(match->referee.seats[0].session.stale_count, 8);
	assert_int_equal(match->referee.seats[0].unasked_count, 8);
	assert_int_equal(match->referee.seats[1].unasked_count, 0);
	assert_int_equal(match->referee.seats[0].strikes, 0);
	mock_steps(match, 2);
	assert_int_equal(
	    mock_count(mock_heard(match, 0), "error unexpected # *"), 8);
}

TEST(test_second_answer_is_never_taken_for_the_next_question)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char line[256];

	snprintf(line, sizeof(line), "move %s turn=%s", mock_move(match, 0),
	    mock_turn_id(match, 0));
	mock_say(match, 0, line);
	mock_say(match, 0, line);
	assert_int_equal(mock_turn(match), 1);
	mock_step(match);
	assert_int_equal(mock_turn(match), 0);
	mock_skip(match);
	mock_say(match, 0, line);
	assert_int_equal(mock_turn(match), 0);
	assert_string_equal(mock_recorded(match), "");
	assert_int_equal(match->referee.seats[0].strikes, 0);
	mock_finish(match);
	mock_assert_lacks(match->record.bytes, "offence*");
}

TEST(test_captures_are_told_in_canonical_order)
{
	struct mock_order order = { .spec = "scopa",
		.pack = "4S3CKDKB 7D2C2S 5B5C5S" };
	struct mock_match *match = mock_open_ready(&order);

	mock_answer(match, "7Dx4S3C");
	mock_assert_has(mock_heard(match, 1), "play 1 7Dx3C4S");
	mock_assert_has(mock_recorded(match), "play 1 7Dx3C4S t=0.000000");
}

TEST(test_thinking_time_is_recorded_and_told_to_nobody)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char line[128], move[64];

	mock_skip(match);
	match->now_ns += 71234567;
	snprintf(move, sizeof(move), "%s", mock_move(match, 0));
	mock_answer(match, move);
	snprintf(line, sizeof(line), "play 1 %s*", move);
	mock_assert_has(mock_heard(match, 1), line);
	snprintf(line, sizeof(line), "play 1 %s t=0.071234", move);
	mock_assert_has(match->record.bytes, line);
	mock_step(match);
	for (int seat = 0; seat < 2; seat++)
		assert_null(strstr(match->seats[seat].heard.bytes, " t="));
	assert_true(match->referee.seats[0].think_ns == 71234567);
	assert_int_equal(match->referee.seats[0].decision_count, 1);
}

TEST(test_thinking_time_begins_when_the_question_was_handed_over)
{
	struct mock_match *match = mock_open(&scopa);

	match->write_ns = 5 * MOCK_MS;
	mock_start_ready(match, 0);
	mock_start_ready(match, 1);
	match->now_ns += 8 * MOCK_MS;
	mock_step(match);
	assert_true(match->referee.seats[0].think_ns == 3 * MOCK_MS);
	/* An answer that comes before that has taken no time. */
	mock_step(match);
	assert_true(match->referee.seats[1].think_ns == 0);
}

TEST(test_info_stands_behind_its_play_in_the_record_alone)
{
	struct mock_match *match = mock_open_ready(&scopa);
	const char *record;

	mock_skip(match);
	mock_say(match, 0, "info depth=3  m.worlds=64 # close call");
	mock_say(match, 0, "  info pv=7D,2C");
	assert_true(match->referee.wanted);
	assert_string_equal(mock_recorded(match), "");
	mock_step(match);
	record = mock_recorded(match);
	assert_string_equal(mock_verbs(record), "play info");
	mock_assert_has(record, "info 1 depth=3  m.worlds=64 # close call");
	mock_assert_has(record, "info 1 pv=7D,2C");
	mock_step(match);
	for (int seat = 0; seat < 2; seat++)
		assert_null(strstr(match->seats[seat].heard.bytes, "worlds"));
	/* It does not come again with the next move. */
	mock_assert_lacks(mock_recorded(match), "info*");
}

TEST(test_info_of_a_decision_is_kept_up_to_eight_kibibytes)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char line[1024];
	size_t size = 0;
	int kept = 0;

	snprintf(line, sizeof(line), "info value=%0900d", 0);
	for (int i = 0; i < 20; i++) {
		mock_say(match, 0, line);
		kept += match->referee.wanted;
	}
	mock_skip(match);
	mock_step(match);
	for (const char *at = mock_recorded(match); *at;) {
		size_t length = strcspn(at, "\n") + 1;

		if (strncmp(at, "info ", 5) == 0)
			size += length;
		at += length;
	}
	assert_true(size <= 8192 && size > 7000);
	assert_int_equal(kept, size / (strlen(line) + 3));
	/* The next decision has room again. */
	mock_step(match);
	mock_say(match, 0, line);
	assert_true(match->referee.wanted);
}

TEST(test_info_of_a_declaration_stands_behind_what_it_shows)
{
	struct mock_order order = { .spec = "cirulla,declare=ask",
		.pack = "2D6C7S5B ADACAS" };
	struct mock_match *match = mock_open_ready(&order);

	mock_skip(match);
	mock_say(match, 0, "info value=10");
	mock_answer(match, "!three");
	assert_string_equal(
	    mock_verbs(mock_recorded(match)), "declare show info");
	mock_assert_has(
	    match->record.bytes, "declare 1 three points=10 t=0.000000");
	/* The same seat is asked again. */
	assert_int_equal(mock_turn(match), 0);
	assert_string_equal(
	    mock_verbs(mock_heard(match, 0)), "declare show state legal go");
}

TEST(test_seat_is_written_to_once_a_decision)
{
	struct mock_order order = { .spec = "scopa,teams=ABC", .seed = 9 };
	struct mock_match *match = mock_open_ready(&order);
	int before[3];

	for (int i = 0; i < 33; i++) {
		int turn = mock_turn(match);

		for (int seat = 0; seat < 3; seat++)
			before[seat] = match->seats[seat].write_count;
		mock_step(match);
		for (int seat = 0; seat < 3; seat++)
			assert_int_equal(
			    match->seats[seat].write_count - before[seat],
			    seat == (turn + 1) % 3);
	}
}

TEST(test_end_of_a_deal_reaches_all_at_once_and_one_is_asked)
{
	struct mock_order order = { .spec = "scopone", .seed = 9 };
	struct mock_match *match = mock_open_ready(&order);

	mock_steps(match, 35);
	mock_skip(match);
	mock_step(match);
	assert_int_equal(mock_turn(match), 1);
	for (int seat = 0; seat < 4; seat++) {
		const char *heard = mock_heard(match, seat);

		mock_assert_has(heard, "enddeal 1");
		assert_int_equal(mock_count(heard, "go*"), seat == 1);
	}
}

/* A bot may talk while it thinks, and is told off for it at once. */
TEST(test_what_is_sent_behind_the_question_gives_no_more_time)
{
	static const struct mock_order order = {
		.spec = "scopa", .tc = "move:1", .feature = "feature observe=1"
	};
	struct mock_match *match = mock_open_ready(&order);
	int64_t deadline_ns;

	deadline_ns = referee_deadline_ns(&match->referee);
	mock_skip(match);
	mock_wait(match, 500 * MOCK_MS);
	mock_say(match, 0, "nonsense");
	mock_assert_has(mock_heard(match, 0), "error unknown*");
	assert_int_equal(referee_deadline_ns(&match->referee), deadline_ns);
	referee_held(&match->referee, 0, match->now_ns);
	referee_sent(&match->referee, 0, match->now_ns);
	assert_int_equal(referee_deadline_ns(&match->referee), deadline_ns);
}

/* An answer may be counted from long before it was read. */
TEST(test_question_that_is_not_read_has_its_time_from_when_it_was_written)
{
	static const struct mock_order order = { .spec = "scopa",
		.tc = "move:1" };
	struct mock_match *match = mock_open_ready(&order);

	match->referee.seats[0].sent = false;
	referee_held(&match->referee, 0, match->now_ns + 300 * MOCK_MS);
	assert_int_equal(referee_deadline_ns(&match->referee),
	    match->now_ns + 1300 * MOCK_MS);
	/* What is tried again in vain gives it no more of it. */
	referee_held(&match->referee, 0, match->now_ns + 400 * MOCK_MS);
	assert_int_equal(referee_deadline_ns(&match->referee),
	    match->now_ns + 1300 * MOCK_MS);
}

static const struct mock_order three = { .spec = "scopa,players=3",
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
		struct mock_order order = { .seed = (uint64_t)i };
		struct mock_match *match;
		char spec[64];

		snprintf(spec, sizeof(spec), "%s,teams=%s", presets[i / 7],
		    layouts[i % 7]);
		order.spec = spec;
		match = mock_open_ready(&order);
		mock_finish(match);
		mock_assert_lacks(match->record.bytes, "offence*");
		for (int seat = 0; seat < match->rules.players; seat++) {
			const char *heard = mock_heard(match, seat);

			assert_int_equal(mock_count(heard, "endmatch *"), 1);
			assert_int_equal(mock_count(heard, "match *"), 1);
			assert_int_equal(
			    mock_count(heard, "seat *"), match->rules.players);
			mock_assert_lacks(heard, "error*");
		}
		mock_close(match);
	}
}

TEST(test_next_game_begins_when_all_have_said_that_they_are_ready)
{
	struct mock_match *match = mock_open_ready(&scopa);

	mock_finish(match);
	mock_skip(match);
	mock_reseat(match, NULL);
	assert_string_equal(mock_heard(match, 0), "isready\n");
	assert_string_equal(mock_heard(match, 1), "isready\n");
	mock_say(match, 0, "readyok");
	/* A move of the old game is not one of the new. */
	mock_say(match, 0, "move 7D");
	assert_string_equal(mock_recorded(match), "");
	mock_say(match, 1, "readyok");
	assert_string_equal(mock_verbs(mock_recorded(match)),
	    "match rules seat pack deal table give");
	assert_int_equal(mock_turn(match), 0);
	mock_finish(match);
	mock_assert_lacks(match->record.bytes, "offence*");
}

TEST(test_one_that_is_not_ready_for_the_next_game_loses_it)
{
	struct mock_match *match = mock_open_ready(&scopa);

	mock_finish(match);
	mock_skip(match);
	mock_reseat(match, NULL);
	mock_say(match, 1, "readyok");
	mock_wait(match, MOCK_STARTUP_NS);
	assert_true(mock_over(match));
	assert_true(match->referee.seats[0].kill);
	mock_assert_has(mock_recorded(match),
	    "offence 1 kind=startup reason=HS_TIMEOUT policy=forfeit");
}

TEST(test_bots_take_their_sessions_to_their_new_seats)
{
	static const int turned[] = { 1, 2, 0 };
	struct mock_match *match = mock_open(&three);

	for (int seat = 0; seat < 3; seat++) {
		char line[64];

		mock_start(match, seat);
		snprintf(line, sizeof(line), "id name=b%d", seat);
		mock_say(match, seat, line);
		if (seat == 1)
			mock_say(match, seat, "feature events=0");
		mock_say(match, seat, "uspok 1");
		mock_say(match, seat, "readyok");
	}
	mock_answer(match, "hello");
	assert_int_equal(match->referee.seats[0].strikes, 1);
	mock_finish(match);
	mock_reseat(match, turned);
	for (int seat = 0; seat < 3; seat++) {
		const struct referee_seat *at = &match->referee.seats[seat];
		char name[8];

		snprintf(name, sizeof(name), "b%d", turned[seat]);
		assert_string_equal(at->session.name, name);
		assert_int_equal(at->strikes, 0);
		assert_int_equal(at->offences[OFFENCE_ILLEGAL], 0);
		assert_true(at->think_ns == 0);
		assert_int_equal(at->decision_count, 0);
	}
	mock_skip(match);
	for (int seat = 0; seat < 3; seat++)
		mock_say(match, seat, "readyok");
	assert_string_equal(mock_verbs(mock_heard(match, 0)), "state legal go");
	mock_step(match);
	mock_assert_has(mock_heard(match, 1), "match m1 *");
}

TEST(test_game_waits_for_the_process_that_takes_a_dead_ones_place)
{
	struct mock_match *match = mock_open_ready(&scopa);

	mock_exit(match, 0, "CRASH(6)");
	assert_true(mock_over(match));
	mock_reseat(match, NULL);
	mock_say(match, 1, "readyok");
	assert_int_equal(match->referee.seats[0].session.phase, SESSION_ABSENT);
	assert_int_equal(mock_turn(match), -1);
	/* Nobody waits for it by the clock either. */
	mock_wait(match, 10 * MOCK_STARTUP_NS);
	assert_false(mock_over(match));
	match->referee.seats[0].kill = true;
	mock_start_ready(match, 0);
	assert_false(match->referee.seats[0].kill);
	assert_int_equal(mock_turn(match), 0);
	assert_int_equal(match->referee.seats[0].session.error_count, 0);
	mock_finish(match);
}

TEST(test_late_one_must_pass_the_barrier_before_the_next_game)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char late[64];

	snprintf(late, sizeof(late), "move %s", mock_move(match, 0));
	mock_wait(match, 10000 * MOCK_MS);
	assert_true(mock_over(match));
	mock_reseat(match, NULL);
	mock_skip(match);
	mock_say(match, 1, "readyok");
	mock_say(match, 0, late);
	assert_int_equal(mock_turn(match), -1);
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
	mock_assert_lacks(mock_heard(match, 0), "isready");
}

TEST(test_late_one_that_hangs_loses_the_next_game_too)
{
	struct mock_match *match = mock_open_ready(&scopa);

	mock_wait(match, 10000 * MOCK_MS);
	mock_reseat(match, NULL);
	mock_say(match, 1, "readyok");
	mock_skip(match);
	mock_wait(match, MOCK_HANG_NS);
	assert_true(mock_over(match));
	mock_assert_has(mock_recorded(match),
	    "offence 1 kind=startup reason=HANG policy=forfeit");
}

TEST(test_one_that_must_be_killed_must_be_so_at_its_next_seat_too)
{
	static const int swapped[] = { 1, 0 };
	struct mock_match *match = mock_open_ready(&scopa);

	mock_flood(match, 0);
	assert_true(mock_over(match));
	mock_reseat(match, swapped);
	assert_true(match->referee.seats[1].kill);
	assert_false(match->referee.seats[0].kill);
}

TEST(test_game_that_is_stopped_ends_for_all_at_once_and_nobody_wins)
{
	struct mock_match *match = mock_open_ready(&three);

	mock_steps(match, 4);
	mock_skip(match);
	mock_abort(match, "interrupted");
	assert_true(mock_over(match));
	assert_string_equal(mock_recorded(match),
	    "abort match reason=interrupted\n"
	    "endmatch m1 scores=A:0,B:0,C:0 winner=- reason=abort\n");
	for (int seat = 0; seat < 3; seat++) {
		const char *heard = mock_heard(match, seat);

		mock_assert_has(heard, "abort match reason=interrupted");
		mock_assert_has(heard,
		    "endmatch m1 scores=A:0,B:0,C:0 winner=- you=draw "
		    "reason=abort");
	}
	assert_int_equal(match->referee.offender, REFEREE_SEAT_NONE);
}

TEST(test_answer_to_a_question_of_a_stopped_game_is_dropped)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char late[128];

	snprintf(late, sizeof(late), "move %s turn=%s", mock_move(match, 0),
	    mock_turn_id(match, 0));
	mock_skip(match);
	mock_abort(match, "interrupted");
	assert_string_equal(
	    mock_verbs(mock_heard(match, 0)), "abort endmatch isready");
	mock_skip(match);
	mock_say(match, 0, late);
	mock_say(match, 1, late);
	assert_string_equal(mock_recorded(match), "");
	mock_reseat(match, NULL);
	mock_say(match, 0, late);
	mock_say(match, 1, "readyok");
	assert_int_equal(mock_turn(match), -1);
	mock_say(match, 0, "readyok");
	assert_int_equal(mock_turn(match), 0);
	mock_finish(match);
	mock_assert_lacks(match->record.bytes, "offence*");
}

TEST(test_game_that_is_not_on_cannot_be_stopped)
{
	struct mock_match *match = mock_open(&scopa);

	mock_abort(match, "interrupted");
	mock_start_ready(match, 0);
	mock_abort(match, "interrupted");
	assert_string_equal(mock_recorded(match), "");
	mock_start_ready(match, 1);
	mock_finish(match);
	mock_skip(match);
	mock_abort(match, "interrupted");
	assert_string_equal(mock_recorded(match), "");
}

/* Seat 0 leaves after so many steps; the record's end is handed back. */
static const char *
end_after_forfeit(const struct mock_order *order, int steps)
{
	static char end[256];
	struct mock_match *match = mock_open_ready(order);
	const char *line;

	mock_steps(match, steps);
	while (mock_turn(match) > 0)
		mock_step(match);
	mock_exit(match, 0, "EXIT(0)");
	assert_true(mock_over(match));
	line = strstr(match->record.bytes, "endmatch ");
	snprintf(end, sizeof(end), "%.*s", (int)strcspn(line, "\n"), line);
	for (int seat = 1; seat < match->rules.players; seat++)
		assert_int_equal(
		    mock_count(mock_heard(match, seat), "endmatch *"), 1);
	mock_close(match);
	return end;
}

TEST(test_other_team_wins_what_one_forfeits)
{
	struct mock_order order = { .spec = "scopone" };

	assert_non_null(strstr(end_after_forfeit(&order, 8), " winner=B "));
	order.spec = "scopa,teams=ABCABC";
	/* Of scopa that are level nobody wins. */
	assert_non_null(strstr(end_after_forfeit(&order, 8), " winner=- "));
}

TEST(test_strikes_of_partners_are_their_own)
{
	struct mock_order order = { .spec = "scopone",
		.policy = POLICY_SUBSTITUTE };
	struct mock_match *match = mock_open_ready(&order);

	for (int i = 0; i < 8; i++) {
		assert_int_equal(mock_turn(match), i % 4);
		if (i % 2 == 0)
			mock_answer(match, "hello");
		else
			mock_step(match);
	}
	assert_false(mock_over(match));
	assert_int_equal(match->referee.seats[0].strikes, 2);
	assert_int_equal(match->referee.seats[2].strikes, 2);
	mock_answer(match, "hello");
	assert_true(mock_over(match));
	assert_int_equal(match->referee.game.tally.winner, 1);
}

TEST_EACH(NULL, mock_close_all)
