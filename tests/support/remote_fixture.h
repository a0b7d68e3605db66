/*
 * A worker without processes: plays the games of a job at random, writes their
 * records as a match does, and signs them.
 */
#ifndef REMOTE_FIXTURE_H
#define REMOTE_FIXTURE_H

#include "dispatcher.h"
#include "job.h"
#include "queue.h"
#include "record_write.h"

struct remote_fixture {
	struct dispatcher_config config; /* of the coordinator */
	struct entrant entrants[SCOPA_SEATS_MAX];
	char run[JOB_RUN_ID_SIZE];
	struct signing_key key;
	struct job job;

	/* How the games go; all may be changed. */
	uint64_t seed;       /* decides the moves */
	int offence_at;      /* decision at which the bot errs; 0: none */
	const char *reason;  /* of that offence; it is illegal */
	const char *sandbox; /* its name in the tag */
	const char *tc;      /* of the worker; NULL: that of the run */

	/* The records of all games, and what is sent of them. */
	struct record record;
	struct result_head head;
	char head_text[RESULT_HEAD_MAX];
	struct queue_result result;
};

/*
 * A run of a rule set with a bot for each team, and the job of its block 7:
 * `bot-1` and so on in every rotation, with keys for 8 deals.  `deals` 0: to
 * the target.  The caller closes it.
 */
struct remote_fixture *remote_fixture_open(const char *spec, int deals);
void remote_fixture_close(struct remote_fixture *fixture);

/*
 * Plays all games into `record`: as a worker does, or as `own` as the
 * coordinator would, which knows the secret.
 */
void remote_fixture_play(struct remote_fixture *fixture, bool own);

/* Makes head, signature and result of what is in `record`. */
void remote_fixture_hand_in(struct remote_fixture *fixture);

/* The same, but the head stays as it is. */
void remote_fixture_sign(struct remote_fixture *fixture);

/* Makes the sum of each game in `record` again; its last line is whole. */
void remote_fixture_sum(struct remote_fixture *fixture);

/*
 * Replaces the first `from` in the record behind `after`, and makes the sum of
 * each game again.
 */
void remote_fixture_alter(struct remote_fixture *fixture, const char *after,
    const char *from, const char *to);

#endif
