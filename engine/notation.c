/*
 * From text and to text: cards, sets and moves; then the `state` line, which
 * has all that a seat may know of a deal.
 */
#include "scopa/notation.h"

#include <assert.h>
#include <string.h>

#include "internal.h"

/*
 * Text is written through a pointer, for speed.  The caller guarantees enough
 * room, so the functions write_... make no checks; they return the new end and
 * write no NUL.
 */
enum {
	WRITE_SET_SIZE_MAX = SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE,
	/* A card, an `x` and the captured cards. */
	WRITE_MOVE_SIZE_MAX = SCOPA_CARD_TEXT_SIZE + 1 + WRITE_SET_SIZE_MAX
};

/* The names of all cards, one after the other, in canonical order. */
static const char write_card_names[] =
    "ADACASAB2D2C2S2B3D3C3S3B4D4C4S4B5D5C5S5B"
    "6D6C6S6B7D7C7S7BJDJCJSJBQDQCQSQBKDKCKSKB";

_Static_assert(
    sizeof(write_card_names) == SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE + 1,
    "a name for every card");

static inline char *
write_string(char *at, const char *string)
{
	size_t length = strlen(string);

	memcpy(at, string, length);
	return at + length;
}

/*
 * Writes `7D`, or `??`  for SCOPA_CARD_NONE.  Inline, as the functions below,
 * since a state line contains all moves of the deal.
 */
static inline char *
write_card(char *at, scopa_card card)
{
	const char *name = "??";

	assert(card < SCOPA_PACK_SIZE || card == SCOPA_CARD_NONE);
	if (card != SCOPA_CARD_NONE)
		name = write_card_names + SCOPA_CARD_TEXT_SIZE * card;
	memcpy(at, name, SCOPA_CARD_TEXT_SIZE);
	return at + SCOPA_CARD_TEXT_SIZE;
}

/* Writes `3C4S`; nothing for the empty set. */
static inline char *
write_cards(char *at, scopa_set set)
{
	assert((set & ~SCOPA_SET_ALL) == 0);
	while (set != SCOPA_SET_EMPTY) {
		size_t card = scopa_set_take(&set);

		memcpy(at, write_card_names + SCOPA_CARD_TEXT_SIZE * card,
		    SCOPA_CARD_TEXT_SIZE);
		at += SCOPA_CARD_TEXT_SIZE;
	}
	return at;
}

/* Writes `3C4S`, or `-` for the empty set. */
static inline char *
write_set(char *at, scopa_set set)
{
	if (set == SCOPA_SET_EMPTY)
		*at++ = '-';
	return write_cards(at, set);
}

/* By enum scopa_declaration. */
static const char *const declaration_names[] = {
	[SCOPA_DECLARE_NOTHING] = "",
	[SCOPA_DECLARE_LOW] = "!low",
	[SCOPA_DECLARE_THREE] = "!three",
};

/* Writes `!low:A`. */
static char *
write_declaration(char *at, const struct scopa_move *move)
{
	assert(move->declaration <= SCOPA_DECLARE_THREE);
	at = write_string(at, declaration_names[move->declaration]);
	if (move->value != 0) {
		*at++ = ':';
		*at++ = scopa_value_letter(move->value);
	}
	return at;
}

/* Writes `7Dx3C4S` or `!low:A`. */
static inline char *
write_move(char *at, const struct scopa_move *move)
{
	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return write_declaration(at, move);
	at = write_card(at, move->card);
	if (move->captured == SCOPA_SET_EMPTY)
		return at;
	*at++ = 'x';
	return write_cards(at, move->captured);
}

void
scopa_card_format(scopa_card card, struct scopa_text *text)
{
	char bytes[SCOPA_CARD_TEXT_SIZE];

	write_card(bytes, card);
	scopa_text_bytes(text, bytes, sizeof(bytes));
}

void
scopa_set_format(scopa_set set, struct scopa_text *text)
{
	char bytes[WRITE_SET_SIZE_MAX];
	char *end = write_set(bytes, set);

	scopa_text_bytes(text, bytes, (size_t)(end - bytes));
}

void
scopa_move_format(const struct scopa_move *move, struct scopa_text *text)
{
	char bytes[WRITE_MOVE_SIZE_MAX];
	char *end = write_move(bytes, move);

	scopa_text_bytes(text, bytes, (size_t)(end - bytes));
}

