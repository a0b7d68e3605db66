/*
 * The coordinator, with a queue in memory and workers that are functions: they
 * lose blocks, finish late, lie, and the server goes away.  Whatever happens,
 * each block is reported once, in the order of supply, as it was played.
 */
#include "coordinator.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
	char name[QUEUE_NAME_SIZE];
	struct queue *queue;
	struct job_name held[HOLD_MAX];
	int held_count;
	int claims; /* how many blocks it claims at once */
	bool lies, absent;
	/* In percent: that it forgets a block; that it is late for a lease. */
	int loses, sleeps;
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
	uint64_t random;

	/* The caller of the coordinator. */
	int64_t next_game, game_count;
	int64_t reported; /* games */
	int64_t durable;  /* blocks */
	int64_t first;    /* the block from which this call goes on */
	int wait_every;   /* blocks; 0: the caller always has a game */
	int64_t stop_at;  /* block that decides; -1: none */
	int signal_count;
	bool keeps_nothing; /* what is reported is never durable */
	bool hasty;         /* the first signal ends the call at once */

	/* What workers did. */
	char *texts[BLOCKS_MAX]; /* of the job of each block, the first time */
	int played[BLOCKS_MAX];  /* results that were taken */
	const char *auditor;     /* who alone plays second copies */
	int audited;
	int deals_needed, deals_seen;
	int64_t deals_block; /* that alone needs them; -1: all do */
	int keys_asked;
	int fails;            /* releases of block 3 with a failure */
	int waits, raise_at;  /* raises SIGINT in this wait; 0: never */
	const char *raise_on; /* and once this was said; NULL: never */
	int failure_rate;     /* of calls, in percent */
	int job_count_max;

	/* What was said. */
	char said[TEXT_SIZE];
	int urgent_count, away_count;
	int listed;
} bench;

static int
chance(int bound)
{
	return support_random_below(&bench.random, bound);
}

/*
 * Workers.
 */

static void
write_record(char *record, size_t size, int64_t block, bool lies)
{
	snprintf(record, size, "%s of block %" PRId64 "\n",
	    lies ? "lie" : "record", block);
}

static void
take_claim(void *context, const struct queue_claim *claim)
{
	struct fake_worker *worker = context;
	int64_t block = claim->name.block;
	static struct job job;
	struct scopa_text why = SCOPA_TEXT(256);
	const char *text;

	assert_true(worker->held_count < HOLD_MAX);
	worker->held[worker->held_count++] = claim->name;
	assert_true(job_read(&job, claim->job, &why));
	assert_int_equal(job.game_count, BLOCK_GAMES);
	bench.deals_seen = job.keys.deals;
	if (bench.deals_needed > 0)
		return;
	/* The packs are the same whenever a block is played. */
	text = strstr(claim->job, " round=");
	if (bench.texts[block] == NULL)
		bench.texts[block] = strdup(text);
	else
		assert_string_equal(bench.texts[block], text);
}

/* Ends the first block that the worker holds, in one way or another. */
static void
end_block(struct fake_worker *worker)
{
	struct queue *queue = worker->queue;
	struct job_name name = worker->held[0];
	char record[64];
	struct queue_finish finish = {
		.name = name, .head = "head\n", .record = record
	};
	struct store_error error;
	enum queue_status status;

	worker->held_count--;
	memmove(worker->held, worker->held + 1,
	    (size_t)worker->held_count * sizeof(worker->held[0]));
	if (chance(100) < worker->loses)
		return;
	if ((bench.deals_seen < bench.deals_needed &&
		(bench.deals_block < 0 || bench.deals_block == name.block)) ||
	    (bench.fails > 0 && name.block == 3)) {
		bench.fails -= bench.deals_needed == 0;
		bench.keys_asked += bench.deals_needed > 0;
		status = queue->calls->release(queue, bench.run.id, &name,
		    bench.deals_needed > 0 ? "keys deal=33" : "no bot starts",
		    &error);
		assert_int_equal(status, QUEUE_DONE);
		return;
	}
	write_record(record, sizeof(record), name.block, worker->lies);
	finish.record_size = strlen(record);
	do
		status = queue->calls->finish(
		    queue, bench.run.id, &finish, 1, &error);
	while (status == QUEUE_AWAY);
	assert_int_equal(status, QUEUE_DONE);
	if (finish.status == QUEUE_DONE && name.copy == JOB_COUNTS)
		bench.played[name.block]++;
	if (finish.status == QUEUE_DONE && name.copy == JOB_AUDIT) {
		assert_string_equal(worker->name, bench.auditor);
		bench.audited++;
	}
}

