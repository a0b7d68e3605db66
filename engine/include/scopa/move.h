/*
 * Moves, and all legal moves of the seat to play.
 */
#ifndef SCOPA_MOVE_H
#define SCOPA_MOVE_H

#include "scopa/card.h"
#include "scopa/rules.h"

struct scopa_deal;

/* What a Cirulla player may declare on an untouched hand of three. */
enum scopa_declaration {
	SCOPA_DECLARE_NOTHING, /* the move plays a card */
	SCOPA_DECLARE_LOW,     /* the hand totals less than ten: 3 points */
	SCOPA_DECLARE_THREE    /* three of a kind: 10 points */
};

struct scopa_move {
	scopa_set captured;  /* from the table; empty: the card is laid */
	scopa_card card;     /* SCOPA_CARD_NONE in a declaration */
	uint8_t declaration; /* enum scopa_declaration */
	uint8_t value;       /* that a wild 7 of cups takes, or 0 */
	uint8_t seat;        /* who moves */
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

/* `must-capture`, as in the protocol; and a sentence for people. */
const char *scopa_refusal_name(enum scopa_refusal refusal);
const char *scopa_refusal_sentence(enum scopa_refusal refusal);

/*
 * Room for every legal move of any deal that was started and played by this
 * engine.  tests/unit/engine/test_move.c derives the bound from the reachable tables.
 */
enum { SCOPA_MOVES_MAX = 4096 };

/*
 * Writes the legal moves of the seat to play in canonical order: by card, then
 * by the captured cards compared one by one, then declarations.  Writes at most
 * `max` and returns how many there are; 0 when the deal is over.
 */
int scopa_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_move *moves, int max);

/* The same for one card of the hand of the seat to play, declarations aside. */
int scopa_moves_of_card(const struct scopa_rules *rules,
    const struct scopa_deal *deal, scopa_card card, struct scopa_move *moves,
    int max);

/*
 * Chooses a legal move of the seat to play; the deal must not be over.  With 64
 * random bits every move is as likely as any other, but for what 32 bits leave
 * over when they are shared out: less than one part in a million.  The same as
 * a random entry of the list of scopa_moves, mostly without the list.
 */
void scopa_move_pick(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t bits, struct scopa_move *move);

bool scopa_move_equal(const struct scopa_move *a, const struct scopa_move *b);

#endif