/* Parses one or more cards into a set. */
static enum scopa_parse
parse_cards(const char *bytes, size_t length, scopa_set *set)
{
	enum scopa_parse result = SCOPA_PARSED;
	scopa_set cards = SCOPA_SET_EMPTY;

	if (length == 0 || length % SCOPA_CARD_TEXT_SIZE != 0)
		return SCOPA_BAD_SYNTAX;
	for (size_t i = 0; i < length; i += SCOPA_CARD_TEXT_SIZE) {
		scopa_card card = scopa_card_find(bytes + i);

		if (card == SCOPA_CARD_NONE)
			return SCOPA_BAD_SYNTAX;
		if (scopa_set_has(cards, card))
			result = SCOPA_DUPLICATE;
		cards |= scopa_set_of(card);
	}
	if (result == SCOPA_PARSED)
		*set = cards;
	return result;
}

enum scopa_parse
scopa_set_parse(const char *bytes, size_t length, scopa_set *set)
{
	if (length == 1 && bytes[0] == '-') {
		*set = SCOPA_SET_EMPTY;
		return SCOPA_PARSED;
	}
	return parse_cards(bytes, length, set);
}

static enum scopa_parse
parse_declaration(const char *bytes, size_t length, struct scopa_move *move)
{
	for (int i = SCOPA_DECLARE_LOW; i <= SCOPA_DECLARE_THREE; i++) {
		size_t size = strlen(declaration_names[i]);
		int value = 0;

		if (length < size ||
		    memcmp(bytes, declaration_names[i], size) != 0)
			continue;
		if (length != size) {
			if (length != size + 2 || bytes[size] != ':')
				return SCOPA_BAD_SYNTAX;
			value = scopa_value_find(bytes[size + 1]);
			if (value == 0)
				return SCOPA_BAD_SYNTAX;
		}
		move->captured = SCOPA_SET_EMPTY;
		move->card = SCOPA_CARD_NONE;
		move->declaration = (uint8_t)i;
		move->value = (uint8_t)value;
		return SCOPA_PARSED;
	}
	return SCOPA_BAD_SYNTAX;
}

enum scopa_parse
scopa_move_parse(const char *bytes, size_t length, struct scopa_move *move)
{
	scopa_set captured = SCOPA_SET_EMPTY;
	scopa_card card;

	if (length > 0 && bytes[0] == '!')
		return parse_declaration(bytes, length, move);
	if (length < SCOPA_CARD_TEXT_SIZE)
		return SCOPA_BAD_SYNTAX;
	card = scopa_card_find(bytes);
	if (card == SCOPA_CARD_NONE)
		return SCOPA_BAD_SYNTAX;
	if (length > SCOPA_CARD_TEXT_SIZE) {
		enum scopa_parse result;

		if (bytes[SCOPA_CARD_TEXT_SIZE] != 'x')
			return SCOPA_BAD_SYNTAX;
		result = parse_cards(bytes + SCOPA_CARD_TEXT_SIZE + 1,
		    length - SCOPA_CARD_TEXT_SIZE - 1, &captured);
		if (result != SCOPA_PARSED)
			return result;
		if (scopa_set_has(captured, card))
			return SCOPA_DUPLICATE;
	}
	move->captured = captured;
	move->card = card;
	move->declaration = SCOPA_DECLARE_NOTHING;
	move->value = 0;
	return SCOPA_PARSED;
}

/*
 * The `state` line.
 *
 * A parsed view must be one that a deal can reach.  The history gives the
 * number of cards in each place; table, piles, hands, deck and turn are
 * compared with it.  Whether every move of the history was legal is not
 * checked.
 */
enum {
	/* Room for the text after `rules=`, for any view. */
	STATE_SIZE_MAX = 8192,
	PART_SET_SIZE_MAX = 3 + WRITE_SET_SIZE_MAX,
	PART_NUMBER_SIZE_MAX = 3 + WRITE_NUMBER_SIZE_MAX,
	KEYS_SIZE_MAX = 256,
	SPEC_SIZE_MAX = 1024,
	NUMBER_DIGITS_MAX = 10
};

_Static_assert(KEYS_SIZE_MAX + 2 * WRITE_SET_SIZE_MAX +
	    2 * SCOPA_SEATS_MAX * PART_SET_SIZE_MAX +
	    4 * SCOPA_SEATS_MAX * PART_NUMBER_SIZE_MAX +
	    SCOPA_HISTORY_MAX * (3 + WRITE_MOVE_SIZE_MAX) <=
	STATE_SIZE_MAX,
    "the longest state line fits");

