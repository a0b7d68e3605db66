/*
 * Ratings of bots from what each two of them did, for reports and for `rate`.
 *
 * The caller fills in what each two bots did (`margins`, `games`); the errors
 * of the ratings take what was played with the same packs as one.
 */
#ifndef RATING_FIT_H
#define RATING_FIT_H

#include "cluster.h"
#include "ranking.h"
#include "rating.h"

struct rating_fit {
	int bot_count;
	struct rating_margins *margins; /* of pairs that met: the caller's to */
	struct rating_games *games;     /* fill, likewise */
	int pair_count;
	/* What happened with the same packs; NULL: only sums are known. */
	struct cluster_row *rows;
	int64_t *starts;
	struct clusters clusters; /* of these two */
	/* [a * bot_count + b]: of differences of the ratings that were fitted
	 * last, HUGE_VAL between groups; the caller's memory. */
	double *errors;
	struct rating_games *plain; /* the rest is for the fit alone */
	double *work, *cluster_work, *inverse;
};

/*
 * Room for so many pairs.  The rows are copied; NULL: there are none.  0 or
 * -ENOMEM, and then nothing is to be closed.
 */
int rating_fit_open(struct rating_fit *fit, int bot_count, size_t pair_max,
    const struct cluster_row *rows, int64_t row_count);
void rating_fit_close(struct rating_fit *fit);

/* Points a deal, of `margins`. */
void rating_fit_margins(const struct rating_fit *fit, struct rating *ratings);

/*
 * Elo, of `games`.  Errors are the larger ones of those that whole blocks show,
 * and those that clusters do by the inverse of the information of the games.
 */
void rating_fit_elo(const struct rating_fit *fit, struct rating *ratings);

/* The fit as the functions of clusters take it. */
struct cluster_fit rating_fit_clusters(
    const struct rating_fit *fit, struct rating *ratings);

/*
 * How often each place comes out when the clusters are drawn anew as `sample`
 * says, whose results are those of the fit: [bot * bot_count + place], the
 * caller's to free.  NULL without memory.
 */
double *rating_fit_places(
    const struct rating_fit *fit, struct ranking_sample sample);

#endif
