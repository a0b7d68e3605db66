/*
 * Implements rating_fit.h: allocates what rating.h and ranking.h need for a
 * number of bots.
 */
#include "rating_fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
rating_fit_open(struct rating_fit *fit, int bot_count, size_t pair_max,
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
		goto close_fit;
	fit->memory = rating_memory_of(doubles + square, bot_count);
	if (rows == NULL)
		return 0;
	clusters->rows = calloc(row_max, sizeof(*rows));
	clusters->starts = calloc(row_max, sizeof(*clusters->starts));
	if (clusters->rows == NULL || clusters->starts == NULL)
		goto close_fit;
	memcpy(clusters->rows, rows, (row_max - 1) * sizeof(*rows));
	*clusters = clusters_make(clusters->rows, row_count, clusters->starts);
	return 0;
close_fit:
	rating_fit_close(fit);
	return -ENOMEM;
}

void
rating_fit_close(struct rating_fit *fit)
{
	free(fit->pairs);
	free(fit->clusters.rows);
	free(fit->clusters.starts);
	free(fit->errors);
	*fit = (struct rating_fit){ 0 };
}

double *
rating_fit_places(
    const struct rating_fit *fit, const struct ranking_sample *sample)
{
	size_t square = (size_t)fit->bot_count * (size_t)fit->bot_count;
	uint32_t *counts = calloc(square, sizeof(*counts));
	double *places = calloc(square, sizeof(*places));

	if (counts == NULL || places == NULL) {
		free(counts);
		free(places);
		return NULL;
	}
	ranking_places(fit, sample, counts);
	for (size_t i = 0; i < square; i++)
		places[i] = counts[i] / (double)sample->replicate_count;
	free(counts);
	return places;
}
