/*
 * A worker that is stopped, cannot play or reports a loss, with a queue in
 * memory and games that a test ends: without processes, and with a clock that
 * only the test advances.  Leases and late results are tested in tests/fleet.
 */
#include "remote_worker.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "queue_contract.h"
#include "queue_memory.h"
#include "test.h"

enum { LANES = 2, LEASE_S = 8, SAID_SIZE = 16384 };

#define ENGINE "0.0.0 usp=1 sources=0"

/* Replaces the dispatcher: a number of lanes with games. */
struct lanes {
	struct dispatcher dispatcher; /* the first member */
	struct remote_worker *worker;
	struct game_spec games[LANES];
	bool busy[LANES];
	bool waiting, all_given, ended;
	bool held; /* supply() does nothing, so that lanes stay free */
	enum stop_mode order;
};

static struct queue_memory *memory;
static struct queue *organiser, *queue;
static struct queue_run run;
static struct queue_worker self;
static struct signing_key key;
static struct dispatcher_config play;
static struct remote_worker_config config;
static struct lanes lanes;
static struct store_error why;
static char messages[SAID_SIZE];

static int64_t
now_ns(void)
{
	return queue_memory_settings(memory)->now_ns;
}

static void
must(enum queue_status status)
{
	queue_contract_must(status, &why);
}

static void
on_message(void *context, bool urgent, const char *sentence)
{
	size_t length = strlen(messages);

	(void)context;
	snprintf(messages + length, SAID_SIZE - length, "%s%s\n",
	    urgent ? "! " : "", sentence);
}

/*
 * The lanes.
 */

static void
lanes_end(struct dispatcher *dispatcher, enum dispatcher_end end, int detail,
    enum stop_mode order)
{
	(void)dispatcher, (void)end, (void)detail;
	lanes.ended = true;
	lanes.order = order;
}

static void
lanes_supply_again(struct dispatcher *dispatcher)
{
	(void)dispatcher;
	lanes.waiting = false;
}

/* Gives games to the free lanes. */
static void
supply(void)
{
	for (int lane = 0; lane < LANES; lane++) {
		if (lanes.busy[lane] || lanes.held || lanes.ended ||
		    lanes.waiting || lanes.all_given)
			continue;
		switch (remote_worker_calls.next(
		    &lanes.dispatcher, lanes.worker, &lanes.games[lane])) {
		case DISPATCHER_GAME:
			lanes.busy[lane] = true;
			break;
		case DISPATCHER_WAIT:
			lanes.waiting = true;
			break;
		case DISPATCHER_NO_MORE:
			lanes.all_given = true;
			break;
		}
	}
}

/* Advances the clock, and calls the tick. */
static void
pass(int64_t ns)
{
	queue_memory_settings(memory)->now_ns += ns;
	remote_worker_calls.on_tick(&lanes.dispatcher, lanes.worker);
	supply();
}

/* Advances the clock by seconds, with ticks between. */
static void
pass_seconds(int seconds)
{
	for (int i = 0; i < 10 * seconds; i++)
		pass(CLOCK_NS_PER_S / 10);
}

/* The members that are equal in all results of games. */
static struct game_result
begin_result(int lane)
{
	struct game_result result = {
		.summary = { .game = lanes.games[lane].index,
		    .reason = "target",
		    .seat_count = 2 },
		.keys = lanes.games[lane].keys,
		.fault_entrant = -1,
		.fault.seat = -1,
	};

	assert_true(lanes.busy[lane]);
	return result;
}

static void
report(int lane, const struct game_result *result)
{
	char record[64];

	snprintf(
	    record, sizeof(record), "game %d\n", lanes.games[lane].index + 1);
	lanes.busy[lane] = false;
	lanes.waiting = false;
	remote_worker_calls.on_result(
	    &lanes.dispatcher, lanes.worker, result, record, strlen(record));
	supply();
}

/* The game of a lane ends with a result. */
static void
end_game(int lane)
{
	struct game_result result = begin_result(lane);

	report(lane, &result);
}

