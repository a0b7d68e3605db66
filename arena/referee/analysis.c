/*
 * The `cards` line, with all cards, for seats that may see them.
 */
#include "analysis.h"

#include <assert.h>

struct analysis_permit {
	char unused; /* a permit has no content; only its address counts */
};

static const struct analysis_permit the_permit;

const struct analysis_permit *
analysis_allow(void)
{
	return &the_permit;
}

void
analysis_put_cards(const struct analysis_permit *permit,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_text *text)
{
	assert(permit == &the_permit);
	scopa_text_string(text, "cards hands=");
	for (int seat = 0; seat < rules->players; seat++) {
		scopa_text_print(text, "%s%d:", seat > 0 ? "," : "", seat + 1);
		scopa_set_format(deal->hands[seat], text);
	}
	scopa_text_string(text, " deck=");
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		scopa_card_format(deal->pack[i], text);
	if (deal->dealt == SCOPA_PACK_SIZE)
		scopa_text_char(text, '-');
	scopa_text_char(text, '\n');
}
