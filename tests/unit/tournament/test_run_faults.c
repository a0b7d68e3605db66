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
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"
#include "rows.h"
#include "test.h"
#include "voyage.h"

enum { KILLED_AT = 4, SKIPPED = 77 };

/* What a child does until it dies; it tells what is lasting. */
typedef void journey(struct voyage *voyage, int told_fd);

static void
tell(int fd, int count)
{
	VOYAGE_MUST(write(fd, &count, sizeof(count)) == sizeof(count));
}

static void
sail_from_there(struct voyage *voyage, int told_fd)
{
	voyage_open(voyage);
	while (voyage->run.block_count < VOYAGE_BLOCKS) {
		int next = (int)voyage->run.block_count + 2;

		VOYAGE_MUST(
		    voyage_sail(voyage,
			next < VOYAGE_BLOCKS ? next : VOYAGE_BLOCKS, 2) == 0);
		tell(told_fd, (int)voyage->run.block_count);
	}
	voyage_close(voyage);
}

static void
sail_from_harbour(struct voyage *voyage, int told_fd)
{
	voyage_create(voyage);
	tell(told_fd, 0);
	voyage_close(voyage);
}

/*
 * Lets a child do it with that fault.  True where it came to its end; *told is
 * the last that it said, or -1.
 */
static bool
travel(struct voyage *voyage, journey *go, enum fault fault, int step,
    enum fault_keep keep, int *told)
{
	int ends[2], status, count;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(ends[0]);
		faults_arm(voyage->folder, fault, step, keep);
		go(voyage, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	*told = -1;
	while (read(ends[0], &count, sizeof(count)) == sizeof(count))
		*told = count;
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	return false;
}

/* Kills a voyage at every step there is, and each time goes on to the end. */
static void
kill_everywhere(struct voyage *voyage, enum fault fault, enum fault_keep keep)
{
	bool arrived = false;
	int step = 0;

	while (!arrived) {
		int told;

		voyage_create(voyage);
		assert_int_equal(voyage_sail(voyage, KILLED_AT, 3), 0);
		voyage_close(voyage);
		arrived =
		    travel(voyage, sail_from_there, fault, ++step, keep, &told);
		voyage_open(voyage);
		voyage_check(voyage, told > KILLED_AT ? told : KILLED_AT);
		voyage_finish(voyage);
		folder_remove(voyage->path);
	}
	/* Each of the four commits takes some steps. */
	assert_true(step > 20);
}

static int
setup(void **state)
{
	int status = voyage_setup(state);
	const struct voyage *voyage = *state;

	faults_arm(voyage->folder, FAULT_NONE, 0, FAULT_KEEP_NONE);
	return status;
}

TEST_WITH(test_run_killed_at_any_step_goes_on, setup, voyage_teardown)
{
	kill_everywhere(*state, FAULT_KILL, FAULT_KEEP_NONE);
}

TEST_WITH(test_run_killed_within_any_write_goes_on, setup, voyage_teardown)
{
	kill_everywhere(*state, FAULT_TEAR, FAULT_KEEP_NONE);
}

TEST_WITH(test_run_without_power_goes_on, setup, voyage_teardown)
{
	kill_everywhere(*state, FAULT_POWER, FAULT_KEEP_NONE);
}

TEST_WITH(test_run_goes_on_though_only_records_outlast_the_power, setup,
    voyage_teardown)
{
	kill_everywhere(*state, FAULT_POWER, FAULT_KEEP_RECORDS);
}

TEST_WITH(test_run_goes_on_though_only_results_outlast_the_power, setup,
    voyage_teardown)
{
	kill_everywhere(*state, FAULT_POWER,
	    (enum fault_keep)(FAULT_KEEP_LOG | FAULT_KEEP_ALL_ELSE));
}

/* A run is there whole or not at all, and then one can be made. */
static void
kill_creation(struct voyage *voyage, enum fault fault)
{
	bool arrived = false;

	for (int step = 1; !arrived; step++) {
		int told, status;

		arrived = travel(voyage, sail_from_harbour, fault, step,
		    FAULT_KEEP_NONE, &told);
		status =
		    run_open(&voyage->run, voyage->path, true, &voyage->error);
		if (status == 0) {
			voyage->open = true;
			voyage_finish(voyage);
		} else {
			assert_false(arrived);
			assert_int_equal(told, -1);
			assert_true(status == -ENOENT || status == -EBADMSG);
		}
		if (access(voyage->path, F_OK) == 0)
			folder_remove(voyage->path);
	}
}

TEST_WITH(
    test_run_killed_while_it_is_made_is_whole_or_no_run, setup, voyage_teardown)
{
	kill_creation(*state, FAULT_KILL);
	kill_creation(*state, FAULT_TEAR);
	kill_creation(*state, FAULT_POWER);
}

/* One that could not be made is no run, and stands in the way of none. */
TEST_WITH(test_run_that_cannot_be_made_leaves_nothing, setup, voyage_teardown)
{
	struct voyage *voyage = *state;
	const struct shuffle_key secret = { .bytes = { 1 } };
	int status = -EIO;

	for (int step = 1; status != 0; step++) {
		faults_arm(voyage->folder, FAULT_DISK, step, FAULT_KEEP_NONE);
		status = run_create(&voyage->run, voyage->path, &voyage->head,
		    &(struct run_texts){
			.config = VOYAGE_CONFIG, .secret = &secret },
		    &voyage->error);
		faults_disarm();
		assert_true(status == 0 || status == -EIO);
		assert_true(status == 0 || access(voyage->path, F_OK) < 0);
	}
	voyage->open = true;
	voyage_finish(voyage);
}

/* Whatever step finds no room: the run holds, and goes on where it was. */
static void
fill_everywhere(struct voyage *voyage, enum fault fault)
{
	bool arrived = false;

	for (int step = 1; !arrived; step++) {
		int status = 0;

		voyage_create(voyage);
		assert_int_equal(voyage_sail(voyage, KILLED_AT, 3), 0);
		faults_arm(voyage->folder, fault, step, FAULT_KEEP_NONE);
		while (status == 0 && voyage->run.block_count < VOYAGE_BLOCKS)
			status = voyage_sail(voyage, VOYAGE_BLOCKS, 2);
		arrived = status == 0;
		if (!arrived) {
			int64_t count = voyage->run.block_count;

			assert_int_equal(status, -ENOSPC);
			assert_non_null(
			    strstr(voyage->error.hint, "make room"));
			/* It stays full for a while, and more blocks come. */
			voyage_add(voyage, VOYAGE_BLOCKS);
			assert_int_equal(
			    run_commit(&voyage->run, &voyage->error), -ENOSPC);
			/* Neither half a block nor one that has gone. */
			assert_int_equal(voyage_file_size(voyage, RUN_RECORDS),
			    voyage->run.record_size +
				(int64_t)voyage->run.bytes_written);
			assert_int_equal(voyage->run.block_count, count);
			assert_int_equal(
			    voyage->run.pending_count, VOYAGE_BLOCKS - count);
		}
		faults_disarm();
		if (!arrived)
			assert_int_equal(
			    run_commit(&voyage->run, &voyage->error), 0);
		voyage_check(voyage, VOYAGE_BLOCKS);
		voyage_finish(voyage);
		folder_remove(voyage->path);
	}
}

TEST_WITH(test_full_disk_holds_the_run, setup, voyage_teardown)
{
	fill_everywhere(*state, FAULT_FULL);
}

TEST_WITH(test_disk_that_tells_late_that_it_is_full_holds_the_run, setup,
    voyage_teardown)
{
	fill_everywhere(*state, FAULT_FULL_SYNC);
}

/* Tries in vain, and is killed. */
static void
sail_to_the_end_of_the_disk(struct voyage *voyage, int told_fd)
{
	voyage_open(voyage);
	VOYAGE_MUST(told_fd >= 0);
	if (voyage_sail(voyage, VOYAGE_BLOCKS, 2) == 0)
		return;
	VOYAGE_MUST(run_commit(&voyage->run, &voyage->error) == -ENOSPC);
	raise(SIGKILL);
}

/*
 * A database that could not be synchronised may hold what it has refused: the
 * records must still be there.
 */
TEST_WITH(
    test_run_killed_while_the_disk_is_full_goes_on, setup, voyage_teardown)
{
	struct voyage *voyage = *state;
	bool arrived = false;

	for (int step = 1; !arrived; step++) {
		int told;

		voyage_create(voyage);
		assert_int_equal(voyage_sail(voyage, KILLED_AT, 3), 0);
		voyage_close(voyage);
		arrived = travel(voyage, sail_to_the_end_of_the_disk,
		    FAULT_FULL_SYNC, step, FAULT_KEEP_NONE, &told);
		voyage_open(voyage);
		voyage_check(voyage, KILLED_AT);
		voyage_finish(voyage);
		folder_remove(voyage->path);
	}
}

/* The run is given up while the disk is full, and opened later. */
TEST_WITH(
    test_run_that_was_given_up_on_a_full_disk_goes_on, setup, voyage_teardown)
{
	struct voyage *voyage = *state;
	bool arrived = false;

	for (int step = 1; !arrived; step++) {
		int64_t count;

		voyage_create(voyage);
		assert_int_equal(voyage_sail(voyage, KILLED_AT, 3), 0);
		faults_arm(voyage->folder, FAULT_FULL, step, FAULT_KEEP_NONE);
		arrived = voyage_sail(voyage, VOYAGE_BLOCKS, 2) == 0;
		count = voyage->run.block_count;
		voyage_close(voyage);
		faults_disarm();
		voyage_open(voyage);
		voyage_check(voyage, (int)count);
		voyage_finish(voyage);
		folder_remove(voyage->path);
	}
}

/* Nobody knows what is on a disk that failed, so nothing is tried again. */
TEST_WITH(test_disk_that_fails_ends_the_run, setup, voyage_teardown)
{
	struct voyage *voyage = *state;

	voyage_create(voyage);
	assert_int_equal(voyage_sail(voyage, KILLED_AT, 3), 0);
	faults_arm(voyage->folder, FAULT_DISK, 1, FAULT_KEEP_NONE);
	assert_int_equal(voyage_sail(voyage, VOYAGE_BLOCKS, 2), -EIO);
	faults_disarm();
	assert_int_equal(run_commit(&voyage->run, &voyage->error), -EIO);
	voyage_close(voyage);
	voyage_open(voyage);
	voyage_check(voyage, KILLED_AT);
	voyage_finish(voyage);
}

/* Runs a part of a test in a process of its own. */
static void
in_child(struct voyage *voyage, void (*part)(struct voyage *voyage))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		part(voyage);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* A limit of the size of files stands for a disk that is full. */
static void
sail_to_limit(struct voyage *voyage)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	voyage_create(voyage);
	VOYAGE_MUST(voyage_sail(voyage, 1, 1) == 0);
	VOYAGE_MUST(getrlimit(RLIMIT_FSIZE, &limit) == 0);
	limit.rlim_cur = (rlim_t)voyage_file_size(voyage, "results.db-wal");
	VOYAGE_MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	VOYAGE_MUST(voyage_sail(voyage, VOYAGE_BLOCKS, 3) == -ENOSPC);
	VOYAGE_MUST(strstr(voyage->error.what, "results.db"));
	limit.rlim_cur = (rlim_t)voyage->run.record_size + 100;
	VOYAGE_MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	voyage_add(voyage, VOYAGE_BLOCKS);
	VOYAGE_MUST(run_commit(&voyage->run, &voyage->error) == -ENOSPC);
	VOYAGE_MUST(strstr(voyage->error.what, RUN_RECORDS));
	limit.rlim_cur = limit.rlim_max;
	VOYAGE_MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	voyage_finish(voyage);
}

