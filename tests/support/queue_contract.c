/*
 * The workers are `anna` and `bruno`, whom the organiser trusts, and `carla`.
 * Their connections are opened when they are first used.
 */
#include "queue_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

#define SECOND_NS INT64_C(1000000000)
#define ENGINE "0.0.0 usp=1 sources=0"

enum { CLAIMS_MAX = 16, TEXT_SIZE = 256 };

enum person { ANNA, BRUNO, CARLA };

static const char *const names[] = { "anna", "bruno", "carla" };

static struct store_error why;

/* Whoever claims plays a block that was lost. */
static bool busy;

/* What the calls have handed out last. */
static struct {
	int count;
	struct job_name names[CLAIMS_MAX];
	bool were_lost[CLAIMS_MAX];
	char texts[CLAIMS_MAX][TEXT_SIZE]; /* its beginning */
} claimed;

static struct {
	int count;
	struct job_name names[CLAIMS_MAX];
	char workers[CLAIMS_MAX][QUEUE_NAME_SIZE];
	char records[CLAIMS_MAX][TEXT_SIZE];
	bool quarantined[CLAIMS_MAX], conflict[CLAIMS_MAX];
} got;

static struct {
	int count;
	struct job_name names[CLAIMS_MAX];
	char reasons[CLAIMS_MAX][STORE_TEXT_SIZE];
} paused;

static struct {
	int count;
	struct queue_worker workers[CLAIMS_MAX];
} listed;

static struct {
	int count;
	int64_t ids[CLAIMS_MAX];
	char refusals[CLAIMS_MAX][TEXT_SIZE];
} runs;

static void
take_claim(void *context, const struct queue_claim *claim)
{
	(void)context;
	assert_true(claimed.count < CLAIMS_MAX);
	claimed.names[claimed.count] = claim->name;
	claimed.were_lost[claimed.count] = claim->was_lost;
	snprintf(
	    claimed.texts[claimed.count++], TEXT_SIZE, "%.200s", claim->job);
}

static void
take_result(void *context, const struct queue_result *result)
{
	(void)context;
	assert_true(got.count < CLAIMS_MAX);
	got.names[got.count] = result->name;
	strcpy(got.workers[got.count], result->worker);
	got.quarantined[got.count] = result->quarantined;
	got.conflict[got.count] = result->conflict;
	snprintf(got.records[got.count++], TEXT_SIZE, "%s|%.*s|%02x",
	    result->head, (int)result->record_size, result->record,
	    result->signature[SIGNING_SIGNATURE_SIZE - 1]);
}

static void
take_paused(void *context, const struct queue_paused *pause)
{
	(void)context;
	assert_true(paused.count < CLAIMS_MAX);
	paused.names[paused.count] = pause->name;
	strcpy(paused.reasons[paused.count++], pause->reason);
}

static void
take_worker(void *context, const struct queue_worker *worker)
{
	(void)context;
	assert_true(listed.count < CLAIMS_MAX);
	listed.workers[listed.count++] = *worker;
}

static void
take_run(void *context, const struct queue_run *run, const char *refusal)
{
	(void)context;
	assert_true(runs.count < CLAIMS_MAX);
	runs.ids[runs.count] = run->id;
	snprintf(runs.refusals[runs.count++], TEXT_SIZE, "%s",
	    refusal != NULL ? refusal : "");
}

/* --- steps of the tests */

void
queue_contract_key(const char *worker, uint8_t key[SIGNING_PUBLIC_SIZE])
{
	memset(key, worker[0], SIGNING_PUBLIC_SIZE);
}

void
queue_contract_job(struct job *job, int64_t block, int copy)
{
	memset(job, 0, sizeof(*job));
	job->name.block = block;
	job->name.copy = copy;
	job->game_count = job->seat_count = 2;
	for (int game = 0; game < job->game_count; game++) {
		struct game_spec *spec = &job->games[game].spec;

		spec->index = (int)(block * 2 + game);
		spec->rotation = game;
		spec->entrant[game] = 1;
		strcpy(spec->event, "round-1");
	}
	job->keys.deals = job->keys.redeals = 1;
}

static struct queue_worker
make_worker(enum person person)
{
	struct queue_worker worker = { .trusted = person != CARLA };

	strcpy(worker.name, names[person]);
	queue_contract_key(worker.name, worker.key);
	return worker;
}

static void
set_worker(struct queue_bench *bench, const struct queue_worker *worker,
    const char *password)
{
	assert_int_equal(bench->organiser->calls->worker_set(
			     bench->organiser, worker, password, &why),
	    QUEUE_DONE);
}

/* What a worker tells of itself. */
static struct queue_worker
introduce(enum person person)
{
	struct queue_worker worker = make_worker(person);

	worker.trusted = false;
	strcpy(worker.engine, ENGINE);
	strcpy(worker.labels, person == CARLA ? "fast" : "fast,big");
	strcpy(worker.host, "host");
	worker.cores = 2;
	worker.speed = 1.5;
	return worker;
}

