/*
 * Implements remote_worker.h.  A claimed block goes through three lists:
 * `waiting`, until a lane is free for its first game; `playing`, until all its
 * games have been reported; `done`, until its result is in the queue, or the
 * block is given back.
 *
 * Only the queue decides what counts.  A block whose lease is lost is played to
 * its end, because a single game cannot be stopped, and is dropped then.
 *
 * Invariants: exactly the blocks in `playing` have a slot of the deal keys.
 * All games of these blocks, except for the last block, have been supplied, so
 * that there is at most one more of them than lanes.
 */
#include "remote_worker.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "countof.h"
#include "words.h"

enum {
	RENEWALS_IN_LEASE = 4,
	RETRY_MAX_S = 15, /* longest wait before connecting again */
	FINISH_MAX = 32,  /* results of one call */
	/* Bytes of such results; a single result may be larger. */
	FINISH_SIZE_MAX = 1 << 20,
	/* between two claims, if there is nothing to play */
	CLAIM_PAUSE_MS = 2000,
	LAST_TRIES_S = 10 /* for sending results after a failure */
};

#define TICK_NS (20 * CLOCK_NS_PER_MS)

struct block {
	TAILQ_ENTRY(block) link;
	struct job job;
	int64_t claimed_ns;
	int slot;               /* of its deal keys; -1: it is not played */
	int supplied, reported; /* games */
	uint64_t progress;      /* at the last renewal of the lease */
	bool lost;              /* the lease of the block is lost */
	/* the block was lost with another worker before */
	bool was_lost;
	/* The block is given back; `reason` may be empty. */
	bool returned;
	char reason[STORE_TEXT_SIZE];
	/* The record of each game, owned, until they are joined. */
	char *records[BLOCK_GAMES_MAX];
	size_t sizes[BLOCK_GAMES_MAX];
	/* NULL before the first game, and after the result is ready; owned. */
	struct result_head *head;
	struct queue_finish result; /* owns its texts */
};

TAILQ_HEAD(block_list, block);

struct remote_worker {
	const struct remote_worker_config *config;
	struct queue *queue;
	int64_t run;
	struct dispatcher_config play;
	struct dispatcher *dispatcher; /* known after its first call */
	struct block_list waiting, playing, done;
	struct block **slots; /* that use the slots of deal keys; owned */
	int slot_count;
	char *text; /* of a head of a result; owned */

	/* The server was lost: time of the next call; 0: it was not. */
	int64_t retry_ns, retry_wait_ns, away_since_ns;
	int retries;

	/* Time of the next such call; hello_ns 0: before any claim. */
	int64_t claim_ns, renew_ns, hello_ns;
	int64_t lease_ns;
	int64_t busy_ns; /* last time at which there was something to play */
	/*
	 * Blocks that ended in the present second, its beginning, and the
	 * blocks of the last second.
	 */
	int64_t second_ns;
	int second_blocks, blocks_per_s;
	int64_t games_since_hello, hello_last_ns;

	int signals;          /* that came, also before the dispatcher began */
	bool stopping;        /* no further block begins */
	int64_t grace_end_ns; /* after the first signal; 0: none, or no limit */
	bool over;    /* the outcome is known, and no further result counts */
	bool refused; /* the queue accepts no more results of this run */
	struct remote_worker_outcome outcome;
};

static int64_t
now(const struct remote_worker *worker)
{
	return worker->config->now_ns();
}

/* The number of the block as users see it, from 1. */
static intmax_t
number_of(const struct block *block)
{
	return (intmax_t)block->job.name.block + 1;
}

static void
block_free(struct block *block)
{
	for (int game = 0; game < BLOCK_GAMES_MAX; game++)
		free(block->records[game]);
	free(block->head);
	/* The texts of a result are allocated by finish_block() below. */
	free((char *)(uintptr_t)block->result.head);
	free((char *)(uintptr_t)block->result.record);
	sodium_memzero(&block->job, sizeof(block->job));
	free(block);
}

/*
 * Ends the run.  This is the outcome, unless there was an end before.  A signal
 * is an end, also while games are played to their end; only a failure of the
 * machine replaces it.
 */
