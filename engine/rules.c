/*
 * The rules as text.  First the tables of parameters and of presets; then the
 * functions of one parameter; then those of a whole set of rules: parse, check,
 * format, teams and the greatest number of points.
 *
 * Every parameter is a row of scopa_params.  A value is parsed into the int16_t
 * field at the row's offset, so a new parameter needs only a row and a field.
 * Every variant is a row of scopa_presets.
 */
#include "scopa/rules.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "scopa/nearest.h"

#define FIELD(name) (uint16_t) offsetof(struct scopa_rules, name)
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
	{ "players", "How many play; seats are numbered in play order.",
	    FIELD(players), NUMBERS(2, 3, 4, 6) },
	{ "teams", "The team of each seat; partners alternate.", FIELD(teams),
	    ONE_OF("AB", "ABC", "ABCD", "ABAB", "ABABAB", "ABCABC", "ABCDEF") },
	{ "hand", "Cards a hand, dealt again until the pack is used up.",
	    FIELD(hand), NUMBERS(3, 9, 10) },
	{ "table", "Cards turned up before the first play.", FIELD(table),
	    NUMBERS(4, 0) },
	{ "redeal",
	    "The opening table that is thrown in: three kings, none, two "
	    "aces, or any ace.",
	    FIELD(redeal), ONE_OF("kings3", "none", "aces2", "ace") },
	{ "capture",
	    "What a card takes: cards that add up to it, cards that make "
	    "fifteen with it, or either.",
	    FIELD(capture), ONE_OF("sum", "fifteen", "sum-or-fifteen") },
	{ "equal-fifteen",
	    "Whether an equal card may also be taken if cards make fifteen.",
	    FIELD(equal_fifteen), ONE_OF("no", "yes") },
	{ "priority",
	    "Which captures are allowed. single: if one card of the table can "
	    "be taken by itself (it is equal, or makes fifteen), no set of "
	    "several cards; fewest: only sets of the least size; any: all of "
	    "them. The sweep by an ace always is.",
	    FIELD(priority), ONE_OF("single", "fewest", "any") },
	{ "max-captured",
	    "Most table cards that one play may take; 0 is no limit.",
	    FIELD(max_captured), NUMBERS(0, 2) },
	{ "ace",
	    "When an ace takes the whole table: never, always, unless an ace "
	    "is on it, or (traditional) not on the first play of the deal "
	    "either.",
	    FIELD(ace),
	    ONE_OF("plain", "sweep", "sweep-unless-ace", "sweep-traditional") },
	{ "ace-scopa", "Whether a sweep by an ace scores a scopa.",
	    FIELD(ace_scopa), ONE_OF("no", "yes") },
	{ "ace-empty",
	    "What happens to an ace that is played on an empty table: it stays "
	    "there, or its player takes it.",
	    FIELD(ace_empty), ONE_OF("stay", "take") },
	{ "cirulla-ace",
	    "With sums and fifteens: whether an ace that can sweep may take "
	    "something else instead.",
	    FIELD(cirulla_ace), ONE_OF("choice", "sweep") },
	{ "cirulla-equal",
	    "Where sums and fifteens capture: whether an equal card on the "
	    "table goes before several cards that add up to it. Those that "
	    "make fifteen, and the sweep by an ace, stay free.",
	    FIELD(cirulla_equal), ONE_OF("choice", "first") },
	{ "last-scopa",
	    "Whether the very last card of a deal can score a scopa.",
	    FIELD(last_scopa), ONE_OF("no", "yes") },
	{ "leftovers",
	    "Who gets the cards left on the table: the last to capture, or "
	    "the dealer.",
	    FIELD(leftovers), ONE_OF("last", "dealer") },
	{ "items",
	    "The base points, one each, to the only team that has most of "
	    "it.",
	    FIELD(items), ANY_OF("cards", "coins", "settebello", "primiera") },
	{ "scopa", "Points a scopa.", FIELD(scopa), NUMBERS(1, 0) },
	{ "primiera-six", "Value of a six in the primiera.",
	    FIELD(primiera_six), NUMBERS(18, 19) },
	{ "primiera-missing",
	    "A primiera without all four suits: no claim, the missing suit "
	    "counts nothing, or more suits beat fewer.",
	    FIELD(primiera_missing), ONE_OF("all4", "partial", "suits-first") },
	{ "napola",
	    "Points for a run of three or more coins from the ace: none, its"
	    " length, one for three coins and one more for each further "
	    "coin, or one for three coins and else its length.",
	    FIELD(napola), ONE_OF("none", "run", "oneplus", "s1") },
	{ "re-bello", "Whether the king of coins is worth a point.",
	    FIELD(re_bello), ONE_OF("no", "yes") },
	{ "ponino", "Whether all four knights double the scopa points.",
	    FIELD(ponino), ONE_OF("no", "yes") },
	{ "trente",
	    "Whether ace, two and three of coins are worth 1, 2 and 3 "
	    "points, and all three win the match.",
	    FIELD(trente), ONE_OF("no", "yes") },
	{ "frac",
	    "Whether captured aces, knaves, knights and kings count a point"
	    " each, and nothing else does.",
	    FIELD(frac), ONE_OF("no", "yes") },
	{ "frac-tie",
	    "What breaks a tie for the most frac points: nothing, or the "
	    "king of coins.",
	    FIELD(frac_tie), ONE_OF("none", "king") },
	{ "all-coins", "Whether all ten coins win the match.", FIELD(all_coins),
	    ONE_OF("no", "win") },
	{ "sevens",
	    "Whether most sevens are worth a point, and all four one more.",
	    FIELD(sevens), ONE_OF("none", "escoba") },
	{ "piccola",
	    "The most that a run of coins from the ace on can be worth; 0 "
	    "is off.",
	    FIELD(piccola), NUMBERS(0, 6, 7) },
	{ "grande", "Points for knave, knight and king of coins together.",
	    FIELD(grande), NUMBERS(0, 5) },
	{ "opening",
	    "Whether the dealer takes an opening table of fifteen (one "
	    "scopa) or thirty (two); wild: the 7 of cups counts as "
	    "anything.",
	    FIELD(opening), ONE_OF("off", "plain", "wild") },
	{ "declare",
	    "Declarations of a hand below ten (3 points) and of three of a "
	    "kind (10): off, made automatically, or asked of the player.",
	    FIELD(declare), ONE_OF("off", "auto", "ask") },
	{ "matta",
	    "What a 7 of cups declared as another value captures as: that "
	    "value in the hand, a seven, or that value on the table too.",
	    FIELD(matta), ONE_OF("hand", "plain", "table") },
	{ "aim", "Whether the first to the target wins or loses.", FIELD(aim),
	    ONE_OF("most", "least") },
	{ "target", "Points that end the match once one team leads.",
	    FIELD(target), .kind = SCOPA_PARAM_NUMBER, .min = 1,
	    .max = SCOPA_TARGET_MAX },
	{ "count",
	    "When an instant win of the match is found: at the end of the "
	    "deal, or at once.",
	    FIELD(count), ONE_OF("end", "at-once") },
	{ "rotation",
	    "Who deals next: the seat after the dealer in play order, or "
	    "the seat before.",
	    FIELD(rotation), ONE_OF("with", "against") },
};

