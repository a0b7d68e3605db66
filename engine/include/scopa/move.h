/* Moves, the list of legal moves, and random legal moves. */
#ifndef SCOPA_MOVE_H
#define SCOPA_MOVE_H

#include "scopa/card.h"
#include "scopa/rules.h"

struct scopa_deal;

/*
 * What a player of Cirulla may declare with a hand of three cards, before the
 * first play from it.
 */
enum scopa_declaration {
	SCOPA_DECLARE_NOTHING, /* the move plays a card */
	SCOPA_DECLARE_LOW,  /* the total of the hand is below ten: 3 points */
	SCOPA_DECLARE_THREE /* three of a kind: 10 points */
};

struct scopa_move {
	/* from the table; empty: the card captures nothing */
	scopa_set captured;
	scopa_card card;     /* SCOPA_CARD_NONE in a declaration */
	uint8_t declaration; /* enum scopa_declaration */
	uint8_t value;       /* declared value of a wild 7 of cups, or 0 */
	uint8_t seat;        /* that moves, in lists and histories */
};

/* Why a move is refused. */
enum scopa_refusal {
	SCOPA_LEGAL,
	SCOPA_NOT_IN_HAND,
	SCOPA_NOT_ON_TABLE,
	SCOPA_BAD_SUM,
	SCOPA_MUST_CAPTURE,
	SCOPA_MUST_TAKE_SINGLE,
	SCOPA_MUST_TAKE_FEWEST,
	SCOPA_TOO_MANY,
	SCOPA_MUST_SWEEP,
	SCOPA_NO_DECLARATION,
	SCOPA_NOT_TO_MOVE,
	SCOPA_REFUSAL_COUNT
};

/*
 * Return the name in the protocol (`must-capture`), and a sentence for users.
 */
const char *scopa_refusal_name(enum scopa_refusal refusal);
const char *scopa_refusal_sentence(enum scopa_refusal refusal);

/*
 * The most legal moves in any deal that this engine has started and played.
 * tests/unit/engine/test_move.c derives this bound from the reachable tables.
 */
enum { SCOPA_MOVES_MAX = 4096 };

/*
 * Writes the legal moves of the seat to move in canonical order: by card, then
 * by the captured cards, compared one by one, then declarations.  Writes at
 * most `max` moves and returns the number of legal moves; 0 when the deal is
 * over.
 */
int scopa_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_move *moves, int max);

/*
 * The same for the plays of one card, which must be in the hand of the seat to
 * move.  The deal must not be over.
 */
int scopa_moves_of_card(const struct scopa_rules *rules,
    const struct scopa_deal *deal, scopa_card card, struct scopa_move *moves,
    int max);

/*
 * Chooses a random legal move of the seat to move, from 64 random bits.  The
 * deal must not be over.  All moves are equally likely, except for an error of
 * less than one in a million, since 32 bits cannot be divided equally.  The
 * distribution is that of a random entry of scopa_moves(), but mostly no list
 * is made.
 */
void scopa_move_pick(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t bits, struct scopa_move *move);

/* Whether two moves are the same; the seat is not compared. */
bool scopa_move_equal(const struct scopa_move *a, const struct scopa_move *b);

#endif
