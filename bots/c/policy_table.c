/*
 * The weights of the move policy: set by hand, one column a phase of the deal.
 */
#include "policy.h"

/* clang-format off */
#define ALL(weight) { weight, weight, weight }
#define BY_HAND                                 \
	{                                       \
	[POLICY_CAPTURE] = ALL(1.0F),           \
	[POLICY_SWEEP] = ALL(4.0F),             \
	[POLICY_TAKE_CARDS] = ALL(3.0F),        \
	[POLICY_TAKE_COINS] = ALL(3.0F),        \
	[POLICY_TAKE_SETTEBELLO] = ALL(4.0F),   \
	[POLICY_TAKE_SEVENS] = ALL(0.6F),       \
	[POLICY_TAKE_PRIMIERA] = ALL(1.5F),     \
	[POLICY_TAKE_BONUS] = ALL(3.0F),        \
	[POLICY_NEXT_SWEEP] = ALL(-4.0F),       \
	[POLICY_NEXT_COINS] = ALL(-2.0F),       \
	[POLICY_NEXT_SETTEBELLO] = ALL(-4.0F),  \
	[POLICY_NEXT_SEVENS] = ALL(-0.6F),      \
	[POLICY_NEXT_PRIMIERA] = ALL(-1.5F),    \
	[POLICY_NEXT_BONUS] = ALL(-3.0F),       \
	[POLICY_LAY_HELD] = ALL(0.4F),          \
	[POLICY_LAY_COIN] = ALL(-1.0F),         \
	[POLICY_LAY_PRIMIERA] = ALL(-1.0F),     \
	}

const policy_weights policy_table[POLICY_FAMILY_COUNT] = {
	[POLICY_SCOPONE] = BY_HAND,
	[POLICY_PAIR] = BY_HAND,
	[POLICY_CROWD] = BY_HAND,
	[POLICY_PARTNERS] = BY_HAND,
	[POLICY_FIFTEEN] = BY_HAND,
	[POLICY_CIRULLA] = BY_HAND,
};
/* clang-format on */
