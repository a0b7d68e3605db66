/*
 * The command bench verification: how many blocks that workers have sent are
 * checked in a second.
 *
 * The games are played here, in a run with a commitment, so that their records
 * are those that a worker sends.
 */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "cmd_bench.h"
#include "command.h"
#include "countof.h"
#include "entrants.h"
#include "json.h"
#include "result_check.h"

enum { NAME_SIZE = 32, REASON_SIZE = 512 };

#define FIELD(name) offsetof(struct bench_settings, name)

/* A block as it comes from a worker. */
struct checked_block {
	struct job job;
	struct record record;
	struct queue_result result;
	char *head;
};

struct verification_bench {
	struct bench_games games;
	struct checked_block *blocks;
	int block_count, game_count; /* of a block */
	int64_t ended_count;         /* games that have ended */
	int error;                   /* -errno */
	struct signing_key key;
};

/* What was measured. */
struct verification_measure {
	int64_t blocks, cpu_ns, signature_ns;
	size_t bytes; /* of the blocks, with their heads */
};

static const struct option verification_options[] = {
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules), "The game.",
	    .fallback = "scopa", .aliases = { "variant" }),
	INT_OPTION("blocks", "N", FIELD(blocks), 1, 10000,
	    "How many blocks are played and checked in turn.",
	    .fallback = "100", .unit = "blocks"),
	INT_OPTION("deals", "N", FIELD(deals), 0, 1000,
	    "How many deals a game has; 0: it goes to the target.",
	    .fallback = "1", .unit = "deals"),
	REAL_OPTION("seconds", "S", FIELD(seconds), 0, 3600,
	    "How long blocks are checked.", .fallback = "1", .unit = "seconds"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON document."),
	OPTIONS_END,
};

static void
verification_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	struct verification_bench *bench = context;
	struct record *whole =
	    &bench->blocks[bench->ended_count++ / bench->game_count].record;

	(void)result;
	if (bench->error == 0)
		bench->error = record_add(whole, record, size);
	if (bench->error)
		dispatcher_end(
		    dispatcher, DISPATCHER_FAILED, bench->error, STOP_KILL);
}

/* Plays all blocks. */
static enum status
verification_play(const struct bench_settings *settings,
    const struct rule_set *set, struct verification_bench *bench)
{
	static const struct dispatcher_calls calls = {
		.on_result = verification_result,
	};
	static char names[PLAN_ENTRANTS_MAX][NAME_SIZE];
	struct dispatcher_config *config = &bench->games.config;
	struct dispatcher_outcome outcome;
	enum status status;

	for (int i = 0; i < PLAN_ENTRANTS_MAX; i++) {
		snprintf(names[i], NAME_SIZE, "random-%d", i + 1);
		bench->games.words[i] = (struct entrant_words){
			.command = "@random",
			.name = names[i],
		};
	}
	status = bench_games_open(&bench->games, set);
	if (status != STATUS_DONE)
		return status;
	bench->games.plan.rounds = bench->block_count;
	bench->games.plan.duplicate = true;
	bench->game_count =
	    (int)(plan_game_count(&bench->games.plan) / bench->block_count);
	config->rules.deals = (int)settings->deals;
	config->rules.committed = true;
	config->rules.root_key.bytes[0] = 1;
	config->concurrency = 1;
	outcome = dispatcher_run(config, &calls, bench);
	return game_end_status(&outcome);
}

/* Signs a block, as a worker does. */
static void
block_sign(struct verification_bench *bench, int number)
{
	static struct result_head head;
	struct checked_block *block = &bench->blocks[number];
	const struct match_rules *rules = &bench->games.config.rules;
	struct job *job = &block->job;
	struct scopa_text text;

	block->head = command_memory(RESULT_HEAD_MAX);
	job->name = (struct job_name){ number, JOB_COUNTS, 1 };
	job->game_count = bench->game_count;
	job->seat_count = rules->rules.players;
	head = (struct result_head){
		.name = job->name,
		.record_size = (int64_t)block->record.size,
		.game_count = job->game_count,
	};
	memset(head.run, '0', JOB_RUN_ID_SIZE - 1);
	for (int i = 0; i < job->game_count; i++) {
		struct job_game *game = &job->games[i];

		game->spec = plan_game(
		    &bench->games.plan, number * bench->game_count + i);
		for (int seat = 0; seat < job->seat_count; seat++)
			game->seeds[seat] = shuffle_seat_seed(&rules->root_key,
			    game->spec.event, (uint64_t)game->spec.index + 1,
			    seat);
		head.games[i].fault.seat = -1;
	}
	crypto_hash_sha256(head.digest,
	    (const unsigned char *)block->record.bytes, block->record.size);
	scopa_text_init(&text, block->head, RESULT_HEAD_MAX);
	result_head_write(&head, &text);
	block->result = (struct queue_result){
		.name = job->name,
		.worker = "bench",
		.head = block->head,
		.record = block->record.bytes,
		.record_size = block->record.size,
	};
	memcpy(block->result.key, bench->key.public, SIGNING_PUBLIC_SIZE);
	signing_sign(
	    &bench->key, text.bytes, text.length, block->result.signature);
}