/* A worker does one thing.  Whether it did something. */
static bool
work(struct fake_worker *worker)
{
	struct queue *queue = worker->queue;
	struct store_error error;
	int held = worker->held_count;

	if (worker->absent)
		return false;
	if (held > 0) {
		if (chance(100) < worker->sleeps)
			queue_memory_settings(bench.memory)->now_ns +=
			    2 * SECOND_NS;
		end_block(worker);
		return true;
	}
	(void)queue->calls->claim(queue, bench.run.id, worker->claims, false,
	    take_claim, worker, &error);
	return worker->held_count > 0;
}

/* The coordinator waits: meanwhile workers work. */
static bool
pass_time(void *context, const char *name, int64_t timeout_ns)
{
	bool any = false;

	(void)context, (void)name, (void)timeout_ns;
	if (++bench.waits == bench.raise_at)
		raise(SIGINT);
	if (bench.raise_on != NULL && strstr(bench.said, bench.raise_on)) {
		bench.raise_on = NULL;
		raise(SIGINT);
	}
	/* Second copies are put only once a trusted worker is known. */
	if (bench.auditor != NULL && bench.waits > 1 &&
	    bench.listed < bench.worker_count)
		return false;
	for (int i = 0; i < bench.worker_count; i++)
		any |= work(
		    &bench.workers[(bench.waits + i) % bench.worker_count]);
	if (queue_memory_job_count(bench.memory, bench.run.id) >
	    bench.job_count_max)
		bench.job_count_max =
		    queue_memory_job_count(bench.memory, bench.run.id);
	/* Where all of them wait, only a lease that runs out helps. */
	if (!any)
		queue_memory_settings(bench.memory)->now_ns += SECOND_NS / 10;
	return any;
}

static enum queue_memory_fault
fail_calls(void *context, const char *worker, enum queue_memory_call call)
{
	(void)context, (void)call;
	if (worker != NULL || chance(100) >= bench.failure_rate)
		return QUEUE_MEMORY_FINE;
	return chance(2) == 0 ? QUEUE_MEMORY_BEFORE : QUEUE_MEMORY_AFTER;
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
	if (bench.wait_every > 0 && block % bench.wait_every == 0 &&
	    bench.reported < block * BLOCK_GAMES)
		return DISPATCHER_WAIT;
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

	(void)context;
	assert_int_equal(result->summary.game, bench.reported);
	write_record(expected, sizeof(expected), block, false);
	assert_int_equal(size, strlen(expected));
	assert_memory_equal(record, expected, size);
	/* Every fifth game is lost by an offence, which comes along. */
	assert_int_equal(
	    result->fault_entrant, bench.reported % 5 == 0 ? 1 : -1);
	if (result->fault_entrant == 1)
		assert_string_equal(result->fault.said, "nonsense");
	bench.reported++;
	if (bench.reported % BLOCK_GAMES == 0 && block == bench.stop_at)
		dispatcher_end(dispatcher, DISPATCHER_DONE, 0, STOP_ABORT);
}

static void
on_tick(struct dispatcher *dispatcher, void *context)
{
	(void)context;
	if (!bench.keeps_nothing)
		bench.durable = bench.reported / BLOCK_GAMES;
	dispatcher_supply_again(dispatcher);
}

static void
on_signal(struct dispatcher *dispatcher, void *context, int signal, int count)
{
	(void)context;
	bench.signal_count = count;
	dispatcher_supply_again(dispatcher);
	if (count > 1 || bench.hasty)
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
	(void)context;
	assert_int_equal(job->name.block, result->name.block);
	assert_int_equal(job->game_count, BLOCK_GAMES);
	if (strncmp(result->record, "record", 6) != 0) {
		scopa_text_string(why, "it is a lie");
		return 0;
	}
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
on_workers(void *context, const struct queue_worker *workers, int count)
{
	(void)context, (void)workers;
	bench.listed = count;
}

static void
say(void *context, bool urgent, const char *sentence)
{
	size_t length = strlen(bench.said);

	(void)context;
	bench.urgent_count += urgent;
	bench.away_count += strstr(sentence, "is away") != NULL;
	snprintf(
	    bench.said + length, sizeof(bench.said) - length, "%s\n", sentence);
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
		.on_workers = on_workers,
		.speaker.say = say,
	};
	bench.dispatcher = (struct dispatcher_config){
		.entrants = entrants,
		.entrant_count = 2,
		.tick_ns = 1000000,
	};
	bench.dispatcher.rules.preset = scopa_preset_find("scopa");
	bench.dispatcher.rules.rules = bench.dispatcher.rules.preset->rules;
	bench.dispatcher.rules.secret.bytes[0] = 7;
	bench.calls = (struct dispatcher_calls){ next_game, on_result,
		on_signal, on_tick };
	bench.stop_at = bench.deals_block = -1;
	bench.random = 1;
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
	for (int i = 0; i < BLOCKS_MAX; i++)
		free(bench.texts[i]);
	return 0;
}

