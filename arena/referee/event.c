/*
 * The table of events: how each line of a game is read and written, and what
 * each seat may receive of it.
 *
 * Each event has a row in `event_rows`, with its fields in the order in which
 * they are written.  A field is a word after the verb or a pair `key=value`.
 * The type of the field says how it is read and written.  Reading starts from
 * an event whose member is all zero.
 */
#include "event.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* DEALS_MAX deals of up to 200 points each have less than SCORE_MAX. */
enum { DEALS_MAX = 1000000, SCORE_MAX = 1 << 28, FIELDS_MAX = 13 };

enum event_flag {
	WORD = 1,     /* a word after the verb; else a pair */
	OPTIONAL = 2, /* may be left out when it is read */
	IF_SET = 4,   /* is not written if it is 0 or empty */
	FROM_ONE = 8, /* counts from 1 in the line and from 0 in the event */
	DASH = 16,    /* of a team: `-` means no team */
	SECRET = 32,  /* only for the record; no seat receives it */
	UNREAD = 64,  /* for readers; ignored when it is read */
	OWN = 128     /* of the seat that receives the line */
};

struct event_field;

/*
 * A field that is read into an event, which is zeroed before; and a field that
 * is written from an event.
 */
struct event_reading {
	const struct event_field *field;
	const struct words *words; /* words of the whole line */
	struct word word; /* word or value of the field; bytes NULL: missing */
	struct event *event;
	struct scopa_text *why;
};

struct event_writing {
	const struct event_field *field;
	const struct event *event;
	struct scopa_text *text;
};

struct event_type {
	/*
	 * Returns false if the word is not valid; `why` may then contain the
	 * reason.
	 */
	bool (*read)(const struct event_reading *in);
	void (*write)(const struct event_writing *out);
	enum event_value_kind kind;
	const char *expected;
};

struct event_field {
	const struct event_type *type;
	const char *name; /* its key; for a word, only used in error messages */
	size_t offset, size;
	unsigned flags;   /* bits of enum event_flag */
	int64_t min, max; /* range of a number */
	int64_t none;     /* value if it is left out: number, team, choice */
	/*
	 * Values of a choice, ended by NULL.  If this is NULL, the values are
	 * those of the parameter of the engine with this name.
	 */
	const char *const *names;
	const char *expected; /* for error messages; NULL: that of the type */
};

/* Writes `WHAT: "WORD" is not EXPECTED`.  Returns false. */
static bool
refuse_word(struct scopa_text *why, const char *what, struct word word,
    const char *expected)
{
	if (word.bytes == NULL)
		scopa_text_print(
		    why, "%s is missing; expected %s", what, expected);
	else
		scopa_text_print(why, "%s \"%.*s\" is not %s", what,
		    word.length < 100 ? (int)word.length : 100, word.bytes,
		    expected);
	return false;
}

static bool
refuse_field(const struct event_reading *in, const char *expected)
{
	return refuse_word(in->why, in->field->name, in->word, expected);
}

static void *
target_of(const struct event_reading *in)
{
	return (char *)in->event + in->field->offset;
}

static const void *
member_of(const struct event_writing *out)
{
	return (const char *)out->event + out->field->offset;
}

/* Writes ` key=` before a pair, a blank before a word. */
static void
put_begin(const struct event_writing *out)
{
	scopa_text_char(out->text, ' ');
	if (out->field->flags & WORD)
		return;
	scopa_text_string(out->text, out->field->name);
	scopa_text_char(out->text, '=');
}

/*
 * Whole numbers; the member of the event can be an int64_t, an int or a bool.
 */

static int64_t
int_get(const struct event_writing *out)
{
	const void *member = member_of(out);

	if (out->field->size == sizeof(int64_t))
		return *(const int64_t *)member;
	return out->field->size == sizeof(int) ? *(const int *)member
					       : *(const bool *)member;
}

static void
int_set(const struct event_reading *in, int64_t number)
{
	void *member = target_of(in);

	if (in->field->size == sizeof(int64_t))
		*(int64_t *)member = number;
	else if (in->field->size == sizeof(int))
		*(int *)member = (int)number;
	else
		*(bool *)member = number != 0;
}

/* Whether an optional field is missing; if so, its member is set to `none`. */
static bool
is_left_out(const struct event_reading *in)
{
	if (in->word.bytes != NULL || !(in->field->flags & OPTIONAL))
		return false;
	int_set(in, in->field->none);
	return true;
}

static bool
int_read(const struct event_reading *in)
{
	int64_t number;

	if (is_left_out(in))
		return true;
	if (in->word.bytes == NULL ||
	    !word_to_int(in->word, in->field->min, in->field->max, &number))
		return false;
	int_set(in, number - (in->field->flags & FROM_ONE ? 1 : 0));
	return true;
}

