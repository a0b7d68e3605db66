/*
 * The presets: that each is sound, what each says, and every change of one
 * parameter of each.
 */
#include <stdio.h>
#include <string.h>

#include "scopa/rules.h"
#include "support.h"
#include "test.h"

enum { LINE_SIZE = 2048 };

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
	char bytes[LINE_SIZE], *rest = NULL;
	struct scopa_text why;

	memset(rules, 0, sizeof(*rules));
	for (char *word = strtok_r(line, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');

		assert_non_null(value);
		*value++ = '\0';
		scopa_text_init(&why, bytes, sizeof(bytes));
		if (!scopa_rules_set(rules, word, value, &why))
			fail_msg("%s=%s: %s", word, value, bytes);
	}
}

/* Writes rules both ways and reads them back. */
static void
assert_round_trip(const struct scopa_rules *rules, const char *preset)
{
	char bytes[LINE_SIZE];
	struct scopa_text text;
	struct scopa_rules back;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_rules_format(rules, &text);
	assert_false(text.cut);
	assert_int_equal(bytes[0], ' ');
	set_all(&back, bytes);
	assert_memory_equal(&back, rules, sizeof(back));

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, spec_of(rules, preset));
	scopa_text_string(&text, ",players=");
	scopa_text_int(&text, rules->players);
	scopa_text_string(&text, ",teams=");
	scopa_param_format(scopa_param_find("teams"), rules, &text);
	scopa_text_string(&text, ",target=");
	scopa_text_int(&text, rules->target);
	back = support_rules(bytes);
	assert_memory_equal(&back, rules, sizeof(back));
}

TEST(test_presets_are_sound)
{
	char bytes[LINE_SIZE];
	struct scopa_text why;

	assert_int_equal(scopa_preset_count, 20);
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_preset *preset = &scopa_presets[i];

		scopa_text_init(&why, bytes, sizeof(bytes));
		if (!scopa_rules_check(&preset->rules, &why))
			fail_msg("%s: %s", preset->name, bytes);
		assert_ptr_equal(scopa_preset_find(preset->name), preset);
		assert_non_null(preset->sentence);
		assert_non_null(preset->seats);
		assert_round_trip(&preset->rules, preset->name);
		assert_string_equal(
		    spec_of(&preset->rules, preset->name), preset->name);
	}
	assert_null(scopa_preset_find("scop"));
	assert_null(scopa_preset_find("scopaa"));
}

/* The presets over again, as what each has other than `scopa`. */
TEST(test_presets_are_what_their_texts_say)
{
	static const struct {
		const char *name, *spec;
		int target;
	} expected[] = {
		{ "scopa", "scopa", 11 },
		{ "scopa-bga", "scopa,priority=fewest,primiera-missing=partial",
		    11 },
		{ "scopa-napoli", "scopa,napola=s1", 11 },
		{ "scopone", "scopa,hand=9", 21 },
		{ "scopone-chitarrella", "scopa,hand=9", 11 },
		{ "scientifico", "scopa,hand=10,table=0,redeal=none", 21 },
		{ "trentino", "scopa,hand=9,napola=run,all-coins=win", 21 },
		{ "trente", "scopa,hand=9,trente=yes", 21 },
		{ "assi", "scopa,ace=sweep", 11 },
		{ "assi-traditional", "scopa,ace=sweep-traditional", 11 },
		{ "assi-noscopa", "scopa,ace=sweep,ace-scopa=no", 11 },
		{ "re-bello", "scopa,re-bello=yes", 11 },
		{ "napola", "scopa,napola=run", 11 },
		{ "ponino", "scopa,ponino=yes", 11 },
		{ "quindici", "scopa,capture=fifteen,priority=fewest", 11 },
		{ "escoba", "scopa,capture=fifteen,priority=any,sevens=escoba",
		    11 },
		{ "escoba-noprime",
		    "scopa,capture=fifteen,priority=any,"
		    "items=cards+coins+settebello,sevens=escoba",
		    11 },
		{ "frac", "scopa,priority=any,items=none,scopa=0,frac=yes",
		    11 },
		{ "perdere", "scopa,aim=least", 21 },
		{ "cirulla",
		    "scopa,redeal=aces2,capture=sum-or-fifteen,priority=any,"
		    "ace=sweep-unless-ace,all-coins=win,piccola=6,grande=5,"
		    "opening=wild,declare=ask",
		    51 },
	};

	assert_int_equal(COUNTOF(expected), scopa_preset_count);
	for (size_t i = 0; i < COUNTOF(expected); i++) {
		struct scopa_rules rules = support_rules(expected[i].name);
		bool pairs = rules.hand != 3;

		assert_string_equal(spec_of(&rules, "scopa"), expected[i].spec);
		assert_int_equal(rules.target, expected[i].target);
		assert_int_equal(rules.players, pairs ? 4 : 2);
		assert_int_equal(
		    rules.teams, pairs ? SCOPA_TEAMS_ABAB : SCOPA_TEAMS_AB);
	}
}

