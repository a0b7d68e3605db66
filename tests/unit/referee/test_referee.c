/*
 * The handshake, the head of a match, and what a decision is made of.
 */
#include "referee.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

static const struct table_order scopa = { .spec = "scopa", .seed = 1 };

TEST(test_bot_is_spoken_to_first_and_hears_one_thing_at_a_time)
{
	struct table *table = table_open(&scopa);

	table_start(table, 0);
	assert_string_equal(table_heard(table, 0), "usp 1 arena=arena/1\n");
	table_say(table, 0, "id name=x");
	table_say(table, 0, "option name=depth type=int");
	table_say(table, 0, "feature stop=1");
	assert_string_equal(table_heard(table, 0), "");
	table_say(table, 0, "uspok 1");
	assert_string_equal(table_heard(table, 0), "isready\n");
	table_say(table, 0, "readyok");
	assert_string_equal(table_heard(table, 0), "");
	assert_string_equal(table_recorded(table), "");
	table_close(table);
}

TEST(test_match_begins_when_the_last_bot_is_ready)
{
	struct table *table = table_open(&scopa);

	table_start(table, 0);
	table_start_ready(table, 1);
	assert_int_equal(table_turn(table), -1);
	assert_string_equal(
	    table_heard(table, 1), "usp 1 arena=arena/1\nisready\n");
	table_say(table, 0, "id name=x");
	table_say(table, 0, "uspok 1");
	assert_string_equal(table_recorded(table), "");
	table_say(table, 0, "readyok");
	assert_int_equal(table_turn(table), 0);
	assert_string_equal(table_verbs(table_heard(table, 0)),
	    "usp isready match rules seat deal table give state legal go");
	assert_string_equal(table_verbs(table_recorded(table)),
	    "match rules seat pack deal table give");
	/* The other one hears of it with its own question. */
	assert_string_equal(table_heard(table, 1), "");
	table_step(table);
	assert_string_equal(table_verbs(table_heard(table, 1)),
	    "match rules seat deal table give play state legal go");
	table_close(table);
}

TEST(test_each_line_of_a_head_has_its_keys)
{
	struct table_order order = {
		.spec = "scopa", .pack = "AS7DJS5D AB3CKS JD5B5C", .deals = 2
	};
	struct table *table = table_open_ready(&order);
	const char *heard;
	char go[64];

	table_answer(table, "ABxAS");
	table_skip(table);
	table_answer(table, "5Cx5D");
	heard = table_heard(table, 0);
	snprintf(
	    go, sizeof(go), "go turn=%s move=10000", table_turn_id(table, 0));
	table_assert_has(heard, go);
	table_assert_has(heard, "play 1 ABxAS");
	table_assert_has(heard, "play 2 5Cx5D");
	table_assert_has(heard, "legal 3C KS");
	table_assert_has(heard,
	    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=3CKS "
	    "deal=1 dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 "
	    "pile=A:ASAB,B:5D5C scopas=A:0,B:0 scores=A:0,B:0 last=2 shown=- "
	    "plays=1:ABxAS/2:5Cx5D");
	heard = table->seats[0].heard.bytes;
	table_assert_has(heard,
	    "match m1 rules=scopa seats=2 teams=AB you=1 target=11 deals=2 "
	    "pack=it40 tc=move:10000 seed=00000000000000a0");
	table_assert_has(heard, "seat 1 team=A name=bot1");
	table_assert_has(heard, "seat 2 team=B name=bot2");
	table_assert_has(heard, "deal 1 dealer=2 first=1 scores=A:0,B:0");
	table_assert_has(heard, "table AS5D7DJS");
	table_assert_has(heard, "give 1 AB3CKS");
	table_assert_has(heard, "give 2 ??????");
	table_close(table);
}

TEST(test_lines_at_the_wrong_time_are_unexpected)
{
	static const char *const early[] = { "readyok", "move 7D", "info a=1" };
	static const char *const late[] = { "id name=y", "uspok 1", "readyok",
		"option name=x type=int", "feature legal=0" };
	struct table *table = table_open(&scopa);

	table_start(table, 0);
	table_skip(table);
	for (size_t i = 0; i < sizeof(early) / sizeof(early[0]); i++) {
		table_say(table, 0, early[i]);
		table_assert_has(table_heard(table, 0), "error unexpected # *");
		assert_false(table->referee.wanted);
	}
	table_say(table, 0, "id name=x");
	table_say(table, 0, "uspok 1");
	table_say(table, 0, "readyok");
	table_start_ready(table, 1);
	table_skip(table);
	for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++) {
		/* It thinks; what it hears then waits for its next turn. */
		table_say(table, 0, late[i]);
		assert_string_equal(table_heard(table, 0), "");
		assert_false(table->referee.wanted);
	}
	table_steps(table, 2);
	assert_int_equal(
	    table_count(table_heard(table, 0), "error unexpected # *"), 5);
	assert_true(table->referee.seats[0].session.features.legal);
	table_close(table);
}

