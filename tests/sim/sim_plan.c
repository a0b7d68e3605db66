/*
 * The plan of a tournament and the faults of its lives, both drawn from the
 * seed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "countof.h"
#include "rows.h"
#include "sim.h"
#include "support.h"

int64_t
sim_below(uint64_t *state, int64_t limit)
{
	return (int64_t)(support_random(state) % (uint64_t)limit);
}

uint64_t
sim_mix(uint64_t a, uint64_t b)
{
	uint64_t state = a ^ (b * UINT64_C(0x9E3779B97F4A7C15));

	support_random(&state);
	return support_random(&state);
}

static bool
chance(uint64_t *random, int percent)
{
	return sim_below(random, 100) < percent;
}

/* The name of each misbehaviour, and the offences that it can lead to. */
static const struct {
	const char *name;
	unsigned offences; /* 1 << enum offence_kind */
} misbehaviours[SIM_MISBEHAVIOUR_COUNT] = {
	[SIM_HONEST] = { "honest", 0 },
	[SIM_CHATTY] = { "chatty", 0 },
	[SIM_TWICE] = { "twice", 0 },
	[SIM_STALE] = { "stale", 0 },
	[SIM_LOUD] = { "loud", 0 },
	[SIM_PIECES] = { "pieces", 0 },
	[SIM_ILLEGAL] = { "illegal", 1u << OFFENCE_ILLEGAL },
	[SIM_GARBAGE] = { "garbage", 1u << OFFENCE_PROTOCOL },
	/* The line may still be incomplete when the next game is to begin. */
	[SIM_LONG] = { "long", 1u << OFFENCE_PROTOCOL | 1u << OFFENCE_STARTUP },
	[SIM_FLOOD] = { "flood",
	    1u << OFFENCE_PROTOCOL | 1u << OFFENCE_STARTUP },
	[SIM_SILENT] = { "silent", 1u << OFFENCE_TIMEOUT },
	[SIM_LATE] = { "late", 1u << OFFENCE_TIMEOUT },
	[SIM_EXIT] = { "exit", 1u << OFFENCE_CRASH },
	[SIM_CRASH] = { "crash", 1u << OFFENCE_CRASH },
	[SIM_DEAF] = { "deaf", 1u << OFFENCE_CRASH },
	[SIM_MUTE] = { "mute", 1u << OFFENCE_STARTUP },
	[SIM_MISSING] = { "missing", 1u << OFFENCE_STARTUP },
};

const char *
sim_misbehaviour_name(enum sim_misbehaviour misbehaviour)
{
	return misbehaviours[misbehaviour].name;
}

bool
sim_misbehaviour_explains(enum sim_misbehaviour misbehaviour, int offence)
{
	return misbehaviours[misbehaviour].offences & (1u << offence);
}

static void
choose_game(struct sim_plan *plan, uint64_t *random)
{
	static const char *const specs[] = { "scopa", "scopa",
		"scopa,players=3", "scopone", "scientifico", "escoba",
		"cirulla", "scopa,redeal=ace" };
	static const enum schedule_format formats[] = { SCHEDULE_ROUND_ROBIN,
		SCHEDULE_ROUND_ROBIN, SCHEDULE_GAUNTLET, SCHEDULE_SWISS,
		SCHEDULE_KNOCKOUT, SCHEDULE_LADDER };
	struct schedule_config *schedule = &plan->config.schedule;

	do {
		snprintf(plan->spec, sizeof(plan->spec), "%s",
		    specs[sim_below(random, COUNTOF(specs))]);
		*schedule = (struct schedule_config){
			.rules = support_rules(plan->spec),
			.format = formats[sim_below(random, COUNTOF(formats))],
			.bot_count = 2 + (int)sim_below(random, 3),
			.duplicate = chance(random, 70),
			.rounds = 1 + (int)sim_below(random, 2),
			.blocks = 2 + sim_below(random, 4),
			.challengers = 1,
			.seed = support_random(random) >> 1,
			.mixed = chance(random, 20),
		};
	} while (schedule_flaw(schedule) != NULL ||
	    schedule_block_count(schedule) * schedule_game_count(schedule) >
		30);
}

static void
choose_bots(struct sim_plan *plan, uint64_t *random)
{
	for (int i = 0; i < plan->config.schedule.bot_count; i++) {
		plan->misbehaviours[i] = chance(random, 35)
		    ? SIM_HONEST
		    : (enum sim_misbehaviour)sim_below(
			  random, SIM_MISBEHAVIOUR_COUNT);
		plan->misbehaviour_rates[i] = 1 + (int)sim_below(random, 60);
	}
}

void
sim_plan_make(struct sim_plan *plan, uint64_t seed)
{
	uint64_t random = sim_mix(seed, 1);

	memset(plan, 0, sizeof(*plan));
	plan->seed = seed;
	choose_game(plan, &random);
	choose_bots(plan, &random);
	plan->policy = (enum verdict_policy)sim_below(&random, POLICY_COUNT);
	plan->config.disqualify = plan->policy == POLICY_DISQUALIFY;
	plan->deals = chance(&random, 90) ? 1 : 2;
	plan->concurrency = 1 + (int)sim_below(&random, 6);
	plan->worker_count = 1 + (int)sim_below(&random, 3);
	plan->pipe_size = chance(&random, 30) ? 4096 : 65536;
	plan->head =
	    *rows_head((enum scopa_teams)plan->config.schedule.rules.teams,
		plan->config.schedule.bot_count,
		schedule_game_count(&plan->config.schedule));
}

