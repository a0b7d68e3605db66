/*
 * What the files that judge a position share; nobody else includes this.
 */
#ifndef SCOPA_BOT_OUTLOOK_PARTS_H
#define SCOPA_BOT_OUTLOOK_PARTS_H

#include <assert.h>

#include "outlook.h"

enum {
	OUTLOOK_LEVEL_BITS = 4, /* of a level where several share a word */
	OUTLOOK_LEVEL_MASK = 15,
	OUTLOOK_LEVEL_TOP = OUTLOOK_LEVEL_COUNT - 1
};

/* A bit for each rank, as the cards of one suit lie in a set. */
#define OUTLOOK_RANKS SCOPA_SET_DENARI
#define OUTLOOK_RANK(value) (UINT64_C(1) << (4 * ((value)-1)))

enum { OUTLOOK_SALT_COUNT = 8 };

/* Odd constants without a pattern. */
extern const uint64_t outlook_salts[OUTLOOK_SALT_COUNT];

/* Two words to one that depends on every bit of both. */
static inline uint64_t
outlook_mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = a;

	product *= b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Shifts a field of so many bits into a word. */
static inline void
outlook_field(uint64_t *word, int bits, unsigned value)
{
	assert(value < 1U << bits);
	*word = *word << bits | value;
}

/* Everything but the primiera: points, bounds, and what they depend on. */
void outlook_judge_points(struct outlook *outlook);

/*
 * The primiera: suits in which nothing can change are summed up, and cards that
 * can better nobody's are out of it.
 */
void outlook_judge_primiera(
    struct outlook *outlook, struct outlook_levels levels);

#endif
