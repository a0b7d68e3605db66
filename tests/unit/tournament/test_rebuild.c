/*
 * Results made anew from records: the same, or else both are there.
 */
#include "rebuild.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games.h"
#include "record_fixture.h"
#include "rows.h"
#include "runner.h"
#include "test.h"

enum { BLOCKS = 6 };

/* Rebuilds the run; the head is for results that cannot be read. */
static int
make(struct record_fixture *fixture, struct rebuild_report *report, bool head)
{
	struct rebuild_order order = {
		.path = fixture->path,
		.tournament = &fixture->config,
		.head = head ? &fixture->head : NULL,
	};

	return rebuild(&order, report, &fixture->error);
}

/* All that the results say in one number, so that two can be compared. */
struct sum {
	uint64_t value;
	int64_t left;
};

static int
add_block(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct sum *sum = context;
	const unsigned char *bytes = (const unsigned char *)block;

	for (size_t i = 0; i < sizeof(*block); i++)
		sum->value = (sum->value ^ bytes[i]) * 0x100000001B3U;
	sum->value ^= (uint64_t)place->offset * 31 + (uint64_t)place->size;
	for (int i = 0; i < STORE_DIGEST_SIZE; i++)
		sum->value = (sum->value ^ place->chain[i]) * 0x100000001B3U;
	return --sum->left == 0;
}

/* Of the first blocks. */
static uint64_t
results_sum(struct record_fixture *fixture, int64_t count)
{
	static struct run run;
	struct sum sum = { .left = count };

	assert_int_equal(
	    run_open(&run, fixture->path, false, &fixture->error), 0);
	assert_true(run.block_count >= count);
	assert_true(
	    store_walk(run.store, 0, add_block, &sum, &fixture->error) >= 0);
	run_close(&run);
	return sum.value;
}

static void
assert_exists(const char *path, bool exists)
{
	assert_int_equal(access(path, F_OK) == 0, exists);
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
	struct record_fixture *fixture = *state;

	for (int i = 0; i < COUNTOF(runs); i++) {
		struct rebuild_report report;
		uint64_t sum;

		record_fixture_configure(
		    fixture, runs[i].spec, runs[i].bots, runs[i].rounds);
		record_fixture_make(fixture, runs[i].blocks);
		sum = results_sum(fixture, runs[i].blocks);
		assert_int_equal(make(fixture, &report, false), 0);
		assert_int_equal(report.outcome, REBUILD_IDENTICAL);
		assert_int_equal(report.blocks, runs[i].blocks);
		assert_int_equal(
		    report.games, runs[i].blocks * fixture->head.game_count);
		assert_int_equal(report.gained, 0);
		assert_int_equal(report.lost, 0);
		assert_int_equal(report.tail, 0);
		assert_string_equal(report.kept, "");
		/* Without the old ones the same results are made. */
		assert_int_equal(
		    unlink(record_fixture_file(fixture, RUN_RESULTS)), 0);
		assert_int_equal(make(fixture, &report, true), 0);
		assert_int_equal(report.outcome, REBUILD_ALONE);
		assert_int_equal(report.gained, runs[i].blocks);
		assert_string_equal(report.kept, "");
		assert_true(results_sum(fixture, runs[i].blocks) == sum);
		assert_exists(
		    record_fixture_file(fixture, "results.db.new"), false);
		folder_remove(fixture->path);
	}
}

/* The rule who is suspended is part of what makes results. */
TEST(test_skipped_blocks_are_found_again)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	uint64_t sum;

	fixture->bad_bot = 1;
	record_fixture_configure(fixture, "scopa", 3, 4);
	record_fixture_make(fixture, 12);
	sum = results_sum(fixture, 11);
	assert_int_equal(make(fixture, &report, false), 0);
	assert_int_equal(report.outcome, REBUILD_IDENTICAL);
	assert_int_equal(report.blocks, 12);
	/* Two blocks of the bad bot, and the four without it. */
	assert_int_equal(report.games, 2 * (2 + 4));
	assert_int_equal(unlink(record_fixture_file(fixture, RUN_RESULTS)), 0);
	assert_int_equal(make(fixture, &report, true), 0);
	/* Skips at the end leave no trace; whoever goes on finds them. */
	assert_int_equal(report.blocks, 11);
	assert_int_equal(report.games, 2 * (2 + 4));
	assert_true(results_sum(fixture, 11) == sum);
}

