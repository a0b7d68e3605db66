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
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "players.h"
#include "scopa/rules.h"
#include "version.h"

enum { WORD_SIZE = 4096, VALUE_SIZE = 64 };

/*
 * The scripts.
 */

/*
 * Bash cuts a command line at `=`, `:` and `@`, too.  The parts that no blank
 * separates are joined again, and the start that bash has cut off is removed
 * from each candidate.
 */
static const char bash_script[] =
    "# Completion of " VERSION_NAME " in bash.\n"
    "_scopa_arena() {\n"
    "	local rest=${COMP_LINE:0:COMP_POINT} part line word last i\n"
    "	local -a words=()\n"
    "	for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "		part=${COMP_WORDS[i]}\n"
    "		if [[ ${#words[@]} -eq 0 || $rest == [[:blank:]]* ]]; then\n"
    "			words+=('')\n"
    "		fi\n"
    "		rest=${rest#\"${rest%%[![:blank:]]*}\"}\n"
    "		[[ $rest == \"$part\"* ]] || part=$rest\n"
    "		rest=${rest#\"$part\"}\n"
    "		words[${#words[@]} - 1]+=$part\n"
    "	done\n"
    "	last=${words[${#words[@]} - 1]}\n"
    "	COMPREPLY=()\n"
    "	while IFS= read -r line; do\n"
    "		word=${line%%$'\\t'*}\n"
    "		case $line in\n"
    "		:files*) compopt -o default ;;\n"
    "		:folders*) compopt -o dirnames ;;\n"
    "		*)\n"
    "			COMPREPLY+=(\"${word:${#last} - ${#2}}\")\n"
    "			[[ $word != *[=:,.] ]] || compopt -o nospace ;;\n"
    "		esac\n"
    "	done < <(\"${words[0]/#\\~/$HOME}\" completion candidates \\\n"
    "		\"${words[@]:1}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _scopa_arena " VERSION_NAME "\n";

