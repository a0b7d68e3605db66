#include "knowledge.h"

#include <assert.h>
#include <string.h>

#include "scopa/notation.h"
#include "world.h"

/* What a wrong line is told in, and nobody hears. */
enum { WHY_SIZE = 256 };

bool
knowledge_from_state(const char *state, struct knowledge *knowledge)
{
	char bytes[WHY_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, bytes, sizeof(bytes));
	return scopa_state_parse(
		   state, &knowledge->rules, &knowledge->view, &why) &&
	    imagine_deal(&knowledge->rules, &knowledge->view, &knowledge->deal);
}

void
knowledge_moves(const struct knowledge *knowledge, struct scopa_text *text)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(
	    &knowledge->rules, &knowledge->deal, moves, SCOPA_MOVES_MAX);

	assert(count <= SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ' ');
		scopa_move_format(&moves[i], text);
	}
}

/* What the line says. */
struct showing {
	scopa_set hands[SCOPA_SEATS_MAX];
	scopa_card deck[SCOPA_PACK_SIZE]; /* in order of dealing */
	int deck_count;
};

/* `1:AB3CKS,2:-`: every seat once, in order. */
static bool
read_hands(struct token text, int players, struct showing *showing)
{
	const char *at = text.bytes, *end = text.bytes + text.length;

	for (int seat = 0; seat < players; seat++) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma != NULL ? comma : end;

		if (stop - at < 3 || at[0] != '1' + seat || at[1] != ':' ||
		    scopa_set_parse(at + 2, (size_t)(stop - at - 2),
			&showing->hands[seat]) != SCOPA_PARSED ||
		    (comma == NULL) != (seat == players - 1))
			return false;
		at = stop + 1;
	}
	return true;
}

static bool
read_deck(struct token text, struct showing *showing)
{
	showing->deck_count = 0;
	if (token_is(text, "-"))
		return true;
	if (text.length == 0 || text.length % SCOPA_CARD_TEXT_SIZE != 0 ||
	    text.length > SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE)
		return false;
	for (size_t i = 0; i < text.length; i += SCOPA_CARD_TEXT_SIZE) {
		scopa_card card = scopa_card_find(text.bytes + i);

		if (card == SCOPA_CARD_NONE)
			return false;
		showing->deck[showing->deck_count++] = card;
	}
	return true;
}

/* Whether every hidden card is shown once, and all counts are right. */
static bool
is_whole(const struct showing *showing, const struct scopa_rules *rules,
    const struct scopa_view *view)
{
	scopa_set known = view->hand, seen = SCOPA_SET_EMPTY;
	int count = showing->deck_count;

	for (int seat = 0; seat < rules->players; seat++) {
		known |= view->shown[seat];
		seen |= showing->hands[seat];
		count += view->hand_counts[seat];
		if (scopa_set_count(showing->hands[seat]) !=
			view->hand_counts[seat] ||
		    (view->shown[seat] & ~showing->hands[seat]) != 0)
			return false;
	}
	for (int i = 0; i < showing->deck_count; i++)
		seen |= scopa_set_of(showing->deck[i]);
	return showing->deck_count == view->deck_count &&
	    showing->hands[view->seat] == view->hand &&
	    scopa_set_count(seen) == count &&
	    seen == (known | scopa_view_unseen(view));
}

bool
unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal)
{
	struct showing showing;

	if (!read_hands(token_find(line, "hands"), rules->players, &showing) ||
	    !read_deck(token_find(line, "deck"), &showing) ||
	    !is_whole(&showing, rules, view) ||
	    deal->dealt != SCOPA_PACK_SIZE - showing.deck_count)
		return false;
	memcpy(deal->hands, showing.hands,
	    (size_t)rules->players * sizeof(deal->hands[0]));
	memcpy(deal->pack + deal->dealt, showing.deck,
	    (size_t)showing.deck_count * sizeof(showing.deck[0]));
	return true;
}
