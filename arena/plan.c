#include "plan.h"

#include <stdio.h>

/* Ways of seating: of the parties where an entrant is a party, else of seats. */
static int
rotation_count(const struct plan *plan)
{
	return plan->duplicate ? plan->entrant_count : 1;
}

int64_t
plan_game_count(const struct plan *plan)
{
	return (int64_t)plan->rounds * rotation_count(plan);
}

struct series_game
plan_game(const struct plan *plan, int index)
{
	int seats = plan->rules->players;
	struct series_game game = {
		.index = index,
		.round = index / rotation_count(plan),
		.rotation = index % rotation_count(plan),
	};

	game.dealer = (seats - 1 + game.round) % seats;
	for (int seat = 0; seat < seats; seat++) {
		int place = (seat + game.rotation) % seats;

		game.entrant[seat] = plan->entrant_count == seats
		    ? place
		    : scopa_party_of(plan->rules, place);
	}
	snprintf(game.event, sizeof(game.event), "round-%d", game.round + 1);
	return game;
}
