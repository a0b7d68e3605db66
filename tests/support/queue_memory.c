/*
 * The jobs of a run are an array, sorted by block and copy, as the schedule is.
 * A job is open, claimed, done or paused.  The worker and the attempt of its
 * last claim are stored until another worker claims the job or the worker loses
 * it, so that an expired lease alone ends no attempt.
 */
#include "queue_memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "countof.h"

enum {
	RUNS_MAX = 16,
	WORKERS_MAX = 4096,
	BUNDLES_MAX = 64,
	NO_WORKER = -1,
	SETTLED = -2 /* instead of a worker, after the job was settled */
};

enum job_state { JOB_OPEN, JOB_CLAIMED, JOB_DONE, JOB_PAUSED };

struct memory_job {
	TAILQ_ENTRY(memory_job) next; /* in `done` of the run, when done */
	int64_t arrived;
	struct job_name name; /* `attempt` is that of the last claim */
	enum job_state state;
	char *text;
	int game_count;
	int failures, losses;
	int worker; /* index of the worker with the attempt, or NO_WORKER */
	int64_t lease_end_ns;
	uint64_t progress; /* sent with the last renewal */
	/* of copy 1: the worker that finished copy 0, NO_WORKER or SETTLED */
	int first;
	int excluded; /* the worker of the last result that was rejected */
	char reason[STORE_TEXT_SIZE]; /* reason of a pause */
	bool conflict;                /* see struct queue_result */
	struct queue_finish result;   /* when done; owns its texts */
};

struct memory_run {
	struct queue_run run;
	char *spec;
	char state[16];
	struct memory_job **jobs;
	int job_count, job_capacity;
	int open_from;        /* no job before this index is open */
	int64_t lease_min_ns; /* no lease ends before this */
	/* Jobs that are done, in the order of their `arrived`; and the last
	 * number of that order. */
	TAILQ_HEAD(memory_jobs, memory_job) done;
	int64_t arrived;
	bool has_played[WORKERS_MAX];
	/* Number of lost workers, and the time of the last loss of each worker;
	 * 0: never. */
	int64_t losses, lost_ns[WORKERS_MAX];
	double lost_cores;
	int64_t finished; /* blocks */
};

struct memory_worker {
	struct queue_worker worker;
	bool has_called;
	int64_t seen_ns;
};

struct queue_memory {
	struct queue_memory_settings settings;
	struct queue_memory_counts counts;
	struct memory_run *runs[RUNS_MAX];
	int run_count;
	struct memory_worker workers[WORKERS_MAX];
	int worker_count;
	struct bundle bundles[BUNDLES_MAX];
	int bundle_count;
	LIST_HEAD(, memory_queue) connections;
};

struct memory_queue {
	struct queue queue; /* the first member */
	LIST_ENTRY(memory_queue) next;
	struct queue_memory *memory;
	char worker[QUEUE_NAME_SIZE]; /* empty for the organiser */
};

/* The state of one call, which continues if its status is QUEUE_DONE. */
struct call {
	enum queue_status status;
	struct queue_memory *memory;
	struct memory_run *run;       /* run of the call; NULL: it has ended */
	struct memory_worker *worker; /* worker that calls; NULL: organiser */
	int number;                   /* index of the worker */
	bool lost;                    /* the answer is lost after the effect */
	/* Of a claim: the function that gets its jobs. */
	void (*deliver)(void *context, const struct queue_claim *claim);
	void *context;
};

/* --- results of calls */

