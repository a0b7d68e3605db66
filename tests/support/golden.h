/*
 * The files of tests/golden: one expectation a line, `#` begins a comment line.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stdio.h>

enum { GOLDEN_LINE_SIZE = 4096, GOLDEN_FIELDS_MAX = 64 };

struct golden {
	FILE *file;
	const char *name;
	int line; /* number of the one read last */
	char bytes[GOLDEN_LINE_SIZE];
	char *fields[GOLDEN_FIELDS_MAX]; /* of that line, between tabs */
	int field_count;
};

/* Opens $SRC/tests/golden/NAME ($SRC defaults to the current folder). */
void golden_open(struct golden *golden, const char *name);
void golden_close(struct golden *golden);

/* Reads the next line that is no comment; false at the end of the file. */
bool golden_next(struct golden *golden);

#endif