/* Both games of a block end, and the clock advances. */
static void
end_block(int64_t ns)
{
	end_game(0);
	end_game(1);
	pass(ns);
}

/* A bot in the game of a lane makes a move. */
static void
move(int lane)
{
	const struct dispatcher_config *used =
	    remote_worker_dispatcher(lanes.worker);
	struct deal_keys_slot *slot =
	    deal_keys_slot(used->rules.deal_keys, lanes.games[lane].keys - 1);

	atomic_fetch_add(&slot->progress, 1);
}

static void
raise_signal(int number, int count)
{
	remote_worker_calls.on_signal(
	    &lanes.dispatcher, lanes.worker, number, count);
}

/*
 * The queue, as the organiser sees it.
 */

static int results_count;

static void
store_result(void *context, const struct queue_result *result)
{
	static struct result_head head;
	uint8_t digest[32];
	struct scopa_text text = SCOPA_TEXT(256);

	(void)context;
	assert_true(signing_verify(
	    key.public, result->head, strlen(result->head), result->signature));
	assert_true(result_head_read(&head, result->head, &text));
	assert_string_equal(head.run, run.uid);
	assert_int_equal(head.name.block, result->name.block);
	assert_int_equal(head.name.attempt, result->name.attempt);
	assert_int_equal(head.record_size, result->record_size);
	crypto_hash_sha256(
	    digest, (const unsigned char *)result->record, result->record_size);
	assert_memory_equal(digest, head.digest, sizeof(digest));
	results_count++;
}

/* The number of results in the queue. */
static int
count_results(void)
{
	int64_t cursor = 0;
	int before;

	results_count = 0;
	do {
		before = results_count;
		must(organiser->calls->results(
		    organiser, run.id, &cursor, store_result, NULL, &why));
	} while (results_count > before);
	return results_count;
}

static char paused[2048];

static void
on_paused(void *context, const struct queue_paused *pause)
{
	size_t length = strlen(paused);

	(void)context;
	snprintf(paused + length, sizeof(paused) - length, "%d: %s\n",
	    (int)pause->name.block, pause->reason);
}

static const char *
find_paused(void)
{
	paused[0] = '\0';
	must(
	    organiser->calls->paused(organiser, run.id, on_paused, NULL, &why));
	return paused;
}

/* The number of blocks that another worker has claimed. */
static int other_count;

static void
count_claim(void *context, const struct queue_claim *claim)
{
	(void)context, (void)claim;
	other_count++;
}

static int
claim_by_other(int count)
{
	struct queue *other = queue_memory_connect(memory, "bruno");
	struct queue_worker bruno = self;

	strcpy(bruno.name, "bruno");
	other_count = 0;
	must(other->calls->hello(other, &bruno, 0, &why));
	must(other->calls->claim(
	    other, run.id, count, false, count_claim, NULL, &why));
	other->calls->close(other);
	return other_count;
}

static void
enrol(const char *name, bool revoked)
{
	struct queue_worker worker = { .trusted = true, .revoked = revoked };

	strcpy(worker.name, name);
	memcpy(worker.key, key.public, sizeof(worker.key));
	must(organiser->calls->worker_set(organiser, &worker, NULL, &why));
}

/* How the calls of the worker fail. */
static enum queue_memory_fault failure;

/* Whether it has said hello since the last failure.  It must before a claim. */
static bool greeted;

static enum queue_memory_fault
fail_worker(void *context, const char *worker, enum queue_memory_call call)
{
	(void)context;
	if (worker == NULL)
		return QUEUE_MEMORY_FINE;
	if (failure != QUEUE_MEMORY_FINE)
		greeted = false;
	else if (call == QUEUE_MEMORY_HELLO)
		greeted = true;
	else if (call == QUEUE_MEMORY_CLAIM)
		assert_true(greeted);
	return failure;
}

