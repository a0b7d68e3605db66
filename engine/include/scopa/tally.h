/* The state of a match: the scores after each deal, and the winner. */
#ifndef SCOPA_TALLY_H
#define SCOPA_TALLY_H

#include "scopa/score.h"

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