static void
end_worker(struct remote_worker *worker, enum remote_worker_end end, int detail,
    enum stop_mode order)
{
	if (!worker->over &&
	    (worker->outcome.end != REMOTE_WORKER_STOPPED ||
		end == REMOTE_WORKER_FAILED)) {
		worker->outcome.end = end;
		worker->outcome.detail = detail;
	}
	worker->over = worker->stopping = true;
	if (worker->dispatcher != NULL)
		dispatcher_end(worker->dispatcher, DISPATCHER_DONE, 0, order);
}

/*
 * The server.
 */

static bool
may_call(const struct remote_worker *worker)
{
	return worker->retry_ns == 0 || now(worker) >= worker->retry_ns;
}

/*
 * The server cannot be reached.  The wait before the next call is doubled, with
 * a part that differs between workers, so that they do not all connect at the
 * same time.
 */
static void
back_off(struct remote_worker *worker, const struct store_error *error)
{
	int64_t now_ns = now(worker), part;

	if (worker->retry_ns == 0) {
		worker->away_since_ns = now_ns;
		worker->retry_wait_ns = CLOCK_NS_PER_S;
		speaker_say(&worker->config->speaker, true,
		    "%s; results wait in memory", error->what);
	}
	worker->hello_ns = 0;
	part = worker->config->key
		   ->public[worker->retries++ % SIGNING_PUBLIC_SIZE];
	worker->retry_ns = now_ns + worker->retry_wait_ns / 2 +
	    worker->retry_wait_ns / 2 * part / UINT8_MAX;
	worker->retry_wait_ns *= 2;
	if (worker->retry_wait_ns > RETRY_MAX_S * CLOCK_NS_PER_S)
		worker->retry_wait_ns = RETRY_MAX_S * CLOCK_NS_PER_S;
}

/* Whether a call of the queue succeeded.  All other cases are handled here. */
static bool
is_done(struct remote_worker *worker, enum queue_status status,
    const struct store_error *error)
{
	switch (status) {
	case QUEUE_AWAY:
		back_off(worker, error);
		return false;
	case QUEUE_FENCED:
		worker->refused = true;
		end_worker(worker, REMOTE_WORKER_OVER, 0, STOP_ABORT);
		break;
	case QUEUE_REFUSED:
		worker->refused = true;
		worker->outcome.error = *error;
		end_worker(worker, REMOTE_WORKER_REFUSED, 0, STOP_ABORT);
		break;
	case QUEUE_DONE:
		break;
	}
	if (worker->retry_ns != 0)
		speaker_say(&worker->config->speaker, true,
		    "the server is back after %" PRId64 " s",
		    (now(worker) - worker->away_since_ns) / CLOCK_NS_PER_S);
	worker->retry_ns = 0;
	return status == QUEUE_DONE;
}

/* Reports to the queue what this worker does. */
static void
hello(struct remote_worker *worker)
{
	struct queue_worker *self = worker->config->self;
	struct store_error error = { .what = "" };
	int64_t now_ns = now(worker);
	int64_t took_ns = now_ns - worker->hello_last_ns;

	if (took_ns > 0)
		self->games_per_s = (double)worker->games_since_hello *
		    (double)CLOCK_NS_PER_S / (double)took_ns;
	if (!is_done(worker,
		worker->queue->calls->hello(
		    worker->queue, self, clock_wall_ns(), &error),
		&error))
		return;
	worker->games_since_hello = 0;
	worker->hello_last_ns = now_ns;
	worker->hello_ns = now_ns + QUEUE_RENEW_S * CLOCK_NS_PER_S;
	self->lag_s = 0;
}

/*
 * Claims.
 */

/* Returns why this worker cannot play a job; NULL: it can. */
static const char *
job_flaw(const struct remote_worker *worker, const struct job *job)
{
	const struct dispatcher_config *play = &worker->play;

	if (job->seat_count != play->rules.rules.players)
		return "its games have another number of seats";
	for (int game = 0; game < job->game_count; game++) {
		const struct game_spec *spec = &job->games[game].spec;

		if (spec->rotation >= DEAL_KEYS_GAMES_MAX)
			return "it has too many games";
		for (int seat = 0; seat < job->seat_count; seat++)
			if (spec->entrant[seat] >= play->entrant_count)
				return "it names a bot that the run lacks";
	}
	return NULL;
}

