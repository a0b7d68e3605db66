/*
 * The teacher of the policy: it tries every move in many worlds that fit what
 * the player knows, goes on with the policy itself, and judges the moves by
 * what they bring on average.
 */
#ifndef SCOPA_TUNE_TEACHER_H
#define SCOPA_TUNE_TEACHER_H

#include "lesson.h"

struct teacher {
	const struct policy_table *tables; /* one a family: who plays on */
	int worlds;                        /* a position */
};

/* Of the deals that are learned from, one of so many is held out. */
enum { TEACHER_HELD_OUT_EACH = 10 };

/* A deal from a shuffled pack that is not redealt, with a random dealer. */
void teacher_deal(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal);

/* A deal in which all that the player to move does not see is dealt anew. */
void teacher_world(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random, struct scopa_deal *world);

/* Points of the team less the mean of the others'; of a deal that is over. */
double teacher_result(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

/* Writes the mean result of each move, in points for the player to move. */
void teacher_values(const struct teacher *teacher,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, uint64_t *random,
    double *values);

/*
 * Plays `deals` deals of a family, and adds a lesson for about half of the
 * positions with a choice.
 */
void teacher_teach(const struct teacher *teacher, enum policy_family family,
    int deals, uint64_t *random, struct lessons *lessons);

#endif
