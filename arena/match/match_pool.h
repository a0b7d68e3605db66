/*
 * The match pool: the matches of a worker, and the bots in them.
 *
 * If a match already has all bots of a game, the game is played there.
 * Otherwise an empty match takes the bots of the game that wait in other
 * matches, and starts the bots that are still missing. So a bot is started once
 * and plays against all others.
 *
 * Bots are started in only a few matches at the same time. A bot has a limited
 * time to get ready, and if a thousand bots started together on one core, all
 * would be late. When more bots wait than the limit allows, the bots that have
 * waited longest are stopped. If there is enough memory, the limit is so high
 * that all entrants may wait.
 *
 * A game is void if the system could not start a bot, or if the supervisor of a
 * bot was killed. It is played again with the same cards: see infra_failure.h.
 */
#ifndef MATCH_POOL_H
#define MATCH_POOL_H

#include "dispatcher.h"

struct match_pool_settings {
	int lane_count;   /* games at once */
	int first_lane;   /* number of the first, among those of all workers */
	int worker_count; /* all that share the machine; a pool each */
	/* Slots of bots that think by turns; NULL: all bots think at once. */
	struct cpu_slots *cpu_slots;
};

/* Games are numbered from 0 in the order of supply. */
struct pool_game {
	int64_t number;
	struct game_spec game;
};

struct match_pool;

struct match_pool_calls {
	/* The game with this number is over; `match` has its result. */
	void (*on_over)(void *context, int64_t number, struct match *match);
	/* The last bot has ended after match_pool_end. */
	void (*on_gone)(void *context);
	/* The system refused something: `error` is -errno. */
	void (*on_failure)(void *context, int error);
};

/*
 * Opens a match pool, which copies `settings`, and raises the limit of open
 * descriptors. `loop`, `config` and `calls` must outlive the pool. Returns 0 or
 * -errno: -EMFILE if the hard limit of descriptors, or LOOP_DEADLINES_MAX, is
 * too low for a bot at each seat of each lane. The caller closes the pool.
 */
int match_pool_open(struct match_pool **pool, struct loop *loop,
    const struct dispatcher_config *config,
    const struct match_pool_settings *settings,
    const struct match_pool_calls *calls, void *context);

/* The number of descriptors that are open for bots. */
int match_pool_descriptor_count(const struct match_pool *pool);

/* Kills all bots and frees the pool; NULL is allowed. */
void match_pool_close(struct match_pool *pool);

/*
 * Plays a game as soon as its bots are ready or can be started. A lane must be
 * free. on_over or on_failure follows, unless match_pool_end() drops the game.
 */
void match_pool_play(struct match_pool *pool, const struct pool_game *game);

/*
 * No games follow. Games that have begun end as `order` says. Games that have
 * not begun are dropped, except with STOP_FINISH, which plays them. Then all
 * bots are stopped, and on_gone follows.
 */
void match_pool_end(struct match_pool *pool, enum stop_mode order);

#endif
