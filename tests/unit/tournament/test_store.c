/*
 * The database of a run: blocks are stored once and read as they were; files
 * that are no intact database are refused, and not changed.
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

#include "folder.h"
#include "output.h"
#include "rows.h"
#include "test.h"

enum { BLOCKS = 40 };

/*
 * The head of the running test: a run of three bots, whose file is missing at
 * first.
 */
static char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
static char command[5000]; /* of a bot */
static struct store_head head;
static struct store *store; /* NULL if closed */
static struct store_error error;
static struct block_result blocks[BLOCKS];

static void
close_store(void)
{
	store_close(store);
	store = NULL;
}

static int
setup(void **state)
{
	(void)state;
	folder_make(folder);
	snprintf(path, sizeof(path), "%s/results.db", folder);
	head = *rows_head(SCOPA_TEAMS_AB, 3, 2);
	memset(command, 'x', sizeof(command) - 1);
	head.bots[1].command = command;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	close_store();
	folder_remove(folder);
	return 0;
}

/* Creates the database. */
static void
create(void)
{
	assert_int_equal(store_create(&store, path, &head, &error), 0);
}

/*
 * Opens the database again, whose head must be the same.  Returns 0 or -errno.
 */
static int
reopen(bool writable)
{
	static struct store_head found;
	int status;

	close_store();
	memset(&found, 0xA5, sizeof(found));
	status = store_open(&store, path, writable, &found, &error);
	if (status == 0)
		assert_true(rows_heads_equal(&found, &head));
	return status;
}

/* Invents blocks from this seed; the first three are not skipped. */
static void
fill(uint64_t seed)
{
	do {
		for (int i = 0; i < BLOCKS; i++)
			rows_random(&seed, &head, i, &blocks[i]);
	} while (blocks[0].skipped || blocks[1].skipped || blocks[2].skipped);
}

/* Adds `count` of them, with the result of store_add(). */
static int
add(int from, int count)
{
	return store_add(store, blocks + from, count, &error);
}

/*
 * Compares a block that is read with the one that was added; the context is its
 * number.
 */
static int
check_block(void *context, const struct block_result *block)
{
	int *at = context;

	assert_true(*at < BLOCKS);
	assert_true(rows_equal(block, &blocks[(*at)++]));
	return 0;
}

/*
 * Reads all blocks up to the first invalid one, with this status.  Returns
 * their number.
 */
static int
walk(int status)
{
	int count = 0;

	assert_int_equal(
	    store_walk_from(store, 0, check_block, &count, &error), status);
	return count;
}

/* The database has exactly the blocks up to `end`. */
static void
check(int end)
{
	assert_int_equal(walk(0), end);
}

static void
change_database(const char *sql)
{
	close_store();
	rows_meddle(path, sql);
}

TEST(test_blocks_are_read_as_they_were_stored)
{
	static const struct {
		enum scopa_teams teams;
		int bots, games;
	} runs[] = {
		{ SCOPA_TEAMS_AB, 2, 1 },
		{ SCOPA_TEAMS_AB, TOURNAMENT_BOTS_MAX, 2 },
		{ SCOPA_TEAMS_ABC, 5, 6 },
		{ SCOPA_TEAMS_ABAB, 2, 2 },
		{ SCOPA_TEAMS_ABAB, 9, 4 },
		{ SCOPA_TEAMS_ABABAB, 8, 6 },
		{ SCOPA_TEAMS_ABCDEF, 6, 6 },
	};
	for (int i = 0; i < COUNTOF(runs); i++) {
		head = *rows_head(runs[i].teams, runs[i].bots, runs[i].games);
		create();
		fill((uint64_t)i);
		assert_int_equal(add(0, BLOCKS), 0);
		check(BLOCKS);
		assert_int_equal(reopen(false), 0);
		check(BLOCKS);
		close_store();
		assert_int_equal(unlink(path), 0);
	}
}

