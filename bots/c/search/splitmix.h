/*
 * Numbers for choosing moves by: quick and even, and the same sequence in
 * every run.  Packs of real matches never come from here.
 */
#ifndef SCOPA_BOT_SPLITMIX_H
#define SCOPA_BOT_SPLITMIX_H

#include <assert.h>
#include <stdint.h>

/* The next state, and 64 bits of it well mixed (Vigna's splitmix64). */
static inline uint64_t
splitmix_next(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/* 0 to bound - 1, all equally likely (Lemire's multiplication). */
static inline uint32_t
splitmix_below(uint64_t *state, uint32_t bound)
{
	uint64_t product = (splitmix_next(state) >> 32) * bound;

	assert(bound > 0);
	if ((uint32_t)product < bound) {
		/* 2^32 mod bound: what would favour some results. */
		uint32_t surplus = -bound % bound;

		while ((uint32_t)product < surplus)
			product = (splitmix_next(state) >> 32) * bound;
	}
	return (uint32_t)(product >> 32);
}

/* A number from 0 to less than 1, all equally likely. */
static inline double
splitmix_unit(uint64_t *state)
{
	return (double)(splitmix_next(state) >> 11) * 0x1p-53;
}

/* Cards in any order, each as likely (Fisher and Yates). */
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