static char *
write_seat(char *at, const char *key, uint8_t seat)
{
	at = write_string(at, key);
	*at++ = seat == SCOPA_SEAT_NONE ? '-' : (char)('1' + seat);
	return at;
}

/* Writes `A:` or `,B:`, the head of an entry in a list. */
static char *
write_head(char *at, char first, int index)
{
	if (index > 0)
		*at++ = ',';
	*at++ = (char)(first + index);
	*at++ = ':';
	return at;
}

static char *
write_counts(
    char *at, const char *key, char first, const uint8_t *numbers, int count)
{
	at = write_string(at, key);
	for (int i = 0; i < count; i++)
		at = write_number(write_head(at, first, i), numbers[i]);
	return at;
}

static char *
write_scores(char *at, const struct scopa_view *view, int teams)
{
	at = write_string(at, " scores=");
	for (int i = 0; i < teams; i++)
		at = write_number(write_head(at, 'A', i), view->scores[i]);
	return at;
}

static char *
write_piles(char *at, const struct scopa_view *view, int teams)
{
	at = write_string(at, " pile=");
	for (int i = 0; i < teams; i++)
		at = write_set(write_head(at, 'A', i), view->captured[i]);
	return at;
}

static char *
write_shown(char *at, const struct scopa_view *view, int players)
{
	bool any = false;

	at = write_string(at, " shown=");
	for (int seat = 0; seat < players; seat++) {
		if (view->shown[seat] == SCOPA_SET_EMPTY)
			continue;
		if (any)
			*at++ = ',';
		any = true;
		*at++ = (char)('1' + seat);
		*at++ = ':';
		at = write_set(at, view->shown[seat]);
	}
	if (!any)
		*at++ = '-';
	return at;
}

static char *
write_plays(char *at, const struct scopa_view *view)
{
	at = write_string(at, " plays=");
	if (view->history_count == 0)
		*at++ = '-';
	for (int i = 0; i < view->history_count; i++) {
		if (i > 0)
			*at++ = '/';
		*at++ = (char)('1' + view->history[i].seat);
		*at++ = ':';
		at = write_move(at, &view->history[i]);
	}
	return at;
}

/* Writes the keys that only some rules use. */
static char *
write_extras(char *at, const struct scopa_rules *rules,
    const struct scopa_view *view, int teams)
{
	if (rules->declare != SCOPA_DECLARE_OFF) {
		at = write_counts(at, " declared=", 'A', view->declared, teams);
		at = write_string(at, " matta=");
		*at++ =
		    view->matta == 0 ? '-' : scopa_value_letter(view->matta);
	}
	if (rules->opening != SCOPA_OPENING_OFF) {
		at = write_string(at, " opening=");
		at = write_number(at, view->opening);
	}
	return at;
}

void
scopa_state_format(const struct scopa_rules *rules,
    const struct scopa_preset *preset, const struct scopa_view *view,
    struct scopa_text *text)
{
	int players = rules->players, teams = scopa_team_count(rules);
	char bytes[STATE_SIZE_MAX];
	char *at = bytes;

	assert(view->history_count <= SCOPA_HISTORY_MAX);
	scopa_text_string(text, "state rules=");
	scopa_rules_spec(rules, preset, text);
	at = write_string(at, " seats=");
	at = write_number(at, players);
	scopa_text_bytes(text, bytes, (size_t)(at - bytes));
	scopa_text_string(text, " teams=");
	scopa_param_format(scopa_param_find("teams"), rules, text);

	at = write_string(bytes, " target=");
	at = write_number(at, rules->target);
	at = write_seat(at, " you=", view->seat);
	at = write_string(at, " hand=");
	at = write_set(at, view->hand);
	at = write_string(at, " deal=");
	at = write_number(at, view->deal_number);
	at = write_seat(at, " dealer=", view->dealer);
	at = write_seat(at, " turn=", view->turn);
	at = write_string(at, " table=");
	at = write_set(at, view->table);
	at = write_counts(at, " hands=", '1', view->hand_counts, players);
	at = write_string(at, " deck=");
	at = write_number(at, view->deck_count);
	at = write_piles(at, view, teams);
	at = write_counts(at, " scopas=", 'A', view->scopas, teams);
	at = write_scores(at, view, teams);
	at = write_seat(at, " last=", view->last);
	at = write_shown(at, view, players);
	at = write_plays(at, view);
	at = write_extras(at, rules, view, teams);
	scopa_text_bytes(text, bytes, (size_t)(at - bytes));
}

