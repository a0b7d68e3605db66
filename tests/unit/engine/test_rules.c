/*
 * Rule sets as text: what is read, what is refused with which message, and the
 * seats and teams that follow from it; and the presets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "scopa/rules.h"
#include "support.h"
#include "test.h"

enum { LINE_SIZE = 2048 };

/* Reads a spec that must be refused, and returns the message. */
static const char *
refusal_of(const char *spec)
{
	struct scopa_text why = support_text();
	struct scopa_rules rules, before;

	memset(&rules, 0x5A, sizeof(rules));
	before = rules;
	if (scopa_rules_parse(&rules, spec, &why))
		fail_msg("%s was not refused", spec);
	assert_memory_equal(&rules, &before, sizeof(rules));
	return why.bytes;
}

TEST(test_players_and_teams_imply_each_other)
{
	static const char *const cases[][2] = {
		{ "scopa", "AB" },
		{ "scopa,players=3", "ABC" },
		{ "scopa,teams=ABC", "ABC" },
		{ "scopa,players=4", "ABCD" },
		{ "scopa,teams=ABCD", "ABCD" },
		{ "scopa,players=6", "ABCDEF" },
		{ "scopa,teams=ABCDEF", "ABCDEF" },
		{ "scopa,teams=ABAB", "ABAB" },
		{ "scopa,teams=ABCABC", "ABCABC" },
		{ "scopa,teams=ABABAB", "ABABAB" },
		{ "scopone,players=4", "ABAB" },
		/* In any order, and both keys at once. */
		{ "scopa,hand=9,players=4", "ABAB" },
		{ "scopa,players=4,hand=9", "ABAB" },
		{ "scopa,players=4,teams=ABAB", "ABAB" },
		{ "scopa,teams=ABAB,players=4", "ABAB" },
		{ "scopone,hand=3,players=2", "AB" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i][0]);
		const char *teams = cases[i][1];
		int last = 0;

		assert_string_equal(
		    scopa_param_find("teams")->names[rules.teams], teams);
		assert_int_equal(rules.players, strlen(teams));
		for (int seat = 0; seat < rules.players; seat++) {
			int team = teams[seat] - 'A';

			assert_int_equal(scopa_team_of(&rules, seat), team);
			last = team > last ? team : last;
		}
		assert_int_equal(scopa_team_count(&rules), last + 1);
	}
}

/* Bad words, bad values, contradictions, and keys that frac excludes. */
TEST(test_bad_rule_set_is_refused_with_its_reason)
{
	static struct golden golden;

	while (golden_next(&golden, "rules.tsv")) {
		assert_int_equal(golden.field_count, 2);
		assert_string_equal(
		    refusal_of(golden.fields[0]), golden.fields[1]);
	}
	assert_true(golden.line > 50);
	support_rules("frac,frac-tie=king,leftovers=dealer,aim=least");
}

TEST(test_word_that_resembles_no_parameter_lists_all_parameters)
{
	const char *why = refusal_of("scopa,xyz=1");

	for (int i = 0; i < scopa_param_count; i++)
		assert_non_null(strstr(why, scopa_params[i].key));
}

