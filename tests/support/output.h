/*
 * Captures output to a file in memory, to stderr or to a terminal, and compares
 * parts of a text.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

/*
 * A file in memory; its text so far, or at its end, which is valid until the
 * next file is opened.
 */
FILE *output_open(void);
const char *output_text(void);
char *output_close(void);

/* Captures stderr; the text is valid until the next call. */
void output_stderr_begin(void);
const char *output_stderr_end(void);

/* A terminal with `columns` columns; *master is its other end. */
int output_terminal(int columns, int *master);

/* The number of times that a text contains a part. */
int output_count(const char *text, const char *part);

/* Expects that the text contains each of these parts; or none of them. */
#define expect_parts(text, ...)                                                \
	output_compare(text, true, (const char *const[]){ __VA_ARGS__, NULL }, \
	    __FILE__, __LINE__)
#define expect_none(text, ...)      \
	output_compare(text, false, \
	    (const char *const[]){ __VA_ARGS__, NULL }, __FILE__, __LINE__)

void output_compare(const char *text, int held, const char *const *parts,
    const char *file, int line);

#endif
