#include "moments.h"

#include <assert.h>
#include <math.h>

void
moments_add(struct moments *moments, double value)
{
	double difference = value - moments->mean;

	assert(fabs(value) <= MOMENTS_VALUE_MAX);
	moments->count++;
	moments->mean += difference / (double)moments->count;
	/* The one factor is from before the step and the other from after it:
	 * neither cancels, and the product is never negative. */
	moments->squares += difference * (value - moments->mean);
}

struct moments
moments_join(struct moments a, struct moments b)
{
	double difference = b.mean - a.mean;
	double share;

	if (a.count == 0)
		return b;
	if (b.count == 0)
		return a;
	share = (double)b.count / ((double)a.count + (double)b.count);
	return (struct moments){
		.count = a.count + b.count,
		.mean = a.mean + difference * share,
		.squares = a.squares + b.squares +
		    difference * difference * (double)a.count * share,
	};
}

struct moments
moments_of(int64_t count, double mean, double deviation)
{
	assert(count >= 0);
	assert(fabs(mean) <= MOMENTS_VALUE_MAX);
	assert(deviation >= 0 && deviation <= MOMENTS_VALUE_MAX);
	if (count == 0)
		return (struct moments){ 0 };
	return (struct moments){
		.count = count,
		.mean = mean,
		.squares = deviation * deviation * (double)(count - 1),
	};
}

struct moments
moments_floor(const struct moments *moments, double step)
{
	struct moments floored = *moments;
	double count = (double)moments->count;

	assert(step >= 0);
	if (count > 0)
		floored.squares =
		    fmax(floored.squares, step * step * (count - 1) / count);
	return floored;
}

double
moments_variance(const struct moments *moments)
{
	if (moments->count < 1)
		return 0;
	return moments->squares / (double)moments->count;
}

double
moments_sample_variance(const struct moments *moments)
{
	if (moments->count < 2)
		return 0;
	return moments->squares / (double)(moments->count - 1);
}
