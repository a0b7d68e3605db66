/*
 * Networks: solutions, groups and pseudo-inverses.
 */
#include "rating.h"

#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "support.h"
#include "test.h"

enum { SIZE_MAX_HERE = 12 };

static void
tie(double *ties, int size, int a, int b, double weight)
{
	ties[a * size + b] = weight;
	ties[b * size + a] = weight;
}

/* One row of L x. */
static double
row_times(const double *ties, int size, int row, const double *values)
{
	double sum = 0.0;

	for (int i = 0; i < size; i++)
		if (i != row)
			sum += ties[row * size + i] * (values[row] - values[i]);
	return sum;
}

/* A network with about `share` percent of all ties, of any weight. */
static void
network_fill(double *ties, int size, int share, uint64_t *random)
{
	memset(ties, 0, sizeof(*ties) * (size_t)size * (size_t)size);
	for (int a = 0; a < size; a++)
		for (int b = 0; b < a; b++)
			if (support_random_below(random, 100) < share)
				tie(ties, size, a, b,
				    pow(10.0,
					support_random_below(random, 7) - 3));
}

TEST(test_chain_is_solved)
{
	struct laplacian network;
	double ties[9] = { 0.0 }, values[3] = { 2.0, 0.0, -2.0 };

	/* A flow of 2 over ties of 1 and 4: falls of 2 and 1/2. */
	tie(ties, 3, 0, 1, 1.0);
	tie(ties, 3, 1, 2, 4.0);
	laplacian_init(&network, ties, 3);
	laplacian_solve(&network, values);
	assert_near(values[0] - values[1], 2.0, 1e-15);
	assert_near(values[1] - values[2], 0.5, 1e-15);
	assert_near(values[0] + values[1] + values[2], 0.0, 1e-15);
}

TEST(test_what_is_put_in_comes_out_again)
{
	uint64_t random = 1;

	for (int round = 0; round < 200; round++) {
		int size = 2 + support_random_below(&random, SIZE_MAX_HERE - 1);
		double ties[SIZE_MAX_HERE * SIZE_MAX_HERE];
		double copy[SIZE_MAX_HERE * SIZE_MAX_HERE];
		double values[SIZE_MAX_HERE] = { 0.0 }, asked[SIZE_MAX_HERE];
		struct laplacian network;

		network_fill(ties, size, 60, &random);
		memcpy(copy, ties, sizeof(copy));
		laplacian_init(&network, ties, size);
		/* Flows between two of one group add up to 0 in it. */
		for (int a = 0; a < size; a++) {
			int b = support_random_below(&random, size);

			if (network.groups[a] != network.groups[b])
				continue;
			values[a] += 1.0 + a;
			values[b] -= 1.0 + a;
		}
		memcpy(asked, values, sizeof(asked));
		laplacian_solve(&network, values);
		for (int i = 0; i < size; i++)
			assert_near(
			    row_times(copy, size, i, values), asked[i], 1e-7);
	}
}

TEST(test_groups_are_numbered_by_their_first_members)
{
	static const int16_t expected[] = { 0, 1, 2, 1, 0, 2, 3, 0 };
	struct laplacian network;
	double ties[64] = { 0.0 };

	tie(ties, 8, 0, 4, 1.0);
	tie(ties, 8, 4, 7, 1e-9);
	tie(ties, 8, 3, 1, 1e9);
	tie(ties, 8, 5, 2, 1.0);
	laplacian_init(&network, ties, 8);
	assert_int_equal(network.group_count, 4);
	for (int i = 0; i < 8; i++)
		assert_int_equal(network.groups[i], expected[i]);
	assert_int_equal(network.group_sizes[0], 3);
	assert_int_equal(network.group_sizes[3], 1);
}

TEST(test_each_group_has_mean_zero)
{
	struct laplacian network;
	double ties[25] = { 0.0 }, values[5] = { 3.0, 5.0, -3.0, -5.0, 0.0 };

	tie(ties, 5, 0, 2, 2.0);
	tie(ties, 5, 1, 3, 1.0);
	laplacian_init(&network, ties, 5);
	laplacian_solve(&network, values);
	assert_near(values[0], 0.75, 1e-15);
	assert_near(values[2], -0.75, 1e-15);
	assert_near(values[1], 2.5, 1e-15);
	assert_near(values[3], -2.5, 1e-15);
	assert_near(values[4], 0.0, 0.0);
}

TEST(test_inverse_is_that_of_penrose)
{
	uint64_t random = 2;

	for (int round = 0; round < 50; round++) {
		int size = 2 + support_random_below(&random, SIZE_MAX_HERE - 1);
		double ties[SIZE_MAX_HERE * SIZE_MAX_HERE];
		double copy[SIZE_MAX_HERE * SIZE_MAX_HERE];
		double inverse[SIZE_MAX_HERE * SIZE_MAX_HERE];
		struct laplacian network;

		network_fill(ties, size, 50, &random);
		memcpy(copy, ties, sizeof(copy));
		laplacian_init(&network, ties, size);
		laplacian_invert(&network, inverse);
		/* L P is what takes the mean off each group; P is symmetric. */
		for (int i = 0; i < size; i++)
			for (int k = 0; k < size; k++) {
				const double *row = inverse + k * size;
				int group = network.groups[i];
				double expected = i == k ? 1.0 : 0.0;

				if (network.groups[k] == group)
					expected -=
					    1.0 / network.group_sizes[group];
				assert_near(row_times(copy, size, i, row),
				    expected, 1e-7);
				assert_near(inverse[i * size + k], row[i], 0.0);
			}
	}
}

TEST(test_ties_of_all_magnitudes_lose_no_digits)
{
	struct laplacian network;
	double ties[16] = { 0.0 }, values[4] = { 1.0, 0.0, 0.0, -1.0 };

	/* A flow of 1 over three ties in a row: falls are 1 / tie. */
	tie(ties, 4, 0, 1, 1e-9);
	tie(ties, 4, 1, 2, 1e12);
	tie(ties, 4, 2, 3, 1.0);
	laplacian_init(&network, ties, 4);
	laplacian_solve(&network, values);
	assert_near((values[0] - values[1]) / 1e9, 1.0, 1e-15);
	assert_near(values[0] - values[3], 1e9 + 1e-12 + 1.0, 1e-6);
	assert_int_equal(network.group_count, 1);
}
