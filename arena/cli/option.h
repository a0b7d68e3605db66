/*
 * Options: all that a command accepts, as one table.
 *
 * The same rows are used to read a configuration file and the command line, and
 * to print --help and the manual.  A command keeps the values in a struct of
 * its own.  Each row names a field by its offset; the type of the field follows
 * from the kind of the row.  The command line overrides the file, also where the
 * file has the value in a group (`replaces_keys`), and the file overrides the
 * default of the row.
 *
 * On the command line `--name VALUE`, `-name VALUE` and `--name=VALUE` mean the
 * same.  Some options may be given without a value (`implied`).  A flag takes
 * no value; `--no-name` or `--name=no` sets it to false.  `--` ends the
 * options.  If an option is given several times, the last value counts.  In a
 * file, options are written as `name = VALUE` in a section with the command's
 * name, and each group is a section of its own:
 *
 *     # A comment has a line of its own.
 *     [tournament]
 *     rules = scopa
 *     [bot mybot]
 *     cmd = ./mybot.py --depth 3
 *     option.Style = "  careful "
 *
 * A comment is a line that begins with `#` or `;`.  A value begins after the
 * first `=` and ends at the end of the line, without the blanks around it; a
 * `;` or `#` within the value belongs to it.  Double quotes around a whole
 * value are removed, and in such a value \" \\ \n \r \t mean what they mean in
 * C.  A value that only begins or ends with a quote, such as `"./my bot" -v
 * "x"`, is left as it is.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scopa/nearest.h"
#include "scopa/text.h"
#include "text_format.h"

enum option_kind {
	OPTION_LAST,   /* not an option: the end of a table */
	OPTION_FLAG,   /* bool */
	OPTION_INT,    /* int64_t, min..max */
	OPTION_REAL,   /* double, least..most; NAN if not given */
	OPTION_TEXT,   /* const char *, not empty; NULL if not given */
	OPTION_NAME,   /* int: index of the value in `names` */
	OPTION_PARSED, /* the type that `parse` writes */
	/*
	 * struct option_pairs; the name ends with '.' if it is a key of a group
	 */
	OPTION_PAIRS,
	OPTION_GROUP, /* words KEY=VALUE for the rows `keys`; may be repeated */
	/* the rows `keys`, as if they were rows of this table; see below */
	OPTION_TABLE,
	OPTION_CONFIG, /* the file to read; it has no field */
	/* an option of other arenas; `sentence` says why it is refused */
	OPTION_REFUSED
};

enum {
	OPTION_ALIASES_MAX = 3,
	OPTION_PAIRS_MAX = 32,
	OPTION_ERROR_SIZE = 16384,
	OPTION_HINT_SIZE = 256,
	OPTION_GROUPS_MAX = 4,      /* with elements, of one command */
	OPTION_LOCATION_SIZE = 256, /* of a text `FILE:LINE: ` */
	OPTION_LABEL_SIZE = OPTION_LOCATION_SIZE + 128,
	CONFIG_SIZE_MAX = 1 << 20 /* bytes of a configuration file */
};

/* Words `option.NAME=VALUE` of a group, stored without the prefix. */
struct option_pairs {
	/* Each is `NAME=VALUE`.  NULL follows the last one. */
	const char *words[OPTION_PAIRS_MAX + 1];
	int count;
};

