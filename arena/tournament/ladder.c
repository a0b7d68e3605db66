/*
 * Implements ladder.h. The information that a block of two bots would give
 * follows from the variance of their rating difference (rating.h).
 */
#include "ladder.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "ranking.h"

/* A generation has a block for each bot, but not less than so many. */
enum { GENERATION_MIN = 32 };

_Static_assert(
    (int)LADDER_PICKS_MAX >= LADDER_RING_ROUNDS * TOURNAMENT_BOTS_MAX &&
	(int)LADDER_PICKS_MAX >= GENERATION_MIN,
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

static int
pair_count(int bots)
{
	return bots * (bots - 1) / 2;
}

/* In doubles, what stands before the pairs. */
static size_t
matrix_size(int bots)
{
	return rating_memory_size(bots) + (size_t)bots * (size_t)bots;
}

size_t
ladder_memory_size(int bot_count)
{
	const struct ladder *ladder;
	size_t pair = sizeof(*ladder->information) + sizeof(*ladder->pairs) +
	    sizeof(*ladder->planned) + sizeof(*ladder->worked_out);

	return matrix_size(bot_count) * sizeof(double) +
	    (size_t)pair_count(bot_count) * pair;
}

static void
memory_divide(struct ladder *ladder, void *memory)
{
	int bots = ladder->bot_count, pairs = ladder->pair_count;

	ladder->spread = (double *)memory + rating_memory_size(bots);
	ladder->information = (double *)memory + matrix_size(bots);
	ladder->pairs = (void *)(ladder->information + pairs);
	ladder->planned = (void *)(ladder->pairs + pairs);
	ladder->worked_out = ladder->planned + pairs;
	ladder->fit = (struct rating_fit){
		.bot_count = bots,
		.pairs = ladder->pairs,
		.pair_count = pairs,
		.ratings = ladder->ratings,
		.memory = rating_memory_of(memory, bots),
	};
}

static double
spread_of(const struct ladder *ladder, int one, int other)
{
	return ladder->spread[one * ladder->bot_count + other];
}

/* Pairs are numbered by the higher of the two, then by the lower one. */
static int
pair_number(int one, int other)
{
	int low = one < other ? one : other;
	int high = one < other ? other : one;

	return high * (high - 1) / 2 + low;
}

void
ladder_init(
    struct ladder *ladder, int bot_count, const bool *suspended, void *memory)
{
	ladder->bot_count = bot_count;
	ladder->pair_count = pair_count(bot_count);
	ladder->suspended = suspended;
	memory_divide(ladder, memory);
	for (int high = 1; high < ladder->bot_count; high++) {
		for (int low = 0; low < high; low++) {
			struct rating_pair *pair =
			    &ladder->pairs[pair_number(low, high)];

			pair->first = low;
			pair->second = high;
		}
	}
}

static void
pick(struct ladder *ladder, int number)
{
	int i = ladder->pick_count++;

	assert(i < LADDER_PICKS_MAX);
	ladder->picks[i] = number;
	ladder->pick_rounds[i] = ladder->planned[number]++;
}

/* Neighbours by number; the last meets the first. */
static void
draw_ring(struct ladder *ladder)
{
	int bots = ladder->bot_count;

	for (int round = 0; round < LADDER_RING_ROUNDS; round++)
		for (int bot = 0; bot < (bots == 2 ? 1 : bots); bot++)
			pick(ladder, pair_number(bot, (bot + 1) % bots));
}

/* Variance of a block over all pairs; 1 where nothing shows any. */
static double
variance_of(const struct ladder *ladder)
{
	double squares = 0, freedom = 0;

	for (int i = 0; i < ladder->pair_count; i++) {
		const struct moments *margins = &ladder->pairs[i].margins;

		if (margins->count < 2)
			continue;
		squares += margins->squares;
		freedom += (double)(margins->count - 1);
	}
	return squares > 0 ? squares / freedom : 1;
}

/* Ratings from all results, and how sure their differences are. */
static void
ratings_fill(struct ladder *ladder)
{
	int bots = ladder->bot_count;

	rating_margin(&ladder->fit);
	for (int one = 0; one < bots; one++) {
		for (int other = 0; other < bots; other++) {
			double error =
			    rating_difference_error(&ladder->fit, one, other);

			ladder->spread[one * bots + other] =
			    error < DBL_MAX ? error * error : -1;
		}
	}
}

static double
pair_variance(const struct ladder *ladder, int number)
{
	return rating_variance(
	    &ladder->pairs[number].margins, ladder->variance);
}

static double
pair_information(const struct ladder *ladder, int number)
{
	const struct rating_pair *pair = &ladder->pairs[number];
	double spread = spread_of(ladder, pair->first, pair->second);
	double bits;

	if (spread < 0)
		return INFORMATION_UNJOINED;
	bits = ranking_information(ladder->ratings[pair->first].value -
		ladder->ratings[pair->second].value,
	    sqrt(spread), sqrt(pair_variance(ladder, number)));
	return rint(bits / INFORMATION_STEP) * INFORMATION_STEP;
}

/* Two groups become one: what lies between goes over the new pair. */
static void
spread_join(struct ladder *ladder, int first, int second, double variance)
{
	double *spread = ladder->spread;
	double near[TOURNAMENT_BOTS_MAX], far[TOURNAMENT_BOTS_MAX];
	int bots = ladder->bot_count;

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
spread_narrow(struct ladder *ladder, int first, int second, double variance)
{
	double *spread = ladder->spread;
	double lean[TOURNAMENT_BOTS_MAX];
	int bots = ladder->bot_count;
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

/*
 * The pair with the largest information.  Each block makes the next one of any
 * pair tell less, so what was worked out before other picks is a bound, and
 * only pairs that come first by it are worked out anew.
 */
static int
best_pair(struct ladder *ladder)
{
	const double *information = ladder->information;
	const bool *suspended = ladder->suspended;

	for (;;) {
		int best = -1;

		for (int i = 0; i < ladder->pair_count; i++) {
			const struct rating_pair *pair = &ladder->pairs[i];

			if (suspended[pair->first] || suspended[pair->second])
				continue;
			if (best < 0 || information[i] > information[best] ||
			    (information[i] == information[best] &&
				ladder->planned[i] < ladder->planned[best]))
				best = i;
		}
		if (best < 0 || ladder->worked_out[best] == ladder->pick_count)
			return best;
		ladder->information[best] = pair_information(ladder, best);
		ladder->worked_out[best] = ladder->pick_count;
	}
}

static void
choose(struct ladder *ladder)
{
	int bots = ladder->bot_count;
	int count = bots > GENERATION_MIN ? bots : GENERATION_MIN;

	ladder->variance = variance_of(ladder);
	ratings_fill(ladder);
	for (int i = 0; i < ladder->pair_count; i++) {
		const struct rating_pair *pair = &ladder->pairs[i];
		bool joined = spread_of(ladder, pair->first, pair->second) >= 0;

		ladder->information[i] =
		    joined ? INFORMATION_MAX : INFORMATION_UNJOINED;
		ladder->worked_out[i] = -1;
	}
	while (ladder->pick_count < count) {
		int number = best_pair(ladder), one, other;
		double block;

		if (number < 0)
			return;
		one = ladder->pairs[number].first;
		other = ladder->pairs[number].second;
		block = pair_variance(ladder, number);
		if (spread_of(ladder, one, other) < 0)
			spread_join(ladder, one, other, block);
		else
			spread_narrow(ladder, one, other, block);
		pick(ladder, number);
	}
}

void
ladder_draw(struct ladder *ladder)
{
	if (ladder->generation == 0)
		draw_ring(ladder);
	else
		choose(ladder);
}

struct rating_pair *
ladder_pair(struct ladder *ladder, int one, int other)
{
	return &ladder->pairs[pair_number(one, other)];
}
