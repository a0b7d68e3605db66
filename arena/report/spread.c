#include "spread.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The caller's memory, size * size each. */
struct memory {
	double *inverse; /* P */
	double *sums;    /* of s s' over the blocks */
	double *product; /* P times these */
	double *weights; /* of a row: of the pair, the lower number first */
};

static struct memory
memory_of(double *work, int bot_count)
{
	size_t cells = (size_t)bot_count * (size_t)bot_count;

	return (struct memory){
		.inverse = work,
		.sums = work + cells,
		.product = work + 2 * cells,
		.weights = work + 3 * cells,
	};
}

size_t
spread_work_size(int bot_count)
{
	return 4 * (size_t)bot_count * (size_t)bot_count;
}

bool
spread_needed(const struct spread *spread)
{
	for (int64_t i = 0; i < spread->block_count; i++)
		if (spread->blocks[i].joined)
			return true;
	return false;
}

static bool
is_group(const struct spread *spread, int a, int b)
{
	return spread->ratings[a].group == spread->ratings[b].group;
}

/* The mean squared error of the differences to all bots of the group. */
static double
mean_square(const struct spread *spread, int a)
{
	double sum = 0;
	int members = 0;

	for (int b = 0; b < spread->bot_count; b++) {
		double error = spread->errors[a * spread->bot_count + b];

		if (!is_group(spread, a, b))
			continue;
		sum += error * error;
		members++;
	}
	return sum / members;
}

/*
 * The pseudo-inverse, from the variances of the differences: an entry is minus
 * half of what is left of them when the means of row and column are taken out.
 */
static void
inverse_fill(const struct spread *spread, const struct memory *memory)
{
	int count = spread->bot_count;
	double means[RATING_BOTS_MAX];

	for (int a = 0; a < count; a++)
		means[a] = mean_square(spread, a);
	for (int a = 0; a < count; a++) {
		double whole = 0;
		int members = 0;

		for (int b = 0; b < count; b++) {
			if (!is_group(spread, a, b))
				continue;
			whole += means[b];
			members++;
		}
		whole /= members;
		for (int b = 0; b < count; b++) {
			double error = spread->errors[a * count + b];

			memory->inverse[a * count + b] = is_group(spread, a, b)
			    ? (means[a] + means[b] - whole - error * error) / 2
			    : 0;
		}
	}
}

/* The cell of a row's pair, and its margin as seen from there. */
static int
cell_of(const struct ranking_block *row, int bot_count, double *margin)
{
	bool turned = row->first > row->second;
	int first = turned ? row->second : row->first;
	int second = turned ? row->first : row->second;

	*margin = turned ? -(double)row->margin : (double)row->margin;
	return first * bot_count + second;
}

/* The weight of a row of each pair, as least squares has it. */
static void
weights_fill(const struct spread *spread, const struct memory *memory)
{
	int count = spread->bot_count, cells = count * count;
	double *counts = memory->sums, *means = memory->product;
	double *squares = memory->weights;
	double pooled = 0, freedom = 0;

	memset(counts, 0, (size_t)cells * sizeof(*counts));
	memset(means, 0, (size_t)cells * sizeof(*means));
	memset(squares, 0, (size_t)cells * sizeof(*squares));
	for (int64_t i = 0; i < spread->block_count; i++) {
		double margin, ahead;
		int cell = cell_of(&spread->blocks[i], count, &margin);

		ahead = margin - means[cell];
		counts[cell]++;
		means[cell] += ahead / counts[cell];
		squares[cell] += ahead * (margin - means[cell]);
	}
	for (int cell = 0; cell < cells; cell++) {
		pooled += squares[cell];
		freedom += counts[cell] > 1 ? counts[cell] - 1 : 0;
	}
	pooled = pooled > 0 ? pooled / freedom : 1;
	for (int cell = 0; cell < cells; cell++) {
		const struct moments margins = {
			.count = (int64_t)counts[cell],
			.mean = means[cell],
			.squares = squares[cell],
		};

		if (margins.count > 0)
			memory->weights[cell] =
			    1 / rating_variance(&margins, pooled);
	}
}

/* Adds the rows of one block, from `begin` to before `end`. */
static void
block_add(const struct spread *spread, const struct memory *memory,
    int64_t begin, int64_t end)
{
	double residuals[RATING_BOTS_MAX];
	int bots[RATING_BOTS_MAX];
	int count = spread->bot_count, bot_count = 0;

	for (int64_t i = begin; i < end; i++) {
		residuals[spread->blocks[i].first] = 0;
		residuals[spread->blocks[i].second] = 0;
	}
	for (int64_t i = begin; i < end; i++) {
		const struct ranking_block *row = &spread->blocks[i];
		int members[] = { row->first, row->second };
		double margin;
		double weight = memory->weights[cell_of(row, count, &margin)];
		double residual = weight *
		    ((double)row->margin - spread->ratings[row->first].value +
			spread->ratings[row->second].value);

		residuals[row->first] += residual;
		residuals[row->second] -= residual;
		for (int m = 0; m < 2; m++) {
			int known = 0;

			while (known < bot_count && bots[known] != members[m])
				known++;
			if (known == bot_count)
				bots[bot_count++] = members[m];
		}
	}
	for (int a = 0; a < bot_count; a++)
		for (int b = 0; b < bot_count; b++)
			memory->sums[bots[a] * count + bots[b]] +=
			    residuals[bots[a]] * residuals[bots[b]];
}

/* The number of blocks. */
static int64_t
blocks_add(const struct spread *spread, const struct memory *memory)
{
	int64_t blocks = 0;

	memset(memory->sums, 0,
	    (size_t)spread->bot_count * (size_t)spread->bot_count *
		sizeof(*memory->sums));
	for (int64_t begin = 0, end; begin < spread->block_count; begin = end) {
		end = begin + 1;
		while (end < spread->block_count && spread->blocks[end].joined)
			end++;
		block_add(spread, memory, begin, end);
		blocks++;
	}
	return blocks;
}

/* out = a b; all symmetric but out. */
static void
multiply(double *out, const double *a, const double *b, int size)
{
	for (int i = 0; i < size; i++) {
		for (int k = 0; k < size; k++) {
			double sum = 0;

			for (int j = 0; j < size; j++)
				sum += a[i * size + j] * b[k * size + j];
			out[i * size + k] = sum;
		}
	}
}

void
spread_widen(const struct spread *spread, double *work)
{
	struct memory memory = memory_of(work, spread->bot_count);
	int count = spread->bot_count;
	const double *covariances;
	int64_t blocks;
	double scale;

	assert(count <= RATING_BOTS_MAX);
	inverse_fill(spread, &memory);
	weights_fill(spread, &memory);
	blocks = blocks_add(spread, &memory);
	if (blocks < 2)
		return;
	scale = (double)blocks / (double)(blocks - 1);
	multiply(memory.product, memory.inverse, memory.sums, count);
	multiply(memory.sums, memory.inverse, memory.product, count);
	covariances = memory.sums;
	/* With few blocks residuals say too little: errors never shrink. */
	for (int a = 0; a < count; a++) {
		double variance = covariances[a * count + a];
		struct rating *rating = &spread->ratings[a];

		rating->error =
		    fmax(rating->error, sqrt(scale * fmax(variance, 0)));
		for (int b = 0; b < count; b++) {
			double *error = &spread->errors[a * count + b];
			double gap = variance + covariances[b * count + b] -
			    covariances[a * count + b] -
			    covariances[b * count + a];

			if (is_group(spread, a, b))
				*error =
				    fmax(*error, sqrt(scale * fmax(gap, 0)));
		}
	}
}
