/*
 * Implements block.h: the margin and the result of a block from the points of
 * its games.
 */
#include "block.h"

#include <assert.h>
#include <string.h>

#include "game.h"

/* 1 where more points are better, -1 where fewer are. */
static int
aim_sign(const struct scopa_rules *rules)
{
	return rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
}

int
block_team(const struct scopa_rules *rules, const struct block_plan *plan,
    int game, int member)
{
	int seat = 0;

	assert(member >= 0 && member < plan->bot_count);
	assert(game >= 0 && game < plan->game_count);
	while (plan->seating[game][seat] != member) {
		seat++;
		assert(seat < rules->players);
	}
	return scopa_team_of(rules, seat);
}

/* Above 0 if `one` came out better than `other`, 0 if they are equal. */
static int
compare(const struct scopa_rules *rules, const struct summary *game, int one,
    int other)
{
	int32_t ahead = game->scores[one] - game->scores[other];

	if (one == other || strcmp(game->reason, GAME_REASON_MAX_DEALS) == 0)
		return 0;
	if (game->forfeiter == one || game->winner == other)
		return -1;
	if (game->forfeiter == other || game->winner == one)
		return 1;
	return aim_sign(rules) * ((ahead > 0) - (ahead < 0));
}

int
block_rank(
    const struct scopa_rules *rules, const struct summary *game, int team)
{
	int rank = 0;

	for (int other = 0; other < scopa_team_count(rules); other++)
		if (compare(rules, game, team, other) < 0)
			rank++;
	return rank;
}

/* Points a deal by which `one` is ahead of `other`; they may be bad points. */
static double
lead(const struct scopa_rules *rules, const struct summary *game, int one,
    int other)
{
	int32_t points = game->scores[one] - game->scores[other];

	if (game->forfeiter == other)
		return scopa_points_max(rules);
	if (game->forfeiter == one)
		return -scopa_points_max(rules);
	if (game->forfeiter != SCOPA_TEAM_NONE || game->deal_count == 0)
		return 0.0;
	return (double)(aim_sign(rules) * points) / game->deal_count;
}

struct block_share
block_share(const struct scopa_rules *rules, const struct block_result *block,
    int game, int member)
{
	const struct summary *summary = &block->games[game];
	int own = block_team(rules, &block->plan, game, member);
	int others = scopa_team_count(rules) - 1;
	struct block_share share = {
		.forfeit = summary->forfeiter != SCOPA_TEAM_NONE,
	};

	assert(!block->skipped);
	for (int team = 0; team <= others; team++) {
		if (team == own)
			continue;
		share.margin += lead(rules, summary, own, team);
		share.score += 1 + compare(rules, summary, own, team);
	}
	share.margin /= others;
	share.score /= 2 * others;
	return share;
}

struct block_share
block_mean(const struct scopa_rules *rules, const struct block_result *block,
    int member)
{
	struct block_share mean = { 0 };
	int games = block->plan.game_count;

	assert(games > 0);
	for (int game = 0; game < games; game++) {
		struct block_share share =
		    block_share(rules, block, game, member);

		mean.margin += share.margin;
		mean.score += share.score;
		mean.forfeit |= share.forfeit;
	}
	mean.margin /= games;
	mean.score /= games;
	return mean;
}

struct block_share
block_duel(const struct scopa_rules *rules, const struct block_result *block,
    int game, int member, int other)
{
	const struct summary *summary = &block->games[game];
	int own = block_team(rules, &block->plan, game, member);
	int against = block_team(rules, &block->plan, game, other);

	assert(own != against && !block->skipped);
	return (struct block_share){
		.margin = lead(rules, summary, own, against),
		.score = (1 + compare(rules, summary, own, against)) / 2.0,
		.forfeit = summary->forfeiter != SCOPA_TEAM_NONE,
	};
}

bool
block_mirrored(
    const struct scopa_rules *rules, const struct block_result *block)
{
	const struct summary *one = &block->games[0], *two = &block->games[1];
	int teams = scopa_team_count(rules);

	if (block->skipped || block->plan.game_count != 2 || teams != 2)
		return false;
	if (one->forfeiter != SCOPA_TEAM_NONE ||
	    two->forfeiter != SCOPA_TEAM_NONE || one->winner != two->winner ||
	    one->deal_count != two->deal_count)
		return false;
	for (int team = 0; team < teams; team++) {
		if (one->scores[team] != two->scores[team] ||
		    memcmp(one->item_points[team], two->item_points[team],
			sizeof(one->item_points[team])) != 0)
			return false;
	}
	return true;
}
