/* What the files of the bench commands share. */
#ifndef CMD_BENCH_H
#define CMD_BENCH_H

#include "dispatcher.h"
#include "game_options.h"

/* Games between child processes. */
struct bench_games {
	struct dispatcher_config config;
	struct plan plan;
	struct entrant entrants[PLAN_ENTRANTS_MAX];
};

/*
 * Prepares games of bots that answer at once; the caller fills in the entrants.
 * The time limits are so large that they never end a game.
 */
void bench_games_init(struct bench_games *games, const struct rule_set *set);

#endif