static void
int_write(const struct event_writing *out)
{
	int64_t number = int_get(out) + (out->field->flags & FROM_ONE ? 1 : 0);

	if (out->field->flags & IF_SET && number <= 0)
		return;
	put_begin(out);
	scopa_text_int(out->text, number);
}

/* A text; it is empty if it is left out. */

static bool
text_read(const struct event_reading *in)
{
	return in->word.bytes == NULL ||
	    word_decode(in->word, target_of(in), in->field->size);
}

static void
text_write(const struct event_writing *out)
{
	const char *value = member_of(out);

	if (out->field->flags & IF_SET && value[0] == '\0')
		return;
	put_begin(out);
	value_encode(value, out->text);
}

/* The rest of the line, with its comment. */

static bool
rest_read(const struct event_reading *in)
{
	const struct words *words = in->words;
	const char *from = in->word.bytes,
		   *end = words->word[0].bytes + words->line_length;

	if (from == NULL)
		return true;
	if ((size_t)(end - from) >= in->field->size) {
		scopa_text_string(in->why, "the line is too long");
		return false;
	}
	memcpy(target_of(in), from, (size_t)(end - from));
	return true;
}

static void
rest_write(const struct event_writing *out)
{
	scopa_text_char(out->text, ' ');
	scopa_text_string(out->text, member_of(out));
}

/* One of several names, stored as an index.  An empty name is not written. */

static const char *const *
names_of(const struct event_field *field)
{
	return field->names ? field->names
			    : scopa_param_find(field->name)->names;
}

static const char *
choice_get(const struct event_writing *out)
{
	int64_t index = out->field->size > 0 ? int_get(out) : 0;

	return index < 0 ? "" : names_of(out->field)[index];
}

static bool
choice_read(const struct event_reading *in)
{
	const char *const *names = names_of(in->field);

	if (in->field->flags & UNREAD || is_left_out(in))
		return true;
	for (int i = 0; in->word.bytes && names[i]; i++) {
		if (names[i][0] == '\0' || !word_is(in->word, names[i]))
			continue;
		int_set(in, i);
		return true;
	}
	return false;
}

static void
choice_write(const struct event_writing *out)
{
	const char *name = choice_get(out);

	if (name[0] == '\0')
		return;
	put_begin(out);
	scopa_text_string(out->text, name);
}

static bool
team_read(const struct event_reading *in)
{
	struct word word = in->word;

	if (is_left_out(in))
		return true;
	if (in->field->flags & DASH && word.bytes && word_is(word, "-")) {
		int_set(in, in->field->none);
		return true;
	}
	if (word.bytes == NULL || word.length != 1 || word.bytes[0] < 'A' ||
	    word.bytes[0] >= 'A' + SCOPA_TEAMS_MAX)
		return false;
	int_set(in, word.bytes[0] - 'A');
	return true;
}

static void
team_write(const struct event_writing *out)
{
	int64_t team = int_get(out);

	if (out->field->flags & IF_SET && team == SCOPA_TEAM_NONE)
		return;
	put_begin(out);
	scopa_text_char(
	    out->text, team == SCOPA_TEAM_NONE ? '-' : (char)('A' + team));
}

/*
 * `A:0,B:0`, with the teams in order.  In the struct, the number of teams comes
 * directly before the points.
 */

_Static_assert(offsetof(struct event_deal, scores) ==
	    offsetof(struct event_deal, team_count) + sizeof(int) &&
	offsetof(struct event_end, scores) ==
	    offsetof(struct event_end, team_count) + sizeof(int),
    "there are more scores than teams");

static bool
scores_read(const struct event_reading *in)
{
	int *team_count = target_of(in);
	int32_t *scores = (int32_t *)(team_count + 1);
	struct word rest = in->word, piece;
	int64_t number;

	while (word_next_piece(&rest, ',', &piece)) {
		struct word points = piece, team;

		if (*team_count == SCOPA_TEAMS_MAX ||
		    !word_next_piece(&points, ':', &team) || team.length != 1 ||
		    team.bytes[0] != 'A' + *team_count ||
		    points.bytes == NULL ||
		    !word_to_int(points, -SCORE_MAX, SCORE_MAX, &number))
			return false;
		scores[(*team_count)++] = (int32_t)number;
	}
	return true;
}

