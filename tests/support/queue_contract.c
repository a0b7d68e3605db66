/*
 * What every queue must do: these tests are run with the queue in memory and
 * with the one in PostgreSQL.
 *
 * The workers are `anna` and `bruno`, which are trusted, and `carla`, which is
 * not.  A connection is opened when its worker is first used.
 *
 * tests/golden/queue.txt has scenarios: steps with `;` between them.  `7` is a
 * block, `7.1` its second copy, `7@2` its attempt 2; without `@`, the attempt is
 * that of the last claim of the worker.
 *
 *	put 0 1.1 deals=2	these blocks, each with keys for that many deals
 *	anna claims 3: 0 2!	up to 3 blocks; anna gets these; `!` marks one
 *				that was lost; attempts may be named
 *	anna also claims 3: 1	the same while anna plays a lost block
 *	anna plays 0		claims one block, which is 0, and finishes it
 *	anna finishes 0 1 TEXT: done fenced
 *				sends these results, with the text as record;
 *				without statuses all are done
 *	anna renews 0 7: lost	progress 7; without `: lost` the lease is kept
 *	anna releases 0 REASON	without REASON the block is only released
 *	carla greets: refused	says hello; without `: refused` it is accepted
 *	carla lists: 1		sees so many runs; or is refused
 *	carla is quarantined	or revoked, or enrolled as in the beginning
 *	anna counts 1 2 0	blocks, games and faults in the list of workers
 *	results: 0 1		all results are those of these blocks, or none; or
 *				they are fenced
 *	news: 0 1		the same for results since the last news
 *	result is anna TEXT	the last result: worker, head, record, end of
 *				the signature, and what is wrong with it
 *	settle 0; reject 0; cancel 1
 *	paused: 0 1		these blocks are paused, or none
 *	reason has TEXT		of the last of these
 *	held 1			this many blocks are being played
 *	run is open		or paused, or ended
 *	resume			the organiser begins the run again; with further
 *				words, for trusted workers only
 *	pass 61			the clock advances by 61 seconds
 */
#include "queue_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "golden.h"

#define SECOND_NS INT64_C(1000000000)
#define ENGINE "0.0.0 usp=1 sources=0"
#define UID "0123456789abcdef0123456789abcdef"

enum { CLAIMS_MAX = 16, TEXT_SIZE = 256 };

enum actor { ANNA, BRUNO, CARLA, ORGANISER };

static const char *const names[] = { "anna", "bruno", "carla" };

static struct store_error why;

static const struct queue_bench *bench;
static struct queue *boss;                   /* connection of the organiser */
static struct queue *connections[ORGANISER]; /* of each worker, or NULL */
static int64_t run_id;

/* What the last calls have delivered: blocks, and a text of the last one. */
static struct received {
	int count;
	struct job_name names[CLAIMS_MAX];
	bool were_lost[CLAIMS_MAX];
	char text[TEXT_SIZE];
} claimed, results, paused;

/* Attempts of the last claim of each block, by worker and copy. */
static int attempts[ORGANISER][JOB_AUDIT + 1][CLAIMS_MAX];
static int64_t news_cursor;

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
receive(struct received *received, const struct job_name *name, bool was_lost)
{
	assert_true(received->count < CLAIMS_MAX);
	received->names[received->count] = *name;
	received->were_lost[received->count++] = was_lost;
}

static void
on_claim(void *context, const struct queue_claim *claim)
{
	struct received *received = context;

	receive(received, &claim->name, claim->was_lost);
	snprintf(received->text, TEXT_SIZE, "%.200s", claim->job);
}

static void
on_result(void *context, const struct queue_result *result)
{
	receive(context, &result->name, false);
	snprintf(results.text, TEXT_SIZE, "%s %s %.*s %02x%s%s", result->worker,
	    result->head, (int)result->record_size, result->record,
	    result->signature[SIGNING_SIGNATURE_SIZE - 1],
	    result->conflict ? " conflict" : "",
	    result->quarantined ? " quarantined" : "");
}

static void
on_paused(void *context, const struct queue_paused *pause)
{
	receive(context, &pause->name, false);
	snprintf(paused.text, TEXT_SIZE, "%.200s", pause->reason);
}

