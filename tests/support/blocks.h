/*
 * Blocks with invented results, and the standings that count them.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "block.h"
#include "standings.h"

/*
 * A block of `game_count` games of these bots, all drawn 0:0 after one deal
 * each. From game to game each bot moves by one seat; there is one bot for each
 * seat if there are as many, otherwise one for each team.
 */
struct block_result blocks_make(const struct scopa_rules *rules,
    const int *bots, int bot_count, int game_count);

/* The same for the plan of a block. */
struct block_result blocks_of_plan(
    const struct scopa_rules *rules, const struct block_plan *plan);

/* Sets the points of the team of this member. */
void blocks_score(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, int points);

/* Sets the points of the seats in order; the best seat is the winner. */
void blocks_scores(const struct scopa_rules *rules, struct block_result *block,
    int game, const int *points);

/* The last seat of the member loses the game for its team. */
void blocks_forfeit(const struct scopa_rules *rules, struct block_result *block,
    int game, int member, enum offence_kind offence);

/* The standings of the running test; for cmocka: closes them. */
extern struct standings standings;
int blocks_teardown(void **state);

#endif
