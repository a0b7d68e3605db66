/*
 * Who knows better than the policy: it tries every move in many worlds that
 * fit what the player knows, goes on with the policy itself, and judges the
 * moves by what they bring on average.
 */
#ifndef SCOPA_TUNE_TEACHER_H
#define SCOPA_TUNE_TEACHER_H

#include "lesson.h"

struct teacher {
	const struct policy_table *tables; /* one a family: who plays on */
	int worlds;                        /* a position */
	float sharpness;                   /* of the policy in playouts */
	double heat; /* points: how much worse a move with 1/e of the
			probability is */

	/* Where it is not 0, a tree search with random playouts judges by its
	 * visits instead. */
	int iterations;
	double exploration, prior_weight;
};

/* A deal from a shuffled pack that is not thrown in, with a random dealer. */
void teacher_deal(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal);

/* A deal in which all that the player to move does not see is dealt anew. */
void teacher_world(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random, struct scopa_deal *world);

/* One of so many moves, by their probabilities. */
int teacher_draw(const float *weights, int count, uint64_t *random);

/* Points of the team less the mean of the others'; of a deal that is over. */
double teacher_result(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

/*
 * Searches the position; writes the share of the visits of each move, the
 * moves in canonical order as scopa_moves lists them.
 */
void teacher_search(const struct teacher *teacher,
    const struct scopa_rules *rules, const struct scopa_deal *deal, int count,
    uint64_t *random, double *shares);

/* Writes the mean result of each move, in points for the player to move. */
void teacher_values(const struct teacher *teacher,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, uint64_t *random,
    double *values);

/* The index of the move that @greedy makes. */
int teacher_greedy(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count);

/*
 * Plays `deals` deals of a family, numbered from `first`, and adds a lesson for
 * about `share` of the positions with a choice; every tenth deal is held out.
 * 0 or -ENOMEM.
 */
int teacher_teach(const struct teacher *teacher, enum policy_family family,
    int first, int deals, double share, uint64_t *random,
    struct lessons *lessons);

#endif
