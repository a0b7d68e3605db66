#include "ranking.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "estimate.h"
#include "laplacian.h"

/* Ratings that differ by less than this many points are equal. */
#define TIE 1e-9

/* The caller's memory; all but `values` are size * size. */
struct memory {
	double *variances; /* of a block; 0: the two never met */
	double *counts;    /* of the blocks of two, the lower number first */
	double *sums;      /* of their margins */
	double *ties;
	double *values; /* size */
};

static struct memory
memory_of(double *work, int bot_count)
{
	size_t size = (size_t)bot_count;
	struct memory memory;

	assert(bot_count > 0 && bot_count <= RATING_BOTS_MAX);
	memory.variances = work;
	memory.counts = memory.variances + size * size;
	memory.sums = memory.counts + size * size;
	memory.ties = memory.sums + size * size;
	memory.values = memory.ties + size * size;
	return memory;
}

size_t
ranking_work_size(int bot_count)
{
	size_t size = (size_t)bot_count;

	return 4 * size * size + size;
}

static void
values_clear(double *values, int count)
{
	for (int i = 0; i < count; i++)
		values[i] = 0.0;
}

/* Where the two bots of a block stand in the tables; *margin as seen there. */
static int
cell_of(const struct ranking_block *block, int bot_count, double *margin)
{
	int first = block->first, second = block->second;

	*margin = (double)block->margin;
	if (first > second) {
		*margin = -*margin;
		first = block->second;
		second = block->first;
	}
	return first * bot_count + second;
}

static void
block_count_in(
    const struct memory *memory, const struct ranking_block *block, int size)
{
	double margin;
	int cell = cell_of(block, size, &margin);

	memory->counts[cell] += 1.0;
	memory->sums[cell] += margin;
}

/* The variance of each pair, from all blocks. */
static void
variances_fill(const struct ranking_sample *sample, const struct memory *memory)
{
	int size = sample->bot_count, cells = size * size;
	double squares = 0.0, freedom = 0.0, pooled = 1.0;

	values_clear(memory->counts, cells);
	values_clear(memory->sums, cells);
	values_clear(memory->variances, cells);
	for (int64_t i = 0; i < sample->block_count; i++) {
		const struct ranking_block *block = &sample->blocks[i];

		assert(block->first >= 0 && block->first < size);
		assert(block->second >= 0 && block->second < size);
		assert(block->first != block->second);
		block_count_in(memory, block, size);
	}
	for (int64_t i = 0; i < sample->block_count; i++) {
		double margin;
		int cell = cell_of(&sample->blocks[i], size, &margin);

		margin -= memory->sums[cell] / memory->counts[cell];
		memory->variances[cell] += margin * margin;
	}
	for (int cell = 0; cell < cells; cell++) {
		squares += memory->variances[cell];
		freedom += fmax(memory->counts[cell] - 1.0, 0.0);
	}
	if (squares > 0.0)
		pooled = squares / freedom;
	for (int cell = 0; cell < cells; cell++) {
		struct moments margins = {
			.count = (int64_t)memory->counts[cell],
			.squares = memory->variances[cell],
		};

		if (margins.count > 0)
			memory->variances[cell] =
			    rating_variance(&margins, pooled);
	}
}

