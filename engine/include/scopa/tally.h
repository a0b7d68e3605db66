/*
 * From deals to a match: the running scores, and who has won.
 */
#ifndef SCOPA_TALLY_H
#define SCOPA_TALLY_H

#include "scopa/score.h"

enum scopa_tally_state {
	SCOPA_TALLY_OPEN,   /* another deal is to be played */
	SCOPA_TALLY_TARGET, /* the target was reached and one team leads */
	SCOPA_TALLY_DEALS,  /* all deals of a fixed number were played */
	SCOPA_TALLY_INSTANT /* won instantly */
};

struct scopa_tally {
	int32_t scores[SCOPA_TEAMS_MAX];
	int32_t deal_count; /* counted so far */
	int32_t deals; /* to be played, whatever the target; 0: to the target */
	uint8_t dealer; /* seat, of the next deal */
	uint8_t state;  /* enum scopa_tally_state */
	uint8_t winner; /* team; SCOPA_TEAM_NONE while open or drawn */
};

/* A match to the target of the rules, or of a number of deals (0: none). */
void scopa_tally_init(struct scopa_tally *tally, int dealer, int deals);

/* Adds the score of a deal, passes the deal on and decides. */
void scopa_tally_add(const struct scopa_rules *rules, struct scopa_tally *tally,
    const struct scopa_score *score);

#endif
