/*
 * Options on the command line.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "option_parts.h"

/* The words of a command line, and where we are among them. */
struct cursor {
	char **words;
	int count;
	int next;
};

size_t
option_key_length(const char *word)
{
	size_t length = 0;

	if (!isalpha((unsigned char)word[0]))
		return 0;
	while (isalnum((unsigned char)word[length]) || word[length] == '-' ||
	    word[length] == '_')
		length++;
	/* What stands behind a prefix is the bot's own name for it. */
	if (word[length] == '.')
		length += strcspn(word + length, "= \t\n\v\f\r");
	return word[length] == '=' ? length : 0;
}

/* The name in a word that begins with one dash or two. */
static const char *
name_of(const char *word)
{
	return word + (word[1] == '-' ? 2 : 1);
}

static bool
row_find(const struct option_reader *reader, const char *name, size_t length,
    struct option_row *row)
{
	return option_row_find(
	    reader->options, reader->option_count, name, length, row);
}

/* Whether the word is an option of ours: then it is no forgotten value. */
static bool
is_option(const struct option_reader *reader, const char *word)
{
	struct option_row row;

	return word[0] == '-' &&
	    row_find(reader, name_of(word), strcspn(name_of(word), "="), &row);
}

/* What other arenas write before the name of a file. */
static const char *
file_of(const char *value)
{
	static const char key[] = "file=";

	return strncmp(value, key, strlen(key)) == 0 ? value + strlen(key)
						     : value;
}

void
option_line_scan(
    struct option_reader *reader, int argc, char **argv, const char **config)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *name = name_of(argv[i]);
		size_t length = strcspn(name, "=");
		struct option_row row;

		if (argv[i][0] != '-' || argv[i][1] == '\0') {
			if (reader->rest)
				return;
			continue;
		}
		if (strcmp(argv[i], "-h") == 0 || strcmp(name, "help") == 0) {
			reader->help = true;
			return;
		}
		if (!row_find(reader, name, length, &row) ||
		    row.option->kind != OPTION_CONFIG)
			continue;
		if (name[length] == '=')
			*config = file_of(name + length + 1);
		else if (i + 1 < argc && !is_option(reader, argv[i + 1]))
			*config = file_of(argv[i + 1]);
	}
}

/* Whether the next word is there and no option. */
static bool
value_follows(const struct option_reader *reader, const struct cursor *cursor)
{
	return cursor->next < cursor->count &&
	    !is_option(reader, cursor->words[cursor->next]);
}

static bool
value_missing_say(struct option_reader *reader, const struct option *option)
{
	return option_fail(&reader->error, "--%s needs a value: --%s %s",
	    option->name, option->name, option->value);
}

/* A word that is not KEY=VALUE, for the first key of a group. */
static bool
plain_give(struct option_reader *reader, const struct option_element *element,
    const char *word)
{
	char label[OPTION_LABEL_SIZE];

	snprintf(label, sizeof(label), "--%s", element->group->name);
	return option_element_give_key(
	    reader, element, &element->group->keys[0], label, word);
}

/* All words of a group go into one element of its array. */
static bool
group_read(struct option_reader *reader, const struct option_row *row,
    struct cursor *cursor, const char *inline_word)
{
	const struct option *group = row->option;
	struct option_element element;
	const char *first = inline_word;

	if (first == NULL && value_follows(reader, cursor))
		first = cursor->words[cursor->next];
	if (group->takes_nothing && inline_word == NULL &&
	    (first == NULL || option_key_length(first) == 0))
		return option_element_begin(reader, row, &element);
	if (first == NULL && group->takes_plain)
		return value_missing_say(reader, group);
	if (first == NULL ||
	    (option_key_length(first) == 0 && !group->takes_plain &&
		inline_word == NULL))
		return option_fail(&reader->error, "--%s needs words %s",
		    group->name, group->value);
	if (option_key_length(first) == 0 && !group->takes_plain)
		return option_fail(&reader->error,
		    "--%s=%s: not of the form %s", group->name, first,
		    group->value);
	if (!option_element_begin(reader, row, &element))
		return false;
	if (inline_word == NULL)
		cursor->next++;
	if (option_key_length(first) == 0) {
		if (!plain_give(reader, &element, first))
			return false;
	} else if (!option_element_give(
		       reader, &element, first, option_key_length(first))) {
		return false;
	}
	while (cursor->next < cursor->count) {
		const char *word = cursor->words[cursor->next];
		size_t length = option_key_length(word);

		if (length == 0)
			break;
		cursor->next++;
		if (!option_element_give(reader, &element, word, length))
			return false;
	}
	return true;
}