static const char zsh_script[] =
    "#compdef " VERSION_NAME "\n"
    "# Completion of " VERSION_NAME " in zsh.\n"
    "_scopa_arena() {\n"
    "	local line word start\n"
    "	local -a lines whole begun\n"
    "	lines=(${(f)\"$(${(Q)~words[1]} completion candidates \\\n"
    "		\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" \\\n"
    "		2>/dev/null)\"})\n"
    "	for line in $lines; do\n"
    "		word=${line%%$'\\t'*}\n"
    "		case $word in\n"
    "		:*) ;;\n"
    "		*[=:,.]) begun+=(\"${word//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "		*) whole+=(\"${word//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "		esac\n"
    "	done\n"
    "	(( $#whole )) && _describe word whole\n"
    "	(( $#begun )) && _describe word begun -S ''\n"
    "	for line in ${(M)lines:#:*}; do\n"
    "		start=${line#* }\n"
    "		compset -p $#start\n"
    "		case $line in\n"
    "		:files*) _files ;;\n"
    "		:folders*) _files -/ ;;\n"
    "		esac\n"
    "	done\n"
    "}\n"
    "if [[ $funcstack[1] == _" VERSION_NAME " ]]; then\n"
    "	_scopa_arena \"$@\"\n"
    "else\n"
    "	compdef _scopa_arena " VERSION_NAME "\n"
    "fi\n";

static const char fish_script[] =
    "# Completion of " VERSION_NAME " in fish.\n"
    "function __scopa_arena_complete\n"
    "	set -l words (commandline -opc)\n"
    "	set -l program $words[1]\n"
    "	set -e words[1]\n"
    "	set -l last (commandline -ct)\n"
    "	for line in ($program completion candidates $words \"$last\" \\\n"
    "			2>/dev/null)\n"
    "		if not string match -q ':*' -- $line\n"
    "			echo $line\n"
    "			continue\n"
    "		end\n"
    "		set -l start (string replace -r '^:\\w+ ' '' -- $line)\n"
    "		set -l first (math (string length -- $start) + 1)\n"
    "		set -l path (string sub -s $first -- $last)\n"
    "		if string match -q ':folders*' -- $line\n"
    "			printf \"$start%s\\n\" "
    "(__fish_complete_directories $path)\n"
    "		else\n"
    "			printf \"$start%s\\n\" (__fish_complete_path $path)\n"
    "		end\n"
    "	end\n"
    "end\n"
    "complete -c " VERSION_NAME " -f -a '(__scopa_arena_complete)'\n";

static const struct {
	const char *name;
	const char *script;
} shells[] = {
	{ "bash", bash_script },
	{ "zsh", zsh_script },
	{ "fish", fish_script },
};

/*
 * The candidates.
 */

/* The word that is to be completed. */
struct target {
	const char *word; /* what is typed of it */
	/* the number of its bytes that stand before what is completed */
	size_t start;
};

/* The length of the first sentence of a description. */
static int
sentence_length(const char *description)
{
	const char *end = strstr(description, ". ");

	return (int)(end != NULL ? (size_t)(end + 1 - description)
				 : strlen(description));
}

/* Prints a candidate: the start of the word, then up to three texts. */
static void
candidate_print(const struct target *target, const char *const texts[3],
    const char *description)
{
	char word[WORD_SIZE];

	snprintf(word, sizeof(word), "%.*s%s%s%s", (int)target->start,
	    target->word, texts[0], texts[1] != NULL ? texts[1] : "",
	    texts[1] != NULL && texts[2] != NULL ? texts[2] : "");
	if (strncmp(word, target->word, strlen(target->word)) == 0)
		printf("%s\t%.*s\n", word, sentence_length(description),
		    description);
}

static void
word_print(
    const struct target *target, const char *word, const char *description)
{
	candidate_print(target, (const char *const[3]){ word }, description);
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
	char number[VALUE_SIZE];

	for (int i = 0; i < param->value_count; i++) {
		snprintf(number, sizeof(number), "%d", param->numbers[i]);
		word_print(target,
		    param->kind == SCOPA_PARAM_NUMBER ? number
						      : param->names[i],
		    "");
	}
	if (param->kind == SCOPA_PARAM_BITS)
		word_print(target, "none", "");
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
			candidate_print(target,
			    (const char *const[3]){ param->key, "=" },
			    param->sentence);
		else if (strncmp(key, param->key, (size_t)(equal - key)) == 0 &&
		    param->key[equal - key] == '\0')
			param_values_print(&value, param);
	}
}

/* A preset, or after a comma a parameter that differs from the preset. */
static void
complete_rules(const struct target *target)
{
	const char *comma = strrchr(target->word + target->start, ',');

	if (comma != NULL) {
		complete_rule(&(struct target){
		    target->word, (size_t)(comma + 1 - target->word) });
		return;
	}
	for (int i = 0; i < scopa_preset_count; i++)
		word_print(
		    target, scopa_presets[i].name, scopa_presets[i].sentence);
}

