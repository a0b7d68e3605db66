/*
 * What each card is worth to whoever takes it: what the rules of a variant add
 * to the value of some cards, and what it still changes in the deal.
 *
 * A card is worth what it changes in the end: a coin much while the coins
 * hang in the balance, and nothing once six of them lie in one pile.
 */
#ifndef SCOPA_BOT_CARD_VALUE_H
#define SCOPA_BOT_CARD_VALUE_H

#include "scopa/rules.h"

/* In the game of frac these alone count: aces and pictures. */
extern const scopa_set card_value_frac_cards;

/*
 * Adds what the rules of a variant add to the values of the cards of the pack,
 * in hundredths of a point: as much of the points that a card helps to make as
 * it has a share in them.
 */
void card_value_add_extras(
    const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE]);

/*
 * Points of the deal that the team gains, or keeps from the best of the
 * others, with each card of the pack; half the difference between having it
 * and leaving it.  Cards and coins count by how likely one more decides, the
 * rest of them being shared by tosses of a coin.  The primiera counts what a
 * card is better than the best one of its suit in the piles.
 */
void card_value_fill(const struct scopa_rules *rules,
    const scopa_set captured[SCOPA_TEAMS_MAX], int team,
    double card_values[SCOPA_PACK_SIZE]);

/* The sum over a set. */
double card_value_sum(
    const double card_values[SCOPA_PACK_SIZE], scopa_set cards);

#endif
