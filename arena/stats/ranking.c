/*
 * Implements ranking.h, which gives the formulas and sources: first the errors
 * of ratings by clusters, then the ranking.  The same seed always gives the
 * same numbers.
 */
#include "ranking.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "estimate.h"
#include "rating.h"

/*
 * Clusters.
 *
 * The rows of all clusters are sorted by cluster, then by bots.  For each
 * cluster, the code adds up the residuals of each bot: its results less those
 * that its rating lets expect.  The products of these sums, added over all
 * clusters, give the covariances of the ratings.  All memory belongs to the
 * fit, which the caller owns.
 */

/*
 * A residual smaller than this share of its terms is taken for a rounding
 * error.  The numbers of a row are floats, and the ratings are not.
 */
#define SPREAD_MIN (16 * (double)FLT_EPSILON)

/* Margin ratings are multiples of this, in points a deal. */
#define VALUE_STEP 1e-9

/* Compares by cluster, then by bots; the result is below 0, 0 or above 0. */
static int
row_compare(const struct cluster_row *a, const struct cluster_row *b)
{
	if (a->cluster != b->cluster)
		return a->cluster < b->cluster ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->second > b->second) - (a->second < b->second);
}

/*
 * Moves rows[at] down to its place in a heap of `count` rows.  The row that is
 * last in order is at the top of the heap.
 */
static void
row_sink(struct cluster_row *rows, int64_t at, int64_t count)
{
	struct cluster_row row = rows[at];

	for (int64_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count &&
		    row_compare(&rows[child], &rows[child + 1]) < 0)
			child++;
		if (row_compare(&row, &rows[child]) >= 0)
			break;
		rows[at] = rows[child];
	}
	rows[at] = row;
}

/*
 * Heapsort: it needs no memory, and rows that are already in order stay as they
 * are.
 */
static void
rows_sort(struct cluster_row *rows, int64_t count)
{
	int64_t sorted = 1;

	while (sorted < count &&
	    row_compare(&rows[sorted - 1], &rows[sorted]) <= 0)
		sorted++;
	if (sorted >= count)
		return;
	for (int64_t at = count / 2 - 1; at >= 0; at--)
		row_sink(rows, at, count);
	for (int64_t last = count - 1; last > 0; last--) {
		struct cluster_row row = rows[0];

		rows[0] = rows[last];
		rows[last] = row;
		row_sink(rows, 0, last);
	}
}

/* Puts the lower bot number of each row first, and sorts the rows. */
static void
rows_order(struct cluster_row *rows, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		const struct cluster_row row = rows[i];

		if (row.first <= row.second)
			continue;
		rows[i].first = row.second;
		rows[i].second = row.first;
		rows[i].margin = -row.margin;
		rows[i].score = row.games - row.score;
	}
	rows_sort(rows, count);
}

int64_t
clusters_fold(struct cluster_row *rows, int64_t row_count)
{
	int64_t kept = 0;

	rows_order(rows, row_count);
	for (int64_t i = 0; i < row_count; i++) {
		struct cluster_row *sum = &rows[kept > 0 ? kept - 1 : 0];

		if (kept == 0 || row_compare(sum, &rows[i]) != 0) {
			rows[kept++] = rows[i];
			continue;
		}
		sum->blocks += rows[i].blocks;
		sum->margin += rows[i].margin;
		sum->games += rows[i].games;
		sum->score += rows[i].score;
	}
	return kept;
}

struct clusters
clusters_make(struct cluster_row *rows, int64_t row_count, int64_t *starts)
{
	struct clusters clusters = {
		.rows = rows,
		.row_count = row_count,
		.starts = starts,
	};

	rows_order(rows, row_count);
	for (int64_t i = 0; i < row_count; i++)
		if (i == 0 || rows[i].cluster != rows[i - 1].cluster)
			starts[clusters.count++] = i;
	starts[clusters.count] = row_count;
	return clusters;
}