/* The parameter that is suggested for a wrong word; NULL: none. */
TEST(test_misspelt_parameter_gets_a_suggestion)
{
	static const char *const cases[][2] = {
		/*
		 * One letter too many, too few, wrong, or two letters swapped.
		 */
		{ "haand", "hand" },
		{ "han", "hand" },
		{ "hanf", "hand" },
		{ "ahnd", "hand" },
		{ "hnad", "hand" },
		{ "hadn", "hand" },
		{ "aec", "ace" },
		{ "ponimo", "ponino" },
		{ "scopa-ace", NULL },
		/* Two mistakes are too many in five letters, but not in six. */
		{ "hxnxd", NULL },
		{ "grxndx", "grande" },
		{ "rganed", "grande" },
		/*
		 * The nearest parameter: one mistake from `matta`, two from
		 * `max`.
		 */
		{ "matt", "matta" },
		/* A word that is too long to compare gets no suggestion. */
		{ "primiera-missing-primiera-missing", NULL },
		{ "primiera-missingprimiera-missing", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		char spec[LINE_SIZE], offer[64];
		const char *key = cases[i][1], *why, *found;

		snprintf(spec, sizeof(spec), "scopa,%s=1", cases[i][0]);
		why = refusal_of(spec);
		found = strstr(why, "did you mean ");
		snprintf(offer, sizeof(offer), "did you mean \"%s\"?",
		    key ? key : "");
		if (key != NULL)
			assert_string_equal(found ? found : why, offer);
		else
			assert_true(found == NULL &&
			    strstr(why, "; the parameters are ") != NULL);
	}
}

TEST(test_control_bytes_are_replaced_in_quotations)
{
	static const char quoted[] =
	    "unknown preset \"sc?[1m?opa\"; the presets are scopa, ";

	assert_memory_equal(
	    refusal_of("sc\x1b[1m\nopa,target=1"), quoted, strlen(quoted));
	assert_string_equal(
	    refusal_of("scopa,aim=mostmostmostmostmostmostmostmostmostmost!"),
	    "aim must be one of most, least (not "
	    "\"mostmostmostmostmostmostmostmostmostmost...\")");
}

/* The points of a team that wins every item of a deal. */
static int
points_of_everything(const struct scopa_rules *rules)
{
	struct scopa_deal deal = {
		.captured = { SCOPA_SET_ALL },
		.scopas = { (uint8_t)rules->scopa },
		.declared = { rules->declare != SCOPA_DECLARE_OFF ? 3 : 0 },
		.turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
	};
	struct scopa_score score;

	scopa_score_count(rules, &deal, &score);
	return score.total[0];
}

/*
 * Each parameter that gives points or changes them, together with each other.
 */
static const char *const scoring_keys[] = { "items", "scopa", "napola",
	"re-bello", "ponino", "trente", "frac", "frac-tie", "all-coins",
	"sevens", "piccola", "grande", "opening", "declare" };

/* The number of values of a parameter that are tried, and one of them. */
static int
values_of(const struct scopa_param *param)
{
	if (param->kind == SCOPA_PARAM_BITS)
		return 1 << param->value_count;
	return param->value_count == 0 ? 2 : param->value_count;
}

static int16_t
value_at(const struct scopa_param *param, int index)
{
	if (param->kind != SCOPA_PARAM_NUMBER)
		return (int16_t)index;
	if (param->value_count > 0)
		return param->numbers[index];
	return index == 0 ? param->min : param->max;
}

/* Sets this key to its next value; false: back to the first. */
static bool
value_step(struct scopa_rules *rules, const char *key)
{
	const struct scopa_param *param = scopa_param_find(key);
	int16_t *field = (int16_t *)rules + param->offset / sizeof(int16_t);
	int next = 1;

	while (value_at(param, next - 1) != *field)
		next++;
	next %= values_of(param);
	*field = value_at(param, next);
	return next != 0;
}

TEST(test_parameters_that_change_points_are_scoring_keys)
{
	for (int i = 0; i < scopa_param_count; i++) {
		struct scopa_rules rules = support_rules("scopa");
		int points = points_of_everything(&rules);
		const char *key = scopa_params[i].key;
		/* A number of any size is the target, which gives no points. */
		bool known = scopa_params[i].value_count == 0;

		for (size_t k = 0; k < COUNTOF(scoring_keys); k++)
			known |= strcmp(scoring_keys[k], key) == 0;
		while (!known && value_step(&rules, key))
			if (points_of_everything(&rules) != points)
				fail_msg("%s is not in scoring_keys", key);
	}
}

TEST(test_exactly_the_rules_without_any_point_are_refused)
{
	static const char reason[] = "no point can be won";
	struct scopa_rules rules = support_rules("scopa");
	long accepted = 0, refused = 0;
	size_t key;

	do {
		struct scopa_text why = support_text();
		bool good;

		good = scopa_rules_check(&rules, &why);
		/* Keys that frac excludes are refused for that reason. */
		if (good || strncmp(why.bytes, reason, strlen(reason)) == 0) {
			assert_int_equal(
			    good, points_of_everything(&rules) > 0);
			accepted += good;
			refused += !good;
		}
		for (key = 0; key < COUNTOF(scoring_keys); key++)
			if (value_step(&rules, scoring_keys[key]))
				break;
	} while (key < COUNTOF(scoring_keys));
	assert_true(accepted > 100000);
	assert_true(refused > 10);
}

TEST(test_values_out_of_range_are_refused)
{
	struct scopa_rules rules = scopa_preset_find("scopa")->rules;
	struct scopa_text why = support_text();

	rules.players = 5;
	assert_false(scopa_rules_check(&rules, &why));
	assert_string_equal(
	    why.bytes, "players must be one of 2, 3, 4, 6 (not 5)");
	rules.players = 2;
	rules.teams = SCOPA_TEAMS_COUNT;
	assert_false(scopa_rules_check(&rules, &why));
	rules.teams = -1;
	assert_false(scopa_rules_check(&rules, &why));
	rules.teams = SCOPA_TEAMS_AB;
	rules.items = 16;
	assert_false(scopa_rules_check(&rules, &why));
	rules.items = 15;
	assert_true(scopa_rules_check(&rules, &why));
}

/* Rules as text; the presets: each is valid, and its text. */

static const char *
spec_of(const struct scopa_rules *rules, const char *preset)
{
	struct scopa_text text = support_text();

	scopa_rules_spec(rules, scopa_preset_find(preset), &text);
	assert_false(text.cut);
	return text.bytes;
}

/* Reads the parameters of a `rules` line one by one. */
static void
set_all(struct scopa_rules *rules, char *line)
{
	char *rest = NULL;

	memset(rules, 0, sizeof(*rules));
	for (char *word = strtok_r(line, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		struct scopa_text why = support_text();
		char *value = strchr(word, '=');

		assert_non_null(value);
		*value++ = '\0';
		if (!scopa_rules_set(rules, word, value, &why))
			fail_msg("%s=%s: %s", word, value, why.bytes);
	}
}

enum { PARAMS_MAX = 64 };

/* Bit V: value V of this parameter, one of its names, was among the rules. */
static uint32_t values_seen[PARAMS_MAX];

static void
note_values(const struct scopa_rules *rules)
{
	assert_in_range(scopa_param_count, 1, PARAMS_MAX);
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];
		struct scopa_text text = support_text();

		if (param->kind != SCOPA_PARAM_NAME)
			continue;
		scopa_param_format(param, rules, &text);
		for (int k = 0; k < param->value_count; k++)
			if (strcmp(text.bytes, param->names[k]) == 0)
				values_seen[i] |= UINT32_C(1) << k;
	}
}

