#include "option.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option_value.h"
#include "scopa/nearest.h"

enum { LABEL_SIZE = 96 };

/* The words of a command line, and where we are among them. */
struct cursor {
	char **words;
	int count;
	int next;
};

static bool
is_called(const char *called, const char *name, size_t length)
{
	return called != NULL && strncmp(called, name, length) == 0 &&
	    called[length] == '\0';
}

static const struct option *
find_bytes(
    const struct option *options, int count, const char *name, size_t length)
{
	for (int i = 0; i < count; i++) {
		if (is_called(options[i].name, name, length))
			return &options[i];
		for (int j = 0; j < OPTION_ALIASES_MAX; j++) {
			if (is_called(options[i].aliases[j], name, length))
				return &options[i];
		}
	}
	return NULL;
}

const struct option *
option_find(const struct option *options, int count, const char *name)
{
	return find_bytes(options, count, name, strlen(name));
}

/* The hint of an unknown word: the nearest name, with what stands around it. */
static void
guess_say(struct option_reader *reader, const struct scopa_nearest *guess,
    const char *before, const char *after)
{
	if (guess->name != NULL)
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "did you mean \"%s%s%s\"?", before, guess->name, after);
}

static void
guess_offer_all(
    struct scopa_nearest *guess, const struct option *options, int count)
{
	for (int i = 0; i < count; i++) {
		scopa_nearest_offer(guess, options[i].name);
		for (int j = 0; j < OPTION_ALIASES_MAX; j++) {
			if (options[i].aliases[j] != NULL)
				scopa_nearest_offer(
				    guess, options[i].aliases[j]);
		}
	}
}

/* Gives the fields of a struct the defaults of their rows. */
static void
fallbacks_read(const struct option *options, int count, void *base)
{
	for (int i = 0; i < count; i++) {
		const struct option_target target = { &options[i], base,
			options[i].name };
		struct option_error error;
		bool good;

		if (options[i].fallback == NULL)
			continue;
		good = option_value_read(&target, options[i].fallback, &error);
		/* A default that its own row refuses is our mistake. */
		assert(good);
		(void)good;
	}
}

/* `startup-ms` is SCOPA_ARENA_STARTUP_MS. */
static void
variable_format(const char *name, char variable[LABEL_SIZE])
{
	int length = snprintf(variable, LABEL_SIZE, "SCOPA_ARENA_%s", name);

	assert(length < LABEL_SIZE);
	for (char *byte = variable; *byte != '\0'; byte++)
		*byte = *byte == '-' ? '_' : (char)toupper(*byte);
}

bool
option_defaults(struct option_reader *reader)
{
	fallbacks_read(reader->options, reader->option_count, reader->settings);
	for (int i = 0; i < reader->option_count; i++) {
		char variable[LABEL_SIZE];
		const struct option *option = &reader->options[i];
		const struct option_target target = { option, reader->settings,
			variable };
		const char *value;

		if (option->kind == OPTION_GROUP)
			continue;
		variable_format(option->name, variable);
		value = getenv(variable);
		/* An empty variable is the shell's way to take it back. */
		if (value != NULL && value[0] != '\0' &&
		    !option_value_read(&target, value, &reader->error))
			return false;
	}
	return true;
}

/* The length of the key of `key=...` or `prefix.NAME=...`, or 0. */
static size_t
key_length(const char *word)
{
	size_t length = 0;

	if (!isalpha((unsigned char)word[0]))
		return 0;
	while (isalnum((unsigned char)word[length]) || word[length] == '-' ||
	    word[length] == '_')
		length++;
	/* What stands behind a prefix is the bot's own name for it. */
	if (word[length] == '.')
		length += strcspn(word + length, "= ");
	return word[length] == '=' ? length : 0;
}

/* `option.NAME=VALUE` goes whole, without its prefix, into a list. */
static bool
pair_read(struct option_reader *reader, const struct option *key, void *element,
    const char *word)
{
	struct option_pairs *pairs =
	    (struct option_pairs *)(void *)((char *)element + key->offset);

	word = strchr(word, '.') + 1;
	if (word[0] == '=')
		return option_fail(
		    &reader->error, "%s%s: a name is missing", key->name, word);
	if (pairs->count == OPTION_PAIRS_MAX)
		return option_fail(&reader->error, "more than %d words %s",
		    OPTION_PAIRS_MAX, key->name);
	pairs->words[pairs->count++] = word;
	return true;
}

/* One word KEY=VALUE of a group. */
static bool
key_read(struct option_reader *reader, const struct option *group,
    void *element, const char *word)
{
	size_t length = key_length(word);
	const char *point = memchr(word, '.', length);
	size_t name_length =
	    point != NULL ? (size_t)(point + 1 - word) : length;
	const struct option *key =
	    find_bytes(group->keys, group->key_count, word, name_length);
	char label[LABEL_SIZE];
	struct scopa_nearest guess;

	if (key != NULL && key->kind == OPTION_PAIRS)
		return pair_read(reader, key, element, word);
	snprintf(
	    label, sizeof(label), "--%s %.*s", group->name, (int)length, word);
	if (key != NULL) {
		const struct option_target target = { key, element, label };

		return option_value_read(
		    &target, word + length + 1, &reader->error);
	}
	scopa_nearest_init(&guess, word, name_length);
	guess_offer_all(&guess, group->keys, group->key_count);
	guess_say(reader, &guess, "",
	    guess.name != NULL && strchr(guess.name, '.') != NULL ? "NAME="
								  : "=");
	return option_fail(&reader->error, "%s: unknown key", label);
}

