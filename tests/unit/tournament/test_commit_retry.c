/*
 * Results that cannot be kept for now are kept as soon as they can be; whoever
 * has waited too long is told.  A limit of the size of files stands for a full disk.
 */

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "run_fixture.h"
#include "runner.h"
#include "test.h"

/* What on_hold was told. */
struct heard {
	int calls, error;
	char what[STORE_ERROR_SIZE];
};

static void
on_hold(void *context, int error, const struct store_error *why)
{
	struct heard *heard = context;

	heard->calls++;
	heard->error = error;
	snprintf(heard->what, sizeof(heard->what), "%s", why->what);
}

static void
limit_files(rlim_t size)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void
make_room(void)
{
	limit_files(RLIM_INFINITY);
}

/* Blocks up to this number come, and have no room. */
static void
add_too_much(struct run_fixture *fixture, int end)
{
	limit_files((rlim_t)fixture->run.record_size + 100);
	run_fixture_add(fixture, end);
}

/* A run with a block that is kept, and more that have no room. */
static void
fill(struct run_fixture *fixture, int end)
{
	run_fixture_create(fixture);
	assert_int_equal(run_fixture_commit(fixture, 1, 1), 0);
	add_too_much(fixture, end);
}

static int
teardown(void **state)
{
	make_room();
	return run_fixture_teardown(state);
}

TEST(test_it_waits_for_room_and_says_so_once)
{
	struct run_fixture *fixture = *state;
	struct heard heard = { .calls = 0 };
	struct commit_retry commit_retry = {
		.run = &fixture->run, .on_hold = on_hold, .context = &heard
	};

	fill(fixture, RUN_FIXTURE_BLOCKS);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(commit_retry_step(&commit_retry), -ENOSPC);
		assert_int_equal(commit_retry.held, -ENOSPC);
	}
	assert_int_equal(heard.calls, 1);
	assert_int_equal(heard.error, -ENOSPC);
	assert_non_null(strstr(heard.what, RUN_RECORDS));
	make_room();
	assert_int_equal(commit_retry_step(&commit_retry), 0);
	assert_int_equal(commit_retry.held, 0);
	assert_int_equal(heard.calls, 2);
	assert_int_equal(heard.error, 0);
	run_fixture_finish(fixture);
}

TEST(test_waiting_ends)
{
	struct run_fixture *fixture = *state;
	struct commit_retry commit_retry = { .run = &fixture->run,
		.wait_max_ns = 1 };
	int error;

	fill(fixture, RUN_FIXTURE_BLOCKS);
	do
		error = commit_retry_step(&commit_retry);
	while (error == -ENOSPC);
	make_room();
	assert_int_equal(error, -ETIMEDOUT);
	assert_non_null(strstr(commit_retry.error.what, RUN_RECORDS));
	assert_int_equal(fixture->run.block_count, 1);
	assert_int_equal(fixture->run.pending_count, RUN_FIXTURE_BLOCKS - 1);
	run_fixture_finish(fixture);
}

TEST(test_what_does_not_pass_is_not_waited_for)
{
	struct run_fixture *fixture = *state;
	struct heard heard = { .calls = 0 };
	struct commit_retry commit_retry = {
		.run = &fixture->run, .on_hold = on_hold, .context = &heard
	};

	run_fixture_create(fixture);
	run_fixture_add(fixture, 2);
	assert_int_equal(unlink(run_fixture_file(fixture, RUN_RECORDS)), 0);
	assert_int_equal(commit_retry_step(&commit_retry), -ESTALE);
	assert_int_equal(commit_retry.held, 0);
	assert_int_equal(heard.calls, 0);
	assert_non_null(strstr(commit_retry.error.what, "not there any more"));
}

TEST_EACH(run_fixture_setup, teardown)
