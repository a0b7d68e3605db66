/*
 * Cards and sets of cards.
 *
 * The pack has 40 cards: values 1 (ace) to 10 (king) in four suits.  A card is
 * a number from 0 to 39, ordered by value and then by suit.  A set is a word
 * with one bit for each card.  The order of its bits, from the lowest, is the
 * canonical order of cards in every text.
 */
#ifndef SCOPA_CARD_H
#define SCOPA_CARD_H

#include <stdbool.h>
#include <stdint.h>

/* 4 * (value - 1) + suit; or SCOPA_CARD_NONE. */
typedef uint8_t scopa_card;

/* A set of cards: bit c is set when card c is in the set. */
typedef uint64_t scopa_set;

enum scopa_suit {
	SCOPA_DENARI,  /* coins, letter D */
	SCOPA_COPPE,   /* cups, letter C */
	SCOPA_SPADE,   /* swords, letter S */
	SCOPA_BASTONI, /* clubs, letter B */
	SCOPA_SUIT_COUNT
};

enum {
	SCOPA_PACK_SIZE = 40,
	SCOPA_VALUE_MAX = 10,
	SCOPA_CARD_NONE = 255,
	SCOPA_CARD_TEXT_SIZE = 2
};

#define SCOPA_SET_EMPTY UINT64_C(0)
#define SCOPA_SET_ALL ((UINT64_C(1) << SCOPA_PACK_SIZE) - 1)
#define SCOPA_SET_DENARI UINT64_C(0x1111111111)

/* Returns the card of a value (1 to 10) and a suit. */
static inline scopa_card
scopa_card_of(int value, enum scopa_suit suit)
{
	return (scopa_card)(4 * (value - 1) + (int)suit);
}

/* Returns 1 (ace) to 10 (king). */
static inline int
scopa_card_value(scopa_card card)
{
	return card / 4 + 1;
}

static inline enum scopa_suit
scopa_card_suit(scopa_card card)
{
	return (enum scopa_suit)(card % 4);
}

/* Returns the set with this one card. */
static inline scopa_set
scopa_set_of(scopa_card card)
{
	return UINT64_C(1) << card;
}

/* Returns the four cards of a value, 1 to 10; for 11 to 16 no card. */
static inline scopa_set
scopa_set_of_value(int value)
{
	return UINT64_C(15) << (4 * (value - 1));
}

/* Returns the ten cards of a suit. */
static inline scopa_set
scopa_set_of_suit(enum scopa_suit suit)
{
	return SCOPA_SET_DENARI << (int)suit;
}

static inline bool
scopa_set_has(scopa_set set, scopa_card card)
{
	return (set >> card) & 1;
}

static inline int
scopa_set_count(scopa_set set)
{
	return __builtin_popcountll(set);
}

/* Returns the lowest card of a set, which must not be empty. */
static inline scopa_card
scopa_set_first(scopa_set set)
{
	return (scopa_card)__builtin_ctzll(set);
}

/*
 * Removes the lowest card from a set, which must not be empty, and returns it.
 */
static inline scopa_card
scopa_set_take(scopa_set *set)
{
	scopa_card card = scopa_set_first(*set);

	*set &= *set - 1;
	return card;
}

/* Returns the sum of the values of all cards of a set, 0 to 220. */
int scopa_set_total(scopa_set set);

/* Return the letter of a value (A 2 3 4 5 6 7 J Q K) or suit (D C S B). */
char scopa_value_letter(int value);
char scopa_suit_letter(enum scopa_suit suit);

/* Returns the value (1 to 10) for a letter; 0 when there is none. */
int scopa_value_find(char letter);

/*
 * Returns the card for two characters (`7D`); SCOPA_CARD_NONE when there is
 * none.
 */
scopa_card scopa_card_find(const char text[SCOPA_CARD_TEXT_SIZE]);

#endif