/* A number from 1 to `count`; 0 if `count` is 0. */
static int64_t
pick(uint64_t *random, int64_t count)
{
	return count > 0 ? 1 + sim_below(random, count) : 0;
}

static void
choose_disk(struct sim_faults *faults, uint64_t *random, int64_t steps)
{
	faults->disk = (enum fault)pick(random, FAULT_DISK);
	faults->disk_step = (int)pick(random, steps);
	faults->disk_survivors = (enum fault_survivors)sim_below(random, 8);
	faults->disk_ns = pick(random, 3000) * SIM_MS;
}

/* Chooses the one fault of a life that can end it. */
static void
choose_ending_fault(struct sim_faults *faults, uint64_t *random,
    const struct sim_counts *counts)
{
	static const int errors[] = { EAGAIN, ENOMEM, EMFILE, ENFILE };
	int64_t failure;

	faults->error = errors[sim_below(random, COUNTOF(errors))];
	failure = sim_below(random, SIM_FAILURE_COUNT + FAULT_DISK);
	if (failure < SIM_FAILURE_COUNT)
		faults->failures[failure] =
		    pick(random, counts->failures[failure]);
	else
		choose_disk(faults, random, counts->disk_steps);
}

void
sim_faults_make(struct sim_faults *faults, const struct sim_plan *plan,
    int life, const struct sim_counts *counts)
{
	uint64_t random = sim_mix(plan->seed, (uint64_t)life + 2);

	memset(faults, 0, sizeof(*faults));
	if (chance(&random, 40))
		faults->short_rate = (int)sim_below(&random, 300);
	if (chance(&random, 30))
		faults->again_rate = (int)sim_below(&random, 200);
	if (chance(&random, 30))
		faults->interrupt_rate = (int)sim_below(&random, 200);
	if (chance(&random, 50))
		faults->lag_count = (int)sim_below(&random, SIM_LAGS_MAX + 1);
	for (int i = 0; i < faults->lag_count; i++) {
		faults->lags[i].call = pick(&random, counts->clocks);
		faults->lags[i].ns =
		    pick(&random,
			chance(&random, 50) ? SIM_LAG_MS_MAX / 30
					    : SIM_LAG_MS_MAX) *
		    SIM_MS;
	}
	if (life < SIM_LIVES_MAX - 1 && chance(&random, 75))
		choose_ending_fault(faults, &random, counts);
}

void
sim_plan_print(const struct sim_plan *plan)
{
	const struct schedule_config *schedule = &plan->config.schedule;

	printf("# %s, %s of %d bots, %d rounds, %s%s%d at once, %d workers, "
	       "policy %s, %d deals\n",
	    plan->spec, schedule_format_names[schedule->format],
	    schedule->bot_count, schedule->rounds,
	    schedule->duplicate ? "duplicate, " : "",
	    schedule->mixed ? "mixed, " : "", plan->concurrency,
	    plan->worker_count, policy_name(plan->policy), plan->deals);
	for (int i = 0; i < schedule->bot_count; i++)
		printf("# bot %d: %s, one decision in %d\n", i + 1,
		    sim_misbehaviour_name(plan->misbehaviours[i]),
		    plan->misbehaviour_rates[i]);
}

static void
print_one(const char *name, int64_t number)
{
	if (number != 0)
		printf(" %s=%lld", name, (long long)number);
}

void
sim_faults_print(const struct sim_faults *faults)
{
	static const char *const failures[SIM_FAILURE_COUNT] = {
		[SIM_REFUSE_SPAWN] = "refuse-spawn",
		[SIM_REFUSE_MEMORY] = "refuse-memory",
		[SIM_REFUSE_PIPE] = "refuse-pipe",
		[SIM_REFUSE_WATCH] = "refuse-watch",
		[SIM_KILL_ARENA] = "kill-arena",
		[SIM_KILL_WORKER] = "kill-worker",
		[SIM_INTERRUPT] = "interrupt",
		[SIM_REFUSE_READ] = "refuse-read",
		[SIM_REFUSE_WRITE] = "refuse-write",
	};

	printf("#  ");
	print_one("short", faults->short_rate);
	print_one("again", faults->again_rate);
	print_one("interrupted", faults->interrupt_rate);
	for (int failure = 0; failure < SIM_FAILURE_COUNT; failure++)
		print_one(failures[failure], faults->failures[failure]);
	print_one("disk", (int64_t)faults->disk);
	print_one("disk-step", faults->disk_step);
	for (int i = 0; i < faults->lag_count; i++)
		printf(" lag=%lld:%lldms", (long long)faults->lags[i].call,
		    (long long)(faults->lags[i].ns / SIM_MS));
	printf("\n");
}