/* The facts that follow from the history of a deal. */
struct story {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	struct scopa_text *why; /* receives the error */
	scopa_set played;       /* cards that were played from hands */
	scopa_set captured;     /* cards that were captured from the table */
	int plays;              /* number of cards played */
	uint8_t declarers; /* bit for each seat: it declared its present hand */
	int round_size;    /* plays until all hands are empty */
	int total;         /* plays of a whole deal */
};

/* Compares two numbers.  Error: `WHAT must be 30 after 2 plays (not 31)`. */
static bool
is_number(const struct story *story, const char *what, int wanted, int number)
{
	if (number == wanted)
		return true;
	scopa_text_print(story->why, "%s must be %d after %d play%s (not %d)",
	    what, wanted, story->plays, story->plays == 1 ? "" : "s", number);
	return false;
}

/* The same for a seat.  `what` has the words before and after the seat. */
static bool
is_number_of_seat(const struct story *story, const char *const what[2],
    int seat, int wanted, int number)
{
	struct scopa_text name = SCOPA_TEXT(64);

	scopa_text_print(&name, "%s seat %d in %s", what[0], seat + 1, what[1]);
	return is_number(story, name.bytes, wanted, number);
}

/* Whether the set is empty.  If not, the error names its first card. */
static bool
is_no_card(const struct story *story, scopa_set cards, const char *because)
{
	if (cards == SCOPA_SET_EMPTY)
		return true;
	scopa_card_format(scopa_set_first(cards), story->why);
	scopa_text_string(story->why, because);
	return false;
}

/* Returns the seat that plays after this number of plays. */
static int
seat_after(const struct story *story, int plays)
{
	return (story->view->dealer + 1 + plays) % story->rules->players;
}

static bool
add_declaration(struct story *story, const struct scopa_move *move)
{
	uint8_t bit = (uint8_t)(1 << move->seat);

	if (story->rules->declare == SCOPA_DECLARE_OFF) {
		scopa_text_string(story->why,
		    "plays has a declaration, but the rules say declare=off");
		return false;
	}
	if ((story->declarers & bit) != 0) {
		scopa_text_print(story->why,
		    "plays lets seat %d declare the same hand twice",
		    move->seat + 1);
		return false;
	}
	story->declarers |= bit;
	return true;
}

static bool
add_play(struct story *story, const struct scopa_move *move)
{
	int seat = seat_after(story, story->plays);

	if (story->plays == story->total) {
		scopa_text_print(story->why,
		    "plays has more cards than the %d of a deal", story->total);
		return false;
	}
	if (move->seat != seat) {
		scopa_text_print(story->why,
		    "plays has a card of seat %d where it was the turn of seat "
		    "%d",
		    move->seat + 1, seat + 1);
		return false;
	}
	if (!is_no_card(story, story->played & scopa_set_of(move->card),
		" is played twice in plays") ||
	    !is_no_card(story, story->captured & move->captured,
		" is captured twice in plays"))
		return false;
	story->played |= scopa_set_of(move->card);
	story->captured |= move->captured;
	story->plays++;
	if (story->plays % story->round_size == 0)
		story->declarers = 0;
	return true;
}

static bool
add_history(struct story *story)
{
	for (int i = 0; i < story->view->history_count; i++) {
		const struct scopa_move *move = &story->view->history[i];

		if (!(move->declaration != SCOPA_DECLARE_NOTHING
			    ? add_declaration(story, move)
			    : add_play(story, move)))
			return false;
	}
	return true;
}

/* Checks the turn.  Only an instant win ends a deal before its last card. */
static bool
check_turn(const struct story *story)
{
	int turn = story->view->turn;

	if (turn != SCOPA_SEAT_NONE && story->plays == story->total) {
		scopa_text_string(story->why,
		    "turn must be - after the last card of the deal");
		return false;
	}
	if (turn != SCOPA_SEAT_NONE)
		return is_number(story, "turn",
		    seat_after(story, story->plays) + 1, turn + 1);
	if (story->plays == story->total ||
	    (story->rules->count == SCOPA_COUNT_AT_ONCE &&
		(story->plays > 0 || story->view->opening > 0)))
		return true;
	scopa_text_print(story->why,
	    "turn says that the deal is over, but plays has %d of its %d cards",
	    story->plays, story->total);
	return false;
}

/*
 * Checks the numbers of cards in the deck, in every hand, and on table and
 * piles.
 */
