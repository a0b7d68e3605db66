#include "rate_table.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

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
	double half = normal_quantile((1.0 + level) / 2.0) * rating->error;

	return (struct estimate){
		.value = rating->value,
		.low = rating->value - half,
		.high = rating->value + half,
		.low_beyond = rating->beyond && rating->value < 0.0,
		.high_beyond = rating->beyond && rating->value >= 0.0,
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

static void
margins_rate(const struct rate_table *table, bool clean,
    struct rating_margins *pairs, struct rating *ratings, double *work)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		pairs[i] = (struct rating_margins){
			.first = pair->first,
			.second = pair->second,
			.margins = clean ? pair->clean : pair->margins,
			.joint = pair->joint,
		};
	}
	rating_margin(
	    pairs, table->pair_count, table->bot_count, ratings, work);
}

static void
elo_rate(const struct rate_table *table, struct rating_games *pairs,
    struct rating *ratings, double *work)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		pairs[i] = (struct rating_games){
			.first = pair->first,
			.second = pair->second,
			.wins = pair->results.wins,
			.draws = pair->results.draws,
			.losses = pair->results.losses,
			.variance = score_variance(pair),
			.joint = pair->joint,
		};
	}
	rating_elo(pairs, table->pair_count, table->bot_count, ratings, work);
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

/* The probability that the one is stronger than the other, by the errors. */
static double
better_of(const struct key *key, int a, int b, const double *work)
{
	const struct rate_bot *bots = key->table->bots;
	double lead = value_of(key, a) - value_of(key, b);
	double error;

	if (key->model == RATE_PLACKETT_LUCE)
		error = hypot(bots[a].skill.sigma, bots[b].skill.sigma);
	else
		error =
		    rating_difference_error(a, b, key->table->bot_count, work);
	if (error > 0.0)
		return normal_distribution(lead / error);
	return lead > 0.0 ? 1.0 : 0.5;
}

static void
order_fill(struct rate_table *table, enum rate_model model, const double *work)
{
	struct key key = { table, model };
	const struct rating *ratings =
	    model == RATE_ELO ? table->elo : table->margins;
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
		    : better_of(&key, a, b, work);
	}
}

static int
bootstrap(
    struct rate_table *table, const struct rate_order *order, double *work)
{
	size_t count = (size_t)table->bot_count;
	const struct ranking_sample sample = {
		.blocks = table->rows,
		.block_count = table->row_count,
		.bot_count = table->bot_count,
		.replicate_count = order->replicates,
		.seed = order->seed,
	};
	uint32_t *places;

	if (order->replicates == 0 || table->row_count == 0 ||
	    order->model == RATE_PLACKETT_LUCE)
		return 0;
	places = calloc(count * count, sizeof(*places));
	table->places = calloc(count * count, sizeof(*table->places));
	if (places == NULL || table->places == NULL) {
		free(places);
		return -ENOMEM;
	}
	ranking_places(&sample, NULL, places, work);
	for (size_t i = 0; i < count * count; i++)
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
	return table->margins != NULL && table->clean != NULL &&
		table->elo != NULL && table->order != NULL &&
		table->groups != NULL && table->better != NULL
	    ? 0
	    : -ENOMEM;
}

int
rate_compute(struct rate_table *table, const struct rate_order *order)
{
	size_t pairs = (size_t)table->pair_count + 1;
	enum rate_model first = rate_model_first(table, order->model);
	struct rating_margins *margins = calloc(pairs, sizeof(*margins));
	struct rating_games *games = calloc(pairs, sizeof(*games));
	double *work = calloc(work_size(table->bot_count), sizeof(*work));
	int result = -ENOMEM;

	assert(order->level > 0.0 && order->level < 1.0);
	if (margins == NULL || games == NULL || work == NULL ||
	    results_open(table) < 0)
		goto free_work;
	margins_rate(table, true, margins, table->clean, work);
	/* The one that decides the order comes last: its errors stay. */
	if (first == RATE_ELO) {
		margins_rate(table, false, margins, table->margins, work);
		elo_rate(table, games, table->elo, work);
	} else {
		elo_rate(table, games, table->elo, work);
		margins_rate(table, false, margins, table->margins, work);
	}
	order_fill(table, first, work);
	result = bootstrap(table, order, work);
free_work:
	free(margins);
	free(games);
	free(work);
	return result;
}
