/*
 * Statistics of all kinds of results, above all one-sided and degenerate ones:
 * always finite, the same from both sides, and in the right direction; and how
 * often sequential tests are wrong (docs/statistics.md has 1,000 runs of each).
 */
#include <stdint.h>

#include "sample.h"
#include "sprt.h"
#include "test.h"

static const int64_t game_counts[] = { 0, 1, 2, 3, 40, 1000, 1000000,
	1000000000000, ESTIMATE_COUNT_MAX };
static const int64_t pair_counts[] = { 0, 1, 40, 5000000000 };
static const double bounds[][2] = { { 0, 5 }, { -3, 0.5 }, { 0, 1e-6 },
	{ -1500, -500 }, { 400, 401 }, { -1e9, 1e300 } };

enum {
	GAME_COUNTS = COUNTOF(game_counts),
	PAIR_COUNTS = COUNTOF(pair_counts),
	BOUNDS = COUNTOF(bounds),
	TRINOMIALS = GAME_COUNTS * GAME_COUNTS * GAME_COUNTS,
	PENTANOMIALS =
	    PAIR_COUNTS * PAIR_COUNTS * PAIR_COUNTS * PAIR_COUNTS * PAIR_COUNTS
};

static struct trinomial
trinomial_of(int number)
{
	return (struct trinomial){
		.wins = game_counts[number % GAME_COUNTS],
		.draws = game_counts[number / GAME_COUNTS % GAME_COUNTS],
		.losses = game_counts[number / GAME_COUNTS / GAME_COUNTS],
	};
}

static struct pentanomial
pentanomial_of(int number)
{
	struct pentanomial pairs;

	for (int i = 0; i < 5; i++) {
		pairs.counts[i] = pair_counts[number % PAIR_COUNTS];
		number /= PAIR_COUNTS;
	}
	return pairs;
}

/*
 * First the results of games, then those of pairs, seen from one side or the
 * other.
 */
enum { RESULTS = TRINOMIALS + PENTANOMIALS };

static struct score_counts
results_of(int number, bool swapped)
{
	struct trinomial games = trinomial_of(number % TRINOMIALS);
	struct pentanomial pairs =
	    pentanomial_of(number < TRINOMIALS ? 0 : number - TRINOMIALS);
	struct score_counts results = number < TRINOMIALS
	    ? trinomial_counts(&games)
	    : pentanomial_counts(&pairs);

	for (int i = 0; swapped && i < results.count / 2; i++) {
		double *other = &results.counts[results.count - 1 - i];
		double count = results.counts[i];

		results.counts[i] = *other;
		*other = count;
	}
	return results;
}

static void
check_estimate(const struct estimate *estimate, double least, double most)
{
	assert_true(isfinite(estimate->value));
	assert_true(isfinite(estimate->low) && isfinite(estimate->high));
	assert_true(estimate->low <= estimate->value);
	assert_true(estimate->value <= estimate->high);
	assert_true(estimate->low >= least && estimate->high <= most);
	/* Clamped ends are equal to the ends of the scale. */
	assert_true(!estimate->low_beyond || estimate->low == least);
	assert_true(!estimate->high_beyond || estimate->high == most);
}

static void
check_strength(const struct strength *strength)
{
	check_estimate(&strength->score, 0, 1);
	check_estimate(&strength->elo, -ESTIMATE_ELO_MAX, ESTIMATE_ELO_MAX);
	check_estimate(&strength->nelo, -ESTIMATE_ELO_MAX, ESTIMATE_ELO_MAX);
	assert_true(isfinite(strength->elo_error) && strength->elo_error >= 0);
	assert_true(
	    isfinite(strength->nelo_error) && strength->nelo_error >= 0);
	assert_true(strength->los >= 0 && strength->los <= 1);
}

/* The estimate from one side is the mirror image of that from the other. */
static void
check_mirror(const struct estimate *a, const struct estimate *b, double middle)
{
	double scale = fabs(a->value - middle) + fabs(a->high - a->low);

	assert_near(a->value + b->value, 2 * middle, 1e-9 * (1 + scale));
	assert_near(a->low + b->high, 2 * middle, 1e-9 * (1 + scale));
	assert_near(a->high + b->low, 2 * middle, 1e-9 * (1 + scale));
	assert_int_equal(a->low_beyond, b->high_beyond);
	assert_int_equal(a->high_beyond, b->low_beyond);
}

static void
check_both(const struct strength *one, const struct strength *other)
{
	check_strength(one);
	check_mirror(&one->score, &other->score, 0.5);
	check_mirror(&one->elo, &other->elo, 0);
	check_mirror(&one->nelo, &other->nelo, 0);
	assert_near(one->los + other->los, 1, 1e-12);
	/* A single result has no spread. */
	assert_true((one->los > 0.5) == (one->elo.value > 0 && one->count > 1));
}

