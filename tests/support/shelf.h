/*
 * A database of results in a folder of its own, for the tests of the store.
 */
#ifndef SHELF_H
#define SHELF_H

#include "folder.h"
#include "rows.h"

enum { SHELF_BLOCKS = 40, SHELF_STOPPED = 77 };

struct shelf {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 16];
	struct store_head head;
	struct store *store; /* or NULL */
	struct store_error error;
	struct block_result blocks[SHELF_BLOCKS];
	struct store_place places[SHELF_BLOCKS];
};

/* Setup and teardown for cmocka: a run of three bots, and no file yet. */
int shelf_setup(void **state);
int shelf_teardown(void **state);

/* Makes the database; it must succeed. */
void shelf_create(struct shelf *shelf);

/* Closes it if it is open. */
void shelf_close(struct shelf *shelf);

/* Opens it anew, the head must be the same: 0 or -errno. */
int shelf_reopen(struct shelf *shelf, bool writable);

/* Makes up blocks from this seed; the first three are not skipped. */
void shelf_fill(struct shelf *shelf, uint64_t seed);

/* Adds `count` of them, as store_add. */
int shelf_add(struct shelf *shelf, int from, int count);

/*
 * Walks from `from` to block `stop_at`, where it is told to stop and answers
 * SHELF_STOPPED; what comes must be what was added.  *end is where it came to.
 */
int shelf_walk(struct shelf *shelf, int from, int stop_at, int *end);

/* The blocks from `from` to `end` are there, and no more. */
void shelf_check(struct shelf *shelf, int from, int end);

/* Closes it and runs SQL on the file as another program would. */
void shelf_meddle(struct shelf *shelf, const char *sql);

#endif
