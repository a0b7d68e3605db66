/*
 * Text by pointer: what the notation of a move costs most is checking for
 * room, so these write where room is known to be and return the new end.
 */
#ifndef WRITE_H
#define WRITE_H

#include <string.h>

#include "scopa/move.h"

enum {
	WRITE_SET_SIZE_MAX = SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE,
	/* A card, an x and the captured cards. */
	WRITE_MOVE_SIZE_MAX = SCOPA_CARD_TEXT_SIZE + 1 + WRITE_SET_SIZE_MAX,
	WRITE_NUMBER_SIZE_MAX = 20 /* -9223372036854775808 */
};

static inline char *
write_string(char *at, const char *string)
{
	size_t length = strlen(string);

	memcpy(at, string, length);
	return at + length;
}

/* `7D`; `??` for SCOPA_CARD_NONE. */
char *write_card(char *at, scopa_card card);

/* `3C4S`; `-` for the empty set. */
char *write_set(char *at, scopa_set set);

/* `7Dx3C4S`, `!low:A`. */
char *write_move(char *at, const struct scopa_move *move);

/* A number in decimal that is negative, or of any size. */
char *write_long_number(char *at, int64_t number);

/* A number in decimal.  Most have one digit or two. */
static inline char *
write_number(char *at, int64_t number)
{
	if (number < 0 || number > 99)
		return write_long_number(at, number);
	if (number > 9)
		*at++ = (char)('0' + number / 10);
	*at++ = (char)('0' + number % 10);
	return at;
}

#endif
