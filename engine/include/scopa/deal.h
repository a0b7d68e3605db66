/*
 * One deal, from the pack to the last card.
 *
 * struct scopa_deal is flat and has no pointers: a copy is a save.  Starting,
 * checking and applying are separate, read no clock and keep nothing elsewhere.
 */
#ifndef SCOPA_DEAL_H
#define SCOPA_DEAL_H

#include "scopa/move.h"
#include "scopa/rules.h"

/* 40 plays at most, and one declaration for each of at most 12 hands. */
enum { SCOPA_HISTORY_MAX = 52, SCOPA_SEAT_NONE = 255, SCOPA_TEAM_NONE = 255 };

struct scopa_deal {
	scopa_set table;
	scopa_set hands[SCOPA_SEATS_MAX];
	scopa_set captured[SCOPA_TEAMS_MAX]; /* the piles, a team each */
	uint8_t scopas[SCOPA_TEAMS_MAX];     /* sweeps that count */
	uint8_t declared[SCOPA_TEAMS_MAX];   /* points of declarations */
	uint8_t pack[SCOPA_PACK_SIZE];       /* in order of dealing */
	uint8_t dealt;     /* cards of the pack that have left it */
	uint8_t dealer;    /* seat */
	uint8_t turn;      /* seat to play; SCOPA_SEAT_NONE when over */
	uint8_t last;      /* seat that captured last, or SCOPA_SEAT_NONE */
	uint8_t untouched; /* bit a seat: the hand is as dealt */
	uint8_t shown;     /* bit a seat: declared, the hand is public */
	uint8_t matta;     /* value held by the wild 7 of cups, or 0 */
	uint8_t opening;   /* scopas that the dealer made of the table: 0..2 */
	uint8_t winner;    /* team that has won the match instantly (at-once) */
	uint8_t play_count; /* cards played */
	uint8_t history_count;
	struct scopa_move history[SCOPA_HISTORY_MAX]; /* plays, declarations */
};

/* What became of a pack. */
enum scopa_start {
	SCOPA_START_PLAY,  /* the deal has begun */
	SCOPA_START_KINGS, /* redealt: three kings or more on the table */
	SCOPA_START_ACES,  /* redealt: two aces or more */
	SCOPA_START_ACE    /* redealt: an ace */
};

/* `kings`, `aces`, `ace`; NULL for SCOPA_START_PLAY. */
const char *scopa_start_name(enum scopa_start start);

/* What else a move brought about. */
struct scopa_effect {
	scopa_set rest;    /* left on the table at the end of the deal */
	uint8_t rest_seat; /* who got them, or SCOPA_SEAT_NONE */
	bool scopa;        /* the move scored a sweep */
	bool dealt;        /* new hands were given */
	bool over;         /* the deal has ended */
};

/*
 * Turns up the table and deals the first hands from `pack`, a permutation of
 * the 40 cards in order of dealing: the table, then seat by seat from the one
 * after the dealer, a whole hand at a time.  Takes an opening table of fifteen
 * or thirty for the dealer and makes automatic declarations where the rules say
 * so.  Where the cards are redealt, *deal holds the table only.
 */
enum scopa_start scopa_deal_start(const struct scopa_rules *rules,
    const uint8_t pack[SCOPA_PACK_SIZE], int dealer, struct scopa_deal *deal);

/* Why the seat to play may not make this move, or SCOPA_LEGAL. */
enum scopa_refusal scopa_deal_check(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *move);

/* Makes a legal move (asserted in part: the cards must be where it says). */
struct scopa_effect scopa_deal_apply(const struct scopa_rules *rules,
    struct scopa_deal *deal, const struct scopa_move *move);

static inline bool
scopa_deal_over(const struct scopa_deal *deal)
{
	return deal->turn == SCOPA_SEAT_NONE;
}

/* Points of the declarations: 3 and 10. */
int scopa_declaration_points(enum scopa_declaration declaration);

#endif