TEST_WITH(test_limit_of_file_size_holds_the_run, setup, voyage_teardown)
{
	in_child(*state, sail_to_limit);
}

/* Writes a file until nothing more fits. */
static void
fill_disk(const char *path)
{
	char bytes[4096] = { 1 };
	FILE *file = fopen(path, "w");

	VOYAGE_MUST(file);
	setvbuf(file, NULL, _IONBF, 0);
	while (fwrite(bytes, 1, sizeof(bytes), file) == sizeof(bytes))
		;
	fclose(file);
}

/* A small disk of its own; without the right to mount there is no test. */
static void
mount_disk(const struct voyage *voyage)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", voyage->folder, "tmpfs", 0, "size=512k") < 0)
		_exit(SKIPPED);
}

static void
sail_on_small_disk(struct voyage *voyage)
{
	char ballast[FOLDER_SIZE + 16];

	mount_disk(voyage);
	snprintf(ballast, sizeof(ballast), "%s/ballast", voyage->folder);
	voyage_create(voyage);
	VOYAGE_MUST(voyage_sail(voyage, KILLED_AT, 1) == 0);
	fill_disk(ballast);
	VOYAGE_MUST(voyage_sail(voyage, VOYAGE_BLOCKS, 1) == -ENOSPC);
	VOYAGE_MUST(run_commit(&voyage->run, &voyage->error) == -ENOSPC);
	/* Whoever looks at it sees what there is. */
	voyage_check(voyage, KILLED_AT);
	VOYAGE_MUST(unlink(ballast) == 0);
	voyage_finish(voyage);
	voyage_open(voyage);
	VOYAGE_MUST(voyage->run.block_count == VOYAGE_BLOCKS);
	voyage_close(voyage);
	fill_disk(ballast);
	snprintf(
	    voyage->path, sizeof(voyage->path), "%s/other", voyage->folder);
	VOYAGE_MUST(run_create(&voyage->run, voyage->path, &voyage->head,
			&(struct run_texts){ .config = VOYAGE_CONFIG },
			&voyage->error) == -ENOSPC);
	VOYAGE_MUST(access(voyage->path, F_OK) < 0);
}

TEST_WITH(test_small_disk_holds_the_run, setup, voyage_teardown)
{
	in_child(*state, sail_on_small_disk);
}

static void
look_at_frozen_disk(struct voyage *voyage)
{
	mount_disk(voyage);
	voyage_create(voyage);
	voyage_finish(voyage);
	VOYAGE_MUST(mount("none", voyage->folder, NULL, MS_REMOUNT | MS_RDONLY,
			NULL) == 0);
	VOYAGE_MUST(run_open(&voyage->run, voyage->path, true,
			&voyage->error) == -EROFS);
	VOYAGE_MUST(
	    run_open(&voyage->run, voyage->path, false, &voyage->error) == 0);
	voyage_check(voyage, VOYAGE_BLOCKS);
	run_close(&voyage->run);
	VOYAGE_MUST(run_owner(voyage->path) == 0);
}

TEST_WITH(test_run_on_a_disk_to_read_only_can_be_read, setup, voyage_teardown)
{
	in_child(*state, look_at_frozen_disk);
}
