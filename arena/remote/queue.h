/*
 * The queue of blocks between a coordinator and workers on any machine.
 *
 * The coordinator of a run puts the blocks that it will count next into the
 * queue, and takes results out of it.  Workers claim blocks for a time (a
 * lease), renew the lease while the games go on, and finish.  Each claim of a
 * block has a number, its attempt; what is done under an older attempt is
 * refused (fenced), so that of several workers that play a block one counts.
 * All times are those of the queue's clock, never of a worker's.
 *
 * If a lease ends, the block was lost with its worker.  The block may be the
 * reason why the worker died, or it was only claimed together with that block.
 * So a lost block is claimed alone from then on, and its worker begins it at
 * once.  After QUEUE_ATTEMPTS_MAX losses the block is paused.  If workers are
 * also lost without it, so that its losses may be chance, it is paused after
 * more losses, at most QUEUE_LOSSES_MAX.
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
	/* The server cannot be reached, or not now; nothing is known to be
	 * done.  All calls may be repeated: that does no harm. */
	QUEUE_AWAY,
	/* The lease is lost: another attempt has it, or the run has ended. */
	QUEUE_FENCED,
	/* It will not be done however often it is tried; the error says why. */
	QUEUE_REFUSED
};

enum {
	QUEUE_SCHEMA_VERSION = 2,
	QUEUE_NAME_SIZE = 64, /* of a worker, a label or a role, with NUL */
	QUEUE_LABELS_SIZE = 256,
	QUEUE_URL_MAX = 1024,   /* bytes */
	QUEUE_BATCH_MAX = 256,  /* jobs or results of one call */
	QUEUE_ATTEMPTS_MAX = 3, /* then a block is named and paused */
	/* the most losses of a block where they may be chance */
	QUEUE_LOSSES_MAX = 10,
	QUEUE_LEASE_S = 60,
	QUEUE_RENEW_S = 15
};

/* A run as workers see it. */
struct queue_run {
	int64_t id; /* in the queue */
	char uid[JOB_RUN_ID_SIZE];
	char name[STORE_TEXT_SIZE];
	/* engine, rules and protocol: must equal the worker's: engine_id() */
	char engine[128];
	char labels[QUEUE_LABELS_SIZE]; /* that a worker needs, by commas */
	bool trusted_only; /* only workers that the organiser trusts */
	int lease_s;       /* 0: QUEUE_LEASE_S; renewed every quarter of it */
	const char *spec;  /* the configuration for workers; see run_spec.h */
};

/* The greatest of the numbers that a worker may say of itself. */
#define QUEUE_SAID_MAX 1e6

/* A worker as it describes itself, and as the organiser knows it. */
struct queue_worker {
	char name[QUEUE_NAME_SIZE];
	uint8_t key[SIGNING_PUBLIC_SIZE];
	char engine[128];
	char labels[QUEUE_LABELS_SIZE];
	char host[QUEUE_NAME_SIZE];
	int cores;
	/* 0..QUEUE_SAID_MAX, as `lag_s`: */
	double speed;       /* of a core, 1 = the reference; 0: not measured */
	double games_per_s; /* in the last minute */
	int64_t blocks, games, faults; /* so far; faults: refused results */
	double lag_s; /* longest delay of its arena in the last minute */
	/* What only the organiser changes. */
	bool trusted, quarantined, revoked;
	/* Seconds by the queue's clock since the worker was last heard of, and
	 * by how many its own clock is ahead of the queue's. */
	double seen_s, clock_ahead_s;
};

/* A job that was claimed. */
struct queue_claim {
	struct job_name name;
	const char *job; /* its text */
	bool was_lost;   /* with a worker, before; it has come alone */
};

/* A renewal: true in `lost` where the lease is gone. */
struct queue_renewal {
	struct job_name name;
	/* Of deal_keys_slot; no renewal if it is equal to the last. */
	uint64_t progress;
	bool lost;
};

/* A result that a worker hands in, and what came of it. */
struct queue_finish {
	struct job_name name;
	const char *head; /* text, result_head_write() */
	const char *record;
	size_t record_size;
	uint8_t signature[SIGNING_SIGNATURE_SIZE];
	/*
	 * QUEUE_DONE: it counts, or was there already.  QUEUE_FENCED: another
	 * result counts, or the run has ended.  QUEUE_REFUSED: this worker has
	 * handed in another result under this attempt.
	 */
	enum queue_status status;
};

/* A result as it lies in the queue; the bytes are valid during the call. */
struct queue_result {
	struct job_name name;
	char worker[QUEUE_NAME_SIZE];
	uint8_t key[SIGNING_PUBLIC_SIZE]; /* as enrolled */
	bool trusted, quarantined, revoked;
	const char *head; /* text, result_head_read() */
	const char *record;
	size_t record_size;
	uint8_t signature[SIGNING_SIGNATURE_SIZE];
	/* The worker has handed in another result under the same attempt, too;
	 * the queue keeps it. */
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
	/* The queue's clock in ns since an epoch of its own. */
	enum queue_status (*now)(
	    struct queue *queue, int64_t *now_ns, struct store_error *error);
	/* Waits until something may have changed (true: a notification came),
	 * up to this time, or until `fd` is readable (-1: none). */
	bool (*wait)(struct queue *queue, int64_t timeout_ns, int fd);

