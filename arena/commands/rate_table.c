#include "rate_table.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"

const char *const rate_model_names[] = {
	[RATE_ALL] = "all",
	[RATE_MARGIN] = "margin",
	[RATE_ELO] = "elo",
	[RATE_PLACKETT_LUCE] = "plackett-luce",
	[RATE_MODEL_COUNT] = NULL,
};
_Static_assert(COUNTOF(rate_model_names) == RATE_MODEL_COUNT + 1,
    "every model has a name");

int
rate_table_open(struct rate_table *table, int bot_count)
{
	*table = (struct rate_table){
		.bot_count = bot_count,
		.party_count = 2,
		.bots = calloc((size_t)bot_count, sizeof(*table->bots)),
	};
	return table->bots != NULL ? 0 : -ENOMEM;
}

void
rate_table_close(struct rate_table *table)
{
	free(table->bots);
	free(table->pairs);
	free(table->rows);
	free(table->starts);
	free(table->errors);
	free(table->ranges);
	free(table->margins);
	free(table->clean);
	free(table->elo);
	free(table->order);
	free(table->groups);
	free(table->better);
	free(table->places);
	*table = (struct rate_table){ 0 };
}

const struct rate_pair *
rate_pair_find(const struct rate_table *table, int a, int b)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		if ((pair->first == a && pair->second == b) ||
		    (pair->first == b && pair->second == a))
			return pair;
	}
	return NULL;
}

struct estimate
rate_pair_margin(const struct rate_pair *pair, double level)
{
	return mean_estimate(&pair->margins, level);
}

struct estimate
rate_pair_score(const struct rate_pair *pair, double level)
{
	struct estimate score;

	score = pair->scores.count == 0
	    ? strength_of_trinomial(&pair->results, level).score
	    : mean_estimate(&pair->scores, level);
	score.low = fmax(score.low, 0.0);
	score.high = fmin(score.high, 1.0);
	score.low_beyond = score.high_beyond = false;
	return score;
}

struct estimate
rate_estimate(const struct rating *rating, double level)
{
	bool known = rating->freedom >= 1.0;
	double p = (1.0 + level) / 2.0, half = 0.0;

	if (known)
		half = rating->error *
		    (rating->freedom < HUGE_VAL
			    ? student_quantile(p, rating->freedom)
			    : normal_quantile(p));
	return (struct estimate){
		.value = rating->value,
		.low = rating->value - half,
		.high = rating->value + half,
		.low_beyond = !known || (rating->beyond && rating->value < 0.0),
		.high_beyond =
		    !known || (rating->beyond && rating->value >= 0.0),
	};
}

enum rate_model
rate_model_first(const struct rate_table *table, enum rate_model model)
{
	if (model != RATE_ALL)
		return model;
	return table->has_margins ? RATE_MARGIN : RATE_ELO;
}

/*
 * The variance of a game's score: that of the mean of a block, times its games.
 * Of few blocks it leans on what games on their own have, as margins do.
 */
static double
score_variance(const struct rate_pair *pair)
{
	double mean = pair->scores.mean, games, prior;

	if (pair->scores.count == 0 || !(pair->scores.squares > 0.0))
		return 0.0;
	games = (double)pair->games / (double)pair->blocks;
	prior = mean * (1.0 - mean) / games;
	return games * (RATING_PRIOR_BLOCKS * prior + pair->scores.squares) /
	    (RATING_PRIOR_BLOCKS + (double)(pair->scores.count - 1));
}

/* Memory on the way to the ratings. */
struct workshop {
	struct rating_margins *margins;
	struct rating_games *games;
	double *work, *cluster_work, *inverse;
};

static struct cluster_fit
fit_of(const struct rate_table *table, struct rating *ratings)
{
	return (struct cluster_fit){
		.clusters = &table->clusters,
		.bot_count = table->bot_count,
		.ratings = ratings,
		.errors = table->errors,
	};
}

/* The errors of differences as the last fit left them. */
static void
errors_take(const struct rate_table *table, const struct rating *ratings,
    const double *work)
{
	int count = table->bot_count;

	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++)
			table->errors[a * count + b] =
			    ratings[a].group == ratings[b].group
			    ? rating_difference_error(a, b, count, work)
			    : HUGE_VAL;
}

/* Of sums alone: as many degrees of freedom as blocks, less one. */
static void
freedom_guess(const struct rate_table *table, struct rating *ratings)
{
	for (int bot = 0; bot < table->bot_count; bot++)
		ratings[bot].freedom =
		    fmax((double)table->bots[bot].blocks - 1.0, 0.0);
}

static void
margins_rate(const struct rate_table *table, bool clean,
    const struct workshop *workshop, struct rating *ratings)
{
	const struct cluster_fit fit = fit_of(table, ratings);

	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		workshop->margins[i] = (struct rating_margins){
			.first = pair->first,
			.second = pair->second,
			.margins = clean ? pair->clean : pair->margins,
			.joint = pair->joint,
		};
	}
	rating_margin(workshop->margins, table->pair_count, table->bot_count,
	    ratings, workshop->work);
	errors_take(table, ratings, workshop->work);
	if (table->rows == NULL)
		freedom_guess(table, ratings);
	else
		cluster_margin(&fit, workshop->margins, table->pair_count,
		    workshop->work, workshop->cluster_work);
}

