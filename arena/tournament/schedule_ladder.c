/*
 * Ladder: blocks go where they tell most about the ranking.
 *
 * First a ring joins all bots, three times, so that something is known of the
 * spread of margins.  Then blocks are chosen by generations, each from all results
 * before it: the pair with the largest expected information, then the pair for
 * which that is so when the first has met, and so on.  The size of a generation
 * follows from the number of bots alone, never from how many games are on.
 */
#include <assert.h>
#include <float.h>
#include <math.h>

#include "ranking.h"
#include "schedule_state.h"

/* A generation has a block for each bot, but not less than so many. */
enum { GENERATION_MIN = 32, RING_ROUNDS = 3 };

_Static_assert((int)SCHEDULE_PICKS_MAX >= RING_ROUNDS * TOURNAMENT_BOTS_MAX &&
	(int)SCHEDULE_PICKS_MAX >= GENERATION_MIN,
    "a generation has room");

/* Of a pair that nothing joins yet: more than one bit. */
#define INFORMATION_UNJOINED 2.0

/* No less than any pair has: one bit is all there is to know. */
#define INFORMATION_MAX 1.0

/*
 * Information is compared in steps of so many bits: pairs that differ by the
 * last digits of a sum are equals, on whatever machine the run goes on.
 */
#define INFORMATION_STEP 1e-9

/* All that a generation is chosen from. */
struct choice {
	struct schedule *schedule;
	double variance; /* of a block, as all pairs together show it */
};

static const char *
ladder_flaw(const struct schedule_config *config)
{
	if (schedule_bot_count(config) != 2)
		return "a ladder needs games of two bots: two parties without "
		       "mixed partners";
	if (config->blocks < 1)
		return "a ladder needs a number of blocks";
	if (config->blocks > SCHEDULE_ENCOUNTERS_MAX)
		return "a ladder has at most 1000000000 blocks";
	return NULL;
}
_Static_assert(SCHEDULE_ENCOUNTERS_MAX == 1000000000, "as the sentence says");

static int64_t
ladder_block_count(const struct schedule_config *config)
{
	return config->blocks;
}

static int
pair_count_of(int bots)
{
	return bots * (bots - 1) / 2;
}

static int
pair_count(const struct schedule *schedule)
{
	return pair_count_of(schedule->config.bot_count);
}

/* In doubles, what stands before the pairs. */
static size_t
matrix_size(int bots)
{
	return rating_margin_work_size(bots) + (size_t)bots * (size_t)bots;
}

/* One pair may have all blocks beside those of the ring. */
static int64_t
ladder_round_count(const struct schedule_config *config)
{
	int others = config->bot_count == 2 ? 0 : config->bot_count - 1;
	int64_t left = config->blocks - (int64_t)RING_ROUNDS * others;

	return left > RING_ROUNDS ? left : RING_ROUNDS;
}

static size_t
ladder_memory_size(const struct schedule_config *config)
{
	const struct schedule_ladder *ladder;
	size_t pair = sizeof(*ladder->information) + sizeof(*ladder->pairs) +
	    sizeof(*ladder->planned) + sizeof(*ladder->worked_out);

	return matrix_size(config->bot_count) * sizeof(double) +
	    (size_t)pair_count_of(config->bot_count) * pair;
}

static void
memory_divide(struct schedule *schedule)
{
	struct schedule_ladder *ladder = &schedule->ladder;
	int bots = schedule->config.bot_count, pairs = pair_count_of(bots);

	ladder->work = (void *)schedule->memory;
	ladder->spread = ladder->work + rating_margin_work_size(bots);
	ladder->information = ladder->work + matrix_size(bots);
	ladder->pairs = (void *)(ladder->information + pairs);
	ladder->planned = (void *)(ladder->pairs + pairs);
	ladder->worked_out = ladder->planned + pairs;
}

static double
spread_of(const struct schedule *schedule, int one, int other)
{
	return schedule->ladder
	    .spread[one * schedule->config.bot_count + other];
}

/* Pairs are numbered by the higher of the two, then by the lower one. */
static int
pair_number(int one, int other)
{
	int low = one < other ? one : other;
	int high = one < other ? other : one;

	return high * (high - 1) / 2 + low;
}

static void
ladder_init(struct schedule *schedule)
{
	struct schedule_ladder *ladder = &schedule->ladder;

	memory_divide(schedule);
	for (int high = 1; high < schedule->config.bot_count; high++) {
		for (int low = 0; low < high; low++) {
			struct rating_margins *pair =
			    &ladder->pairs[pair_number(low, high)];

			pair->first = low;
			pair->second = high;
		}
	}
}

