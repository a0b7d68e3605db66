/*
 * The database of a run: what goes in comes out, once; and files that are no whole
 * database are refused, and left alone.
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

enum { FIXTURE_BLOCKS = 40 };

struct fixture {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 16];
	struct store_head head;
	struct store *store; /* or NULL */
	struct store_error error;
	struct block_result blocks[FIXTURE_BLOCKS];
};

static struct fixture *fixture;

/* Closes it if it is open. */
static void
fixture_close(void)
{
	store_close(fixture->store);
	fixture->store = NULL;
}

/* Setup and teardown for cmocka: a run of three bots, and no file yet. */
static int
fixture_setup(void **state)
{
	(void)state;
	fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	folder_make(fixture->folder);
	snprintf(fixture->path, sizeof(fixture->path), "%s/results.db",
	    fixture->folder);
	fixture->head = *rows_head(SCOPA_TEAMS_AB, 3, 2);
	return 0;
}

static int
fixture_teardown(void **state)
{
	(void)state;
	fixture_close();
	folder_remove(fixture->folder);
	free(fixture);
	return 0;
}

/* Makes the database; it must succeed. */
static void
fixture_create(void)
{
	assert_int_equal(store_create(&fixture->store, fixture->path,
			     &fixture->head, &fixture->error),
	    0);
}

/* Opens it anew, the head must be the same: 0 or -errno. */
static int
fixture_reopen(bool writable)
{
	static struct store_head head;
	int status;

	fixture_close();
	memset(&head, 0xA5, sizeof(head));
	status = store_open(
	    &fixture->store, fixture->path, writable, &head, &fixture->error);
	if (status == 0)
		assert_memory_equal(&head, &fixture->head, sizeof(head));
	return status;
}

/* Makes up blocks from this seed; the first three are not skipped. */
static void
fixture_fill(uint64_t seed)
{
	do {
		for (int i = 0; i < FIXTURE_BLOCKS; i++)
			rows_random(
			    &seed, &fixture->head, i, &fixture->blocks[i]);
	} while (fixture->blocks[0].skipped || fixture->blocks[1].skipped ||
	    fixture->blocks[2].skipped);
}

/* Adds `count` of them, as store_add. */
static int
fixture_add(int from, int count)
{
	return store_add(
	    fixture->store, fixture->blocks + from, count, &fixture->error);
}

/* Compares what comes with what was added; the context is its number. */
static int
check_block(void *context, const struct block_result *block)
{
	int *at = context;

	assert_true(*at < FIXTURE_BLOCKS);
	assert_true(rows_equal(block, &fixture->blocks[(*at)++]));
	return 0;
}

/* Walks over all blocks, as far as they make sense; the number of these. */
static int
fixture_walk(int status)
{
	int count = 0;

	assert_int_equal(store_walk_from(fixture->store, 0, check_block, &count,
			     &fixture->error),
	    status);
	return count;
}

/* The blocks up to `end` are there, and no more. */
static void
fixture_check(int end)
{
	assert_int_equal(fixture_walk(0), end);
}

static void
fixture_meddle(const char *sql)
{
	fixture_close();
	rows_meddle(fixture->path, sql);
}

/* What the store says of its end: blocks, and the bytes of records. */
static struct block_place
check_end(struct store *store, int64_t blocks, int64_t bytes)
{
	struct block_place last;
	int64_t count = -1;

	assert_int_equal(store_end(store, &count, &last, &fixture->error), 0);
	assert_int_equal(count, blocks);
	if (bytes >= 0)
		assert_int_equal(last.offset + last.size, bytes);
	return last;
}

TEST(test_rows_are_blocks_and_blocks_are_rows)
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
		fixture->head =
		    *rows_head(runs[i].teams, runs[i].bots, runs[i].games);
		fixture_create();
		fixture_fill((uint64_t)i);
		assert_int_equal(fixture_add(0, FIXTURE_BLOCKS), 0);
		fixture_check(FIXTURE_BLOCKS);
		assert_int_equal(fixture_reopen(false), 0);
		fixture_check(FIXTURE_BLOCKS);
		fixture_close();
		assert_int_equal(unlink(fixture->path), 0);
	}
}

TEST(test_block_is_added_once)
{
	fixture_create();
	fixture_fill(2);
	assert_int_equal(fixture_add(0, 5), 0);
	assert_int_equal(fixture_add(0, 5), 0);
	assert_int_equal(fixture_add(3, 5), 0);
	fixture_check(8);
}

