#include "strength.h"

#include <assert.h>
#include <math.h>

#include "splitmix.h"

/*
 * The levels.  The temperature of level 5 is a third of a point, which is about
 * the difference between the best and the second best move.
 */
static const struct {
	double temperature; /* points */
	double overlooked;  /* for each captured card */
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
_Static_assert(sizeof(levels) / sizeof(levels[0]) == STRENGTH_MAX + 1,
    "every level has a row");

/* Whether a player of this level overlooks the move. */
static bool
is_overlooked(int level, const struct scopa_move *move, uint64_t *random)
{
	int cards = scopa_set_count(move->captured);

	if (levels[level].overlooked <= 0)
		return false;
	do
		if (splitmix_unit(random) < levels[level].overlooked)
			return true;
	while (--cards > 0);
	return false;
}

/* Returns a random index in proportion to the weights; -1 when all are 0. */
static int
draw(const double *weights, int count, uint64_t *random)
{
	double sum = 0, left;
	int drawn = -1;

	for (int i = 0; i < count; i++)
		sum += weights[i];
	left = splitmix_unit(random) * sum;
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

const struct search_row *
strength_row(const struct search_result *result, int level, double unit,
    uint64_t *random)
{
	double values[SCOPA_MOVES_MAX], weights[SCOPA_MOVES_MAX];
	double best = -(double)INFINITY, worst = (double)INFINITY;
	int count = result->row_count, drawn;

	assert(level >= STRENGTH_MIN && level <= STRENGTH_MAX);
	if (level == STRENGTH_MAX)
		return &result->rows[result->best];
	for (int i = 0; i < count; i++) {
		values[i] = result->rows[i].value / unit;
		if (result->rows[i].visits > 0)
			worst = fmin(worst, values[i]);
	}
	for (int i = 0; i < count; i++) {
		if (result->rows[i].visits <= 0)
			values[i] = worst;
		best = fmax(best, values[i]);
	}
	for (int i = 0; i < count; i++)
		weights[i] = is_overlooked(level, &result->rows[i].move, random)
		    ? 0
		    : exp((values[i] - best) / levels[level].temperature);
	drawn = draw(weights, count, random);
	if (drawn < 0)
		drawn = (int)splitmix_below(random, (uint32_t)count);
	return &result->rows[drawn];
}
