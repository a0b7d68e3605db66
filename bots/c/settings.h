/*
 * The options of a bot: how it states them, and what it is told of them.
 */
#ifndef SCOPA_BOT_SETTINGS_H
#define SCOPA_BOT_SETTINGS_H

#include "builtin.h"
#include "token.h"

enum settings_answer {
	SETTINGS_TAKEN,
	SETTINGS_NO_OPTION, /* of this name */
	SETTINGS_NO_VALUE   /* of this option */
};

/* All values as they are until somebody sets them: one a row of the bot. */
void settings_init(int64_t *values, const struct builtin *builtin);

/* One `option` line for each, with its end. */
void settings_state(const struct builtin *builtin, struct scopa_text *text);

/* Which of the bot's options has this name; -1: none. */
int settings_find(const struct builtin *builtin, struct token name);

/*
 * Takes `NAME=VALUE`.  *name is the name in it.  A value that is not taken
 * leaves the one that is there.
 */
enum settings_answer settings_take(int64_t *values,
    const struct builtin *builtin, struct token word, struct token *name);

/* Writes a value of the option as its lines have it: a number or a word. */
void settings_write(const struct builtin_option *option, int64_t value,
    struct scopa_text *text);

#endif
