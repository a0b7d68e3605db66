#include "store_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

int
store_fixture_setup(void **state)
{
	struct store_fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	folder_make(fixture->folder);
	snprintf(fixture->path, sizeof(fixture->path), "%s/results.db",
	    fixture->folder);
	fixture->head = *rows_head(SCOPA_TEAMS_AB, 3, 2);
	*state = fixture;
	return 0;
}

int
store_fixture_teardown(void **state)
{
	struct store_fixture *fixture = *state;

	store_fixture_close(fixture);
	folder_remove(fixture->folder);
	free(fixture);
	return 0;
}

void
store_fixture_create(struct store_fixture *fixture)
{
	assert_int_equal(store_create(&fixture->store, fixture->path,
			     &fixture->head, &fixture->error),
	    0);
}

int
store_fixture_reopen(struct store_fixture *fixture, bool writable)
{
	static struct store_head head;
	int status;

	store_fixture_close(fixture);
	memset(&head, 0xA5, sizeof(head));
	status = store_open(
	    &fixture->store, fixture->path, writable, &head, &fixture->error);
	if (status == 0)
		assert_memory_equal(&head, &fixture->head, sizeof(head));
	return status;
}

void
store_fixture_fill(struct store_fixture *fixture, uint64_t seed)
{
	do {
		for (int i = 0; i < STORE_FIXTURE_BLOCKS; i++)
			rows_random(&seed, &fixture->head, i,
			    &fixture->blocks[i], &fixture->places[i]);
	} while (fixture->blocks[0].skipped || fixture->blocks[1].skipped ||
	    fixture->blocks[2].skipped);
}

void
store_fixture_close(struct store_fixture *fixture)
{
	store_close(fixture->store);
	fixture->store = NULL;
}

int
store_fixture_add(struct store_fixture *fixture, int from, int count)
{
	return store_add(fixture->store, fixture->blocks + from,
	    fixture->places + from, count, &fixture->error);
}

/* Compares what comes with what was added. */
struct check {
	const struct store_fixture *fixture;
	int at, stop_at;
};

static int
check_block(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct check *check = context;
	const struct store_fixture *fixture = check->fixture;

	assert_true(check->at < STORE_FIXTURE_BLOCKS);
	assert_true(rows_equal(block, &fixture->blocks[check->at]));
	assert_memory_equal(place, &fixture->places[check->at], sizeof(*place));
	return ++check->at == check->stop_at ? STORE_FIXTURE_STOPPED : 0;
}

int
store_fixture_walk(
    struct store_fixture *fixture, int from, int stop_at, int *end)
{
	struct check check = {
		.fixture = fixture, .at = from, .stop_at = stop_at
	};
	int status = store_walk(
	    fixture->store, from, check_block, &check, &fixture->error);

	*end = check.at;
	return status;
}

void
store_fixture_check(struct store_fixture *fixture, int from, int end)
{
	int at;

	assert_int_equal(store_fixture_walk(fixture, from, -1, &at), 0);
	assert_int_equal(at, end);
}

void
store_fixture_meddle(struct store_fixture *fixture, const char *sql)
{
	sqlite3 *database;

	store_fixture_close(fixture);
	assert_int_equal(sqlite3_open(fixture->path, &database), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
}