struct option {
	const char *name; /* without dashes: `startup-ms` */
	const char *aliases[OPTION_ALIASES_MAX]; /* names in other arenas */
	enum option_kind kind;
	const char *value;    /* the name of the value in help: `N`, `FILE` */
	const char *sentence; /* what the option does */
	/* the default as text; NULL: the field stays zero, or is NAN */
	const char *fallback;
	/*
	 * The value if the option is given without one.  For a flag: a word
	 * that may follow and changes nothing.  NULL: no such value.
	 */
	const char *implied;
	/*
	 * With `implied`: whether the word after the option on the command line
	 * is its value.  NULL: every word is that is no option.  A value after
	 * `=` is always taken.
	 */
	bool (*is_value)(const char *word);
	const char *unit;   /* for numbers: the unit, in the plural: `deals` */
	int64_t min, max;   /* for OPTION_INT: the range */
	double least, most; /* for OPTION_REAL: the range */
	/* for OPTION_NAME: the values; ends with NULL */
	const char *const *names;
	size_t offset; /* of the field in its struct */
	bool is_path;  /* the value is a path; option_write makes it absolute */
	/* the value is several paths with colons between them, as above */
	bool is_paths;
	/* a file to write; `-` would be the standard output: it is refused */
	bool is_written;
	/* concerns one call only; option_write leaves it out */
	bool is_passing;
	/*
	 * On the command line it replaces what the file has set by the key of
	 * this name in groups, or by another key of the same field.  At most
	 * one row of a command.
	 */
	bool replaces_keys;

	/*
	 * For OPTION_TEXT: whether the value may be used; if not, the reason is
	 * in `why`.  NULL: any value.
	 */
	bool (*check)(const char *value, struct scopa_text *why);

	/*
	 * For OPTION_PARSED: reads `value` into the field.  The text of `value`
	 * stays valid until the program ends.  On failure it returns false with
	 * the reason in `why`, and writes nothing to the field.
	 */
	bool (*parse)(const char *value, void *field, struct scopa_text *why);

	/*
	 * For OPTION_PARSED: appends the field in the form that `parse` reads,
	 * or nothing if it was not given.  NULL: the field is never written.
	 */
	void (*format)(const void *field, struct scopa_text *text);

	/*
	 * For OPTION_GROUP: the field at `offset` is an array of `group_max`
	 * elements of `group_size` bytes.  Those of the command line replace
	 * those of the file.  The number of elements is an int at
	 * `count_offset`.  Offsets of the keys count from the beginning of an
	 * element.
	 *
	 * For OPTION_TABLE: the row has no name.  `sentence` is a heading, or
	 * NULL to continue under the heading before.  Offsets of its rows count
	 * from `offset`.  A table may be among the keys of a group, but not in
	 * another table.
	 */
	const struct option *keys;
	int group_max; /* 0: one element, to which all words are added */
	size_t group_size;
	size_t count_offset;
	/* A word that is not KEY=VALUE is the value of keys[0]. */
	bool takes_plain;
	/*
	 * On the command line the group may be given without any word: this
	 * gives one element of defaults.
	 */
	bool takes_nothing;
	/*
	 * Each argument of the command line begins an element, and is the value
	 * of keys[0].
	 */
	bool takes_arguments;
	/*
	 * The keys are described under another row, so help does not repeat
	 * them.
	 */
	bool keys_described;
	/*
	 * The name of the key whose value is TITLE in a section `[bot TITLE]`;
	 * NULL: sections have no title.
	 */
	const char *title;
};

/*
 * Macros that write the rows of a table, one for each kind.  `field` is the
 * offset of the field.  Other members may follow the sentence:
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
#define INT_OPTION(word, shown, field, from, to, ...)                      \
	OPTION_ROW(OPTION_INT, word, field, __VA_ARGS__, .value = (shown), \
	    .min = (from), .max = (to))
#define REAL_OPTION(word, shown, field, from, to, ...)                      \
	OPTION_ROW(OPTION_REAL, word, field, __VA_ARGS__, .value = (shown), \
	    .least = (from), .most = (to))
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
#define CONFIG_OPTION(word, shown, ...) \
	OPTION_ROW(OPTION_CONFIG, word, 0, __VA_ARGS__, .value = (shown))
#define REFUSED_OPTION(word, ...) \
	OPTION_ROW(OPTION_REFUSED, word, 0, __VA_ARGS__)
#define TABLE_OPTION(heading, rows, field) \
	OPTION_ROW(OPTION_TABLE, NULL, field, heading, .keys = (rows))
#define OPTIONS_END                 \
	{                           \
		.kind = OPTION_LAST \
	}

/*
 * Returns row number `index` of a table, or NULL; rows of tables in it count,
 * and not those tables themselves.  NULL stands for a table without rows.
 * *offset is where the struct begins that the row's own offset counts from.
 */
