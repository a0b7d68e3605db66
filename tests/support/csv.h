/*
 * Tables of comma-separated values in tests/golden (RFC 4180, without line ends
 * in fields).  The first line is the names of the columns.
 */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stdio.h>

enum { CSV_LINE_SIZE = 8192, CSV_FIELDS_MAX = 16 };

struct csv {
	FILE *file;
	const char *name;
	int line; /* number of the one read last */
	char bytes[CSV_LINE_SIZE];
	char *fields[CSV_FIELDS_MAX]; /* of that line, unquoted */
	int field_count;
};

/* Opens $SRC/tests/golden/NAME and skips its first line. */
void csv_open(struct csv *csv, const char *name);
void csv_close(struct csv *csv);

/* Reads the next line; false at the end of the file. */
bool csv_next(struct csv *csv);

/*
 * All numbers of a text such as `[[25.0, 8.3], [1e-3, 2]]`, in order; what
 * stands in quotation marks is none.  At most `max` are written; the count is
 * of all.
 */
int csv_numbers(const char *text, double *numbers, int max);

#endif
