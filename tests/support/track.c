/*
 * Every event names the cards that it moves, so that nothing here needs to
 * know how captures work: only where cards lie, and whose turn is next.
 */
#include "track.h"

#include <assert.h>
#include <string.h>

#include "scopa/notation.h"

/* Longest key and value of a rules line that can mean anything. */
enum { KEY_SIZE = 32, VALUE_SIZE = 64, SPEC_SIZE = 1024, WHY_SIZE = 256 };

/* The 7 of cups, wild where it was declared. */
static const scopa_card matta = 4 * 6 + SCOPA_COPPE;

void
track_init(struct track *track)
{
	const struct scopa_preset *preset = scopa_preset_find("scopa");

	assert(preset != NULL);
	*track = (struct track){ .rules = preset->rules };
}

/* Reads a seat, 1 to the number of players, as a number from 0. */
static bool
seat_read(const struct track *track, struct token token, int *seat)
{
	int64_t number;

	if (!token_int(token, 1, track->rules.players, &number))
		return false;
	*seat = (int)number - 1;
	return true;
}

/* Cards of a set as they are written; hidden ones are counted only. */
static bool
cards_read(struct token token, scopa_set *cards, int *count)
{
	if (token.length == 0)
		return false;
	if (token.bytes[0] == '?') {
		*cards = SCOPA_SET_EMPTY;
		*count = (int)(token.length / SCOPA_CARD_TEXT_SIZE);
		return true;
	}
	if (scopa_set_parse(token.bytes, token.length, cards) != SCOPA_PARSED)
		return false;
	*count = scopa_set_count(*cards);
	return true;
}

static void
rules_set(struct track *track, struct token key, struct token value)
{
	char key_bytes[KEY_SIZE], value_bytes[VALUE_SIZE], why_bytes[WHY_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	if (token_copy(key, key_bytes, sizeof(key_bytes)) &&
	    token_copy(value, value_bytes, sizeof(value_bytes)))
		scopa_rules_set(&track->rules, key_bytes, value_bytes, &why);
}

static void
track_match(struct track *track, struct token line)
{
	static const char *const keys[] = { "seats", "teams", "target" };
	char spec[SPEC_SIZE], why_bytes[WHY_SIZE];
	struct scopa_text why;
	int seat = 0;

	track_init(track);
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	if (token_copy(token_find(line, "rules"), spec, sizeof(spec)))
		scopa_rules_parse(&track->rules, spec, &why);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct token value = token_find(line, keys[i]);
		const char *key = i == 0 ? "players" : keys[i];

		if (value.length > 0)
			rules_set(
			    track, (struct token){ key, strlen(key) }, value);
	}
	if (seat_read(track, token_find(line, "you"), &seat))
		track->view.seat = (uint8_t)seat;
}

static void
track_rules(struct track *track, struct token line)
{
	struct token word = token_next(&line);

	for (; word.length > 0; word = token_next(&line)) {
		const char *equals = memchr(word.bytes, '=', word.length);

		if (equals == NULL)
			continue;

		size_t length = (size_t)(equals - word.bytes);

		rules_set(track, (struct token){ word.bytes, length },
		    (struct token){ equals + 1, word.length - length - 1 });
	}
}

/* `A:3,B:5` */
static void
scores_read(struct track *track, struct token scores)
{
	while (scores.length > 0) {
		const char *comma = memchr(scores.bytes, ',', scores.length);
		size_t length = comma == NULL ? scores.length
					      : (size_t)(comma - scores.bytes);
		int team = scores.bytes[0] - 'A';
		int64_t points;

		if (length > 2 && team >= 0 && team < SCOPA_TEAMS_MAX &&
		    token_int((struct token){ scores.bytes + 2, length - 2 },
			INT32_MIN, INT32_MAX, &points))
			track->view.scores[team] = (int32_t)points;
		length += comma != NULL;
		scores.bytes += length;
		scores.length -= length;
	}
}

/* A deal of which nothing lies open yet. */
static void
view_clear(struct track *track, int dealer)
{
	struct scopa_view *view = &track->view;
	struct scopa_view next = {
		.deal_number = view->deal_number,
		.deck_count = SCOPA_PACK_SIZE,
		.seat = view->seat,
		.dealer = (uint8_t)dealer,
		.turn = (uint8_t)((dealer + 1) % track->rules.players),
		.last = SCOPA_SEAT_NONE,
	};

	memcpy(next.scores, view->scores, sizeof(next.scores));
	*view = next;
	track->running = true;
}

static void
track_deal(struct track *track, struct token line)
{
	int64_t number;
	int dealer, first;

	if (!token_int(token_next(&line), 1, INT32_MAX, &number) ||
	    !seat_read(track, token_find(line, "dealer"), &dealer))
		return;
	track->view.deal_number = (int32_t)number;
	view_clear(track, dealer);
	scores_read(track, token_find(line, "scores"));
	if (seat_read(track, token_find(line, "first"), &first))
		track->view.turn = (uint8_t)first;
}

static void
track_redeal(struct track *track, struct token line)
{
	(void)line;
	if (track->running)
		view_clear(track, track->view.dealer);
}

static void
deck_take(struct track *track, int count)
{
	if (count <= track->view.deck_count)
		track->view.deck_count =
		    (uint8_t)(track->view.deck_count - count);
}

static void
track_table(struct track *track, struct token line)
{
	int count;
	scopa_set cards;

	if (!cards_read(token_next(&line), &cards, &count))
		return;
	track->view.table = cards;
	deck_take(track, count);
}