static struct queue *
worker(struct queue_bench *bench, enum person person)
{
	struct queue_worker self = introduce(person);
	struct queue *queue;
	int64_t now_ns;

	if (bench->workers[person] != NULL)
		return bench->workers[person];
	queue = bench->workers[person] = bench->connect(bench, names[person]);
	assert_int_equal(queue->calls->now(queue, &now_ns, &why), QUEUE_DONE);
	assert_int_equal(
	    queue->calls->hello(queue, &self, now_ns, &why), QUEUE_DONE);
	return queue;
}

static struct queue_run
make_run(const char *uid)
{
	struct queue_run run = { .spec = "[tournament]\n", .lease_s = 60 };

	snprintf(run.uid, sizeof(run.uid), "%s", uid);
	strcpy(run.name, "cup");
	strcpy(run.engine, ENGINE);
	return run;
}

static int64_t
begin(struct queue_bench *bench, struct queue_run *run)
{
	assert_int_equal(
	    bench->organiser->calls->run_begin(bench->organiser, run, &why),
	    QUEUE_DONE);
	assert_true(run->id > 0);
	assert_int_equal(bench->organiser->calls->run_set(
			     bench->organiser, run->id, "open", &why),
	    QUEUE_DONE);
	return run->id;
}

/* Everybody is enrolled, and one run is open. */
static struct queue_bench *
prepare(void **state)
{
	struct queue_bench *bench = *state;
	struct queue_run run = make_run("0123456789abcdef0123456789abcdef");

	busy = false;
	bench->organiser = bench->connect(bench, NULL);
	for (int i = 0; i < QUEUE_CONTRACT_WORKERS; i++) {
		struct queue_worker one = make_worker((enum person)i);

		bench->workers[i] = NULL;
		set_worker(bench, &one, bench->password);
	}
	bench->run = begin(bench, &run);
	return bench;
}

static void
end(struct queue_bench *bench)
{
	for (int i = 0; i < QUEUE_CONTRACT_WORKERS; i++)
		if (bench->workers[i] != NULL)
			bench->workers[i]->calls->close(bench->workers[i]);
	bench->organiser->calls->close(bench->organiser);
}

static void
put(struct queue_bench *bench, int64_t first, int count, int copy)
{
	static struct job jobs[CLAIMS_MAX];

	for (int i = 0; i < count; i++)
		queue_contract_job(&jobs[i], first + i, copy);
	assert_int_equal(bench->organiser->calls->put(
			     bench->organiser, bench->run, jobs, count, &why),
	    QUEUE_DONE);
}

static enum queue_status
try_claim(struct queue_bench *bench, enum person person, int count)
{
	struct queue *queue = worker(bench, person);

	claimed.count = 0;
	return queue->calls->claim(
	    queue, bench->run, count, busy, take_claim, NULL, &why);
}

/* Claims, and gets these blocks: `0 1.1` are block 0 and copy 1 of block 1. */
static void
claim(struct queue_bench *bench, enum person person, int count,
    const char *expected)
{
	char text[TEXT_SIZE] = "";

	assert_int_equal(try_claim(bench, person, count), QUEUE_DONE);
	for (int i = 0; i < claimed.count; i++) {
		size_t length = strlen(text);

		snprintf(text + length, sizeof(text) - length, "%s%d%s",
		    i > 0 ? " " : "", (int)claimed.names[i].block,
		    claimed.names[i].copy ? ".1" : "");
	}
	assert_string_equal(text, expected);
}

/* The same for one block; its name. */
static struct job_name
claim_one(struct queue_bench *bench, enum person person)
{
	assert_int_equal(try_claim(bench, person, 1), QUEUE_DONE);
	assert_int_equal(claimed.count, 1);
	return claimed.names[0];
}

static enum queue_status
finish(struct queue_bench *bench, enum person person, struct job_name name,
    const char *record)
{
	struct queue *queue = worker(bench, person);
	struct queue_finish finished = {
		.name = name,
		.head = "head",
		.record = record,
		.record_size = strlen(record),
		.signature = { [SIGNING_SIGNATURE_SIZE - 1] = 0xab },
	};

	assert_int_equal(
	    queue->calls->finish(queue, bench->run, &finished, 1, &why),
	    QUEUE_DONE);
	return finished.status;
}

static void
play(struct queue_bench *bench, enum person person)
{
	struct job_name name = claim_one(bench, person);

	assert_int_equal(finish(bench, person, name, "record"), QUEUE_DONE);
}

/* Whether the lease is still there. */
static bool
renew(struct queue_bench *bench, enum person person, struct job_name name,
    uint64_t progress)
{
	struct queue *queue = worker(bench, person);
	struct queue_renewal renewal = { name, progress, false };

	assert_int_equal(
	    queue->calls->renew(queue, bench->run, &renewal, 1, &why),
	    QUEUE_DONE);
	return !renewal.lost;
}

