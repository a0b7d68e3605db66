/*
 * A match seen from the referee: the handshake, the first lines of a match,
 * decisions and answers, and whole games.
 */
#include "referee.h"

#include <stdio.h>
#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

static const struct mock_order scopa = { .spec = "scopa", .seed = 1 };
static const struct mock_order scopone = { .spec = "scopone", .seed = 9 };
static const struct mock_order two = { .spec = "scopa", .tc = "move:1" };
static const struct mock_order three = { .spec = "scopa,players=3",
	.policy = POLICY_SUBSTITUTE,
	.seed = 11,
	.deals = 1 };

SCENARIO(test_arena_sends_the_first_line_and_then_one_line_at_a_time, &scopa,
    "1 starts; 1 gets usp 1 arena=arena/1; 1: id name=x;"
    "1: option name=depth type=int; 1: feature stop=1; 1 gets;"
    "1: uspok 1; 1 gets isready; 1: readyok; 1 gets; record is")

/* The other bot is sent the lines of the game with its first question. */
SCENARIO(test_match_begins_when_the_last_bot_is_ready, &scopa,
    "1 starts; 2 is ready; turn 0; 2 gets usp 1 arena=arena/1 / isready;"
    "1: id name=x; 1: uspok 1; record is; 1: readyok; turn 1;"
    "1 verbs usp isready match rules seat deal table give state legal go;"
    "record verbs match rules seat pack deal table give; 2 gets;"
    "step; 2 verbs match rules seat deal table give play state legal go")

/*
 * Errors for lines that the bot sends while it thinks wait for its next turn.
 */
SCENARIO(test_lines_at_the_wrong_time_are_unexpected, &scopa,
    "1 starts; skip; 1: readyok; unwanted; 1: move 7D; unwanted;"
    "1: info a=1; unwanted; 1 counts 3 error unexpected # *;"
    "1: id name=x; 1: uspok 1; 1: readyok; 2 is ready; skip;"
    "1: id name=y; unwanted; 1: uspok 1; unwanted; 1: readyok; unwanted;"
    "1: option name=x type=int; unwanted; 1: feature legal=0; unwanted;"
    "1 gets; step 2; 1 counts 5 error unexpected # *; 1 has legal *")

SCENARIO(test_bot_that_was_not_asked_may_not_move_or_send_info, &scopa,
    "all ready; skip; 2: %M; 2: move 7D; 2: info value=1; 2: readyok;"
    "turn 1; record is; step; record lacks info*;"
    "2 counts 3 error unexpected # *")

SCENARIO(test_unknown_verbs_are_reported_and_skipped, &scopa,
    "all ready; skip; 1: ponder; 1: MOVE 7D; 1: play 1 7D; 1: go turn=1;"
    "1: usp 1; 1: quit; 1: x-mine a=b; 1: move7D; turn 1; step 2;"
    "1 has error unknown # no message of a bot is \"ponder\";"
    "1 has error unknown # no message of a bot is \"MOVE\";"
    "1 counts 8 error unknown # *")

SCENARIO(test_unknown_keys_are_reported_and_the_line_counts, &scopa,
    "1 starts; skip; 1: id name=x colour=red author=me url=z;"
    "1 gets error unknown # skipped \"colour=red\";"
    "1: uspok 1 now; 1 gets error unknown # skipped \"now\" / isready;"
    "1: readyok # done; 2 is ready; skip; 1: move %M sure=1 turn=%T;"
    "wanted; turn 2; 2: info depth=1 anything=2; step;"
    "1 has error unknown # skipped \"sure=1\"; step; 2 lacks error*")