static void *
must(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

static char *
copy_bytes(const void *bytes, size_t size)
{
	char *copy = must(malloc(size + 1));

	memcpy(copy, bytes, size);
	copy[size] = '\0';
	return copy;
}

static struct memory_queue *
memory_queue(struct queue *queue)
{
	return (struct memory_queue *)queue;
}

static enum queue_status
fail_as_away(struct store_error *error)
{
	store_fail(error, 0, "", "the server cannot be reached");
	return QUEUE_AWAY;
}

static enum queue_status
end_call(const struct call *call, struct store_error *error)
{
	return call->lost ? fail_as_away(error) : QUEUE_DONE;
}

static enum queue_status
refuse(struct store_error *error, const char *what, const char *name)
{
	store_fail(error, 0, "", "%s `%s`", what, name);
	return QUEUE_REFUSED;
}

static enum queue_status
fenced(struct queue_memory *memory, struct store_error *error)
{
	memory->counts.fenced++;
	store_fail(error, 0, "", "another attempt has this block");
	return QUEUE_FENCED;
}

/* --- runs, workers and jobs */

static struct memory_run *
find_run(const struct queue_memory *memory, int64_t id)
{
	if (id < 1 || id > memory->run_count)
		return NULL;
	return memory->runs[id - 1];
}

/* A run that has not ended, or NULL. */
static struct memory_run *
find_unfinished(const struct queue_memory *memory, int64_t id)
{
	struct memory_run *run = find_run(memory, id);

	return run != NULL && strcmp(run->state, "ended") != 0 ? run : NULL;
}

static int64_t
lease_ns(const struct memory_run *run)
{
	int seconds = run->run.lease_s > 0 ? run->run.lease_s : QUEUE_LEASE_S;

	return seconds * INT64_C(1000000000);
}

static int
find_worker(const struct queue_memory *memory, const char *name)
{
	for (int i = 0; i < memory->worker_count; i++)
		if (strcmp(memory->workers[i].worker.name, name) == 0)
			return i;
	return NO_WORKER;
}

/* Finds the worker of a call; refuses it if it is not enrolled or revoked. */
static void
find_caller(struct call *call, const char *name, struct store_error *error)
{
	call->number = find_worker(call->memory, name);
	if (call->number == NO_WORKER) {
		call->status =
		    refuse(error, "there is no enrolled worker", name);
		return;
	}
	call->worker = &call->memory->workers[call->number];
	if (call->worker->worker.revoked)
		call->status = refuse(error, "this worker was revoked:", name);
}

/*
 * Calls that change nothing: for them, a lost answer is the same as a lost
 * call.
 */
static const bool changes_nothing[QUEUE_MEMORY_CALL_COUNT] = {
	[QUEUE_MEMORY_RESULTS] = true,
	[QUEUE_MEMORY_HELD] = true,
	[QUEUE_MEMORY_WORKERS] = true,
	[QUEUE_MEMORY_RUNS] = true,
	[QUEUE_MEMORY_BUNDLE_GET] = true,
};

static struct call
begin_call(struct queue *queue, enum queue_memory_call kind, int64_t run,
    struct store_error *error)
{
	const struct memory_queue *connection = memory_queue(queue);
	struct queue_memory *memory = connection->memory;
	const struct queue_memory_settings *settings = &memory->settings;
	enum queue_memory_fault fault = QUEUE_MEMORY_FINE;
	struct call call = {
		.memory = memory,
		.run = find_unfinished(memory, run),
		.number = NO_WORKER,
	};

	memory->counts.calls[kind]++;
	if (settings->fault)
		fault = settings->fault(settings->context,
		    connection->worker[0] ? connection->worker : NULL, kind);
	call.lost = fault == QUEUE_MEMORY_AFTER;
	if (fault == QUEUE_MEMORY_BEFORE ||
	    (call.lost && changes_nothing[kind]))
		call.status = fail_as_away(error);
	else if (kind >= QUEUE_MEMORY_HELLO)
		find_caller(&call, connection->worker, error);
	return call;
}

static int
compare_names(const struct job_name *a, const struct job_name *b)
{
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return a->copy - b->copy;
}

/* The index of the first job that is not before this one. */
static int
find_place(const struct memory_run *run, const struct job_name *name)
{
	int low = 0, high = run->job_count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (compare_names(&run->jobs[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct memory_job *
find_job(const struct memory_run *run, int64_t block, int copy)
{
	struct job_name name = { .block = block, .copy = copy };
	int place = find_place(run, &name);

	return place < run->job_count &&
		compare_names(&run->jobs[place]->name, &name) == 0
	    ? run->jobs[place]
	    : NULL;
}

static void
drop_result(struct memory_run *run, struct memory_job *job)
{
	if (job->state != JOB_DONE)
		return;
	TAILQ_REMOVE(&run->done, job, next);
	free((char *)(uintptr_t)job->result.head);
	free((char *)(uintptr_t)job->result.record);
	job->conflict = false;
}

static void
remove_jobs(struct memory_run *run, int first, int end)
{
	if (first == end)
		return;
	for (int i = first; i < end; i++) {
		drop_result(run, run->jobs[i]);
		free(run->jobs[i]->text);
		free(run->jobs[i]);
	}
	memmove(run->jobs + first, run->jobs + end,
	    (size_t)(run->job_count - end) * sizeof(run->jobs[0]));
	run->job_count -= end - first;
	run->open_from = 0;
}

static void
open_job(struct memory_run *run, struct memory_job *job)
{
	run->open_from = 0;
	job->state = JOB_OPEN;
	job->worker = NO_WORKER;
}

static void
pause_job(struct memory_job *job, const char *reason)
{
	job->state = JOB_PAUSED;
	snprintf(job->reason, sizeof(job->reason), "%s", reason);
}

/* An attempt has failed: the job is open for other workers, or paused. */
static void
fail_job(struct memory_run *run, struct memory_job *job, const char *reason)
{
	open_job(run, job);
	if (++job->failures >= QUEUE_ATTEMPTS_MAX)
		pause_job(job, reason);
}

static bool
is_expired(const struct queue_memory *memory, const struct memory_job *job)
{
	return job->state == JOB_CLAIMED &&
	    job->lease_end_ns <= memory->settings.now_ns;
}

/* The same as scopa.is_chance() of queue_schema.sql. */
static bool
is_chance(const struct memory_run *run, int times)
{
	double blocks = run->finished > 0 ? (double)run->finished : 1;
	double others = run->losses > times ? (double)(run->losses - times) : 0;
	double cores =
	    run->losses > 0 ? run->lost_cores / (double)run->losses : 1;

	return times < QUEUE_ATTEMPTS_MAX ||
	    (times < QUEUE_LOSSES_MAX &&
		blocks * pow(fmin(1, others * cores / blocks), times - 1) >=
		    0.001);
}

/*
 * A lease of this worker has expired; all leases that expire within the length
 * of one are one loss.
 */
static void
count_loss(
    const struct queue_memory *memory, struct memory_run *run, int worker)
{
	int64_t now_ns = memory->settings.now_ns;
	int cores = memory->workers[worker].worker.cores;

	if (run->lost_ns[worker] > 0 &&
	    run->lost_ns[worker] > now_ns - lease_ns(run))
		return;
	run->lost_ns[worker] = now_ns;
	run->losses++;
	run->lost_cores += cores > 0 ? cores : 1;
}

/*
 * A lease has expired.  The worker keeps the attempt until another worker
 * claims the job.
 */
static void
expire_job(const struct queue_memory *memory, struct memory_run *run,
    struct memory_job *job)
{
	char reason[STORE_TEXT_SIZE];
	int worker = job->worker;

	open_job(run, job);
	job->worker = worker;
	if (is_chance(run, ++job->losses))
		return;
	snprintf(reason, sizeof(reason),
	    "worker `%s` was lost, or its bots made no move for the time of a "
	    "lease (--lease)",
	    memory->workers[worker].worker.name);
	pause_job(job, reason);
}

/* Checks all leases, if one of them may have expired. */
static void
expire_jobs(const struct queue_memory *memory, struct memory_run *run)
{
	if (memory->settings.now_ns < run->lease_min_ns)
		return;
	run->lease_min_ns = INT64_MAX;
	for (int i = 0; i < run->job_count; i++) {
		const struct memory_job *job = run->jobs[i];

		if (is_expired(memory, job))
			count_loss(memory, run, job->worker);
		else if (job->state == JOB_CLAIMED &&
		    job->lease_end_ns < run->lease_min_ns)
			run->lease_min_ns = job->lease_end_ns;
	}
	for (int i = 0; i < run->job_count; i++)
		if (is_expired(memory, run->jobs[i]))
			expire_job(memory, run, run->jobs[i]);
}

/* The job whose attempt this worker has, or NULL. */
static struct memory_job *
find_held(const struct call *call, const struct job_name *name)
{
	struct memory_job *job = call->run != NULL
	    ? find_job(call->run, name->block, name->copy)
	    : NULL;

	return job != NULL && job->worker == call->number &&
		job->name.attempt == name->attempt
	    ? job
	    : NULL;
}

/* Whether all labels of `wanted` are among those of `labels`. */
static bool
has_labels(const char *labels, const char *wanted)
{
	char all[QUEUE_LABELS_SIZE + 2], one[QUEUE_LABELS_SIZE + 2];

	snprintf(all, sizeof(all), ",%s,", labels);
	while (*wanted) {
		size_t length = strcspn(wanted, ",");

		snprintf(one, sizeof(one), ",%.*s,", (int)length, wanted);
		if (strstr(all, one) == NULL)
			return false;
		wanted += length + (wanted[length] == ',');
	}
	return true;
}

/* The reason why a worker cannot play a run, or NULL. */
static const char *
refusal_of(const struct queue_worker *worker, const struct queue_run *run)
{
	if (strcmp(worker->engine, run->engine) != 0)
		return "its engine is another one";
	if (!has_labels(worker->labels, run->labels))
		return "this worker lacks a label";
	if (run->trusted_only && !worker->trusted)
		return "it is for trusted workers only";
	if (worker->quarantined)
		return "this worker is in quarantine";
	return NULL;
}

/* --- calls of organiser and workers */

static void
call_close(struct queue *queue)
{
	struct memory_queue *connection = memory_queue(queue);

	LIST_REMOVE(connection, next);
	free(connection);
}

static bool
call_wait(struct queue *queue, int64_t timeout_ns, int fd)
{
	struct memory_queue *connection = memory_queue(queue);
	struct queue_memory_settings *settings = &connection->memory->settings;

	(void)fd;
	if (settings->wait)
		return settings->wait(settings->context,
		    connection->worker[0] ? connection->worker : NULL,
		    timeout_ns);
	settings->now_ns += timeout_ns;
	return false;
}

/* --- calls of the organiser */

static struct memory_run *
add_run(struct queue_memory *memory, const struct queue_run *run)
{
	struct memory_run *new = must(calloc(1, sizeof(*new)));

	assert(memory->run_count < RUNS_MAX);
	memory->runs[memory->run_count++] = new;
	new->run = *run;
	new->run.id = memory->run_count;
	strcpy(new->state, "paused");
	new->lease_min_ns = INT64_MAX;
	TAILQ_INIT(&new->done);
	return new;
}

static enum queue_status
call_run_begin(
    struct queue *queue, struct queue_run *run, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_RUN_BEGIN, 0, error);
	struct memory_run *at = NULL;

	if (call.status != QUEUE_DONE)
		return call.status;
	for (int i = 0; i < call.memory->run_count; i++)
		if (strcmp(call.memory->runs[i]->run.uid, run->uid) == 0)
			at = call.memory->runs[i];
	if (at == NULL)
		at = add_run(call.memory, run);
	strcpy(at->run.labels, run->labels);
	at->run.trusted_only = run->trusted_only;
	at->run.lease_s = run->lease_s;
	free(at->spec);
	at->run.spec = at->spec = copy_bytes(run->spec, strlen(run->spec));
	for (int i = 0; i < at->job_count; i++) {
		if (at->jobs[i]->state != JOB_PAUSED)
			continue;
		at->jobs[i]->failures = at->jobs[i]->losses = 0;
		open_job(at, at->jobs[i]);
	}
	if (!call.lost)
		run->id = at->run.id;
	return end_call(&call, error);
}

static enum queue_status
call_run_set(struct queue *queue, int64_t id, const char *state,
    struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_RUN_SET, id, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	assert(find_run(call.memory, id) != NULL);
	if (call.run == NULL)
		return end_call(&call, error);
	assert(strlen(state) < sizeof(call.run->state));
	strcpy(call.run->state, state);
	if (strcmp(state, "ended") == 0)
		remove_jobs(call.run, 0, call.run->job_count);
	return end_call(&call, error);
}

static enum queue_status
call_bundle_put(struct queue *queue, int64_t run, const struct bundle *bundle,
    struct store_error *error)
{
	struct call call =
	    begin_call(queue, QUEUE_MEMORY_BUNDLE_PUT, run, error);
	struct bundle *copy;

	if (call.status != QUEUE_DONE)
		return call.status;
	assert(call.memory->bundle_count < BUNDLES_MAX);
	copy = &call.memory->bundles[call.memory->bundle_count++];
	*copy = *bundle;
	copy->bytes = copy_bytes(bundle->bytes, bundle->size);
	return end_call(&call, error);
}

static char *
write_job(const struct job *job)
{
	static char bytes[JOB_TEXT_MAX];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	job_write(job, &text);
	assert(!text.cut);
	return copy_bytes(bytes, text.length);
}

static struct memory_job *
insert_job(struct memory_run *run, int place, const struct job *job)
{
	struct memory_job *new = must(calloc(1, sizeof(*new)));

	if (ARRAY_GROW(run->jobs, run->job_count, run->job_capacity))
		abort();
	memmove(run->jobs + place + 1, run->jobs + place,
	    (size_t)(run->job_count - place) * sizeof(run->jobs[0]));
	run->jobs[place] = new;
	run->job_count++;
	new->name = job->name;
	new->name.attempt = 0;
	new->first = new->excluded = NO_WORKER;
	return new;
}

static void
put_job(struct memory_run *run, const struct job *job)
{
	struct memory_job *at = find_job(run, job->name.block, job->name.copy);
	const struct memory_job *counted;

	if (at != NULL && at->state != JOB_PAUSED)
		return;
	if (at == NULL)
		at = insert_job(run, find_place(run, &job->name), job);
	free(at->text);
	at->text = write_job(job);
	at->game_count = job->game_count;
	at->failures = at->losses = 0;
	open_job(run, at);
	if (job->name.copy == JOB_COUNTS)
		return;
	counted = find_job(run, job->name.block, JOB_COUNTS);
	if (counted == NULL)
		at->first = SETTLED;
	else if (counted->state == JOB_DONE)
		at->first = counted->worker;
}

static enum queue_status
call_put(struct queue *queue, int64_t id, const struct job *jobs, int count,
    struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_PUT, id, error);

	assert(count <= QUEUE_BATCH_MAX);
	if (call.status != QUEUE_DONE)
		return call.status;
	if (call.run == NULL)
		return fenced(call.memory, error);
	for (int i = 0; i < count; i++)
		put_job(call.run, &jobs[i]);
	return end_call(&call, error);
}

static struct queue_result
result_of(const struct queue_memory *memory, const struct memory_job *job)
{
	const struct queue_worker *worker =
	    &memory->workers[job->worker].worker;
	struct queue_result result = {
		.name = job->name,
		.trusted = worker->trusted,
		.quarantined = worker->quarantined,
		.revoked = worker->revoked,
		.conflict = job->conflict,
		.head = job->result.head,
		.record = job->result.record,
		.record_size = job->result.record_size,
	};

	strcpy(result.worker, worker->name);
	memcpy(result.key, worker->key, sizeof(result.key));
	memcpy(
	    result.signature, job->result.signature, sizeof(result.signature));
	return result;
}

static enum queue_status
call_results(struct queue *queue, int64_t id, int64_t *cursor,
    void (*deliver)(void *context, const struct queue_result *result),
    void *context, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_RESULTS, id, error);
	struct memory_job *job;
	int count = 0;

	if (call.status != QUEUE_DONE)
		return call.status;
	if (call.run == NULL)
		return fenced(call.memory, error);
	/* New results are at the end. */
	job = TAILQ_LAST(&call.run->done, memory_jobs);
	while (job != NULL && job->arrived > *cursor)
		job = TAILQ_PREV(job, memory_jobs, next);
	job =
	    job != NULL ? TAILQ_NEXT(job, next) : TAILQ_FIRST(&call.run->done);
	for (; job != NULL && count < QUEUE_BATCH_MAX; count++) {
		struct queue_result result = result_of(call.memory, job);

		deliver(context, &result);
		*cursor = job->arrived;
		job = TAILQ_NEXT(job, next);
	}
	return QUEUE_DONE;
}

static enum queue_status
call_settle(struct queue *queue, int64_t id, const struct job_name *names,
    int count, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_SETTLE, id, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	for (int i = 0; call.run != NULL && i < count; i++) {
		int place = find_place(call.run, &names[i]);

		if (find_job(call.run, names[i].block, names[i].copy) != NULL)
			remove_jobs(call.run, place, place + 1);
	}
	return end_call(&call, error);
}

static enum queue_status
call_reject(struct queue *queue, int64_t id, const struct job_name *name,
    const char *reason, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_REJECT, id, error);
	struct memory_job *job = NULL, *audit;

	if (call.status != QUEUE_DONE)
		return call.status;
	if (call.run != NULL)
		job = find_job(call.run, name->block, name->copy);
	if (job == NULL || job->state != JOB_DONE ||
	    job->name.attempt != name->attempt)
		return end_call(&call, error);
	call.memory->workers[job->worker].worker.faults++;
	job->excluded = job->worker;
	drop_result(call.run, job);
	fail_job(call.run, job, reason);
	audit = find_job(call.run, name->block, JOB_AUDIT);
	if (name->copy == JOB_COUNTS && audit != NULL)
		audit->first = NO_WORKER;
	return end_call(&call, error);
}

static enum queue_status
call_cancel(
    struct queue *queue, int64_t id, int64_t from, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_CANCEL, id, error);
	struct job_name first = { .block = from };

	if (call.status != QUEUE_DONE)
		return call.status;
	if (call.run != NULL)
		remove_jobs(call.run, find_place(call.run, &first),
		    call.run->job_count);
	return end_call(&call, error);
}

