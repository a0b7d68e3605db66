/*
 * What the policy tells about hidden hands: how much likelier the belief makes
 * the hands that are really held, as bits a position.
 */
#ifndef SCOPA_TUNE_INFERENCE_H
#define SCOPA_TUNE_INFERENCE_H

#include "belief.h"
#include "duel.h"

/* Of one part of the deal. */
struct inference_part {
	int count;      /* positions with something hidden */
	double bits;    /* mean gain over all worlds alike */
	double squares; /* mean of the squares of the gains */
};

/* Thirds of the plays of a deal. */
enum { INFERENCE_PARTS = 3 };

/*
 * Plays `deals` deals with the player in all seats and looks at every position
 * with the eyes of who is to move: the logarithm of the weight of the true
 * hands over the mean weight of `worlds` that are drawn alike.
 */
void inference_measure(const struct scopa_rules *rules,
    const struct duel_player *player, const struct belief_config *config,
    int deals, int worlds, uint64_t *random,
    struct inference_part parts[INFERENCE_PARTS]);

#endif