static bool
pair_plays(const struct schedule *schedule, int number)
{
	const struct rating_margins *pair = &schedule->ladder.pairs[number];

	return !schedule->suspended[pair->first] &&
	    !schedule->suspended[pair->second];
}

static void
pick(struct schedule_ladder *ladder, int number)
{
	int i = ladder->pick_count++;

	assert(i < SCHEDULE_PICKS_MAX);
	ladder->picks[i] = number;
	ladder->pick_rounds[i] = ladder->planned[number]++;
}

/* Neighbours by number; the last meets the first. */
static void
ring_draw(struct schedule *schedule)
{
	int bots = schedule->config.bot_count;

	for (int round = 0; round < RING_ROUNDS; round++)
		for (int bot = 0; bot < (bots == 2 ? 1 : bots); bot++)
			pick(&schedule->ladder,
			    pair_number(bot, (bot + 1) % bots));
}

/* Variance of a block over all pairs; 1 where nothing shows any. */
static double
variance_of(const struct schedule *schedule)
{
	double squares = 0, freedom = 0;

	for (int i = 0; i < pair_count(schedule); i++) {
		const struct moments *margins =
		    &schedule->ladder.pairs[i].margins;

		if (margins->count < 2)
			continue;
		squares += margins->squares;
		freedom += (double)(margins->count - 1);
	}
	return squares > 0 ? squares / freedom : 1;
}

/* Ratings from all results, and how sure their differences are. */
static void
ratings_fill(struct schedule *schedule)
{
	struct schedule_ladder *ladder = &schedule->ladder;
	int bots = schedule->config.bot_count;

	rating_margin(ladder->pairs, pair_count(schedule), bots,
	    ladder->ratings, schedule->ladder.work);
	for (int one = 0; one < bots; one++) {
		for (int other = 0; other < bots; other++) {
			double error = rating_difference_error(
			    one, other, bots, schedule->ladder.work);

			ladder->spread[one * bots + other] =
			    error < DBL_MAX ? error * error : -1;
		}
	}
}

static double
pair_variance(const struct choice *choice, int number)
{
	return rating_variance(
	    &choice->schedule->ladder.pairs[number].margins, choice->variance);
}

static double
pair_information(const struct choice *choice, int number)
{
	const struct schedule_ladder *ladder = &choice->schedule->ladder;
	const struct rating_margins *pair = &ladder->pairs[number];
	double spread = spread_of(choice->schedule, pair->first, pair->second);
	double bits;

	if (spread < 0)
		return INFORMATION_UNJOINED;
	bits = ranking_information(ladder->ratings[pair->first].value -
		ladder->ratings[pair->second].value,
	    sqrt(spread), sqrt(pair_variance(choice, number)));
	return rint(bits / INFORMATION_STEP) * INFORMATION_STEP;
}

/* Two groups become one: what lies between goes over the new pair. */
static void
spread_join(struct schedule *schedule, int first, int second, double variance)
{
	double *spread = schedule->ladder.spread;
	double near[TOURNAMENT_BOTS_MAX], far[TOURNAMENT_BOTS_MAX];
	int bots = schedule->config.bot_count;

	for (int bot = 0; bot < bots; bot++) {
		near[bot] = spread[bot * bots + first];
		far[bot] = spread[bot * bots + second];
	}
	for (int one = 0; one < bots; one++)
		for (int other = 0; other < bots; other++)
			if (near[one] >= 0 && far[other] >= 0)
				spread[one * bots + other] =
				    spread[other * bots + one] =
					near[one] + variance + far[other];
}

/*
 * One more block of a pair narrows all differences that share something with
 * that of the pair: the step of a Kalman filter, in variances of differences.
 */
static void
spread_narrow(struct schedule *schedule, int first, int second, double variance)
{
	double *spread = schedule->ladder.spread;
	double lean[TOURNAMENT_BOTS_MAX];
	int bots = schedule->config.bot_count;
	double whole = spread[first * bots + second] + variance;

	/* Twice the covariance of two differences, one of them the pair's, is
	 * the difference of two of these. */
	for (int bot = 0; bot < bots; bot++)
		lean[bot] =
		    spread[bot * bots + second] - spread[bot * bots + first];
	for (int one = 0; one < bots; one++) {
		for (int other = 0; other < bots; other++) {
			double shared = (lean[one] - lean[other]) / 2;

			if (spread[one * bots + first] < 0 ||
			    spread[one * bots + other] < 0)
				continue;
			spread[one * bots + other] =
			    fmax(spread[one * bots + other] -
				    shared * shared / whole,
				0);
		}
	}
}

