/*
 * Implements coordinator.h: one loop without threads.
 *
 * Each round asks the caller for games, as far as the window allows, and makes
 * blocks of them.  Then it goes through the steps of the table `steps`, each of
 * which makes a few calls of the queue.  Then it reports the blocks that have
 * results, in the order of supply, and waits.  The work of a step stays in the
 * state of the coordinator until the queue has confirmed it.  So a step that
 * failed because the server could not be reached can be repeated later.
 *
 * Blocks are a ring in the order of supply, in which their numbers ascend.  The
 * coordinator stores an accepted result, and the result also stays in the queue
 * until the block is durable in the run.  So a killed coordinator loses
 * nothing: the next one reads the same results again.
 *
 * Invariants: all games of each block in the ring are known, except for the
 * last block; a block with an accepted result is not put into the queue again,
 * unless the result is dropped with its worker.
 */
#include "coordinator.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "countof.h"
#include "planned_block.h"
#include "run_workers.h"
#include "trust.h"
#include "words.h"

/* Blocks are put into the queue for this number of leases ahead. */
#define LEASES_AHEAD 3.0
/* A new measurement lowers the rate of blocks at most by this factor. */
#define RATE_KEPT 0.98

enum {
	PUT_MAX = 32,     /* jobs of one call */
	CORES_FIRST = 16, /* while no worker is known */
	SETTLED_MAX = 64, /* names of one call */
	CORE_BLOCKS = 8,  /* blocks in the window for each core of a worker */
	/* If more than 1 of KEYS_SHARE blocks lacked keys, all get more. */
	KEYS_SHARE = 16,
	/*
	 * Times are fractions of a lease: the lease divided by one of these.
	 */
	POLLS = 60, /* reading results without a notification */
	LOOKS = 30, /* reading the workers and the paused blocks */
	RETRIES_FIRST =
	    120,          /* connecting again: the first wait, then doubled */
	RETRIES_LAST = 2, /* a wait that is longer is not doubled */
	SENTENCE_SIZE = 1024,
	REASON_SIZE = 256
};

static const char two_results[] = "it has sent two results of one attempt";

/* A result that is to be rejected. */
struct rejection {
	struct job_name name;
	char reason[REASON_SIZE];
};

struct coordinator {
	struct dispatcher base; /* the first member, so that it can be cast */
	const struct coordinator_config *config;
	const struct speaker *speaker;        /* of `config` */
	const struct dispatcher_config *play; /* rules and entrants */
	const struct dispatcher_calls *calls;
	void *context;
	struct dispatcher_outcome outcome;
	int signals_fd, signal_count;
	int64_t tick_ns; /* time of the next tick; 0: no ticks */
	/* the outcome is known, and no game is supplied any more */
	bool ending;
	bool leaving;   /* `ending`, and no block is awaited any more */
	bool waiting;   /* the caller has no game to supply at the moment */
	bool all_given; /* the caller has no more games */
	/* All blocks with lower numbers are in the queue already. */
	int64_t put_from;

	struct planned_block *ring; /* `window_max` + 1 places */
	int first, count;           /* of the blocks in the ring */
	/*
	 * The least level of keys for a block.  Since it has risen: the number
	 * of blocks with enough keys, and of those with too few.
	 */
	int key_level;
	int64_t keys_enough, keys_lacking;
	int64_t last_number; /* of the last supplied block, or -1 */
	/* The last block that an earlier call has put into the queue, or -1. */
	int64_t ahead;

	bool begun; /* the queue has the run and its bundles */
	/* the run is paused: workers may not begin further blocks */
	bool shut;
	/* `shut`, workers hold no block, and all results have been read */
	bool drained;
	int held;     /* blocks that workers held at the last count */
	bool is_away; /* the last call did not reach the server */
	/* time of the next call, and the wait before it */
	int64_t retry_ns, retry_after_ns;
	int64_t cursor;              /* for reading results */
	bool more;                   /* the last call may have left results */
	int given;                   /* results that the last call has read */
	int64_t poll_ns, workers_ns; /* times of the next readings */

	/* Jobs that are removed from the queue when their blocks are durable:
	 * those of reported blocks, and others that are not needed. */
	struct job_name *settled;
	int settled_count, settled_capacity;
	struct rejection *rejections;
	int rejection_count, rejection_capacity;
	struct trust trust;
	int64_t audits_end_ns; /* end of the wait for audits; 0: unset */
	/* workers that were quarantined earlier were looked for */
	bool looked;
	/* when missing replays are reported to the user; 0: unset */
	int64_t unplayed_ns;
	/* the run is to be cut and continued: see coordinator_replace() */
	bool is_replacing;
	int last_signal;
	/* Workers that are still to be quarantined. */
	char (*suspects)[QUEUE_NAME_SIZE]; /* owned */
	int suspect_count, suspect_capacity;
	/* jobs after the block that has decided the run are cancelled */
	bool cancelled;
	struct queue_worker *workers;
	int worker_count, worker_capacity;
	int cores;        /* of live workers */
	int64_t accepted; /* results that were accepted since `rate_ns` */
	int64_t rate_ns;
	double rate; /* blocks a second */
	struct job jobs[PUT_MAX];
	struct result_checked checked;
	struct game_result whole; /* copy of a result, with its fault */
};

static void
end_games(struct dispatcher *base, enum dispatcher_end end, int detail,
    enum stop_mode order)
{
	struct coordinator *coordinator = (struct coordinator *)base;

	if (!coordinator->ending) {
		coordinator->ending = true;
		coordinator->outcome.end = end;
		coordinator->outcome.detail = detail;
	}
	coordinator->leaving |= order != STOP_FINISH;
}

static void
supply_again(struct dispatcher *base)
{
	((struct coordinator *)base)->waiting = false;
}

