/*
 * Random games as a match records them, for the tests of records.
 */
#ifndef GAMES_H
#define GAMES_H

#include "record_verify.h"
#include "replay.h"

/* What kind of game is wanted. */
struct games_order {
	const char *spec;   /* rule set */
	uint64_t seed;      /* decides everything */
	int deals;          /* or 0: to the target */
	int max_deals;      /* then; or 0: as many as it may have */
	bool keyed;         /* packs from a secret, which the tag says */
	bool remarks;       /* thinking times and `info` lines */
	const char *ending; /* `forfeit`, `interrupted` in mid-deal, or NULL */
};

/* Plays one and ends its record with `sum`. */
void games_play(const struct games_order *order, struct record *record);

/* Takes what can be derived out of a full record: the least is left. */
void games_reduce(const struct record *full, bool packs, struct record *least);

/* A descriptor from which these bytes can be read, and no name. */
int games_file(const char *bytes, size_t size);

/* Reads the first record of a text, NUL not included. */
void games_read(const char *bytes, size_t size, struct game_record *record);

/* What a test of records works with: setup and teardown for cmocka. */
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

/* Derives the first record of a text: 0 or -errno, as replay_run. */
int games_derive(const char *bytes, size_t size, int seat, bool legal);

/* Fails where the line is not in what was derived last. */
void games_assert_derived_has(const char *line);

#endif
