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

static bool
is_of(const struct section *section, const struct option_word *word)
{
	return word->group == section->group &&
	    (word->group == NULL || word->element == section->element);
}

/* Whether two rows are of one field; offsets of tables are no others'. */
static bool
is_of_field(const struct section *section, const struct option *one,
    const struct option *other)
{
	return one == other ||
	    (section->group != NULL && one->offset == other->offset);
}

/* The word that counts for the field of a row, or NULL. */
static const struct option_word *
word_find(const struct section *section, const struct option *option)
{
	const struct option_memory *memory = section->form->memory;

	for (int i = memory->count - 1; i >= 0; i--) {
		const struct option_word *word = &memory->words[i];

		if (is_of(section, word) &&
		    is_of_field(section, word->option, option))
			return word;
	}
	return NULL;
}

/* Whether no later word has the name of this pair. */
static bool
is_last(const struct section *section, int index)
{
	const struct option_memory *memory = section->form->memory;
	const struct option_word *pair = &memory->words[index];
	size_t length = strcspn(pair->value, "=") + 1;

	for (int i = index + 1; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];

		if (is_of(section, word) && word->option == pair->option &&
		    strncmp(word->value, pair->value, length) == 0)
			return false;
	}
	return true;
}

/* Makes each path of a list absolute; false where there is no room. */
static bool
paths_join(char joined[OPTION_PATH_SIZE], const char *folder, const char *paths)
{
	size_t put = 0;

	for (const char *rest = paths; *rest != '\0';) {
		size_t length = strcspn(rest, ":");
		bool own = rest[0] == '/' || length == 0;
		int added = snprintf(joined + put, OPTION_PATH_SIZE - put,
		    "%s%s%s%.*s", put > 0 ? ":" : "", own ? "" : folder,
		    own ? "" : "/", (int)length, rest);

		put += (size_t)added;
		if (put >= OPTION_PATH_SIZE)
			return false;
		rest += length + (rest[length] == ':');
	}
	return put > 0;
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
	if (option->is_paths && folder != NULL &&
	    paths_join(path, folder, value))
		value = path;
	config_print(section->file, option->name, value);
}

/* The pairs of a key, in the order given. */
static void
pairs_print(const struct section *section, const struct option *option)
{
	const struct option_memory *memory = section->form->memory;

	for (int i = 0; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];
		char key[OPTION_PATH_SIZE];
		size_t length = strcspn(word->value, "=");

		if (!is_of(section, word) || word->option != option ||
		    !is_last(section, i))
			continue;
		snprintf(key, sizeof(key), "%s%.*s", option->name, (int)length,
		    word->value);
		config_print(section->file, key, word->value + length + 1);
	}
}

/* The value of a row, NULL where it has none: as given, or what stands in. */
static const char *
value_find(const struct section *section, const struct option *option)
{
	const struct option_stand_in *stand_in =
	    stand_in_find(section, option->name);
	const struct option_word *word = word_find(section, option);

	if (stand_in != NULL)
		return stand_in->value;
	if (word == NULL)
		return option->fallback;
	return word->option == option ? word->value : NULL;
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
		const char *value;

		if (row.option->kind == OPTION_GROUP || !is_written(row.option))
			continue;
		value = value_find(section, row.option);
		if (value != NULL)
			value_print(section, row.option, value);
	}
}

/* The key that the title of a section says, or NULL: it is written. */
static const struct option *
title_print(const struct section *section)
{
	const struct option *group = section->group;
	const struct option *key = NULL;
	const char *title = NULL;

	if (group->title != NULL) {
		key = option_find(group->keys, group->key_count, group->title);
		title = value_find(section, key);
	}
	if (title != NULL && config_title_fits(title)) {
		fprintf(section->file, "\n[%s %s]\n", group->name, title);
		return key;
	}
	fprintf(section->file, "\n[%s]\n", group->name);
	return NULL;
}

/* One element of a group. */
static void
element_write(const struct section *section)
{
	const struct option *group = section->group;
	const struct option *title = title_print(section);

	for (int i = 0; i < group->key_count; i++) {
		const struct option *key = &group->keys[i];
		const char *value;

		if (key == title || !is_written(key))
			continue;
		if (key->kind == OPTION_PAIRS) {
			pairs_print(section, key);
			continue;
		}
		value = value_find(section, key);
		if (value != NULL)
			value_print(section, key, value);
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
