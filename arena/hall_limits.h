/*
 * How many bots a hall may have, by the descriptors and deadlines that there are
 * for them.
 */
#ifndef HALL_LIMITS_H
#define HALL_LIMITS_H

struct hall_limits {
	int active_max; /* bots that play or wait */
	int bot_max;    /* with those that are sent away */
};

/*
 * For so many games at once of so many seats.  Raises the limit of open
 * descriptors.  0 or -errno: -EMFILE where the hard limit, or LOOP_DEADLINES_MAX,
 * is too low for one bot at each seat.
 */
int hall_limits_raise(
    struct hall_limits *limits, int lane_count, int seat_count);

#endif
