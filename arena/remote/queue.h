/*
 * The queue of blocks between a coordinator and workers on any machine.
 *
 * The coordinator of a run puts the blocks that it will count next into the
 * queue, and takes results out of it.  Workers claim blocks for a time (a
 * lease), renew the lease while the games go on, and finish.  Each claim of a
 * block has a number, its attempt.  Calls with the number of an older attempt
 * are refused (fenced).  So if several workers play a block, one result counts.
 * All times are those of the queue's clock, never of a worker's.
 *
 * If a lease ends, the block counts as lost with its worker.  This block may be
 * the reason why the worker died, or another block that the worker claimed with
 * it.  So a lost block is claimed alone from then on, and its worker begins it
 * at once.  After QUEUE_ATTEMPTS_MAX losses the block is paused.  If workers
 * are also lost while they play other blocks, the losses may be chance; then
 * the block is paused after more losses, at most QUEUE_LOSSES_MAX.
 *
 * A queue is a table of functions: PostgreSQL (queue_postgres.c), or memory
 * with a clock of its own in tests.  Each call is one transaction.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "bundle.h"
#include "job.h"
#include "signing.h"

enum queue_status {
	QUEUE_DONE,
	/* The server cannot be reached now.  It is unknown whether the call
	 * took effect.  Every call may be repeated: that does no harm. */
	QUEUE_AWAY,
	/* The lease is lost: there is a newer attempt, or the run has ended. */
	QUEUE_FENCED,
	/* The call fails each time that it is repeated; the error says why. */
	QUEUE_REFUSED
};

enum {
	QUEUE_SCHEMA_VERSION = 2,
	QUEUE_NAME_SIZE = 64,  /* of a worker, a label or a role, with NUL */
	QUEUE_WORKER_MAX = 40, /* letters of the name of a worker */
	QUEUE_LABELS_SIZE = 256,
	QUEUE_URL_MAX = 1024,   /* bytes */
	QUEUE_BATCH_MAX = 256,  /* jobs or results of one call */
	QUEUE_ATTEMPTS_MAX = 3, /* then a block is reported and paused */
	/* greatest number of losses of a block if they may be chance */
	QUEUE_LOSSES_MAX = 10,
	QUEUE_LEASE_S = 60,
	QUEUE_RENEW_S = 15
};

/* A run as workers see it. */
struct queue_run {
	int64_t id; /* in the queue */
	char uid[JOB_RUN_ID_SIZE];
	char name[STORE_TEXT_SIZE];
	/* engine_id(); a worker with another one cannot play the run */
	char engine[128];
	char labels[QUEUE_LABELS_SIZE]; /* a worker needs all; with commas */
	bool trusted_only; /* only workers that the organiser trusts */
	int lease_s;       /* 0: QUEUE_LEASE_S; renewed every quarter of it */
	const char *spec;  /* the configuration for workers; see run_spec.h */
};

/* The greatest value of speed, games_per_s and lag_s of a worker. */
#define QUEUE_SAID_MAX 1e6

/* A worker as it describes itself, and as the organiser knows it. */
struct queue_worker {
	char name[QUEUE_NAME_SIZE];
	uint8_t key[SIGNING_PUBLIC_SIZE];
	char engine[128];
	char labels[QUEUE_LABELS_SIZE];
	char host[QUEUE_NAME_SIZE];
	int cores;
	/* 0 to QUEUE_SAID_MAX */
	double speed;       /* of a core, 1 = the reference; 0: not measured */
	double games_per_s; /* in the last minute */
	int64_t blocks, games, faults; /* so far; faults: refused results */
	/* longest delay of its arena in the last minute; 0 to QUEUE_SAID_MAX */
	double lag_s;
	/* What only the organiser changes. */
	bool trusted, quarantined, revoked;
	/* Seconds since the last call of the worker, by the queue's clock; and
	 * seconds by which its own clock is ahead of the queue's. */
	double seen_s, clock_ahead_s;
};

/* A job that was claimed. */
struct queue_claim {
	struct job_name name;
	const char *job; /* its text */
	bool was_lost;   /* it was lost before, and is claimed alone */
};

/* The renewal of a lease. */
struct queue_renewal {
	struct job_name name;
	/* from deal_keys_slot; if it has not changed, nothing is renewed */
	uint64_t progress;
	bool lost; /* set by the call: the worker does not have the lease */
};

