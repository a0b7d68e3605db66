/* The captures that win the match instantly. */
#ifndef SCOPA_INSTANT_H
#define SCOPA_INSTANT_H

#include "scopa/rules.h"

/* Ace, two and three of coins. */
#define INSTANT_TRENTE (SCOPA_SET_DENARI & UINT64_C(0xFFF))

/* Whether a team with this pile wins the match by the rules. */
static inline bool
instant_wins(const struct scopa_rules *rules, scopa_set captured)
{
	if (rules->trente && (captured & INSTANT_TRENTE) == INSTANT_TRENTE)
		return true;
	return rules->all_coins == SCOPA_ALL_COINS_WIN &&
	    (captured & SCOPA_SET_DENARI) == SCOPA_SET_DENARI;
}

#endif