/* No bot can make the record of a game grow without limit. */
TEST(test_info_of_a_seat_has_a_limit_in_a_game)
{
	static char line[2000];
	struct mock_order order = scopa;
	struct mock_match *match;
	int64_t sent = 0, recorded = 0;

	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "info m.a=", 9);
	order.deals = 60;
	match = mock_open_ready(&order);
	while (!mock_over(match)) {
		int seat = mock_turn(match);

		for (int i = 0; i < 4 && seat == 0; i++) {
			mock_say(match, seat, line);
			assert_true(match->referee.line_expected);
			sent += (int64_t)sizeof(line);
		}
		if (seat == 1)
			mock_say(match, seat, "info depth=1");
		mock_step(match);
	}
	for (const char *at = match->record.bytes;
	     (at = strstr(at, "\ninfo 1 ")) != NULL; at++)
		recorded += (int64_t)strcspn(at + 1, "\n");
	assert_true(sent > REFEREE_INFO_GAME_MAX * 5 / 4);
	assert_in_range(recorded, REFEREE_INFO_GAME_MAX / 2 - 16384,
	    REFEREE_INFO_GAME_MAX / 2);
	/* The other seat has a limit of its own. */
	assert_int_equal(
	    mock_count(match->record.bytes, "info 2 depth=1"), 60 * 18);
}

TEST(test_at_most_a_hundred_errors_are_sent_to_a_process)
{
	struct mock_match *match = mock_play(&scopa, "all ready; skip");

	for (int i = 0; i < 250; i++)
		mock_run(match, "1: nonsense");
	assert_int_equal(match->referee.seats[0].session.error_count, 250);
	mock_run(match,
	    "step 2; 1 counts 100 error unknown # *; finish; skip; again;"
	    "1: another; 1 lacks error*");
}

SCENARIO(test_only_accepted_lines_are_expected, &scopa,
    "1 starts; 1: id name=x; wanted; 1: id name=y; unwanted;"
    "1: option name=a type=int; wanted; 1: option name=a type=int;"
    "unwanted; 1: option; unwanted; 1: feature legal=1; wanted;"
    "1: feature legal=1; unwanted; 1: error option # what; unwanted;"
    "1: uspok 1; wanted; 1: readyok; wanted")

TEST(test_lines_that_a_bot_has_switched_off_are_not_sent)
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
			    mock_verbs(mock_sent(match, seat)), rows[i].verbs);
		mock_close(match);
	}
}

TEST(test_declarations_are_not_offered_to_a_bot_that_makes_none)
{
	struct mock_order order = { .spec = "cirulla,declare=ask",
		.pack = "2D6C7S5B ADACAS" };
	struct mock_match *match = mock_open_ready(&order);
	const char *legal;

	legal = strstr(mock_sent(match, 0), "legal ");
	assert_non_null(strstr(legal, " !three\n"));
	mock_close(match);
	order.feature = "feature declare=0";
	match = mock_open_ready(&order);
	legal = strstr(mock_sent(match, 0), "legal ");
	assert_non_null(legal);
	assert_null(strchr(legal, '!'));
}

TEST(test_observer_is_sent_events_at_once_and_others_with_their_question)
{
	struct mock_order order = { .spec = "scopa,players=3", .seed = 4 };

	mock_play(&order,
	    "1 is ready; 2 is ready; 3 starts; 3: id name=x;"
	    "3: feature observe=1; 3: uspok 1; 3: readyok; 3 has match*; skip;"
	    "step; 3 verbs play; 1 gets; step; 3 verbs play state legal go;"
	    "step; 3 verbs play; 1 counts 3 play*");
}

TEST(test_options_of_a_bot_are_sent_to_this_bot_only)
{
	static const char *const options[] = { "depth=6", NULL };
	struct mock_order order = { .spec = "scopa", .options = options };

	mock_play(&order,
	    "1 starts; 1: id name=x; 1: option name=depth type=int; 1: uspok 1;"
	    "2 starts; 2: id name=x; 2: option name=depth type=int; 2: uspok 1;"
	    "1 has setoption depth=6; 2 lacks setoption*");
}

/* Lines that the bot sends meanwhile do not extend its time. */
SCENARIO(test_bot_that_is_not_ready_in_time_loses_before_the_first_deal, &two,
    "2 is ready; 1 starts; 1: id name=x; wait 9999.999998; 1: uspok 1;"
    "wait 0.000001; open; wait 0.000001; over; 1 is killed; offender 1;"
    "record verbs match rules seat offence abort endmatch;"
    "record has offence 1 kind=startup reason=HS_TIMEOUT policy=forfeit;"
    "record has abort match reason=forfeit; 2 has endmatch m1 *")

