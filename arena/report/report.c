/*
 * Implements report.h: computes ratings, their errors and the order of the bots
 * from the standings.  All forms of a report print these numbers.
 */
#include "report.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "fault_text.h"
#include "run.h"

/* Constants of the bootstrap.  The seed is fixed: reports can be repeated. */
enum {
	BOOTSTRAP_SEED = 1,
	BOOTSTRAP_LEAST = 100, /* replicates of a very long run */
	/* Rounds that each bot must have played.  Samples of fewer rounds are
	 * too much alike. */
	BOOTSTRAP_ROUNDS_MIN = 10
};

/* The most rows that the bootstrap draws: they take some seconds. */
#define BOOTSTRAP_ROWS_MAX INT64_C(200000000)

/*
 * Allocates memory for `pair_max` pairs, which fit_pairs() fills.  The caller
 * allocates the ratings.  The rows are copied; NULL: there are none.  Returns 0
 * or -ENOMEM; the caller closes the fit in both cases.
 */
static int
fit_open(struct rating_fit *fit, int bot_count, size_t pair_max,
    const struct cluster_row *rows, int64_t row_count)
{
	size_t row_max = (size_t)row_count + 1;
	size_t square = (size_t)bot_count * (size_t)bot_count;
	double *doubles =
	    calloc(square + rating_memory_size(bot_count), sizeof(*doubles));
	struct clusters *clusters = &fit->clusters;

	*fit = (struct rating_fit){
		.bot_count = bot_count,
		.pairs = calloc(pair_max + 1, sizeof(*fit->pairs)),
		.errors = doubles,
	};
	if (fit->pairs == NULL || doubles == NULL)
		return -ENOMEM;
	fit->memory = rating_memory_of(doubles + square, bot_count);
	if (rows == NULL)
		return 0;
	clusters->rows = calloc(row_max, sizeof(*rows));
	clusters->starts = calloc(row_max, sizeof(*clusters->starts));
	if (clusters->rows == NULL || clusters->starts == NULL)
		return -ENOMEM;
	memcpy(clusters->rows, rows, (row_max - 1) * sizeof(*rows));
	*clusters = clusters_make(clusters->rows, row_count, clusters->starts);
	return 0;
}

/*
 * Returns the variance of the score of a game: the variance of the mean of a
 * block, times the games of a block.  With few blocks it moves towards the
 * variance of independent games, as for margins.
 */
static double
score_variance(const struct encounter *met)
{
	const struct moments *scores = &met->scores;
	double games, prior;

	if (scores->count == 0 || !(scores->squares > 0.0))
		return 0.0;
	games = (double)met->games / (double)met->blocks;
	prior = scores->mean * (1.0 - scores->mean) / games;
	return games * (RATING_PRIOR_BLOCKS * prior + scores->squares) /
	    (RATING_PRIOR_BLOCKS + (double)(scores->count - 1));
}

/*
 * Returns rating_pair.block_bots for a block of `company` bots: the number of
 * bots without teams whose pairs depend on each other as much.  k teams of m
 * bots have m * m pairs of bots for each two teams, but only k - 1 results do
 * not follow from the others.  k * m * m bots without teams have the same
 * share.
 */
static int
block_bots_of(const struct scopa_rules *rules, int company)
{
	int teams, members;

	if (company <= 2)
		return company;
	teams = scopa_team_count(rules);
	members = company > teams ? rules->players / teams : 1;
	return teams * members * members;
}

/* Adds each pair of bots that have met. */
static void
fit_pairs(struct rating_fit *fit, const struct standings *standings)
{
	for (int a = 0; a < fit->bot_count; a++) {
		for (int b = a + 1; b < fit->bot_count; b++) {
			const struct encounter *met =
			    standings_encounter(standings, a, b);

			if (met->blocks == 0 && met->games == 0)
				continue;
			fit->pairs[fit->pair_count++] = (struct rating_pair){
				.first = a,
				.second = b,
				.margins = met->margins,
				.results = met->results,
				.variance = score_variance(met),
				.block_bots = block_bots_of(
				    &standings->rules, met->company),
			};
		}
	}
}