/* A result that a worker hands in. */
struct queue_finish {
	struct job_name name;
	const char *head; /* text, result_head_write() */
	const char *record;
	size_t record_size;
	uint8_t signature[SIGNING_SIGNATURE_SIZE];
	/*
	 * Set by the call.  QUEUE_DONE: the result counts, or was in the queue
	 * already.  QUEUE_FENCED: another result counts, or the run has ended.
	 * QUEUE_REFUSED: this worker has handed in another result for this
	 * attempt.
	 */
	enum queue_status status;
};

/* A result in the queue; its bytes are valid during the call. */
struct queue_result {
	struct job_name name;
	char worker[QUEUE_NAME_SIZE];
	uint8_t key[SIGNING_PUBLIC_SIZE]; /* as enrolled */
	bool trusted, quarantined, revoked;
	const char *head; /* text, result_head_read() */
	const char *record;
	size_t record_size;
	uint8_t signature[SIGNING_SIGNATURE_SIZE];
	/* The worker has handed in two results for the same attempt; the queue
	 * has both. */
	bool conflict;
};

/*
 * A block that no worker may claim until it is put again: after
 * QUEUE_ATTEMPTS_MAX failed or lost attempts, or because it needs more keys
 * (the reason begins with `keys`).
 */
struct queue_paused {
	struct job_name name;
	char reason[STORE_TEXT_SIZE];
};

struct queue;

struct queue_calls {
	/* --- both sides */
	void (*close)(struct queue *queue);
	/* Waits until something may have changed (true: a notification came),
	 * up to this time, or until `fd` is readable (-1: none). */
	bool (*wait)(struct queue *queue, int64_t timeout_ns, int fd);

	/* --- coordinator */
	/* Enters a run, in the state `paused`, and sets run->id.  If a run with
	 * its uid is there, it changes engine, labels, trusted_only, lease_s
	 * and spec, and the blocks that were paused because they failed may be
	 * claimed again. */
	enum queue_status (*run_begin)(struct queue *queue,
	    struct queue_run *run, struct store_error *error);
	/* `open`: workers may claim blocks; `paused`: they may not; `ended`:
	 * its jobs are cancelled, and its rows are removed. */
	enum queue_status (*run_set)(struct queue *queue, int64_t run,
	    const char *state, struct store_error *error);
	enum queue_status (*bundle_put)(struct queue *queue, int64_t run,
	    const struct bundle *bundle, struct store_error *error);
	/* Adds jobs.  A job that is there already is not changed, unless it is
	 * paused: then it is replaced, and may be claimed again. */
	enum queue_status (*put)(struct queue *queue, int64_t run,
	    const struct job *jobs, int count, struct store_error *error);
	/* Calls `visit` for up to QUEUE_BATCH_MAX results that are not settled
	 * and that this cursor has not passed.  With the cursor 0 it begins
	 * with the first result.  A result may be visited twice; none is left
	 * out. */
	enum queue_status (*results)(struct queue *queue, int64_t run,
	    int64_t *cursor,
	    void (*visit)(void *context, const struct queue_result *result),
	    void *context, struct store_error *error);
	/* No call returns these jobs and results any more, because they are
	 * counted and durable.  Their texts may be stored for longer. */
	enum queue_status (*settle)(struct queue *queue, int64_t run,
	    const struct job_name *names, int count, struct store_error *error);
	/* Refuses a result: its worker gets a fault, and the block is played
	 * again by another worker. */
	enum queue_status (*reject)(struct queue *queue, int64_t run,
	    const struct job_name *name, const char *reason,
	    struct store_error *error);
	/* Removes the jobs of blocks from this one on. */
	enum queue_status (*cancel)(struct queue *queue, int64_t run,
	    int64_t from, struct store_error *error);
	enum queue_status (*paused)(struct queue *queue, int64_t run,
	    void (*visit)(void *context, const struct queue_paused *paused),
	    void *context, struct store_error *error);
	/* The number of blocks of a run that workers hold: they are claimed,
	 * not finished and not released, and their leases have not run out. */
	enum queue_status (*held)(struct queue *queue, int64_t run, int *count,
	    struct store_error *error);
	/* The workers that have played for the run, in the order of their
	 * names; run 0: all workers. */
	enum queue_status (*workers)(struct queue *queue, int64_t run,
	    void (*visit)(void *context, const struct queue_worker *worker),
	    void *context, struct store_error *error);
	/* Enrols a worker, or changes key, trusted, quarantined and revoked of
	 * the worker with this name.  With a password the worker gets a login
	 * role of the server, or the role's password is changed; NULL: roles
	 * stay as they are. */
	enum queue_status (*worker_set)(struct queue *queue,
	    const struct queue_worker *worker, const char *password,
	    struct store_error *error);