/* Starts a worker for a run with this many blocks; its lanes have games. */
static void
open_worker(int blocks)
{
	static const uint8_t seed[crypto_sign_SEEDBYTES] = { 1 };

	messages[0] = '\0';
	failure = QUEUE_MEMORY_FINE;
	crypto_sign_seed_keypair(key.public, key.secret, seed);
	memory = queue_memory_open();
	queue_memory_settings(memory)->fault = fail_worker;
	organiser = queue_memory_connect(memory, NULL);
	enrol("anna", false);
	enrol("bruno", false);
	run = (struct queue_run){ .spec = "", .lease_s = LEASE_S };
	strcpy(run.uid, "0123456789abcdef0123456789abcdef");
	strcpy(run.name, "cup");
	strcpy(run.engine, ENGINE);
	queue_contract_begin(organiser, &run);
	queue_contract_put(organiser, run.id, 0, blocks);

	queue = queue_memory_connect(memory, "anna");
	self = (struct queue_worker){ .cores = LANES };
	strcpy(self.name, "anna");
	strcpy(self.engine, ENGINE);
	memcpy(self.key, key.public, sizeof(self.key));
	must(queue->calls->hello(queue, &self, 0, &why));
	play = (struct dispatcher_config){
		.rules.rules.players = 2,
		.entrant_count = 2,
		.concurrency = LANES,
	};
	config = (struct remote_worker_config){
		.queue = queue,
		.run = &run,
		.self = &self,
		.key = &key,
		.idle_ns = 30 * CLOCK_NS_PER_S,
		.stop_grace_ns = 20 * CLOCK_NS_PER_S,
		.now_ns = now_ns,
		.speaker.say = on_message,
	};
	lanes = (struct lanes){
		.dispatcher = { lanes_end, lanes_supply_again },
	};
	assert_int_equal(remote_worker_open(&lanes.worker, &config, &play), 0);
	supply();
}

static struct remote_worker_outcome
close_worker(void)
{
	struct remote_worker_outcome outcome = remote_worker_close(lanes.worker,
	    (struct dispatcher_outcome){ .end = DISPATCHER_DONE });

	lanes.worker = NULL;
	return outcome;
}

static int
close_all(void **state)
{
	(void)state;
	if (lanes.worker != NULL)
		(void)close_worker();
	queue_memory_close(memory);
	return 0;
}

TEST_EACH(NULL, close_all)

/*
 * The tests.
 */

TEST(test_worker_whose_games_hang_ends_and_loses_its_blocks)
{
	open_worker(1);
	pass_seconds(LEASE_S + 1);
	assert_int_equal(claim_by_other(1), 1);
	assert_false(lanes.ended);
	pass_seconds(LEASE_S / 2);
	assert_true(lanes.ended);
	assert_int_equal(lanes.order, STOP_ABORT);
	assert_non_null(
	    strstr(messages, "no bot has made a move since its last renewal"));
	assert_int_equal(close_worker().end, REMOTE_WORKER_IDLE);
	assert_string_equal(find_paused(), "");
}

TEST(test_lost_block_that_is_still_played_disturbs_no_other)
{
	open_worker(2);
	move(0);
	queue_memory_settings(memory)->now_ns += 2 * LEASE_S * CLOCK_NS_PER_S;
	assert_int_equal(claim_by_other(1), 1);
	pass(CLOCK_NS_PER_MS);
	assert_non_null(strstr(messages, "block 1 has lost its lease"));
	assert_false(lanes.ended);
	end_game(0);
	end_game(0);
	assert_int_equal(lanes.games[0].index, 3);
	end_game(1);
	end_game(0);
	pass(CLOCK_NS_PER_MS);
	assert_int_equal(count_results(), 1);
}

TEST(test_results_are_sent_after_the_server_is_back)
{
	open_worker(8);
	failure = QUEUE_MEMORY_BEFORE;
	end_block(CLOCK_NS_PER_MS);
	assert_int_equal(count_results(), 0);
	assert_non_null(strstr(messages, "! the server cannot be reached"));
	pass_seconds(600);
	failure = QUEUE_MEMORY_FINE;
	pass_seconds(60);
	assert_non_null(strstr(messages, "! the server is back"));
	assert_int_equal(count_results(), 1);
	assert_true(lanes.busy[0]);
}

