/*
 * The manual page of the program, made of the same tables as its help.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "describe.h"
#include "error_message.h"
#include "version.h"

enum { MANUAL_WIDTH = 78, MANUAL_TEXT_SIZE = 512 };

/* One byte of text, so that mdoc takes it for nothing else. */
static int
byte_print(FILE *file, char before, char byte)
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
bytes_print(FILE *file, const char *bytes, int length)
{
	int printed = 0;

	for (int i = 0; i < length; i++)
		printed +=
		    byte_print(file, i > 0 ? bytes[i - 1] : ' ', bytes[i]);
	return printed;
}

/* A paragraph of text: every sentence begins a line. */
static void
text_print(FILE *file, const char *words)
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
		at += bytes_print(file, words, length);
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
macro_print(FILE *file, const char *macro, const char *argument)
{
	fprintf(file, ".%s \"", macro);
	bytes_print(file, argument, (int)strlen(argument));
	fputs("\"\n", file);
}

static void
option_print(FILE *file, const struct option *option, bool key)
{
	char bytes[MANUAL_TEXT_SIZE];
	struct scopa_text text;

	if (option->kind == OPTION_REFUSED)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	describe_option(option, key, &text);
	macro_print(file, "It Sy", bytes);
	text_print(file, option->sentence);
	scopa_text_init(&text, bytes, sizeof(bytes));
	describe_option_detail(option, key, &text);
	if (text.length > 0) {
		char remark[MANUAL_TEXT_SIZE + 4];

		snprintf(remark, sizeof(remark), "(%s)", bytes);
		text_print(file, remark);
	}
	if (!describe_keys(option))
		return;
	fputs(".Bl -tag -width Ds\n", file);
	for (int i = 0; i < option->key_count; i++)
		option_print(file, &option->keys[i], true);
	fputs(".El\n", file);
}

/* All options; each table begins with its heading. */
static void
options_print(FILE *file, const struct command *command)
{
	fputs(".Bl -tag -width Ds\n", file);
	for (int i = 0; i < command->option_count; i++) {
		const struct option *option = &command->options[i];
		bool is_table = option->kind == OPTION_TABLE;
		const struct option *rows = is_table ? option->keys : option;

		if (is_table && option->sentence != NULL) {
			fputs(".El\n.Pp\nOptions: ", file);
			bytes_print(file, option->sentence,
			    (int)strlen(option->sentence));
			fputs("\n.Bl -tag -width Ds\n", file);
		}
		for (int j = 0; j < (is_table ? option->key_count : 1); j++)
			option_print(file, &rows[j], false);
	}
	fputs(".El\n", file);
}

static void
arguments_print(FILE *file, const struct command *command)
{
	if (command->argument_kinds == 0)
		return;
	fputs(".Bl -tag -width Ds\n", file);
	for (int i = 0; i < command->argument_kinds; i++) {
		macro_print(file, "It Ar", command->arguments[i].name);
		text_print(file, command->arguments[i].sentence);
	}
	fputs(".El\n", file);
}

static void
command_print(FILE *file, const struct command *command)
{
	macro_print(file, "Ss", command->name);
	fputs(".Nm\n", file);
	macro_print(file, "Cm", command->name);
	if (command->option_count > 0)
		fputs(".Op Ar options\n", file);
	if (command->usage != NULL)
		macro_print(file, "Ar", command->usage);
	fputs(".Pp\n", file);
	text_print(file, command->sentence);
	if (command->detail != NULL) {
		fputs(".Pp\n", file);
		text_print(file, command->detail);
	}
	arguments_print(file, command);
	if (command->option_count > 0)
		options_print(file, command);
	if (command->examples == NULL)
		return;
	fputs(".Bd -literal -offset indent\n", file);
	for (int i = 0; command->examples[i] != NULL; i++) {
		const char *line = command->examples[i];

		bytes_print(file, line, (int)strlen(line));
		fputc('\n', file);
	}
	fputs(".Ed\n", file);
}

static void
description_print(FILE *file)
{
	fputs(".Sh DESCRIPTION\n", file);
	text_print(file, DESCRIBE_SENTENCE);
	text_print(file,
	    "It plays matches between programs that speak USP, the universal "
	    "Scopa protocol, on their standard input and output, and keeps "
	    "records that can be replayed and verified.");
	fputs(".Pp\n", file);
	text_print(file,
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
		text_print(file, describe_statuses[i].sentence);
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
		command_print(file, commands[i]);
	ending_print(file);
}

/*
 * help: the commands and their options, and the manual page.
 */

struct help_settings {
	bool man;
};

static const struct option options[] = {
	{
	    .name = "man",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the manual page of the program, for man(1).",
	    .offset = offsetof(struct help_settings, man),
	},
};

static const struct command_argument arguments[] = {
	{ "COMMAND", "One command, or the first word of several." },
};

static const char *const examples[] = {
	VERSION_NAME " help match",
	VERSION_NAME " help --man | man -l -",
	NULL,
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
	.arguments = arguments,
	.argument_kinds = COUNTOF(arguments),
	.argument_max = 2,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct help_settings),
	.run = help_run,
};
