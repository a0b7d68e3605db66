/*
 * help: commands and options in words, for a terminal and as a manual page for
 * man(1), both from the tables that the parser reads.
 */
#include "cmd_help.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "error_message.h"
#include "text_format.h"
#include "version.h"

#define PROGRAM_SENTENCE "A bot arena for the Scopa family of card games."

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
	text_printf(text, key ? "%s" : "--%s", option->name);
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
	text_printf(text, "%" PRId64 " to %" PRId64 "%s%s", option->min,
	    option->max, option->unit != NULL ? " " : "",
	    option->unit != NULL ? option->unit : "");
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
		text_printf(text, "default %s", option->fallback);
	}
	if (option->kind == OPTION_FLAG && option->fallback != NULL &&
	    strcmp(option->fallback, "yes") == 0 && !key)
		text_printf(text, ", --no-%s takes it back", option->name);
	if (option->kind == OPTION_GROUP && option->group_max > 0) {
		remark_begin(text);
		text_printf(text, "up to %d times", option->group_max);
	}
	for (int i = 0; i < OPTION_ALIASES_MAX; i++) {
		if (option->aliases[i] == NULL)
			continue;
		remark_begin(text);
		text_printf(
		    text, key ? "also %s" : "also -%s", option->aliases[i]);
	}
}

