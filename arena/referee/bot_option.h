/*
 * An option as a bot declares it in the handshake: `option name=depth type=int
 * default=4 min=1 max=9` (protocol.md, messages of a bot).
 *
 * A declaration is given as the words of its line.  All functions except
 * bot_option_is_sound require a sound one.
 */
#ifndef BOT_OPTION_H
#define BOT_OPTION_H

#include "words.h"

/* Why an option that the user sets is refused. */
enum bot_option_flaw {
	BOT_OPTION_GOOD,
	BOT_OPTION_NO_NAME,  /* the bot declares no option of this name */
	BOT_OPTION_NO_VALUE, /* the declaration does not allow the value */
	BOT_OPTION_REFUSED   /* the bot answered `error option` */
};

/*
 * Whether an `option` line has a name and a known type, and its limits, values
 * and default are consistent.
 */
bool bot_option_is_sound(const struct words *words);

/*
 * Whether the declaration allows this value.  The value ends with a NUL and is
 * as the user wrote it, without escapes.  A button allows only `-`.
 */
bool bot_option_allows(const struct words *words, const char *value);

/* Writes what the declaration allows: `a whole number from 1 to 9`. */
void bot_option_describe(const struct words *words, struct scopa_text *text);

#endif