static bool
check_counts(const struct story *story, scopa_set open)
{
	static const char *const words[] = { "the count of", "hands" };
	const struct scopa_rules *rules = story->rules;
	const struct scopa_view *view = story->view;
	int rounds = view->turn == SCOPA_SEAT_NONE && story->plays > 0
	    ? (story->plays + story->round_size - 1) / story->round_size
	    : story->plays / story->round_size + 1;
	int played = story->plays - (rounds - 1) * story->round_size;

	if (!is_number(story, "deck", story->total - rounds * story->round_size,
		view->deck_count))
		return false;
	for (int i = 0; i < rules->players; i++) {
		int seat = seat_after(story, i);
		int count = rules->hand - played / rules->players -
		    (i < played % rules->players ? 1 : 0);

		if (!is_number_of_seat(
			story, words, seat, count, view->hand_counts[seat]))
			return false;
	}
	return is_number(story, "the cards of table and pile",
	    rules->table + story->plays, scopa_set_count(open));
}

/*
 * Checks that no card is in two places, and that played cards are on the table
 * or in a pile.  Writes the cards of table and piles to *open.
 */
static bool
check_places(const struct story *story, scopa_set *open)
{
	const struct scopa_view *view = story->view;
	scopa_set places[2 + SCOPA_SEATS_MAX + SCOPA_TEAMS_MAX];
	scopa_set seen = SCOPA_SET_EMPTY, piles = SCOPA_SET_EMPTY;
	int count = 0;

	places[count++] = view->table;
	places[count++] = view->hand;
	for (int seat = 0; seat < story->rules->players; seat++)
		if (seat != view->seat)
			places[count++] = view->shown[seat];
	for (int team = 0; team < scopa_team_count(story->rules); team++) {
		places[count++] = view->captured[team];
		piles |= view->captured[team];
	}
	for (int i = 0; i < count; i++) {
		if (!is_no_card(story, seen & places[i], " is in two places"))
			return false;
		seen |= places[i];
	}
	*open = view->table | piles;
	return is_no_card(story, story->played & ~*open,
		   " has been played, but is not on the table nor in a pile") &&
	    is_no_card(story, story->captured & ~piles,
		" has been captured, but is in no pile");
}

/* Checks the sizes of the own hand and of the declared hands. */
static bool
check_hands(const struct story *story)
{
	static const char *const words[] = { "the cards of", "shown" };
	const struct scopa_view *view = story->view;
	scopa_set shown = view->shown[view->seat];

	if (!is_number(story, "the cards of hand",
		view->hand_counts[view->seat], scopa_set_count(view->hand)))
		return false;
	for (int seat = 0; seat < story->rules->players; seat++) {
		bool declared = (story->declarers >> seat & 1) != 0;

		if (!is_number_of_seat(story, words, seat,
			declared ? view->hand_counts[seat] : 0,
			scopa_set_count(view->shown[seat])))
			return false;
	}
	if (shown == SCOPA_SET_EMPTY || shown == view->hand)
		return true;
	scopa_text_print(story->why,
	    "shown has other cards of seat %d than hand", view->seat + 1);
	return false;
}

/*
 * Whether a deal can reach this view.  If not, returns false with a sentence in
 * `why`.
 */
static bool
check_view(const struct scopa_rules *rules, const struct scopa_view *view,
    struct scopa_text *why)
{
	struct story story = {
		.rules = rules,
		.view = view,
		.why = why,
		.round_size = rules->players * rules->hand,
		.total = SCOPA_PACK_SIZE - rules->table,
	};
	scopa_set open;

	assert(view->history_count <= SCOPA_HISTORY_MAX);
	return add_history(&story) && check_turn(&story) &&
	    check_places(&story, &open) && check_counts(&story, open) &&
	    check_hands(&story);
}

/* The rest of a text to parse.  `at` is NULL after the last part. */
struct bytes {
	const char *at;
	size_t length;
};

/* The form of a key's value. */
enum state_form {
	FORM_SPEC,  /* the rules: parsed before all others */
	FORM_PARAM, /* a parameter of the rules with its own key */
	FORM_SEAT,
	FORM_SEAT_OR_DASH,
	FORM_SET,
	FORM_DEAL_NUMBER,
	FORM_COUNT,
	FORM_SEAT_COUNTS, /* a number for each seat */
	FORM_TEAM_COUNTS,
	FORM_SCORES,
	FORM_PILES,
	FORM_SHOWN,
	FORM_PLAYS,
	FORM_MATTA
};