/* How many values of a parameter are tried, and the text of each. */
static int
values_of(const struct scopa_param *param)
{
	if (param->kind == SCOPA_PARAM_BITS)
		return 1 << param->value_count;
	return param->value_count == 0 ? 2 : param->value_count;
}

static void
value_text(const struct scopa_param *param, int index, char *bytes, size_t size)
{
	struct scopa_rules rules = scopa_preset_find("scopa")->rules;
	struct scopa_text text;
	int16_t value = (int16_t)index;

	if (param->kind == SCOPA_PARAM_NUMBER)
		value = param->value_count > 0 ? param->numbers[index]
		    : index == 0               ? param->min
					       : param->max;
	memcpy((char *)&rules + param->offset, &value, sizeof(value));
	scopa_text_init(&text, bytes, size);
	scopa_param_format(param, &rules, &text);
	assert_false(text.cut);
}

/* One override of one preset: taken and written back, or refused whole. */
static bool
try_override(const char *preset, const char *key, const char *value)
{
	char spec[LINE_SIZE], bytes[LINE_SIZE];
	struct scopa_rules rules;
	struct scopa_text why;

	snprintf(spec, sizeof(spec), "%s,%s=%s", preset, key, value);
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!scopa_rules_parse(&rules, spec, &why)) {
		/* For a reason, and not for a mistake in writing. */
		assert_true(why.length > 20);
		scopa_text_init(&why, bytes, sizeof(bytes));
		if (!scopa_rules_read(&rules, spec, &why))
			fail_msg("%s: %s", spec, bytes);
		return false;
	}
	assert_int_equal(why.length, 0);
	assert_round_trip(&rules, preset);
	return true;
}

TEST(test_every_override_of_every_preset_round_trips)
{
	int taken = 0, refused = 0;

	for (int i = 0; i < scopa_preset_count; i++)
		for (int k = 0; k < scopa_param_count; k++) {
			const struct scopa_param *param = &scopa_params[k];

			for (int v = 0; v < values_of(param); v++) {
				char value[64];

				value_text(param, v, value, sizeof(value));
				if (try_override(scopa_presets[i].name,
					param->key, value))
					taken++;
				else
					refused++;
			}
		}
	assert_true(taken > 1500);
	assert_true(refused > 100);
}

/* Added up by hand from the items of each. */
TEST(test_points_of_a_deal_are_bounded)
{
	static const struct {
		const char *spec;
		int points;
	} expected[] = {
		{ "scopa", 4 + 18 },
		{ "scopa,teams=ABC", 4 + 12 },
		{ "scopa,teams=ABCD", 4 + 9 },
		{ "scopa,teams=ABAB", 4 + 18 },
		{ "scopa,teams=ABABAB", 4 + 18 },
		{ "scopa,teams=ABCABC", 4 + 12 },
		{ "scopa,teams=ABCDEF", 4 + 6 },
		{ "scopa,scopa=0", 4 },
		{ "scopa,items=none", 18 },
		{ "scopone", 4 + 18 },
		{ "scientifico", 4 + 20 },
		{ "scopa-napoli", 4 + 18 + 10 },
		{ "trentino", 4 + 18 + 10 },
		{ "scopa,napola=oneplus", 4 + 18 + 8 },
		{ "trente", 4 + 18 + 6 },
		{ "re-bello", 4 + 18 + 1 },
		{ "ponino", 4 + 36 },
		{ "escoba", 4 + 18 + 2 },
		{ "escoba-noprime", 3 + 18 + 2 },
		{ "frac", 16 },
		{ "cirulla", 4 + 18 + 2 + 6 + 5 + 60 },
		{ "cirulla,players=3,piccola=7", 4 + 12 + 2 + 7 + 5 + 40 },
		{ "cirulla,declare=off,opening=off", 4 + 18 + 6 + 5 },
	};

	for (size_t i = 0; i < COUNTOF(expected); i++) {
		struct scopa_rules rules = support_rules(expected[i].spec);

		assert_int_equal(scopa_points_max(&rules), expected[i].points);
	}
}
