/*
 * Blocks whose results are made up, and what counts them.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "block.h"
#include "standings.h"

/*
 * A block of so many games of these bots, all drawn 0:0 after one deal each.
 * The seats move on by one from game to game; one bot a seat where there are
 * as many, else one a team.
 */
struct block_result blocks_make(const struct scopa_rules *rules,
    const int *bots, int bot_count, int game_count);

/* The same for a plan. */
struct block_result blocks_of_plan(
    const struct scopa_rules *rules, const struct block_plan *plan);

/* Sets the points of the team of a member. */
void blocks_score(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, int points);

/* Makes the seats in order have these points, and the best one the winner. */
void blocks_scores(const struct scopa_rules *rules, struct block_result *block,
    int game, const int *points);

/* The member's last seat loses the game for its team. */
void blocks_forfeit(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, enum offence_kind offence);

/* The standings of the running test; for cmocka: closes them. */
extern struct standings standings;
int blocks_teardown(void **state);

#endif
