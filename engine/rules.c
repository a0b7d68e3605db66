/*
 * Rule sets as a whole: reading, checking, writing, teams, points.
 */
#include "scopa/rules.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "param.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

const struct scopa_seating scopa_seatings[SCOPA_TEAMS_COUNT] = {
	[SCOPA_TEAMS_AB] = { 2, 2, { 0, 1 } },
	[SCOPA_TEAMS_ABC] = { 3, 3, { 0, 1, 2 } },
	[SCOPA_TEAMS_ABCD] = { 4, 4, { 0, 1, 2, 3 } },
	[SCOPA_TEAMS_ABAB] = { 4, 2, { 0, 1, 0, 1 } },
	[SCOPA_TEAMS_ABABAB] = { 6, 2, { 0, 1, 0, 1, 0, 1 } },
	[SCOPA_TEAMS_ABCABC] = { 6, 3, { 0, 1, 2, 0, 1, 2 } },
	[SCOPA_TEAMS_ABCDEF] = { 6, 6, { 0, 1, 2, 3, 4, 5 } },
};

/* What `frac=yes` leaves no room for, and the value that each must have. */
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

static const struct scopa_preset *
find_name(const char *bytes, size_t length)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		const char *name = scopa_presets[i].name;

		if (strlen(name) == length && memcmp(name, bytes, length) == 0)
			return &scopa_presets[i];
	}
	return NULL;
}

static const char *
name_of(int index)
{
	return scopa_presets[index].name;
}

const struct scopa_preset *
scopa_preset_find(const char *name)
{
	return find_name(name, strlen(name));
}

/* The same for bytes without an end, with a sentence where there is none. */
static const struct scopa_preset *
find_preset(const char *bytes, size_t length, struct scopa_text *why)
{
	const struct scopa_preset *preset = find_name(bytes, length);

	if (preset == NULL)
		param_say_unknown(
		    why, "preset", bytes, length, name_of, scopa_preset_count);
	return preset;
}

/* Teams that fit the players, the present ones if they do. */
static void
fit_teams(struct scopa_rules *rules)
{
	if (scopa_seatings[rules->teams].players == rules->players)
		return;
	switch (rules->players) {
	case 2:
		rules->teams = SCOPA_TEAMS_AB;
		break;
	case 3:
		rules->teams = SCOPA_TEAMS_ABC;
		break;
	case 4:
		/* Only pairs can play with a hand of nine or ten. */
		rules->teams =
		    rules->hand == 3 ? SCOPA_TEAMS_ABCD : SCOPA_TEAMS_ABAB;
		break;
	case 6:
		rules->teams = SCOPA_TEAMS_ABCDEF;
		break;
	}
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

/* One `KEY=VALUE` of a spec; `given` has a bit for every key before it. */
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
		scopa_text_string(why, param->key);
		scopa_text_string(why, " stands without a value: it ");
		param_explain(param, why);
		return false;
	}
	bit = UINT64_C(1) << (param - scopa_params);
	if ((*given & bit) != 0) {
		scopa_text_string(why, param->key);
		scopa_text_string(why, " is given twice: say it once");
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
	const struct scopa_preset *preset = find_preset(spec, length, why);
	struct scopa_rules read;
	uint64_t given = 0;
	bool players, teams;

	if (preset == NULL)
		return false;
	read = preset->rules;
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

/* `KEY=VALUE` as the rules have it. */
static void
format_setting(
    const struct scopa_rules *rules, const char *key, struct scopa_text *text)
{
	const struct scopa_param *param = scopa_param_find(key);

	assert(param != NULL);
	scopa_text_string(text, key);
	scopa_text_char(text, '=');
	scopa_param_format(param, rules, text);
}

static bool
check_values(const struct scopa_rules *rules, struct scopa_text *why)
{
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		if (param_known(param, param_get(param, rules)))
			continue;
		scopa_text_string(why, param->key);
		scopa_text_char(why, ' ');
		param_explain(param, why);
		scopa_text_string(why, " (not ");
		scopa_text_int(why, param_get(param, rules));
		scopa_text_char(why, ')');
		return false;
	}
	return true;
}

