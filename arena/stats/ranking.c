/*
 * How certain a ranking is: bootstrap over clusters, simultaneous ranges of
 * places, and the information of one more block. ranking.h gives the formulas
 * and sources.  The same seed always gives the same numbers.
 */
#include "ranking.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "estimate.h"
#include "rating.h"

/* Ratings that differ by less than this many points are equal. */
#define TIE 1e-9

/* Adds a row to the sums of its two bots, with the lower bot number first. */
static void
row_add(
    const struct rating_fit *fit, const struct cluster_row *row, bool by_scores)
{
	bool turned = row->first > row->second;
	int low = turned ? row->second : row->first;
	int high = turned ? row->first : row->second;
	int index = low * fit->bot_count + high;
	double count = by_scores ? (double)row->games : (double)row->blocks;
	double sum = by_scores ? (double)row->score - (double)row->games / 2.0
			       : (double)row->margin;

	assert(low >= 0 && low < high && high < fit->bot_count);
	fit->memory.product[index] += count;
	fit->memory.sums[index] += turned ? -sum : sum;
}

/* Draws one of the clusters; all are equally likely. */
static int
cluster_draw(const struct clusters *clusters, uint64_t *random)
{
	double share = (double)(splitmix64(random) >> 11) * 0x1p-53;

	return (int)(share * (double)clusters->count);
}

/*
 * Draws a sample of clusters and rates it.  The values are in memory->values,
 * the groups in `network`.
 */
static void
replicate_run(const struct rating_fit *fit, bool by_scores, uint64_t *random,
    struct laplacian *network)
{
	const struct clusters *clusters = &fit->clusters;
	const struct rating_memory *memory = &fit->memory;
	int size = fit->bot_count;
	int count = clusters->count > 1 ? clusters->count - 1 : clusters->count;

	values_clear(memory->product, size * size);
	values_clear(memory->sums, size * size);
	for (int drawn = 0; drawn < count; drawn++) {
		int cluster = cluster_draw(clusters, random);

		for (int64_t i = clusters->starts[cluster];
		     i < clusters->starts[cluster + 1]; i++)
			row_add(fit, &clusters->rows[i], by_scores);
	}
	values_clear(memory->ties, size * size);
	values_clear(memory->values, size);
	for (int a = 0; a < size; a++)
		for (int b = a + 1; b < size; b++) {
			int index = a * size + b;
			double weight = memory->weights[index], sum;

			if (!(memory->product[index] > 0.0))
				continue;
			memory->ties[index] = memory->product[index] * weight;
			memory->ties[b * size + a] = memory->ties[index];
			sum = memory->sums[index] * weight;
			memory->values[a] += sum;
			memory->values[b] -= sum;
		}
	laplacian_init(network, memory->ties, size);
	laplacian_solve(network, memory->values);
}

/*
 * Counts the place of each bot in one sample.  Between equal ratings, random
 * numbers drawn for each bot decide.
 */
static void
places_count(const struct laplacian *network, const double *values,
    uint64_t *random, uint32_t *places)
{
	uint64_t tie_breaks[RATING_BOTS_MAX];
	int size = network->size;

	for (int a = 0; a < size; a++)
		tie_breaks[a] = splitmix64(random);
	for (int a = 0; a < size; a++) {
		int place = 0;

		for (int b = 0; b < size; b++) {
			double lead = values[a] - values[b];

			if (a == b || network->groups[a] != network->groups[b])
				continue;
			if (fabs(lead) <= TIE)
				place += tie_breaks[a] < tie_breaks[b];
			else
				place += lead < 0.0;
		}
		places[a * size + place]++;
	}
}

void
ranking_places(const struct rating_fit *fit,
    const struct ranking_sample *sample, uint32_t *places)
{
	size_t square = (size_t)fit->bot_count * (size_t)fit->bot_count;
	uint64_t random = sample->seed;
	struct laplacian network;

	memset(places, 0, square * sizeof(*places));
	rating_weights(fit);
	for (int i = 0; i < sample->replicate_count; i++) {
		replicate_run(fit, sample->by_scores, &random, &network);
		places_count(&network, fit->memory.values, &random, places);
	}
}

static double
normal_density(double x)
{
	return exp(-x * x / 2.0) * 0.39894228040143268; /* 1 / sqrt(2 pi) */
}

/*
 * The probability that the greatest and the least of `count` normal numbers
 * differ by more than `range`: 1 less the integral of n phi(x) (Phi(x) - Phi(x
 * - range))^(n - 1), where x is the greatest number.  The integrand and its
 * derivatives vanish at both ends, so a sum over equal steps is practically
 * exact.
 */
static double
range_tail(double range, int count)
{
	enum { STEPS = 400 };
	const double end = 9.0;
	double step = 2.0 * end / STEPS, sum = 0.0;

	for (int i = 0; i <= STEPS; i++) {
		double x = -end + i * step;
		double most = log(normal_distribution(x));
		double all = (count - 1) *
		    log(normal_distribution(x) -
			normal_distribution(x - range));

		/*
		 * The density of the greatest number is the same without a
		 * range.
		 */
		sum += count * normal_density(x) *
		    (exp((count - 1) * most) - exp(all));
	}
	return sum * step;
}

double
ranking_share(int bot_count, double level)
{
	double low = 0.0, high = 40.0;

	assert(bot_count >= 2 && level > 0.0 && level < 1.0);
	while (high - low > 1e-10) {
		double middle = (low + high) / 2.0;

		if (range_tail(middle, bot_count) > 1.0 - level)
			low = middle;
		else
			high = middle;
	}
	/*
	 * The standard deviation of a difference is sqrt 2 times that of one
	 * number.
	 */
	return 2.0 * normal_distribution(-high / sqrt(2.0));
}

int64_t
ranking_ranges(
    const struct rating_fit *fit, double level, struct ranking_range *ranges)
{
	int count = fit->bot_count;
	double doubt = ranking_share(count, level) / 2.0;
	int64_t comparisons = 0;

	for (int a = 0; a < count; a++) {
		int above = 0, below = 0, others = 0;

		for (int b = 0; b < count; b++) {
			double surely = cluster_above(fit, a, b);

			if (a == b ||
			    fit->ratings[a].group != fit->ratings[b].group)
				continue;
			others++;
			above += surely < doubt;
			below += surely > 1.0 - doubt;
		}
		ranges[a] = (struct ranking_range){ above, others - below };
		comparisons += others;
	}
	return comparisons / 2;
}

/* The entropy of a yes or no question, in bits; x is the probability of yes. */
static double
entropy_of(double x)
{
	double yes = normal_distribution(x), no = normal_distribution(-x);

	if (!(yes > 0.0) || !(no > 0.0))
		return 0.0;
	return -(yes * log2(yes) + no * log2(no));
}

/*
 * With t = d / error and k = error / sigma, one more block changes d / error to
 * sqrt(1 + k^2) t + k z, where z is normal.  The entropy that is left is the
 * mean over z.  The integrand and its derivatives vanish at both ends, so a sum
 * over equal steps is practically exact.  The sum runs over z if that is the
 * narrower of the two factors, else over the new d / error.
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