	/* --- worker */
	/* Tells its name and key, and again every QUEUE_RENEW_S; the queue fills in
	 * trusted, quarantined, revoked, clock_ahead_s.  `utc_ns` is the
	 * worker's own clock. */
	enum queue_status (*hello)(struct queue *queue,
	    struct queue_worker *worker, int64_t utc_ns,
	    struct store_error *error);
	/* Open runs in the order in which they are to be played.  `refusal` is
	 * the reason why this worker cannot play a run, or NULL. */
	enum queue_status (*runs)(struct queue *queue,
	    void (*visit)(void *context, const struct queue_run *run,
		const char *refusal),
	    void *context, struct store_error *error);
	enum queue_status (*bundle_get)(struct queue *queue, int64_t run,
	    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct bundle *bundle,
	    struct store_error *error);
	/* Claims up to `count` blocks in the order of the schedule; or, if the
	 * first of them was lost, only this one.  `busy`: this worker plays a
	 * lost block now.  It claims blocks that were never lost, and another
	 * lost one, that with the fewest losses, only if there is no other. */
	enum queue_status (*claim)(struct queue *queue, int64_t run, int count,
	    bool busy,
	    void (*visit)(void *context, const struct queue_claim *claim),
	    void *context, struct store_error *error);
	enum queue_status (*renew)(struct queue *queue, int64_t run,
	    struct queue_renewal *renewals, int count,
	    struct store_error *error);
	/* Hands in results, up to QUEUE_BATCH_MAX.  QUEUE_DONE: each has its
	 * own status.  A lease that has run out still counts until another
	 * worker claims the block. */
	enum queue_status (*finish)(struct queue *queue, int64_t run,
	    struct queue_finish *finishes, int count,
	    struct store_error *error);
	/* Gives a block back.  With another reason than these two it counts as
	 * a failed attempt: a reason that begins with `keys` asks for more
	 * keys; NULL: the block is not to blame. */
	enum queue_status (*release)(struct queue *queue, int64_t run,
	    const struct job_name *name, const char *reason,
	    struct store_error *error);
};

/* Implementations of a queue begin with this struct. */
struct queue {
	const struct queue_calls *calls;
};

/*
 * Opens the queue of a database: `postgres://...` or `postgresql://...`, as
 * libpq defines.  `worker`: only with the rights of a worker.  Returns 0, or
 * -errno with the error, which contains no password: -ENOPKG: the program was
 * built without libpq, or libpq is not installed; -EINVAL: the URL is wrong;
 * -EBADMSG: there is no schema, or it has another version; -ECONNREFUSED: no
 * server answers; -EACCES: the password is wrong.
 */
int queue_postgres_open(struct queue **queue, const char *url, bool worker,
    struct store_error *error);

/* Creates the schema of the queue.  If it exists, only its functions are
 * replaced, by those of this program.  Errors as above, and -EACCES if the user
 * may not do that. */
int queue_postgres_create(const char *url, struct store_error *error);

/* The names of workers.  The role of `worker` would be that of their group. */
#define QUEUE_NAME_RULE \
	"up to 40 of a-z, 0-9, - and _, a letter first, and not `worker`"

/* Writes the login role of a worker.  False: the name cannot be one. */
bool queue_role(const char *name, char role[QUEUE_NAME_SIZE]);

/* Whether a text begins like a URL of PostgreSQL and is not too long. */
bool queue_url_valid(const char *url);

/*
 * Writes a valid URL without its passwords.  `role` replaces its user; NULL:
 * the user stays.
 */
void queue_url_write(
    const char *url, const char *role, struct scopa_text *text);

#endif