static void
on_worker(void *context, const struct queue_worker *worker)
{
	(void)context;
	assert_true(listed.count < CLAIMS_MAX);
	listed.workers[listed.count++] = *worker;
}

static void
on_run(void *context, const struct queue_run *run, const char *refusal)
{
	(void)context;
	assert_true(runs.count < CLAIMS_MAX);
	runs.ids[runs.count] = run->id;
	snprintf(runs.refusals[runs.count++], TEXT_SIZE, "%s",
	    refusal != NULL ? refusal : "");
}

/* --- runs and workers */

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

void
queue_contract_must(enum queue_status status, const struct store_error *error)
{
	if (status != QUEUE_DONE)
		fail_msg("status %d: %s", (int)status, error->what);
}

static void
must(enum queue_status status)
{
	queue_contract_must(status, &why);
}

void
queue_contract_begin(struct queue *organiser, struct queue_run *run)
{
	must(organiser->calls->run_begin(organiser, run, &why));
	assert_true(run->id > 0);
	must(organiser->calls->run_set(organiser, run->id, "open", &why));
}

void
queue_contract_put(
    struct queue *organiser, int64_t run, int64_t first, int count)
{
	static struct job jobs[QUEUE_BATCH_MAX];

	while (count > 0) {
		int batch = count < QUEUE_BATCH_MAX ? count : QUEUE_BATCH_MAX;

		for (int i = 0; i < batch; i++)
			queue_contract_job(&jobs[i], first++, JOB_COUNTS);
		must(organiser->calls->put(organiser, run, jobs, batch, &why));
		count -= batch;
	}
}

static struct queue_worker
make_worker(enum actor actor)
{
	struct queue_worker worker = { .trusted = actor != CARLA };

	strcpy(worker.name, names[actor]);
	queue_contract_key(worker.name, worker.key);
	return worker;
}

static void
set_worker(const struct queue_worker *worker, const char *password)
{
	must(boss->calls->worker_set(boss, worker, password, &why));
}

/* The description that a worker sends of itself. */
static struct queue_worker
describe_worker(enum actor actor)
{
	struct queue_worker worker = make_worker(actor);

	worker.trusted = false;
	strcpy(worker.engine, ENGINE);
	strcpy(worker.labels, actor == CARLA ? "fast" : "fast,big");
	strcpy(worker.host, "host");
	worker.cores = 2;
	worker.speed = 1.5;
	return worker;
}