/*
 * A function of this type gives the weighted residual of a row: the result less
 * the one that the ratings let expect, with the weight that least squares or
 * the likelihood gives it.  *whole is set to the size of the terms, so that the
 * caller can recognise a rounding error.
 */
typedef double residual_function(
    const struct rating_fit *fit, const struct cluster_row *row, double *whole);

static double
margin_residual(
    const struct rating_fit *fit, const struct cluster_row *row, double *whole)
{
	double weight =
	    fit->memory.weights[row->first * fit->bot_count + row->second];
	double expected = (double)row->blocks *
	    (fit->ratings[row->first].value - fit->ratings[row->second].value);

	*whole = weight * (fabs((double)row->margin) + fabs(expected));
	return weight * ((double)row->margin - expected);
}

static double
elo_residual(
    const struct rating_fit *fit, const struct cluster_row *row, double *whole)
{
	double lead =
	    fit->ratings[row->first].value - fit->ratings[row->second].value;

	*whole = (double)row->games;
	return (double)row->score -
	    (double)row->games / (1 + exp(-lead / RATING_ELO_PER_NATURAL));
}

/*
 * Fills in the score of each bot in a cluster: the sum of its residuals.  Lists
 * the bots of the cluster in `members` and returns their number.
 */
static int
scores_fill(const struct rating_fit *fit, residual_function *residual,
    int cluster, int *members)
{
	const struct clusters *clusters = &fit->clusters;
	double *scores = fit->memory.scores;
	bool present[RATING_BOTS_MAX];
	double wholes[RATING_BOTS_MAX];
	int count = 0;

	/* For each cluster: only as much as the bots of this fit need. */
	memset(present, 0, (size_t)fit->bot_count * sizeof(*present));
	values_clear(wholes, fit->bot_count);
	values_clear(scores, fit->bot_count);
	for (int64_t i = clusters->starts[cluster];
	     i < clusters->starts[cluster + 1]; i++) {
		const struct cluster_row *row = &clusters->rows[i];
		double whole;
		double ahead = residual(fit, row, &whole);

		assert(row->first != row->second);
		scores[row->first] += ahead;
		scores[row->second] -= ahead;
		wholes[row->first] += whole;
		wholes[row->second] += whole;
		present[row->first] = present[row->second] = true;
	}
	for (int bot = 0; bot < fit->bot_count; bot++) {
		if (!present[bot])
			continue;
		members[count++] = bot;
		if (fabs(scores[bot]) <= SPREAD_MIN * wholes[bot])
			scores[bot] = 0;
	}
	return count;
}

/*
 * Fills in the sum of s s' over all clusters, where s are the scores of a
 * cluster, and counts the clusters of each bot.
 */
static void
sums_fill(const struct rating_fit *fit, residual_function *residual)
{
	const struct rating_memory *memory = &fit->memory;
	int size = fit->bot_count, members[RATING_BOTS_MAX];

	values_clear(memory->sums, size * size);
	values_clear(memory->counts, size);
	for (int cluster = 0; cluster < fit->clusters.count; cluster++) {
		int count = scores_fill(fit, residual, cluster, members);

		for (int i = 0; i < count; i++) {
			double *row = &memory->sums[members[i] * size];

			memory->counts[members[i]]++;
			for (int k = 0; k < count; k++)
				row[members[k]] += memory->scores[members[i]] *
				    memory->scores[members[k]];
		}
	}
}

/* out = a b, where b is symmetric. */
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

/*
 * The standard error from a sum of squares over n clusters, times n / (n - 1).
 */
static double
scaled_error(double squares, double count)
{
	return sqrt(count / (count - 1) * fmax(squares, 0));
}

