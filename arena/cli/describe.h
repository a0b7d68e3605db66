/*
 * Commands and options in words: what help and the manual say of a row.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <stdio.h>

#include "command.h"

#define DESCRIBE_SENTENCE "A bot arena for the Scopa family of card games."

/* An exit status and what it tells. */
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

/* Whether the keys of a row are to be told behind it. */
bool describe_keys(const struct option *option);

/* What to type, for somebody who typed nothing. */
void describe_usage(FILE *file);

/* All commands, a line each. */
void describe_commands(FILE *file);

/* One command, with all that it takes. */
void describe_command(FILE *file, const struct command *command);

/*
 * Prints words, wrapped to lines of 79 characters.  They begin in column
 * `column`, where `indent` characters stand in the line already.
 */
void describe_words(FILE *file, const char *words, int indent, int column);

#endif
