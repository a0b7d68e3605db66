/*
 * A run that is made, gone on with after whatever happens to it, and ends as
 * it was to end: for the tests of runs.
 */
#ifndef RUN_FIXTURE_H
#define RUN_FIXTURE_H

#include "folder.h"
#include "rows.h"
#include "run.h"

enum { RUN_FIXTURE_BLOCKS = 12, RUN_FIXTURE_RECORD_SIZE = 600 };

#define RUN_FIXTURE_CONFIG "[tournament]\nrounds = 6\n"

struct run_fixture {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 8]; /* of the run, in the folder */
	struct store_head head;
	struct run run;
	bool open;
	struct store_error error;
	struct block_result blocks[RUN_FIXTURE_BLOCKS];
	char records[RUN_FIXTURE_BLOCKS][RUN_FIXTURE_RECORD_SIZE];
	size_t sizes[RUN_FIXTURE_BLOCKS]; /* of the records */
};

/*
 * Setup and teardown for cmocka: no run is there yet.
 * `*state` is the fixture; the other functions are about the one of the running
 * test.
 */
int run_fixture_setup(void **state);
int run_fixture_teardown(void **state);

/* These fail the test, or the process where it is a child of one. */
void run_fixture_create(void);
void run_fixture_open(void);
void run_fixture_close(void);

/* Adds the blocks up to `end`, from where the run is. */
void run_fixture_add(int end);

/* Adds as many, and commits after every `step`; 0 or what that says. */
int run_fixture_commit(int end, int step);

/* What the run holds is the first blocks, at least `count`, and no more. */
void run_fixture_check(int count);

/* Goes on to the end, and sees that all of it is as it should be. */
void run_fixture_finish(void);

/* The size of a file of the run; -1 where it is not there. */
long run_fixture_file_size(const char *name);

/* Fails the test, in children too. */
#define RUN_FIXTURE_MUST(condition) \
	((condition) ? (void)0      \
		     : run_fixture_fail(__FILE__, __LINE__, #condition))
void run_fixture_fail(const char *file, int line, const char *condition);

#endif