TEST(test_strength_of_games_and_pairs_is_finite_and_symmetric)
{
	for (int i = 0; i < RESULTS; i++) {
		double level = i < TRINOMIALS ? 0.95 : 0.99;
		struct strength one =
		    counts_strength(results_of(i, false), level);
		struct strength other =
		    counts_strength(results_of(i, true), level);

		check_both(&one, &other);
	}
}

static struct sprt
sprt_of(int model, const double bound[2])
{
	return (struct sprt){
		.model = (enum sprt_model)model,
		.low = bound[0],
		.high = bound[1],
		.alpha = 0.05,
		.beta = 0.05,
	};
}

/* The same test from the other side. */
static struct sprt
sprt_swap(const struct sprt *sprt)
{
	struct sprt swapped = *sprt;

	swapped.low = -sprt->high;
	swapped.high = -sprt->low;
	return swapped;
}

static void
check_state(const struct sprt_state *test, const struct sprt_state *swapped,
    double count)
{
	assert_true(isfinite(test->llr) && isfinite(test->remaining));
	assert_true(test->remaining == -1 || test->remaining >= 0);
	/* Large counts are sums of large terms, with fewer exact digits. */
	assert_near(test->llr, -swapped->llr,
	    1e-12 * (1 + count) + 1e-9 * fabs(test->llr));
}

TEST(test_tests_of_games_and_pairs_are_finite_and_symmetric)
{
	for (int i = 0; i < RESULTS * BOUNDS; i++) {
		bool games = i / BOUNDS < TRINOMIALS;
		struct score_counts results = results_of(i / BOUNDS, false);
		struct score_counts swapped = results_of(i / BOUNDS, true);
		double count = 0;

		for (int k = 0; k < results.count; k++)
			count += results.counts[k];
		/* For games also the Bayesian test, in all its readings. */
		for (int k = 0; k < (games ? 5 : 2); k++) {
			int model = k < 2 ? SPRT_LOGISTIC + k : SPRT_BAYESIAN;
			struct sprt sprt = sprt_of(model, bounds[i % BOUNDS]);
			struct sprt other;
			struct sprt_state one, two;

			if (k >= 2)
				sprt.reading = (enum sprt_reading)(k - 2);
			other = sprt_swap(&sprt);
			one = sprt_counts(&sprt, results);
			two = sprt_counts(&other, swapped);
			check_state(&one, &two, count);
		}
	}
}

TEST(test_margins_of_any_size_are_finite_and_symmetric)
{
	static const int64_t counts[] = { 0, 1, 2, 30, 5000000,
		ESTIMATE_COUNT_MAX };
	static const double means[] = { 0, 1e-300, 1e-9, 0.3, 11, 1e6,
		MOMENTS_VALUE_MAX };
	static const double deviations[] = { 0, 1e-300, 1e-9, 1, 5, 1e6,
		MOMENTS_VALUE_MAX };

	for (int i = 0; i < 6 * 7 * 7 * BOUNDS; i++) {
		int64_t count = counts[i / BOUNDS % 6];
		double mean = means[i / BOUNDS / 6 % 7];
		double deviation = deviations[i / BOUNDS / 6 / 7];
		struct moments one = moments_of(count, mean, deviation);
		struct moments two = moments_of(count, -mean, deviation);
		struct estimate a = mean_estimate(&one, 0.95);
		struct estimate b = mean_estimate(&two, 0.95);
		struct estimate c = mean_strength(&one, true, 0.95).nelo;
		struct estimate d = mean_strength(&two, true, 0.95).nelo;

		check_estimate(&a, fmin(one.mean, -ESTIMATE_ELO_MAX),
		    fmax(one.mean, ESTIMATE_ELO_MAX));
		check_mirror(&a, &b, 0);
		check_estimate(&c, -ESTIMATE_ELO_MAX, ESTIMATE_ELO_MAX);
		check_mirror(&c, &d, 0);
		assert_near(mean_los(&one) + mean_los(&two), 1, 1e-12);
		for (int unit = SPRT_UNIT_ELO; unit <= SPRT_UNIT_POINTS;
		     unit++) {
			struct sprt sprt =
			    sprt_of(SPRT_MARGIN, bounds[i % BOUNDS]);
			struct sprt other;
			struct sprt_state first, second;

			sprt.unit = (enum sprt_unit)unit;
			other = sprt_swap(&sprt);
			first = sprt_moments(&sprt, &one, true);
			second = sprt_moments(&other, &two, true);
			check_state(&first, &second, 0);
		}
	}
}

