/*
 * Options in a configuration file.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "option_parts.h"

/* Where in the file we are. */
struct position {
	enum { BEFORE_SECTIONS, OWN_SECTION, OTHER_SECTION, GROUP_SECTION } in;
	struct option_element element; /* of GROUP_SECTION */
};

static bool
is_listed(const char *const *names, const char *name, size_t length)
{
	for (; names != NULL && *names != NULL; names++) {
		if (strncmp(*names, name, length) == 0 &&
		    (*names)[length] == '\0')
			return true;
	}
	return false;
}

static bool
section_unknown_say(
    struct option_reader *reader, const char *title, size_t length)
{
	struct scopa_nearest guess;
	struct option_row row;

	scopa_nearest_init(&guess, title, length);
	scopa_nearest_offer(&guess, reader->section);
	for (const char *const *name = reader->sections;
	     name != NULL && *name != NULL; name++)
		scopa_nearest_offer(&guess, *name);
	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, &row);
	     i++) {
		if (row.option->kind == OPTION_GROUP)
			scopa_nearest_offer(&guess, row.option->name);
	}
	option_guess_say(reader, &guess, "[", "]");
	return option_fail(
	    &reader->error, "%sunknown section [%s]", reader->place, title);
}

static bool
title_refuse(
    struct option_reader *reader, const char *section, const char *title)
{
	return option_fail(&reader->error, "%s[%s] takes no name: \"%s\"",
	    reader->place, section, title);
}

/* The title of `[bot TITLE]` is the value of one of its keys. */
static bool
title_read(struct option_reader *reader, const struct position *position,
    const char *title)
{
	const struct option *group = position->element.group;
	struct option_row key;
	char label[OPTION_LABEL_SIZE];

	if (*title == '\0')
		return true;
	if (group->title == NULL)
		return title_refuse(reader, group->name, title);
	if (!option_row_find(group->keys, group->key_count, group->title,
		strlen(group->title), &key))
		abort();
	snprintf(label, sizeof(label), "%s[%s]", reader->place, group->name);
	return option_element_give_key(
	    reader, &position->element, key.option, label, title);
}

static bool
section_read(
    struct option_reader *reader, struct position *position, const char *title)
{
	size_t length = strcspn(title, " \t");
	const char *rest = title + length + strspn(title + length, " \t");
	struct option_row row;

	if (strncmp(title, reader->section, length) == 0 &&
	    reader->section[length] == '\0') {
		position->in = OWN_SECTION;
		return *rest == '\0' ||
		    title_refuse(reader, reader->section, rest);
	}
	if (option_row_find(
		reader->options, reader->option_count, title, length, &row) &&
	    row.option->kind == OPTION_GROUP) {
		position->in = GROUP_SECTION;
		return option_element_begin(reader, &row, &position->element) &&
		    title_read(reader, position, rest);
	}
	position->in = OTHER_SECTION;
	return is_listed(reader->sections, title, length) ||
	    section_unknown_say(reader, title, length);
}

static bool
key_unknown_say(struct option_reader *reader, const struct config_entry *entry)
{
	struct scopa_nearest guess;
	struct option_row row;
	size_t length = entry->key_length;

	if (strncmp(entry->word, "no-", 3) == 0 &&
	    option_row_find(reader->options, reader->option_count,
		entry->word + 3, length - 3, &row) &&
	    row.option->kind == OPTION_FLAG) {
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write %s = no", row.option->name);
	} else {
		scopa_nearest_init(&guess, entry->word, length);
		option_guess(&guess, reader->options, reader->option_count);
		option_guess_say(reader, &guess, "", "");
	}
	return option_fail(&reader->error, "%s%.*s: unknown key", reader->place,
	    (int)length, entry->word);
}

/* A key of the command's own section. */
static bool
own_read(struct option_reader *reader, const struct config_entry *entry)
{
	struct option_row row;
	struct option_element element;
	char label[OPTION_LABEL_SIZE];

	if (!option_row_find(reader->options, reader->option_count, entry->word,
		entry->key_length, &row))
		return key_unknown_say(reader, entry);
	snprintf(label, sizeof(label), "%s%.*s", reader->place,
	    (int)entry->key_length, entry->word);
	if (row.option->kind == OPTION_REFUSED)
		return option_refuse(reader, row.option, label);
	if (row.option->kind == OPTION_CONFIG)
		return option_fail(&reader->error,
		    "%s: a file cannot name another one", label);
	if (row.option->kind != OPTION_GROUP)
		return option_give(reader, &row, label, entry->value);
	if (!row.option->takes_plain) {
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write a section [%s]", row.option->name);
		return option_fail(
		    &reader->error, "%s: is a group of keys", label);
	}
	return option_element_begin(reader, &row, &element) &&
	    option_element_give_key(
		reader, &element, &row.option->keys[0], label, entry->value);
}

static bool
entry_read(struct option_reader *reader, struct position *position,
    const struct config_entry *entry)
{
	if (entry->title != NULL)
		return section_read(reader, position, entry->title);
	switch (position->in) {
	case BEFORE_SECTIONS:
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "begin with a line [%s]", reader->section);
		return option_fail(&reader->error,
		    "%s%.*s: stands before the first section", reader->place,
		    (int)entry->key_length, entry->word);
	case OWN_SECTION:
		return own_read(reader, entry);
	case OTHER_SECTION:
		return true;
	case GROUP_SECTION:
		break;
	}
	return option_element_give(
	    reader, &position->element, entry->word, entry->key_length);
}

bool
option_read_file(struct option_reader *reader, const char *path)
{
	struct option_memory *memory = option_memory_of(reader);
	struct position position = { .in = BEFORE_SECTIONS };

	assert(memory != NULL && memory->config == NULL);
	memory->config = config_open(path, &reader->error);
	if (memory->config == NULL)
		return false;
	memory->path = path;
	reader->source = OPTION_FILE;
	for (int i = 0; i < memory->config->count; i++) {
		const struct config_entry *entry = &memory->config->entries[i];

		config_place(
		    path, entry->line, reader->place, sizeof(reader->place));
		if (!entry_read(reader, &position, entry))
			return false;
	}
	reader->place[0] = '\0';
	return true;
}
