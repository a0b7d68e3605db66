#include "plan.h"

#include <stdio.h>

/* Ways of seating: of the parties where an entrant is a party, else of seats. */
static int
rotation_count(const struct series_config *config)
{
	return config->duplicate ? config->entrant_count : 1;
}

int64_t
series_game_count(const struct series_config *config)
{
	return (int64_t)config->rounds * rotation_count(config);
}

struct match_game
plan_game(const struct series_config *config, int index)
{
	int seats = config->rules.rules.players;
	struct match_game game = {
		.index = index,
		.round = index / rotation_count(config),
		.rotation = index % rotation_count(config),
	};

	game.dealer = (seats - 1 + game.round) % seats;
	for (int seat = 0; seat < seats; seat++)
		game.player[seat] = (seat + game.rotation) % seats;
	snprintf(game.event, sizeof(game.event), "round-%d", game.round + 1);
	return game;
}

int
plan_entrant(const struct series_config *config, int player)
{
	if (config->entrant_count == config->rules.rules.players)
		return player;
	return scopa_party_of(&config->rules.rules, player);
}
