/*
 * Results that are rebuilt from records: they are the same, or the old results
 * are kept beside the new ones.
 */
#include "rebuild.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults.h"
#include "output.h"
#include "record_fixture.h"
#include "runner.h"
#include "test.h"

enum { BLOCKS = 6 };

static struct rebuild_report report; /* report of the last rebuild */

static const char *
path_of(const char *name)
{
	return folder_path(fixture->path, name);
}

static void
open_run(struct run *run, bool writable)
{
	assert_int_equal(
	    run_open(run, fixture->path, writable, &fixture->error), 0);
}

/* Rebuilds the run; the head is given if the results cannot be read. */
static int
make(bool head)
{
	struct rebuild_order order = {
		.path = fixture->path,
		.tournament = &fixture->config,
		.head = head ? &fixture->head : NULL,
	};

	return rebuild(&order, &report, &fixture->error);
}

/* A hash of all results, to compare two databases. */
struct sum {
	uint64_t value;
	int64_t left;
};

static int
add_block(void *context, const struct block_result *block)
{
	struct sum *sum = context;
	const unsigned char *bytes = (const unsigned char *)block;

	for (size_t i = 0; i < sizeof(*block); i++)
		sum->value = (sum->value ^ bytes[i]) * 0x100000001B3U;
	return --sum->left == 0;
}

/* The hash of the first `count` blocks. */
static uint64_t
results_sum(int64_t count)
{
	static struct run run;
	struct sum sum = { .left = count };

	open_run(&run, false);
	assert_true(run.block_count >= count);
	assert_true(store_walk_from(
			run.store, 0, add_block, &sum, &fixture->error) >= 0);
	run_close(&run);
	return sum.value;
}

static void
assert_exists(const char *path, bool exists)
{
	assert_int_equal(access(path, F_OK) == 0, exists);
}

/* Rebuilds the run; fails unless this is the outcome. */
static void
expect(bool head, enum rebuild_outcome outcome, int64_t blocks)
{
	assert_int_equal(make(head), 0);
	assert_int_equal(report.outcome, outcome);
	assert_int_equal(report.blocks, blocks);
}

static void
lose_results(void)
{
	assert_int_equal(unlink(path_of(RUN_RESULTS)), 0);
}

TEST(test_results_follow_from_records)
{
	static const struct {
		const char *spec;
		int bots, rounds, blocks;
	} runs[] = {
		{ "scopa", 3, 2, 6 },
		{ "scientifico", 2, 3, 3 },
		{ "scopa,players=3", 4, 1, 4 },
		{ "cirulla", 3, 1, 3 },
	};

	for (int i = 0; i < COUNTOF(runs); i++) {
		uint64_t sum;

		record_fixture_configure(
		    runs[i].spec, runs[i].bots, runs[i].rounds);
		record_fixture_make(runs[i].blocks);
		sum = results_sum(runs[i].blocks);
		expect(false, REBUILD_IDENTICAL, runs[i].blocks);
		assert_int_equal(
		    report.games, runs[i].blocks * fixture->head.game_count);
		assert_int_equal(report.gained, 0);
		assert_int_equal(report.lost, 0);
		assert_int_equal(report.tail, 0);
		assert_string_equal(report.kept, "");
		/* Without the old results the same results are made. */
		lose_results();
		expect(true, REBUILD_ALONE, runs[i].blocks);
		assert_int_equal(report.gained, runs[i].blocks);
		assert_string_equal(report.kept, "");
		assert_true(results_sum(runs[i].blocks) == sum);
		assert_exists(path_of("results.db.new"), false);
		folder_remove(fixture->path);
	}
}

/* The results depend on the rule that suspends bots. */
TEST(test_skipped_blocks_are_restored)
{
	uint64_t sum;

	fixture->bad_bot = 1;
	record_fixture_configure("scopa", 3, 4);
	record_fixture_make(12);
	sum = results_sum(11);
	expect(false, REBUILD_IDENTICAL, 12);
	/* Two blocks with the bad bot, and the four without it. */
	assert_int_equal(report.games, 2 * (2 + 4));
	lose_results();
	assert_int_equal(make(true), 0);
	/* Skipped blocks at the end have no records; a resumed run adds
	 * them. */
	assert_int_equal(report.blocks, 11);
	assert_int_equal(report.games, 2 * (2 + 4));
	assert_true(results_sum(11) == sum);
}

TEST(test_changed_result_is_named_and_corrected)
{
	uint64_t sum;

	record_fixture_make(BLOCKS);
	sum = results_sum(BLOCKS);
	record_fixture_change_results(
	    "UPDATE game SET scores = '[99,0]' WHERE game = 5;"
	    "UPDATE run SET state = 'done'");
	assert_true(results_sum(BLOCKS) != sum);
	expect(false, REBUILD_DIFFERENT, BLOCKS);
	expect_parts(
	    report.difference, "game 3, 5: `scores` is [99,0], and not [");
	assert_string_equal(report.kept, path_of("results.db.old"));
	assert_exists(report.kept, true);
	assert_true(results_sum(BLOCKS) == sum);
	/* The next rebuild does not overwrite the results that the first one
	 * has kept. */
	record_fixture_change_results(
	    "UPDATE game SET deals = 3 WHERE game = 1");
	assert_int_equal(make(false), 0);
	assert_string_equal(report.kept, path_of("results.db.old-2"));
	assert_true(results_sum(BLOCKS) == sum);
	expect(false, REBUILD_IDENTICAL, BLOCKS);
}

