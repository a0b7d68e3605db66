/*
 * The command rules: lists the presets, or prints all values of one rule set.
 */
#include "scopa/rules.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "game_options.h"
#include "json.h"
#include "text_format.h"
#include "version.h"

enum { SPEC_SIZE = 1024, VALUE_SIZE = 64, CHOICES_SIZE = 1024 };

struct rules_settings {
	bool json;
};

#define FIELD(name) offsetof(struct rules_settings, name)

static const struct option options[] = {
	FLAG_OPTION("json", FIELD(json),
	    "Print one JSON document: a list of presets, or one object."),
	OPTIONS_END,
};

/* The value of a parameter as a rule spec has it. */
static struct number
value_of(const struct scopa_param *param, const struct scopa_rules *rules)
{
	struct scopa_text text = SCOPA_TEXT(VALUE_SIZE);

	scopa_param_format(param, rules, &text);
	return number_format("%s", text.bytes);
}

/*
 * Formats value number n of those that a parameter may have.  NULL: there are
 * no more.
 */
static const char *
choice_format(const struct scopa_param *param, int n, char value[VALUE_SIZE])
{
	bool range =
	    param->kind == SCOPA_PARAM_NUMBER && param->value_count == 0;
	bool bits = param->kind == SCOPA_PARAM_BITS;

	if (range && n == 0)
		snprintf(value, VALUE_SIZE, "%d to %d", param->min, param->max);
	else if (bits && n == param->value_count)
		snprintf(value, VALUE_SIZE, "none");
	else if (n >= param->value_count)
		return NULL;
	else if (param->kind == SCOPA_PARAM_NUMBER)
		snprintf(value, VALUE_SIZE, "%d", param->numbers[n]);
	else
		snprintf(value, VALUE_SIZE, "%s", param->names[n]);
	return value;
}

/*
 * Prints ` key=value (or this, that)` and the sentence of the parameter on the
 * next line.
 */
static void
param_print(const struct scopa_param *param, const struct rule_set *set)
{
	bool joined = param->kind == SCOPA_PARAM_BITS;
	const char *between = joined ? "  (some of " : "  (or ";
	const struct number value = value_of(param, &set->rules);
	const struct number preset = value_of(param, &set->preset->rules);
	char other[VALUE_SIZE];
	struct scopa_text choices = SCOPA_TEXT(CHOICES_SIZE);
	int at;

	at =
	    printf("%c %s=%s", strcmp(value.text, preset.text) == 0 ? ' ' : '*',
		param->key, value.text);
	for (int i = 0; choice_format(param, i, other) != NULL; i++) {
		if (strcmp(other, value.text) == 0)
			continue;
		if (joined && strcmp(other, "none") == 0)
			between = "; or ";
		text_printf(&choices, "%s%s", between, other);
		between = ", ";
	}
	if (choices.length > 0) {
		putchar(' ');
		scopa_text_char(&choices, ')');
		describe_words(stdout, choices.bytes, at + 1, 6);
	} else {
		putchar('\n');
	}
	describe_words(stdout, param->sentence, 0, 6);
}

static void
set_print(const struct rule_set *set)
{
	printf("%s\n", set->spec);
	describe_words(stdout, set->preset->sentence, 0, 0);
	printf("Seats: %s.\n\n", set->preset->seats);
	for (int i = 0; i < scopa_param_count; i++)
		param_print(&scopa_params[i], set);
	if (memcmp(&set->rules, &set->preset->rules, sizeof(set->rules)) != 0)
		printf("\n* differs from the preset %s\n", set->preset->name);
}

static void
set_print_json(const struct rule_set *set)
{
	struct json json;
	char value[VALUE_SIZE];

	json_document_begin(&json, stdout);
	json_string(&json, "rules", set->spec);
	json_string(&json, "preset", set->preset->name);
	json_string(&json, "sentence", set->preset->sentence);
	json_string(&json, "seats", set->preset->seats);
	json_array_begin(&json, "parameters");
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		json_object_begin(&json, NULL);
		json_string(&json, "key", param->key);
		json_string(&json, "value", value_of(param, &set->rules).text);
		json_string(
		    &json, "preset", value_of(param, &set->preset->rules).text);
		json_string(&json, "sentence", param->sentence);
		json_array_begin(&json, "values");
		for (int n = 0; choice_format(param, n, value) != NULL; n++)
			json_string(&json, NULL, value);
		json_array_end(&json);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_document_end(&json);
}

static void
presets_print(void)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_preset *preset = &scopa_presets[i];

		printf("%s (%s)\n", preset->name, preset->seats);
		describe_words(stdout, preset->sentence, 0, 4);
	}
	printf("\ntry: %s rules PRESET\n", VERSION_NAME);
}

static void
presets_print_json(void)
{
	struct json json;

	json_init(&json, stdout);
	json_array_begin(&json, NULL);
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_preset *preset = &scopa_presets[i];

		json_object_begin(&json, NULL);
		json_string(&json, "rules", preset->name);
		json_string(&json, "sentence", preset->sentence);
		json_string(&json, "seats", preset->seats);
		json_object_begin(&json, "parameters");
		for (int j = 0; j < scopa_param_count; j++)
			json_string(&json, scopa_params[j].key,
			    value_of(&scopa_params[j], &preset->rules).text);
		json_object_end(&json);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_finish(&json);
}

/*
 * Joins the arguments with commas: `scopa napola=run` becomes
 * `scopa,napola=run`.  False: they are too long.
 */
static bool
spec_join(char **argv, char spec[SPEC_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, spec, SPEC_SIZE);
	for (int i = 0; argv[i] != NULL; i++) {
		if (i > 0)
			scopa_text_char(&text, ',');
		scopa_text_string(&text, argv[i]);
	}
	if (text.cut)
		error_print(
		    "the rule set is longer than %d characters", SPEC_SIZE - 1);
	return !text.cut;
}

static enum status
rules_run(const void *given, char **argv)
{
	const struct rules_settings *settings = given;
	char spec[SPEC_SIZE];
	struct rule_set set;

	if (argv[0] == NULL) {
		if (settings->json)
			presets_print_json();
		else
			presets_print();
		return STATUS_DONE;
	}
	if (!spec_join(argv, spec) || !rule_set_read(spec, &set))
		return STATUS_USAGE;
	if (settings->json)
		set_print_json(&set);
	else
		set_print(&set);
	return STATUS_DONE;
}

const struct command command_rules = {
	.name = "rules",
	.sentence =
	    "Lists the presets, or explains every parameter of a rule set.",
	.usage = "[PRESET[,KEY=VALUE...] [KEY=VALUE...]]",
	.arguments = { { "PRESET",
			   "A preset, or PRESET,KEY=VALUE,... as --rules takes "
			   "it." },
	    { "KEY=VALUE", "A parameter that differs from the preset." } },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "rules", "rules cirulla",
	    "rules scopa,priority=fewest napola=run target=21" },
	.options = options,
	.settings_size = sizeof(struct rules_settings),
	.run = rules_run,
};
