#include "match_pool.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include <bsd/sys/queue.h>

#include "clock.h"
#include "infra_failure.h"
#include "loop.h"
#include "process.h"
#include "spare.h"

enum { STARTING_TABLES = 4 }; /* where bots get ready at once */

/*
 * Below this part of the machine's memory bots are no longer kept for later;
 * how long an answer to how much there is holds.
 */
#define SPARE_LEAST 0.125
#define SPARE_NS INT64_C(20000000)

enum table_state {
	TABLE_EMPTY, /* nobody is there */
	TABLE_IDLE,  /* bots wait; those who came last stand first */
	TABLE_PLAYING,
	TABLE_STOPPING, /* its bots are sent away */
	TABLE_STATE_COUNT
};

struct table {
	TAILQ_ENTRY(table) link; /* in the list of its state */
	struct hall *hall;
	struct match *match;
	enum table_state state;
	int64_t number; /* of the game */
	bool starting;  /* it plays, and a bot was started for it */
};

TAILQ_HEAD(table_list, table);

/* A game that waits for bots, or for room to start them. */
struct job {
	int64_t number;
	struct series_game game;
};

struct hall {
	struct loop *loop;
	const struct series_config *config;
	const struct hall_calls *calls;
	void *context;
	struct table_list tables[TABLE_STATE_COUNT];
	struct job *jobs; /* room for two a lane */
	int job_count;
	struct patience patience;
	struct loop_deadline retry; /* of games that wait for the machine */
	bool told;                  /* that the machine refuses */
	struct hall_room room;
	struct hall_limits limits;
	int64_t spare_ns;   /* when memory was looked at.. */
	bool lean;          /* ..and found short */
	int seat_count;     /* of each game */
	int starting_count; /* tables where bots get ready */
	bool beginning;     /* within begin_waiting */
	bool ending;
	bool dropping; /* no game begins any more */
};

enum {
	OTHER_FDS = 32,   /* descriptors beside those of bots */
	IDLE_TABLES = 16, /* of bots that wait; two more a lane */
	/* Bots that all workers together may have beyond that: some GB. */
	KEPT_MAX = 4096,
	BOT_PROCESSES = 3, /* a bot, and those that watch over it */
	SPARE_PART = 4     /* of the processes that are left, one in so many */
};

static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

/*
 * Bots that wait are worth their memory: to start one takes as long as to play
 * ten games of one deal.  A schedule comes round to everybody before anybody
 * plays twice, so that to keep fewer than all of them is next to keeping none.
 */
static int
wanted(const struct hall_wish *wish, int least, int lean)
{
	int processes = spare_processes("") / SPARE_PART / BOT_PROCESSES;
	int kept = smaller(KEPT_MAX, processes) / wish->worker_count;
	int most = smaller(wish->entrant_count, kept);

	most += least + most / 7 + 1;
	return most > lean ? most : lean;
}

/* One in eight is for those who are on their way out. */
static int
active_of(int least, int bot_max)
{
	return bot_max - (bot_max - least + 7) / 8;
}

int
hall_limits_raise(struct hall_limits *limits, const struct hall_wish *wish)
{
	int least = wish->lane_count * wish->seat_count;
	int lean = 3 * least + IDLE_TABLES * wish->seat_count;
	int room = process_room(OTHER_FDS);
	/* Each has a deadline, and so has each table. */
	int deadlines = (LOOP_DEADLINES_MAX - wish->lane_count - OTHER_FDS) / 2;

	lean += lean / 8;
	limits->bot_max = wanted(wish, least, lean);
	limits->bot_max = smaller(limits->bot_max, smaller(room, deadlines));
	if (limits->bot_max < least)
		return -EMFILE;
	limits->active_max = active_of(least, limits->bot_max);
	limits->lean_max = smaller(limits->active_max, active_of(least, lean));
	return process_make_room(limits->bot_max, OTHER_FDS);
}

static void
end_starting(struct table *table)
{
	table->hall->starting_count -= table->starting;
	table->starting = false;
}

