/*
 * Facts of runs of random games, and the tables that are made from them.
 */
#include "run_facts.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "record_fixture.h"
#include "run_export.h"
#include "runner.h"
#include "test.h"

enum { ROOM = 1024 * 1024, BLOCKS = 6 };

/* An open run, with its view and facts. */
struct opened {
	struct run run;
	struct tournament tournament;
	struct report_view view;
	struct run_facts facts;
};

static struct opened opened;

static void
view_open(void)
{
	memset(&opened, 0, sizeof(opened));
	assert_int_equal(
	    run_open(&opened.run, fixture->path, false, &fixture->error), 0);
	assert_int_equal(
	    tournament_open(&opened.tournament, &fixture->config), 0);
	assert_true(
	    runner_catch_up(&opened.run, &opened.tournament, &fixture->error));
	opened.view = (struct report_view){
		.head = &opened.run.head,
		.standings = &opened.tournament.standings,
		.path = fixture->path,
		.deals = 1,
	};
	assert_int_equal(report_compute(&opened.view, 0), 0);
}

static void
facts_open(int64_t room)
{
	assert_int_equal(run_facts_open(&opened.facts, &opened.view,
			     &opened.run, room, &fixture->error),
	    0);
}

/* Makes a run of BLOCKS blocks, and its facts. */
static void
facts_make(int64_t room)
{
	record_fixture_make(BLOCKS);
	view_open();
	facts_open(room);
}

static int
end(void **state)
{
	run_facts_close(&opened.facts);
	report_close(&opened.view);
	tournament_close(&opened.tournament);
	run_close(&opened.run);
	return record_fixture_teardown(state);
}

TEST(test_records_of_games_fit_the_given_size)
{
	static const int64_t rooms[] = { 0, 3000, 20000, ROOM };

	record_fixture_make(BLOCKS);
	view_open();
	for (size_t i = 0; i < COUNTOF(rooms); i++) {
		size_t size = 0;

		facts_open(rooms[i]);
		for (int game = 0; game < opened.facts.game_count; game++) {
			const struct facts_game *shown =
			    &opened.facts.games[game];

			size += shown->size;
			assert_memory_equal(shown->record, "match m", 7);
			assert_int_equal(shown->record[shown->size - 1], '\n');
			for (int other = 0; other < game; other++)
				assert_true(shown->game !=
				    opened.facts.games[other].game);
		}
		assert_true(size <= (size_t)rooms[i]);
		if (rooms[i] == ROOM)
			assert_int_equal(opened.facts.game_count, 2 * BLOCKS);
		run_facts_close(&opened.facts);
	}
}

TEST(test_bot_that_never_starts_is_shown_and_then_skipped)
{
	const struct facts_failure *first = opened.facts.failures;

	fixture->bad_bot = 1;
	facts_make(ROOM);
	assert_true(opened.view.standings->skipped > 0);
	assert_int_equal(
	    opened.facts.failure_count, opened.view.standings->forfeits);
	assert_int_equal(first->bot, 1);
	assert_int_equal(first->kind, OFFENCE_STARTUP);
	assert_string_equal(first->reason, "no-answer");
	assert_int_equal(opened.facts.games[0].choice, FACTS_FAULT);
	assert_int_equal(opened.facts.games[0].game, first->place.game);
}

TEST(test_missing_records_are_all_counted_as_damaged)
{
	record_fixture_make(BLOCKS);
	view_open();
	assert_int_equal(unlink(folder_path(fixture->path, RUN_RECORDS)), 0);
	facts_open(ROOM);
	assert_int_equal(opened.facts.damaged, 2 * BLOCKS);
	assert_int_equal(opened.facts.game_count, 0);
	assert_int_equal(opened.facts.margin_count, 3);
}

TEST(test_log_gives_the_machine_and_explanations_of_failures)
{
	const struct facts_failure *failures = opened.facts.failures;
	char text[4 * TEXT_CELL_SIZE], position[2 * TEXT_CELL_SIZE];
	int64_t game;
	int table = 0;

	fixture->bad_bot = 1;
	record_fixture_make(BLOCKS);
	view_open();
	facts_open(0);
	game = failures[0].place.game;
	memset(position, 'x', sizeof(position));
	strcpy(position + sizeof(position) - 4, "end");
	snprintf(text, sizeof(text),
	    "1 info  machine old\n1 info  machine new box\nmachine no\n"
	    "1 warn  m%jd: bot \"1\": ended   : gone\n"
	    "1 warn  m%jd: bot \"1\": stderr  : m%jd: <b>\n"
	    "1 warn  m%jd0: bot \"1\": ended   : another\n"
	    "1 info  m%jd: bot \"1\": no warning\n"
	    "1 warn  m%jd: state %s\n"
	    "1 warn  m%jd: last line without an end",
	    (intmax_t)game, (intmax_t)game, (intmax_t)game, (intmax_t)game,
	    (intmax_t)game, (intmax_t)game, position, (intmax_t)game);
	folder_write(folder_path(fixture->path, RUN_LOG), text);
	run_facts_close(&opened.facts);
	facts_open(0);
	assert_string_equal(opened.facts.machine, "new box");
	snprintf(text, sizeof(text),
	    "ended   : gone\nstderr  : m%jd: <b>\nstate %s\n"
	    "last line without an end",
	    (intmax_t)game, position);
	assert_string_equal(failures[0].log, text);
	assert_null(failures[1].log);
	/* A long line is whole in tables, too. */
	while (strcmp(run_export_tables[table], "failure_log") != 0)
		table++;
	snprintf(text, sizeof(text), "state %s", position);
	run_export_csv(&opened.view, &opened.facts, table, output_open());
	expect_parts(output_close(), text);
	run_export_markdown(&opened.view, &opened.facts, table, output_open());
	expect_parts(output_close(), text);
}

TEST(test_every_row_of_a_table_has_every_column)
{
	fixture->bad_bot = 1;
	facts_make(ROOM);
	for (int table = 0; run_export_tables[table] != NULL; table++) {
		char *next;
		int wanted = -1;

		run_export_csv(
		    &opened.view, &opened.facts, table, output_open());
		next = output_close();
		for (char *line; (line = strsep(&next, "\n")) != NULL;) {
			int commas = 0;

			for (const char *at = line; *at != '\0'; at++)
				commas += *at == ',';
			if (wanted < 0)
				wanted = commas;
			if (*line != '\0')
				assert_int_equal(commas, wanted);
		}
	}
}

TEST_EACH(record_fixture_setup, end)