/* Writes rules both ways and reads them back. */
static void
assert_round_trip(const char *spec, uint64_t seed)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_text line = SCOPA_TEXT(LINE_SIZE);
	struct scopa_text whole = SCOPA_TEXT(LINE_SIZE);
	struct scopa_rules back;

	(void)seed;
	note_values(&rules);
	scopa_rules_format(&rules, &line);
	assert_false(line.cut);
	assert_int_equal(line.bytes[0], ' ');
	set_all(&back, line.bytes);
	assert_memory_equal(&back, &rules, sizeof(back));
	scopa_text_print(&whole, "%s,players=%d,teams=%s,target=%d",
	    spec_of(&rules, "scopa"), rules.players,
	    scopa_param_find("teams")->names[rules.teams], rules.target);
	back = support_rules(whole.bytes);
	assert_memory_equal(&back, &rules, sizeof(back));
}

/* They have every value of every parameter with names. */
TEST(test_rules_are_read_back_from_both_texts)
{
	assert_true(support_each_spec(assert_round_trip) > 200);
	for (int i = 0; i < scopa_param_count; i++)
		if (scopa_params[i].kind == SCOPA_PARAM_NAME)
			assert_int_equal(values_seen[i],
			    (UINT32_C(1) << scopa_params[i].value_count) - 1);
}

/* The number of seatings that a preset can be played with. */
static int
seatings_of(const struct scopa_preset *preset)
{
	int count = 0;

	for (int teams = 0; teams < SCOPA_TEAMS_COUNT; teams++) {
		struct scopa_rules rules = preset->rules;
		struct scopa_text why = SCOPA_TEXT(LINE_SIZE);

		rules.teams = (uint8_t)teams;
		rules.players = scopa_seatings[teams].players;
		count += scopa_rules_check(&rules, &why);
	}
	return count;
}

TEST(test_presets_are_valid)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_preset *preset = &scopa_presets[i];
		struct scopa_text why = support_text();

		if (!scopa_rules_check(&preset->rules, &why))
			fail_msg("%s: %s", preset->name, why.bytes);
		assert_ptr_equal(scopa_preset_find(preset->name), preset);
		assert_non_null(preset->sentence);
		assert_non_null(preset->seats);
		assert_string_equal(
		    spec_of(&preset->rules, preset->name), preset->name);
		assert_string_equal(preset->seats,
		    seatings_of(preset) == 1
			? "4 as 2v2"
			: "2, 3, 4 or 6; teams of 2v2, 2x3 or 3x2");
	}
	assert_null(scopa_preset_find("scop"));
	assert_null(scopa_preset_find("scopaa"));
}

/* The presets again, each as its differences from `scopa`. */
TEST(test_presets_are_equal_to_their_texts)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields;
	     golden_next(&golden, "presets.tsv");) {
		struct scopa_rules rules;
		bool pairs;

		if (strcmp(field[0], "preset") != 0)
			continue;
		assert_in_range(count, 0, scopa_preset_count - 1);
		if (strcmp(field[1], scopa_presets[count].name) != 0)
			fail_msg("presets.tsv:%d: here is the place of %s",
			    golden.line, scopa_presets[count].name);
		rules = support_rules(field[1]);
		pairs = rules.hand != 3;
		assert_string_equal(spec_of(&rules, "scopa"), field[2]);
		assert_int_equal(rules.target, atoi(field[3]));
		assert_int_equal(rules.players, pairs ? 4 : 2);
		assert_int_equal(
		    rules.teams, pairs ? SCOPA_TEAMS_ABAB : SCOPA_TEAMS_AB);
		count++;
	}
	assert_int_equal(count, scopa_preset_count);
}

/* Added up by hand from the items of each preset, such as `4 + 18`. */
TEST(test_points_of_a_deal_are_bounded)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields;
	     golden_next(&golden, "presets.tsv");) {
		struct scopa_rules rules;
		int points = 0;

		if (strcmp(field[0], "points") != 0)
			continue;
		for (char *item; (item = strsep(&field[2], "+")) != NULL;)
			points += atoi(item);
		rules = support_rules(field[1]);
		assert_int_equal(scopa_points_max(&rules), points);
		count++;
	}
	assert_int_equal(count, 23);
}