static void
return_block(
    struct remote_worker *worker, struct block *block, const char *reason)
{
	block->returned = true;
	snprintf(block->reason, sizeof(block->reason), "%s", reason);
	TAILQ_INSERT_TAIL(&worker->done, block, link);
}

/*
 * Whether this worker has the block already, under the same attempt.  A server
 * that was restored from an older copy counts attempts again from there.  Two
 * results of one attempt would look like a forgery.
 */
static bool
has_block(const struct remote_worker *worker, const struct job_name *name)
{
	const struct block_list *const lists[] = { &worker->waiting,
		&worker->playing, &worker->done };
	const struct block *block;

	for (int i = 0; i < COUNTOF(lists); i++)
		TAILQ_FOREACH (block, lists[i], link)
			if (block->job.name.block == name->block &&
			    block->job.name.copy == name->copy &&
			    block->job.name.attempt == name->attempt &&
			    !block->lost && !block->returned)
				return true;
	return false;
}

static void
on_claim(void *context, const struct queue_claim *claim)
{
	struct remote_worker *worker = context;
	struct block *block;
	char reason[STORE_TEXT_SIZE];
	const char *flaw;
	struct scopa_text why = SCOPA_TEXT(STORE_TEXT_SIZE / 2);

	if (has_block(worker, &claim->name))
		return;
	block = calloc(1, sizeof(*block));
	/* Without memory for the block its lease ends. */
	if (block == NULL)
		return;
	flaw = job_read(&block->job, claim->job, &why)
	    ? job_flaw(worker, &block->job)
	    : why.bytes;
	block->job.name = claim->name;
	block->was_lost = claim->was_lost;
	block->claimed_ns = now(worker);
	block->slot = -1;
	if (flaw == NULL) {
		TAILQ_INSERT_TAIL(&worker->waiting, block, link);
		return;
	}
	snprintf(reason, sizeof(reason), "the job cannot be read: %s", flaw);
	speaker_say(&worker->config->speaker, true,
	    "block %jd is given back: %s", number_of(block), reason);
	return_block(worker, block, reason);
}

/* Whether this worker plays a block that was lost with another worker. */
static bool
plays_lost_block(const struct remote_worker *worker)
{
	const struct block *block;

	TAILQ_FOREACH (block, &worker->playing, link)
		if (block->was_lost)
			return true;
	return false;
}

/*
 * Claims as many blocks as were played in a second.  So a claim costs little,
 * and no block waits for long.
 */
static void
claim(struct remote_worker *worker)
{
	struct store_error error = { .what = "" };
	int count = worker->blocks_per_s;

	if (!may_call(worker) || now(worker) < worker->claim_ns)
		return;
	/*
	 * A new connection is judged by what any process of this worker has
	 * said last, until this one says hello.
	 */
	if (worker->hello_ns == 0)
		hello(worker);
	if (worker->hello_ns == 0)
		return;
	count = count < 1             ? 1
	    : count > QUEUE_BATCH_MAX ? QUEUE_BATCH_MAX
				      : count;
	if (!is_done(worker,
		worker->queue->calls->claim(worker->queue, worker->run, count,
		    plays_lost_block(worker), on_claim, worker, &error),
		&error))
		return;
	if (TAILQ_EMPTY(&worker->waiting))
		worker->claim_ns =
		    now(worker) + CLAIM_PAUSE_MS * CLOCK_NS_PER_MS;
}

/* Games of a block that are not supplied yet. */
static bool
has_games_left(const struct block *block)
{
	return block->supplied < block->job.game_count && !block->lost &&
	    !block->returned;
}

