/*
 * The table of parameters, and one parameter at a time.
 */
#include "param.h"

#include <stddef.h>
#include <string.h>

#include "scopa/nearest.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

#define FIELD(name) .offset = (uint16_t)offsetof(struct scopa_rules, name)
#define NAMES(...)                \
	.names = { __VA_ARGS__ }, \
	.value_count = (uint8_t)COUNTOF(((const char *[]){ __VA_ARGS__ }))
#define ONE_OF(...) .kind = SCOPA_PARAM_NAME, NAMES(__VA_ARGS__)
#define ANY_OF(...) .kind = SCOPA_PARAM_BITS, NAMES(__VA_ARGS__)
#define NUMBERS(...)                                            \
	.kind = SCOPA_PARAM_NUMBER, .numbers = { __VA_ARGS__ }, \
	.value_count = (uint8_t)COUNTOF(((int16_t[]){ __VA_ARGS__ }))

enum { QUOTE_LENGTH_MAX = 40, NUMBER_DIGITS_MAX = 4 };

const struct scopa_param scopa_params[] = {
	{ .key = "players",
	    .sentence = "How many play; seats are numbered in play order.",
	    FIELD(players),
	    NUMBERS(2, 3, 4, 6) },
	{ .key = "teams",
	    .sentence = "The team of each seat; partners alternate.",
	    FIELD(teams),
	    ONE_OF("AB", "ABC", "ABCD", "ABAB", "ABABAB", "ABCABC", "ABCDEF") },
	{ .key = "hand",
	    .sentence = "Cards a hand, dealt anew until the pack is used up.",
	    FIELD(hand),
	    NUMBERS(3, 9, 10) },
	{ .key = "table",
	    .sentence = "Cards turned up before the first play.",
	    FIELD(table),
	    NUMBERS(4, 0) },
	{ .key = "redeal",
	    .sentence = "The opening table that is thrown in: three kings, "
			"none, two aces, or any ace.",
	    FIELD(redeal),
	    ONE_OF("kings3", "none", "aces2", "ace") },
	{ .key = "capture",
	    .sentence = "What a card takes: cards that add up to it, cards "
			"that make fifteen with it, or either.",
	    FIELD(capture),
	    ONE_OF("sum", "fifteen", "sum-or-fifteen") },
	{ .key = "equal-fifteen",
	    .sentence = "Whether an equal card may be taken too where cards "
			"make fifteen.",
	    FIELD(equal_fifteen),
	    ONE_OF("no", "yes") },
	{ .key = "priority",
	    .sentence = "Which captures are allowed. single: where one "
			"card of the table can be taken by itself (it is "
			"equal, or makes fifteen), no set of several cards; "
			"fewest: only sets of the least size; any: all of "
			"them. The sweep by an ace always is.",
	    FIELD(priority),
	    ONE_OF("single", "fewest", "any") },
	{ .key = "max-captured",
	    .sentence = "Most table cards that one play may take; 0 is no "
			"limit.",
	    FIELD(max_captured),
	    NUMBERS(0, 2) },
	{ .key = "ace",
	    .sentence = "When an ace takes the whole table: never, always, "
			"unless an ace lies there, or (traditional) not on "
			"the first play of the deal either.",
	    FIELD(ace),
	    ONE_OF("plain", "sweep", "sweep-unless-ace", "sweep-traditional") },
	{ .key = "ace-scopa",
	    .sentence = "Whether a sweep by an ace scores a scopa.",
	    FIELD(ace_scopa),
	    ONE_OF("no", "yes") },
	{ .key = "ace-empty",
	    .sentence = "Where an ace goes that is played on an empty table: "
			"it stays there, or its player takes it.",
	    FIELD(ace_empty),
	    ONE_OF("stay", "take") },
	{ .key = "cirulla-ace",
	    .sentence = "Where sums and fifteens capture: whether an ace that "
			"can sweep may take something else instead.",
	    FIELD(cirulla_ace),
	    ONE_OF("choice", "sweep") },
	{ .key = "cirulla-equal",
	    .sentence = "Where sums and fifteens capture: whether an equal "
			"card on the table goes before several cards that add "
			"up to it. Those that make fifteen, and the sweep by "
			"an ace, stay free.",
	    FIELD(cirulla_equal),
	    ONE_OF("choice", "first") },
	{ .key = "last-scopa",
	    .sentence = "Whether the very last card of a deal can score a "
			"scopa.",
	    FIELD(last_scopa),
	    ONE_OF("no", "yes") },
	{ .key = "leftovers",
	    .sentence = "Who gets the cards left on the table: the last to "
			"capture, or the dealer.",
	    FIELD(leftovers),
	    ONE_OF("last", "dealer") },
	{ .key = "items",
	    .sentence = "The base points, one each, to the only team that "
			"has most of it.",
	    FIELD(items),
	    ANY_OF("cards", "coins", "settebello", "primiera") },
	{ .key = "scopa",
	    .sentence = "Points a scopa.",
	    FIELD(scopa),
	    NUMBERS(1, 0) },
	{ .key = "primiera-six",
	    .sentence = "Value of a six in the primiera.",
	    FIELD(primiera_six),
	    NUMBERS(18, 19) },
	{ .key = "primiera-missing",
	    .sentence =
		"A primiera without all four suits: no claim, the "
		"missing suit counts nothing, or more suits beat fewer.",
	    FIELD(primiera_missing),
	    ONE_OF("all4", "partial", "suits-first") },
	{ .key = "napola",
	    .sentence = "What ace, two, three and on of coins are worth: "
			"nothing, their number, one and one more for each "
			"further, or one for three and else their number.",
	    FIELD(napola),
	    ONE_OF("none", "run", "oneplus", "s1") },
	{ .key = "re-bello",
	    .sentence = "Whether the king of coins is worth a point.",
	    FIELD(re_bello),
	    ONE_OF("no", "yes") },
	{ .key = "ponino",
	    .sentence = "Whether all four knights double the scopa points.",
	    FIELD(ponino),
	    ONE_OF("no", "yes") },
	{ .key = "trente",
	    .sentence = "Whether ace, two and three of coins are worth 1, 2 "
			"and 3 points, and all three win the match.",
	    FIELD(trente),
	    ONE_OF("no", "yes") },
	{ .key = "frac",
	    .sentence = "Whether captured aces, knaves, knights and kings "
			"count a point each, and nothing else does.",
	    FIELD(frac),
	    ONE_OF("no", "yes") },
	{ .key = "frac-tie",
	    .sentence = "What breaks a tie for the most frac points: nothing, "
			"or the king of coins.",
	    FIELD(frac_tie),
	    ONE_OF("none", "king") },
	{ .key = "all-coins",
	    .sentence = "Whether all ten coins win the match.",
	    FIELD(all_coins),
	    ONE_OF("no", "win") },
	{ .key = "sevens",
	    .sentence = "Whether most sevens are worth a point, and all four "
			"one more.",
	    FIELD(sevens),
	    ONE_OF("none", "escoba") },
	{ .key = "piccola",
	    .sentence = "The most that a run of coins from the ace on can be "
			"worth; 0 is off.",
	    FIELD(piccola),
	    NUMBERS(0, 6, 7) },
	{ .key = "grande",
	    .sentence = "Points for knave, knight and king of coins together.",
	    FIELD(grande),
	    NUMBERS(0, 5) },
	{ .key = "opening",
	    .sentence = "Whether the dealer takes an opening table of fifteen "
			"(one scopa) or thirty (two); wild: the 7 of cups "
			"counts as anything.",
	    FIELD(opening),
	    ONE_OF("off", "plain", "wild") },
	{ .key = "declare",
	    .sentence = "Declarations of a hand below ten (3 points) and of "
			"three of a kind (10): off, made by themselves, or "
			"asked of the player.",
	    FIELD(declare),
	    ONE_OF("off", "auto", "ask") },
	{ .key = "matta",
	    .sentence = "What a 7 of cups declared as another value captures "
			"as: that value in the hand, a seven, or that value "
			"on the table too.",
	    FIELD(matta),
	    ONE_OF("hand", "plain", "table") },
	{ .key = "aim",
	    .sentence = "Whether the first to the target wins or loses.",
	    FIELD(aim),
	    ONE_OF("most", "least") },
	{ .key = "target",
	    .sentence = "Points that end the match once one team leads.",
	    FIELD(target),
	    .kind = SCOPA_PARAM_NUMBER,
	    .min = 1,
	    .max = SCOPA_TARGET_MAX },
	{ .key = "count",
	    .sentence = "When a win at a blow is found: at the end of the "
			"deal, or at once.",
	    FIELD(count),
	    ONE_OF("end", "at-once") },
	{ .key = "rotation",
	    .sentence = "Who deals next: the seat after the dealer in play "
			"order, or the seat before.",
	    FIELD(rotation),
	    ONE_OF("with", "against") },
};

