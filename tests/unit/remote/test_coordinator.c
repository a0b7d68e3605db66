/*
 * The coordinator, with a queue in memory and workers that are functions: keys
 * of deals, blocks that fail, signals, refusals.  Workers that are lost, late
 * or dishonest, and servers that fail, are tested in tests/fleet.
 */
#include "coordinator.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "queue_memory.h"
#include "support.h"
#include "test.h"

#define SECOND_NS INT64_C(1000000000)
#define ENGINE "engine/1"

enum {
	BLOCK_GAMES = 2,
	BLOCKS_MAX = 512,
	WORKERS_MAX = 4,
	HOLD_MAX = 8,
	TEXT_SIZE = 64 * 1024
};

/* A worker that is a function. */
struct fake_worker {
	struct queue *queue;
	struct job_name claimed[HOLD_MAX];
	int claimed_count;
	int claims; /* number of blocks that it claims at once */

	/* Of one block it sends another result, after so many actions. */
	bool lies;
	int lie_after;
	struct job_name lie; /* that block, as soon as it has ended */
	bool has_lie;
};

static struct bench {
	struct queue_memory *memory;
	struct queue *queue;
	struct queue_run run;
	struct coordinator_config config;
	struct dispatcher_config dispatcher;
	struct dispatcher_calls calls;
	struct fake_worker workers[WORKERS_MAX];
	int worker_count;

	/* The caller of the coordinator. */
	int64_t next_game, game_count;
	int64_t reported; /* games */
	int64_t durable;  /* blocks */
	int signal_count;

	/* The actions of the workers. */
	int played[BLOCKS_MAX]; /* results that count */
	int deals_needed, deals_seen;
	int64_t deals_block; /* only this block needs them; -1: all do */
	int keys_asked;
	int fails;            /* releases of one block with a failure */
	int64_t fails_block;  /* this one; -1: the first with that copy */
	int fails_copy;       /* only of this copy */
	int waits, raise_at;  /* raises SIGINT in this wait; 0: never */
	int forget_at;        /* the server loses all blocks in this wait */
	bool is_lost;         /* the next call of the coordinator fails */
	const char *raise_on; /* and after this message; NULL: never */

	/* The messages. */
	char messages[TEXT_SIZE];
	int urgent_count;
} bench;

/*
 * Workers.
 */

static void
write_record(char *record, size_t size, int64_t block)
{
	snprintf(record, size, "record of block %" PRId64 "\n", block);
}

static void
on_claim(void *context, const struct queue_claim *claim)
{
	struct fake_worker *worker = context;
	static struct job job;
	struct scopa_text why = SCOPA_TEXT(256);

	assert_true(worker->claimed_count < HOLD_MAX);
	worker->claimed[worker->claimed_count++] = claim->name;
	assert_true(job_read(&job, claim->job, &why));
	assert_int_equal(job.game_count, BLOCK_GAMES);
	bench.deals_seen = job.keys.deals;
}

static void
send_lie(struct fake_worker *worker)
{
	struct queue_finish finish = { .name = worker->lie,
		.head = "head\n",
		.record = "another record\n",
		.record_size = strlen("another record\n") };
	struct store_error error;

	worker->lies = worker->has_lie = false;
	assert_int_equal(worker->queue->calls->finish(
			     worker->queue, bench.run.id, &finish, 1, &error),
	    QUEUE_DONE);
	assert_int_equal(finish.status, QUEUE_REFUSED);
}

/* Finishes the first block of the worker, or releases it if it fails. */
static void
end_block(struct fake_worker *worker)
{
	struct queue *queue = worker->queue;
	struct job_name name = worker->claimed[0];
	char record[64];
	struct queue_finish finish = {
		.name = name, .head = "head\n", .record = record
	};
	struct store_error error;
	enum queue_status status;

	worker->claimed_count--;
	memmove(worker->claimed, worker->claimed + 1,
	    (size_t)worker->claimed_count * sizeof(worker->claimed[0]));
	if (bench.fails_block < 0 && name.copy == bench.fails_copy)
		bench.fails_block = name.block;
	if ((bench.deals_seen < bench.deals_needed &&
		(bench.deals_block < 0 || bench.deals_block == name.block)) ||
	    (bench.fails > 0 && name.block == bench.fails_block &&
		name.copy == bench.fails_copy)) {
		bench.fails -= bench.deals_needed == 0;
		bench.keys_asked += bench.deals_needed > 0;
		status = queue->calls->release(queue, bench.run.id, &name,
		    bench.deals_needed > 0 ? "keys deal=33" : "no bot starts",
		    &error);
		assert_int_equal(status, QUEUE_DONE);
		return;
	}
	write_record(record, sizeof(record), name.block);
	finish.record_size = strlen(record);
	do
		status = queue->calls->finish(
		    queue, bench.run.id, &finish, 1, &error);
	while (status == QUEUE_AWAY);
	assert_int_equal(status, QUEUE_DONE);
	if (finish.status == QUEUE_DONE && name.copy == JOB_COUNTS)
		bench.played[name.block]++;
	if (worker->lies && !worker->has_lie) {
		worker->lie = name;
		worker->has_lie = true;
		if (worker->lie_after == 0)
			send_lie(worker);
	}
}

