/*
 * The match pool: slots, each with one match, and games that wait.
 *
 * begin_game() begins a game in an idle slot that has all its bots. If there is
 * none, regroup() moves the bots of the game that wait elsewhere to an empty
 * slot, and make_room() decides whether the missing bots may be started now. If
 * they may not, the game waits in `jobs`. begin_waiting() tries the waiting
 * games again when bots have become ready or have ended.
 *
 * Invariants: a slot is in the list of its state, and in no other list. A slot
 * that plays holds one game; the bots of an idle slot wait for one.
 * starting_count is the number of slots with `starting` set.
 */
#include "match_pool.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <bsd/sys/queue.h>

#include "clock.h"
#include "infra_failure.h"
#include "log.h"
#include "loop.h"
#include "machine.h"
#include "process.h"

enum {
	/* Most matches in which bots get ready at the same time. */
	STARTING_MATCHES = 4
};

/*
 * If the free part of the machine's memory is below SPARE_LEAST, bots are no
 * longer kept for later games. A measurement of the memory is valid for
 * SPARE_NS.
 */
#define SPARE_LEAST 0.125
#define SPARE_NS INT64_C(20000000)

enum slot_state {
	SLOT_EMPTY, /* it has no bots */
	SLOT_IDLE,  /* its bots wait for a game; the newest slot is first */
	SLOT_PLAYING,
	SLOT_STOPPING, /* its bots are being stopped */
	SLOT_STATE_COUNT
};

struct slot {
	TAILQ_ENTRY(slot) link; /* in the list of its state */
	struct match_pool *pool;
	struct match *match;
	enum slot_state state;
	int64_t number; /* of the game in this slot */
	int lane;       /* of that game */
	bool starting;  /* bots of its game are getting ready */
};

TAILQ_HEAD(slot_list, slot);

struct pool_limits {
	int lean_max;   /* most bots that play or wait if memory is short */
	int active_max; /* most bots that play or wait otherwise */
	int bot_max;    /* most bots, including those that are being stopped */
};

struct match_pool {
	struct loop *loop;
	const struct dispatcher_config *config;
	const struct match_pool_calls *calls;
	void *context;
	struct slot_list slots[SLOT_STATE_COUNT];
	struct pool_game *jobs; /* that wait; room for two for each lane */
	int job_count;
	int *free_lanes; /* where no game is played; owned */
	int free_lane_count;
	struct backoff backoff;
	/* When to try again games for which the system refused something. */
	struct loop_deadline retry;
	bool refusal_logged; /* that the system refuses to start bots */
	struct match_pool_settings settings;
	struct pool_limits limits;
	int64_t spare_ns;   /* when the free memory was measured last */
	bool lean;          /* memory was short then */
	int seat_count;     /* of each game */
	int starting_count; /* matches where bots get ready */
	bool beginning;     /* within begin_waiting */
	bool ending;        /* match_pool_end() was called */
	bool dropping;      /* no game begins any more */
};

enum {
	/* Descriptors besides those of bots. */
	OTHER_FDS = 32,
	/* Matches whose bots wait, besides two for each lane. */
	IDLE_MATCHES = 16,
	/*
	 * Most further bots of all workers together, which take some GB of
	 * memory.
	 */
	KEPT_MAX = 4096,
	/* Processes for each bot, including its supervisor. */
	BOT_PROCESSES = 3,
	/* Bots may use 1/SPARE_PART of the processes that are still free. */
	SPARE_PART = 4
};

/*
 * How many bots the pool should have: `least` that play, all entrants as far as
 * there are processes for them, and some that are being stopped. Bots that wait
 * for a game are worth their memory: starting a bot takes as long as ten games
 * of one deal. A schedule uses all entrants before it uses one of them again, so
 * keeping fewer bots than all is almost as bad as keeping none.
 */
static int
wanted_bot_count(
    const struct dispatcher_config *config, int worker_count, int least)
{
	const struct scopa_rules *rules = &config->rules.rules;
	int processes = machine_processes_left("") / SPARE_PART / BOT_PROCESSES;
	int kept = MIN(KEPT_MAX, processes) / worker_count;
	/* An entrant has as many bots as it has seats in a game. */
	int most = MIN(
	    config->entrant_count * rules->players / scopa_team_count(rules),
	    kept);

	return most + least + most / 7 + 1;
}