static void
scores_write(const struct event_writing *out)
{
	const int *team_count = member_of(out);
	const int32_t *scores = (const int32_t *)(team_count + 1);

	put_begin(out);
	for (int team = 0; team < *team_count; team++) {
		if (team > 0)
			scopa_text_char(out->text, ',');
		scopa_text_char(out->text, (char)('A' + team));
		scopa_text_char(out->text, ':');
		scopa_text_int(out->text, scores[team]);
	}
}

/*
 * Seconds with six decimals, stored in microseconds; -1 if they are left out.
 * Longer times than a reader accepts are written as the longest of these.
 */

static bool
seconds_read(const struct event_reading *in)
{
	int64_t us;

	if (is_left_out(in))
		return true;
	if (in->word.bytes == NULL || !word_to_us(in->word, &us))
		return false;
	int_set(in, us);
	return true;
}

static void
seconds_write(const struct event_writing *out)
{
	const int64_t most_us = INT64_C(1000000) * WORD_SECONDS_MAX;
	int64_t us = int_get(out), rest;
	char part[] = ".000000";

	if (us < 0)
		return;
	if (us > most_us)
		us = most_us;
	rest = us % 1000000;
	for (char *at = part + 6; rest > 0; at--, rest /= 10)
		*at = (char)('0' + rest % 10);
	put_begin(out);
	scopa_text_int(out->text, us / 1000000);
	scopa_text_bytes(out->text, part, sizeof(part) - 1);
}

/* Cards, or `??` for each hidden card. */

static bool
cards_read(const struct event_reading *in)
{
	struct event_cards *cards = &in->event->cards;
	struct word word = in->word;
	size_t marks = 0;

	while (marks < word.length && word.bytes[marks] == '?')
		marks++;
	if (marks > 0 && marks == word.length && marks % 2 == 0 &&
	    marks <= 2 * SCOPA_PACK_SIZE) {
		cards->hidden = (int)(marks / 2);
		return true;
	}
	switch (scopa_set_parse(word.bytes, word.length, &cards->cards)) {
	case SCOPA_PARSED:
		return true;
	case SCOPA_BAD_SYNTAX:
		return false;
	case SCOPA_DUPLICATE:
		break;
	}
	return refuse_field(in, "a set: a card occurs twice");
}

static void
cards_write(const struct event_writing *out)
{
	put_begin(out);
	for (int i = 0; i < out->event->cards.hidden; i++)
		scopa_text_bytes(out->text, "??", 2);
	if (out->event->cards.hidden == 0)
		scopa_set_format(out->event->cards.cards, out->text);
}

static bool
move_read(const struct event_reading *in)
{
	struct event_play *play = &in->event->play;

	switch (
	    scopa_move_parse(in->word.bytes, in->word.length, &play->move)) {
	case SCOPA_PARSED:
		break;
	case SCOPA_BAD_SYNTAX:
		return false;
	case SCOPA_DUPLICATE:
		return refuse_field(in, "a move: a card occurs twice");
	}
	play->move.seat = (uint8_t)play->seat;
	return play->move.declaration == SCOPA_DECLARE_NOTHING ||
	    refuse_field(in, "a play; write `declare SEAT low`");
}

static void
move_write(const struct event_writing *out)
{
	put_begin(out);
	scopa_move_format(&out->event->play.move, out->text);
}

/* A declaration.  Its move is `!word`; in this field the `!` is left out. */

enum { DECLARATION_SIZE = 16 };

static bool
declaration_read(const struct event_reading *in)
{
	struct event_play *play = &in->event->play;
	char move[DECLARATION_SIZE] = "!";
	size_t length = in->word.length;

	if (length + 1 > sizeof(move))
		return false;
	memcpy(move + 1, in->word.bytes, length);
	play->move.seat = (uint8_t)play->seat;
	return scopa_move_parse(move, length + 1, &play->move) == SCOPA_PARSED;
}

static void
declaration_write(const struct event_writing *out)
{
	struct scopa_text move = SCOPA_TEXT(DECLARATION_SIZE);

	scopa_move_format(&out->event->play.move, &move);
	put_begin(out);
	scopa_text_string(out->text, move.bytes + 1);
}

/* The seed of the seat that receives the line, or the seeds of all seats. */

static bool
seeds_read(const struct event_reading *in)
{
	struct event_match *match = &in->event->match;
	bool own = in->field->flags & OWN;
	struct word rest = in->word, piece;
	int seat = own ? match->you : 0, end = own ? seat + 1 : match->seats;
	uint8_t bytes[8];

	if (rest.bytes == NULL || (own ? match->you < 0 : match->has_seeds))
		return true;
	match->has_seeds = true;
	while (word_next_piece(&rest, ',', &piece)) {
		if (seat == end || !word_to_hex(piece, bytes, sizeof(bytes)))
			return false;
		for (int i = 0; i < 8; i++)
			match->seeds[seat] = match->seeds[seat] << 8 | bytes[i];
		seat++;
	}
	return seat == end || refuse_field(in, "one for each seat");
}

