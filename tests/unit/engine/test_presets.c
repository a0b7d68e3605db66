/*
 * The presets: that each is sound, what each says, and every change of one
 * parameter of each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
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
	static struct golden golden;
	int count = 0;

	golden_open(&golden, "presets.tsv");
	for (char **field = golden.fields; golden_next(&golden);) {
		struct scopa_rules rules;
		bool pairs;

		if (strcmp(field[0], "preset") != 0)
			continue;
		rules = support_rules(field[1]);
		pairs = rules.hand != 3;
		assert_string_equal(spec_of(&rules, "scopa"), field[2]);
		assert_int_equal(rules.target, atoi(field[3]));
		assert_int_equal(rules.players, pairs ? 4 : 2);
		assert_int_equal(
		    rules.teams, pairs ? SCOPA_TEAMS_ABAB : SCOPA_TEAMS_AB);
		count++;
	}
	golden_close(&golden);
	assert_int_equal(count, scopa_preset_count);
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

/* Added up by hand from the items of each, as `4 + 18`. */
TEST(test_points_of_a_deal_are_bounded)
{
	static struct golden golden;
	int count = 0;

	golden_open(&golden, "presets.tsv");
	for (char **field = golden.fields; golden_next(&golden);) {
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
	golden_close(&golden);
	assert_int_equal(count, 23);
}