TEST(test_changed_result_is_named_and_put_right)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	uint64_t sum;

	record_fixture_make(fixture, BLOCKS);
	sum = results_sum(fixture, BLOCKS);
	record_fixture_meddle(fixture,
	    "UPDATE game SET scores = '[99,0]' WHERE game = 5;"
	    "UPDATE run SET state = 'done'");
	assert_true(results_sum(fixture, BLOCKS) != sum);
	assert_int_equal(make(fixture, &report, false), 0);
	assert_int_equal(report.outcome, REBUILD_DIFFERENT);
	assert_non_null(strstr(
	    report.difference, "game 3, 5: `scores` is [99,0], and not ["));
	assert_string_equal(
	    report.kept, record_fixture_file(fixture, "results.db.old"));
	assert_exists(report.kept, true);
	assert_true(results_sum(fixture, BLOCKS) == sum);
	/* What was kept is not overwritten by the next one. */
	record_fixture_meddle(
	    fixture, "UPDATE game SET deals = 3 WHERE game = 1");
	assert_int_equal(make(fixture, &report, false), 0);
	assert_string_equal(
	    report.kept, record_fixture_file(fixture, "results.db.old-2"));
	assert_true(results_sum(fixture, BLOCKS) == sum);
	assert_int_equal(make(fixture, &report, false), 0);
	assert_int_equal(report.outcome, REBUILD_IDENTICAL);
}

TEST(test_damaged_results_are_replaced)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	char page[4096] = { 0x5A };
	uint64_t sum;
	int fd;

	record_fixture_make(fixture, BLOCKS);
	sum = results_sum(fixture, BLOCKS);
	fd = open(record_fixture_file(fixture, RUN_RESULTS), O_WRONLY);
	for (int at = 1; at < 8; at++)
		assert_int_equal(
		    pwrite(fd, page, sizeof(page), at * 4096), 4096);
	close(fd);
	assert_int_equal(make(fixture, &report, false), -EBADMSG);
	assert_exists(record_fixture_file(fixture, "results.db.old"), false);
	assert_int_equal(make(fixture, &report, true), 0);
	assert_int_equal(report.outcome, REBUILD_ALONE);
	assert_non_null(strstr(report.difference, "damaged"));
	assert_exists(record_fixture_file(fixture, "results.db.old"), true);
	assert_true(results_sum(fixture, BLOCKS) == sum);
}

TEST(test_results_of_a_newer_version_are_left_alone)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;

	record_fixture_make(fixture, BLOCKS);
	record_fixture_meddle(fixture, "PRAGMA user_version = 6");
	assert_int_equal(make(fixture, &report, true), -EPROTO);
	assert_exists(record_fixture_file(fixture, "results.db.old"), false);
}

TEST(test_run_in_use_is_not_rebuilt)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	static struct run run;

	record_fixture_make(fixture, BLOCKS);
	assert_int_equal(
	    run_open(&run, fixture->path, true, &fixture->error), 0);
	assert_int_equal(make(fixture, &report, true), -EBUSY);
	run_close(&run);
}

/* Blocks that were written and not committed count again. */
TEST(test_records_behind_the_results_are_counted)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	uint64_t sum;

	record_fixture_make(fixture, BLOCKS);
	sum = results_sum(fixture, BLOCKS);
	record_fixture_meddle(fixture,
	    "DELETE FROM game WHERE block > 4;"
	    "DELETE FROM block WHERE block > 4");
	assert_int_equal(make(fixture, &report, false), 0);
	assert_int_equal(report.outcome, REBUILD_IDENTICAL);
	assert_int_equal(report.gained, 2);
	assert_int_equal(report.blocks, BLOCKS);
	assert_true(results_sum(fixture, BLOCKS) == sum);
}