static enum queue_status
call_paused(struct queue *queue, int64_t id,
    void (*deliver)(void *context, const struct queue_paused *paused),
    void *context, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_PAUSED, id, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	if (call.run != NULL)
		expire_jobs(call.memory, call.run);
	for (int i = 0; call.run != NULL && i < call.run->job_count; i++) {
		const struct memory_job *job = call.run->jobs[i];
		struct queue_paused paused;

		if (job->state != JOB_PAUSED || call.lost)
			continue;
		paused.name = job->name;
		strcpy(paused.reason, job->reason);
		deliver(context, &paused);
	}
	return end_call(&call, error);
}

static enum queue_status
call_held(
    struct queue *queue, int64_t id, int *count, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_HELD, id, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	*count = 0;
	for (int i = 0; call.run != NULL && i < call.run->job_count; i++)
		*count += call.run->jobs[i]->state == JOB_CLAIMED &&
		    !is_expired(call.memory, call.run->jobs[i]);
	return QUEUE_DONE;
}

static enum queue_status
call_workers(struct queue *queue, int64_t id,
    void (*deliver)(void *context, const struct queue_worker *worker),
    void *context, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_WORKERS, id, error);
	const struct memory_run *run;

	if (call.status != QUEUE_DONE)
		return call.status;
	run = find_run(call.memory, id);
	for (int i = 0; i < call.memory->worker_count; i++) {
		const struct memory_worker *worker = &call.memory->workers[i];
		struct queue_worker seen = worker->worker;

		if (id != 0 && (run == NULL || !run->has_played[i]))
			continue;
		seen.seen_s = worker->has_called
		    ? (double)(call.memory->settings.now_ns - worker->seen_ns) /
			1e9
		    : -1;
		deliver(context, &seen);
	}
	return QUEUE_DONE;
}

