/*
 * Searches in several threads: their work adds up, and one is a plain search.
 */
#include "search.h"

#include <stdlib.h>

#include "scopa/scopa.h"
#include "search_fixture.h"
#include "support.h"
#include "test.h"

enum { ITERATIONS = 301 };

static struct parallel_search parallel;

static struct search_fixture *
search_fixture_at(
    const struct scopa_rules *rules, uint64_t seed, struct scopa_deal *deal)
{
	struct search_fixture *fixture;

	support_deal_random(rules, &seed, 0, deal);
	fixture = search_fixture_of(rules, deal);
	fixture->config.iterations = ITERATIONS;
	/* What every thread may read at once. */
	fixture->config.worlds =
	    (struct world_source){ world_fixed_draw, &fixture->fixed };
	return fixture;
}

static void
sing(struct search_fixture *fixture, int threads, uint64_t seed)
{
	fixture->random = seed;
	assert_true(parallel_search_run(&parallel, threads, &fixture->config,
	    &fixture->rules, &fixture->view, &fixture->random,
	    &fixture->result));
}

TEST(test_no_more_threads_than_iterations_have_work)
{
	const struct scopa_rules rules = support_rules("scopone");
	struct scopa_deal deal;

	for (int iterations = 1; iterations <= PARALLEL_SEARCH_MAX + 1;
	     iterations++) {
		struct search_fixture *fixture =
		    search_fixture_at(&rules, 1, &deal);

		fixture->config.iterations = iterations;
		sing(fixture, PARALLEL_SEARCH_MAX, 7);
		assert_int_equal(fixture->result.iterations, iterations);
		assert_false(fixture->result.late);
		free(fixture);
	}
}

TEST(test_one_thread_is_a_plain_search)
{
	const struct scopa_rules rules = support_rules("scopone");
	struct scopa_deal deal;
	struct search_fixture *one = search_fixture_at(&rules, 1, &deal),
			      *two = search_fixture_at(&rules, 1, &deal);

	sing(one, 1, 7);
	two->random = 7;
	search_fixture_run(two);
	assert_true(one->random == two->random);
	assert_int_equal(one->result.best, two->result.best);
	for (int i = 0; i < one->result.row_count; i++)
		assert_true(
		    one->result.rows[i].visits == two->result.rows[i].visits);
	free(one);
	free(two);
}

TEST(test_threads_share_the_work)
{
	const struct scopa_rules rules = support_rules("scopone");
	struct scopa_deal deal;
	struct search_fixture *one = search_fixture_at(&rules, 2, &deal),
			      *two = search_fixture_at(&rules, 2, &deal);

	for (int threads = 1; threads <= PARALLEL_SEARCH_MAX; threads++) {
		double visits = 0, most = 0;

		sing(one, threads, 7);
		sing(two, threads, 7);
		assert_int_equal(one->result.iterations, ITERATIONS);
		assert_int_equal(two->result.iterations, ITERATIONS);
		for (int i = 0; i < one->result.row_count; i++) {
			const struct search_row *row = &one->result.rows[i];

			assert_true(row->visits == two->result.rows[i].visits);
			assert_true(row->value == two->result.rows[i].value);
			visits += row->visits;
			most = row->visits > most ? row->visits : most;
		}
		assert_true(visits == ITERATIONS);
		assert_true(search_fixture_best(one)->visits == most);
		assert_true(scopa_move_equal(
		    &one->result.line[0], &search_fixture_best(one)->move));
	}
	free(one);
	free(two);
}

static bool
stop_at_once(void *context)
{
	(void)context;
	return true;
}

TEST(test_all_stop_with_the_first)
{
	const struct scopa_rules rules = support_rules("scopone");
	struct scopa_deal deal;
	struct search_fixture *fixture = search_fixture_at(&rules, 3, &deal);

	fixture->config.iterations = 0;
	fixture->config.stopped = stop_at_once;
	sing(fixture, 2, 7);
	assert_true(fixture->result.row_count > 0);
	free(fixture);
}