static void
track_give(struct track *track, struct token line)
{
	struct scopa_view *view = &track->view;
	int seat, count;
	scopa_set cards;

	if (!seat_read(track, token_next(&line), &seat) ||
	    !cards_read(token_next(&line), &cards, &count) ||
	    count > SCOPA_PACK_SIZE)
		return;
	if (seat == view->seat)
		view->hand = cards;
	view->hand_counts[seat] = (uint8_t)count;
	view->shown[seat] = SCOPA_SET_EMPTY;
	view->untouched |= (uint8_t)(1 << seat);
	deck_take(track, count);
}

/* Cards from the table to the pile of the seat's team. */
static void
pile_add(struct track *track, int seat, scopa_set cards)
{
	int team = scopa_team_of(&track->rules, seat);

	track->view.captured[team] |= cards;
	track->view.table &= ~cards;
	track->view.last = (uint8_t)seat;
}

static void
scopas_add(struct track *track, int seat, struct token number)
{
	int team = scopa_team_of(&track->rules, seat);
	int64_t scopas;

	if (token_int(number, 0, SCOPA_PACK_SIZE, &scopas))
		track->view.scopas[team] =
		    (uint8_t)(track->view.scopas[team] + scopas);
}

static void
track_sweep(struct track *track, struct token line)
{
	struct token scopas = token_find(line, "scopa");
	int seat, count;
	int64_t opening;
	scopa_set cards;

	if (!seat_read(track, token_next(&line), &seat) ||
	    !cards_read(token_next(&line), &cards, &count))
		return;
	pile_add(track, seat, cards);
	scopas_add(track, seat, scopas);
	if (token_int(scopas, 0, SCOPA_PACK_SIZE, &opening))
		track->view.opening = (uint8_t)opening;
}

static void
history_add(struct track *track, struct scopa_move move, int seat)
{
	struct scopa_view *view = &track->view;

	move.seat = (uint8_t)seat;
	if (view->history_count < SCOPA_HISTORY_MAX)
		view->history[view->history_count++] = move;
}

/* `1 low:A points=3`: the declaration as its move is written, without `!`. */
static void
track_declare(struct track *track, struct token line)
{
	enum { DECLARATION_SIZE = 16 };
	struct token points = token_find(line, "points");
	char text[DECLARATION_SIZE] = "!";
	struct scopa_move move;
	struct token name;
	int64_t number;
	int seat;

	if (!seat_read(track, token_next(&line), &seat))
		return;
	name = token_next(&line);
	if (!token_copy(name, text + 1, sizeof(text) - 1) ||
	    scopa_move_parse(text, name.length + 1, &move) != SCOPA_PARSED)
		return;
	if (token_int(points, 0, UINT8_MAX, &number)) {
		int team = scopa_team_of(&track->rules, seat);

		track->view.declared[team] =
		    (uint8_t)(track->view.declared[team] + number);
	}
	if (move.value > 0 && track->rules.matta != SCOPA_MATTA_PLAIN)
		track->view.matta = move.value;
	history_add(track, move, seat);
}

static void
track_show(struct track *track, struct token line)
{
	int seat, count;
	scopa_set cards;

	if (seat_read(track, token_next(&line), &seat) &&
	    cards_read(token_next(&line), &cards, &count))
		track->view.shown[seat] = cards;
}

/* An ace on an empty table goes to its player's pile under some rules. */
static bool
takes_itself(const struct track *track, const struct scopa_move *move)
{
	const struct scopa_view *view = &track->view;
	int value = move->card == matta && view->matta > 0
	    ? view->matta
	    : scopa_card_value(move->card);

	return track->rules.ace_empty == SCOPA_ACE_EMPTY_TAKE && value == 1 &&
	    view->table == SCOPA_SET_EMPTY;
}

/* A wild card that has moved keeps its value on the table only, if at all. */
static void
release_matta(struct track *track, scopa_set moved)
{
	bool kept = track->rules.matta == SCOPA_MATTA_TABLE &&
	    scopa_set_has(track->view.table, matta);

	if (scopa_set_has(moved, matta) && !kept)
		track->view.matta = 0;
}

static void
track_play(struct track *track, struct token line)
{
	struct scopa_view *view = &track->view;
	struct scopa_move move;
	struct token text;
	scopa_set card;
	int seat;

	if (!track->running || !seat_read(track, token_next(&line), &seat))
		return;
	text = token_next(&line);
	if (scopa_move_parse(text.bytes, text.length, &move) != SCOPA_PARSED ||
	    move.card == SCOPA_CARD_NONE)
		return;
	card = scopa_set_of(move.card);
	if (move.captured != SCOPA_SET_EMPTY || takes_itself(track, &move))
		pile_add(track, seat, move.captured | card);
	else
		view->table |= card;
	view->hand &= ~card;
	view->shown[seat] &= ~card;
	view->untouched &= (uint8_t) ~(1 << seat);
	if (view->hand_counts[seat] > 0)
		view->hand_counts[seat]--;
	release_matta(track, move.captured | card);
	scopas_add(track, seat, token_find(line, "scopa"));
	history_add(track, move, seat);
	view->turn = (uint8_t)((seat + 1) % track->rules.players);
}

static void
track_end(struct track *track, struct token line)
{
	(void)line;
	track->running = false;
}

void
track_hear(struct track *track, struct token line)
{
	static const struct {
		const char *verb;
		void (*hear)(struct track *track, struct token line);
	} events[] = {
		{ "match", track_match },
		{ "rules", track_rules },
		{ "deal", track_deal },
		{ "redeal", track_redeal },
		{ "table", track_table },
		{ "give", track_give },
		{ "sweep", track_sweep },
		{ "declare", track_declare },
		{ "show", track_show },
		{ "play", track_play },
		{ "score", track_end },
	};
	struct token verb = token_next(&line);

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (token_is(verb, events[i].verb))
			events[i].hear(track, line);
}