static void
games_fill(
    const struct rate_table *table, bool variances, struct rating_games *games)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		games[i] = (struct rating_games){
			.first = pair->first,
			.second = pair->second,
			.wins = pair->results.wins,
			.draws = pair->results.draws,
			.losses = pair->results.losses,
			.variance = variances ? score_variance(pair) : 0.0,
			.joint = variances ? pair->joint : 0,
		};
	}
}

/*
 * Errors are the larger ones of those that whole blocks show, and those that
 * clusters do by the inverse of the information of the games.
 */
static void
elo_rate(const struct rate_table *table, const struct workshop *workshop,
    struct rating *ratings)
{
	const struct cluster_fit fit = fit_of(table, ratings);
	size_t cells = (size_t)table->bot_count * (size_t)table->bot_count;

	games_fill(table, false, workshop->games);
	rating_elo(workshop->games, table->pair_count, table->bot_count,
	    ratings, workshop->work);
	memcpy(workshop->inverse, workshop->work,
	    cells * sizeof(*workshop->inverse));
	games_fill(table, true, workshop->games);
	rating_elo(workshop->games, table->pair_count, table->bot_count,
	    ratings, workshop->work);
	errors_take(table, ratings, workshop->work);
	if (table->rows != NULL)
		cluster_elo(&fit, workshop->inverse, workshop->cluster_work);
}

/* What decides the order, by the first model. */
struct key {
	const struct rate_table *table;
	enum rate_model model;
};

static double
value_of(const struct key *key, int bot)
{
	switch (key->model) {
	case RATE_ALL:
	case RATE_MARGIN:
		return key->table->margins[bot].value;
	case RATE_ELO:
		return key->table->elo[bot].value;
	case RATE_PLACKETT_LUCE:
	case RATE_MODEL_COUNT:
		break;
	}
	return key->table->bots[bot].skill.mu;
}

static int
order_compare(const void *one, const void *two, void *context)
{
	const struct key *key = context;
	const int *groups = key->table->groups;
	int a = *(const int *)one, b = *(const int *)two;
	double lead = value_of(key, a) - value_of(key, b);

	if (groups[a] != groups[b])
		return groups[a] - groups[b];
	if (lead > 0.0 || lead < 0.0)
		return lead > 0.0 ? -1 : 1;
	return a - b;
}

/* The probability that the one is stronger than the other; -1: unknown. */
static double
better_of(const struct key *key, const struct cluster_fit *fit, int a, int b)
{
	const struct rate_bot *bots = key->table->bots;
	double lead = value_of(key, a) - value_of(key, b);

	if (key->model == RATE_PLACKETT_LUCE)
		return normal_distribution(
		    lead / hypot(bots[a].skill.sigma, bots[b].skill.sigma));
	return cluster_freedom(fit, a, b) >= 1.0 ? cluster_above(fit, a, b)
						 : -1.0;
}

static void
order_fill(struct rate_table *table, enum rate_model model, double level)
{
	struct key key = { table, model };
	struct rating *ratings =
	    model == RATE_ELO ? table->elo : table->margins;
	const struct cluster_fit fit = fit_of(table, ratings);
	int count = table->bot_count;

	for (int bot = 0; bot < count; bot++) {
		table->order[bot] = bot;
		table->groups[bot] = ratings[bot].group;
	}
	qsort_r(table->order, (size_t)count, sizeof(*table->order),
	    order_compare, &key);
	for (int i = 0; i < count; i++) {
		int a = table->order[i],
		    b = i + 1 < count ? table->order[i + 1] : a;

		table->better[i] =
		    a == b || table->groups[a] != table->groups[b]
		    ? -1.0
		    : better_of(&key, &fit, a, b);
	}
	if (count > 1 && model != RATE_PLACKETT_LUCE)
		table->comparisons = ranking_ranges(&fit, level, table->ranges);
}

/* Of the pairs whose blocks have scores, the same as of margins. */
static void
scores_fill(const struct rate_table *table, struct rating_margins *pairs)
{
	for (int i = 0; i < table->pair_count; i++)
		pairs[i].margins = table->pairs[i].scores;
}

