#include "blocks.h"

#include <stdio.h>
#include <string.h>

struct block_result
blocks_of_plan(const struct scopa_rules *rules, const struct block_plan *plan)
{
	struct block_result block;

	memset(&block, 0, sizeof(block));
	block.plan = *plan;
	for (int game = 0; game < plan->game_count; game++) {
		struct summary *summary = &block.games[game];

		summary->game = plan->index * plan->game_count + game;
		summary->round = plan->round;
		summary->rotation = game;
		summary->seat_count = rules->players;
		summary->team_count = scopa_team_count(rules);
		for (int seat = 0; seat < rules->players; seat++) {
			summary->team[seat] = scopa_team_of(rules, seat);
			snprintf(summary->names[seat],
			    sizeof(summary->names[seat]), "bot-%d",
			    plan->bots[plan->seating[game][seat]] + 1);
		}
		summary->deal_count = 1;
		summary->winner = summary->forfeiter = SCOPA_TEAM_NONE;
		strcpy(summary->reason, "deals");
		summary->offender = -1;
	}
	return block;
}

struct block_result
blocks_make(const struct scopa_rules *rules, const int *bots, int bot_count,
    int game_count)
{
	struct block_plan plan = {
		.bot_count = bot_count,
		.game_count = game_count,
	};

	memcpy(plan.bots, bots, (size_t)bot_count * sizeof(*bots));
	for (int game = 0; game < game_count; game++) {
		for (int seat = 0; seat < rules->players; seat++) {
			int place = bot_count == rules->players
			    ? seat
			    : scopa_team_of(rules, seat);

			plan.seating[game][seat] =
			    (uint8_t)((place + game) % bot_count);
		}
	}
	return blocks_of_plan(rules, &plan);
}

void
blocks_score(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, int points)
{
	int team = block_team(rules, &block->plan, game, member);

	block->games[game].scores[team] = points;
	block->games[game].item_points[team][SCOPA_ITEM_SCOPE] = points;
}

void
blocks_scores(const struct scopa_rules *rules, struct block_result *block,
    int game, const int *points)
{
	struct summary *summary = &block->games[game];
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	int best = 0, equals = 0;

	for (int member = 0; member < block->plan.bot_count; member++)
		blocks_score(rules, block, game, member, points[member]);
	for (int team = 1; team < summary->team_count; team++)
		if (sign * (summary->scores[team] - summary->scores[best]) > 0)
			best = team;
	for (int team = 0; team < summary->team_count; team++)
		equals += summary->scores[team] == summary->scores[best];
	summary->winner = equals == 1 ? best : SCOPA_TEAM_NONE;
}

void
blocks_forfeit(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, enum offence_kind offence)
{
	struct summary *summary = &block->games[game];

	summary->forfeiter = block_team(rules, &block->plan, game, member);
	/*
	 * With two teams the other one wins; with more, the leader by points
	 * wins.
	 */
	summary->winner =
	    summary->team_count == 2 ? 1 - summary->forfeiter : SCOPA_TEAM_NONE;
	for (int seat = 0; seat < summary->seat_count; seat++)
		if (block->plan.seating[game][seat] == member)
			summary->offender = seat;
	summary->offence = offence;
	summary->offences[summary->offender][offence]++;
	strcpy(summary->reason, "forfeit");
}

struct standings standings;

int
blocks_teardown(void **state)
{
	(void)state;
	standings_close(&standings);
	return 0;
}
