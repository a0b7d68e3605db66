/*
 * The files of tests/golden: one expected result in each line, in which tabs
 * separate fields and \n, \t, \r, \\ and \xHH are bytes.  `#` begins a comment
 * line.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stdio.h>

enum { GOLDEN_LINE_SIZE = 8192, GOLDEN_FIELDS_MAX = 64 };

struct golden {
	FILE *file; /* NULL before the first line and after the last one */
	const char *name;
	int line; /* number of the line read last */
	char bytes[GOLDEN_LINE_SIZE];
	char *fields[GOLDEN_FIELDS_MAX]; /* of that line, decoded */
	int field_count;
};

/*
 * Reads the next line that is not a comment from $SRC/tests/golden/NAME ($SRC
 * defaults to the current folder).  The file is opened for its first line, for
 * which *golden is all zero, and closed at its end; then this returns false.
 */
bool golden_next(struct golden *golden, const char *name);

/*
 * Cuts a line into words, in place: each blank ends one, and `_` stands for a
 * blank in a word.  NULL follows the last of at most `max - 1` words.  Returns
 * their number.
 */
int golden_words(char *line, char **words, int max);

/*
 * Reads all numbers of a text such as `[[25.0, 8.3], [1e-3, 2]]`, except in
 * quotation marks.  At most `max` are written; returns the number of all.
 */
int golden_numbers(const char *text, double *numbers, int max);

#endif
