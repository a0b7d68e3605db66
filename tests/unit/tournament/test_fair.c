/*
 * The check whether a run dealt fairly: unchanged runs pass, and each change of
 * the results is named.  Packs from a secret are tested in e2e/fair, because
 * the games here have none.
 */
#include "fair.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "output.h"
#include "record_fixture.h"
#include "test.h"

enum { BLOCKS = 6 };

static struct fair_report report;
static const struct gate_config *gate; /* of the run, or NULL */

static int
try_check(void)
{
	static const struct shuffle_key secret;
	static const struct contributions contributions;
	const struct fair_order order = {
		.path = fixture->path,
		.tournament = &fixture->config,
		.gate = gate,
		.secret = &secret,
		.contributions = &contributions,
		.packs_given = true,
	};

	return fair_check(&order, &report, &fixture->error);
}

static void
check(void)
{
	assert_int_equal(try_check(), 0);
}

static void
expect_fair(int64_t blocks, bool over)
{
	check();
	if (!report.good)
		fail_msg("%s:%lld: %s", report.file, (long long)report.line,
		    report.text);
	assert_int_equal(report.blocks, blocks);
	assert_int_equal(report.over, over);
	assert_false(report.committed);
	assert_string_equal(report.terms, fixture->head.terms);
	assert_string_equal(report.commitment, "");
}

static void
expect_unfair(const char *why)
{
	check();
	assert_false(report.good);
	assert_string_equal(report.file, RUN_RESULTS);
	expect_parts(report.text, why);
}

TEST(test_unfinished_run_is_fair_so_far)
{
	record_fixture_make(BLOCKS - 2);
	expect_fair(BLOCKS - 2, false);
	assert_int_equal(report.games, 2 * (BLOCKS - 2));
	assert_int_equal(report.packs, 2 * (BLOCKS - 2));
	/* A run that is marked as done must have all blocks. */
	record_fixture_change_results("UPDATE run SET state = 'done'");
	expect_unfair("block 5 is missing");
}

TEST(test_gate_that_was_played_on_after_its_verdict_is_unfair)
{
	struct gate_config config = { .level = 0.95, .blocks_max = BLOCKS };

	record_fixture_make(BLOCKS);
	gate = &config;
	expect_fair(BLOCKS, false);
	config.blocks_max = BLOCKS - 2;
	expect_unfair("block 5 was played after the end of the run");
	assert_null(strstr(report.text, "version"));
	gate = NULL;
}

/* Whoever reads it must know that a test of another version may end later. */
TEST(test_end_that_another_version_decided_is_named_with_the_version)
{
	struct gate_config config = { .level = 0.95, .blocks_max = BLOCKS - 2 };

	fixture->tool = "scopa-arena/0.1.0 ";
	record_fixture_make(BLOCKS);
	gate = &config;
	expect_unfair("block 5 was played after the end of the run (by the "
		      "rules of this version; it was played by "
		      "scopa-arena/0.1.0)");
	gate = NULL;
}

TEST(test_block_that_is_skipped_against_the_rule_is_unfair)
{
	fixture->bad_bot = 1;
	record_fixture_configure("scopa", 3, 4);
	record_fixture_make(12);
	record_fixture_change_results("UPDATE run SET state = 'done'");
	expect_fair(12, true);
	assert_int_equal(report.games, 2 * (2 + 4));
	record_fixture_change_results(
	    "DELETE FROM game WHERE block = 1;"
	    "UPDATE block SET skipped = 1 WHERE block = 1");
	expect_unfair("block 1 is skipped, against the rule who is suspended");
}

TEST(test_change_of_any_column_is_found)
{
	/* Columns of the first game of block 3, then columns of the block. */
	static const struct {
		const char *sql, *why;
	} changes[] = {
		{ "scores = '[98,99]'", "`scores`" },
		{ "points = '[{\"cards\":77},{}]'", "`points`" },
		{ "deals = 77", "`deals`" },
		{ "winner = CASE winner WHEN 'A' THEN 'B' ELSE 'A' END",
		    "`winner`" },
		{ "reason = 'luck'", "`reason`" },
		{ "forfeiter = 'A'", "`forfeiter`" },
		{ "offender = 1, offence = 'crash', offence_reason = 'x'",
		    "`offender`" },
		{ "offences = '[{\"crash\":1},{}]'", "`offences`" },
		{ "think_us = '[9999999,1]'", "`think_us`" },
		{ "off_turn_ns = '[5,0]'", "`off_turn_ns`" },
		{ "pondered = '[1,0]'", "`pondered`" },
		{ "cut_short = '[0,1]'", "`cut_short`" },
		{ "void_turns = 7", "`void_turns`" },
		{ "lag_longest_ns = 7", "`lag_longest_ns`" },
		{ "think_longest_us = '[9999999,1]'", "`think_longest_us`" },
		{ "decisions = '[9999999,1]'", "`decisions`" },
		/* Columns of the block. */
		{ "round = 9", "block 3 is not the block of the schedule" },
		{ "dealer = 3 - dealer",
		    "block 3 is not the block of the schedule" },
		{ "seating = '[[1,2],[1,2]]'", "block 3 " },
		{ "record_offset = 20", "or stood elsewhere" },
		{ "record_size = 20", "or stood elsewhere" },
		{ "record_sha256 = chain", "its record was another one" },
		{ "chain = record_sha256", "the chain of results breaks" },
		{ "chain = 'x'", "cannot be read" },
		{ "block = 99", "block 3 is missing" },
	};
	enum { GAMES = 16 }; /* rows that change a game */

	for (int i = 0; i < COUNTOF(changes); i++) {
		char sql[256];

		record_fixture_make(BLOCKS);
		snprintf(sql, sizeof(sql),
		    i < GAMES ? "UPDATE game SET %s WHERE game = 5"
			      : "UPDATE block SET %s WHERE block = 3",
		    changes[i].sql);
		record_fixture_change_results(sql);
		expect_unfair(changes[i].why);
		if (i < GAMES)
			expect_parts(report.text, "block 3, match m5: ");
		assert_int_equal(report.blocks, 2);
		folder_remove(fixture->path);
	}
}

/* Nothing is wrong with such a run, which `db rebuild` makes readable. */
TEST(test_run_of_another_version_is_not_judged)
{
	static const struct {
		const char *sql, *what;
		int status;
	} cases[] = {
		{ "PRAGMA user_version = 4", "older", -ESTALE },
		{ "PRAGMA user_version = 6", "newer", -EPROTO },
	};

	record_fixture_make(BLOCKS);
	for (int i = 0; i < COUNTOF(cases); i++) {
		record_fixture_change_results(cases[i].sql);
		assert_int_equal(try_check(), cases[i].status);
		expect_parts(fixture->error.what, cases[i].what);
	}
}

TEST_EACH(record_fixture_setup, record_fixture_teardown)
