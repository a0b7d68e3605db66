/*
 * The declarations of Cirulla: a hand with a total below ten, or three cards of
 * a kind.  In both the 7 of cups may have any value (rules of Cirulla in Board
 * Game Arena's help page).
 */
#include "internal.h"

#include "capture.h"

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
