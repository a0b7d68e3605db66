/*
 * Legal moves of the seat to play, and the names of refusals.
 */
#include "scopa/move.h"

#include <assert.h>
#include <stddef.h>

#include "capture.h"
#include "declare.h"

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
	    "An equal card lies on the table and must be taken instead." },
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

_Static_assert(sizeof(refusals) / sizeof(refusals[0]) == SCOPA_REFUSAL_COUNT,
    "every refusal has a name");

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

/* Writes the moves of one card; `reach` is that of the table. */
static int
moves_of_card(const struct scopa_rules *rules, const struct scopa_deal *deal,
    scopa_card card, uint32_t reach, struct scopa_move *moves, int max)
{
	const struct scopa_move lay = { .card = card, .seat = deal->turn };
	struct capture_terms terms = capture_terms_of(rules, deal, card);
	int count = 0;

	if ((terms.targets & reach) || terms.equal || terms.sweep)
		count = capture_list(&terms, deal->table, &lay, moves, max);
	if (count == 0) {
		if (max > 0)
			moves[0] = lay;
		count = 1;
	}
	return count;
}

int
scopa_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_move *moves, int max)
{
	uint32_t reach;
	int count = 0;

	if (scopa_deal_over(deal))
		return 0;
	reach = capture_reach(deal->table, capture_held(rules, deal));
	for (scopa_set hand = deal->hands[deal->turn]; hand;) {
		int room = count < max ? max - count : 0;

		count += moves_of_card(rules, deal, scopa_set_take(&hand),
		    reach, room ? moves + count : NULL, room);
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
	assert(!scopa_deal_over(deal));
	assert(scopa_set_has(deal->hands[deal->turn], card));
	return moves_of_card(rules, deal, card,
	    capture_reach(deal->table, capture_held(rules, deal)), moves, max);
}

bool
scopa_move_equal(const struct scopa_move *a, const struct scopa_move *b)
{
	return a->captured == b->captured && a->card == b->card &&
	    a->declaration == b->declaration && a->value == b->value;
}