TEST(test_damaged_results_are_replaced)
{
	char page[4096] = { 0x5A };
	uint64_t sum;
	int fd;

	record_fixture_make(BLOCKS);
	sum = results_sum(BLOCKS);
	fd = open(path_of(RUN_RESULTS), O_WRONLY);
	for (int at = 1; at < 8; at++)
		assert_int_equal(
		    pwrite(fd, page, sizeof(page), at * 4096), 4096);
	close(fd);
	assert_int_equal(make(false), -EBADMSG);
	assert_exists(path_of("results.db.old"), false);
	expect(true, REBUILD_ALONE, BLOCKS);
	expect_parts(report.difference, "damaged");
	assert_exists(path_of("results.db.old"), true);
	assert_true(results_sum(BLOCKS) == sum);
}

/* Changes the database; the rebuild must make the earlier results again. */
static void
change_and_rebuild(const char *sql, bool head, const char *difference)
{
	uint64_t sum;

	record_fixture_make(BLOCKS);
	sum = results_sum(BLOCKS);
	record_fixture_change_results(sql);
	expect(head, REBUILD_ALONE, BLOCKS);
	expect_parts(report.difference, difference);
	assert_true(results_sum(BLOCKS) == sum);
}

TEST(test_missing_rows_are_restored)
{
	change_and_rebuild(
	    "DELETE FROM game WHERE block = 6", false, "the rows of block 6");
	expect(false, REBUILD_IDENTICAL, BLOCKS);
}

TEST(test_results_of_an_older_version_are_made_again)
{
	change_and_rebuild("PRAGMA user_version = 4", true, "older");
}

TEST(test_results_of_a_newer_version_are_not_changed)
{
	record_fixture_make(BLOCKS);
	record_fixture_change_results("PRAGMA user_version = 6");
	assert_int_equal(make(true), -EPROTO);
	assert_exists(path_of("results.db.old"), false);
}

/* Blocks that were written and not committed are counted. */
TEST(test_records_after_the_last_result_are_counted)
{
	uint64_t sum;

	record_fixture_make(BLOCKS);
	sum = results_sum(BLOCKS);
	record_fixture_change_results("DELETE FROM game WHERE block > 4;"
				      "DELETE FROM block WHERE block > 4");
	expect(false, REBUILD_IDENTICAL, BLOCKS);
	assert_int_equal(report.gained, 2);
	assert_true(results_sum(BLOCKS) == sum);
}

/* A block whose records have a fault is not counted. */
TEST(test_damaged_block_is_named_and_later_records_are_saved)
{
	int64_t bad = 1;
	char *bytes;
	struct stat file;
	uint64_t sum;
	int fd;

	record_fixture_make(BLOCKS);
	fd = open(path_of(RUN_RECORDS), O_RDWR);
	assert_int_equal(fstat(fd, &file), 0);
	bytes = malloc((size_t)file.st_size);
	assert_int_equal(read(fd, bytes, (size_t)file.st_size), file.st_size);
	sum = results_sum(BLOCKS);
	for (off_t at = 0; at < file.st_size; at += file.st_size / 40 + 1) {
		char byte = bytes[at] == '!' ? '?' : '!';

		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		if (at == 0) {
			assert_int_equal(make(true), -EBADMSG);
			expect_parts(fixture->error.what, "records.scopa");
			expect_parts(
			    fixture->error.hint, "make it \"%scopa-record 1\"");
		} else {
			assert_int_equal(make(true), 0);
			assert_in_range(report.bad, bad, BLOCKS);
			bad = report.bad;
			assert_int_equal(report.blocks, bad - 1);
			assert_int_equal(report.salvaged, BLOCKS - bad);
			assert_int_equal(report.damages.count, 1);
			expect_parts(report.bad_why, "records.scopa");
			assert_exists(report.bad_backup, true);
			assert_exists(
			    path_of(SALVAGE_FILE), report.salvaged > 0);
		}
		assert_int_equal(pwrite(fd, bytes + at, 1, at), 1);
	}
	assert_int_equal(bad, BLOCKS);
	/* After the file has been restored, all blocks are counted. */
	assert_int_equal(make(true), 0);
	assert_int_equal(report.bad, 0);
	assert_true(results_sum(BLOCKS) == sum);
	free(bytes);
	close(fd);
	assert_exists(path_of("results.db.new"), false);
}

