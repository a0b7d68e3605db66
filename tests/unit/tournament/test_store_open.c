/*
 * Files that are no whole database of a run: refused, and left alone.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "countof.h"
#include "rows.h"
#include "store_fixture.h"
#include "test.h"

enum { FILE_MAX = 1 << 20, NOBODY = 65534 };

/* The file, to see later that nobody has touched it. */
static size_t
slurp(const char *path, char *bytes)
{
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, bytes, FILE_MAX);

	assert_true(size >= 0 && size < FILE_MAX);
	close(fd);
	return (size_t)size;
}

/* It is refused with this answer, whoever asks, and stays as it is. */
static void
check_refused(struct store_fixture *fixture, int status, const char *sentence)
{
	static char before[FILE_MAX], after[FILE_MAX];
	size_t size;

	store_fixture_close(fixture);
	size = slurp(fixture->path, before);
	for (int writable = 0; writable < 2; writable++) {
		assert_int_equal(
		    store_fixture_reopen(fixture, writable), status);
		assert_non_null(strstr(fixture->error.what, sentence));
		assert_non_null(strstr(fixture->error.what, fixture->path));
		assert_int_equal(slurp(fixture->path, after), size);
		assert_memory_equal(before, after, size);
	}
}

/* Refused as above, without a file beside it. */
static void
check_strange(struct store_fixture *fixture, int status, const char *sentence)
{
	check_refused(fixture, status, sentence);
	assert_int_equal(folder_file_count(fixture->folder), 1);
}

TEST_WITH(test_file_that_exists_is_not_replaced, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	int fd = open(fixture->path, O_WRONLY | O_CREAT, 0666);

	assert_int_equal(write(fd, "mine", 4), 4);
	close(fd);
	assert_int_equal(store_create(&fixture->store, fixture->path,
			     &fixture->head, &fixture->error),
	    -EEXIST);
	check_strange(fixture, -EBADMSG, "is not the database of a run");
}

TEST_WITH(test_file_that_is_missing_is_not_made, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	assert_int_equal(store_fixture_reopen(fixture, true), -ENOENT);
	assert_int_equal(store_fixture_reopen(fixture, false), -ENOENT);
	assert_int_equal(folder_file_count(fixture->folder), 0);
}

TEST_WITH(test_strange_database_is_refused, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_meddle(
	    fixture, "CREATE TABLE run (id); INSERT INTO run VALUES (1)");
	check_strange(fixture, -EBADMSG, "is not the database of a run");
}

TEST_WITH(
    test_empty_file_is_refused, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	close(open(fixture->path, O_WRONLY | O_CREAT, 0666));
	check_strange(fixture, -EBADMSG, "is empty");
}

TEST_WITH(
    test_newer_version_is_refused, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_meddle(fixture, "PRAGMA user_version = 6");
	check_strange(fixture, -EPROTO, "newer");
	assert_non_null(strstr(fixture->error.hint, "nothing was changed"));
}

TEST_WITH(
    test_older_version_is_refused, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_meddle(fixture, "PRAGMA user_version = 2");
	check_strange(fixture, -EBADMSG, "older");
	assert_non_null(strstr(fixture->error.try, "db rebuild"));
}

TEST_WITH(
    test_changed_table_is_refused, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_meddle(
	    fixture, "ALTER TABLE game ADD COLUMN comment TEXT");
	check_refused(fixture, -EBADMSG, "damaged");
	assert_non_null(strstr(fixture->error.try, "db rebuild"));
}

TEST_WITH(test_own_views_and_indices_are_allowed, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_meddle(fixture,
	    "CREATE INDEX mine ON game (reason); "
	    "CREATE VIEW my_view AS SELECT * FROM game");
	assert_int_equal(store_fixture_reopen(fixture, true), 0);
}

/* Triggers that somebody has put there do nothing. */
TEST_WITH(test_strange_triggers_do_not_run, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 7);
	store_fixture_meddle(fixture,
	    "CREATE TRIGGER evil AFTER INSERT ON block BEGIN "
	    "DELETE FROM game; END");
	assert_int_equal(store_fixture_reopen(fixture, true), 0);
	assert_int_equal(
	    store_fixture_add(fixture, 0, STORE_FIXTURE_BLOCKS), 0);
	store_fixture_check(fixture, 0, STORE_FIXTURE_BLOCKS);
}

