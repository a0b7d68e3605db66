#include "simple_bots.h"

#include <assert.h>

#include "greedy.h"
#include "scopa/notation.h"
#include "splitmix.h"

bool
simple_random_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct token list = { turn->legal, turn->legal_length };
	struct token left = list;
	struct token move = token_next(&left);
	uint32_t count = 0;

	while (move.length > 0 && !token_is(move, BUILTIN_LEGAL_CUT)) {
		count++;
		move = token_next(&left);
	}
	if (count == 0)
		return false;

	uint32_t skip = splitmix_below(turn->random, count);

	do
		move = token_next(&list);
	while (skip-- > 0);
	scopa_text_bytes(answer, move.bytes, move.length);
	return true;
}

/* Any legal move. */
static struct scopa_move
blunder_move(const struct builtin_turn *turn)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count =
	    scopa_moves(turn->rules, turn->deal, moves, SCOPA_MOVES_MAX);

	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	return moves[splitmix_below(turn->random, (uint32_t)count)];
}

bool
simple_greedy_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	bool blunder = splitmix_below(turn->random, SIMPLE_GREEDY_BLUNDER_MAX) <
	    turn->options[SIMPLE_GREEDY_BLUNDER];
	struct scopa_move move =
	    blunder ? blunder_move(turn) : greedy_move(turn->rules, turn->deal);

	scopa_move_format(&move, answer);
	return true;
}
