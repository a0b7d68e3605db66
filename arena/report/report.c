#include "report.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report_parts.h"
#include "spread.h"

/* Of the bootstrap, so that a report can be made again. */
enum {
	BOOTSTRAP_SEED = 1,
	BOOTSTRAP_LEAST = 100, /* replicates, however many blocks there are */
	/* Blocks that each bot must have played: samples of fewer have too
	 * little variety. */
	BOOTSTRAP_BLOCKS_MIN = 10
};

/* Rows that the bootstrap draws in all: some seconds. */
#define BOOTSTRAP_ROWS_MAX INT64_C(200000000)

/* What is needed on the way to the ratings. */
struct workshop {
	struct rating_margins *margins;
	struct rating_games *games;
	struct residual *residuals;
	int pair_count;
	uint32_t *above, *places; /* NULL without a bootstrap */
	double *work;
};

static size_t
largest(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void
workshop_close(struct workshop *workshop)
{
	free(workshop->margins);
	free(workshop->games);
	free(workshop->residuals);
	free(workshop->above);
	free(workshop->places);
	free(workshop->work);
}

static int
workshop_open(struct workshop *workshop, int bot_count, int replicates)
{
	size_t count = (size_t)bot_count;
	size_t pairs = count * (count - 1) / 2;
	size_t work = largest(largest(rating_margin_work_size(bot_count),
				  rating_elo_work_size(bot_count)),
	    largest(ranking_work_size(bot_count), spread_work_size(bot_count)));

	*workshop = (struct workshop){
		.margins = calloc(pairs, sizeof(*workshop->margins)),
		.games = calloc(pairs, sizeof(*workshop->games)),
		.residuals = calloc(pairs, sizeof(*workshop->residuals)),
		.work = calloc(work, sizeof(*workshop->work)),
	};
	if (replicates > 0) {
		workshop->above =
		    calloc(count * count, sizeof(*workshop->above));
		workshop->places =
		    calloc(count * count, sizeof(*workshop->places));
	}
	if (workshop->margins != NULL && workshop->games != NULL &&
	    workshop->residuals != NULL && workshop->work != NULL &&
	    (replicates == 0 ||
		(workshop->above != NULL && workshop->places != NULL)))
		return 0;
	workshop_close(workshop);
	return -ENOMEM;
}

/*
 * How often a game tells each two bots what it tells once: of k parties with m
 * bots each, m * m pairs of bots for each two parties, but only k - 1 results
 * that do not follow from the others.
 */
static double
repetition(const struct report_view *view)
{
	const struct scopa_rules *rules = &view->standings->rules;
	int parties = scopa_party_count(rules);
	int members = view->mixed ? rules->players / parties : 1;

	return parties * members * members / 2.0;
}

/* The variance of a game's score; 0: as that of a game on its own. */
static double
score_variance(
    const struct report_view *view, const struct encounter *encounter)
{
	const int64_t results[] = { encounter->results.losses,
		encounter->results.draws, encounter->results.wins };
	double repeated = repetition(view);
	bool paired = encounter->paired && repeated <= 1;
	int steps = paired ? 5 : 3;
	struct moments scores = { 0 };

	if (!paired && repeated <= 1)
		return 0;
	for (int i = 0; i < steps; i++) {
		struct moments alike = {
			.count =
			    paired ? encounter->pairs.counts[i] : results[i],
			.mean = (double)i / (steps - 1),
		};

		scores = moments_join(scores, alike);
	}
	return moments_variance(&scores) * (paired ? 2 : repeated);
}

static void
pairs_collect(const struct report_view *view, struct workshop *workshop)
{
	const struct standings *standings = view->standings;

	for (int a = 0; a < standings->bot_count; a++) {
		for (int b = a + 1; b < standings->bot_count; b++) {
			const struct encounter *encounter =
			    standings_encounter(standings, a, b);
			int i = workshop->pair_count;

			if (encounter->blocks == 0)
				continue;
			workshop->margins[i] = (struct rating_margins){
				.first = a,
				.second = b,
				.margins = encounter->margins,
			};
			workshop->games[i] = (struct rating_games){
				.first = a,
				.second = b,
				.wins = encounter->results.wins,
				.draws = encounter->results.draws,
				.losses = encounter->results.losses,
				.variance = score_variance(view, encounter),
			};
			workshop->pair_count++;
		}
	}
}

/* That a rating with this lead and this error of it is the higher one. */
static double
probability_above(double lead, double error)
{
	if (error > 0)
		return normal_distribution(lead / error);
	return lead > 0 ? 1.0 : lead < 0 ? 0.0 : 0.5;
}

static bool
joined(const struct report_view *view, int a, int b)
{
	return view->ratings.margin[a].group == view->ratings.margin[b].group;
}

static void
errors_take(struct report_view *view, const struct workshop *workshop)
{
	struct report_ratings *ratings = &view->ratings;
	const struct standings *standings = view->standings;
	int count = standings->bot_count;
	const struct spread spread = {
		.blocks = standings->pairs,
		.block_count = standings->pair_count,
		.bot_count = count,
		.ratings = ratings->margin,
		.errors = ratings->errors,
	};

	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++)
			ratings->errors[a * count + b] = a == b ? 0
			    : joined(view, a, b) ? rating_difference_error(a, b,
						       count, workshop->work)
						 : HUGE_VAL;
	if (spread_needed(&spread))
		spread_widen(&spread, workshop->work);
}

