/*
 * The end of a deal, when only few worlds remain: each of them is solved, and
 * the move that is best on average is made.
 *
 * Where one world remains (the last hands of two players) that is perfect play.
 * With more it lets every player act on cards that he will not see; for the two
 * last cards of each hand (90 worlds of four players) that does less harm than
 * the chances of a search.
 */
#ifndef SCOPA_BOT_ENDGAME_H
#define SCOPA_BOT_ENDGAME_H

#include "belief.h"
#include "search.h"
#include "solve.h"

/*
 * Judges every legal move by the mean of its exact values in all worlds of the
 * pool, by their weights, and writes them as rows, all worlds visited, with the
 * best move as the whole line.  False, and *result useless, where the pool is
 * not all worlds, there are more than two teams, the limits are reached or
 * their `stopped` said so.
 */
bool endgame_solve(const struct belief *belief,
    const struct solve_limits *limits, uint64_t *random,
    struct search_result *result);

#endif
