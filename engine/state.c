/*
 * The `state` line: all that a seat may know of a deal, as text.
 */
#include <assert.h>

#include "scopa/notation.h"
#include "write.h"

enum {
	/* Room for what follows the spec, whatever a view holds. */
	STATE_SIZE_MAX = 8192,
	PART_SET_SIZE_MAX = 3 + WRITE_SET_SIZE_MAX,
	PART_NUMBER_SIZE_MAX = 3 + WRITE_NUMBER_SIZE_MAX,
	KEYS_SIZE_MAX = 256
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

/* `A:` or `,B:`: the head of the part of a list that is about one of many. */
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

/* What only some rules have need of. */
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