/*
 * Pairs that stand out.  Where several bots or parties meet in a block their
 * margins follow from each other, and nothing is said.
 */
static void
residuals_take(struct report_view *view, struct workshop *workshop)
{
	int count = view->standings->bot_count;

	if (repetition(view) > 1)
		return;
	residual_find(workshop->margins, workshop->pair_count, count,
	    view->ratings.margin, workshop->work, workshop->residuals);
	for (int i = 0; i < workshop->pair_count; i++) {
		const struct rating_margins *pair = &workshop->margins[i];
		struct residual residual = workshop->residuals[i];

		view->ratings.residuals[pair->first * count + pair->second] =
		    residual;
		residual.expected = -residual.expected;
		residual.z = -residual.z;
		view->ratings.residuals[pair->second * count + pair->first] =
		    residual;
	}
}

/* Who is stronger, by the errors alone. */
static void
above_take(struct report_view *view)
{
	struct report_ratings *ratings = &view->ratings;
	int count = view->standings->bot_count;

	for (int a = 0; a < count; a++) {
		for (int b = 0; b < count; b++) {
			double error = ratings->errors[a * count + b];
			double lead =
			    ratings->margin[a].value - ratings->margin[b].value;

			ratings->above[a * count + b] = isfinite(error)
			    ? probability_above(lead, error)
			    : 0.5;
		}
	}
}

static void
bootstrap_take(
    struct report_view *view, const struct workshop *workshop, int replicates)
{
	struct report_ratings *ratings = &view->ratings;
	int count = view->standings->bot_count;

	for (int a = 0; a < count; a++) {
		for (int b = 0; b < count; b++) {
			int cell = a * count + b;

			if (a != b && joined(view, a, b))
				ratings->above[cell] =
				    workshop->above[cell] / (2.0 * replicates);
			ratings->places[cell] =
			    workshop->places[cell] / (double)replicates;
		}
	}
	ratings->replicates = replicates;
}

/* How many replicates are drawn of those that were asked for. */
static int
replicates_of(const struct standings *standings, int replicates)
{
	int64_t most = BOOTSTRAP_ROWS_MAX / standings->pair_count;

	if (most < BOOTSTRAP_LEAST)
		most = BOOTSTRAP_LEAST;
	return replicates < most ? replicates : (int)most;
}

/* Whether resampling the blocks says anything. */
static bool
bootstrap_tells(const struct standings *standings)
{
	for (int bot = 0; bot < standings->bot_count; bot++)
		if (standings->bots[bot].blocks > 0 &&
		    standings->bots[bot].blocks < BOOTSTRAP_BLOCKS_MIN)
			return false;
	/* Of two bots their margins say more. */
	return standings->bot_count > 2 && standings->pair_count > 0;
}

