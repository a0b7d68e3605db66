#include "strength.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "scopa/deal.h"
#include "splitmix.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/*
 * A third of a point, the temperature of level 5, is about what the second
 * best move costs.
 */
static const struct {
	double temperature; /* points */
	double overlooked;  /* chance of a move that captures one card */
} levels[] = {
	[1] = { 1.50, 0.40 },
	[2] = { 1.00, 0.30 },
	[3] = { 0.70, 0.22 },
	[4] = { 0.50, 0.15 },
	[5] = { 0.35, 0.08 },
	[6] = { 0.25, 0.04 },
	[7] = { 0.17, 0 },
	[8] = { 0.10, 0 },
	[9] = { 0.05, 0 },
	[STRENGTH_MAX] = { 0, 0 },
};
_Static_assert(COUNTOF(levels) == STRENGTH_MAX + 1, "every level has its row");

static bool
is_better(
    const struct strength_choice *one, const struct strength_choice *other)
{
	if (one->visits != other->visits)
		return one->visits > other->visits;
	return one->value > other->value;
}

static int
best_of(const struct strength_choice *choices, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (is_better(&choices[i], &choices[best]))
			best = i;
	return best;
}

/* 0 up to, but not, 1. */
static double
fraction(uint64_t *random)
{
	return (double)(splitmix_next(random) >> 11) * 0x1p-53;
}

/* Whether the move stays unseen by a player of this level. */
static bool
is_overlooked(int level, const struct scopa_move *move, uint64_t *random)
{
	int cards = scopa_set_count(move->captured);

	if (levels[level].overlooked <= 0)
		return false;
	do
		if (fraction(random) < levels[level].overlooked)
			return true;
	while (--cards > 0);
	return false;
}

/* The values, but those that no search has found out. */
static void
values_fill(const struct strength_choice *choices, int count, double *values)
{
	double worst = (double)INFINITY;
	bool searched = false;

	for (int i = 0; i < count; i++)
		searched |= choices[i].visits > 0;
	for (int i = 0; i < count; i++)
		if (!searched || choices[i].visits > 0)
			worst = fmin(worst, choices[i].value);
	for (int i = 0; i < count; i++)
		values[i] = searched && choices[i].visits == 0
		    ? worst
		    : choices[i].value;
}

/* One of them in proportion to the weights; -1 where all are 0. */
static int
draw(const double *weights, int count, uint64_t *random)
{
	double sum = 0, left;
	int drawn = -1;

	for (int i = 0; i < count; i++)
		sum += weights[i];
	left = fraction(random) * sum;
	for (int i = 0; i < count; i++) {
		if (weights[i] <= 0)
			continue;
		drawn = i;
		left -= weights[i];
		if (left < 0)
			break;
	}
	return drawn;
}

int
strength_choose(int level, const struct strength_choice *choices, int count,
    uint64_t *random)
{
	double values[SCOPA_MOVES_MAX], weights[SCOPA_MOVES_MAX];
	double best = -(double)INFINITY;
	int drawn;

	assert(level >= STRENGTH_MIN && level <= STRENGTH_MAX);
	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	if (level == STRENGTH_MAX)
		return best_of(choices, count);
	values_fill(choices, count, values);
	for (int i = 0; i < count; i++)
		best = fmax(best, values[i]);
	for (int i = 0; i < count; i++)
		weights[i] = is_overlooked(level, &choices[i].move, random)
		    ? 0
		    : exp((values[i] - best) / levels[level].temperature);
	drawn = draw(weights, count, random);
	return drawn >= 0 ? drawn
			  : (int)splitmix_below(random, (uint32_t)count);
}

const struct search_row *
graded_row(const struct search_result *result, int level, double unit,
    uint64_t *random)
{
	struct strength_choice choices[SCOPA_MOVES_MAX];

	if (level == STRENGTH_MAX)
		return &result->rows[result->best];
	for (int i = 0; i < result->row_count; i++) {
		const struct search_row *row = &result->rows[i];

		choices[i] = (struct strength_choice){
			.move = row->move,
			.value = row->value / unit,
			.visits = (int64_t)row->visits,
		};
	}
	return &result->rows[strength_choose(
	    level, choices, result->row_count, random)];
}
