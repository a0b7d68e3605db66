/*
 * Whole schedules played with results that are made up.
 */
#ifndef SEASON_H
#define SEASON_H

#include "schedule.h"

enum { SEASON_BLOCKS_MAX = 20000, SEASON_OUT_MAX = 8 };

/* How results come about, and in what order they are given back. */
struct season_config {
	struct schedule_config schedule;
	/* So many blocks are planned before the first is taken; 0: as many as
	 * come to mind, drawn anew all the time. */
	int look_ahead;
	/* Points of a bot in a game: its strength, and up to `noise` drawn. */
	int strengths[TOURNAMENT_BOTS_MAX];
	int noise;
	uint64_t seed; /* of the noise */
	/* Bots that are suspended when a block has been taken. */
	int out_count;
	struct {
		int bot;
		int64_t block;
	} out[SEASON_OUT_MAX];
};

/* What became of it. */
struct season {
	struct schedule *schedule;
	int64_t count;
	struct block_plan plans[SEASON_BLOCKS_MAX];
	bool skipped[SEASON_BLOCKS_MAX];
	double margins[SEASON_BLOCKS_MAX]; /* of bots[0] of the plan */
	int64_t waits;      /* answers that results are needed first */
	int64_t first_wait; /* blocks planned before the first; or -1 */
};

/*
 * `FORMAT RULES [bots=N] [mixed] [single] [rounds=N] [stages=N] [blocks=N]
 * [challengers=N] [seed=N]`: single is without duplicates; 1 round unless said.
 */
struct schedule_config season_read(const char *text);

/* Plays all of it, and checks every plan on its own. */
struct season *season_play(const struct season_config *config);
void season_close(struct season *season);

/* The result of a block as season_play makes it. */
struct block_result season_result(
    const struct season_config *config, const struct block_plan *plan);

/* Fails where two plans differ in anything. */
void season_compare(const struct block_plan *one, const struct block_plan *two);

#endif