/* 0 or -ENOMEM. */
static int
bootstrap(
    struct report_view *view, const struct workshop *workshop, int replicates)
{
	const struct standings *standings = view->standings;
	size_t count = (size_t)standings->bot_count;
	struct ranking_sample sample = {
		.blocks = standings->pairs,
		.block_count = standings->pair_count,
		.bot_count = standings->bot_count,
		.seed = BOOTSTRAP_SEED,
	};

	if (replicates == 0 || !bootstrap_tells(standings))
		return 0;
	view->ratings.places =
	    calloc(count * count, sizeof(*view->ratings.places));
	if (view->ratings.places == NULL)
		return -ENOMEM;
	sample.replicate_count = replicates_of(standings, replicates);
	ranking_places(
	    &sample, workshop->above, workshop->places, workshop->work);
	bootstrap_take(view, workshop, sample.replicate_count);
	return 0;
}

/* Whoever has played stands before who has not; then places, then ratings. */
static int
order_compare(const void *one, const void *two, void *context)
{
	const struct report_view *view = context;
	const struct standing *bots = view->standings->bots;
	const struct rating *ratings = view->ratings.margin;
	int a = *(const int *)one, b = *(const int *)two;

	if (report_has_places(view) && view->places[a] != view->places[b]) {
		if (view->places[a] < 0 || view->places[b] < 0)
			return view->places[a] < 0 ? 1 : -1;
		return view->places[a] < view->places[b] ? -1 : 1;
	}
	if ((bots[a].blocks == 0) != (bots[b].blocks == 0))
		return bots[a].blocks == 0 ? 1 : -1;
	if (ratings[a].value > ratings[b].value)
		return -1;
	if (ratings[a].value < ratings[b].value)
		return 1;
	return a - b;
}

static int
ratings_open(struct report_ratings *ratings, int bot_count)
{
	size_t count = (size_t)bot_count;

	*ratings = (struct report_ratings){
		.margin = calloc(count, sizeof(*ratings->margin)),
		.elo = calloc(count, sizeof(*ratings->elo)),
		.points = calloc(count, sizeof(*ratings->points)),
		.order = calloc(count, sizeof(*ratings->order)),
		.above = calloc(count * count, sizeof(*ratings->above)),
		.errors = calloc(count * count, sizeof(*ratings->errors)),
		.residuals = calloc(count * count, sizeof(*ratings->residuals)),
	};
	return ratings->margin != NULL && ratings->elo != NULL &&
		ratings->points != NULL && ratings->order != NULL &&
		ratings->above != NULL && ratings->errors != NULL &&
		ratings->residuals != NULL
	    ? 0
	    : -ENOMEM;
}

int
report_compute(struct report_view *view, int replicates)
{
	const struct standings *standings = view->standings;
	int count = standings->bot_count;
	struct workshop workshop;

	assert(replicates >= 0);
	report_close(view);
	if (workshop_open(&workshop, count, replicates) < 0)
		return -ENOMEM;
	if (ratings_open(&view->ratings, count) < 0)
		goto close_workshop;
	pairs_collect(view, &workshop);
	rating_elo(workshop.games, workshop.pair_count, count,
	    view->ratings.elo, workshop.work);
	residuals_take(view, &workshop);
	rating_margin(workshop.margins, workshop.pair_count, count,
	    view->ratings.margin, workshop.work);
	errors_take(view, &workshop);
	above_take(view);
	if (bootstrap(view, &workshop, replicates) < 0)
		goto close_workshop;
	for (int bot = 0; bot < count; bot++) {
		view->ratings.points[bot] = mean_estimate(
		    &standings->bots[bot].margins, report_level(view));
		view->ratings.order[bot] = bot;
	}
	qsort_r(view->ratings.order, (size_t)count,
	    sizeof(*view->ratings.order), order_compare, view);
	workshop_close(&workshop);
	return 0;
close_workshop:
	workshop_close(&workshop);
	report_close(view);
	return -ENOMEM;
}

void
report_close(struct report_view *view)
{
	struct report_ratings *ratings = &view->ratings;

	free(ratings->margin);
	free(ratings->elo);
	free(ratings->points);
	free(ratings->order);
	free(ratings->above);
	free(ratings->errors);
	free(ratings->residuals);
	free(ratings->places);
	*ratings = (struct report_ratings){ 0 };
}