TEST(test_block_is_added_once)
{
	create();
	fill(2);
	assert_int_equal(add(0, 5), 0);
	assert_int_equal(add(0, 5), 0);
	assert_int_equal(add(3, 5), 0);
	check(8);
}

TEST(test_gap_between_blocks_is_refused)
{
	create();
	fill(4);
	assert_int_equal(add(1, 1), -EINVAL);
	assert_int_equal(add(0, 1), 0);
	assert_int_equal(add(2, 1), -EINVAL);
	check(1);
}

TEST(test_game_of_another_bot_is_refused)
{
	struct block_result *block = &blocks[0];

	create();
	fill(5);
	block->games[1].names[0][0] ^= 1;
	assert_int_equal(add(0, 1), -EINVAL);
	expect_parts(error.what, "game 2 of block 1 ");
	block->games[1].names[0][0] ^= 1;
	block->games[0].game++;
	assert_int_equal(add(0, 1), -EINVAL);
	block->games[0].game--;
	block->games[0].round++;
	assert_int_equal(add(0, 1), -EINVAL);
	check(0);
}

TEST(test_invalid_row_ends_the_walk)
{
	static const char *const changes[] = {
		"UPDATE game SET scores = '[1]' WHERE game = 3",
		"UPDATE game SET scores = '[1,2,3]' WHERE game = 3",
		"UPDATE game SET scores = '[1, 2]' WHERE game = 3",
		"UPDATE game SET points = '[{},{\"luck\":1}]' WHERE game = 3",
		"UPDATE game SET winner = 'C' WHERE game = 3",
		"UPDATE game SET think_us = '[1,99999999999999999999]' "
		"WHERE game = 3",
		"UPDATE game SET think_us = '[1,72057594037927937]' "
		"WHERE game = 3",
		"UPDATE game SET scores = '[1,-268435457]' WHERE game = 3",
		"UPDATE game SET offender = -2147483648, "
		"offence = 'timeout', offence_reason = '' WHERE game = 3",
		"UPDATE game SET offender = 1, offence = 'sloth', "
		"offence_reason = '' WHERE game = 3",
		"UPDATE game SET reason = hex(zeroblob(100)) WHERE game = 3",
		"UPDATE game SET sandbox = hex(zeroblob(12)) WHERE game = 3",
		"UPDATE game SET off_turn_ns = '[1]' WHERE game = 3",
		"UPDATE game SET pondered = '[0,1,0]' WHERE game = 3",
		"INSERT INTO voided VALUES (2, 3, 9, hex(zeroblob(8)))",
		"INSERT INTO voided VALUES (2, 3, 9, '')",
		"INSERT INTO voided VALUES (2, 3, 9, '1,2,3,4,5,6,7,8,9')",
		"UPDATE block SET bots = '[1,4]' WHERE block = 2",
		"UPDATE block SET seating = '[[1,2]]' WHERE block = 2",
		"UPDATE block SET skipped = 1 WHERE block = 2",
		"UPDATE block SET record_sha256 = 'x' WHERE block = 2",
		"UPDATE block SET round = 0 WHERE block = 2",
		"UPDATE block SET round = -9223372036854775807 - 1 "
		"WHERE block = 2",
		"DELETE FROM game WHERE block > 1; DELETE FROM block WHERE "
		"block = 3; "
		"UPDATE block SET block = 9223372036854775807 "
		"WHERE block = 2",
		"DELETE FROM game WHERE game = 3",
		"DELETE FROM game WHERE game = 4",
		"DELETE FROM game WHERE game IN (3, 4)",
		"DELETE FROM game WHERE game IN (3, 4); "
		"DELETE FROM block WHERE block = 2",
	};
	fill(9);
	for (int i = 0; i < COUNTOF(changes); i++) {
		create();
		assert_int_equal(add(0, 3), 0);
		change_database(changes[i]);
		assert_int_equal(reopen(true), 0);
		assert_int_equal(walk(-EBADMSG), 1);
		expect_parts(error.what, "block 2 ");
		close_store();
		unlink(path);
	}
}

