/*
 * The table of events: how each line of a game is read and written, and what
 * each seat may receive of it.
 *
 * A message is its row at the end of this file, with the two functions above it
 * that the row names: one reads the words of the line, one writes them.
 */
#include "event.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { DEALS_MAX = 1000000, SCORE_MAX = 1000000 };

static const char *const outcome_names[EVENT_OUTCOME_COUNT] = {
	[EVENT_WIN] = "win",
	[EVENT_LOSS] = "loss",
	[EVENT_DRAW] = "draw",
};

/*
 * Reading values.  Each answers false, with a sentence in `why` and nothing
 * written, where the value is not what it must be.
 */
static bool
refuse(struct scopa_text *why, const char *sentence)
{
	scopa_text_string(why, sentence);
	return false;
}

/* `what: "word" is not EXPECTED` */
static bool
refuse_word(struct scopa_text *why, const char *what, struct word word,
    const char *expected)
{
	scopa_text_string(why, what);
	if (word.bytes == NULL) {
		scopa_text_string(why, " is missing; expected ");
		return refuse(why, expected);
	}
	scopa_text_string(why, " \"");
	scopa_text_bytes(
	    why, word.bytes, word.length < 100 ? word.length : 100);
	scopa_text_string(why, "\" is not ");
	return refuse(why, expected);
}

static bool
read_number(const struct words *words, const char *key, int64_t min,
    int64_t max, int *number, struct scopa_text *why)
{
	struct word word = words_find(words, key);
	int64_t value;

	if (word.bytes == NULL || !word_to_int(word, min, max, &value))
		return refuse_word(why, key, word, "a number in range");
	*number = (int)value;
	return true;
}

/* The same, but the key may be left out; *number then stays as it is. */
static bool
read_optional(const struct words *words, const char *key, int64_t min,
    int64_t max, int *number, struct scopa_text *why)
{
	if (words_find(words, key).bytes == NULL)
		return true;
	return read_number(words, key, min, max, number, why);
}

/* A value as text; an absent key gives an empty text. */
static bool
read_text(const struct words *words, const char *key, char *text, size_t size,
    struct scopa_text *why)
{
	struct word word = words_find(words, key);

	text[0] = '\0';
	if (word.bytes && !word_decode(word, text, size))
		return refuse_word(why, key, word, "a text of this length");
	return true;
}

static bool
read_seat(struct word word, int *seat, struct scopa_text *why)
{
	int64_t number;

	if (!word_to_int(word, 1, SCOPA_SEATS_MAX, &number))
		return refuse_word(why, "seat", word, "1 to 6");
	*seat = (int)number - 1;
	return true;
}

static bool
read_team(struct word word, int *team, struct scopa_text *why)
{
	if (word.bytes == NULL || word.length != 1 || word.bytes[0] < 'A' ||
	    word.bytes[0] >= 'A' + SCOPA_TEAMS_MAX)
		return refuse_word(why, "team", word, "a letter A to F");
	*team = word.bytes[0] - 'A';
	return true;
}

/* `A:0,B:0`, teams in order. */
static bool
read_scores(const struct words *words, int32_t scores[SCOPA_TEAMS_MAX],
    int *team_count, struct scopa_text *why)
{
	struct word word = words_find(words, "scores"), rest = word, piece;
	int64_t number;

	*team_count = 0;
	while (word_next_piece(&rest, ',', &piece)) {
		struct word points = piece, team;

		if (*team_count == SCOPA_TEAMS_MAX ||
		    !word_next_piece(&points, ':', &team) || team.length != 1 ||
		    team.bytes[0] != 'A' + *team_count ||
		    points.bytes == NULL ||
		    !word_to_int(points, -SCORE_MAX, SCORE_MAX, &number))
			return refuse_word(
			    why, "scores", word, "a list like A:0,B:0");
		scores[(*team_count)++] = (int32_t)number;
	}
	return true;
}

/* Cards, or as many `??`. */
static bool
read_cards(struct word word, struct event_cards *cards, struct scopa_text *why)
{
	scopa_set set;
	size_t marks = 0;

	while (marks < word.length && word.bytes[marks] == '?')
		marks++;
	cards->hidden = 0;
	if (marks > 0 && marks == word.length && marks % 2 == 0 &&
	    marks <= 2 * SCOPA_PACK_SIZE) {
		cards->cards = SCOPA_SET_EMPTY;
		cards->hidden = (int)(marks / 2);
		return true;
	}
	switch (scopa_set_parse(word.bytes, word.length, &set)) {
	case SCOPA_PARSED:
		cards->cards = set;
		return true;
	case SCOPA_BAD_SYNTAX:
		return refuse_word(why, "cards", word, "a set like 3C4S or -");
	case SCOPA_DUPLICATE:
		break;
	}
	return refuse_word(
	    why, "cards", word, "a set: a card stands in it twice");
}

