/*
 * Configuration files: sections of `key = value`, as words for options.
 *
 *     # A comment has a line of its own; so has one that begins with `;`.
 *     [tournament]
 *     rules = scopa
 *     [bot mybot]
 *     cmd = ./mybot.py --depth 3
 *     option.Style = "  careful "
 *
 * A value goes from behind the first `=` to the end of the line, without blanks
 * around it: `;` and `#` within it are part of it.  Double quotes around a whole
 * value are taken off, and in them \" \\ \n \r \t stand for what they do in C; a
 * value that only begins or ends with a quote, such as `"./my bot" -v "x"`, is
 * left as it is.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdio.h>

#include "option.h"

enum { CONFIG_SIZE_MAX = 1 << 20 };

/* A section that begins, or a value in it. */
struct config_entry {
	int line;          /* in the file, from 1 */
	const char *title; /* of the section: `bot mybot`; NULL: a value */
	const char *word;  /* KEY=VALUE; NULL: a section */
};

struct config {
	char *bytes; /* of the file; the entries point into it */
	struct config_entry *entries;
	int count;
};

/* Reads a file.  NULL with the error: `FILE:LINE: ...`. */
struct config *config_open(const char *path, struct option_error *error);
void config_close(struct config *config);

/* Writes `KEY = VALUE`, the value in quotes where it needs them. */
void config_print(FILE *file, const char *key, const char *value);

/* Whether `[GROUP TITLE]` says this title as it is. */
bool config_title_fits(const char *title);

/* Writes where an entry stands, `FILE:LINE: `, a long path cut in front. */
void config_place(const char *path, int line, char *place, size_t size);

#endif
