/*
 * The `state` line read back into rules and view.
 */
#include <assert.h>
#include <string.h>

#include "param.h"
#include "position.h"
#include "scopa/notation.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

enum { SPEC_SIZE_MAX = 1024, NUMBER_DIGITS_MAX = 10 };

/* Bytes of the line that are still to be read; at NULL: none. */
struct bytes {
	const char *at;
	size_t length;
};

/* Keys in the order of the line, which is the order of reading. */
enum state_key {
	KEY_RULES,
	KEY_SEATS,
	KEY_TEAMS,
	KEY_TARGET,
	KEY_YOU,
	KEY_HAND,
	KEY_DEAL,
	KEY_DEALER,
	KEY_TURN,
	KEY_TABLE,
	KEY_HANDS,
	KEY_DECK,
	KEY_PILE,
	KEY_SCOPAS,
	KEY_SCORES,
	KEY_LAST,
	KEY_SHOWN,
	KEY_PLAYS,
	KEY_DECLARED,
	KEY_MATTA,
	KEY_OPENING,
	KEY_COUNT
};

/* What a value may be, and whether a line may do without it. */
static const struct {
	const char *name, *wanted;
	bool optional;
} keys[] = {
	[KEY_RULES] = { "rules", "a preset and its overrides", false },
	[KEY_SEATS] = { "seats", "2, 3, 4 or 6", false },
	[KEY_TEAMS] = { "teams", "the teams of the seats such as ABAB", false },
	[KEY_TARGET] = { "target", "a number from 1 to 9999", true },
	[KEY_YOU] = { "you", "a seat of this game", false },
	[KEY_HAND] = { "hand", "cards such as 3C4S, each once, or -", false },
	[KEY_DEAL] = { "deal", "a number from 1 on", true },
	[KEY_DEALER] = { "dealer", "a seat of this game", false },
	[KEY_TURN] = { "turn", "a seat of this game, or -", false },
	[KEY_TABLE] = { "table", "cards such as 3C4S, each once, or -", false },
	[KEY_HANDS] = { "hands", "a count for each seat such as 1:3,2:3",
	    false },
	[KEY_DECK] = { "deck", "a number from 0 to 40", false },
	[KEY_PILE] = { "pile", "cards for each team such as A:6C6D,B:-",
	    false },
	[KEY_SCOPAS] = { "scopas", "a number for each team such as A:1,B:0",
	    true },
	[KEY_SCORES] = { "scores", "a number for each team such as A:1,B:0",
	    true },
	[KEY_LAST] = { "last", "a seat of this game, or -", true },
	[KEY_SHOWN] = { "shown", "cards of some seats such as 1:AC2D, or -",
	    true },
	[KEY_PLAYS] = { "plays", "the moves so far such as 1:6Cx6D/2:2C, or -",
	    true },
	[KEY_DECLARED] = { "declared", "a number for each team such as A:3,B:0",
	    true },
	[KEY_MATTA] = { "matta", "a rank such as A, or -", true },
	[KEY_OPENING] = { "opening", "0, 1 or 2", true },
};

_Static_assert(COUNTOF(keys) == KEY_COUNT, "a row for every key");

static bool
is_dash(struct bytes bytes)
{
	return bytes.length == 1 && bytes.at[0] == '-';
}

/*
 * Cuts off and returns what stands before the next separator.  After the last
 * part nothing is left, not even a place.
 */
static struct bytes
take_part(struct bytes *bytes, char separator)
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

/* Takes `A:`, with a letter or digit from `first` on; -1 where it is none. */
static int
take_head(struct bytes *bytes, char first, int count)
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

	assert(max <= UINT8_MAX);
	if (!read_number(bytes, max, &number))
		return false;
	*count = (uint8_t)number;
	return true;
}

/* `first` to `first` + count - 1 stand for 0 to count - 1, in this order. */
static bool
read_numbers(struct bytes bytes, char first, int count, int64_t max,
    int32_t numbers[SCOPA_SEATS_MAX])
{
	for (int i = 0; i < count; i++) {
		struct bytes part = take_part(&bytes, ',');

		if (take_head(&part, first, count) != i ||
		    !read_number(part, max, &numbers[i]))
			return false;
	}
	return bytes.at == NULL;
}

static bool
read_counts(struct bytes bytes, char first, int count, uint8_t *counts)
{
	int32_t numbers[SCOPA_SEATS_MAX] = { 0 };

	if (!read_numbers(bytes, first, count, UINT8_MAX, numbers))
		return false;
	for (int i = 0; i < count; i++)
		counts[i] = (uint8_t)numbers[i];
	return true;
}

static bool
read_set(struct bytes bytes, scopa_set *set)
{
	return scopa_set_parse(bytes.at, bytes.length, set) == SCOPA_PARSED;
}

