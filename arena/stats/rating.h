/*
 * Ratings of many bots from the results of pairs.
 *
 * No function allocates: the caller owns the memory of a fit.  Bots that no
 * chain of results connects cannot be compared.  They belong to different
 * groups (`group`), and ratings are relative within a group.  All results are
 * finite.
 */
#ifndef RATING_H
#define RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "estimate.h"

/*
 * Networks of bots: which bots are tied by results, and how strongly.
 *
 * The matrix of the equations of ratings is a graph Laplacian.  When a bot is
 * taken out of the network, each two of its neighbours get a new tie: the
 * product of their ties to this bot, divided by the sum of all its ties (the
 * star becomes a mesh).  This is Gaussian elimination without any subtraction,
 * so that ties of very different magnitudes lose no digits.
 */

/*
 * The matrices have an element for each two bots.  Memory grows with the square
 * of the number of bots, and time with its cube: 500 bots need some MB and less
 * than a second.
 */
enum { RATING_BOTS_MAX = 2000 };

struct laplacian {
	int size;
	/* The caller's, size * size; factors after laplacian_init. */
	double *ties;
	double pivots[RATING_BOTS_MAX];  /* 0: the last bot of its group */
	int16_t groups[RATING_BOTS_MAX]; /* group of each bot, from 0 */
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
 * Turns `ties` into factors in place; the caller owns them until the network is
 * no longer used.  `ties` is symmetric, 0 or more, and its diagonal is ignored.
 * Bots that a chain of ties connects are one group.  Groups are numbered in the
 * order of their first members.
 */
void laplacian_init(struct laplacian *laplacian, double *ties, int size);

/*
 * Solves L x = b with mean 0 in each group.  On entry `values` holds b, whose
 * sum in each group must be 0; on return it holds x.
 */
void laplacian_solve(const struct laplacian *laplacian, double *values);

struct rating {
	double value;
	/* Standard error of the value, relative to the group's mean. */
	double error;
	/*
	 * Degrees of freedom of the error (ranking.h).  HUGE_VAL: the error is
	 * practically exact; 0: the error is unknown.
	 */
	double freedom;
	int group; /* from 0 */
	/*
	 * Bots of one class: a chain of won points leads from each to each
	 * other, so that the results limit their difference.  A margin rating
	 * is limited by any results: the class is the group.
	 */
	int class;
	/*
	 * The results set no limit to the value: above (1) or below (-1).  0:
	 * they limit it.
	 */
	int beyond;
};

/* The results of two bots against each other, from the view of `first`. */
struct rating_pair {
	int first, second;
	struct moments margins;   /* points a deal, one number for each block */
	struct trinomial results; /* of games */
	/*
	 * The variance of a game's score as whole blocks show it: the variance
	 * of the mean score of a block, times the games of a block.  0:
	 * unknown; then games are independent, with the variance p (1 - p).
	 */
	double variance;
	/*
	 * The number of bots in each block; all pairs of these bots must be
	 * given.  0: the two bots alone.  The margins of k bots depend on each
	 * other, so that each pair gives 2 / k of the information that it would
	 * give alone.
	 */
	int block_bots;
	bool apart; /* the margins are left out of the fit */
};

/*
 * The results of two bots against each other in a cluster (ranking.h): one
 * block, or the sum of several.
 */
struct cluster_row {
	/* Any number; results with the same packs have the same one. */
	int32_t cluster;
	int16_t first, second;
	float blocks;
	float margin; /* points a deal of the first bot, summed over blocks */
	float games;
	float score; /* of the first bot, 0..1 a game, summed over games */
};

struct clusters {
	/* Sorted by cluster; NULL: no clusters are known. */
	struct cluster_row *rows;
	int64_t row_count;
	int64_t *starts; /* index of the first row of each cluster */
	int count;       /* number of clusters; starts[count] is row_count */
};

/* Memory of the equations, made by rating_memory_of. */
struct rating_memory {
	/* Matrices with the index [a * bot_count + b]: */
	double *covariances;             /* of the ratings of the last fit */
	double *inverse;                 /* of the information of Elo */
	double *ties, *points;           /* of the equations of ratings */
	double *weights;                 /* of a block of each pair */
	double *sums, *product;          /* of the clusters */
	double *values, *scores, *moves; /* one number for each bot */
	double *counts;                  /* one number for each bot */
};

/*
 * rating_memory_size: the number of doubles that the memory for `bot_count`
 * bots needs. rating_memory_of: divides `doubles`, which stay the caller's,
 * into that memory.
 */
size_t rating_memory_size(int bot_count);
struct rating_memory rating_memory_of(double *doubles, int bot_count);

/*
 * The results of the bots and the ratings that follow.  The caller owns
 * everything in it.
 */
struct rating_fit {
	int bot_count;
	struct rating_pair *pairs; /* the pairs that met */
	int pair_count;
	struct clusters clusters; /* results with the same packs */
	struct rating *ratings;   /* one for each bot: the last fit */
	/*
	 * [a * bot_count + b]: standard errors of the differences of the
	 * ratings (see ranking.h); HUGE_VAL if the two bots are of different
	 * groups.
	 */
	double *errors;
	struct rating_memory memory;
};

/*
 * Fits margin ratings in points a deal: weighted least squares on the means of
 * the pairs (graph Laplacian, weights count / variance), with mean 0 in each
 * group and errors from the pseudo-inverse.  A pair without spread takes the
 * pooled variance of all pairs.  The variance of a pair with few blocks is
 * drawn toward the pooled variance, as if RATING_PRIOR_BLOCKS further blocks
 * had shown that one.  If no pair has spread, the pooled variance is the mean
 * square of the margins, or 1 if all margins are 0.
 */
enum { RATING_PRIOR_BLOCKS = 20 };
void rating_margin(const struct rating_fit *fit);

/* The variance of a block, pooled over all pairs; above 0. */
double rating_pooled_variance(const struct rating_fit *fit);

/*
 * The variance of a block from which the weight of a pair follows, as above.
 * `pooled` is the variance pooled over all pairs.
 */
double rating_variance(const struct moments *margins, double pooled);

/* Fills in memory.weights; the weight of a pair that is apart is 0. */
void rating_weights(const struct rating_fit *fit);

/* 400 / ln 10: Elo of one natural unit. */
#define RATING_ELO_PER_NATURAL 173.71779276130073

/*
 * The standard error of ratings[a] - ratings[b] from the covariances, after
 * rating_margin or rating_elo.  HUGE_VAL if the two bots are of different
 * groups.
 */
double rating_difference_error(const struct rating_fit *fit, int a, int b);

/*
 * Fits Elo by Bradley-Terry, as Ordo does.  A draw is half a win and half a
 * loss; expected scores equal the scores; the mean is 0 in each group.  The
 * errors follow from the inverse of the information, which memory.inverse gets
 * in Elo squared; the variances of the pairs make them wider or narrower.
 *
 * If some bots never lose a point to the others of their group, the equations
 * have no finite solution.  The bots are then divided into classes.  Within a
 * class, a chain of won points leads from each bot to each other bot.  Each two
 * classes that met get one more drawn game, shared out over their games.  All
 * bots outside the largest class are marked `beyond`, above or below its mean.
 * If several classes are the largest, all bots are outside.  Values are clamped
 * to +-ESTIMATE_ELO_MAX.
 */
void rating_elo(const struct rating_fit *fit);

/*
 * Updates the skills after one game of 2 to 6 teams.  The ratings mu +- sigma
 * change by Weng and Lin 2011, algorithm 4 (Plackett-Luce); they begin with mu
 * 25, sigma 25/3 and beta 25/6.  Before each game sigma^2 grows by (25/300)^2.
 * teams[i] is the team, from 0, of players[i].  No player may be listed twice.
 * ranks[team] is smaller for a better team; equal ranks are draws.
 */
enum { SKILL_TEAMS_MAX = 6 };
struct skill {
	double mu, sigma;
};
#define SKILL_START ((struct skill){ .mu = 25.0, .sigma = 25.0 / 3.0 })
void skill_update(struct skill *const *players, const int *teams,
    int player_count, const int *ranks, int team_count);

#endif
