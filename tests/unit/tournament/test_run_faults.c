/*
 * Runs that are killed, lose power or find no room at any step of writing:
 * records and results never part, nothing that was committed is lost, and the
 * run ends as an undisturbed one.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "faults.h"
#include "output.h"
#include "rows.h"
#include "run_fixture.h"
#include "test.h"

static struct run_fixture *fixture;

enum { KILLED_AT = 4, SKIPPED = 77 };

/*
 * The first step that a fault comes at, and how many it goes on by: one unless
 * only some steps are tried.  Then the kinds of faults begin at different
 * steps, so that together they leave none out.
 */
static int
first_step(enum fault fault)
{
	return 1 + (int)fault % faults_stride();
}

/* The last number of blocks that a child was sure of, or -1. */
static int *counted;

static void
go_on_from_there(void)
{
	run_fixture_open();
	while (fixture->run.block_count < RUN_FIXTURE_BLOCKS) {
		int next = (int)fixture->run.block_count + 2;

		RUN_FIXTURE_MUST(run_fixture_commit(next, 2) == 0);
		*counted = (int)fixture->run.block_count;
	}
	run_fixture_close();
}

static void
create_run(void)
{
	run_fixture_create();
	*counted = 0;
	run_fixture_close();
}

/* Lets a child do it with that fault.  True where it came to its end. */
static bool
work_in_child(void (*work)(void), enum fault fault, int step,
    enum fault_survivors survivors)
{
	*counted = -1;
	return faults_in_child(fixture->folder, fault, step, survivors, work);
}

/* A run with its first blocks. */
static void
begin(void)
{
	run_fixture_create();
	assert_int_equal(run_fixture_commit(KILLED_AT, 3), 0);
}

/* The run holds the first blocks, at least so many, and goes on to its end. */
static void
end(int count)
{
	run_fixture_open();
	run_fixture_check(count);
	run_fixture_finish();
	folder_remove(fixture->path);
}

/* Kills a fixture at every step there is, and each time goes on to the end. */
static void
kill_everywhere(enum fault fault, enum fault_survivors survivors)
{
	bool arrived = false;
	int step = first_step(fault);

	for (; !arrived; step += faults_stride()) {
		begin();
		run_fixture_close();
		arrived =
		    work_in_child(go_on_from_there, fault, step, survivors);
		end(*counted > KILLED_AT ? *counted : KILLED_AT);
	}
	/* Each of the four commits takes some steps. */
	assert_true(step > 20);
}

