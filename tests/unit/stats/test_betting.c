/*
 * Bets on a bounded mean: how often they are wrong, whatever the numbers are
 * like, and what they cost beside the model margin.
 */

#include "sample.h"
#include "sprt.h"
#include "test.h"

enum { TESTS = 300, LIMIT = 22 };

/* A number whose mean is so much. */
typedef double (*draw)(uint64_t *random, double mean);

static double
draw_normal(uint64_t *random, double mean)
{
	return 2 * sample_normal(random) + mean;
}

/* 98% nothing, else mostly +1 and now and then -9. */
static double
draw_disaster(uint64_t *random, double mean)
{
	double share = sample_uniform(random);

	return share < 0.002 ? -9 : share < 0.02 + mean ? 1 : 0;
}

struct tally {
	double wrong, blocks; /* shares, and the mean */
};

static struct tally
tally_of(const struct sprt *sprt, draw next, double mean, bool better)
{
	struct tally tally = { 0, 0 };
	uint64_t random = 3;

	for (int i = 0; i < TESTS; i++) {
		struct betting bets =
		    betting_start(sprt->low, sprt->high, LIMIT);
		struct sprt_state state;

		do {
			double number = next(&random, mean);

			betting_add(&bets, number);
			state = sprt->model == SPRT_BETTING
			    ? sprt_betting(sprt, &bets)
			    : sprt_moments(sprt, &bets.seen, true);
		} while (state.decision == SPRT_CONTINUE);
		tally.wrong += better != (state.decision == SPRT_ACCEPT_H1);
		tally.blocks += (double)bets.seen.count;
	}
	tally.wrong /= TESTS;
	tally.blocks /= TESTS;
	return tally;
}

static struct sprt
sprt_of(enum sprt_model model, double high)
{
	return (struct sprt){
		.model = model,
		.unit = SPRT_UNIT_POINTS,
		.high = high,
		.alpha = 0.05,
		.beta = 0.05,
		.minimum = 30,
	};
}

TEST(test_errors_are_rare_and_blocks_few_of_normal_margins)
{
	struct sprt bets = sprt_of(SPRT_BETTING, 0.4);
	struct sprt margin = sprt_of(SPRT_MARGIN, 0.4);
	struct tally worse = tally_of(&bets, draw_normal, 0, false);
	struct tally better = tally_of(&bets, draw_normal, 0.4, true);
	struct tally plain = tally_of(&margin, draw_normal, 0.4, true);

	assert_true(worse.wrong < 0.075 && better.wrong < 0.075);
	assert_true(better.blocks < 2.5 * plain.blocks);
}

TEST(test_rare_disasters_do_not_deceive_bets)
{
	struct sprt bets = sprt_of(SPRT_BETTING, 0.05);
	struct sprt margin = sprt_of(SPRT_MARGIN, 0.05);
	struct tally worse = tally_of(&bets, draw_disaster, 0, false);
	struct tally better = tally_of(&bets, draw_disaster, 0.05, true);

	assert_true(worse.wrong < 0.05 && better.wrong < 0.05);
	margin.unit = SPRT_UNIT_ELO;
	margin.high = 20;
	/* What bets are there for. */
	assert_true(tally_of(&margin, draw_disaster, 0, false).wrong > 0.3);
}

TEST(test_nothing_is_lost_below_nothing)
{
	struct betting bets = betting_start(-1, 2, LIMIT);

	for (int i = 0; i < 2000; i++) {
		betting_add(&bets, i % 3 == 0 ? 1e9 : -LIMIT);
		assert_true(isfinite(betting_log_up(&bets)));
		assert_true(isfinite(betting_log_down(&bets)));
	}
}