static void
seeds_write(const struct event_writing *out)
{
	const struct event_match *match = &out->event->match;
	bool own = out->field->flags & OWN;
	int seat = own ? match->you : 0, end = own ? seat + 1 : match->seats;
	uint8_t bytes[8];

	if (!match->has_seeds || (match->you >= 0) != own)
		return;
	for (put_begin(out); seat < end; seat++) {
		for (int i = 0; i < 8; i++)
			bytes[i] =
			    (uint8_t)(match->seeds[seat] >> (56 - 8 * i));
		hex_encode(bytes, sizeof(bytes), out->text);
		if (seat + 1 < end)
			scopa_text_char(out->text, ',');
	}
}

static bool
rules_read(const struct event_reading *in)
{
	in->event->rules = scopa_preset_find("scopa")->rules;
	return event_apply_rules(in->words, &in->event->rules, in->why);
}

static void
rules_write(const struct event_writing *out)
{
	scopa_rules_format(&out->event->rules, out->text);
}

/* Bytes as hex digits.  Only the key of a pack may be left out. */

static bool
hex_read(const struct event_reading *in)
{
	bool there = in->word.bytes != NULL;

	if (in->event->kind == EVENT_PACK)
		in->event->pack.has_key = there;
	return there ? word_to_hex(in->word, target_of(in), in->field->size)
		     : (in->field->flags & OPTIONAL) != 0;
}

static void
hex_write(const struct event_writing *out)
{
	if (out->event->kind == EVENT_PACK && !out->event->pack.has_key)
		return;
	put_begin(out);
	hex_encode(member_of(out), out->field->size, out->text);
}

/* All cards, in the order of the pack. */

static bool
order_read(const struct event_reading *in)
{
	struct event_pack *pack = &in->event->pack;
	struct word word = in->word;
	scopa_set seen = SCOPA_SET_EMPTY;

	if (word.bytes == NULL || word.length != 2 * SCOPA_PACK_SIZE)
		return false;
	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		struct word name = { word.bytes + (size_t)i * 2, 2 };

		pack->cards[i] = scopa_card_find(name.bytes);
		if (pack->cards[i] == SCOPA_CARD_NONE)
			return refuse_word(
			    in->why, "pack: card", name, "a card");
		if (scopa_set_has(seen, pack->cards[i]))
			return refuse_word(
			    in->why, "pack: card", name, "there only once");
		seen |= scopa_set_of(pack->cards[i]);
	}
	return true;
}

static void
order_write(const struct event_writing *out)
{
	put_begin(out);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		scopa_card_format(out->event->pack.cards[i], out->text);
}

/* The items of a score, for example `cards=25:1`. */

/* Returns false if the key is not an item or its value is wrong. */
static bool
item_read(struct word word, struct event_score *score)
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
items_read(const struct event_reading *in)
{
	const struct words *words = in->words;

	for (int i = 2; i < words->count; i++) {
		struct word value;

		if (!word_is_pair(words->word[i], "points", &value) &&
		    !word_is_pair(words->word[i], "total", &value) &&
		    !item_read(words->word[i], &in->event->score))
			return refuse_word(in->why, "score", words->word[i],
			    "an item as name=quantity:points");
	}
	return true;
}

static void
items_write(const struct event_writing *out)
{
	const struct event_score *score = &out->event->score;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!(score->items >> item & 1))
			continue;
		scopa_text_char(out->text, ' ');
		scopa_text_string(
		    out->text, scopa_item_name((enum scopa_item)item));
		scopa_text_char(out->text, '=');
		scopa_text_int(out->text, score->quantity[item]);
		scopa_text_char(out->text, ':');
		scopa_text_int(out->text, score->item_points[item]);
	}
}

#define TYPE(name, functions, kind, expected)                             \
	static const struct event_type event_##name = { functions##_read, \
		functions##_write, EVENT_VALUE_##kind, expected }

TYPE(int, int, INT, "a number in range");
TYPE(text, text, TEXT, "a text of this length");
TYPE(rest, rest, TEXT, NULL);
TYPE(flag, choice, TEXT, NULL);
TYPE(choice, choice, OTHER, NULL);
TYPE(team, team, TEAM, "a letter A to F");
TYPE(scores, scores, OTHER, "a list like A:0,B:0");
TYPE(seconds, seconds, SECONDS, "a time in seconds");
TYPE(cards, cards, OTHER, "a set like 3C4S or -");
TYPE(move, move, OTHER, "a move like 7Dx3C4S");
TYPE(declaration, declaration, OTHER, "low or three");
TYPE(seeds, seeds, OTHER, "16 hex digits a seat");
TYPE(rules, rules, OTHER, NULL);
TYPE(hex, hex, OTHER, "64 hex digits");
TYPE(order, order, OTHER, "80 characters");
TYPE(items, items, OTHER, NULL);