/* One descriptor in eight is reserved for bots that are being stopped. */
static int
active_of(int least, int bot_max)
{
	return bot_max - (bot_max - least + 7) / 8;
}

/*
 * Computes how many bots the pool may have, and raises the process's limit of
 * open descriptors accordingly. Returns 0 or -errno: -EMFILE if the hard limit
 * of descriptors, or LOOP_DEADLINES_MAX, is too low for a bot at each seat of
 * each lane.
 */
static int
raise_limits(struct pool_limits *limits, const struct dispatcher_config *config,
    const struct match_pool_settings *settings)
{
	int seat_count = config->rules.rules.players;
	int lane_count = settings->lane_count;
	int least = lane_count * seat_count;
	int lean = (3 * least + IDLE_MATCHES * seat_count) * 9 / 8;
	int most = wanted_bot_count(config, settings->worker_count, least);
	/* Each lane needs a deadline of the loop, and so does each match. */
	int deadlines = (LOOP_DEADLINES_MAX - lane_count - OTHER_FDS) / 2;
	int room = process_room(OTHER_FDS);

	limits->bot_max = MIN(MAX(most, lean), MIN(room, deadlines));
	if (limits->bot_max < least)
		return -EMFILE;
	limits->active_max = active_of(least, limits->bot_max);
	limits->lean_max = MIN(limits->active_max, active_of(least, lean));
	return process_make_room(limits->bot_max, OTHER_FDS);
}

/* The bots of the slot no longer get ready: they are ready, or have failed. */
static void
slot_started(struct slot *slot)
{
	slot->pool->starting_count -= slot->starting;
	slot->starting = false;
}

static void
slot_enter(struct slot *slot, enum slot_state state)
{
	struct match_pool *pool = slot->pool;

	slot_started(slot);
	if (slot->state == SLOT_PLAYING)
		pool->free_lanes[pool->free_lane_count++] = slot->lane;
	if (state == SLOT_PLAYING) {
		assert(pool->free_lane_count > 0);
		slot->lane = pool->free_lanes[--pool->free_lane_count];
		match_set_live_slot(slot->match, slot->lane);
	}
	TAILQ_REMOVE(&pool->slots[slot->state], slot, link);
	TAILQ_INSERT_HEAD(&pool->slots[state], slot, link);
	slot->state = state;
}

/* How many games are played. */
static int
playing_count(const struct match_pool *pool)
{
	return pool->settings.lane_count - pool->free_lane_count;
}

/* How many bots are in slots of this state. */
static int
count_bots(const struct match_pool *pool, enum slot_state state)
{
	const struct slot *slot;
	int count = 0;

	TAILQ_FOREACH (slot, &pool->slots[state], link)
		count += match_bot_count(slot->match);
	return count;
}

static void
stop_slot(struct slot *slot)
{
	slot_enter(slot, SLOT_STOPPING);
	match_stop(slot->match);
}

/* Kills the bots that were stopped and have not ended yet. */
static void
kill_stopping(struct match_pool *pool)
{
	struct slot *slot, *next;

	TAILQ_FOREACH_SAFE (slot, &pool->slots[SLOT_STOPPING], link, next)
		match_kill(slot->match);
}

/* Reports the end of the last bot. */
static void
check_gone(struct match_pool *pool)
{
	if (pool->ending && pool->job_count == 0 &&
	    TAILQ_EMPTY(&pool->slots[SLOT_IDLE]) &&
	    TAILQ_EMPTY(&pool->slots[SLOT_PLAYING]) &&
	    TAILQ_EMPTY(&pool->slots[SLOT_STOPPING]))
		pool->calls->on_gone(pool->context);
}

/*
 * After match_pool_end a bot is kept only if a game that has still to begin
 * needs it.
 */
static void
stop_idle(struct match_pool *pool)
{
	struct slot *slot;

	while (pool->ending && pool->job_count == 0 &&
	    (slot = TAILQ_FIRST(&pool->slots[SLOT_IDLE])) != NULL)
		stop_slot(slot);
}

