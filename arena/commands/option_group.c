/*
 * Groups: words KEY=VALUE that fill one element of an array.
 */
#include <stdio.h>
#include <string.h>

#include "option_parts.h"

/*
 * Bots of the command line take the place of those of the file, as its other
 * values do.
 */
static void
file_elements_drop(struct option_reader *reader, const struct option *group,
    char *elements, int *count)
{
	struct option_memory *memory = option_memory_of(reader);
	int kept = 0;

	if (memory == NULL || reader->source != OPTION_LINE)
		return;
	for (int i = 0; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];

		if (word->group != group || word->source != OPTION_FILE)
			memory->words[kept++] = *word;
	}
	if (kept == memory->count)
		return;
	memory->count = kept;
	memset(elements, 0, group->group_size * (size_t)*count);
	*count = 0;
}

void
option_element_default(const struct option *group, void *element)
{
	for (int i = 0; i < group->key_count; i++)
		option_value_fall_back(&group->keys[i], element);
}

bool
option_element_begin(struct option_reader *reader, const struct option_row *row,
    struct option_element *element)
{
	const struct option *group = row->option;
	char *base = (char *)reader->settings + row->base;
	int *count = (int *)(void *)(base + group->count_offset);

	element->group = group;
	element->base = base + group->offset;
	element->index = 0;
	if (group->group_max == 1 && *count == 1)
		return true;
	if (group->group_max > 1)
		file_elements_drop(reader, group, element->base, count);
	if (*count == group->group_max)
		return option_fail(&reader->error,
		    "%s%s%s is given more than %d times", reader->place,
		    reader->source == OPTION_FILE ? "" : "--", group->name,
		    group->group_max);
	element->index = (*count)++;
	element->base += group->group_size * (size_t)element->index;
	option_element_default(group, element->base);
	return true;
}

bool
option_element_give_key(struct option_reader *reader,
    const struct option_element *element, const struct option *key,
    const char *label, const char *value)
{
	const struct option_target target = { key, element->base, label };

	if (key->kind == OPTION_REFUSED)
		return option_refuse(reader, key, label);
	return option_value_read(&target, value, &reader->error) &&
	    option_remember(reader,
		(struct option_word){
		    .group = element->group,
		    .element = element->index,
		    .option = key,
		    .value = value,
		});
}

/* `option.NAME=VALUE` goes whole, without its prefix, into a list. */
static bool
pair_give(struct option_reader *reader, const struct option_element *element,
    const struct option *key, const char *word)
{
	struct option_pairs *pairs =
	    (struct option_pairs *)(void *)(element->base + key->offset);
	size_t length = strcspn(word, "=") + 1;
	int index = 0;

	if (word[0] == '=')
		return option_fail(&reader->error, "%s%s%s: a name is missing",
		    reader->place, key->name, word);
	while (index < pairs->count &&
	    strncmp(pairs->words[index], word, length) != 0)
		index++;
	if (index == OPTION_PAIRS_MAX)
		return option_fail(&reader->error, "%smore than %d words %s",
		    reader->place, OPTION_PAIRS_MAX, key->name);
	pairs->words[index] = word;
	if (index == pairs->count)
		pairs->count++;
	return option_remember(reader,
	    (struct option_word){
		.group = element->group,
		.element = element->index,
		.option = key,
		.value = word,
	    });
}

bool
option_element_give(struct option_reader *reader,
    const struct option_element *element, const char *word, size_t length)
{
	const struct option *group = element->group;
	const char *point = memchr(word, '.', length);
	size_t name_length =
	    point != NULL ? (size_t)(point + 1 - word) : length;
	char label[OPTION_LABEL_SIZE];
	struct scopa_nearest guess;
	struct option_row row;
	bool found = option_row_find(
	    group->keys, group->key_count, word, name_length, &row);

	if (found && point != NULL && row.option->kind == OPTION_PAIRS)
		return pair_give(reader, element, row.option, point + 1);
	if (reader->source == OPTION_FILE)
		snprintf(label, sizeof(label), "%s%.*s", reader->place,
		    (int)length, word);
	else
		snprintf(label, sizeof(label), "--%s %.*s", group->name,
		    (int)length, word);
	if (found)
		return option_element_give_key(
		    reader, element, row.option, label, word + length + 1);
	scopa_nearest_init(&guess, word, name_length);
	option_guess(&guess, group->keys, group->key_count);
	option_guess_say(reader, &guess, "",
	    guess.name != NULL && strchr(guess.name, '.') != NULL ? "NAME="
								  : "=");
	return option_fail(&reader->error, "%s: unknown key", label);
}
