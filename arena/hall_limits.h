/*
 * How many bots a hall may have, by the descriptors, deadlines and processes
 * that there are for them.
 */
#ifndef HALL_LIMITS_H
#define HALL_LIMITS_H

/* What a hall is for. */
struct hall_wish {
	int lane_count; /* games at once */
	int seat_count; /* of each */
	int entrant_count;
	int worker_count; /* that share the machine, this one included */
};

struct hall_limits {
	int lean_max;   /* bots that play or wait where memory is short.. */
	int active_max; /* ..and elsewhere: all entrants, where it can be */
	int bot_max;    /* with those that are sent away */
};

/*
 * Raises the limit of open descriptors.  0 or -errno: -EMFILE where the hard
 * limit, or LOOP_DEADLINES_MAX, is too low for one bot at each seat.
 */
int hall_limits_raise(struct hall_limits *limits, const struct hall_wish *wish);

#endif