static void
release(struct queue_bench *bench, enum person person, struct job_name name,
    const char *reason)
{
	struct queue *queue = worker(bench, person);

	assert_int_equal(
	    queue->calls->release(queue, bench->run, &name, reason, &why),
	    QUEUE_DONE);
}

static void
results(struct queue_bench *bench, int64_t *cursor, int expected)
{
	got.count = 0;
	assert_int_equal(bench->organiser->calls->results(bench->organiser,
			     bench->run, cursor, take_result, NULL, &why),
	    QUEUE_DONE);
	assert_int_equal(got.count, expected);
}

static void
all_results(struct queue_bench *bench, int expected)
{
	int64_t cursor = 0;

	results(bench, &cursor, expected);
}

static void
reject(struct queue_bench *bench, struct job_name name, bool by_others)
{
	assert_int_equal(
	    bench->organiser->calls->reject(bench->organiser, bench->run, &name,
		"it is not signed", by_others, &why),
	    QUEUE_DONE);
}

static void
settle(struct queue_bench *bench, struct job_name name)
{
	assert_int_equal(bench->organiser->calls->settle(
			     bench->organiser, bench->run, &name, 1, &why),
	    QUEUE_DONE);
}

static void
look_for_paused(struct queue_bench *bench, int expected)
{
	paused.count = 0;
	assert_int_equal(bench->organiser->calls->paused(bench->organiser,
			     bench->run, take_paused, NULL, &why),
	    QUEUE_DONE);
	assert_int_equal(paused.count, expected);
}

static void
count_held(struct queue_bench *bench, int expected)
{
	int count = -1;

	assert_int_equal(bench->organiser->calls->held(
			     bench->organiser, bench->run, &count, &why),
	    QUEUE_DONE);
	assert_int_equal(count, expected);
}

static void
list_workers(struct queue_bench *bench, int64_t run, int expected)
{
	listed.count = 0;
	assert_int_equal(bench->organiser->calls->workers(
			     bench->organiser, run, take_worker, NULL, &why),
	    QUEUE_DONE);
	assert_int_equal(listed.count, expected);
}

static struct queue_worker
look_up(struct queue_bench *bench, enum person person)
{
	int i = 0;

	list_workers(bench, 0, QUEUE_CONTRACT_WORKERS);
	while (i < listed.count - 1 &&
	    strcmp(listed.workers[i].name, names[person]) != 0)
		i++;
	assert_string_equal(listed.workers[i].name, names[person]);
	return listed.workers[i];
}

static void
set_run(struct queue_bench *bench, const char *state)
{
	assert_int_equal(bench->organiser->calls->run_set(
			     bench->organiser, bench->run, state, &why),
	    QUEUE_DONE);
}

/* --- the tests */

static void
contract_blocks_are_claimed_once_in_order(void **state)
{
	struct queue_bench *bench = prepare(state);

	claim(bench, ANNA, 4, "");
	put(bench, 3, 3, JOB_COUNTS);
	put(bench, 0, 3, JOB_COUNTS);
	claim(bench, ANNA, 2, "0 1");
	assert_int_equal(claimed.names[0].attempt, 1);
	assert_non_null(strstr(claimed.texts[1], "block 1 copy=0"));
	claim(bench, BRUNO, 3, "2 3 4");
	claim(bench, CARLA, 3, "5");
	claim(bench, CARLA, 3, "");
	end(bench);
}

static void
contract_what_is_there_is_not_put_again(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	put(bench, 0, 2, JOB_COUNTS);
	claim(bench, BRUNO, 2, "1");
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_DONE);
	put(bench, 0, 1, JOB_COUNTS);
	claim(bench, BRUNO, 2, "");
	all_results(bench, 1);
	end(bench);
}

static void
contract_a_lease_that_ran_out_goes_to_the_next(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name first, second;

	put(bench, 0, 1, JOB_COUNTS);
	first = claim_one(bench, ANNA);
	bench->pass(bench, 59 * SECOND_NS);
	claim(bench, BRUNO, 1, "");
	bench->pass(bench, 2 * SECOND_NS);
	second = claim_one(bench, BRUNO);
	assert_int_equal(second.attempt, 2);
	assert_false(renew(bench, ANNA, first, 7));
	assert_int_equal(finish(bench, ANNA, first, "late"), QUEUE_FENCED);
	release(bench, ANNA, first, NULL);
	assert_true(renew(bench, BRUNO, second, 1));
	assert_int_equal(finish(bench, BRUNO, second, "record"), QUEUE_DONE);
	assert_int_equal(finish(bench, ANNA, first, "late"), QUEUE_FENCED);
	all_results(bench, 1);
	assert_string_equal(got.workers[0], "bruno");
	assert_string_equal(got.records[0], "head|record|ab");
	end(bench);
}

