/*
 * Rewards: what the points of a finished deal are worth to each party.
 */
#ifndef SCOPA_BOT_REWARD_H
#define SCOPA_BOT_REWARD_H

#include "search.h"

/*
 * Points less those of the best other party, which is the one with the fewest
 * where points are bad; there the sign is turned.  Whoever has won the match
 * at a blow is given what he was short of the target before the deal.
 */
void reward_difference(
    void *context, const struct search_end *end, double *rewards);

/* 1, 0 or -1: what is left of reward_difference but its sign. */
void reward_win(void *context, const struct search_end *end, double *rewards);

/* Points of the party alone, negative where they are bad. */
void reward_points(
    void *context, const struct search_end *end, double *rewards);

#endif