/* Finds the residuals of all pairs.  Returns 0 or -ENOMEM. */
static int
fill_residuals(struct report_ratings *ratings)
{
	const struct rating_fit *fit = &ratings->fit;
	int count = fit->bot_count;
	struct residual *residuals =
	    calloc((size_t)fit->pair_count + 1, sizeof(*residuals));

	if (residuals == NULL)
		return -ENOMEM;
	residual_find(fit, residuals);
	for (int i = 0; i < fit->pair_count; i++) {
		int a = fit->pairs[i].first, b = fit->pairs[i].second;
		struct residual *turned = &ratings->residuals[b * count + a];

		ratings->residuals[a * count + b] = *turned = residuals[i];
		turned->expected *= -1;
		turned->z *= -1;
	}
	free(residuals);
	return 0;
}

/*
 * The probability that a is stronger than b, by their skills.  NAN if no chain
 * of results joins them.
 */
static double
skill_above(const struct report_view *view, int a, int b)
{
	const struct skill *one = &view->standings->bots[a].skill;
	const struct skill *other = &view->standings->bots[b].skill;
	const struct rating *ratings = view->ratings.fit.ratings;

	if (ratings[a].group != ratings[b].group)
		return (double)NAN;
	return normal_distribution(
	    (one->mu - other->mu) / hypot(one->sigma, other->sigma));
}

double
report_above(const struct report_view *view, int a, int b)
{
	const struct rating_fit *fit = &view->ratings.fit;
	double error = fit->errors[a * fit->bot_count + b];

	if (view->order == REPORT_BY_SKILL)
		return skill_above(view, a, b);
	if (a != b && cluster_freedom(fit, a, b) < 1)
		return (double)NAN;
	if (!(error > 0) && fit->ratings[a].value != fit->ratings[b].value)
		return (double)NAN;
	return cluster_above(fit, a, b);
}

/* Returns how many of the wanted replicates are drawn: at least 1. */
static int
replicates_of(const struct standings *standings, int replicates)
{
	int64_t most = BOOTSTRAP_ROWS_MAX / standings->row_count;

	if (most < BOOTSTRAP_LEAST)
		most = BOOTSTRAP_LEAST;
	return replicates < most ? replicates : (int)most;
}

/* Returns whether a bot has played, but too few rounds to resample them. */
static bool
has_few_rounds(const struct report_view *view, int bot)
{
	return view->standings->bots[bot].blocks > 0 &&
	    view->ratings.margin[bot].freedom < BOOTSTRAP_ROUNDS_MIN - 1;
}

static bool
is_suspended(const struct report_view *view, int bot)
{
	return view->suspended != NULL && view->suspended[bot];
}

/* Returns whether there is enough data to resample the rounds. */
static bool
bootstrap_is_useful(const struct report_view *view)
{
	const struct standings *standings = view->standings;

	if (view->pooled)
		return view->ratings.fit.clusters.count > 1;
	for (int bot = 0; bot < standings->bot_count; bot++)
		if (has_few_rounds(view, bot) && !is_suspended(view, bot))
			return false;
	/* For two bots the margin says more. */
	return standings->bot_count > 2 && standings->row_count > 0;
}

/* Two bots that have met, as the fit has them. */
static const struct encounter *
met_of(const struct report_view *view, int pair)
{
	const struct rating_pair *bots = &view->ratings.fit.pairs[pair];

	return standings_encounter(view->standings, bots->first, bots->second);
}