static void
contract_a_lease_is_prolonged_by_progress_alone(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	bench->pass(bench, 40 * SECOND_NS);
	assert_true(renew(bench, ANNA, name, 1));
	bench->pass(bench, 40 * SECOND_NS);
	claim(bench, BRUNO, 1, "");
	assert_true(renew(bench, ANNA, name, 1));
	bench->pass(bench, 30 * SECOND_NS);
	claim(bench, BRUNO, 1, "0");
	assert_false(renew(bench, ANNA, name, 2));
	end(bench);
}

static void
contract_a_late_result_counts_while_nobody_has_claimed(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 2, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	bench->pass(bench, 100 * SECOND_NS);
	assert_int_equal(finish(bench, ANNA, name, "late"), QUEUE_DONE);
	name = claim_one(bench, ANNA);
	bench->pass(bench, 100 * SECOND_NS);
	assert_true(renew(bench, ANNA, name, 1));
	claim(bench, BRUNO, 2, "");
	end(bench);
}

static void
contract_a_result_may_be_sent_again(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_DONE);
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_DONE);
	all_results(bench, 1);
	assert_false(got.conflict[0]);
	assert_int_equal(finish(bench, ANNA, name, "other"), QUEUE_REFUSED);
	all_results(bench, 1);
	assert_true(got.conflict[0]);
	assert_string_equal(got.records[0], "head|record|ab");
	assert_int_equal(look_up(bench, ANNA).blocks, 1);
	assert_int_equal(look_up(bench, ANNA).games, 2);
	end(bench);
}

static void
contract_nobody_finishes_the_block_of_another(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	assert_int_equal(finish(bench, CARLA, name, "forged"), QUEUE_FENCED);
	assert_false(renew(bench, CARLA, name, 1));
	release(bench, CARLA, name, NULL);
	claim(bench, BRUNO, 1, "");
	name.attempt++;
	assert_int_equal(finish(bench, ANNA, name, "forged"), QUEUE_FENCED);
	name.block = 9;
	assert_int_equal(finish(bench, ANNA, name, "forged"), QUEUE_FENCED);
	all_results(bench, 0);
	end(bench);
}

static void
contract_results_are_sent_in_batches(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, ANNA);
	struct queue_finish batch[3] = { { .head = "" } };

	put(bench, 0, 3, JOB_COUNTS);
	claim(bench, ANNA, 3, "0 1 2");
	for (int i = 0; i < 3; i++)
		batch[i] = (struct queue_finish){ .name = claimed.names[i],
			.head = "head",
			.record = "record",
			.record_size = 6 };
	batch[1].name.attempt = 7;
	assert_int_equal(
	    queue->calls->finish(queue, bench->run, batch, 3, &why),
	    QUEUE_DONE);
	assert_int_equal(batch[0].status, QUEUE_DONE);
	assert_int_equal(batch[1].status, QUEUE_FENCED);
	assert_int_equal(batch[2].status, QUEUE_DONE);
	all_results(bench, 2);
	end(bench);
}

static void
contract_a_block_is_given_back(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	for (int i = 0; i <= QUEUE_ATTEMPTS_MAX; i++) {
		name = claim_one(bench, ANNA);
		assert_int_equal(name.attempt, i + 1);
		count_held(bench, 1);
		release(bench, ANNA, name, NULL);
		count_held(bench, 0);
		assert_int_equal(
		    finish(bench, ANNA, name, "late"), QUEUE_FENCED);
		assert_false(renew(bench, ANNA, name, 1));
	}
	look_for_paused(bench, 0);
	end(bench);
}

static void
contract_a_block_is_paused_after_three_attempts(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 2, JOB_COUNTS);
	for (int i = 0; i < QUEUE_ATTEMPTS_MAX; i++) {
		look_for_paused(bench, 0);
		name = claim_one(bench, i == 1 ? BRUNO : ANNA);
		assert_int_equal(name.block, 0);
		release(bench, i == 1 ? BRUNO : ANNA, name, "no bot starts");
	}
	look_for_paused(bench, 1);
	assert_int_equal(paused.names[0].block, 0);
	assert_non_null(strstr(paused.reasons[0], "no bot starts"));
	claim(bench, ANNA, 2, "1");

	put(bench, 0, 1, JOB_COUNTS);
	look_for_paused(bench, 0);
	name = claim_one(bench, BRUNO);
	assert_int_equal(name.attempt, QUEUE_ATTEMPTS_MAX + 1);
	release(bench, BRUNO, name, "no bot starts");
	look_for_paused(bench, 0);
	claim(bench, ANNA, 2, "0");
	end(bench);
}

