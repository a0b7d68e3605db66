/*
 * Offences, and what follows from them.  The one place that decides which team
 * loses.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stdint.h>

enum offence_kind {
	OFFENCE_ILLEGAL,  /* a move that the rules do not allow */
	OFFENCE_TIMEOUT,  /* no answer within the time */
	OFFENCE_CRASH,    /* the bot ended, gave up or hung */
	OFFENCE_PROTOCOL, /* it wrote what nobody can read, or too much */
	OFFENCE_STARTUP,  /* it never got ready to play */
	OFFENCE_KIND_COUNT
};

enum verdict_policy {
	POLICY_FORFEIT,    /* the match is lost */
	POLICY_SUBSTITUTE, /* the arena moves; after so many strikes: lost */
	POLICY_DISQUALIFY, /* lost, and the bot plays no further match */
	POLICY_COUNT
};

/* What the referee does about an offence. */
enum verdict {
	VERDICT_MOVE_FOR, /* the first canonical legal move is played for it */
	VERDICT_FORFEIT   /* its team loses the match */
};

enum {
	VERDICT_PONDER_PERCENT = 5, /* of the time when it was not to move.. */
	VERDICT_PONDER_MS = 100, /* ..and at least so much CPU time is told */
	VERDICT_COMPUTE_MS = 20  /* ..and so much is reason to stop it then */
};

/* `illegal`, ...; `forfeit`, ... */
const char *offence_name(enum offence_kind kind);
const char *policy_name(enum verdict_policy policy);

/* The policy of that name; false where there is none. */
bool policy_find(const char *name, enum verdict_policy *policy);

/* Two teams: forfeit.  More: substitute, so that nobody else is robbed. */
enum verdict_policy policy_default(int team_count);

/* What a policy has become for a seat with so many strikes. */
enum verdict_policy policy_at(
    enum verdict_policy policy, int strikes, int strikes_max);

/* The verdict on an offence that is the seat's strike number `strikes`. */
enum verdict verdict_of(enum verdict_policy policy, enum offence_kind kind,
    int strikes, int strikes_max);

/*
 * Whether a bot that used so much CPU time while it was not to move, for so
 * long, has thought on the time of others.  It costs nothing but the word.
 */
bool verdict_ponders(int64_t cpu_ns, int64_t wall_ns);

/*
 * Whether so much CPU time is more than tidying up after a move: a bot that has
 * used it may have slowed the bot that was to move.
 */
bool verdict_computes(int64_t cpu_ns, int64_t wall_ns);

#endif
