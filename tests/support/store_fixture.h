/*
 * A database of results in a folder of its own, for the tests of the store.
 */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include "folder.h"
#include "rows.h"

enum { STORE_FIXTURE_BLOCKS = 40, STORE_FIXTURE_STOPPED = 77 };

struct store_fixture {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 16];
	struct store_head head;
	struct store *store; /* or NULL */
	struct store_error error;
	struct block_result blocks[STORE_FIXTURE_BLOCKS];
	struct store_place places[STORE_FIXTURE_BLOCKS];
};

/* Setup and teardown for cmocka: a run of three bots, and no file yet. */
int store_fixture_setup(void **state);
int store_fixture_teardown(void **state);

/* Makes the database; it must succeed. */
void store_fixture_create(struct store_fixture *fixture);

/* Closes it if it is open. */
void store_fixture_close(struct store_fixture *fixture);

/* Opens it anew, the head must be the same: 0 or -errno. */
int store_fixture_reopen(struct store_fixture *fixture, bool writable);

/* Makes up blocks from this seed; the first three are not skipped. */
void store_fixture_fill(struct store_fixture *fixture, uint64_t seed);

/* Adds `count` of them, as store_add. */
int store_fixture_add(struct store_fixture *fixture, int from, int count);

/*
 * Walks from `from` to block `stop_at`, where it is told to stop and answers
 * STORE_FIXTURE_STOPPED; what comes must be what was added.  *end is where it came to.
 */
int store_fixture_walk(
    struct store_fixture *fixture, int from, int stop_at, int *end);

/* The blocks from `from` to `end` are there, and no more. */
void store_fixture_check(struct store_fixture *fixture, int from, int end);

/* Closes it and runs SQL on the file as another program would. */
void store_fixture_meddle(struct store_fixture *fixture, const char *sql);

#endif