#define VIEW(member) .offset = offsetof(struct scopa_view, member)
#define WANTED_SET .wanted = "cards such as 3C4S, each once, or -"
#define WANTED_TEAMS .wanted = "a number for each team such as A:1,B:0"
#define WANTED_SEAT .wanted = "a seat of this game"
#define WANTED_SEAT_OR_DASH .wanted = "a seat of this game, or -"

/* The keys in the order of the line.  They are parsed in this order. */
static const struct state_key {
	const char *name, *param; /* parameter of FORM_PARAM */
	enum state_form form;
	size_t offset; /* in the view */
	int max;       /* of FORM_COUNT */
	bool optional; /* the key may be missing */
	const char *wanted;
} keys[] = {
	{ "rules", .wanted = "a preset and its overrides" },
	{ "seats", "players", FORM_PARAM, .wanted = "2, 3, 4 or 6" },
	{ "teams", "teams", FORM_PARAM,
	    .wanted = "the teams of the seats such as ABAB" },
	{ "target", "target", FORM_PARAM, .optional = true,
	    .wanted = "a number from 1 to 9999" },
	{ "you", NULL, FORM_SEAT, VIEW(seat), WANTED_SEAT },
	{ "hand", NULL, FORM_SET, VIEW(hand), WANTED_SET },
	{ "deal", NULL, FORM_DEAL_NUMBER, VIEW(deal_number), .optional = true,
	    .wanted = "a number from 1 on" },
	{ "dealer", NULL, FORM_SEAT, VIEW(dealer), WANTED_SEAT },
	{ "turn", NULL, FORM_SEAT_OR_DASH, VIEW(turn), WANTED_SEAT_OR_DASH },
	{ "table", NULL, FORM_SET, VIEW(table), WANTED_SET },
	{ "hands", NULL, FORM_SEAT_COUNTS, VIEW(hand_counts),
	    .wanted = "a count for each seat such as 1:3,2:3" },
	{ "deck", NULL, FORM_COUNT, VIEW(deck_count), .max = SCOPA_PACK_SIZE,
	    .wanted = "a number from 0 to 40" },
	{ "pile", NULL, FORM_PILES, VIEW(captured),
	    .wanted = "cards for each team such as A:6C6D,B:-" },
	{ "scopas", NULL, FORM_TEAM_COUNTS, VIEW(scopas), .optional = true,
	    WANTED_TEAMS },
	{ "scores", NULL, FORM_SCORES, VIEW(scores), .optional = true,
	    WANTED_TEAMS },
	{ "last", NULL, FORM_SEAT_OR_DASH, VIEW(last), .optional = true,
	    WANTED_SEAT_OR_DASH },
	{ "shown", NULL, FORM_SHOWN, VIEW(shown), .optional = true,
	    .wanted = "cards of some seats such as 1:AC2D, or -" },
	{ "plays", NULL, FORM_PLAYS, VIEW(history), .optional = true,
	    .wanted = "the moves so far such as 1:6Cx6D/2:2C, or -" },
	{ "declared", NULL, FORM_TEAM_COUNTS, VIEW(declared), .optional = true,
	    .wanted = "a number for each team such as A:3,B:0" },
	{ "matta", NULL, FORM_MATTA, VIEW(matta), .optional = true,
	    .wanted = "a rank such as A, or -" },
	{ "opening", NULL, FORM_COUNT, VIEW(opening), .max = 2,
	    .optional = true, .wanted = "0, 1 or 2" },
};

/* Keys of the rules come before keys of the view. */
enum { KEY_COUNT = COUNTOF(keys), KEY_RULES = 0, KEY_SEATS = 1, KEY_YOU = 4 };

static bool
is_dash(struct bytes bytes)
{
	return bytes.length == 1 && bytes.at[0] == '-';
}

/*
 * Removes and returns the part before the next separator.  After the last part
 * `at` is NULL.
 */
static struct bytes
next_part(struct bytes *bytes, char separator)
{
	struct bytes part = *bytes;
	const char *end;

	if (bytes->at == NULL)
		return part;
	end = memchr(bytes->at, separator, bytes->length);
	if (end == NULL) {
		*bytes = (struct bytes){ NULL, 0 };
		return part;
	}
	part.length = (size_t)(end - bytes->at);
	bytes->at = end + 1;
	bytes->length -= part.length + 1;
	return part;
}

/*
 * Removes `A:`, with a letter or digit from `first`, and returns its index; -1
 * when there is none.
 */
static int
strip_head(struct bytes *bytes, char first, int count)
{
	int index;

	if (bytes->length < 2 || bytes->at[1] != ':')
		return -1;
	index = bytes->at[0] - first;
	if (index < 0 || index >= count)
		return -1;
	bytes->at += 2;
	bytes->length -= 2;
	return index;
}

