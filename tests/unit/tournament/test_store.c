/*
 * The database of a run: what goes in comes out, once.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "rows.h"
#include "store_fixture.h"
#include "test.h"

TEST_WITH(test_rows_are_blocks_and_blocks_are_rows, store_fixture_setup,
    store_fixture_teardown)
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
	struct store_fixture *fixture = *state;

	for (int i = 0; i < COUNTOF(runs); i++) {
		fixture->head =
		    *rows_head(runs[i].teams, runs[i].bots, runs[i].games);
		store_fixture_create(fixture);
		store_fixture_fill(fixture, (uint64_t)i);
		assert_int_equal(
		    store_fixture_add(fixture, 0, STORE_FIXTURE_BLOCKS), 0);
		store_fixture_check(fixture, 0, STORE_FIXTURE_BLOCKS);
		assert_int_equal(store_fixture_reopen(fixture, false), 0);
		store_fixture_check(
		    fixture, STORE_FIXTURE_BLOCKS / 2, STORE_FIXTURE_BLOCKS);
		store_fixture_check(
		    fixture, STORE_FIXTURE_BLOCKS, STORE_FIXTURE_BLOCKS);
		store_fixture_close(fixture);
		assert_int_equal(unlink(fixture->path), 0);
	}
}

TEST_WITH(test_walk_ends_when_told, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	int end;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 1);
	assert_int_equal(store_fixture_add(fixture, 0, 5), 0);
	assert_int_equal(
	    store_fixture_walk(fixture, 0, 3, &end), STORE_FIXTURE_STOPPED);
	assert_int_equal(end, 3);
	store_fixture_check(fixture, 0, 5);
}

TEST_WITH(test_block_is_added_once, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 2);
	assert_int_equal(store_fixture_add(fixture, 0, 5), 0);
	assert_int_equal(store_fixture_add(fixture, 0, 5), 0);
	assert_int_equal(store_fixture_add(fixture, 3, 5), 0);
	store_fixture_check(fixture, 0, 8);
}

TEST_WITH(test_block_with_another_record_is_refused, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 3);
	assert_int_equal(store_fixture_add(fixture, 0, 5), 0);
	fixture->places[4].digest[31] ^= 1;
	assert_int_equal(store_fixture_add(fixture, 3, 5), -EEXIST);
	assert_non_null(strstr(fixture->error.what, "block 5 "));
	fixture->places[4].digest[31] ^= 1;
	store_fixture_check(fixture, 0, 5);
}

TEST_WITH(test_gap_between_blocks_is_refused, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 4);
	assert_int_equal(store_fixture_add(fixture, 1, 1), -EINVAL);
	assert_int_equal(store_fixture_add(fixture, 0, 1), 0);
	assert_int_equal(store_fixture_add(fixture, 2, 1), -EINVAL);
	store_fixture_check(fixture, 0, 1);
}

TEST_WITH(test_game_of_another_bot_is_refused, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	struct block_result *block = &fixture->blocks[0];

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 5);
	block->games[1].names[0][0] ^= 1;
	assert_int_equal(store_fixture_add(fixture, 0, 1), -EINVAL);
	assert_non_null(strstr(fixture->error.what, "game 2 of block 1 "));
	block->games[1].names[0][0] ^= 1;
	block->games[0].game++;
	assert_int_equal(store_fixture_add(fixture, 0, 1), -EINVAL);
	block->games[0].game--;
	block->games[0].round++;
	assert_int_equal(store_fixture_add(fixture, 0, 1), -EINVAL);
	block->games[0].round--;
	block->plan.bots[0] = 3;
	assert_int_equal(store_fixture_add(fixture, 0, 1), -EINVAL);
	store_fixture_check(fixture, 0, 0);
}

TEST_WITH(test_extent_is_the_end_of_the_last_record, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	int64_t count = -1, size = -1;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 6);
	assert_int_equal(
	    store_extent(fixture->store, &count, &size, &fixture->error), 0);
	assert_int_equal(count, 0);
	assert_int_equal(size, 0);
	for (int i = 0; i < STORE_FIXTURE_BLOCKS; i++) {
		fixture->places[i].offset =
		    fixture->blocks[i].skipped ? 0 : 100 + i;
		fixture->places[i].size = fixture->blocks[i].skipped ? 0 : 7;
	}
	for (int i = 0, end = 0; i < STORE_FIXTURE_BLOCKS; i++) {
		assert_int_equal(store_fixture_add(fixture, i, 1), 0);
		end = fixture->blocks[i].skipped ? end : 107 + i;
		assert_int_equal(store_extent(fixture->store, &count, &size,
				     &fixture->error),
		    0);
		assert_int_equal(count, i + 1);
		assert_int_equal(size, end);
	}
}

TEST_WITH(test_state_lasts, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	char word[STORE_STATE_SIZE];

	store_fixture_create(fixture);
	assert_int_equal(store_state(fixture->store, word, sizeof(word)), 0);
	assert_string_equal(word, "running");
	assert_int_equal(
	    store_set_state(fixture->store, "done pass", &fixture->error), 0);
	assert_int_equal(store_fixture_reopen(fixture, false), 0);
	assert_int_equal(store_state(fixture->store, word, sizeof(word)), 0);
	assert_string_equal(word, "done pass");
	assert_int_equal(store_state(fixture->store, word, 5), -EBADMSG);
}

TEST_WITH(test_row_that_makes_no_sense_ends_the_walk, store_fixture_setup,
    store_fixture_teardown)
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
	struct store_fixture *fixture = *state;

	store_fixture_fill(fixture, 9);
	for (int i = 0; i < COUNTOF(changes); i++) {
		int end;

		store_fixture_create(fixture);
		assert_int_equal(store_fixture_add(fixture, 0, 3), 0);
		store_fixture_meddle(fixture, changes[i]);
		assert_int_equal(store_fixture_reopen(fixture, true), 0);
		assert_int_equal(
		    store_fixture_walk(fixture, 0, -1, &end), -EBADMSG);
		assert_int_equal(end, 1);
		assert_non_null(strstr(fixture->error.what, "block 2 "));
		store_fixture_close(fixture);
		unlink(fixture->path);
	}
}

TEST_WITH(test_reader_sees_what_the_writer_commits, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	static struct store_head head;
	struct store *reader;
	int64_t count, size;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 10);
	assert_int_equal(
	    store_open(&reader, fixture->path, false, &head, &fixture->error),
	    0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(store_fixture_add(fixture, i, 1), 0);
		assert_int_equal(
		    store_extent(reader, &count, &size, &fixture->error), 0);
		assert_int_equal(count, i + 1);
	}
	/* The end of the writer does not wait for readers. */
	store_fixture_close(fixture);
	assert_int_equal(
	    store_extent(reader, &count, &size, &fixture->error), 0);
	assert_int_equal(count, 3);
	store_close(reader);
	assert_int_equal(store_fixture_reopen(fixture, true), 0);
	store_fixture_check(fixture, 0, 3);
}

