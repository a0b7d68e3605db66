/*
 * An option as a bot declares it in the handshake: `option name=depth type=int
 * default=4 min=1 max=9` (protocol.md, messages of a bot).
 *
 * A line is given as its words.  All but bot_option_is_sound want one that is.
 */
#ifndef BOT_OPTION_H
#define BOT_OPTION_H

#include "words.h"

/* Why an option that the user sets is refused. */
enum bot_option_flaw {
	BOT_OPTION_GOOD,
	BOT_OPTION_NO_NAME,  /* the bot declares no option of this name */
	BOT_OPTION_NO_VALUE, /* its declaration does not allow the value */
	BOT_OPTION_REFUSED   /* the bot itself answered `error option` */
};

/* Whether an `option` line has a name, a known type, and agrees with itself. */
bool bot_option_is_sound(const struct words *words);

/*
 * Whether the declaration allows this value, which is as the user wrote it,
 * nothing escaped, and ended by a NUL.  A button takes `-` alone.
 */
bool bot_option_allows(const struct words *words, const char *value);

/* Says what it allows: `a whole number from 1 to 9`. */
void bot_option_describe(const struct words *words, struct scopa_text *text);

#endif