static bool
word_to_key(struct word word, uint64_t *key)
{
	uint8_t bytes[8];

	if (!word_to_hex(word, bytes, sizeof(bytes)))
		return false;
	*key = 0;
	for (int i = 0; i < 8; i++)
		*key = *key << 8 | bytes[i];
	return true;
}

static bool
read_seeds(const struct words *words, struct event_match *match,
    struct scopa_text *why)
{
	struct word word = words_find(words, "seed"), rest, piece;
	int seat = 0;

	memset(match->seeds, 0, sizeof(match->seeds));
	match->has_seeds = false;
	if (word.bytes && match->you >= 0) {
		match->has_seeds = true;
		if (!word_to_key(word, &match->seeds[match->you]))
			return refuse_word(why, "seed", word, "16 hex digits");
		return true;
	}
	word = rest = words_find(words, "seeds");
	while (word_next_piece(&rest, ',', &piece)) {
		match->has_seeds = true;
		if (seat == match->seats ||
		    !word_to_key(piece, &match->seeds[seat++]))
			return refuse_word(
			    why, "seeds", word, "16 hex digits a seat");
	}
	if (match->has_seeds && seat < match->seats)
		return refuse_word(why, "seeds", word, "one for each seat");
	return true;
}

static int
teams_find(struct word word)
{
	const struct scopa_param *param = scopa_param_find("teams");

	for (int i = 0; i < SCOPA_TEAMS_COUNT; i++)
		if (word.bytes && word_is(word, param->names[i]))
			return i;
	return -1;
}

static bool
read_reason(const struct words *words, char *reason, struct scopa_text *why)
{
	return read_text(words, "reason", reason, EVENT_REASON_SIZE, why);
}

/* A time in seconds that must be there. */
static bool
read_seconds(const struct words *words, const char *key, int64_t *us,
    struct scopa_text *why)
{
	struct word word = words_find(words, key);

	if (word.bytes == NULL || !word_to_us(word, us))
		return refuse_word(why, key, word, "a time in seconds");
	return true;
}

static bool
read_stamp(
    const struct words *words, struct event_play *play, struct scopa_text *why)
{
	struct word time = words_find(words, "t");
	struct word by = words_find(words, "by");

	play->time_us = -1;
	play->by_arena = by.bytes && word_is(by, "arena");
	if (time.bytes && !word_to_us(time, &play->time_us))
		return refuse_word(why, "t", time, "a time in seconds");
	if (by.bytes && !play->by_arena)
		return refuse_word(why, "by", by, "arena");
	return read_text(words, "cause", play->cause, sizeof(play->cause), why);
}

/* What follows the verb and `skip` more words, comments included. */
static bool
read_rest(const struct words *words, int skip, char *text, size_t size,
    struct scopa_text *why)
{
	const char *from, *end = words->word[0].bytes + words->line_length;

	if (words->count <= skip + 1) {
		text[0] = '\0';
		return true;
	}
	from = words->word[skip + 1].bytes;
	if ((size_t)(end - from) >= size)
		return refuse(why, "the line is too long");
	memcpy(text, from, (size_t)(end - from));
	text[end - from] = '\0';
	return true;
}

/* `cards=25:1`: an item of the score; false where the key is none. */
static bool
read_item(struct word word, struct event_score *score)
{
	struct word value, quantity;
	int64_t number, points;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!word_is_pair(
			word, scopa_item_name((enum scopa_item)item), &value))
			continue;
		if (!word_next_piece(&value, ':', &quantity) ||
		    value.bytes == NULL ||
		    !word_to_int(quantity, 0, SCOPA_TARGET_MAX, &number) ||
		    !word_to_int(value, 0, SCOPA_TARGET_MAX, &points))
			return false;
		score->items |= UINT32_C(1) << item;
		score->quantity[item] = (int16_t)number;
		score->item_points[item] = (int16_t)points;
		return true;
	}
	return false;
}

static bool
read_outcome(const struct words *words, enum event_outcome *outcome,
    struct scopa_text *why)
{
	struct word word = words_find(words, "you");

	*outcome = EVENT_OUTCOME_NONE;
	if (word.bytes == NULL)
		return true;
	for (int i = EVENT_WIN; i < EVENT_OUTCOME_COUNT; i++) {
		if (word_is(word, outcome_names[i])) {
			*outcome = (enum event_outcome)i;
			return true;
		}
	}
	return refuse_word(why, "you", word, "win, loss or draw");
}

/* Writing values. */

