/*
 * Plays runs from seeds, each twice: on one machine, and on a fleet whose
 * machines fail.  Both must have the same blocks and the same records, and a
 * gate must reach its verdict at the same block.
 *
 * 	fleet [--seed N] [--seeds COUNT] [--workers N] [--rounds N] [--gate]
 * 	      [--game SECONDS] [--audit RATE] [--liars RATE]
 * 	      [--calm] [--worse FACTOR] [--figures] [--verbose]
 *
 * --calm: nothing fails. --worse: failures are FACTOR times as frequent.
 * --figures: print measurements. --liars: this share of workers alters plays in
 * 5% of their games, which only an audit can find; all of them must be
 * quarantined, and the games that they altered must be played again.
 */
#include "fleet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator.h"
#include "faults.h"
#include "folder.h"
#include "log.h"
#include "queue.h"
#include "rows.h"
#include "run.h"
#include "runner.h"
#include "tournament.h"

int64_t __real_clock_now_ns(void);

/* One of the two runs, on one machine or on the fleet. */
struct side {
	struct fleet_check check; /* the first member */
	const struct fleet_plan *plan;
	struct tournament_config tournament_config;
	struct gate_config gate;
	struct dispatcher_config dispatcher;
	struct entrant entrants[FLEET_BOTS];
	struct run run;
	struct tournament tournament;
	struct fleet_machine *machine; /* NULL on one machine */
	int64_t next_block;
	unsigned char chain[STORE_DIGEST_SIZE];
	int64_t blocks;
	enum gate_outcome outcome;
};

static char folder[FOLDER_SIZE];

/* --- the run on one machine */

struct reference {
	struct dispatcher base; /* the first member */
	bool ended;
};

static void
reference_end(struct dispatcher *dispatcher, enum dispatcher_end end,
    int detail, enum stop_mode order)
{
	(void)end, (void)detail, (void)order;
	((struct reference *)dispatcher)->ended = true;
}

static void
reference_supply_again(struct dispatcher *dispatcher)
{
	(void)dispatcher;
}

static struct dispatcher_outcome
reference_play(const void *player, const struct dispatcher_config *config,
    const struct dispatcher_calls *calls, void *context)
{
	struct reference reference = {
		.base = { reference_end, reference_supply_again },
	};
	struct game_spec spec;

	(void)player;
	while (!reference.ended &&
	    calls->next(&reference.base, context, &spec) == DISPATCHER_GAME) {
		struct game_result result = { .fault_entrant = -1,
			.fault.seat = -1 };
		char record[FLEET_RECORD_SIZE];
		struct fleet_keys keys;
		size_t size;

		fleet_keys_of_run(&keys, &config->rules, &spec);
		size =
		    fleet_game_play(&spec, &keys, 0, &result.summary, record);
		memcpy(result.entrant, spec.entrant, sizeof(result.entrant));
		calls->on_result(
		    &reference.base, context, &result, record, size);
	}
	return (struct dispatcher_outcome){ .end = DISPATCHER_DONE };
}

/* --- a run */

static void
on_block(void *context, const struct block_result *block)
{
	struct side *side = context;

	FLEET_MUST(block->plan.index == side->next_block);
	side->next_block++;
}

static const struct runner_calls runner_calls = { .on_block = on_block };

static int64_t
durable(void *context)
{
	const struct side *side = context;

	return side->run.block_count;
}

static void
on_message(void *context, bool urgent, const char *sentence)
{
	const struct side *side = context;

	if (strstr(sentence, " is paused, ") != NULL)
		fleet_machine_pause(side->machine);
	fleet_log("coordinator%s: %s", urgent ? "!" : "", sentence);
}

