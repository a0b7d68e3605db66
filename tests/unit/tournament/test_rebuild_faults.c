/*
 * Making results anew, killed at any step: the next try ends as the first one
 * would have, and what was there before is never lost.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "games.h"
#include "rebuild.h"
#include "record_fixture.h"
#include "rows.h"
#include "test.h"

enum { BLOCKS = 3 };

static struct record_fixture *fixture;
static struct rebuild_report report;

static const char *
path_of(const char *name)
{
	return folder_path(fixture->path, name);
}

static int
make(void)
{
	struct rebuild_order order = {
		.path = fixture->path,
		.tournament = &fixture->config,
		.head = &fixture->head,
	};

	return rebuild(&order, &report, &fixture->error);
}

static int
setup(void **state)
{
	int status = record_fixture_setup(state);

	fixture = *state;
	faults_arm(fixture->folder, FAULT_NONE, 0, FAULT_SURVIVES_NONE);
	record_fixture_make(BLOCKS);
	return status;
}

static void
make_in_child(void)
{
	if (make() != 0)
		_exit(1);
}

static void
kill_everywhere(enum fault fault)
{
	bool arrived = false;

	for (int step = 1; !arrived; step += faults_stride()) {
		/* There is something to be put right. */
		record_fixture_meddle("UPDATE game SET deals = deals + 1");
		arrived = faults_in_child(fixture->folder, fault, step,
		    FAULT_SURVIVES_NONE, make_in_child);
		assert_int_equal(make(), 0);
		assert_int_equal(report.blocks, BLOCKS);
		assert_true(!arrived || report.outcome == REBUILD_IDENTICAL);
		/* Now all is as it should be, and nothing is left over. */
		assert_int_equal(make(), 0);
		assert_int_equal(report.outcome, REBUILD_IDENTICAL);
		assert_int_equal(access(path_of("results.db.new"), F_OK), -1);
		assert_int_equal(access(path_of("results.db.old"), F_OK), 0);
		assert_int_equal(run_open(&fixture->run, fixture->path, true,
				     &fixture->error),
		    0);
		run_close(&fixture->run);
		unlink(path_of("results.db.old"));
		unlink(path_of("results.db.old-2"));
	}
}

TEST(test_rebuild_killed_at_any_step_can_be_done_again)
{
	kill_everywhere(FAULT_KILL);
}

TEST(test_rebuild_without_power_can_be_done_again)
{
	kill_everywhere(FAULT_POWER);
}

/* Whatever step finds no room: nothing has changed. */
TEST(test_rebuild_on_a_full_disk_changes_nothing)
{
	int status = -ENOSPC;

	for (int step = 1; status == -ENOSPC; step++) {
		record_fixture_meddle("UPDATE game SET deals = deals + 1");
		faults_arm(
		    fixture->folder, FAULT_FULL, step, FAULT_SURVIVES_NONE);
		status = make();
		faults_disarm();
		if (status == -ENOSPC)
			assert_int_equal(
			    access(path_of("results.db.old"), F_OK), -1);
	}
	assert_int_equal(status, 0);
	assert_int_equal(report.outcome, REBUILD_DIFFERENT);
}

TEST_EACH(setup, record_fixture_teardown)
