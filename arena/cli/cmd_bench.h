/*
 * What the bench commands share, and what tests and the command worker use of
 * the commands bench and perft.
 */
#ifndef CMD_BENCH_H
#define CMD_BENCH_H

#include "dispatcher.h"
#include "game_options.h"

/*
 * The settings of all bench commands.  A field for which a command has no
 * option is 0.
 */
struct bench_settings {
	const char *rules; /* for engine and bots, NULL means every preset */
	const char *bot;   /* for bots, NULL means every bot */
	double seconds;
	int64_t move_ms;
	int64_t games, moves;
	int64_t blocks, deals, concurrency, blunder, base_blunder;
	struct shuffle_key seed;
	bool json, sandbox;
};

/* Games between child processes. */
struct bench_games {
	struct dispatcher_config config;
	struct plan plan;
	/* The caller sets those of the entrants before bench_games_open(). */
	struct entrant_words words[PLAN_ENTRANTS_MAX];
	struct entrant entrants[PLAN_ENTRANTS_MAX];
};

/*
 * Prepares games of bots that answer at once, one bot in each team.  The time
 * limits are so large that they never end a game.  The games must not move.
 * STATUS_DONE, or prints an error.
 */
enum status bench_games_open(
    struct bench_games *games, const struct rule_set *set);

/*
 * Returns the number of sequences of exactly `depth` legal moves (plays and
 * declarations) that begin with this deal.  For depth 0 this is 1.  A sequence
 * that the end of the deal makes shorter does not count.  `moves` has space for
 * SCOPA_MOVES_MAX moves for each level of the depth.
 */
uint64_t perft_count(const struct scopa_rules *rules,
    const struct scopa_deal *deal, int depth, struct scopa_move *moves);

/*
 * The speed of a core of this machine, 1 that of the reference machine: how
 * many iterations @ismcts makes in a second of CPU time, measured as by `bench
 * bots` for `seconds`.  0: there is no memory for it.
 */
double bench_core_speed(double seconds);

#endif