static void
contract_a_block_that_asks_for_keys_is_put_again(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;
	struct job job;

	put(bench, 0, 1, JOB_COUNTS);
	for (int i = 0; i <= QUEUE_ATTEMPTS_MAX; i++) {
		name = claim_one(bench, ANNA);
		release(bench, ANNA, name, "keys: deal 2 of game 1");
		claim(bench, BRUNO, 1, "");
		look_for_paused(bench, 1);
		assert_int_equal(
		    strncmp(paused.reasons[0], "keys", strlen("keys")), 0);
		queue_contract_job(&job, 0, JOB_COUNTS);
		job.keys.deals = 2 << i;
		assert_int_equal(bench->organiser->calls->put(bench->organiser,
				     bench->run, &job, 1, &why),
		    QUEUE_DONE);
		look_for_paused(bench, 0);
	}
	end(bench);
}

static void
contract_three_lost_leases_pause_a_block(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name = { .block = -1 };

	put(bench, 0, 2, JOB_COUNTS);
	for (int i = 0; i < QUEUE_ATTEMPTS_MAX; i++) {
		name = claim_one(bench, ANNA);
		assert_int_equal(name.block, 0);
		bench->pass(bench, 61 * SECOND_NS);
	}
	claim(bench, BRUNO, 2, "1");
	look_for_paused(bench, 1);
	assert_non_null(strstr(paused.reasons[0], "anna"));
	/* The last worker comes back. */
	assert_int_equal(finish(bench, ANNA, name, "late"), QUEUE_DONE);
	look_for_paused(bench, 0);
	all_results(bench, 1);
	end(bench);
}

static void
contract_a_lost_block_is_claimed_alone(void **state)
{
	struct queue_bench *bench = prepare(state);

	put(bench, 0, 3, JOB_COUNTS);
	claim(bench, ANNA, 3, "0 1 2");
	assert_false(claimed.were_lost[0]);
	put(bench, 3, 3, JOB_COUNTS);
	bench->pass(bench, 61 * SECOND_NS);
	claim(bench, BRUNO, 9, "0");
	assert_true(claimed.were_lost[0]);
	/* With it in play others are better, as long as there are any. */
	busy = true;
	claim(bench, BRUNO, 2, "3 4");
	assert_false(claimed.were_lost[0]);
	busy = false;
	claim(bench, CARLA, 9, "1");
	busy = true;
	claim(bench, CARLA, 9, "5");
	bench->pass(bench, 61 * SECOND_NS);
	/* 0 and 1 were lost twice. */
	claim(bench, ANNA, 9, "2");
	claim(bench, ANNA, 9, "3");
	claim(bench, ANNA, 9, "4");
	claim(bench, ANNA, 9, "5");
	claim(bench, ANNA, 9, "0");
	busy = false;
	claim(bench, ANNA, 9, "1");
	claim(bench, ANNA, 9, "");
	end(bench);
}

static void
contract_a_block_that_loses_all_its_workers_is_paused(void **state)
{
	struct queue_bench *bench = prepare(state);

	put(bench, 0, 6, JOB_COUNTS);
	for (int i = 0; i < QUEUE_ATTEMPTS_MAX; i++) {
		/* What is claimed at first, and what is played beside it. */
		look_for_paused(bench, 0);
		claim(bench, ANNA, 2, i == 0 ? "0 1" : "0");
		busy = i > 0;
		claim(bench, ANNA, 1, (const char *[]){ "2", "3", "4" }[i]);
		busy = false;
		bench->pass(bench, 61 * SECOND_NS);
	}
	look_for_paused(bench, 1);
	assert_int_equal(paused.names[0].block, 0);
	assert_non_null(strstr(paused.reasons[0], "anna"));
	for (int i = 1; i < 5; i++) {
		struct job_name name = claim_one(bench, BRUNO);

		assert_int_equal(name.block, i);
		assert_int_equal(
		    finish(bench, BRUNO, name, "record"), QUEUE_DONE);
	}
	end(bench);
}

static void
contract_losses_that_may_be_chance_do_not_pause(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	put(bench, 9, 2, JOB_COUNTS);
	for (int i = 0; i < QUEUE_LOSSES_MAX; i++) {
		look_for_paused(bench, 0);
		name = claim_one(bench, ANNA);
		assert_int_equal(name.block, 0);
		/* Two others are lost without it. */
		busy = true;
		assert_int_equal(claim_one(bench, BRUNO).block, 9);
		assert_int_equal(claim_one(bench, CARLA).block, 10);
		busy = false;
		bench->pass(bench, 61 * SECOND_NS);
		put(bench, 9, 2, JOB_COUNTS);
	}
	look_for_paused(bench, 3);
	end(bench);
}

static void
contract_paused_sees_a_lost_lease_by_itself(void **state)
{
	struct queue_bench *bench = prepare(state);

	put(bench, 0, 1, JOB_COUNTS);
	for (int i = 0; i < QUEUE_ATTEMPTS_MAX; i++) {
		look_for_paused(bench, 0);
		claim(bench, ANNA, 1, "0");
		bench->pass(bench, 61 * SECOND_NS);
	}
	look_for_paused(bench, 1);
	end(bench);
}