/* Sets the errors from the covariances, which are in memory->sums. */
static void
errors_set(const struct rating_fit *fit)
{
	const struct rating_memory *memory = &fit->memory;
	const double *covariances = memory->sums;
	int size = fit->bot_count;

	for (int a = 0; a < size; a++) {
		double own = covariances[a * size + a];
		struct rating *rating = &fit->ratings[a];

		rating->freedom = own > 0 && memory->counts[a] > 1
		    ? memory->counts[a] - 1
		    : 0;
		if (rating->freedom > 0)
			rating->error = fmax(rating->error,
			    scaled_error(own, memory->counts[a]));
		for (int b = 0; b < size; b++) {
			double *error = &fit->errors[a * size + b];
			double count =
			    fmin(memory->counts[a], memory->counts[b]);
			double gap = own + covariances[b * size + b] -
			    covariances[a * size + b] -
			    covariances[b * size + a];

			if (a != b && count > 1 &&
			    rating->group == fit->ratings[b].group)
				*error = fmax(*error, scaled_error(gap, count));
		}
	}
}

/* Sets the errors of differences to those of the last fit. */
static void
errors_begin(const struct rating_fit *fit)
{
	int size = fit->bot_count;

	for (int a = 0; a < size; a++)
		for (int b = 0; b < size; b++)
			fit->errors[a * size + b] =
			    rating_difference_error(fit, a, b);
}

/*
 * `unit`: the factor by which `inverse` is larger than the unit of the scores
 * requires.
 */
static void
errors_fill(const struct rating_fit *fit, residual_function *residual,
    const double *inverse, double unit)
{
	const struct rating_memory *memory = &fit->memory;
	int size = fit->bot_count;

	errors_begin(fit);
	if (fit->clusters.rows == NULL)
		return;
	sums_fill(fit, residual);
	for (int i = 0; i < size * size; i++)
		memory->sums[i] /= unit;
	multiply(memory->product, inverse, memory->sums, size);
	multiply(memory->sums, inverse, memory->product, size);
	errors_set(fit);
}

/*
 * Takes away what the solution of the equations has rounded, so that equal
 * results have equal ratings.
 */
static void
values_round(const struct rating_fit *fit)
{
	for (int bot = 0; bot < fit->bot_count; bot++) {
		struct rating *rating = &fit->ratings[bot];

		rating->value = round(rating->value / VALUE_STEP) * VALUE_STEP;
	}
}

void
cluster_margin(const struct rating_fit *fit)
{
	rating_margin(fit);
	rating_weights(fit);
	errors_fill(fit, margin_residual, fit->memory.covariances, 1);
	values_round(fit);
}

void
cluster_elo(const struct rating_fit *fit)
{
	rating_elo(fit);
	/*
	 * The errors of the fit are those of independent blocks, of which
	 * errors_set() keeps the larger ones.  The inverse of the information
	 * is in Elo squared, but scores are in natural units.
	 */
	errors_fill(fit, elo_residual, fit->memory.inverse,
	    RATING_ELO_PER_NATURAL * RATING_ELO_PER_NATURAL);
}

double
cluster_freedom(const struct rating_fit *fit, int a, int b)
{
	const struct rating *one = &fit->ratings[a], *two = &fit->ratings[b];

	return one->group == two->group ? fmin(one->freedom, two->freedom) : 0;
}

double
cluster_above(const struct rating_fit *fit, int a, int b)
{
	double error = fit->errors[a * fit->bot_count + b];
	double lead = fit->ratings[a].value - fit->ratings[b].value;
	double freedom = cluster_freedom(fit, a, b);

	if (a == b || !(freedom >= 1) || !(error > 0))
		return 0.5;
	return student_distribution(lead / error, freedom);
}

/* How far the scores of a cluster move each rating. */
static void
moves_fill(const struct rating_fit *fit)
{
	const struct rating_memory *memory = &fit->memory;
	int size = fit->bot_count;

	for (int a = 0; a < size; a++) {
		double sum = 0;

		for (int b = 0; b < size; b++)
			sum += memory->covariances[a * size + b] *
			    memory->scores[b];
		memory->moves[a] = sum;
	}
}