/* Ends all leases of a worker. */
static void
end_leases(struct queue_memory *memory, int worker)
{
	for (int i = 0; i < memory->run_count; i++) {
		struct memory_run *run = memory->runs[i];

		for (int k = 0; k < run->job_count; k++) {
			struct memory_job *job = run->jobs[k];

			if (job->worker != worker || job->state == JOB_DONE)
				continue;
			if (job->state == JOB_CLAIMED)
				open_job(run, job);
			job->worker = NO_WORKER;
		}
	}
}

static enum queue_status
call_worker_set(struct queue *queue, const struct queue_worker *worker,
    const char *password, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_WORKER_SET, 0, error);
	struct queue_worker *at;
	int number;

	(void)password;
	if (call.status != QUEUE_DONE)
		return call.status;
	number = find_worker(call.memory, worker->name);
	if (number == NO_WORKER) {
		assert(call.memory->worker_count < WORKERS_MAX);
		number = call.memory->worker_count++;
	}
	at = &call.memory->workers[number].worker;
	strcpy(at->name, worker->name);
	memcpy(at->key, worker->key, sizeof(at->key));
	at->trusted = worker->trusted;
	at->quarantined = worker->quarantined;
	at->revoked = worker->revoked;
	if (at->quarantined || at->revoked)
		end_leases(call.memory, number);
	return end_call(&call, error);
}

