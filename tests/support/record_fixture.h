/*
 * A run of a tournament with valid records: random games, and bots that never
 * start.  For tests of functions that read records.
 */
#ifndef RECORD_FIXTURE_H
#define RECORD_FIXTURE_H

#include "folder.h"
#include "record_write.h"
#include "rows.h"
#include "run.h"
#include "tournament.h"

struct record_fixture {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 8]; /* path of the run, in the folder */
	const char *spec;           /* rules, as a spec */
	int bad_bot;                /* bot that loses all games, or -1 */
	const char *tool;           /* the word of the tags; NULL: none */
	struct tournament_config config;
	struct store_head head;
	struct store_error error;
	struct tournament tournament; /* sums of the blocks so far */
	struct run run;
	uint64_t random;
	struct record game, record;
};

extern struct record_fixture *fixture; /* of the running test */

/* Setup and teardown for cmocka: `scopa`, three bots, two rounds, no run. */
int record_fixture_setup(void **state);
int record_fixture_teardown(void **state);

/*
 * Changes the rules, the number of bots and of rounds, before the run is made.
 */
void record_fixture_configure(const char *spec, int bot_count, int rounds);

/* Creates the run, plays this many blocks, and closes it. */
void record_fixture_make(int64_t block_count);

/* Runs SQL statements on the results, as another program could. */
void record_fixture_change_results(const char *sql);

#endif
