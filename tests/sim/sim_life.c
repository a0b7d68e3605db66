/*
 * One life of a run: opens the run or creates it, plays until the run ends or a
 * fault stops it, and checks at the end that no memory and no descriptor is
 * left.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "run.h"
#include "runner.h"
#include "sim.h"
#include "sim_real.h"

struct life {
	const struct sim_plan *plan;
	const char *path;
	struct entrant entrants[SIM_BOTS_MAX];
	struct run run;
	struct tournament tournament;
	struct store_error error;
	int64_t next_block;
	enum sim_end end;
};

void
sim_log(const char *format, ...)
{
	va_list list;

	if (!sim_machine.verbose)
		return;
	printf("# %10.3f ms: ", (double)sim_machine.now_ns / (double)SIM_MS);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	fflush(stdout);
}

_Noreturn void
sim_bad(const char *format, ...)
{
	va_list list;

	printf("# ");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	fflush(stdout);
	__real__exit(SIM_BAD);
}

/* Blocks must be counted in order, each once. */
static void
on_block(void *context, const struct block_result *block)
{
	struct life *life = context;

	SIM_MUST(block->plan.index == life->next_block);
	life->next_block++;
	sim_log("block %lld%s", (long long)block->plan.index + 1,
	    block->skipped ? " is skipped" : "");
}

static void
on_fault(void *context, const struct game_result *result)
{
	const struct life *life = context;
	enum sim_misbehaviour misbehaviour =
	    life->plan->misbehaviours[result->fault_entrant];

	sim_log("m%lld is lost by bot %d (%s): %s",
	    (long long)result->summary.game + 1, result->fault_entrant + 1,
	    sim_misbehaviour_name(misbehaviour), result->fault.reason);
	SIM_MUST(
	    sim_misbehaviour_explains(misbehaviour, (int)result->fault.kind));
}

static void
on_suspend(void *context, int bot)
{
	const struct life *life = context;

	SIM_MUST(life->plan->misbehaviours[bot] >= SIM_ILLEGAL);
	SIM_MUST(life->tournament.suspended[bot]);
}

/* The disk is full; from now on it stays full for the time of the plan. */
static void
on_hold(void *context, int status, const struct store_error *error)
{
	(void)context;
	if (status != -ENOSPC || sim_machine.full_until_ns > 0)
		return;
	sim_log("held: %s", error->what);
	sim_machine.full_until_ns =
	    sim_machine.now_ns + sim_machine.faults->disk_ns;
}

static const struct runner_calls calls = {
	.on_block = on_block,
	.on_fault = on_fault,
	.on_suspend = on_suspend,
	.on_hold = on_hold,
};

static void
configure(struct life *life, struct dispatcher_config *dispatcher)
{
	const struct sim_plan *plan = life->plan;
	char preset[sizeof(plan->spec)];

	snprintf(preset, sizeof(preset), "%.*s", (int)strcspn(plan->spec, ","),
	    plan->spec);
	*dispatcher = (struct dispatcher_config){
		.rules = {
			.rules = plan->config.schedule.rules,
			.preset = scopa_preset_find(preset),
			.settings = {
				.arena = "arena/1",
				.control = { .kind = BUDGET_MOVE,
				    .base_ms = SIM_MOVE_MS },
				.margin_ns = 50 * SIM_MS,
				.startup_ns = SIM_WAIT_MS * SIM_MS,
				.hang_ns = SIM_WAIT_MS * SIM_MS,
				.strikes_max = 3,
				.policy = plan->policy,
			},
			.deals = plan->deals,
			.grace_ns = 300 * SIM_MS,
		},
		.entrants = life->entrants,
		.entrant_count = plan->config.schedule.bot_count,
		.concurrency = plan->concurrency,
		.pin = DISPATCHER_PIN_NONE,
	};
	for (int i = 0; i < SHUFFLE_KEY_SIZE; i++)
		dispatcher->rules.root_key.bytes[i] =
		    (unsigned char)sim_mix(plan->seed, (uint64_t)i + 50);
	for (int i = 0; i < dispatcher->entrant_count; i++) {
		struct entrant *entrant = &life->entrants[i];

		snprintf(entrant->name, sizeof(entrant->name), "%s",
		    plan->head.bots[i].name);
		strcpy(entrant->program.path, "/script");
		snprintf(entrant->program.words, sizeof(entrant->program.words),
		    "script%c%d", '\0', i);
		entrant->program.word_count = 2;
	}
}