/* One of several paths with colons between them. */
static void
complete_path_list(const struct target *target)
{
	const char *colon = strrchr(target->word + target->start, ':');
	struct target path = { target->word, target->start };

	if (colon != NULL)
		path.start = (size_t)(colon + 1 - target->word);
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

static void
complete_meaning(const struct target *target, const struct meaning *meaning)
{
	for (int i = 0; meaning->mark != NULL && i < builtin_count; i++)
		candidate_print(target,
		    (const char *const[3]){ meaning->mark, builtins[i].name },
		    builtins[i].sentence);
	if (meaning->paths != NULL)
		paths_print(target, meaning->paths);
	if (meaning->complete != NULL)
		meaning->complete(target);
}

/* Completes one of the alternatives of `match:S+I|none`, of this length. */
static void
complete_alternative(
    const struct target *target, const char *shown, size_t length)
{
	size_t end = strcspn(shown, "[].:, ");
	char word[VALUE_SIZE];

	if (end > length)
		end = length;
	if (shown[0] >= 'a' && shown[0] <= 'z') {
		end += end < length && shown[end] == ':';
		snprintf(word, sizeof(word), "%.*s", (int)end, shown);
		word_print(target, word, "");
		return;
	}
	for (int i = 0; i < COUNTOF(meanings); i++)
		if (strncmp(meanings[i].word, shown, end) == 0 &&
		    meanings[i].word[end] == '\0')
			complete_meaning(target, &meanings[i]);
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
		word_print(target, "yes", "");
		word_print(target, "no", "");
	} else if (option->kind == OPTION_NAME) {
		for (int i = 0; option->names[i] != NULL; i++)
			word_print(target, option->names[i], "");
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
		candidate_print(target,
		    (const char *const[3]){ keys ? ""
			    : is_on              ? "--no-"
						 : "--",
			option->name,
			keys && option->kind != OPTION_PAIRS ? "=" : "" },
		    option->sentence);
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

/* Whether a word belongs to the group in which it stands. */
static bool
is_of_group(const struct place *place, const char *word)
{
	return strchr(word, '=') != NULL ||
	    (place->group_begins && place->group->takes_plain);
}

/* Moves the place behind a word. */
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
	if (place->group != NULL && is_of_group(place, word)) {
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
	size_t length = strlen(family);

	for (int i = 0; i < command_count; i++)
		if (strncmp(commands[i]->name, family, length) == 0 &&
		    commands[i]->name[length] == ' ')
			word_print(target, commands[i]->name + length + 1,
			    commands[i]->sentence);
}

/* The first words of all commands, each once. */
static void
complete_command(const struct target *target)
{
	char word[VALUE_SIZE], before[VALUE_SIZE] = "";

	for (int i = 0; i < command_count; i++) {
		const char *name = commands[i]->name;
		size_t length = strcspn(name, " ");

		snprintf(word, sizeof(word), "%.*s", (int)length, name);
		if (strcmp(word, before) != 0)
			word_print(target, word,
			    name[length] == '\0' ? commands[i]->sentence
						 : "Several commands.");
		memcpy(before, word, sizeof(before));
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

/* A word `--name`, or the value in a word `--name=VALUE`. */
static void
complete_option(const struct target *target, const struct command *command)
{
	const char *equal = strchr(target->word, '=');
	const struct option *option;

	if (equal == NULL) {
		rows_print(target, command->options, false);
		word_print(target, "--help", "Explains the command.");
		return;
	}
	option = word_find(command, target->word);
	if (option != NULL)
		complete_value(&(struct target){ target->word,
				   (size_t)(equal + 1 - target->word) },
		    option->kind == OPTION_GROUP ? option->keys : option);
}

/* A word `key=`, its value, or the plain word that a group begins with. */
static void
complete_key(const struct target *target, const struct place *place)
{
	const struct option *group = place->group;
	const char *equal = strchr(target->word, '=');
	const struct option *option;

	if (equal == NULL) {
		if (place->group_begins && group->takes_plain)
			complete_value(target, group->keys);
		rows_print(target, group->keys, true);
		return;
	}
	option = row_find(group->keys, target->word);
	if (option != NULL)
		complete_value(&(struct target){ target->word,
				   (size_t)(equal + 1 - target->word) },
		    option);
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
		/* Words of such an option come after `=`, and files also alone. */
		if (place.valued->is_value != NULL)
			paths_print(&target, "files");
		else
			complete_value(&target, place.valued);
		/* An option that may stand alone can be followed by anything. */
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
	for (int i = 0; i < COUNTOF(shells); i++) {
		if (strcmp(argv[0], shells[i].name) != 0)
			continue;
		if (argv[1] != NULL)
			return error_usage(
			    NULL, "one argument too many: \"%s\"", argv[1]);
		fputs(shells[i].script, stdout);
		return STATUS_DONE;
	}
	return error_usage("bash, zsh and fish are known",
	    "no completion for the shell \"%s\"", argv[0]);
}

const struct command command_completion = {
	.name = "completion",
	.sentence = "Prints a script that completes command lines in a shell.",
	.detail =
	    "`make install` and the packages have put the scripts where the "
	    "shells look for them. They call `completion candidates WORD...`, "
	    "which prints what may stand in the place of the last word.",
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