static void
configure(struct side *side, const struct fleet_plan *plan)
{
	struct schedule_config *schedule = &side->tournament_config.schedule;
	uint64_t random = plan->seed;

	side->plan = plan;
	*schedule = (struct schedule_config){
		.format = SCHEDULE_ROUND_ROBIN,
		.bot_count = FLEET_BOTS,
		.rules = scopa_preset_find("scopa")->rules,
		.duplicate = true,
		.rounds = (int)plan->rounds,
	};
	side->gate = (struct gate_config){
		.sequential = true,
		.sprt = { .model = SPRT_MARGIN,
		    .unit = SPRT_UNIT_POINTS,
		    .low = 0,
		    .high = 0.4,
		    .alpha = 0.05,
		    .beta = 0.05,
		    .minimum = SPRT_MINIMUM_DEFAULT },
		.blocks_max = plan->rounds,
		.level = 0.95,
	};
	if (plan->gate)
		side->tournament_config.sprt = &side->gate.sprt;
	side->dispatcher = (struct dispatcher_config){
		.rules = { .rules = schedule->rules,
		    .preset = scopa_preset_find("scopa"),
		    .deals = 1 },
		.entrants = side->entrants,
		.entrant_count = FLEET_BOTS,
		.concurrency = 1,
	};
	for (int i = 0; i < SHUFFLE_KEY_SIZE; i++)
		side->dispatcher.rules.root_key.bytes[i] =
		    (uint8_t)splitmix_next(&random);
	for (int i = 0; i < FLEET_BOTS; i++)
		snprintf(side->entrants[i].name, sizeof(side->entrants[i].name),
		    "bot \"%d\"", i);
}

/* Adds the blocks of the run to a new tournament. */
static void
replay_blocks(struct side *side)
{
	struct store_error error;

	tournament_close(&side->tournament);
	FLEET_MUST(
	    tournament_open(&side->tournament, &side->tournament_config) == 0);
	if (!runner_catch_up(&side->run, &side->tournament, &error))
		fleet_fail("%s", error.what);
	side->next_block = side->tournament.counted;
}

static void
play_run(struct side *side, const char *name, struct runner_config *config)
{
	const struct store_head *head = rows_head(SCOPA_TEAMS_AB, FLEET_BOTS,
	    schedule_game_count(&side->tournament_config.schedule));
	struct store_error error;
	struct runner_outcome outcome;
	char *terms = terms_make("", head);
	bool again;
	int status;

	FLEET_MUST(terms != NULL);
	if (run_create(&side->run, folder_path(folder, name), head,
		&(struct run_texts){ .config = "", .terms = terms },
		&error) != 0)
		fleet_fail("%s", error.what);
	free(terms);
	FLEET_MUST(
	    tournament_open(&side->tournament, &side->tournament_config) == 0);
	config->dispatcher = side->dispatcher;
	config->gate = side->plan->gate ? &side->gate : NULL;
	config->calls = &runner_calls;
	config->context = side;
	do {
		status = 0;
		outcome = runner_run(config, &side->run, &side->tournament);
		again = config->player != NULL && outcome.end == RUNNER_DONE &&
		    coordinator_replace(config->player, &status, &error);
		if (status != 0)
			fleet_fail("%s", error.what);
		if (again)
			replay_blocks(side);
	} while (again);
	if (outcome.end != RUNNER_DONE || outcome.dropped != 0)
		fleet_fail("the run ends with %d, %d: %s", (int)outcome.end,
		    outcome.detail, outcome.error.what);
	memcpy(side->chain, side->run.chain, sizeof(side->chain));
	side->blocks = side->run.block_count;
	side->outcome =
	    gate_judge(&side->gate, &side->tournament.standings, true).outcome;
	tournament_close(&side->tournament);
	run_close(&side->run);
}

static void
play_fleet(const struct fleet_plan *plan, struct side *side,
    struct fleet_counts *counts, struct queue_memory_counts *queue_counts)
{
	struct queue_run run = { .spec = "", .lease_s = plan->lease_s };
	struct salvage_blocks replaced = { .count = 0 };
	struct coordinator_config coordinator = {
		.run = &run,
		.block_games = 2,
		.window_max = COORDINATOR_WINDOW_MAX,
		.audit_rate = plan->audit_rate,
		.folder = &side->run,
		.replaced = &replaced,
		.check = fleet_check,
		.durable = durable,
		.context = side,
		.speaker = { on_message, side },
	};
	struct runner_config config = { .play = coordinator_run,
		.player = &coordinator };
	struct store_error error;

