/*
 * The preflight check before a tournament. Every bot is started once, greeted
 * and stopped, so that a faulty bot is found before the first game.
 */
#ifndef PREFLIGHT_H
#define PREFLIGHT_H

#include "match.h"

/* Bots that are greeted at the same time. */
enum { PREFLIGHT_AT_ONCE = 8 };

/* How a bot answered the greeting. */
struct preflight_result {
	char name[EVENT_NAME_SIZE];      /* given by the user, or its own */
	char version[SESSION_NAME_SIZE]; /* as the bot sent it, or empty */
	/* what its name lost at its first blank; see session.h */
	char name_rest[SESSION_NAME_SIZE];
	struct match_fault fault; /* why it is not ready; seat -1: it is */
};

/*
 * Greets the bots of all `count` entrants, PREFLIGHT_AT_ONCE at the same time,
 * and writes results[i] for entrants[i]. Returns 0; -EINTR if SIGINT or SIGTERM
 * ended the check, with the number of the signal in *signal; or another -errno
 * if the system refused something. All processes of the bots have ended when it
 * returns. The caller must have no open loop.
 */
int preflight(const struct match_rules *rules, const struct entrant *entrants,
    int count, struct preflight_result *results, int *signal);

#endif
