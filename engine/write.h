/*
 * Text through a pointer, for hot paths.  The caller guarantees enough room, so
 * these functions make no checks; they return the new end and write no NUL.
 */
#ifndef WRITE_H
#define WRITE_H

#include <assert.h>
#include <string.h>

#include "scopa/move.h"

enum {
	WRITE_SET_SIZE_MAX = SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE,
	/* A card, an `x` and the captured cards. */
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

/* The names of all cards, one after the other, in canonical order. */
extern const char write_card_names[];

/*
 * Writes `7D`, or `??`  for SCOPA_CARD_NONE.  Inline, as the functions below,
 * since a state line contains all moves of the deal.
 */
static inline char *
write_card(char *at, scopa_card card)
{
	const char *name = "??";

	assert(card < SCOPA_PACK_SIZE || card == SCOPA_CARD_NONE);
	if (card != SCOPA_CARD_NONE)
		name = write_card_names + SCOPA_CARD_TEXT_SIZE * card;
	memcpy(at, name, SCOPA_CARD_TEXT_SIZE);
	return at + SCOPA_CARD_TEXT_SIZE;
}

/* Writes `3C4S`; nothing for the empty set. */
static inline char *
write_cards(char *at, scopa_set set)
{
	assert((set & ~SCOPA_SET_ALL) == 0);
	while (set != SCOPA_SET_EMPTY) {
		size_t card = scopa_set_take(&set);

		memcpy(at, write_card_names + SCOPA_CARD_TEXT_SIZE * card,
		    SCOPA_CARD_TEXT_SIZE);
		at += SCOPA_CARD_TEXT_SIZE;
	}
	return at;
}

/* Writes `3C4S`, or `-` for the empty set. */
static inline char *
write_set(char *at, scopa_set set)
{
	if (set == SCOPA_SET_EMPTY)
		*at++ = '-';
	return write_cards(at, set);
}

/* Writes `!low:A`. */
char *write_declaration(char *at, const struct scopa_move *move);

/* Writes `7Dx3C4S` or `!low:A`. */
static inline char *
write_move(char *at, const struct scopa_move *move)
{
	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return write_declaration(at, move);
	at = write_card(at, move->card);
	if (move->captured == SCOPA_SET_EMPTY)
		return at;
	*at++ = 'x';
	return write_cards(at, move->captured);
}

/* Writes any number in decimal. */
char *write_long_number(char *at, int64_t number);

/* Writes a number in decimal.  Most have one or two digits. */
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
