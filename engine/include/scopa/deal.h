/*
 * One deal, from the pack to the last card.
 *
 * struct scopa_deal has no pointers, so it can be saved by a copy.  The
 * functions read no clock and have no state outside the structure.
 */
#ifndef SCOPA_DEAL_H
#define SCOPA_DEAL_H

#include "scopa/move.h"
#include "scopa/rules.h"

/* At most 40 plays, and one declaration for each of at most 12 hands. */
enum { SCOPA_HISTORY_MAX = 52, SCOPA_SEAT_NONE = 255, SCOPA_TEAM_NONE = 255 };

struct scopa_deal {
	scopa_set table;
	scopa_set hands[SCOPA_SEATS_MAX];
	scopa_set captured[SCOPA_TEAMS_MAX]; /* the pile of each team */
	uint8_t scopas[SCOPA_TEAMS_MAX];     /* sweeps that score */
	uint8_t declared[SCOPA_TEAMS_MAX];   /* points for declarations */
	uint8_t pack[SCOPA_PACK_SIZE];       /* in dealing order */
	uint8_t dealt;  /* number of cards dealt from the pack */
	uint8_t dealer; /* seat */
	uint8_t turn;   /* seat to move; SCOPA_SEAT_NONE: the deal is over */
	uint8_t last;   /* last seat to capture, or SCOPA_SEAT_NONE */
	/* bit for each seat: no card of the hand is played */
	uint8_t untouched;
	uint8_t shown; /* bit for each seat: the hand is declared and public */
	uint8_t matta; /* declared value of the wild 7 of cups, or 0 */
	uint8_t opening; /* scopas of the dealer for the opening table, 0..2 */
	uint8_t winner;  /* team that won instantly, or SCOPA_TEAM_NONE */
	uint8_t play_count; /* number of cards played */
	uint8_t history_count;
	/* plays and declarations */
	struct scopa_move history[SCOPA_HISTORY_MAX];
};

/* Whether the opening table allows the deal. */
enum scopa_start {
	SCOPA_START_PLAY,  /* the deal has started */
	SCOPA_START_KINGS, /* dealt again: three or four kings on the table */
	SCOPA_START_ACES,  /* dealt again: two or more aces on the table */
	SCOPA_START_ACE    /* dealt again: an ace on the table */
};

/* Returns `kings`, `aces` or `ace`; NULL for SCOPA_START_PLAY. */
const char *scopa_start_name(enum scopa_start start);

/* The results of a move, beside the moved cards. */
struct scopa_effect {
	scopa_set rest;    /* cards left on the table at the end of the deal */
	uint8_t rest_seat; /* seat that gets them, or SCOPA_SEAT_NONE */
	bool scopa;        /* the play was a scopa */
	bool dealt;        /* new hands were dealt */
	bool over;         /* the deal is over */
};

/*
 * Starts a deal.  `pack` is a permutation of the 40 cards in dealing order:
 * first the table, then whole hands, seat by seat, from the seat after the
 * dealer.  By the rules, the dealer captures an opening table of fifteen or
 * thirty, which may win the match and end the deal, and automatic declarations
 * are made.  Returns SCOPA_START_PLAY, or the reason why the cards must be dealt
 * again; then *deal contains only the table.
 */
enum scopa_start scopa_deal_start(const struct scopa_rules *rules,
    const uint8_t pack[SCOPA_PACK_SIZE], int dealer, struct scopa_deal *deal);

/* Returns SCOPA_LEGAL, or why the seat to move may not make this move. */
enum scopa_refusal scopa_deal_check(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *move);

/*
 * Makes a legal move.  Only a part of legality is asserted: the cards must be
 * in the hand and on the table.  The deal must not be over.
 */
struct scopa_effect scopa_deal_apply(const struct scopa_rules *rules,
    struct scopa_deal *deal, const struct scopa_move *move);

static inline bool
scopa_deal_over(const struct scopa_deal *deal)
{
	return deal->turn == SCOPA_SEAT_NONE;
}

/* Returns the points of a declaration: 0, 3 or 10. */
int scopa_declaration_points(enum scopa_declaration declaration);

#endif