static void
put_pair(struct scopa_text *text, const char *key, const char *value)
{
	scopa_text_char(text, ' ');
	scopa_text_string(text, key);
	scopa_text_char(text, '=');
	value_encode(value, text);
}

static void
put_number(struct scopa_text *text, const char *key, int64_t number)
{
	scopa_text_char(text, ' ');
	scopa_text_string(text, key);
	scopa_text_char(text, '=');
	scopa_text_int(text, number);
}

static void
put_seat(struct scopa_text *text, int seat)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, seat + 1);
}

static void
put_team(struct scopa_text *text, int team)
{
	scopa_text_char(
	    text, team == SCOPA_TEAM_NONE ? '-' : (char)('A' + team));
}

/* ` scores=A:0,B:0` */
static void
put_scores(struct scopa_text *text, const int32_t *scores, int team_count)
{
	scopa_text_string(text, " scores=");
	for (int team = 0; team < team_count; team++) {
		if (team > 0)
			scopa_text_char(text, ',');
		put_team(text, team);
		scopa_text_char(text, ':');
		scopa_text_int(text, scores[team]);
	}
}

static void
put_key(struct scopa_text *text, uint64_t seed)
{
	uint8_t bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(seed >> (56 - 8 * i));
	hex_encode(bytes, sizeof(bytes), text);
}

/* The names of the teams parameter, from the engine's own table. */
static void
put_teams(struct scopa_text *text, int teams)
{
	const struct scopa_param *param = scopa_param_find("teams");

	if (teams < 0)
		return;
	scopa_text_string(text, " teams=");
	scopa_text_string(text, param->names[teams]);
}

static void
put_seconds(struct scopa_text *text, const char *key, int64_t us)
{
	char part[] = ".000000";
	int64_t rest = us % 1000000;

	for (char *at = part + 6; rest > 0; at--, rest /= 10)
		*at = (char)('0' + rest % 10);
	put_number(text, key, us / 1000000);
	scopa_text_bytes(text, part, sizeof(part) - 1);
}

/* ` t=0.071000`, ` by=arena cause=timeout` */
static void
put_stamp(struct scopa_text *text, const struct event_play *play)
{
	if (play->time_us >= 0)
		put_seconds(text, "t", play->time_us);
	if (play->by_arena) {
		put_pair(text, "by", "arena");
		put_pair(text, "cause", play->cause);
	}
}

static bool
parse_match(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_match *match = &event->match;
	struct word teams = words_find(words, "teams");

	match->seats = match->target = match->deals = match->max_deals = 0;
	match->you = 0;
	if (!word_decode(words->word[1], match->id, sizeof(match->id)))
		return refuse_word(why, "match", words->word[1], "a short id");
	if (!read_text(
		words, "rules", match->rules, sizeof(match->rules), why) ||
	    !read_text(words, "tc", match->tc, sizeof(match->tc), why) ||
	    !read_optional(
		words, "seats", 2, SCOPA_SEATS_MAX, &match->seats, why) ||
	    !read_optional(
		words, "target", 1, SCOPA_TARGET_MAX, &match->target, why) ||
	    !read_optional(words, "deals", 1, DEALS_MAX, &match->deals, why) ||
	    !read_optional(
		words, "max-deals", 1, DEALS_MAX, &match->max_deals, why) ||
	    !read_optional(words, "you", 1, SCOPA_SEATS_MAX, &match->you, why))
		return false;
	match->you--;
	match->teams = teams_find(teams);
	if (teams.bytes && match->teams < 0)
		return refuse_word(why, "teams", teams,
		    "AB, ABC, ABCD, ABAB, ABABAB, ABCABC or ABCDEF");
	return read_seeds(words, match, why);
}

static void
format_match(const struct event *event, struct scopa_text *text)
{
	const struct event_match *match = &event->match;

	scopa_text_char(text, ' ');
	/* A minimal record may leave out whatever a preset implies. */
	value_encode(match->id, text);
	if (match->rules[0] != '\0')
		put_pair(text, "rules", match->rules);
	if (match->seats > 0)
		put_number(text, "seats", match->seats);
	put_teams(text, match->teams);
	if (match->you >= 0)
		put_number(text, "you", match->you + 1);
	if (match->target > 0)
		put_number(text, "target", match->target);
	if (match->deals > 0)
		put_number(text, "deals", match->deals);
	if (match->max_deals > 0)
		put_number(text, "max-deals", match->max_deals);
	put_pair(text, "pack", "it40");
	if (match->tc[0] != '\0')
		put_pair(text, "tc", match->tc);
	if (!match->has_seeds)
		return;
	if (match->you >= 0) {
		scopa_text_string(text, " seed=");
		put_key(text, match->seeds[match->you]);
		return;
	}
	scopa_text_string(text, " seeds=");
	for (int seat = 0; seat < match->seats; seat++) {
		if (seat > 0)
			scopa_text_char(text, ',');
		put_key(text, match->seeds[seat]);
	}
}

