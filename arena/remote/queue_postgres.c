/*
 * Implements queue.h in a database of PostgreSQL.  Most calls are one
 * statement, which calls a function of the schema `scopa`.  queue_schema.sql
 * has these functions; the build puts that file into this one.  A statement is
 * a transaction of its own.  If the connection is lost before the answer, it is
 * unknown whether the statement took effect.  So every statement can be
 * repeated.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "countof.h"
#include "pg.h"
#include "queue.h"

#include "queue_schema.inc"

/*
 * The first statements of each connection.  The time of a statement contains
 * the time for sending its rows, such as the files of a bot.
 */
#define LIMITS                                             \
	"SET statement_timeout = '120s';"                  \
	"SET idle_in_transaction_session_timeout = '10s';" \
	"SET lock_timeout = '10s';"
#define VERSION_CHECK "SELECT scopa.version_check(2);"
/* The login of a worker is refused before anything is written for a run. */
#define ORGANISER_CHECK                                                       \
	"DO $$ BEGIN IF NOT has_table_privilege('scopa.run', 'INSERT') THEN " \
	"RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format("          \
	"'the user %s is not an organiser of this queue', current_user); "    \
	"END IF; END $$;"

_Static_assert(QUEUE_SCHEMA_VERSION == 2, "as in VERSION_CHECK");
_Static_assert(PG_CALL_MAX_S == 120, "as in LIMITS");

struct queue_postgres {
	struct queue queue;
	struct pg *pg;
	char *text; /* of JOB_TEXT_MAX bytes, for writing jobs */
	/*
	 * The most results of the next reading: few after a failure, because
	 * more may need too much time on a slow connection.
	 */
	int results_max;
};

static struct queue_postgres *
queue_of(struct queue *queue)
{
	return (struct queue_postgres *)queue;
}

/* Runs a statement without using its rows. */
static enum queue_status
run_only(struct queue *queue, struct pg_call *call, struct store_error *error)
{
	return pg_run(queue_of(queue)->pg, call, NULL, error);
}

/* Runs a statement whose result is one number. */
static enum queue_status
run_for_int(struct queue *queue, struct pg_call *call, int64_t *value,
    struct store_error *error)
{
	struct pg_rows *rows;
	enum queue_status status =
	    pg_run(queue_of(queue)->pg, call, &rows, error);

	if (status != QUEUE_DONE)
		return status;
	*value = pg_rows_int(rows, 0, 0);
	pg_rows_close(rows);
	return QUEUE_DONE;
}

/* Begins a call of a function whose first argument is the run. */
static struct pg_call
run_call(const char *sql, int64_t run)
{
	struct pg_call call;

	pg_call_init(&call, sql);
	pg_call_int(&call, run);
	return call;
}

static void
text_copy(
    char *to, size_t size, const struct pg_rows *rows, int row, int column)
{
	snprintf(to, size, "%s", pg_rows_text(rows, row, column));
}

/*
 * Copies bytes of exactly this size.  Other sizes become zeros, which match no
 * key.
 */
static void
bytes_copy(
    uint8_t *to, size_t size, const struct pg_rows *rows, int row, int column)
{
	memset(to, 0, size);
	if (pg_rows_size(rows, row, column) == size)
		memcpy(to, pg_rows_text(rows, row, column), size);
}

/*
 * Appends arrays of the names of jobs, which are `stride` bytes apart: blocks,
 * copies and, if wanted, attempts.
 */
static void
put_names(struct pg_call *call, const struct job_name *first, size_t stride,
    int count, bool attempts)
{
	for (int array = 0; array < (attempts ? 3 : 2); array++) {
		pg_call_array(call, PG_INT, count);
		for (int i = 0; i < count; i++) {
			const struct job_name *name =
			    (const void *)((const char *)first +
				(size_t)i * stride);

			pg_call_int(call,
			    array == 0       ? name->block
				: array == 1 ? name->copy
					     : name->attempt);
		}
	}
}

static void
put_name(struct pg_call *call, const struct job_name *name)
{
	pg_call_int(call, name->block);
	pg_call_int(call, name->copy);
	pg_call_int(call, name->attempt);
}