static bool
read_piles(struct bytes bytes, int teams, scopa_set *piles)
{
	for (int i = 0; i < teams; i++) {
		struct bytes part = take_part(&bytes, ',');

		if (take_head(&part, 'A', teams) != i ||
		    !read_set(part, &piles[i]))
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
		struct bytes part = take_part(&bytes, ',');
		int seat = take_head(&part, '1', players);

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
		struct bytes part = take_part(&bytes, '/');
		int seat = take_head(&part, '1', players);
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

static bool
read_seat_or_dash(struct bytes bytes, int players, uint8_t *seat)
{
	if (is_dash(bytes)) {
		*seat = SCOPA_SEAT_NONE;
		return true;
	}
	return read_seat(bytes, players, seat);
}

static bool
read_matta(struct bytes bytes, uint8_t *matta)
{
	if (is_dash(bytes)) {
		*matta = 0;
		return true;
	}
	*matta = bytes.length == 1 ? (uint8_t)scopa_value_find(bytes.at[0]) : 0;
	return *matta != 0;
}

/* A parameter of the rules that the line says beside the spec. */
static bool
read_param(struct bytes bytes, const char *key, struct scopa_rules *rules)
{
	const struct scopa_param *param = scopa_param_find(key);
	struct scopa_text unused;
	char byte;

	assert(param != NULL);
	scopa_text_init(&unused, &byte, sizeof(byte));
	return param_read(param, rules, bytes.at, bytes.length, &unused);
}

static bool
read_value(enum state_key key, struct bytes bytes, struct scopa_rules *rules,
    struct scopa_view *view)
{
	int players = rules->players, teams = scopa_team_count(rules);

	switch (key) {
	case KEY_RULES:
		return true;
	case KEY_SEATS:
		return read_param(bytes, "players", rules);
	case KEY_TEAMS:
	case KEY_TARGET:
		return read_param(bytes, keys[key].name, rules);
	case KEY_YOU:
		return read_seat(bytes, players, &view->seat);
	case KEY_HAND:
		return read_set(bytes, &view->hand);
	case KEY_DEAL:
		return read_number(bytes, INT32_MAX, &view->deal_number) &&
		    view->deal_number > 0;
	case KEY_DEALER:
		return read_seat(bytes, players, &view->dealer);
	case KEY_TURN:
		return read_seat_or_dash(bytes, players, &view->turn);
	case KEY_TABLE:
		return read_set(bytes, &view->table);
	case KEY_HANDS:
		return read_counts(bytes, '1', players, view->hand_counts);
	case KEY_DECK:
		return read_count(bytes, SCOPA_PACK_SIZE, &view->deck_count);
	case KEY_PILE:
		return read_piles(bytes, teams, view->captured);
	case KEY_SCOPAS:
		return read_counts(bytes, 'A', teams, view->scopas);
	case KEY_SCORES:
		return read_numbers(bytes, 'A', teams, INT32_MAX, view->scores);
	case KEY_LAST:
		return read_seat_or_dash(bytes, players, &view->last);
	case KEY_SHOWN:
		return read_shown(bytes, players, view->shown);
	case KEY_PLAYS:
		return read_plays(bytes, players, view);
	case KEY_DECLARED:
		return read_counts(bytes, 'A', teams, view->declared);
	case KEY_MATTA:
		return read_matta(bytes, &view->matta);
	case KEY_OPENING:
		return read_count(bytes, 2, &view->opening);
	case KEY_COUNT:
		break;
	}
	return false;
}

/* Files the value of a word `KEY=VALUE`; unknown words are skipped. */
static bool
file_value(
    struct bytes word, struct bytes values[KEY_COUNT], struct scopa_text *why)
{
	struct bytes name = take_part(&word, '=');

	for (int key = 0; key < KEY_COUNT; key++) {
		if (strlen(keys[key].name) != name.length ||
		    memcmp(keys[key].name, name.at, name.length) != 0)
			continue;
		if (values[key].at != NULL) {
			scopa_text_string(why, keys[key].name);
			scopa_text_string(why, " is given twice: say it once");
			return false;
		}
		values[key] = word;
	}
	return true;
}

/* Splits the line up to its end or to a comment. */
static bool
split_line(
    const char *line, struct bytes values[KEY_COUNT], struct scopa_text *why)
{
	static const char blanks[] = " \t\r\n", verb[] = "state";
	size_t length;

	line += strspn(line, blanks);
	length = strcspn(line, blanks);
	if (length != strlen(verb) || memcmp(line, verb, length) != 0) {
		scopa_text_string(why, "the line must begin with state (not ");
		param_quote(why, line, length);
		scopa_text_char(why, ')');
		return false;
	}
	for (int key = 0; key < KEY_COUNT; key++)
		values[key] = (struct bytes){ NULL, 0 };
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
		scopa_text_string(why,
		    bytes.at == NULL ? "rules is missing"
				     : "rules is too long");
		scopa_text_string(
		    why, ": it must be a preset and its overrides");
		return false;
	}
	memcpy(spec, bytes.at, bytes.length);
	spec[bytes.length] = '\0';
	return scopa_rules_read(rules, spec, why);
}

static bool
read_values(const struct bytes values[KEY_COUNT], enum state_key from,
    enum state_key to, struct scopa_rules *rules, struct scopa_view *view,
    struct scopa_text *why)
{
	for (enum state_key key = from; key < to; key++) {
		bool missing = values[key].at == NULL;

		if (missing && keys[key].optional)
			continue;
		if (!missing && read_value(key, values[key], rules, view))
			continue;
		scopa_text_string(why, keys[key].name);
		scopa_text_string(
		    why, missing ? " is missing: it must be " : " must be ");
		scopa_text_string(why, keys[key].wanted);
		if (!missing) {
			scopa_text_string(why, " (not ");
			param_quote(why, values[key].at, values[key].length);
			scopa_text_char(why, ')');
		}
		return false;
	}
	return true;
}

/* What a whole hand is need not be said: no card of it has been played. */
static void
mark_untouched(const struct scopa_rules *rules, struct scopa_view *view)
{
	for (int seat = 0; seat < rules->players; seat++)
		if (view->hand_counts[seat] == rules->hand)
			view->untouched |= (uint8_t)(1 << seat);
}

bool
scopa_state_parse(const char *line, struct scopa_rules *rules,
    struct scopa_view *view, struct scopa_text *why)
{
	struct bytes values[KEY_COUNT];
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
	mark_untouched(&line_rules, &line_view);
	if (!position_check(&line_rules, &line_view, why))
		return false;
	*rules = line_rules;
	*view = line_view;
	return true;
}
