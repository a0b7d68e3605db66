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
#include "test.h"
#include "voyage.h"

enum { WORKER_MS = 300 };

TEST_WITH(test_second_writer_is_refused_with_the_pid_of_the_first, voyage_setup,
    voyage_teardown)
{
	struct voyage *voyage = *state;
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
		voyage_create(voyage);
		VOYAGE_MUST(voyage_sail(voyage, 4, 2) == 0);
		VOYAGE_MUST(write(told[1], &byte, 1) == 1);
		VOYAGE_MUST(read(go_on[0], &byte, 1) == 0);
		VOYAGE_MUST(voyage_sail(voyage, 8, 2) == 0);
		voyage_close(voyage);
		_exit(0);
	}
	close(go_on[0]);
	assert_int_equal(read(told[0], &byte, 1), 1);
	snprintf(words, sizeof(words), "by process %jd", (intmax_t)pid);
	assert_int_equal(
	    run_open(&second, voyage->path, true, &voyage->error), -EBUSY);
	assert_non_null(strstr(voyage->error.what, words));
	assert_int_equal(run_owner(voyage->path), pid);
	/* Who only reads is let in. */
	assert_int_equal(
	    run_open(&second, voyage->path, false, &voyage->error), 0);
	assert_int_equal(second.block_count, 4);
	close(go_on[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	run_close(&second);
	close(told[0]);
	close(told[1]);
	assert_int_equal(run_owner(voyage->path), 0);
	voyage_open(voyage);
	voyage_check(voyage, 8);
	voyage_finish(voyage);
}

TEST_WITH(test_own_process_is_no_exception, voyage_setup, voyage_teardown)
{
	struct voyage *voyage = *state;
	static struct run second;

	voyage_create(voyage);
	assert_int_equal(
	    run_open(&second, voyage->path, true, &voyage->error), -EBUSY);
	assert_int_equal(run_owner(voyage->path), getpid());
	voyage_finish(voyage);
}

/* A worker that its killed parent has left behind holds the lock a while. */
TEST_WITH(
    test_lock_of_a_dead_process_is_waited_for, voyage_setup, voyage_teardown)
{
	struct voyage *voyage = *state;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		voyage_create(voyage);
		if (fork() == 0) {
			usleep(WORKER_MS * 1000);
			_exit(0);
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	voyage_open(voyage);
	voyage_finish(voyage);
}

TEST_WITH(test_name_in_the_lock_is_not_believed, voyage_setup, voyage_teardown)
{
	struct voyage *voyage = *state;

	voyage_create(voyage);
	voyage_close(voyage);
	folder_write(voyage_file(voyage, RUN_LOCK), "1 elsewhere -\n");
	assert_int_equal(run_owner(voyage->path), 0);
	voyage_open(voyage);
	voyage_finish(voyage);
}
