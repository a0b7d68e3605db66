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
		summary->party_count = scopa_party_count(rules);
		for (int seat = 0; seat < rules->players; seat++) {
			summary->party[seat] = scopa_party_of(rules, seat);
			snprintf(summary->names[seat],
			    sizeof(summary->names[seat]), "bot-%d",
			    plan->bots[plan->seating[game][seat]] + 1);
		}
		summary->deal_count = 1;
		summary->winner = summary->forfeiter = SCOPA_PARTY_NONE;
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
			    : scopa_party_of(rules, seat);

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
	int party = block_party(rules, &block->plan, game, member);

	block->games[game].scores[party] = points;
	block->games[game].item_points[party][SCOPA_ITEM_SCOPE] = points;
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
	for (int party = 1; party < summary->party_count; party++)
		if (sign * (summary->scores[party] - summary->scores[best]) > 0)
			best = party;
	for (int party = 0; party < summary->party_count; party++)
		equals += summary->scores[party] == summary->scores[best];
	summary->winner = equals == 1 ? best : SCOPA_PARTY_NONE;
}

void
blocks_forfeit(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, enum offence_kind offence)
{
	struct summary *summary = &block->games[game];

	summary->forfeiter = block_party(rules, &block->plan, game, member);
	/* Two parties leave one winner; of more, the leader by points wins. */
	summary->winner = summary->party_count == 2 ? 1 - summary->forfeiter
						    : SCOPA_PARTY_NONE;
	for (int seat = 0; seat < summary->seat_count; seat++)
		if (block->plan.seating[game][seat] == member)
			summary->offender = seat;
	summary->offence = offence;
	summary->offences[summary->offender][offence]++;
	strcpy(summary->reason, "forfeit");
}