static void begin_waiting(struct match_pool *pool);

static void
on_opened(struct match *match)
{
	struct slot *slot = match->context;

	if (!slot->starting)
		return;
	backoff_ease(&slot->pool->backoff);
	slot_started(slot);
	begin_waiting(slot->pool);
}

static void
on_over(struct match *match)
{
	struct slot *slot = match->context;
	struct match_pool *pool = slot->pool;

	slot_enter(slot, SLOT_IDLE);
	pool->calls->on_over(pool->context, slot->number, match);
	begin_waiting(pool);
}

static void
on_gone(struct match *match)
{
	struct slot *slot = match->context;

	slot_enter(slot, SLOT_EMPTY);
	begin_waiting(slot->pool);
	check_gone(slot->pool);
}

/*
 * The system cannot start bots now. Stops all idle bots, and sets the time of
 * the next attempt, which begins fewer games at once. Returns false if no bot
 * could be started for too long.
 */
static bool
back_off(struct match_pool *pool, struct game_spec *game, int error)
{
	int playing = playing_count(pool);

	if (!pool->refusal_logged)
		speaker_say(&pool->config->speaker, true,
		    "ENV_ERR: a bot could not be started: %s; fewer games are "
		    "played at once until it can",
		    error == -EAGAIN ? "no more processes (ulimit -u)"
				     : strerror(-error));
	pool->refusal_logged = true;
	while (!TAILQ_EMPTY(&pool->slots[SLOT_IDLE]))
		stop_slot(TAILQ_FIRST(&pool->slots[SLOT_IDLE]));
	/* If the note is full, this reason is left out. */
	(void)infra_failure_note(game, "ENV_ERR");
	if (!backoff_begin(&pool->backoff, playing, clock_now_ns()))
		return false;
	loop_deadline_set(pool->loop, &pool->retry, pool->backoff.retry_ns);
	return true;
}

/* The game is void and will be played again, unless it has failed too often. */
static void
on_failure(struct match *match, int error)
{
	struct slot *slot = match->context;
	struct match_pool *pool = slot->pool;
	struct pool_game job = { slot->number, match->game };
	bool is_waiting =
	    slot->state == SLOT_IDLE; /* its game is over and reported */

	if (!is_waiting &&
	    (pool->dropping || !infra_failure_may_pass(error) ||
		!(error == -EOWNERDEAD
			? infra_failure_supervisor_lost(&job.game)
			: back_off(pool, &job.game, error)))) {
		pool->calls->on_failure(pool->context, error);
		return;
	}
	if (!is_waiting)
		pool->jobs[pool->job_count++] = job;
	slot_enter(slot, SLOT_STOPPING);
	match_kill(match);
}

static void
on_retry(struct loop_deadline *deadline, int64_t now_ns)
{
	(void)now_ns;
	begin_waiting(deadline->context);
}

static const struct match_events match_calls = {
	.on_opened = on_opened,
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
};

/* Returns a slot without bots; NULL if there is no memory, with *error set. */
static struct slot *
find_empty(struct match_pool *pool, int *error)
{
	struct slot *slot = TAILQ_FIRST(&pool->slots[SLOT_EMPTY]);

	if (slot != NULL)
		return slot;
	slot = calloc(1, sizeof(*slot));
	if (slot == NULL) {
		*error = -ENOMEM;
		return NULL;
	}
	*error = match_open(&slot->match, pool->loop, &pool->config->rules,
	    pool->config->entrants, &match_calls, slot);
	if (*error) {
		free(slot);
		return NULL;
	}
	match_share_cpu(slot->match, pool->settings.cpu_slots);
	slot->pool = pool;
	slot->state = SLOT_EMPTY;
	TAILQ_INSERT_HEAD(&pool->slots[SLOT_EMPTY], slot, link);
	return slot;
}

/* Returns the slot in which all bots of the game are ready, or NULL. */
static struct slot *
find_fitting(struct match_pool *pool, const struct game_spec *game)
{
	struct slot *slot;

	TAILQ_FOREACH (slot, &pool->slots[SLOT_IDLE], link)
		if (match_fits(slot->match, game))
			return slot;
	return NULL;
}