/* --- calls of workers */

static enum queue_status
call_hello(struct queue *queue, struct queue_worker *worker, int64_t utc_ns,
    struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_HELLO, 0, error);
	struct queue_worker kept, *at;

	if (call.status != QUEUE_DONE)
		return call.status;
	kept = call.worker->worker;
	if (memcmp(kept.key, worker->key, sizeof(worker->key)) != 0)
		return refuse(
		    error, "another key is enrolled for worker", kept.name);
	at = &call.worker->worker;
	*at = *worker;
	strcpy(at->name, kept.name);
	at->blocks = kept.blocks;
	at->games = kept.games;
	at->faults = kept.faults;
	at->trusted = kept.trusted;
	at->quarantined = kept.quarantined;
	at->revoked = kept.revoked;
	at->clock_ahead_s =
	    (double)(utc_ns - call.memory->settings.now_ns) / 1e9;
	at->seen_s = 0;
	call.worker->has_called = true;
	call.worker->seen_ns = call.memory->settings.now_ns;
	if (!call.lost)
		*worker = *at;
	return end_call(&call, error);
}

static enum queue_status
call_runs(struct queue *queue,
    void (*deliver)(
	void *context, const struct queue_run *run, const char *refusal),
    void *context, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_RUNS, 0, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	for (int i = 0; i < call.memory->run_count; i++) {
		const struct memory_run *run = call.memory->runs[i];

		if (strcmp(run->state, "open") == 0)
			deliver(context, &run->run,
			    refusal_of(&call.worker->worker, &run->run));
	}
	return QUEUE_DONE;
}