_Static_assert(
    COUNTOF(scopa_params) == sizeof(struct scopa_rules) / sizeof(int16_t),
    "every field of the rules is one parameter");

const int scopa_param_count = (int)COUNTOF(scopa_params);

static bool
bytes_equal(const char *bytes, size_t length, const char *string)
{
	return strlen(string) == length && memcmp(bytes, string, length) == 0;
}

void
param_quote(struct scopa_text *text, const char *bytes, size_t length)
{
	size_t shown = length < QUOTE_LENGTH_MAX ? length : QUOTE_LENGTH_MAX;

	scopa_text_char(text, '"');
	for (size_t i = 0; i < shown; i++)
		scopa_text_char(
		    text, bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?');
	if (shown < length)
		scopa_text_string(text, "...");
	scopa_text_char(text, '"');
}

void
param_say_unknown(struct scopa_text *why, const char *what, const char *bytes,
    size_t length, const char *(*name_of)(int index), int count)
{
	struct scopa_nearest near;

	scopa_nearest_init(&near, bytes, length);
	for (int i = 0; i < count; i++)
		scopa_nearest_offer(&near, name_of(i));
	scopa_text_string(why, "unknown ");
	scopa_text_string(why, what);
	scopa_text_char(why, ' ');
	param_quote(why, bytes, length);
	if (near.name != NULL) {
		scopa_text_string(why, "; did you mean ");
		param_quote(why, near.name, strlen(near.name));
		scopa_text_char(why, '?');
		return;
	}
	scopa_text_string(why, "; the ");
	scopa_text_string(why, what);
	scopa_text_string(why, "s are ");
	for (int i = 0; i < count; i++) {
		scopa_text_string(why, i == 0 ? "" : ", ");
		scopa_text_string(why, name_of(i));
	}
}

static const struct scopa_param *
find_key(const char *bytes, size_t length)
{
	for (int i = 0; i < scopa_param_count; i++)
		if (bytes_equal(bytes, length, scopa_params[i].key))
			return &scopa_params[i];
	return NULL;
}

static const char *
key_of(int index)
{
	return scopa_params[index].key;
}

const struct scopa_param *
scopa_param_find(const char *key)
{
	return find_key(key, strlen(key));
}

const struct scopa_param *
param_named(const char *bytes, size_t length, struct scopa_text *why)
{
	const struct scopa_param *param = find_key(bytes, length);

	if (param == NULL)
		param_say_unknown(
		    why, "parameter", bytes, length, key_of, scopa_param_count);
	return param;
}

int16_t
param_get(const struct scopa_param *param, const struct scopa_rules *rules)
{
	int16_t value;

	memcpy(&value, (const char *)rules + param->offset, sizeof(value));
	return value;
}

bool
param_known(const struct scopa_param *param, int16_t value)
{
	switch (param->kind) {
	case SCOPA_PARAM_NAME:
		return value >= 0 && value < param->value_count;
	case SCOPA_PARAM_BITS:
		return value >= 0 && value < 1 << param->value_count;
	case SCOPA_PARAM_NUMBER:
		break;
	}
	if (param->value_count == 0)
		return value >= param->min && value <= param->max;
	for (int i = 0; i < param->value_count; i++)
		if (param->numbers[i] == value)
			return true;
	return false;
}

void
param_explain(const struct scopa_param *param, struct scopa_text *text)
{
	const char *between = ", ";

	if (param->kind == SCOPA_PARAM_NUMBER && param->value_count == 0) {
		scopa_text_string(text, "must be a number from ");
		scopa_text_int(text, param->min);
		scopa_text_string(text, " to ");
		scopa_text_int(text, param->max);
		return;
	}
	if (param->kind == SCOPA_PARAM_BITS) {
		scopa_text_string(text, "must be none or some of ");
		between = "+";
	} else {
		scopa_text_string(text, "must be one of ");
	}
	for (int i = 0; i < param->value_count; i++) {
		scopa_text_string(text, i == 0 ? "" : between);
		if (param->kind == SCOPA_PARAM_NUMBER)
			scopa_text_int(text, param->numbers[i]);
		else
			scopa_text_string(text, param->names[i]);
	}
}

/* The index of the name that the bytes spell, or -1. */
static int
find_name(const struct scopa_param *param, const char *bytes, size_t length)
{
	for (int i = 0; i < param->value_count; i++)
		if (bytes_equal(bytes, length, param->names[i]))
			return i;
	return -1;
}

/* Digits only, and few enough for an int16_t; or -1. */
static int
read_number(const char *bytes, size_t length)
{
	int number = 0;

	if (length == 0 || length > NUMBER_DIGITS_MAX)
		return -1;
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] < '0' || bytes[i] > '9')
			return -1;
		number = number * 10 + (bytes[i] - '0');
	}
	return number;
}