/* Finds how often each bot has each place.  Returns 0 or -ENOMEM. */
static int
bootstrap(struct report_view *view, int replicates)
{
	struct ranking_sample sample = {
		.by_scores = view->order == REPORT_BY_ELO,
		.seed = view->pooled ? view->bootstrap_seed : BOOTSTRAP_SEED,
	};
	size_t bots = (size_t)report_bot_count(view);

	if (replicates == 0 || view->order == REPORT_BY_SKILL ||
	    !bootstrap_is_useful(view))
		return 0;
	/* Scores of blocks are drawn in the same way as margins. */
	for (int i = 0; sample.by_scores && i < view->ratings.fit.pair_count;
	     i++)
		view->ratings.fit.pairs[i].margins = met_of(view, i)->scores;
	sample.replicate_count = view->pooled
	    ? replicates
	    : replicates_of(view->standings, replicates);
	view->ratings.replicates = sample.replicate_count;
	view->ratings.places =
	    calloc(bots * bots, sizeof(*view->ratings.places));
	if (view->ratings.places == NULL)
		return -ENOMEM;
	ranking_places(&view->ratings.fit, &sample, view->ratings.places);
	/* Many samples have no round of a bot that was soon suspended. */
	for (size_t bot = 0; !view->pooled && bot < bots; bot++)
		for (size_t place = 0;
		     has_few_rounds(view, (int)bot) && place < bots; place++)
			view->ratings.places[bot * bots + place] = (double)NAN;
	return 0;
}

/* The value by which bots are ordered. */
static double
strength_of(const struct report_view *view, int bot)
{
	if (view->order == REPORT_BY_SKILL)
		return view->standings->bots[bot].skill.mu;
	return view->order == REPORT_BY_ELO ? view->ratings.elo[bot].value
					    : view->ratings.margin[bot].value;
}

/*
 * Compares two bots: by their places if there are places, then bots that have
 * played come first, then those of the first group, then the higher rating.
 */
static int
order_compare(const void *one, const void *two, void *context)
{
	const struct report_view *view = context;
	const struct standing *bots = view->standings->bots;
	const struct rating *ratings = view->ratings.fit.ratings;
	double lead;
	int a = *(const int *)one, b = *(const int *)two;

	/* A bot without a place (-1) may still win. */
	if (report_has_places(view) && view->places[a] != view->places[b])
		return view->places[a] < view->places[b] ? -1 : 1;
	if ((bots[a].blocks == 0) != (bots[b].blocks == 0))
		return bots[a].blocks == 0 ? 1 : -1;
	if (ratings[a].group != ratings[b].group)
		return ratings[a].group - ratings[b].group;
	lead = strength_of(view, a) - strength_of(view, b);
	if (lead > 0 || lead < 0)
		return lead > 0 ? -1 : 1;
	return a - b;
}

/* Moves an estimate with its interval. */
static void
estimate_shift(struct estimate *estimate, double value)
{
	double shift = value - estimate->value;

	estimate->value += shift;
	estimate->low += shift;
	estimate->high += shift;
}

/*
 * Sets the points per deal: the mean of whole blocks, with an interval as wide
 * as that of the mean of encounters.  The two means differ a little if partners
 * change.
 */
static void
shift_points(struct report_view *view)
{
	const struct standings *standings = view->standings;
	struct estimate *points = view->ratings.points;

	cluster_means(&view->ratings.fit, report_level(view), points);
	for (int bot = 0; bot < standings->bot_count; bot++)
		estimate_shift(&points[bot], standings->bots[bot].margins.mean);
}

/*
 * Computes the mean margins of a side.  Games of a round share their packs, so
 * the interval is computed by rounds.  Packs that had been met are no evidence,
 * but are in the mean.  0 or -ENOMEM.
 */
