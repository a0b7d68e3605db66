#include "rating_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "residual.h"

static size_t
work_size(int bot_count)
{
	const size_t sizes[] = { rating_margin_work_size(bot_count),
		rating_elo_work_size(bot_count), ranking_work_size(bot_count),
		residual_work_size(bot_count) };
	size_t most = 0;

	for (int i = 0; i < COUNTOF(sizes); i++)
		if (sizes[i] > most)
			most = sizes[i];
	return most;
}

int
rating_fit_open(struct rating_fit *fit, int bot_count, size_t pair_max,
    const struct cluster_row *rows, int64_t row_count)
{
	size_t bots = (size_t)bot_count, row_max = (size_t)row_count + 1;

	*fit = (struct rating_fit){
		.bot_count = bot_count,
		.margins = calloc(pair_max + 1, sizeof(*fit->margins)),
		.games = calloc(pair_max + 1, sizeof(*fit->games)),
		.plain = calloc(pair_max + 1, sizeof(*fit->plain)),
		.work = calloc(work_size(bot_count), sizeof(*fit->work)),
		.cluster_work = calloc(
		    cluster_work_size(bot_count), sizeof(*fit->cluster_work)),
		.inverse = calloc(bots * bots, sizeof(*fit->inverse)),
	};
	if (fit->margins == NULL || fit->games == NULL || fit->plain == NULL ||
	    fit->work == NULL || fit->cluster_work == NULL ||
	    fit->inverse == NULL)
		goto close_fit;
	if (rows == NULL)
		return 0;
	fit->rows = calloc(row_max, sizeof(*rows));
	fit->starts = calloc(row_max, sizeof(*fit->starts));
	if (fit->rows == NULL || fit->starts == NULL)
		goto close_fit;
	memcpy(fit->rows, rows, (row_max - 1) * sizeof(*rows));
	fit->clusters = clusters_make(fit->rows, row_count, fit->starts);
	return 0;
close_fit:
	rating_fit_close(fit);
	return -ENOMEM;
}

void
rating_fit_close(struct rating_fit *fit)
{
	free(fit->margins);
	free(fit->games);
	free(fit->plain);
	free(fit->rows);
	free(fit->starts);
	free(fit->work);
	free(fit->cluster_work);
	free(fit->inverse);
	*fit = (struct rating_fit){ 0 };
}

struct cluster_fit
rating_fit_clusters(const struct rating_fit *fit, struct rating *ratings)
{
	return (struct cluster_fit){
		.clusters = &fit->clusters,
		.bot_count = fit->bot_count,
		.ratings = ratings,
		.errors = fit->errors,
	};
}

/* The errors of differences as the last fit left them. */
static void
errors_take(const struct rating_fit *fit, const struct rating *ratings)
{
	int count = fit->bot_count;

	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++)
			fit->errors[a * count + b] = a == b ? 0
			    : ratings[a].group == ratings[b].group
			    ? rating_difference_error(a, b, count, fit->work)
			    : HUGE_VAL;
}

void
rating_fit_margins(const struct rating_fit *fit, struct rating *ratings)
{
	const struct cluster_fit clusters = rating_fit_clusters(fit, ratings);

	rating_margin(
	    fit->margins, fit->pair_count, fit->bot_count, ratings, fit->work);
	errors_take(fit, ratings);
	if (fit->rows != NULL)
		cluster_margin(&clusters, fit->margins, fit->pair_count,
		    fit->work, fit->cluster_work);
}

void
rating_fit_elo(const struct rating_fit *fit, struct rating *ratings)
{
	const struct cluster_fit clusters = rating_fit_clusters(fit, ratings);
	size_t cells = (size_t)fit->bot_count * (size_t)fit->bot_count;

	for (int i = 0; i < fit->pair_count; i++) {
		fit->plain[i] = fit->games[i];
		fit->plain[i].variance = 0;
		fit->plain[i].joint = 0;
	}
	rating_elo(
	    fit->plain, fit->pair_count, fit->bot_count, ratings, fit->work);
	memcpy(fit->inverse, fit->work, cells * sizeof(*fit->inverse));
	rating_elo(
	    fit->games, fit->pair_count, fit->bot_count, ratings, fit->work);
	errors_take(fit, ratings);
	if (fit->rows != NULL)
		cluster_elo(&clusters, fit->inverse, fit->cluster_work);
}

double *
rating_fit_places(const struct rating_fit *fit, struct ranking_sample sample)
{
	size_t cells = (size_t)fit->bot_count * (size_t)fit->bot_count;
	uint32_t *counts = calloc(cells, sizeof(*counts));
	double *places = calloc(cells, sizeof(*places));

	if (counts == NULL || places == NULL) {
		free(counts);
		free(places);
		return NULL;
	}
	sample.clusters = &fit->clusters;
	sample.pairs = fit->margins;
	sample.pair_count = fit->pair_count;
	sample.bot_count = fit->bot_count;
	ranking_places(&sample, counts, fit->work);
	for (size_t i = 0; i < cells; i++)
		places[i] = counts[i] / (double)sample.replicate_count;
	free(counts);
	return places;
}