	/* --- coordinator */
	/* Makes a run known, paused; sets run->id.  Of one that is there, by
	 * its uid, it changes labels, trusted_only, lease_s and spec. */
	enum queue_status (*run_begin)(struct queue *queue,
	    struct queue_run *run, struct store_error *error);
	/* `open` takes workers; `paused`; `ended`: all its jobs are cancelled,
	 * and its rows go. */
	enum queue_status (*run_set)(struct queue *queue, int64_t run,
	    const char *state, struct store_error *error);
	enum queue_status (*bundle_put)(struct queue *queue, int64_t run,
	    const struct bundle *bundle, struct store_error *error);
	/* Jobs that are there already are left as they are, but one that is
	 * paused is replaced, and may be claimed again. */
	enum queue_status (*put)(struct queue *queue, int64_t run,
	    const struct job *jobs, int count, struct store_error *error);
	/* Calls `take` for up to QUEUE_BATCH_MAX results that are not settled
	 * and were not yet given under this cursor.  The caller sets the cursor
	 * to 0 to be given all results again.  A result may be given twice;
	 * none is left out. */
	enum queue_status (*results)(struct queue *queue, int64_t run,
	    int64_t *cursor,
	    void (*visit)(void *context, const struct queue_result *result),
	    void *context, struct store_error *error);
	/* The results are counted and durable: jobs and results are removed. */
	enum queue_status (*settle)(struct queue *queue, int64_t run,
	    const struct job_name *names, int count, struct store_error *error);
	/* A result is not accepted: its worker gets a fault, and the block is
	 * played again; `by_others`: not by this worker. */
	enum queue_status (*reject)(struct queue *queue, int64_t run,
	    const struct job_name *name, const char *reason, bool by_others,
	    struct store_error *error);
	/* Removes the jobs of blocks from this one on. */
	enum queue_status (*cancel)(struct queue *queue, int64_t run,
	    int64_t from, struct store_error *error);
	enum queue_status (*paused)(struct queue *queue, int64_t run,
	    void (*visit)(void *context, const struct queue_paused *paused),
	    void *context, struct store_error *error);
	/* How many blocks of a run workers hold: claimed, neither finished nor
	 * given back, their leases not run out. */
	enum queue_status (*held)(struct queue *queue, int64_t run, int *count,
	    struct store_error *error);
	/* run 0: all enrolled workers; else those that have played for it. */
	enum queue_status (*workers)(struct queue *queue, int64_t run,
	    void (*visit)(void *context, const struct queue_worker *worker),
	    void *context, struct store_error *error);
	/* Enrols a worker by its name, or changes key, trusted, quarantined and
	 * revoked of one that is there.  A password makes it a login role of
	 * the server, or changes the role's password; NULL: the role stays. */
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
	/* Open runs in the order in which they are to be served.  One that this
	 * worker cannot play has the reason in `refusal`, else it is NULL. */
	enum queue_status (*runs)(struct queue *queue,
	    const struct queue_worker *worker,
	    void (*visit)(void *context, const struct queue_run *run,
		const char *refusal),
	    void *context, struct store_error *error);
	enum queue_status (*bundle_get)(struct queue *queue, int64_t run,
	    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct bundle *bundle,
	    struct store_error *error);
	/* Up to `count` blocks in the order of the schedule, or one block that
	 * was lost.  `busy`: this worker plays a lost block now; it is given
	 * another lost one only if there is no other block. */
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
	/* Gives a block back.  A reason that begins with `keys` asks for more
	 * keys and is no failed attempt; NULL: the worker ends, and it is no
	 * failed attempt; else it is one. */
	enum queue_status (*release)(struct queue *queue, int64_t run,
	    const struct job_name *name, const char *reason,
	    struct store_error *error);
};

/* A queue begins with this; implementations append their own fields. */
struct queue {
	const struct queue_calls *calls;
};

/*
 * Opens the queue of a database: `postgres://...` or `postgresql://...` (what
 * libpq takes).  `worker`: with its rights only.  -ENOPKG where the program was
 * built without libpq or it is not installed; -EINVAL for a URL that is wrong;
 * -EBADMSG for a schema of another version, or none; -ECONNREFUSED where there
 * is no server now; -EACCES for a wrong password.  All with the error, in which
 * no password stands.
 */
int queue_postgres_open(struct queue **queue, const char *url, bool worker,
    struct store_error *error);

/* Makes the schema of the queue; does nothing where it is there.  As above, and
 * -EACCES where the user may not. */
int queue_postgres_create(const char *url, struct store_error *error);

/* The login role of a worker's name; false where the name gives none: it must
 * begin with a letter and have up to 40 of a-z, 0-9, - and _. */
bool queue_role(const char *name, char role[QUEUE_NAME_SIZE]);

/* Whether it begins like a URL of PostgreSQL and is not too long. */
bool queue_url_valid(const char *url);

/*
 * Writes a valid URL without the passwords that stand in it; `role` takes the
 * place of its user, unless it is NULL.
 */
void queue_url_write(
    const char *url, const char *role, struct scopa_text *text);

#endif