/* Opens the run, or makes it if there is none yet. */
static int
open_run(struct life *life)
{
	int status = -ENOENT;
	char *terms;

	if (access(life->path, F_OK) == 0)
		status = run_open(&life->run, life->path, true, &life->error);
	if (status == 0) {
		status = run_cut_records(&life->run, &life->error);
		if (status != 0)
			run_close(&life->run);
	}
	if (status != -ENOENT)
		return status;
	terms = terms_make("", &life->plan->head);
	if (terms == NULL)
		return -ENOMEM;
	status = run_create(&life->run, life->path, &life->plan->head,
	    &(struct run_texts){ .config = "", .terms = terms }, &life->error);
	free(terms);
	return status;
}

static enum sim_end
play(struct life *life)
{
	struct runner_config config = { .calls = &calls, .context = life };
	struct runner_outcome outcome;

	configure(life, &config.dispatcher);
	life->next_block = life->run.block_count;
	outcome = runner_run(&config, &life->run, &life->tournament);
	sim_log("the run ends by %d, %d: %s", (int)outcome.end, outcome.detail,
	    outcome.error.what);
	switch (outcome.end) {
	case RUNNER_DONE:
	case RUNNER_NOBODY:
		/* No result that counts may have been dropped. */
		SIM_MUST(outcome.dropped == 0);
		return SIM_DONE;
	case RUNNER_INTERRUPTED:
	case RUNNER_FAILED:
	case RUNNER_LOST:
	case RUNNER_STORE:
		break;
	}
	return SIM_AGAIN;
}

static void
run_life_process(void *context)
{
	struct life *life = context;
	int status;

	life->end = SIM_AGAIN;
	status = tournament_open(&life->tournament, &life->plan->config);
	if (status == 0) {
		status = open_run(life);
		if (status == 0) {
			if (runner_catch_up(
				&life->run, &life->tournament, &life->error))
				life->end = play(life);
			else
				sim_log("not caught up: %s", life->error.what);
			run_close(&life->run);
		} else {
			sim_log("no run: %s", life->error.what);
		}
		tournament_close(&life->tournament);
	}
	/* After FAULT_POWER the simulated disk keeps copies in this memory,
	 * too. */
	if (sim_memory_count() != 0 && sim_machine.faults->disk != FAULT_POWER)
		sim_bad("%lld pieces of memory are left",
		    (long long)sim_memory_count());
	if (sim_files_count(sim_files_now()) != 0)
		sim_bad("%d descriptors are left",
		    sim_files_count(sim_files_now()));
}

_Noreturn void
sim_life(const struct sim_plan *plan, const char *path,
    const struct sim_faults *faults, struct sim_counts *counts, int verbose)
{
	static struct life life;
	char folder[PATH_MAX];

	life = (struct life){ .plan = plan, .path = path };
	snprintf(folder, sizeof(folder), "%.*s",
	    (int)(strrchr(path, '/') - path), path);
	/* The arena's errors about the machine are expected. */
	if (!verbose)
		SIM_MUST(log_open("/dev/null", LOG_ERROR) == 0);
	faults_arm(
	    folder, faults->disk, faults->disk_step, faults->disk_survivors);
	sim_machine.verbose = verbose;
	sim_kernel_run(plan, faults, counts, run_life_process, &life);
	counts->disk_steps = faults_disarm();
	fflush(stdout);
	__real__exit((int)life.end);
}
