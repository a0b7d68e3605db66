/*
 * Making results anew, killed at any step: the next try ends as the first one
 * would have, and what was there before is never lost.
 */
#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chronicle.h"
#include "faults.h"
#include "games.h"
#include "rebuild.h"
#include "rows.h"
#include "test.h"

enum { BLOCKS = 3 };

static int
make(struct chronicle *chronicle, struct rebuild_report *report)
{
	struct rebuild_order order = {
		.path = chronicle->path,
		.tournament = &chronicle->config,
		.head = &chronicle->head,
	};

	return rebuild(&order, report, &chronicle->error);
}

static int
setup(void **state)
{
	int status = chronicle_setup(state);
	struct chronicle *chronicle = *state;

	faults_arm(chronicle->folder, FAULT_NONE, 0, FAULT_KEEP_NONE);
	chronicle_make(chronicle, BLOCKS);
	return status;
}

/* Changes a result, so that it has to be put right. */
static void
spoil(struct chronicle *chronicle)
{
	sqlite3 *database;

	assert_int_equal(
	    sqlite3_open(chronicle_file(chronicle, RUN_RESULTS), &database),
	    SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(database, "UPDATE game SET deals = deals + 1", NULL,
		NULL, NULL),
	    SQLITE_OK);
	sqlite3_close(database);
}

/* True where the child came to its end. */
static bool
make_in_child(struct chronicle *chronicle, enum fault fault, int step)
{
	struct rebuild_report report;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		faults_arm(chronicle->folder, fault, step, FAULT_KEEP_NONE);
		_exit(make(chronicle, &report) != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	return WIFEXITED(status);
}

static void
kill_everywhere(struct chronicle *chronicle, enum fault fault)
{
	struct rebuild_report report;
	bool arrived = false;

	for (int step = 1; !arrived; step++) {
		spoil(chronicle);
		arrived = make_in_child(chronicle, fault, step);
		assert_int_equal(make(chronicle, &report), 0);
		assert_int_equal(report.blocks, BLOCKS);
		assert_true(!arrived || report.outcome == REBUILD_IDENTICAL);
		/* Now all is as it should be, and nothing is left over. */
		assert_int_equal(make(chronicle, &report), 0);
		assert_int_equal(report.outcome, REBUILD_IDENTICAL);
		assert_int_equal(
		    access(chronicle_file(chronicle, "results.db.new"), F_OK),
		    -1);
		assert_int_equal(
		    access(chronicle_file(chronicle, "results.db.old"), F_OK),
		    0);
		assert_int_equal(run_open(&chronicle->run, chronicle->path,
				     true, &chronicle->error),
		    0);
		run_close(&chronicle->run);
		unlink(chronicle_file(chronicle, "results.db.old"));
		unlink(chronicle_file(chronicle, "results.db.old-2"));
	}
}

TEST_WITH(test_rebuild_killed_at_any_step_can_be_done_again, setup,
    chronicle_teardown)
{
	kill_everywhere(*state, FAULT_KILL);
}

TEST_WITH(
    test_rebuild_without_power_can_be_done_again, setup, chronicle_teardown)
{
	kill_everywhere(*state, FAULT_POWER);
}

/* Whatever step finds no room: nothing has changed. */
TEST_WITH(
    test_rebuild_on_a_full_disk_changes_nothing, setup, chronicle_teardown)
{
	struct chronicle *chronicle = *state;
	struct rebuild_report report;
	int status = -ENOSPC;

	for (int step = 1; status == -ENOSPC; step++) {
		spoil(chronicle);
		faults_arm(
		    chronicle->folder, FAULT_FULL, step, FAULT_KEEP_NONE);
		status = make(chronicle, &report);
		faults_disarm();
		if (status == -ENOSPC)
			assert_int_equal(
			    access(chronicle_file(chronicle, "results.db.old"),
				F_OK),
			    -1);
	}
	assert_int_equal(status, 0);
	assert_int_equal(report.outcome, REBUILD_DIFFERENT);
}