/* Begins the first block that waits.  NULL: there is none. */
static struct block *
begin_block(struct remote_worker *worker)
{
	struct block *block = TAILQ_FIRST(&worker->waiting);
	struct deal_keys_slot *slot;
	int at = 0;

	if (block == NULL)
		return NULL;
	block->head = calloc(1, sizeof(*block->head));
	if (block->head == NULL) {
		end_worker(worker, REMOTE_WORKER_FAILED, -ENOMEM, STOP_ABORT);
		return NULL;
	}
	while (worker->slots[at] != NULL)
		at++;
	assert(at < worker->slot_count);
	worker->slots[at] = block;
	block->slot = at;
	slot = deal_keys_slot(worker->play.rules.deal_keys, at);
	deal_keys_copy(&slot->keys, &block->job.keys);
	for (int game = 0; game < block->job.game_count; game++) {
		const struct job_game *given = &block->job.games[game];

		slot->nonces[given->spec.rotation] = given->nonces;
		memcpy(slot->seeds[given->spec.rotation], given->seeds,
		    sizeof(given->seeds));
	}
	TAILQ_REMOVE(&worker->waiting, block, link);
	TAILQ_INSERT_TAIL(&worker->playing, block, link);
	return block;
}

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	struct remote_worker *worker = context;
	struct block *block;

	worker->dispatcher = dispatcher;
	block = TAILQ_LAST(&worker->playing, block_list);
	if (block == NULL || !has_games_left(block)) {
		if (!worker->stopping && TAILQ_EMPTY(&worker->waiting))
			claim(worker);
		if (worker->stopping)
			return DISPATCHER_NO_MORE;
		block = begin_block(worker);
	}
	if (block == NULL)
		return worker->stopping ? DISPATCHER_NO_MORE : DISPATCHER_WAIT;
	*game = block->job.games[block->supplied++].spec;
	game->keys = block->slot + 1;
	return DISPATCHER_GAME;
}

/*
 * Results.
 */

/*
 * Joins the records of a block, and signs the head of the result.  0 or
 * -ENOMEM.
 */
static int
make_result(struct remote_worker *worker, struct block *block)
{
	struct result_head *head = block->head;
	struct queue_finish *result = &block->result;
	struct scopa_text text;
	size_t size = 0;
	char *record;

	for (int game = 0; game < block->job.game_count; game++)
		size += block->sizes[game];
	if (size > RESULT_RECORD_MAX) {
		block->returned = true;
		snprintf(block->reason, sizeof(block->reason),
		    "its record is larger than %d bytes, and only `resume RUN "
		    "--store none` can play it",
		    RESULT_RECORD_MAX);
		return 0;
	}
	result->record = record = malloc(size + 1);
	if (record == NULL)
		return -ENOMEM;
	for (int game = 0; game < block->job.game_count; game++) {
		memcpy(record, block->records[game], block->sizes[game]);
		record += block->sizes[game];
		free(block->records[game]);
		block->records[game] = NULL;
	}
	result->record_size = size;
	result->name = head->name = block->job.name;
	snprintf(head->run, sizeof(head->run), "%s", worker->config->run->uid);
	head->game_count = block->job.game_count;
	head->record_size = (int64_t)size;
	crypto_hash_sha256(
	    head->digest, (const unsigned char *)result->record, size);
	scopa_text_init(&text, worker->text, RESULT_HEAD_MAX);
	result_head_write(head, &text);
	result->head = strdup(worker->text);
	if (result->head == NULL)
		return -ENOMEM;
	signing_sign(
	    worker->config->key, result->head, text.length, result->signature);
	free(head);
	block->head = NULL;
	return 0;
}

/* Called when all games of the block have been reported. */
static void
finish_block(struct remote_worker *worker, struct block *block)
{
	TAILQ_REMOVE(&worker->playing, block, link);
	worker->slots[block->slot] = NULL;
	deal_keys_slot_empty(
	    deal_keys_slot(worker->play.rules.deal_keys, block->slot));
	block->slot = -1;
	worker->second_blocks++;
	if (block->lost) {
		block_free(block);
		return;
	}
	if (!block->returned && make_result(worker, block)) {
		end_worker(worker, REMOTE_WORKER_FAILED, -ENOMEM, STOP_ABORT);
		block->returned = true;
	}
	TAILQ_INSERT_TAIL(&worker->done, block, link);
}