/* A better result never makes the better hypothesis less likely. */
TEST(test_another_win_never_lowers_the_logistic_ratio)
{
	for (int i = 0; i < TRINOMIALS; i++) {
		struct trinomial games = trinomial_of(i);
		struct sprt sprt = sprt_of(SPRT_LOGISTIC, bounds[i % 4]);
		double before =
		    sprt_counts(&sprt, trinomial_counts(&games)).llr;
		double slack = 1e-12 * fabs(before) + 1e-9;

		/* With more games, one game is less than the rounding error. */
		if (games.wins + games.draws + games.losses > 1000000)
			continue;
		games.wins++;
		assert_true(sprt_counts(&sprt, trinomial_counts(&games)).llr >=
		    before - slack);
		games.wins--;
		games.losses++;
		assert_true(sprt_counts(&sprt, trinomial_counts(&games)).llr <=
		    before + slack);
	}
}

TEST(test_three_times_the_results_are_three_times_the_evidence)
{
	for (int i = 0; i < TRINOMIALS; i++) {
		struct trinomial games = trinomial_of(i);

		/* Results with a count of 0 get a small count instead. */
		if (games.wins == 0 || games.draws == 0 || games.losses == 0 ||
		    games.wins + games.draws + games.losses >= 1000000000000)
			continue;
		for (int model = SPRT_LOGISTIC; model <= SPRT_BAYESIAN;
		     model++) {
			struct sprt sprt = sprt_of(model, bounds[i % BOUNDS]);
			double once =
			    sprt_counts(&sprt, trinomial_counts(&games)).llr;
			struct trinomial thrice = { 3 * games.wins,
				3 * games.draws, 3 * games.losses };

			assert_near(
			    sprt_counts(&sprt, trinomial_counts(&thrice)).llr,
			    3 * once, 1e-8 * (1 + fabs(once)));
		}
	}
}

/*
 * The larger the distance of a hypothesis from the result, the less likely it
 * is.
 */
TEST(test_more_distant_hypothesis_is_less_likely)
{
	for (int i = 0; i < PENTANOMIALS; i += 7) {
		struct pentanomial pairs = pentanomial_of(i);
		struct strength strength =
		    counts_strength(pentanomial_counts(&pairs), 0.95);

		for (int model = SPRT_LOGISTIC; model <= SPRT_NORMALIZED;
		     model++) {
			double seen = model == SPRT_LOGISTIC
			    ? strength.elo.value
			    : strength.nelo.value;
			double last = 0;

			/*
			 * If the extreme results are missing, their small
			 * counts decide, and not the distance.
			 */
			if (fabs(seen) > 2000)
				continue;
			for (double far = 10; far < 4000; far *= 1.7) {
				const double bound[2] = { seen - far, seen };
				struct sprt sprt = sprt_of(model, bound);
				double llr = sprt_counts(
				    &sprt, pentanomial_counts(&pairs))
						 .llr;

				assert_true(llr >=
				    last - 1e-9 * (1 + fabs(last)) - 0.05);
				last = llr;
			}
		}
	}
}

/*
 * Margins of blocks, in points per deal, from five sources: a source has a
 * standard deviation, and a mean of 0 or that of H1.
 */
enum source {
	SOURCE_NORMAL,
	SOURCE_HALVES,
	SOURCE_BLUNDER,
	SOURCE_SUCCESSION,
	SOURCE_DISASTER,
	SOURCE_COUNT
};

/* H1 in normalized Elo, and in standard deviations of a pair. */
#define H1_NELO 20.0
#define H1_T (H1_NELO * 1.4142135623730951 / ESTIMATE_NELO_PER_T)

/* Correlation of each block with the one before. */
#define SUCCESSION_CORRELATION 0.24

enum { RUNS = 200, LIMIT = 22, BLUNDER_BLOCKS = 12000 };

/*
 * `tournament --bot cmd=@greedy --bot cmd=@greedy option.blunder=2 --deals 1
 * --rounds 12000 --seed 3`: the number of blocks with a margin of 0, 1/2, 1,
 * ... points for either side.
 */
static const int blunder_counts[] = { 11879, 46, 28, 17, 10, 7, 5, 5, 2, 1 };

enum { BLUNDER_COUNTS = COUNTOF(blunder_counts) };

/* The mean of |margin|^power over all blocks of the table. */
static double
blunder_moment(int power)
{
	double sum = 0;

	for (int i = 1; i < BLUNDER_COUNTS; i++)
		sum += blunder_counts[i] * pow(i / 2.0, power);
	return sum / BLUNDER_BLOCKS;
}

static double
source_deviation(enum source source)
{
	switch (source) {
	case SOURCE_NORMAL:
	case SOURCE_SUCCESSION:
		return 2;
	case SOURCE_HALVES:
		return 1.3;
	case SOURCE_BLUNDER:
		return sqrt(blunder_moment(2));
	case SOURCE_DISASTER:
		return sqrt(0.018 + 0.002 * 81);
	case SOURCE_COUNT:
		break;
	}
	return 0;
}