/*
 * Compares the database with another one that has the first blocks: 1 if they
 * differ, or 0.
 */
static int
compare(int count, char difference[STORE_TEXT_SIZE])
{
	const char *other_path = folder_path(folder, "other.db");
	struct store *other;
	int answer;

	assert_int_equal(store_create(&other, other_path, &head, &error), 0);
	assert_int_equal(store_add(other, blocks, count, &error), 0);
	answer = store_compare(store, other, difference, &error);
	store_close(other);
	assert_int_equal(unlink(other_path), 0);
	return answer;
}

TEST(test_comparison_names_the_first_difference)
{
	struct summary *game = &blocks[1].games[0];
	char difference[STORE_TEXT_SIZE];

	create();
	fill(9);
	strcpy(game->voided[0], "ENV_ERR");
	strcpy(game->voided[1], "VOID");
	game->voided_count = 2;
	assert_int_equal(add(0, 5), 0);
	assert_int_equal(compare(3, difference), 1);
	/* The last table has a key of three numbers. */
	strcpy(game->voided[1], "BOX_ERR");
	assert_int_equal(compare(3, difference), 0);
	assert_string_equal(difference,
	    "block, game, attempt 2, 3, 2: `reason` is VOID, and not BOX_ERR");
	change_database("UPDATE game SET scores = '[12,34]' WHERE game = 4");
	assert_int_equal(reopen(false), 0);
	assert_int_equal(compare(3, difference), 0);
	expect_parts(
	    difference, "block, game 2, 4: `scores` is [12,34], and not [");
}

/* The allocator of SQLite, and the number of calls until one is refused. */
static sqlite3_mem_methods allocator;
static int calls_left;

static void *
refusing_malloc(int size)
{
	return --calls_left == 0 ? NULL : allocator.xMalloc(size);
}

static void *
refusing_realloc(void *bytes, int size)
{
	return --calls_left == 0 ? NULL : allocator.xRealloc(bytes, size);
}

static void
set_allocator(const sqlite3_mem_methods *methods)
{
	assert_int_equal(sqlite3_shutdown(), SQLITE_OK);
	assert_int_equal(
	    sqlite3_config(SQLITE_CONFIG_MALLOC, methods), SQLITE_OK);
	assert_int_equal(sqlite3_initialize(), SQLITE_OK);
}

/*
 * Adds blocks, reads them, compares them and reads the state, and expects that
 * all of it succeeds if calls_left is not reached, or is refused.
 */
static void
use_with_refusal(struct store *other)
{
	char difference[STORE_TEXT_SIZE], state[STORE_STATE_SIZE];
	int count = 0, status = add(0, 2);

	assert_true(status == 0 || status == -ENOMEM);
	if (status == -ENOMEM)
		assert_int_equal(add(0, 2), 0);
	status = store_walk_from(store, 0, check_block, &count, &error);
	assert_true(status == -ENOMEM || (status == 0 && count == 2));
	status = store_compare(store, other, difference, &error);
	assert_true(status == -ENOMEM || status == 1);
	status = store_state(store, state, sizeof(state));
	assert_true(
	    status == -ENOMEM || (status == 0 && strcmp(state, "done") == 0));
}