static bool
parse_tag(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return read_rest(words, 0, event->text, sizeof(event->text), why);
}

static void
format_tag(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_string(text, event->text);
}

bool
event_apply_rules(const struct words *words, struct scopa_rules *rules,
    struct scopa_text *why)
{
	for (int i = 1; i < words->count; i++) {
		char key_text[EVENT_REASON_SIZE], value_text[EVENT_NAME_SIZE];
		struct word key, value;

		if (!word_split_pair(words->word[i], &key, &value) ||
		    !word_decode(key, key_text, sizeof(key_text)) ||
		    !word_decode(value, value_text, sizeof(value_text)))
			return refuse_word(why, "rules", words->word[i],
			    "a parameter as key=value");
		if (!scopa_rules_set(rules, key_text, value_text, why))
			return false;
	}
	return true;
}

static bool
parse_rules(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->rules = scopa_preset_find("scopa")->rules;
	return event_apply_rules(words, &event->rules, why);
}

static void
format_rules(const struct event *event, struct scopa_text *text)
{
	scopa_rules_format(&event->rules, text);
}

static bool
parse_seat(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_seat *seat = &event->seat;
	struct word team = words_find(words, "team");
	struct word sees = words_find(words, "sees");

	seat->team = -1;
	seat->sees_all = sees.bytes != NULL;
	if (sees.bytes != NULL && !word_is(sees, "all"))
		return refuse_word(why, "sees", sees, "\"all\"");
	return read_seat(words->word[1], &seat->seat, why) &&
	    (team.bytes == NULL || read_team(team, &seat->team, why)) &&
	    read_text(words, "name", seat->name, sizeof(seat->name), why) &&
	    read_text(
		words, "version", seat->version, sizeof(seat->version), why);
}

static void
format_seat(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->seat.seat);
	scopa_text_string(text, " team=");
	put_team(text, event->seat.team);
	put_pair(text, "name", event->seat.name);
	if (event->seat.version[0])
		put_pair(text, "version", event->seat.version);
	if (event->seat.sees_all)
		put_pair(text, "sees", "all");
}

static bool
parse_pack(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_pack *pack = &event->pack;
	struct word cards = words_find(words, "cards");
	struct word seed = words_find(words, "seed");
	scopa_set seen = SCOPA_SET_EMPTY;
	int64_t number;

	if (!word_to_int(words->word[1], 1, DEALS_MAX, &number))
		return refuse_word(
		    why, "pack", words->word[1], "the number of a deal");
	pack->number = (int)number;
	pack->redeal = 0;
	if (!read_optional(words, "redeal", 0, DEALS_MAX, &pack->redeal, why))
		return false;
	pack->has_key = seed.bytes != NULL;
	if (pack->has_key && !word_to_hex(seed, pack->key, sizeof(pack->key)))
		return refuse_word(why, "seed", seed, "64 hex digits");
	if (cards.bytes == NULL || cards.length != 2 * SCOPA_PACK_SIZE)
		return refuse_word(why, "cards", cards, "80 characters");
	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		struct word name = { cards.bytes + (size_t)i * 2, 2 };

		pack->cards[i] = scopa_card_find(name.bytes);
		if (pack->cards[i] == SCOPA_CARD_NONE)
			return refuse_word(why, "pack: card", name, "a card");
		if (scopa_set_has(seen, pack->cards[i]))
			return refuse_word(
			    why, "pack: card", name, "there only once");
		seen |= scopa_set_of(pack->cards[i]);
	}
	return true;
}

static void
format_pack(const struct event *event, struct scopa_text *text)
{
	const struct event_pack *pack = &event->pack;

	scopa_text_char(text, ' ');
	scopa_text_int(text, pack->number);
	if (pack->redeal > 0)
		put_number(text, "redeal", pack->redeal);
	if (pack->has_key) {
		put_pair(text, "alg", "scopa-arena-deal-v1");
		scopa_text_string(text, " seed=");
		hex_encode(pack->key, sizeof(pack->key), text);
	}
	scopa_text_string(text, " cards=");
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		scopa_card_format(pack->cards[i], text);
}

static bool
parse_deal(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_deal *deal = &event->deal;
	int64_t number;

	if (!word_to_int(words->word[1], 1, DEALS_MAX, &number))
		return refuse_word(why, "deal", words->word[1], "a number");
	deal->number = (int)number;
	deal->dealer = deal->first = 0;
	if (!read_optional(
		words, "dealer", 1, SCOPA_SEATS_MAX, &deal->dealer, why) ||
	    !read_optional(
		words, "first", 1, SCOPA_SEATS_MAX, &deal->first, why))
		return false;
	deal->dealer--;
	deal->first--;
	return read_scores(words, deal->scores, &deal->team_count, why);
}