SCENARIO(test_bot_that_is_ready_at_the_last_moment_plays, &two,
    "2 is ready; 1 starts; 1: id name=x; 1: uspok 1; wait 9999.999999;"
    "1: readyok; turn 1; deadline 1000")

SCENARIO(test_each_process_has_its_own_time_to_start, &two,
    "1 starts; wait 7000; 2 starts; deadline 3000; 1: id name=x; 1: uspok 1;"
    "1: readyok; deadline 10000")

/* Seat 1 fails to start by these steps, and its offence has this reason. */
static void
assert_start_fails(
    const struct mock_order *order, const char *steps, const char *reason)
{
	char rest[256];
	struct mock_match *match = mock_play(order, "1 starts");

	mock_run(match, steps);
	snprintf(rest, sizeof(rest),
	    "deadline never; wait 20000; open; 2 is ready; over; offender 1;"
	    "record has offence 1 kind=startup reason=%s policy=%s*",
	    reason, policy_name(order->policy));
	mock_run(match, rest);
	mock_assert_lacks(match->record.bytes, "pack*");
	mock_close(match);
}

TEST(test_each_failure_to_get_ready_has_its_reason)
{
	static const char *const rows[][2] = {
		{ "1 exits EXIT(3)", "HS_EXIT(3)" },
		{ "1 exits CRASH(11)", "HS_CRASH(11)" },
		{ "1 exits EOF", "HS_EOF" },
		{ "1 exits EXEC_FAIL(ENOEXEC)", "EXEC_FAIL(ENOEXEC)" },
		{ "1: id name=x; 1: uspok 2", "HS_BAD(VERSION)" },
		{ "1: uspok 1", "HS_BAD(ID)" },
		{ "1: error fatal # no; 1 is killed", "HS_BAD(FATAL)" },
		{ "1 floods; 1 is killed", "HS_BAD" },
		{ "1 garbles x; 1 is killed", "HS_BAD" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		/*
		 * Under no policy the arena moves for a bot that was never
		 * ready.
		 */
		for (int policy = 0; policy < POLICY_COUNT; policy++) {
			struct mock_order order = two;

			order.policy = (enum verdict_policy)policy;
			assert_start_fails(&order, rows[i][0], rows[i][1]);
		}
	}
}

SCENARIO(test_invalid_bytes_are_recorded, &two,
    "1 starts; 1 garbles \\x00\\xff; 2 is ready; record has offence 1 "
    "kind=startup reason=HS_BAD policy=forfeit said=\\x00\\xff")

/* The arena never answers such a line. */
SCENARIO(test_error_line_that_is_not_fatal_does_no_harm, &two,
    "1 starts; 1: id name=x; 1: error unknown # what is arena=; 1: error;"
    "1: error # fatal; 1: uspok 1; 1: error option # depth must be 1..9;"
    "1: readyok; 1 lacks error*; 2 is ready; turn 1")

SCENARIO(test_if_two_bots_fail_to_start_the_first_seat_loses, &two,
    "2 starts; 1 starts; 2 exits EXIT(1); 1 exits EXIT(2); over;"
    "record counts 1 offence *; offender 1")

SCENARIO(test_bot_that_exits_when_it_is_ready_loses_in_its_turn, &two,
    "1 is ready; 2 starts; 1 exits EXIT(0); open; 2: id name=x; 2: uspok 1;"
    "2: readyok; over; offender 1;"
    "record has offence 1 kind=crash reason=EXIT(0) *;"
    "record has endmatch m1 scores=A:0,B:22 winner=B *")

SCENARIO(test_bot_that_floods_when_it_is_ready_loses_in_its_turn, &two,
    "2 is ready; 1 starts; 2 floods; 2 is killed; open; 1: id name=x;"
    "1: uspok 1; 1: readyok; turn 1; step; over; offender 2;"
    "record has offence 2 kind=protocol reason=FLOOD *")

SCENARIO(test_answer_with_the_id_of_its_question_or_no_id_counts, &scopa,
    "all ready; 1: move %M turn=%T; turn 2; step; 1: move %M; turn 2; step;"
    "1: move %M # no id; turn 2; 1 lacks error*")

TEST(test_answer_older_than_the_question_is_dropped)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char line[96];
	struct referee_input event = { .kind = REFEREE_LINE, .line = line };

	snprintf(line, sizeof(line), "move %s", mock_move(match, 0));
	event.length = strlen(line);
	event.now_ns = match->now_ns;
	event.read_ns = match->referee.seats[0].sent_ns - 1;
	referee_step(&match->referee, &event, &match->outbox);
	assert_int_equal(mock_turn(match), 0);
	assert_int_equal(match->referee.seats[0].unasked_count, 1);
	assert_int_equal(match->referee.seats[0].session.wrong_turn_count, 0);
	event.read_ns++;
	referee_step(&match->referee, &event, &match->outbox);
	assert_int_equal(match->referee.seats[0].session.phase, SESSION_IDLE);
	assert_int_equal(match->referee.seats[0].strikes, 0);
}