/* A worker finishes or claims a block.  True if it did something. */
static bool
work(struct fake_worker *worker)
{
	struct queue *queue = worker->queue;
	struct store_error error;

	if (worker->has_lie && worker->lie_after-- == 1) {
		send_lie(worker);
		return true;
	}
	if (worker->claimed_count > 0) {
		end_block(worker);
		return true;
	}
	(void)queue->calls->claim(queue, bench.run.id, worker->claims, false,
	    on_claim, worker, &error);
	return worker->claimed_count > 0;
}

/* Another server, which has no block, replaces the server. */
static void
forget(void)
{
	struct store_error error;

	assert_int_equal(
	    bench.queue->calls->cancel(bench.queue, bench.run.id, 0, &error),
	    QUEUE_DONE);
	for (int i = 0; i < bench.worker_count; i++)
		bench.workers[i].claimed_count = 0;
	bench.is_lost = true;
}

/* The next call of the coordinator fails once. */
static enum queue_memory_fault
fail_call(void *context, const char *worker, enum queue_memory_call call)
{
	bool is_lost = bench.is_lost && worker == NULL;

	(void)context, (void)call;
	bench.is_lost = bench.is_lost && !is_lost;
	return is_lost ? QUEUE_MEMORY_BEFORE : QUEUE_MEMORY_FINE;
}

/* While the coordinator waits, the workers work. */
static bool
pass_time(void *context, const char *name, int64_t timeout_ns)
{
	bool worked = false;

	(void)context, (void)name, (void)timeout_ns;
	if (++bench.waits == bench.raise_at)
		raise(SIGINT);
	if (bench.raise_on != NULL && strstr(bench.messages, bench.raise_on)) {
		bench.raise_on = NULL;
		raise(SIGINT);
	}
	if (bench.waits == bench.forget_at)
		forget();
	for (int i = 0; i < bench.worker_count; i++)
		worked |= work(
		    &bench.workers[(bench.waits + i) % bench.worker_count]);
	/* If no worker can work, the clock moves towards the end of a lease. */
	if (!worked)
		queue_memory_settings(bench.memory)->now_ns += SECOND_NS / 10;
	return worked;
}

/*
 * The caller.
 */

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	int64_t block = bench.next_game / BLOCK_GAMES;

	(void)dispatcher, (void)context;
	if (bench.next_game == bench.game_count || bench.signal_count > 0)
		return DISPATCHER_NO_MORE;
	*game = (struct game_spec){
		.index = (int)bench.next_game,
		.round = (int)block,
		.rotation = (int)(bench.next_game % BLOCK_GAMES),
		.entrant = { 0, 1 },
	};
	snprintf(game->event, sizeof(game->event), "round-%d", (int)block + 1);
	bench.next_game++;
	return DISPATCHER_GAME;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	char expected[64];
	int64_t block = bench.reported / BLOCK_GAMES;

	(void)dispatcher, (void)context;
	assert_int_equal(result->summary.game, bench.reported);
	write_record(expected, sizeof(expected), block);
	assert_int_equal(size, strlen(expected));
	assert_memory_equal(record, expected, size);
	/* Every fifth game is lost by an offence, whose fault is passed on. */
	assert_int_equal(
	    result->fault_entrant, bench.reported % 5 == 0 ? 1 : -1);
	if (result->fault_entrant == 1)
		assert_string_equal(result->fault.said, "nonsense");
	bench.reported++;
}

static void
on_tick(struct dispatcher *dispatcher, void *context)
{
	(void)context;
	bench.durable = bench.reported / BLOCK_GAMES;
	dispatcher_supply_again(dispatcher);
}

static void
on_signal(struct dispatcher *dispatcher, void *context, int signal, int count)
{
	(void)context;
	bench.signal_count = count;
	dispatcher_supply_again(dispatcher);
	if (count > 1)
		dispatcher_end(
		    dispatcher, DISPATCHER_INTERRUPTED, signal, STOP_ABORT);
}

/*
 * The configuration of the coordinator.
 */