/* What one more block of a pair will have told. */
static void
spread_take(const struct choice *choice, int number)
{
	struct schedule_ladder *ladder = &choice->schedule->ladder;
	int first = ladder->pairs[number].first;
	int second = ladder->pairs[number].second;
	double variance = pair_variance(choice, number);

	if (spread_of(choice->schedule, first, second) < 0)
		spread_join(choice->schedule, first, second, variance);
	else
		spread_narrow(choice->schedule, first, second, variance);
}

/* Whether one pair is to be chosen before another, as far as is known. */
static bool
is_better(const struct schedule_ladder *ladder, int one, int other)
{
	if (other < 0)
		return true;
	if (ladder->information[one] != ladder->information[other])
		return ladder->information[one] > ladder->information[other];
	return ladder->planned[one] < ladder->planned[other];
}

/*
 * The pair with the largest information.  Each block makes the next one of any
 * pair tell less, so what was worked out before other picks is a bound, and
 * only pairs that come first by it are worked out anew.
 */
static int
best_pair(const struct choice *choice)
{
	struct schedule_ladder *ladder = &choice->schedule->ladder;

	for (;;) {
		int best = -1;

		for (int i = 0; i < pair_count(choice->schedule); i++)
			if (pair_plays(choice->schedule, i) &&
			    is_better(ladder, i, best))
				best = i;
		if (best < 0 || ladder->worked_out[best] == ladder->pick_count)
			return best;
		ladder->information[best] = pair_information(choice, best);
		ladder->worked_out[best] = ladder->pick_count;
	}
}

static void
pairs_choose(struct schedule *schedule)
{
	struct schedule_ladder *ladder = &schedule->ladder;
	int bots = schedule->config.bot_count;
	int count = bots > GENERATION_MIN ? bots : GENERATION_MIN;
	struct choice choice = { schedule, variance_of(schedule) };

	ratings_fill(schedule);
	for (int i = 0; i < pair_count(schedule); i++) {
		const struct rating_margins *pair = &ladder->pairs[i];
		bool joined =
		    spread_of(schedule, pair->first, pair->second) >= 0;

		ladder->information[i] =
		    joined ? INFORMATION_MAX : INFORMATION_UNJOINED;
		ladder->worked_out[i] = -1;
	}
	while (ladder->pick_count < count) {
		int number = best_pair(&choice);

		if (number < 0)
			return;
		spread_take(&choice, number);
		pick(ladder, number);
	}
}

static enum schedule_answer
ladder_next(struct schedule *schedule, struct block_plan *plan)
{
	struct schedule_ladder *ladder = &schedule->ladder;
	int64_t number = schedule->planned - ladder->generation_start;
	const struct rating_margins *pair;

	if (schedule->planned == schedule->config.blocks)
		return SCHEDULE_END;
	if (ladder->pick_count > 0 && number == ladder->pick_count) {
		if (schedule->taken < schedule->planned)
			return SCHEDULE_WAIT;
		ladder->generation++;
		ladder->generation_start = schedule->planned;
		ladder->pick_count = 0;
		number = 0;
	}
	if (ladder->pick_count == 0) {
		if (ladder->generation == 0)
			ring_draw(schedule);
		else
			pairs_choose(schedule);
	}
	if (ladder->pick_count == 0)
		return SCHEDULE_END;
	pair = &ladder->pairs[ladder->picks[number]];
	plan->stage = ladder->generation;
	plan->round = ladder->pick_rounds[number];
	schedule_pair(schedule, pair->first, pair->second, plan);
	return SCHEDULE_BLOCK;
}

static void
ladder_take(struct schedule *schedule, const struct block_result *result)
{
	const struct block_plan *plan = &result->plan;
	struct rating_margins *pair =
	    &schedule->ladder.pairs[pair_number(plan->bots[0], plan->bots[1])];
	int member = plan->bots[0] == pair->first ? 0 : 1;

	if (!result->skipped)
		moments_add(&pair->margins,
		    block_mean(&schedule->config.rules, result, member).margin);
}

const struct schedule_kind schedule_ladder = {
	.name = "ladder",
	.flaw = ladder_flaw,
	.block_count = ladder_block_count,
	.round_count = ladder_round_count,
	.memory_size = ladder_memory_size,
	.init = ladder_init,
	.next = ladder_next,
	.take = ladder_take,
};
