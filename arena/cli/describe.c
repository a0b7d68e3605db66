#include "describe.h"

#include <string.h>

#include "countof.h"
#include "version.h"

enum { WIDTH = 79, DETAIL_SIZE = 512, NAME_COLUMN = 2, TEXT_COLUMN = 26 };

const struct describe_status describe_statuses[] = {
	{ STATUS_DONE, "Done; whoever won." },
	{ STATUS_FAILED, "The verdict of a check is no." },
	{ STATUS_USAGE,
	    "Usage or configuration, or a file that was named cannot be "
	    "opened: nothing was begun." },
	{ STATUS_INCONCLUSIVE, "The verdict of a gate is neither." },
	{ STATUS_BOT, "A bot failed, and the policy was to stop." },
	{ STATUS_ENVIRONMENT,
	    "The machine refused something, or a fault of ours." },
	{ STATUS_UNPROVED,
	    "A run is consistent, but that it dealt fairly cannot be proved." },
	{ STATUS_LATER,
	    "There was no room for results for as long as was waited." },
	{ STATUS_INTERRUPTED, "Interrupted by SIGINT." },
	{ STATUS_TERMINATED, "Ended by SIGTERM." },
};

const int describe_status_count = COUNTOF(describe_statuses);

void
describe_words(FILE *file, const char *words, int indent, int column)
{
	int at = indent;

	words += strspn(words, " ");
	while (*words != '\0') {
		int length = (int)strcspn(words, " ");

		if (at > column && at + 1 + length > WIDTH) {
			fputc('\n', file);
			at = 0;
		}
		if (at < column)
			at += fprintf(file, "%*s", column - at, "");
		else if (at > column)
			at += fprintf(file, " ");
		at += fprintf(file, "%.*s", length, words);
		words += length;
		words += strspn(words, " ");
	}
	fputc('\n', file);
}

/* A name in the left column and words in the right one. */
static void
entry_print(FILE *file, const char *name, int column, const char *words)
{
	int at = fprintf(file, "%*s%s", column, "", name);

	/* A long name has its line to itself. */
	if (at + 2 > TEXT_COLUMN) {
		fputc('\n', file);
		at = 0;
	}
	describe_words(file, words, at, TEXT_COLUMN);
}

void
describe_option(const struct option *option, bool key, struct scopa_text *text)
{
	scopa_text_string(text, key ? "" : "--");
	scopa_text_string(text, option->name);
	if (option->kind == OPTION_PAIRS) {
		scopa_text_string(text, option->value);
		return;
	}
	if (option->kind == OPTION_FLAG && !key)
		return;
	scopa_text_char(text, key ? '=' : ' ');
	scopa_text_string(
	    text, option->kind == OPTION_FLAG ? "yes|no" : option->value);
}

/* Puts `; ` between two remarks. */
static void
remark_begin(struct scopa_text *text)
{
	if (text->length > 0)
		scopa_text_string(text, "; ");
}

static void
range_describe(const struct option *option, struct scopa_text *text)
{
	remark_begin(text);
	scopa_text_int(text, option->min);
	scopa_text_string(text, " to ");
	scopa_text_int(text, option->max);
	if (option->unit != NULL) {
		scopa_text_char(text, ' ');
		scopa_text_string(text, option->unit);
	}
}

static void
names_describe(const struct option *option, struct scopa_text *text)
{
	remark_begin(text);
	for (int i = 0; option->names[i] != NULL; i++) {
		if (i > 0)
			scopa_text_string(
			    text, option->names[i + 1] != NULL ? ", " : " or ");
		scopa_text_string(text, option->names[i]);
	}
}

void
describe_option_detail(
    const struct option *option, bool key, struct scopa_text *text)
{
	if (option->kind == OPTION_INT || option->kind == OPTION_REAL)
		range_describe(option, text);
	if (option->kind == OPTION_NAME)
		names_describe(option, text);
	if (option->fallback != NULL) {
		remark_begin(text);
		scopa_text_string(text, "default ");
		scopa_text_string(text, option->fallback);
	}
	if (option->kind == OPTION_FLAG && option->fallback != NULL &&
	    strcmp(option->fallback, "yes") == 0 && !key) {
		scopa_text_string(text, ", --no-");
		scopa_text_string(text, option->name);
		scopa_text_string(text, " takes it back");
	}
	if (option->kind == OPTION_GROUP && option->group_max > 1) {
		remark_begin(text);
		scopa_text_string(text, "up to ");
		scopa_text_int(text, option->group_max);
		scopa_text_string(text, " times");
	}
	for (int i = 0; i < OPTION_ALIASES_MAX; i++) {
		if (option->aliases[i] == NULL)
			continue;
		remark_begin(text);
		scopa_text_string(text, key ? "also " : "also -");
		scopa_text_string(text, option->aliases[i]);
	}
}

