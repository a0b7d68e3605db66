#include "hall_limits.h"

#include <errno.h>

#include "loop.h"
#include "process.h"

enum {
	OTHER_FDS = 32,  /* descriptors beside those of bots */
	IDLE_TABLES = 16 /* of bots that wait; two more a lane */
};

int
hall_limits_raise(struct hall_limits *limits, int lane_count, int seat_count)
{
	int least = lane_count * seat_count;
	int most = 3 * least + IDLE_TABLES * seat_count;
	int room = process_room(OTHER_FDS);
	/* Each has a deadline, and so has each table. */
	int deadlines = (LOOP_DEADLINES_MAX - lane_count - OTHER_FDS) / 2;

	/* One in eight more, for those who are on their way out. */
	limits->bot_max = most + most / 8;
	if (room < limits->bot_max)
		limits->bot_max = room;
	if (deadlines < limits->bot_max)
		limits->bot_max = deadlines;
	if (limits->bot_max < least)
		return -EMFILE;
	limits->active_max = least + (limits->bot_max - least) / 8 * 7;
	return process_make_room(limits->bot_max, OTHER_FDS);
}
