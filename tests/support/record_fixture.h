/*
 * A run of a tournament with records that prove what they say: random games,
 * and bots that never start, for the tests of what is made from records.
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
	char path[FOLDER_SIZE + 8]; /* of the run, in the folder */
	const char *spec;           /* of the rules */
	int bad_bot;                /* who loses all games, or -1 */
	struct tournament_config config;
	struct store_head head;
	struct store_error error;
	struct tournament tournament; /* of the blocks so far */
	struct run run;
	uint64_t random;
	struct record game, record;
};

/*
 * Setup and teardown for cmocka: `scopa`, three bots, two rounds, no run.
 * `*state` is the fixture; the other functions are about the one of the running
 * test.
 */
int record_fixture_setup(void **state);
int record_fixture_teardown(void **state);

/* Takes the rules and the number of bots into account. */
void record_fixture_configure(const char *spec, int bot_count, int rounds);

/* Makes the run, plays so many blocks of it and closes it. */
void record_fixture_make(int64_t block_count);

/* Runs SQL on the results as another program would. */
void record_fixture_meddle(const char *sql);

#endif