/* The state is the one before the rebuild, unless the blocks contradict it. */
TEST(test_state_of_the_run_is_restored)
{
	static const struct {
		const char *was; /* NULL: the results are lost */
		int blocks;      /* blocks played of BLOCKS */
		const char *attempts, *state;
	} rows[] = {
		{ "done", BLOCKS, NULL, "done" },
		{ "stopped", BLOCKS, NULL, "stopped" },
		{ "interrupted", BLOCKS, NULL, "interrupted" },
		{ "failed", 3, NULL, "failed" },
		{ "interrupted", 3, NULL, "interrupted" },
		{ "announced", 0, NULL, "announced" },
		{ "done", 3, NULL, "interrupted" },
		{ "stopped", 3, NULL, "interrupted" },
		{ NULL, BLOCKS, NULL, "done" },
		{ NULL, 3, "begun 8 ABORTED\n", "interrupted" },
		{ NULL, 3, "begun 8 ENV_ERR\n", "running" },
		{ NULL, 3, NULL, "interrupted" },
		{ NULL, 0, NULL, "announced" },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		char found[STORE_STATE_SIZE], sql[128];
		static struct run run; /* large */

		record_fixture_make(rows[i].blocks);
		snprintf(sql, sizeof(sql), "UPDATE run SET state = '%s'",
		    rows[i].was ? rows[i].was : "x");
		record_fixture_change_results(sql);
		if (rows[i].was == NULL)
			assert_int_equal(unlink(path_of(RUN_RESULTS)), 0);
		else
			record_fixture_change_results(
			    "UPDATE bot SET command = 'another'");
		if (rows[i].attempts)
			assert_int_equal(run_text_replace(fixture->path,
					     ATTEMPTS_FILE, rows[i].attempts),
			    0);
		/* With a change of a result, the rebuild writes a new database
		 * with a new state. */
		if (rows[i].was != NULL && rows[i].blocks > 0)
			record_fixture_change_results(
			    "UPDATE game SET deals = 9 WHERE game = 1");
		assert_int_equal(make(true), 0);
		open_run(&run, false);
		assert_int_equal(
		    store_state(run.store, found, sizeof(found)), 0);
		assert_string_equal(found, rows[i].state);
		run_close(&run);
		folder_remove(fixture->path);
	}
}

/*
 * As the runner decides: too few bots are left, although no block is left
 * either.
 */
TEST(test_run_stopped_by_the_suspension_in_its_last_block_is_stopped)
{
	char found[STORE_STATE_SIZE];
	static struct run run;

	fixture->bad_bot = 1;
	record_fixture_configure("scopa", 2, 2);
	record_fixture_make(2);
	lose_results();
	expect(true, REBUILD_ALONE, 2);
	open_run(&run, false);
	assert_int_equal(store_state(run.store, found, sizeof(found)), 0);
	assert_string_equal(found, "stopped");
	run_close(&run);
}

TEST_EACH(record_fixture_setup, record_fixture_teardown)

/*
 * Rebuilds that are killed at any step: the next rebuild ends as the first one
 * would have ended, and the old results are never lost.
 */
enum { FEW_BLOCKS = 3 };

static void
make_few_blocks(void)
{
	faults_arm(fixture->folder, FAULT_NONE, 0, FAULT_SURVIVES_NONE);
	record_fixture_make(FEW_BLOCKS);
}

static void
make_in_child(void)
{
	if (make(true) != 0)
		_exit(1);
}

static void
kill_at_every_step(enum fault fault)
{
	bool arrived = false;

	make_few_blocks();
	for (int step = 1; !arrived; step += faults_stride()) {
		/* A change that the rebuild must correct. */
		record_fixture_change_results(
		    "UPDATE game SET deals = deals + 1");
		arrived = faults_in_child(fixture->folder, fault, step,
		    FAULT_SURVIVES_NONE, make_in_child);
		assert_int_equal(make(true), 0);
		assert_int_equal(report.blocks, FEW_BLOCKS);
		assert_true(!arrived || report.outcome == REBUILD_IDENTICAL);
		/* Now the results are correct, and no temporary file is
		 * left. */
		assert_int_equal(make(true), 0);
		assert_int_equal(report.outcome, REBUILD_IDENTICAL);
		assert_exists(path_of("results.db.new"), false);
		assert_exists(path_of("results.db.old"), true);
		assert_int_equal(run_open(&fixture->run, fixture->path, true,
				     &fixture->error),
		    0);
		run_close(&fixture->run);
		unlink(path_of("results.db.old"));
		unlink(path_of("results.db.old-2"));
	}
}

TEST(test_rebuild_killed_at_any_step_can_be_repeated)
{
	kill_at_every_step(FAULT_KILL);
}

TEST(test_rebuild_after_a_loss_of_power_can_be_repeated)
{
	kill_at_every_step(FAULT_POWER);
}

/* If the disk is full at any step, nothing is changed. */
TEST(test_rebuild_on_a_full_disk_changes_nothing)
{
	int status = -ENOSPC;

	make_few_blocks();
	for (int step = 1; status == -ENOSPC; step++) {
		record_fixture_change_results(
		    "UPDATE game SET deals = deals + 1");
		faults_arm(
		    fixture->folder, FAULT_FULL, step, FAULT_SURVIVES_NONE);
		status = make(true);
		faults_disarm();
		if (status == -ENOSPC)
			assert_exists(path_of("results.db.old"), false);
	}
	assert_int_equal(status, 0);
	assert_int_equal(report.outcome, REBUILD_DIFFERENT);
}