static bool
check_seats(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (scopa_seatings[rules->teams].players == rules->players)
		return true;
	format_setting(rules, "teams", why);
	scopa_text_string(why, " is for ");
	scopa_text_int(why, scopa_seatings[rules->teams].players);
	scopa_text_string(why, " players, which contradicts ");
	format_setting(rules, "players", why);
	return false;
}

/* `KEY=VALUE says so, which contradicts OTHER=VALUE`; *other may be NULL. */
static bool
refuse(const struct scopa_rules *rules, const char *key, const char *words,
    const char *other, struct scopa_text *why)
{
	format_setting(rules, key, why);
	scopa_text_string(why, words);
	if (other != NULL)
		format_setting(rules, other, why);
	return false;
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
	    " is for 4 players as teams=ABAB, which contradicts ", "players",
	    why);
	scopa_text_string(why, " with ");
	format_setting(rules, "teams", why);
	return false;
}

/* Settings that presuppose another: each with its reason. */
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
		memcpy((char *)&wanted + param->offset, &demand->value,
		    sizeof(demand->value));
		scopa_text_string(why,
		    "frac=yes counts captured aces and figures alone and lets "
		    "any set be taken: it needs ");
		format_setting(&wanted, demand->key, why);
		scopa_text_string(why, " (not ");
		scopa_param_format(param, rules, why);
		scopa_text_char(why, ')');
		return false;
	}
	return true;
}

/* A game in which nobody ever makes a point has no end and no meaning. */
static bool
check_points(const struct scopa_rules *rules, struct scopa_text *why)
{
	if (scopa_points_max(rules) > 0)
		return true;
	scopa_text_string(why,
	    "no point can be won by these rules: nothing counts with "
	    "items=none and scopa=0");
	if (rules->all_coins == SCOPA_ALL_COINS_WIN)
		scopa_text_string(
		    why, ", and all-coins=win makes a winner but no point");
	scopa_text_string(why, "; let something count, such as items=cards");
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
		scopa_text_string(text, scopa_params[i].key);
		scopa_text_char(text, '=');
		scopa_param_format(&scopa_params[i], rules, text);
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
	/* Every state line says this, and hardly ever is there an override. */
	if (memcmp(&plain, &preset->rules, sizeof(plain)) == 0)
		return;
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		if (param_get(param, &plain) ==
		    param_get(param, &preset->rules))
			continue;
		scopa_text_char(text, ',');
		scopa_text_string(text, param->key);
		scopa_text_char(text, '=');
		scopa_param_format(param, rules, text);
	}
}

/* What ace to king of coins, the longest run, counts. */
static int
napola_max(const struct scopa_rules *rules)
{
	switch ((enum scopa_napola)rules->napola) {
	case SCOPA_NAPOLA_NONE:
		return 0;
	case SCOPA_NAPOLA_RUN:
	case SCOPA_NAPOLA_S1:
		return SCOPA_VALUE_MAX;
	case SCOPA_NAPOLA_ONEPLUS:
		return SCOPA_VALUE_MAX - 2;
	}
	return 0;
}

/*
 * The sum of the most that each item can give, though no deal gives them all.
 * Every play scores one scopa at most, and seats of different teams play in
 * turn, so a team scores at most as many as it plays cards: all plays divided
 * by the teams, half of them where there are two.  (No table can be swept
 * twice in a row either, so that half is a bound for anybody.)  The opening
 * table adds two, and four knights double them all.  A team is dealt the same
 * share of the hands, each of which may be three of a kind: 10 points.
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
	points += napola_max(rules) + rules->piccola + rules->grande;
	if (rules->sevens == SCOPA_SEVENS_ESCOBA)
		points += 2;
	if (rules->re_bello != 0)
		points += 1;
	if (rules->trente != 0)
		points += 1 + 2 + 3;
	/* Four aces and twelve figures; who has them all breaks no tie. */
	if (rules->frac != 0)
		points += 16;
	if (rules->declare != SCOPA_DECLARE_OFF)
		points += plays / rules->hand / teams * 10;
	return points;
}