static enum queue_status
call_bundle_get(struct queue *queue, int64_t run,
    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct bundle *bundle,
    struct store_error *error)
{
	struct call call =
	    begin_call(queue, QUEUE_MEMORY_BUNDLE_GET, run, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	for (int i = 0; i < call.memory->bundle_count; i++) {
		const struct bundle *from = &call.memory->bundles[i];

		if (memcmp(from->digest, digest, BUNDLE_DIGEST_SIZE) != 0)
			continue;
		*bundle = *from;
		bundle->bytes = copy_bytes(from->bytes, from->size);
		return QUEUE_DONE;
	}
	return refuse(error, "the queue has no such bundle for", "this run");
}

/* Whether this worker may begin the job now. */
static bool
may_claim(const struct call *call, const struct memory_job *job)
{
	if (job->state != JOB_OPEN)
		return false;
	if (job->name.copy == JOB_AUDIT &&
	    (job->first == NO_WORKER || job->first == call->number ||
		!call->worker->worker.trusted))
		return false;
	return job->excluded != call->number;
}

static void
claim_job(const struct call *call, struct memory_job *job)
{
	struct queue_memory *memory = call->memory;
	struct memory_run *run = call->run;

	job->state = JOB_CLAIMED;
	job->worker = call->number;
	job->name.attempt++;
	job->progress = 0;
	job->lease_end_ns = memory->settings.now_ns + lease_ns(run);
	if (job->lease_end_ns < run->lease_min_ns)
		run->lease_min_ns = job->lease_end_ns;
	run->has_played[call->number] = true;
	memory->counts.claimed++;
	memory->counts.job_bytes += (int64_t)strlen(job->text);
}

/* The index of the first open job. */
static int
find_open(struct memory_run *run)
{
	while (run->open_from < run->job_count &&
	    run->jobs[run->open_from]->state != JOB_OPEN)
		run->open_from++;
	return run->open_from;
}

/*
 * Claims up to `count` jobs that were lost at most `losses_most` times, in
 * their order.  Returns their number.
 */
static int
claim_some(const struct call *call, int count, int losses_most)
{
	struct memory_run *run = call->run;
	int claimed = 0;

	for (int i = find_open(run); i < run->job_count && claimed < count;
	     i++) {
		struct memory_job *job = run->jobs[i];

		if (job->losses > losses_most || !may_claim(call, job))
			continue;
		claim_job(call, job);
		claimed++;
		if (!call->lost) {
			struct queue_claim claim = { job->name, job->text,
				job->losses > 0 };

			call->deliver(call->context, &claim);
		}
	}
	return claimed;
}

/* Whether the first job that this worker may claim was lost before. */
static bool
first_was_lost(const struct call *call)
{
	struct memory_run *run = call->run;
	int i = find_open(run);

	while (i < run->job_count && !may_claim(call, run->jobs[i]))
		i++;
	return i < run->job_count && run->jobs[i]->losses > 0;
}

/* The same as scopa.claim() of queue_schema.sql. */
static void
claim_jobs(const struct call *call, int count, bool busy)
{
	int claimed, most = 0;

	expire_jobs(call->memory, call->run);
	if (!busy && first_was_lost(call)) {
		claim_some(call, 1, QUEUE_LOSSES_MAX);
		return;
	}
	claimed = claim_some(call, count, 0);
	while (claimed == 0 && busy && ++most < QUEUE_LOSSES_MAX)
		claimed = claim_some(call, 1, most);
}

static enum queue_status
call_claim(struct queue *queue, int64_t id, int count, bool busy,
    void (*deliver)(void *context, const struct queue_claim *claim),
    void *context, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_CLAIM, id, error);
	const char *refusal;