static bool
read_number(struct bytes bytes, int64_t max, int32_t *number)
{
	int64_t sum = 0;

	if (bytes.length == 0 || bytes.length > NUMBER_DIGITS_MAX)
		return false;
	for (size_t i = 0; i < bytes.length; i++) {
		if (bytes.at[i] < '0' || bytes.at[i] > '9')
			return false;
		sum = sum * 10 + (bytes.at[i] - '0');
	}
	if (sum > max)
		return false;
	*number = (int32_t)sum;
	return true;
}

static bool
read_count(struct bytes bytes, int max, uint8_t *count)
{
	int32_t number;

	if (!read_number(bytes, max, &number))
		return false;
	*count = (uint8_t)number;
	return true;
}

static bool
read_set(struct bytes bytes, scopa_set *set)
{
	return scopa_set_parse(bytes.at, bytes.length, set) == SCOPA_PARSED;
}

/* Parses one entry of a list. */
static bool
read_part(enum state_form form, struct bytes part, void *member, int index)
{
	if (form == FORM_SCORES)
		return read_number(part, INT32_MAX, (int32_t *)member + index);
	if (form == FORM_PILES)
		return read_set(part, (scopa_set *)member + index);
	return read_count(part, UINT8_MAX, (uint8_t *)member + index);
}

/*
 * Parses a list with all entries, in order.  The heads are `first` and the
 * characters after it.
 */
static bool
read_list(enum state_form form, struct bytes bytes, char first, int count,
    void *member)
{
	for (int i = 0; i < count; i++) {
		struct bytes part = next_part(&bytes, ',');

		if (strip_head(&part, first, count) != i ||
		    !read_part(form, part, member, i))
			return false;
	}
	return bytes.at == NULL;
}

static bool
read_shown(struct bytes bytes, int players, scopa_set *shown)
{
	if (is_dash(bytes))
		return true;
	do {
		struct bytes part = next_part(&bytes, ',');
		int seat = strip_head(&part, '1', players);

		if (seat < 0 || shown[seat] != SCOPA_SET_EMPTY ||
		    !read_set(part, &shown[seat]) ||
		    shown[seat] == SCOPA_SET_EMPTY)
			return false;
	} while (bytes.at != NULL);
	return true;
}

static bool
read_plays(struct bytes bytes, int players, struct scopa_view *view)
{
	if (is_dash(bytes))
		return true;
	do {
		struct bytes part = next_part(&bytes, '/');
		int seat = strip_head(&part, '1', players);
		struct scopa_move *move = &view->history[view->history_count];

		if (seat < 0 || view->history_count == SCOPA_HISTORY_MAX ||
		    scopa_move_parse(part.at, part.length, move) !=
			SCOPA_PARSED)
			return false;
		move->seat = (uint8_t)seat;
		view->history_count++;
	} while (bytes.at != NULL);
	return true;
}

static bool
read_seat(struct bytes bytes, int players, uint8_t *seat)
{
	if (bytes.length != 1 || bytes.at[0] < '1' ||
	    bytes.at[0] >= '1' + players)
		return false;
	*seat = (uint8_t)(bytes.at[0] - '1');
	return true;
}

/* Parses a parameter of the rules that has its own key. */
static bool
read_param(struct bytes bytes, const char *key, struct scopa_rules *rules)
{
	struct scopa_text unused = SCOPA_TEXT(1);

	return param_read(
	    scopa_param_find(key), rules, bytes.at, bytes.length, &unused);
}

static bool
read_value(const struct state_key *key, struct bytes bytes,
    struct scopa_rules *rules, struct scopa_view *view)
{
	int players = rules->players, teams = scopa_team_count(rules);
	void *member = (char *)view + key->offset;
	uint8_t *byte = member;

