/*
 * The list of legal moves of the seat to move, with the declarations of its
 * hand, and the names of refusals.
 *
 * Most cards capture nothing, or one card of their own value (or the one that
 * makes fifteen).  These cases are handled here; for all others capture.c
 * searches the table.
 */
#include "scopa/move.h"

#include <assert.h>

#include "capture.h"
#include "internal.h"

static const struct {
	const char *name, *sentence;
} refusals[] = {
	[SCOPA_LEGAL] = { "legal", "The move is legal." },
	[SCOPA_NOT_IN_HAND] = { "not-in-hand",
	    "The card is not in your hand." },
	[SCOPA_NOT_ON_TABLE] = { "not-on-table",
	    "A captured card does not lie on the table." },
	[SCOPA_BAD_SUM] = { "bad-sum",
	    "The captured cards do not add up to what this card takes." },
	[SCOPA_MUST_CAPTURE] = { "must-capture",
	    "This card can capture, so it must: name the cards it takes." },
	[SCOPA_MUST_TAKE_SINGLE] = { "must-take-single",
	    "A single card can be taken and goes before these." },
	[SCOPA_MUST_TAKE_FEWEST] = { "must-take-fewest",
	    "A capture of fewer cards is possible and must be taken." },
	[SCOPA_TOO_MANY] = { "too-many",
	    "The capture has more cards than these rules allow." },
	[SCOPA_MUST_SWEEP] = { "must-sweep",
	    "This ace must take the whole table." },
	[SCOPA_NO_DECLARATION] = { "no-declaration",
	    "This hand cannot be declared so, or not any more." },
	[SCOPA_NOT_TO_MOVE] = { "not-to-move", "The deal is over." },
};

_Static_assert(
    COUNTOF(refusals) == SCOPA_REFUSAL_COUNT, "every refusal has a name");

const char *
scopa_refusal_name(enum scopa_refusal refusal)
{
	assert(refusal < SCOPA_REFUSAL_COUNT);
	return refusals[refusal].name;
}

const char *
scopa_refusal_sentence(enum scopa_refusal refusal)
{
	assert(refusal < SCOPA_REFUSAL_COUNT);
	return refusals[refusal].sentence;
}

/*
 * Data for all cards of one turn.  A "partner" of a card is a table card of
 * equal value or, in games of fifteen, one that makes fifteen with it.
 */
struct turn {
	const struct scopa_rules *rules;
	const struct scopa_deal *deal;
	uint32_t able; /* bit v: a card of value v may capture something */
	uint32_t solo; /* bit v: with partners, it must capture one of them */
	bool fifteen;  /* partners make fifteen; else they have equal value */
};

/*
 * Returns the values whose cards, if they have partners, must capture one
 * partner.
 */
static inline uint32_t
solo_values(const struct scopa_rules *rules)
{
	/*
	 * Under other rules a card has partners of two values, or is free to
	 * capture sets.
	 */
	if (rules->priority == SCOPA_PRIORITY_ANY ||
	    rules->capture == SCOPA_CAPTURE_SUM_OR_FIFTEEN ||
	    (rules->capture == SCOPA_CAPTURE_FIFTEEN && rules->equal_fifteen))
		return 0;
	return rules->ace == SCOPA_ACE_PLAIN ? UINT32_MAX : ~(UINT32_C(1) << 1);
}

static inline struct turn
turn_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	uint8_t held = capture_held(rules, deal);
	uint32_t reach = capture_reach(deal->table, held);
	struct turn turn = {
		.rules = rules,
		.deal = deal,
		.able = rules->capture == SCOPA_CAPTURE_FIFTEEN &&
			!rules->equal_fifteen
		    ? 0
		    : reach,
		.solo = held ? 0 : solo_values(rules),
		.fifteen = rules->capture == SCOPA_CAPTURE_FIFTEEN,
	};

	if (rules->capture != SCOPA_CAPTURE_SUM)
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
			turn.able |= (reach >> (15 - value) & 1) << value;
	if (rules->ace != SCOPA_ACE_PLAIN && deal->table)
		turn.able |= UINT32_C(1) << 1;
	return turn;
}

/*
 * Writes the captures of a card, or its play without a capture when there are
 * none.
 */
static int
captures_of_card(
    const struct turn *turn, scopa_card card, struct scopa_move *moves, int max)
{
	const struct scopa_deal *deal = turn->deal;
	struct scopa_move move = { .card = card, .seat = deal->turn };
	struct capture_terms terms = capture_terms_of(turn->rules, deal, card);
	int count = capture_list(&terms, deal->table, &move, moves, max);

	if (count > 0)
		return count;
	if (max > 0)
		moves[0] = move;
	return 1;
}