/*
 * Checks all blocks in turn for so long, one time at least; then only their
 * signatures.
 */
static enum status
verification_check(struct verification_bench *bench, double seconds,
    struct verification_measure *measure)
{
	static struct result_checked checked;
	char run[JOB_RUN_ID_SIZE] = "", bytes[REASON_SIZE];
	struct result_checker *checker;
	struct scopa_text why;
	int status = 1, error;
	int64_t start_ns;

	memset(run, '0', sizeof(run) - 1);
	error = result_checker_open(&checker, run, &bench->games.config, false);
	if (error)
		return game_setup_error(error);
	start_ns = clock_cpu_ns();
	do {
		for (int i = 0; i < bench->block_count && status == 1; i++) {
			scopa_text_init(&why, bytes, sizeof(bytes));
			status = result_check(checker, &bench->blocks[i].job,
			    &bench->blocks[i].result, &checked, &why);
			measure->blocks++;
		}
		measure->cpu_ns = clock_cpu_ns() - start_ns;
	} while (status == 1 && (double)measure->cpu_ns < seconds * 1e9);
	result_checker_close(checker);
	if (status < 0)
		return game_setup_error(status);
	if (status == 0)
		return error_status(STATUS_FAILED, NULL, NULL,
		    "a good result was refused: %s", bytes);
	start_ns = clock_cpu_ns();
	for (int i = 0; i < bench->block_count; i++) {
		const struct queue_result *result = &bench->blocks[i].result;

		(void)signing_verify(result->key, result->head,
		    strlen(result->head), result->signature);
	}
	measure->signature_ns = clock_cpu_ns() - start_ns;
	return STATUS_DONE;
}

static void
verification_print(const struct bench_settings *settings,
    const struct verification_bench *bench,
    const struct verification_measure *measure)
{
	double block_us =
	    (double)measure->cpu_ns / 1e3 / (double)measure->blocks;
	double signature_us =
	    (double)measure->signature_ns / 1e3 / bench->block_count;
	double bytes = (double)measure->bytes / bench->block_count;
	struct json json;

	if (!settings->json) {
		printf("%s: blocks of %d games of %jd deals, %.0f bytes a "
		       "block\n%.0f blocks/s on one core: %.1f us a block, "
		       "%.1f of them for its signature\n",
		    settings->rules, bench->game_count, settings->deals, bytes,
		    1e6 / block_us, block_us, signature_us);
		return;
	}
	json_document_begin(&json, stdout);
	json_string(&json, "rules", settings->rules);
	json_int(&json, "deals", settings->deals);
	json_int(&json, "games", bench->game_count);
	json_real(&json, "bytes", bytes, 0);
	json_real(&json, "blocks_per_s", 1e6 / block_us, 1);
	json_real(&json, "block_us", block_us, 2);
	json_real(&json, "signature_us", signature_us, 2);
	json_document_end(&json);
}

static enum status
verification_run(const void *given, char **argv)
{
	static const uint8_t seed[crypto_sign_SEEDBYTES] = { 1 };
	struct verification_bench *bench = command_memory(sizeof(*bench));
	const struct bench_settings *settings = given;
	struct verification_measure measure = { 0 };
	struct rule_set set;
	enum status status;

	(void)argv;
	if (!rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	bench->block_count = (int)settings->blocks;
	bench->blocks =
	    command_memory((size_t)settings->blocks * sizeof(*bench->blocks));
	status = verification_play(settings, &set, bench);
	crypto_sign_seed_keypair(bench->key.public, bench->key.secret, seed);
	for (int i = 0; status == STATUS_DONE && i < bench->block_count; i++) {
		struct checked_block *block = &bench->blocks[i];

		block_sign(bench, i);
		measure.bytes += block->record.size + strlen(block->head);
	}
	if (status == STATUS_DONE)
		status = verification_check(bench, settings->seconds, &measure);
	if (status == STATUS_DONE)
		verification_print(settings, bench, &measure);
	for (int i = 0; i < bench->block_count; i++)
		record_release(&bench->blocks[i].record);
	return status;
}

const struct command command_bench_verification = {
	.name = "bench verification",
	.sentence = "Measures how many blocks of workers are checked in a "
		    "second.",
	.detail = "What a coordinator does with each result: the signature, "
		  "each line of the records, the packs, the rules. The games "
		  "are played first, by @random. A second is one of CPU time, "
		  "on one core.",
	.examples = { "bench verification",
	    "bench verification --rules scopone --deals 0 --json" },
	.options = verification_options,
	.settings_size = sizeof(struct bench_settings),
	.run = verification_run,
};
