/*
 * Options: what a command takes, as one table.
 *
 * Reading a configuration file and the command line, --help and the manual walk
 * the same rows.  A command keeps what was given in a struct of its own; each
 * row names the field by its offset, and the type of the field follows from the
 * kind.  Precedence: the row's default < file < command line.
 *
 * On the command line `--name VALUE`, `-name VALUE` and `--name=VALUE` are the
 * same; a flag takes no value, `--no-name` or `--name=no` takes it back; `--`
 * ends the options.  The last of several values counts.  In a file, options
 * stand as `name = VALUE` in a section of the command's name, and each group is a
 * section of its own: see config.h.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scopa/nearest.h"
#include "scopa/text.h"

enum option_kind {
	OPTION_LAST,   /* no option: a table ends before it */
	OPTION_FLAG,   /* bool */
	OPTION_INT,    /* int64_t, min..max */
	OPTION_REAL,   /* double, min..max */
	OPTION_TEXT,   /* const char *, not empty; NULL where not given */
	OPTION_NAME,   /* int: index of the value in `names` */
	OPTION_PARSED, /* whatever `parse` writes */
	OPTION_PAIRS,  /* struct option_pairs; in a group, name ends with '.' */
	OPTION_GROUP, /* words KEY=VALUE, each as `keys` say; may be repeated */
	OPTION_TABLE, /* the rows `keys`, as if they stood here; see below */
	OPTION_CONFIG, /* struct config *: the file to read; owned */
	OPTION_REFUSED /* a word of other arenas; the sentence says why not */
};

enum {
	OPTION_ALIASES_MAX = 3,
	OPTION_PAIRS_MAX = 32,
	OPTION_PLACE_SIZE = 256, /* of `FILE:LINE: ` */
	OPTION_LABEL_SIZE = OPTION_PLACE_SIZE + 128
};

/* `option.NAME=VALUE` words of a group, without the prefix. */
struct option_pairs {
	/* `NAME=VALUE`; NULL behind the last. */
	const char *words[OPTION_PAIRS_MAX + 1];
	int count;
};

struct option {
	const char *name; /* `startup-ms`, without dashes */
	const char *aliases[OPTION_ALIASES_MAX]; /* as other arenas call it */
	enum option_kind kind;
	const char *value;    /* what help calls the value: `N`, `FILE` */
	const char *sentence; /* what it does */
	const char *fallback; /* the default, as text; NULL: a zeroed field */
	/* The value where none is given; of a flag, a word that may follow it
	 * and says no more; or NULL. */
	const char *implied;
	const char *unit;         /* of a number, in the plural: `deals` */
	int64_t min, max;         /* of a number */
	const char *const *names; /* of OPTION_NAME, ends with NULL */
	size_t offset;            /* of the field */
	bool is_path;    /* names a file: option_write makes it absolute */
	bool is_paths;   /* names several, colons between: likewise */
	bool is_passing; /* is of one call: option_write leaves it out */

	/*
	 * Of OPTION_PARSED: reads `value` (good for as long as the program
	 * runs) into the field.  On failure returns false, the reason in `why`,
	 * and writes nothing.
	 */
	bool (*parse)(const char *value, void *field, struct scopa_text *why);

	/*
	 * Of OPTION_PARSED: writes the field as `parse` reads it, or nothing
	 * where it was not given.  NULL: never written.
	 */
	void (*format)(const void *field, struct scopa_text *text);

	/*
	 * Of OPTION_GROUP: an array of `group_max` elements of `group_size`
	 * bytes at `offset`, whose count is an int at `count_offset`.  Offsets
	 * of the keys count from the beginning of an element.
	 *
	 * Of OPTION_TABLE: no name; the sentence is a heading, or NULL to go on
	 * under the one before; offsets of the rows count from `offset`.  A
	 * table may stand among the keys of a group, but in no other table.
	 */
	const struct option *keys;
	int group_max; /* 0: one alone */
	size_t group_size;
	size_t count_offset;
	/* A word that is no KEY=VALUE is taken for the value of keys[0]. */
	bool takes_plain;
	/* On the command line no word need follow: one element of defaults. */
	bool takes_nothing;
	/* Arguments of the command line begin an element each, likewise. */
	bool takes_arguments;
	/* Another row tells of these keys: help does not repeat them. */
	bool keys_described;
	/* The key that a section `[bot TITLE]` gives, or NULL. */
	const char *title;
};

/*
 * The rows of a table, a macro for each kind.  `field` is the offset of the
 * field.  Other members may stand behind the sentence:
 *
 *     INT_OPTION("rounds", "N", FIELD(rounds), 1, ROUNDS_MAX,
 *         "How many rounds.", .fallback = "10", .unit = "rounds"),
 */