/* Moves the bots of the game that wait in other slots to this slot. */
static void
regroup(struct slot *host, const struct game_spec *game)
{
	struct match_pool *pool = host->pool;
	struct slot *slot, *next;

	for (int seat = 0; seat < pool->seat_count; seat++) {
		TAILQ_FOREACH (slot, &pool->slots[SLOT_IDLE], link) {
			if (match_fetch(host->match, seat, game->entrant[seat],
				slot->match))
				break;
		}
	}
	TAILQ_FOREACH_SAFE (slot, &pool->slots[SLOT_IDLE], link, next) {
		if (match_bot_count(slot->match) == 0)
			slot_enter(slot, SLOT_EMPTY);
	}
}

/* How many bots may play or wait; `active` counts those that would. */
static int
find_most(struct match_pool *pool, int active)
{
	int64_t now_ns = clock_now_ns();

	if (active <= pool->limits.lean_max)
		return pool->limits.lean_max;
	if (now_ns - pool->spare_ns > SPARE_NS) {
		pool->spare_ns = now_ns;
		pool->lean = machine_memory_left("") < SPARE_LEAST;
	}
	return pool->lean ? pool->limits.lean_max : pool->limits.active_max;
}

/*
 * Returns whether the bots that are missing in the slot may be started now. If
 * not, the caller tries again when bots of another slot are ready or have
 * ended. To make room, the bots that have waited longest are stopped.
 */
static bool
make_room(const struct slot *host)
{
	struct match_pool *pool = host->pool;
	int here = match_bot_count(host->match);
	int active = pool->seat_count + count_bots(pool, SLOT_PLAYING) +
	    count_bots(pool, SLOT_IDLE);
	struct slot *oldest;
	int most;

	if (here == pool->seat_count)
		return true;
	if (pool->starting_count >= STARTING_MATCHES ||
	    !backoff_allows(
		&pool->backoff, playing_count(pool), clock_now_ns()))
		return false;
	most = find_most(pool, active);
	while (active > most) {
		oldest = TAILQ_LAST(&pool->slots[SLOT_IDLE], slot_list);
		if (oldest == NULL)
			break;
		active -= match_bot_count(oldest->match);
		stop_slot(oldest);
	}
	if (active + count_bots(pool, SLOT_STOPPING) <= pool->limits.bot_max)
		return true;
	kill_stopping(pool);
	return false;
}

/*
 * Kills those bots of the game's entrants that were late in their last game and
 * still compute. New processes take their places, and would have to share the
 * core with the late ones.
 */
static void
drop_late(struct match_pool *pool, const struct game_spec *game)
{
	struct slot *slot;

	TAILQ_FOREACH (slot, &pool->slots[SLOT_IDLE], link)
		for (int seat = 0; seat < pool->seat_count; seat++)
			match_drop_late(slot->match, game->entrant[seat]);
}

/*
 * Begins a game, or drops it if the pool drops games. Returns false if there is
 * no room for its bots yet.
 */
static bool
begin_game(struct match_pool *pool, const struct pool_game *job)
{
	struct slot *slot;
	int error = 0;

	if (pool->dropping)
		return true;
	slot = find_fitting(pool, &job->game);
	if (slot == NULL) {
		slot = find_empty(pool, &error);
		if (slot == NULL) {
			pool->calls->on_failure(pool->context, error);
			return true;
		}
		regroup(slot, &job->game);
		if (!make_room(slot)) {
			if (match_bot_count(slot->match) > 0)
				slot_enter(slot, SLOT_IDLE);
			return false;
		}
	}
	drop_late(pool, &job->game);
	slot->number = job->number;
	slot_enter(slot, SLOT_PLAYING);
	slot->starting = match_bot_count(slot->match) < pool->seat_count;
	pool->starting_count += slot->starting;
	match_play(slot->match, &job->game);
	return true;
}

