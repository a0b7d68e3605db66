#include "reflex.h"

#include "splitmix.h"

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

	uint32_t skip = splitmix_below(turn->random, count);

	do
		move = token_take(&list);
	while (skip-- > 0);
	scopa_text_bytes(answer, move.bytes, move.length);
	return true;
}
