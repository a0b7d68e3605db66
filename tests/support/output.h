/*
 * Catches what is written to a file in memory, to stderr or to a terminal, and
 * looks for parts of a text.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

/*
 * A file in memory, and what was written to it so far, or at its end; until the
 * next one is opened.
 */
FILE *output_open(void);
const char *output_text(void);
char *output_close(void);

/* Keeps what is written to stderr, which lives until the next call. */
void output_stderr_begin(void);
const char *output_stderr_end(void);

/* A terminal of so many columns; *master is its other end. */
int output_terminal(int columns, int *master);

/* How often a text holds a part. */
int output_count(const char *text, const char *part);

/* The text holds each of these parts; or none of them. */
#define expect_parts(text, ...)                                                \
	output_compare(text, true, (const char *const[]){ __VA_ARGS__, NULL }, \
	    __FILE__, __LINE__)
#define expect_none(text, ...)      \
	output_compare(text, false, \
	    (const char *const[]){ __VA_ARGS__, NULL }, __FILE__, __LINE__)

void output_compare(const char *text, int held, const char *const *parts,
    const char *file, int line);

#endif
