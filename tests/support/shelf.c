#include "shelf.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

int
shelf_setup(void **state)
{
	struct shelf *shelf = calloc(1, sizeof(*shelf));

	assert_non_null(shelf);
	folder_make(shelf->folder);
	snprintf(
	    shelf->path, sizeof(shelf->path), "%s/results.db", shelf->folder);
	shelf->head = *rows_head(SCOPA_TEAMS_AB, 3, 2);
	*state = shelf;
	return 0;
}

int
shelf_teardown(void **state)
{
	struct shelf *shelf = *state;

	shelf_close(shelf);
	folder_remove(shelf->folder);
	free(shelf);
	return 0;
}

void
shelf_create(struct shelf *shelf)
{
	assert_int_equal(store_create(&shelf->store, shelf->path, &shelf->head,
			     &shelf->error),
	    0);
}

int
shelf_reopen(struct shelf *shelf, bool writable)
{
	static struct store_head head;
	int status;

	shelf_close(shelf);
	memset(&head, 0xA5, sizeof(head));
	status = store_open(
	    &shelf->store, shelf->path, writable, &head, &shelf->error);
	if (status == 0)
		assert_memory_equal(&head, &shelf->head, sizeof(head));
	return status;
}

void
shelf_fill(struct shelf *shelf, uint64_t seed)
{
	do {
		for (int i = 0; i < SHELF_BLOCKS; i++)
			rows_random(&seed, &shelf->head, i, &shelf->blocks[i],
			    &shelf->places[i]);
	} while (shelf->blocks[0].skipped || shelf->blocks[1].skipped ||
	    shelf->blocks[2].skipped);
}

void
shelf_close(struct shelf *shelf)
{
	store_close(shelf->store);
	shelf->store = NULL;
}

int
shelf_add(struct shelf *shelf, int from, int count)
{
	return store_add(shelf->store, shelf->blocks + from,
	    shelf->places + from, count, &shelf->error);
}

/* Compares what comes with what was added. */
struct check {
	const struct shelf *shelf;
	int at, stop_at;
};

static int
check_block(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct check *check = context;
	const struct shelf *shelf = check->shelf;

	assert_true(check->at < SHELF_BLOCKS);
	assert_true(rows_equal(block, &shelf->blocks[check->at]));
	assert_memory_equal(place, &shelf->places[check->at], sizeof(*place));
	return ++check->at == check->stop_at ? SHELF_STOPPED : 0;
}

int
shelf_walk(struct shelf *shelf, int from, int stop_at, int *end)
{
	struct check check = { .shelf = shelf, .at = from, .stop_at = stop_at };
	int status =
	    store_walk(shelf->store, from, check_block, &check, &shelf->error);

	*end = check.at;
	return status;
}

void
shelf_check(struct shelf *shelf, int from, int end)
{
	int at;

	assert_int_equal(shelf_walk(shelf, from, -1, &at), 0);
	assert_int_equal(at, end);
}

void
shelf_meddle(struct shelf *shelf, const char *sql)
{
	sqlite3 *database;

	shelf_close(shelf);
	assert_int_equal(sqlite3_open(shelf->path, &database), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
}