/* They may come together with `readyok`, if the other bot was ready before. */
TEST(test_invalid_bytes_read_before_the_question_was_sent_are_no_answer)
{
	struct mock_match *match = mock_open_ready(&two);
	struct referee_input input = {
		.kind = REFEREE_FLAW,
		.now_ns = match->now_ns,
		.reason = "BAD_LINE",
	};

	input.read_ns = match->referee.seats[0].sent_ns - 1;
	referee_step(&match->referee, &input, &match->outbox);
	mock_run(match, "turn 1; open");
	input.read_ns++;
	referee_step(&match->referee, &input, &match->outbox);
	mock_run(match, "over");
}

TEST(test_answers_with_other_ids_are_dropped_counted_and_reported)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char first[64], other[64], upper[64], ids[8][100], line[1024];

	snprintf(first, sizeof(first), "%s", mock_turn_id(match, 0));
	mock_step(match);
	snprintf(other, sizeof(other), "%s", mock_turn_id(match, 1));
	mock_step(match);
	snprintf(upper, sizeof(upper), "%s", mock_turn_id(match, 0));
	/* With or without letters in the id, this is another id. */
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
		snprintf(line, sizeof(line), "1: move %%M%s; turn 1; unwanted",
		    ids[i]);
		mock_run(match, line);
	}
	assert_int_equal(match->referee.seats[0].session.wrong_turn_count, 8);
	assert_int_equal(match->referee.seats[0].unasked_count, 8);
	assert_int_equal(match->referee.seats[1].unasked_count, 0);
	mock_run(match,
	    "record is; 1 strikes 0; step 2; 1 counts 8 error unexpected # *");
}

TEST(test_second_answer_does_not_answer_the_next_question)
{
	struct mock_match *match = mock_play(&scopa, "all ready");
	char line[1024];

	snprintf(line, sizeof(line), "move %s turn=%s", mock_move(match, 0),
	    mock_turn_id(match, 0));
	mock_say(match, 0, line);
	mock_say(match, 0, line);
	mock_run(match, "turn 2; step; turn 1; skip");
	mock_say(match, 0, line);
	mock_run(match,
	    "turn 1; record is; 1 strikes 0; finish; record lacks offence*");
}

SCENARIO(test_info_is_recorded_after_its_play_and_sent_to_no_seat, &scopa,
    "all ready; skip; 1: info depth=3  m.worlds=64 # close call;"
    "1: info pv=7D,2C; wanted; record is; 1: info # so; 1: info; step;"
    "record verbs play info; record has info 1 # so; record lacks info 1;"
    "record has info 1 depth=3  m.worlds=64 # close call;"
    "record has info 1 pv=7D,2C; step; 1 lacks info*; 2 lacks info*;"
    "record verbs play")

