/*
 * The control variate of variate.h: sums over pairs of numbers, the regression
 * coefficient, and the corrected estimate.  Sums are updated number by number,
 * as the moments of estimate.h.
 */
#include "variate.h"

#include <assert.h>
#include <math.h>

void
variate_parts_add(struct variate_parts *variate,
    const double parts[VARIATE_PARTS_MAX], double y)
{
	enum { COUNT = VARIATE_PARTS_MAX + 1 };
	double count = (double)++variate->count;
	double before[COUNT], after[COUNT];

	for (int i = 0; i < COUNT; i++) {
		double value = i < VARIATE_PARTS_MAX ? parts[i] : y;

		assert(isfinite(value));
		before[i] = value - variate->means[i];
		variate->means[i] += before[i] / count;
		after[i] = value - variate->means[i];
	}
	for (int i = 0; i < COUNT; i++)
		for (int k = 0; k < COUNT; k++)
			variate->products[i][k] += before[i] * after[k];
}

struct variate
variate_parts_weigh(const struct variate_parts *variate,
    const double weights[VARIATE_PARTS_MAX])
{
	enum { Y = VARIATE_PARTS_MAX };
	struct variate sum = {
		.count = variate->count,
		.mean_y = variate->means[Y],
		.squares_y = variate->products[Y][Y],
	};

	for (int i = 0; i < VARIATE_PARTS_MAX; i++) {
		sum.mean_x += weights[i] * variate->means[i];
		sum.products += weights[i] * variate->products[i][Y];
		for (int k = 0; k < VARIATE_PARTS_MAX; k++)
			sum.squares_x +=
			    weights[i] * weights[k] * variate->products[i][k];
	}
	/* If parts cancel, rounding must not make the sum negative. */
	sum.squares_x = fmax(sum.squares_x, 0.0);
	return sum;
}

/*
 * The coefficient is itself an estimate and costs one degree of freedom.  Its
 * error counts more if the packs were further from the average pack.
 */
static struct estimate
corrected_estimate(const struct variate *variate, double coefficient,
    double squares, double distance, double level)
{
	double count = (double)variate->count, freedom = count - 2.0;
	double error = sqrt(squares / freedom *
	    (1.0 / count + distance * distance / variate->squares_x));
	double half = student_quantile((1.0 + level) / 2.0, freedom) * error;
	double value = variate->mean_y - coefficient * distance;

	return (struct estimate){
		.value = value,
		.low = value - half,
		.high = value + half,
	};
}

struct variate_estimate
variate_estimate(const struct variate *variate, double expected_x, double level)
{
	const struct moments plain = {
		.count = variate->count,
		.mean = variate->mean_y,
		.squares = variate->squares_y,
	};
	struct variate_estimate estimate = {
		.plain = mean_estimate(&plain, level),
		.variance_ratio = 1.0,
	};
	double explained, left;

	assert(level > 0.0 && level < 1.0);
	estimate.corrected = estimate.plain;
	if (variate->count < 3 || !(variate->squares_x > 0.0))
		return estimate;
	estimate.coefficient = variate->products / variate->squares_x;
	explained = estimate.coefficient * variate->products;
	left = fmax(variate->squares_y - explained, 0.0);
	estimate.corrected = corrected_estimate(variate, estimate.coefficient,
	    left, variate->mean_x - expected_x, level);
	if (variate->squares_y > left * VARIATE_RATIO_MAX)
		estimate.variance_ratio = VARIATE_RATIO_MAX;
	else if (left > 0.0)
		estimate.variance_ratio = fmax(variate->squares_y / left, 1.0);
	return estimate;
}