_Static_assert(
    COUNTOF(scopa_params) == sizeof(struct scopa_rules) / sizeof(int16_t),
    "every field of the rules is one parameter");

const int scopa_param_count = (int)COUNTOF(scopa_params);

/*
 * A row of scopa_presets names only fields that differ from zero: for a word
 * that is its first value, for a number 0.  These macros set the fields that
 * need another value in all presets of a group.
 */
#define TO_SEVERAL .players = 2, .teams = SCOPA_TEAMS_AB, .hand = 3, .table = 4
#define TO_FOUR(hand_size, table_size)                                \
	.players = 4, .teams = SCOPA_TEAMS_ABAB, .hand = (hand_size), \
	.table = (table_size)
#define BASE_ITEMS                                                     \
	(SCOPA_BASE_CARDS | SCOPA_BASE_COINS | SCOPA_BASE_SETTEBELLO | \
	    SCOPA_BASE_PRIMIERA)
#define POINTS \
	.items = BASE_ITEMS, .scopa = 1, .ace_scopa = 1, .primiera_six = 18

#define SEATS_ANY "2, 3, 4 or 6; teams of 2v2, 2x3 or 3x2"
#define SEATS_PAIRS "4 as 2v2"

/*
 * The sources of the presets are five texts: the page "Scopone scientifico
 * Rules", the Free Net Encyclopedia's article "Scopa", an account of the rules
 * of Chitarrella, Board Game Arena's help page, and the description "Scopa -
 * Italian Card Game".  If they disagree, a preset follows the text that it
 * names.
 */
