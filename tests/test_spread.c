/*
 * Errors of ratings where bots share blocks.
 */
#include "spread.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sample.h"

enum { BOTS = 6, BLOCKS = 2000, ROWS = BLOCKS * BOTS * (BOTS - 1) / 2 };

static struct ranking_block rows[ROWS];
static struct rating ratings[BOTS];
static double errors[BOTS * BOTS];

/* Rates the rows as the report does, without regard to blocks. */
static void
rate(int row_count)
{
	static struct rating_margins pairs[BOTS * BOTS];
	double *work = calloc(rating_margin_work_size(BOTS), sizeof(*work));
	int pair_count = 0;

	assert_non_null(work);
	for (int a = 0; a < BOTS; a++) {
		for (int b = a + 1; b < BOTS; b++) {
			struct rating_margins pair = { .first = a,
				.second = b };

			for (int i = 0; i < row_count; i++) {
				double margin = (double)rows[i].margin;

				if (rows[i].first == a && rows[i].second == b)
					moments_add(&pair.margins, margin);
				if (rows[i].first == b && rows[i].second == a)
					moments_add(&pair.margins, -margin);
			}
			if (pair.margins.count > 0)
				pairs[pair_count++] = pair;
		}
	}
	rating_margin(pairs, pair_count, BOTS, ratings, work);
	for (int a = 0; a < BOTS; a++)
		for (int b = 0; b < BOTS; b++)
			errors[a * BOTS + b] = a == b ? 0
			    : ratings[a].group != ratings[b].group
			    ? HUGE_VAL
			    : rating_difference_error(a, b, BOTS, work);
	free(work);
}

static void
widen(int row_count)
{
	const struct spread spread = { rows, row_count, BOTS, ratings, errors };
	double *work = calloc(spread_work_size(BOTS), sizeof(*work));

	assert_non_null(work);
	spread_widen(&spread, work);
	free(work);
}

static bool
needed(int row_count)
{
	const struct spread spread = { rows, row_count, BOTS, ratings, errors };

	return spread_needed(&spread);
}

/* All bots meet in every block, each with its own luck. */
static int
fill_tables(uint64_t *random)
{
	int count = 0;

	for (int block = 0; block < BLOCKS; block++) {
		double points[BOTS];

		for (int bot = 0; bot < BOTS; bot++)
			points[bot] = bot / 10.0 + sample_normal(random);
		for (int a = 0; a < BOTS; a++) {
			for (int b = a + 1; b < BOTS; b++) {
				/* Either may be named first. */
				bool turned = (block + a + b) % 2 == 1;
				double margin = points[a] - points[b];

				rows[count++] = (struct ranking_block){
					.first = (int16_t)(turned ? b : a),
					.second = (int16_t)(turned ? a : b),
					.margin =
					    (float)(turned ? -margin : margin),
					.joined = a > 0 || b > 1,
				};
			}
		}
	}
	return count;
}

static void
test_shared_blocks_tell_less_than_they_seem(void **state)
{
	uint64_t random = 1;
	int count = fill_tables(&random);

	(void)state;
	assert_true(needed(count));
	rate(count);
	/* As if they were independent: too sure by a factor of sqrt 3. */
	assert_near(ratings[0].error, sqrt(5.0 / 6 / BLOCKS / 3), 0.0005);
	widen(count);
	for (int a = 0; a < BOTS; a++) {
		assert_near(ratings[a].error, sqrt(5.0 / 6 / BLOCKS), 0.001);
		for (int b = 0; b < BOTS; b++)
			if (a != b)
				assert_near(errors[a * BOTS + b],
				    sqrt(2.0 / BLOCKS), 0.0015);
	}
}

static void
test_blocks_of_two_stay_as_they_are(void **state)
{
	struct rating before[BOTS];
	uint64_t random = 2;
	int count = 0;

	(void)state;
	for (int i = 0; i < ROWS; i++) {
		int a = i % BOTS, b = (a + 1 + i / BOTS % (BOTS - 1)) % BOTS;

		rows[count++] = (struct ranking_block){
			.first = (int16_t)a,
			.second = (int16_t)b,
			.margin = (float)sample_normal(&random),
		};
	}
	assert_false(needed(count));
	rate(count);
	for (int bot = 0; bot < BOTS; bot++)
		before[bot] = ratings[bot];
	widen(count);
	for (int bot = 0; bot < BOTS; bot++) {
		assert_true(ratings[bot].error >= before[bot].error);
		assert_near(ratings[bot].error / before[bot].error, 1, 0.05);
	}
}

static void
test_little_is_never_made_surer(void **state)
{
	double before;

	(void)state;
	/* One block alone, and bots that it leaves out. */
	for (int i = 0; i < 3; i++)
		rows[i] = (struct ranking_block){
			.first = (int16_t)(i == 2),
			.second = (int16_t)(i == 0 ? 1 : 2),
			.margin = 1,
			.joined = i > 0,
		};
	rate(3);
	before = ratings[0].error;
	widen(3);
	assert_true(ratings[0].error >= before);
	assert_true(before > 0);
	assert_true(errors[5] > DBL_MAX);
	/* The same block again: no residual is news. */
	for (int i = 0; i < 3; i++)
		rows[3 + i] = rows[i];
	rows[3].joined = false;
	rate(6);
	before = ratings[0].error;
	widen(6);
	assert_true(ratings[0].error >= before);
	assert_true(ratings[0].error <= DBL_MAX);
	assert_true(errors[5] > DBL_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared_blocks_tell_less_than_they_seem),
		cmocka_unit_test(test_blocks_of_two_stay_as_they_are),
		cmocka_unit_test(test_little_is_never_made_surer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
