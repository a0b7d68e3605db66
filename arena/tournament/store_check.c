#include <stdio.h>
#include <string.h>

#include "store.h"

static bool
flaw(char why[STORE_TEXT_SIZE], const struct block_plan *plan,
    const char *sentence)
{
	snprintf(why, STORE_TEXT_SIZE, "block %lld %s",
	    (long long)plan->index + 1, sentence);
	return false;
}

static bool
check_plan(const struct store_head *head, const struct block_plan *plan,
    char why[STORE_TEXT_SIZE])
{
	int seat_count = scopa_seatings[head->teams].players;

	if (plan->index < 0 || plan->round < 0 || plan->stage < 0 ||
	    plan->dealer < 0 || plan->dealer >= seat_count)
		return flaw(why, plan, "has numbers that no block has");
	if (plan->game_count != head->game_count)
		return flaw(why, plan, "has not as many games as all others");
	if (plan->bot_count < 2 || plan->bot_count > seat_count)
		return flaw(why, plan, "has more bots than seats, or one");
	for (int i = 0; i < plan->bot_count; i++) {
		if (plan->bots[i] < 0 || plan->bots[i] >= head->bot_count)
			return flaw(why, plan, "has a bot that is not there");
		for (int other = 0; other < i; other++)
			if (plan->bots[i] == plan->bots[other])
				return flaw(why, plan, "has a bot twice");
	}
	for (int game = 0; game < plan->game_count; game++)
		for (int seat = 0; seat < seat_count; seat++)
			if (plan->seating[game][seat] >= plan->bot_count)
				return flaw(why, plan, "seats nobody");
	return true;
}

static bool
game_flaw(char why[STORE_TEXT_SIZE], const struct block_plan *plan, int at,
    const char *sentence)
{
	snprintf(why, STORE_TEXT_SIZE, "game %lld of block %lld %s",
	    (long long)plan->index * plan->game_count + at + 1,
	    (long long)plan->index + 1, sentence);
	return false;
}

static bool
is_team(const struct summary *game, int team)
{
	return team == SCOPA_TEAM_NONE ||
	    (team >= 0 && team < game->team_count);
}

static bool
check_game(const struct store_head *head, const struct block_plan *plan, int at,
    const struct summary *game, char why[STORE_TEXT_SIZE])
{
	const struct scopa_seating *seating = &scopa_seatings[head->teams];

	if (game->game != plan->index * plan->game_count + at)
		return game_flaw(why, plan, at, "has another number");
	if (game->round != plan->round || game->rotation != at)
		return game_flaw(
		    why, plan, at, "was played as one of another round");
	if (game->seat_count != seating->players ||
	    game->team_count != seating->teams)
		return game_flaw(why, plan, at, "has not the usual seats");
	for (int seat = 0; seat < game->seat_count; seat++) {
		int bot = plan->bots[plan->seating[at][seat]];

		if (game->team[seat] != seating->team[seat])
			return game_flaw(
			    why, plan, at, "has not the usual teams");
		if (strcmp(game->names[seat], head->bots[bot].name) != 0)
			return game_flaw(
			    why, plan, at, "has another bot at a seat");
	}
	if (!is_team(game, game->winner) || !is_team(game, game->forfeiter) ||
	    game->offender < -1 || game->offender >= game->seat_count)
		return game_flaw(why, plan, at, "was lost by nobody there");
	return true;
}

bool
store_block_check(const struct store_head *head,
    const struct block_result *block, char why[STORE_TEXT_SIZE])
{
	if (!check_plan(head, &block->plan, why))
		return false;
	if (block->skipped)
		return true;
	for (int i = 0; i < block->plan.game_count; i++)
		if (!check_game(head, &block->plan, i, &block->games[i], why))
			return false;
	return true;
}