/*
 * Writes the moves of one card.  Only cards that may capture several table
 * cards need a search.
 */
static inline int
moves_of_card(
    const struct turn *turn, scopa_card card, struct scopa_move *moves, int max)
{
	const struct scopa_deal *deal = turn->deal;
	struct scopa_move move = { .card = card, .seat = deal->turn };
	int value = capture_value(deal, card), count = 0;
	scopa_set partners;

	if (!(turn->able >> value & 1)) {
		if (max > 0)
			moves[0] = move;
		return 1;
	}
	/*
	 * For fifteen, a card below five has no partner: the value would be
	 * above 10, where the set is empty.
	 */
	partners = deal->table &
	    scopa_set_of_value(turn->fifteen ? 15 - value : value);
	if (!(turn->solo >> value & 1) || !partners)
		return captures_of_card(turn, card, moves, max);
	for (; partners; count++) {
		move.captured = partners & -partners;
		partners ^= move.captured;
		if (count < max)
			moves[count] = move;
	}
	return count;
}

/*
 * The declarations of Cirulla: a hand with a total below ten, or three cards of
 * a kind.  In both the 7 of cups may have any value (rules of Cirulla in Board
 * Game Arena's help page).
 */
enum { LOW_TOTAL_MAX = 9, DECLARE_HAND_SIZE = 3 };

static struct scopa_move
declaration_of(int seat, enum scopa_declaration declaration, int value)
{
	return (struct scopa_move){
		.card = SCOPA_CARD_NONE,
		.declaration = (uint8_t)declaration,
		.value = (uint8_t)value,
		.seat = (uint8_t)seat,
	};
}

int
declare_list(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int seat, struct scopa_move moves[DECLARATIONS_MAX])
{
	scopa_set hand = deal->hands[seat];
	scopa_set others = hand & ~scopa_set_of(SCOPA_MATTA);
	bool wild = others != hand;
	int kind, count = 0;

	if (rules->declare == SCOPA_DECLARE_OFF ||
	    scopa_set_count(hand) != DECLARE_HAND_SIZE ||
	    !(deal->untouched >> seat & 1) || (deal->shown >> seat & 1))
		return 0;
	kind = scopa_card_value(scopa_set_first(others));
	if (!(others & ~scopa_set_of_value(kind))) {
		/*
		 * The pair may be sevens.  Then the 7 of cups needs no other
		 * value.
		 */
		bool natural = !wild || kind == scopa_card_value(SCOPA_MATTA);

		moves[count++] = declaration_of(
		    seat, SCOPA_DECLARE_THREE, natural ? 0 : kind);
		return count;
	}
	if (!wild) {
		if (scopa_set_total(hand) <= LOW_TOTAL_MAX)
			moves[count++] =
			    declaration_of(seat, SCOPA_DECLARE_LOW, 0);
		return count;
	}
	for (int value = 1; scopa_set_total(others) + value <= LOW_TOTAL_MAX;
	     value++)
		moves[count++] = declaration_of(seat, SCOPA_DECLARE_LOW, value);
	return count;
}

int
scopa_declaration_points(enum scopa_declaration declaration)
{
	static const int points[] = {
		[SCOPA_DECLARE_NOTHING] = 0,
		[SCOPA_DECLARE_LOW] = 3,
		[SCOPA_DECLARE_THREE] = 10,
	};

	return points[declaration];
}

int
scopa_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_move *moves, int max)
{
	struct turn turn;
	int count = 0;

	if (scopa_deal_over(deal))
		return 0;
	turn = turn_of(rules, deal);
	for (scopa_set hand = deal->hands[deal->turn]; hand;) {
		scopa_card card = scopa_set_take(&hand);
		int room = count < max ? max - count : 0;

		count += moves_of_card(
		    &turn, card, room ? moves + count : moves, room);
	}
	if (rules->declare == SCOPA_DECLARE_ASK) {
		struct scopa_move declarations[DECLARATIONS_MAX];
		int more = declare_list(rules, deal, deal->turn, declarations);

		for (int i = 0; i < more; i++, count++)
			if (count < max)
				moves[count] = declarations[i];
	}
	return count;
}

int
scopa_moves_of_card(const struct scopa_rules *rules,
    const struct scopa_deal *deal, scopa_card card, struct scopa_move *moves,
    int max)
{
	struct turn turn;

	assert(!scopa_deal_over(deal));
	assert(scopa_set_has(deal->hands[deal->turn], card));
	turn = turn_of(rules, deal);
	return moves_of_card(&turn, card, moves, max);
}

bool
scopa_move_equal(const struct scopa_move *a, const struct scopa_move *b)
{
	return a->captured == b->captured && a->card == b->card &&
	    a->declaration == b->declaration && a->value == b->value;
}