/* Stores the record of a game and what is reported beside it. */
static void
store_result(struct remote_worker *worker, struct block *block,
    const struct game_result *result, const char *record, size_t size)
{
	struct result_game *reported;
	char *bytes;
	int game = 0;

	while (game < block->supplied &&
	    block->job.games[game].spec.index != result->summary.game)
		game++;
	assert(game < block->supplied && block->records[game] == NULL);
	bytes = malloc(size + 1);
	if (bytes == NULL) {
		end_worker(worker, REMOTE_WORKER_FAILED, -ENOMEM, STOP_ABORT);
		block->returned = true;
		return;
	}
	memcpy(bytes, record, size);
	block->records[game] = bytes;
	block->sizes[game] = size;
	reported = &block->head->games[game];
	memcpy(reported->unasked, result->unasked_count,
	    sizeof(reported->unasked));
	reported->fault = result->fault;
}

/*
 * Whether the program of a bot cannot be executed on this machine.  The
 * organiser's machine could execute it, so the bot is not to blame.
 */
static bool
cannot_start(const struct game_result *result)
{
	static const char reason[] = "EXEC_FAIL";

	return result->fault.seat >= 0 &&
	    strncmp(result->fault.reason, reason, strlen(reason)) == 0;
}

/* Gives the block back and plays no more of this run. */
static void
leave_run(struct remote_worker *worker, struct block *block,
    const struct game_result *result)
{
	const struct match_fault *fault = &result->fault;

	block->returned = true;
	snprintf(block->reason, sizeof(block->reason),
	    "the bot \"%s\" cannot be started: %s",
	    result->summary.names[fault->seat], fault->reason);
	snprintf(worker->outcome.error.what, sizeof(worker->outcome.error.what),
	    "%s", block->reason);
	end_worker(worker, REMOTE_WORKER_UNFIT, 0, STOP_ABORT);
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	struct remote_worker *worker = context;
	struct block *block = worker->slots[result->keys - 1];
	double lag_s =
	    (double)result->summary.lag_longest_ns / (double)CLOCK_NS_PER_S;

	worker->dispatcher = dispatcher;
	worker->games_since_hello++;
	if (lag_s > worker->config->self->lag_s)
		worker->config->self->lag_s = lag_s;
	block->reported++;
	if (result->lacks_keys) {
		block->returned = true;
		snprintf(block->reason, sizeof(block->reason), "keys");
	} else if (cannot_start(result)) {
		leave_run(worker, block, result);
	} else if (strcmp(result->summary.reason, "abort") == 0) {
		block->returned = true;
	} else if (!block->returned && !block->lost) {
		store_result(worker, block, result, record, size);
	}
	if (block->reported == block->supplied && !has_games_left(block))
		finish_block(worker, block);
}

/* Sends the first results of the list.  False: the server cannot be reached. */
static bool
send_results(struct remote_worker *worker)
{
	struct queue_finish results[FINISH_MAX];
	struct store_error error = { .what = "" };
	struct block *block;
	int count = 0, late = 0;
	size_t size = 0;
	intmax_t first_late = 0;

	TAILQ_FOREACH (block, &worker->done, link) {
		size += block->result.record_size;
		if (block->returned || count == FINISH_MAX ||
		    (count > 0 && size > FINISH_SIZE_MAX))
			break;
		results[count++] = block->result;
	}
	if (!is_done(worker,
		worker->queue->calls->finish(
		    worker->queue, worker->run, results, count, &error),
		&error))
		return false;
	for (int i = 0; i < count; i++) {
		block = TAILQ_FIRST(&worker->done);
		TAILQ_REMOVE(&worker->done, block, link);
		if (results[i].status == QUEUE_DONE)
			worker->outcome.blocks++;
		else if (results[i].status == QUEUE_REFUSED)
			speaker_say(&worker->config->speaker, true,
			    "block %jd: the queue has another result of this "
			    "worker for this attempt",
			    number_of(block));
		else if (late++ == 0)
			first_late = number_of(block);
		block_free(block);
	}
	if (late > 0)
		speaker_say(&worker->config->speaker, false,
		    "results that do not count: %d, that of block %jd first: "
		    "other "
		    "workers have these blocks, or the run needs them no more",
		    late, first_late);
	return true;
}

/*
 * Gives back the first block of the list.  False: the server cannot be reached.
 */
