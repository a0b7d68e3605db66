#include "reflex.h"

#include <assert.h>

#include "splitmix.h"

/* 0 to bound - 1, all equally likely (Lemire's multiplication). */
static uint32_t
random_below(uint64_t *state, uint32_t bound)
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

uint64_t
reflex_seed(struct token seed)
{
	uint64_t state = seed.length;

	for (size_t i = 0; i < seed.length; i++) {
		state ^= (unsigned char)seed.bytes[i];
		state = splitmix_next(&state);
	}
	return state;
}

bool
reflex_first(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct token list = { turn->legal, turn->legal_length };
	struct token move = token_take(&list);

	if (move.length == 0)
		return false;
	scopa_text_bytes(answer, move.bytes, move.length);
	return true;
}

bool
reflex_random(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct token list = { turn->legal, turn->legal_length };
	struct token left = list;
	struct token move = token_take(&left);
	uint32_t count = 0;

	while (move.length > 0 && !token_is(move, REFLEX_CUT)) {
		count++;
		move = token_take(&left);
	}
	if (count == 0)
		return false;

	uint32_t skip = random_below(turn->random, count);

	do
		move = token_take(&list);
	while (skip-- > 0);
	scopa_text_bytes(answer, move.bytes, move.length);
	return true;
}
