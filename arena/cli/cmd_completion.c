/*
 * The command completion: prints the script that completes command lines in
 * bash, zsh or fish, and the candidates that these scripts ask for.
 *
 * A script only hands the words of the command line over, and shows what comes
 * back.  The candidates follow from the tables of commands, options, presets
 * and built-in bots, so that a script never has to change with them.  The
 * output has a line for each candidate:
 *
 *	WORD TAB DESCRIPTION	a whole word that may stand here; the description
 *				is a sentence, or empty
 *	:files START		or a path, after the START of the word
 *	:folders START		or the path of a folder
 *
 * A word that ends in one of `=:,.` is not complete yet: no blank follows it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "players.h"
#include "scopa/rules.h"
#include "version.h"

enum { WORD_SIZE = 4096, VALUE_SIZE = 64 };

/*
 * The script of a shell, which the build has put into completion.inc.  That of
 * bash joins the parts of a word again, at which bash cuts a command line (`=`,
 * `:`, `@`), and removes the start that bash has cut off from each candidate.
 */
struct script {
	const char *shell;
	const char *text;
};

#include "completion.inc"

/*
 * The candidates.
 */

/* The word that is to be completed. */
struct target {
	const char *word; /* its typed part */
	/* how many of its bytes are before the part that is completed */
	size_t start;
};

/*
 * Prints a candidate: the start of the word, then the formatted text; and the
 * first sentence of the description.
 */
__attribute__((format(printf, 3, 4))) static void
candidate_print(const struct target *target, const char *description,
    const char *format, ...)
{
	struct scopa_text word = SCOPA_TEXT(WORD_SIZE);
	const char *end = strstr(description, ". ");
	va_list arguments;

	scopa_text_bytes(&word, target->word, target->start);
	va_start(arguments, format);
	vsnprintf(word.bytes + word.length, word.size - word.length, format,
	    arguments);
	va_end(arguments);
	if (strncmp(word.bytes, target->word, strlen(target->word)) == 0)
		printf("%s\t%.*s\n", word.bytes,
		    (int)(end != NULL ? (size_t)(end + 1 - description)
				      : strlen(description)),
		    description);
}

/*
 * The part of the word after the last such byte, or the same part if it has
 * none.
 */
static struct target
after_last(const struct target *target, char byte)
{
	const char *last = strrchr(target->word + target->start, byte);

	return (struct target){ target->word,
		last != NULL ? (size_t)(last + 1 - target->word)
			     : target->start };
}

/* Adds a line for paths of this kind, `files` or `folders`. */
static void
paths_print(const struct target *target, const char *kind)
{
	printf(":%s %.*s\n", kind, (int)target->start, target->word);
}

/* The values of a parameter of the rules, after `KEY=`. */
static void
param_values_print(const struct target *target, const struct scopa_param *param)
{
	for (int i = 0; i < param->value_count; i++)
		if (param->kind == SCOPA_PARAM_NUMBER)
			candidate_print(target, "", "%d", param->numbers[i]);
		else
			candidate_print(target, "", "%s", param->names[i]);
	if (param->kind == SCOPA_PARAM_BITS)
		candidate_print(target, "", "none");
}

/* `KEY=`, or the values of the key. */
static void
complete_rule(const struct target *target)
{
	const char *key = target->word + target->start;
	const char *equal = strchr(key, '=');
	struct target value = { target->word, target->start };

	if (equal != NULL)
		value.start = (size_t)(equal + 1 - target->word);
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		if (equal == NULL)
			candidate_print(
			    target, param->sentence, "%s=", param->key);
		else if (strncmp(key, param->key, (size_t)(equal - key)) == 0 &&
		    param->key[equal - key] == '\0')
			param_values_print(&value, param);
	}
}

/* A preset, or after a comma a parameter that differs from the preset. */
static void
complete_rules(const struct target *target)
{
	const struct target rule = after_last(target, ',');

	if (rule.start > target->start) {
		complete_rule(&rule);
		return;
	}
	for (int i = 0; i < scopa_preset_count; i++)
		candidate_print(target, scopa_presets[i].sentence, "%s",
		    scopa_presets[i].name);
}

