/*
 * Options: what a command takes, as one table.
 *
 * Reading the command line and the environment, --help and the manual walk the
 * same rows.  A command keeps what was given in a struct of its own; each row
 * names the field by its offset, and the type of the field follows from the
 * kind.  Precedence: the row's default < environment < command line.
 *
 * On the command line `--name VALUE`, `-name VALUE` and `--name=VALUE` are the
 * same; a flag takes no value, `--no-name` or `--name=no` takes it back; `--`
 * ends the options.  The last of several values counts.  In the environment the
 * name is SCOPA_ARENA_NAME with `_` for `-`; groups are not read from there.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scopa/text.h"

enum option_kind {
	OPTION_FLAG,   /* bool */
	OPTION_INT,    /* int64_t, min..max */
	OPTION_REAL,   /* double, min..max */
	OPTION_TEXT,   /* const char *, not empty; NULL where not given */
	OPTION_NAME,   /* int: index of the value in `names` */
	OPTION_PARSED, /* whatever `parse` writes */
	OPTION_PAIRS,  /* struct option_pairs; in a group, name ends with '.' */
	OPTION_GROUP /* words KEY=VALUE, each as `keys` say; may be repeated */
};

enum { OPTION_ALIASES_MAX = 3, OPTION_PAIRS_MAX = 32 };

/* `option.NAME=VALUE` words of a group, without the prefix. */
struct option_pairs {
	const char *words[OPTION_PAIRS_MAX]; /* `NAME=VALUE`, of argv */
	int count;
};

struct option {
	const char *name; /* `startup-ms`, without dashes */
	const char *aliases[OPTION_ALIASES_MAX]; /* as other arenas call it */
	enum option_kind kind;
	const char *value;    /* what help calls the value: `N`, `FILE` */
	const char *sentence; /* what it does */
	const char *fallback; /* the default, as text; NULL: a zeroed field */
	const char *unit;     /* of a number, in the plural: `deals` */
	int64_t min, max;     /* of a number */
	const char *const *names; /* of OPTION_NAME, ends with NULL */
	size_t offset;            /* of the field */

	/*
	 * Of OPTION_PARSED: reads `value` (of argv or the environment, good for
	 * as long as the program runs) into the field.  On failure returns
	 * false, the reason in `why`, and writes nothing.
	 */
	bool (*parse)(const char *value, void *field, struct scopa_text *why);

	/*
	 * Of OPTION_GROUP: an array of `group_max` elements of `group_size`
	 * bytes at `offset`, whose count is an int at `count_offset`.  Offsets
	 * of the keys count from the beginning of an element.
	 */
	const struct option *keys;
	int key_count;
	int group_max;
	size_t group_size;
	size_t count_offset;
};

/* Why reading failed, for complaint_say; nothing is printed here. */
struct option_error {
	char what[512];
	char hint[256]; /* empty where there is none */
};

/* One command line against one table. */
struct option_reader {
	const struct option *options;
	int option_count;
	bool rest; /* the first argument ends the options */
	void *settings;
	struct option_error error;

	/* Found on the command line. */
	char **arguments; /* what is no option, in order; part of argv */
	int argument_count;
	bool help; /* --help or -h was given: the rest was not read */
};

/* Zeroed fields are given their defaults, then what the environment says. */
bool option_defaults(struct option_reader *reader);

/*
 * Reads argv[0..argc), the words after the command, and moves the arguments to
 * its front.  False with the error.
 */
bool option_read(struct option_reader *reader, int argc, char **argv);

/* The row of that name or alias, or NULL. */
const struct option *option_find(
    const struct option *options, int count, const char *name);

#endif
