/*
 * What a history says of where the cards must be.
 */
#include "position.h"

#include <assert.h>

#include "scopa/notation.h"

/* What the history of a deal says about it. */
struct story {
	scopa_set played;   /* cards that have left the hands */
	scopa_set captured; /* cards taken from the table */
	int plays;          /* cards played */
	uint8_t declarers;  /* bit a seat: declared its present hand */
	int round_size;     /* plays until every hand is empty */
	int total;          /* plays of a whole deal */
};

static void
write_seat(struct scopa_text *text, int seat)
{
	scopa_text_string(text, "seat ");
	scopa_text_int(text, seat + 1);
}

/* `WHAT must be 30 after 2 plays (not 31)` */
static bool
refuse_number(struct scopa_text *why, const char *what, int wanted,
    const struct story *story, int number)
{
	scopa_text_string(why, what);
	scopa_text_string(why, " must be ");
	scopa_text_int(why, wanted);
	scopa_text_string(why, " after ");
	scopa_text_int(why, story->plays);
	scopa_text_string(why, story->plays == 1 ? " play" : " plays");
	scopa_text_string(why, " (not ");
	scopa_text_int(why, number);
	scopa_text_char(why, ')');
	return false;
}

static bool
refuse_cards(struct scopa_text *why, scopa_set cards, const char *because)
{
	scopa_card_format(scopa_set_first(cards), why);
	scopa_text_string(why, because);
	return false;
}

/* The seat that makes the play after so many. */
static int
seat_after(
    const struct scopa_rules *rules, const struct scopa_view *view, int plays)
{
	return (view->dealer + 1 + plays) % rules->players;
}

static bool
add_declaration(const struct scopa_rules *rules, struct story *story,
    const struct scopa_move *move, struct scopa_text *why)
{
	uint8_t bit = (uint8_t)(1 << move->seat);

	if (rules->declare == SCOPA_DECLARE_OFF) {
		scopa_text_string(why,
		    "plays has a declaration, but the rules say declare=off");
		return false;
	}
	if ((story->declarers & bit) != 0) {
		scopa_text_string(why, "plays lets ");
		write_seat(why, move->seat);
		scopa_text_string(why, " declare the same hand twice");
		return false;
	}
	story->declarers |= bit;
	return true;
}

static bool
add_play(struct story *story, int seat, const struct scopa_move *move,
    struct scopa_text *why)
{
	if (story->plays == story->total) {
		scopa_text_string(why, "plays has more cards than the ");
		scopa_text_int(why, story->total);
		scopa_text_string(why, " of a deal");
		return false;
	}
	if (move->seat != seat) {
		scopa_text_string(why, "plays has a card of ");
		write_seat(why, move->seat);
		scopa_text_string(why, " where it was the turn of ");
		write_seat(why, seat);
		return false;
	}
	if (scopa_set_has(story->played, move->card))
		return refuse_cards(
		    why, scopa_set_of(move->card), " is played twice in plays");
	if ((story->captured & move->captured) != SCOPA_SET_EMPTY)
		return refuse_cards(why, story->captured & move->captured,
		    " is captured twice in plays");
	story->played |= scopa_set_of(move->card);
	story->captured |= move->captured;
	story->plays++;
	if (story->plays % story->round_size == 0)
		story->declarers = 0;
	return true;
}

static bool
read_history(const struct scopa_rules *rules, const struct scopa_view *view,
    struct story *story, struct scopa_text *why)
{
	*story = (struct story){
		.round_size = rules->players * rules->hand,
		.total = SCOPA_PACK_SIZE - rules->table,
	};
	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];
		bool good = move->declaration != SCOPA_DECLARE_NOTHING
		    ? add_declaration(rules, story, move, why)
		    : add_play(story, seat_after(rules, view, story->plays),
			  move, why);

		if (!good)
			return false;
	}
	return true;
}

/* Only an instant win may end a deal before the last card. */
static bool
check_turn(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct story *story, struct scopa_text *why)
{
	bool over = view->turn == SCOPA_SEAT_NONE;
	int seat = seat_after(rules, view, story->plays);

	if (!over && story->plays == story->total) {
		scopa_text_string(
		    why, "turn must be - after the last card of the deal");
		return false;
	}
	if (!over && view->turn != seat)
		return refuse_number(
		    why, "turn", seat + 1, story, view->turn + 1);
	if (over && story->plays < story->total &&
	    (rules->count != SCOPA_COUNT_AT_ONCE || story->plays == 0)) {
		scopa_text_string(
		    why, "turn says that the deal is over, but plays has ");
		scopa_text_int(why, story->plays);
		scopa_text_string(why, " of its ");
		scopa_text_int(why, story->total);
		scopa_text_string(why, " cards");
		return false;
	}
	return true;
}

