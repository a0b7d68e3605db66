#include "replay.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "replay_state.h"

int
replay_open(struct replay **replay)
{
	*replay = calloc(1, sizeof(**replay));
	return *replay ? 0 : -ENOMEM;
}

void
replay_close(struct replay *replay)
{
	free(replay);
}

const struct record_head *
replay_head(const struct replay *replay)
{
	return &replay->head;
}

const struct game *
replay_game(const struct replay *replay)
{
	return &replay->game;
}

/* Who deals first: as the first `deal` line says, or the last seat. */
static int
find_dealer(struct replay *replay, int *dealer)
{
	int players = replay->head.rules.players;
	struct dealing dealing = { .deal_line = 0 };

	*dealer = players - 1;
	for (size_t i = 0; i < replay->block->line_count; i++) {
		if (!dealing_begins(
			replay->block, &replay->block->lines[i], -1))
			continue;
		if (!dealing_find(replay->block, i, &dealing, replay->fault))
			return -EBADMSG;
		break;
	}
	if (dealing.deal_line == 0)
		return 0;
	if (dealing.deal.dealer >= players || dealing.deal.first >= players) {
		record_fault_set(replay->fault, dealing.deal_line,
		    "this game has only %d seats", players);
		return -EBADMSG;
	}
	if (dealing.deal.dealer >= 0)
		*dealer = dealing.deal.dealer;
	else if (dealing.deal.first >= 0)
		*dealer = (dealing.deal.first + players - 1) % players;
	return 0;
}

/* What is left to do behind the last line. */
static int
close_block(struct replay *replay, enum course *course)
{
	struct game *game = &replay->game;

	replay->at = replay->block->line_count - 1;
	*course = COURSE_CLOSED;
	if (replay->closed)
		return 0;
	if (game->phase == GAME_OVER) {
		game_end(game, &replay->outbox);
		return replay_emit(replay);
	}
	if (replay->forfeited)
		return replay_close_early(replay, "forfeit");
	if (game->phase == GAME_MOVE) {
		record_fault_set(replay->fault, replay->block->last_line,
		    "plays are missing behind this line: deal %d is not over",
		    game->tally.deal_count + 1);
		return -EBADMSG;
	}
	if (game->tally.deal_count == 0)
		return replay_blame(replay, "the match has no deal");
	*course = COURSE_OPEN;
	return 0;
}

/* The whole block as a match of so many deals, or 0: to the target. */
static int
play_block(struct replay *replay, int deals, enum course *course)
{
	int seat = replay->order.seat, dealer;
	int error = find_dealer(replay, &dealer);

	if (error)
		return error;
	record_clear(replay->out);
	replay->dealing = (struct dealing){ .number = -1 };
	replay->offender = PARTY_NOBODY;
	replay->forfeited = replay->closed = replay->early = false;
	outbox_init(&replay->outbox,
	    seat == REPLAY_EVERYBODY ? 0 : replay->head.rules.players);
	for (int other = 0; other < SCOPA_SEATS_MAX; other++)
		replay->outbox.hears[other] = other == seat;
	game_open(&replay->game,
	    &(struct game_opening){
		.rules = &replay->head.rules,
		.preset = replay->head.preset,
		.head = &replay->head.game,
		.dealer = dealer,
		.deals = deals,
		.max_deals = replay->head.game.match.max_deals,
	    },
	    &replay->outbox);
	error = replay_emit(replay);
	for (replay->at = 1; !error && replay->at < replay->block->line_count;
	     replay->at++)
		error = replay_line(replay);
	if (error && replay->early) {
		*course = COURSE_EARLY;
		return error;
	}
	return error ? error : close_block(replay, course);
}

int
replay_run(struct replay *replay, const struct record_block *block,
    const struct replay_order *order, struct record *out,
    struct record_fault *fault)
{
	enum course course = COURSE_CLOSED;
	int error, deals;

	assert(block->line_count > 0 && !block->outside && !block->fault.line);
	*fault = (struct record_fault){ .line = 0 };
	replay->block = block;
	replay->order = *order;
	replay->out = out;
	replay->fault = fault;
	replay->at = 0;
	if (!record_head_read(block, &replay->head, fault))
		return -EBADMSG;
	if (order->seat >= replay->head.rules.players)
		return replay_blame(replay, "this game has no such seat");
	deals = replay->head.deals;
	error = play_block(replay, deals, &course);
	/* A match that does not end at its target is one of so many deals. */
	if (deals == 0 &&
	    ((error && course == COURSE_EARLY && !replay->head.target_said) ||
		(!error && course == COURSE_OPEN))) {
		*fault = (struct record_fault){ .line = 0 };
		error = play_block(replay, dealing_count(block), &course);
	}
	if (!error && course == COURSE_OPEN) {
		replay->at = block->line_count - 1;
		record_fault_set(fault, block->last_line,
		    "deals are missing behind this line: %d of %d are there",
		    replay->game.tally.deal_count, replay->game.tally.deals);
		error = -EBADMSG;
	}
	return error;
}
