/*
 * One world that wanders: cards are swapped between hands, two at a time, so
 * that it stays in each world as often as the plays weigh (Metropolis).
 */
#ifndef SCOPA_BOT_METROPOLIS_H
#define SCOPA_BOT_METROPOLIS_H

#include "belief.h"

/* Sums over the cards of one holder. */
struct metropolis_sums {
	double odds[BELIEF_PLAYS_MAX];
	double moves[BELIEF_PLAYS_MAX];
};

/* One state of the chain. */
struct metropolis {
	scopa_card cards[SCOPA_PACK_SIZE];
	uint8_t holders[SCOPA_PACK_SIZE]; /* of each of the cards */
	int count;
	scopa_set hands[BELIEF_HOLDERS_MAX];
	struct metropolis_sums sums[BELIEF_HOLDERS_MAX];
	double weights[BELIEF_HOLDERS_MAX];
};

/* Any world, whatever the plays say. */
void metropolis_start(
    struct metropolis *chain, const struct belief *belief, uint64_t *random);

/* Tries to swap two cards between their holders. */
void metropolis_swap(
    struct metropolis *chain, const struct belief *belief, uint64_t *random);

/* The logarithm of what the plays say of the world as it is. */
double metropolis_log_weight(
    const struct metropolis *chain, const struct belief *belief);

/* Odds against the plays of a holder, and their numbers, with this hand. */
void metropolis_sums_of(const struct belief_holder *holder, scopa_set hand,
    struct metropolis_sums *sums);

/* How likely one of these plays is: 0 to 1, always positive. */
double metropolis_play_weight(
    const struct belief *belief, const struct metropolis_sums *sums, int play);

/* The product over all of them, and of not having declared the hand. */
double metropolis_hand_weight(const struct belief *belief,
    const struct belief_holder *holder, scopa_set hand);

#endif