	configure(side, plan);
	snprintf(run.uid, sizeof(run.uid), "%032" PRIx64, plan->seed);
	snprintf(run.name, sizeof(run.name), "fleet");
	snprintf(run.engine, sizeof(run.engine), "%s", engine_id());
	side->check = (struct fleet_check){
		.config = &side->dispatcher, .uid = run.uid, .counts = counts
	};
	side->machine =
	    fleet_machine_open(plan, &side->dispatcher, &run, counts);
	coordinator.queue =
	    queue_memory_connect(fleet_machine_memory(side->machine), NULL);
	run.id = 1;
	play_run(side, "fleet", &config);
	while (coordinator_end(coordinator.queue, &run, true, &error) ==
	    QUEUE_AWAY)
		coordinator.queue->calls->wait(coordinator.queue, FLEET_S, -1);
	fleet_machine_look(side->machine);
	*queue_counts =
	    *queue_memory_counts(fleet_machine_memory(side->machine));
	FLEET_MUST(queue_memory_job_count(
		       fleet_machine_memory(side->machine), run.id) == 0);
	fleet_machine_close(side->machine);
	counts->blocks = side->blocks;
	counts->games = 2 * side->blocks;
}

/* --- comparison of the two runs */

static void
compare_records(void)
{
	char command[5 * FOLDER_SIZE];

	snprintf(command, sizeof(command),
	    "cmp '%s/reference/%s' '%s/fleet/%s'", folder, RUN_RECORDS, folder,
	    RUN_RECORDS);
	if (system(command) != 0)
		fleet_fail("the records differ");
}

static void
print_figures(const struct fleet_plan *plan, const struct fleet_counts *counts,
    const struct queue_memory_counts *queue, double real_s)
{
	double seconds = (double)counts->end_ns / (double)FLEET_S;

	printf("# %d workers of %d cores, games of %g s, lease %d s\n",
	    plan->worker_count, plan->lanes, plan->game_s, plan->lease_s);
	printf("# %" PRId64 " games in %.0f simulated seconds, %.1f games/s, "
	       "in %.1f s\n",
	    counts->games, seconds, (double)counts->games / seconds, real_s);
	printf("# %" PRId64 " machines crashed, %" PRId64
	       " stopped for long, %" PRId64 " were cut off, %" PRId64
	       " restarts of the server, %" PRId64 " games hung, %" PRId64
	       " results refused\n",
	    counts->crashes, counts->freezes, counts->cuts, counts->restarts,
	    counts->hangs, counts->refused);
	printf("# %" PRId64 " claims, %" PRId64 " results accepted, %" PRId64
	       " late ones fenced, %" PRId64
	       " blocks paused, %d workers quarantined\n",
	    queue->claimed, queue->finished, queue->fenced, counts->pauses,
	    counts->quarantined);
	printf("# bytes a game: %.0f to the worker, %.0f back\n",
	    (double)queue->job_bytes / (double)counts->games,
	    (double)queue->result_bytes / (double)counts->games);
	if (!plan->gate)
		printf("# throughput: %.1f%% of the sum of the living "
		       "workers\n",
		    100 * counts->steady_games / counts->steady_capacity);
}

