/* Functions that only the sources of the engine share. */
#ifndef SCOPA_INTERNAL_H
#define SCOPA_INTERNAL_H

#include "scopa/deal.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* Three of a kind has one form; a low hand has one for each wild value. */
enum { DECLARATIONS_MAX = SCOPA_VALUE_MAX };

/*
 * Writes the declarations that `seat` may make now, in Cirulla, and returns
 * their number.  There is none unless the hand has three cards, none of it is
 * played, and it is not declared yet.
 */
int declare_list(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int seat, struct scopa_move moves[DECLARATIONS_MAX]);

/* Ace, two and three of coins. */
#define INSTANT_TRENTE (SCOPA_SET_DENARI & UINT64_C(0xFFF))

/* Whether a team with this pile wins the match instantly by the rules. */
static inline bool
instant_wins(const struct scopa_rules *rules, scopa_set captured)
{
	if (rules->trente && (captured & INSTANT_TRENTE) == INSTANT_TRENTE)
		return true;
	return rules->all_coins == SCOPA_ALL_COINS_WIN &&
	    (captured & SCOPA_SET_DENARI) == SCOPA_SET_DENARI;
}

/*
 * Parses the value of a parameter of the rules.  On failure returns false with
 * a sentence in `why` and leaves *rules unchanged.
 */
bool param_read(const struct scopa_param *param, struct scopa_rules *rules,
    const char *bytes, size_t length, struct scopa_text *why);

/* Appends ` (not "BYTES")`: the wrong text. */
void param_refuse(struct scopa_text *why, const char *bytes, size_t length);

enum { WRITE_NUMBER_SIZE_MAX = 20 /* -9223372036854775808 */ };

/*
 * Writes any number in decimal, without a NUL, and returns the new end.  The
 * caller guarantees room for WRITE_NUMBER_SIZE_MAX bytes.
 */
char *write_long_number(char *at, int64_t number);

/* The same.  Most numbers have one or two digits. */
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
