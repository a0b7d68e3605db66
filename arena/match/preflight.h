/*
 * The preflight check before a tournament: every bot is started once, greeted
 * and stopped, so that a bad one is found before the first game.
 */
#ifndef PREFLIGHT_H
#define PREFLIGHT_H

#include "match.h"

enum { PREFLIGHT_AT_ONCE = 8 };

/* What a bot said of itself. */
struct preflight_result {
	char name[EVENT_NAME_SIZE];      /* given by the user, or its own */
	char version[SESSION_NAME_SIZE]; /* as it came, or empty */
	bool ready;
	struct match_fault fault; /* of one that is not */
};

/*
 * Greets all entrants, some at a time; results[i] is what entrants[i] answered.
 * 0; -EINTR where SIGINT or SIGTERM ended it, with its number in *signal; or
 * -errno where the machine refused something.  All processes have ended when
 * it returns.  There must be no loop open.
 */
int preflight(const struct match_rules *rules, const struct entrant *entrants,
    int count, struct preflight_result *results, int *signal);

#endif