TEST(test_nobody_else_may_move_or_comment)
{
	struct table *table = table_open_ready(&scopa);
	const char *record;

	table_skip(table);
	table_say(table, 1, table_move(table, 0));
	table_say(table, 1, "move 7D");
	table_say(table, 1, "info value=1");
	table_say(table, 1, "readyok");
	assert_int_equal(table_turn(table), 0);
	assert_string_equal(table_recorded(table), "");
	table_step(table);
	record = table_recorded(table);
	table_assert_lacks(record, "info*");
	assert_int_equal(
	    table_count(table_heard(table, 1), "error unexpected # *"), 3);
	table_close(table);
}

TEST(test_blank_lines_and_comments_mean_nothing)
{
	static const char *const lines[] = { "", "   ", "\t", "# hello",
		"  # move 7D" };
	struct table *table = table_open_ready(&scopa);

	table_skip(table);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		table_say(table, 0, lines[i]);
		assert_false(table->referee.wanted);
	}
	assert_int_equal(table_turn(table), 0);
	table_steps(table, 2);
	table_assert_lacks(table_heard(table, 0), "error*");
	assert_int_equal(table->referee.seats[0].session.error_count, 0);
	table_close(table);
}

TEST(test_unknown_verbs_are_reported_and_skipped)
{
	static const char *const lines[] = { "ponder", "MOVE 7D", "play 1 7D",
		"go turn=1", "usp 1", "quit", "x-mine a=b", "move7D" };
	struct table *table = table_open_ready(&scopa);
	const char *heard;

	table_skip(table);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		table_say(table, 0, lines[i]);
	assert_int_equal(table_turn(table), 0);
	table_steps(table, 2);
	heard = table_heard(table, 0);
	table_assert_has(
	    heard, "error unknown # no message of a bot is \"ponder\"");
	table_assert_has(
	    heard, "error unknown # no message of a bot is \"MOVE\"");
	assert_int_equal(table_count(heard, "error unknown # *"), 8);
	table_close(table);
}

TEST(test_unknown_keys_are_reported_and_the_line_counts)
{
	struct table *table = table_open(&scopa);
	char line[128];
	const char *heard;

	table_start(table, 0);
	table_skip(table);
	table_say(table, 0, "id name=x colour=red author=me url=z");
	assert_string_equal(
	    table_heard(table, 0), "error unknown # skipped \"colour=red\"\n");
	assert_string_equal(table->referee.seats[0].session.name, "x");
	table_say(table, 0, "uspok 1 now");
	assert_string_equal(table_heard(table, 0),
	    "error unknown # skipped \"now\"\nisready\n");
	table_say(table, 0, "readyok # done");
	table_start_ready(table, 1);
	table_skip(table);
	snprintf(line, sizeof(line), "move %s sure=1 turn=%s",
	    table_move(table, 0), table_turn_id(table, 0));
	table_say(table, 0, line);
	assert_true(table->referee.wanted);
	assert_int_equal(table_turn(table), 1);
	table_say(table, 1, "info depth=1 anything=2");
	table_step(table);
	heard = table_heard(table, 0);
	table_assert_has(heard, "error unknown # skipped \"sure=1\"");
	table_steps(table, 1);
	table_assert_lacks(table_heard(table, 1), "error*");
	table_close(table);
}

/* No bot can let the record of a game grow as it likes. */
TEST(test_info_of_a_seat_has_a_limit_in_a_game)
{
	static char line[2000];
	struct table_order order = scopa;
	struct table *table;
	int64_t said = 0, kept = 0;

	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "info m.a=", 9);
	order.deals = 60;
	table = table_open_ready(&order);
	while (!table_over(table)) {
		int seat = table_turn(table);

		for (int i = 0; i < 4 && seat == 0; i++) {
			table_say(table, seat, line);
			assert_true(table->referee.wanted);
			said += (int64_t)sizeof(line);
		}
		if (seat == 1)
			table_say(table, seat, "info depth=1");
		table_step(table);
	}
	for (const char *at = table->record.bytes;
	     (at = strstr(at, "\ninfo 1 ")) != NULL; at++)
		kept += (int64_t)strcspn(at + 1, "\n");
	assert_true(said > REFEREE_INFO_GAME_MAX * 5 / 4);
	assert_in_range(
	    kept, REFEREE_INFO_GAME_MAX - 16384, REFEREE_INFO_GAME_MAX);
	/* The other one has its own. */
	assert_int_equal(
	    table_count(table->record.bytes, "info 2 depth=1"), 60 * 18);
	table_close(table);
}

