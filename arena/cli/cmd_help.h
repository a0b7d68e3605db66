/*
 * Commands and options in words: what help and the manual say of a row.
 */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include <stdio.h>

#include "command.h"

/* An exit status and its meaning. */
struct describe_status {
	enum status status;
	const char *sentence;
};

extern const struct describe_status describe_statuses[];
extern const int describe_status_count;

/* `--deals N`; a key of a group is `deals=N`. */
void describe_option(
    const struct option *option, bool key, struct scopa_text *text);

/*
 * What the row says beside its sentence: `1 to 64 deals; default 1; also
 * -games`; nothing where there is nothing to say.
 */
void describe_option_detail(
    const struct option *option, bool key, struct scopa_text *text);

/* The advice for a command line without any word. */
void describe_usage(FILE *file);

/* One command, with all that it takes. */
void describe_command(FILE *file, const struct command *command);

/*
 * Prints words, wrapped to lines of 79 characters.  They begin in column
 * `column`, where `indent` characters stand in the line already.
 */
void describe_words(FILE *file, const char *words, int indent, int column);

#endif