TEST(test_refused_memory_is_no_damage_and_no_difference)
{
	sqlite3_mem_methods refusing;
	struct store *other;
	char other_path[FOLDER_SIZE + 24];
	bool refused = true;

	assert_int_equal(sqlite3_shutdown(), SQLITE_OK);
	assert_int_equal(
	    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &allocator), SQLITE_OK);
	refusing = allocator;
	refusing.xMalloc = refusing_malloc;
	refusing.xRealloc = refusing_realloc;
	set_allocator(&refusing);
	snprintf(other_path, sizeof(other_path), "%s.other", path);
	fill(9);
	assert_int_equal(store_create(&other, other_path, &head, &error), 0);
	assert_int_equal(store_add(other, blocks, 2, &error), 0);
	for (int at = 1; refused; at++) {
		create();
		assert_int_equal(store_set_state(store, "done", &error), 0);
		calls_left = at;
		use_with_refusal(other);
		refused = calls_left <= 0;
		calls_left = 0;
		check(2);
		close_store();
		assert_int_equal(unlink(path), 0);
	}
	store_close(other);
	create();
	refused = true;
	for (int at = 1; refused; at++) {
		int status;

		close_store();
		calls_left = at;
		status = store_open(&store, path, true, &head, &error);
		refused = calls_left <= 0;
		calls_left = 0;
		assert_true(status == 0 || status == -ENOMEM);
	}
	close_store();
	set_allocator(&allocator);
}

/* Fails unless the answer of a query is this text. */
static void
check_select(sqlite3 *database, const char *sql, const char *text)
{
	sqlite3_stmt *statement;

	assert_int_equal(
	    sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	assert_string_equal(sqlite3_column_text(statement, 0), text);
	sqlite3_finalize(statement);
}

/* The views work in the shell of SQLite. */
TEST(test_views_show_the_seat_of_each_bot)
{
	struct block_result *block = &blocks[0];
	char expected[512] = "";
	sqlite3 *database;

	create();
	fill(9);
	for (int i = 0; i < 4; i++) {
		struct summary *game = &block->games[i / 2];
		int seat = i % 2;

		game->winner = i / 2;
		memset(game->item_points, 0, sizeof(game->item_points));
		game->item_points[1][SCOPA_ITEM_SCOPE] = 5 + i / 2;
		sprintf(expected + strlen(expected),
		    "%lld %d %s %c %d %d %lld %lld %d %d\n",
		    (long long)game->game + 1, seat + 1, game->names[seat],
		    'A' + seat, game->scores[seat], game->winner == seat,
		    (long long)game->think_us[seat],
		    (long long)game->off_turn_ns[seat], game->pondered[seat],
		    game->cut_short[seat]);
	}
	assert_int_equal(add(0, 1), 0);
	close_store();
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	check_select(database,
	    "SELECT group_concat(game || ' ' || seat || ' ' || bot || ' ' || "
	    "party || ' ' || score || ' ' || won || ' ' || think_us || ' ' || "
	    "off_turn_ns || ' ' || pondered || ' ' || cut_short || char(10), "
	    "'') FROM (SELECT * FROM seat ORDER BY game, seat)",
	    expected);
	check_select(database,
	    "SELECT group_concat(game || party || item || points, ' ') "
	    "FROM source",
	    "1Bscope5 2Bscope6");
	sqlite3_close(database);
}

enum { NOBODY = 65534 };

/*
 * Opening for reading and for writing fails with this status, and the file does
 * not change.
 */
static void
check_refused(int status, const char *sentence)
{
	size_t size, size_after;
	char *before;

	close_store();
	folder_read(path, &size);
	before = malloc(size + 1);
	assert_non_null(before);
	memcpy(before, folder_read(path, &size), size);
	for (int writable = 0; writable < 2; writable++) {
		assert_int_equal(reopen(writable), status);
		expect_parts(error.what, sentence, path);
		assert_memory_equal(
		    before, folder_read(path, &size_after), size);
		assert_int_equal(size_after, size);
	}
	free(before);
}

/* The same for a file without other files beside it. */
static void
check_other_file(int status, const char *sentence)
{
	check_refused(status, sentence);
	assert_int_equal(folder_file_count(folder), 1);
}

TEST(test_existing_file_is_not_replaced)
{
	folder_write(path, "mine");
	assert_int_equal(store_create(&store, path, &head, &error), -EEXIST);
	check_other_file(-EBADMSG, "is not the database of a run");
}

TEST(test_other_databases_are_refused)
{
	static const struct {
		bool made; /* the arena creates it before `sql` */
		const char *sql;
		int status;
		const char *what, *help;
	} cases[] = {
		{ false, "CREATE TABLE run (id); INSERT INTO run VALUES (1)",
		    -EBADMSG, "is not the database of a run", "" },
		{ true, "PRAGMA user_version = 6", -EPROTO, "newer",
		    "nothing was changed" },
		{ true, "PRAGMA user_version = 2", -ESTALE, "older",
		    "db rebuild" },
		{ true, "ALTER TABLE game ADD COLUMN comment TEXT", -EBADMSG,
		    "damaged", "db rebuild" },
	};
	for (int i = 0; i < COUNTOF(cases); i++) {
		if (cases[i].made)
			create();
		change_database(cases[i].sql);
		check_refused(cases[i].status, cases[i].what);
		if (strstr(error.hint, cases[i].help) == NULL &&
		    strstr(error.try, cases[i].help) == NULL)
			fail_msg("%s: no help", cases[i].sql);
		assert_int_equal(unlink(path), 0);
	}
	folder_write(path, "");
	check_other_file(-EBADMSG, "is empty");
}

/* Triggers that another program has added do nothing. */
TEST(test_added_triggers_do_not_run)
{
	create();
	fill(7);
	change_database("CREATE TRIGGER evil AFTER INSERT ON block BEGIN "
			"DELETE FROM game; END");
	assert_int_equal(reopen(true), 0);
	assert_int_equal(add(0, BLOCKS), 0);
	check(BLOCKS);
}

TEST(test_damaged_page_is_found)
{
	char page[4096];
	int fd;

	create();
	fill(8);
	assert_int_equal(add(0, BLOCKS), 0);
	close_store();
	memset(page, 0x5A, sizeof(page));
	fd = open(path, O_WRONLY);
	assert_true(lseek(fd, -4096, SEEK_END) > 0);
	assert_int_equal(write(fd, page, sizeof(page)), 4096);
	close(fd);
	check_refused(-EBADMSG, "damaged");
	expect_parts(error.try, "db rebuild", folder);
}

TEST(test_invalid_head_is_refused)
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
	for (int i = 0; i < COUNTOF(changes); i++) {
		create();
		change_database(changes[i]);
		check_refused(-EBADMSG, "damaged");
		unlink(path);
	}
}