const struct scopa_preset scopa_presets[] = {
	{ "scopa",
	    "Scopa as most tables play it; the page \"Scopone scientifico "
	    "Rules\" and the description \"Scopa - Italian Card Game\" have"
	    " these rules.",
	    SEATS_ANY, { TO_SEVERAL, POINTS, .target = 11 } },
	{ "scopa-bga",
	    "Scopa of Board Game Arena's help page: the smallest capture "
	    "comes first, and a primiera may lack a suit.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.priority = SCOPA_PRIORITY_FEWEST,
		.primiera_missing = SCOPA_PRIMIERA_PARTIAL } },
	{ "scopa-napoli",
	    "Scopa of the Free Net Encyclopedia's article: the \"napoli\" "
	    "is one point for three coins, and for more as many as there "
	    "are.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11, .napola = SCOPA_NAPOLA_S1 } },
	{ "scopone",
	    "Scopone classico of the page \"Scopone scientifico Rules\": "
	    "nine cards a hand and four on the table.",
	    SEATS_PAIRS, { TO_FOUR(9, 4), POINTS, .target = 21 } },
	{ "scopone-chitarrella",
	    "Scopone of the account of the rules of Chitarrella: nine cards"
	    " a hand, to 11 points.",
	    SEATS_PAIRS, { TO_FOUR(9, 4), POINTS, .target = 11 } },
	{ "scientifico",
	    "Scopone scientifico of the page of that name: ten cards a "
	    "hand, none on the table.",
	    SEATS_PAIRS,
	    { TO_FOUR(10, 0), POINTS, .target = 21,
		.redeal = SCOPA_REDEAL_NONE } },
	{ "trentino",
	    "Trentino scopone of the Free Net Encyclopedia's article: a run"
	    " of coins from the ace on counts its length, and all ten coins"
	    " win.",
	    SEATS_PAIRS,
	    { TO_FOUR(9, 4), POINTS, .target = 21, .napola = SCOPA_NAPOLA_RUN,
		.all_coins = SCOPA_ALL_COINS_WIN } },
	{ "trente",
	    "Scopone de Trente of Board Game Arena's help page: ace, two "
	    "and three of coins count 1, 2 and 3, and all three win.",
	    SEATS_PAIRS, { TO_FOUR(9, 4), POINTS, .target = 21, .trente = 1 } },
	{ "assi",
	    "Scopa d'assi of Board Game Arena's help page (simplified): an "
	    "ace takes the whole table and scores a scopa.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11, .ace = SCOPA_ACE_SWEEP } },
	{ "assi-traditional",
	    "Scopa d'assi of Board Game Arena's help page (traditional): no"
	    " sweep while an ace lies on the table, nor on the first play.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.ace = SCOPA_ACE_SWEEP_TRADITIONAL } },
	{ "assi-noscopa",
	    "Scopa d'assi of the Free Net Encyclopedia's article: the sweep"
	    " by an ace scores no scopa.",
	    SEATS_ANY,
	    { TO_SEVERAL, .items = BASE_ITEMS, .scopa = 1, .primiera_six = 18,
		.target = 11, .ace = SCOPA_ACE_SWEEP } },
	{ "re-bello",
	    "Re bello of the Free Net Encyclopedia's article: the king of "
	    "coins is worth a point.",
	    SEATS_ANY, { TO_SEVERAL, POINTS, .target = 11, .re_bello = 1 } },
	{ "napola",
	    "Napola of Board Game Arena's help page: a run of coins from the"
	    " ace, of three or more, counts its length.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11, .napola = SCOPA_NAPOLA_RUN } },
	{ "ponino",
	    "Il ponino of Board Game Arena's help page: all four knights "
	    "double the scopa points.",
	    SEATS_ANY, { TO_SEVERAL, POINTS, .target = 11, .ponino = 1 } },
	{ "quindici",
	    "Scopa a quindici of Board Game Arena's help page: a card takes"
	    " what makes fifteen with it, the fewest cards first.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.capture = SCOPA_CAPTURE_FIFTEEN,
		.priority = SCOPA_PRIORITY_FEWEST } },
	{ "escoba",
	    "Escoba of Board Game Arena's help page: any fifteen, a point "
	    "for most sevens and one for all.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 11,
		.capture = SCOPA_CAPTURE_FIFTEEN,
		.priority = SCOPA_PRIORITY_ANY,
		.sevens = SCOPA_SEVENS_ESCOBA } },
	{ "escoba-noprime",
	    "Escoba as Board Game Arena plays it: the same without the "
	    "primiera.",
	    SEATS_ANY,
	    { TO_SEVERAL, .scopa = 1, .primiera_six = 18,
		.items = BASE_ITEMS - SCOPA_BASE_PRIMIERA, .ace_scopa = 1,
		.target = 11, .capture = SCOPA_CAPTURE_FIFTEEN,
		.priority = SCOPA_PRIORITY_ANY,
		.sevens = SCOPA_SEVENS_ESCOBA } },
	{ "frac",
	    "Scopa frac of Board Game Arena's help page: only captured aces"
	    " and figures count, a point each.",
	    SEATS_ANY,
	    { TO_SEVERAL, .items = 0, .scopa = 0, .primiera_six = 18,
		.ace_scopa = 1, .target = 11, .priority = SCOPA_PRIORITY_ANY,
		.frac = 1 } },
	{ "perdere",
	    "Scopa a perdere, which Board Game Arena plays but none of the "
	    "texts describes: the first to the target loses.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 21, .aim = SCOPA_AIM_LEAST } },
	{ "cirulla",
	    "Cirulla of Board Game Arena's help page: sums and fifteens, "
	    "sweeping aces, declared hands, the wild 7 of cups.",
	    SEATS_ANY,
	    { TO_SEVERAL, POINTS, .target = 51, .redeal = SCOPA_REDEAL_ACES2,
		.capture = SCOPA_CAPTURE_SUM_OR_FIFTEEN,
		.priority = SCOPA_PRIORITY_ANY,
		.ace = SCOPA_ACE_SWEEP_UNLESS_ACE, .piccola = 6, .grande = 5,
		.all_coins = SCOPA_ALL_COINS_WIN, .opening = SCOPA_OPENING_WILD,
		.declare = SCOPA_DECLARE_ASK, .matta = SCOPA_MATTA_HAND } },
};

const int scopa_preset_count = (int)COUNTOF(scopa_presets);

static bool
bytes_equal(const char *bytes, size_t length, const char *string)
{
	/* Most names differ in their first byte. */
	return length > 0 && bytes[0] == string[0] &&
	    strncmp(string, bytes, length) == 0 && string[length] == '\0';
}

/* Appends unknown text in quotes: only printable bytes, cut when long. */
static void
put_quoted(struct scopa_text *text, const char *bytes, size_t length)
{
	size_t shown = length < QUOTE_LENGTH_MAX ? length : QUOTE_LENGTH_MAX;

	scopa_text_char(text, '"');
	for (size_t i = 0; i < shown; i++)
		scopa_text_char(
		    text, bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?');
	scopa_text_string(text, shown < length ? "...\"" : "\"");
}

void
param_refuse(struct scopa_text *why, const char *bytes, size_t length)
{
	scopa_text_string(why, " (not ");
	put_quoted(why, bytes, length);
	scopa_text_char(why, ')');
}

/*
 * Appends that the bytes are an unknown `what`, with the most similar of
 * `count` names, or with all names when none is similar.
 */
static void
put_unknown(struct scopa_text *why, const char *what, const char *bytes,
    size_t length, const char *(*name_of)(int index), int count)
{
	struct scopa_nearest near;

	scopa_nearest_init(&near, bytes, length);
	for (int i = 0; i < count; i++)
		scopa_nearest_offer(&near, name_of(i));
	scopa_text_print(why, "unknown %s ", what);
	put_quoted(why, bytes, length);
	if (near.name != NULL) {
		scopa_text_print(why, "; did you mean \"%s\"?", near.name);
		return;
	}
	scopa_text_print(why, "; the %ss are ", what);
	for (int i = 0; i < count; i++)
		scopa_text_print(why, "%s%s", i == 0 ? "" : ", ", name_of(i));
}

/*
 * Returns the index of the name that equals the bytes; -1 when there is none.
 */
static int
index_of(const char *bytes, size_t length, const char *(*name_of)(int index),
    int count)
{
	for (int i = 0; i < count; i++)
		if (bytes_equal(bytes, length, name_of(i)))
			return i;
	return -1;
}

static const char *
key_of(int index)
{
	return scopa_params[index].key;
}

static const char *
preset_name_of(int index)
{
	return scopa_presets[index].name;
}

const struct scopa_param *
scopa_param_find(const char *key)
{
	int index = index_of(key, strlen(key), key_of, scopa_param_count);

	return index < 0 ? NULL : &scopa_params[index];
}

const struct scopa_preset *
scopa_preset_find(const char *name)
{
	int index =
	    index_of(name, strlen(name), preset_name_of, scopa_preset_count);

	return index < 0 ? NULL : &scopa_presets[index];
}

/*
 * Returns the parameter for bytes without a NUL; NULL, with a sentence in
 * `why`, when there is none.
 */
static const struct scopa_param *
param_named(const char *bytes, size_t length, struct scopa_text *why)
{
	int index = index_of(bytes, length, key_of, scopa_param_count);

	if (index < 0)
		put_unknown(
		    why, "parameter", bytes, length, key_of, scopa_param_count);
	return index < 0 ? NULL : &scopa_params[index];
}

/* Returns the field of a parameter in a set of rules. */
static int16_t
param_get(const struct scopa_param *param, const struct scopa_rules *rules)
{
	int16_t value;

	memcpy(&value, (const char *)rules + param->offset, sizeof(value));
	return value;
}

static void
param_put(
    const struct scopa_param *param, struct scopa_rules *rules, int16_t value)
{
	memcpy((char *)rules + param->offset, &value, sizeof(value));
}

/* Whether the value is valid for the parameter. */
static bool
param_known(const struct scopa_param *param, int16_t value)
{
	if (param->kind == SCOPA_PARAM_NAME)
		return value >= 0 && value < param->value_count;
	if (param->kind == SCOPA_PARAM_BITS)
		return value >= 0 && value < 1 << param->value_count;
	if (param->value_count == 0)
		return value >= param->min && value <= param->max;
	for (int i = 0; i < param->value_count; i++)
		if (param->numbers[i] == value)
			return true;
	return false;
}

/* Appends the valid values: `must be one of single, fewest, any`. */
static void
put_allowed(const struct scopa_param *param, struct scopa_text *text)
{
	bool bits = param->kind == SCOPA_PARAM_BITS;

	if (param->kind == SCOPA_PARAM_NUMBER && param->value_count == 0) {
		scopa_text_print(text, "must be a number from %d to %d",
		    param->min, param->max);
		return;
	}
	scopa_text_string(
	    text, bits ? "must be none or some of " : "must be one of ");
	for (int i = 0; i < param->value_count; i++) {
		if (i > 0)
			scopa_text_string(text, bits ? "+" : ", ");
		if (param->kind == SCOPA_PARAM_NUMBER)
			scopa_text_int(text, param->numbers[i]);
		else
			scopa_text_string(text, param->names[i]);
	}
}

/* Returns the index of the value's name; -1 when there is none. */
static int
find_value_name(
    const struct scopa_param *param, const char *bytes, size_t length)
{
	for (int i = 0; i < param->value_count; i++)
		if (bytes_equal(bytes, length, param->names[i]))
			return i;
	return -1;
}

/* Reads digits, few enough for an int16_t; -1 on an error. */
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

/* Reads names joined by '+', each at most once, or `none`; -1 on an error. */
static int
read_bits(const struct scopa_param *param, const char *bytes, size_t length)
{
	int bits = 0;

	if (bytes_equal(bytes, length, "none"))
		return 0;
	for (size_t from = 0; from <= length;) {
		const char *plus = memchr(bytes + from, '+', length - from);
		size_t to = plus ? (size_t)(plus - bytes) : length;
		int index = find_value_name(param, bytes + from, to - from);

		if (index < 0 || (bits >> index & 1) != 0)
			return -1;
		bits |= 1 << index;
		from = to + 1;
	}
	return bits;
}

bool
param_read(const struct scopa_param *param, struct scopa_rules *rules,
    const char *bytes, size_t length, struct scopa_text *why)
{
	int value = param->kind == SCOPA_PARAM_NAME
	    ? find_value_name(param, bytes, length)
	    : param->kind == SCOPA_PARAM_BITS ? read_bits(param, bytes, length)
					      : read_number(bytes, length);

	if (param_known(param, (int16_t)value)) {
		param_put(param, rules, (int16_t)value);
		return true;
	}
	scopa_text_print(why, "%s ", param->key);
	put_allowed(param, why);
	param_refuse(why, bytes, length);
	return false;
}

void
scopa_param_format(const struct scopa_param *param,
    const struct scopa_rules *rules, struct scopa_text *text)
{
	int16_t value = param_get(param, rules);
	const char *between = "";

	if (!param_known(param, value) || param->kind == SCOPA_PARAM_NUMBER) {
		scopa_text_int(text, value);
		return;
	}
	if (param->kind == SCOPA_PARAM_NAME || value == 0) {
		scopa_text_string(text,
		    param->kind == SCOPA_PARAM_NAME ? param->names[value]
						    : "none");
		return;
	}
	for (int i = 0; i < param->value_count; i++) {
		if ((value >> i & 1) == 0)
			continue;
		scopa_text_string(text, between);
		scopa_text_string(text, param->names[i]);
		between = "+";
	}
}

const struct scopa_seating scopa_seatings[SCOPA_TEAMS_COUNT] = {
	[SCOPA_TEAMS_AB] = { 2, 2, { 0, 1 } },
	[SCOPA_TEAMS_ABC] = { 3, 3, { 0, 1, 2 } },
	[SCOPA_TEAMS_ABCD] = { 4, 4, { 0, 1, 2, 3 } },
	[SCOPA_TEAMS_ABAB] = { 4, 2, { 0, 1, 0, 1 } },
	[SCOPA_TEAMS_ABABAB] = { 6, 2, { 0, 1, 0, 1, 0, 1 } },
	[SCOPA_TEAMS_ABCABC] = { 6, 3, { 0, 1, 2, 0, 1, 2 } },
	[SCOPA_TEAMS_ABCDEF] = { 6, 6, { 0, 1, 2, 3, 4, 5 } },
};

/* The fields that `frac=yes` restricts, with their only allowed values. */
static const struct demand {
	const char *key;
	int16_t value;
} frac_demands[] = {
	{ "priority", SCOPA_PRIORITY_ANY },
	{ "max-captured", 0 },
	{ "items", 0 },
	{ "scopa", 0 },
	{ "napola", SCOPA_NAPOLA_NONE },
	{ "re-bello", 0 },
	{ "ponino", 0 },
	{ "trente", 0 },
	{ "all-coins", SCOPA_ALL_COINS_NO },
	{ "sevens", SCOPA_SEVENS_NONE },
	{ "piccola", 0 },
	{ "grande", 0 },
	{ "opening", SCOPA_OPENING_OFF },
	{ "declare", SCOPA_DECLARE_OFF },
};

/* Adapts the teams to the number of players, if they do not fit. */
static void
fit_teams(struct scopa_rules *rules)
{
	static const uint8_t teams[] = {
		[2] = SCOPA_TEAMS_AB,
		[3] = SCOPA_TEAMS_ABC,
		[4] = SCOPA_TEAMS_ABCD,
		[6] = SCOPA_TEAMS_ABCDEF,
	};

	if (scopa_seatings[rules->teams].players == rules->players)
		return;
	rules->teams = teams[rules->players];
	/* Hands of nine or ten cards need two teams of two. */
	if (rules->players == 4 && rules->hand != 3)
		rules->teams = SCOPA_TEAMS_ABAB;
}

static void
fit_players(struct scopa_rules *rules)
{
	rules->players = scopa_seatings[rules->teams].players;
}

bool
scopa_rules_set(struct scopa_rules *rules, const char *key, const char *value,
    struct scopa_text *why)
{
	const struct scopa_param *param = param_named(key, strlen(key), why);

	if (param == NULL ||
	    !param_read(param, rules, value, strlen(value), why))
		return false;
	if (param->offset == offsetof(struct scopa_rules, players))
		fit_teams(rules);
	if (param->offset == offsetof(struct scopa_rules, teams))
		fit_players(rules);
	return true;
}

/* Parses one `KEY=VALUE`.  `given` has a bit for every key before. */
static bool
read_override(struct scopa_rules *rules, const char *bytes, size_t length,
    uint64_t *given, struct scopa_text *why)
{
	const char *equals = memchr(bytes, '=', length);
	size_t key_length = equals == NULL ? length : (size_t)(equals - bytes);
	const struct scopa_param *param;
	uint64_t bit;

	if (equals == NULL && length == 0) {
		scopa_text_string(
		    why, "an override KEY=VALUE is missing beside a comma");
		return false;
	}
	param = param_named(bytes, key_length, why);
	if (param == NULL)
		return false;
	if (equals == NULL) {
		scopa_text_print(why, "%s has no value: it ", param->key);
		put_allowed(param, why);
		return false;
	}
	bit = UINT64_C(1) << (param - scopa_params);
	if ((*given & bit) != 0) {
		scopa_text_print(
		    why, "%s is given twice: say it once", param->key);
		return false;
	}
	*given |= bit;
	return param_read(
	    param, rules, equals + 1, length - key_length - 1, why);
}

bool
scopa_rules_read(
    struct scopa_rules *rules, const char *spec, struct scopa_text *why)
{
	size_t length = strcspn(spec, ",");
	int preset = index_of(spec, length, preset_name_of, scopa_preset_count);
	struct scopa_rules read;
	uint64_t given = 0;
	bool players, teams;

	if (preset < 0) {
		put_unknown(why, "preset", spec, length, preset_name_of,
		    scopa_preset_count);
		return false;
	}
	read = scopa_presets[preset].rules;
	while (spec[length] == ',') {
		spec += length + 1;
		length = strcspn(spec, ",");
		if (!read_override(&read, spec, length, &given, why))
			return false;
	}
	players = (given >> (scopa_param_find("players") - scopa_params)) & 1;
	teams = (given >> (scopa_param_find("teams") - scopa_params)) & 1;
	if (players && !teams)
		fit_teams(&read);
	if (teams && !players)
		fit_players(&read);
	*rules = read;
	return true;
}

bool
scopa_rules_parse(
    struct scopa_rules *rules, const char *spec, struct scopa_text *why)
{
	struct scopa_rules read;

	if (!scopa_rules_read(&read, spec, why) ||
	    !scopa_rules_check(&read, why))
		return false;
	*rules = read;
	return true;
}

/* Appends `KEY=VALUE`. */
static void
put_setting(const struct scopa_param *param, const struct scopa_rules *rules,
    struct scopa_text *text)
{
	scopa_text_string(text, param->key);
	scopa_text_char(text, '=');
	scopa_param_format(param, rules, text);
}

/*
 * Appends `KEY=VALUE WORDS OTHER=VALUE`, without the last part when `other` is
 * NULL.  Always returns false.
 */
static bool
refuse(const struct scopa_rules *rules, const char *key, const char *words,
    const char *other, struct scopa_text *why)
{
	put_setting(scopa_param_find(key), rules, why);
	scopa_text_string(why, words);
	if (other != NULL)
		put_setting(scopa_param_find(other), rules, why);
	return false;
}

static bool
check_values(const struct scopa_rules *rules, struct scopa_text *why)
{
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		if (param_known(param, param_get(param, rules)))
			continue;
		scopa_text_print(why, "%s ", param->key);
		put_allowed(param, why);
		scopa_text_print(why, " (not %d)", param_get(param, rules));
		return false;
	}
	return true;
}

static bool
check_seats(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (scopa_seatings[rules->teams].players == rules->players)
		return true;
	refuse(rules, "teams", " is for ", NULL, why);
	scopa_text_print(why, "%d players, which contradicts ",
	    scopa_seatings[rules->teams].players);
	return refuse(rules, "players", "", NULL, why);
}

static bool
check_hand(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (rules->table != (rules->hand == 10 ? 0 : 4))
		return refuse(rules, "hand",
		    rules->hand == 10
			? " leaves 0 cards for the table, which contradicts "
			: " leaves 4 cards for the table, which contradicts ",
		    "table", why);
	if (rules->hand == 3 || rules->teams == SCOPA_TEAMS_ABAB)
		return true;
	refuse(rules, "hand",
	    " is for 4 players as teams=ABAB, which contradicts ", NULL, why);
	return refuse(rules, "players", " with ", "teams", why);
}

/* Checks settings that exclude each other. */
static bool
check_pairs(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (rules->ace != SCOPA_ACE_PLAIN && rules->max_captured != 0)
		return refuse(rules, "ace",
		    " lets an ace take the whole table, which contradicts ",
		    "max-captured", why);
	if (rules->table == 0 && rules->opening != SCOPA_OPENING_OFF)
		return refuse(rules, "opening",
		    " takes the opening table, but table=0 turns none up", NULL,
		    why);
	if (rules->table == 0 && rules->redeal != SCOPA_REDEAL_NONE)
		return refuse(rules, "redeal",
		    " looks at the opening table, but table=0 turns none up; "
		    "add redeal=none",
		    NULL, why);
	if (rules->hand != 3 && rules->declare != SCOPA_DECLARE_OFF)
		return refuse(rules, "declare",
		    " is about hands of 3 cards, which contradicts ", "hand",
		    why);
	return true;
}

static bool
check_frac(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (rules->frac == 0)
		return true;
	for (size_t i = 0; i < COUNTOF(frac_demands); i++) {
		const struct demand *demand = &frac_demands[i];
		const struct scopa_param *param = scopa_param_find(demand->key);
		struct scopa_rules wanted = *rules;

		assert(param != NULL);
		if (param_get(param, rules) == demand->value)
			continue;
		param_put(param, &wanted, demand->value);
		scopa_text_string(why,
		    "frac=yes counts captured aces and figures alone and lets "
		    "any set be taken: it needs ");
		put_setting(param, &wanted, why);
		scopa_text_string(why, " (not ");
		scopa_param_format(param, rules, why);
		scopa_text_char(why, ')');
		return false;
	}
	return true;
}

/*
 * Rules under which no points can be won are refused, since a match would not
 * end.
 */
static bool
check_points(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (scopa_points_max(rules) > 0)
		return true;
	scopa_text_print(why,
	    "no point can be won by these rules: nothing counts with "
	    "items=none and scopa=0%s; let something count, such as "
	    "items=cards",
	    rules->all_coins == SCOPA_ALL_COINS_WIN
		? ", and all-coins=win makes a winner but no point"
		: "");
	return false;
}

bool
scopa_rules_check(const struct scopa_rules *rules, struct scopa_text *why)
{
	return check_values(rules, why) && check_seats(rules, why) &&
	    check_hand(rules, why) && check_pairs(rules, why) &&
	    check_frac(rules, why) && check_points(rules, why);
}

void
scopa_rules_format(const struct scopa_rules *rules, struct scopa_text *text)
{
	for (int i = 0; i < scopa_param_count; i++) {
		scopa_text_char(text, ' ');
		put_setting(&scopa_params[i], rules, text);
	}
}

void
scopa_rules_spec(const struct scopa_rules *rules,
    const struct scopa_preset *preset, struct scopa_text *text)
{
	struct scopa_rules plain = *rules;

	scopa_text_string(text, preset->name);
	plain.players = preset->rules.players;
	plain.teams = preset->rules.teams;
	plain.target = preset->rules.target;
	/*
	 * A fast path: most rules have no overrides, and every state line needs
	 * this text.
	 */
	if (memcmp(&plain, &preset->rules, sizeof(plain)) == 0)
		return;
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		if (param_get(param, &plain) ==
		    param_get(param, &preset->rules))
			continue;
		scopa_text_char(text, ',');
		put_setting(param, rules, text);
	}
}

/*
 * Returns the sum of the most points of each item, although no deal gives all
 * of them.  Every play scores at most one scopa.  Seats of different teams play
 * in turn, so a team makes at most (all plays / teams) scopas, which is half of
 * the plays with two teams.  (After a sweep the table is empty, so the next
 * play is no sweep.  So half of the plays is a bound for every team, too.)  The
 * opening table adds two, and four knights double all of them.  A team gets the
 * same share of the hands, and each hand may be three of a kind: 10 points.
 */
int
scopa_points_max(const struct scopa_rules *rules)
{
	int teams = scopa_team_count(rules);
	int plays = SCOPA_PACK_SIZE - rules->table;
	int scopas = plays / teams;
	int points = scopa_set_count((scopa_set)rules->items);

	if (rules->opening != SCOPA_OPENING_OFF)
		scopas += 2;
	points += scopas * rules->scopa * (rules->ponino != 0 ? 2 : 1);
	/* The longest run is ace to king of coins. */
	if (rules->napola != SCOPA_NAPOLA_NONE)
		points += SCOPA_VALUE_MAX -
		    (rules->napola == SCOPA_NAPOLA_ONEPLUS ? 2 : 0);
	points += rules->piccola + rules->grande;
	if (rules->sevens == SCOPA_SEVENS_ESCOBA)
		points += 2;
	if (rules->re_bello != 0)
		points += 1;
	if (rules->trente != 0)
		points += 1 + 2 + 3;
	/*
	 * Four aces and twelve pictures.  A team that has all of them needs no
	 * tie-break.
	 */
	if (rules->frac != 0)
		points += 16;
	if (rules->declare != SCOPA_DECLARE_OFF)
		points += plays / rules->hand / teams * 10;
	return points;
}