/* Begins the waiting games whose bots are ready or can be started now. */
static void
begin_waiting(struct match_pool *pool)
{
	int count = pool->job_count, kept = 0;

	if (pool->beginning)
		return;
	/*
	 * job_count must not change before it is known which games still wait.
	 * So a nested call does nothing.
	 */
	pool->beginning = true;
	for (int i = 0; i < count; i++) {
		if (!begin_game(pool, &pool->jobs[i]))
			pool->jobs[kept++] = pool->jobs[i];
	}
	pool->beginning = false;
	/* Void games may have been added at the end meanwhile. */
	for (int i = count; i < pool->job_count; i++)
		pool->jobs[kept++] = pool->jobs[i];
	pool->job_count = pool->dropping ? 0 : kept;
	stop_idle(pool);
}

void
match_pool_play(struct match_pool *pool, const struct pool_game *game)
{
	if (!begin_game(pool, game)) {
		assert(pool->job_count < 2 * pool->settings.lane_count);
		pool->jobs[pool->job_count++] = *game;
	}
}

void
match_pool_end(struct match_pool *pool, enum stop_mode order)
{
	struct slot *slot;

	pool->ending = true;
	if (order != STOP_FINISH) {
		pool->dropping = true;
		pool->job_count = 0;
	}
	while (pool->dropping &&
	    (slot = TAILQ_FIRST(&pool->slots[SLOT_PLAYING])) != NULL) {
		/*
		 * A game that has not begun is dropped. Games that have begun
		 * end first.
		 */
		slot_enter(slot, SLOT_STOPPING);
		if (order == STOP_ABORT)
			match_abort(slot->match);
	}
	stop_idle(pool);
	if (order == STOP_KILL)
		kill_stopping(pool);
	check_gone(pool);
}

int
match_pool_descriptor_count(const struct match_pool *pool)
{
	const struct slot *slot;
	int count = 0;

	for (int state = 0; state < SLOT_STATE_COUNT; state++) {
		TAILQ_FOREACH (slot, &pool->slots[state], link)
			count += match_descriptor_count(slot->match);
	}
	return count;
}

int
match_pool_open(struct match_pool **opened, struct loop *loop,
    const struct dispatcher_config *config,
    const struct match_pool_settings *settings,
    const struct match_pool_calls *calls, void *context)
{
	struct match_pool *pool = calloc(1, sizeof(*pool));
	int error;

	if (pool == NULL)
		return -ENOMEM;
	pool->loop = loop;
	pool->config = config;
	pool->calls = calls;
	pool->context = context;
	pool->settings = *settings;
	pool->seat_count = config->rules.rules.players;
	for (int state = 0; state < SLOT_STATE_COUNT; state++)
		TAILQ_INIT(&pool->slots[state]);
	error = raise_limits(&pool->limits, config, settings);
	if (error)
		goto close_pool;
	error = -ENOMEM;
	pool->jobs =
	    calloc(2 * (size_t)settings->lane_count, sizeof(*pool->jobs));
	pool->free_lanes =
	    calloc((size_t)settings->lane_count, sizeof(*pool->free_lanes));
	if (pool->jobs == NULL || pool->free_lanes == NULL)
		goto close_pool;
	for (int lane = settings->lane_count; lane > 0; lane--)
		pool->free_lanes[pool->free_lane_count++] =
		    settings->first_lane + lane - 1;
	backoff_init(
	    &pool->backoff, settings->lane_count, config->backoff_limit_ns);
	pool->retry.on_deadline = on_retry;
	pool->retry.context = pool;
	error = loop_deadline_open(loop, &pool->retry);
	if (error)
		goto close_pool;
	*opened = pool;
	return 0;
close_pool:
	match_pool_close(pool);
	return error;
}

void
match_pool_close(struct match_pool *pool)
{
	struct slot *slot;

	if (pool == NULL)
		return;
	for (int state = 0; state < SLOT_STATE_COUNT; state++) {
		while ((slot = TAILQ_FIRST(&pool->slots[state])) != NULL) {
			TAILQ_REMOVE(&pool->slots[state], slot, link);
			match_close(slot->match);
			free(slot);
		}
	}
	loop_deadline_close(pool->loop, &pool->retry);
	free(pool->free_lanes);
	free(pool->jobs);
	free(pool);
}