#define OPTION_ROW(row_kind, word, field, ...)                         \
	{                                                              \
		.kind = (row_kind), .name = (word), .offset = (field), \
		.sentence = __VA_ARGS__                                \
	}
#define FLAG_OPTION(word, field, ...) \
	OPTION_ROW(OPTION_FLAG, word, field, __VA_ARGS__)
#define INT_OPTION(word, shown, field, least, most, ...)                   \
	OPTION_ROW(OPTION_INT, word, field, __VA_ARGS__, .value = (shown), \
	    .min = (least), .max = (most))
#define REAL_OPTION(word, shown, field, least, most, ...)                   \
	OPTION_ROW(OPTION_REAL, word, field, __VA_ARGS__, .value = (shown), \
	    .min = (least), .max = (most))
#define TEXT_OPTION(word, shown, field, ...) \
	OPTION_ROW(OPTION_TEXT, word, field, __VA_ARGS__, .value = (shown))
#define NAME_OPTION(word, shown, field, words, ...)                         \
	OPTION_ROW(OPTION_NAME, word, field, __VA_ARGS__, .value = (shown), \
	    .names = (words))
#define PARSED_OPTION(word, shown, field, read, ...)                          \
	OPTION_ROW(OPTION_PARSED, word, field, __VA_ARGS__, .value = (shown), \
	    .parse = (read))
#define PAIRS_OPTION(word, shown, field, ...) \
	OPTION_ROW(OPTION_PAIRS, word, field, __VA_ARGS__, .value = (shown))
#define GROUP_OPTION(word, shown, rows, size, field, count_field, ...)       \
	OPTION_ROW(OPTION_GROUP, word, field, __VA_ARGS__, .value = (shown), \
	    .keys = (rows), .group_size = (size),                            \
	    .count_offset = (count_field))
#define CONFIG_OPTION(word, shown, field, ...) \
	OPTION_ROW(OPTION_CONFIG, word, field, __VA_ARGS__, .value = (shown))
#define REFUSED_OPTION(word, ...) \
	OPTION_ROW(OPTION_REFUSED, word, 0, __VA_ARGS__)
#define TABLE_OPTION(heading, rows, field) \
	OPTION_ROW(OPTION_TABLE, NULL, field, heading, .keys = (rows))
#define OPTIONS_END                 \
	{                           \
		.kind = OPTION_LAST \
	}

/* Why reading failed, for error_print; nothing is printed here. */
struct option_error {
	char what[512];
	char hint[256]; /* empty where there is none */
	bool machine;   /* nothing is wrong with what was given */
};

/* One command line against one table. */
struct option_reader {
	const struct option *options;
	bool rest; /* the first argument ends the options */
	void *settings;
	/* Of a table with OPTION_CONFIG. */
	const char *section;         /* of this command */
	const char *const *sections; /* of other commands; ends with NULL */
	struct option_error error;

	/* Found on the command line. */
	char **arguments; /* what is no option, in order; ends with NULL */
	int argument_count;
	bool help; /* --help or -h was given: the rest was not read */

	/* Where reading is. */
	char **words; /* those of the command line that are left */
	bool in_file;
	bool file_read; /* no element of the command line has begun yet */
	char place[OPTION_PLACE_SIZE]; /* `FILE:LINE: `, or empty */
	char label[OPTION_LABEL_SIZE]; /* `--deals`, `FILE:LINE: deals` */
};

/*
 * Gives zeroed fields the defaults of their rows; of groups only those that can
 * be given once alone, where nothing need be given.
 */
void option_defaults(struct option_reader *reader);

/*
 * Reads the file of --config and argv, the words after the command up to NULL,
 * and moves the arguments to its front.  False with the error.  After either,
 * option_release closes the file; the settings point to its words.
 */
bool option_read(struct option_reader *reader, char **argv);

/* Reads a file alone; the same otherwise. */
bool option_read_file(struct option_reader *reader, const char *path);

void option_release(struct option_reader *reader);

/*
 * Reads a value of any kind but pairs and groups into a field.  Where the row
 * refuses it: false, the reason in `why`, and nothing written.
 */
bool option_value_read(const struct option *option, const char *value,
    void *field, struct scopa_text *why);

/* Gives a reason; always false. */
bool option_refuse(struct scopa_text *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends the range of a number: `1 to 64 deals`. */
void option_range_format(const struct option *option, struct scopa_text *text);

/*
 * Writes the settings as a configuration file that gives the same again: the
 * section of the command, and one for each element of a group.  What is of one
 * call is left out.  Relative paths begin in `folder`; NULL: they stay.
 */
void option_write(
    FILE *file, const struct option_reader *reader, const char *folder);

#endif
