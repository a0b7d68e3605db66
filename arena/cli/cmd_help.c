/*
 * The commands help and version.
 *
 * Prints the help of commands and options, for a terminal or as manual pages
 * for man(1): scopa-arena(1), and a page for each command or family of
 * commands, such as scopa-arena-record(1).  Both come from the option tables
 * that the parser reads, so they always agree with it.
 */
#include "command.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "countof.h"
#include "json.h"
#include "text_format.h"
#include "version.h"

#define PROGRAM_SENTENCE "A bot arena for the Scopa family of card games."

enum { WIDTH = 79, MANUAL_WIDTH = 78, DETAIL_SIZE = 512 };
enum { NAME_COLUMN = 2, TEXT_COLUMN = 26 };

/* The output, and its form. */
struct page {
	FILE *file;
	bool manual; /* true: in the mdoc language; false: for a terminal */
};

/*
 * The text before and after each part of a page: for a terminal, and for the
 * manual.
 */
static const struct {
	const char *paragraph, *list, *list_end, *heading, *heading_end,
	    *examples, *example, *examples_end;
} marks[] = {
	{ "\n", "\n", "", "\n", ":\n", "\nexamples:\n", "  " VERSION_NAME " ",
	    "" },
	{ ".Pp\n", ".Bl -tag -width Ds\n", ".El\n",
	    ".Pp\nOptions: ", "\n.Bl -tag -width Ds\n",
	    ".Pp\nExamples:\n.Bd -literal -offset indent\n", VERSION_NAME " ",
	    ".Ed\n" },
};

static const struct {
	enum status status;
	const char *sentence;
} statuses[] = {
	{ STATUS_DONE, "Success." },
	{ STATUS_FAILED, "A check failed." },
	{ STATUS_USAGE,
	    "Wrong usage or configuration, or an input file cannot be "
	    "opened: nothing was begun." },
	{ STATUS_INCONCLUSIVE, "A gate is inconclusive." },
	{ STATUS_BOT, "A bot failed so that the command had to stop." },
	{ STATUS_ENVIRONMENT,
	    "The machine refused something, or this program has a bug." },
	{ STATUS_UNPROVED,
	    "A run is consistent, but fairness cannot be proved." },
	{ STATUS_LATER,
	    "Results could not be stored for the time of --disk-wait." },
	{ STATUS_INTERRUPTED, "Interrupted by SIGINT." },
	{ STATUS_TERMINATED, "Interrupted by SIGTERM." },
};

/*
 * Prints one byte of text, escaped so that mdoc does not take it for a command.
 */