static bool
send_return(struct remote_worker *worker)
{
	struct block *block = TAILQ_FIRST(&worker->done);
	struct store_error error = { .what = "" };
	enum queue_status status = worker->queue->calls->release(worker->queue,
	    worker->run, &block->job.name,
	    block->reason[0] != '\0' ? block->reason : NULL, &error);

	/* The worker does not have the lease any more. */
	if (status == QUEUE_FENCED)
		status = QUEUE_DONE;
	if (!is_done(worker, status, &error))
		return false;
	TAILQ_REMOVE(&worker->done, block, link);
	block_free(block);
	return true;
}

/* Sends all results, as long as the server can be reached. */
static void
send_done(struct remote_worker *worker)
{
	const struct block *block;
	bool sent = true;

	while (sent && may_call(worker) &&
	    (block = TAILQ_FIRST(&worker->done)) != NULL)
		sent = block->returned ? send_return(worker)
				       : send_results(worker);
}

/*
 * Leases.
 */

/*
 * Handles a lost lease.  If the games of the block hang, all games are aborted
 * and begin again, because a single game cannot be stopped.
 */
static void
lose_block(struct remote_worker *worker, struct block *block, bool hangs)
{
	if (block->lost)
		return;
	block->lost = true;
	speaker_say(&worker->config->speaker, hangs,
	    "block %jd has lost its lease%s", number_of(block),
	    hangs ? ", and no bot has made a move since its last renewal" : "");
	if (hangs)
		end_worker(worker, REMOTE_WORKER_IDLE, 0, STOP_ABORT);
	else if (block->reported == block->supplied)
		finish_block(worker, block);
}

/* Renews the leases of all blocks that are played. */
static void
renew(struct remote_worker *worker)
{
	struct queue_renewal *renewals =
	    calloc((size_t)worker->slot_count, sizeof(*renewals));
	struct store_error error = { .what = "" };
	struct block *block;
	int count = 0, at = 0;

	if (renewals == NULL)
		return;
	TAILQ_FOREACH (block, &worker->playing, link)
		renewals[count++] = (struct queue_renewal){
			.name = block->job.name,
			.progress = atomic_load(&deal_keys_slot(
			    worker->play.rules.deal_keys, block->slot)
						     ->progress),
		};
	if (count == 0 ||
	    is_done(worker,
		worker->queue->calls->renew(
		    worker->queue, worker->run, renewals, count, &error),
		&error)) {
		struct block *next;

		for (block = TAILQ_FIRST(&worker->playing); at < count;
		     block = next, at++) {
			bool moved = renewals[at].progress != block->progress;

			next = TAILQ_NEXT(block, link);
			block->progress = renewals[at].progress;
			if (renewals[at].lost)
				lose_block(worker, block, !moved);
		}
		worker->renew_ns =
		    now(worker) + worker->lease_ns / RENEWALS_IN_LEASE;
	}
	free(renewals);
}

/* Gives back blocks that have waited for too long. */
static void
return_waiting(struct remote_worker *worker, int64_t claimed_before_ns)
{
	struct block *block;

	while ((block = TAILQ_FIRST(&worker->waiting)) != NULL &&
	    block->claimed_ns < claimed_before_ns) {
		TAILQ_REMOVE(&worker->waiting, block, link);
		return_block(worker, block, "");
	}
}

static void
on_signal(struct dispatcher *dispatcher, void *context, int signal, int count)
{
	struct remote_worker *worker = context;
	const struct remote_worker_config *config = worker->config;

	worker->dispatcher = dispatcher;
	count = ++worker->signals;
	worker->outcome.end = REMOTE_WORKER_STOPPED;
	worker->outcome.detail = signal;
	if (count > 1 || worker->over) {
		end_worker(worker, REMOTE_WORKER_STOPPED, signal,
		    count > 2 ? STOP_KILL : STOP_ABORT);
		return;
	}
	worker->stopping = true;
	if (config->stop_grace_ns > 0)
		worker->grace_end_ns = now(worker) + config->stop_grace_ns;
	return_waiting(worker, INT64_MAX);
	speaker_say(&worker->config->speaker, true,
	    "signal %d: games that have begun are played to their end; another "
	    "signal aborts them",
	    signal);
	dispatcher_supply_again(dispatcher);
}