static void
move(struct table *table, enum table_state state)
{
	struct hall *hall = table->hall;

	end_starting(table);
	TAILQ_REMOVE(&hall->tables[table->state], table, link);
	TAILQ_INSERT_HEAD(&hall->tables[state], table, link);
	table->state = state;
}

static int
count_tables(const struct hall *hall, enum table_state state)
{
	const struct table *table;
	int count = 0;

	TAILQ_FOREACH (table, &hall->tables[state], link) {
		count++;
	}
	return count;
}

static int
count_bots(const struct hall *hall, enum table_state state)
{
	const struct table *table;
	int count = 0;

	TAILQ_FOREACH (table, &hall->tables[state], link)
		count += match_bot_count(table->match);
	return count;
}

static void
stop_table(struct table *table)
{
	move(table, TABLE_STOPPING);
	match_stop(table->match);
}

/* Kills the bots that were sent away and have not gone yet. */
static void
kill_stopping(struct hall *hall)
{
	struct table *table, *next;

	TAILQ_FOREACH_SAFE (table, &hall->tables[TABLE_STOPPING], link, next)
		match_kill(table->match);
}

static void
check_gone(struct hall *hall)
{
	if (hall->ending && hall->job_count == 0 &&
	    TAILQ_EMPTY(&hall->tables[TABLE_IDLE]) &&
	    TAILQ_EMPTY(&hall->tables[TABLE_PLAYING]) &&
	    TAILQ_EMPTY(&hall->tables[TABLE_STOPPING]))
		hall->calls->on_gone(hall->context);
}

/* At the end nobody waits but for games that still have to begin. */
static void
dismiss_idle(struct hall *hall)
{
	struct table *table;

	while (hall->ending && hall->job_count == 0 &&
	    (table = TAILQ_FIRST(&hall->tables[TABLE_IDLE])) != NULL)
		stop_table(table);
}

static void begin_waiting(struct hall *hall);

static void
on_opened(struct match *match)
{
	struct table *table = match_context(match);

	if (!table->starting)
		return;
	patience_ease(&table->hall->patience);
	end_starting(table);
	begin_waiting(table->hall);
}

static void
on_over(struct match *match)
{
	struct table *table = match_context(match);
	struct hall *hall = table->hall;

	move(table, TABLE_IDLE);
	hall->calls->on_over(hall->context, table->number, match);
	begin_waiting(hall);
}

static void
on_gone(struct match *match)
{
	struct table *table = match_context(match);

	move(table, TABLE_EMPTY);
	begin_waiting(table->hall);
	check_gone(table->hall);
}

/* Bots can be started again once the others need less. */
static bool
bear_refusal(struct hall *hall, struct series_game *game, int error)
{
	int playing = count_tables(hall, TABLE_PLAYING);

	mishap_tell_refusal(error, &hall->told);
	while (!TAILQ_EMPTY(&hall->tables[TABLE_IDLE]))
		stop_table(TAILQ_FIRST(&hall->tables[TABLE_IDLE]));
	/* The record has no room for more than the first ones. */
	(void)mishap_note(game, "ENV_ERR");
	if (!patience_try(&hall->patience, playing, clock_now_ns()))
		return false;
	loop_deadline_set(hall->loop, &hall->retry, hall->patience.retry_ns);
	return true;
}

