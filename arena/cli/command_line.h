/*
 * The words of the running command as they were given, to print the next command
 * to try, and words as a shell reads them.
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <stdio.h>

#include "scopa/text.h"

/*
 * Stores the words behind the name of the command, which must outlive the store;
 * without memory nothing is stored.  The caller releases it.
 */
void command_line_store(const char *name, char **argv);
void command_line_release(void);

/* Appends a word as a shell reads it: in quotes if it needs them. */
void shell_word_format(const char *word, struct scopa_text *text);

/* An option for command_line_print_again; value NULL: a flag. */
struct command_line_option {
	const char *name, *value;
};

/*
 * Prints the command line of the running command as it was given, quoted for a
 * shell, with `count` options that replace those of the same name.
 */
void command_line_print_again(
    FILE *file, const struct command_line_option *options, int count);

#endif