static void
contract_a_run_that_goes_on_opens_what_was_paused(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue_run run = make_run("0123456789abcdef0123456789abcdef");

	put(bench, 0, 1, JOB_COUNTS);
	for (int i = 0; i < QUEUE_ATTEMPTS_MAX; i++)
		release(bench, ANNA, claim_one(bench, ANNA), "bad");
	look_for_paused(bench, 1);
	assert_int_equal(begin(bench, &run), bench->run);
	look_for_paused(bench, 0);
	claim(bench, ANNA, 1, "0");
	end(bench);
}

static void
contract_results_stay_until_they_are_settled(void **state)
{
	struct queue_bench *bench = prepare(state);
	int64_t cursor = 0;

	put(bench, 0, 4, JOB_COUNTS);
	play(bench, ANNA);
	play(bench, BRUNO);
	results(bench, &cursor, 2);
	results(bench, &cursor, 0);
	play(bench, ANNA);
	results(bench, &cursor, 1);
	assert_int_equal(got.names[0].block, 2);
	assert_int_equal(got.names[0].attempt, 1);
	settle(bench, got.names[0]);
	settle(bench, got.names[0]);
	all_results(bench, 2);
	assert_int_equal(
	    finish(bench, ANNA, got.names[0], "record"), QUEUE_DONE);
	end(bench);
}

static void
contract_a_rejected_block_is_played_again(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;
	int64_t cursor = 0;

	put(bench, 0, 1, JOB_COUNTS);
	play(bench, ANNA);
	results(bench, &cursor, 1);
	reject(bench, got.names[0], false);
	assert_int_equal(look_up(bench, ANNA).faults, 1);
	reject(bench, got.names[0], false);
	assert_int_equal(look_up(bench, ANNA).faults, 1);
	results(bench, &cursor, 0);
	play(bench, ANNA);
	results(bench, &cursor, 1);
	assert_int_equal(got.names[0].attempt, 2);

	reject(bench, got.names[0], true);
	assert_int_equal(look_up(bench, ANNA).faults, 2);
	claim(bench, ANNA, 1, "");
	name = claim_one(bench, CARLA);
	assert_int_equal(
	    finish(bench, ANNA, got.names[0], "again"), QUEUE_FENCED);
	assert_int_equal(finish(bench, CARLA, name, "record"), QUEUE_DONE);
	results(bench, &cursor, 1);
	reject(bench, got.names[0], true);
	look_for_paused(bench, 1);
	assert_non_null(strstr(paused.reasons[0], "it is not signed"));
	end(bench);
}

static void
contract_an_audit_is_played_by_another_trusted_worker(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 1, JOB_COUNTS);
	put(bench, 0, 1, JOB_AUDIT);
	put(bench, 1, 1, JOB_COUNTS);
	claim(bench, BRUNO, 3, "0 1");
	name = claimed.names[0];
	claim(bench, ANNA, 3, "");
	assert_int_equal(finish(bench, BRUNO, name, "record"), QUEUE_DONE);
	claim(bench, BRUNO, 3, "");
	claim(bench, CARLA, 3, "");
	claim(bench, ANNA, 3, "0.1");
	name = claimed.names[0];
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_DONE);
	all_results(bench, 2);
	end(bench);
}

static void
contract_an_audit_may_be_put_after_the_result(void **state)
{
	struct queue_bench *bench = prepare(state);

	put(bench, 0, 1, JOB_COUNTS);
	play(bench, BRUNO);
	all_results(bench, 1);
	put(bench, 0, 1, JOB_AUDIT);
	settle(bench, got.names[0]);
	claim(bench, BRUNO, 1, "");
	claim(bench, CARLA, 1, "");
	claim(bench, ANNA, 1, "0.1");
	end(bench);
}

static void
contract_a_quarantined_worker_gets_nothing(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue_worker carla = make_worker(CARLA);
	struct job_name name;

	put(bench, 0, 3, JOB_COUNTS);
	play(bench, CARLA);
	name = claim_one(bench, CARLA);
	carla.quarantined = true;
	set_worker(bench, &carla, NULL);
	assert_int_equal(try_claim(bench, CARLA, 1), QUEUE_REFUSED);
	assert_true(why.what[0] != '\0');
	assert_false(renew(bench, CARLA, name, 1));
	assert_int_equal(finish(bench, CARLA, name, "record"), QUEUE_FENCED);
	claim(bench, ANNA, 3, "1 2");
	assert_int_equal(claimed.names[0].attempt, 2);
	all_results(bench, 1);
	assert_true(got.quarantined[0]);
	assert_true(look_up(bench, CARLA).quarantined);

	carla.quarantined = false;
	set_worker(bench, &carla, NULL);
	put(bench, 3, 1, JOB_COUNTS);
	claim(bench, CARLA, 3, "3");
	end(bench);
}