static void
format_deal(const struct event *event, struct scopa_text *text)
{
	const struct event_deal *deal = &event->deal;

	scopa_text_char(text, ' ');
	scopa_text_int(text, deal->number);
	put_number(text, "dealer", deal->dealer + 1);
	put_number(text, "first", deal->first + 1);
	put_scores(text, deal->scores, deal->team_count);
}

static bool
parse_redeal(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return read_reason(words, event->reason, why);
}

static void
format_redeal(const struct event *event, struct scopa_text *text)
{
	put_pair(text, "reason", event->reason);
}

static bool
parse_table(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->cards.seat = 0;
	event->cards.scopa = 0;
	return read_cards(words->word[1], &event->cards, why);
}

static void
format_table(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_set_format(event->cards.cards, text);
}

static bool
parse_cards(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->cards.scopa = 0;
	return read_seat(words->word[1], &event->cards.seat, why) &&
	    read_cards(words->word[2], &event->cards, why);
}

static void
format_cards(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->cards.seat);
	scopa_text_char(text, ' ');
	for (int i = 0; i < event->cards.hidden; i++)
		scopa_text_bytes(text, "??", 2);
	if (event->cards.hidden == 0)
		scopa_set_format(event->cards.cards, text);
}

static bool
parse_sweep(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return parse_cards(words, event, why) &&
	    read_number(words, "scopa", 1, 2, &event->cards.scopa, why);
}

static void
format_sweep(const struct event *event, struct scopa_text *text)
{
	format_cards(event, text);
	put_number(text, "scopa", event->cards.scopa);
	put_pair(
	    text, "reason", event->cards.scopa == 1 ? "fifteen" : "thirty");
}

static bool
parse_declare(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_play *play = &event->play;
	struct word word = words->word[2];
	char move[16];

	play->points = 0;
	play->scopa = false;
	if (!read_seat(words->word[1], &play->seat, why))
		return false;
	move[0] = '!';
	if (word.length + 1 > sizeof(move))
		return refuse_word(why, "declaration", word, "low or three");
	memcpy(move + 1, word.bytes, word.length);
	if (scopa_move_parse(move, word.length + 1, &play->move) !=
	    SCOPA_PARSED)
		return refuse_word(why, "declaration", word, "low or three");
	play->move.seat = (uint8_t)play->seat;
	return read_optional(words, "points", 1, 10, &play->points, why) &&
	    read_stamp(words, play, why);
}

static void
format_declare(const struct event *event, struct scopa_text *text)
{
	char bytes[16];
	struct scopa_text move;

	/* The move of a declaration is its `!word`; here the `!` is left out. */
	scopa_text_init(&move, bytes, sizeof(bytes));
	scopa_move_format(&event->play.move, &move);
	put_seat(text, event->play.seat);
	scopa_text_char(text, ' ');
	scopa_text_string(text, bytes + 1);
	put_number(text, "points", event->play.points);
	put_stamp(text, &event->play);
}

static bool
parse_play(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_play *play = &event->play;
	struct word word = words->word[2];
	int scopa = 0;

	play->points = 0;
	if (!read_seat(words->word[1], &play->seat, why))
		return false;
	switch (scopa_move_parse(word.bytes, word.length, &play->move)) {
	case SCOPA_PARSED:
		break;
	case SCOPA_BAD_SYNTAX:
		return refuse_word(why, "move", word, "a move like 7Dx3C4S");
	case SCOPA_DUPLICATE:
		return refuse_word(
		    why, "move", word, "a move: a card stands in it twice");
	}
	if (play->move.declaration != SCOPA_DECLARE_NOTHING)
		return refuse_word(
		    why, "move", word, "a play; write `declare SEAT low`");
	play->move.seat = (uint8_t)play->seat;
	if (!read_optional(words, "scopa", 0, 1, &scopa, why))
		return false;
	play->scopa = scopa == 1;
	return read_stamp(words, play, why);
}

static void
format_play(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->play.seat);
	scopa_text_char(text, ' ');
	scopa_move_format(&event->play.move, text);
	if (event->play.scopa)
		scopa_text_string(text, " scopa=1");
	put_stamp(text, &event->play);
}

static bool
parse_info(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return read_seat(words->word[1], &event->info.seat, why) &&
	    read_rest(
		words, 1, event->info.text, sizeof(event->info.text), why);
}

static void
format_info(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->info.seat);
	scopa_text_char(text, ' ');
	scopa_text_string(text, event->info.text);
}

