/*
 * What one seat may know.  Only this module decides about hidden information.
 */
#ifndef SCOPA_VIEW_H
#define SCOPA_VIEW_H

#include "scopa/deal.h"
#include "scopa/score.h"

struct scopa_view {
	scopa_set hand; /* of the own seat */
	scopa_set table;
	/* remaining cards of declared hands */
	scopa_set shown[SCOPA_SEATS_MAX];
	scopa_set captured[SCOPA_TEAMS_MAX]; /* the piles, which are public */
	int32_t scores[SCOPA_TEAMS_MAX];     /* before this deal */
	int32_t deal_number;                 /* from 1 */
	uint8_t hand_counts[SCOPA_SEATS_MAX];
	uint8_t scopas[SCOPA_TEAMS_MAX];
	uint8_t declared[SCOPA_TEAMS_MAX];
	uint8_t deck_count; /* number of cards not yet dealt */
	uint8_t seat;       /* the seat of the view */
	uint8_t dealer;
	uint8_t turn;
	uint8_t last;
	uint8_t untouched;
	uint8_t matta;
	uint8_t opening;
	uint8_t history_count;
	struct scopa_move history[SCOPA_HISTORY_MAX];
};

/* Writes all that `seat` may know of a deal, and the scores before the deal. */
void scopa_view_make(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_tally *tally, int seat,
    struct scopa_view *view);

/* Whether `seat` may see the cards in the hand of `holder`. */
bool scopa_view_sees(const struct scopa_deal *deal, int seat, int holder);

/* Returns the cards that the seat cannot see: other hands and the deck. */
scopa_set scopa_view_unseen(const struct scopa_view *view);

/*
 * Builds a deal that fits the view.  `unseen` is a permutation of the unseen
 * cards: hands that are not shown get the first ones, seat by seat from 0, and
 * the deck gets the rest, in dealing order.  NULL stands for ascending order.
 */
void scopa_view_deal(const struct scopa_rules *rules,
    const struct scopa_view *view, const scopa_card *unseen,
    struct scopa_deal *deal);

#endif