/* Cut anywhere: the whole blocks before it count. */
TEST(test_half_a_block_at_the_end_is_left_out)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	struct stat file;
	off_t size;

	record_fixture_make(fixture, BLOCKS);
	assert_int_equal(
	    stat(record_fixture_file(fixture, RUN_RECORDS), &file), 0);
	size = file.st_size;
	for (int cut = 1; cut < 8; cut++) {
		assert_int_equal(
		    truncate(record_fixture_file(fixture, RUN_RECORDS),
			size -= cut == 1 ? 1 : 700),
		    0);
		assert_int_equal(make(fixture, &report, false), 0);
		assert_true(report.blocks < BLOCKS);
		assert_true(report.lost == 0 || report.kept[0]);
		assert_true(report.tail > 0);
	}
}

/* A block that does not prove what it says counts for nothing. */
/* Makes the sum of that game of a file, from 1, another one. */
static void
spoil_sum(int fd, const char *bytes, off_t size, int game)
{
	const char *at = bytes;

	for (; game > 0; game--) {
		at = memmem(at, (size_t)(bytes + size - at), " sha256=", 8);
		assert_non_null(at);
		at += 8;
	}
	assert_int_equal(pwrite(fd, *at == '0' ? "1" : "0", 1, at - bytes), 1);
}

TEST(test_damaged_block_is_named_and_those_behind_it_are_saved)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	int64_t bad = 1;
	char *bytes;
	struct stat file;
	uint64_t sum;
	int fd;

	record_fixture_make(fixture, BLOCKS);
	fd = open(record_fixture_file(fixture, RUN_RECORDS), O_RDWR);
	assert_int_equal(fstat(fd, &file), 0);
	bytes = malloc((size_t)file.st_size);
	assert_int_equal(read(fd, bytes, (size_t)file.st_size), file.st_size);
	sum = results_sum(fixture, BLOCKS);
	for (off_t at = 0; at < file.st_size; at += file.st_size / 40 + 1) {
		char byte = bytes[at] == '!' ? '?' : '!';

		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		if (at == 0) {
			assert_int_equal(
			    make(fixture, &report, true), -EBADMSG);
			assert_non_null(
			    strstr(fixture->error.what, "records.scopa"));
			assert_non_null(strstr(fixture->error.hint,
			    "make it \"%scopa-record 1\""));
		} else {
			assert_int_equal(make(fixture, &report, true), 0);
			assert_in_range(report.bad, bad, BLOCKS);
			bad = report.bad;
			assert_int_equal(report.blocks, bad - 1);
			assert_int_equal(report.saved, BLOCKS - bad);
			assert_int_equal(report.damages.count, 1);
			assert_non_null(
			    strstr(report.bad_why, "records.scopa"));
			assert_exists(report.bad_kept, true);
			assert_exists(
			    record_fixture_file(fixture, SALVAGE_FILE),
			    report.saved > 0);
		}
		assert_int_equal(pwrite(fd, bytes + at, 1, at), 1);
	}
	assert_int_equal(bad, BLOCKS);
	/* Every broken game is named. */
	assert_true(BLOCKS >= 4);
	spoil_sum(fd, bytes, file.st_size, 3);
	spoil_sum(fd, bytes, file.st_size, 7);
	assert_int_equal(make(fixture, &report, true), 0);
	assert_int_equal(report.bad, 2);
	assert_int_equal(report.saved, BLOCKS - 3);
	assert_int_equal(report.damages.count, 2);
	assert_int_equal(report.damages.damages[0].block, 2);
	assert_int_equal(report.damages.damages[1].block, 4);
	assert_int_equal(
	    pwrite(fd, bytes, (size_t)file.st_size, 0), file.st_size);
	/* Once the file is brought back, nothing is lost. */
	assert_int_equal(make(fixture, &report, true), 0);
	assert_int_equal(report.bad, 0);
	assert_true(results_sum(fixture, BLOCKS) == sum);
	/* A game that is missing is one, too. */
	bytes[file.st_size - 1] = '\n';
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	for (char *at = bytes, *end = bytes + file.st_size; at < end;) {
		char *next =
		    memmem(at + 1, (size_t)(end - at - 1), "\nmatch ", 7);

		next = next ? next + 1 : end;
		if (strncmp(at, "match m4 ", 9) != 0)
			assert_int_equal(
			    write(fd, at, (size_t)(next - at)), next - at);
		at = next;
	}
	free(bytes);
	close(fd);
	assert_int_equal(make(fixture, &report, true), 0);
	assert_int_equal(report.bad, 2);
	assert_int_equal(report.saved, BLOCKS - 2);
	assert_non_null(strstr(report.bad_why, "game 4 of block 2 "));
	assert_exists(record_fixture_file(fixture, "results.db.new"), false);
}