TEST(test_gap_between_blocks_is_refused)
{
	fixture_create();
	fixture_fill(4);
	assert_int_equal(fixture_add(1, 1), -EINVAL);
	assert_int_equal(fixture_add(0, 1), 0);
	assert_int_equal(fixture_add(2, 1), -EINVAL);
	fixture_check(1);
}

TEST(test_game_of_another_bot_is_refused)
{
	struct block_result *block = &fixture->blocks[0];

	fixture_create();
	fixture_fill(5);
	block->games[1].names[0][0] ^= 1;
	assert_int_equal(fixture_add(0, 1), -EINVAL);
	expect_parts(fixture->error.what, "game 2 of block 1 ");
	block->games[1].names[0][0] ^= 1;
	block->games[0].game++;
	assert_int_equal(fixture_add(0, 1), -EINVAL);
	block->games[0].game--;
	block->games[0].round++;
	assert_int_equal(fixture_add(0, 1), -EINVAL);
	fixture_check(0);
}

TEST(test_extent_is_the_end_of_the_last_record)
{
	fixture_create();
	fixture_fill(6);
	check_end(fixture->store, 0, 0);
	for (int i = 0; i < FIXTURE_BLOCKS; i++) {
		fixture->blocks[i].place.offset =
		    fixture->blocks[i].skipped ? 0 : 100 + i;
		fixture->blocks[i].place.size =
		    fixture->blocks[i].skipped ? 0 : 7;
	}
	for (int i = 0, end = 0; i < FIXTURE_BLOCKS; i++) {
		assert_int_equal(fixture_add(i, 1), 0);
		end = fixture->blocks[i].skipped ? end : 107 + i;
		check_end(fixture->store, i + 1, end);
	}
}

TEST(test_state_lasts)
{
	char word[STORE_STATE_SIZE];

	fixture_create();
	assert_int_equal(store_state(fixture->store, word, sizeof(word)), 0);
	assert_string_equal(word, "running");
	assert_int_equal(
	    store_set_state(fixture->store, "done pass", &fixture->error), 0);
	assert_int_equal(fixture_reopen(false), 0);
	assert_int_equal(store_state(fixture->store, word, sizeof(word)), 0);
	assert_string_equal(word, "done pass");
	assert_int_equal(store_state(fixture->store, word, 5), -EBADMSG);
}

TEST(test_row_that_makes_no_sense_ends_the_walk)
{
	static const char *const changes[] = {
		"UPDATE game SET scores = '[1]' WHERE game = 3",
		"UPDATE game SET scores = '[1,2,3]' WHERE game = 3",
		"UPDATE game SET scores = '[1, 2]' WHERE game = 3",
		"UPDATE game SET points = '[{},{\"luck\":1}]' WHERE game = 3",
		"UPDATE game SET winner = 'C' WHERE game = 3",
		"UPDATE game SET think_us = '[1,99999999999999999999]' "
		"WHERE game = 3",
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
		"DELETE FROM game WHERE game = 3",
		"DELETE FROM game WHERE game = 4",
		"DELETE FROM game WHERE game IN (3, 4)",
		"DELETE FROM game WHERE game IN (3, 4); "
		"DELETE FROM block WHERE block = 2",
	};
	fixture_fill(9);
	for (int i = 0; i < COUNTOF(changes); i++) {
		fixture_create();
		assert_int_equal(fixture_add(0, 3), 0);
		fixture_meddle(changes[i]);
		assert_int_equal(fixture_reopen(true), 0);
		assert_int_equal(fixture_walk(-EBADMSG), 1);
		expect_parts(fixture->error.what, "block 2 ");
		fixture_close();
		unlink(fixture->path);
	}
}

TEST(test_reader_sees_what_the_writer_commits)
{
	static struct store_head head;
	struct store *reader;

	fixture_create();
	fixture_fill(10);
	assert_int_equal(
	    store_open(&reader, fixture->path, false, &head, &fixture->error),
	    0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(fixture_add(i, 1), 0);
		check_end(reader, i + 1, -1);
	}
	/* The end of the writer does not wait for readers. */
	fixture_close();
	check_end(reader, 3, -1);
	store_close(reader);
	assert_int_equal(fixture_reopen(true), 0);
	fixture_check(3);
}

