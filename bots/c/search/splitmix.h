/*
 * Random numbers for the choice of moves: fast, evenly distributed, and the
 * same sequence from the same state.  Packs of matches are not made with them.
 */
#ifndef SCOPA_BOT_SPLITMIX_H
#define SCOPA_BOT_SPLITMIX_H

#include <assert.h>
#include <stdint.h>

/* Advances the state and returns 64 mixed bits (Vigna's splitmix64). */
static inline uint64_t
splitmix_next(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/*
 * Returns 0 to bound - 1, all equally likely (Lemire's multiplication method).
 */
static inline uint32_t
splitmix_below(uint64_t *state, uint32_t bound)
{
	uint64_t product = (splitmix_next(state) >> 32) * bound;

	assert(bound > 0);
	if ((uint32_t)product < bound) {
		/*
		 * 2^32 mod bound: smaller products would favour some results.
		 */
		uint32_t surplus = -bound % bound;

		while ((uint32_t)product < surplus)
			product = (splitmix_next(state) >> 32) * bound;
	}
	return (uint32_t)(product >> 32);
}

/* Returns a number in [0, 1), uniformly distributed. */
static inline double
splitmix_unit(uint64_t *state)
{
	return (double)(splitmix_next(state) >> 11) * 0x1p-53;
}

/* Shuffles the cards; all orders are equally likely (Fisher and Yates). */
static inline void
splitmix_shuffle(uint64_t *state, uint8_t *cards, int count)
{
	for (int i = count - 1; i > 0; i--) {
		uint32_t other = splitmix_below(state, (uint32_t)i + 1);
		uint8_t card = cards[i];

		cards[i] = cards[other];
		cards[other] = card;
	}
}

#endif