/* Nobody can say that there are blocks while the server is away. */
TEST(test_worker_without_a_block_looks_for_one_after_the_server_is_back)
{
	open_worker(0);
	failure = QUEUE_MEMORY_BEFORE;
	pass_seconds(600);
	assert_non_null(strstr(messages, "! the server cannot be reached"));
	queue_contract_put(organiser, run.id, 0, 1);
	failure = QUEUE_MEMORY_FINE;
	pass_seconds(60);
	assert_non_null(strstr(messages, "! the server is back"));
	assert_false(lanes.ended);
	assert_true(lanes.busy[0]);
}

TEST(test_worker_says_hello_on_a_new_connection_before_it_claims)
{
	open_worker(8);
	pass(CLOCK_NS_PER_MS);
	failure = QUEUE_MEMORY_BEFORE;
	end_block(CLOCK_NS_PER_MS);
	failure = QUEUE_MEMORY_FINE;
	pass_seconds(3);
	assert_int_equal(count_results(), 1);
	assert_true(lanes.busy[0]);
}

TEST(test_a_claim_that_the_server_has_lost_is_played_once)
{
	open_worker(1);
	must(organiser->calls->cancel(organiser, run.id, 0, &why));
	queue_contract_put(organiser, run.id, 0, 1);
	end_game(0);
	assert_int_equal(queue_memory_counts(memory)->claimed, 2);
	assert_false(lanes.busy[0]);
	end_game(1);
	pass(CLOCK_NS_PER_MS);
	assert_int_equal(count_results(), 1);
}

TEST(test_too_few_keys_are_reported)
{
	struct game_result result;

	open_worker(2);
	result = begin_result(0);
	result.lacks_keys = true;
	strcpy(result.summary.reason, "abort");
	report(0, &result);
	end_game(1);
	pass(CLOCK_NS_PER_MS);
	assert_string_equal(find_paused(), "0: keys\n");
	assert_int_equal(count_results(), 0);
	assert_true(lanes.busy[0]);
}

TEST(test_bot_that_cannot_be_started_on_a_worker_loses_no_game)
{
	struct remote_worker_outcome outcome;
	struct game_result result;

	open_worker(2);
	result = begin_result(0);
	strcpy(result.summary.names[1], "tortoise");
	strcpy(result.fault.reason, "EXEC_FAIL(ENOENT)");
	result.fault.seat = 1;
	report(0, &result);
	assert_true(lanes.ended);
	outcome = close_worker();
	assert_int_equal(outcome.end, REMOTE_WORKER_UNFIT);
	assert_string_equal(outcome.error.what,
	    "the bot \"tortoise\" cannot be started: EXEC_FAIL(ENOENT)");
	assert_int_equal(count_results(), 0);
	assert_int_equal(claim_by_other(4), 2);
}

TEST(test_job_that_cannot_be_played_is_released)
{
	struct job *job = calloc(1, sizeof(*job));

	open_worker(0);
	queue_contract_job(job, 0, JOB_COUNTS);
	job->games[1].spec.entrant[0] = 2;
	must(organiser->calls->put(organiser, run.id, job, 1, &why));
	queue_contract_put(organiser, run.id, 1, 1);
	free(job);
	pass_seconds(10);
	assert_non_null(strstr(messages,
	    "! block 1 is given back: the job cannot be read: it names a bot "
	    "that the run lacks"));
	assert_int_equal(lanes.games[0].index, 2);
	assert_non_null(strstr(find_paused(), "0: "));
}

