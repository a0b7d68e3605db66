/*
 * From what tournament and gate are told to what they play.
 */
#include "tournament_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "test.h"
#include "tournament_fixture.h"

static void
assert_refused(bool gate, const char *line, const char *expected)
{
	tournament_fixture_read(gate, line);
	assert_int_equal(tournament_fixture_open(gate), STATUS_USAGE);
	assert_memory_equal(
	    tournament_fixture_said, "error: ", strlen("error: "));
	if (strstr(tournament_fixture_said, expected) == NULL)
		fail_msg("%s: %s", line, tournament_fixture_said);
}

TEST_WITH(test_defaults_of_a_tournament, NULL, tournament_fixture_forget)
{
	struct cores cores;

	tournament_fixture_assert_good(
	    false, "@greedy @random --bot @first name=Third");
	assert_int_equal(tournament_fixture_setup.entrant_count, 3);
	assert_string_equal(
	    tournament_fixture_setup.entrants[0].command, "@greedy");
	assert_string_equal(tournament_fixture_setup.entrants[2].name, "Third");
	assert_string_equal(tournament_fixture_setup.name, "tournament");
	assert_int_equal(tournament_fixture_setup.rules.rules.players, 2);
	assert_int_equal(tournament_fixture_setup.rules.deals, 0);
	assert_int_equal(
	    tournament_fixture_setup.schedule.format, SCHEDULE_ROUND_ROBIN);
	assert_true(tournament_fixture_setup.schedule.duplicate);
	assert_false(tournament_fixture_setup.schedule.mixed);
	assert_int_equal(tournament_fixture_setup.schedule.rounds, 10);
	assert_int_equal(
	    schedule_game_count(&tournament_fixture_setup.schedule), 2);
	assert_int_equal(
	    tournament_fixture_setup.rules.settings.control.kind, BUDGET_MOVE);
	assert_int_equal(tournament_fixture_setup.pin, DISPATCHER_PIN_AUTO);
	assert_int_equal(cores_allowed(&cores), 0);
	assert_int_equal(tournament_fixture_setup.concurrency, cores.count);
	assert_true(tournament_fixture_setup.level > 0.94 &&
	    tournament_fixture_setup.level < 0.96);
	assert_int_equal(tournament_fixture_settings.log.level, LOG_INFO);
}

TEST_WITH(test_defaults_of_a_gate, NULL, tournament_fixture_forget)
{
	tournament_fixture_assert_good(true, "@greedy @random");
	assert_int_equal(tournament_fixture_setup.entrant_count, 2);
	assert_int_equal(tournament_fixture_setup.rules.deals, 1);
	assert_true(tournament_fixture_setup.gate.sequential);
	assert_int_equal(tournament_fixture_setup.gate.sprt.model, SPRT_MARGIN);
	assert_int_equal(
	    tournament_fixture_setup.gate.sprt.unit, SPRT_UNIT_ELO);
	assert_true(tournament_fixture_setup.gate.sprt.low >= 0 &&
	    tournament_fixture_setup.gate.sprt.low <= 0);
	assert_true(tournament_fixture_setup.gate.sprt.high >= 5 &&
	    tournament_fixture_setup.gate.sprt.high <= 5);
	assert_int_equal(
	    tournament_fixture_setup.gate.sprt.minimum, SPRT_MINIMUM_DEFAULT);
	assert_int_equal(tournament_fixture_setup.gate.blocks_max, 1000000);
	assert_int_equal(tournament_fixture_setup.schedule.rounds,
	    tournament_fixture_setup.gate.blocks_max);
}

TEST_WITH(
    test_a_gate_of_blocks_is_not_sequential, NULL, tournament_fixture_forget)
{
	tournament_fixture_assert_good(
	    true, "--bot @greedy --base @random --rounds 50");
	assert_false(tournament_fixture_setup.gate.sequential);
	assert_int_equal(tournament_fixture_setup.gate.blocks_max, 50);
	assert_string_equal(
	    tournament_fixture_setup.entrants[0].command, "@greedy");
	assert_string_equal(
	    tournament_fixture_setup.entrants[1].command, "@random");
	tournament_fixture_assert_good(
	    true, "@greedy @random --games 50 --target 5");
	assert_int_equal(tournament_fixture_setup.gate.blocks_max, 25);
	assert_int_equal(tournament_fixture_setup.rules.deals, 0);
	assert_int_equal(tournament_fixture_setup.rules.rules.target, 5);
	tournament_fixture_assert_good(
	    true, "@greedy @random --rounds 50 --sprt elo1=10");
	assert_true(tournament_fixture_setup.gate.sequential);
	assert_int_equal(tournament_fixture_setup.gate.blocks_max, 50);
	tournament_fixture_assert_good(
	    true, "@greedy @random --sprt max=60 alpha=0.01");
	assert_int_equal(tournament_fixture_setup.gate.blocks_max, 60);
	assert_true(tournament_fixture_setup.gate.sprt.alpha < 0.011);
	tournament_fixture_assert_good(
	    true, "@greedy @random --sprt points0=-0.1 points1=0.2");
	assert_int_equal(
	    tournament_fixture_setup.gate.sprt.unit, SPRT_UNIT_POINTS);
	assert_true(tournament_fixture_setup.gate.sprt.low < -0.09);
	assert_true(tournament_fixture_setup.gate.sprt.high > 0.19);
}

