/*
 * Ratings of many bots from who met whom.
 *
 * No function allocates: `work` is the caller's, of the size that the
 * function's _work_size says, in doubles.  Bots that no chain of results joins
 * cannot be compared: they belong to different groups (`group`), and ratings
 * are relative within a group.  All results are finite.
 */
#ifndef RATING_H
#define RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "moments.h"

enum { RATING_BOTS_MAX = 128 };

struct rating {
	double value;
	double
	    error;   /* standard error of the value; of the mean of the group */
	int group;   /* from 0 */
	bool beyond; /* only wins, or only losses: clamped */
};

/* Blocks of two bots: `margins` from the view of `first`. */
struct rating_margins {
	int first, second;
	struct moments margins; /* points a deal */
};

/* Games of two bots, from the view of `first`. */
struct rating_games {
	int first, second;
	int64_t wins, draws, losses;
};

/*
 * Margin ratings in points a deal: weighted least squares on the pairwise means
 * (graph Laplacian; weights count / variance), gauge mean 0 a group, errors
 * from the pseudo-inverse.  A pair without spread takes the pooled variance of
 * all.
 */
size_t rating_margin_work_size(int bot_count);
void rating_margin(const struct rating_margins *pairs, int pair_count,
    int bot_count, struct rating *ratings, double *work);

/*
 * The standard error of ratings[a] - ratings[b], with the `work` that the last
 * rating_margin or rating_elo on it left behind.
 */
double rating_difference_error(int a, int b, int bot_count, const double *work);

/*
 * Elo by Bradley-Terry, in the manner of Ordo: a draw is half a win and half a
 * loss, expected scores equal the scores; mean 0 a group; errors from the
 * inverse of the information.
 */
size_t rating_elo_work_size(int bot_count);
void rating_elo(const struct rating_games *pairs, int pair_count, int bot_count,
    struct rating *ratings, double *work);

/*
 * One game of 2 to 6 parties: a rating mu +- sigma moves by Weng and Lin 2011,
 * algorithm 4 (Plackett-Luce), mu 25, sigma 25/3, beta 25/6 at first.  rank[i]
 * is 0 for the best; equal ranks are draws.
 */
struct skill {
	double mu, sigma;
};
#define SKILL_START ((struct skill){ .mu = 25.0, .sigma = 25.0 / 3.0 })
void skill_update(struct skill *const *players, const int *ranks, int count);

#endif
