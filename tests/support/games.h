/*
 * Random games, recorded as by a match, for the tests of records.
 */
#ifndef GAMES_H
#define GAMES_H

#include "record_verify.h"
#include "replay.h"

/* The kind of game. */
struct games_order {
	const char *spec; /* rule set */
	uint64_t seed;    /* decides everything */
	int deals;        /* number of deals; 0: to the target */
	int max_deals;    /* limit of a game to the target; 0: the default */
	bool keyed;       /* packs from a secret, which is in the tag */
	bool remarks;     /* with thinking times and `info` lines */
	const char
	    *ending; /* `forfeit` or `interrupted` in mid-deal, or NULL */
	int absent;  /* number of the seat whose bot does not start, or 0 */
	/* The id, the tag and the names, or NULL: invented ones. */
	const char *id, *tag, *names[SCOPA_SEATS_MAX];
};

/* Plays a game; its record ends with a `sum` line. */
void games_play(const struct games_order *order, struct record *record);

/* Removes from a full record all that can be derived from the rest. */
void games_reduce(const struct record *full, bool packs, struct record *least);

/* A descriptor of a file without a name that contains these bytes. */
int games_file(const char *bytes, size_t size);

/* Reads the first record of a text, which may have no NUL. */
void games_read(const char *bytes, size_t size, struct game_record *record);

/* The data of tests of records; setup and teardown for cmocka. */
struct games_bench {
	struct replay *replay;
	struct record_checker *checker;
	struct record full, least, derived;
	struct game_record record;
	struct record_fault fault;
};

extern struct games_bench specimen;

int games_setup(void **state);
int games_teardown(void **state);

/* Derives the first record of a text; returns 0 or -errno, like replay_run. */
int games_derive(const char *bytes, size_t size, bool legal);

/* Fails if the record derived last does not have this line. */
void games_assert_derived_has(const char *line);

#endif
