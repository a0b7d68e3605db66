#include "parity.h"

int
parity_unpaired(const struct scopa_deal *deal)
{
	scopa_set gone = SCOPA_SET_EMPTY;
	int unpaired = 0;

	for (int party = 0; party < SCOPA_PARTIES_MAX; party++)
		gone |= deal->captured[party];
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		unpaired +=
		    scopa_set_count(gone & scopa_set_of_value(value)) & 1;
	return unpaired;
}

bool
parity_matters(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	return rules->capture != SCOPA_CAPTURE_FIFTEEN &&
	    deal->dealt == SCOPA_PACK_SIZE;
}
