#include "hall_limits.h"

#include <errno.h>

#include "loop.h"
#include "process.h"
#include "spare.h"

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
