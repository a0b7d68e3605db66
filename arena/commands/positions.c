#include "positions.h"

#include <errno.h>
#include <stdlib.h>

enum { CAPACITY_MIN = 64 };

const char *
position_move_text(
    const struct scopa_move *move, char bytes[POSITION_MOVE_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, bytes, POSITION_MOVE_SIZE);
	scopa_move_format(move, &text);
	return bytes;
}

void
positions_init(struct positions *positions, const struct positions_wish *wish)
{
	*positions = (struct positions){ .wish = *wish };
}

void
positions_release(struct positions *positions)
{
	free(positions->items);
}

static bool
is_wanted(const struct positions_wish *wish, const struct position *position)
{
	return (wish->deal == 0 || wish->deal == position->number) &&
	    (wish->play == 0 || wish->play == position->play);
}

static void
position_add(struct positions *positions, const struct position *position)
{
	if (positions->count == positions->capacity) {
		int capacity = positions->capacity > 0 ? 2 * positions->capacity
						       : CAPACITY_MIN;
		struct position *items = reallocarray(positions->items,
		    (size_t)capacity, sizeof(*positions->items));

		if (!items) {
			positions->no_memory = true;
			return;
		}
		positions->items = items;
		positions->capacity = capacity;
	}
	positions->items[positions->count++] = *position;
}

static void
hear_decision(void *context, const struct replay_decision *decision)
{
	struct positions *positions = context;
	const struct game *game = decision->game;
	struct position position = {
		.deal = game->deal,
		.tally = game->tally,
		.move = *decision->move,
		.by_arena = decision->by_arena,
		.number = game->tally.deal_count + 1,
		.play = game->deal.play_count + 1,
	};

	/* Lines that come again: the block is gone through once more. */
	if (decision->line <= positions->line)
		positions->count = 0;
	positions->line = decision->line;
	if (is_wanted(&positions->wish, &position))
		position_add(positions, &position);
}

int
positions_gather(struct positions *positions, const struct record_visit *visit)
{
	struct replay_order order = {
		.seat = REPLAY_EVERYBODY,
		.hear = hear_decision,
		.context = positions,
	};
	struct record_fault fault;
	int error;

	positions->count = 0;
	positions->line = 0;
	error = replay_run(
	    visit->replay, visit->block, &order, visit->record, &fault);
	return positions->no_memory ? -ENOMEM : error;
}
