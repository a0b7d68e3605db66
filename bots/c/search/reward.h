/*
 * Rewards: what the points of a finished deal are worth to each team, by
 * themselves or with an eye on the match.
 */
#ifndef SCOPA_BOT_REWARD_H
#define SCOPA_BOT_REWARD_H

#include "search.h"

/*
 * Points less those of the best other team, which is the one with the fewest
 * where points are bad; there the sign is turned.  A team that has won the
 * match instantly is given what it was short of the target before the deal.
 */
void reward_difference(
    void *context, const struct search_end *end, double *rewards);

/* 1, 0 or -1: what is left of reward_difference but its sign. */
void reward_win(void *context, const struct search_end *end, double *rewards);

/* Points of the team alone, negative where they are bad. */
void reward_points(
    void *context, const struct search_end *end, double *rewards);

/*
 * With an eye on the match.
 *
 * Far from the target that is the difference of the points.  In a deal that may
 * decide the match it is the chance to win it, scaled so that a point is worth
 * about one where all is open, and a tenth of the difference, which keeps
 * playing where the match is as good as over.
 */
struct match_equity {
	bool to_target; /* the match goes to the target of the rules */
};

/*
 * For struct search_reward; `context` is a struct match_equity.  Points less
 * the mean of the others', negative where few are good; a match that is won
 * instantly is worth more than any points.
 */
void match_equity_count(
    void *context, const struct search_end *end, double *rewards);

/* Whether it is the match that counts in this deal. */
bool match_equity_decides(const struct match_equity *equity,
    const struct scopa_rules *rules, const struct scopa_view *view);

#endif