static int
compute_side(struct report_view *view, enum standing_side which)
{
	const struct standings *standings = view->standings;
	const struct standings_side *side = &standings->sides[which];
	size_t row_max = (size_t)side->row_count + 1;
	struct cluster_row *rows = calloc(row_max, sizeof(*rows));
	int64_t *starts = calloc(row_max, sizeof(*starts));
	struct estimate *estimates =
	    calloc((size_t)standings->bot_count, sizeof(*estimates));
	struct rating_fit fit = { .bot_count = standings->bot_count };
	int status = -ENOMEM;

	view->ratings.sides[which] = estimates;
	if (rows != NULL && starts != NULL && estimates != NULL) {
		if (side->row_count > 0)
			memcpy(rows, side->rows, (row_max - 1) * sizeof(*rows));
		fit.clusters = clusters_make(rows, side->row_count, starts);
		cluster_means(&fit, report_level(view), estimates);
		status = 0;
	}
	free(rows);
	free(starts);
	for (int bot = 0; status == 0 && bot < standings->bot_count; bot++)
		estimate_shift(&estimates[bot],
		    standings->bots[bot].sides[which].margins.mean);
	return status;
}

static int
compute_sides(struct report_view *view)
{
	/* In games of several deals each seat is dealer in turn. */
	if (view->deals != 1 || !view->standings->by_side)
		return 0;
	for (int side = 0; side < STANDING_SIDE_COUNT; side++)
		if (compute_side(view, (enum standing_side)side) < 0)
			return -ENOMEM;
	return 0;
}

/* Computes the margins of pairs by rounds.  0 or -ENOMEM. */
static int
compute_rounds(struct report_view *view)
{
	struct report_ratings *ratings = &view->ratings;
	size_t count = (size_t)view->standings->bot_count;
	bool needed = false;

	for (size_t i = 0; i < count * count; i++)
		needed |= view->standings->encounters[i].company > 2;
	if (!needed || ratings->fit.clusters.rows == NULL)
		return 0;
	ratings->rounds = calloc(count * count, sizeof(*ratings->rounds));
	if (ratings->rounds == NULL)
		return -ENOMEM;
	cluster_margins(&ratings->fit, ratings->rounds);
	return 0;
}

/* Returns 0 or -ENOMEM.  After -ENOMEM the caller closes it as well. */
static int
ratings_open(struct report_view *view)
{
	static const struct cluster_row none;
	struct report_ratings *ratings = &view->ratings;
	const struct standings *standings = view->standings;
	size_t count = (size_t)standings->bot_count;

	*ratings = (struct report_ratings){
		.margin = calloc(count, sizeof(*ratings->margin)),
		.clean = calloc(count, sizeof(*ratings->clean)),
		.elo = calloc(count, sizeof(*ratings->elo)),
		.points = calloc(count, sizeof(*ratings->points)),
		.order = calloc(count, sizeof(*ratings->order)),
		.ranges = calloc(count, sizeof(*ratings->ranges)),
		.residuals = calloc(count * count, sizeof(*ratings->residuals)),
	};
	if (ratings->margin == NULL || ratings->clean == NULL ||
	    ratings->elo == NULL || ratings->points == NULL ||
	    ratings->order == NULL || ratings->ranges == NULL ||
	    ratings->residuals == NULL)
		return -ENOMEM;
	return fit_open(&ratings->fit, standings->bot_count,
	    count * (count - 1) / 2,
	    standings->row_count == 0 && !view->pooled ? &none
						       : standings->rows,
	    standings->row_count);
}

static void
fit_margins(struct report_view *view, bool clean)
{
	struct rating_fit *fit = &view->ratings.fit;
	bool spread = false;

	for (int i = 0; i < fit->pair_count; i++) {
		fit->pairs[i].margins =
		    clean ? met_of(view, i)->clean : met_of(view, i)->margins;
		spread |= fit->pairs[i].margins.squares > 0;
	}
	fit->ratings = clean ? view->ratings.clean : view->ratings.margin;
	cluster_margin(fit);
	/*
	 * Of sums the degrees of freedom are the number of blocks less one.
	 * Without any spread the errors are not known.
	 */
	for (int bot = 0; fit->clusters.rows == NULL && bot < fit->bot_count;
	     bot++)
		fit->ratings[bot].freedom = spread
		    ? fmax((double)view->standings->bots[bot].blocks - 1, 0)
		    : 0;
}

/*
 * The errors of clusters count what was forfeited, so the ratings without it
 * have no interval of their own.
 */