/* Fills in the margins and blocks of each pair in a cluster. */
static void
margins_fill(const struct rating_fit *fit, int cluster)
{
	const struct clusters *clusters = &fit->clusters;
	double *margins = fit->memory.sums, *blocks = fit->memory.product;
	int size = fit->bot_count;

	values_clear(margins, size * size);
	values_clear(blocks, size * size);
	for (int64_t i = clusters->starts[cluster];
	     i < clusters->starts[cluster + 1]; i++) {
		const struct cluster_row *row = &clusters->rows[i];
		int index = row->first * size + row->second;

		margins[index] += (double)row->margin;
		blocks[index] += (double)row->blocks;
	}
}

/* Adds what one cluster contributes to the variance of a pair's residual. */
static void
excess_add(struct residual *excess, const struct rating_pair *pair,
    const struct rating_fit *fit)
{
	const struct rating_memory *memory = &fit->memory;
	int index = pair->first * fit->bot_count + pair->second;
	double blocks = memory->product[index];
	double ahead = memory->sums[index] - blocks * pair->margins.mean;
	double move = memory->moves[pair->first] - memory->moves[pair->second];
	double part = ahead / fmax((double)pair->margins.count, 1) - move;

	excess->variance += part * part;
	excess->freedom += blocks > 0;
}

/*
 * Fills in the variances and degrees of freedom of residuals, after
 * rating_margin.
 */
static void
excesses_fill(const struct rating_fit *fit, struct residual *residuals)
{
	int members[RATING_BOTS_MAX];

	rating_weights(fit);
	for (int i = 0; i < fit->pair_count; i++)
		residuals[i].variance = residuals[i].freedom = 0;
	for (int cluster = 0; cluster < fit->clusters.count; cluster++) {
		scores_fill(fit, margin_residual, cluster, members);
		moves_fill(fit);
		margins_fill(fit, cluster);
		for (int i = 0; i < fit->pair_count; i++)
			excess_add(&residuals[i], &fit->pairs[i], fit);
	}
	for (int i = 0; i < fit->pair_count; i++) {
		double count = residuals[i].freedom;

		residuals[i].freedom = fmax(count - 1, 0);
		residuals[i].variance *= count > 1 ? count / (count - 1) : 0;
	}
}

/*
 * A pair that is the only link between two groups of bots has a leverage of 1.
 */
static const double leverage_max = 1.0 - 1e-9;

/*
 * The variance of a residual that is rounding alone, as of two bots that play
 * alike, is far less: margins have some ten points.
 */
#define ROUNDING_VARIANCE 1e-18

/* A smaller probability is taken as this one. */
#define SHARE_MIN 1e-300

/* The normal number that is as rare as t with `freedom` degrees of freedom. */
static double
normal_of(double t, double freedom)
{
	double share = student_distribution(-fabs(t), freedom);

	return copysign(-normal_quantile(fmax(share, SHARE_MIN)), t);
}

/*
 * The residual of a pair.  The fit may contain the pair or leave it out
 * (`apart`).
 */
static struct residual
residual_of(const struct rating_fit *fit, const struct rating_pair *pair,
    struct residual residual, double pooled)
{
	double variance, error, own = 1.0, excess;

	if (pair->block_bots > 2 ||
	    residual.freedom < RESIDUAL_CLUSTERS_MIN - 1 ||
	    !(residual.variance > ROUNDING_VARIANCE))
		return (struct residual){ 0 };
	excess = pair->margins.mean -
	    (fit->ratings[pair->first].value -
		fit->ratings[pair->second].value);
	if (!pair->apart) {
		variance = rating_variance(&pair->margins, pooled) /
		    (double)pair->margins.count;
		error = rating_difference_error(fit, pair->first, pair->second);
		own = 1.0 - error * error / variance;
	}
	if (!(own > 1.0 - leverage_max))
		return (struct residual){ 0 };
	return (struct residual){
		.judged = true,
		.odd = pair->apart,
		.expected = pair->margins.mean - excess / own,
		.z = normal_of(
		    excess / sqrt(residual.variance), residual.freedom),
	};
}

