/* Conversion of cards to letters and back, and the totals of sets. */
#include "scopa/card.h"

#include <assert.h>
#include <limits.h>

static const char value_letters[SCOPA_VALUE_MAX + 1] = "A234567JQK";
static const char suit_letters[SCOPA_SUIT_COUNT + 1] = "DCSB";

/* 1 to 10; 0 for all other bytes. */
static const uint8_t values_by_letter[UCHAR_MAX + 1] = {
	['A'] = 1,
	['2'] = 2,
	['3'] = 3,
	['4'] = 4,
	['5'] = 5,
	['6'] = 6,
	['7'] = 7,
	['J'] = 8,
	['Q'] = 9,
	['K'] = 10,
};

/* The suit plus one; 0 for all other bytes. */
static const uint8_t suits_by_letter[UCHAR_MAX + 1] = {
	['D'] = SCOPA_DENARI + 1,
	['C'] = SCOPA_COPPE + 1,
	['S'] = SCOPA_SPADE + 1,
	['B'] = SCOPA_BASTONI + 1,
};

int
scopa_set_total(scopa_set set)
{
	/*
	 * Every nibble has the four cards of one value.  Count them in each
	 * nibble.
	 */
	uint64_t pairs = set - ((set >> 1) & UINT64_C(0x5555555555));
	uint64_t counts = (pairs & UINT64_C(0x3333333333)) +
	    ((pairs >> 2) & UINT64_C(0x3333333333));
	uint64_t odd = counts & UINT64_C(0x0F0F0F0F0F);
	uint64_t even = (counts >> 4) & UINT64_C(0x0F0F0F0F0F);

	/*
	 * Byte 4 of the two products is the sum of counts times values: 1, 3,
	 * 5, 7, 9 and 2, 4, 6, 8, 10.  The sum is at most 220, and so is every
	 * lower byte, so there is no carry.
	 */
	assert((set & ~SCOPA_SET_ALL) == 0);
	return (int)(((odd * UINT64_C(0x0103050709) +
			  even * UINT64_C(0x020406080A)) >>
			 32) &
	    0xFF);
}

char
scopa_value_letter(int value)
{
	assert(value >= 1 && value <= SCOPA_VALUE_MAX);
	return value_letters[value - 1];
}

char
scopa_suit_letter(enum scopa_suit suit)
{
	assert((int)suit >= 0 && suit < SCOPA_SUIT_COUNT);
	return suit_letters[suit];
}

int
scopa_value_find(char letter)
{
	return values_by_letter[(unsigned char)letter];
}

scopa_card
scopa_card_find(const char text[SCOPA_CARD_TEXT_SIZE])
{
	int value = values_by_letter[(unsigned char)text[0]];
	int suit = suits_by_letter[(unsigned char)text[1]];

	if (value == 0 || suit == 0)
		return SCOPA_CARD_NONE;
	return scopa_card_of(value, (enum scopa_suit)(suit - 1));
}