/* What the run was before, unless the blocks say otherwise. */
TEST(test_state_is_the_one_that_the_run_had)
{
	static const struct {
		const char *was; /* NULL: the results are lost */
		int blocks;      /* of BLOCKS in the schedule */
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
	struct record_fixture *fixture = *state;

	for (int i = 0; i < COUNTOF(rows); i++) {
		char found[STORE_STATE_SIZE], sql[128];
		struct rebuild_report report;
		static struct run run; /* large */

		record_fixture_make(fixture, rows[i].blocks);
		snprintf(sql, sizeof(sql), "UPDATE run SET state = '%s'",
		    rows[i].was ? rows[i].was : "x");
		record_fixture_meddle(fixture, sql);
		if (rows[i].was == NULL)
			assert_int_equal(
			    unlink(record_fixture_file(fixture, RUN_RESULTS)),
			    0);
		else
			record_fixture_meddle(
			    fixture, "UPDATE bot SET command = 'another'");
		if (rows[i].attempts)
			assert_int_equal(run_text_put(fixture->path,
					     ATTEMPTS_FILE, rows[i].attempts),
			    0);
		/* Something to replace, so that the state is a new one. */
		if (rows[i].was != NULL && rows[i].blocks > 0)
			record_fixture_meddle(fixture,
			    "UPDATE game SET deals = 9 WHERE game = 1");
		assert_int_equal(make(fixture, &report, true), 0);
		assert_int_equal(
		    run_open(&run, fixture->path, false, &fixture->error), 0);
		assert_int_equal(
		    store_state(run.store, found, sizeof(found)), 0);
		assert_string_equal(found, rows[i].state);
		run_close(&run);
		folder_remove(fixture->path);
	}
}

TEST(test_another_configuration_is_refused)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;
	struct tournament_config config = fixture->config;

	record_fixture_make(fixture, BLOCKS);
	fixture->config.schedule.bot_count = 4;
	assert_int_equal(make(fixture, &report, false), -EINVAL);
	fixture->config = config;
	/* Fewer rounds: the records hold games that nobody has planned. */
	fixture->config.schedule.rounds = 1;
	assert_int_equal(make(fixture, &report, false), -EBADMSG);
	assert_non_null(strstr(fixture->error.what, "no block of the"));
	fixture->config = config;
	fixture->config.schedule.format = SCHEDULE_GAUNTLET;
	fixture->config.schedule.challengers = 1;
	assert_int_equal(make(fixture, &report, false), -EBADMSG);
	assert_exists(record_fixture_file(fixture, "results.db.old"), false);
}

TEST(test_folder_without_records_is_refused)
{
	struct record_fixture *fixture = *state;
	struct rebuild_report report;

	assert_int_equal(make(fixture, &report, true), -ENOENT);
	assert_exists(fixture->path, false);
	record_fixture_make(fixture, BLOCKS);
	assert_int_equal(
	    truncate(record_fixture_file(fixture, RUN_RECORDS), 0), 0);
	assert_int_equal(make(fixture, &report, true), -EBADMSG);
	assert_int_equal(unlink(record_fixture_file(fixture, RUN_RECORDS)), 0);
	assert_int_equal(make(fixture, &report, true), -ENOENT);
}

TEST_EACH(record_fixture_setup, record_fixture_teardown)
