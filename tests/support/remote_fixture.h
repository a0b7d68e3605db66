/*
 * A worker without processes: plays the games of a job at random, records them
 * like a match, and signs them.
 */
#ifndef REMOTE_FIXTURE_H
#define REMOTE_FIXTURE_H

#include "dispatcher.h"
#include "job.h"
#include "queue.h"
#include "record_write.h"

struct remote_fixture {
	struct dispatcher_config config; /* configuration of the coordinator */
	struct entrant entrants[SCOPA_SEATS_MAX];
	char run[JOB_RUN_ID_SIZE];
	struct signing_key key;
	struct job job;

	/* The course of the games; the test may change these members. */
	uint64_t seed;       /* decides the moves */
	int offence_at;      /* decision with an offence; 0: none */
	const char *reason;  /* reason of that offence, of kind illegal */
	const char *sandbox; /* name of the sandbox in the tag */
	const char *tc; /* time control of the worker; NULL: that of the run */

	/* The records of all games, and the result that is sent. */
	struct record record;
	struct result_head head;
	char head_text[RESULT_HEAD_MAX];
	struct queue_result result;
};

/*
 * A run of a rule set with a bot for each team, and the job of its block 7:
 * `bot-1` and so on in each rotation, with keys for 8 deals.  `deals` 0: to the
 * target.  Closed by the caller.
 */
struct remote_fixture *remote_fixture_open(const char *spec, int deals);
void remote_fixture_close(struct remote_fixture *fixture);

/*
 * Plays all games and writes `record`: like a worker, or with `own` like the
 * coordinator, which has the secret.
 */
void remote_fixture_play(struct remote_fixture *fixture, bool own);

/* Makes head, signature and result for `record`. */
void remote_fixture_hand_in(struct remote_fixture *fixture);

/* The same with the present head. */
void remote_fixture_sign(struct remote_fixture *fixture);

/* Computes the sum of each game in `record` again; its last line has an LF. */
void remote_fixture_sum(struct remote_fixture *fixture);

/*
 * Replaces the first `from` after `after` in the record, and computes the sum
 * of each game again.
 */
void remote_fixture_alter(struct remote_fixture *fixture, const char *after,
    const char *from, const char *to);

#endif