/* 64 bits, well mixed (Vigna's splitmix64). */
static uint64_t
random_next(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/* Any of the blocks, all equally likely: its first row. */
static int64_t
block_draw(const struct ranking_sample *sample, uint64_t *random)
{
	for (;;) {
		double share = (double)(random_next(random) >> 11) * 0x1p-53;
		int64_t i = (int64_t)(share * (double)sample->block_count);

		/* Rows that only go on with a block do not begin one. */
		if (i == 0 || !sample->blocks[i].joined)
			return i;
	}
}

/* Draws a sample and rates it: values and groups. */
static void
replicate_run(const struct ranking_sample *sample, int64_t whole_count,
    uint64_t *random, const struct memory *memory, struct laplacian *network)
{
	int size = sample->bot_count;

	values_clear(memory->counts, size * size);
	values_clear(memory->sums, size * size);
	for (int64_t drawn = 0; drawn < whole_count; drawn++) {
		int64_t i = block_draw(sample, random);

		do
			block_count_in(memory, &sample->blocks[i++], size);
		while (i < sample->block_count && sample->blocks[i].joined);
	}
	values_clear(memory->ties, size * size);
	values_clear(memory->values, size);
	for (int a = 0; a < size; a++)
		for (int b = a + 1; b < size; b++) {
			int cell = a * size + b;
			double variance = memory->variances[cell], sum;

			if (!(memory->counts[cell] > 0.0))
				continue;
			memory->ties[cell] = memory->counts[cell] / variance;
			memory->ties[b * size + a] = memory->ties[cell];
			sum = memory->sums[cell] / variance;
			memory->values[a] += sum;
			memory->values[b] -= sum;
		}
	laplacian_init(network, memory->ties, size);
	laplacian_solve(network, memory->values);
}

/*
 * Who stands above whom, and on which place.  Lots, drawn for each bot, decide
 * on the places of equals.
 */
static void
replicate_count(const struct laplacian *network, const double *values,
    uint64_t *random, uint32_t *above, uint32_t *places)
{
	uint64_t lots[RATING_BOTS_MAX];
	int size = network->size;

	for (int a = 0; a < size; a++)
		lots[a] = random_next(random);
	for (int a = 0; a < size; a++) {
		int place = 0;

		for (int b = 0; b < size; b++) {
			bool same = network->groups[a] == network->groups[b];
			double lead = same ? values[a] - values[b] : 0.0;
			bool equal = fabs(lead) <= TIE;

			if (a == b)
				continue;
			if (equal)
				place += same && lots[a] < lots[b];
			else
				place += lead < 0.0;
			if (above != NULL)
				above[a * size + b] += equal ? 1
				    : lead > 0.0             ? 2
							     : 0;
		}
		if (places != NULL)
			places[a * size + place]++;
	}
}

void
ranking_places(const struct ranking_sample *sample, uint32_t *above,
    uint32_t *places, double *work)
{
	struct memory memory = memory_of(work, sample->bot_count);
	size_t cells = (size_t)sample->bot_count * (size_t)sample->bot_count;
	uint64_t random = sample->seed;
	struct laplacian network;
	int64_t whole_count = 0;

	for (int64_t i = 0; i < sample->block_count; i++)
		whole_count += i == 0 || !sample->blocks[i].joined;
	if (above != NULL)
		memset(above, 0, cells * sizeof(*above));
	if (places != NULL)
		memset(places, 0, cells * sizeof(*places));
	variances_fill(sample, &memory);
	for (int i = 0; i < sample->replicate_count; i++) {
		replicate_run(sample, whole_count, &random, &memory, &network);
		replicate_count(
		    &network, memory.values, &random, above, places);
	}
}

/* The uncertainty of a yes or no, in bits: yes has the chance of x. */
static double
entropy_of(double x)
{
	double yes = normal_distribution(x), no = normal_distribution(-x);

	if (!(yes > 0.0) || !(no > 0.0))
		return 0.0;
	return -(yes * log2(yes) + no * log2(no));
}

static double
normal_density(double x)
{
	return exp(-x * x / 2.0) * 0.39894228040143268; /* 1 / sqrt(2 pi) */
}

/*
 * With t = d / error and k = error / sigma, what a block leaves of d / error is
 * sqrt(1 + k^2) t + k z, where z is normal: the entropy that is left is the
 * mean over z.  The sum of equal steps is as good as exact here, because all
 * ends flat at both ends.  Steps are in z where that is the narrower of the
 * two factors, else in what is left.
 */
double
ranking_information(double difference, double error, double sigma)
{
	enum { STEPS = 400 };
	const double end = 9.0, most = 1e6;
	double step = 2.0 * end / STEPS, left = 0.0;
	double now, k, middle;

	assert(error >= 0.0 && sigma >= 0.0);
	if (!(error > 0.0))
		return 0.0;
	now = entropy_of(difference / error);
	k = sigma > 0.0 ? fmin(error / sigma, most) : most;
	middle = hypot(1.0, k) * (difference / error);
	for (int i = 0; i <= STEPS; i++) {
		double x = -end + i * step;

		if (k < 1.0)
			left += entropy_of(middle + k * x) * normal_density(x);
		else
			left += entropy_of(x) *
			    normal_density((x - middle) / k) / k;
	}
	return fmax(now - left * step, 0.0);
}
