/*
 * The card number `index` of a set.
 */
#ifndef SCOPA_SELECT_H
#define SCOPA_SELECT_H

#include "scopa/card.h"

/* Whether there may be a quicker way; a compiler may be told that there is not. */
#ifndef SELECT_DEPOSITS
#if defined(__x86_64__) && defined(__GNUC__)
#define SELECT_DEPOSITS 1
#else
#define SELECT_DEPOSITS 0
#endif
#endif

#if SELECT_DEPOSITS
/* What the processor said: 0 before it was asked. */
enum select_way { SELECT_UNKNOWN, SELECT_PLAINLY, SELECT_BY_DEPOSIT };

extern uint8_t select_way;

/* Asks it; whether select_by_deposit is the way. */
bool select_ask(void);

/*
 * Whether the processor deposits bits (PDEP of BMI2) as fast as it adds: all of
 * Intel's that can, and AMD's from Zen 3 on.  Older ones take a hundred steps.
 */
static inline bool
select_deposits(void)
{
	uint8_t way = __atomic_load_n(&select_way, __ATOMIC_RELAXED);

	return way == SELECT_UNKNOWN ? select_ask() : way == SELECT_BY_DEPOSIT;
}
#endif

/* For any processor: no branch depends on the cards. */
static inline scopa_card
select_plainly(scopa_set cards, uint32_t index, uint32_t card_count)
{
	for (uint32_t i = 1; i < card_count; i++)
		cards &= cards - (i <= index);
	return scopa_set_first(cards);
}

#if SELECT_DEPOSITS
/* In two instructions; only where select_deposits. */
static inline scopa_card
select_by_deposit(scopa_set cards, uint32_t index)
{
	scopa_set found;

	__asm__("pdepq %2, %1, %0"
		: "=r"(found)
		: "r"(UINT64_C(1) << index), "r"(cards));
	return scopa_set_first(found);
}
#endif

/* The card number `index` from the lowest, 0, of a set of so many. */
static inline scopa_card
select_card(scopa_set cards, uint32_t index, uint32_t card_count)
{
#if SELECT_DEPOSITS
	if (select_deposits())
		return select_by_deposit(cards, index);
#endif
	return select_plainly(cards, index, card_count);
}

#endif