static int
manual_byte(FILE *file, char before, char byte)
{
	switch (byte) {
	case '\\':
		return fprintf(file, "\\e");
	case '"':
		return fprintf(file, "\\(dq");
	case '-':
		/*
		 * A dash that begins an option is typed as it is; mdoc must not
		 * print it as a hyphen.
		 */
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
bytes_print(const struct page *page, const char *bytes, int length)
{
	int printed = 0;

	if (!page->manual)
		return fprintf(page->file, "%.*s", length, bytes);
	for (int i = 0; i < length; i++)
		printed += manual_byte(
		    page->file, i > 0 ? bytes[i - 1] : ' ', bytes[i]);
	return printed;
}

/*
 * Prints text, wrapped to lines that begin in the given column.  The current
 * line already holds `at` characters.  In the manual every sentence begins a
 * line.
 */
static void
words_print(const struct page *page, const char *words, int at, int column)
{
	int columns = text_columns(fileno(page->file), WIDTH + 1) - 1;
	int width = page->manual ? MANUAL_WIDTH
	    : columns < WIDTH    ? columns
				 : WIDTH;

	words += strspn(words, " ");
	while (*words != '\0') {
		int length = (int)strcspn(words, " ");

		if (at > column && at + 1 + length > width) {
			fputc('\n', page->file);
			at = 0;
		}
		if (at < column)
			at += fprintf(page->file, "%*s", column - at, "");
		else if (at > column)
			at += fprintf(page->file, " ");
		else if (page->manual && strchr(".'", words[0]) != NULL)
			at += fprintf(page->file, "\\&");
		at += bytes_print(page, words, length);
		words += length;
		if (page->manual && words[-1] == '.' && words[0] == ' ') {
			fputc('\n', page->file);
			at = 0;
		}
		words += strspn(words, " ");
	}
	fputc('\n', page->file);
}

void
describe_words(FILE *file, const char *words, int indent, int column)
{
	words_print(&(struct page){ file, false }, words, indent, column);
}

/* Prints a paragraph. */
static void
text_print(const struct page *page, const char *words)
{
	words_print(page, words, 0, 0);
}

/* Prints a macro of mdoc with one argument. */
static void
macro_print(const struct page *page, const char *macro, const char *argument)
{
	fprintf(page->file, ".%s \"", macro);
	bytes_print(page, argument, (int)strlen(argument));
	fputs("\"\n", page->file);
}

/* Prints a name in the left column and its description in the right one. */
static void
entry_print(const struct page *page, const char *macro, const char *name,
    int column, const char *words)
{
	int at;

	if (page->manual) {
		macro_print(page, macro, name);
		text_print(page, words);
		return;
	}
	at = fprintf(page->file, "%*s%s", column, "", name);
	/* A long name gets a line of its own. */
	if (at + 2 > TEXT_COLUMN) {
		fputc('\n', page->file);
		at = 0;
	}
	words_print(page, words, at, TEXT_COLUMN);
}

/* Appends an option as `--deals N`, or a key of a group as `deals=N`. */
static void
describe_option(const struct option *option, bool key, struct scopa_text *text)
{
	bool pairs = option->kind == OPTION_PAIRS;
	bool flag = option->kind == OPTION_FLAG;

	text_printf(text, "%s%s", key ? "" : "--", option->name);
	if (key || !flag)
		text_printf(text, "%s%s",
		    pairs     ? ""
			: key ? "="
			      : " ",
		    flag ? "yes|no" : option->value);
}

/*
 * Appends what a row says besides its sentence, with a mark before each remark:
 * `; 1 to 64 deals; default 1; also -games`.  May append nothing.
 */
static void
describe_option_detail(
    const struct option *option, bool key, struct scopa_text *text)
{
	const char *const *names = option->names;

	if (option->kind == OPTION_INT || option->kind == OPTION_REAL) {
		scopa_text_string(text, "; ");
		option_range_format(option, text);
	}
	for (int i = 0; option->kind == OPTION_NAME && names[i] != NULL; i++)
		text_printf(text, "%s%s",
		    i == 0                     ? "; "
			: names[i + 1] != NULL ? ", "
					       : " or ",
		    names[i]);
	if (option->fallback != NULL)
		text_printf(text, "; default %s", option->fallback);
	if (option->kind == OPTION_FLAG && option->fallback != NULL &&
	    strcmp(option->fallback, "yes") == 0 && !key)
		text_printf(text, ", --no-%s takes it back", option->name);
	if (option->kind == OPTION_GROUP && option->group_max > 1)
		text_printf(text, "; up to %d times", option->group_max);
	for (int i = 0; i < OPTION_ALIASES_MAX; i++)
		if (option->aliases[i] != NULL)
			text_printf(text, "; also %s%s", key ? "" : "-",
			    option->aliases[i]);
}

/* Whether the keys of a row are listed below it. */
static bool
shows_keys(const struct option *option)
{
	int shown = 0;

	if (option->kind != OPTION_GROUP || option->keys_described)
		return false;
	for (int i = 0; option->keys[i].kind != OPTION_LAST; i++)
		shown += option->keys[i].kind != OPTION_REFUSED;
	/*
	 * A single key needs no list: the value of the group is the value of
	 * this key.
	 */
	return shown > 1 || !option->takes_plain;
}

/* Prints an option or a key with everything its row says. */
static void
option_print(const struct page *page, const struct option *option, bool key)
{
	struct scopa_text name = SCOPA_TEXT(DETAIL_SIZE);
	struct scopa_text detail = SCOPA_TEXT(DETAIL_SIZE);
	char words[3 * DETAIL_SIZE];

	describe_option(option, key, &name);
	describe_option_detail(option, key, &detail);
	snprintf(words, sizeof(words), detail.length > 0 ? "%s (%s)" : "%s",
	    option->sentence, detail.bytes + strlen("; "));
	entry_print(page, "It Sy", name.bytes,
	    key ? 2 * NAME_COLUMN : NAME_COLUMN, words);
}

/*
 * Prints rows: a table within the table gets its heading, and in the manual a
 * list of its own; a group is followed by its keys.
 */
static void
rows_print(const struct page *page, const struct option *options, bool key)
{
	const struct option *first = options;

	for (; options->kind != OPTION_LAST; options++) {
		if (options->kind == OPTION_REFUSED)
			continue;
		if (options->kind == OPTION_TABLE) {
			if (options->sentence != NULL) {
				if (options != first)
					fputs(marks[page->manual].list_end,
					    page->file);
				fputs(marks[page->manual].heading, page->file);
				bytes_print(page, options->sentence,
				    (int)strlen(options->sentence));
				fputs(marks[page->manual].heading_end,
				    page->file);
			}
			rows_print(page, options->keys, key);
			continue;
		}
		option_print(page, options, key);
		if (!shows_keys(options))
			continue;
		if (page->manual)
			fputs(marks[true].list, page->file);
		rows_print(page, options->keys, true);
		fputs(marks[page->manual].list_end, page->file);
	}
}

void
describe_usage(void)
{
	fputs("usage: " VERSION_NAME " COMMAND [OPTIONS] [ARGUMENTS]\n"
	      "try:\n"
	      "  " VERSION_NAME " match @greedy @random\n"
	      "  " VERSION_NAME " help\n",
	    stderr);
}

/* Prints the usage line of a command. */
static void
usage_print(const struct page *page, const struct command *command)
{
	if (!page->manual) {
		fprintf(page->file, "usage: %s %s%s%s%s\n\n", VERSION_NAME,
		    command->name, command->options != NULL ? " [OPTIONS]" : "",
		    command->usage != NULL ? " " : "",
		    command->usage != NULL ? command->usage : "");
		return;
	}
	fputs(".Nm " VERSION_NAME "\n", page->file);
	macro_print(page, "Cm", command->name);
	if (command->options != NULL)
		fputs(".Op Ar options\n", page->file);
	if (command->usage != NULL)
		macro_print(page, "Ar", command->usage);
}

static void
examples_print(const struct page *page, const struct command *command)
{
	if (command->examples[0] == NULL)
		return;
	fputs(marks[page->manual].examples, page->file);
	for (int i = 0; i < COMMAND_EXAMPLES_MAX && command->examples[i]; i++) {
		const char *line = command->examples[i];

		fputs(marks[page->manual].example, page->file);
		bytes_print(page, line, (int)strlen(line));
		fputc('\n', page->file);
	}
	fputs(marks[page->manual].examples_end, page->file);
}

/* Prints everything about one command but its usage. */
static void
command_print(const struct page *page, const struct command *command)
{
	const struct command_argument *argument = command->arguments;
	const struct option *options = command->options;
	char also[DETAIL_SIZE];

	text_print(page, command->sentence);
	if (command->alias != NULL) {
		fputs(marks[page->manual].paragraph, page->file);
		snprintf(also, sizeof(also), "Another name of it is %s.",
		    command->alias);
		text_print(page, also);
	}
	if (command->detail != NULL) {
		fputs(marks[page->manual].paragraph, page->file);
		text_print(page, command->detail);
	}
	if (argument->name != NULL) {
		fputs(marks[page->manual].list, page->file);
		for (int i = 0; i < COMMAND_ARGUMENTS_MAX && argument[i].name;
		     i++)
			entry_print(page, "It Ar", argument[i].name,
			    NAME_COLUMN, argument[i].sentence);
		fputs(marks[page->manual].list_end, page->file);
	}
	if (options != NULL) {
		/* A table has a heading, and begins a list itself. */
		if (options->kind != OPTION_TABLE)
			fputs(page->manual ? marks[true].list : "\noptions:\n",
			    page->file);
		rows_print(page, options, false);
		fputs(marks[page->manual].list_end, page->file);
	}
	examples_print(page, command);
}

void
describe_command(FILE *file, const struct command *command)
{
	const struct page page = { file, false };

	usage_print(&page, command);
	command_print(&page, command);
}

/*
 * The manual, in the mdoc language.  A page of a command or family is named
 * after the first word of the command.
 */

enum { FAMILY_SIZE = 32 };

/*
 * Finds the first word of a command that comes after `family` in the alphabet,
 * and writes it there.  False: there is none.
 */
static bool
family_next(char family[FAMILY_SIZE])
{
	char next[FAMILY_SIZE] = "";

	for (int i = 0; i < command_count; i++) {
		char word[FAMILY_SIZE];

		snprintf(word, sizeof(word), "%.*s",
		    (int)strcspn(commands[i]->name, " "), commands[i]->name);
		if (strcmp(word, family) > 0 &&
		    (next[0] == '\0' || strcmp(word, next) < 0))
			memcpy(next, word, sizeof(next));
	}
	if (next[0] != '\0')
		memcpy(family, next, sizeof(next));
	return next[0] != '\0';
}

/* Begins a page: its title, and its name. */
static void
title_print(const struct page *page, const char *family)
{
	char title[2 * FAMILY_SIZE];

	snprintf(title, sizeof(title), "%s%s%s", VERSION_NAME,
	    family[0] != '\0' ? "-" : "", family);
	fprintf(page->file, ".Dd " VERSION_DATE "\n.Dt ");
	for (const char *byte = title; *byte != '\0'; byte++)
		fputc(toupper((unsigned char)*byte), page->file);
	fprintf(page->file, " 1\n.Os\n.Sh NAME\n.Nm %s\n", title);
}

/* Writes scopa-arena(1), which names every other page. */
static void
overview_print(const struct page *page)
{
	char family[FAMILY_SIZE] = "";

	title_print(page, "");
	fputs(".Nd bot arena for the Scopa family of card games\n"
	      ".Sh SYNOPSIS\n"
	      ".Nm\n"
	      ".Ar command\n"
	      ".Op Ar options\n"
	      ".Op Ar arguments\n"
	      ".Sh DESCRIPTION\n",
	    page->file);
	text_print(page, PROGRAM_SENTENCE);
	text_print(page,
	    "It plays matches between programs that speak USP, the universal "
	    "Scopa protocol, on their standard input and output, and keeps "
	    "records that can be replayed and verified.");
	fputs(".Pp\n", page->file);
	text_print(page,
	    "Options are written --name VALUE, --name=VALUE or -name VALUE. "
	    "A flag is taken back by --no-name or --name=no. "
	    "The word -- ends the options.");
	fputs(".Sh COMMANDS\n", page->file);
	text_print(page,
	    "Each has a page, which is named after the first word of the "
	    "command.");
	fputs(".Bl -tag -width Ds\n", page->file);
	for (int i = 0; i < command_count; i++)
		entry_print(
		    page, "It Cm", commands[i]->name, 0, commands[i]->sentence);
	fputs(".El\n.Sh EXIT STATUS\n.Bl -tag -width Ds\n", page->file);
	for (int i = 0; i < COUNTOF(statuses); i++) {
		fprintf(page->file, ".It %d\n", statuses[i].status);
		text_print(page, statuses[i].sentence);
	}
	fputs(".El\n.Sh SEE ALSO\n", page->file);
	while (family_next(family))
		fprintf(page->file, ".Xr " VERSION_NAME "-%s 1 ,\n", family);
	fputs(
	    ".Xr libscopa 3 ,\n.Xr scopa-record 5 ,\n.Xr usp 7\n", page->file);
}

/*
 * Writes the page of a command or family.  False: no command begins with this
 * word.
 */
static bool
family_print(const struct page *page, const char *family)
{
	const struct command *list[COMMAND_FAMILY_MAX];
	int count = command_family(family, list);
	const char *sentence;

	if (count == 0)
		return false;
	title_print(page, family);
	/* The line for apropos(1) is no whole sentence. */
	fputs(".Nd ", page->file);
	sentence = list[0]->sentence;
	if (count == 1) {
		fputc(tolower((unsigned char)sentence[0]), page->file);
		bytes_print(page, sentence + 1, (int)strlen(sentence) - 2);
	}
	for (int i = 0; i < count && count > 1; i++)
		fprintf(page->file, "%s%s", i > 0 ? ", " : "", list[i]->name);
	fputs("\n.Sh SYNOPSIS\n", page->file);
	for (int i = 0; i < count; i++)
		usage_print(page, list[i]);
	fputs(".Sh DESCRIPTION\n", page->file);
	for (int i = 0; i < count; i++) {
		if (count > 1)
			macro_print(page, "Ss", list[i]->name);
		command_print(page, list[i]);
	}
	fputs(".Sh EXIT STATUS\nAs in\n.Xr " VERSION_NAME " 1 .\n"
	      ".Sh SEE ALSO\n.Xr " VERSION_NAME " 1\n",
	    page->file);
	return true;
}

/*
 * The command help.
 */

struct help_settings {
	bool man;
};

static const struct option help_options[] = {
	FLAG_OPTION("man", offsetof(struct help_settings, man),
	    "Print a manual page, for man(1): of the program, or of the "
	    "commands whose first word is given."),
	OPTIONS_END,
};

static enum status
help_run(const void *given, char **argv)
{
	const struct help_settings *settings = given;
	const struct page manual = { stdout, true }, page = { stdout, false };
	char name[64];

	if (settings->man && argv[0] == NULL) {
		overview_print(&manual);
		return STATUS_DONE;
	}
	if (settings->man)
		return family_print(&manual, argv[0])
		    ? STATUS_DONE
		    : error_usage(
			  "pages are named after the first word of a command",
			  "there is no manual page \"%s\"", argv[0]);
	if (argv[0] != NULL) {
		snprintf(name, sizeof(name), argv[1] ? "%s %s" : "%s", argv[0],
		    argv[1] ? argv[1] : "");
		return command_describe(name);
	}
	fputs(VERSION_NAME " " VERSION_NUMBER "\n" PROGRAM_SENTENCE "\n\n"
			   "usage: " VERSION_NAME
			   " COMMAND [OPTIONS] [ARGUMENTS]\n\n",
	    stdout);
	for (int i = 0; i < command_count; i++)
		entry_print(&page, NULL, commands[i]->name, NAME_COLUMN,
		    commands[i]->sentence);
	fputs("\ntry: " VERSION_NAME " help COMMAND\n", stdout);
	return STATUS_DONE;
}

const struct command command_help = {
	.name = "help",
	.sentence = "Lists the commands, or explains one.",
	.usage = "[COMMAND]",
	.arguments = { { "COMMAND",
	    "One command, or the first word of several." } },
	.argument_max = 2,
	.examples = { "help match", "help --man record | man -l -" },
	.options = help_options,
	.settings_size = sizeof(struct help_settings),
	.run = help_run,
};

/*
 * The command version: prints the version of this program and of the libraries
 * that it was built with.
 */

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

struct version_settings {
	bool json;
};

static const struct option version_options[] = {
	FLAG_OPTION("json", offsetof(struct version_settings, json),
	    "Print one JSON object."),
	OPTIONS_END,
};

static enum status
version_run(const void *given, char **argv)
{
	const struct version_settings *settings = given;
	struct json json;

	(void)argv;
	if (settings->json) {
		json_document_begin(&json, stdout);
		json_string(&json, "name", VERSION_NAME);
		json_string(&json, "version", VERSION_NUMBER);
		json_int(&json, "protocol", VERSION_PROTOCOL);
		json_int(&json, "record", VERSION_RECORD);
		json_string(&json, "compiler", COMPILER);
		json_string(&json, "libsodium", sodium_version_string());
		json_document_end(&json);
		return STATUS_DONE;
	}
	printf("%s %s\n", VERSION_NAME, VERSION_NUMBER);
	printf("protocol  : USP/%d\n", VERSION_PROTOCOL);
	printf("record    : %d\n", VERSION_RECORD);
	printf("compiler  : %s\n", COMPILER);
	printf("libsodium : %s\n", sodium_version_string());
	return STATUS_DONE;
}

const struct command command_version = {
	.name = "version",
	.sentence = "Prints the version, and what it was made with.",
	.options = version_options,
	.settings_size = sizeof(struct version_settings),
	.run = version_run,
};
