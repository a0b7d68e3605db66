/*
 * One process at a time writes to a run.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "rows.h"
#include "run_fixture.h"
#include "test.h"

enum { WORKER_MS = 300 };

TEST_WITH(test_second_writer_is_refused_with_the_pid_of_the_first,
    run_fixture_setup, run_fixture_teardown)
{
	struct run_fixture *fixture = *state;
	static struct run second;
	char words[64];
	int told[2], go_on[2];
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(told), 0);
	assert_int_equal(pipe(go_on), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(go_on[1]);
		run_fixture_create(fixture);
		RUN_FIXTURE_MUST(run_fixture_sail(fixture, 4, 2) == 0);
		RUN_FIXTURE_MUST(write(told[1], &byte, 1) == 1);
		RUN_FIXTURE_MUST(read(go_on[0], &byte, 1) == 0);
		RUN_FIXTURE_MUST(run_fixture_sail(fixture, 8, 2) == 0);
		run_fixture_close(fixture);
		_exit(0);
	}
	close(go_on[0]);
	assert_int_equal(read(told[0], &byte, 1), 1);
	snprintf(words, sizeof(words), "by process %jd", (intmax_t)pid);
	assert_int_equal(
	    run_open(&second, fixture->path, true, &fixture->error), -EBUSY);
	assert_non_null(strstr(fixture->error.what, words));
	assert_int_equal(run_owner(fixture->path), pid);
	/* Who only reads is let in. */
	assert_int_equal(
	    run_open(&second, fixture->path, false, &fixture->error), 0);
	assert_int_equal(second.block_count, 4);
	close(go_on[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	run_close(&second);
	close(told[0]);
	close(told[1]);
	assert_int_equal(run_owner(fixture->path), 0);
	run_fixture_open(fixture);
	run_fixture_check(fixture, 8);
	run_fixture_finish(fixture);
}

TEST_WITH(
    test_own_process_is_no_exception, run_fixture_setup, run_fixture_teardown)
{
	struct run_fixture *fixture = *state;
	static struct run second;

	run_fixture_create(fixture);
	assert_int_equal(
	    run_open(&second, fixture->path, true, &fixture->error), -EBUSY);
	assert_int_equal(run_owner(fixture->path), getpid());
	run_fixture_finish(fixture);
}

/* A worker that its killed parent has left behind holds the lock a while. */
TEST_WITH(test_lock_of_a_dead_process_is_waited_for, run_fixture_setup,
    run_fixture_teardown)
{
	struct run_fixture *fixture = *state;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		run_fixture_create(fixture);
		if (fork() == 0) {
			usleep(WORKER_MS * 1000);
			_exit(0);
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	run_fixture_open(fixture);
	run_fixture_finish(fixture);
}

TEST_WITH(test_name_in_the_lock_is_not_believed, run_fixture_setup,
    run_fixture_teardown)
{
	struct run_fixture *fixture = *state;

	run_fixture_create(fixture);
	run_fixture_close(fixture);
	folder_write(run_fixture_file(fixture, RUN_LOCK), "1 elsewhere -\n");
	assert_int_equal(run_owner(fixture->path), 0);
	run_fixture_open(fixture);
	run_fixture_finish(fixture);
}