/* One of several paths with colons between them. */
static void
complete_path_list(const struct target *target)
{
	const struct target path = after_last(target, ':');

	paths_print(&path, "files");
}

/*
 * What stands for the word by which help names an argument or a value.  A word
 * in lower case stands for itself, and any other for nothing.
 */
struct meaning {
	const char *word;
	const char *mark;  /* before names of built-in bots; NULL: no bots */
	const char *paths; /* `files` or `folders`; NULL: no paths */
	void (*complete)(const struct target *target); /* or NULL */
};

static const struct meaning meanings[] = {
	{ "BOT", "@", "files", NULL },
	{ "CMD", "@", "files", NULL },
	{ "@NAME", "@", NULL, NULL },
	{ "BUILTIN", "", NULL, NULL },
	{ "FILE", NULL, "files", NULL },
	{ "RECORD", NULL, "files", NULL },
	{ "PATH", NULL, NULL, complete_path_list },
	{ "DIR", NULL, "folders", NULL },
	{ "RUN", NULL, "folders", NULL },
	{ "PRESET", NULL, NULL, complete_rules },
	{ "RULES", NULL, NULL, complete_rules },
	{ "KEY=VALUE", NULL, NULL, complete_rule },
};

/* Completes one of the alternatives of `match:S+I|none`, of this length. */
static void
complete_alternative(
    const struct target *target, const char *shown, size_t length)
{
	size_t end = strcspn(shown, "[].:, ");
	const struct meaning *meaning = NULL;

	if (end > length)
		end = length;
	if (shown[0] >= 'a' && shown[0] <= 'z') {
		end += end < length && shown[end] == ':';
		candidate_print(target, "", "%.*s", (int)end, shown);
		return;
	}
	for (int i = 0; i < COUNTOF(meanings); i++)
		if (strncmp(meanings[i].word, shown, end) == 0 &&
		    meanings[i].word[end] == '\0')
			meaning = &meanings[i];
	if (meaning == NULL)
		return;
	for (int i = 0; meaning->mark != NULL && i < builtin_count; i++)
		candidate_print(target, builtins[i].sentence, "%s%s",
		    meaning->mark, builtins[i].name);
	if (meaning->paths != NULL)
		paths_print(target, meaning->paths);
	if (meaning->complete != NULL)
		meaning->complete(target);
}

/* Completes what help shows as `auto|all|N`, `[FILE]` or `PRESET[,...]`. */
static void
complete_shown(const struct target *target, const char *shown)
{
	shown += shown[0] == '[';
	for (;;) {
		size_t length = strcspn(shown, "|");

		complete_alternative(target, shown, length);
		if (shown[length] == '\0')
			return;
		shown += length + 1;
	}
}

/* The value of an option or key. */
static void
complete_value(const struct target *target, const struct option *option)
{
	if (option->kind == OPTION_FLAG) {
		candidate_print(target, "", "yes");
		candidate_print(target, "", "no");
	} else if (option->kind == OPTION_NAME) {
		for (int i = 0; option->names[i] != NULL; i++)
			candidate_print(target, "", "%s", option->names[i]);
	} else {
		complete_shown(target, option->value);
	}
}

/* Finds the row for `NAME` or `NAME=VALUE`, or NULL. */
static const struct option *
row_find(const struct option *options, const char *word)
{
	size_t offset;
	const struct option *option =
	    option_find(options, word, strcspn(word, "="), &offset);

	return option == NULL || option->kind == OPTION_REFUSED ? NULL : option;
}