TEST_WITH(test_comparison_names_the_first_difference, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	char path[FOLDER_SIZE + 16], difference[STORE_TEXT_SIZE];
	static struct store_head head;
	struct store *other;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 9);
	assert_int_equal(store_fixture_add(fixture, 0, 5), 0);
	snprintf(path, sizeof(path), "%s/other.db", fixture->folder);
	assert_int_equal(
	    store_create(&other, path, &fixture->head, &fixture->error), 0);
	assert_int_equal(store_add(other, fixture->blocks, fixture->places, 3,
			     &fixture->error),
	    0);
	assert_int_equal(
	    store_compare(fixture->store, other, difference, &fixture->error),
	    1);
	store_fixture_meddle(
	    fixture, "UPDATE game SET scores = '[12,34]' WHERE game = 4");
	assert_int_equal(store_fixture_reopen(fixture, false), 0);
	assert_int_equal(
	    store_compare(fixture->store, other, difference, &fixture->error),
	    0);
	assert_non_null(strstr(
	    difference, "block, game 2, 4: `scores` is [12,34], and not ["));
	store_close(other);
	assert_int_equal(
	    store_open(&other, path, false, &head, &fixture->error), 0);
	store_close(other);
}

/* The last table has a key of three numbers. */
TEST_WITH(test_comparison_looks_at_voided_attempts, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	char path[FOLDER_SIZE + 16], difference[STORE_TEXT_SIZE];
	struct summary *game = &fixture->blocks[1].games[0];
	struct store *other;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 9);
	assert_false(fixture->blocks[1].skipped);
	strcpy(game->voided[0], "ENV_ERR");
	strcpy(game->voided[1], "VOID");
	game->voided_count = 2;
	assert_int_equal(store_fixture_add(fixture, 0, 2), 0);
	strcpy(game->voided[1], "BOX_ERR");
	snprintf(path, sizeof(path), "%s/other.db", fixture->folder);
	assert_int_equal(
	    store_create(&other, path, &fixture->head, &fixture->error), 0);
	assert_int_equal(store_add(other, fixture->blocks, fixture->places, 2,
			     &fixture->error),
	    0);
	assert_int_equal(
	    store_compare(fixture->store, other, difference, &fixture->error),
	    0);
	assert_string_equal(difference,
	    "block, game, attempt 2, 3, 2: `reason` is VOID, and not BOX_ERR");
	store_close(other);
}