struct event_row {
	const char *name;
	bool record_only;
	bool open;   /* pairs with any key are allowed */
	size_t size; /* size of the member of `struct event` that it uses */
	/* Ended by a field without a type. */
	struct event_field fields[FIELDS_MAX];
};

#define MEMBER(member) ((struct event *)NULL)->member
#define AT(member) \
	.offset = offsetof(struct event, member), .size = sizeof(MEMBER(member))
#define INT(name, member, flags, ...)                            \
	{                                                        \
		&event_int, name, AT(member), flags, __VA_ARGS__ \
	}
#define SEAT(member)                                                           \
	INT("seat", member, WORD | FROM_ONE, .min = 1, .max = SCOPA_SEATS_MAX, \
	    .expected = "1 to 6")
#define NUMBER(member) INT("deal", member, WORD, .min = 1, .max = DEALS_MAX)
#define TEXT(name, member, flags)                    \
	{                                            \
		&event_text, name, AT(member), flags \
	}
#define FIELD(type, name, bits)                      \
	{                                            \
		&event_##type, name, .flags = (bits) \
	}
#define SECONDS(name, member, flags)                                \
	{                                                           \
		&event_seconds, name, AT(member), flags, .none = -1 \
	}
/*
 * One of the names at the end.  `expected` is for error messages; it is NULL if
 * the field is UNREAD.
 */
#define CHOICE(type, name, member, flags, expected, ...)                 \
	{                                                                \
		&event_##type, name, AT(member), flags, 0, 0, 0,         \
		    (const char *const[]){ __VA_ARGS__, NULL }, expected \
	}

/* Fields of a decision: its time, and whether the arena made it. */
#define STAMP                                                                  \
	SECONDS("t", play.time_us, OPTIONAL | SECRET),                         \
	    CHOICE(flag, "by", play.by_arena, OPTIONAL, "arena", "", "arena"), \
	    TEXT("cause", play.cause, IF_SET)