TEST_WITH(
    test_damaged_page_is_found, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	struct stat file;
	char page[4096];
	int fd;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 8);
	assert_int_equal(
	    store_fixture_add(fixture, 0, STORE_FIXTURE_BLOCKS), 0);
	store_fixture_close(fixture);
	assert_int_equal(stat(fixture->path, &file), 0);
	memset(page, 0x5A, sizeof(page));
	fd = open(fixture->path, O_WRONLY);
	assert_int_equal(
	    pwrite(fd, page, sizeof(page), file.st_size - 4096), 4096);
	close(fd);
	check_refused(fixture, -EBADMSG, "damaged");
	assert_non_null(strstr(fixture->error.try, "db rebuild"));
	assert_non_null(strstr(fixture->error.try, fixture->folder));
}

TEST_WITH(test_head_that_makes_no_sense_is_refused, store_fixture_setup,
    store_fixture_teardown)
{
	static const char *const changes[] = {
		"DELETE FROM run",
		"UPDATE run SET teams = 'ABBA'",
		"UPDATE run SET block_games = 7",
		"UPDATE run SET bots = 2",
		"UPDATE run SET bots = 4",
		("UPDATE run SET bots = 4; "
		 "INSERT INTO bot VALUES (5, '', '', '')"),
		"UPDATE bot SET name = hex(zeroblob(40)) WHERE bot = 2",
	};
	struct store_fixture *fixture = *state;

	for (int i = 0; i < COUNTOF(changes); i++) {
		store_fixture_create(fixture);
		store_fixture_meddle(fixture, changes[i]);
		check_refused(fixture, -EBADMSG, "damaged");
		unlink(fixture->path);
	}
}

/* Whoever looks from now on may not write to what root owns. */
static void
give_up_root(const struct store_fixture *fixture)
{
	if (geteuid() != 0)
		return;
	assert_int_equal(chown(fixture->folder, NOBODY, NOBODY), 0);
	assert_int_equal(chown(fixture->path, NOBODY, NOBODY), 0);
	assert_int_equal(setresuid(NOBODY, NOBODY, NOBODY), 0);
}

/* In a process of its own: 0 where each is refused and nothing has changed. */
static int
open_what_is_read_only(struct store_fixture *fixture)
{
	int refused = 0;

	give_up_root(fixture);
	assert_int_equal(chmod(fixture->path, S_IRUSR), 0);
	refused += store_fixture_reopen(fixture, true) == -EROFS;
	assert_int_equal(folder_file_count(fixture->folder), 1);
	assert_int_equal(chmod(fixture->path, S_IRUSR | S_IWUSR), 0);
	assert_int_equal(chmod(fixture->folder, S_IRUSR | S_IXUSR), 0);
	refused += store_fixture_reopen(fixture, true) == -EROFS;
	assert_int_equal(chmod(fixture->folder, S_IRWXU), 0);
	return refused == 2 ? store_fixture_reopen(fixture, true) : 1;
}

TEST_WITH(test_what_cannot_be_written_to_is_refused_at_once,
    store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	int status;
	pid_t pid;

	store_fixture_create(fixture);
	store_fixture_close(fixture);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(open_what_is_read_only(fixture));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* The first call waits for whoever holds the file; the caller does then. */
TEST_WITH(test_file_that_is_held_can_be_tried_again, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	sqlite3 *other;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 9);
	assert_int_equal(sqlite3_open(fixture->path, &other), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
	    SQLITE_OK);
	for (int i = 0; i < 100; i++)
		assert_int_equal(store_fixture_add(fixture, 0, 1), -EBUSY);
	assert_int_equal(
	    sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	assert_int_equal(
	    store_fixture_add(fixture, 0, STORE_FIXTURE_BLOCKS), 0);
	store_fixture_check(fixture, 0, STORE_FIXTURE_BLOCKS);
}