	assert(count <= QUEUE_BATCH_MAX);
	if (call.status != QUEUE_DONE)
		return call.status;
	if (call.run == NULL)
		return fenced(call.memory, error);
	refusal = refusal_of(&call.worker->worker, &call.run->run);
	if (refusal != NULL)
		return refuse(error, refusal, call.run->run.name);
	call.deliver = deliver;
	call.context = context;
	if (strcmp(call.run->state, "open") == 0)
		claim_jobs(&call, count, busy);
	return end_call(&call, error);
}

static enum queue_status
call_renew(struct queue *queue, int64_t id, struct queue_renewal *renewals,
    int count, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_RENEW, id, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	for (int i = 0; i < count; i++) {
		struct queue_renewal *renewal = &renewals[i];
		struct memory_job *job = find_held(&call, &renewal->name);
		bool lost = job == NULL || job->state == JOB_DONE;

		if (!lost && renewal->progress != job->progress) {
			job->state = JOB_CLAIMED;
			job->progress = renewal->progress;
			job->lease_end_ns =
			    call.memory->settings.now_ns + lease_ns(call.run);
		}
		if (!call.lost)
			renewal->lost = lost;
	}
	return end_call(&call, error);
}

static void
finish_job(struct memory_run *run, struct memory_job *job,
    const struct queue_finish *from)
{
	struct memory_job *audit = find_job(run, job->name.block, JOB_AUDIT);

	job->state = JOB_DONE;
	job->result = *from;
	job->result.head = copy_bytes(from->head, strlen(from->head));
	job->result.record = copy_bytes(from->record, from->record_size);
	job->arrived = ++run->arrived;
	TAILQ_INSERT_TAIL(&run->done, job, next);
	if (job->name.copy == JOB_COUNTS && audit != NULL)
		audit->first = job->worker;
}

