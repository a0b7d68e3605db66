/*
 * Cards, sets and moves: from text and to text.  The `state` line is in
 * state.c.
 */
#include "scopa/notation.h"

#include <assert.h>
#include <string.h>

#include "write.h"

const char write_card_names[] = "ADACASAB2D2C2S2B3D3C3S3B4D4C4S4B5D5C5S5B"
				"6D6C6S6B7D7C7S7BJDJCJSJBQDQCQSQBKDKCKSKB";

_Static_assert(
    sizeof(write_card_names) == SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE + 1,
    "a name for every card");

/* By enum scopa_declaration. */
static const char *const declaration_names[] = {
	[SCOPA_DECLARE_NOTHING] = "",
	[SCOPA_DECLARE_LOW] = "!low",
	[SCOPA_DECLARE_THREE] = "!three",
};

char *
write_declaration(char *at, const struct scopa_move *move)
{
	assert(move->declaration <= SCOPA_DECLARE_THREE);
	at = write_string(at, declaration_names[move->declaration]);
	if (move->value != 0) {
		*at++ = ':';
		*at++ = scopa_value_letter(move->value);
	}
	return at;
}

char *
write_long_number(char *at, int64_t number)
{
	char digits[WRITE_NUMBER_SIZE_MAX];
	size_t from = sizeof(digits);
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do {
		digits[--from] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (number < 0)
		digits[--from] = '-';
	memcpy(at, digits + from, sizeof(digits) - from);
	return at + sizeof(digits) - from;
}

void
scopa_card_format(scopa_card card, struct scopa_text *text)
{
	char bytes[SCOPA_CARD_TEXT_SIZE];

	write_card(bytes, card);
	scopa_text_bytes(text, bytes, sizeof(bytes));
}

void
scopa_set_format(scopa_set set, struct scopa_text *text)
{
	char bytes[WRITE_SET_SIZE_MAX];
	char *end = write_set(bytes, set);

	scopa_text_bytes(text, bytes, (size_t)(end - bytes));
}

void
scopa_move_format(const struct scopa_move *move, struct scopa_text *text)
{
	char bytes[WRITE_MOVE_SIZE_MAX];
	char *end = write_move(bytes, move);

	scopa_text_bytes(text, bytes, (size_t)(end - bytes));
}

/* Parses one or more cards into a set. */
static enum scopa_parse
parse_cards(const char *bytes, size_t length, scopa_set *set)
{
	enum scopa_parse result = SCOPA_PARSED;
	scopa_set cards = SCOPA_SET_EMPTY;

	if (length == 0 || length % SCOPA_CARD_TEXT_SIZE != 0)
		return SCOPA_BAD_SYNTAX;
	for (size_t i = 0; i < length; i += SCOPA_CARD_TEXT_SIZE) {
		scopa_card card = scopa_card_find(bytes + i);

		if (card == SCOPA_CARD_NONE)
			return SCOPA_BAD_SYNTAX;
		if (scopa_set_has(cards, card))
			result = SCOPA_DUPLICATE;
		cards |= scopa_set_of(card);
	}
	if (result == SCOPA_PARSED)
		*set = cards;
	return result;
}

enum scopa_parse
scopa_set_parse(const char *bytes, size_t length, scopa_set *set)
{
	if (length == 1 && bytes[0] == '-') {
		*set = SCOPA_SET_EMPTY;
		return SCOPA_PARSED;
	}
	return parse_cards(bytes, length, set);
}

static enum scopa_parse
parse_declaration(const char *bytes, size_t length, struct scopa_move *move)
{
	for (int i = SCOPA_DECLARE_LOW; i <= SCOPA_DECLARE_THREE; i++) {
		size_t size = strlen(declaration_names[i]);
		int value = 0;

		if (length < size ||
		    memcmp(bytes, declaration_names[i], size) != 0)
			continue;
		if (length != size) {
			if (length != size + 2 || bytes[size] != ':')
				return SCOPA_BAD_SYNTAX;
			value = scopa_value_find(bytes[size + 1]);
			if (value == 0)
				return SCOPA_BAD_SYNTAX;
		}
		move->captured = SCOPA_SET_EMPTY;
		move->card = SCOPA_CARD_NONE;
		move->declaration = (uint8_t)i;
		move->value = (uint8_t)value;
		return SCOPA_PARSED;
	}
	return SCOPA_BAD_SYNTAX;
}

enum scopa_parse
scopa_move_parse(const char *bytes, size_t length, struct scopa_move *move)
{
	scopa_set captured = SCOPA_SET_EMPTY;
	scopa_card card;

	if (length > 0 && bytes[0] == '!')
		return parse_declaration(bytes, length, move);
	if (length < SCOPA_CARD_TEXT_SIZE)
		return SCOPA_BAD_SYNTAX;
	card = scopa_card_find(bytes);
	if (card == SCOPA_CARD_NONE)
		return SCOPA_BAD_SYNTAX;
	if (length > SCOPA_CARD_TEXT_SIZE) {
		enum scopa_parse result;

		if (bytes[SCOPA_CARD_TEXT_SIZE] != 'x')
			return SCOPA_BAD_SYNTAX;
		result = parse_cards(bytes + SCOPA_CARD_TEXT_SIZE + 1,
		    length - SCOPA_CARD_TEXT_SIZE - 1, &captured);
		if (result != SCOPA_PARSED)
			return result;
		if (scopa_set_has(captured, card))
			return SCOPA_DUPLICATE;
	}
	move->captured = captured;
	move->card = card;
	move->declaration = SCOPA_DECLARE_NOTHING;
	move->value = 0;
	return SCOPA_PARSED;
}
