/*
 * Offences, and the verdicts that follow.  Only this module decides which team
 * loses because of an offence.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

enum offence_kind {
	OFFENCE_ILLEGAL,  /* a move that the rules do not allow */
	OFFENCE_TIMEOUT,  /* no answer within the time */
	OFFENCE_CRASH,    /* the bot ended, gave up or did not react */
	OFFENCE_PROTOCOL, /* the bot wrote unreadable lines, or too many */
	OFFENCE_STARTUP,  /* the bot was not ready in time */
	OFFENCE_KIND_COUNT
};

enum verdict_policy {
	POLICY_FORFEIT, /* the match is lost */
	/* The arena moves; too many strikes lose the match. */
	POLICY_SUBSTITUTE,
	/* The match is lost, and the bot plays no other match. */
	POLICY_DISQUALIFY,
	POLICY_COUNT
};

/* The consequence of an offence. */
enum verdict {
	VERDICT_MOVE_FOR, /* the arena plays the first canonical legal move */
	VERDICT_FORFEIT   /* the team of the seat loses the match */
};

enum {
	/* limit, as a share of the time when it was not its turn */
	VERDICT_PONDER_PERCENT = 5,
	VERDICT_PONDER_MS = 100, /* a bot with less CPU time is not reported */
	VERDICT_COMPUTE_MS = 20  /* a bot with less CPU time is not stopped */
};

/* The names, as in the record: `illegal`, ...; `forfeit`, ... */
const char *offence_name(enum offence_kind kind);
const char *policy_name(enum verdict_policy policy);

/* The offence of that name; OFFENCE_KIND_COUNT: there is none. */
enum offence_kind offence_find(struct word name);

/*
 * With two teams: forfeit.  With more: substitute, so that the other teams can
 * finish their match.
 */
enum verdict_policy policy_default(int team_count);

/* The policy that applies to a seat with this number of strikes. */
enum verdict_policy policy_at(
    enum verdict_policy policy, int strikes, int strikes_max);

/* The verdict on an offence of this kind; `strikes` includes this offence. */
enum verdict verdict_of(enum verdict_policy policy, enum offence_kind kind,
    int strikes, int strikes_max);

/*
 * Whether a bot that used `cpu_ns` of CPU time in `wall_ns`, while it was not
 * its turn, has pondered.  The only consequence is that this is reported.
 */
bool verdict_ponders(int64_t cpu_ns, int64_t wall_ns);

/*
 * Whether the CPU time is more than a bot needs to finish its own turn.  Such a
 * bot may have slowed the bot to move.
 */
bool verdict_computes(int64_t cpu_ns, int64_t wall_ns);

#endif
