/*
 * What the files that read options share; nobody else includes this.
 */
#ifndef OPTION_PARTS_H
#define OPTION_PARTS_H

#include "option.h"
#include "option_value.h"
#include "scopa/nearest.h"

enum {
	OPTION_LABEL_SIZE = OPTION_PLACE_SIZE + 128,
	OPTION_PATH_SIZE = 2 * 4096 /* of a folder and a path in it */
};

/* A row, also of a table within the table. */
struct option_row {
	const struct option *option;
	size_t base; /* where in the settings its own offset counts from */
};

/* An element of a group that is being filled. */
struct option_element {
	const struct option *group;
	int index;
	char *base;
};

/* Row number `index` of all; false behind the last. */
bool option_row_at(
    const struct option *options, int count, int index, struct option_row *row);

/* The row of the name or alias that is `length` bytes; false: there is none. */
bool option_row_find(const struct option *options, int count, const char *name,
    size_t length, struct option_row *row);

/* Offers all names and aliases of a table. */
void option_guess(
    struct scopa_nearest *guess, const struct option *options, int count);

/* The hint of an unknown word: the nearest name, with what stands around it. */
void option_guess_say(struct option_reader *reader,
    const struct scopa_nearest *guess, const char *before, const char *after);

/* What was given so far, or NULL where the table keeps nothing. */
struct option_memory *option_memory_of(const struct option_reader *reader);

/* Keeps a word as given; false with the error where there is no memory. */
bool option_remember(struct option_reader *reader, struct option_word word);

/* Reads a value of a row that is no group, and remembers it. */
bool option_give(struct option_reader *reader, const struct option_row *row,
    const char *label, const char *value);

/* Says that a word of other arenas is not taken, and why. */
bool option_refuse(struct option_reader *reader, const struct option *option,
    const char *label);

/* Gives an element the defaults of its keys. */
void option_element_default(const struct option *group, void *element);

/* The next element; one of a group for one alone is added to. */
bool option_element_begin(struct option_reader *reader,
    const struct option_row *row, struct option_element *element);

/* KEY=VALUE for an element; the key has that length. */
bool option_element_give(struct option_reader *reader,
    const struct option_element *element, const char *word, size_t length);

/* A value for one key of an element. */
bool option_element_give_key(struct option_reader *reader,
    const struct option_element *element, const struct option *key,
    const char *label, const char *value);

/* The length of the key of `key=...` or `prefix.NAME=...`, or 0. */
size_t option_key_length(const char *word);

/* The words of a command line. */
bool option_line_read(struct option_reader *reader, int argc, char **argv);

/*
 * What must be known of a command line before it is read: whether it asks for
 * help, and the value of the last --config, if any.
 */
void option_line_scan(
    struct option_reader *reader, int argc, char **argv, const char **config);

#endif
