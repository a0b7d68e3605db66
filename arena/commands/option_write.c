#include "option_write.h"

#include <string.h>

#include "config.h"
#include "option_parts.h"

/* One section that is written: the command's own, or an element of a group. */
struct section {
	const struct option_form *form;
	const struct option *group; /* or NULL */
	int element;
	FILE *file;
};

static bool
is_called(const char *one, const char *other)
{
	return one == other ||
	    (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static const struct option_stand_in *
stand_in_find(const struct section *section, const char *name)
{
	const char *group = section->group ? section->group->name : NULL;

	for (int i = 0; i < section->form->stand_in_count; i++) {
		const struct option_stand_in *stand_in =
		    &section->form->stand_ins[i];

		if (is_called(stand_in->group, group) &&
		    stand_in->element == section->element &&
		    strcmp(stand_in->name, name) == 0)
			return stand_in;
	}
	return NULL;
}

/* Whether the words are of one key; pairs have a name, too. */
static bool
is_same_key(const struct option_word *one, const struct option_word *other)
{
	if (one->option != other->option || one->group != other->group ||
	    one->element != other->element)
		return false;
	return one->option->kind != OPTION_PAIRS ||
	    strncmp(one->value, other->value, strcspn(one->value, "=") + 1) ==
	    0;
}

/* Whether no later word takes its place. */
static bool
is_last(const struct option_memory *memory, int index)
{
	for (int i = index + 1; i < memory->count; i++) {
		if (is_same_key(&memory->words[index], &memory->words[i]))
			return false;
	}
	return true;
}

static bool
is_of(const struct section *section, const struct option_word *word)
{
	return word->group == section->group &&
	    (word->group == NULL || word->element == section->element);
}

/* The word that counts, or NULL. */
static const struct option_word *
word_find(const struct section *section, const struct option *option)
{
	const struct option_memory *memory = section->form->memory;

	for (int i = memory->count - 1; i >= 0; i--) {
		if (memory->words[i].option == option &&
		    is_of(section, &memory->words[i]))
			return &memory->words[i];
	}
	return NULL;
}

static void
value_print(const struct section *section, const struct option *option,
    const char *value)
{
	const char *folder = section->form->folder;
	char path[OPTION_PATH_SIZE];

	if (option->is_path && folder != NULL && value[0] != '/') {
		int length =
		    snprintf(path, sizeof(path), "%s/%s", folder, value);

		if (length < OPTION_PATH_SIZE)
			value = path;
	}
	config_print(section->file, option->name, value);
}

static void
pair_print(const struct section *section, const struct option_word *word)
{
	char key[OPTION_PATH_SIZE];
	size_t length = strcspn(word->value, "=");

	snprintf(key, sizeof(key), "%s%.*s", word->option->name, (int)length,
	    word->value);
	config_print(section->file, key, word->value + length + 1);
}

/* What stands for a row that no word was given for, or NULL. */
static const char *
default_find(const struct section *section, const struct option *option)
{
	const struct option_stand_in *stand_in =
	    stand_in_find(section, option->name);

	if (stand_in != NULL)
		return stand_in->value;
	if (word_find(section, option) != NULL)
		return NULL;
	return option->fallback;
}

static bool
is_written(const struct option *option)
{
	return option->kind != OPTION_CONFIG &&
	    option->kind != OPTION_REFUSED && !option->is_passing;
}

/* The command's own section, in the order of its table. */
static void
own_write(const struct section *section)
{
	const struct option_form *form = section->form;
	struct option_row row;

	fprintf(section->file, "[%s]\n", form->section);
	for (int i = 0;
	     option_row_at(form->options, form->option_count, i, &row); i++) {
		const struct option_word *word = NULL;
		const char *value;

		if (row.option->kind == OPTION_GROUP || !is_written(row.option))
			continue;
		value = default_find(section, row.option);
		if (stand_in_find(section, row.option->name) == NULL)
			word = word_find(section, row.option);
		if (word != NULL)
			value = word->value;
		if (value != NULL)
			value_print(section, row.option, value);
	}
}

/* What the title of a section says, or NULL where it is written as a key. */
static const char *
title_find(const struct section *section)
{
	const struct option *key;
	const struct option_word *word;
	const struct option_stand_in *stand_in;
	const char *title = NULL;

	if (section->group->title == NULL)
		return NULL;
	key = option_find(section->group->keys, section->group->key_count,
	    section->group->title);
	word = word_find(section, key);
	stand_in = stand_in_find(section, key->name);
	if (stand_in != NULL)
		title = stand_in->value;
	else if (word != NULL)
		title = word->value;
	return title != NULL && config_title_fits(title) ? title : NULL;
}

/*
 * One element of a group: first the keys that nobody gave, then the words in
 * the order given, as some take each other's place.
 */
static void
element_write(const struct section *section)
{
	const struct option *group = section->group;
	const struct option_memory *memory = section->form->memory;
	const char *title = title_find(section);

	if (title != NULL)
		fprintf(section->file, "\n[%s %s]\n", group->name, title);
	else
		fprintf(section->file, "\n[%s]\n", group->name);
	for (int i = 0; i < group->key_count; i++) {
		const struct option *key = &group->keys[i];
		const char *value = default_find(section, key);

		if (value != NULL && is_written(key) && value != title)
			value_print(section, key, value);
	}
	for (int i = 0; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];

		if (!is_of(section, word) || !is_last(memory, i) ||
		    stand_in_find(section, word->option->name) != NULL)
			continue;
		if (word->option->kind == OPTION_PAIRS)
			pair_print(section, word);
		else if (word->value != title)
			value_print(section, word->option, word->value);
	}
}

/* One more than the highest element of a group that has a word. */
static int
element_count(const struct option_form *form, const struct option *group)
{
	int count = 0;

	for (int i = 0; i < form->memory->count; i++) {
		const struct option_word *word = &form->memory->words[i];

		if (word->group == group && word->element >= count)
			count = word->element + 1;
	}
	for (int i = 0; i < form->stand_in_count; i++) {
		const struct option_stand_in *stand_in = &form->stand_ins[i];

		if (is_called(stand_in->group, group->name) &&
		    stand_in->element >= count && stand_in->value != NULL)
			count = stand_in->element + 1;
	}
	return count;
}

void
option_write(FILE *file, const struct option_form *form)
{
	struct section section = { .form = form, .file = file };
	struct option_row row;

	own_write(&section);
	for (int i = 0;
	     option_row_at(form->options, form->option_count, i, &row); i++) {
		int count;

		if (row.option->kind != OPTION_GROUP || !is_written(row.option))
			continue;
		section.group = row.option;
		count = element_count(form, row.option);
		for (section.element = 0; section.element < count;
		     section.element++)
			element_write(&section);
		section.element = 0;
	}
}