static bool
parse_offence(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_offence *offence = &event->offence;

	offence->strikes = 0;
	return read_seat(words->word[1], &offence->seat, why) &&
	    read_text(
		words, "kind", offence->kind, sizeof(offence->kind), why) &&
	    read_reason(words, offence->reason, why) &&
	    read_text(words, "policy", offence->policy, sizeof(offence->policy),
		why) &&
	    read_optional(
		words, "strikes", 1, DEALS_MAX, &offence->strikes, why) &&
	    read_text(words, "said", offence->said, sizeof(offence->said), why);
}

static void
format_offence(const struct event *event, struct scopa_text *text)
{
	const struct event_offence *offence = &event->offence;

	put_seat(text, offence->seat);
	put_pair(text, "kind", offence->kind);
	put_pair(text, "reason", offence->reason);
	put_pair(text, "policy", offence->policy);
	if (offence->strikes > 0)
		put_number(text, "strikes", offence->strikes);
	if (offence->said[0])
		put_pair(text, "said", offence->said);
}

static bool
parse_void(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_void *turn = &event->void_turn;

	struct word by = words_find(words, "by");

	turn->by = 0;
	if (!read_seat(words->word[1], &turn->seat, why) ||
	    !read_seconds(words, "lag", &turn->lag_us, why))
		return false;
	if (by.bytes == NULL)
		return true;
	if (!read_seat(by, &turn->by, why))
		return false;
	turn->by++;
	return true;
}

static void
format_void(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, event->void_turn.seat + 1);
	put_seconds(text, "lag", event->void_turn.lag_us);
	if (event->void_turn.by == 0)
		return;
	scopa_text_string(text, " by=");
	scopa_text_int(text, event->void_turn.by);
}

static bool
parse_ponder(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_ponder *ponder = &event->ponder;

	return read_seat(words->word[1], &ponder->seat, why) &&
	    read_seconds(words, "cpu", &ponder->cpu_us, why) &&
	    read_seconds(words, "wall", &ponder->wall_us, why);
}

static void
format_ponder(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, event->ponder.seat + 1);
	put_seconds(text, "cpu", event->ponder.cpu_us);
	put_seconds(text, "wall", event->ponder.wall_us);
}

static bool
parse_score(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_score *score = &event->score;
	int total = 0;

	memset(score, 0, sizeof(*score));
	if (!read_team(words->word[1], &score->team, why) ||
	    !read_number(words, "points", 0, SCORE_MAX, &score->points, why) ||
	    !read_number(words, "total", -SCORE_MAX, SCORE_MAX, &total, why))
		return false;
	score->total = total;
	for (int i = 2; i < words->count; i++) {
		struct word value;

		if (!word_is_pair(words->word[i], "points", &value) &&
		    !word_is_pair(words->word[i], "total", &value) &&
		    !read_item(words->word[i], score))
			return refuse_word(why, "score", words->word[i],
			    "an item as name=quantity:points");
	}
	return true;
}

static void
format_score(const struct event *event, struct scopa_text *text)
{
	const struct event_score *score = &event->score;

	scopa_text_char(text, ' ');
	put_team(text, score->team);
	put_number(text, "points", score->points);
	put_number(text, "total", score->total);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!(score->items >> item & 1))
			continue;
		put_number(text, scopa_item_name((enum scopa_item)item),
		    score->quantity[item]);
		scopa_text_char(text, ':');
		scopa_text_int(text, score->item_points[item]);
	}
}

static bool
parse_enddeal(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	int64_t number;

	if (!word_to_int(words->word[1], 1, DEALS_MAX, &number))
		return refuse_word(why, "enddeal", words->word[1], "a number");
	event->number = (int)number;
	return true;
}

static void
format_enddeal(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, event->number);
}

static bool
parse_abort(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->abort.match = word_is(words->word[1], "match");
	if (!event->abort.match && !word_is(words->word[1], "deal"))
		return refuse_word(
		    why, "abort", words->word[1], "deal or match");
	return read_reason(words, event->abort.reason, why);
}

static void
format_abort(const struct event *event, struct scopa_text *text)
{
	scopa_text_string(text, event->abort.match ? " match" : " deal");
	put_pair(text, "reason", event->abort.reason);
}

static bool
parse_endmatch(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_end *end = &event->end;
	struct word winner = words_find(words, "winner");
	struct word by = words_find(words, "by");

	if (!read_outcome(words, &end->you, why))
		return false;
	end->winner = end->by = SCOPA_TEAM_NONE;
	if (!word_decode(words->word[1], end->id, sizeof(end->id)))
		return refuse_word(
		    why, "endmatch", words->word[1], "a short id");
	if (winner.bytes == NULL ||
	    (!word_is(winner, "-") && !read_team(winner, &end->winner, why)))
		return refuse_word(why, "winner", winner, "a team or -");
	if (by.bytes && !read_team(by, &end->by, why))
		return false;
	return read_scores(words, end->scores, &end->team_count, why) &&
	    read_reason(words, end->reason, why);
}