static int64_t
lease_ns(const struct coordinator *coordinator)
{
	int lease_s = coordinator->config->run->lease_s;

	return (lease_s > 0 ? lease_s : QUEUE_LEASE_S) * CLOCK_NS_PER_S;
}

static void
fail(struct coordinator *coordinator, int error)
{
	dispatcher_end(
	    &coordinator->base, DISPATCHER_FAILED, error, STOP_ABORT);
}

/*
 * The window of blocks.
 */

/* The block at this place of the window, from 0. */
static struct planned_block *
block_at(struct coordinator *coordinator, int place)
{
	int size = coordinator->config->window_max + 1;

	return &coordinator->ring[(coordinator->first + place) % size];
}

/*
 * The index, in the window, of the first block with this number or a greater
 * one.
 */
static int
find_place(struct coordinator *coordinator, int64_t number)
{
	int low = 0, high = coordinator->count;

	while (low < high) {
		int middle = (low + high) / 2;

		if (block_at(coordinator, middle)->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The block with this number, or NULL. */
static struct planned_block *
find_block(struct coordinator *coordinator, int64_t number)
{
	int place = find_place(coordinator, number);
	struct planned_block *block = block_at(coordinator, place);

	return place < coordinator->count && block->number == number ? block
								     : NULL;
}

/*
 * The number of blocks that may be in the queue: enough for all cores, and for
 * the time of several leases one after the other.  The first block of the
 * window may be lost with its worker, and then with the next one, while the
 * other workers must not wait for it.
 */
static int
window_size(const struct coordinator *coordinator)
{
	double lease_s = (double)lease_ns(coordinator) / (double)CLOCK_NS_PER_S;
	double size = fmax(CORE_BLOCKS * (double)coordinator->cores,
	    LEASES_AHEAD * lease_s * coordinator->rate);

	return size < coordinator->config->window_max
	    ? (int)size
	    : coordinator->config->window_max;
}

static void
note_unput(struct coordinator *coordinator, struct planned_block *block)
{
	block->to_put = true;
	if (block->number < coordinator->put_from)
		coordinator->put_from = block->number;
}

/* Adds a game to the last block of the ring, or begins a new block. */
static void
add_game(struct coordinator *coordinator, const struct game_spec *game)
{
	struct planned_block *block = block_at(coordinator, coordinator->count);
	int games = coordinator->config->block_games;

	if (block->game_count == 0)
		block->number = game->index / games;
	assert(game->index == block->number * games + block->game_count);
	block->games[block->game_count++] = *game;
	if (block->game_count < games)
		return;
	assert(block->number > coordinator->last_number);
	note_unput(coordinator, block);
	coordinator->last_number = block->number;
	coordinator->count++;
	/* The cursor may have passed its result. */
	if (block->number <= coordinator->ahead)
		coordinator->cursor = coordinator->poll_ns = 0;
	memset(block_at(coordinator, coordinator->count), 0, sizeof(*block));
}

static void
plan_blocks(struct coordinator *coordinator)
{
	struct game_spec game;

	while (!coordinator->ending && !coordinator->waiting &&
	    !coordinator->all_given &&
	    coordinator->count < window_size(coordinator)) {
		memset(&game, 0, sizeof(game));
		switch (coordinator->calls->next(
		    &coordinator->base, coordinator->context, &game)) {
		case DISPATCHER_GAME:
			if (!coordinator->ending)
				add_game(coordinator, &game);
			break;
		case DISPATCHER_WAIT:
			coordinator->waiting = true;
			break;
		case DISPATCHER_NO_MORE:
			coordinator->all_given = true;
			break;
		}
	}
}

static void
note_settled(struct coordinator *coordinator, const struct job_name *name)
{
	if (ARRAY_GROW(coordinator->settled, coordinator->settled_count,
		coordinator->settled_capacity))
		fail(coordinator, -ENOMEM);
	else
		coordinator->settled[coordinator->settled_count++] = *name;
}

static void
note_rejection(struct coordinator *coordinator, const struct job_name *name,
    const char *worker, const char *reason)
{
	struct rejection *rejection;

	if (ARRAY_GROW(coordinator->rejections, coordinator->rejection_count,
		coordinator->rejection_capacity)) {
		fail(coordinator, -ENOMEM);
		return;
	}
	rejection = &coordinator->rejections[coordinator->rejection_count++];
	rejection->name = *name;
	snprintf(rejection->reason, sizeof(rejection->reason), "%s", reason);
	speaker_say(coordinator->speaker, false,
	    "block %" PRId64 " is played again: the result of worker `%s` is "
	    "refused: %s",
	    name->block + 1, worker, reason);
}

/*
 * Trust.  A worker is quarantined if its result is refused or an audit finds
 * that it has altered results.  Then it gets no further blocks, its results
 * that are not reported yet are refused, and its blocks that were counted are
 * played again (trust.h).  The organiser may quarantine and release workers,
 * too.
 */

static bool
is_suspect(const struct coordinator *coordinator, const char *worker)
{
	for (int i = 0; i < coordinator->suspect_count; i++)
		if (strcmp(coordinator->suspects[i], worker) == 0)
			return true;
	return false;
}

static void
replay(struct coordinator *coordinator, const char *worker, const char *reason)
{
	int error = trust_replay(&coordinator->trust, worker, reason);

	if (error)
		fail(coordinator, error);
}

static void
quarantine(
    struct coordinator *coordinator, const char *worker, const char *reason)
{
	if (is_suspect(coordinator, worker))
		return;
	if (ARRAY_GROW(coordinator->suspects, coordinator->suspect_count,
		coordinator->suspect_capacity)) {
		fail(coordinator, -ENOMEM);
		return;
	}
	snprintf(coordinator->suspects[coordinator->suspect_count++],
	    QUEUE_NAME_SIZE, "%s", worker);
	for (int i = 0; i < coordinator->count; i++) {
		struct planned_block *block = block_at(coordinator, i);

		if (block->accepted == NULL ||
		    strcmp(block->accepted->worker, worker) != 0)
			continue;
		note_rejection(coordinator, &block->accepted->name, worker,
		    "it is quarantined");
		accepted_drop(block->accepted);
		block->accepted = NULL;
	}
	replay(coordinator, worker, reason);
}

/* Acts on the finding of an audit about a worker. */
static void
apply_finding(
    void *context, const struct audit_finding *finding, const char *worker)
{
	struct coordinator *coordinator = context;
	bool is_bad = finding->verdict == AUDIT_QUARANTINE;

	if (finding->sentence[0] != '\0')
		speaker_say(
		    coordinator->speaker, is_bad, "%s", finding->sentence);
	if (!is_bad)
		return;
	speaker_say(
	    coordinator->speaker, true, "worker `%s` is quarantined", worker);
	quarantine(coordinator, worker, finding->sentence);
}

/*
 * Whether a trusted worker is live that may play a block of this worker again.
 */
static bool
has_auditor(const struct coordinator *coordinator, const char *first)
{
	for (int i = 0; i < coordinator->worker_count; i++) {
		const struct queue_worker *worker = &coordinator->workers[i];

		if (worker->trusted && !worker->quarantined &&
		    !worker->revoked && worker_is_live(worker->seen_s) &&
		    strcmp(worker->name, first) != 0)
			return true;
	}
	return false;
}

/* Quarantines a worker because of a result. */
static void
quarantine_for_result(struct coordinator *coordinator,
    const struct queue_result *result, const char *why)
{
	struct scopa_text said = SCOPA_TEXT(SENTENCE_SIZE);

	if (is_suspect(coordinator, result->worker))
		return;
	scopa_text_print(&said, "its result of block %jd is refused: %s",
	    (intmax_t)result->name.block + 1, why);
	speaker_say(coordinator->speaker, true,
	    "worker `%s` is quarantined: %s", result->worker, said.bytes);
	quarantine(coordinator, result->worker, said.bytes);
}

/*
 * Checks a result.  Returns it; or NULL if it is refused, or if this machine
 * has failed.
 */
static struct accepted *
check_result(struct coordinator *coordinator, const struct planned_block *block,
    const struct queue_result *result)
{
	const struct coordinator_config *config = coordinator->config;
	struct job *job = &coordinator->jobs[0];
	struct accepted *accepted;
	struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
	int good = 0;

	planned_block_job(block, &coordinator->play->rules,
	    (enum job_copy)result->name.copy, false, job);
	job->name.attempt = result->name.attempt;
	if (result->quarantined || result->revoked) {
		note_rejection(coordinator, &result->name, result->worker,
		    "it is not trusted any more");
		return NULL;
	}
	if (result->conflict)
		scopa_text_string(&why, two_results);
	else
		good = config->check(
		    config->context, job, result, &coordinator->checked, &why);
	if (good < 0) {
		fail(coordinator, good);
		return NULL;
	}
	if (good > 0) {
		accepted = accepted_make(result, &coordinator->checked);
		if (accepted == NULL)
			fail(coordinator, -ENOMEM);
		return accepted;
	}
	note_rejection(coordinator, &result->name, result->worker, why.bytes);
	quarantine_for_result(coordinator, result, why.bytes);
	return NULL;
}

/* Handles the second copy of a block. */
static void
judge_copy(struct coordinator *coordinator, int place,
    const struct queue_result *result)
{
	const struct planned_block *block = coordinator->trust.copies[place];
	struct accepted *again = check_result(coordinator, block, result);
	char worker[QUEUE_NAME_SIZE];
	struct audit_finding finding;
	bool settle;

	if (again == NULL)
		return;
	memcpy(worker, block->accepted->worker, sizeof(worker));
	if (trust_judge(&coordinator->trust, place, again, &finding, &settle))
		fail(coordinator, -ENOMEM);
	else if (settle)
		note_settled(coordinator, &result->name);
	accepted_drop(again);
	apply_finding(coordinator, &finding, worker);
}

static void
on_result(void *context, const struct queue_result *result)
{
	struct coordinator *coordinator = context;
	int64_t number = result->name.block;
	bool counts = result->name.copy == JOB_COUNTS;
	struct planned_block *block = find_block(coordinator, number);
	int place = trust_find(&coordinator->trust, number);
	bool is_awaited = counts && block != NULL && block->accepted == NULL;
	bool is_copy = !counts && place >= 0;

	coordinator->given++;
	/* The first result was accepted before the second one came. */
	if (result->conflict && !result->quarantined && !result->revoked &&
	    !is_awaited && !is_copy)
		quarantine_for_result(coordinator, result, two_results);
	if (is_copy) {
		judge_copy(coordinator, place, result);
	} else if (coordinator->leaving) {
		return;
	} else if (is_awaited) {
		block->accepted = check_result(coordinator, block, result);
		if (block->accepted == NULL)
			return;
		block->to_put = block->paused = false;
		coordinator->accepted++;
		coordinator->keys_enough++;
		if (trust_wants_audit(&coordinator->trust, block) &&
		    has_auditor(coordinator, block->accepted->worker))
			trust_begin_audit(&coordinator->trust, block);
	} else if (number > coordinator->last_number &&
	    number > coordinator->ahead) {
		coordinator->ahead = number;
	} else if (number <
	    coordinator->config->durable(coordinator->config->context)) {
		/*
		 * The block is durable, but its job was not removed: the
		 * connection or an earlier process ended before.
		 */
		if (counts && number >= coordinator->trust.logged)
			trust_note_counted(&coordinator->trust, number,
			    result->worker, result->trusted);
		note_settled(coordinator, &result->name);
	}
}

/*
 * Reports the first blocks of the window to the caller, up to the first one
 * without a result.
 */
static void
report_blocks(struct coordinator *coordinator)
{
	struct game_result *whole = &coordinator->whole;

	while (coordinator->count > 0 && !coordinator->leaving &&
	    block_at(coordinator, 0)->accepted != NULL) {
		struct planned_block *block = block_at(coordinator, 0);
		struct accepted *accepted = block->accepted;
		struct audit_finding finding;

		trust_note_counted(&coordinator->trust, block->number,
		    accepted->worker, accepted->trusted);
		coordinator->waiting = false;
		for (int i = 0; i < block->game_count && !coordinator->leaving;
		     i++) {
			accepted_get(accepted, i, whole);
			coordinator->calls->on_result(&coordinator->base,
			    coordinator->context, whole, accepted->records[i],
			    accepted->record_sizes[i]);
		}
		block->accepted = NULL;
		coordinator->first = (coordinator->first + 1) %
		    (coordinator->config->window_max + 1);
		coordinator->count--;
		note_settled(coordinator, &accepted->name);
		finding = trust_count(&coordinator->trust, block, accepted);
		apply_finding(coordinator, &finding, accepted->worker);
		accepted_drop(accepted);
	}
}

/*
 * The steps.  Each makes calls of the queue, and returns QUEUE_DONE if all its
 * work is done.  It may be called again at any time.
 */

/*
 * Enters the run in the queue.  A server that could not be reached may have
 * lost changes: it was restored from an older copy, or another server replaces
 * it.  So all blocks are put again; blocks that the queue still has do not
 * change.
 */
static enum queue_status
begin_run(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	const struct queue_calls *calls = config->queue->calls;
	enum queue_status status;

	if (coordinator->begun)
		return QUEUE_DONE;
	status = calls->run_begin(config->queue, config->run, error);
	for (int i = 0; i < config->bundle_count && status == QUEUE_DONE; i++)
		status = calls->bundle_put(
		    config->queue, config->run->id, &config->bundles[i], error);
	if (status == QUEUE_DONE)
		status = calls->run_set(
		    config->queue, config->run->id, "open", error);
	if (status != QUEUE_DONE)
		return status;
	for (int i = 0; i < coordinator->count; i++) {
		struct planned_block *block = block_at(coordinator, i);

		if (block->accepted != NULL)
			continue;
		block->paused = false;
		note_unput(coordinator, block);
	}
	for (int i = 0; i < coordinator->trust.copy_count; i++)
		coordinator->trust.copies[i]->to_put = true;
	coordinator->cursor = coordinator->poll_ns = 0;
	coordinator->shut = false;
	coordinator->begun = true;
	return QUEUE_DONE;
}

/* After a signal workers begin no further block. */
static enum queue_status
shut_run(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	const struct queue_calls *calls = config->queue->calls;
	enum queue_status status = QUEUE_DONE;

	if (coordinator->signal_count == 0)
		return QUEUE_DONE;
	if (!coordinator->shut)
		status = calls->run_set(
		    config->queue, config->run->id, "paused", error);
	coordinator->shut |= status == QUEUE_DONE;
	return status == QUEUE_DONE
	    ? calls->held(
		  config->queue, config->run->id, &coordinator->held, error)
	    : status;
}

static enum queue_status
put_blocks(struct coordinator *coordinator, struct store_error *error)
{
	struct queue *queue = coordinator->config->queue;
	struct planned_block *blocks[PUT_MAX];
	enum queue_status status = QUEUE_DONE;
	int place = find_place(coordinator, coordinator->put_from);

	while (!coordinator->leaving && place < coordinator->count &&
	    status == QUEUE_DONE) {
		int count = 0;

		for (; place < coordinator->count && count < PUT_MAX; place++) {
			struct planned_block *block =
			    block_at(coordinator, place);

			if (!block->to_put)
				continue;
			if (block->key_level < coordinator->key_level)
				block->key_level = coordinator->key_level;
			planned_block_job(block, &coordinator->play->rules,
			    JOB_COUNTS, true, &coordinator->jobs[count]);
			blocks[count++] = block;
		}
		if (count == 0)
			break;
		status = queue->calls->put(queue, coordinator->config->run->id,
		    coordinator->jobs, count, error);
		for (int i = 0; i < count && status == QUEUE_DONE; i++)
			blocks[i]->to_put = false;
	}
	if (status == QUEUE_DONE)
		coordinator->put_from = INT64_MAX;
	return status;
}

static enum queue_status
reject_results(struct coordinator *coordinator, struct store_error *error)
{
	struct queue *queue = coordinator->config->queue;

	while (coordinator->rejection_count > 0) {
		int last = coordinator->rejection_count - 1;
		const struct rejection *rejection =
		    &coordinator->rejections[last];
		enum queue_status status =
		    queue->calls->reject(queue, coordinator->config->run->id,
			&rejection->name, rejection->reason, error);

		if (status != QUEUE_DONE)
			return status;
		coordinator->rejection_count = last;
	}
	return QUEUE_DONE;
}

static enum queue_status
fetch_results(struct coordinator *coordinator, struct store_error *error)
{
	struct queue *queue = coordinator->config->queue;
	int64_t now_ns = clock_now_ns();
	enum queue_status status;

	if (!coordinator->more && now_ns < coordinator->poll_ns)
		return QUEUE_DONE;
	/* Each result of a batch may be rejected. */
	assert(coordinator->rejection_count == 0);
	coordinator->given = 0;
	status = queue->calls->results(queue, coordinator->config->run->id,
	    &coordinator->cursor, on_result, coordinator, error);
	coordinator->more = coordinator->given > 0;
	coordinator->poll_ns = now_ns + lease_ns(coordinator) / POLLS;
	coordinator->drained = status == QUEUE_DONE && coordinator->shut &&
	    coordinator->held == 0 && coordinator->given == 0;
	return status == QUEUE_DONE ? reject_results(coordinator, error)
				    : status;
}

/* Removes the jobs whose blocks are durable. */
static enum queue_status
settle_results(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	struct job_name *settled = coordinator->settled;
	int64_t durable = config->durable(config->context);
	int due = 0; /* so many at the beginning are durable */

	/*
	 * Until the job is removed, the queue knows which worker has played it.
	 */
	if (coordinator->settled_count > 0 &&
	    trust_sync(&coordinator->trust) != 0)
		return QUEUE_DONE;
	for (int i = 0; i < coordinator->settled_count; i++) {
		struct job_name name = settled[i];

		if (name.block >= durable)
			continue;
		settled[i] = settled[due];
		settled[due++] = name;
	}
	while (due > 0) {
		int count = due < SETTLED_MAX ? due : SETTLED_MAX;
		enum queue_status status = config->queue->calls->settle(
		    config->queue, config->run->id, settled, count, error);

		if (status != QUEUE_DONE)
			return status;
		due -= count;
		coordinator->settled_count -= count;
		memmove(settled, settled + count,
		    (size_t)coordinator->settled_count * sizeof(*settled));
	}
	return QUEUE_DONE;
}

/*
 * A block has too few keys: it gets more, and so do the next blocks if this
 * happens often.
 */
static void
add_keys(struct coordinator *coordinator, struct planned_block *block)
{
	if (!planned_block_more_keys(block)) {
		block->paused = true;
		speaker_say(coordinator->speaker, true,
		    "block %" PRId64 " needs more than the %d packs that a "
		    "worker can be sent, and the run cannot go on beyond it: "
		    "stop it, and `resume RUN --store none` plays the block on "
		    "this machine",
		    block->number + 1, DEAL_KEYS_MAX);
		return;
	}
	speaker_say(coordinator->speaker, false,
	    "block %" PRId64 " is played again with more keys",
	    block->number + 1);
	note_unput(coordinator, block);
	coordinator->keys_lacking++;
	if (block->key_level <= coordinator->key_level ||
	    coordinator->keys_lacking * KEYS_SHARE <= coordinator->keys_enough)
		return;
	coordinator->key_level = block->key_level;
	coordinator->keys_enough = coordinator->keys_lacking = 0;
	speaker_say(coordinator->speaker, false,
	    "the blocks that are put from now on have more keys, too");
}

/*
 * The job of a second copy is paused.  It is put again at once, so that the
 * run can end without a `resume`.
 */
static void
resume_copy(struct coordinator *coordinator, const struct queue_paused *paused)
{
	int place = trust_find(&coordinator->trust, paused->name.block);
	struct planned_block *copy;

	if (place < 0)
		return;
	copy = coordinator->trust.copies[place];
	if (strncmp(paused->reason, "keys", 4) == 0)
		(void)planned_block_more_keys(copy);
	else
		speaker_say(coordinator->speaker, true,
		    "the second copy of block %" PRId64
		    " has failed and is put again: %s",
		    paused->name.block + 1, paused->reason);
	copy->to_put = true;
}

/* Handles a paused block: it needs more keys, or it has failed. */
static void
on_paused(void *context, const struct queue_paused *paused)
{
	struct coordinator *coordinator = context;
	struct planned_block *block =
	    find_block(coordinator, paused->name.block);

	if (paused->name.copy != JOB_COUNTS) {
		resume_copy(coordinator, paused);
		return;
	}
	if (block == NULL || block->accepted != NULL || block->paused)
		return;
	if (strncmp(paused->reason, "keys", 4) == 0) {
		add_keys(coordinator, block);
		return;
	}
	block->paused = true;
	speaker_say(coordinator->speaker, true,
	    "block %" PRId64 " is paused, and the run cannot go on beyond it: "
	    "%s; `resume` gives it further attempts",
	    block->number + 1, paused->reason);
}

/*
 * Stores a worker as it is in the queue, where the organiser may have changed
 * it.
 */
static void
look_at_worker(void *context, const struct queue_worker *worker)
{
	struct coordinator *coordinator = context;

	if (worker->quarantined)
		replay(coordinator, worker->name,
		    "the organiser has quarantined it");
	else if (!is_suspect(coordinator, worker->name))
		trust_release(&coordinator->trust, worker->name);
}

/* At first all workers are read: some may not play for this run any more. */
static enum queue_status
look_for_quarantined(struct coordinator *coordinator, struct store_error *error)
{
	struct queue *queue = coordinator->config->queue;
	enum queue_status status = QUEUE_DONE;

	if (!coordinator->looked && coordinator->config->folder != NULL)
		status = queue->calls->workers(
		    queue, 0, look_at_worker, coordinator, error);
	coordinator->looked |= status == QUEUE_DONE;
	return status;
}

static void
on_worker(void *context, const struct queue_worker *worker)
{
	struct coordinator *coordinator = context;

	if (ARRAY_GROW(coordinator->workers, coordinator->worker_count,
		coordinator->worker_capacity)) {
		fail(coordinator, -ENOMEM);
		return;
	}
	coordinator->workers[coordinator->worker_count++] = *worker;
	look_at_worker(coordinator, worker);
	if (worker_is_live(worker->seen_s))
		coordinator->cores += worker->cores;
}

static enum queue_status
list_workers(struct coordinator *coordinator, struct store_error *error)
{
	struct queue *queue = coordinator->config->queue;
	enum queue_status status;

	coordinator->worker_count = coordinator->cores = 0;
	status = queue->calls->workers(
	    queue, coordinator->config->run->id, on_worker, coordinator, error);
	if (coordinator->cores == 0)
		coordinator->cores = CORES_FIRST;
	return status;
}

/*
 * Measures how many blocks are played in a second.  The rate falls slowly while
 * no block comes in because all workers wait for the first block of the window.
 */
static void
measure_rate(struct coordinator *coordinator, int64_t now_ns)
{
	double measured = (double)coordinator->accepted *
	    (double)CLOCK_NS_PER_S /
	    (double)(now_ns - coordinator->rate_ns + 1);

	coordinator->rate = fmax(measured, RATE_KEPT * coordinator->rate);
	coordinator->rate_ns = now_ns;
	coordinator->accepted = 0;
}

/* Reads the paused blocks and the workers. */
static enum queue_status
look_around(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	const struct queue_calls *calls = config->queue->calls;
	int64_t now_ns = clock_now_ns();
	enum queue_status status;

	if (now_ns < coordinator->workers_ns)
		return QUEUE_DONE;
	coordinator->workers_ns = now_ns + lease_ns(coordinator) / LOOKS;
	measure_rate(coordinator, now_ns);
	status = calls->paused(
	    config->queue, config->run->id, on_paused, coordinator, error);
	if (status != QUEUE_DONE)
		return status;
	status = list_workers(coordinator, error);
	if (status == QUEUE_DONE && config->on_workers)
		config->on_workers(config->context, coordinator->workers,
		    coordinator->worker_count);
	return status;
}

/* Puts the next counted blocks that are to be played once more. */
static enum queue_status
load_dues(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	int loaded = trust_load(
	    &coordinator->trust, config->durable(config->context), error);
	int kept = 0;

	if (loaded < 0)
		fail(coordinator, loaded);
	if (loaded <= 0)
		return QUEUE_DONE;
	/*
	 * The queue may have an earlier copy, whose result the cursor has
	 * passed.
	 */
	coordinator->cursor = coordinator->poll_ns = 0;
	for (int i = 0; i < coordinator->settled_count; i++) {
		const struct job_name *name = &coordinator->settled[i];

		if (name->copy != JOB_AUDIT ||
		    trust_find(&coordinator->trust, name->block) < 0)
			coordinator->settled[kept++] = coordinator->settled[i];
	}
	coordinator->settled_count = kept;
	return QUEUE_DONE;
}

static enum queue_status
put_copies(struct coordinator *coordinator, struct store_error *error)
{
	struct trust *trust = &coordinator->trust;
	struct queue *queue = coordinator->config->queue;
	enum queue_status status = QUEUE_DONE;

	for (int i = 0; i < trust->copy_count && status == QUEUE_DONE; i++) {
		struct planned_block *block = trust->copies[i];

		if (!block->to_put)
			continue;
		planned_block_job(block, &coordinator->play->rules, JOB_AUDIT,
		    true, &coordinator->jobs[0]);
		status = queue->calls->put(queue, coordinator->config->run->id,
		    coordinator->jobs, 1, error);
		block->to_put = status != QUEUE_DONE;
	}
	return status;
}

static enum queue_status
quarantine_suspects(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	const struct queue_calls *calls = config->queue->calls;

	while (coordinator->suspect_count > 0) {
		const char *name =
		    coordinator->suspects[coordinator->suspect_count - 1];
		enum queue_status status = list_workers(coordinator, error);

		for (int i = 0; i < coordinator->worker_count; i++) {
			struct queue_worker worker = coordinator->workers[i];

			if (status != QUEUE_DONE || worker.quarantined ||
			    strcmp(worker.name, name) != 0)
				continue;
			worker.quarantined = true;
			worker.trusted = false;
			status = calls->worker_set(
			    config->queue, &worker, NULL, error);
		}
		if (status != QUEUE_DONE)
			return status;
		coordinator->suspect_count--;
	}
	return QUEUE_DONE;
}

/* Cancels the jobs after the block that has decided the run. */
static enum queue_status
cancel_rest(struct coordinator *coordinator, struct store_error *error)
{
	const struct coordinator_config *config = coordinator->config;
	enum queue_status status;

	if (!coordinator->leaving || coordinator->is_replacing ||
	    coordinator->cancelled || coordinator->count == 0)
		return QUEUE_DONE;
	status = config->queue->calls->cancel(config->queue, config->run->id,
	    block_at(coordinator, 0)->number, error);
	coordinator->cancelled = status == QUEUE_DONE;
	for (int i = coordinator->trust.copy_count - 1; i >= 0; i--)
		if (coordinator->trust.copies[i]->number >=
		    block_at(coordinator, 0)->number)
			trust_drop(&coordinator->trust, i);
	return status;
}

static enum queue_status (*const steps[])(
    struct coordinator *coordinator, struct store_error *error) = {
	begin_run,
	look_for_quarantined,
	cancel_rest,
	quarantine_suspects,
	reject_results,
	put_blocks,
	shut_run,
	fetch_results,
	load_dues,
	put_copies, /* before the first copy is settled */
	settle_results,
	look_around,
};

/*
 * Goes through the steps, unless the server is lost and the wait is not over.
 */
static void
synchronise(struct coordinator *coordinator)
{
	int64_t now_ns = clock_now_ns();
	enum queue_status status = QUEUE_DONE;
	struct store_error error = { .what = "" };

	if (coordinator->is_away && now_ns < coordinator->retry_ns)
		return;
	for (int i = 0; i < COUNTOF(steps) && status == QUEUE_DONE; i++)
		status = steps[i](coordinator, &error);
	if (status == QUEUE_AWAY) {
		if (!coordinator->is_away) {
			speaker_say(coordinator->speaker, true,
			    "%s; the run waits, and nothing is lost",
			    error.what);
			coordinator->retry_after_ns =
			    lease_ns(coordinator) / RETRIES_FIRST;
		}
		coordinator->is_away = true;
		coordinator->begun = false;
		coordinator->retry_ns =
		    clock_now_ns() + coordinator->retry_after_ns;
		if (coordinator->retry_after_ns <
		    lease_ns(coordinator) / RETRIES_LAST)
			coordinator->retry_after_ns *= 2;
		return;
	}
	if (status != QUEUE_DONE) {
		speaker_say(coordinator->speaker, true,
		    "the queue has refused: %s",
		    error.what[0] ? error.what : "the run has ended there");
		fail(coordinator, -EREMOTEIO);
		return;
	}
	if (coordinator->is_away)
		speaker_say(coordinator->speaker, true,
		    "the server of the queue answers again: the run "
		    "goes on");
	coordinator->is_away = false;
}

/*
 * The loop.
 */

static void
read_signals(struct coordinator *coordinator)
{
	struct signalfd_siginfo info;

	while (read(coordinator->signals_fd, &info, sizeof(info)) ==
	    sizeof(info)) {
		coordinator->signal_count++;
		coordinator->last_signal = (int)info.ssi_signo;
		coordinator->poll_ns = 0;
		if (coordinator->calls->on_signal)
			coordinator->calls->on_signal(&coordinator->base,
			    coordinator->context, coordinator->last_signal,
			    coordinator->signal_count);
		else
			dispatcher_end(&coordinator->base,
			    DISPATCHER_INTERRUPTED, coordinator->last_signal,
			    STOP_ABORT);
	}
}

static void
run_tick(struct coordinator *coordinator)
{
	int64_t now_ns = clock_now_ns();

	if (coordinator->tick_ns == 0 || now_ns < coordinator->tick_ns)
		return;
	coordinator->tick_ns = now_ns + coordinator->play->tick_ns;
	coordinator->calls->on_tick(&coordinator->base, coordinator->context);
}

/* Waits for a notification, a signal, or until something is due. */
static void
await(struct coordinator *coordinator)
{
	struct queue *queue = coordinator->config->queue;
	int64_t until_ns =
	    coordinator->is_away ? coordinator->retry_ns : coordinator->poll_ns;
	int64_t left_ns;

	if (coordinator->tick_ns > 0 && coordinator->tick_ns < until_ns)
		until_ns = coordinator->tick_ns;
	left_ns = until_ns - clock_now_ns();
	if (left_ns <= 0 ||
	    (!coordinator->is_away &&
		(coordinator->more ||
		    (coordinator->put_from < INT64_MAX &&
			!coordinator->leaving))))
		return;
	if (coordinator->is_away) {
		struct pollfd fd = { coordinator->signals_fd, POLLIN, 0 };
		struct timespec left = { left_ns / CLOCK_NS_PER_S,
			left_ns % CLOCK_NS_PER_S };

		(void)ppoll(&fd, 1, &left, NULL);
	} else if (queue->calls->wait(
		       queue, left_ns, coordinator->signals_fd)) {
		coordinator->poll_ns = 0;
	}
}

/*
 * When all counted blocks of quarantined workers have been played again, and
 * some have another result, the run is to be cut and continued.  If no trusted
 * worker plays them, this is reported to the user.
 */
static void
look_at_replays(struct coordinator *coordinator)
{
	const struct coordinator_config *config = coordinator->config;
	int count = coordinator->trust.replay_count;
	int64_t now_ns = clock_now_ns();

	if (count == 0) {
		coordinator->unplayed_ns = 0;
		coordinator->is_replacing = config->folder != NULL &&
		    config->replaced->count > 0 &&
		    coordinator->signal_count == 0;
		if (coordinator->is_replacing)
			dispatcher_end(
			    &coordinator->base, DISPATCHER_DONE, 0, STOP_ABORT);
	} else if (coordinator->unplayed_ns == 0 ||
	    has_auditor(coordinator, "")) {
		coordinator->unplayed_ns = now_ns + lease_ns(coordinator);
	} else if (now_ns >= coordinator->unplayed_ns) {
		coordinator->unplayed_ns = INT64_MAX;
		speaker_say(coordinator->speaker, true,
		    "%d counted block%s of quarantined workers wait%s for a "
		    "trusted worker: see `workers trust`",
		    count, text_plural(count), count == 1 ? "s" : "");
	}
}

/*
 * Whether nothing is left to wait for.  A run that is decided still waits for
 * second copies of blocks: without a limit for those of quarantined workers,
 * and for at most one lease for the others.
 */
static bool
is_over(struct coordinator *coordinator)
{
	bool is_done = coordinator->leaving ||
	    (coordinator->count == 0 &&
		(coordinator->ending || coordinator->all_given));

	if (coordinator->drained && !coordinator->more)
		return true;
	if (!is_done)
		return false;
	if (coordinator->audits_end_ns == 0)
		coordinator->audits_end_ns =
		    clock_now_ns() + lease_ns(coordinator);
	if (coordinator->outcome.end != DISPATCHER_DONE ||
	    coordinator->signal_count > 0 || coordinator->is_replacing)
		return true;
	if (coordinator->trust.replay_count > 0 ||
	    (coordinator->config->folder != NULL && !coordinator->looked))
		return false;
	return coordinator->trust.copy_count == 0 || coordinator->is_away ||
	    clock_now_ns() >= coordinator->audits_end_ns;
}

/*
 * Opens the log of the run about its workers.  Salvaged blocks have been
 * counted; they are made durable before, so that the log can name their
 * workers.
 */
static int
open_trust(struct coordinator *coordinator)
{
	const struct match_rules *rules = &coordinator->play->rules;
	const struct trust_config trust = {
		.audit = {
			.rules = &rules->rules,
			.bot_count = coordinator->play->entrant_count,
			.secret = &rules->root_key,
			.rate = coordinator->config->audit_rate,
		},
		.run = coordinator->config->folder,
		.replaced = coordinator->config->replaced,
		.speaker = coordinator->config->speaker,
	};

	if (coordinator->calls->on_tick)
		coordinator->calls->on_tick(
		    &coordinator->base, coordinator->context);
	return trust_open(
	    &coordinator->trust, &trust, apply_finding, coordinator);
}

static void
run_loop(struct coordinator *coordinator)
{
	while (!is_over(coordinator)) {
		synchronise(coordinator);
		report_blocks(coordinator);
		look_at_replays(coordinator);
		read_signals(coordinator);
		run_tick(coordinator);
		plan_blocks(coordinator);
		if (!is_over(coordinator))
			await(coordinator);
	}
}

/* Prepares the ring, the signals and the ticks.  0 or -errno. */
static int
prepare(struct coordinator *coordinator, sigset_t *before)
{
	sigset_t mask;

	coordinator->ring = calloc((size_t)coordinator->config->window_max + 1,
	    sizeof(*coordinator->ring));
	if (coordinator->ring == NULL)
		return -ENOMEM;
	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	coordinator->signals_fd =
	    signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (coordinator->signals_fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &mask, before);
	if (coordinator->play->tick_ns > 0 && coordinator->calls->on_tick)
		coordinator->tick_ns =
		    clock_now_ns() + coordinator->play->tick_ns;
	coordinator->rate_ns = clock_now_ns();
	coordinator->key_level =
	    planned_block_key_level(&coordinator->play->rules);
	return 0;
}

/* Makes the last calls of the queue after the loop.  An error does no harm. */
static void
leave(struct coordinator *coordinator)
{
	struct store_error error;

	if (coordinator->is_away || !coordinator->begun ||
	    coordinator->outcome.end != DISPATCHER_DONE)
		return;
	coordinator->workers_ns = 0;
	if (cancel_rest(coordinator, &error) == QUEUE_DONE &&
	    quarantine_suspects(coordinator, &error) == QUEUE_DONE)
		(void)look_around(coordinator, &error);
	if (coordinator->trust.copy_count > 0)
		speaker_say(coordinator->speaker, false,
		    "not played once more, as was meant: %d block%s",
		    coordinator->trust.copy_count,
		    text_plural(coordinator->trust.copy_count));
}

static void
release(struct coordinator *coordinator)
{
	if (coordinator->signals_fd >= 0)
		close(coordinator->signals_fd);
	trust_close(&coordinator->trust);
	for (int i = 0; i < coordinator->count; i++)
		accepted_drop(block_at(coordinator, i)->accepted);
	free(coordinator->ring);
	free(coordinator->suspects);
	free(coordinator->settled);
	free(coordinator->rejections);
	free(coordinator->workers);
	free(coordinator);
}

struct dispatcher_outcome
coordinator_run(const void *coordinator_config,
    const struct dispatcher_config *play, const struct dispatcher_calls *calls,
    void *context)
{
	const struct coordinator_config *config = coordinator_config;
	struct coordinator *coordinator = calloc(1, sizeof(*coordinator));
	struct dispatcher_outcome outcome = { .end = DISPATCHER_FAILED,
		.detail = -ENOMEM };
	int64_t cpu_ns = clock_cpu_ns();
	sigset_t before;
	int error;

	if (coordinator == NULL)
		return outcome;
	*coordinator = (struct coordinator){
		.base = { end_games, supply_again },
		.config = config,
		.speaker = &config->speaker,
		.play = play,
		.calls = calls,
		.context = context,
		.outcome.end = DISPATCHER_DONE,
		.signals_fd = -1,
		.trust.log.fd = -1,
		.last_number = -1,
		.ahead = -1,
		.put_from = INT64_MAX,
		.cores = CORES_FIRST,
	};
	error = prepare(coordinator, &before);
	if (error) {
		fail(coordinator, error);
		goto release_coordinator;
	}
	plan_blocks(coordinator);
	error = open_trust(coordinator);
	if (error)
		fail(coordinator, error);
	/* The last reading may find a further worker in quarantine. */
	do {
		run_loop(coordinator);
		leave(coordinator);
	} while (coordinator->trust.replay_count > 0 &&
	    coordinator->outcome.end == DISPATCHER_DONE &&
	    coordinator->signal_count == 0 && !coordinator->is_away);
	if (coordinator->trust.replay_count > 0 &&
	    coordinator->signal_count > 0 &&
	    coordinator->outcome.end == DISPATCHER_DONE) {
		coordinator->outcome.end = DISPATCHER_INTERRUPTED;
		coordinator->outcome.detail = coordinator->last_signal;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
release_coordinator:
	outcome = coordinator->outcome;
	outcome.cpu_ns = clock_cpu_ns() - cpu_ns;
	release(coordinator);
	return outcome;
}

enum queue_status
coordinator_end(struct queue *queue, struct queue_run *run, bool over,
    struct store_error *error)
{
	enum queue_status status = queue->calls->run_begin(queue, run, error);

	return status == QUEUE_DONE ? queue->calls->run_set(queue, run->id,
					  over ? "ended" : "paused", error)
				    : status;
}

bool
coordinator_replace(const struct coordinator_config *config, int *status,
    struct store_error *error)
{
	*status = 0;
	if (config->folder == NULL || config->replaced->count == 0)
		return false;
	*status = trust_replace(config->folder, config->replaced, error);
	if (*status == 0)
		speaker_say(&config->speaker, true,
		    "%d block%s of quarantined workers %s replaced: the run is "
		    "judged again from block %jd on",
		    config->replaced->count,
		    text_plural(config->replaced->count),
		    config->replaced->count == 1 ? "is" : "are",
		    (intmax_t)config->replaced->blocks[0].number + 1);
	salvage_blocks_release(config->replaced);
	return true;
}