const struct option *option_at(
    const struct option *options, int index, size_t *offset);

/*
 * Returns the row, as option_at does, whose name or alias is the first `length`
 * bytes of `name`, or NULL.
 */
const struct option *option_find(const struct option *options, const char *name,
    size_t length, size_t *offset);

/*
 * The error of a failed read, for error_print.  The reader prints nothing
 * itself.
 */
struct option_error {
	char what[OPTION_ERROR_SIZE];
	char hint[OPTION_HINT_SIZE]; /* may be empty */
	/* the machine failed; what the user gave is not to blame */
	bool machine;
};

/* Reads one command line with one table. */
struct option_reader {
	const struct option *options;
	bool rest;            /* the first argument ends the options */
	bool keeps_arguments; /* they are not those of a group */
	void *settings;
	const char *section;   /* of the configuration file: of this command */
	struct config *config; /* the file that was read, or NULL; owned */
	struct option_error error;

	/* Found on the command line. */
	/* words that are not options, in order; ends with NULL */
	char **arguments;
	int argument_count;
	bool help; /* --help or -h was given; the other words were not read */
	/* the row with `replaces_keys`, if it was given; else NULL */
	const struct option *replacing;

	/* The position of the reader. */
	char **words; /* the words of the command line that are not read yet */
	int line;     /* in the file; 0: it reads the command line */
	/* groups of which the command line has begun an element */
	const struct option *begun[OPTION_GROUPS_MAX];
	int begun_count;
	/* for messages: `FILE:LINE: `, or empty */
	char location[OPTION_LOCATION_SIZE];
	/* for messages: `--deals`, `FILE:LINE: deals` */
	char label[OPTION_LABEL_SIZE];
};

/*
 * Sets the fields of zeroed settings to the defaults of their rows, and reads
 * the file of --config, then `argv`, which holds the words after the command
 * and ends with NULL; moves the arguments to the front of `argv`.  Returns
 * false with the error in `error`.  In both cases config_close() must be called
 * later for the file.  The settings point into the words of `argv` and of the
 * file.
 *
 * The keys of a group get their defaults only if the group has a single element
 * (`group_max` is 0); otherwise each element gets them when it begins.
 */
bool option_read(struct option_reader *reader, char **argv);

/*
 * Does the same for a file without a command line.  If `text` is not NULL, it
 * is read in place of the file, and `path` is its name in errors.
 */
bool option_read_file(
    struct option_reader *reader, const char *path, const char *text);

/* NULL is allowed. */
void config_close(struct config *config);

/*
 * Appends the line of the configuration file that sets an option of the
 * command, `FILE:LINE: KEY=VALUE`, or that begins the section of its group.
 * `name` is its name, of this length.  False: no line sets it.
 */
bool option_location(const struct option_reader *reader, const char *name,
    size_t length, struct scopa_text *text);

/* The same for a text, which may be a value of any file that is not closed. */
bool option_value_location(const char *value, struct scopa_text *text);

/* Formats a reason into `why`, as printf does.  Its value is false. */
#define option_refuse(why, ...) (text_printf((why), __VA_ARGS__), false)

/* Appends the range of a number: `1 to 64 deals`. */
void option_range_format(const struct option *option, struct scopa_text *text);

/*
 * Writes the settings as a configuration file that gives the same settings when
 * it is read: a section for the command, and one for each element of a group.
 * Options that concern one call only are left out.  Relative paths are taken to
 * begin in `folder` and become absolute; NULL: paths stay as they are.
 */
void option_write(
    FILE *file, const struct option_reader *reader, const char *folder);

/*
 * Writes the hint for an unknown name: the nearest known name, between `before`
 * and `after`.  The hint does not change if no name is near.
 */
void hint_nearest(char hint[OPTION_HINT_SIZE],
    const struct scopa_nearest *guess, const char *before, const char *after);

#endif