static int
check(void *context, const struct job *job, const struct queue_result *result,
    struct result_checked *checked, struct scopa_text *why)
{
	(void)context, (void)why;
	assert_int_equal(job->name.block, result->name.block);
	assert_int_equal(job->game_count, BLOCK_GAMES);
	memset(checked, 0, sizeof(*checked));
	checked->game_count = BLOCK_GAMES;
	for (int i = 0; i < BLOCK_GAMES; i++) {
		struct game_result *game = &checked->games[i];

		game->summary.game = job->games[i].spec.index;
		game->fault_entrant = game->summary.game % 5 == 0 ? 1 : -1;
		strcpy(game->fault.said, "nonsense");
		checked->records[i] = result->record;
		checked->record_sizes[i] = result->record_size;
	}
	return 1;
}

static int64_t
durable(void *context)
{
	(void)context;
	return bench.durable;
}

static void
on_message(void *context, bool urgent, const char *sentence)
{
	size_t length = strlen(bench.messages);

	(void)context;
	bench.urgent_count += urgent;
	snprintf(bench.messages + length, sizeof(bench.messages) - length,
	    "%s\n", sentence);
}

static int
setup(void **state)
{
	static struct entrant entrants[2];
	struct queue_memory_settings *settings;

	(void)state;
	memset(&bench, 0, sizeof(bench));
	bench.memory = queue_memory_open();
	settings = queue_memory_settings(bench.memory);
	settings->wait = pass_time;
	settings->fault = fail_call;
	bench.queue = queue_memory_connect(bench.memory, NULL);
	bench.run = (struct queue_run){ .uid = "1234",
		.name = "cup",
		.engine = ENGINE,
		.lease_s = 1,
		.spec = "" };
	bench.config = (struct coordinator_config){
		.queue = bench.queue,
		.run = &bench.run,
		.block_games = BLOCK_GAMES,
		.window_max = 32,
		.check = check,
		.durable = durable,
		.speaker.say = on_message,
	};
	bench.dispatcher = (struct dispatcher_config){
		.entrants = entrants,
		.entrant_count = 2,
		.tick_ns = 1000000,
	};
	bench.dispatcher.rules.preset = scopa_preset_find("scopa");
	bench.dispatcher.rules.rules = bench.dispatcher.rules.preset->rules;
	bench.dispatcher.rules.root_key.bytes[0] = 7;
	bench.calls = (struct dispatcher_calls){ next_game, on_result,
		on_signal, on_tick };
	bench.deals_block = -1;
	bench.fails_block = 3;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	for (int i = 0; i < bench.worker_count; i++) {
		struct queue *queue = bench.workers[i].queue;

		queue->calls->close(queue);
	}
	bench.queue->calls->close(bench.queue);
	queue_memory_close(bench.memory);
	return 0;
}

static struct fake_worker *
add_worker(const char *name)
{
	struct fake_worker *worker = &bench.workers[bench.worker_count++];
	struct queue_worker self = {
		.cores = 2, .engine = ENGINE, .trusted = true
	};
	struct store_error error;

	*worker = (struct fake_worker){ .claims = 3 };
	snprintf(self.name, sizeof(self.name), "%s", name);
	assert_int_equal(
	    bench.queue->calls->worker_set(bench.queue, &self, NULL, &error),
	    QUEUE_DONE);
	worker->queue = queue_memory_connect(bench.memory, name);
	assert_int_equal(
	    worker->queue->calls->hello(worker->queue, &self, 0, &error),
	    QUEUE_DONE);
	return worker;
}

/* Plays all blocks after the last durable one. */
static struct dispatcher_outcome
play(int64_t blocks)
{
	bench.game_count = blocks * BLOCK_GAMES;
	bench.next_game = bench.reported = bench.durable * BLOCK_GAMES;
	bench.signal_count = 0;
	return coordinator_run(
	    &bench.config, &bench.dispatcher, &bench.calls, NULL);
}

/* All blocks are played and reported, none of them twice. */
static void
play_all(int64_t blocks)
{
	assert_int_equal(play(blocks).end, DISPATCHER_DONE);
	assert_int_equal(bench.reported, blocks * BLOCK_GAMES);
	for (int64_t i = 0; i < blocks; i++)
		assert_int_equal(bench.played[i], 1);
}

TEST_EACH(setup, teardown)

/*
 * The tests.
 */

/* The blocks that are put later have that many keys from the beginning. */
TEST(test_block_gets_as_many_keys_as_it_needs)
{
	bench.deals_needed = 100;
	bench.config.window_max = 4;
	add_worker("anna")->claims = 1;
	play_all(40);
	assert_true(bench.deals_seen >= 100);
	/* The first block, and perhaps the others of the window, which were put
	 * before. */
	assert_in_range(bench.keys_asked, 1, 4);
	assert_non_null(
	    strstr(bench.messages, "block 1 is played again with more keys"));
	assert_non_null(strstr(bench.messages, "from now on have more keys"));
}