static void
fit_clean(struct report_view *view)
{
	fit_margins(view, true);
	for (int bot = 0; bot < report_bot_count(view); bot++)
		if (view->standings->forfeits > 0)
			view->ratings.clean[bot].freedom = 0;
}

int
report_compute(struct report_view *view, int replicates)
{
	struct report_ratings *ratings = &view->ratings;
	struct rating_fit *fit = &ratings->fit;
	bool by_elo = view->order == REPORT_BY_ELO;

	assert(replicates >= 0);
	report_close(view);
	if (ratings_open(view) < 0)
		goto close_ratings;
	fit_pairs(fit, view->standings);
	fit->ratings = ratings->margin;
	/* They are only for ODD. */
	if (!view->pooled && fill_residuals(ratings) < 0)
		goto close_ratings;
	/* The fit keeps the errors of its last model: that of the order. */
	if (view->pooled)
		fit_clean(view);
	if (by_elo)
		fit_margins(view, false);
	fit->ratings = ratings->elo;
	cluster_elo(fit);
	if (!by_elo)
		fit_margins(view, false);
	if (view->order != REPORT_BY_SKILL)
		ratings->comparisons =
		    ranking_ranges(fit, report_level(view), ratings->ranges);
	if (bootstrap(view, replicates) < 0)
		goto close_ratings;
	shift_points(view);
	if (compute_sides(view) < 0 || compute_rounds(view) < 0)
		goto close_ratings;
	for (int bot = 0; bot < fit->bot_count; bot++)
		ratings->order[bot] = bot;
	qsort_r(ratings->order, (size_t)fit->bot_count, sizeof(*ratings->order),
	    order_compare, view);
	return 0;
close_ratings:
	report_close(view);
	return -ENOMEM;
}

void
report_close(struct report_view *view)
{
	struct report_ratings *ratings = &view->ratings;

	free(ratings->fit.pairs);
	free(ratings->fit.clusters.rows);
	free(ratings->fit.clusters.starts);
	free(ratings->fit.errors);
	free(ratings->margin);
	free(ratings->clean);
	free(ratings->elo);
	free(ratings->points);
	for (int side = 0; side < STANDING_SIDE_COUNT; side++)
		free(ratings->sides[side]);
	free(ratings->rounds);
	free(ratings->order);
	free(ratings->ranges);
	free(ratings->residuals);
	free(ratings->places);
	*ratings = (struct report_ratings){ 0 };
}

double
report_level(const struct report_view *view)
{
	return view->level > 0 ? view->level : REPORT_LEVEL;
}

int
report_bot_count(const struct report_view *view)
{
	return view->standings->bot_count;
}

const char *
report_name(const struct report_view *view, int bot)
{
	assert(bot >= 0 && bot < view->head->bot_count);
	return view->head->bots[bot].name;
}

struct moments
report_margins(const struct report_view *view, int first, int second)
{
	const struct encounter *encounter =
	    standings_encounter(view->standings, first, second);
	int low = first < second ? first : second;
	int high = first < second ? second : first;
	struct moments margins = encounter->margins;

	if (view->ratings.rounds != NULL && encounter->company > 2) {
		margins =
		    view->ratings.rounds[low * report_bot_count(view) + high];
		margins.mean = encounter->margins.mean;
	}
	return margins;
}

struct report_pair
report_pair_of(const struct report_view *view, int first, int second)
{
	const struct encounter *encounter =
	    standings_encounter(view->standings, first, second);
	double level = report_level(view);
	struct moments margins = report_margins(view, first, second);
	bool forfeits = encounter->clean.count < encounter->margins.count;
	/* The rounds do not say which of their blocks have a forfeit. */
	struct moments clean = forfeits ? encounter->clean : margins;
	struct report_pair pair = {
		.encounter = encounter,
		.margin = mean_estimate(&margins, level),
		.clean = mean_estimate(&clean, level),
		.los = mean_los(&margins),
		.clean_los = mean_los(&clean),
		.games = counts_strength(
		    trinomial_counts(&encounter->results), level),
		.base_forfeits =
		    standings_encounter(view->standings, second, first)
			->forfeits,
	};

	if (view->ratings.residuals != NULL)
		pair.residual =
		    view->ratings
			.residuals[first * report_bot_count(view) + second];
	if (encounter->paired)
		pair.pairs = counts_strength(
		    pentanomial_counts(&encounter->pairs), level);
	return pair;
}