/* Compares it with another database that holds the first blocks: 1 or 0. */
static int
compare(int count, char difference[STORE_TEXT_SIZE])
{
	char path[FOLDER_SIZE + 16];
	struct store *other;
	int answer;

	snprintf(path, sizeof(path), "%s/other.db", fixture->folder);
	assert_int_equal(
	    store_create(&other, path, &fixture->head, &fixture->error), 0);
	assert_int_equal(
	    store_add(other, fixture->blocks, count, &fixture->error), 0);
	answer =
	    store_compare(fixture->store, other, difference, &fixture->error);
	store_close(other);
	assert_int_equal(unlink(path), 0);
	return answer;
}

TEST(test_comparison_names_the_first_difference)
{
	struct summary *game = &fixture->blocks[1].games[0];
	char difference[STORE_TEXT_SIZE];

	fixture_create();
	fixture_fill(9);
	strcpy(game->voided[0], "ENV_ERR");
	strcpy(game->voided[1], "VOID");
	game->voided_count = 2;
	assert_int_equal(fixture_add(0, 5), 0);
	assert_int_equal(compare(3, difference), 1);
	/* The last table has a key of three numbers. */
	strcpy(game->voided[1], "BOX_ERR");
	assert_int_equal(compare(3, difference), 0);
	assert_string_equal(difference,
	    "block, game, attempt 2, 3, 2: `reason` is VOID, and not BOX_ERR");
	fixture_meddle("UPDATE game SET scores = '[12,34]' WHERE game = 4");
	assert_int_equal(fixture_reopen(false), 0);
	assert_int_equal(compare(3, difference), 0);
	expect_parts(
	    difference, "block, game 2, 4: `scores` is [12,34], and not [");
}

/* The answer of a query is this text. */
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

/* Whoever opens the file with the shell of SQLite finds views that work. */
TEST(test_views_say_who_sat_where)
{
	struct block_result *block = &fixture->blocks[0];
	char expected[512] = "";
	sqlite3 *database;

	fixture_create();
	fixture_fill(9);
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
	assert_int_equal(fixture_add(0, 1), 0);
	fixture_close();
	assert_int_equal(sqlite3_open(fixture->path, &database), SQLITE_OK);
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

TEST(test_fair_dealing_is_kept)
{
	struct store_head *head = &fixture->head;
	struct block_place last;

	head->committed = true;
	memset(head->terms, 'a', sizeof(head->terms) - 1);
	memset(head->commitment, 'b', sizeof(head->commitment) - 1);
	fixture_fill(9);
	fixture_create();
	assert_int_equal(fixture_reopen(true), 0);
	strcpy(head->contributions, "alice=00|bob=01");
	assert_int_equal(store_set_contributions(fixture->store,
			     head->contributions, &fixture->error),
	    0);
	assert_int_equal(fixture_add(0, 3), 0);
	last = check_end(fixture->store, 3, -1);
	assert_memory_equal(
	    last.chain, fixture->blocks[2].place.chain, sizeof(last.chain));
	memset(head->secret, 'c', sizeof(head->secret) - 1);
	assert_int_equal(
	    store_set_secret(fixture->store, head->secret, &fixture->error), 0);
	assert_int_equal(fixture_reopen(false), 0);
}

enum { NOBODY = 65534 };

/* It is refused with this answer, whoever asks, and stays as it is. */
static void
check_refused(int status, const char *sentence)
{
	size_t size, size_after;
	char *before;

	fixture_close();
	folder_read(fixture->path, &size);
	before = malloc(size + 1);
	assert_non_null(before);
	memcpy(before, folder_read(fixture->path, &size), size);
	for (int writable = 0; writable < 2; writable++) {
		assert_int_equal(fixture_reopen(writable), status);
		expect_parts(fixture->error.what, sentence, fixture->path);
		assert_memory_equal(
		    before, folder_read(fixture->path, &size_after), size);
		assert_int_equal(size_after, size);
	}
	free(before);
}

/* Refused as above, without a file beside it. */
static void
check_strange(int status, const char *sentence)
{
	check_refused(status, sentence);
	assert_int_equal(folder_file_count(fixture->folder), 1);
}

TEST(test_file_that_exists_is_not_replaced)
{
	folder_write(fixture->path, "mine");
	assert_int_equal(store_create(&fixture->store, fixture->path,
			     &fixture->head, &fixture->error),
	    -EEXIST);
	check_strange(-EBADMSG, "is not the database of a run");
}

TEST(test_strange_databases_are_refused)
{
	static const struct {
		bool made; /* by the arena, before somebody else changed it */
		const char *sql;
		int status;
		const char *what, *help;
	} cases[] = {
		{ false, "CREATE TABLE run (id); INSERT INTO run VALUES (1)",
		    -EBADMSG, "is not the database of a run", "" },
		{ true, "PRAGMA user_version = 6", -EPROTO, "newer",
		    "nothing was changed" },
		{ true, "PRAGMA user_version = 2", -EBADMSG, "older",
		    "db rebuild" },
		{ true, "ALTER TABLE game ADD COLUMN comment TEXT", -EBADMSG,
		    "damaged", "db rebuild" },
	};
	for (int i = 0; i < COUNTOF(cases); i++) {
		if (cases[i].made)
			fixture_create();
		fixture_meddle(cases[i].sql);
		check_refused(cases[i].status, cases[i].what);
		if (strstr(fixture->error.hint, cases[i].help) == NULL &&
		    strstr(fixture->error.try, cases[i].help) == NULL)
			fail_msg("%s: no help", cases[i].sql);
		assert_int_equal(unlink(fixture->path), 0);
	}
	folder_write(fixture->path, "");
	check_strange(-EBADMSG, "is empty");
}

/* Triggers that somebody has put there do nothing. */
TEST(test_strange_triggers_do_not_run)
{
	fixture_create();
	fixture_fill(7);
	fixture_meddle("CREATE TRIGGER evil AFTER INSERT ON block BEGIN "
		       "DELETE FROM game; END");
	assert_int_equal(fixture_reopen(true), 0);
	assert_int_equal(fixture_add(0, FIXTURE_BLOCKS), 0);
	fixture_check(FIXTURE_BLOCKS);
}

TEST(test_damaged_page_is_found)
{
	char page[4096];
	int fd;

	fixture_create();
	fixture_fill(8);
	assert_int_equal(fixture_add(0, FIXTURE_BLOCKS), 0);
	fixture_close();
	memset(page, 0x5A, sizeof(page));
	fd = open(fixture->path, O_WRONLY);
	assert_true(lseek(fd, -4096, SEEK_END) > 0);
	assert_int_equal(write(fd, page, sizeof(page)), 4096);
	close(fd);
	check_refused(-EBADMSG, "damaged");
	expect_parts(fixture->error.try, "db rebuild", fixture->folder);
}

TEST(test_head_that_makes_no_sense_is_refused)
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
		fixture_create();
		fixture_meddle(changes[i]);
		check_refused(-EBADMSG, "damaged");
		unlink(fixture->path);
	}
}