static struct queue *
worker(enum actor actor)
{
	struct queue_worker self = describe_worker(actor);
	struct queue *queue;

	if (connections[actor] != NULL)
		return connections[actor];
	queue = connections[actor] = bench->connect(names[actor]);
	must(queue->calls->hello(queue, &self, clock_wall_ns(), &why));
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

/* All workers are enrolled, and one run is open. */
static void
prepare(void **state)
{
	struct queue_run run = make_run(UID);

	bench = *state;
	boss = bench->connect(NULL);
	for (int i = 0; i < ORGANISER; i++) {
		struct queue_worker one = make_worker((enum actor)i);

		connections[i] = NULL;
		set_worker(&one, bench->password);
	}
	memset(attempts, 0, sizeof(attempts));
	news_cursor = 0;
	queue_contract_begin(boss, &run);
	run_id = run.id;
}

static void
end(void)
{
	for (int i = 0; i < ORGANISER; i++)
		if (connections[i] != NULL)
			connections[i]->calls->close(connections[i]);
	boss->calls->close(boss);
}

static void
list_workers(int64_t run, int expected)
{
	listed.count = 0;
	must(boss->calls->workers(boss, run, on_worker, NULL, &why));
	assert_int_equal(listed.count, expected);
}

static struct queue_worker
look_up(enum actor actor)
{
	int i = 0;

	list_workers(0, ORGANISER);
	while (i < listed.count - 1 &&
	    strcmp(listed.workers[i].name, names[actor]) != 0)
		i++;
	assert_string_equal(listed.workers[i].name, names[actor]);
	return listed.workers[i];
}

static enum queue_status
list_runs(enum actor actor)
{
	struct queue *queue = worker(actor);

	runs.count = 0;
	return queue->calls->runs(queue, on_run, NULL, &why);
}

static enum queue_status
try_claim(enum actor actor, int count, bool busy)
{
	struct queue *queue = worker(actor);
	enum queue_status status;

	claimed.count = 0;
	status = queue->calls->claim(
	    queue, run_id, count, busy, on_claim, &claimed, &why);
	for (int i = 0; i < claimed.count; i++) {
		const struct job_name *name = &claimed.names[i];

		attempts[actor][name->copy][name->block] = name->attempt;
	}
	return status;
}

/* --- scenarios */

static const char *const statuses[] = {
	[QUEUE_DONE] = "done",
	[QUEUE_FENCED] = "fenced",
	[QUEUE_REFUSED] = "refused",
	[QUEUE_AWAY] = "away",
};

/* A step: its words up to a NULL, and the text after the colon, or NULL. */
struct step {
	enum actor actor;
	char **words;
	const char *expected;
};

/* These words and all after them as one text. */
static const char *
rest_of(char **words)
{
	for (int i = 0; words[0] != NULL && words[i + 1] != NULL; i++)
		words[i][strlen(words[i])] = ' ';
	return words[0];
}

static void
expect_blocks(const struct received *received, const char *expected)
{
	char text[TEXT_SIZE] = "none";
	size_t length = 0;

	for (int i = 0; i < received->count; i++) {
		const struct job_name *name = &received->names[i];

		length += (size_t)snprintf(text + length, TEXT_SIZE - length,
		    "%s%d%s", i > 0 ? " " : "", (int)name->block,
		    name->copy == JOB_AUDIT ? ".1" : "");
		if (strchr(expected, '@') != NULL)
			length += (size_t)snprintf(text + length,
			    TEXT_SIZE - length, "@%d", name->attempt);
		if (received->were_lost[i])
			length += (size_t)snprintf(
			    text + length, TEXT_SIZE - length, "!");
	}
	assert_string_equal(text, expected);
}

/* Reads a word that names a block; false if it names none. */
static bool
read_block(const char *word, enum actor actor, struct job_name *name)
{
	const char *copy, *attempt;

	if (word == NULL || *word < '0' || *word > '9')
		return false;
	copy = strchr(word, '.');
	attempt = strchr(word, '@');
	*name = (struct job_name){ .block = strtol(word, NULL, 10),
		.copy = copy != NULL ? JOB_AUDIT : JOB_COUNTS };
	assert_in_range(name->block, 0, CLAIMS_MAX - 1);
	if (attempt != NULL)
		name->attempt = atoi(attempt + 1);
	else if (actor != ORGANISER)
		name->attempt = attempts[actor][name->copy][name->block];
	for (int i = 0; actor == ORGANISER && i < results.count; i++)
		if (results.names[i].block == name->block &&
		    results.names[i].copy == name->copy)
			name->attempt = results.names[i].attempt;
	return true;
}

static void
step_put(const struct step *step)
{
	static struct job jobs[CLAIMS_MAX];
	struct job_name name;
	int count = 0, deals = 1;

	for (char **word = step->words; *word != NULL; word++) {
		if (sscanf(*word, "deals=%d", &deals) == 1)
			continue;
		assert_true(read_block(*word, ORGANISER, &name));
		queue_contract_job(&jobs[count++], name.block, name.copy);
	}
	for (int i = 0; i < count; i++)
		jobs[i].keys.deals = deals;
	must(boss->calls->put(boss, run_id, jobs, count, &why));
}

static void
claim(const struct step *step, const char *count, bool busy)
{
	enum queue_status status = try_claim(step->actor, atoi(count), busy);

	if (status == QUEUE_DONE) {
		expect_blocks(&claimed, step->expected);
		return;
	}
	assert_string_equal(statuses[status], step->expected);
	assert_string_not_equal(why.what, "");
}

static void
step_claims(const struct step *step)
{
	claim(step, step->words[0], false);
}

static void
step_also(const struct step *step)
{
	claim(step, step->words[1], true);
}

static void
step_finishes(const struct step *step)
{
	struct queue *queue = worker(step->actor);
	struct queue_finish batch[CLAIMS_MAX];
	char **word = step->words, text[TEXT_SIZE] = "";
	const char *record;
	size_t length = 0;
	int count = 0;

	for (; read_block(*word, step->actor, &batch[count].name); word++)
		count++;
	record = *word != NULL ? rest_of(word) : "record";
	for (int i = 0; i < count; i++)
		batch[i] = (struct queue_finish){
			.name = batch[i].name,
			.head = "head",
			.record = record,
			.record_size = strlen(record),
			.signature = { [SIGNING_SIGNATURE_SIZE - 1] = 0xab },
		};
	must(queue->calls->finish(queue, run_id, batch, count, &why));
	for (int i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, TEXT_SIZE - length,
		    "%s%s", i > 0 ? " " : "", statuses[batch[i].status]);
	assert_string_equal(text, step->expected ? step->expected : "done");
}

static void
step_plays(const struct step *step)
{
	struct step begun = *step;

	begun.expected = step->words[0];
	claim(&begun, "1", false);
	step_finishes(step);
}

static void
step_renews(const struct step *step)
{
	struct queue *queue = worker(step->actor);
	struct queue_renewal renewal = { .progress = 0 };

	assert_true(read_block(step->words[0], step->actor, &renewal.name));
	renewal.progress = (uint64_t)atoi(step->words[1]);
	must(queue->calls->renew(queue, run_id, &renewal, 1, &why));
	assert_int_equal(renewal.lost, step->expected != NULL);
}

static void
step_releases(const struct step *step)
{
	struct queue *queue = worker(step->actor);
	struct job_name name;

	assert_true(read_block(step->words[0], step->actor, &name));
	must(queue->calls->release(
	    queue, run_id, &name, rest_of(step->words + 1), &why));
}

static void
step_greets(const struct step *step)
{
	struct queue_worker self = describe_worker(step->actor);
	struct queue *queue = worker(step->actor);
	enum queue_status status =
	    queue->calls->hello(queue, &self, clock_wall_ns(), &why);

	assert_string_equal(
	    statuses[status], step->expected ? step->expected : "done");
}

static void
step_lists(const struct step *step)
{
	enum queue_status status = list_runs(step->actor);

	if (status == QUEUE_DONE)
		assert_int_equal(runs.count, atoi(step->expected));
	else
		assert_string_equal(statuses[status], step->expected);
}

static void
step_is(const struct step *step)
{
	struct queue_worker worker;

	if (step->actor == ORGANISER) {
		assert_string_equal(results.text, rest_of(step->words));
		return;
	}
	worker = make_worker(step->actor);
	worker.quarantined = strcmp(step->words[0], "quarantined") == 0;
	worker.revoked = strcmp(step->words[0], "revoked") == 0;
	set_worker(&worker, NULL);
	assert_int_equal(look_up(step->actor).quarantined, worker.quarantined);
	assert_int_equal(look_up(step->actor).revoked, worker.revoked);
}

static void
step_counts(const struct step *step)
{
	struct queue_worker worker = look_up(step->actor);
	char text[TEXT_SIZE];

	snprintf(text, sizeof(text), "%d %d %d", (int)worker.blocks,
	    (int)worker.games, (int)worker.faults);
	assert_string_equal(text, rest_of(step->words));
}

static void
list_results(int64_t *cursor, const char *expected)
{
	enum queue_status status;

	results.count = 0;
	status = boss->calls->results(
	    boss, run_id, cursor, on_result, &results, &why);
	if (status == QUEUE_DONE)
		expect_blocks(&results, expected);
	else
		assert_string_equal(statuses[status], expected);
}

static void
step_results(const struct step *step)
{
	int64_t cursor = 0;

	list_results(&cursor, step->expected);
}

static void
step_news(const struct step *step)
{
	list_results(&news_cursor, step->expected);
}

static void
step_settle(const struct step *step)
{
	struct job_name name;

	assert_true(read_block(step->words[0], ORGANISER, &name));
	must(boss->calls->settle(boss, run_id, &name, 1, &why));
}

static void
step_reject(const struct step *step)
{
	struct job_name name;

	assert_true(read_block(step->words[0], ORGANISER, &name));
	must(
	    boss->calls->reject(boss, run_id, &name, "it is not signed", &why));
}

static void
step_cancel(const struct step *step)
{
	must(boss->calls->cancel(boss, run_id, atoi(step->words[0]), &why));
}

static void
step_paused(const struct step *step)
{
	paused.count = 0;
	must(boss->calls->paused(boss, run_id, on_paused, &paused, &why));
	expect_blocks(&paused, step->expected);
}

static void
step_reason(const struct step *step)
{
	assert_non_null(strstr(paused.text, rest_of(step->words + 1)));
}

static void
step_held(const struct step *step)
{
	int count = -1;

	must(boss->calls->held(boss, run_id, &count, &why));
	assert_int_equal(count, atoi(step->words[0]));
}

static void
step_run(const struct step *step)
{
	must(boss->calls->run_set(boss, run_id, step->words[1], &why));
}

static void
step_resume(const struct step *step)
{
	struct queue_run run = make_run(UID);

	run.trusted_only = step->words[0] != NULL;
	queue_contract_begin(boss, &run);
	assert_int_equal(run.id, run_id);
}

static void
step_pass(const struct step *step)
{
	bench->pass(atoi(step->words[0]) * SECOND_NS);
}

static const struct {
	const char *verb;
	void (*run)(const struct step *step);
} verbs[] = {
	{ "put", step_put },
	{ "claims", step_claims },
	{ "also", step_also },
	{ "plays", step_plays },
	{ "finishes", step_finishes },
	{ "renews", step_renews },
	{ "releases", step_releases },
	{ "greets", step_greets },
	{ "lists", step_lists },
	{ "is", step_is },
	{ "counts", step_counts },
	{ "results", step_results },
	{ "news", step_news },
	{ "settle", step_settle },
	{ "reject", step_reject },
	{ "cancel", step_cancel },
	{ "paused", step_paused },
	{ "reason", step_reason },
	{ "held", step_held },
	{ "run", step_run },
	{ "resume", step_resume },
	{ "pass", step_pass },
};

static void
play_step(char *text)
{
	char *words[CLAIMS_MAX] = { NULL }, *colon = strchr(text, ':');
	struct step step = { .actor = ORGANISER, .words = words + 1 };
	int count = 0;

	if (colon != NULL) {
		*colon = '\0';
		step.expected = colon + 1 + strspn(colon + 1, " ");
	}
	while (count < CLAIMS_MAX - 1 &&
	    (words[count] = strsep(&text, " ")) != NULL)
		count++;
	for (int i = 0; i < ORGANISER; i++)
		if (strcmp(words[0], names[i]) == 0)
			step.actor = (enum actor)i;
	if (step.actor != ORGANISER || strcmp(words[0], "result") == 0)
		step.words++;
	for (size_t i = 0; i < COUNTOF(verbs); i++)
		if (strcmp(verbs[i].verb, step.words[-1]) == 0) {
			verbs[i].run(&step);
			return;
		}
	fail_msg("`%s` is no known step", words[0]);
}

/* Prints each step, so that the last one printed is the one that fails. */
static void
play(const char *steps)
{
	while (*steps != '\0') {
		size_t length = strcspn(steps, ";");
		char step[TEXT_SIZE];

		snprintf(step, sizeof(step), "%.*s", (int)length, steps);
		print_message("# %s\n", step);
		play_step(step);
		steps += length + strspn(steps + length, "; ");
	}
}

/* --- the tests */

static CMFixtureFunction open_bench, close_bench;

static void
contract_scenarios_end_as_they_say(void **state)
{
	static struct golden golden;
	int count = 0;

	while (golden_next(&golden, "queue.txt")) {
		if (golden.bytes[0] != '=') {
			play(golden.bytes);
			continue;
		}
		if (count++ > 0) {
			end();
			assert_int_equal(close_bench(state), 0);
			assert_int_equal(open_bench(state), 0);
		}
		print_message("# %s\n", golden.bytes);
		prepare(state);
	}
	assert_int_equal(count, 26);
	end();
}

static void
contract_list_of_runs_has_the_reason_for_a_refusal(void **state)
{
	struct queue_run other = make_run("1"), big = make_run("2"),
			 careful = make_run("3"), good = make_run("4");

	prepare(state);
	strcpy(other.engine, "9.9.9 usp=1 sources=0");
	strcpy(big.labels, "big");
	careful.trusted_only = true;
	strcpy(good.labels, "fast");
	queue_contract_begin(boss, &other);
	queue_contract_begin(boss, &big);
	queue_contract_begin(boss, &careful);
	queue_contract_begin(boss, &good);
	must(list_runs(CARLA));
	assert_int_equal(runs.count, 5);
	assert_true(runs.ids[0] == run_id && runs.ids[4] == good.id);
	assert_string_equal(runs.refusals[0], "");
	for (int i = 1; i < 4; i++)
		assert_string_not_equal(runs.refusals[i], "");
	assert_string_equal(runs.refusals[4], "");
	run_id = careful.id;
	play("put 0; carla claims 1: refused; anna claims 1: 0");
	end();
}

static void
contract_description_of_a_worker_is_stored(void **state)
{
	struct queue_worker self = describe_worker(ANNA), anna;
	struct queue *queue;

	prepare(state);
	queue = worker(ANNA);
	self.games_per_s = 12.5;
	self.lag_s = 0.25;
	must(queue->calls->hello(queue, &self, clock_wall_ns(), &why));
	assert_true(self.trusted && !self.quarantined && !self.revoked);
	play("pass 10");
	anna = look_up(ANNA);
	assert_true(anna.trusted);
	assert_int_equal(anna.cores, 2);
	assert_true(anna.speed > 1.49 && anna.speed < 1.51);
	assert_true(anna.games_per_s > 12.4 && anna.games_per_s < 12.6);
	assert_true(anna.lag_s > 0.24 && anna.lag_s < 0.26);
	assert_string_equal(anna.labels, "fast,big");
	assert_string_equal(anna.host, "host");
	assert_string_equal(anna.engine, ENGINE);
	assert_true(anna.seen_s > 9 && anna.seen_s < 3600);
	list_workers(run_id, 0);
	play("put 0; anna claims 1: 0");
	list_workers(run_id, 1);
	end();
}

static void
contract_worker_with_another_key_is_refused(void **state)
{
	struct queue_worker self = describe_worker(ANNA);
	struct queue *queue;

	prepare(state);
	queue = worker(ANNA);
	self.key[0]++;
	assert_int_equal(
	    queue->calls->hello(queue, &self, 0, &why), QUEUE_REFUSED);
	assert_non_null(strstr(why.what, "anna"));
	end();
}

static void
contract_bundle_is_fetched_by_its_digest(void **state)
{
	struct bundle bundle, copy = { .size = 0 };
	struct queue *queue;

	prepare(state);
	queue = worker(CARLA);
	assert_int_equal(bundle_make_file(&bundle, "bot", "a", 1, &why), 0);
	for (int i = 0; i < 2; i++)
		must(boss->calls->bundle_put(boss, run_id, &bundle, &why));
	must(queue->calls->bundle_get(
	    queue, run_id, bundle.digest, &copy, &why));
	assert_int_equal(copy.size, bundle.size);
	assert_memory_equal(copy.bytes, bundle.bytes, bundle.size);
	assert_memory_equal(copy.digest, bundle.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&copy);
	bundle.digest[0]++;
	assert_int_equal(
	    queue->calls->bundle_get(queue, run_id, bundle.digest, &copy, &why),
	    QUEUE_REFUSED);
	bundle_release(&bundle);
	end();
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
		CASE(contract_scenarios_end_as_they_say),
		CASE(contract_list_of_runs_has_the_reason_for_a_refusal),
		CASE(contract_description_of_a_worker_is_stored),
		CASE(contract_worker_with_another_key_is_refused),
		CASE(contract_bundle_is_fetched_by_its_digest),
	};
	static struct test tests[COUNTOF(cases)];

	open_bench = setup;
	close_bench = teardown;
	for (size_t i = 0; i < COUNTOF(cases); i++) {
		tests[i].file = file;
		tests[i].unit = cases[i];
		tests[i].unit.setup_func = setup;
		tests[i].unit.teardown_func = teardown;
		test_register(&tests[i]);
	}
}