TEST(test_signal_lets_games_end_and_releases_the_other_blocks)
{
	struct remote_worker_outcome outcome;

	open_worker(100);
	for (int block = 0; block < 12; block++) {
		end_block(CLOCK_NS_PER_S / 10);
	}
	/* The second game of this block has not begun. */
	lanes.held = true;
	end_game(0);
	end_game(1);
	lanes.held = false;
	lanes.busy[1] = true;
	supply();
	lanes.busy[1] = false;
	raise_signal(SIGTERM, 1);
	supply();
	assert_false(lanes.ended);
	end_game(0);
	end_game(1);
	assert_true(lanes.all_given);
	outcome = close_worker();
	assert_int_equal(outcome.end, REMOTE_WORKER_STOPPED);
	assert_int_equal(outcome.detail, SIGTERM);
	assert_int_equal(count_results(), 14);
	assert_int_equal(claim_by_other(100), 86);
	assert_string_equal(find_paused(), "");
}

TEST(test_grace_time_or_second_signal_aborts_games)
{
	for (int second = 0; second < 2; second++) {
		open_worker(4);
		raise_signal(SIGTERM, 1);
		if (second)
			raise_signal(SIGINT, 2);
		else
			for (int i = 0; i < 20; i++) {
				assert_false(lanes.ended);
				move(0);
				pass(CLOCK_NS_PER_S);
			}
		assert_true(lanes.ended);
		assert_int_equal(lanes.order, STOP_ABORT);
		assert_int_equal(close_worker().end, REMOTE_WORKER_STOPPED);
		assert_int_equal(claim_by_other(4), 4);
		if (!second)
			queue_memory_close(memory);
	}
}

/* The game of a lane ends, because its bot cannot be started. */
static void
end_unfit(int lane)
{
	struct game_result result = begin_result(lane);

	strcpy(result.fault.reason, "EXEC_FAIL(ENOENT)");
	result.fault.seat = 1;
	report(lane, &result);
}

TEST(test_worker_that_was_stopped_stays_stopped)
{
	for (int unfit = 0; unfit < 2; unfit++) {
		open_worker(1);
		pass_seconds(LEASE_S + 1);
		raise_signal(SIGTERM, 1);
		assert_int_equal(claim_by_other(1), 1);
		if (unfit)
			end_unfit(0);
		else
			pass_seconds(LEASE_S / 2);
		assert_true(lanes.ended);
		assert_int_equal(close_worker().end, REMOTE_WORKER_STOPPED);
		if (!unfit)
			queue_memory_close(memory);
	}
}

TEST(test_results_that_cannot_be_sent_are_reported)
{
	int64_t begin_ns;

	open_worker(2);
	failure = QUEUE_MEMORY_BEFORE;
	end_block(CLOCK_NS_PER_MS);
	begin_ns = now_ns();
	assert_int_equal(close_worker().blocks, 0);
	assert_true(now_ns() - begin_ns >= 10 * CLOCK_NS_PER_S);
	assert_non_null(strstr(messages, "! 1 result could not be sent"));
}

static const volatile sig_atomic_t stop_signal = SIGTERM;

TEST(test_signal_before_the_dispatcher_starts_stops_the_worker)
{
	open_worker(2);
	config.stop_signal = &stop_signal;
	pass(CLOCK_NS_PER_MS);
	end_game(0);
	end_game(1);
	assert_true(lanes.all_given);
	assert_int_equal(close_worker().end, REMOTE_WORKER_STOPPED);
	assert_int_equal(count_results(), 1);
}

TEST(test_signal_before_the_dispatcher_starts_counts_as_its_first)
{
	open_worker(2);
	config.stop_signal = &stop_signal;
	pass(CLOCK_NS_PER_MS);
	assert_false(lanes.ended);
	raise_signal(SIGTERM, 1);
	assert_true(lanes.ended);
	assert_int_equal(lanes.order, STOP_ABORT);
	raise_signal(SIGTERM, 2);
	assert_int_equal(lanes.order, STOP_KILL);
}

TEST(test_revoked_worker_ends)
{
	struct remote_worker_outcome outcome;

	open_worker(2);
	enrol("anna", true);
	pass_seconds(LEASE_S);
	assert_true(lanes.ended);
	outcome = close_worker();
	assert_int_equal(outcome.end, REMOTE_WORKER_REFUSED);
	assert_true(outcome.error.what[0] != '\0');
}
