/*
 * Round robin and gauntlet: who meets follows from the number of the block
 * alone.  Each round has every encounter once.
 */
#include <assert.h>

#include "schedule_state.h"

/* How many ways there are to choose so many of so many. */
static int64_t
choices(int from, int count)
{
	int64_t ways = 1;

	for (int i = 1; i <= count; i++)
		ways = ways * (from - count + i) / i;
	return from < count ? 0 : ways;
}

/* The choice of that number, in the order of a dictionary, from `base` on. */
static void
choose(int base, int from, int count, int64_t number, int *chosen)
{
	int item = 0;

	assert(number >= 0 && number < choices(from, count));
	while (count > 0) {
		int64_t with = choices(from - item - 1, count - 1);

		if (number < with) {
			*chosen++ = base + item;
			count--;
		} else {
			number -= with;
		}
		item++;
	}
}

static int64_t
common_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Walks over 0..count-1 in long strides, because neighbours in a dictionary
 * have most of their bots in common, and these would play at once.
 */
static int64_t
stride(int64_t number, int64_t count)
{
	int64_t step = count * 618 / 1000;

	while (step < 1 || common_divisor(step, count) != 1)
		step++;
	return number * step % count;
}

static int64_t
robin_encounters(const struct schedule_config *config)
{
	return choices(config->bot_count, schedule_bot_count(config));
}

static int64_t
robin_block_count(const struct schedule_config *config)
{
	return robin_encounters(config) * config->rounds;
}

static int64_t
round_count(const struct schedule_config *config)
{
	return config->rounds;
}

static const char *
robin_flaw(const struct schedule_config *config)
{
	if (robin_encounters(config) > SCHEDULE_ENCOUNTERS_MAX)
		return "there are too many ways to choose who meets: play a "
		       "gauntlet, or with fewer bots";
	return NULL;
}

/*
 * Pairs by the circle method: one bot stays, the others move round it, and all
 * play in each turn of the circle.  For an odd number the one that stays is
 * nobody.
 */
static void
robin_pair(
    const struct schedule *schedule, int64_t encounter, struct block_plan *plan)
{
	int bots = schedule->config.bot_count;
	int circle = bots % 2 == 0 ? bots - 1 : bots;
	int turn = (int)(encounter / (bots / 2));
	int place = (int)(encounter % (bots / 2));

	if (bots % 2 == 0 && place == 0) {
		schedule_pair(schedule, turn, bots - 1, plan);
		return;
	}
	if (bots % 2 != 0)
		place++;
	schedule_pair(schedule, (turn + place) % circle,
	    (turn - place + circle) % circle, plan);
}

static enum schedule_answer
robin_next(struct schedule *schedule, struct block_plan *plan)
{
	const struct schedule_config *config = &schedule->config;
	int64_t encounters = robin_encounters(config), encounter;
	int count = schedule_bot_count(config);

	if (plan->index == robin_block_count(config))
		return SCHEDULE_END;
	assert(encounters > 0);
	encounter = plan->index % encounters;
	plan->round = (int)(plan->index / encounters);
	if (count == 2) {
		robin_pair(schedule, encounter, plan);
		return SCHEDULE_BLOCK;
	}
	plan->bot_count = count;
	choose(0, config->bot_count, count, stride(encounter, encounters),
	    plan->bots);
	return SCHEDULE_BLOCK;
}

/* Ways to fill the table of one challenger. */
static int64_t
gauntlet_tables(const struct schedule_config *config)
{
	return choices(config->bot_count - config->challengers,
	    schedule_bot_count(config) - 1);
}

static int64_t
gauntlet_block_count(const struct schedule_config *config)
{
	return config->challengers * gauntlet_tables(config) * config->rounds;
}

static const char *
gauntlet_flaw(const struct schedule_config *config)
{
	int others = config->bot_count - config->challengers;

	if (config->challengers < 1)
		return "a gauntlet needs at least 1 challenger";
	if (others < 1)
		return "a gauntlet needs bots that are no challengers";
	if (others < schedule_bot_count(config) - 1)
		return "a gauntlet needs enough others to fill the table of a "
		       "challenger";
	if (gauntlet_tables(config) >
	    SCHEDULE_ENCOUNTERS_MAX / config->challengers)
		return "there are too many ways to choose who meets: play "
		       "with fewer bots";
	return NULL;
}

static enum schedule_answer
gauntlet_next(struct schedule *schedule, struct block_plan *plan)
{
	const struct schedule_config *config = &schedule->config;
	int challengers = config->challengers;
	int64_t tables = gauntlet_tables(config), encounter, table;
	int count = schedule_bot_count(config), challenger;

	if (plan->index == gauntlet_block_count(config))
		return SCHEDULE_END;
	assert(challengers > 0 && tables > 0);
	encounter = plan->index % (tables * challengers);
	challenger = (int)(encounter % challengers);
	/* Each challenger begins somewhere else, so that nobody waits. */
	table = (encounter / challengers + challenger) % tables;
	plan->round = (int)(plan->index / (tables * challengers));
	if (count == 2) {
		schedule_pair(
		    schedule, challenger, challengers + (int)table, plan);
		return SCHEDULE_BLOCK;
	}
	plan->bot_count = count;
	plan->bots[0] = challenger;
	choose(challengers, config->bot_count - challengers, count - 1,
	    stride(table, tables), plan->bots + 1);
	return SCHEDULE_BLOCK;
}

const struct schedule_kind schedule_round_robin = {
	.name = "roundrobin",
	.flaw = robin_flaw,
	.block_count = robin_block_count,
	.round_count = round_count,
	.next = robin_next,
};

const struct schedule_kind schedule_gauntlet = {
	.name = "gauntlet",
	.flaw = gauntlet_flaw,
	.block_count = gauntlet_block_count,
	.round_count = round_count,
	.next = gauntlet_next,
};