/* Reads block, copy and attempt, which are the first columns of a row. */
static struct job_name
name_of(const struct pg_rows *rows, int row)
{
	return (struct job_name){
		.block = pg_rows_int(rows, row, 0),
		.copy = (int)pg_rows_int(rows, row, 1),
		.attempt = (int)pg_rows_int(rows, row, 2),
	};
}

/*
 * Both sides.
 */

static void
queue_close(struct queue *queue)
{
	pg_close(queue_of(queue)->pg);
	free(queue_of(queue)->text);
	free(queue);
}

static bool
queue_wait(struct queue *queue, int64_t timeout_ns, int fd)
{
	return pg_wait(queue_of(queue)->pg, timeout_ns, fd);
}

/*
 * Coordinator.
 */

static enum queue_status
queue_run_begin(
    struct queue *queue, struct queue_run *run, struct store_error *error)
{
	struct pg_call call;

	pg_call_init(
	    &call, "SELECT scopa.run_begin($1, $2, $3, $4, $5, $6, $7)");
	pg_call_text(&call, run->uid);
	pg_call_text(&call, run->name);
	pg_call_text(&call, run->engine);
	pg_call_text(&call, run->labels);
	pg_call_bool(&call, run->trusted_only);
	pg_call_int(&call, run->lease_s > 0 ? run->lease_s : QUEUE_LEASE_S);
	pg_call_text(&call, run->spec);
	return run_for_int(queue, &call, &run->id, error);
}

static enum queue_status
queue_run_set(struct queue *queue, int64_t run, const char *state,
    struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.run_set($1, $2)", run);
	enum queue_status status;

	pg_call_text(&call, state);
	status = run_only(queue, &call, error);
	if (status != QUEUE_DONE || strcmp(state, "ended") != 0)
		return status;
	pg_call_init(&call, "SELECT scopa.part_clean()");
	return run_only(queue, &call, error);
}

static enum queue_status
queue_bundle_put(struct queue *queue, int64_t run, const struct bundle *bundle,
    struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.bundle_use($1, $2)", run);
	enum queue_status status;
	int64_t there;

	pg_call_bytes(&call, bundle->digest, sizeof(bundle->digest));
	status = run_for_int(queue, &call, &there, error);
	if (status != QUEUE_DONE || there)
		return status;
	call = run_call("SELECT scopa.bundle_put($1, $2, $3)", run);
	pg_call_bytes(&call, bundle->digest, sizeof(bundle->digest));
	pg_call_bytes(&call, bundle->bytes, bundle->size);
	return run_only(queue, &call, error);
}

static enum queue_status
queue_put(struct queue *queue, int64_t run, const struct job *jobs, int count,
    struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.part_make($1, $2)", run);
	enum queue_status status;

	assert(count <= QUEUE_BATCH_MAX);
	pg_call_array(&call, PG_INT, count);
	for (int i = 0; i < count; i++)
		pg_call_int(&call, jobs[i].name.block);
	status = run_only(queue, &call, error);
	if (status != QUEUE_DONE)
		return status;
	call = run_call("SELECT scopa.put($1, $2, $3, $4, $5)", run);
	put_names(&call, &jobs->name, sizeof(*jobs), count, false);
	pg_call_array(&call, PG_INT, count);
	for (int i = 0; i < count; i++)
		pg_call_int(&call, jobs[i].game_count);
	pg_call_array(&call, PG_TEXT, count);
	for (int i = 0; i < count; i++) {
		struct scopa_text text;

		scopa_text_init(&text, queue_of(queue)->text, JOB_TEXT_MAX);
		job_write(&jobs[i], &text);
		pg_call_text(&call, text.bytes);
	}
	return run_only(queue, &call, error);
}

