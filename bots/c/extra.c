#include "extra.h"

#include <stddef.h>

#define CARD(value, suit) (UINT64_C(1) << (4 * ((value)-1) + (suit)))
#define FOUR(value) (UINT64_C(15) << (4 * ((value)-1)))

const scopa_set extra_frac_cards = FOUR(1) | FOUR(8) | FOUR(9) | FOUR(10);

static const struct {
	size_t field; /* offset of the rule; where it is 0, nothing is added */
	scopa_set cards;
	int value;
} extras[] = {
	{ offsetof(struct scopa_rules, re_bello), CARD(10, SCOPA_DENARI), 100 },
	{ offsetof(struct scopa_rules, trente), CARD(1, SCOPA_DENARI), 100 },
	{ offsetof(struct scopa_rules, trente), CARD(2, SCOPA_DENARI), 200 },
	{ offsetof(struct scopa_rules, trente), CARD(3, SCOPA_DENARI), 300 },
	{ offsetof(struct scopa_rules, napola),
	    CARD(1, SCOPA_DENARI) | CARD(2, SCOPA_DENARI) |
		CARD(3, SCOPA_DENARI),
	    33 },
	{ offsetof(struct scopa_rules, piccola),
	    CARD(1, SCOPA_DENARI) | CARD(2, SCOPA_DENARI) |
		CARD(3, SCOPA_DENARI),
	    33 },
	{ offsetof(struct scopa_rules, grande),
	    CARD(8, SCOPA_DENARI) | CARD(9, SCOPA_DENARI) |
		CARD(10, SCOPA_DENARI),
	    30 },
	{ offsetof(struct scopa_rules, sevens), FOUR(7), 20 },
	{ offsetof(struct scopa_rules, ponino), FOUR(9), 20 },
};

static int
rule_get(const struct scopa_rules *rules, size_t field)
{
	return *(const int16_t *)((const char *)rules + field);
}

void
extra_add(const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE])
{
	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		scopa_set cards = extras[i].cards;

		if (rule_get(rules, extras[i].field) == 0)
			continue;
		while (cards != SCOPA_SET_EMPTY)
			values[scopa_set_take(&cards)] += extras[i].value;
	}
}