struct estimate
report_score(const struct report_view *view, const struct encounter *encounter)
{
	double level = report_level(view);
	struct estimate score = encounter->scores.count > 0
	    ? mean_estimate(&encounter->scores, level)
	    : counts_strength(trinomial_counts(&encounter->results), level)
		  .score;

	score.low = fmax(score.low, 0);
	score.high = fmin(score.high, 1);
	score.low_beyond = score.high_beyond = false;
	return score;
}

struct estimate
report_rating(
    const struct report_view *view, const struct rating *ratings, int bot)
{
	const struct rating *rating = &ratings[bot];
	struct estimate estimate = error_estimate(
	    rating->value, rating->error, rating->freedom, report_level(view));

	if (rating->beyond < 0) {
		estimate.low = -ESTIMATE_ELO_MAX;
		estimate.low_beyond = true;
	} else if (rating->beyond > 0) {
		estimate.high = ESTIMATE_ELO_MAX;
		estimate.high_beyond = true;
	}
	return estimate;
}

struct estimate
report_elo(const struct report_view *view, int bot)
{
	struct report_pair pair;

	if (report_bot_count(view) != 2)
		return report_rating(view, view->ratings.elo, bot);
	pair = report_pair_of(view, bot, 1 - bot);
	return pair.encounter->paired ? pair.pairs.elo : pair.games.elo;
}

struct estimate
report_gap(const struct report_view *view, int first, int second)
{
	const struct rating_fit *fit = &view->ratings.fit;

	return error_estimate(
	    fit->ratings[first].value - fit->ratings[second].value,
	    fit->errors[first * fit->bot_count + second],
	    cluster_freedom(fit, first, second), report_level(view));
}

struct report_source
report_source_of(const struct report_view *view, int bot, enum scopa_item item)
{
	const struct standing *standing = &view->standings->bots[bot];
	int others = scopa_team_count(&view->standings->rules) - 1;
	double deals = standing->deals > 0 ? (double)standing->deals : 1.0;

	return (struct report_source){
		.own = (double)standing->item_points[item] / deals,
		.others = (double)standing->item_points_against[item] /
		    (deals * others),
	};
}

bool
report_item_counts(const struct report_view *view, int item)
{
	return item != SCOPA_ITEM_ALL_COINS &&
	    scopa_item_counts(&view->standings->rules, (enum scopa_item)item);
}

int
report_place_in_group(const struct report_view *view, int position)
{
	const int *order = view->ratings.order;
	const struct rating *ratings = view->ratings.fit.ratings;
	int place = 0;

	for (int i = 0; i < position; i++)
		place +=
		    ratings[order[i]].group == ratings[order[position]].group;
	return place;
}

double
report_above_next(const struct report_view *view, int position)
{
	const int *order = view->ratings.order;

	if (position + 1 >= report_bot_count(view))
		return -1;
	return report_above(view, order[position], order[position + 1]);
}

bool
report_faults(const struct report_view *view, int bot, struct scopa_text *text)
{
	const struct standing *standing = &view->standings->bots[bot];
	const struct standing_forfeit *first = &standing->first_forfeit;

	if (standing->forfeits == 0)
		return false;
	scopa_text_print(text,
	    "%s lost %jd of %jd game%s by an offence; the first, m%jd: ",
	    report_name(view, bot), standing->forfeits, standing->games,
	    text_plural(standing->games), first->game);
	scopa_text_string(text,
	    fault_text_reason(
		first->known ? offence_name(first->kind) : "not named",
		first->reason, view->time_control));
	return true;
}