static void
contract_a_revoked_worker_is_refused(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, CARLA);
	struct queue_worker carla = make_worker(CARLA), self;

	put(bench, 0, 1, JOB_COUNTS);
	carla.revoked = true;
	set_worker(bench, &carla, NULL);
	assert_int_equal(try_claim(bench, CARLA, 1), QUEUE_REFUSED);
	self = introduce(CARLA);
	assert_int_equal(
	    queue->calls->hello(queue, &self, 0, &why), QUEUE_REFUSED);
	assert_int_equal(queue->calls->runs(queue, &self, take_run, NULL, &why),
	    QUEUE_REFUSED);
	assert_true(look_up(bench, CARLA).revoked);
	end(bench);
}

static void
contract_blocks_behind_the_verdict_are_cancelled(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 4, JOB_COUNTS);
	claim(bench, ANNA, 3, "0 1 2");
	name = claimed.names[2];
	assert_int_equal(
	    finish(bench, ANNA, claimed.names[1], "record"), QUEUE_DONE);
	assert_int_equal(bench->organiser->calls->cancel(
			     bench->organiser, bench->run, 1, &why),
	    QUEUE_DONE);
	assert_false(renew(bench, ANNA, name, 1));
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_FENCED);
	claim(bench, BRUNO, 4, "");
	all_results(bench, 0);
	end(bench);
}

static void
contract_a_paused_run_gives_out_nothing(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct job_name name;

	put(bench, 0, 3, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	set_run(bench, "paused");
	claim(bench, BRUNO, 1, "");
	assert_true(renew(bench, ANNA, name, 1));
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_DONE);
	set_run(bench, "open");
	claim(bench, BRUNO, 1, "1");
	all_results(bench, 1);
	end(bench);
}

static void
contract_a_run_that_has_ended_is_gone(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, ANNA);
	struct queue_worker self = introduce(ANNA);
	struct job_name name;

	put(bench, 0, 3, JOB_COUNTS);
	name = claim_one(bench, ANNA);
	set_run(bench, "ended");
	assert_int_equal(try_claim(bench, ANNA, 1), QUEUE_FENCED);
	assert_false(renew(bench, ANNA, name, 1));
	assert_int_equal(finish(bench, ANNA, name, "record"), QUEUE_FENCED);
	release(bench, ANNA, name, NULL);
	runs.count = 0;
	assert_int_equal(
	    queue->calls->runs(queue, &self, take_run, NULL, &why), QUEUE_DONE);
	assert_int_equal(runs.count, 0);
	end(bench);
}

static void
contract_a_run_tells_why_a_worker_cannot_play_it(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, CARLA);
	struct queue_worker self = introduce(CARLA);
	struct queue_run other = make_run("1"), big = make_run("2"),
			 careful = make_run("3"), good = make_run("4");

	strcpy(other.engine, "9.9.9 usp=1 sources=0");
	strcpy(big.labels, "big");
	careful.trusted_only = true;
	strcpy(good.labels, "fast");
	begin(bench, &other);
	begin(bench, &big);
	begin(bench, &careful);
	begin(bench, &good);
	runs.count = 0;
	assert_int_equal(
	    queue->calls->runs(queue, &self, take_run, NULL, &why), QUEUE_DONE);
	assert_int_equal(runs.count, 5);
	assert_true(runs.ids[0] == bench->run && runs.ids[4] == good.id);
	assert_string_equal(runs.refusals[0], "");
	for (int i = 1; i < 4; i++)
		assert_string_not_equal(runs.refusals[i], "");
	assert_string_equal(runs.refusals[4], "");

	bench->run = careful.id;
	put(bench, 0, 1, JOB_COUNTS);
	assert_int_equal(try_claim(bench, CARLA, 1), QUEUE_REFUSED);
	claim(bench, ANNA, 1, "0");
	end(bench);
}

static void
contract_a_run_is_found_by_its_uid(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue_run run = make_run("0123456789abcdef0123456789abcdef");

	run.trusted_only = true;
	put(bench, 0, 1, JOB_COUNTS);
	assert_int_equal(begin(bench, &run), bench->run);
	assert_int_equal(try_claim(bench, CARLA, 1), QUEUE_REFUSED);
	claim(bench, ANNA, 1, "0");
	end(bench);
}