static enum queue_status
queue_results(struct queue *queue, int64_t run, int64_t *cursor,
    void (*visit)(void *context, const struct queue_result *result),
    void *context, struct store_error *error)
{
	struct pg_call call =
	    run_call("SELECT * FROM scopa.results($1, $2, $3)", run);
	int *most = &queue_of(queue)->results_max;
	struct pg_rows *rows;
	enum queue_status status;

	/* A cursor is a number that was never used before. */
	if (*cursor == 0)
		*cursor = clock_wall_ns();
	pg_call_int(&call, *cursor);
	pg_call_int(&call, *most);
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	*most = status == QUEUE_DONE ? 2 * *most : 1;
	if (*most > QUEUE_BATCH_MAX)
		*most = QUEUE_BATCH_MAX;
	/* Results that were read may be lost. */
	if (status != QUEUE_DONE)
		*cursor = 0;
	for (int row = 0; row < pg_rows_count(rows); row++) {
		struct queue_result result = {
			.name = name_of(rows, row),
			.trusted = pg_rows_int(rows, row, 5) != 0,
			.quarantined = pg_rows_int(rows, row, 6) != 0,
			.revoked = pg_rows_int(rows, row, 7) != 0,
			.head = pg_rows_text(rows, row, 8),
			.record = pg_rows_text(rows, row, 9),
			.record_size = pg_rows_size(rows, row, 9),
			.conflict = pg_rows_int(rows, row, 11) != 0,
		};

		text_copy(result.worker, sizeof(result.worker), rows, row, 3);
		bytes_copy(result.key, sizeof(result.key), rows, row, 4);
		bytes_copy(
		    result.signature, sizeof(result.signature), rows, row, 10);
		visit(context, &result);
	}
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_settle(struct queue *queue, int64_t run, const struct job_name *names,
    int count, struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.settle($1, $2, $3)", run);
	struct pg_rows *rows;
	enum queue_status status;
	int64_t below;
	bool drop;

	put_names(&call, names, sizeof(*names), count, false);
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	if (status != QUEUE_DONE)
		return status;
	drop = !pg_rows_null(rows, 0, 0);
	below = pg_rows_int(rows, 0, 0);
	pg_rows_close(rows);
	if (!drop)
		return QUEUE_DONE;
	call = run_call("SELECT scopa.part_drop($1, $2)", run);
	pg_call_int(&call, below);
	return run_only(queue, &call, error);
}

static enum queue_status
queue_reject(struct queue *queue, int64_t run, const struct job_name *name,
    const char *reason, struct store_error *error)
{
	struct pg_call call =
	    run_call("SELECT scopa.reject($1, $2, $3, $4, $5, true)", run);

	put_name(&call, name);
	pg_call_text(&call, reason);
	return run_only(queue, &call, error);
}

static enum queue_status
queue_cancel(
    struct queue *queue, int64_t run, int64_t from, struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.cancel($1, $2)", run);

	pg_call_int(&call, from);
	return run_only(queue, &call, error);
}

static enum queue_status
queue_paused(struct queue *queue, int64_t run,
    void (*visit)(void *context, const struct queue_paused *paused),
    void *context, struct store_error *error)
{
	struct pg_call call = run_call("SELECT * FROM scopa.paused($1)", run);
	struct pg_rows *rows;
	enum queue_status status;

	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	for (int row = 0; row < pg_rows_count(rows); row++) {
		struct queue_paused paused = { .name = name_of(rows, row) };

		text_copy(paused.reason, sizeof(paused.reason), rows, row, 3);
		visit(context, &paused);
	}
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_held(
    struct queue *queue, int64_t run, int *count, struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.held($1)", run);
	int64_t held;
	enum queue_status status;

	status = run_for_int(queue, &call, &held, error);
	if (status == QUEUE_DONE)
		*count = (int)held;
	return status;
}

/*
 * A number that a worker has sent.  The database accepts any number from it,
 * also one that is not finite.
 */
static double
said_real(const struct pg_rows *rows, int row, int column)
{
	double value = pg_rows_real(rows, row, column);

	return value > 0 ? fmin(value, QUEUE_SAID_MAX) : 0;
}

static enum queue_status
queue_workers(struct queue *queue, int64_t run,
    void (*visit)(void *context, const struct queue_worker *worker),
    void *context, struct store_error *error)
{
	struct pg_call call = run_call("SELECT * FROM scopa.workers($1)", run);
	struct pg_rows *rows;
	enum queue_status status;

	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	for (int row = 0; row < pg_rows_count(rows); row++) {
		struct queue_worker worker = {
			.cores = (int)pg_rows_int(rows, row, 5),
			.speed = said_real(rows, row, 6),
			.games_per_s = said_real(rows, row, 7),
			.blocks = pg_rows_int(rows, row, 8),
			.games = pg_rows_int(rows, row, 9),
			.faults = pg_rows_int(rows, row, 10),
			.lag_s = said_real(rows, row, 11),
			.trusted = pg_rows_int(rows, row, 12) != 0,
			.quarantined = pg_rows_int(rows, row, 13) != 0,
			.revoked = pg_rows_int(rows, row, 14) != 0,
			/* Negative if the server's clock was set back. */
			.seen_s = pg_rows_null(rows, row, 15)
			    ? -1
			    : fmax(pg_rows_real(rows, row, 15), 0),
			.clock_ahead_s = pg_rows_real(rows, row, 16),
		};

		text_copy(worker.name, sizeof(worker.name), rows, row, 0);
		bytes_copy(worker.key, sizeof(worker.key), rows, row, 1);
		text_copy(worker.engine, sizeof(worker.engine), rows, row, 2);
		text_copy(worker.labels, sizeof(worker.labels), rows, row, 3);
		text_copy(worker.host, sizeof(worker.host), rows, row, 4);
		visit(context, &worker);
	}
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_worker_set(struct queue *queue, const struct queue_worker *worker,
    const char *password, struct store_error *error)
{
	struct pg *pg = queue_of(queue)->pg;
	struct pg_call call;
	char role[QUEUE_NAME_SIZE], *hash = NULL;

	if (!queue_role(worker->name, role)) {
		store_fail(error, -EINVAL, QUEUE_NAME_RULE,
		    "\"%s\" cannot be the name of a worker", worker->name);
		return QUEUE_REFUSED;
	}
	if (password != NULL) {
		enum queue_status status =
		    pg_password_hash(pg, password, role, &hash, error);

		if (status != QUEUE_DONE)
			return status;
	}
	pg_call_init(
	    &call, "SELECT scopa.worker_set($1, $2, $3, $4, $5, $6, $7)");
	pg_call_text(&call, worker->name);
	pg_call_text(&call, role);
	pg_call_bytes(&call, worker->key, sizeof(worker->key));
	pg_call_bool(&call, worker->trusted);
	pg_call_bool(&call, worker->quarantined);
	pg_call_bool(&call, worker->revoked);
	pg_call_text(&call, hash);
	free(hash);
	return run_only(queue, &call, error);
}

/*
 * Worker.
 */

static enum queue_status
queue_hello(struct queue *queue, struct queue_worker *worker, int64_t utc_ns,
    struct store_error *error)
{
	struct pg_call call;
	struct pg_rows *rows;
	enum queue_status status;

	pg_call_init(&call,
	    "SELECT * FROM scopa.hello($1, $2, $3, $4, $5, $6, $7, $8, $9)");
	pg_call_bytes(&call, worker->key, sizeof(worker->key));
	pg_call_text(&call, worker->engine);
	pg_call_text(&call, worker->labels);
	pg_call_text(&call, worker->host);
	pg_call_int(&call, worker->cores);
	pg_call_real(&call, worker->speed);
	pg_call_real(&call, worker->games_per_s);
	pg_call_real(&call, worker->lag_s);
	pg_call_int(&call, utc_ns);
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	if (status != QUEUE_DONE)
		return status;
	text_copy(worker->name, sizeof(worker->name), rows, 0, 0);
	worker->trusted = pg_rows_int(rows, 0, 1) != 0;
	worker->quarantined = pg_rows_int(rows, 0, 2) != 0;
	worker->revoked = false;
	worker->clock_ahead_s = pg_rows_real(rows, 0, 3);
	worker->seen_s = 0;
	pg_rows_close(rows);
	return QUEUE_DONE;
}

static enum queue_status
queue_runs(struct queue *queue,
    void (*visit)(
	void *context, const struct queue_run *run, const char *refusal),
    void *context, struct store_error *error)
{
	struct pg_call call;
	struct pg_rows *rows;
	enum queue_status status;

	/* The server identifies the worker by its role. */
	pg_call_init(&call, "SELECT * FROM scopa.runs()");
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	for (int row = 0; row < pg_rows_count(rows); row++) {
		struct queue_run run = {
			.id = pg_rows_int(rows, row, 0),
			.trusted_only = pg_rows_int(rows, row, 5) != 0,
			.lease_s = (int)pg_rows_int(rows, row, 6),
			.spec = pg_rows_text(rows, row, 7),
		};

		text_copy(run.uid, sizeof(run.uid), rows, row, 1);
		text_copy(run.name, sizeof(run.name), rows, row, 2);
		text_copy(run.engine, sizeof(run.engine), rows, row, 3);
		text_copy(run.labels, sizeof(run.labels), rows, row, 4);
		visit(context, &run,
		    pg_rows_null(rows, row, 8) ? NULL
					       : pg_rows_text(rows, row, 8));
	}
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_bundle_get(struct queue *queue, int64_t run,
    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct bundle *bundle,
    struct store_error *error)
{
	struct pg_call call = run_call("SELECT scopa.bundle_get($1, $2)", run);
	struct pg_rows *rows;
	enum queue_status status;
	size_t size;
	char *bytes;

	pg_call_bytes(&call, digest, BUNDLE_DIGEST_SIZE);
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	if (status != QUEUE_DONE)
		return status;
	size = pg_rows_size(rows, 0, 0);
	bytes = malloc(size + 1);
	if (pg_rows_null(rows, 0, 0)) {
		store_fail(error, -ENOENT, "",
		    "the queue does not have the files of a bot of the run");
		status = QUEUE_REFUSED;
		free(bytes);
	} else if (bytes == NULL) {
		store_fail(error, -ENOMEM, "", "no memory");
		status = QUEUE_AWAY;
	} else {
		memcpy(bytes, pg_rows_text(rows, 0, 0), size);
		if (bundle_parse(bundle, bytes, size, digest, error) != 0)
			status = QUEUE_REFUSED;
	}
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_claim(struct queue *queue, int64_t run, int count, bool busy,
    void (*visit)(void *context, const struct queue_claim *claim),
    void *context, struct store_error *error)
{
	struct pg_call call =
	    run_call("SELECT * FROM scopa.claim($1, $2, $3)", run);
	struct pg_rows *rows;
	enum queue_status status;

	pg_call_int(&call, count);
	pg_call_bool(&call, busy);
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	for (int row = 0; row < pg_rows_count(rows); row++)
		visit(context,
		    &(struct queue_claim){
			.name = name_of(rows, row),
			.job = pg_rows_text(rows, row, 3),
			.was_lost = pg_rows_int(rows, row, 4) != 0,
		    });
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_renew(struct queue *queue, int64_t run, struct queue_renewal *renewals,
    int count, struct store_error *error)
{
	struct pg_call call =
	    run_call("SELECT scopa.renew($1, $2, $3, $4, $5)", run);
	struct pg_rows *rows;
	enum queue_status status;

	put_names(&call, &renewals->name, sizeof(*renewals), count, true);
	pg_call_array(&call, PG_INT, count);
	for (int i = 0; i < count; i++)
		pg_call_int(&call, (int64_t)renewals[i].progress);
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	for (int row = 0; row < pg_rows_count(rows) && row < count; row++)
		renewals[row].lost = pg_rows_int(rows, row, 0) != 0;
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_finish(struct queue *queue, int64_t run, struct queue_finish *finishes,
    int count, struct store_error *error)
{
	static const enum queue_status outcomes[] = { QUEUE_DONE, QUEUE_FENCED,
		QUEUE_REFUSED };
	struct pg_call call =
	    run_call("SELECT scopa.finish($1, $2, $3, $4, $5, $6, $7)", run);
	struct pg_rows *rows;
	enum queue_status status;

	put_names(&call, &finishes->name, sizeof(*finishes), count, true);
	pg_call_array(&call, PG_TEXT, count);
	for (int i = 0; i < count; i++)
		pg_call_text(&call, finishes[i].head);
	pg_call_array(&call, PG_BYTES, count);
	for (int i = 0; i < count; i++)
		pg_call_bytes(
		    &call, finishes[i].record, finishes[i].record_size);
	pg_call_array(&call, PG_BYTES, count);
	for (int i = 0; i < count; i++)
		pg_call_bytes(&call, finishes[i].signature,
		    sizeof(finishes[i].signature));
	status = pg_run(queue_of(queue)->pg, &call, &rows, error);
	for (int row = 0; row < pg_rows_count(rows) && row < count; row++) {
		int64_t outcome = pg_rows_int(rows, row, 0);

		finishes[row].status =
		    outcomes[outcome >= 0 && outcome < 3 ? outcome : 1];
	}
	pg_rows_close(rows);
	return status;
}

static enum queue_status
queue_release(struct queue *queue, int64_t run, const struct job_name *name,
    const char *reason, struct store_error *error)
{
	struct pg_call call =
	    run_call("SELECT scopa.release($1, $2, $3, $4, $5)", run);

	put_name(&call, name);
	pg_call_text(&call, reason);
	return run_only(queue, &call, error);
}

static const struct queue_calls postgres_calls = {
	.close = queue_close,
	.wait = queue_wait,
	.run_begin = queue_run_begin,
	.run_set = queue_run_set,
	.bundle_put = queue_bundle_put,
	.put = queue_put,
	.results = queue_results,
	.settle = queue_settle,
	.reject = queue_reject,
	.cancel = queue_cancel,
	.paused = queue_paused,
	.held = queue_held,
	.workers = queue_workers,
	.worker_set = queue_worker_set,
	.hello = queue_hello,
	.runs = queue_runs,
	.bundle_get = queue_bundle_get,
	.claim = queue_claim,
	.renew = queue_renew,
	.finish = queue_finish,
	.release = queue_release,
};

int
queue_postgres_open(struct queue **queue, const char *url, bool worker,
    struct store_error *error)
{
	struct queue_postgres *new = calloc(1, sizeof(*new));
	int failure;

	if (new != NULL)
		new->text = malloc(JOB_TEXT_MAX);
	if (new == NULL || new->text == NULL) {
		failure = store_fail(error, -ENOMEM, "", "no memory");
		goto release_new;
	}
	failure = pg_open(&new->pg, url,
	    worker ? LIMITS VERSION_CHECK "LISTEN scopa_jobs;"
		   : LIMITS VERSION_CHECK ORGANISER_CHECK
		"LISTEN scopa_results;",
	    error);
	if (failure)
		goto release_new;
	new->queue.calls = &postgres_calls;
	new->results_max = QUEUE_BATCH_MAX;
	*queue = &new->queue;
	return 0;

release_new:
	if (new != NULL)
		free(new->text);
	free(new);
	return failure;
}

int
queue_postgres_create(const char *url, struct store_error *error)
{
	struct pg *pg;
	struct pg_call call;
	struct pg_rows *rows;
	enum queue_status status;
	int failure = pg_open(&pg, url, LIMITS, error);
	bool there;

	if (failure)
		return failure;
	pg_call_init(&call,
	    "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'scopa')");
	status = pg_run(pg, &call, &rows, error);
	if (status != QUEUE_DONE)
		goto close_pg;
	there = pg_rows_int(rows, 0, 0) != 0;
	pg_rows_close(rows);
	status = there ? pg_script(pg, VERSION_CHECK, error) : QUEUE_DONE;
	if (status == QUEUE_DONE)
		status = pg_script(pg,
		    there ? strstr(schema, "CREATE OR REPLACE") : schema,
		    error);

close_pg:
	failure = status == QUEUE_DONE ? 0 : pg_failure(pg);
	pg_close(pg);
	return failure;
}