/* Fits the ratings without the odd pairs and judges all pairs by that fit. */
static void
residuals_fill(
    const struct rating_fit *fit, double pooled, struct residual *residuals)
{
	rating_margin(fit);
	excesses_fill(fit, residuals);
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_pair *pair = &fit->pairs[i];

		/*
		 * If only odd pairs link the two bots, this pair keeps its
		 * earlier residual.
		 */
		if (pair->apart &&
		    fit->ratings[pair->first].group !=
			fit->ratings[pair->second].group)
			continue;
		residuals[i] = residual_of(fit, pair, residuals[i], pooled);
	}
}

void
residual_find(const struct rating_fit *fit, struct residual *residuals)
{
	double pooled = rating_pooled_variance(fit);
	int count = fit->pair_count;

	for (;;) {
		int judged = 0, oddest = -1;

		residuals_fill(fit, pooled, residuals);
		for (int i = 0; i < count; i++) {
			const struct residual *one = &residuals[i];

			judged += one->judged;
			if (one->judged && !one->odd &&
			    (oddest < 0 ||
				fabs(one->z) > fabs(residuals[oddest].z)))
				oddest = i;
		}
		if (oddest < 0 ||
		    !(fabs(residuals[oddest].z) >
			normal_quantile(1.0 - RESIDUAL_ALPHA / 2.0 / judged)))
			break;
		fit->pairs[oddest].apart = true;
		residuals[oddest].odd = true;
	}
	for (int i = 0; i < count; i++)
		fit->pairs[i].apart = false;
}

/* The margin of a bot in a row less blocks * mean. */
static double
margin_ahead(const struct cluster_row *row, int bot, double mean)
{
	double margin = (double)row->margin;

	return (bot == row->first ? margin : -margin) -
	    (double)row->blocks * mean;
}

/* Fills in the mean margin and the number of blocks of each bot. */
static void
means_fill(const struct clusters *clusters, int bot_count, double *means,
    double *blocks)
{
	values_clear(means, bot_count);
	values_clear(blocks, bot_count);
	for (int64_t i = 0; i < clusters->row_count; i++) {
		const struct cluster_row *row = &clusters->rows[i];

		means[row->first] += margin_ahead(row, row->first, 0);
		means[row->second] += margin_ahead(row, row->second, 0);
		blocks[row->first] += (double)row->blocks;
		blocks[row->second] += (double)row->blocks;
	}
	for (int bot = 0; bot < bot_count; bot++)
		if (blocks[bot] > 0)
			means[bot] /= blocks[bot];
}

/* Adds the squares of one cluster to the spreads of the means. */
static void
means_spread(const struct clusters *clusters, int cluster, int bot_count,
    const double *means, struct moments *spreads)
{
	double ahead[RATING_BOTS_MAX], whole[RATING_BOTS_MAX];

	values_clear(ahead, bot_count);
	values_clear(whole, bot_count);
	for (int64_t i = clusters->starts[cluster];
	     i < clusters->starts[cluster + 1]; i++) {
		const struct cluster_row *row = &clusters->rows[i];
		const int bots[] = { row->first, row->second };

		for (int k = 0; k < 2; k++) {
			ahead[bots[k]] +=
			    margin_ahead(row, bots[k], means[bots[k]]);
			whole[bots[k]] += fabs((double)row->margin) +
			    (double)row->blocks * fabs(means[bots[k]]) +
			    DBL_MIN;
		}
	}
	for (int bot = 0; bot < bot_count; bot++) {
		if (!(whole[bot] > 0))
			continue;
		spreads[bot].count++;
		if (fabs(ahead[bot]) > SPREAD_MIN * whole[bot])
			spreads[bot].squares += ahead[bot] * ahead[bot];
	}
}

