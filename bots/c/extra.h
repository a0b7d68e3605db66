/*
 * What the rules of a variant add to the value of some cards.
 */
#ifndef SCOPA_BOT_EXTRA_H
#define SCOPA_BOT_EXTRA_H

#include "scopa/rules.h"

/* In the game of frac these alone count: aces and pictures. */
extern const scopa_set extra_frac_cards;

/*
 * Adds it to the values of the cards of the pack, in hundredths of a point: as
 * much of the points that a card helps to make as it has a share in them.
 */
void extra_add(const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE]);

#endif