/* Names joined by '+', each once, or `none`; or -1. */
static int
read_bits(const struct scopa_param *param, const char *bytes, size_t length)
{
	int bits = 0;

	if (bytes_equal(bytes, length, "none"))
		return 0;
	for (size_t from = 0; from <= length;) {
		size_t to = from;
		int index;

		while (to < length && bytes[to] != '+')
			to++;
		index = find_name(param, bytes + from, to - from);
		if (index < 0 || (bits >> index & 1) != 0)
			return -1;
		bits |= 1 << index;
		from = to + 1;
	}
	return bits;
}

static int
read_value(const struct scopa_param *param, const char *bytes, size_t length)
{
	switch (param->kind) {
	case SCOPA_PARAM_NAME:
		return find_name(param, bytes, length);
	case SCOPA_PARAM_BITS:
		return read_bits(param, bytes, length);
	case SCOPA_PARAM_NUMBER:
		break;
	}
	return read_number(bytes, length);
}

bool
param_read(const struct scopa_param *param, struct scopa_rules *rules,
    const char *bytes, size_t length, struct scopa_text *why)
{
	int16_t value = (int16_t)read_value(param, bytes, length);

	if (!param_known(param, value)) {
		scopa_text_string(why, param->key);
		scopa_text_char(why, ' ');
		param_explain(param, why);
		scopa_text_string(why, " (not ");
		param_quote(why, bytes, length);
		scopa_text_char(why, ')');
		return false;
	}
	memcpy((char *)rules + param->offset, &value, sizeof(value));
	return true;
}

void
scopa_param_format(const struct scopa_param *param,
    const struct scopa_rules *rules, struct scopa_text *text)
{
	int16_t value = param_get(param, rules);
	bool first = true;

	if (!param_known(param, value) || param->kind == SCOPA_PARAM_NUMBER) {
		scopa_text_int(text, value);
		return;
	}
	if (param->kind == SCOPA_PARAM_NAME) {
		scopa_text_string(text, param->names[value]);
		return;
	}
	for (int i = 0; i < param->value_count; i++) {
		if ((value >> i & 1) == 0)
			continue;
		scopa_text_string(text, first ? "" : "+");
		scopa_text_string(text, param->names[i]);
		first = false;
	}
	if (first)
		scopa_text_string(text, "none");
}