	switch (key->form) {
	case FORM_SPEC:
		return true;
	case FORM_PARAM:
		return read_param(bytes, key->param, rules);
	case FORM_SEAT_OR_DASH:
		if (is_dash(bytes)) {
			*byte = SCOPA_SEAT_NONE;
			return true;
		}
		return read_seat(bytes, players, byte);
	case FORM_SEAT:
		return read_seat(bytes, players, byte);
	case FORM_SET:
		return read_set(bytes, member);
	case FORM_DEAL_NUMBER:
		return read_number(bytes, INT32_MAX, member) &&
		    view->deal_number > 0;
	case FORM_COUNT:
		return read_count(bytes, key->max, byte);
	case FORM_SEAT_COUNTS:
		return read_list(key->form, bytes, '1', players, member);
	case FORM_TEAM_COUNTS:
	case FORM_SCORES:
	case FORM_PILES:
		return read_list(key->form, bytes, 'A', teams, member);
	case FORM_SHOWN:
		return read_shown(bytes, players, member);
	case FORM_PLAYS:
		return read_plays(bytes, players, view);
	case FORM_MATTA:
		*byte = bytes.length == 1
		    ? (uint8_t)scopa_value_find(bytes.at[0])
		    : 0;
		return *byte != 0 || is_dash(bytes);
	}
	return false;
}

/*
 * Stores the value of a word `KEY=VALUE`.  Words with other keys are skipped.
 */
static bool
file_value(
    struct bytes word, struct bytes values[KEY_COUNT], struct scopa_text *why)
{
	struct bytes name = next_part(&word, '=');

	for (int key = 0; key < KEY_COUNT; key++) {
		if (strlen(keys[key].name) != name.length ||
		    memcmp(keys[key].name, name.at, name.length) != 0)
			continue;
		if (values[key].at != NULL) {
			scopa_text_print(why, "%s is given twice: say it once",
			    keys[key].name);
			return false;
		}
		values[key] = word;
	}
	return true;
}

/* Splits the line into words, up to its end or a comment. */
static bool
split_line(
    const char *line, struct bytes values[KEY_COUNT], struct scopa_text *why)
{
	static const char blanks[] = " \t\r\n", verb[] = "state";
	size_t length;

	line += strspn(line, blanks);
	length = strcspn(line, blanks);
	if (length != strlen(verb) || memcmp(line, verb, length) != 0) {
		scopa_text_string(why, "the line must begin with state");
		param_refuse(why, line, length);
		return false;
	}
	for (;;) {
		line += length;
		line += strspn(line, blanks);
		length = strcspn(line, blanks);
		if (length == 0 || line[0] == '#')
			return true;
		if (!file_value((struct bytes){ line, length }, values, why))
			return false;
	}
}

static bool
read_spec(struct bytes bytes, struct scopa_rules *rules, struct scopa_text *why)
{
	char spec[SPEC_SIZE_MAX];

	if (bytes.at == NULL || bytes.length >= sizeof(spec)) {
		scopa_text_print(why,
		    "rules is %s: it must be a preset and its overrides",
		    bytes.at == NULL ? "missing" : "too long");
		return false;
	}
	memcpy(spec, bytes.at, bytes.length);
	spec[bytes.length] = '\0';
	return scopa_rules_read(rules, spec, why);
}

/* Parses the values of the keys from index `key` to `end` - 1. */
static bool
read_values(const struct bytes values[KEY_COUNT], int key, int end,
    struct scopa_rules *rules, struct scopa_view *view, struct scopa_text *why)
{
	for (; key < end; key++) {
		bool missing = values[key].at == NULL;

		if (missing ? keys[key].optional
			    : read_value(&keys[key], values[key], rules, view))
			continue;
		scopa_text_print(why, "%s%s must be %s", keys[key].name,
		    missing ? " is missing: it" : "", keys[key].wanted);
		if (!missing)
			param_refuse(why, values[key].at, values[key].length);
		return false;
	}
	return true;
}

bool
scopa_state_parse(const char *line, struct scopa_rules *rules,
    struct scopa_view *view, struct scopa_text *why)
{
	struct bytes values[KEY_COUNT] = { { NULL, 0 } };
	struct scopa_rules line_rules;
	struct scopa_view line_view = {
		.deal_number = 1,
		.last = SCOPA_SEAT_NONE,
	};

	if (!split_line(line, values, why) ||
	    !read_spec(values[KEY_RULES], &line_rules, why) ||
	    !read_values(
		values, KEY_SEATS, KEY_YOU, &line_rules, &line_view, why) ||
	    !scopa_rules_check(&line_rules, why) ||
	    !read_values(
		values, KEY_YOU, KEY_COUNT, &line_rules, &line_view, why))
		return false;
	/* A seat with all cards of a hand has played none of them. */
	for (int seat = 0; seat < line_rules.players; seat++)
		if (line_view.hand_counts[seat] == line_rules.hand)
			line_view.untouched |= (uint8_t)(1 << seat);
	if (!check_view(&line_rules, &line_view, why))
		return false;
	*rules = line_rules;
	*view = line_view;
	return true;
}