/* The game is void, and played again, unless that is past bearing. */
static void
on_failure(struct match *match, int error)
{
	struct table *table = match_context(match);
	struct hall *hall = table->hall;
	struct job job = { table->number, *match_game(match) };
	bool waits = table->state == TABLE_IDLE; /* its game is told */

	if (!waits &&
	    (hall->dropping || !patience_is_for(error) ||
		!(error == -EOWNERDEAD
			? mishap_take_loss(&job.game)
			: bear_refusal(hall, &job.game, error)))) {
		hall->calls->on_failure(hall->context, error);
		return;
	}
	if (!waits)
		hall->jobs[hall->job_count++] = job;
	move(table, TABLE_STOPPING);
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

/* A table where nobody is: NULL, and *error, without memory. */
static struct table *
find_empty(struct hall *hall, int *error)
{
	struct table *table = TAILQ_FIRST(&hall->tables[TABLE_EMPTY]);

	if (table != NULL)
		return table;
	table = calloc(1, sizeof(*table));
	if (table == NULL) {
		*error = -ENOMEM;
		return NULL;
	}
	*error = match_open(&table->match, hall->loop, &hall->config->rules,
	    hall->config->entrants, &match_calls, table);
	if (*error) {
		free(table);
		return NULL;
	}
	match_share_cpu(table->match, hall->room.thinkers, hall->room.steal);
	table->hall = hall;
	table->state = TABLE_EMPTY;
	TAILQ_INSERT_HEAD(&hall->tables[TABLE_EMPTY], table, link);
	return table;
}

/* Where the bots of the game sit together, ready for it; NULL: nowhere. */
static struct table *
find_fitting(struct hall *hall, const struct series_game *game)
{
	struct table *table;

	TAILQ_FOREACH (table, &hall->tables[TABLE_IDLE], link)
		if (match_fits(table->match, game))
			return table;
	return NULL;
}

/* Brings the bots of a game that wait anywhere to a table. */
static void
gather(struct table *host, const struct series_game *game)
{
	struct hall *hall = host->hall;
	struct table *table, *next;

	for (int seat = 0; seat < hall->seat_count; seat++) {
		TAILQ_FOREACH (table, &hall->tables[TABLE_IDLE], link) {
			if (match_fetch(host->match, seat, game->entrant[seat],
				table->match))
				break;
		}
	}
	TAILQ_FOREACH_SAFE (table, &hall->tables[TABLE_IDLE], link, next) {
		if (match_bot_count(table->match) == 0)
			move(table, TABLE_EMPTY);
	}
}

/* How many bots may play or wait once some more are started. */
static int
find_most(struct hall *hall, int active)
{
	int64_t now_ns = clock_now_ns();

	if (active <= hall->limits.lean_max)
		return hall->limits.lean_max;
	if (now_ns - hall->spare_ns > SPARE_NS) {
		hall->spare_ns = now_ns;
		hall->lean = spare_memory("") < SPARE_LEAST;
	}
	return hall->lean ? hall->limits.lean_max : hall->limits.active_max;
}

/*
 * Whether the bots that the host misses may be started; else they may once the
 * bots of another table are ready, or have gone.  Who has waited longest must
 * go for them.
 */
static bool
make_room(const struct table *host)
{
	struct hall *hall = host->hall;
	int here = match_bot_count(host->match);
	int active = hall->seat_count + count_bots(hall, TABLE_PLAYING) +
	    count_bots(hall, TABLE_IDLE);
	struct table *oldest;
	int most;

	if (here == hall->seat_count)
		return true;
	if (hall->starting_count >= STARTING_TABLES ||
	    !patience_allows(&hall->patience, count_tables(hall, TABLE_PLAYING),
		clock_now_ns()))
		return false;
	most = find_most(hall, active);
	while (active > most) {
		oldest = TAILQ_LAST(&hall->tables[TABLE_IDLE], table_list);
		if (oldest == NULL)
			break;
		active -= match_bot_count(oldest->match);
		stop_table(oldest);
	}
	if (active + count_bots(hall, TABLE_STOPPING) <= hall->limits.bot_max)
		return true;
	kill_stopping(hall);
	return false;
}

/* Begins a game; false where there is no room for its bots yet. */
static bool
begin(struct hall *hall, const struct job *job)
{
	struct table *table;
	int error = 0;

	if (hall->dropping)
		return true;
	table = find_fitting(hall, &job->game);
	if (table == NULL) {
		table = find_empty(hall, &error);
		if (table == NULL) {
			hall->calls->on_failure(hall->context, error);
			return true;
		}
		gather(table, &job->game);
		if (!make_room(table)) {
			if (match_bot_count(table->match) > 0)
				move(table, TABLE_IDLE);
			return false;
		}
	}
	table->number = job->number;
	move(table, TABLE_PLAYING);
	table->starting = match_bot_count(table->match) < hall->seat_count;
	hall->starting_count += table->starting;
	match_play(table->match, &job->game);
	return true;
}

/* Begins those games that waited for bots, or room, and have them now. */
static void
begin_waiting(struct hall *hall)
{
	int count = hall->job_count, kept = 0;

	if (hall->beginning)
		return;
	/* All of them count until it is known which are left. */
	hall->beginning = true;
	for (int i = 0; i < count; i++) {
		if (!begin(hall, &hall->jobs[i]))
			hall->jobs[kept++] = hall->jobs[i];
	}
	hall->beginning = false;
	/* Some may have been void at once. */
	for (int i = count; i < hall->job_count; i++)
		hall->jobs[kept++] = hall->jobs[i];
	hall->job_count = hall->dropping ? 0 : kept;
	dismiss_idle(hall);
}

void
hall_play(struct hall *hall, int64_t number, const struct series_game *game)
{
	struct job job = { number, *game };

	if (!begin(hall, &job)) {
		assert(hall->job_count < 2 * hall->room.lane_count);
		hall->jobs[hall->job_count++] = job;
	}
}

void
hall_end(struct hall *hall, enum series_order order)
{
	struct table *table;

	hall->ending = true;
	if (order != SERIES_FINISH) {
		hall->dropping = true;
		hall->job_count = 0;
	}
	while (hall->dropping &&
	    (table = TAILQ_FIRST(&hall->tables[TABLE_PLAYING])) != NULL) {
		/* A game that has not begun is stopped, others end first. */
		move(table, TABLE_STOPPING);
		if (order == SERIES_ABORT)
			match_abort(table->match, "interrupted");
	}
	dismiss_idle(hall);
	if (order == SERIES_KILL)
		kill_stopping(hall);
	check_gone(hall);
}

int
hall_descriptor_count(const struct hall *hall)
{
	const struct table *table;
	int count = 0;

	for (int state = 0; state < TABLE_STATE_COUNT; state++) {
		TAILQ_FOREACH (table, &hall->tables[state], link)
			count += match_descriptor_count(table->match);
	}
	return count;
}

int
hall_open(struct hall **opened, struct loop *loop,
    const struct series_config *config, const struct hall_room *room,
    const struct hall_calls *calls, void *context)
{
	struct hall *hall = calloc(1, sizeof(*hall));
	int error;

	if (hall == NULL)
		return -ENOMEM;
	hall->loop = loop;
	hall->config = config;
	hall->calls = calls;
	hall->context = context;
	hall->room = *room;
	hall->seat_count = config->rules.rules.players;
	for (int state = 0; state < TABLE_STATE_COUNT; state++)
		TAILQ_INIT(&hall->tables[state]);
	error = hall_limits_raise(&hall->limits,
	    &(struct hall_wish){
		.lane_count = room->lane_count,
		.seat_count = hall->seat_count,
		.entrant_count = config->entrant_count,
		.worker_count = room->worker_count,
	    });
	if (error)
		goto close_hall;
	error = -ENOMEM;
	hall->jobs = calloc(2 * (size_t)room->lane_count, sizeof(*hall->jobs));
	if (hall->jobs == NULL)
		goto close_hall;
	patience_init(&hall->patience, room->lane_count, config->patience_ns);
	hall->retry.on_deadline = on_retry;
	hall->retry.context = hall;
	error = loop_deadline_open(loop, &hall->retry);
	if (error)
		goto close_hall;
	*opened = hall;
	return 0;
close_hall:
	hall_close(hall);
	return error;
}

void
hall_close(struct hall *hall)
{
	struct table *table;

	if (hall == NULL)
		return;
	for (int state = 0; state < TABLE_STATE_COUNT; state++) {
		while ((table = TAILQ_FIRST(&hall->tables[state])) != NULL) {
			TAILQ_REMOVE(&hall->tables[state], table, link);
			match_close(table->match);
			free(table);
		}
	}
	loop_deadline_close(hall->loop, &hall->retry);
	free(hall->jobs);
	free(hall);
}
