/*
 * The points of a deal, divided into items with names; and the tally of a match:
 * the scores after each deal, and the winner.
 */
#ifndef SCOPA_SCORE_H
#define SCOPA_SCORE_H

#include "scopa/deal.h"

enum scopa_item {
	SCOPA_ITEM_CARDS,
	SCOPA_ITEM_COINS,
	SCOPA_ITEM_SETTEBELLO,
	SCOPA_ITEM_PRIMIERA,
	SCOPA_ITEM_SCOPE,
	SCOPA_ITEM_SEVENS,
	SCOPA_ITEM_ALL_SEVENS,
	SCOPA_ITEM_NAPOLA,
	SCOPA_ITEM_RE_BELLO,
	SCOPA_ITEM_PONINO,
	SCOPA_ITEM_TRENTE,
	SCOPA_ITEM_FRAC,
	SCOPA_ITEM_FRAC_KING,
	SCOPA_ITEM_PICCOLA,
	SCOPA_ITEM_GRANDE,
	SCOPA_ITEM_DECLARED,
	SCOPA_ITEM_ALL_COINS, /* no points: all ten coins win the match */
	SCOPA_ITEM_COUNT
};

struct scopa_score {
	int16_t quantity[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT];
	int16_t points[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT];
	int16_t total[SCOPA_TEAMS_MAX]; /* points of the deal */
	uint8_t winner; /* team that won instantly, or SCOPA_TEAM_NONE */
};

/* Returns the name in texts: `cards`, `all-sevens` and others. */
const char *scopa_item_name(enum scopa_item item);

/* Whether the rules count this item. */
bool scopa_item_counts(const struct scopa_rules *rules, enum scopa_item item);

/* Counts the points of a deal that is over. */
void scopa_score_count(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_score *score);

/*
 * Returns the sum of the best card of each suit; 0 when the pile has no valid
 * primiera (by primiera-missing).
 */
int scopa_primiera(const struct scopa_rules *rules, scopa_set captured);

enum scopa_tally_state {
	SCOPA_TALLY_OPEN,   /* another deal follows */
	SCOPA_TALLY_TARGET, /* the target was reached and one team leads */
	SCOPA_TALLY_DEALS,  /* the fixed number of deals has been played */
	SCOPA_TALLY_INSTANT /* a team won instantly */
};

struct scopa_tally {
	int32_t scores[SCOPA_TEAMS_MAX];
	int32_t deal_count; /* deals played so far */
	int32_t deals;      /* fixed number of deals; 0: played to the target */
	uint8_t dealer;     /* seat that deals next */
	uint8_t state;      /* enum scopa_tally_state */
	uint8_t winner;     /* team; SCOPA_TEAM_NONE: open or drawn */
};

/*
 * Starts a match with a fixed number of deals; 0: to the target of the rules.
 */
void scopa_tally_init(struct scopa_tally *tally, int dealer, int deals);

/*
 * Adds the score of a deal, sets the next dealer and decides whether the match
 * is over.  The match must be open.
 */
void scopa_tally_add(const struct scopa_rules *rules, struct scopa_tally *tally,
    const struct scopa_score *score);

#endif