/* Counts the blocks of each second. */
static void
count_second(struct remote_worker *worker, int64_t now_ns)
{
	int64_t took_ns = now_ns - worker->second_ns;

	if (took_ns < CLOCK_NS_PER_S)
		return;
	worker->blocks_per_s =
	    (int)(worker->second_blocks * CLOCK_NS_PER_S / took_ns);
	worker->second_ns = now_ns;
	worker->second_blocks = 0;
}

static void
on_tick(struct dispatcher *dispatcher, void *context)
{
	struct remote_worker *worker = context;
	const struct remote_worker_config *config = worker->config;
	int64_t now_ns = now(worker);
	bool was_away = worker->retry_ns != 0;
	int signal = config->stop_signal != NULL && !worker->stopping
	    ? *config->stop_signal
	    : 0;

	worker->dispatcher = dispatcher;
	if (signal > 0)
		on_signal(dispatcher, worker, signal, 1);
	count_second(worker, now_ns);
	if (worker->grace_end_ns > 0 && now_ns >= worker->grace_end_ns)
		end_worker(worker, REMOTE_WORKER_STOPPED,
		    worker->outcome.detail, STOP_ABORT);
	return_waiting(worker, now_ns - worker->lease_ns / 2);
	send_done(worker);
	if (may_call(worker) && now_ns >= worker->renew_ns)
		renew(worker);
	if (may_call(worker) && now_ns >= worker->hello_ns)
		hello(worker);
	/* While the server is away, nobody knows whether there are blocks. */
	if (!TAILQ_EMPTY(&worker->playing) || !TAILQ_EMPTY(&worker->done) ||
	    was_away) {
		worker->busy_ns = now_ns;
	} else if (!worker->stopping && worker->retry_ns == 0) {
		if (worker->queue->calls->wait(worker->queue, 0, -1)) {
			worker->claim_ns = 0;
			worker->outcome.notified = true;
		}
		if (config->idle_ns > 0 &&
		    now_ns - worker->busy_ns >= config->idle_ns)
			end_worker(worker, REMOTE_WORKER_IDLE, 0, STOP_FINISH);
	}
	dispatcher_supply_again(dispatcher);
}

const struct dispatcher_calls remote_worker_calls = {
	.next = next_game,
	.on_result = on_result,
	.on_signal = on_signal,
	.on_tick = on_tick,
};

/*
 * Begin and end.
 */

static void
release_worker(struct remote_worker *worker)
{
	struct block_list *const lists[] = { &worker->waiting, &worker->playing,
		&worker->done };
	struct block *block;

	for (int i = 0; i < COUNTOF(lists); i++)
		while ((block = TAILQ_FIRST(lists[i])) != NULL) {
			TAILQ_REMOVE(lists[i], block, link);
			block_free(block);
		}
	deal_keys_close(worker->play.rules.deal_keys);
	free(worker->slots);
	free(worker->text);
	free(worker);
}

int
remote_worker_open(struct remote_worker **opened,
    const struct remote_worker_config *config,
    const struct dispatcher_config *play)
{
	struct remote_worker *worker = calloc(1, sizeof(*worker));
	int64_t now_ns = config->now_ns();
	int error;

	if (worker == NULL)
		return -ENOMEM;
	worker->config = config;
	worker->queue = config->queue;
	worker->run = config->run->id;
	worker->play = *play;
	worker->play.rules.deal_keys = NULL;
	worker->play.tick_ns = TICK_NS;
	worker->play.unordered = true;
	worker->lease_ns = CLOCK_NS_PER_S *
	    (config->run->lease_s > 0 ? config->run->lease_s : QUEUE_LEASE_S);
	worker->renew_ns = now_ns + worker->lease_ns / RENEWALS_IN_LEASE;
	worker->busy_ns = worker->second_ns = worker->hello_last_ns = now_ns;
	TAILQ_INIT(&worker->waiting);
	TAILQ_INIT(&worker->playing);
	TAILQ_INIT(&worker->done);
	worker->slot_count = play->concurrency + 1;
	worker->slots =
	    calloc((size_t)worker->slot_count, sizeof(struct block *));
	worker->text = malloc(RESULT_HEAD_MAX);
	error = worker->slots != NULL && worker->text != NULL
	    ? deal_keys_open(&worker->play.rules.deal_keys, worker->slot_count)
	    : -ENOMEM;
	if (error)
		release_worker(worker);
	else
		*opened = worker;
	return error;
}