static bool
unknown_say(struct option_reader *reader, const char *word, const char *name)
{
	size_t length = strcspn(name, "=");
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, length);
	option_guess(&guess, reader->options, reader->option_count);
	scopa_nearest_offer(&guess, "help");
	option_guess_say(reader, &guess, "--", "");
	return option_fail(&reader->error, "unknown option \"%.*s\"",
	    (int)(length + (size_t)(name - word)), word);
}

/* An option that takes a value: behind `=`, or the next word. */
static bool
valued_read(struct option_reader *reader, const struct option_row *row,
    struct cursor *cursor, const char *value)
{
	char label[OPTION_LABEL_SIZE];

	snprintf(label, sizeof(label), "--%s", row->option->name);
	if (value == NULL && value_follows(reader, cursor))
		value = cursor->words[cursor->next++];
	else if (value == NULL)
		value = row->option->implied;
	if (value == NULL)
		return value_missing_say(reader, row->option);
	/* The file has been read before the line. */
	if (row->option->kind == OPTION_CONFIG)
		return true;
	return option_give(reader, row, label, value);
}

/* A flag without a value, and the word that may follow and says no more. */
static const char *
flag_read(const struct option_row *row, struct cursor *cursor, bool reversed)
{
	const char *filler = row->option->implied;

	if (filler != NULL && cursor->next < cursor->count &&
	    strcmp(cursor->words[cursor->next], filler) == 0)
		cursor->next++;
	return reversed ? "no" : "yes";
}

/* One option and what belongs to it. */
static bool
word_read(struct option_reader *reader, struct cursor *cursor, const char *word)
{
	const char *name = name_of(word);
	size_t length = strcspn(name, "=");
	const char *value = name[length] == '=' ? name + length + 1 : NULL;
	struct option_row row;
	bool found = row_find(reader, name, length, &row);
	bool reversed = !found && strncmp(name, "no-", 3) == 0;

	if (reversed)
		found = row_find(reader, name + 3, length - 3, &row) &&
		    row.option->kind == OPTION_FLAG;
	if (!found)
		return unknown_say(reader, word, name);
	if (row.option->kind == OPTION_GROUP)
		return group_read(reader, &row, cursor, value);
	if (row.option->kind == OPTION_REFUSED) {
		char label[OPTION_LABEL_SIZE];

		snprintf(label, sizeof(label), "-%.*s", (int)length, name);
		return option_refuse(reader, row.option, label);
	}
	if (reversed && value != NULL)
		return option_fail(&reader->error, "--%s takes no value", name);
	if (row.option->kind == OPTION_FLAG && value == NULL)
		value = flag_read(&row, cursor, reversed);
	return valued_read(reader, &row, cursor, value);
}

/* The group that arguments go to, if there is one. */
static bool
argument_row_find(const struct option_reader *reader, struct option_row *row)
{
	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, row);
	     i++) {
		if (row->option->takes_arguments)
			return true;
	}
	return false;
}

static bool
argument_read(struct option_reader *reader, char *word)
{
	struct option_row row;
	struct option_element element;

	if (!argument_row_find(reader, &row)) {
		reader->arguments[reader->argument_count++] = word;
		return true;
	}
	return option_element_begin(reader, &row, &element) &&
	    plain_give(reader, &element, word);
}

bool
option_line_read(struct option_reader *reader, int argc, char **argv)
{
	struct cursor cursor = { argv, argc, 0 };
	bool ended = false;

	reader->source = OPTION_LINE;
	reader->place[0] = '\0';
	reader->arguments = argv;
	reader->argument_count = 0;
	while (cursor.next < cursor.count) {
		char *word = cursor.words[cursor.next++];

		if (ended || word[0] != '-' || word[1] == '\0') {
			if (!argument_read(reader, word))
				return false;
			ended = ended || reader->rest;
		} else if (strcmp(word, "--") == 0) {
			ended = true;
		} else if (!word_read(reader, &cursor, word)) {
			return false;
		}
	}
	return true;
}