/* Prints the rows that may be given as `--NAME`, or with `keys` as `NAME=`. */
static void
rows_print(const struct target *target, const struct option *options, bool keys)
{
	const struct option *option;
	size_t offset;

	for (int i = 0; (option = option_at(options, i, &offset)) != NULL;
	     i++) {
		bool is_on = option->kind == OPTION_FLAG &&
		    option->fallback != NULL &&
		    strcmp(option->fallback, "yes") == 0;

		if (option->kind == OPTION_REFUSED)
			continue;
		candidate_print(target, option->sentence, "%s%s%s",
		    keys        ? ""
			: is_on ? "--no-"
				: "--",
		    option->name,
		    keys && option->kind != OPTION_PAIRS ? "=" : "");
	}
}

/* The place of the last word among the words before it. */
struct place {
	const struct command *command;
	const struct option *valued; /* the word is the value of this option */
	const struct option *group;  /* it may be a key of this group */
	bool group_begins;           /* no word of the group was read */
	int argument_count;
	const char *argument; /* the argument before */
	bool ended;           /* options have ended */
};

/* Finds the row for a word `--name`, `-name` or `--name=VALUE`, or NULL. */
static const struct option *
word_find(const struct command *command, const char *word)
{
	return row_find(command->options, word + (word[1] == '-' ? 2 : 1));
}

/* Moves the place after a word. */
static void
place_pass(struct place *place, const char *word)
{
	const struct option *option;

	if (!place->ended && word[0] == '-' && word[1] != '\0') {
		option = word_find(place->command, word);
		place->ended = strcmp(word, "--") == 0;
		place->valued = place->group = NULL;
		if (option == NULL || option->kind == OPTION_FLAG)
			return;
		if (option->kind == OPTION_GROUP) {
			place->group = option;
			place->group_begins = strchr(word, '=') == NULL;
		} else if (strchr(word, '=') == NULL) {
			place->valued = option;
		}
		return;
	}
	if (place->valued != NULL) {
		option = place->valued;
		place->valued = NULL;
		if (option->is_value == NULL || option->is_value(word))
			return;
	}
	if (place->group != NULL &&
	    (strchr(word, '=') != NULL ||
		(place->group_begins && place->group->takes_plain))) {
		place->group_begins = false;
		return;
	}
	place->group = NULL;
	place->argument = word;
	place->argument_count++;
	place->ended = place->ended || place->command->rest;
}

/* The words after the first one of commands `FAMILY WORD`. */
static void
complete_second_word(const struct target *target, const char *family)
{
	for (int i = 0; i < command_count; i++)
		if (command_is_of_family(commands[i], family))
			candidate_print(target, commands[i]->sentence, "%s",
			    commands[i]->name + strlen(family) + 1);
}

/* The first words of all commands, each once. */
static void
complete_command(const struct target *target)
{
	const struct command *list[COMMAND_FAMILY_MAX];
	char word[WORD_SIZE];

	for (int i = 0; i < command_count; i++) {
		const char *name = commands[i]->name;

		snprintf(
		    word, sizeof(word), "%.*s", (int)strcspn(name, " "), name);
		if (strcmp(word, name) == 0)
			candidate_print(
			    target, commands[i]->sentence, "%s", name);
		else if (command_family(word, list) > 0 &&
		    list[0] == commands[i])
			candidate_print(
			    target, "Several commands.", "%s", word);
	}
}

static void
complete_argument(const struct target *target, const struct place *place)
{
	const struct command_argument *argument = place->command->arguments;
	int index = place->argument_count;

	if (place->command == &command_help) {
		if (index == 0)
			complete_command(target);
		else
			complete_second_word(target, place->argument);
		return;
	}
	/* The number is 0, too, where arguments are words of an option. */
	if (place->command->argument_max > 0 &&
	    index >= place->command->argument_max)
		return;
	while (index > 0 &&
	    (index >= COMMAND_ARGUMENTS_MAX || argument[index].name == NULL))
		index--;
	if (argument[index].name != NULL)
		complete_shown(target, argument[index].name);
}

/* The value after `=` in a word; nothing if no option has its name (NULL). */
static void
complete_assigned(const struct target *target, const struct option *option)
{
	const char *equal = strchr(target->word, '=');

	if (option != NULL)
		complete_value(&(struct target){ target->word,
				   (size_t)(equal + 1 - target->word) },
		    option);
}