static double
draw_blunder(uint64_t *random, double mean)
{
	int block = (int)(BLUNDER_BLOCKS * sample_uniform(random)), i = 0;
	/*
	 * If all margins had one sign, the mean would be hardly more than H1.
	 */
	double share = 0.5 + mean / (2 * blunder_moment(1));

	while (block >= blunder_counts[i])
		block -= blunder_counts[i++];
	return sample_uniform(random) < share ? i / 2.0 : -i / 2.0;
}

/*
 * The next margin; *last is the deviation of the margin before from its mean.
 */
static double
source_draw(enum source source, double mean, double *last, uint64_t *random)
{
	double rho = SUCCESSION_CORRELATION, share;

	switch (source) {
	case SOURCE_NORMAL:
		return mean + 2 * sample_normal(random);
	case SOURCE_HALVES:
		/* Normal, rounded to half points, and 0 more often. */
		if (sample_uniform(random) < 0.15)
			return 0;
		return rint(2 * (mean / 0.85 + 1.4 * sample_normal(random))) /
		    2;
	case SOURCE_BLUNDER:
		return draw_blunder(random, mean);
	case SOURCE_SUCCESSION:
		*last = rho * *last +
		    2 * sqrt(1 - rho * rho) * sample_normal(random);
		return mean + *last;
	case SOURCE_DISASTER:
		share = sample_uniform(random);
		return share < 0.002 ? -9 : share < 0.02 + mean ? 1 : 0;
	case SOURCE_COUNT:
		break;
	}
	return 0;
}

/* Wrong decisions in percent, and the mean number of blocks. */
struct error_rate {
	double wrong, blocks;
};

static struct error_rate
error_rate_of(enum source source, enum sprt_model model, bool better)
{
	double high = H1_T * source_deviation(source);
	double mean = better ? high : 0;
	struct sprt sprt = {
		.model = model,
		.unit =
		    model == SPRT_BETTING ? SPRT_UNIT_POINTS : SPRT_UNIT_ELO,
		.high = model == SPRT_BETTING ? high : H1_NELO,
		.alpha = 0.05,
		.beta = 0.05,
		.minimum = 30,
	};
	struct error_rate rate = { 0, 0 };
	uint64_t random = 11;

	for (int run = 0; run < RUNS; run++) {
		struct betting bets = betting_start(0, high, LIMIT);
		struct moments seen = { 0 };
		struct sprt_state state;
		double last = 2 * sample_normal(&random);

		do {
			double margin =
			    source_draw(source, mean, &last, &random);

			moments_add(&seen, margin);
			if (model == SPRT_BETTING)
				betting_add(&bets, margin);
			state = model == SPRT_BETTING
			    ? sprt_betting(&sprt, &bets)
			    : sprt_moments(&sprt, &seen, true);
		} while (
		    state.decision == SPRT_CONTINUE && seen.count < 1000000);
		rate.wrong += better != (state.decision == SPRT_ACCEPT_H1);
		rate.blocks += (double)seen.count;
	}
	rate.wrong *= 100.0 / RUNS;
	rate.blocks /= RUNS;
	return rate;
}

/*
 * Percentages of 1,000 runs from docs/statistics.md; three standard errors of
 * the smaller number of runs here are allowed.
 */
TEST(test_error_rates_of_sequential_tests_are_those_reported)
{
	static const struct reported {
		const char *name;
		double wrong[2][2]; /* by model: margin, betting; at H0, H1 */
	} reported[SOURCE_COUNT] = {
		[SOURCE_NORMAL] = { "normal", { { 5.6, 5.2 }, { 4.4, 2.6 } } },
		[SOURCE_HALVES] = { "half points",
		    { { 5.2, 4.3 }, { 3.1, 1.9 } } },
		[SOURCE_BLUNDER] = { "blunder=2",
		    { { 1.3, 0.0 }, { 0.0, 0.0 } } },
		[SOURCE_SUCCESSION] = { "correlated",
		    { { 14.4, 12.6 }, { 11.6, 10.3 } } },
		[SOURCE_DISASTER] = { "disasters",
		    { { 48.4, 4.5 }, { 0.1, 0.3 } } },
	};

	for (int i = 0; i < 2 * 2 * SOURCE_COUNT; i++) {
		const struct reported *row = &reported[i / 4];
		int bets = i / 2 % 2, better = i % 2;
		double expected = row->wrong[bets][better];
		double share = (expected + 1) / 100;
		struct error_rate rate = error_rate_of((enum source)(i / 4),
		    bets ? SPRT_BETTING : SPRT_MARGIN, better);

		print_message("# %s, %s, H%d: %.1f%% wrong, %.0f blocks\n",
		    row->name, bets ? "betting" : "margin", better, rate.wrong,
		    rate.blocks);
		assert_near(rate.wrong, expected,
		    300 * sqrt(share * (1 - share) / RUNS));
	}
}