/* Whoever opens the file with the shell of SQLite finds views that work. */
TEST_WITH(
    test_views_say_who_sat_where, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	struct block_result *block = &fixture->blocks[0];
	sqlite3_stmt *statement;
	sqlite3 *database;
	int rows = 0;

	store_fixture_create(fixture);
	store_fixture_fill(fixture, 9);
	for (int i = 0; i < 2; i++) {
		block->games[i].winner = i;
		memset(block->games[i].item_points, 0,
		    sizeof(block->games[i].item_points));
		block->games[i].item_points[1][SCOPA_ITEM_SCOPE] = 5 + i;
	}
	assert_int_equal(store_fixture_add(fixture, 0, 1), 0);
	store_fixture_close(fixture);
	assert_int_equal(sqlite3_open(fixture->path, &database), SQLITE_OK);
	assert_int_equal(
	    sqlite3_prepare_v2(database,
		"SELECT game, seat, bot, party, score, won, "
		"think_us, off_turn_ns, pondered, cut_short FROM seat "
		"ORDER BY game, seat",
		-1, &statement, NULL),
	    SQLITE_OK);
	for (; sqlite3_step(statement) == SQLITE_ROW; rows++) {
		const struct summary *game = &block->games[rows / 2];
		int seat = rows % 2;

		assert_int_equal(
		    sqlite3_column_int64(statement, 0), game->game + 1);
		assert_int_equal(sqlite3_column_int(statement, 1), seat + 1);
		assert_string_equal(
		    sqlite3_column_text(statement, 2), game->names[seat]);
		assert_string_equal(
		    sqlite3_column_text(statement, 3), seat ? "B" : "A");
		assert_int_equal(
		    sqlite3_column_int(statement, 4), game->scores[seat]);
		assert_int_equal(
		    sqlite3_column_int(statement, 5), game->winner == seat);
		assert_true(
		    sqlite3_column_int64(statement, 6) == game->think_us[seat]);
		assert_true(sqlite3_column_int64(statement, 7) ==
		    game->off_turn_ns[seat]);
		assert_int_equal(
		    sqlite3_column_int(statement, 8), game->pondered[seat]);
		assert_int_equal(
		    sqlite3_column_int(statement, 9), game->cut_short[seat]);
	}
	sqlite3_finalize(statement);
	assert_int_equal(rows, 4);
	assert_int_equal(sqlite3_prepare_v2(database,
			     "SELECT group_concat(game || party || item || "
			     "points, ' ') FROM source",
			     -1, &statement, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	assert_string_equal(
	    sqlite3_column_text(statement, 0), "1Bscope5 2Bscope6");
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

TEST_WITH(test_path_of_strange_bytes_works, store_fixture_setup,
    store_fixture_teardown)
{
	struct store_fixture *fixture = *state;

	snprintf(fixture->path, sizeof(fixture->path), "%s/a?b#%%c \xC3\xA9",
	    fixture->folder);
	store_fixture_create(fixture);
	store_fixture_fill(fixture, 11);
	assert_int_equal(store_fixture_add(fixture, 0, 3), 0);
	assert_int_equal(access(fixture->path, F_OK), 0);
	assert_int_equal(store_fixture_reopen(fixture, false), 0);
	store_fixture_check(fixture, 0, 3);
}

TEST_WITH(
    test_fair_dealing_is_kept, store_fixture_setup, store_fixture_teardown)
{
	struct store_fixture *fixture = *state;
	struct store_head *head = &fixture->head;
	unsigned char chain[STORE_DIGEST_SIZE];

	head->committed = true;
	memset(head->terms, 'a', sizeof(head->terms) - 1);
	memset(head->commitment, 'b', sizeof(head->commitment) - 1);
	store_fixture_fill(fixture, 9);
	store_fixture_create(fixture);
	assert_int_equal(store_fixture_reopen(fixture, true), 0);
	assert_int_equal(
	    store_last_chain(fixture->store, chain, &fixture->error), -ENOENT);
	strcpy(head->contributions, "alice=00|bob=01");
	assert_int_equal(store_set_contributions(fixture->store,
			     head->contributions, &fixture->error),
	    0);
	assert_int_equal(store_fixture_add(fixture, 0, 3), 0);
	assert_int_equal(
	    store_last_chain(fixture->store, chain, &fixture->error), 0);
	assert_memory_equal(chain, fixture->places[2].chain, sizeof(chain));
	memset(head->secret, 'c', sizeof(head->secret) - 1);
	assert_int_equal(
	    store_set_secret(fixture->store, head->secret, &fixture->error), 0);
	assert_int_equal(store_fixture_reopen(fixture, false), 0);
}
