/*
 * The rules of the tradition of Scopone, each with what it counts and how much
 * that weighs.
 *
 * A player adds up what all rules say of a move, in points of the deal.  The
 * rules come from what has been handed down since Chitarrella; the weights are
 * measured, most of them in duplicate deals against the greedy bot.
 */
#ifndef SCOPA_BOT_TRADITION_H
#define SCOPA_BOT_TRADITION_H

#include "reply_analysis.h"
#include "scopa/deal.h"

struct tradition_rule {
	const char *name;     /* one word */
	const char *sentence; /* what it asks for */
	double weight;        /* points for each of what `judge` counts */
	double (*judge)(const struct reply_context *context,
	    const struct reply_analysis *replies);
};

enum { TRADITION_RULES_MAX = 32 };

extern const struct tradition_rule tradition_rules[];
extern const int tradition_rule_count;

/*
 * What each rule says of a move, by its weight, to `parts` (TRADITION_RULES_MAX
 * of them are enough); returns their sum.
 */
double tradition_judge(const struct reply_context *context,
    const struct reply_analysis *replies, double *parts);

/* Moves whose worth differs by less are the same to a player. */
#define TRADITION_EQUAL 1e-9

/*
 * Whether the rules alone, where nothing is worked out, make this legal move:
 * no slower than they must.
 */
bool tradition_makes(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    const struct scopa_move *move);

/*
 * How far a player by these rules prefers each of `count` legal moves of the
 * seat to move, a card each: odds, which compare with those of moves that are
 * not in the list.
 */
void tradition_odds(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, float *odds);

#endif
