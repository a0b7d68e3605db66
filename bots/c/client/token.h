/*
 * The words of a protocol line, cut where they are needed.
 */
#ifndef SCOPA_BOT_TOKEN_H
#define SCOPA_BOT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of the caller's bytes. */
struct token {
	const char *bytes;
	size_t length; /* 0: there is none */
};

/*
 * Takes the next word off the front of `line`.  Words stand between blanks; a
 * comment (`#` at the start of a word) must have been cut off before.
 */
struct token token_next(struct token *line);

/*
 * The line without blanks at both ends, without its comment and without a CR
 * at its end.
 */
struct token token_trim(struct token line);

bool token_is(struct token token, const char *word);

/* The value where the token is `key=value`; else a token of length 0. */
struct token token_value(struct token token, const char *key);

/*
 * The value of `key=value` in the line, of the last one where the key stands
 * twice; length 0 without one.
 */
struct token token_find(struct token line, const char *key);

/* Decimal number, all of the token, min..max.  *number is left on failure. */
bool token_int(struct token token, int64_t min, int64_t max, int64_t *number);

/* Copies the token and a NUL; false where it does not fit. */
bool token_copy(struct token token, char *bytes, size_t size);

#endif