static void
format_endmatch(const struct event *event, struct scopa_text *text)
{
	const struct event_end *end = &event->end;

	scopa_text_char(text, ' ');
	value_encode(end->id, text);
	put_scores(text, end->scores, end->team_count);
	scopa_text_string(text, " winner=");
	put_team(text, end->winner);
	if (end->you != EVENT_OUTCOME_NONE)
		put_pair(text, "you", outcome_names[end->you]);
	put_pair(text, "reason", end->reason);
	if (end->by != SCOPA_TEAM_NONE) {
		scopa_text_string(text, " by=");
		put_team(text, end->by);
	}
}

static bool
parse_sum(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct word lines = words_find(words, "lines");
	struct word hash = words_find(words, "sha256");

	if (lines.bytes == NULL ||
	    !word_to_int(lines, 0, INT64_MAX, &event->sum.lines))
		return refuse_word(why, "lines", lines, "a number");
	if (hash.bytes == NULL ||
	    !word_to_hex(hash, event->sum.hash, EVENT_HASH_SIZE))
		return refuse_word(why, "sha256", hash, "64 hex digits");
	return true;
}

static void
format_sum(const struct event *event, struct scopa_text *text)
{
	put_number(text, "lines", event->sum.lines);
	scopa_text_string(text, " sha256=");
	hex_encode(event->sum.hash, sizeof(event->sum.hash), text);
}

typedef bool event_parser(
    const struct words *words, struct event *event, struct scopa_text *why);
typedef void event_formatter(
    const struct event *event, struct scopa_text *text);

struct event_row {
	const char *name;
	bool record_only;
	int argument_count; /* words before the pairs */
	event_parser *parse;
	event_formatter *format;
	size_t size;      /* of the member of `struct event` that it uses */
	const char *keys; /* of its pairs; NULL: it looks at them itself */
};

#define SIZE_OF(member) sizeof(((struct event *)NULL)->member)

static const struct event_row event_rows[] = {
	[EVENT_MATCH] = { "match", false, 1, parse_match, format_match,
	    SIZE_OF(match),
	    "rules seats teams you target deals max-deals pack tc seed seeds" },
	[EVENT_TAG] = { "tag", true, 0, parse_tag, format_tag, SIZE_OF(text),
	    NULL },
	[EVENT_RULES] = { "rules", false, 0, parse_rules, format_rules,
	    SIZE_OF(rules), NULL },
	[EVENT_SEAT] = { "seat", false, 1, parse_seat, format_seat,
	    SIZE_OF(seat), "team name version sees" },
	[EVENT_PACK] = { "pack", true, 1, parse_pack, format_pack,
	    SIZE_OF(pack), "redeal alg seed cards" },
	[EVENT_DEAL] = { "deal", false, 1, parse_deal, format_deal,
	    SIZE_OF(deal), "dealer first scores" },
	[EVENT_REDEAL] = { "redeal", false, 0, parse_redeal, format_redeal,
	    SIZE_OF(reason), "reason" },
	[EVENT_TABLE] = { "table", false, 1, parse_table, format_table,
	    SIZE_OF(cards), "" },
	[EVENT_GIVE] = { "give", false, 2, parse_cards, format_cards,
	    SIZE_OF(cards), "" },
	[EVENT_SWEEP] = { "sweep", false, 2, parse_sweep, format_sweep,
	    SIZE_OF(cards), "scopa reason" },
	[EVENT_DECLARE] = { "declare", false, 2, parse_declare, format_declare,
	    SIZE_OF(play), "points t by cause" },
	[EVENT_SHOW] = { "show", false, 2, parse_cards, format_cards,
	    SIZE_OF(cards), "" },
	[EVENT_PLAY] = { "play", false, 2, parse_play, format_play,
	    SIZE_OF(play), "scopa t by cause" },
	[EVENT_INFO] = { "info", true, 1, parse_info, format_info,
	    SIZE_OF(info), NULL },
	[EVENT_OFFENCE] = { "offence", true, 1, parse_offence, format_offence,
	    SIZE_OF(offence), "kind reason policy strikes said" },
	[EVENT_VOID] = { "void", true, 1, parse_void, format_void,
	    SIZE_OF(void_turn), "lag" },
	[EVENT_PONDER] = { "ponder", true, 1, parse_ponder, format_ponder,
	    SIZE_OF(ponder), "cpu wall" },
	[EVENT_REST] = { "rest", false, 2, parse_cards, format_cards,
	    SIZE_OF(cards), "" },
	[EVENT_SCORE] = { "score", false, 1, parse_score, format_score,
	    SIZE_OF(score), NULL },
	[EVENT_ENDDEAL] = { "enddeal", false, 1, parse_enddeal, format_enddeal,
	    SIZE_OF(number), "" },
	[EVENT_ABORT] = { "abort", false, 1, parse_abort, format_abort,
	    SIZE_OF(abort), "reason" },
	[EVENT_ENDMATCH] = { "endmatch", false, 1, parse_endmatch,
	    format_endmatch, SIZE_OF(end), "scores winner you reason by" },
	[EVENT_SUM] = { "sum", true, 0, parse_sum, format_sum, SIZE_OF(sum),
	    "lines sha256" },
};