const struct dispatcher_config *
remote_worker_dispatcher(const struct remote_worker *worker)
{
	return &worker->play;
}

/* Sends the remaining results, until a signal comes or the time is over. */
static void
send_rest(struct remote_worker *worker, int64_t until_ns)
{
	sigset_t awaited, before;
	int64_t now_ns;
	int fd;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGINT);
	sigaddset(&awaited, SIGTERM);
	sigprocmask(SIG_BLOCK, &awaited, &before);
	fd = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
	worker->retry_wait_ns = CLOCK_NS_PER_S;
	if (worker->retry_ns != 0)
		worker->retry_ns = now(worker);
	for (;;) {
		struct signalfd_siginfo info;

		send_done(worker);
		now_ns = now(worker);
		if (read(fd, &info, sizeof(info)) == sizeof(info)) {
			worker->outcome.end = REMOTE_WORKER_STOPPED;
			worker->outcome.detail = (int)info.ssi_signo;
			break;
		}
		if (TAILQ_EMPTY(&worker->done) || worker->retry_ns == 0 ||
		    now_ns >= until_ns)
			break;
		worker->queue->calls->wait(worker->queue,
		    worker->retry_ns < until_ns ? worker->retry_ns - now_ns
						: until_ns - now_ns,
		    fd);
	}
	if (fd >= 0)
		close(fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Reports how many results could not be sent. */
static int
count_unsent(const struct remote_worker *worker)
{
	const struct block *block;
	int count = 0;

	TAILQ_FOREACH (block, &worker->done, link)
		count += !block->returned;
	return count;
}

/*
 * Gives back the blocks that are still played: their games have ended with the
 * dispatcher.  The reason is empty if the block is not to blame.
 */
static void
return_playing(struct remote_worker *worker, const char *reason)
{
	struct block *block;

	while ((block = TAILQ_FIRST(&worker->playing)) != NULL) {
		TAILQ_REMOVE(&worker->playing, block, link);
		if (block->lost)
			block_free(block);
		else
			return_block(worker, block, reason);
	}
}

struct remote_worker_outcome
remote_worker_close(
    struct remote_worker *worker, struct dispatcher_outcome outcome)
{
	struct remote_worker_outcome result;
	const char *reason = "";
	int64_t until_ns = now(worker) + LAST_TRIES_S * CLOCK_NS_PER_S;
	int unsent;

	worker->dispatcher = NULL;
	if (outcome.end == DISPATCHER_FAILED ||
	    outcome.end == DISPATCHER_LOST) {
		reason = "the machine of the worker failed";
		worker->over = true;
		worker->outcome.end = REMOTE_WORKER_FAILED;
		worker->outcome.detail =
		    outcome.end == DISPATCHER_FAILED ? outcome.detail : -ECHILD;
	}
	if (worker->grace_end_ns > until_ns)
		until_ns = worker->grace_end_ns;
	return_playing(worker, reason);
	return_waiting(worker, INT64_MAX);
	if (!worker->refused)
		send_rest(worker, until_ns);
	unsent = worker->refused ? 0 : count_unsent(worker);
	if (unsent > 0)
		speaker_say(&worker->config->speaker, true,
		    "%d result%s could not be sent; others play the block%s "
		    "again, if the run goes on",
		    unsent, text_plural(unsent), text_plural(unsent));
	result = worker->outcome;
	release_worker(worker);
	return result;
}

struct remote_worker_outcome
remote_worker_run(const struct remote_worker_config *config,
    const struct dispatcher_config *play)
{
	struct remote_worker *worker;
	int error = remote_worker_open(&worker, config, play);

	if (error)
		return (struct remote_worker_outcome){
			.end = REMOTE_WORKER_FAILED,
			.detail = error,
		};
	return remote_worker_close(worker,
	    dispatcher_run(&worker->play, &remote_worker_calls, worker));
}