/* How many cards must be in the deck, in every hand, and in the open. */
static bool
check_counts(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct story *story, scopa_set open, struct scopa_text *why)
{
	bool over = view->turn == SCOPA_SEAT_NONE;
	int rounds = over
	    ? (story->plays + story->round_size - 1) / story->round_size
	    : story->plays / story->round_size + 1;
	int deck = story->total - rounds * story->round_size;
	int played = story->plays - (rounds - 1) * story->round_size;
	int open_count = rules->table + story->plays;

	if (view->deck_count != deck)
		return refuse_number(
		    why, "deck", deck, story, view->deck_count);
	for (int i = 0; i < rules->players; i++) {
		int seat = seat_after(rules, view, i);
		int count = rules->hand - played / rules->players -
		    (i < played % rules->players ? 1 : 0);

		if (view->hand_counts[seat] != count) {
			scopa_text_string(why, "the count of ");
			write_seat(why, seat);
			return refuse_number(why, " in hands", count, story,
			    view->hand_counts[seat]);
		}
	}
	if (scopa_set_count(open) != open_count)
		return refuse_number(why, "the cards of table and pile",
		    open_count, story, scopa_set_count(open));
	return true;
}

/* No card may be in two places, nor a played one in a hand. */
static bool
check_places(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct story *story, scopa_set *open, struct scopa_text *why)
{
	scopa_set places[2 + SCOPA_SEATS_MAX + SCOPA_TEAMS_MAX];
	scopa_set seen = SCOPA_SET_EMPTY, piles = SCOPA_SET_EMPTY;
	int count = 0;

	places[count++] = view->table;
	places[count++] = view->hand;
	for (int seat = 0; seat < rules->players; seat++)
		if (seat != view->seat)
			places[count++] = view->shown[seat];
	for (int team = 0; team < scopa_team_count(rules); team++) {
		places[count++] = view->captured[team];
		piles |= view->captured[team];
	}
	for (int i = 0; i < count; i++) {
		if ((seen & places[i]) != SCOPA_SET_EMPTY)
			return refuse_cards(
			    why, seen & places[i], " is in two places");
		seen |= places[i];
	}
	*open = view->table | piles;
	if ((story->played & ~*open) != SCOPA_SET_EMPTY)
		return refuse_cards(why, story->played & ~*open,
		    " has been played, but is not on the table nor in a pile");
	if ((story->captured & ~piles) != SCOPA_SET_EMPTY)
		return refuse_cards(why, story->captured & ~piles,
		    " has been captured, but is in no pile");
	return true;
}

/* The own hand, and the hands in the open: those that were declared. */
static bool
check_hands(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct story *story, struct scopa_text *why)
{
	int own = scopa_set_count(view->hand);

	if (own != view->hand_counts[view->seat])
		return refuse_number(why, "the cards of hand",
		    view->hand_counts[view->seat], story, own);
	for (int seat = 0; seat < rules->players; seat++) {
		bool declared = (story->declarers >> seat & 1) != 0;
		int count = declared ? view->hand_counts[seat] : 0;

		if (scopa_set_count(view->shown[seat]) != count) {
			scopa_text_string(why, "the cards of ");
			write_seat(why, seat);
			return refuse_number(why, " in shown", count, story,
			    scopa_set_count(view->shown[seat]));
		}
	}
	if (view->shown[view->seat] != SCOPA_SET_EMPTY &&
	    view->shown[view->seat] != view->hand) {
		scopa_text_string(why, "shown has other cards of ");
		write_seat(why, view->seat);
		scopa_text_string(why, " than hand");
		return false;
	}
	return true;
}

bool
position_check(const struct scopa_rules *rules, const struct scopa_view *view,
    struct scopa_text *why)
{
	struct story story;
	scopa_set open = SCOPA_SET_EMPTY;

	assert(view->history_count <= SCOPA_HISTORY_MAX);
	return read_history(rules, view, &story, why) &&
	    check_turn(rules, view, &story, why) &&
	    check_places(rules, view, &story, &open, why) &&
	    check_counts(rules, view, &story, open, why) &&
	    check_hands(rules, view, &story, why);
}