TEST(test_a_hundred_errors_are_sent_to_a_process_and_then_none)
{
	struct table *table = table_open_ready(&scopa);

	table_skip(table);
	for (int i = 0; i < 250; i++) {
		char line[32];

		snprintf(line, sizeof(line), "verb%d", i);
		table_say(table, 0, line);
	}
	table_steps(table, 2);
	assert_int_equal(
	    table_count(table_heard(table, 0), "error unknown # *"), 100);
	assert_int_equal(table->referee.seats[0].session.error_count, 250);
	table_finish(table);
	table_reseat(table, NULL);
	table_say(table, 0, "another");
	table_assert_lacks(table_heard(table, 0), "error*");
	table_close(table);
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
	struct table *table = table_open(&scopa);

	table_start(table, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		table_say(table, 0, rows[i].line);
		if (table->referee.wanted != rows[i].wanted)
			fail_msg("\"%s\"", rows[i].line);
	}
	table_close(table);
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

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct table_order order = {
			.spec = "scopone", .seed = i, .feature = rows[i].feature
		};
		struct table *table = table_open_ready(&order);

		table_steps(table, 4);
		table_skip(table);
		table_steps(table, 4);
		for (int seat = 0; seat < 4; seat++)
			assert_string_equal(
			    table_verbs(table_heard(table, seat)),
			    rows[i].verbs);
		table_close(table);
	}
}

TEST(test_bot_without_events_hears_nothing_of_a_whole_match_but_questions)
{
	struct table_order order = { .spec = "scopa",
		.feature = "feature events=0" };
	struct table *table = table_open_ready(&order);
	const char *heard;

	table_skip(table);
	table_finish(table);
	heard = table_heard(table, 0);
	assert_true(table_count(heard, "go*") > 18);
	while (*heard) {
		assert_true(strncmp(heard, "state ", 6) == 0 ||
		    strncmp(heard, "legal ", 6) == 0 ||
		    strncmp(heard, "go ", 3) == 0);
		heard = strchr(heard, '\n') + 1;
	}
	table_close(table);
}

TEST(test_declarations_are_left_out_for_a_bot_that_makes_none)
{
	struct table_order order = { .spec = "cirulla,declare=ask",
		.pack = "2D6C7S5B ADACAS" };
	struct table *table = table_open_ready(&order);
	const char *legal;

	legal = strstr(table_heard(table, 0), "legal ");
	assert_non_null(strstr(legal, " !three\n"));
	table_close(table);
	order.feature = "feature declare=0";
	table = table_open_ready(&order);
	legal = strstr(table_heard(table, 0), "legal ");
	assert_non_null(legal);
	assert_null(strchr(legal, '!'));
	table_close(table);
}

TEST(test_observer_hears_events_at_once_and_others_with_their_question)
{
	struct table_order order = { .spec = "scopa,players=3", .seed = 4 };
	struct table *table = table_open(&order);

	table_start_ready(table, 0);
	table_start_ready(table, 1);
	table_start(table, 2);
	table_say(table, 2, "id name=x");
	table_say(table, 2, "feature observe=1");
	table_say(table, 2, "uspok 1");
	table_say(table, 2, "readyok");
	table_assert_has(table_heard(table, 2), "match*");
	table_skip(table);
	table_step(table);
	assert_string_equal(table_verbs(table_heard(table, 2)), "play");
	assert_string_equal(table_heard(table, 0), "");
	table_step(table);
	assert_string_equal(
	    table_verbs(table_heard(table, 2)), "play state legal go");
	table_step(table);
	assert_string_equal(table_verbs(table_heard(table, 2)), "play");
	assert_int_equal(table_count(table_heard(table, 0), "play*"), 3);
	table_close(table);
}

TEST(test_observer_that_is_not_granted_waits_like_everybody)
{
	struct table_order order = { .spec = "scopa",
		.seed = 4,
		.feature = "feature observe=1",
		.observe_denied = true };
	struct table *table = table_open_ready(&order);

	table_assert_has(table_heard(table, 1), "error feature # *");
	table_step(table);
	table_skip(table);
	table_step(table);
	assert_string_equal(table_heard(table, 1), "");
	table_close(table);
}

TEST(test_wanted_options_reach_their_bot_alone)
{
	static const char *const options[] = { "depth=6", NULL };
	struct table_order order = { .spec = "scopa", .options = options };
	struct table *table = table_open(&order);

	for (int seat = 0; seat < 2; seat++) {
		table_start(table, seat);
		table_say(table, seat, "id name=x");
		table_say(table, seat, "option name=depth type=int");
		table_say(table, seat, "uspok 1");
	}
	table_assert_has(table_heard(table, 0), "setoption depth=6");
	table_assert_lacks(table_heard(table, 1), "setoption*");
	table_close(table);
}