_Static_assert(sizeof(event_rows) / sizeof(event_rows[0]) == EVENT_KIND_COUNT,
    "every event has a row");

const char *
event_name(enum event_kind kind)
{
	assert(kind < EVENT_KIND_COUNT);
	return event_rows[kind].name;
}

bool
event_is_record_only(enum event_kind kind)
{
	assert(kind < EVENT_KIND_COUNT);
	return event_rows[kind].record_only;
}

const char *
event_keys(enum event_kind kind)
{
	assert(kind < EVENT_KIND_COUNT);
	return event_rows[kind].keys;
}

/* Copies what an event of its kind uses: some kinds are large. */
static void
copy_event(struct event *to, const struct event *from)
{
	memcpy(to, from,
	    offsetof(struct event, match) + event_rows[from->kind].size);
}

/* What the end is for a team. */
static enum event_outcome
outcome_for(const struct event_end *end, int team)
{
	if (end->winner == team)
		return EVENT_WIN;
	if (end->winner == SCOPA_TEAM_NONE && end->by != team)
		return EVENT_DRAW;
	return EVENT_LOSS;
}

bool
event_redact(const struct event *event, const struct scopa_rules *rules,
    int seat, struct event *redacted)
{
	if (event_is_record_only(event->kind))
		return false;
	copy_event(redacted, event);
	if (event->kind == EVENT_MATCH) {
		redacted->match.you = seat;
	} else if (event->kind == EVENT_SEAT) {
		redacted->seat.version[0] = '\0';
		redacted->seat.sees_all = false;
	} else if (event->kind == EVENT_GIVE && event->cards.seat != seat) {
		redacted->cards.hidden = scopa_set_count(event->cards.cards);
		redacted->cards.cards = SCOPA_SET_EMPTY;
	} else if (event->kind == EVENT_PLAY || event->kind == EVENT_DECLARE) {
		redacted->play.time_us = -1;
	} else if (event->kind == EVENT_ENDMATCH) {
		redacted->end.you =
		    outcome_for(&event->end, scopa_team_of(rules, seat));
	}
	return true;
}

static void
report_unknown_keys(const struct words *words, const struct event_row *row,
    struct scopa_text *why)
{
	for (int i = 1 + row->argument_count; i < words->count; i++) {
		struct word key = words->word[i], value;

		if (word_is_known(words->word[i], row->keys))
			continue;
		word_split_pair(words->word[i], &key, &value);
		scopa_text_string(why, why->length ? ", " : "skipped: ");
		scopa_text_bytes(why, key.bytes, key.length);
	}
}

/* Whether so many words stand behind the verb; a pair is no such word. */
static bool
has_arguments(const struct words *words, int count)
{
	if (words->count <= count)
		return false;
	for (int i = 1; i <= count; i++)
		if (memchr(words->word[i].bytes, '=', words->word[i].length))
			return false;
	return true;
}

enum event_parse
event_parse(const char *line, size_t length, struct event *event,
    struct scopa_text *why)
{
	const struct event_row *row = NULL;
	struct words words;

	words_split(line, length, &words);
	if (words.count == 0)
		return EVENT_UNKNOWN;
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const char *name = event_rows[kind].name;

		if (*name != *words.word[0].bytes ||
		    !word_is(words.word[0], name))
			continue;
		row = &event_rows[kind];
		event->kind = (enum event_kind)kind;
	}
	if (row == NULL)
		return EVENT_UNKNOWN;
	if (words.cut || !has_arguments(&words, row->argument_count)) {
		scopa_text_string(why, row->name);
		refuse(why, words.cut ? ": too many words" : ": words missing");
		return EVENT_BAD;
	}
	if (!row->parse(&words, event, why))
		return EVENT_BAD;
	if (row->keys)
		report_unknown_keys(&words, row, why);
	return EVENT_PARSED;
}

void
event_format(const struct event *event, struct scopa_text *text)
{
	scopa_text_string(text, event_rows[event->kind].name);
	event_rows[event->kind].format(event, text);
}
