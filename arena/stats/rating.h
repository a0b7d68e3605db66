/*
 * Ratings of many bots from the results of pairs.
 *
 * No function allocates: a fit has memory of its caller.  Bots that no chain of
 * results joins cannot be compared: they belong to different groups (`group`),
 * and ratings are relative within a group.  All results are finite.
 */
#ifndef RATING_H
#define RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "estimate.h"

/*
 * Networks of bots: which bots are tied by results, and how firmly.
 *
 * The equations of ratings have a graph Laplacian as their matrix.  Taking a
 * bot out of the network leaves each two of its neighbours tied by the product
 * of their ties to it over the sum of all its ties (the star becomes a mesh).
 * This is Gaussian elimination without any subtraction, so that ties which
 * differ by many orders of magnitude lose no digits.
 */

/*
 * Each two bots have their place in the matrices of the equations, so that
 * memory grows with the square of the number of bots, and time with its cube:
 * of 500, some MB and less than a second.
 */
enum { RATING_BOTS_MAX = 2000 };

struct laplacian {
	int size;
	double *ties; /* the caller's, size * size: factors once it is solved */
	double pivots[RATING_BOTS_MAX];  /* 0: the last one of its group */
	int16_t groups[RATING_BOTS_MAX]; /* of each, numbered from 0 */
	int group_count;
	int16_t group_sizes[RATING_BOTS_MAX];
};

static inline void
values_clear(double *values, int count)
{
	for (int i = 0; i < count; i++)
		values[i] = 0.0;
}

/*
 * Takes `ties`, symmetric and 0 or more (the diagonal is not looked at), and
 * turns them into factors.  Bots that are joined by a chain of ties are of one
 * group; groups are numbered in the order of their first members.
 */
void laplacian_init(struct laplacian *laplacian, double *ties, int size);

/*
 * Solves L x = b with mean 0 in each group; `values` holds b, whose sum in each
 * group must be 0, and then x.
 */
void laplacian_solve(const struct laplacian *laplacian, double *values);

/* The pseudo-inverse of L, size * size. */
void laplacian_invert(const struct laplacian *laplacian, double *inverse);

struct rating {
	double value;
	double error; /* standard error of the value, as of the group's mean */
	/* Degrees of freedom of the error (cluster.h), HUGE_VAL where it is as
	 * good as known, 0 where nothing is known of it. */
	double freedom;
	int group; /* from 0 */
	/* Only wins, or only losses: the results set no end to the value. */
	bool beyond;
};

/* What two bots made of each other, from the view of `first`. */
struct rating_pair {
	int first, second;
	struct moments margins;   /* points a deal, of blocks */
	struct trinomial results; /* of games */
	/*
	 * The variance of a game's score as whole blocks show it: that of the
	 * mean score of a block, times its games.  0: not known; games count on
	 * their own, p (1 - p).
	 */
	double variance;
	/*
	 * How many bots met in each block, all of whose pairs are given; 0: the
	 * two alone.  The margins of k bots follow from each other: each pair
	 * tells 2 / k of what it would on its own.
	 */
	int joint;
	bool apart; /* margins are not to be fitted */
};

/*
 * What two bots made of each other in a cluster (cluster.h): one block, or the
 * sum of several.
 */
struct cluster_row {
	int32_t cluster; /* any number: the same for what shares packs */
	int16_t first, second;
	float blocks;
	float margin; /* points a deal of the first one, summed over blocks */
	float games;
	float score; /* of the first one, 0..1 a game, summed over games */
};

struct clusters {
	struct cluster_row *rows; /* sorted by cluster; NULL: none are known */
	int64_t row_count;
	int64_t *starts; /* first row of each cluster.. */
	int count;       /* ..starts[count] is row_count */
};

/* Memory of the equations. */
struct rating_memory {
	/* [a * bot_count + b] */
	double *covariances;             /* of the ratings of the last fit */
	double *inverse;                 /* of the information of Elo */
	double *ties, *points;           /* of the equations of ratings */
	double *weights;                 /* of a block of each pair */
	double *sums, *product;          /* of clusters */
	double *values, *scores, *moves; /* a bot */
	double *counts;                  /* a bot */
};

/* The doubles of the memory for so many bots; and the memory made of them. */
size_t rating_memory_size(int bot_count);
struct rating_memory rating_memory_of(double *doubles, int bot_count);

/* What bots did, and the ratings that follow; all of it is the caller's. */
struct rating_fit {
	int bot_count;
	struct rating_pair *pairs; /* that met */
	int pair_count;
	struct clusters clusters; /* what happened with the same packs */
	struct rating *ratings;   /* a bot: of the last fit */
	/* [a * bot_count + b]: standard errors of differences of these (see
	 * cluster.h), HUGE_VAL where the two are of different groups. */
	double *errors;
	struct rating_memory memory;
};

/*
 * Margin ratings in points a deal: weighted least squares on the pairwise means
 * (graph Laplacian; weights count / variance), gauge mean 0 a group, errors
 * from the pseudo-inverse.  A pair without spread takes the pooled variance of
 * all, and the variance of a pair of few blocks is drawn toward it as if
 * RATING_PRIOR_BLOCKS more had shown it.  Where no pair has spread, the mean
 * square of the margins stands in, and 1 where they are all 0.
 */
enum { RATING_PRIOR_BLOCKS = 20 };
void rating_margin(const struct rating_fit *fit);

/* The variance of a block as all pairs together show it; above 0. */
double rating_pooled_variance(const struct rating_fit *fit);

/*
 * The variance of a block that a pair is weighed by, as above; `pooled` is that
 * of all pairs.
 */
double rating_variance(const struct moments *margins, double pooled);

/* Fills in the weights of the memory: 0 where a pair is apart. */
void rating_weights(const struct rating_fit *fit);

/* 400 / ln 10: Elo of a rating in natural units. */
#define RATING_ELO_PER_NATURAL 173.71779276130073

/*
 * The standard error of ratings[a] - ratings[b] by the covariances, after
 * rating_margin or rating_elo.  HUGE_VAL where the two are of different groups.
 */
double rating_difference_error(const struct rating_fit *fit, int a, int b);

/*
 * Elo by Bradley-Terry, in the manner of Ordo: a draw is half a win and half a
 * loss, expected scores equal the scores; mean 0 a group; errors from the
 * inverse of the information, by blocks widened or narrowed as the variances say.
 *
 * Where some never lose a point to the others of their group, the equations
 * have no finite solution.  Bots then fall into classes, within which everyone
 * has scored against everyone by some chain; each two classes that met count
 * one more drawn game, shared out over their games.  All bots but those of the
 * one largest class are marked `beyond`.  Values end at +-ESTIMATE_ELO_MAX.
 */
void rating_elo(const struct rating_fit *fit, bool by_blocks);

/*
 * One game of 2 to 6 teams: ratings mu +- sigma move by Weng and Lin 2011,
 * algorithm 4 (Plackett-Luce), with mu 25, sigma 25/3 and beta 25/6 at first;
 * before each game sigma^2 grows by (25/300)^2.  teams[i] is the team, from
 * 0, of players[i], of whom nobody may play twice; ranks[team] is the smaller
 * the better, and equal ranks are draws.
 */
enum { SKILL_TEAMS_MAX = 6 };
struct skill {
	double mu, sigma;
};
#define SKILL_START ((struct skill){ .mu = 25.0, .sigma = 25.0 / 3.0 })
void skill_update(struct skill *const *players, const int *teams,
    int player_count, const int *ranks, int team_count);

#endif