static const struct event_row event_rows[] = {
	[EVENT_MATCH] = { "match", .size = sizeof(MEMBER(match)),
	    .fields = {
		TEXT("id", match.id, WORD),
		TEXT("rules", match.rules, IF_SET),
		INT("seats", match.seats, OPTIONAL | IF_SET, .min = 2,
		    .max = SCOPA_SEATS_MAX),
		{ &event_choice, "teams", AT(match.teams), OPTIONAL,
		    .none = -1,
		    .expected = "AB, ABC, ABCD, ABAB, ABABAB, ABCABC or "
				"ABCDEF" },
		INT("you", match.you, OPTIONAL | IF_SET | FROM_ONE, .min = 1,
		    .max = SCOPA_SEATS_MAX, .none = -1),
		INT("target", match.target, OPTIONAL | IF_SET, .min = 1,
		    .max = SCOPA_TARGET_MAX),
		INT("deals", match.deals, OPTIONAL | IF_SET, .min = 1,
		    .max = DEALS_MAX),
		INT("max-deals", match.max_deals, OPTIONAL | IF_SET, .min = 1,
		    .max = DEALS_MAX),
		{ &event_choice, "pack", .flags = UNREAD,
		    .names = (const char *const[]){ "it40", NULL } },
		TEXT("tc", match.tc, IF_SET),
		{ &event_seeds, "seed", .flags = OWN,
		    .expected = "16 hex digits" },
		FIELD(seeds, "seeds", 0),
	    } },
	[EVENT_TAG] = { "tag", .record_only = true, .open = true,
	    .size = sizeof(MEMBER(text)),
	    .fields = { { &event_rest, "text", AT(text), WORD | OPTIONAL } } },
	[EVENT_RULES] = { "rules", .open = true, .size = sizeof(MEMBER(rules)),
	    .fields = { FIELD(rules, NULL, 0) } },
	[EVENT_SEAT] = { "seat", .size = sizeof(MEMBER(seat)),
	    .fields = {
		SEAT(seat.seat),
		{ &event_team, "team", AT(seat.team), OPTIONAL, .none = -1 },
		TEXT("name", seat.name, 0),
		TEXT("version", seat.version, IF_SET | SECRET),
		CHOICE(flag, "sees", seat.sees_all, OPTIONAL | SECRET, "all",
		    "", "all"),
	    } },
	[EVENT_PACK] = { "pack", .record_only = true, .size = sizeof(MEMBER(pack)),
	    .fields = {
		NUMBER(pack.number),
		INT("redeal", pack.redeal, OPTIONAL | IF_SET, .max = DEALS_MAX),
		CHOICE(choice, "alg", pack.has_key, UNREAD, NULL, "",
		    "scopa-arena-deal-v1"),
		{ &event_hex, "seed", AT(pack.key), OPTIONAL },
		FIELD(order, "cards", 0),
	    } },
	[EVENT_DEAL] = { "deal", .size = sizeof(MEMBER(deal)),
	    .fields = {
		NUMBER(deal.number),
		INT("dealer", deal.dealer, OPTIONAL | FROM_ONE, .min = 1,
		    .max = SCOPA_SEATS_MAX, .none = -1),
		INT("first", deal.first, OPTIONAL | FROM_ONE, .min = 1,
		    .max = SCOPA_SEATS_MAX, .none = -1),
		{ &event_scores, "scores", AT(deal.team_count) },
	    } },
	[EVENT_REDEAL] = { "redeal", .size = sizeof(MEMBER(reason)),
	    .fields = { TEXT("reason", reason, 0) } },
	[EVENT_TABLE] = { "table", .size = sizeof(MEMBER(cards)),
	    .fields = { FIELD(cards, "cards", WORD) } },
	[EVENT_GIVE] = { "give", .size = sizeof(MEMBER(cards)),
	    .fields = { SEAT(cards.seat), FIELD(cards, "cards", WORD) } },
	[EVENT_SWEEP] = { "sweep", .size = sizeof(MEMBER(cards)),
	    .fields = {
		SEAT(cards.seat),
		FIELD(cards, "cards", WORD),
		INT("scopa", cards.scopa, 0, .min = 1, .max = 2),
		CHOICE(choice, "reason", cards.scopa, UNREAD, NULL, "",
		    "fifteen", "thirty"),
	    } },
	[EVENT_DECLARE] = { "declare", .size = sizeof(MEMBER(play)),
	    .fields = {
		SEAT(play.seat),
		FIELD(declaration, "declaration", WORD),
		INT("points", play.points, OPTIONAL, .min = 1, .max = 10),
		STAMP,
	    } },
	[EVENT_SHOW] = { "show", .size = sizeof(MEMBER(cards)),
	    .fields = { SEAT(cards.seat), FIELD(cards, "cards", WORD) } },
	[EVENT_PLAY] = { "play", .size = sizeof(MEMBER(play)),
	    .fields = {
		SEAT(play.seat),
		FIELD(move, "move", WORD),
		INT("scopa", play.scopa, OPTIONAL | IF_SET, .max = 1),
		STAMP,
	    } },
	[EVENT_INFO] = { "info", .record_only = true, .open = true,
	    .size = sizeof(MEMBER(info)),
	    .fields = {
		SEAT(info.seat),
		{ &event_rest, "text", AT(info.text), WORD | OPTIONAL },
	    } },
	[EVENT_OFFENCE] = { "offence", .record_only = true,
	    .size = sizeof(MEMBER(offence)),
	    .fields = {
		SEAT(offence.seat),
		TEXT("kind", offence.kind, 0),
		TEXT("reason", offence.reason, 0),
		TEXT("policy", offence.policy, 0),
		INT("strikes", offence.strikes, OPTIONAL | IF_SET, .min = 1,
		    .max = DEALS_MAX),
		SECONDS("t", offence.time_us, OPTIONAL),
		TEXT("said", offence.said, IF_SET),
		TEXT("unused", offence.unused, IF_SET),
	    } },
	[EVENT_VOID] = { "void", .record_only = true, .size = sizeof(MEMBER(void_turn)),
	    .fields = {
		SEAT(void_turn.seat),
		SECONDS("lag", void_turn.lag_us, 0),
		INT("by", void_turn.by, OPTIONAL | IF_SET, .min = 1,
		    .max = SCOPA_SEATS_MAX),
	    } },
	[EVENT_PONDER] = { "ponder", .record_only = true, .size = sizeof(MEMBER(ponder)),
	    .fields = {
		SEAT(ponder.seat),
		SECONDS("cpu", ponder.cpu_us, 0),
		SECONDS("wall", ponder.wall_us, 0),
		CHOICE(flag, "frozen", ponder.frozen, OPTIONAL, "1", "", "1"),
	    } },
	[EVENT_REST] = { "rest", .size = sizeof(MEMBER(cards)),
	    .fields = { SEAT(cards.seat), FIELD(cards, "cards", WORD) } },
	[EVENT_SCORE] = { "score", .open = true, .size = sizeof(MEMBER(score)),
	    .fields = {
		{ &event_team, "team", AT(score.team), WORD },
		INT("points", score.points, 0, .max = SCORE_MAX),
		INT("total", score.total, 0, .min = -SCORE_MAX,
		    .max = SCORE_MAX),
		FIELD(items, NULL, 0),
	    } },
	[EVENT_ENDDEAL] = { "enddeal", .size = sizeof(MEMBER(number)),
	    .fields = { NUMBER(number) } },
	[EVENT_ABORT] = { "abort", .size = sizeof(MEMBER(abort)),
	    .fields = {
		CHOICE(choice, "abort", abort.match, WORD, "deal or match",
		    "deal", "match"),
		TEXT("reason", abort.reason, 0),
	    } },
	[EVENT_ENDMATCH] = { "endmatch", .size = sizeof(MEMBER(end)),
	    .fields = {
		TEXT("id", end.id, WORD),
		{ &event_scores, "scores", AT(end.team_count) },
		{ &event_team, "winner", AT(end.winner), DASH,
		    .none = SCOPA_TEAM_NONE },
		CHOICE(choice, "you", end.you, OPTIONAL, "win, loss or draw",
		    "", "win", "loss", "draw"),
		TEXT("reason", end.reason, 0),
		{ &event_team, "by", AT(end.by), OPTIONAL | IF_SET,
		    .none = SCOPA_TEAM_NONE },
	    } },
	[EVENT_SUM] = { "sum", .record_only = true, .size = sizeof(MEMBER(sum)),
	    .fields = {
		INT("lines", sum.lines, 0, .max = INT64_MAX),
		{ &event_hex, "sha256", AT(sum.hash) },
	    } },
};