static enum queue_status
finish_one(const struct call *call, const struct queue_finish *from)
{
	struct queue_memory_counts *counts = &call->memory->counts;
	struct memory_job *job = find_held(call, &from->name);

	counts->result_bytes += (int64_t)(strlen(from->head) +
	    from->record_size + SIGNING_SIGNATURE_SIZE);
	if (job == NULL) {
		counts->fenced++;
		return QUEUE_FENCED;
	}
	if (job->state == JOB_DONE) {
		bool is_same = job->result.record_size == from->record_size &&
		    memcmp(job->result.record, from->record,
			from->record_size) == 0;

		if (is_same)
			return QUEUE_DONE;
		job->conflict = true;
		/* It is delivered again. */
		job->arrived = ++call->run->arrived;
		TAILQ_REMOVE(&call->run->done, job, next);
		TAILQ_INSERT_TAIL(&call->run->done, job, next);
		return QUEUE_REFUSED;
	}
	finish_job(call->run, job, from);
	call->worker->worker.blocks++;
	call->worker->worker.games += job->game_count;
	counts->finished++;
	call->run->finished++;
	return QUEUE_DONE;
}

static enum queue_status
call_finish(struct queue *queue, int64_t id, struct queue_finish *finishes,
    int count, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_FINISH, id, error);

	if (call.status != QUEUE_DONE)
		return call.status;
	for (int i = 0; i < count; i++) {
		enum queue_status status = finish_one(&call, &finishes[i]);
		if (!call.lost)
			finishes[i].status = status;
	}
	return end_call(&call, error);
}

static enum queue_status
call_release(struct queue *queue, int64_t id, const struct job_name *name,
    const char *reason, struct store_error *error)
{
	struct call call = begin_call(queue, QUEUE_MEMORY_RELEASE, id, error);
	struct memory_job *job;

	if (call.status != QUEUE_DONE)
		return call.status;
	job = find_held(&call, name);
	if (job == NULL || job->state == JOB_DONE)
		return end_call(&call, error);
	if (reason == NULL) {
		open_job(call.run, job);
	} else if (strncmp(reason, "keys", strlen("keys")) == 0) {
		job->worker = NO_WORKER;
		pause_job(job, reason);
	} else {
		fail_job(call.run, job, reason);
	}
	return end_call(&call, error);
}

static const struct queue_calls memory_calls = {
	.close = call_close,
	.wait = call_wait,
	.run_begin = call_run_begin,
	.run_set = call_run_set,
	.bundle_put = call_bundle_put,
	.put = call_put,
	.results = call_results,
	.settle = call_settle,
	.reject = call_reject,
	.cancel = call_cancel,
	.paused = call_paused,
	.held = call_held,
	.workers = call_workers,
	.worker_set = call_worker_set,
	.hello = call_hello,
	.runs = call_runs,
	.bundle_get = call_bundle_get,
	.claim = call_claim,
	.renew = call_renew,
	.finish = call_finish,
	.release = call_release,
};

/* --- for tests */

struct queue_memory *
queue_memory_open(void)
{
	struct queue_memory *memory = must(calloc(1, sizeof(*memory)));

	memory->settings.now_ns = INT64_C(1000000000);
	return memory;
}

void
queue_memory_close(struct queue_memory *memory)
{
	struct memory_queue *connection;

	while ((connection = LIST_FIRST(&memory->connections)) != NULL)
		call_close(&connection->queue);
	for (int i = 0; i < memory->run_count; i++) {
		struct memory_run *run = memory->runs[i];

		remove_jobs(run, 0, run->job_count);
		free(run->jobs);
		free(run->spec);
		free(run);
	}
	for (int i = 0; i < memory->bundle_count; i++)
		free(memory->bundles[i].bytes);
	free(memory);
}

struct queue_memory_settings *
queue_memory_settings(struct queue_memory *memory)
{
	return &memory->settings;
}

const struct queue_memory_counts *
queue_memory_counts(const struct queue_memory *memory)
{
	return &memory->counts;
}

struct queue *
queue_memory_connect(struct queue_memory *memory, const char *worker)
{
	struct memory_queue *connection = must(calloc(1, sizeof(*connection)));

	connection->queue.calls = &memory_calls;
	connection->memory = memory;
	if (worker != NULL)
		snprintf(connection->worker, sizeof(connection->worker), "%s",
		    worker);
	LIST_INSERT_HEAD(&memory->connections, connection, next);
	return &connection->queue;
}

int
queue_memory_job_count(const struct queue_memory *memory, int64_t run)
{
	const struct memory_run *at = find_run(memory, run);

	return at != NULL ? at->job_count : 0;
}