bool
report_caution(const struct report_view *view, struct scopa_text *text)
{
	const struct encounter *pair =
	    standings_encounter(view->standings, 0, 1);

	if (!view->verdict->few_differing ||
	    view->verdict->outcome == GATE_OPEN)
		return false;
	scopa_text_print(text,
	    "the bots differed in %jd of %jd blocks: with fewer than %d, "
	    "errors may be more frequent than alpha and beta "
	    "(model=betting holds always)",
	    pair->differing, pair->margins.count, SPRT_DIFFERING_MIN);
	return true;
}

double
report_think_ms(const struct standing *standing)
{
	if (standing->decisions == 0)
		return (double)NAN;
	return (double)standing->think_us / (double)standing->decisions / 1e3;
}

int64_t
report_blocks_due(const struct report_view *view)
{
	bool ended = view->state != NULL && strcmp(view->state, RUN_DONE) == 0;

	return view->may_end_early && ended ? 0 : view->blocks_planned;
}

bool
report_shows_pairs(const struct report_view *view)
{
	return view->whole || report_bot_count(view) <= REPORT_PAIRS_MAX;
}

/* Returns whether some bot has this place, from 0, or a later one. */
static bool
has_place(const struct report_view *view, int place)
{
	for (int bot = 0; bot < report_bot_count(view); bot++)
		if (view->places[bot] >= place)
			return true;
	return false;
}

bool
report_has_places(const struct report_view *view)
{
	return view->places != NULL && has_place(view, 0);
}

bool
report_places_say(const struct report_view *view, struct scopa_text *text)
{
	int first = view->ratings.order[0], next = view->ratings.order[1];
	const char *format = text_or_none(view->format);
	struct estimate gap = report_gap(view, first, next);
	int left = 0;

	if (!report_has_places(view))
		return false;
	for (int bot = 0; bot < report_bot_count(view); bot++)
		left += view->places[bot] < 0;
	if (left > 0)
		scopa_text_print(text,
		    " is one of the %d bots that are left in the %s "
		    "tournament",
		    left, format);
	else if (view->places[first] == view->places[next])
		scopa_text_print(text, " shares the first place with %s",
		    report_name(view, next));
	else if (gap.value > 0)
		scopa_text_print(text,
		    " has won the %s tournament, %s points per deal ahead of "
		    "%s",
		    format, number_fixed(gap.value, 2).text,
		    report_name(view, next));
	else
		scopa_text_print(text, " has won the %s tournament", format);
	return true;
}

bool
report_has_bracket(const struct report_view *view)
{
	return view->format != NULL && strcmp(view->format, "knockout") == 0 &&
	    has_place(view, 1);
}

int
report_match_stage(int place)
{
	int stage = 0;

	while (place >= 2 << stage)
		stage++;
	return stage;
}

struct number
report_match_name(int place)
{
	static const char *const names[] = { "final", "semi-final",
		"quarter-final" };
	int stage = report_match_stage(place);

	return stage < COUNTOF(names) ? number_format("%s", names[stage])
				      : number_format("last %d", 2 << stage);
}

int
report_winner_over(const struct report_view *view, int loser)
{
	for (int bot = 0; bot < report_bot_count(view); bot++)
		if (bot != loser && view->places[bot] < view->places[loser] &&
		    standings_encounter(view->standings, bot, loser)->blocks >
			0)
			return bot;
	return -1;
}

enum status
gate_exit_status(enum gate_outcome outcome)
{
	static const enum status statuses[] = {
		[GATE_OPEN] = STATUS_INCONCLUSIVE,
		[GATE_PASS] = STATUS_DONE,
		[GATE_REGRESSION] = STATUS_FAILED,
		[GATE_INCONCLUSIVE] = STATUS_INCONCLUSIVE,
	};

	_Static_assert(COUNTOF(statuses) == GATE_OUTCOME_COUNT, "one each");
	return statuses[outcome];
}