SCENARIO(test_info_with_bad_pairs_is_reported_and_recorded, &scopa,
    "all ready; skip; 1: info score cp 30 depth=3 value=-.5 m.a=1e-05; wanted;"
    "1: info value=abc nodes=1,000 m.x= m.y=- time=1e pv=7D name=x; wanted;"
    "step; record has info 1 score cp 30 depth=3 value=-.5 m.a=1e-05;"
    "record has info 1 value=abc *; step; 1 counts 3 error unknown # skipped *;"
    "1 has error unknown # skipped \"score\"; 1 counts 5 error syntax # *;"
    "1 has error syntax # no number: \"nodes=1,000\"")

TEST(test_at_most_eight_kibibytes_of_info_are_recorded_for_a_decision)
{
	struct mock_match *match = mock_open_ready(&scopa);
	char line[1024];
	size_t size = 0;

	snprintf(line, sizeof(line), "info value=%0900d", 0);
	for (int i = 0; i < 20; i++) {
		mock_say(match, 0, line);
		/* A line that is not stored is no offence either. */
		assert_true(match->referee.line_expected);
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
	/* The next decision has a limit of its own. */
	mock_step(match);
	mock_say(match, 0, line);
	mock_skip(match);
	mock_step(match);
	assert_non_null(strstr(mock_recorded(match), "info 1 value=0"));
}

TEST(test_info_of_a_declaration_is_recorded_after_the_shown_hand)
{
	struct mock_order order = { .spec = "cirulla,declare=ask",
		.pack = "2D6C7S5B ADACAS" };

	/* The same seat is asked again. */
	mock_play(&order,
	    "all ready; skip; 1: info value=10; answer !three;"
	    "record verbs declare show info; turn 1;"
	    "record has declare 1 three points=10 t=0.000000;"
	    "1 verbs declare show state legal go");
}

SCENARIO(test_end_of_a_deal_is_sent_to_all_and_one_seat_is_asked, &scopone,
    "all ready; step 35; skip; step; turn 2; 1 has enddeal 1; 2 has enddeal 1;"
    "3 has enddeal 1; 4 has enddeal 1; 1 counts 0 go*; 2 counts 1 go*;"
    "3 counts 0 go*; 4 counts 0 go*")

/* A move for the previous game does not count in the new game. */
SCENARIO(test_next_game_begins_when_all_bots_are_ready, &scopa,
    "all ready; finish; skip; again; 1 gets isready; 2 gets isready;"
    "1: readyok; 1: move 7D; record is; 2: readyok;"
    "record verbs match rules seat pack deal table give; turn 1; finish;"
    "record lacks offence*")

SCENARIO(test_bot_that_is_not_ready_for_the_next_game_loses_it, &scopa,
    "all ready; finish; again; 2: readyok; wait 10000; over; 1 is killed;"
    "record has offence 1 kind=startup reason=HS_TIMEOUT policy=forfeit")

TEST(test_session_of_a_bot_moves_with_it_to_another_seat)
{
	static const char *const names[] = { "bot2", "bot3", "bot1" };
	struct mock_match *match = mock_play(&three,
	    "1 is ready; 2 starts; 2: id name=bot2; 2: feature events=0;"
	    "2: uspok 1; 2: readyok; 3 is ready; answer hello; 1 strikes 1;"
	    "finish; again 231");

	for (int seat = 0; seat < 3; seat++) {
		const struct referee_seat *at = &match->referee.seats[seat];

		assert_string_equal(at->session.name, names[seat]);
		assert_int_equal(at->strikes, 0);
		assert_int_equal(at->offences[OFFENCE_ILLEGAL], 0);
		assert_true(at->think_ns == 0);
		assert_int_equal(at->decision_count, 0);
	}
	mock_run(match,
	    "skip; 1: readyok; 2: readyok; 3: readyok; 1 verbs state legal go;"
	    "step; 2 has match m1 *");
}

/* There is no deadline for the new process before it has started. */
SCENARIO(test_next_game_waits_for_the_process_that_replaces_a_dead_one, &scopa,
    "all ready; 1 floods; 1 is killed; over; again; 2: readyok; turn 0;"
    "wait 100000; open; 1 is ready; 1 is spared; turn 1; finish;"
    "1 lacks error*")

/* Whether the next game has been announced to it must not matter. */
TEST(test_bot_that_fails_between_two_games_gets_a_new_process)
{
	static const char *const failures[] = { "1 exits EXIT(0)",
		"1: error fatal # no; 1 is killed", "1 floods; 1 is killed" };
	char steps[512];

	for (size_t i = 0; i < 2 * COUNTOF(failures); i++) {
		const char *failure = failures[i / 2];
		bool before = i % 2 == 0;

		snprintf(steps, sizeof(steps),
		    "all ready; finish; %s; again; %s; 2: readyok; turn 0;"
		    "wait 100000; open; 1 exits EXIT(0); open; skip; 1 starts;"
		    "1 is spared; 1: id name=x; 1: uspok 1; 1: readyok; turn 1;"
		    "finish; record lacks offence*",
		    before ? failure : "over", before ? "open" : failure);
		mock_play(&scopa, steps);
	}
	/* The new process has not played before. */
	mock_play(&scopa,
	    "all ready; finish; again; 1 exits EXIT(0); 2: readyok; 1 starts;"
	    "1: id name=x; 1: uspok 1; 1 exits EXIT(0); over;"
	    "record has offence 1 kind=startup reason=HS_EXIT(0)*");
}

SCENARIO(test_invalid_bytes_between_two_games_are_reported_only, &scopa,
    "all ready; finish; 1 garbles x; again; 1 garbles y; 1 is spared;"
    "1 counts 1 error toolong*; 1: readyok; 2: readyok; finish;"
    "record lacks offence*")

SCENARIO(test_late_bot_must_be_ready_before_the_next_game, &scopa,
    "all ready; wait 10000; over; again; skip; 2: readyok; 1: move 7D; turn 0;"
    "1: readyok; turn 1; 1 lacks isready")

SCENARIO(test_late_bot_that_hangs_loses_the_next_game_too, &scopa,
    "all ready; wait 10000; again; 2: readyok; wait 5000; over;"
    "record has offence 1 kind=crash reason=HANG policy=forfeit")

SCENARIO(test_order_to_kill_a_process_moves_with_it_to_another_seat, &scopa,
    "all ready; 1 floods; over; again 21; 2 is killed; 1 is spared")

SCENARIO(test_stopped_game_ends_for_all_at_once_without_a_winner, &three,
    "all ready; step 4; skip; stop interrupted; over; offender 0;"
    "record is abort match reason=interrupted / endmatch m1 "
    "scores=A:0,B:0,C:0 winner=- reason=abort;"
    "1 has abort match reason=interrupted; 3 has abort match *;"
    "2 has endmatch m1 scores=A:0,B:0,C:0 winner=- you=draw reason=abort;"
    "1 counts 1 endmatch *; 3 counts 1 endmatch *")

SCENARIO(test_answer_to_a_question_of_a_stopped_game_is_dropped, &scopa,
    "all ready; skip; stop interrupted; 1 verbs abort endmatch isready; skip;"
    "1: move 7D turn=%T; 2: move 7D; record is; again; 1: move 7D turn=%T;"
    "2: readyok; turn 0; 1: readyok; turn 1; finish; record lacks offence*")

SCENARIO(test_game_that_is_not_in_progress_cannot_be_stopped, &scopa,
    "stop interrupted; 1 is ready; stop interrupted; record is; 2 is ready;"
    "finish; skip; stop interrupted; record is")

TEST(test_strikes_of_partners_are_counted_separately)
{
	struct mock_order order = { .spec = "scopone",
		.policy = POLICY_SUBSTITUTE };

	mock_play(&order,
	    "all ready; answer hello; step; turn 3; answer hello; step;"
	    "answer hello; step; answer hello; step; open; 1 strikes 2;"
	    "3 strikes 2; answer hello; over;"
	    "record has endmatch m1 scores=A:0,B:22 winner=B *");
}

TEST_EACH(NULL, mock_close_all)