_Static_assert(sizeof(event_rows) / sizeof(event_rows[0]) == EVENT_KIND_COUNT,
    "every event has a row");

enum event_kind
event_kind_find(struct word verb)
{
	int kind = 0;

	/*
	 * Called for every line: most are plays, and the first byte excludes
	 * most other verbs.
	 */
	if (word_is(verb, "play"))
		return EVENT_PLAY;
	while (kind < EVENT_KIND_COUNT &&
	    (*event_rows[kind].name != *verb.bytes ||
		!word_is(verb, event_rows[kind].name)))
		kind++;
	return (enum event_kind)kind;
}

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
event_key(enum event_kind kind, int index)
{
	assert(kind < EVENT_KIND_COUNT);
	for (int i = 0; event_rows[kind].fields[i].type; i++) {
		const struct event_field *field = &event_rows[kind].fields[i];

		if (field->name && !(field->flags & WORD) && index-- == 0)
			return field->name;
	}
	return NULL;
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

/*
 * Copies only the member that this kind of event uses, because some members are
 * large.
 */
static void
copy_event(struct event *to, const struct event *from)
{
	memcpy(to, from,
	    offsetof(struct event, match) + event_rows[from->kind].size);
}

/* Clears the fields that are only for the record. */
static void
clear_secrets(struct event *event)
{
	const struct event_field *field = event_rows[event->kind].fields;

	for (; field->type; field++) {
		char *member = (char *)event + field->offset;

		if (!(field->flags & SECRET))
			continue;
		memset(member, 0, field->size);
		if (field->type == &event_seconds)
			*(int64_t *)(void *)member = -1;
	}
}

/* The outcome of a match for a team. */
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
event_is_same_for_all(enum event_kind kind)
{
	return kind != EVENT_MATCH && kind != EVENT_GIVE &&
	    kind != EVENT_ENDMATCH;
}

bool
event_redact(const struct event *event, const struct scopa_rules *rules,
    int seat, struct event *redacted)
{
	if (event_is_record_only(event->kind))
		return false;
	copy_event(redacted, event);
	clear_secrets(redacted);
	if (event->kind == EVENT_MATCH) {
		redacted->match.you = seat;
	} else if (event->kind == EVENT_GIVE && event->cards.seat != seat) {
		redacted->cards.hidden = scopa_set_count(event->cards.cards);
		redacted->cards.cards = SCOPA_SET_EMPTY;
	} else if (event->kind == EVENT_ENDMATCH) {
		redacted->end.you =
		    outcome_for(&event->end, scopa_team_of(rules, seat));
	}
	return true;
}

/* Whether a pair of the row has this key. */
static bool
has_key(const struct event_row *row, struct word key)
{
	const struct event_field *field = row->fields;

	for (; field->type; field++)
		if (field->name && !(field->flags & WORD) &&
		    word_is(key, field->name))
			return true;
	return false;
}

static void
report_unknown_keys(const struct words *words, const struct event_row *row,
    int word_count, struct scopa_text *why)
{
	for (int i = 1 + word_count; i < words->count; i++) {
		struct word key = words->word[i], value;

		if (!word_split_pair(words->word[i], &key, &value) ||
		    !has_key(row, key))
			scopa_text_print(why, "%s%.*s",
			    why->length ? ", " : "skipped: ", (int)key.length,
			    key.bytes);
	}
}

/*
 * The number of words that the row requires after the verb.  Pairs are not
 * counted.
 */
static int
count_words(const struct event_row *row)
{
	int count = 0;

	for (int i = 0; row->fields[i].type; i++)
		count += (row->fields[i].flags & (WORD | OPTIONAL)) == WORD;
	return count;
}

/* Whether at least `count` words that are no pairs come after the verb. */
static bool
has_arguments(const struct words *words, int count)
{
	for (int i = 1; i <= count; i++)
		if (i >= words->count ||
		    memchr(words->word[i].bytes, '=', words->word[i].length))
			return false;
	return true;
}

/* Reads the fields of a row in order. */
static bool
read_fields(const struct event_row *row, const struct words *words,
    struct event *event, struct scopa_text *why)
{
	const struct event_field *field = row->fields;
	size_t said = why->length;
	int at = 1;

	for (; field->type; field++) {
		struct event_reading in = { field, words, { NULL, 0 }, event,
			why };

		if (!(field->flags & WORD) && field->name)
			in.word = words_find(words, field->name);
		else if (field->flags & WORD && at < words->count)
			in.word = words->word[at++];
		if (field->type->read(&in))
			continue;
		return why->length > said
		    ? false
		    : refuse_field(&in,
			  field->expected ? field->expected
					  : field->type->expected);
	}
	return true;
}

/*
 * Whether the row ends with the rest of the line.  Such a line may have any
 * number of words: a bot decides about those of its `info`.
 */
static bool
has_rest(const struct event_row *row)
{
	const struct event_field *field = row->fields;

	while (field->type != NULL && field->type != &event_rest)
		field++;
	return field->type != NULL;
}

enum event_parse
event_parse(const char *line, size_t length, struct event *event,
    struct scopa_text *why)
{
	const struct event_row *row;
	struct words words;
	int word_count;

	words_split(line, length, &words);
	if (words.count == 0)
		return EVENT_UNKNOWN;
	event->kind = event_kind_find(words.word[0]);
	if (event->kind == EVENT_KIND_COUNT)
		return EVENT_UNKNOWN;
	row = &event_rows[event->kind];
	word_count = count_words(row);
	if (words.cut && !has_rest(row)) {
		scopa_text_print(why, "%s: too many words", row->name);
		return EVENT_BAD;
	}
	if (!has_arguments(&words, word_count)) {
		scopa_text_print(why, "%s: words missing", row->name);
		return EVENT_BAD;
	}
	memset(&event->match, 0, row->size);
	if (!read_fields(row, &words, event, why))
		return EVENT_BAD;
	if (!row->open)
		report_unknown_keys(&words, row, word_count, why);
	return EVENT_PARSED;
}

void
event_format(const struct event *event, struct scopa_text *text)
{
	const struct event_row *row = &event_rows[event->kind];

	struct event_writing out = { row->fields, event, text };

	scopa_text_string(text, row->name);
	for (; out.field->type; out.field++)
		out.field->type->write(&out);
}

bool
event_value(const struct event *event, int index, struct event_value *value)
{
	const struct event_field *field =
	    event_rows[event->kind].fields + index;
	struct event_writing out = { field, event, NULL };

	if (!field->type)
		return false;
	*value = (struct event_value){
		.kind = field->type->kind,
		.name = field->name,
		.text = "",
	};
	switch (value->kind) {
	case EVENT_VALUE_INT:
		value->number =
		    int_get(&out) + (field->flags & FROM_ONE ? 1 : 0);
		value->absent = field->flags & IF_SET && value->number <= 0;
		break;
	case EVENT_VALUE_SECONDS:
		value->number = int_get(&out);
		value->absent = value->number < 0;
		break;
	case EVENT_VALUE_TEAM:
		value->number = int_get(&out);
		value->absent =
		    field->flags & IF_SET && value->number == SCOPA_TEAM_NONE;
		break;
	case EVENT_VALUE_TEXT:
		value->text = field->type == &event_flag ? choice_get(&out)
							 : member_of(&out);
		value->absent =
		    !(field->flags & WORD) && value->text[0] == '\0';
		break;
	case EVENT_VALUE_OTHER:
		break;
	}
	return true;
}