static void
play_seed(const struct fleet_plan *plan, bool figures)
{
	static struct side reference, fleet;
	struct fleet_counts counts = { 0 };
	struct queue_memory_counts queue_counts;
	int64_t began_ns = __real_clock_now_ns();

	folder_make(folder);
	faults_arm(folder, FAULT_NONE, 0, FAULT_SURVIVES_NONE);
	memset(&reference, 0, sizeof(reference));
	memset(&fleet, 0, sizeof(fleet));
	configure(&reference, plan);
	play_run(&reference, "reference",
	    &(struct runner_config){ .play = reference_play });
	play_fleet(plan, &fleet, &counts, &queue_counts);
	if (figures)
		print_figures(plan, &counts, &queue_counts,
		    (double)(__real_clock_now_ns() - began_ns) /
			(double)FLEET_S);
	FLEET_MUST(counts.honest_quarantined == 0);
	FLEET_MUST(counts.liars_quarantined ==
	    (int)(plan->liar_rate * plan->worker_count));
	FLEET_MUST(fleet.blocks == reference.blocks);
	FLEET_MUST(fleet.outcome == reference.outcome);
	compare_records();
	FLEET_MUST(
	    memcmp(fleet.chain, reference.chain, sizeof(fleet.chain)) == 0);
	folder_remove(folder);
}

static void
make_calm(struct fleet_plan *plan)
{
	plan->crash_s = plan->freeze_s = plan->cut_s = plan->restart_s = 0;
	plan->hang_rate = plan->lost_rate = plan->forger_rate = 0;
}

static void
make_worse(struct fleet_plan *plan, double factor)
{
	plan->crash_s /= factor;
	plan->freeze_s /= factor;
	plan->cut_s /= factor;
	plan->restart_s /= factor;
	plan->hang_rate *= factor;
	plan->lost_rate *= factor;
}

static void
read_words(char **argv, struct fleet_plan *plan, int *seeds, bool *figures)
{
	for (argv++; *argv != NULL; argv++) {
		double number = argv[1] != NULL ? strtod(argv[1], NULL) : 0;
		const char *word = *argv;

		if (strcmp(word, "--gate") == 0)
			plan->gate = true;
		else if (strcmp(word, "--calm") == 0)
			make_calm(plan);
		else if (strcmp(word, "--figures") == 0)
			*figures = true;
		else if (strcmp(word, "--verbose") == 0)
			fleet_verbose = true;
		else if (argv[1] == NULL)
			fleet_fail("%s: see the head of fleet.c", word);
		else if (argv++, strcmp(word, "--seed") == 0)
			plan->seed = (uint64_t)number;
		else if (strcmp(word, "--seeds") == 0)
			*seeds = (int)number;
		else if (strcmp(word, "--workers") == 0)
			plan->worker_count = (int)number;
		else if (strcmp(word, "--rounds") == 0)
			plan->rounds = (int64_t)number;
		else if (strcmp(word, "--game") == 0)
			plan->game_s = number;
		else if (strcmp(word, "--worse") == 0)
			make_worse(plan, number);
		else if (strcmp(word, "--audit") == 0)
			plan->audit_rate = number;
		else if (strcmp(word, "--liars") == 0)
			plan->liar_rate = number;
		else
			fleet_fail("%s: see the head of fleet.c", word);
	}
	FLEET_MUST(
	    plan->worker_count > 0 && plan->worker_count <= FLEET_WORKERS_MAX);
}

int
main(int argc, char **argv)
{
	struct fleet_plan plan = {
		.seed = 1,
		.worker_count = 20,
		.lanes = 4,
		.rounds = 600,
		.lease_s = 60,
		.game_s = 30,
		.crash_s = 7200,
		.freeze_s = 14400,
		.cut_s = 3600,
		.restart_s = 1800,
		.hang_rate = 0.00005,
		.lost_rate = 0.001,
		.slow_rate = 0.1,
		.forger_rate = 0.01,
	};
	bool figures = false;
	int seeds = 1;

	(void)argc;
	read_words(argv, &plan, &seeds, &figures);
	FLEET_MUST(log_open("/dev/null", LOG_ERROR) == 0);
	for (int i = 0; i < seeds; i++, plan.seed++) {
		fleet_log("seed %" PRIu64, plan.seed);
		play_seed(&plan, figures);
	}
	printf("ok 1 - %d runs from seed %" PRIu64 " end as they should\n",
	    seeds, plan.seed - (uint64_t)seeds);
	return 0;
}