/* Finds a worker by its name, which is cleared. */
static void
take_name(void *context, const struct queue_worker *worker)
{
	char *name = context;

	if (worker->quarantined && strcmp(worker->name, name) == 0)
		name[0] = '\0';
}

static bool
is_quarantined(const char *worker)
{
	struct store_error error;
	char name[QUEUE_NAME_SIZE];

	snprintf(name, sizeof(name), "%s", worker);
	assert_int_equal(bench.queue->calls->workers(
			     bench.queue, 0, take_name, name, &error),
	    QUEUE_DONE);
	return name[0] == '\0';
}

/* `+NAME`: the organiser trusts it. */
static struct fake_worker *
add_worker(const char *name)
{
	struct fake_worker *worker = &bench.workers[bench.worker_count++];
	struct queue_worker self = { .cores = 2,
		.engine = ENGINE,
		.trusted = strchr(name, '+') != NULL };
	struct store_error error;

	*worker = (struct fake_worker){ .claims = 3 };
	name += self.trusted;
	snprintf(worker->name, sizeof(worker->name), "%s", name);
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

/* Plays on from the block that is durable. */
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

TEST(test_blocks_are_reported_in_order_and_leave_the_queue)
{
	add_worker("anna");
	add_worker("bruno")->claims = 1;
	add_worker("carla")->claims = 7;
	play_all(200);
	assert_int_equal(bench.urgent_count, 0);
	assert_non_null(strstr(bench.said, "counted of worker `carla`:"));
	assert_int_equal(bench.listed, 3);
	/* Those that became durable last may still be there. */
	assert_true(bench.job_count_max <= 2 * bench.config.window_max);
}

TEST(test_the_window_bounds_what_lies_in_the_queue)
{
	bench.config.window_max = 5;
	bench.keeps_nothing = true;
	add_worker("anna")->claims = 8;
	play_all(5);
	assert_int_equal(bench.job_count_max, 5);
	/* What is not durable stays there. */
	assert_int_equal(
	    queue_memory_result_count(bench.memory, bench.run.id), 5);
}

TEST(test_a_caller_may_need_results_first)
{
	bench.wait_every = 4;
	add_worker("anna");
	add_worker("bruno");
	play_all(50);
}

TEST(test_lost_and_late_blocks_are_played_again)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		if (seed > 1) {
			teardown(NULL);
			setup(NULL);
		}
		bench.random = seed;
		add_worker("anna")->loses = 20;
		add_worker("bruno")->sleeps = 30;
		add_worker("carla");
		assert_int_equal(play(60).end, DISPATCHER_DONE);
		assert_int_equal(bench.reported, 60 * BLOCK_GAMES);
	}
}

TEST(test_lies_are_refused_and_played_by_others)
{
	struct fake_worker *liar = add_worker("luca");

	liar->lies = true;
	add_worker("anna");
	assert_int_equal(play(40).end, DISPATCHER_DONE);
	assert_int_equal(bench.reported, 40 * BLOCK_GAMES);
	assert_non_null(strstr(bench.said, "the result of worker `luca`"));
	assert_non_null(strstr(bench.said, "it is a lie"));
	assert_null(strstr(bench.said, "the result of worker `anna`"));
	/* The first lie is enough; what else it had handed in is refused. */
	assert_non_null(strstr(bench.said, "worker `luca` is quarantined"));
	assert_int_equal(bench.urgent_count, 1);
	assert_true(is_quarantined("luca"));
	assert_false(is_quarantined("anna"));
}

TEST(test_a_server_that_is_away_is_waited_for)
{
	struct queue_memory_settings *settings =
	    queue_memory_settings(bench.memory);

	settings->fault = fail_calls;
	bench.failure_rate = 3;
	add_worker("anna");
	add_worker("bruno");
	play_all(100);
	/* It is told once each time it goes, and once each time it is back. */
	assert_true(bench.away_count >= 1);
	assert_in_range(
	    bench.urgent_count, 2 * bench.away_count - 1, 2 * bench.away_count);
}

