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

uint64_t
sim_random(uint64_t *state)
{
	return support_random(state);
}

int64_t
sim_below(uint64_t *state, int64_t limit)
{
	return (int64_t)(sim_random(state) % (uint64_t)limit);
}

uint64_t
sim_mix(uint64_t a, uint64_t b)
{
	uint64_t state = a ^ (b * UINT64_C(0x9E3779B97F4A7C15));

	sim_random(&state);
	return sim_random(&state);
}

static bool
chance(uint64_t *random, int percent)
{
	return sim_below(random, 100) < percent;
}

const char *
sim_misbehaviour_name(enum sim_misbehaviour misbehaviour)
{
	static const char *const names[] = {
		[SIM_HONEST] = "honest",
		[SIM_CHATTY] = "chatty",
		[SIM_TWICE] = "twice",
		[SIM_STALE] = "stale",
		[SIM_LOUD] = "loud",
		[SIM_PIECES] = "pieces",
		[SIM_ILLEGAL] = "illegal",
		[SIM_GARBAGE] = "garbage",
		[SIM_LONG] = "long",
		[SIM_FLOOD] = "flood",
		[SIM_SILENT] = "silent",
		[SIM_LATE] = "late",
		[SIM_EXIT] = "exit",
		[SIM_CRASH] = "crash",
		[SIM_DEAF] = "deaf",
		[SIM_MUTE] = "mute",
		[SIM_MISSING] = "missing",
	};

	_Static_assert(COUNTOF(names) == SIM_MISBEHAVIOUR_COUNT, "a name each");
	return names[misbehaviour];
}

static void
choose_game(struct sim_plan *plan, uint64_t *random)
{
	static const char *const specs[] = { "scopa", "scopa", "scopa,seats=3",
		"scopone", "scientifico", "escoba", "cirulla",
		"scopa,three-kings=yes" };
	static const enum schedule_format formats[] = { SCHEDULE_ROUND_ROBIN,
		SCHEDULE_ROUND_ROBIN, SCHEDULE_GAUNTLET, SCHEDULE_SWISS,
		SCHEDULE_KNOCKOUT, SCHEDULE_LADDER };
	struct schedule_config *schedule = &plan->config.schedule;
	struct scopa_rules rules;
	struct scopa_text why;
	char bytes[256];

	do {
		snprintf(plan->spec, sizeof(plan->spec), "%s",
		    specs[sim_below(random, COUNTOF(specs))]);
		scopa_text_init(&why, bytes, sizeof(bytes));
		*schedule = (struct schedule_config){
			.format = formats[sim_below(random, COUNTOF(formats))],
			.bot_count = 2 + (int)sim_below(random, 3),
			.duplicate = chance(random, 70),
			.rounds = 1 + (int)sim_below(random, 2),
			.blocks = 2 + sim_below(random, 4),
			.challengers = 1,
			.seed = sim_random(random) >> 1,
		};
		if (!scopa_rules_parse(&rules, plan->spec, &why))
			continue;
		schedule->rules = rules;
		schedule->mixed = chance(random, 20);
	} while (!scopa_rules_parse(&rules, plan->spec, &why) ||
	    schedule_flaw(schedule) != NULL ||
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
	static const enum fault kinds[] = { FAULT_KILL, FAULT_TEAR, FAULT_POWER,
		FAULT_FULL, FAULT_FULL_SYNC, FAULT_DISK };

	faults->disk = kinds[sim_below(random, COUNTOF(kinds))];
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

	faults->error = errors[sim_below(random, COUNTOF(errors))];
	switch (sim_below(random, 11)) {
	case 0:
		faults->refuse_spawn = pick(random, counts->spawns);
		break;
	case 1:
		faults->refuse_memory = pick(random, counts->allocations);
		break;
	case 2:
		faults->refuse_pipe = pick(random, counts->pipes);
		break;
	case 3:
		faults->refuse_watch = pick(random, counts->watches);
		break;
	case 4:
		faults->kill_arena = pick(random, counts->steps);
		break;
	case 5:
		faults->kill_worker = pick(random, counts->steps);
		break;
	case 6:
		faults->interrupt = pick(random, counts->steps);
		break;
	case 7:
		faults->refuse_read = pick(random, counts->reads);
		break;
	case 8:
		faults->refuse_write = pick(random, counts->writes);
		break;
	default:
		choose_disk(faults, random, counts->disk_steps);
	}
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
	    plan->spec, schedule_format_name(schedule->format),
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
	printf("#  ");
	print_one("short", faults->short_rate);
	print_one("again", faults->again_rate);
	print_one("interrupted", faults->interrupt_rate);
	print_one("refuse-spawn", faults->refuse_spawn);
	print_one("refuse-memory", faults->refuse_memory);
	print_one("refuse-pipe", faults->refuse_pipe);
	print_one("refuse-watch", faults->refuse_watch);
	print_one("refuse-read", faults->refuse_read);
	print_one("refuse-write", faults->refuse_write);
	print_one("kill-arena", faults->kill_arena);
	print_one("kill-worker", faults->kill_worker);
	print_one("interrupt", faults->interrupt);
	print_one("disk", (int64_t)faults->disk);
	print_one("disk-step", faults->disk_step);
	for (int i = 0; i < faults->lag_count; i++)
		printf(" lag=%lld:%lldms", (long long)faults->lags[i].call,
		    (long long)(faults->lags[i].ns / SIM_MS));
	printf("\n");
}