/* Whether the keys of a row are described behind it. */
static bool
shows_keys(const struct option *option)
{
	int shown = 0;

	if (option->kind != OPTION_GROUP || option->keys_described)
		return false;
	for (int i = 0; option->keys[i].kind != OPTION_LAST; i++)
		shown += option->keys[i].kind != OPTION_REFUSED;
	/* One alone is what the group is given as its value. */
	return shown > 1 || !option->takes_plain;
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

/* A row, and behind a group its keys; or the rows of a table. */
static void
row_print(FILE *file, const struct option *option, bool key)
{
	bool table = option->kind == OPTION_TABLE;

	if (option->kind == OPTION_REFUSED)
		return;
	if (!table)
		option_print(file, option, key);
	if (!table && !shows_keys(option))
		return;
	for (int i = 0; option->keys[i].kind != OPTION_LAST; i++)
		row_print(file, &option->keys[i], key || !table);
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

/* All commands, a line each. */
static void
describe_commands(FILE *file)
{
	fputs(VERSION_NAME " " VERSION_NUMBER "\n" PROGRAM_SENTENCE "\n\n"
			   "usage: " VERSION_NAME
			   " COMMAND [OPTIONS] [ARGUMENTS]\n\n",
	    file);
	for (int i = 0; i < command_count; i++)
		entry_print(file, commands[i]->name, NAME_COLUMN,
		    commands[i]->sentence);
	fputs("\ntry: " VERSION_NAME " help COMMAND\n", file);
}

static void
arguments_print(FILE *file, const struct command *command)
{
	const struct command_argument *argument = command->arguments;

	if (argument->name != NULL)
		fputc('\n', file);
	for (int i = 0; i < COMMAND_ARGUMENTS_MAX && argument[i].name; i++)
		entry_print(
		    file, argument[i].name, NAME_COLUMN, argument[i].sentence);
}

static void
options_print(FILE *file, const struct command *command)
{
	const struct option *option = command->options;

	if (option != NULL && option->kind != OPTION_TABLE)
		fputs("\noptions:\n", file);
	for (; option != NULL && option->kind != OPTION_LAST; option++) {
		if (option->kind == OPTION_TABLE && option->sentence != NULL)
			fprintf(file, "\n%s:\n", option->sentence);
		row_print(file, option, false);
	}
}

void
describe_command(FILE *file, const struct command *command)
{
	fprintf(file, "usage: %s %s%s%s%s\n\n", VERSION_NAME, command->name,
	    command->options != NULL ? " [OPTIONS]" : "",
	    command->usage != NULL ? " " : "",
	    command->usage != NULL ? command->usage : "");
	describe_words(file, command->sentence, 0, 0);
	if (command->detail != NULL) {
		fputc('\n', file);
		describe_words(file, command->detail, 0, 0);
	}
	arguments_print(file, command);
	options_print(file, command);
	if (command->examples[0] != NULL)
		fputs("\nexamples:\n", file);
	for (int i = 0; i < COMMAND_EXAMPLES_MAX && command->examples[i]; i++)
		fprintf(file, "  " VERSION_NAME " %s\n", command->examples[i]);
}

/*
 * The manual page.
 */

enum { MANUAL_WIDTH = 78, MANUAL_TEXT_SIZE = 512 };

/* One byte of text, so that mdoc takes it for nothing else. */
static int
manual_byte(FILE *file, char before, char byte)
{
	switch (byte) {
	case '\\':
		return fprintf(file, "\\e");
	case '"':
		return fprintf(file, "\\(dq");
	case '-':
		/* Not a hyphen, but what one types. */
		if (!isalpha((unsigned char)before))
			return fprintf(file, "\\-");
		break;
	default:
		break;
	}
	fputc(byte, file);
	return 1;
}

static int
manual_bytes(FILE *file, const char *bytes, int length)
{
	int printed = 0;

	for (int i = 0; i < length; i++)
		printed +=
		    manual_byte(file, i > 0 ? bytes[i - 1] : ' ', bytes[i]);
	return printed;
}

/* A paragraph of text: every sentence begins a line. */
static void
manual_text(FILE *file, const char *words)
{
	int at = 0;

	words += strspn(words, " ");
	while (*words != '\0') {
		int length = (int)strcspn(words, " ");

		if (at > 0 && at + 1 + length > MANUAL_WIDTH) {
			fputc('\n', file);
			at = 0;
		}
		if (at > 0)
			at += fprintf(file, " ");
		else if (words[0] == '.' || words[0] == '\'')
			at += fprintf(file, "\\&");
		at += manual_bytes(file, words, length);
		words += length;
		if (words[-1] == '.' && words[0] == ' ') {
			fputc('\n', file);
			at = 0;
		}
		words += strspn(words, " ");
	}
	if (at > 0)
		fputc('\n', file);
}

/* A macro with one argument. */
static void
manual_macro(FILE *file, const char *macro, const char *argument)
{
	fprintf(file, ".%s \"", macro);
	manual_bytes(file, argument, (int)strlen(argument));
	fputs("\"\n", file);
}

/* An option, or all of a table. */
static void
manual_option(FILE *file, const struct option *option, bool key)
{
	char bytes[MANUAL_TEXT_SIZE];
	struct scopa_text text;

	if (option->kind == OPTION_REFUSED)
		return;
	if (option->kind == OPTION_TABLE) {
		for (int i = 0; option->keys[i].kind != OPTION_LAST; i++)
			manual_option(file, &option->keys[i], key);
		return;
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	describe_option(option, key, &text);
	manual_macro(file, "It Sy", bytes);
	manual_text(file, option->sentence);
	scopa_text_init(&text, bytes, sizeof(bytes));
	describe_option_detail(option, key, &text);
	if (text.length > 0) {
		char remark[MANUAL_TEXT_SIZE + 4];

		snprintf(remark, sizeof(remark), "(%s)", bytes);
		manual_text(file, remark);
	}
	if (!shows_keys(option))
		return;
	fputs(".Bl -tag -width Ds\n", file);
	for (int i = 0; option->keys[i].kind != OPTION_LAST; i++)
		manual_option(file, &option->keys[i], true);
	fputs(".El\n", file);
}

/* All options; each table begins with its heading. */
static void
manual_options(FILE *file, const struct command *command)
{
	const struct option *option = command->options;

	fputs(".Bl -tag -width Ds\n", file);
	for (; option->kind != OPTION_LAST; option++) {
		if (option->kind == OPTION_TABLE && option->sentence != NULL) {
			fputs(".El\n.Pp\nOptions: ", file);
			manual_bytes(file, option->sentence,
			    (int)strlen(option->sentence));
			fputs("\n.Bl -tag -width Ds\n", file);
		}
		manual_option(file, option, false);
	}
	fputs(".El\n", file);
}

static void
manual_arguments(FILE *file, const struct command *command)
{
	const struct command_argument *argument = command->arguments;

	if (argument->name == NULL)
		return;
	fputs(".Bl -tag -width Ds\n", file);
	for (int i = 0; i < COMMAND_ARGUMENTS_MAX && argument[i].name; i++) {
		manual_macro(file, "It Ar", argument[i].name);
		manual_text(file, argument[i].sentence);
	}
	fputs(".El\n", file);
}

static void
manual_command(FILE *file, const struct command *command)
{
	manual_macro(file, "Ss", command->name);
	fputs(".Nm\n", file);
	manual_macro(file, "Cm", command->name);
	if (command->options != NULL)
		fputs(".Op Ar options\n", file);
	if (command->usage != NULL)
		manual_macro(file, "Ar", command->usage);
	fputs(".Pp\n", file);
	manual_text(file, command->sentence);
	if (command->detail != NULL) {
		fputs(".Pp\n", file);
		manual_text(file, command->detail);
	}
	manual_arguments(file, command);
	if (command->options != NULL)
		manual_options(file, command);
	if (command->examples[0] == NULL)
		return;
	fputs(".Bd -literal -offset indent\n", file);
	for (int i = 0; i < COMMAND_EXAMPLES_MAX && command->examples[i]; i++) {
		const char *line = command->examples[i];

		fputs(VERSION_NAME " ", file);
		manual_bytes(file, line, (int)strlen(line));
		fputc('\n', file);
	}
	fputs(".Ed\n", file);
}

static void
description_print(FILE *file)
{
	fputs(".Sh DESCRIPTION\n", file);
	manual_text(file, PROGRAM_SENTENCE);
	manual_text(file,
	    "It plays matches between programs that speak USP, the universal "
	    "Scopa protocol, on their standard input and output, and keeps "
	    "records that can be replayed and verified.");
	fputs(".Pp\n", file);
	manual_text(file,
	    "Options are written --name VALUE, --name=VALUE or -name VALUE. "
	    "A flag is taken back by --no-name or --name=no. "
	    "The word -- ends the options.");
}

static void
ending_print(FILE *file)
{
	fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds\n", file);
	for (int i = 0; i < describe_status_count; i++) {
		fprintf(file, ".It %d\n", describe_statuses[i].status);
		manual_text(file, describe_statuses[i].sentence);
	}
	fputs(".El\n", file);
}

/* Writes scopa-arena(1) in the mdoc language. */
static void
manual_print(FILE *file)
{
	fputs(".Dd " VERSION_DATE "\n"
	      ".Dt SCOPA-ARENA 1\n"
	      ".Os\n"
	      ".Sh NAME\n"
	      ".Nm " VERSION_NAME "\n"
	      ".Nd bot arena for the Scopa family of card games\n"
	      ".Sh SYNOPSIS\n"
	      ".Nm\n"
	      ".Ar command\n"
	      ".Op Ar options\n"
	      ".Op Ar arguments\n",
	    file);
	description_print(file);
	fputs(".Sh COMMANDS\n", file);
	for (int i = 0; i < command_count; i++)
		manual_command(file, commands[i]);
	ending_print(file);
}

/*
 * help: the commands and their options, and the manual page.
 */

struct help_settings {
	bool man;
};

#define FIELD(name) offsetof(struct help_settings, name)

static const struct option options[] = {
	FLAG_OPTION("man", FIELD(man),
	    "Print the manual page of the program, for man(1)."),
	OPTIONS_END,
};

static enum status
help_run(const void *given, int argc, char **argv)
{
	const struct help_settings *settings = given;
	char name[64];

	if (settings->man) {
		if (argc > 0) {
			error_print(
			    "--man is one page of all commands, \"%s\" is one",
			    argv[0]);
			error_detail("try", VERSION_NAME " help --man");
			return STATUS_USAGE;
		}
		manual_print(stdout);
		return STATUS_DONE;
	}
	if (argc == 0) {
		describe_commands(stdout);
		return STATUS_DONE;
	}
	snprintf(name, sizeof(name), argc > 1 ? "%s %s" : "%s", argv[0],
	    argc > 1 ? argv[1] : "");
	return command_describe(name);
}

const struct command command_help = {
	.name = "help",
	.sentence = "Lists the commands, or explains one.",
	.usage = "[COMMAND]",
	.arguments = { { "COMMAND",
	    "One command, or the first word of several." } },
	.argument_max = 2,
	.examples = { "help match", "help --man | man -l -" },
	.options = options,
	.settings_size = sizeof(struct help_settings),
	.run = help_run,
};