void
cluster_means(
    const struct rating_fit *fit, double level, struct estimate *estimates)
{
	const struct clusters *clusters = &fit->clusters;
	int bot_count = fit->bot_count;
	double means[RATING_BOTS_MAX], blocks[RATING_BOTS_MAX];
	struct moments spreads[RATING_BOTS_MAX] = { { 0 } };

	means_fill(clusters, bot_count, means, blocks);
	for (int cluster = 0; cluster < clusters->count; cluster++)
		means_spread(clusters, cluster, bot_count, means, spreads);
	for (int bot = 0; bot < bot_count; bot++) {
		double count = (double)spreads[bot].count;
		bool known = count > 1 && spreads[bot].squares > 0;
		double half = known
		    ? student_quantile((1 + level) / 2, count - 1) *
			scaled_error(spreads[bot].squares, count) / blocks[bot]
		    : 0;

		estimates[bot] = (struct estimate){
			.value = means[bot],
			.low = means[bot] - half,
			.high = means[bot] + half,
			.low_beyond = !known,
			.high_beyond = !known,
		};
	}
}

/*
 * Adds the first of the rows with all that follow it for the same bots in the
 * same cluster.  Returns the number of these rows.
 */
static int64_t
margins_add(
    const struct cluster_row *rows, int64_t row_count, struct moments *rounds)
{
	double ahead = 0, whole = DBL_MIN;
	int64_t i = 0;

	for (; i < row_count && row_compare(&rows[0], &rows[i]) == 0; i++) {
		ahead += margin_ahead(&rows[i], rows[0].first, rounds->mean);
		whole += fabs((double)rows[i].margin) +
		    (double)rows[i].blocks * fabs(rounds->mean);
	}
	rounds->count++;
	if (fabs(ahead) > SPREAD_MIN * whole)
		rounds->squares += ahead * ahead;
	return i;
}

void
cluster_margins(const struct rating_fit *fit, struct moments *rounds)
{
	const struct clusters *clusters = &fit->clusters;
	int64_t i = 0;

	for (int k = 0; k < fit->pair_count; k++) {
		const struct rating_pair *pair = &fit->pairs[k];

		rounds[pair->first * fit->bot_count + pair->second] =
		    (struct moments){ .mean = pair->margins.mean };
	}
	while (i < clusters->row_count) {
		const struct cluster_row *row = &clusters->rows[i];

		i += margins_add(row, clusters->row_count - i,
		    &rounds[row->first * fit->bot_count + row->second]);
	}
	/* A cluster counts as much as it has blocks. */
	for (int k = 0; k < fit->pair_count; k++) {
		const struct rating_pair *pair = &fit->pairs[k];
		struct moments *sum =
		    &rounds[pair->first * fit->bot_count + pair->second];
		double blocks = (double)pair->margins.count;

		if (blocks > 0)
			sum->squares *= pow((double)sum->count / blocks, 2);
	}
}

/*
 * The ranking: a bootstrap over clusters, simultaneous ranges of places, and
 * the information of one more block.
 */

/* Ratings that differ by less than this many points are equal. */
#define TIE 1e-9

/* Adds a row to the sums of its two bots. */
static void
row_add(
    const struct rating_fit *fit, const struct cluster_row *row, bool by_scores)
{
	int index = row->first * fit->bot_count + row->second;

	fit->memory.product[index] +=
	    by_scores ? (double)row->games : (double)row->blocks;
	fit->memory.sums[index] += by_scores
	    ? (double)row->score - (double)row->games / 2.0
	    : (double)row->margin;
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
    uint64_t *random, double *places)
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
    const struct ranking_sample *sample, double *places)
{
	int square = fit->bot_count * fit->bot_count;
	uint64_t random = sample->seed;
	struct laplacian network;

	values_clear(places, square);
	rating_weights(fit);
	for (int i = 0; i < sample->replicate_count; i++) {
		replicate_run(fit, sample->by_scores, &random, &network);
		places_count(&network, fit->memory.values, &random, places);
	}
	for (int i = 0; i < square; i++)
		places[i] /= sample->replicate_count;
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