/* Whoever looks from now on may not write to what root owns. */
static void
give_up_root(void)
{
	if (geteuid() != 0)
		return;
	assert_int_equal(chown(fixture->folder, NOBODY, NOBODY), 0);
	assert_int_equal(chown(fixture->path, NOBODY, NOBODY), 0);
	assert_int_equal(setresuid(NOBODY, NOBODY, NOBODY), 0);
}

/* In a process of its own: 0 where each is refused and nothing has changed. */
static int
open_what_is_read_only(void)
{
	int refused = 0;

	give_up_root();
	assert_int_equal(chmod(fixture->path, S_IRUSR), 0);
	refused += fixture_reopen(true) == -EROFS;
	assert_int_equal(folder_file_count(fixture->folder), 1);
	assert_int_equal(chmod(fixture->path, S_IRUSR | S_IWUSR), 0);
	assert_int_equal(chmod(fixture->folder, S_IRUSR | S_IXUSR), 0);
	refused += fixture_reopen(true) == -EROFS;
	assert_int_equal(chmod(fixture->folder, S_IRWXU), 0);
	return refused == 2 ? fixture_reopen(true) : 1;
}

TEST(test_what_cannot_be_written_to_is_refused_at_once)
{
	int status;
	pid_t pid;

	fixture_create();
	fixture_close();
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(open_what_is_read_only());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* The first call waits for whoever holds the file; the caller does then. */
TEST(test_file_that_is_held_can_be_tried_again)
{
	sqlite3 *other;

	fixture_create();
	fixture_fill(9);
	assert_int_equal(sqlite3_open(fixture->path, &other), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
	    SQLITE_OK);
	for (int i = 0; i < 100; i++)
		assert_int_equal(fixture_add(0, 1), -EBUSY);
	assert_int_equal(
	    sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(other), SQLITE_OK);
	assert_int_equal(fixture_add(0, FIXTURE_BLOCKS), 0);
	fixture_check(FIXTURE_BLOCKS);
}

TEST_EACH(fixture_setup, fixture_teardown)