static int
setup(void **state)
{
	int status = run_fixture_setup(state);

	fixture = *state;
	counted = mmap(NULL, sizeof(*counted), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(counted != MAP_FAILED);
	faults_arm(fixture->folder, FAULT_NONE, 0, FAULT_SURVIVES_NONE);
	return status;
}

TEST(test_run_killed_at_any_step_goes_on)
{
	kill_everywhere(FAULT_KILL, FAULT_SURVIVES_NONE);
}

TEST(test_run_killed_within_any_write_goes_on)
{
	kill_everywhere(FAULT_TEAR, FAULT_SURVIVES_NONE);
}

TEST(test_run_without_power_goes_on)
{
	kill_everywhere(FAULT_POWER, FAULT_SURVIVES_NONE);
}

TEST(test_run_goes_on_though_only_records_outlast_the_power)
{
	kill_everywhere(FAULT_POWER, FAULT_SURVIVES_RECORDS);
}

TEST(test_run_goes_on_though_only_results_outlast_the_power)
{
	kill_everywhere(FAULT_POWER,
	    (enum fault_survivors)(
		FAULT_SURVIVES_LOG | FAULT_SURVIVES_ALL_ELSE));
}

/* A run is there whole or not at all, and then one can be made. */
static void
kill_creation(enum fault fault)
{
	bool arrived = false;

	for (int step = 1; !arrived; step++) {
		int status;

		arrived =
		    work_in_child(create_run, fault, step, FAULT_SURVIVES_NONE);
		status = run_open(
		    &fixture->run, fixture->path, true, &fixture->error);
		if (status == 0) {
			fixture->open = true;
			run_fixture_finish();
		} else {
			assert_false(arrived);
			assert_int_equal(*counted, -1);
			assert_true(status == -ENOENT || status == -EBADMSG);
		}
		if (access(fixture->path, F_OK) == 0)
			folder_remove(fixture->path);
	}
}

TEST(test_run_killed_while_it_is_made_is_whole_or_no_run)
{
	kill_creation(FAULT_KILL);
	kill_creation(FAULT_TEAR);
	kill_creation(FAULT_POWER);
}

/* One that could not be made is no run, and stands in the way of none. */
TEST(test_run_that_cannot_be_made_leaves_nothing)
{
	const struct shuffle_key secret = { .bytes = { 1 } };
	int status = -EIO;

	for (int step = 1; status != 0; step++) {
		faults_arm(
		    fixture->folder, FAULT_DISK, step, FAULT_SURVIVES_NONE);
		status =
		    run_create(&fixture->run, fixture->path, &fixture->head,
			&(struct run_texts){
			    .config = RUN_FIXTURE_CONFIG, .secret = &secret },
			&fixture->error);
		faults_disarm();
		assert_true(status == 0 || status == -EIO);
		assert_true(status == 0 || access(fixture->path, F_OK) < 0);
	}
	fixture->open = true;
	run_fixture_finish();
}

/* What depends on the text may be removed once it is put: its name lasts. */
TEST(test_text_is_put_once_its_folder_is_synchronised)
{
	bool replaced = false;
	int status = -EIO;

	for (int step = 1; status != 0; step++) {
		char *text;

		assert_int_equal(
		    run_text_replace(fixture->folder, "text", "old"), 0);
		faults_arm(
		    fixture->folder, FAULT_DISK, step, FAULT_SURVIVES_NONE);
		status = run_text_replace(fixture->folder, "text", "new");
		faults_disarm();
		assert_true(status == 0 || status == -EIO);
		assert_int_equal(
		    run_text_read(fixture->folder, "text", &text), 0);
		replaced |= status != 0 && strcmp(text, "new") == 0;
		free(text);
	}
	assert_true(replaced);
}

/* Whatever step finds no room: the run holds, and goes on where it was. */
static void
fill_everywhere(enum fault fault)
{
	bool arrived = false;

	for (int step = first_step(fault); !arrived; step += faults_stride()) {
		int status = 0;

		begin();
		faults_arm(fixture->folder, fault, step, FAULT_SURVIVES_NONE);
		while (status == 0 &&
		    fixture->run.block_count < RUN_FIXTURE_BLOCKS)
			status = run_fixture_commit(RUN_FIXTURE_BLOCKS, 2);
		arrived = status == 0;
		if (!arrived) {
			int64_t count = fixture->run.block_count;

			assert_int_equal(status, -ENOSPC);
			expect_parts(fixture->error.hint, "make room");
			/* It stays full for a while, and more blocks come. */
			run_fixture_add(RUN_FIXTURE_BLOCKS);
			assert_int_equal(
			    run_commit(&fixture->run, &fixture->error),
			    -ENOSPC);
			/* Neither half a block nor one that has gone. */
			assert_int_equal(run_fixture_file_size(RUN_RECORDS),
			    fixture->run.record_size +
				(int64_t)fixture->run.bytes_written);
			assert_int_equal(fixture->run.block_count, count);
			assert_int_equal(fixture->run.pending_count,
			    RUN_FIXTURE_BLOCKS - count);
		}
		faults_disarm();
		if (!arrived)
			assert_int_equal(
			    run_commit(&fixture->run, &fixture->error), 0);
		run_fixture_check(RUN_FIXTURE_BLOCKS);
		run_fixture_finish();
		folder_remove(fixture->path);
	}
}

TEST(test_full_disk_holds_the_run)
{
	fill_everywhere(FAULT_FULL);
}

TEST(test_disk_that_says_late_that_it_is_full_holds_the_run)
{
	fill_everywhere(FAULT_FULL_SYNC);
}

/* Tries in vain, and is killed. */
static void
go_on_until_the_disk_is_full(void)
{
	run_fixture_open();
	if (run_fixture_commit(RUN_FIXTURE_BLOCKS, 2) == 0)
		return;
	RUN_FIXTURE_MUST(run_commit(&fixture->run, &fixture->error) == -ENOSPC);
	raise(SIGKILL);
}

/*
 * A database that could not be synchronised may hold what it has refused: the
 * records must still be there.
 */
TEST(test_run_killed_while_the_disk_is_full_goes_on)
{
	bool arrived = false;

	for (int step = 1; !arrived; step += faults_stride()) {
		begin();
		run_fixture_close();
		arrived = work_in_child(go_on_until_the_disk_is_full,
		    FAULT_FULL_SYNC, step, FAULT_SURVIVES_NONE);
		end(KILLED_AT);
	}
}

/* Nobody knows what is on a disk that failed, so nothing is tried again. */
TEST(test_disk_that_fails_ends_the_run)
{
	begin();
	faults_arm(fixture->folder, FAULT_DISK, 1, FAULT_SURVIVES_NONE);
	assert_int_equal(run_fixture_commit(RUN_FIXTURE_BLOCKS, 2), -EIO);
	faults_disarm();
	assert_int_equal(run_commit(&fixture->run, &fixture->error), -EIO);
	run_fixture_close();
	end(KILLED_AT);
}

/* A small disk of its own; without the right to mount there is no test. */
static void
look_at_read_only_disk(void)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", fixture->folder, "tmpfs", 0, "size=512k") < 0) {
		*counted = SKIPPED;
		return;
	}
	run_fixture_create();
	run_fixture_finish();
	RUN_FIXTURE_MUST(mount("none", fixture->folder, NULL,
			     MS_REMOUNT | MS_RDONLY, NULL) == 0);
	RUN_FIXTURE_MUST(run_open(&fixture->run, fixture->path, true,
			     &fixture->error) == -EROFS);
	RUN_FIXTURE_MUST(run_open(&fixture->run, fixture->path, false,
			     &fixture->error) == 0);
	run_fixture_check(RUN_FIXTURE_BLOCKS);
	run_close(&fixture->run);
	RUN_FIXTURE_MUST(run_owner(fixture->path) == 0);
}

TEST(test_run_on_a_disk_to_read_only_can_be_read)
{
	assert_true(work_in_child(
	    look_at_read_only_disk, FAULT_NONE, 0, FAULT_SURVIVES_NONE));
	if (*counted == SKIPPED)
		skip();
}

TEST_EACH(setup, run_fixture_teardown)
