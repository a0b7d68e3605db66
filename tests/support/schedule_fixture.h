/*
 * Whole schedules played with results that are made up.
 */
#ifndef SCHEDULE_FIXTURE_H
#define SCHEDULE_FIXTURE_H

#include "schedule.h"

enum { SCHEDULE_FIXTURE_BLOCKS_MAX = 20000, SCHEDULE_FIXTURE_OUT_MAX = 8 };

/* How results come about, and in what order they are given back. */
struct schedule_fixture_config {
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
	} out[SCHEDULE_FIXTURE_OUT_MAX];
};

/* What became of it. */
struct schedule_fixture {
	struct schedule *schedule;
	struct schedule_fixture *next; /* of those that are open */
	int64_t count;
	struct block_plan plans[SCHEDULE_FIXTURE_BLOCKS_MAX];
	bool skipped[SCHEDULE_FIXTURE_BLOCKS_MAX];
	/* Of bots[0] of the plan. */
	double margins[SCHEDULE_FIXTURE_BLOCKS_MAX];
	int64_t waits;      /* answers that results are needed first */
	int64_t first_wait; /* blocks planned before the first; or -1 */
};

/*
 * `FORMAT RULES [bots=N] [mixed] [single] [rounds=N] [stages=N] [blocks=N]
 * [challengers=N] [seed=N]`: single is without duplicates; 1 round unless said.
 * And how results come about: `[ahead=N] [noise=N] [draw=N] [points=N,N...]
 * [falling] [out=BOT@BLOCK]...`: 1 ahead unless said; falling: each bot is
 * stronger by a point than the next one.
 */
struct schedule_fixture_config schedule_fixture_read(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Plays what such a text says. */
#define schedule_fixture_open(...)                                      \
	schedule_fixture_play((const struct schedule_fixture_config[]){ \
	    schedule_fixture_read(__VA_ARGS__) })

/* Plays all of it, and checks every plan on its own. */
struct schedule_fixture *schedule_fixture_play(
    const struct schedule_fixture_config *config);
void schedule_fixture_close(struct schedule_fixture *fixture);

/* For cmocka: closes what a test has left open. */
int schedule_fixture_teardown(void **state);

/* The result of a block as schedule_fixture_play makes it. */
struct block_result schedule_fixture_result(
    const struct schedule_fixture_config *config,
    const struct block_plan *plan);

/* Fails where two plans differ in anything. */
void schedule_fixture_compare(
    const struct block_plan *one, const struct block_plan *two);

#endif
