#include "sample.h"

#include "splitmix.h"
#include "test.h"

void
sample_compare(
    double found, double expected, double tolerance, const char *file, int line)
{
	if (fabs(found - expected) <= tolerance)
		return;
	print_error(
	    "%.17g instead of %.17g +- %g\n", found, expected, tolerance);
	_fail(file, line);
}

double
sample_elo(double score)
{
	return -400 * log10(1 / score - 1);
}

double
sample_uniform(uint64_t *random)
{
	return splitmix_unit(random);
}

double
sample_normal(uint64_t *random)
{
	/* The method of Box and Muller. */
	double radius = sqrt(-2.0 * log(1.0 - sample_uniform(random)));

	return radius * cos(6.283185307179586 * sample_uniform(random));
}

struct rating_fit
sample_fit(int bot_count)
{
	enum { SQUARE = SAMPLE_BOTS_MAX * SAMPLE_BOTS_MAX };
	static double doubles[8 * SQUARE], errors[SQUARE];
	static struct rating_pair pairs[SQUARE];
	static struct rating ratings[SAMPLE_BOTS_MAX];

	assert_true(rating_memory_size(bot_count) <= 8 * SQUARE);
	return (struct rating_fit){
		.bot_count = bot_count,
		.pairs = pairs,
		.ratings = ratings,
		.errors = errors,
		.memory = rating_memory_of(doubles, bot_count),
	};
}

struct sprt
sample_sprt(enum sprt_model model, enum sprt_unit unit, double low, double high)
{
	return (struct sprt){
		.model = model,
		.unit = unit,
		.low = low,
		.high = high,
		.alpha = 0.05,
		.beta = 0.05,
		.minimum = SPRT_MINIMUM_DEFAULT,
	};
}

struct cluster_row
sample_row(int cluster, int first, int second, double margin)
{
	return (struct cluster_row){
		.cluster = cluster,
		.first = (int16_t)first,
		.second = (int16_t)second,
		.blocks = 1,
		.margin = (float)margin,
		.games = 2,
		.score = margin > 0 ? 2
		    : margin < 0    ? 0
				    : 1,
	};
}

void
sample_rows(struct rating_fit *fit, struct cluster_row *rows, int64_t row_count,
    int64_t *starts)
{
	fit->clusters = clusters_make(rows, row_count, starts);
	for (int a = 0; a < fit->bot_count; a++) {
		for (int b = a + 1; b < fit->bot_count; b++) {
			struct rating_pair pair = { .first = a, .second = b };

			for (int64_t i = 0; i < row_count; i++) {
				double margin = (double)rows[i].margin;

				if (rows[i].first == a && rows[i].second == b)
					moments_add(&pair.margins, margin);
				if (rows[i].first == b && rows[i].second == a)
					moments_add(&pair.margins, -margin);
			}
			if (pair.margins.count > 0)
				fit->pairs[fit->pair_count++] = pair;
		}
	}
}