/*
 * All words of a group go into one element of its array.  Where there is room
 * for one alone, a repeated group adds to it.
 */
static bool
group_read(struct option_reader *reader, const struct option *group,
    struct cursor *cursor, const char *inline_word)
{
	char *base = reader->settings;
	int *count = (int *)(void *)(base + group->count_offset);
	bool again = group->group_max == 1 && *count == 1;
	int first = cursor->next;
	char *element;

	if (*count == group->group_max && !again)
		return option_fail(&reader->error,
		    "--%s is given more than %d times", group->name,
		    group->group_max);
	element = base + group->offset +
	    (again ? 0 : group->group_size * (size_t)*count);
	if (!again) {
		fallbacks_read(group->keys, group->key_count, element);
		(*count)++;
	}
	if (inline_word != NULL) {
		if (key_length(inline_word) == 0)
			return option_fail(&reader->error,
			    "--%s=%s: not of the form %s", group->name,
			    inline_word, group->value);
		if (!key_read(reader, group, element, inline_word))
			return false;
	}
	while (cursor->next < cursor->count &&
	    key_length(cursor->words[cursor->next]) > 0) {
		if (!key_read(
			reader, group, element, cursor->words[cursor->next++]))
			return false;
	}
	if (cursor->next == first && inline_word == NULL)
		return option_fail(&reader->error, "--%s needs words %s",
		    group->name, group->value);
	return true;
}

/* The name in a word that begins with one dash or two. */
static const char *
name_of(const char *word)
{
	return word + (word[1] == '-' ? 2 : 1);
}

/* Whether the word is an option of ours: then it is no forgotten value. */
static bool
is_option(const struct option_reader *reader, const char *word)
{
	return word[0] == '-' &&
	    find_bytes(reader->options, reader->option_count, name_of(word),
		strcspn(name_of(word), "=")) != NULL;
}

static bool
unknown_say(struct option_reader *reader, const char *word, const char *name)
{
	size_t length = strcspn(name, "=");
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, length);
	guess_offer_all(&guess, reader->options, reader->option_count);
	scopa_nearest_offer(&guess, "help");
	guess_say(reader, &guess, "--", "");
	return option_fail(&reader->error, "unknown option \"%.*s\"",
	    (int)(length + (size_t)(name - word)), word);
}

/* An option that takes a value: behind `=`, or the next word. */
static bool
valued_read(struct option_reader *reader, const struct option *option,
    struct cursor *cursor, const char *value)
{
	char label[LABEL_SIZE];
	const struct option_target target = { option, reader->settings, label };

	snprintf(label, sizeof(label), "--%s", option->name);
	if (value == NULL) {
		if (cursor->next == cursor->count ||
		    is_option(reader, cursor->words[cursor->next]))
			return option_fail(&reader->error,
			    "%s needs a value: %s %s", label, label,
			    option->value);
		value = cursor->words[cursor->next++];
	}
	return option_value_read(&target, value, &reader->error);
}

/* One option and what belongs to it. */
static bool
word_read(struct option_reader *reader, struct cursor *cursor, const char *word)
{
	const char *name = name_of(word);
	size_t length = strcspn(name, "=");
	const char *value = name[length] == '=' ? name + length + 1 : NULL;
	const struct option *option =
	    find_bytes(reader->options, reader->option_count, name, length);
	bool reversed = option == NULL && strncmp(name, "no-", 3) == 0;

	if (reversed) {
		option = find_bytes(reader->options, reader->option_count,
		    name + 3, length - 3);
		if (option != NULL && option->kind != OPTION_FLAG)
			option = NULL;
	}
	if (option == NULL)
		return unknown_say(reader, word, name);
	if (option->kind == OPTION_GROUP)
		return group_read(reader, option, cursor, value);
	if (option->kind == OPTION_FLAG && value == NULL)
		value = reversed ? "no" : "yes";
	else if (reversed)
		return option_fail(&reader->error, "--%s takes no value", name);
	return valued_read(reader, option, cursor, value);
}

bool
option_read(struct option_reader *reader, int argc, char **argv)
{
	struct cursor cursor = { argv, argc, 0 };
	bool ended = false;

	reader->arguments = argv;
	reader->argument_count = 0;
	while (cursor.next < cursor.count) {
		char *word = cursor.words[cursor.next++];

		if (ended || word[0] != '-' || word[1] == '\0') {
			argv[reader->argument_count++] = word;
			ended = ended || reader->rest;
		} else if (strcmp(word, "--") == 0) {
			ended = true;
		} else if (strcmp(word, "-h") == 0 ||
		    strcmp(name_of(word), "help") == 0) {
			reader->help = true;
			return true;
		} else if (!word_read(reader, &cursor, word)) {
			return false;
		}
	}
	return true;
}