TEST(test_one_long_game_does_not_change_the_keys_of_others)
{
	bench.deals_needed = 100;
	bench.deals_block = 30;
	bench.config.window_max = 4;
	add_worker("anna")->claims = 1;
	play_all(40);
	assert_int_equal(bench.keys_asked, 1);
	assert_int_equal(bench.deals_seen, 32);
}

TEST(test_more_packs_than_can_be_sent_are_reported)
{
	bench.deals_needed = INT_MAX;
	bench.deals_block = 3;
	add_worker("anna")->claims = 1;
	bench.raise_on = "resume RUN --store none";
	play(20);
	assert_int_equal(bench.reported, 3 * BLOCK_GAMES);
	assert_non_null(
	    strstr(bench.messages, "block 4 needs more than the 4096"));
}

TEST(test_block_that_fails_is_named_and_paused_until_resume)
{
	bench.fails = QUEUE_ATTEMPTS_MAX;
	add_worker("anna")->claims = 1;
	bench.raise_on = "block 4 is paused";
	play(20);
	/* The results of the blocks before it were reported. */
	assert_int_equal(bench.reported, 3 * BLOCK_GAMES);
	assert_non_null(strstr(bench.messages, "no bot starts"));

	bench.durable = 3;
	play_all(20);
}

TEST(test_second_copy_that_fails_is_named_and_put_again)
{
	char message[128];

	bench.fails = QUEUE_ATTEMPTS_MAX;
	bench.fails_copy = JOB_AUDIT;
	bench.fails_block = -1;
	bench.config.audit_rate = 1.0;
	add_worker("anna")->claims = 1;
	add_worker("bruno")->claims = 1;
	play_all(500);
	assert_int_equal(bench.fails, 0);
	snprintf(message, sizeof(message),
	    "the second copy of block %" PRId64
	    " has failed and is put again: no bot starts",
	    bench.fails_block + 1);
	assert_non_null(strstr(bench.messages, message));
}

TEST(test_after_a_signal_workers_finish_their_blocks)
{
	add_worker("anna")->claims = 4;
	add_worker("bruno")->claims = 1;
	bench.raise_at = 10;
	assert_int_equal(play(200).end, DISPATCHER_DONE);
	assert_int_equal(bench.signal_count, 1);
	assert_in_range(bench.reported, 2, 199 * BLOCK_GAMES);
	for (int i = 0; i < bench.worker_count; i++)
		assert_int_equal(bench.workers[i].claimed_count, 0);

	bench.raise_at = 0;
	bench.durable = bench.reported / BLOCK_GAMES;
	play_all(200);
}

TEST(test_blocks_that_the_server_has_lost_are_put_again)
{
	add_worker("anna")->claims = 4;
	bench.forget_at = 5;
	assert_int_equal(play(100).end, DISPATCHER_DONE);
	assert_int_equal(bench.reported, 100 * BLOCK_GAMES);
}

/* Before the first result has been read, or after it was accepted. */
TEST(test_two_results_of_one_attempt_quarantine_the_worker)
{
	for (int after = 0; after < 2; after++) {
		struct fake_worker *anna, *bruno;

		if (after > 0) {
			teardown(state);
			setup(state);
		}
		anna = add_worker("anna");
		bruno = add_worker("bruno");
		anna->claims = bruno->claims = 2;
		bruno->lies = true;
		bruno->lie_after = after;
		assert_int_equal(play(30).end, DISPATCHER_DONE);
		assert_int_equal(bench.reported, 30 * BLOCK_GAMES);
		assert_non_null(strstr(bench.messages,
		    "worker `bruno` is quarantined: its result of block"));
		assert_non_null(strstr(bench.messages,
		    "is refused: it has sent two results of one attempt"));
		assert_int_equal(bench.urgent_count, 1);
	}
}

TEST(test_refusal_of_the_queue_ends_the_run)
{
	struct queue_run other = bench.run;
	struct dispatcher_outcome outcome;
	struct store_error error;

	other.spec = "";
	assert_int_equal(
	    bench.queue->calls->run_begin(bench.queue, &other, &error),
	    QUEUE_DONE);
	assert_int_equal(
	    coordinator_end(bench.queue, &other, true, &error), QUEUE_DONE);
	outcome = play(5);
	assert_int_equal(outcome.end, DISPATCHER_FAILED);
	assert_int_equal(outcome.detail, -EREMOTEIO);
	assert_int_equal(bench.urgent_count, 1);
}