TEST(test_results_of_an_earlier_call_are_used)
{
	bench.config.window_max = 16;
	bench.keeps_nothing = true;
	add_worker("anna")->claims = 8;
	add_worker("bruno")->claims = 8;
	/* It ends as if it had been killed: nothing is cancelled. */
	bench.hasty = true;
	bench.raise_at = 10;
	assert_int_equal(play(100).end, DISPATCHER_INTERRUPTED);
	/* Two blocks became durable, but they are still in the queue. */
	assert_in_range(bench.reported, 2 * BLOCK_GAMES, 100 * BLOCK_GAMES);
	assert_in_range(queue_memory_result_count(bench.memory, bench.run.id),
	    bench.reported / BLOCK_GAMES, 100);

	bench.keeps_nothing = false;
	bench.raise_at = 0;
	bench.durable = 2;
	play_all(100);
}

/* And those that begin later have as many from then on. */
TEST(test_a_block_gets_as_many_keys_as_it_needs)
{
	bench.deals_needed = 100;
	bench.config.window_max = 4;
	add_worker("anna")->claims = 1;
	play_all(40);
	assert_true(bench.deals_seen >= 100);
	/* The first one; the others of the window were put before. */
	assert_in_range(bench.keys_asked, 1, 4);
	assert_non_null(
	    strstr(bench.said, "block 1 is played again with more keys"));
	assert_non_null(strstr(bench.said, "from now on have more keys"));
}

TEST(test_one_long_game_changes_the_keys_of_no_other)
{
	bench.deals_needed = 100;
	bench.deals_block = 30;
	bench.config.window_max = 4;
	add_worker("anna")->claims = 1;
	play_all(40);
	assert_int_equal(bench.keys_asked, 1);
	assert_int_equal(bench.deals_seen, 32);
}

TEST(test_more_packs_than_can_be_sent_are_told)
{
	bench.deals_needed = INT_MAX;
	bench.deals_block = 3;
	add_worker("anna")->claims = 1;
	bench.raise_on = "resume RUN --store none";
	play(20);
	assert_int_equal(bench.reported, 3 * BLOCK_GAMES);
	assert_non_null(strstr(bench.said, "block 4 needs more than the 4096"));
}

TEST(test_a_block_that_fails_is_named_and_waits_for_resume)
{
	bench.fails = QUEUE_ATTEMPTS_MAX;
	add_worker("anna")->claims = 1;
	bench.raise_on = "block 4 is paused";
	play(20);
	/* The blocks before it were reported. */
	assert_int_equal(bench.reported, 3 * BLOCK_GAMES);
	assert_non_null(strstr(bench.said, "no bot starts"));

	bench.durable = 3;
	play_all(20);
}

TEST(test_after_a_signal_workers_end_what_they_have)
{
	add_worker("anna")->claims = 4;
	add_worker("bruno")->claims = 1;
	bench.raise_at = 10;
	assert_int_equal(play(200).end, DISPATCHER_DONE);
	assert_int_equal(bench.signal_count, 1);
	assert_in_range(bench.reported, 2, 199 * BLOCK_GAMES);
	for (int i = 0; i < bench.worker_count; i++)
		assert_int_equal(bench.workers[i].held_count, 0);

	bench.raise_at = 0;
	bench.durable = bench.reported / BLOCK_GAMES;
	play_all(200);
}

TEST(test_a_verdict_cancels_later_blocks)
{
	add_worker("anna");
	bench.stop_at = 20;
	assert_int_equal(play(200).end, DISPATCHER_DONE);
	assert_int_equal(bench.reported, 21 * BLOCK_GAMES);
	assert_int_equal(bench.played[100], 0);
	/* All that is left are blocks that were reported. */
	assert_in_range(
	    queue_memory_job_count(bench.memory, bench.run.id), 0, 21);
}

TEST(test_what_the_queue_refuses_ends_the_call)
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

TEST(test_trusted_workers_play_blocks_once_more)
{
	bench.config.audit_rate = 0.5;
	bench.auditor = "carla";
	add_worker("anna");
	add_worker("bruno");
	add_worker("+carla")->claims = 1;
	play_all(200);
	/* At the end they are awaited. */
	assert_in_range(bench.audited, 20, 180);
	assert_int_equal(queue_memory_job_count(bench.memory, bench.run.id) -
		queue_memory_result_count(bench.memory, bench.run.id),
	    0);
	assert_int_equal(bench.urgent_count, 0);
}

TEST(test_a_second_copy_that_nobody_plays_holds_nothing_up)
{
	bench.config.audit_rate = 1;
	add_worker("anna");
	add_worker("+bruno")->absent = true;
	play_all(50);
	assert_int_equal(bench.audited, 0);
}