static int
bootstrap(struct rate_table *table, const struct rate_order *order,
    const struct workshop *workshop)
{
	size_t cells = (size_t)table->bot_count * (size_t)table->bot_count;
	const struct ranking_sample sample = {
		.clusters = &table->clusters,
		.pairs = workshop->margins,
		.pair_count = table->pair_count,
		.bot_count = table->bot_count,
		.by_scores = order->model == RATE_ELO,
		.replicate_count = order->replicates,
		.seed = order->seed,
	};
	uint32_t *places;

	if (order->replicates == 0 || table->clusters.count < 2 ||
	    order->model == RATE_PLACKETT_LUCE)
		return 0;
	places = calloc(cells, sizeof(*places));
	table->places = calloc(cells, sizeof(*table->places));
	if (places == NULL || table->places == NULL) {
		free(places);
		return -ENOMEM;
	}
	if (sample.by_scores)
		scores_fill(table, workshop->margins);
	ranking_places(&sample, places, workshop->work);
	for (size_t i = 0; i < cells; i++)
		table->places[i] = places[i] / (double)order->replicates;
	table->replicates = order->replicates;
	free(places);
	return 0;
}

static size_t
work_size(int bot_count)
{
	size_t sizes[] = { rating_margin_work_size(bot_count),
		rating_elo_work_size(bot_count), ranking_work_size(bot_count) };
	size_t most = 0;

	for (size_t i = 0; i < COUNTOF(sizes); i++)
		if (sizes[i] > most)
			most = sizes[i];
	return most;
}

/* All models are always worked out: it takes no time. */
static int
results_open(struct rate_table *table)
{
	size_t count = (size_t)table->bot_count;

	table->margins = calloc(count, sizeof(*table->margins));
	table->clean = calloc(count, sizeof(*table->clean));
	table->elo = calloc(count, sizeof(*table->elo));
	table->order = calloc(count, sizeof(*table->order));
	table->groups = calloc(count, sizeof(*table->groups));
	table->better = calloc(count, sizeof(*table->better));
	table->ranges = calloc(count, sizeof(*table->ranges));
	table->errors = calloc(count * count, sizeof(*table->errors));
	return table->margins != NULL && table->clean != NULL &&
		table->elo != NULL && table->order != NULL &&
		table->groups != NULL && table->better != NULL &&
		table->ranges != NULL && table->errors != NULL
	    ? 0
	    : -ENOMEM;
}

/*
 * Shifts the group of the anchor, and the errors become those of the differences
 * to it.  Of margins, those without forfeits move alike.
 */
static void
anchor_set(struct rate_table *table, const struct rate_order *order,
    struct rating *ratings)
{
	const struct rating anchor = ratings[order->anchor];
	double shift = order->anchor_value - anchor.value;

	for (int bot = 0; bot < table->bot_count; bot++) {
		if (ratings[bot].group != anchor.group)
			continue;
		ratings[bot].value += shift;
		ratings[bot].error = bot == order->anchor
		    ? 0.0
		    : table->errors[order->anchor * table->bot_count + bot];
		ratings[bot].freedom = bot == order->anchor
		    ? HUGE_VAL
		    : fmin(ratings[bot].freedom, anchor.freedom);
		ratings[bot].beyond &= bot != order->anchor;
		if (ratings == table->margins)
			table->clean[bot].value += shift;
	}
}

static void
workshop_close(struct workshop *workshop)
{
	free(workshop->margins);
	free(workshop->games);
	free(workshop->work);
	free(workshop->cluster_work);
	free(workshop->inverse);
}

static int
workshop_open(struct workshop *workshop, const struct rate_table *table)
{
	size_t count = (size_t)table->bot_count;
	size_t pairs = (size_t)table->pair_count + 1;

	*workshop = (struct workshop){
		.margins = calloc(pairs, sizeof(*workshop->margins)),
		.games = calloc(pairs, sizeof(*workshop->games)),
		.work = calloc(
		    work_size(table->bot_count), sizeof(*workshop->work)),
		.cluster_work = calloc(cluster_work_size(table->bot_count),
		    sizeof(*workshop->cluster_work)),
		.inverse = calloc(count * count, sizeof(*workshop->inverse)),
	};
	if (workshop->margins != NULL && workshop->games != NULL &&
	    workshop->work != NULL && workshop->cluster_work != NULL &&
	    workshop->inverse != NULL)
		return 0;
	workshop_close(workshop);
	return -ENOMEM;
}

int
rate_compute(struct rate_table *table, const struct rate_order *order)
{
	enum rate_model first = rate_model_first(table, order->model);
	struct workshop workshop;
	int result = -ENOMEM;

	assert(order->level > 0.0 && order->level < 1.0);
	if (workshop_open(&workshop, table) < 0)
		return -ENOMEM;
	if (results_open(table) < 0)
		goto close_workshop;
	margins_rate(table, true, &workshop, table->clean);
	/* The one that decides the order comes last: its errors stay. */
	if (first == RATE_ELO) {
		margins_rate(table, false, &workshop, table->margins);
		elo_rate(table, &workshop, table->elo);
	} else {
		elo_rate(table, &workshop, table->elo);
		margins_rate(table, false, &workshop, table->margins);
	}
	order_fill(table, first, order->level);
	if (order->anchor >= 0)
		anchor_set(table, order,
		    first == RATE_ELO ? table->elo : table->margins);
	result = bootstrap(table, order, &workshop);
close_workshop:
	workshop_close(&workshop);
	return result;
}
