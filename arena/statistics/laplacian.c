#include "laplacian.h"

#include <assert.h>
#include <string.h>

/* Takes one out: its row becomes what goes over to each of the later ones. */
static double
row_eliminate(double *ties, int size, int taken)
{
	double *row = ties + taken * size;
	double pivot = 0.0;

	for (int i = taken + 1; i < size; i++)
		pivot += row[i];
	if (!(pivot > 0.0))
		return 0.0;
	for (int i = taken + 1; i < size; i++) {
		double share = row[i] / pivot;

		if (!(share > 0.0))
			continue;
		for (int k = i + 1; k < size; k++) {
			double tie = share * row[k];

			ties[i * size + k] += tie;
			ties[k * size + i] += tie;
		}
	}
	for (int i = taken + 1; i < size; i++)
		row[i] /= pivot;
	return pivot;
}

/*
 * Who still had a tie when taken out is of the group of that neighbour; who had
 * none is the last of a group.
 */
static void
groups_find(struct laplacian *laplacian)
{
	int size = laplacian->size;
	int16_t last[LAPLACIAN_SIZE_MAX], number[LAPLACIAN_SIZE_MAX];

	for (int i = size - 1; i >= 0; i--) {
		int next = i;

		for (int k = i + 1; k < size && next == i; k++)
			if (laplacian->ties[i * size + k] > 0.0)
				next = k;
		last[i] = next > i ? last[next] : (int16_t)i;
		number[i] = -1;
	}
	laplacian->group_count = 0;
	for (int i = 0; i < size; i++) {
		int16_t *group = &number[last[i]];

		if (*group < 0) {
			*group = (int16_t)laplacian->group_count++;
			laplacian->group_sizes[*group] = 0;
		}
		laplacian->groups[i] = *group;
		laplacian->group_sizes[*group]++;
	}
}

void
laplacian_init(struct laplacian *laplacian, double *ties, int size)
{
	assert(size > 0 && size <= LAPLACIAN_SIZE_MAX);
	laplacian->size = size;
	laplacian->ties = ties;
	for (int i = 0; i < size; i++)
		laplacian->pivots[i] = row_eliminate(ties, size, i);
	groups_find(laplacian);
}

/* Takes its mean off each group. */
static void
means_remove(const struct laplacian *laplacian, double *values)
{
	double sums[LAPLACIAN_SIZE_MAX];

	memset(sums, 0, sizeof(sums));
	for (int i = 0; i < laplacian->size; i++)
		sums[laplacian->groups[i]] += values[i];
	for (int i = 0; i < laplacian->size; i++) {
		int group = laplacian->groups[i];

		values[i] -= sums[group] / laplacian->group_sizes[group];
	}
}

void
laplacian_solve(const struct laplacian *laplacian, double *values)
{
	int size = laplacian->size;

	for (int i = 0; i < size; i++) {
		const double *row = laplacian->ties + i * size;

		if (!(laplacian->pivots[i] > 0.0))
			continue;
		for (int k = i + 1; k < size; k++)
			values[k] += row[k] * values[i];
	}
	for (int i = size - 1; i >= 0; i--) {
		const double *row = laplacian->ties + i * size;
		double value = 0.0;

		if (laplacian->pivots[i] > 0.0) {
			value = values[i] / laplacian->pivots[i];
			for (int k = i + 1; k < size; k++)
				value += row[k] * values[k];
		}
		values[i] = value;
	}
	means_remove(laplacian, values);
}

void
laplacian_invert(const struct laplacian *laplacian, double *inverse)
{
	int size = laplacian->size;

	for (int i = 0; i < size; i++) {
		double *row = inverse + i * size;
		int group = laplacian->groups[i];

		for (int k = 0; k < size; k++) {
			row[k] = k == i ? 1.0 : 0.0;
			if (laplacian->groups[k] == group)
				row[k] -= 1.0 / laplacian->group_sizes[group];
		}
		laplacian_solve(laplacian, row);
	}
	for (int i = 0; i < size; i++) {
		for (int k = i + 1; k < size; k++) {
			double *a = &inverse[i * size + k];
			double *b = &inverse[k * size + i];

			*a = *b = (*a + *b) / 2.0;
		}
	}
}
