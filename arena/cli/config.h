/*
 * Reads and writes configuration files: sections of lines `key = value`.  The
 * entries are words KEY=VALUE, which option.h reads.
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
 * `;` or `#` within the value belongs to it.  Double quotes around a whole value
 * are removed, and in such a value \" \\ \n \r \t mean what they mean in C.  A
 * value that only begins or ends with a quote, such as `"./my bot" -v "x"`, is
 * left as it is.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdio.h>

#include "option.h"

enum { CONFIG_SIZE_MAX = 1 << 20 };

/*
 * The section names of all commands; NULL ends the list.  One configuration
 * file may have sections for several commands.
 */
extern const char *const config_sections[];

/* An entry: the beginning of a section, or a value in it. */
struct config_entry {
	int line; /* line in the file, from 1 */
	/* title of a section: `bot mybot`; NULL: the entry is a value */
	const char *title;
	const char *word; /* KEY=VALUE; NULL: the entry begins a section */
};

struct config {
	char *path;
	char *bytes; /* contents of the file; the entries point into them */
	struct config_entry *entries;
	int count;
};

/*
 * Reads a file.  The caller must close the result.  NULL on failure, with an
 * error `FILE:LINE: ...`.
 */
struct config *config_open(const char *path, struct option_error *error);
void config_close(struct config *config);

/* Writes a line `KEY = VALUE`.  The value is put in quotes if needed. */
void config_print(FILE *file, const char *key, const char *value);

/*
 * Whether the title can be written in `[GROUP TITLE]` and is read back
 * unchanged.
 */
bool config_title_fits(const char *title);

/*
 * Formats the place of an entry, `FILE:LINE: `.  If the path is too long, its
 * beginning is left out.
 */
void config_place(const char *path, int line, char *place, size_t size);

#endif