/* A word `--name`, or the value in a word `--name=VALUE`. */
static void
complete_option(const struct target *target, const struct command *command)
{
	const struct option *option = word_find(command, target->word);

	if (strchr(target->word, '=') == NULL) {
		rows_print(target, command->options, false);
		candidate_print(target, "Explains the command.", "--help");
	} else {
		complete_assigned(target,
		    option != NULL && option->kind == OPTION_GROUP
			? option->keys
			: option);
	}
}

/* A word `key=`, its value, or the plain word that a group begins with. */
static void
complete_key(const struct target *target, const struct place *place)
{
	const struct option *group = place->group;

	if (strchr(target->word, '=') != NULL) {
		complete_assigned(target, row_find(group->keys, target->word));
		return;
	}
	if (place->group_begins && group->takes_plain)
		complete_value(target, group->keys);
	rows_print(target, group->keys, true);
}

/* Completes the last of the words that follow the name of a command. */
static void
complete_words(const struct command *command, char **words)
{
	struct place place = { .command = command };
	struct target target = { .start = 0 };

	for (; words[1] != NULL; words++)
		place_pass(&place, words[0]);
	target.word = words[0];
	if (target.word[0] == '-' && !place.ended) {
		complete_option(&target, command);
		return;
	}
	if (place.valued != NULL) {
		/*
		 * Words of such an option come after `=`; only a file can be a
		 * separate word.
		 */
		if (place.valued->is_value != NULL)
			paths_print(&target, "files");
		else
			complete_value(&target, place.valued);
		/*
		 * If the option needs no value, anything can follow it.
		 */
		if (place.valued->implied == NULL)
			return;
	}
	if (place.group != NULL)
		complete_key(&target, &place);
	if (place.group == NULL || !place.group_begins)
		complete_argument(&target, &place);
	if (target.word[0] == '\0' && command->arguments[0].name == NULL)
		complete_option(&target, command);
}

/* Completes the last of the words that follow the name of the program. */
static void
complete_line(char **words)
{
	char name[VALUE_SIZE];
	const struct command *command;

	if (words[0] == NULL || words[1] == NULL) {
		complete_command(&(struct target){
		    .word = words[0] != NULL ? words[0] : "" });
		return;
	}
	command = command_find(words[0]);
	if (command != NULL) {
		complete_words(command, words + 1);
		return;
	}
	if (words[2] == NULL) {
		complete_second_word(
		    &(struct target){ .word = words[1] }, words[0]);
		return;
	}
	snprintf(name, sizeof(name), "%s %s", words[0], words[1]);
	command = command_find(name);
	if (command != NULL)
		complete_words(command, words + 2);
}

static enum status
completion_run(const void *settings, char **argv)
{
	(void)settings;
	if (strcmp(argv[0], "candidates") == 0) {
		complete_line(argv + 1);
		return STATUS_DONE;
	}
	for (int i = 0; i < COUNTOF(scripts); i++) {
		if (strcmp(argv[0], scripts[i].shell) != 0)
			continue;
		if (argv[1] != NULL)
			return error_usage(
			    NULL, "one argument too many: \"%s\"", argv[1]);
		fputs(scripts[i].text, stdout);
		return STATUS_DONE;
	}
	return error_usage("bash, zsh and fish are known",
	    "no completion for the shell \"%s\"", argv[0]);
}

const struct command command_completion = {
	.name = "completion",
	.sentence = "Prints a script that completes command lines in a shell.",
	.detail =
	    "`make install` and the packages install the scripts where the "
	    "shells find them. They call `completion candidates WORD...`, "
	    "which prints the possible values of the last word.",
	.usage = "bash|zsh|fish",
	.arguments = { { "bash|zsh|fish", "The shell." } },
	.argument_min = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.rest = true,
	.examples = { "completion bash > ~/.local/share/bash-completion/"
		      "completions/" VERSION_NAME,
	    "completion fish > ~/.config/fish/completions/" VERSION_NAME
	    ".fish" },
	.run = completion_run,
};
