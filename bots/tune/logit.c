#include "logit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SIZE = POLICY_FEATURE_COUNT, STEPS_MAX = 50 };

/* Ends once a step gains less than this, in nats a position. */
static const double GAIN_LEAST = 1e-9;

/* Slope and curvature of the mean log-likelihood. */
struct slope {
	double gradient[SIZE];
	double hessian[SIZE][SIZE]; /* of its negative; the lower half */
};

static double
score(const float features[SIZE], const double weights[SIZE])
{
	double sum = 0;

	for (int i = 0; i < SIZE; i++)
		sum += (double)features[i] * weights[i];
	return sum;
}

/* Probabilities of the moves of a lesson; returns its log-likelihood. */
static double
probabilities_fill(const struct lessons *lessons, const struct lesson *lesson,
    const double weights[SIZE], double *probabilities)
{
	const float *targets = lessons->targets + lesson->first;
	double most = -HUGE_VAL, total = 0, likelihood = 0;

	for (int i = 0; i < lesson->count; i++) {
		probabilities[i] = score(
		    lessons->features[lesson->first + (size_t)i], weights);
		if (probabilities[i] > most)
			most = probabilities[i];
	}
	for (int i = 0; i < lesson->count; i++)
		total += exp(probabilities[i] - most);
	for (int i = 0; i < lesson->count; i++) {
		double logarithm = probabilities[i] - most - log(total);

		probabilities[i] = exp(logarithm);
		likelihood += (double)targets[i] * logarithm;
	}
	return likelihood;
}

/* Adds one lesson to gradient and curvature. */
static void
slope_add(struct slope *slope, const struct lessons *lessons,
    const struct lesson *lesson, const double *probabilities)
{
	double mean[SIZE] = { 0 }, centred[SIZE];

	for (int move = 0; move < lesson->count; move++) {
		size_t row = lesson->first + (size_t)move;
		const float *features = lessons->features[row];

		for (int i = 0; i < SIZE; i++) {
			double feature = (double)features[i];

			mean[i] += probabilities[move] * feature;
			slope->gradient[i] += ((double)lessons->targets[row] -
						  probabilities[move]) *
			    feature;
		}
	}
	for (int move = 0; move < lesson->count; move++) {
		const float *features =
		    lessons->features[lesson->first + (size_t)move];

		for (int i = 0; i < SIZE; i++)
			centred[i] = (double)features[i] - mean[i];
		for (int i = 0; i < SIZE; i++) {
			double share = probabilities[move] * centred[i];

			if (share == 0)
				continue;
			for (int j = 0; j <= i; j++)
				slope->hessian[i][j] += share * centred[j];
		}
	}
}

static bool
belongs(const struct lesson *lesson, enum policy_family family, int phase,
    bool held_out)
{
	return lesson->family == family && lesson->phase == phase &&
	    lesson->held_out == held_out;
}

/* The mean log-likelihood less the price of the weights; with its slope. */
static double
objective(const struct lessons *lessons, enum policy_family family, int phase,
    double ridge, const double weights[SIZE], struct slope *slope)
{
	static double probabilities[LESSON_MOVES_MAX];
	double sum = 0, price = 0;
	size_t count = 0;

	memset(slope, 0, sizeof(*slope));
	for (size_t i = 0; i < lessons->count; i++) {
		const struct lesson *lesson = &lessons->items[i];

		if (!belongs(lesson, family, phase, false))
			continue;
		sum +=
		    probabilities_fill(lessons, lesson, weights, probabilities);
		slope_add(slope, lessons, lesson, probabilities);
		count++;
	}
	if (count == 0)
		return -HUGE_VAL; /* there are no lessons */
	for (int i = 0; i < SIZE; i++) {
		slope->gradient[i] =
		    slope->gradient[i] / (double)count - 2 * ridge * weights[i];
		for (int j = 0; j <= i; j++)
			slope->hessian[i][j] /= (double)count;
		slope->hessian[i][i] += 2 * ridge;
		price += ridge * weights[i] * weights[i];
	}
	return sum / (double)count - price;
}

/* Solves hessian * step = gradient by Cholesky's method, in place. */
static void
step_find(struct slope *slope, double step[SIZE])
{
	double(*lower)[SIZE] = slope->hessian;

	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j <= i; j++) {
			double sum = lower[i][j];

			for (int k = 0; k < j; k++)
				sum -= lower[i][k] * lower[j][k];
			if (i == j)
				assert(sum > 0);
			lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
		}
	}
	for (int i = 0; i < SIZE; i++) {
		step[i] = slope->gradient[i];
		for (int k = 0; k < i; k++)
			step[i] -= lower[i][k] * step[k];
		step[i] /= lower[i][i];
	}
	for (int i = SIZE - 1; i >= 0; i--) {
		for (int k = i + 1; k < SIZE; k++)
			step[i] -= lower[k][i] * step[k];
		step[i] /= lower[i][i];
	}
}

void
logit_fit(const struct lessons *lessons, enum policy_family family, int phase,
    double ridge, struct policy_table *table)
{
	static struct slope slope;
	double best[SIZE], tried[SIZE], step[SIZE], value, length;

	assert(ridge > 0);
	for (int i = 0; i < SIZE; i++)
		best[i] = (double)table->weights[phase][i];
	value = objective(lessons, family, phase, ridge, best, &slope);
	if (value == -HUGE_VAL)
		return;
	for (int steps = 0; steps < STEPS_MAX; steps++) {
		double before = value;

		step_find(&slope, step);
		/* Newton's step may go too far where the curve flattens. */
		for (length = 1; length > 1e-6; length /= 2) {
			for (int i = 0; i < SIZE; i++)
				tried[i] = best[i] + length * step[i];
			value = objective(
			    lessons, family, phase, ridge, tried, &slope);
			if (value >= before)
				break;
		}
		if (value < before)
			break;
		memcpy(best, tried, sizeof(best));
		if (value - before < GAIN_LEAST)
			break;
	}
	for (int i = 0; i < SIZE; i++)
		table->weights[phase][i] = (float)best[i];
}

struct logit_report
logit_judge(const struct lessons *lessons, enum policy_family family, int phase,
    const struct policy_table *table)
{
	struct logit_report report = { 0 };
	double probabilities[LESSON_MOVES_MAX], weights[SIZE];

	for (int i = 0; i < SIZE; i++)
		weights[i] = (double)table->weights[phase][i];
	for (size_t i = 0; i < lessons->count; i++) {
		const struct lesson *lesson = &lessons->items[i];
		const float *targets = lessons->targets + lesson->first;
		int likeliest = 0, best = 0;

		if (!belongs(lesson, family, phase, true))
			continue;
		report.count++;
		report.likelihood +=
		    probabilities_fill(lessons, lesson, weights, probabilities);
		for (int move = 0; move < lesson->count; move++) {
			double target = (double)targets[move];

			if (target > 0)
				report.ceiling += target * log(target);
			if (targets[move] > targets[best])
				best = move;
			if (probabilities[move] > probabilities[likeliest])
				likeliest = move;
		}
		report.agreement += likeliest == best;
	}
	if (report.count == 0)
		return report;
	report.likelihood /= (double)report.count;
	report.ceiling /= (double)report.count;
	report.agreement /= (double)report.count;
	return report;
}