bool
describe_keys(const struct option *option)
{
	int told = 0;

	if (option->kind != OPTION_GROUP || option->keys_described)
		return false;
	for (int i = 0; i < option->key_count; i++)
		told += option->keys[i].kind != OPTION_REFUSED;
	/* One alone is what the group is given as its value. */
	return told > 1 || !option->takes_plain;
}

static void
option_print(FILE *file, const struct option *option, bool key)
{
	char name[DETAIL_SIZE];
	char detail[DETAIL_SIZE];
	char words[3 * DETAIL_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, name, sizeof(name));
	describe_option(option, key, &text);
	scopa_text_init(&text, detail, sizeof(detail));
	describe_option_detail(option, key, &text);
	snprintf(words, sizeof(words), detail[0] != '\0' ? "%s (%s)" : "%s",
	    option->sentence, detail);
	entry_print(file, name, key ? 2 * NAME_COLUMN : NAME_COLUMN, words);
}

/* Rows, and behind each group its keys. */
static void
rows_print(FILE *file, const struct option *options, int count, bool keys)
{
	for (int i = 0; i < count; i++) {
		if (options[i].kind == OPTION_REFUSED)
			continue;
		option_print(file, &options[i], keys);
		if (describe_keys(&options[i]))
			rows_print(
			    file, options[i].keys, options[i].key_count, true);
	}
}

void
describe_usage(FILE *file)
{
	fputs("usage: " VERSION_NAME " COMMAND [OPTIONS] [ARGUMENTS]\n"
	      "try:\n"
	      "  " VERSION_NAME " match @greedy @random\n"
	      "  " VERSION_NAME " help\n",
	    file);
}

void
describe_commands(FILE *file)
{
	fputs(VERSION_NAME " " VERSION_NUMBER "\n" DESCRIBE_SENTENCE "\n\n"
			   "usage: " VERSION_NAME
			   " COMMAND [OPTIONS] [ARGUMENTS]\n\n",
	    file);
	for (int i = 0; i < command_count; i++)
		entry_print(file, commands[i]->name, NAME_COLUMN,
		    commands[i]->sentence);
	fputs("\ntry: " VERSION_NAME " help COMMAND\n", file);
}

/* The table row may be NULL where a command takes no arguments. */
static void
arguments_print(FILE *file, const struct command *command)
{
	if (command->argument_kinds > 0)
		fputc('\n', file);
	for (int i = 0; i < command->argument_kinds; i++)
		entry_print(file, command->arguments[i].name, NAME_COLUMN,
		    command->arguments[i].sentence);
}

static void
options_print(FILE *file, const struct command *command)
{
	bool begun = false;

	for (int i = 0; i < command->option_count; i++) {
		const struct option *option = &command->options[i];

		if (option->kind == OPTION_TABLE) {
			if (option->sentence != NULL)
				fprintf(file, "\n%s:\n", option->sentence);
			rows_print(
			    file, option->keys, option->key_count, false);
			begun = true;
			continue;
		}
		if (!begun)
			fputs("\noptions:\n", file);
		begun = true;
		rows_print(file, option, 1, false);
	}
}

void
describe_command(FILE *file, const struct command *command)
{
	fprintf(file, "usage: %s %s%s%s%s\n\n", VERSION_NAME, command->name,
	    command->option_count > 0 ? " [OPTIONS]" : "",
	    command->usage != NULL ? " " : "",
	    command->usage != NULL ? command->usage : "");
	describe_words(file, command->sentence, 0, 0);
	if (command->detail != NULL) {
		fputc('\n', file);
		describe_words(file, command->detail, 0, 0);
	}
	arguments_print(file, command);
	options_print(file, command);
	if (command->examples == NULL)
		return;
	fputs("\nexamples:\n", file);
	for (int i = 0; command->examples[i] != NULL; i++)
		fprintf(file, "  %s\n", command->examples[i]);
}