static void
contract_a_worker_tells_of_itself(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, ANNA);
	struct queue_worker self = introduce(ANNA);
	struct queue_worker anna;
	int64_t now_ns;

	self.games_per_s = 12.5;
	self.lag_s = 0.25;
	queue->calls->now(queue, &now_ns, &why);
	assert_int_equal(
	    queue->calls->hello(queue, &self, now_ns, &why), QUEUE_DONE);
	assert_true(self.trusted && !self.quarantined && !self.revoked);
	bench->pass(bench, 10 * SECOND_NS);
	anna = look_up(bench, ANNA);
	assert_true(anna.trusted);
	assert_int_equal(anna.cores, 2);
	assert_true(anna.speed > 1.49 && anna.speed < 1.51);
	assert_true(anna.games_per_s > 12.4 && anna.games_per_s < 12.6);
	assert_true(anna.lag_s > 0.24 && anna.lag_s < 0.26);
	assert_string_equal(anna.labels, "fast,big");
	assert_string_equal(anna.host, "host");
	assert_string_equal(anna.engine, ENGINE);
	assert_true(anna.seen_s > 9 && anna.seen_s < 3600);
	list_workers(bench, bench->run, 0);
	put(bench, 0, 1, JOB_COUNTS);
	claim(bench, ANNA, 1, "0");
	list_workers(bench, bench->run, 1);
	end(bench);
}

static void
contract_another_key_is_refused(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, ANNA);
	struct queue_worker self = introduce(ANNA);

	self.key[0]++;
	assert_int_equal(
	    queue->calls->hello(queue, &self, 0, &why), QUEUE_REFUSED);
	assert_non_null(strstr(why.what, "anna"));
	end(bench);
}

static void
contract_a_bundle_is_fetched_by_its_digest(void **state)
{
	struct queue_bench *bench = prepare(state);
	struct queue *queue = worker(bench, CARLA), *boss = bench->organiser;
	const char *const paths[] = { "bot" };
	char folder[FOLDER_SIZE];
	struct bundle bundle, copy = { .size = 0 };

	folder_make(folder);
	folder_write(folder_path(folder, "bot"), "a");
	assert_int_equal(bundle_make(&bundle, folder, paths, 1, &why), 0);
	folder_remove(folder);

	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    boss->calls->bundle_put(boss, bench->run, &bundle, &why),
		    QUEUE_DONE);
	assert_int_equal(queue->calls->bundle_get(
			     queue, bench->run, bundle.digest, &copy, &why),
	    QUEUE_DONE);
	assert_int_equal(copy.size, bundle.size);
	assert_memory_equal(copy.bytes, bundle.bytes, bundle.size);
	assert_memory_equal(copy.digest, bundle.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&copy);
	bundle.digest[0]++;
	assert_int_equal(queue->calls->bundle_get(
			     queue, bench->run, bundle.digest, &copy, &why),
	    QUEUE_REFUSED);
	bundle_release(&bundle);
	end(bench);
}

#define CASE(name)                            \
	{                                     \
#name, name, NULL, NULL, NULL \
	}

void
queue_contract_register(
    const char *file, CMFixtureFunction setup, CMFixtureFunction teardown)
{
	static const struct CMUnitTest cases[] = {
		CASE(contract_blocks_are_claimed_once_in_order),
		CASE(contract_what_is_there_is_not_put_again),
		CASE(contract_a_lease_that_ran_out_goes_to_the_next),
		CASE(contract_a_lease_is_prolonged_by_progress_alone),
		CASE(contract_a_late_result_counts_while_nobody_has_claimed),
		CASE(contract_a_result_may_be_sent_again),
		CASE(contract_nobody_finishes_the_block_of_another),
		CASE(contract_results_are_sent_in_batches),
		CASE(contract_a_block_is_given_back),
		CASE(contract_a_block_is_paused_after_three_attempts),
		CASE(contract_a_block_that_asks_for_keys_is_put_again),
		CASE(contract_three_lost_leases_pause_a_block),
		CASE(contract_a_lost_block_is_claimed_alone),
		CASE(contract_a_block_that_loses_all_its_workers_is_paused),
		CASE(contract_losses_that_may_be_chance_do_not_pause),
		CASE(contract_paused_sees_a_lost_lease_by_itself),
		CASE(contract_a_run_that_goes_on_opens_what_was_paused),
		CASE(contract_results_stay_until_they_are_settled),
		CASE(contract_a_rejected_block_is_played_again),
		CASE(contract_an_audit_is_played_by_another_trusted_worker),
		CASE(contract_an_audit_may_be_put_after_the_result),
		CASE(contract_a_quarantined_worker_gets_nothing),
		CASE(contract_a_revoked_worker_is_refused),
		CASE(contract_blocks_behind_the_verdict_are_cancelled),
		CASE(contract_a_paused_run_gives_out_nothing),
		CASE(contract_a_run_that_has_ended_is_gone),
		CASE(contract_a_run_tells_why_a_worker_cannot_play_it),
		CASE(contract_a_run_is_found_by_its_uid),
		CASE(contract_a_worker_tells_of_itself),
		CASE(contract_another_key_is_refused),
		CASE(contract_a_bundle_is_fetched_by_its_digest),
	};
	static struct test tests[COUNTOF(cases)];

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		tests[i].file = file;
		tests[i].unit = cases[i];
		tests[i].unit.setup_func = setup;
		tests[i].unit.teardown_func = teardown;
		test_register(&tests[i]);
	}
}
