/*
 * A run that is made, gone on with after whatever happens to it, and ends as
 * it was to end: for the tests of runs.
 */
#ifndef VOYAGE_H
#define VOYAGE_H

#include "folder.h"
#include "rows.h"
#include "run.h"

enum { VOYAGE_BLOCKS = 12, VOYAGE_RECORD_SIZE = 600 };

#define VOYAGE_CONFIG "[tournament]\nrounds = 6\n"

struct voyage {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 8]; /* of the run, in the folder */
	struct store_head head;
	struct run run;
	bool open;
	struct store_error error;
	struct block_result blocks[VOYAGE_BLOCKS];
	char records[VOYAGE_BLOCKS][VOYAGE_RECORD_SIZE];
	size_t sizes[VOYAGE_BLOCKS]; /* of the records */
};

/* Setup and teardown for cmocka: no run is there yet. */
int voyage_setup(void **state);
int voyage_teardown(void **state);

/* These fail the test, or the process where it is a child of one. */
void voyage_create(struct voyage *voyage);
void voyage_open(struct voyage *voyage);
void voyage_close(struct voyage *voyage);

/* Adds the blocks up to `end`, from where the run is. */
void voyage_add(struct voyage *voyage, int end);

/* Adds as many, and commits after every `step`; 0 or what that says. */
int voyage_sail(struct voyage *voyage, int end, int step);

/* What the run holds is the first blocks, at least `count`, and no more. */
void voyage_check(struct voyage *voyage, int count);

/* Goes on to the end, and sees that all of it is as it should be. */
void voyage_finish(struct voyage *voyage);

/* The path of a file of the run; good until the next call. */
const char *voyage_file(const struct voyage *voyage, const char *name);

/* The size of one; -1 where it is not there. */
long voyage_file_size(const struct voyage *voyage, const char *name);

/* Fails the test, in children too. */
#define VOYAGE_MUST(condition) \
	((condition) ? (void)0 : voyage_fail(__FILE__, __LINE__, #condition))
void voyage_fail(const char *file, int line, const char *condition);

#endif