/* From now on, this process cannot write to files of root. */
static void
drop_root(void)
{
	if (geteuid() != 0)
		return;
	assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
	assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	assert_int_equal(setresuid(NOBODY, NOBODY, NOBODY), 0);
}

/*
 * In its own process: returns 0 if each call is refused and no file has
 * changed.
 */
static int
open_read_only_database(void)
{
	int refused = 0;

	drop_root();
	assert_int_equal(chmod(path, S_IRUSR), 0);
	refused += reopen(true) == -EROFS;
	assert_int_equal(folder_file_count(folder), 1);
	assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
	assert_int_equal(chmod(folder, S_IRUSR | S_IXUSR), 0);
	refused += reopen(true) == -EROFS;
	assert_int_equal(chmod(folder, S_IRWXU), 0);
	return refused == 2 ? reopen(true) : 1;
}

TEST(test_database_that_cannot_be_written_is_refused_at_once)
{
	int status;
	pid_t pid;

	create();
	close_store();
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(open_read_only_database());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/*
 * The first call waits for the process that has locked the file; later calls
 * leave the waiting to the caller.
 */
TEST(test_locked_file_can_be_opened_later)
{
	sqlite3 *other;

	create();
	fill(9);
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
	    SQLITE_OK);
	for (int i = 0; i < 100; i++)
		assert_int_equal(add(0, 1), -EBUSY);
	assert_int_equal(
	    sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	assert_int_equal(add(0, BLOCKS), 0);
	check(BLOCKS);
}

TEST_EACH(setup, teardown)