TEST_WITH(test_games_are_made_of_whole_blocks, NULL, tournament_fixture_forget)
{
	tournament_fixture_assert_good(
	    false, "@greedy @random --rounds 3 --games 4");
	assert_int_equal(tournament_fixture_setup.schedule.rounds, 6);
	tournament_fixture_assert_good(
	    false, "@greedy @random --games 3 --no-duplicate");
	assert_int_equal(tournament_fixture_setup.schedule.rounds, 3);
	assert_refused(false, "@greedy @random --games 3",
	    "3 games are no whole number of blocks");
	assert_refused(false,
	    "@greedy @random --rounds 10000000 --games 10000000", "too many");
}

TEST_WITH(
    test_each_goes_behind_what_a_bot_says, NULL, tournament_fixture_forget)
{
	tournament_fixture_assert_good(false,
	    "--bot @greedy option.A=1 --bot @random dir=/ tc=3 --each "
	    "option.A=2 option.B=3 env.X=4 tc=3 dir=/tmp");
	assert_string_equal(
	    tournament_fixture_setup.entrants[0].options[0], "A=1");
	assert_string_equal(
	    tournament_fixture_setup.entrants[0].options[1], "B=3");
	assert_null(tournament_fixture_setup.entrants[0].options[2]);
	assert_string_equal(
	    tournament_fixture_setup.entrants[1].options[0], "A=2");
	assert_string_equal(
	    tournament_fixture_setup.entrants[1].environment[0], "X=4");
	assert_string_equal(tournament_fixture_setup.entrants[0].dir, "/tmp");
	assert_string_equal(tournament_fixture_setup.entrants[1].dir, "/");
	assert_int_equal(
	    tournament_fixture_setup.rules.settings.control.kind, BUDGET_MATCH);
	assert_int_equal(
	    tournament_fixture_setup.rules.settings.control.base_ms, 3000);
}

TEST_WITH(test_pairs_of_a_bot_and_of_each_have_one_limit, NULL,
    tournament_fixture_forget)
{
	char line[TOURNAMENT_FIXTURE_LINE_SIZE] = "@greedy --bot @random";

	for (int i = 1; i < OPTION_PAIRS_MAX; i++)
		snprintf(line + strlen(line), 16, " env.A%d=1", i);
	strcat(line, " --each env.A1=2 env.B=1");
	tournament_fixture_assert_good(false, line);
	assert_string_equal(
	    tournament_fixture_setup.entrants[1].environment[0], "A1=1");
	assert_string_equal(tournament_fixture_setup.entrants[1]
				.environment[OPTION_PAIRS_MAX - 1],
	    "B=1");
	assert_null(
	    tournament_fixture_setup.entrants[1].environment[OPTION_PAIRS_MAX]);
	strcat(line, " env.C=1");
	assert_refused(false, line, "more than 32 words");
}

TEST_WITH(test_what_cannot_be_is_refused, NULL, tournament_fixture_forget)
{
	assert_refused(false, "@greedy", "needs two bots, but 1");
	assert_refused(false, "@greedy @rnadom", "\"@rnadom\"");
	assert_refused(false, "@greedy @random --deals 1 --target 5",
	    "exclude each other");
	assert_refused(false, "@greedy @random --rules scopp", "scopp");
	assert_refused(false, "@greedy @random --name a/b", "--name \"a/b\"");
	assert_refused(false, "@greedy @random --name .a", "no point");
	assert_refused(false, "@greedy @random --level 1", "--level 1");
	assert_refused(false, "@greedy @random --packs no.packs", "no.packs");
	assert_refused(
	    false, "@greedy --bot @random tc=1", "have different times");
	assert_refused(false, "@greedy @random --each name=A", "its own name");
	assert_refused(false, "@greedy --bot args=x", "needs cmd=");
	assert_refused(false, "@greedy @random --pin 1023", "core 1023");
	assert_refused(true, "@greedy", "needs a base");
	assert_refused(true, "--base @greedy", "needs a candidate");
	assert_refused(true, "@greedy @random @first", "3 are named");
	assert_refused(true, "@greedy @random --base @first", "3 are named");
	assert_refused(true, "@greedy @random --seats 3", "3 meet");
	assert_refused(true, "@greedy @random --sprt elo0=5 elo1=5",
	    "elo0=5 is not below elo1=5");
	assert_refused(
	    true, "@greedy @random --sprt elo0=5 points1=5", "not in both");
	assert_refused(
	    true, "@greedy @random --sprt points1=5", "belong together");
	assert_refused(true,
	    "@greedy @random --sprt points0=0 points1=1 model=bayesian",
	    "only the models margin");
	assert_refused(true, "@greedy @random --sprt alpha=0.5", "below 0.5");
	assert_refused(true, "@greedy @random --sprt beta=0", "above 0");
	assert_refused(false, "@greedy @random --stages 3",
	    "--stages is for --format swiss");
	assert_refused(false, "@greedy @random --format swiss --blocks 9",
	    "--blocks is for --format ladder");
	assert_refused(false, "@greedy @random @first --challengers 2",
	    "--challengers is for --format gauntlet");
	assert_refused(
	    true, "@greedy @random --sprt max=5 --rounds 5", "two limits");
}

TEST_WITH(
    test_names_stand_as_their_rooms_know_them, NULL, tournament_fixture_forget)
{
	for (int i = 0; i < SCHEDULE_FORMAT_COUNT; i++)
		assert_string_equal(tournament_formats[i],
		    schedule_format_name((enum schedule_format)i));
	assert_null(tournament_formats[SCHEDULE_FORMAT_COUNT]);
	for (int i = 0; i < LOG_LEVEL_COUNT; i++)
		assert_string_equal(tournament_log_levels[i],
		    log_level_name((enum log_level)i));
	assert_null(tournament_log_levels[LOG_LEVEL_COUNT]);
}

TEST_GROUP(tournament_fixture_begin, tournament_fixture_end)
